"""The recorded steps of a reduction: what each may do, and their replay.

affine   == σ_l(z) = pz + q: layers l and l+1 become one affine map followed by σ_{l+1}
drop     == neuron j of layer l is not read: column j of W_{l+1} is 0
fold     == neuron j of layer l is constant: row j of W_l is 0; its value joins b_{l+1}
merge    == neuron j is a clone of neuron i: row_j = α·row_i about the centre of σ_l
collapse == every hidden layer has width 0: one affine layer with zero weight is left

Layers are numbered from 0 and neurons by their index in the network that the step meets.
`replay` checks every side condition itself, by the definitions above and one step at a
time: it shares no code with the search for steps.

Source: theory of reduction rules R1, R2, R3 (§2.3).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any

from identcert.errors import InputError
from identcert.exact.field import QQ
from identcert.exact.matrix import Matrix
from identcert.nets.constant import constant_value
from identcert.nets.network import Layer, Network


@dataclass(frozen=True, slots=True)
class AffineStep:
    """Compose hidden layer ``layer``, whose activation is affine, with the next one."""

    layer: int

    def encode(self) -> dict[str, Any]:
        """Return the canonical JSON of the step."""
        return {"rule": "affine", "layer": self.layer}

    def apply(self, network: Network) -> Network:
        """Return the network with one layer less: W = pW'W, b = W'(pb + q) + b'."""
        layer, following = _hidden_pair(network, self.layer)
        if layer.activation.affine is None:
            raise InputError(f"{layer.activation.text()} is not affine")
        slope, intercept = (network.field(x) for x in layer.activation.affine)
        values = [b * slope + intercept for b in layer.bias]
        merged = replace(
            following,
            weight=(following.weight @ layer.weight).scale(slope),
            bias=_total(following.bias, following.weight, values),
            has_bias=following.has_bias or layer.has_bias or layer.activation.affine[1] != 0,
        )
        layers = network.layers
        return replace(network, layers=(*layers[: self.layer], merged, *layers[self.layer + 2 :]))


@dataclass(frozen=True, slots=True)
class DropStep:
    """Delete neuron ``neuron`` of hidden layer ``layer``, whose outgoing column is 0."""

    layer: int
    neuron: int

    def encode(self) -> dict[str, Any]:
        """Return the canonical JSON of the step."""
        return {"rule": "drop", "layer": self.layer, "neuron": self.neuron}

    def apply(self, network: Network) -> Network:
        """Return the network without the neuron."""
        layer, following = _hidden_pair(network, self.layer)
        _check_index(self.neuron, layer)
        if not _is_zero(following.weight.column(self.neuron), network.field):
            raise InputError(f"column {self.neuron} of the next weight is not zero")
        return _without(network, self.layer, self.neuron, following)


@dataclass(frozen=True, slots=True)
class FoldStep:
    """Add the constant value of neuron ``neuron``, whose row is 0, to the next bias."""

    layer: int
    neuron: int

    def encode(self) -> dict[str, Any]:
        """Return the canonical JSON of the step."""
        return {"rule": "fold", "layer": self.layer, "neuron": self.neuron}

    def apply(self, network: Network) -> Network:
        """Return the network without the neuron: b' += W'[:, j]·σ(b_j)."""
        layer, following = _hidden_pair(network, self.layer)
        _check_index(self.neuron, layer)
        if not _is_zero(layer.weight.row(self.neuron), network.field):
            raise InputError(f"row {self.neuron} of the weight is not zero")
        value = constant_value(layer.activation, layer.bias[self.neuron], network.field)
        column = following.weight.column(self.neuron)
        return _without(network, self.layer, self.neuron, _shifted(following, column, value))


@dataclass(frozen=True, slots=True)
class MergeStep:
    """Merge neuron ``drop`` into neuron ``keep``: row_drop = scale·row_keep.

    Attributes
    ----------
    layer, keep, drop : the hidden layer and the two neurons.
    scale : α, an element of ``field`` that the activation admits.
    field : the coefficient field.
    """

    layer: int
    keep: int
    drop: int
    scale: Any
    field: Any = QQ

    def encode(self) -> dict[str, Any]:
        """Return the canonical JSON of the step."""
        return {
            "rule": "merge",
            "layer": self.layer,
            "keep": self.keep,
            "drop": self.drop,
            "scale": self.field.encode(self.scale),
        }

    def apply(self, network: Network) -> Network:
        """Return the network without the clone: W'[:, i] += λW'[:, j], b' += νW'[:, j]."""
        layer, following = _hidden_pair(network, self.layer)
        self._check(layer, network.field)
        factor, offset = layer.activation.transport(self.scale, network.field)
        column = following.weight.column(self.drop)
        rows = [list(row) for row in following.weight.to_rows()]
        for row, entry in zip(rows, column, strict=True):
            row[self.keep] = row[self.keep] + factor * entry
        weight = Matrix.of(rows, network.field, cols=following.weight.cols)
        absorbed = _shifted(replace(following, weight=weight), column, offset)
        return _without(network, self.layer, self.drop, absorbed)

    def _check(self, layer: Layer, field: Any) -> None:
        _check_index(self.keep, layer)
        _check_index(self.drop, layer)
        kept, dropped = layer.weight.row(self.keep), layer.weight.row(self.drop)
        if self.keep == self.drop:
            raise InputError(f"neuron {self.keep} cannot be merged into itself")
        if self.field != field or not layer.activation.admits(self.scale, field):
            raise InputError(f"{layer.activation.text()} does not admit this scale")
        if _is_zero(kept, field):
            raise InputError(f"row {self.keep} of the weight is zero")
        if any(w != self.scale * v for v, w in zip(kept, dropped, strict=True)):
            raise InputError(f"row {self.drop} is not the stated multiple of row {self.keep}")
        centre = field(layer.activation.centre)
        bias, wanted = layer.bias[self.drop], (layer.bias[self.keep] - centre) * self.scale
        if bias != wanted + centre:
            raise InputError(f"bias {self.drop} is not the stated multiple of bias {self.keep}")


