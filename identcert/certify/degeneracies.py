"""Second parameters of networks with dead, constant or cloned neurons.

dead neuron     == nobody reads it: its incoming row is free
constant neuron == its row is zero: its value can move into the next bias
clone           == its outgoing weights can move to its twin

Each construction changes the number of zero rows or columns of a layer, which latent
symmetries keep.

Source: theory of the reduction rules R1–R3 (§2.3), read backwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

from identcert.certify.second_parameter import (
    Proposal,
    hidden_pairs,
    with_columns,
    with_layers,
    with_rows,
)
from identcert.nets.constant import constant_value
from identcert.nets.network import Network
from identcert.submodels.rows import keyed_rows, zero_rows


def propose_by_degeneracy(network: Network) -> Iterator[Proposal]:
    """Yield second parameters from every dead, constant and cloned neuron of a network."""
    for index, layer, following in hidden_pairs(network):
        yield from (_dead(network, index, j) for j in zero_rows(following.weight.T))
        yield from (_constant(network, index, j) for j in zero_rows(layer.weight))
        table = keyed_rows(layer.weight, layer.bias, layer.activation, network.field)
        for members in table.classes.values():
            for keep, drop in permutations(members, 2):
                scale = table.rows[drop][1] / table.rows[keep][1]
                yield _clone(network, index, keep, drop, scale)


def _dead(network: Network, index: int, neuron: int) -> Proposal:
    layer, field = network.layers[index], network.field
    where = f"neuron {neuron} of hidden layer {index + 1}"
    if any(layer.weight.row(neuron)):
        row, what = (field.zero,) * layer.inputs, "set to zero"
    else:
        row = (field.one, *([field.zero] * (layer.inputs - 1)))[: layer.inputs]
        what = "given a weight 1"
    changed = with_rows(layer, {neuron: (row, layer.bias[neuron])})
    change = f"nothing reads {where}: its incoming row was {what}"
    return Proposal("dead neuron", change, with_layers(network, index, changed))


def _constant(network: Network, index: int, neuron: int) -> Proposal:
    layer, following = network.layers[index], network.layers[index + 1]
    value = constant_value(layer.activation, layer.bias[neuron], network.field)
    changed = _without_column(following, neuron, value)
    change = (
        f"neuron {neuron} of hidden layer {index + 1} is constant: its value moved into the next "
        "bias"
    )
    return Proposal("constant neuron", change, with_layers(network, index + 1, changed))


def _clone(network: Network, index: int, keep: int, drop: int, scale: Any) -> Proposal:
    layer, following = network.layers[index], network.layers[index + 1]
    factor, offset = layer.activation.transport(scale, network.field)
    column, kept = following.weight.column(drop), following.weight.column(keep)
    moved = tuple(k + factor * entry for k, entry in zip(kept, column, strict=True))
    changed = _without_column(with_columns(following, {keep: moved}), drop, offset)
    change = (
        f"neurons {keep} and {drop} of hidden layer {index + 1} are clones: the outgoing weights "
        f"of {drop} moved to {keep}"
    )
    return Proposal("clones", change, with_layers(network, index + 1, changed))


def _without_column(following: Any, neuron: int, value: Any) -> Any:
    """Return the next layer with one column set to 0 and column·value added to its bias."""
    column: Sequence[Any] = following.weight.column(neuron)
    shift = [value * entry if value else following.field.zero for entry in column]
    zero = (following.field.zero,) * len(column)
    return with_columns(following, {neuron: zero}, shift)
