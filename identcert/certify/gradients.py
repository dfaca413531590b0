"""Gradients of a network's outputs in its parameters, over any exact ring.

gradient == the row of ∂f_o/∂θ at one point, or as polynomials of the input
order    == layer by layer: the weights row by row, then the biases where there are some

One pass forward and one back, with +, · of the ring only: field elements at a point where
σ and σ′ have exact values, polynomials for polynomial networks, balls for the others.

Source: the chain rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from flint import arb

from identcert.exact.ball_slopes import slope
from identcert.exact.balls import precision
from identcert.exact.polynomial import PolynomialRing
from identcert.nets.activation import Activation
from identcert.nets.constant import entry_ball
from identcert.nets.network import Network

Activate = Callable[[Activation, Any], tuple[Any, Any] | None]
"""(σ, z) ↦ (σ(z), σ′(z)), or None where one of them is not known."""


@dataclass(frozen=True, slots=True)
class Ring:
    """What a gradient is computed in: embedded weights and biases, 0 and 1, and σ with σ′."""

    weights: tuple[tuple[tuple[Any, ...], ...], ...]
    biases: tuple[tuple[Any, ...], ...]
    zero: Any
    one: Any
    activate: Activate


def field_ring(network: Network) -> Ring:
    """Return the ring of the network's own field; biases must be plain."""
    field = network.field
    return _ring(network, lambda w: w, lambda b: b, field.zero, field.one, _exact(field))


def polynomial_ring(network: Network, ring: PolynomialRing) -> Ring:
    """Return the ring of polynomials in the inputs, for polynomial networks."""

    def activate(sigma: Activation, z: Any) -> tuple[Any, Any] | None:
        if sigma.coefficients is None:
            return None
        return ring.horner(sigma.coefficients, z), ring.horner(derivative(sigma.coefficients), z)

    zero, one = ring.constant(0), ring.constant(1)
    return _ring(network, lambda w: w, ring.constant, zero, one, activate)


def ball_ring(network: Network, bits: int) -> Ring:
    """Return the ring of balls; the caller keeps the working precision."""
    field = network.field
    with precision(bits):
        return _ring(
            network, lambda w: field.ball(w, bits), lambda b: entry_ball(b, field, bits),
            arb(0), arb(1), _enclosed,
        )  # fmt: skip


def _ring(
    network: Network, weight: Callable[[Any], Any], bias: Callable[[Any], Any],
    zero: Any, one: Any, activate: Activate,
) -> Ring:  # fmt: skip
    weights = tuple(
        tuple(tuple(weight(w) for w in row) for row in layer.weight.to_rows())
        for layer in network.layers
    )
    biases = tuple(tuple(bias(b) for b in layer.bias) for layer in network.layers)
    return Ring(weights, biases, zero, one, activate)


def derivative(coefficients: Sequence[Any]) -> tuple[Any, ...]:
    """Return the ascending coefficients of the derivative of a polynomial.

    >>> derivative([5, 1, 3])
    (1, 6)
    """
    return tuple(k * c for k, c in enumerate(coefficients) if k) or (0,)


def _exact(field: Any) -> Activate:
    def activate(sigma: Activation, z: Any) -> tuple[Any, Any] | None:
        if sigma.coefficients is not None:
            power, total = field.one, field.zero
            for c in derivative(sigma.coefficients):
                total, power = total + power * field(c), power * z
            return sigma.apply(z, field), total
        if not sigma.is_piecewise_linear:
            return None
        index = 0
        for kink in sigma.kinks:
            side = field.sign(z - field(kink))
            if side == 0:
                return None  # σ has no derivative there
            index += side > 0
        gradient, intercept = sigma.pieces[index]
        return z * field(gradient) + field(intercept), field(gradient)

    return activate


def _enclosed(sigma: Activation, z: Any) -> tuple[Any, Any] | None:
    if sigma.coefficients is not None:
        total = arb(0)
        for c in reversed(derivative(sigma.coefficients)):
            total = total * z + arb(c)
        return sigma.ball(z), total
    if not sigma.is_piecewise_linear:
        found = slope(sigma.name, z)
        return None if found is None else (sigma.ball(z), found)
    index = 0
    for kink in sigma.kinks:
        if not (z > arb(kink) or z < arb(kink)):
            return None
        index += z > arb(kink)
    return sigma.ball(z), arb(sigma.pieces[index][0])


def gradients(network: Network, ring: Ring, point: Sequence[Any]) -> list[list[Any]] | None:
    """Return one gradient an output at a point of the ring, or None at a kink.

    Examples
    --------
    >>> net = Network.dense([([[2]], [1], "x^2"), ([[3]], None, "identity")])
    >>> gradients(net, field_ring(net), [net.field(1)])  # 3(2x + 1)²: ∂w, ∂b, ∂a at x = 1
    [[18, 18, 9]]
    """
    inputs, slopes = [tuple(point)], []
    for layer, weight, bias in zip(network.layers, ring.weights, ring.biases, strict=True):
        sums = [_dot(row, inputs[-1], b) for row, b in zip(weight, bias, strict=True)]
        pairs = [ring.activate(layer.activation, z) for z in sums]
        if any(pair is None for pair in pairs):
            return None
        found = [pair for pair in pairs if pair is not None]
        inputs.append(tuple(value for value, _ in found))
        slopes.append(tuple(gradient for _, gradient in found))
    return [_backward(network, ring, inputs, slopes, o) for o in range(network.outputs)]


def _backward(
    network: Network, ring: Ring, inputs: list[Any], slopes: list[Any], output: int
) -> list[Any]:
    signal = [ring.one if o == output else ring.zero for o in range(network.outputs)]
    parts: list[list[Any]] = []
    for index in reversed(range(len(network.layers))):
        part = [d * h for d in signal for h in inputs[index]]
        parts.append(part + (signal if network.layers[index].has_bias else []))
        if index:
            columns = zip(*ring.weights[index], strict=True)
            signal = [
                _dot(column, signal, ring.zero) * s
                for column, s in zip(columns, slopes[index - 1], strict=True)
            ]
    return [entry for part in reversed(parts) for entry in part]


def _dot(left: Sequence[Any], right: Sequence[Any], start: Any) -> Any:
    total = start
    for x, y in zip(left, right, strict=True):
        total = total + y * x
    return total
