"""Open polyhedra {x ∈ R^n : a_k·x + b_k > 0}, empty or not, decided exactly.

cut         == one more inequality a·x + b > 0, or ≥ 0 if it is closed; cuts form a stack
multipliers == non-negative numbers λ_k with Σλ_k a_k = 0 and Σλ_k b_k ≤ 0, where a strict
               cut has λ_k > 0 or Σλ_k b_k < 0: they add the cuts up to 0 > 0 (Farkas)
slack       == the variable s_k = a_k·y + b_k·y_0 of a cut in homogeneous coordinates

The cuts have a common point x if and only if s_k ≥ 1 for the strict ones, s_k ≥ 0 for the
closed ones and y_0 ≥ 1 have a common (y, y_0): multiply (x, 1) by a large number;
conversely take x = y/y_0. So no strict inequality and no infinitesimal is left. The system
is solved by the general simplex method with Bland's rule: a tableau d·s = Σ c_j·t_j of
integers, or of real algebraic numbers, expresses the basic variables by n + 1 free or
tight ones. A violated row
without an admissible pivot is itself the certificate, and taking cuts back costs nothing.

Source: Dutertre, de Moura, *A fast linear-arithmetic solver for DPLL(T)* (2006); Farkas.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm
from operator import mul
from typing import Any

from identcert.errors import OutOfBudget

Row = tuple[list[Any], int]
"""Coefficients over the columns and a positive denominator, in lowest terms."""


class OpenCell:
    """The polyhedron of a stack of rational inequalities in R^n, strict ones among them.

    Invariants: every column holds a free variable (a coordinate at value 0, or a cut that
    was taken back) or a tight cut, and its value; so all values follow from the rows.
    After a `cut` that is not refused all slacks are at least their bounds, 1 or 0.

    Parameters
    ----------
    dimension : n.
    deadline : monotonic seconds at which pivoting is given up, by `OutOfBudget`.
    is_integral : whether all cuts have integers; else they have elements of one number field.

    Examples
    --------
    >>> cell = OpenCell(1)
    >>> cell.cut((1, 0)), cell.cut((-2, 3)), cell.point()
    (None, None, (Fraction(1, 1),))
    >>> cell.cut((1, -2))  # x > 0, 3 - 2x > 0 and x - 2 > 0: twice the third and the second
    (0, 1, 2)
    >>> cell.take_back()
    >>> cell.cut((-1, 1))
    """

    def __init__(
        self, dimension: int, deadline: float = float("inf"), is_integral: bool = True
    ) -> None:
        self._dimension, self._deadline = dimension, deadline
        self._reduced = _by_common_factor if is_integral else _by_division
        self._columns = list(range(dimension + 1))
        self._free = [True] * (dimension + 1)
        self._values = [0] * (dimension + 1)
        self._rows: dict[int, Row] = {}
        self._next = dimension + 1
        self._live: list[int] = []
        self._bounds: dict[int, int] = {}
        self.cut((0,) * dimension + (1,))

    def cut(self, row: Sequence[Any], is_strict: bool = True) -> tuple[Any, ...] | None:
        """Add the inequality a·x + b > 0 and return None, or multipliers if that is empty.

        Parameters
        ----------
        row : the numbers a_1, …, a_n, b.
        is_strict : false for the closed inequality a·x + b ≥ 0.

        Returns
        -------
        None if the cell is not empty; otherwise one multiplier for every cut on the stack.
        The cut stays on the stack in both cases.
        """
        identifier = self._next
        self._next += 1
        self._rows[identifier] = self._in_columns(row)
        self._live.append(identifier)
        self._bounds[identifier] = 1 if is_strict else 0
        return self._restore()

    def take_back(self) -> None:
        """Remove the last cut from the stack."""
        identifier = self._live.pop()
        del self._bounds[identifier]
        if self._rows.pop(identifier, None) is None:
            self._free[self._columns.index(identifier)] = True

    def point(self) -> tuple[Any, ...]:
        """Return a point of the cell, which is not empty."""
        self._restore()  # after a cut that was refused, other slacks may be violated
        values = [self._value(j) for j in range(self._dimension + 1)]
        return tuple(y / values[-1] for y in values[:-1])

    def _value(self, identifier: int) -> Any:
        if identifier in self._rows:
            coefficients, denominator = self._rows[identifier]
            return sum(map(mul, coefficients, self._values)) * Fraction(1, denominator)
        return Fraction(0)

    def _in_columns(self, row: Sequence[Any]) -> Row:
        """Return a linear form of the coordinates, expressed by the columns."""
        basic = [(a, self._rows[j]) for j, a in enumerate(row) if a and j in self._rows]
        common = lcm(*(denominator for _, (_, denominator) in basic))
        total = [row[j] * common if j < len(row) else 0 for j in self._columns]
        for a, (coefficients, denominator) in basic:
            factor = a * (common // denominator)
            total = [t + factor * c for t, c in zip(total, coefficients, strict=True)]
        return self._reduced(total, common)

    def _restore(self) -> tuple[Any, ...] | None:
        """Pivot until no slack is below 1; return multipliers if that is impossible."""
        while True:
            violated = self._violated()
            if violated is None:
                return None
            if time.monotonic() > self._deadline:
                raise OutOfBudget("the time ended while a polyhedron was decided")
            coefficients, _ = self._rows[violated]
            entering = min(
                (
                    (self._columns[k], k)
                    for k, c in enumerate(coefficients)
                    if c > 0 or (c < 0 and self._free[k])
                ),
                default=None,
            )
            if entering is None:
                return self._multipliers(violated)
            self._pivot(violated, entering[1])

    def _violated(self) -> int | None:
        """Return the first basic cut whose slack is below its bound, or None."""
        for identifier, bound in self._bounds.items():
            if identifier in self._rows:
                coefficients, denominator = self._rows[identifier]
                if sum(map(mul, coefficients, self._values)) < bound * denominator:
                    return identifier
        return None

    def _multipliers(self, violated: int) -> tuple[Any, ...]:
        """Read the certificate off a row d·s = Σ c_j·t_j with all c_j ≤ 0, below its bound."""
        coefficients, denominator = self._rows[violated]
        weight = {self._columns[k]: -c for k, c in enumerate(coefficients) if c}
        weight[violated] = denominator
        return tuple(weight.get(identifier, 0) for identifier in self._live[1:])

    def _pivot(self, leaving: int, k: int) -> None:
        """Exchange a basic variable, which becomes tight, with the variable of column k."""
        coefficients, denominator = self._rows.pop(leaving)
        pivot = coefficients[k]
        sign = 1 if pivot > 0 else -1
        solved = [-sign * c for c in coefficients]
        solved[k] = sign * denominator
        size = abs(pivot)
        entering, self._columns[k] = self._columns[k], leaving
        self._free[k], self._values[k] = False, self._bounds[leaving]
        for identifier, (row, divisor) in self._rows.items():
            factor = row[k]
            if factor:
                moved = [size * c + factor * s for c, s in zip(row, solved, strict=True)]
                moved[k] = factor * solved[k]
                self._rows[identifier] = self._reduced(moved, divisor * size)
        if entering <= self._dimension or entering in self._bounds:
            self._rows[entering] = self._reduced(solved, size)


def _by_common_factor(coefficients: list[int], denominator: int) -> Row:
    """Return a row of integers in lowest terms."""
    common = gcd(denominator, *coefficients)
    if common == 1:
        return coefficients, denominator
    return [c // common for c in coefficients], denominator // common


def _by_division(coefficients: list[Any], denominator: Any) -> Row:
    """Return a row over a field with the denominator 1."""
    inverse = Fraction(1) / denominator
    return [c * inverse if c else 0 for c in coefficients], 1
