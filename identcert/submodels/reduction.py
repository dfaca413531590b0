"""Reduction of a network to a fixed point: no dead, constant or cloned neuron is left.

affine folds == layers whose σ is affine or constant are composed with the next layer
R1 drop      == a neuron that nobody reads (zero outgoing column)
R2 fold      == a constant neuron (zero row); its value joins the next bias
R3 merge     == clones, up to every scaling that σ admits; the lowest index stays

Affine folds come first, because the other rules suppose that σ is neither affine nor
constant. Then every layer settles, bottom-up; whatever changes wakes its neighbours,
until nothing changes. Each rule preserves the function and lowers a width, so this ends.

Source: theory of reduction rules (§2.3); the result does not depend on the order of
the steps, up to the symmetries of the layers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from identcert.errors import InputError
from identcert.exact.matrix import Matrix
from identcert.nets.constant import constant_value
from identcert.nets.network import Layer, Network
from identcert.submodels.exceptional import find_exceptional
from identcert.submodels.rows import keyed_rows, zero_columns, zero_rows
from identcert.submodels.steps import (
    AffineStep,
    CollapseStep,
    DropStep,
    FoldStep,
    MergeStep,
    Step,
)


@dataclass(frozen=True, slots=True)
class Reduction:
    """A network, the reduced network of the same function, and the steps between them.

    Attributes
    ----------
    original : the network that was given.
    folded : the network after its affine steps only.
    reduced : the network after all steps; no rule applies to it.
    steps : the steps, in order; `replay(original, steps) == reduced`.
    kept : per hidden layer of ``folded``, the indices there of the neurons left.
    exceptional : over Q(a, b, …), elements such that the steps and the absence of
        further ones hold at all parameter values where none of them vanishes.
    """

    original: Network
    folded: Network
    reduced: Network
    steps: tuple[Step, ...]
    kept: tuple[tuple[int, ...], ...]
    exceptional: tuple[Any, ...] = ()

    @property
    def is_trivial(self) -> bool:
        """Whether no rule applied, so that the given network is already reduced."""
        return not self.steps

    @property
    def is_collapsed(self) -> bool:
        """Whether the function turned out constant and lost all its hidden layers."""
        return bool(self.steps) and isinstance(self.steps[-1], CollapseStep)

    def encode_steps(self) -> list[dict[str, Any]]:
        """Return the canonical JSON of the steps."""
        return [step.encode() for step in self.steps]


def reduce_network(network: Network) -> Reduction:
    """Return the reduction of a network to a fixed point of the rules R1, R2, R3.

    Raises
    ------
    UnsupportedError
        If two rows are proportional and the sign of their ratio, which decides whether
        they are clones, depends on parameters.

    Examples
    --------
    >>> net = Network.dense([([[1, 2], [-1, -2]], [3, -3], "tanh"), ([[5, 1]], [0], "identity")])
    >>> reduction = reduce_network(net)
    >>> reduction.encode_steps()
    [{'rule': 'merge', 'layer': 0, 'keep': 0, 'drop': 1, 'scale': '-1'}]
    >>> reduction.reduced.layers[1].weight
    Matrix.of([[4]])
    """
    if not isinstance(network, Network):
        what = f"a value of type {type(network).__name__} is no network"
        raise InputError(what, "network", "give a Network; Network.load reads files")
    folded, steps = fold_affine_layers(network)
    descent = _Descent(folded)
    descent.run()
    reduced = descent.network(folded)
    all_steps = (*steps, *descent.steps)
    exceptional = find_exceptional(network, reduced, all_steps)
    kept = tuple(tuple(indices) for indices in descent.kept)
    return Reduction(network, folded, reduced, all_steps, kept, exceptional)


def fold_affine_layers(network: Network) -> tuple[Network, tuple[Step, ...]]:
    """Return the network with hidden layers of affine σ composed into the next ones."""
    layers, steps = list(network.layers), []
    index = 0
    while index < len(layers) - 1:
        if layers[index].activation.affine is None:
            index += 1
            continue
        layers[index : index + 2] = [_compose(layers[index], layers[index + 1])]
        steps.append(AffineStep(index))
    folded = replace(network, layers=tuple(layers)) if steps else network
    return folded, tuple(steps)


def _compose(layer: Layer, following: Layer) -> Layer:
    """Return W'(p(Wh + b) + q) + b' as one layer, for σ(z) = pz + q."""
    field = layer.weight.field
    slope, intercept = (field(x) for x in layer.activation.affine or (0, 0))
    inner = [b * slope + intercept for b in layer.bias]
    return replace(
        following,
        weight=(following.weight @ layer.weight).scale(slope),
        bias=_shifted(following.bias, following.weight, inner),
        has_bias=following.has_bias or layer.has_bias or not field.is_zero(intercept),
    )


class _Descent:
    """The layers while they settle; lives only inside `reduce_network`."""

    def __init__(self, network: Network) -> None:
        self.field = network.field
        self.layers = list(network.layers)
        self.kept = [list(range(layer.weight.rows)) for layer in network.layers[:-1]]
        self.steps: list[Step] = []

    def network(self, folded: Network) -> Network:
        """Return the network as it stands now; the given one if nothing happened."""
        return replace(folded, layers=tuple(self.layers)) if self.steps else folded

    def run(self) -> None:
        """Settle layers, lowest first, until none of them changes; then collapse."""
        restless = set(range(len(self.kept)))
        while restless:
            index = min(restless)
            restless.remove(index)
            before = len(self.kept[index])
            self._drop_unread(index)
            self._fold_constants(index)
            self._merge_clones(index)
            if len(self.kept[index]) < before:
                restless |= {index - 1, index, index + 1} & set(range(len(self.kept)))
        if self.kept and not any(self.kept):
            self.steps.append(CollapseStep())
            last, inputs = self.layers[-1], self.layers[0].weight.cols
            zeros = Matrix.zeros(last.weight.rows, inputs, self.field)
            self.layers = [replace(last, weight=zeros)]

    def _drop_unread(self, index: int) -> None:
        unread = zero_columns(self.layers[index + 1].weight)
        self.steps.extend(DropStep(index, j) for j in reversed(unread))
        self._delete(index, unread)

    def _fold_constants(self, index: int) -> None:
        layer, following = self.layers[index], self.layers[index + 1]
        constant = zero_rows(layer.weight)
        if not constant:
            return
        self.steps.extend(FoldStep(index, j) for j in reversed(constant))
        values = [constant_value(layer.activation, layer.bias[j], self.field) for j in constant]
        columns = following.weight.select_columns(constant)
        self._shift(index + 1, columns, values)
        self._delete(index, constant)

    def _merge_clones(self, index: int) -> None:
        layer, following = self.layers[index], self.layers[index + 1]
        table = keyed_rows(layer.weight, layer.bias, layer.activation, self.field)
        clones = sorted((drop, members[0]) for members in table.members for drop in members[1:])
        if not clones:
            return
        scales = [table.scales[drop] / table.scales[keep] for drop, keep in clones]
        self.steps.extend(
            MergeStep(index, keep, drop, scale, self.field)
            for (drop, keep), scale in reversed(list(zip(clones, scales, strict=True)))
        )
        passed = [layer.activation.transport(scale, self.field) for scale in scales]
        dropped = [drop for drop, _ in clones]
        columns = following.weight.select_columns(dropped)
        self._shift(index + 1, columns, [offset for _, offset in passed])
        rows = [list(row) for row in following.weight.to_rows()]
        for (drop, keep), (factor, _) in zip(clones, passed, strict=True):
            for row in rows:
                row[keep] = row[keep] + factor * row[drop]
        weight = Matrix.of(rows, self.field, cols=following.weight.cols)
        self.layers[index + 1] = replace(self.layers[index + 1], weight=weight)
        self._delete(index, dropped)

    def _shift(self, index: int, columns: Matrix, values: Sequence[Any]) -> None:
        """Add columns·values to the bias of layer ``index``."""
        if not any(values):
            return
        layer = self.layers[index]
        bias = _shifted(layer.bias, columns, values)
        self.layers[index] = replace(layer, bias=bias, has_bias=True)

    def _delete(self, index: int, neurons: Iterable[int]) -> None:
        gone = set(neurons)
        if not gone:
            return
        layer, following = self.layers[index], self.layers[index + 1]
        rest = [i for i in range(layer.weight.rows) if i not in gone]
        self.layers[index] = replace(
            layer,
            weight=layer.weight.select_rows(rest),
            bias=tuple(layer.bias[i] for i in rest),
        )
        self.layers[index + 1] = replace(following, weight=following.weight.select_columns(rest))
        self.kept[index] = [self.kept[index][i] for i in rest]


def _shifted(bias: Sequence[Any], columns: Matrix, values: Sequence[Any]) -> tuple[Any, ...]:
    """Return b + Σ column_k·value_k; values are elements or formal constants."""
    shifted = list(bias)
    for row, entries in enumerate(columns.to_rows()):
        for entry, value in zip(entries, values, strict=True):
            if entry and value:
                shifted[row] = shifted[row] + value * entry
    return tuple(shifted)
