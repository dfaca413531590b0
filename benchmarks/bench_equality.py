"""Equality of two networks: large shallow ones beside a float64 test, small ones beside z3.

The float64 test compares values at 200 random points and proves nothing. z3 decides "there is an x
with f(x) ≠ g(x)" over linear real arithmetic, ReLU written as if-then-else; both answers are
compared. The times of identcert include the evidence and its check by the independent checker,
where nothing else is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from timing import Measured, best_of, show

TITLE = "Equality of networks"
POINTS, INPUTS, NEURONS = 200, 50, 2_000
SHALLOW, DEEP = ((2, 6), (3, 12), (4, 16)), ((2, 6), (3, 5))

Layers = list[tuple[Any, Any, str]]


def shallow(inputs: int, neurons: int, seed: int = 0) -> Layers:
    """One hidden ReLU layer, one output, dyadic weights."""
    rng = np.random.default_rng(seed)
    shapes = (neurons, inputs), neurons, (1, neurons)
    weight, bias, out = (rng.integers(-99, 100, shape) / 64 for shape in shapes)
    return [(weight, bias, "relu"), (out, np.zeros(1), "identity")]


def permuted(layers: Layers, seed: int = 1) -> Layers:
    """The same function: neurons in another order, scaled by powers of two."""
    rng = np.random.default_rng(seed)
    (weight, bias, sigma), (out, shift, last) = layers
    order = rng.permutation(len(bias))
    scale = 2.0 ** rng.integers(-3, 4, len(bias))
    hidden = weight[order] * scale[:, None], bias[order] * scale, sigma
    return [hidden, (out[:, order] / scale, shift, last)]


def reflected(layers: Layers) -> Layers:
    """The same function by relu(z) = relu(−z) + z in half of the neurons.

    No symmetry of neurons leads there; two more neurons carry the linear remainder.
    """
    (weight, bias, sigma), (out, shift, last) = layers
    turned = np.arange(len(bias)) % 2 == 0
    signs = np.where(turned, -1.0, 1.0)
    linear, constant = out[:, turned] @ weight[turned], out[:, turned] @ bias[turned]
    rows = np.concatenate([weight * signs[:, None], linear, -linear])
    biases = np.concatenate([bias * signs, constant, -constant])
    return [(rows, biases, sigma), (np.concatenate([out, [[1.0, -1.0]]], 1), shift, last)]


def moved(layers: Layers) -> Layers:
    """One weight of the last layer is moved by 2^−30."""
    *hidden, (out, shift, last) = layers
    out = out.copy()
    out[0, 0] += 2.0**-30
    return [*hidden, (out, shift, last)]


def deep(inputs: int, width: int, seed: int = 0) -> tuple[Layers, Layers]:
    """Two hidden layers, twice: one function, without a symmetry of neurons that leads across.

    Three neurons of the second layer have weights ≥ 0, so that they are linear in the first
    layer, and may be mixed by a unimodular matrix. The first layer is permuted and scaled.
    """
    rng = np.random.default_rng(seed)
    weight, bias, out = (
        rng.integers(-9, 10, shape) / 4 for shape in ((width, inputs), width, (1, width))
    )
    middle, shift = rng.integers(-9, 10, (width, width)) / 4, rng.integers(-9, 10, width) / 4
    middle[:3], shift[:3] = abs(middle[:3]), abs(shift[:3])
    mix = np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]])
    order, scale = rng.permutation(width), 2.0 ** rng.integers(-3, 4, width)
    other, other_shift, other_out = middle.copy(), shift.copy(), out.copy()
    other[:3], other_shift[:3] = mix @ middle[:3], mix @ shift[:3]
    other_out[:, :3] = out[:, :3] @ np.round(np.linalg.inv(mix))
    left = [(weight, bias, "relu"), (middle, shift, "relu"), (out, np.zeros(1), "identity")]
    first = weight[order] * scale[:, None], bias[order] * scale, "relu"
    second = other[:, order] / scale, other_shift, "relu"
    return left, [first, second, (other_out, np.zeros(1), "identity")]


def value(layers: Layers, points: np.ndarray) -> np.ndarray:
    for weight, bias, sigma in layers:
        points = points @ weight.T + bias
        points = np.maximum(points, 0) if sigma == "relu" else points
    return points


def float_test(left: Layers, right: Layers) -> bool:
    points = np.random.default_rng(2).standard_normal((POINTS, left[0][0].shape[1]))
    return bool(np.allclose(value(left, points), value(right, points), rtol=1e-9, atol=1e-9))


def decided_by_z3(left: Layers, right: Layers) -> str:
    """``equal`` or ``different``, as z3 finds it over the rationals."""
    import z3

    n = left[0][0].shape[1]
    solver = z3.SolverFor("QF_LRA")

    def number(x: float) -> Any:
        exact = Fraction(float(x))
        return z3.RatVal(exact.numerator, exact.denominator)

    def outputs(layers: Layers) -> list[Any]:
        h: list[Any] = [z3.Real(f"x{i}") for i in range(n)]
        for weight, bias, sigma in layers:
            sums = [
                z3.Sum([number(w) * v for w, v in zip(row, h, strict=True)]) + number(b)
                for row, b in zip(weight, bias, strict=True)
            ]
            h = [z3.If(z >= 0, z, 0) for z in sums] if sigma == "relu" else sums
        return h

    pairs = zip(outputs(left), outputs(right), strict=True)
    solver.add(z3.Or([a != b for a, b in pairs]))
    return "different" if solver.check() == z3.sat else "equal"


def compared(what: str, left: Layers, right: Layers, verdict: str) -> tuple[str, float, float]:
    """What decided a pair whose answer is known, our time, and the part before the check."""
    from identcert import Network, equal

    first, second = Network.dense(left), Network.dense(right)
    methods, decisions = set(), []

    def work() -> None:
        result = equal(first, second)
        if result.verdict != verdict:
            raise RuntimeError(f"{what}: {result.verdict} instead of {verdict}: {result.reason}")
        methods.add(result.method or "a point")
        decisions.append(result.seconds["decision"])

    seconds = best_of(work, runs=3)
    return f"{what}: {verdict} by {methods.pop()}", seconds, min(decisions)


def beside_floats() -> Iterator[Measured]:
    base = shallow(INPUTS, NEURONS)
    name = f"{INPUTS}-{NEURONS}-1 relu"
    for what, other, verdict in (
        ("permuted", permuted(base), "equal"),
        ("half of it reflected", reflected(base), "equal"),
        ("one weight moved", moved(reflected(base)), "different"),
    ):
        line, ours, _ = compared(f"{name}, {what}", base, other, verdict)
        theirs = best_of(lambda other=other: float_test(base, other), runs=3)
        yield Measured(line, ours, f"float64 at {POINTS} points, no proof", theirs)


def time_of_z3(left: Layers, right: Layers, verdict: str) -> float:
    def work() -> None:
        if decided_by_z3(left, right) != verdict:
            raise RuntimeError(f"z3 does not answer {verdict}")

    return best_of(work, runs=3, seconds=10.0)


def small_pairs() -> Iterator[tuple[str, Layers, Layers]]:
    for inputs, neurons in SHALLOW:
        left = shallow(inputs, neurons)
        yield f"{inputs}-{neurons}-1 relu, reflected", left, reflected(permuted(left))
    for inputs, width in DEEP:
        yield f"{inputs}-{width}-{width}-1 relu, mixed", *deep(inputs, width)


def beside_z3() -> Iterator[Measured]:
    for name, left, same in small_pairs():
        for what, other, verdict in (("", same, "equal"), (", moved", moved(same), "different")):
            line, ours, decision = compared(name + what, left, other, verdict)
            theirs = time_of_z3(left, other, verdict)
            yield Measured(line, ours, "z3, QF_LRA, no proof", theirs)
            yield Measured("  before evidence and check", decision, "the same", theirs)


def measure() -> list[Measured]:
    return [*beside_z3(), *beside_floats()]


if __name__ == "__main__":
    show(TITLE, measure())
