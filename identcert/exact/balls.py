"""Real intervals: rigorous enclosures of activations by FLINT's `arb`.

ball        == midpoint ± radius; it stands for every real number in that interval
enclosure   == a ball f(x) that contains f(t) for every t in the ball x
kink        == a point where f is continuous and its derivative is not
precision   == the bits of midpoints; it changes how tight a ball is, never whether it is right

Every function here returns an enclosure, on balls of any width. A wide ball is
sent through a monotone function by its end points, because the hull of f(a) and
f(b) is f([a, b]) then; so is a ball that contains a kink. What is read off from
a ball are exact rationals on its outer side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq

from identcert.errors import InputError, UnsupportedError

NARROW = 16
"""Accurate bits, relative to max(1, |x|), from which a ball is sent through as it is."""

LONGEST = 1 << 13
"""Binary places, and bits before the point, to which bounds are spelled out.

So short that Python prints them, which it refuses beyond 4,300 decimal digits.
"""


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Give balls midpoints of ``bits`` bits inside a ``with`` block, however it ends.

    >>> with precision(100):
    ...     third = ball(Fraction(1, 3))
    >>> low, high = exact_endpoints(third)
    >>> low < Fraction(1, 3) < high and high - low < Fraction(1, 2**99)
    True
    """
    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


def ball(x: Any) -> Any:
    """Return an `arb` that contains the given int, Fraction, fmpz, fmpq or arb.

    Raises
    ------
    InputError
        If x is of another type: a float may not be the number that its writer meant.
    """
    if isinstance(x, Fraction):
        return arb(fmpq(x.numerator, x.denominator))
    if isinstance(x, float | str | bool | complex):
        raise InputError(f"a value of type {type(x).__name__} does not become a ball")
    return arb(x)


def _by_ends(f: Callable[[Any], Any], x: Any) -> Any:
    """Return an enclosure of f(x) for a monotone f that is sharp on narrow balls."""
    if x.is_exact() or x.rel_one_accuracy_bits() >= NARROW:
        return f(x)
    return f(x.lower()).union(f(x.upper()))


def identity(x: Any) -> Any:
    """Return x."""
    return x


def tanh(x: Any) -> Any:
    """Enclose tanh x."""
    return _by_ends(arb.tanh, x)


def arctan(x: Any) -> Any:
    """Enclose arctan x."""
    return _by_ends(arb.atan, x)


def erf(x: Any) -> Any:
    """Enclose erf x."""
    return _by_ends(arb.erf, x)


def sin(x: Any) -> Any:
    """Enclose sin x."""
    return x.sin()


def _sigmoid(x: Any) -> Any:
    # only the exponential of a number that is not large and positive is taken
    if x > 0:
        return 1 / (1 + (-x).exp())
    power = x.exp()
    return power / (1 + power)


def sigmoid(x: Any) -> Any:
    """Enclose 1/(1 + exp(−x))."""
    return _by_ends(_sigmoid, x)


def _softplus(x: Any) -> Any:
    # log(1 + exp x) = x + log(1 + exp(−x)), and the second form does not overflow
    return x + (-x).exp().log1p() if x > 0 else x.exp().log1p()


def softplus(x: Any) -> Any:
    """Enclose log(1 + exp x)."""
    return _by_ends(_softplus, x)


def silu(x: Any) -> Any:
    """Enclose x/(1 + exp(−x)), as a product of enclosures: it is not monotone."""
    return x * sigmoid(x)


def gelu(x: Any) -> Any:
    """Enclose (x/2)(1 + erf(x/√2)), as a product of enclosures: it is not monotone.

    1 + erf(z) = erfc(−z), which does not cancel for negative z.
    """
    return x / 2 * _by_ends(arb.erfc, -x / arb(2).sqrt())


def elu(x: Any) -> Any:
    """Enclose x for x ≥ 0 and exp(x) − 1 for x ≤ 0; increasing, so by end points across 0."""
    if x >= 0:
        return x
    if x <= 0:
        return _by_ends(arb.expm1, x)
    return x.lower().expm1().union(x.upper())


def leaky_relu(x: Any, slope: Any) -> Any:
    """Enclose x for x ≥ 0 and slope · x for x ≤ 0, for an exact slope of any sign.

    Across the kink the values of the two end points and of 0 span the range.
    """
    if x >= 0:
        return x
    if x <= 0:
        return ball(slope) * x
    return arb(0).union(ball(slope) * x.lower()).union(x.upper())


