"""The reduced network back at the widths of the given one, with its latent actions.

padding  == neurons with zero row, zero bias and zero outgoing column
position == the index, in the wide layer, of a neuron of the reduced network

The padded network computes the same function, and K ⊕ 1 satisfies its layer equations
whenever K satisfies those of the reduced one; this works for every σ, since σ(0) of a
padded neuron is not read.

Source: theory of weakly identifiable parameters (§4e of the layerwise theorem) and of the
simplest re-embedding (§13).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from identcert.exact.matrix import Matrix
from identcert.groups.monomial import MonomialMap
from identcert.nets.network import Layer, Network
from identcert.submodels.reduction import Reduction


@dataclass(frozen=True, slots=True)
class Embedding:
    """A padded network of the same function as a reduced one.

    Attributes
    ----------
    network : the padded network.
    positions : per hidden layer, the strictly increasing indices of the reduced neurons.
    """

    network: Network
    positions: tuple[tuple[int, ...], ...]

    def encode(self) -> dict[str, Any]:
        """Return the canonical JSON of the embedding."""
        return {"positions": [list(places) for places in self.positions]}

    def extend(self, latents: Sequence[MonomialMap]) -> tuple[MonomialMap, ...]:
        """Return K ⊕ 1 for the latents K of every hidden layer of the reduced network."""
        hidden = self.network.layers[:-1]
        return tuple(
            extend_monomial(latent, places, layer.weight.rows)
            for latent, places, layer in zip(latents, self.positions, hidden, strict=True)
        )


def embed(reduction: Reduction) -> Embedding | None:
    """Return the reduced network padded to the widths of the folded one.

    None for a network that collapsed to a constant: there is no layer left to embed.

    Examples
    --------
    >>> net = Network.dense([([[1], [1]], [0, 0], "tanh"), ([[1, 2]], [0], "identity")])
    >>> from identcert.submodels.reduction import reduce_network
    >>> embed(reduce_network(net)).network.layers[1].weight
    Matrix.of([[3, 0]])
    """
    if reduction.is_collapsed:
        return None
    widths = [layer.weight.rows for layer in reduction.folded.layers]
    inputs = reduction.folded.inputs
    places = [tuple(range(inputs)), *reduction.kept, tuple(range(widths[-1]))]
    layers = tuple(
        _padded(layer, places[index], places[index + 1], before, width)
        for index, (layer, before, width) in enumerate(
            zip(reduction.reduced.layers, [inputs, *widths], widths, strict=False)
        )
    )
    return Embedding(replace(reduction.reduced, layers=layers), reduction.kept)


def extend_monomial(latent: MonomialMap, positions: Sequence[int], width: int) -> MonomialMap:
    """Return K ⊕ 1 on ``width`` coordinates, with K acting on those at ``positions``."""
    permutation = list(range(width))
    scale, shift = [latent.field.one] * width, [latent.field.zero] * width
    for index, place in enumerate(positions):
        permutation[place] = positions[latent.permutation[index]]
        scale[place], shift[place] = latent.scale[index], latent.shift[index]
    return MonomialMap(latent.field, tuple(permutation), tuple(scale), tuple(shift))


def _padded(
    layer: Layer, columns: Sequence[int], rows: Sequence[int], before: int, width: int
) -> Layer:
    field = layer.weight.field
    table = [[field.zero] * before for _ in range(width)]
    bias = [field.zero] * width
    for place, row, entry in zip(rows, layer.weight.to_rows(), layer.bias, strict=True):
        bias[place] = entry
        for column, value in zip(columns, row, strict=True):
            table[place][column] = value
    return replace(layer, weight=Matrix.of(table, field, cols=before), bias=tuple(bias))
