"""Polynomial activations in the shapes that theorems speak of.

shifted power == a(z − c)^r + d with r ≥ 2: powers, and (z + 1)^r − 1
perfect power == a·f^l with the largest l: (z² + z)^l

Constants a are absorbed by the next weight, so theorems about f^l hold for a·f^l.

Source: theory of polynomial activations (§4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

from flint import fmpq, fmpq_poly

from identcert.nets.activation import Activation


@dataclass(frozen=True, slots=True)
class ShiftedPower:
    """The polynomial a(z − c)^r + d with r ≥ 2."""

    lead: fmpq
    centre: fmpq
    degree: int
    offset: fmpq

    @property
    def is_homogeneous(self) -> bool:
        """Whether it is a·z^r, so that no bias is needed to write it."""
        return self.centre == 0 and self.offset == 0


def shifted_power(sigma: Activation) -> ShiftedPower | None:
    """Return σ as a shifted power, or None if it is none.

    Examples
    --------
    >>> from identcert.nets.activation import activation
    >>> shifted_power(activation("(x+1)^5 - 1"))
    ShiftedPower(lead=1, centre=-1, degree=5, offset=-1)
    >>> shifted_power(activation("x^3 + x")) is None
    True
    """
    coefficients = sigma.coefficients
    if coefficients is None or len(coefficients) < 3 or sigma.scalings != "nonzero":
        return None
    offset = fmpq_poly(list(coefficients))(sigma.centre)
    return ShiftedPower(coefficients[-1], sigma.centre, len(coefficients) - 1, offset)


@dataclass(frozen=True, slots=True)
class PerfectPower:
    """The polynomial a·f^l, with ascending coefficients of f and the largest l."""

    base: tuple[fmpq, ...]
    exponent: int


def perfect_power(coefficients: Sequence[fmpq]) -> PerfectPower | None:
    """Return a polynomial of degree at least 1 as a perfect power; f is monic.

    Examples
    --------
    >>> from identcert.nets.activation import activation
    >>> perfect_power(activation("(x^2 + x)^9").coefficients)
    PerfectPower(base=(0, 1, 1), exponent=9)
    >>> perfect_power(activation("2*x^3 + x").coefficients).exponent
    1
    """
    if len(coefficients) < 2:
        return None
    _, factors = fmpq_poly(list(coefficients)).factor()
    exponent = gcd(*(multiplicity for _, multiplicity in factors))
    base = fmpq_poly([1])
    for factor, multiplicity in factors:
        base *= factor ** (multiplicity // exponent)
    base /= base[base.degree()]
    return PerfectPower(tuple(base.coeffs()), exponent)


def is_tight(base: Sequence[fmpq]) -> bool:
    """Return whether f = a_1 z + … + a_d z^d has d ≥ 2 and a_{d−1}·a_d ≠ 0.

    >>> is_tight((fmpq(0), fmpq(1), fmpq(1))), is_tight((fmpq(0), fmpq(1)))
    (True, False)
    """
    return len(base) >= 3 and base[0] == 0 and base[-1] != 0 and base[-2] != 0
