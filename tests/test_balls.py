"""Balls enclose the values that mpmath finds at a much higher precision."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from identcert.errors import InputError, UnsupportedError
from identcert.exact import balls
from identcert.exact.balls import (
    FUNCTIONS,
    LONGEST,
    ball,
    exact_endpoints,
    leaky_relu,
    lower_bound_abs,
    precision,
    upper_bound_abs,
)

ORACLE_BITS = 600
few = settings(max_examples=40, deadline=None)
names = pytest.mark.parametrize("name", sorted(FUNCTIONS))
points = st.fractions(min_value=-40, max_value=40, max_denominator=10**6)
radii = st.one_of(
    st.sampled_from([Fraction(1, 2**k) for k in (0, 5, 20, 60)]),
    st.fractions(min_value=0, max_value=30, max_denominator=100),
)


def oracle(name: str, t: Fraction) -> Fraction:
    """Return the activation at t by mpmath, right to far more bits than the balls are."""
    with mpmath.workprec(ORACLE_BITS):
        x = mpmath.mpf(t.numerator) / t.denominator
        one = mpmath.mpf(1)
        value = {
            "identity": lambda: x,
            "tanh": lambda: mpmath.tanh(x),
            "sigmoid": lambda: one / (1 + mpmath.exp(-x)),
            "relu": lambda: max(x, 0 * one),
            "abs": lambda: abs(x),
            "hard_tanh": lambda: min(max(x, -one), one),
            "relu6": lambda: min(max(x, 0 * one), 6 * one),
            "softplus": lambda: max(x, 0 * one) + mpmath.log1p(mpmath.exp(-abs(x))),
            "silu": lambda: x / (1 + mpmath.exp(-x)),
            "gelu": lambda: x / 2 * mpmath.erfc(-x / mpmath.sqrt(2)),
            "sin": lambda: mpmath.sin(x),
            "elu": lambda: x if x >= 0 else mpmath.expm1(x),
            "arctan": lambda: mpmath.atan(x),
            "erf": lambda: mpmath.erf(x),
        }[name]()
        sign, mantissa, exponent, _ = value._mpf_
        exact = Fraction(int(mantissa)) * Fraction(2) ** exponent
        return -exact if sign else exact


def contains(x: Any, value: Fraction) -> bool:
    """Return whether a ball contains a number that is known up to the oracle's error."""
    slack = (abs(value) + 1) / 2 ** (ORACLE_BITS - 60)
    low, high = exact_endpoints(x)
    return low - slack <= value <= high + slack


@names
@given(t=points, bits=st.sampled_from([30, 53, 200]))
@few
def test_encloses_at_points(name: str, t: Fraction, bits: int) -> None:
    with precision(bits):
        value = FUNCTIONS[name](ball(t))
        assert contains(value, oracle(name, t))
        low, high = exact_endpoints(value)
    assert high - low <= (abs(t) + 1) / Fraction(2) ** (bits - 12)


@names
@given(t=points, radius=radii, where=st.lists(st.fractions(-1, 1, max_denominator=50), max_size=4))
@few
def test_encloses_on_wide_balls(
    name: str, t: Fraction, radius: Fraction, where: list[Fraction]
) -> None:
    with precision(53):
        value = FUNCTIONS[name](
            arb(
                fmpq(t.numerator, t.denominator),
                arb(fmpq(radius.numerator, radius.denominator)).upper(),
            )
        )
        assert all(contains(value, oracle(name, t + s * radius)) for s in (-1, 0, 1, *where))


@names
@pytest.mark.parametrize("radius", [0, 1, 4], ids=lambda r: f"radius{r}")
@pytest.mark.parametrize("kink", [-1, 0, 1, 6])
def test_encloses_across_kinks(name: str, kink: int, radius: int) -> None:
    value = FUNCTIONS[name](arb(kink, radius))
    for k in range(-8, 9):
        assert contains(value, oracle(name, kink + Fraction(radius * k, 8)))


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("tanh", -1, 1), ("sigmoid", 0, 1), ("erf", -1, 1), ("arctan", -2, 2), ("sin", -1, 1),
        ("relu", 0, 3), ("abs", 0, 3), ("hard_tanh", -1, 1), ("relu6", 0, 3), ("elu", -1, 3),
        ("softplus", 0, 4),
    ],
)  # fmt: skip
def test_wide_balls_stay_near_the_range(name: str, low: int, high: int) -> None:
    a, b = exact_endpoints(FUNCTIONS[name](arb(0, 3)))
    assert low - Fraction(1, 1000) <= a < b <= high + Fraction(1, 1000)


