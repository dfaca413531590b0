"""The strong square (S) for a given parameter and its reduced submodel: yes, or where it fails.

(S) asks two things of a layer. Its rows follow α: every neuron is a clone of a kept one, or
constant, on the whole of R^d and not only after lower layers are reduced. And the columns
of the next layer, read off the rows of kept neurons, lie in the image of the merged matrix:
exactly then there is an α*.

Source: theory of the strong square (§2 of the layerwise theorem), counterexamples C3, C4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from identcert.exact.matrix import Matrix
from identcert.nets.layer import Layer
from identcert.nets.network import Network
from identcert.submodels.alpha import (
    Alpha,
    Follows,
    LayerMaps,
    alpha_of,
    check_strong_square,
    with_star,
)
from identcert.submodels.membership import UNREAD, LayerMembership, memberships, submodel_of
from identcert.submodels.reduction import Reduction, reduce_network
from identcert.submodels.rows import layer_keys


@dataclass(frozen=True, slots=True)
class StrongSquare:
    """Whether (S) holds for a given parameter, with the maps or the reason.

    Attributes
    ----------
    submodel : the reduced network, with all hidden layers.
    maps : per hidden layer α and α*, or None if (S) fails.
    layer, neurons : where it fails: a hidden layer, from 0, and neurons of it.
    reason : why, as a clause; empty if (S) holds.
    """

    submodel: Network
    maps: tuple[LayerMaps, ...] | None = None
    layer: int | None = None
    neurons: tuple[int, ...] = ()
    reason: str = ""

    @property
    def holds(self) -> bool:
        """Whether (S) holds."""
        return self.maps is not None

    def sentence(self) -> str:
        """Return the answer in plain words."""
        if self.layer is None:
            return "the strong square holds: its layers are those of the submodel between α* and α"
        return f"the strong square fails in hidden layer {self.layer + 1}: {self.reason}"


@dataclass(frozen=True, slots=True)
class _Stray:
    """Neurons that do not follow the submodel, and why."""

    neurons: tuple[int, ...]
    reason: str


def strong_square(network: Network | Reduction) -> StrongSquare:
    """Return whether the strong square holds for a network and its reduced submodel.

    Hidden layers of affine activation are composed into the next ones first.

    Raises
    ------
    UnsupportedError
        If whether neurons are clones depends on parameters.

    Examples
    --------
    Two clones whose outgoing columns leave the image of their sum (C3), and a neuron that
    nobody reads but that has an incoming row of its own (C4):

    >>> c3 = Network.dense([([[1], [1]], None, "tanh"),
    ...                     ([[1, 0], [1, -1], [0, 0]], None, "identity")])
    >>> strong_square(c3).reason
    'the outgoing weights of clones 0 and 1 leave the image of their merged matrix'
    >>> c4 = Network.dense([([[1, 1, 1], [1, 0, 0]], None, "tanh"), ([[1, 0]], None, "identity")])
    >>> strong_square(c4).reason
    'neuron 1 is unread and has an incoming row of its own'
    """
    reduction = network if isinstance(network, Reduction) else reduce_network(network)
    submodel, wide = submodel_of(reduction), reduction.folded
    members = memberships(reduction)
    alphas: list[Alpha] = []
    for index, (layer, own) in enumerate(zip(wide.layers, members, strict=False)):
        follows = _followers(layer, own)
        if isinstance(follows, _Stray):
            return StrongSquare(submodel, None, index, follows.neurons, follows.reason)
        alphas.append(alpha_of(layer, follows, len(own.classes), layer.bias))
    leaders = [[own[0][0] for own in layer.classes] for layer in members]
    leaders.append(list(range(wide.outputs)))
    maps = []
    for index, alpha in enumerate(alphas):
        columns = wide.layers[index + 1].weight.select_rows(leaders[index + 1])
        merged = submodel.layers[index + 1].weight
        star = _find_star(alpha, leaders[index], columns, merged)
        if isinstance(star, _Stray):
            return StrongSquare(submodel, None, index, star.neurons, star.reason)
        maps.append(with_star(alpha, star))
    check_strong_square(wide, submodel, maps)
    return StrongSquare(submodel, tuple(maps))


def _followers(layer: Layer, own: LayerMembership) -> tuple[Follows, ...] | _Stray:
    """Return what every neuron follows on the whole space, or the first that strays."""
    keys, field = layer_keys(layer), layer.weight.field
    follows: list[Follows] = [None] * own.neurons
    leaders: dict[Any, tuple[int, int]] = {}
    for number, members in enumerate(own.classes):
        first = members[0][0]
        leaders[keys[first][0]] = number, first
        for neuron, factor in members:
            if keys[neuron][0] != keys[first][0] or keys[neuron][1] / keys[first][1] != factor:
                clause = "become clones only when the layer below is reduced"
                return _Stray((first, neuron), f"neurons {first} and {neuron} {clause}")
            follows[neuron] = number, field(factor)
    for neuron, why in sorted(own.removed.items()):
        key, scale = keys[neuron]
        if not any(layer.weight.row(neuron)):
            continue
        if key not in leaders:
            clause = "is unread and has an incoming row of its own"
            if why != UNREAD:
                clause = "becomes constant only when the layer below is reduced"
            return _Stray((neuron,), f"neuron {neuron} {clause}")
        number, first = leaders[key]
        follows[neuron] = number, scale / keys[first][1]
    return tuple(follows)


def _find_star(
    alpha: Alpha, leaders: Sequence[int], columns: Matrix, merged: Matrix
) -> Matrix | _Stray:
    """Return a linear part A* of α* with merged·A* = columns and A*A = 1, if there is one.

    Any X with merged·X = columns has merged·(1 − XA) = 0; adding (1 − XA)S, where S picks
    the leaders and so SA = 1, makes it a left inverse of A.
    """
    field, neurons = merged.field, len(alpha.follows)
    solution = merged.solve(columns)
    if solution is None:
        return _leaving(alpha.follows, columns, merged)
    picked = [[int(j == first) for j in range(neurons)] for first in leaders]
    pick = Matrix.of(picked, field, cols=neurons)
    defect = Matrix.identity(len(leaders), field) - solution @ alpha.linear
    return solution + defect @ pick


def _leaving(follows: Sequence[Follows], columns: Matrix, merged: Matrix) -> _Stray:
    """Return the first neurons whose columns are not in the image of the merged matrix."""
    leaving = next(
        j for j in range(len(follows)) if merged.solve(columns.select_columns([j])) is None
    )
    own = follows[leaving]
    if own is None:
        reason = f"the outgoing weights of constant neuron {leaving} leave the image of the next"
        return _Stray((leaving,), f"{reason} merged matrix")
    clones = tuple(j for j, other in enumerate(follows) if other and other[0] == own[0])
    names = " and ".join([", ".join(map(str, clones[:-1])), str(clones[-1])])
    return _Stray(
        clones, f"the outgoing weights of clones {names} leave the image of their merged matrix"
    )
