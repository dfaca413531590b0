"""Where every hidden neuron of a network goes when it is reduced: its node in the graph.

member   == a neuron that ends in a class of clones, with the factor α to its first member:
            row = α·row of the first one about the centre, once lower layers are reduced
constant == a neuron that was folded, alone or with its clones
unread   == a neuron that was dropped, alone or with its clones, such as a class whose
            outgoing weights add up to 0

Cascades are included: a neuron may lose its last reader, or its last input that is not
constant, only when other layers are reduced.

Source: theory of reduction rules (§2.3) and of patterns (§9).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from identcert.nets.network import Network
from identcert.submodels.patterns import LayerPattern, Pattern
from identcert.submodels.reduction import Reduction, reduce_network
from identcert.submodels.steps import CollapseStep, DropStep, FoldStep, MergeStep, replay

CONSTANT, UNREAD = "constant", "unread"
Members = tuple[tuple[int, Any], ...]


@dataclass(frozen=True, slots=True)
class LayerMembership:
    """Where the neurons of one hidden layer go.

    Attributes
    ----------
    neurons : their number.
    classes : per neuron of the reduced layer its members (neuron, α), ascending; the first
        one has α = 1.
    removed : why each of the others is removed: "constant" or "unread".
    """

    neurons: int
    classes: tuple[Members, ...]
    removed: Mapping[int, str]

    def pattern(self, signed: bool, dead_kinds: bool = False) -> LayerPattern:
        """Return the pattern of the layer; factors count by their signs, if at all."""
        labels = [0] * self.neurons
        for number, members in enumerate(self.classes, start=1):
            for neuron, factor in members:
                labels[neuron] = -number if signed and factor == -1 else number
        unread = [i for i, reason in sorted(self.removed.items()) if reason == UNREAD]
        return LayerPattern(tuple(labels), tuple(unread) if dead_kinds else None)


def memberships(reduction: Reduction) -> tuple[LayerMembership, ...]:
    """Return where the hidden neurons of the folded network go, layer by layer."""
    one = reduction.original.field.one
    hidden = reduction.folded.layers[:-1]
    classes: list[list[list[tuple[int, Any]]]] = [
        [[(i, one)] for i in range(layer.weight.rows)] for layer in hidden
    ]
    removed: list[dict[int, str]] = [{} for _ in hidden]
    for step in reduction.steps:
        match step:
            case DropStep(layer, neuron) | FoldStep(layer, neuron):
                reason = UNREAD if isinstance(step, DropStep) else CONSTANT
                gone = classes[layer].pop(neuron)
                removed[layer].update((i, reason) for i, _ in gone)
            case MergeStep(layer, keep, drop, scale):
                merged = [(i, factor * scale) for i, factor in classes[layer][drop]]
                classes[layer][keep] += merged
                del classes[layer][drop]
            case _:
                continue  # affine steps come before all others, a collapse after them
    return tuple(
        LayerMembership(layer.weight.rows, tuple(map(_ascending, groups)), gone)
        for layer, groups, gone in zip(hidden, classes, removed, strict=True)
    )


def _ascending(members: list[tuple[int, Any]]) -> Members:
    return tuple(sorted(members, key=lambda member: member[0]))


def node_of(network: Network | Reduction, dead_kinds: bool = False) -> Pattern:
    """Return the pattern of a network, its node in the graph of its architecture.

    Hidden layers of affine activation are composed into the next ones first and have no
    part in the pattern.

    Raises
    ------
    UnsupportedError
        If whether neurons are clones depends on parameters.

    Examples
    --------
    >>> rows = [[1, 2], [-1, -2], [0, 0], [3, 1]]
    >>> net = Network.dense([(rows, None, "tanh"), ([[5, 1, 2, 0]], None, "identity")])
    >>> node_of(net, dead_kinds=True).text()
    '{0,-1} const{2} unread{3}'
    """
    reduction = network if isinstance(network, Reduction) else reduce_network(network)
    hidden = reduction.folded.layers[:-1]
    return Pattern(
        tuple(
            own.pattern(layer.activation.scalings == "sign", dead_kinds)
            for own, layer in zip(memberships(reduction), hidden, strict=True)
        )
    )


def submodel_of(reduction: Reduction) -> Network:
    """Return the reduced network with all its hidden layers, also where they are empty."""
    steps = reduction.steps
    if steps and isinstance(steps[-1], CollapseStep):
        return replay(reduction.original, steps[:-1])
    return reduction.reduced