def relu(x: Any) -> Any:
    """Enclose max(x, 0)."""
    if x >= 0:
        return x
    return arb(0) if x <= 0 else arb(0).union(x.upper())


def absolute(x: Any) -> Any:
    """Enclose |x|."""
    if x >= 0:
        return x
    return -x if x <= 0 else arb(0).union(x.abs_upper())


def clamp(x: Any, low: Any, high: Any) -> Any:
    """Enclose min(max(x, low), high) for exact low ≤ high."""
    low, high = ball(low), ball(high)
    if low <= x and x <= high:
        return x
    if x <= low:
        return low
    if x >= high:
        return high
    return x.lower().max(low).min(high).union(x.upper().max(low).min(high))


def hard_tanh(x: Any) -> Any:
    """Enclose min(max(x, −1), 1)."""
    return clamp(x, -1, 1)


def relu6(x: Any) -> Any:
    """Enclose min(max(x, 0), 6)."""
    return clamp(x, 0, 6)


FUNCTIONS: Mapping[str, Callable[[Any], Any]] = {
    "identity": identity,
    "tanh": tanh,
    "sigmoid": sigmoid,
    "relu": relu,
    "abs": absolute,
    "hard_tanh": hard_tanh,
    "relu6": relu6,
    "softplus": softplus,
    "silu": silu,
    "gelu": gelu,
    "sin": sin,
    "elu": elu,
    "arctan": arctan,
    "erf": erf,
}
"""The enclosures of the activations without parameter, by their names in files."""


def exact_endpoints(x: Any) -> tuple[Fraction, Fraction]:
    """Return dyadic rationals a ≤ b with x ⊆ [a, b].

    They are the end points of the ball, rounded outwards where they need more than
    `LONGEST` binary places.

    Raises
    ------
    UnsupportedError
        If the ball is unbounded, or too large to spell out.

    Examples
    --------
    >>> exact_endpoints(arb(3, 2))[0] <= 1
    True
    >>> exact_endpoints(ball(Fraction(3, 4)))
    (Fraction(3, 4), Fraction(3, 4))
    """
    if not x.is_finite():
        raise UnsupportedError("an enclosure is unbounded; more precision may make it finite")
    middle, radius = x.mid(), x.rad()
    low = _dyadic(middle, -1) - _dyadic(radius, 1)
    return low, _dyadic(middle, 1) + _dyadic(radius, 1)


def lower_bound_abs(x: Any) -> Fraction:
    """Return a dyadic rational b with 0 ≤ b ≤ |t| for every t in x.

    It is 0 if the ball contains 0 or is not a number, and where the bound has no bit
    within the first `LONGEST` binary places.

    >>> lower_bound_abs(ball(-2)), lower_bound_abs(arb(1, 3))
    (Fraction(2, 1), Fraction(0, 1))
    """
    if not x.is_finite():
        return Fraction(0)
    bound = x.abs_lower()
    if bound > arb(2) ** LONGEST:
        return Fraction(2) ** LONGEST
    return max(_dyadic(bound, -1), Fraction(0))


def upper_bound_abs(x: Any) -> Fraction:
    """Return a dyadic rational b with |t| ≤ b for every t in x.

    Raises
    ------
    UnsupportedError
        If the ball is unbounded, or too large to spell out.

    Examples
    --------
    >>> upper_bound_abs(ball(-2))
    Fraction(2, 1)
    """
    low, high = exact_endpoints(x)
    return max(-low, high)


def _dyadic(x: Any, direction: int) -> Fraction:
    """Return an exact ball as a fraction, rounded down (−1) or up (1) past `LONGEST` places."""
    mantissa, exponent = (int(part) for part in x.man_exp())
    if exponent >= 0:
        if exponent > LONGEST:
            raise UnsupportedError(f"an enclosure exceeds 2^{LONGEST}")
        return Fraction(mantissa << exponent)
    if exponent < -LONGEST:
        # >> rounds down, also for negative numbers; a shift by more than all bits is enough
        shift = min(-LONGEST - exponent, mantissa.bit_length() + 1)
        mantissa = mantissa >> shift if direction < 0 else -(-mantissa >> shift)
        exponent = -LONGEST
    return Fraction(mantissa, 1 << -exponent)