@names
@pytest.mark.parametrize("size", [10**3, 10**6, 10**30, 10**300])
@pytest.mark.parametrize("sign", [1, -1])
def test_huge_arguments_give_finite_balls(name: str, size: int, sign: int) -> None:
    with precision(100):
        value = FUNCTIONS[name](ball(sign * size))
    assert value.is_finite()
    limits: dict[str, tuple[Fraction, Fraction]] = {
        "tanh": (Fraction(-1), Fraction(1)),
        "sigmoid": (Fraction(0), Fraction(1)),
        "hard_tanh": (Fraction(-1), Fraction(1)),
        "relu6": (Fraction(0), Fraction(6)),
        "erf": (Fraction(-1), Fraction(1)),
        "elu": (Fraction(-1), Fraction(size)),
        "relu": (Fraction(0), Fraction(size)),
        "softplus": (Fraction(0), Fraction(size)),
        "silu": (Fraction(0), Fraction(size)),
        "gelu": (Fraction(0), Fraction(size)),
    }
    if name in limits:
        expected = limits[name][sign > 0]
        low, high = exact_endpoints(value)
        assert max(expected - low, high - expected) <= (abs(expected) + 1) / Fraction(2) ** 90


def test_tails_keep_their_relative_accuracy() -> None:
    for name in ("sigmoid", "silu", "softplus", "gelu"):
        with precision(80):
            assert FUNCTIONS[name](ball(-100)).rel_accuracy_bits() > 50


@pytest.mark.parametrize("slope", [Fraction(1, 10), Fraction(-2), Fraction(0), Fraction(3)])
@pytest.mark.parametrize(("middle", "radius"), [(0, 0), (0, 2), (5, 1), (-5, 1), (1, 3)])
def test_leaky_relu(slope: Fraction, middle: int, radius: int) -> None:
    value = leaky_relu(arb(middle, radius), slope)
    for k in range(-8, 9):
        t = middle + Fraction(radius * k, 8)
        assert contains(value, t if t >= 0 else slope * t)


def test_clamp_to_a_point_and_outside() -> None:
    assert exact_endpoints(balls.clamp(arb(5, 1), -1, 1)) == (1, 1)
    assert exact_endpoints(balls.clamp(arb(-5, 1), -1, 1)) == (-1, -1)
    assert contains(balls.clamp(arb(0, 9), Fraction(1, 3), Fraction(1, 3)), Fraction(1, 3))


def test_precision_is_restored_also_after_an_error() -> None:
    before = ctx.prec
    with precision(before + 77):
        with precision(30):
            assert ctx.prec == 30
        assert ctx.prec == before + 77
    with pytest.raises(ZeroDivisionError), precision(300):
        _ = 1 // 0
    assert ctx.prec == before


@given(x=st.fractions(), bits=st.integers(2, 200))
@few
def test_exact_endpoints_and_bounds(x: Fraction, bits: int) -> None:
    with precision(bits):
        value = ball(x)
        low, high = exact_endpoints(value)
        assert low <= x <= high
        assert all(end.denominator & (end.denominator - 1) == 0 for end in (low, high))
        assert 0 <= lower_bound_abs(value) <= abs(x) <= upper_bound_abs(value)
    with precision(30):
        assert lower_bound_abs(value) <= abs(x) <= upper_bound_abs(value)


def test_bounds_of_balls_around_zero_and_of_no_number() -> None:
    assert lower_bound_abs(arb(1, 2)) == 0 == lower_bound_abs(arb(0))
    assert 3 <= upper_bound_abs(arb(1, 2)) < Fraction(301, 100)
    assert lower_bound_abs(arb("nan")) == 0 == lower_bound_abs(arb(0, "inf"))
    for unbounded in (arb("nan"), arb(0, "inf"), arb("inf")):
        with pytest.raises(UnsupportedError):
            exact_endpoints(unbounded)


def test_bounds_far_out_are_rounded_outwards() -> None:
    tiny = balls.sigmoid(ball(-(10**30)))
    low, high = exact_endpoints(tiny)
    unit = Fraction(1, 2**LONGEST)
    assert -unit <= low <= 0 < high <= 2 * unit
    assert exact_endpoints(-tiny) == tuple(-end for end in reversed(exact_endpoints(tiny)))
    assert lower_bound_abs(tiny) == 0
    huge = arb(2) ** (2 * LONGEST)
    assert lower_bound_abs(huge) == 2**LONGEST
    with pytest.raises(UnsupportedError):
        upper_bound_abs(huge)


@pytest.mark.parametrize("value", [0.5, "1/2", True, 1j])
def test_inexact_values_do_not_become_balls(value: object) -> None:
    with pytest.raises(InputError):
        ball(value)