@dataclass(frozen=True, slots=True)
class CollapseStep:
    """Replace a network whose hidden layers are all empty by its constant value."""

    def encode(self) -> dict[str, Any]:
        """Return the canonical JSON of the step."""
        return {"rule": "collapse"}

    def apply(self, network: Network) -> Network:
        """Return one affine layer with zero weight and the last bias."""
        hidden, last = network.layers[:-1], network.layers[-1]
        if not hidden or any(layer.weight.rows for layer in hidden):
            raise InputError("some hidden layer is not empty, or there is none")
        zeros = Matrix.zeros(last.weight.rows, network.inputs, network.field)
        return replace(network, layers=(replace(last, weight=zeros),))


Step = AffineStep | DropStep | FoldStep | MergeStep | CollapseStep

RULES: Mapping[str, type[Any]] = MappingProxyType(
    {
        "affine": AffineStep,
        "drop": DropStep,
        "fold": FoldStep,
        "merge": MergeStep,
        "collapse": CollapseStep,
    }
)
INDICES = ("layer", "neuron", "keep", "drop")


def replay(network: Network, steps: Iterable[Step]) -> Network:
    """Return the network after the steps, each of them checked.

    Raises
    ------
    InputError
        If a side condition of a step fails; it names the step.
    """
    for number, step in enumerate(steps):
        try:
            network = step.apply(network)
        except InputError as fault:
            raise InputError(fault.what, where=f"step {number}", fix=fault.fix) from None
    return network


def decode_step(tree: dict[str, Any], field: Any) -> Step:
    """Return the step that a JSON object spells.

    Raises
    ------
    InputError
        If the object is none of the five rules with exactly its keys.
    """
    name = tree.get("rule")
    rule = RULES.get(name) if isinstance(name, str) else None
    if rule is None:
        raise InputError(f"{name!r} is not a rule of reduction")
    values = {key: value for key, value in tree.items() if key != "rule"}
    wanted = {f.name for f in fields(rule)} - {"field"}
    if values.keys() != wanted:
        raise InputError(f"a step {name!r} has the keys rule, {', '.join(sorted(wanted))}")
    if rule is MergeStep:
        values |= {"field": field, "scale": field.decode(values["scale"])}
    if any(type(value) is not int for key, value in values.items() if key in INDICES):
        raise InputError(f"a step {name!r} numbers layers and neurons by integers")
    step: Step = rule(**values)
    return step


def _hidden_pair(network: Network, index: int) -> tuple[Layer, Layer]:
    if not 0 <= index < len(network.layers) - 1:
        raise InputError(f"the network has no hidden layer {index}")
    return network.layers[index], network.layers[index + 1]


def _check_index(neuron: int, layer: Layer) -> None:
    if not 0 <= neuron < layer.weight.rows:
        raise InputError(f"the layer has no neuron {neuron}")


def _is_zero(entries: Iterable[Any], field: Any) -> bool:
    return all(field.is_zero(entry) for entry in entries)


def _total(bias: tuple[Any, ...], weight: Matrix, values: list[Any]) -> tuple[Any, ...]:
    """Return b + W·values; values are elements or formal constants."""
    rows = zip(bias, weight.to_rows(), strict=True)
    return tuple(sum((v * w for v, w in zip(values, row, strict=True)), b) for b, row in rows)


def _shifted(layer: Layer, column: tuple[Any, ...], value: Any) -> Layer:
    """Return the layer with b += column·value."""
    bias = tuple(b + value * entry for b, entry in zip(layer.bias, column, strict=True))
    return replace(layer, bias=bias, has_bias=layer.has_bias or bias != layer.bias)


def _without(network: Network, index: int, neuron: int, following: Layer) -> Network:
    """Return the network with ``following`` as next layer and one neuron deleted."""
    layer = network.layers[index]
    rest = [i for i in range(layer.weight.rows) if i != neuron]
    thinned = replace(
        layer,
        weight=layer.weight.select_rows(rest),
        bias=tuple(layer.bias[i] for i in rest),
    )
    following = replace(following, weight=following.weight.select_columns(rest))
    layers = network.layers
    return replace(network, layers=(*layers[:index], thinned, following, *layers[index + 2 :]))
