"""J and η of a network with one hidden layer, in its independence dictionary.

tanh, sigmoid : 1, x_k, σ(z_j), σ'(z_j), x_k·σ'(z_j) are linearly independent over R, for units
                z_j with w_j ≠ 0 of which no two are equal up to sign
one kink      : 1, x_k, step(z_j), x_k·step(z_j) are, for units with distinct hyperplanes z_j = 0
leader        == the first unit with the same z up to sign (up to scale); it names the functions
T             == e^{2/N} (tanh) or e^{1/N} (sigmoid): a unit with w = 0 is a constant, an element
                of Q(T), and T is transcendental

Source: theory of attribution §6. The affine functions 1, x_k have no poles and no kinks, so that
the lemma's proof leaves them to the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import lcm
from typing import Any

from flint import fmpq

from identcert.attribution.parameters import Parametrisation, Place
from identcert.attribution.system import (
    Combination,
    Monomial,
    System,
    add_to,
    assemble,
    coordinate_columns,
)
from identcert.errors import OutOfBudget, UnsupportedError
from identcert.exact.field import Field, FunctionField
from identcert.groups.action import InfinitesimalGenerator
from identcert.nets.network import Layer, Network

SMOOTH = ("tanh", "sigmoid")
MAX_POWER = 4096
"""The largest exponent of T that is worked with."""

Parts = dict[Monomial, Any]
"""A function of x in the dictionary: coefficients by monomial."""


@dataclass(slots=True)
class Unit:
    """One hidden neuron in the dictionary: σ(z), and σ'(z) with its products x_k·σ'(z)."""

    value: Parts
    slope: Parts
    moments: list[Parts] = field(default_factory=list)


def is_shallow(network: Network) -> bool:
    """Whether the dictionary applies: one hidden layer of tanh, sigmoid or one-kink units."""
    if len(network.layers) != 2 or not all(layer.has_plain_bias for layer in network.layers):
        return False
    sigma = network.layers[0].activation
    return sigma.name in SMOOTH or (list(sigma.kinks) == [0] and len(sigma.pieces) == 2)


def shallow_system(parametrisation: Parametrisation, generator: InfinitesimalGenerator) -> System:
    """Return J and η of a one-hidden-layer network in its dictionary.

    Raises
    ------
    UnsupportedError
        If the dictionary does not apply, or f is not differentiable in its parameters.
    OutOfBudget
        If a constant unit asks for too high a power of T.

    Examples
    --------
    >>> net = Network.dense([([[3, 1]], [1], "tanh"), ([[2]], None, "identity")])
    >>> from identcert.attribution.generators import translation
    >>> system = shallow_system(Parametrisation.of(net), translation(2, 1, [1, 0]))
    >>> [f.text() for f in system.functions], system.target.column(0)
    (['s0 of output 0', 's0*x0 of output 0', 's0*x1 of output 0', 'v0 of output 0'], (-6, 0, 0, 0))
    """
    network = parametrisation.network
    if not is_shallow(network):
        raise UnsupportedError("the network has no dictionary of independent functions")
    hidden, last = network.layers
    over, units = dictionary_units(hidden)
    entries: dict[Place, Combination] = {}
    for i, unit in enumerate(units):
        for m in range(last.outputs):
            entries[Place(1, m, i)] = _on_output(unit.value, m)
        for k, moment in enumerate((*unit.moments, unit.slope)):
            column: Combination = {}
            for m in range(last.outputs):
                add_to(column, _on_output(moment, m).items(), over(last.weight[m, i]))
            entries[Place(0, i, k)] = column
    for m in range(last.outputs):
        entries[Place(1, m, hidden.outputs)] = {(m, ()): over.one}
    columns = coordinate_columns(parametrisation, entries)
    target = _generator_direction(network, generator, entries, over)
    return assemble(columns, target, over, "dictionary")


def _generator_direction(
    network: Network,
    generator: InfinitesimalGenerator,
    entries: Mapping[Place, Combination],
    over: Field,
) -> Combination:
    """Return η = Bf + b − Σ_i (w_iᵀA, w_i·a) on the sensitivities to (w_i, b_i)."""
    hidden, last = network.layers
    target: Combination = {}
    carried = generator.output @ last.weight
    bias = [over(b) for b in generator.output.apply(last.bias)]
    for m in range(last.outputs):
        for i in range(hidden.outputs):
            add_to(target, entries[Place(1, m, i)].items(), over(carried[m, i]))
        constant = bias[m] + over(generator.output_shift[m])
        add_to(target, entries[Place(1, m, hidden.outputs)].items(), constant)
    turned = hidden.weight @ generator.input
    shifted = hidden.weight.apply(generator.input_shift)
    for i, (row, shift) in enumerate(zip(turned.to_rows(), shifted, strict=True)):
        for k, entry in enumerate((*row, shift)):
            add_to(target, entries[Place(0, i, k)].items(), -over(entry))
    return target


def _on_output(parts: Parts, output: int) -> Combination:
    return {(output, monomial): value for monomial, value in parts.items()}


def dictionary_units(hidden: Layer) -> tuple[Field, list[Unit]]:
    """Return the field of the coefficients and the units of a layer in its dictionary."""
    smooth = hidden.activation.name in SMOOTH
    rows = [(*row, b) for row, b in zip(hidden.weight.to_rows(), hidden.bias, strict=True)]
    constants = [row[-1] for row in rows if not any(row[:-1])]
    over, scale = _field_of_constants(hidden, constants) if smooth else (hidden.field, 1)
    leaders: dict[tuple[Any, ...], int] = {}
    units = []
    for i, row in enumerate(rows):
        if not any(row[:-1]):
            unit = _constant_unit(hidden, row[-1], over, scale)
        else:
            lead = next(w for w in row if w)
            key = tuple(w / lead for w in row) if not smooth else _unsigned(row, hidden.field)
            j = leaders.setdefault(key, i)
            same = hidden.field.sign(lead) == hidden.field.sign(next(w for w in rows[j] if w))
            unit = (
                _smooth_unit(hidden, same, j, over)
                if smooth
                else _kinked_unit(hidden, row, same, j)
            )
        unit.moments = [_times_input(unit.slope, k) for k in range(hidden.inputs)]
        units.append(unit)
    return over, units


def _unsigned(row: tuple[Any, ...], over: Field) -> tuple[Any, ...]:
    """Return the row or its negative, whichever begins with a positive number."""
    lead = next(w for w in row if w)
    return row if over.sign(lead) > 0 else tuple(-w for w in row)


def _smooth_unit(hidden: Layer, same: bool, leader: int, over: Field) -> Unit:
    """Return σ(±z), σ'(±z) of the leader's z: σ' is even, tanh odd, σ(−z) = 1 − σ(z)."""
    value: Parts = {((f"v{leader}", 1),): over(1 if same else -1)}
    if not same and hidden.activation.name == "sigmoid":
        value[()] = over.one
    return Unit(value, {((f"s{leader}", 1),): over.one})


