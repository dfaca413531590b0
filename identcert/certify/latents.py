"""Latent actions, layer by layer and without backtracking.

latents     == for one generator, an affine monomial map K_i for every hidden layer
               with (W, b)∘R = K∘(W, b), R the transported map of the layer below
forced      == all rows have w ≠ 0 and are pairwise inequivalent under the full
               intertwiner group of σ: then K is unique if it exists
obstruction == the first equation that forced latents cannot satisfy

Source: theory of Prop. 2 (soundness) and Prop. 3 (uniqueness, hence a homomorphism).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from identcert.groups.action import Generator
from identcert.groups.monomial import MonomialMap
from identcert.nets.network import Layer, Network
from identcert.submodels.rows import KeyedRows, keyed_rows

Latents = tuple[MonomialMap, ...]


@dataclass(frozen=True, slots=True)
class Obstruction:
    """The first equation of a generator that has no admissible latent solution.

    Attributes
    ----------
    generator : name of the generator.
    latents : the latents of the layers below, which satisfy their equations.
    layer : index of the layer that fails (the last one: the output equation).
    row : a row without a partner, or a row of the output equation that differs.
    is_forced : whether the layers below force these latents, so that the equation
        excludes every choice of latents through the intertwiner groups.
    """

    generator: str
    latents: Latents
    layer: int
    row: int
    is_forced: bool

    def encode(self) -> dict[str, Any]:
        """Return the canonical JSON of the obstruction."""
        return {
            "generator": self.generator,
            "latents": [latent.encode() for latent in self.latents],
            "layer": self.layer,
            "row": self.row,
        }


def transport(layer: Layer, latent: MonomialMap) -> MonomialMap:
    """Return the map R with σ∘K = R∘σ, read off σ(c + α(z−c)) = λσ(z) + ν."""
    field = latent.field
    sigma, one, minus = layer.activation, field.one, -field.one
    kept = sigma.transport(one, field)  # most factors are ±1, so these two pass only once
    flipped = sigma.transport(minus, field) if minus in latent.scale else kept
    pairs = [
        kept if a == one else flipped if a == minus else sigma.transport(a, field)
        for a in latent.scale
    ]
    scale, shift = tuple(p[0] for p in pairs), tuple(p[1] for p in pairs)
    return MonomialMap(field, latent.permutation, scale, shift)


def monomial(layer: Layer, permutation: list[int], scale: list[Any], field: Any) -> MonomialMap:
    """Return z ↦ (α_i z[p_i] + c(1−α_i))_i, with c the centre of the layer's σ."""
    centre = field(layer.activation.centre)
    shift = (field.zero,) * len(scale)
    if not field.is_zero(centre):
        shift = tuple(centre * (field.one - alpha) for alpha in scale)
    return MonomialMap(field, tuple(permutation), tuple(scale), shift)


class LayerTables:
    """The keyed rows of every hidden layer of one network, computed once.

    Attributes
    ----------
    network : the network.
    tables : per hidden layer, its rows by normal form.
    """

    def __init__(self, network: Network) -> None:
        self.network = network
        self.tables: tuple[KeyedRows, ...] = tuple(
            keyed_rows(layer.weight, layer.bias, layer.activation, network.field)
            for layer in network.layers[:-1]
        )

    def is_forced(self, depth: int) -> bool:
        """Return whether the first ``depth`` hidden layers force their latents."""
        layers = self.network.layers[:depth]
        return all(
            layer.activation.affine is None and table.is_reduced
            for layer, table in zip(layers, self.tables, strict=False)
        )


def find_latents(tables: LayerTables, generator: Generator) -> Latents | Obstruction:
    """Return the greedy latents of one generator, or the first failing equation.

    Rows are matched by hashing their normal forms. Within a class of clones the rows
    are matched in index order: a failure is then no obstruction (``is_forced``).
    """
    network = tables.network
    found: list[MonomialMap] = []
    carried: Any = generator.input
    for index, layer in enumerate(network.layers[:-1]):
        weight, bias = carried.pull_back(layer.weight, layer.bias)
        placed = tables.tables[index].place(weight, bias)
        row = unmatched_row(tables.tables[index], placed)
        if row is not None:
            return Obstruction(generator.name, tuple(found), index, row, tables.is_forced(index))
        latent = pair_up(layer, tables.tables[index], placed, network.field)
        found.append(latent)
        carried = transport(layer, latent)
    failing = output_mismatch(network, carried, generator)
    if failing is None:
        return tuple(found)
    last = len(network.layers) - 1
    return Obstruction(generator.name, tuple(found), last, failing, tables.is_forced(last))


def unmatched_row(table: KeyedRows, placed: list[tuple[int, Any]]) -> int | None:
    """Return a row whose class receives another number of transformed rows than it has.

    A non-constant neuron is preferred: only such a row proves that no latent exists.
    """
    arriving = Counter(number for number, _ in placed)
    failing = [
        indices[0]
        for number, indices in enumerate(table.members)
        if arriving[number] != len(indices)
    ]
    constant = set(table.zero_rows)
    return next((row for row in failing if row not in constant), failing[0] if failing else None)


def pair_up(
    layer: Layer, table: KeyedRows, placed: list[tuple[int, Any]], field: Any
) -> MonomialMap:
    """Return the K with row_i' = K row, for rows placed in classes of one size."""
    waiting = [iter(indices) for indices in table.members]
    permutation, scale = [], []
    for number, alpha in placed:
        partner = next(waiting[number])
        permutation.append(partner)
        scale.append(alpha if table.scales[partner] == field.one else alpha / table.scales[partner])
    return monomial(layer, permutation, scale, field)


def output_mismatch(network: Network, carried: Any, generator: Generator) -> int | None:
    """Return a row in which (W_L, b_L)∘R and ρ_out∘(W_L, b_L) differ, or None."""
    last = network.layers[-1]
    weight, bias = carried.pull_back(last.weight, last.bias)
    wanted, wanted_bias = generator.output.push_forward(last.weight, last.bias)
    if weight == wanted and bias == wanted_bias:
        return None
    for row in range(weight.rows):
        if weight.row(row) != wanted.row(row) or bias[row] != wanted_bias[row]:
            return row
    return None
