"""Latent symmetries that carry one network into another, layer by layer.

matching == an affine monomial map K_i for every hidden layer with z'_i = K_i z_i, where z
            and z' are the pre-activations of two networks at equal inputs
mismatch == the first row of the second network without a partner in the first

If the rows of the first network are pairwise inequivalent under the full groups of its
activations, a matching is found without backtracking, and there is at most one.

Source: theory of Prop. 2 (soundness) and Prop. 3 (matching is forced), for two networks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from flint import fmpq

from identcert.certify.latents import Latents, LayerTables, pair_up, transport
from identcert.nets.activation import Activation
from identcert.nets.network import Network


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Where two networks are not related by latent symmetries.

    Attributes
    ----------
    layer : index of the layer, or None if depth, widths or activations differ.
    row : a row of the second network without a partner, or an output that differs.
    """

    layer: int | None
    row: int | None = None

    def text(self, depth: int) -> str:
        """Return the place in words, for networks of the given number of layers."""
        if self.layer is None:
            return "the reduced networks have other widths or activations"
        if self.layer == depth - 1:
            return f"output {self.row} differs under the forced matching of the hidden layers"
        return f"neuron {self.row} of hidden layer {self.layer + 1} has no partner"


def match_networks(tables: LayerTables, other: Network) -> Latents | Mismatch:
    """Return the latents K that carry one network into another, or the first failure.

    Parameters
    ----------
    tables : the keyed rows of the first network.
    other : the second one, with the same inputs and outputs over the same field.

    Examples
    --------
    >>> f = Network.dense([([[1], [2]], [1, 3], "tanh"), ([[5, 7]], None, "identity")])
    >>> g = Network.dense([([[-2], [1]], [-3, 1], "tanh"), ([[-7, 5]], None, "identity")])
    >>> [latent.encode() for latent in match_networks(LayerTables(f), g)]
    [{'permutation': [1, 0], 'scale': ['-1', '1']}]
    """
    network = tables.network
    if _shape(network) != _shape(other):
        return Mismatch(None)
    found, carried = [], None
    for index, (layer, theirs) in enumerate(zip(network.layers[:-1], other.layers, strict=False)):
        table = tables.tables[index]
        placed = table.place(*_pulled(carried, theirs))
        row = _unplaced(placed)
        if row is not None:
            return Mismatch(index, row)
        latent = pair_up(layer, table, placed, network.field)
        found.append(latent)
        carried = transport(layer, latent)
    last = network.layers[-1]
    weight, bias = _pulled(carried, other.layers[-1])
    for row in range(weight.rows):
        if weight.row(row) != last.weight.row(row) or bias[row] != last.bias[row]:
            return Mismatch(len(network.layers) - 1, row)
    return tuple(found)


def _shape(network: Network) -> list[Any]:
    return [(layer.weight.shape, layer.activation) for layer in network.layers]


def _pulled(carried: Any, layer: Any) -> tuple[Any, Any]:
    if carried is None:
        return layer.weight, layer.bias
    weight, bias = carried.pull_back(layer.weight, layer.bias)
    return weight, bias


def _unplaced(placed: list[tuple[int, Any]]) -> int | None:
    """Return a row without a partner of its own."""
    taken: set[int] = set()
    for row, (number, _) in enumerate(placed):
        if number < 0 or number in taken:
            return row
        taken.add(number)
    return None


def sigmoid_as_tanh(network: Network) -> Network:
    """Return the network with tanh for sigmoid: sigmoid(z) = 1/2 + tanh(z/2)/2.

    The same function, reduced if the network is.

    Examples
    --------
    >>> f = Network.dense([([[2]], [4], "sigmoid"), ([[6]], [1], "identity")])
    >>> [(layer.weight, layer.bias) for layer in sigmoid_as_tanh(f).layers]
    [(Matrix.of([[1]]), (2,)), (Matrix.of([[3]]), (4,))]
    """
    half, layers = fmpq(1, 2), list(network.layers)
    for index, layer in enumerate(layers[:-1]):
        if layer.activation.name != "sigmoid":
            continue
        layer, following = layers[index], layers[index + 1]
        bias = tuple(b * half for b in layer.bias)
        tanh = Activation("tanh")
        layers[index] = replace(layer, weight=layer.weight.scale(half), bias=bias, activation=tanh)
        weight = following.weight.scale(half)
        shift = weight.apply((network.field.one,) * layer.outputs)
        bias = tuple(b + s for b, s in zip(following.bias, shift, strict=True))
        layers[index + 1] = replace(following, weight=weight, bias=bias, has_bias=True)
    return replace(network, layers=tuple(layers))
