"""Matrices over Q, kept as FLINT's `fmpq_mat`, as rows of `fmpq`, as integer rows, or as several.

Products, inverses and echelon forms run inside FLINT. Moving rows and columns
and changing signs run on the rows, where they cost no arithmetic and no
conversion; where integer rows over one denominator are known, on these alone.
Each form is made from another at its first use and then kept; `fmpq_mat` is
mutable, therefore it never leaves this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from operator import itemgetter, mul, neg
from typing import Any, Self

from flint import fmpq, fmpq_mat, fmpz, fmpz_mat, nmod_mat

from identcert.exact.field import QQ
from identcert.exact.matrix_entries import Entries, Rows, pivot_columns

IntegerRows = tuple[tuple[int, ...], ...]


class RationalEntries(Entries):
    """An immutable table of rationals with a lazy `fmpq_mat` and lazy rows."""

    __slots__ = ("_integers", "_matrix", "_normal_form", "_table")

    def __init__(
        self, rows: int, cols: int, matrix: Any | None = None, table: Rows | None = None
    ) -> None:
        self.field = QQ
        self.rows, self.cols = rows, cols
        self._matrix = matrix
        self._table = table
        self._integers: tuple[IntegerRows, int] | None = None
        self._normal_form: Any = None

    @classmethod
    def of_integers(cls, rows: Sequence[Sequence[int]], cols: int, denominator: int) -> Self:
        """Return the matrix rows / denominator."""
        matrix = fmpq_mat(fmpz_mat(len(rows), cols, list(chain.from_iterable(rows))))
        if denominator != 1:
            matrix = matrix / fmpz(denominator)
        return cls(len(rows), cols, matrix)

    @classmethod
    def _of_least(cls, rows: IntegerRows, cols: int, denominator: int) -> Self:
        """Return the matrix rows / denominator for the least possible denominator."""
        entries = cls(len(rows), cols)
        entries._integers = (rows, denominator)
        return entries

    @classmethod
    def diagonal(cls, size: int, value: Any) -> Self:
        """Return value · I of the given size."""
        matrix = fmpq_mat(size, size)
        for i in range(size):
            matrix[i, i] = value
        return cls(size, size, matrix)

    @classmethod
    def zeros(cls, rows: int, cols: int) -> Self:
        """Return the zero matrix."""
        return cls(rows, cols, fmpq_mat(rows, cols))

    def zeros_like(self) -> Self:
        """Return the zero matrix of the same shape."""
        return self.zeros(self.rows, self.cols)

    def of_rows(self, table: Rows, cols: int) -> Self:
        """Return the matrix with the given rows of `fmpq`."""
        return type(self)(len(table), cols, table=table)

    def to_rows(self) -> Rows:
        """Return the rows of `fmpq`; computed once."""
        if self._table is None:
            self._table = tuple(map(tuple, self._flint().tolist()))
        return self._table

    def _flint(self) -> Any:
        """Return the inner `fmpq_mat`, which callers must not change."""
        if self._matrix is None and self._table is not None:
            flat = list(chain.from_iterable(self._table))
            self._matrix = fmpq_mat(self.rows, self.cols, flat)
        elif self._matrix is None and self._integers is not None:
            rows, denominator = self._integers
            self._matrix = self.of_integers(rows, self.cols, denominator)._matrix
        return self._matrix

    def integer_rows(self) -> tuple[IntegerRows, int]:
        """Return integer rows N and the least d > 0 with A = N/d; computed once."""
        if self._integers is None:
            numerators, denominator = self._flint().numer_denom()
            table = tuple(tuple(map(int, row)) for row in numerators.tolist())
            self._integers = (table, int(denominator))
        return self._integers

    def select_rows(self, indices: Sequence[int], signs: Sequence[int] | None) -> Self:
        """Return the matrix whose row k is signs[k] · (row indices[k])."""
        if self._integers is None or len(set(indices)) < self.rows:
            return super().select_rows(indices, signs)
        table, denominator = self._integers
        moved = tuple(
            table[i] if sign > 0 else tuple(map(neg, table[i]))
            for i, sign in zip(indices, signs or (1,) * len(indices), strict=True)
        )
        return self._of_least(moved, self.cols, denominator)

    def select_columns(self, indices: Sequence[int], signs: Sequence[int] | None) -> Self:
        """Return the matrix whose column k is signs[k] · (column indices[k])."""
        if self._integers is None or len(indices) < 2 or len(set(indices)) < self.cols:
            return super().select_columns(indices, signs)
        table, denominator = self._integers
        moved = tuple(map(itemgetter(*indices), table))
        if signs is not None and any(sign < 0 for sign in signs):
            moved = tuple(tuple(map(mul, row, signs)) for row in moved)
        return self._of_least(moved, len(indices), denominator)

    def normal_form(self) -> Any:
        """Return the least common denominator and the integer entries over it.

        FLINT's integers hash ten times as fast as its rationals.
        """
        if self._normal_form is None:
            numerators, denominator = self._flint().numer_denom()
            self._normal_form = (denominator, tuple(numerators.entries()))
        return self._normal_form

    def is_equal(self, other: Self) -> bool:
        """Return whether all entries agree, in whichever form both sides already have."""
        if self._integers is not None and other._integers is not None:
            return self._integers == other._integers
        if self._table is not None and other._table is not None:
            return self._table == other._table
        return bool(self._flint() == other._flint())

    def is_zero(self) -> bool:
        """Return whether every entry is 0."""
        if self._integers is not None:
            return not any(map(any, self._integers[0]))
        return bool(self._flint() == fmpq_mat(self.rows, self.cols))

    def plus(self, other: Self) -> Self:
        """Return A + B."""
        return type(self)(self.rows, self.cols, self._flint() + other._flint())

    def negated(self) -> Self:
        """Return −A."""
        if self._matrix is not None:
            return type(self)(self.rows, self.cols, -self._matrix)
        return self.of_rows(tuple(tuple([-x for x in row]) for row in self.to_rows()), self.cols)

    def scaled(self, factor: Any) -> Self:
        """Return cA for a rational c."""
        return type(self)(self.rows, self.cols, self._flint() * fmpq(factor))

    def times(self, other: Self) -> Self:
        """Return AB at the speed of FLINT."""
        return type(self)(self.rows, other.cols, self._flint() * other._flint())

    def transposed(self) -> Self:
        """Return Aᵀ."""
        if self._matrix is not None:
            return type(self)(self.cols, self.rows, self._matrix.transpose())
        return super().transposed()

    def inverse(self) -> Self | None:
        """Return A⁻¹, or None if A is singular."""
        try:
            return type(self)(self.rows, self.cols, self._flint().inv())
        except ZeroDivisionError:
            return None

    def solve_regular(self, rhs: Self) -> Self | None:
        """Return A⁻¹B for a square A, or None if A is singular."""
        try:
            return type(self)(self.rows, rhs.cols, self._flint().solve(rhs._flint()))
        except ZeroDivisionError:
            return None

    def determinant(self) -> Any:
        """Return det A."""
        return self._flint().det()

    def rank(self) -> int:
        """Return dim of the row space."""
        return int(self._flint().rank())

    def rref(self) -> tuple[Self, tuple[int, ...]]:
        """Return the reduced row echelon form and the pivot columns."""
        reduced, rank = self._flint().rref()
        form = type(self)(self.rows, self.cols, reduced)
        return form, pivot_columns(form.to_rows()[:rank], QQ.zero)

    def pivots_modulo(self, prime: int = 2**61 - 1) -> tuple[int, ...]:
        """Return the pivot columns of d·A modulo a prime, for the common denominator d.

        They are those of A unless the prime divides one of finitely many numbers.
        """
        numerators, _ = self._flint().numer_denom()
        reduced, rank = nmod_mat(numerators, prime).rref()
        return pivot_columns(map(tuple, reduced.tolist()[:rank]), 0)
