"""Weak identifiability, step by step: from a parameter to layerwise actions of the group.

chain == parameter → its pattern → the submodel → latents of the submodel → their lifts
lift  == ρ = α ρ̃ α* + (1 − αα*), the latent action of the wide network; it is a
         homomorphism with α*ρ = ρ̃α* and ρα = αρ̃, and need not be monomial
given == the parameter that was asked about; where (S) fails for it, its re-embedding has
         the same pattern and function, and (S) holds there

Every equation is checked exactly: the strong square of the wide network, the layer
equations of the reduced one, the two that link ρ to ρ̃, and the relators of the group.
Together they say f_i∘ρ_{i−1} = α_i f̃_i α*_{i−1}ρ_{i−1} = α_i ρ̃_i f̃_i α*_{i−1} = ρ_i∘f_i.

Source: theory of weakly identifiable parameters (§4e of the layerwise theorem).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from identcert.errors import InputError
from identcert.exact.field import Field
from identcert.exact.matrix import Matrix
from identcert.groups.action import Action, Generator
from identcert.groups.monomial import MonomialMap
from identcert.groups.words import evaluate_word, word_text
from identcert.nets.network import Network
from identcert.submodels.alpha import LayerMaps, check_strong_square, mean_maps, plus, times
from identcert.submodels.maps import embed, even_split
from identcert.submodels.membership import node_of
from identcert.submodels.patterns import Pattern
from identcert.submodels.reduction import Reduction, reduce_network
from identcert.submodels.relation import transported
from identcert.submodels.square import StrongSquare, strong_square

Latents = tuple[MonomialMap, ...]


@dataclass(frozen=True, slots=True)
class Lift:
    """The affine map y ↦ linear·y + shift of a hidden space.

    Attributes
    ----------
    linear : an m×m matrix.
    shift : m field elements or formal constants.
    """

    linear: Matrix
    shift: tuple[Any, ...]

    @classmethod
    def of(cls, maps: LayerMaps, latent: MonomialMap) -> Lift:
        """Return α ρ̃ α* + (1 − αα*) for the map ρ̃ of the submodel's hidden space.

        The offset of α cancels: the shift is A(ρ̃(c*) − c*) with c* the offset of α*.
        """
        spread, star = maps.alpha.linear, maps.star
        size = spread.rows
        difference = linear_part(latent) - Matrix.identity(latent.dim, latent.field)
        moved = latent.apply(maps.offset)
        shift = times(spread, [a - b for a, b in zip(moved, maps.offset, strict=True)])
        identity = Matrix.identity(size, latent.field)
        return cls(identity + spread @ difference @ star, shift)

    @classmethod
    def identity(cls, dim: int, field: Field) -> Lift:
        """Return the identity of a space of the given dimension."""
        return cls(Matrix.identity(dim, field), (field.zero,) * dim)

    def __matmul__(self, other: Lift) -> Lift:
        """Return the composition y ↦ self(other(y))."""
        shift = plus(times(self.linear, other.shift), self.shift)
        return Lift(self.linear @ other.linear, shift)

    def inverse(self) -> Lift:
        """Return the inverse map."""
        linear = self.linear.inverse()
        return Lift(linear, tuple(-entry for entry in times(linear, self.shift)))

    def is_identity(self) -> bool:
        """Return whether the map fixes every point."""
        return self.linear.is_identity() and not any(map(bool, self.shift))


def linear_part(latent: MonomialMap) -> Matrix:
    """Return the matrix of a monomial map."""
    zero = latent.field.zero
    rows = [[zero] * latent.dim for _ in range(latent.dim)]
    for row, place, factor in zip(rows, latent.permutation, latent.scale, strict=True):
        row[place] = factor
    return Matrix.of(rows, latent.field, cols=latent.dim)


@dataclass(frozen=True, slots=True)
class WeakChain:
    """The chain of one network, as far as it goes.

    Attributes
    ----------
    pattern : the node of the network.
    submodel : the reduced network, with all hidden layers.
    embedded : the submodel at the original widths, with the same pattern, clones sharing
        their outgoing weights evenly; the strong square holds for it.
    square : whether the strong square holds for the given parameter.
    lifts : per generator the lifts to the hidden spaces of ``embedded``, or None where no
        latents were given.
    given_lifts : the same for the given parameter, where the strong square holds for it.
    """

    pattern: Pattern
    submodel: Network
    embedded: Network
    square: StrongSquare
    lifts: Mapping[str, tuple[Lift, ...]] | None = None
    given_lifts: Mapping[str, tuple[Lift, ...]] | None = None

    def sentences(self, identifiable: str | None = None) -> Iterator[str]:
        """Yield the chain in plain words.

        Parameters
        ----------
        identifiable : what is known of the submodel, as a clause such as "is identifiable
            (Sussmann 1992)".
        """
        before = "-".join(map(str, self.embedded.widths))
        after = "-".join(map(str, self.submodel.widths))
        yield f"The parameter has the pattern {self.pattern.text()}: rank {self.pattern.rank}."
        yield f"Its submodel has widths {after} of {before}."
        if identifiable is not None:
            yield f"The submodel {identifiable}."
        if self.lifts is not None:
            yield (
                "Re-embedded at the original widths, every layer is equivariant under the lifted "
                "latent actions; checked exactly."
            )
        answer = self.square.sentence()
        if self.given_lifts is not None:
            answer += ", so the same holds for the given parameter"
        yield f"For the given parameter {answer}."


def weak_chain(
    network: Network | Reduction,
    action: Action | None = None,
    latents: Mapping[str, Latents] | None = None,
) -> WeakChain:
    """Return the chain from a parameter to lifted latent actions, every step checked.

    Parameters
    ----------
    action, latents : a group and, per name of its generators, the latents of the reduced
        network, one a hidden layer; without them the chain ends at the submodel.

    Raises
    ------
    InputError
        If the latents are not those of the reduced network, or do not satisfy a relator.
    UnsupportedError
        If whether neurons are clones depends on parameters.

    Examples
    --------
    A swap of two neurons, one of which has a clone: averaging entries 1/2.

    >>> from identcert.groups.library import cyclic
    >>> net = Network.dense([([[1, 0], [0, 1], [1, 0]], None, "tanh"),
    ...                      ([[1, 3, 2]], None, "identity")])
    >>> swap = MonomialMap(net.field, (1, 0), (net.field.one,) * 2, (net.field.zero,) * 2)
    >>> chain = weak_chain(net, cyclic(2), {"r": (swap,)})
    >>> chain.lifts["r"][0].linear
    Matrix.of([[1/2, 1, -1/2], [1/2, 0, 1/2], [-1/2, 1, 1/2]])
    """
    reduction = network if isinstance(network, Reduction) else reduce_network(network)
    square = strong_square(reduction)
    submodel, pattern = square.submodel, node_of(reduction)
    embedded = embed(submodel, pattern, even_split(submodel, pattern))
    maps = mean_maps(submodel, pattern)
    check_strong_square(embedded, submodel, maps)
    if action is None or latents is None:
        return WeakChain(pattern, submodel, embedded, square)
    chosen = {g.name: _full(latents[g.name], submodel) for g in action.generators}
    lifts = lift_latents(submodel, maps, action, chosen)
    given = None
    if square.maps is not None:
        given = lift_latents(submodel, square.maps, action, chosen)
    return WeakChain(pattern, submodel, embedded, square, lifts, given)


def _full(latents: Latents, submodel: Network) -> Latents:
    """Return the latents, with empty ones where a collapsed network has empty layers."""
    if latents or any(submodel.widths[1:-1]):
        return latents
    return tuple(
        MonomialMap.identity(layer.outputs, submodel.field) for layer in submodel.layers[:-1]
    )


def lift_latents(
    submodel: Network,
    maps: Sequence[LayerMaps],
    action: Action,
    latents: Mapping[str, Latents],
) -> dict[str, tuple[Lift, ...]]:
    """Return the lifts of latents along α and α*, with all their equations checked.

    Parameters
    ----------
    maps : α and α* of every hidden layer, for which the strong square was checked.

    Raises
    ------
    InputError
        If an equation fails; it names the generator or the relator, and the layer.
    """
    lifts = {}
    for generator in action.generators:
        transported_maps = _check_latents(submodel, generator, latents[generator.name])
        chain = []
        for index, (own, latent) in enumerate(zip(maps, transported_maps, strict=True)):
            chain.append(Lift.of(own, latent))
            where = f"generator {generator.name}, hidden layer {index + 1}"
            _check_lift(own, latent, chain[-1], where)
        lifts[generator.name] = tuple(chain)
    for index, own in enumerate(maps):
        images = {name: chain[index] for name, chain in lifts.items()}
        unit = Lift.identity(own.alpha.linear.rows, submodel.field)
        for relator in action.relators:
            if not evaluate_word(relator, images, unit).is_identity():
                what = f"the lifts do not satisfy the relator {word_text(relator)}"
                raise InputError(what, f"hidden layer {index + 1}")
    return lifts


def _check_latents(submodel: Network, generator: Generator, latents: Latents) -> list[MonomialMap]:
    """Check K∘(W̃, b̃) = (W̃, b̃)∘ρ̃ in every layer; return the ρ̃."""
    if len(latents) != len(submodel.layers) - 1:
        raise InputError(f"{len(latents)} latents", f"generator {generator.name}")
    found: list[MonomialMap] = []
    carried: Any = generator.input
    for index, (layer, latent) in enumerate(zip(submodel.layers, latents, strict=False)):
        weight, bias = carried.pull_back(layer.weight, layer.bias)
        wanted = linear_part(latent) @ layer.weight
        if weight != wanted or tuple(bias) != latent.apply(layer.bias):
            where = f"generator {generator.name}, hidden layer {index + 1}"
            raise InputError("the latent map does not commute with the layer", where)
        carried = transported(layer, latent)
        found.append(carried)
    last = submodel.layers[-1]
    if carried.pull_back(last.weight, last.bias) != generator.output.push_forward(
        last.weight, last.bias
    ):
        raise InputError("the output equation fails", f"generator {generator.name}")
    return found


def _check_lift(maps: LayerMaps, latent: MonomialMap, lift: Lift, where: str) -> None:
    """Check α*ρ = ρ̃α* and ρα = αρ̃ as affine maps."""
    small, alpha = linear_part(latent), maps.alpha
    below = maps.star @ lift.linear == small @ maps.star and plus(
        times(maps.star, lift.shift), maps.offset
    ) == latent.apply(maps.offset)
    above = lift.linear @ alpha.linear == alpha.linear @ small and plus(
        times(lift.linear, alpha.offset), lift.shift
    ) == plus(times(alpha.linear, latent.shift), alpha.offset)
    if not (below and above):
        raise InputError("the lift is not linked to the latent map of the submodel", where)
