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
from typing import Any

from identcert.certify.second_parameter import Proposal, with_columns, with_layers, with_rows
from identcert.nets.constant import constant_value
from identcert.nets.network import Network
from identcert.submodels.reduction import Reduction
from identcert.submodels.steps import DropStep, FoldStep, MergeStep


def propose_by_degeneracy(reduction: Reduction) -> Iterator[Proposal]:
    """Yield second parameters of the folded network, one for its first reduction step."""
    network = reduction.folded
    for step in reduction.steps:
        if isinstance(step, DropStep):
            yield _dead(network, step.layer, step.neuron)
        elif isinstance(step, FoldStep):
            yield _constant(network, step.layer, step.neuron)
        elif isinstance(step, MergeStep):
            yield _clone(network, step)
        else:
            continue
        return  # later steps are about networks in which earlier neurons are gone


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


def _clone(network: Network, step: MergeStep) -> Proposal:
    layer, following = network.layers[step.layer], network.layers[step.layer + 1]
    factor, offset = layer.activation.transport(step.scale, network.field)
    column = following.weight.column(step.drop)
    kept = following.weight.column(step.keep)
    moved = tuple(k + factor * entry for k, entry in zip(kept, column, strict=True))
    changed = _without_column(with_columns(following, {step.keep: moved}), step.drop, offset)
    change = (
        f"neurons {step.keep} and {step.drop} of hidden layer {step.layer + 1} are clones: the "
        f"outgoing weights of {step.drop} moved to {step.keep}"
    )
    return Proposal("clones", change, with_layers(network, step.layer + 1, changed))


def _without_column(following: Any, neuron: int, value: Any) -> Any:
    """Return the next layer with one column set to 0 and column·value added to its bias."""
    column: Sequence[Any] = following.weight.column(neuron)
    shift = [value * entry if value else following.field.zero for entry in column]
    zero = (following.field.zero,) * len(column)
    return with_columns(following, {neuron: zero}, shift)
