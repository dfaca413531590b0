"""Whether another parameter of the same function is layerwise equivariant.

fibre  == the parameters of the same widths and activations that compute the function
class  == parameters related by permutations and admitted scalings of hidden neurons

A parameter that is equivariant end to end only may have a sibling in its fibre that is
layerwise equivariant. The fibre is known where its classes can be listed: one hidden
layer of ReLU, leaky ReLU, GELU, SiLU or softplus with one neuron on every hyperplane,
where classes are the sets of neurons that can be reversed together; and two layers of
squares of widths 2, 2, where it has two classes. One layer of as many squares as inputs has an
infinite fibre, of which a generator can still exclude every element.

Source: theory of counterexamples C0, C1 and C2 (layerwise.md §7), Theorems 1 and 2, Usevich,
Dérand, Borsoi, Clausel, Example 41.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal

from identcert.certify.even_linear import is_even_linear, is_homogeneous, slope_of
from identcert.certify.fibre_square import find_unsuitable, unsuitable_sentence
from identcert.certify.forms import is_same_normal_form
from identcert.certify.latents import Latents, LayerTables, Obstruction, find_latents
from identcert.certify.square_pair import other_square_pair
from identcert.errors import UnsupportedError
from identcert.exact.matrix import Matrix
from identcert.groups.action import Action
from identcert.nets.activation import activation
from identcert.nets.network import Layer, Network
from identcert.submodels.rows import keyed_rows

SUBSETS, MAX_ENTRIES = 1 << 12, 20_000

Status = Literal["found", "none", "unknown"]


@dataclass(frozen=True, slots=True)
class Fibre:
    """What is known of layerwise equivariant parameters of the same function and widths.

    Attributes
    ----------
    status : ``found``; ``none``, when all classes were examined; or ``unknown``.
    reason : one sentence.
    classes : the number of classes of the fibre, where it is known.
    network : a layerwise equivariant parameter, if one was found.
    latents : its latents, per generator name.
    """

    status: Status
    reason: str
    classes: int | None = None
    network: Network | None = None
    latents: dict[str, Latents] | None = None


def find_fibre(network: Network, action: Action) -> Fibre:
    """Return what is known of the fibre of a reduced network without latents.

    Examples
    --------
    >>> from identcert import actions
    >>> rows, biases = [[1], [1], [1], [1]], [2, 1, -1, -2]
    >>> net = Network.dense([(rows, biases, "relu"), ([[1, -1, -1, 1]], None, "identity")])
    >>> find_fibre(net, actions.negation(1)).status
    'found'
    """
    layers = network.layers
    shallow = len(layers) == 2 and is_even_linear(layers[0].activation)
    unsuitable = find_unsuitable(network, action)
    if unsuitable is not None:
        return Fibre("none", unsuitable_sentence(unsuitable, network.inputs))
    squares = other_square_pair(network)
    if squares is not None:
        return _of_squares(network, action, squares)
    for index, layer in enumerate(layers[:-1]):
        if not is_even_linear(layer.activation) or not layer.has_plain_bias:
            continue
        sets = _reversible_sets(layer, layers[index + 1])
        for chosen in sets or ():
            found = _layerwise(reversed_neurons(network, index, chosen), action, network)
            if found is not None:
                listed = ", ".join(map(str, chosen))
                reason = f"reverse neurons {listed} of hidden layer {index + 1}"
                return Fibre("found", reason, None, *found)
        if shallow and sets is not None and _is_on_own_hyperplanes(layer):
            return Fibre("none", _all_examined(len(sets) + 1), len(sets) + 1)
    return Fibre("unknown", "the fibre of this network is not known to be finite")


def _all_examined(classes: int) -> str:
    if classes == 1:
        return (
            "no set of neurons can be reversed, so every parameter of these widths is this one "
            "up to permutations and scalings"
        )
    return (
        f"every parameter of these widths belongs to one of {classes} classes, in which sets of "
        "neurons are reversed, and none of them is layerwise equivariant"
    )


def _of_squares(network: Network, action: Action, other: Network) -> Fibre:
    found = _layerwise(other, action, network)
    if found is not None:
        return Fibre("found", "the other pair of squares", 2, *found)
    reason = "the fibre has two classes over the reals, and neither is layerwise equivariant"
    return Fibre("none", reason, 2)


def _layerwise(
    other: Network, action: Action, original: Network
) -> tuple[Network, dict[str, Latents]] | None:
    """Return another parameter with its latents, or None if it has none."""
    from identcert.exact.join import join

    field, embed, _ = join(action.field, other.field)
    carried = action if field == action.field else action.over(field, embed)
    tables = LayerTables(other)
    latents: dict[str, Latents] = {}
    try:
        for generator in carried.generators:
            found = find_latents(tables, generator)
            if isinstance(found, Obstruction):
                return None
            latents[generator.name] = found
        lifted = original if field == original.field else original.over(field, embed)
        return (other, latents) if is_same_normal_form(lifted, other) else None
    except UnsupportedError:
        return None


def _is_on_own_hyperplanes(layer: Layer) -> bool:
    """Return whether no two rows are proportional, or opposite, as σ allows."""
    sigma = activation("abs" if is_homogeneous(layer.activation) else "tanh")
    return keyed_rows(layer.weight, layer.bias, sigma, layer.field).is_reduced


def _reversible_sets(layer: Layer, following: Layer) -> list[tuple[int, ...]] | None:
    """Return the non-empty sets J with Σ_J a_j w_jᵀ = 0, or None if there are too many sets."""
    if layer.outputs * layer.inputs * following.outputs > MAX_ENTRIES:
        return None
    columns = following.weight.T.to_rows()
    vectors = [
        tuple(a * w for a in column for w in row)
        for row, column in zip(layer.weight.to_rows(), columns, strict=True)
    ]
    table = Matrix.of(vectors, layer.field, cols=len(vectors[0]) if vectors else 0)
    if table.rank() == table.rows:
        return []
    if 1 << table.rows > SUBSETS:
        return None
    return [chosen for chosen in _subsets(table.rows) if _cancels(vectors, chosen)]


def _subsets(count: int) -> Iterator[tuple[int, ...]]:
    for size in range(1, count + 1):
        yield from combinations(range(count), size)


def _cancels(vectors: Sequence[tuple[Any, ...]], chosen: tuple[int, ...]) -> bool:
    return not any(
        sum(entries[1:], start=entries[0])
        for entries in zip(*(vectors[j] for j in chosen), strict=True)
    )


def reversed_neurons(network: Network, index: int, chosen: Sequence[int]) -> Network:
    """Return the network with some neurons (w, b) of a layer replaced by −(w, b).

    The function stays the same if Σ a_j w_jᵀ = 0 over them: σ(z) = σ(−z) + 2mz, and the
    next bias takes up 2mΣ a_j b_j.
    """
    layer, following = network.layers[index], network.layers[index + 1]
    field, slope = network.field, network.field(2 * slope_of(layer.activation))
    signs = [-1 if j in chosen else 1 for j in range(layer.outputs)]
    weight = layer.weight.select_rows(range(layer.outputs), signs)
    bias = tuple(-b if s < 0 else b for b, s in zip(layer.bias, signs, strict=True))
    shifts = [
        sum((row[j] * layer.bias[j] for j in chosen), start=field.zero) * slope
        for row in following.weight.to_rows()
    ]
    moved = tuple(b + s for b, s in zip(following.bias, shifts, strict=True))
    layers = list(network.layers)
    layers[index] = replace(layer, weight=weight, bias=bias)
    layers[index + 1] = replace(following, bias=moved, has_bias=True)
    return replace(network, layers=tuple(layers), name=None)
