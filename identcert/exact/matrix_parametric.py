"""Matrices over a field Q(a, b, …) of rational functions of parameters.

cleared     == multiplied row by row with a common denominator, so that all entries
               are polynomials

Greatest common divisors are what costs here. Products and echelon forms therefore
run on cleared rows and columns, and each entry of a result is brought to lowest
terms once. SymPy's `DomainMatrix` would bring its own elements; these stay ours.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from identcert.exact.elimination import fraction_free
from identcert.exact.field import FunctionField, RationalFunction
from identcert.exact.matrix_entries import Entries, Row, Rows

Cleared = tuple[tuple[Row, Any], ...]
"""For each row its polynomials and the denominator that they are to be divided by."""


class ParametricEntries(Entries):
    """An immutable table of rational functions, by rows."""

    __slots__ = ("_cleared", "_table")

    field: FunctionField

    def __init__(self, field: FunctionField, table: Rows, cols: int) -> None:
        self.field = field
        self.rows, self.cols = len(table), cols
        self._table = table
        self._cleared: Cleared | None = None

    def of_rows(self, table: Rows, cols: int) -> Self:
        """Return the matrix with the given elements of this field."""
        return type(self)(self.field, table, cols)

    def to_rows(self) -> Rows:
        """Return the elements row by row."""
        return self._table

    def normal_form(self) -> Any:
        """Return the elements themselves, which are in normal form."""
        return self._table

    def plus(self, other: Self) -> Self:
        """Return A + B."""
        pairs = zip(self._table, other._table, strict=True)
        table = tuple(tuple(x + y for x, y in zip(a, b, strict=True)) for a, b in pairs)
        return self.of_rows(table, self.cols)

    def negated(self) -> Self:
        """Return −A."""
        return self.of_rows(tuple(tuple(-x for x in row) for row in self._table), self.cols)

    def scaled(self, factor: RationalFunction) -> Self:
        """Return cA for an element c of the field."""
        return self.of_rows(tuple(tuple(x * factor for x in row) for row in self._table), self.cols)

    def _cleared_rows(self) -> Cleared:
        """Return for each row polynomials p_j and one q with entries p_j/q; computed once."""
        if self._cleared is None:
            self._cleared = tuple(_cleared(row, self.field) for row in self._table)
        return self._cleared

    def times(self, other: Self) -> Self:
        """Return AB, with one reduction to lowest terms for each entry."""
        zero, quotient = self.field.context.constant(0), self.field.quotient
        columns = other.transposed()._cleared_rows()
        table = tuple(
            tuple(
                quotient(_dot(row, column, zero), below * right_below)
                for column, right_below in columns
            )
            for row, below in self._cleared_rows()
        )
        return self.of_rows(table, other.cols)

    def inverse(self) -> Self | None:
        """Return A⁻¹, or None if A is singular."""
        zero, one = self.field.zero, self.field.one
        identity = self.of_rows(
            tuple(
                tuple(one if i == j else zero for j in range(self.rows)) for i in range(self.rows)
            ),
            self.rows,
        )
        form, pivots = self.beside([identity]).rref()
        if pivots != tuple(range(self.rows)):
            return None
        return form.select_columns(range(self.rows, 2 * self.rows), None)

    def determinant(self) -> RationalFunction:
        """Return det A by fraction-free elimination."""
        one = self.field.context.constant(1)
        _, pivots, minor, sign = self._eliminated()
        if len(pivots) < self.rows:
            return self.field(0)
        denominator = one
        for _, below in self._cleared_rows():
            denominator = denominator * below
        return self.field.quotient(minor * sign, denominator)

    def rank(self) -> int:
        """Return dim of the row space."""
        return len(self._eliminated()[1])

    def rref(self) -> tuple[Self, tuple[int, ...]]:
        """Return the reduced row echelon form and the pivot columns."""
        rows, pivots, minor, _ = self._eliminated()
        zero, quotient = self.field.zero, self.field.quotient
        table = tuple(tuple(quotient(x, minor) if x else zero for x in row) for row in rows)
        return self.of_rows(table, self.cols), pivots

    def _eliminated(self) -> tuple[list[Row], tuple[int, ...], Any, int]:
        one = self.field.context.constant(1)
        return fraction_free((row for row, _ in self._cleared_rows()), self.cols, one, len)


def _cleared(row: Row, field: FunctionField) -> tuple[Row, Any]:
    """Return polynomials p_j and the least common denominator q with row entries p_j/q."""
    common = field.context.constant(1)
    for x in row:
        if not x.denominator.is_constant() and x.denominator != common:
            common = common * (x.denominator / common.gcd(x.denominator))
    if common.is_constant():
        return tuple(x.numerator for x in row), common
    return tuple(x.numerator * (common / x.denominator) for x in row), common


def _dot(a: Iterable[Any], b: Iterable[Any], zero: Any) -> Any:
    total = zero
    for x, y in zip(a, b, strict=True):
        if x and y:
            total = total + x * y
    return total