def _kinked_unit(hidden: Layer, row: tuple[Any, ...], same: bool, leader: int) -> Unit:
    """Return the slope p + (q − p)·step(±z) and the value z·slope of a piecewise-linear unit."""
    over = hidden.field
    (left, _), (right, _) = hidden.activation.pieces
    left, right = (over(left), over(right)) if same else (over(right), over(left))
    slope: Parts = {(): left, ((f"s{leader}", 1),): right - left}
    value: Parts = {}
    for k, w in enumerate(row):
        parts = slope if k == hidden.inputs else _times_input(slope, k)
        for monomial, c in parts.items():
            value[monomial] = value.get(monomial, over.zero) + c * w
    return Unit(value, slope)


def _times_input(parts: Parts, k: int) -> Parts:
    return {tuple(sorted((*monomial, (f"x{k}", 1)))): c for monomial, c in parts.items()}


def _field_of_constants(hidden: Layer, constants: list[Any]) -> tuple[Field, int]:
    """Return Q(T) and N if a unit is a constant σ(b) with b ≠ 0, else the layer's own field."""
    if not any(constants):
        return hidden.field, 1
    if hidden.field.kind != "rational":
        raise UnsupportedError("a constant neuron is treated over the rational numbers only")
    scale = lcm(*(int(b.q) for b in constants))
    largest = max(abs(b * scale) for b in constants)
    if largest > MAX_POWER:
        raise OutOfBudget(f"a constant neuron asks for the power {largest} of T; remove it first")
    return FunctionField(("T",)), scale


def _constant_unit(hidden: Layer, bias: Any, over: Field, scale: int) -> Unit:
    """Return the unit σ(b) with w = 0: its value and slope are constants."""
    if hidden.activation.name in SMOOTH:
        value, slope = _smooth_constant(hidden.activation.name, bias, over, scale)
    else:
        sign = hidden.field.sign(bias)
        if sign == 0:
            raise UnsupportedError("a neuron rests at its kink, where f has no derivative")
        slope = over(hidden.activation.pieces[int(sign > 0)][0])
        value = slope * bias
    return Unit({(): value}, {(): slope})


def _smooth_constant(name: str, bias: Any, over: Field, scale: int) -> tuple[Any, Any]:
    """Return σ(b) and σ'(b) for tanh = (E − 1)/(E + 1) and sigmoid = E/(E + 1), E = T^{bN}."""
    if not bias:
        return (over(0), over(1)) if name == "tanh" else (over(fmpq(1, 2)), over(fmpq(1, 4)))
    power = over.named["T"] ** int(bias * scale)
    if name == "tanh":
        value = (power - 1) / (power + 1)
        return value, over.one - value * value
    value = power / (power + 1)
    return value, value * (over.one - value)
