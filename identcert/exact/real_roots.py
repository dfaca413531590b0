"""Real roots of rational polynomials: counted, isolated and enclosed exactly.

Glossary
--------
isolating interval == an open interval with rational ends that holds exactly one real root.
cell at depth k == an interval (m/2^k, (m+1)/2^k) with m an integer.
Polynomials are `flint.fmpq_poly`; ends of intervals are `flint.fmpq`.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from typing import Any

import flint

from identcert.errors import InputError


def sturm_chain(poly: Any) -> tuple[Any, ...]:
    """Return the Sturm chain p, p′, −(p mod p′), … of a squarefree polynomial."""
    chain = [poly, poly.derivative()]
    while chain[-1].degree() > 0:
        remainder = -(chain[-2] % chain[-1])
        # only signs count, so a positive factor keeps the coefficients small
        chain.append(remainder / abs(remainder.leading_coefficient()))
    return tuple(chain)


def count_roots(chain: tuple[Any, ...], low: Any, high: Any) -> int:
    """Return the number of real roots in (low, high), by Sturm's theorem.

    The ends must not be roots, as holds for every irreducible polynomial of degree ≥ 2.

    Examples
    --------
    >>> chain = sturm_chain(flint.fmpq_poly([-2, 0, 1]))
    >>> zero, two = flint.fmpq(0), flint.fmpq(2)
    >>> count_roots(chain, zero, two), count_roots(chain, -two, two)
    (1, 2)
    """
    return _variations(chain, low) - _variations(chain, high)


def _variations(chain: tuple[Any, ...], point: Any) -> int:
    values = [value for poly in chain if (value := poly(point))]
    return sum((x < 0) != (y < 0) for x, y in pairwise(values))


def normal_cell(poly: Any, low: Any, high: Any) -> tuple[Any, Any]:
    """Return the shallowest cell that isolates the same root as (low, high).

    The root decides it, so it is a normal form of "this root of this polynomial".

    Raises
    ------
    InputError
        If (low, high) does not hold exactly one real root of the irreducible ``poly``.

    Examples
    --------
    >>> normal_cell(flint.fmpq_poly([-1, -2, 1, 1]), flint.fmpq(6, 5), flint.fmpq(13, 10))
    (1, 2)
    """
    if low >= high:
        raise InputError("the interval of the root must be [low, high] with low < high")
    chain = sturm_chain(poly)
    count = count_roots(chain, low, high)
    if count != 1:
        raise InputError(
            f"the interval of the root holds {count} real roots of the minimal polynomial",
            fix="give an interval with exactly one",
        )
    below = poly(low) < 0
    floor, depth = _cell_inside(poly, below, low, high)

    def isolates(k: int) -> bool:
        ends = _cell(floor >> (depth - k), k)
        return count_roots(chain, *ends) == 1

    # a cell lies in every shallower cell of the root, so isolation is monotone in the depth
    least = bisect_left(range(depth), True, key=isolates)
    return _cell(floor >> (depth - least), least)


def _cell(floor: int, depth: int) -> tuple[Any, Any]:
    unit = flint.fmpz(2) ** depth
    return flint.fmpq(floor, unit), flint.fmpq(floor + 1, unit)


def _cell_inside(poly: Any, below: bool, low: Any, high: Any) -> tuple[int, int]:
    """Return (m, k) of a cell of the root that lies inside (low, high)."""

    def is_left(point: Any) -> bool:
        """Tell whether the point lies left of the root."""
        return bool(point <= low or (point < high and (poly(point) < 0) == below))

    first, last = int(low.floor()), int(high.ceil())
    while last - first > 1:
        middle = (first + last) // 2
        first, last = (middle, last) if is_left(flint.fmpq(middle)) else (first, middle)
    floor, depth = first, 0
    while not (low <= _cell(floor, depth)[0] and _cell(floor, depth)[1] <= high):
        floor, depth = 2 * floor, depth + 1
        if is_left(flint.fmpq(floor + 1, flint.fmpz(2) ** depth)):
            floor += 1
    return floor, depth


def root_ball(poly: Any, low: Any, high: Any, bits: int) -> Any:
    """Return an `arb` of about ``bits`` bits around the root that (low, high) isolates."""
    precision = bits + 8
    while True:
        with flint.ctx.workprec(precision):
            ends = flint.arb(low), flint.arb(high)
            real = [root.real for root, _ in poly.numer().complex_roots() if root.imag.is_zero()]
            inside = [root for root in real if not (root < ends[0] or root > ends[1])]
        # the true root is never excluded, so a single candidate is it
        if len(inside) == 1:
            return inside[0]
        precision *= 2
