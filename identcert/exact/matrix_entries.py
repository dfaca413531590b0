"""What every store of matrix entries offers, whatever the field.

entries     == an immutable m×n table over one field; m and n may be 0
store       == a way to keep entries so that products over its field are fast
rref        == reduced row echelon form: pivots 1, alone in their columns, zero rows last

The reduced row echelon form of a matrix is unique, so a store may compute it by
any method; rank, null space and solutions are read off from it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any, Self

from identcert.exact.field import Field

Row = tuple[Any, ...]
Rows = tuple[Row, ...]


class Entries(ABC):
    """An immutable m×n table of elements of one field.

    Binary operations expect a store of the same class over the same field and
    shapes that fit: `Matrix` has checked both.

    Attributes
    ----------
    field : the field of the entries.
    rows, cols : the shape.
    """

    __slots__ = ("cols", "field", "rows")

    field: Field
    rows: int
    cols: int

    @abstractmethod
    def of_rows(self, table: Rows, cols: int) -> Self:
        """Return the store of this kind, over this field, with the given elements."""

    @abstractmethod
    def to_rows(self) -> Rows:
        """Return the elements row by row; computed once."""

    @abstractmethod
    def plus(self, other: Self) -> Self:
        """Return A + B."""

    @abstractmethod
    def scaled(self, factor: Any) -> Self:
        """Return cA for an element c of the field."""

    @abstractmethod
    def times(self, other: Self) -> Self:
        """Return AB."""

    @abstractmethod
    def inverse(self) -> Self | None:
        """Return A⁻¹ of a square A, or None if A is singular."""

    @abstractmethod
    def determinant(self) -> Any:
        """Return det A of a square A; 1 for the 0×0 matrix."""

    @abstractmethod
    def rref(self) -> tuple[Self, tuple[int, ...]]:
        """Return the reduced row echelon form and the pivot columns."""

    @abstractmethod
    def normal_form(self) -> Any:
        """Return a hashable value that determines A among matrices of its shape and field."""

    def is_equal(self, other: Self) -> bool:
        """Return whether all entries agree, for equal shapes."""
        return self.to_rows() == other.to_rows()

    def rank(self) -> int:
        """Return dim of the row space."""
        return len(self.rref()[1])

    def nullspace(self) -> Rows:
        """Return a basis of {x : Ax = 0}, one vector for each column without pivot.

        The vector of such a column j has x_j = 1 and 0 at the other columns without
        pivot; row i of the echelon form then says that its pivot entry is −R_ij.
        """
        form, pivots = self.rref()
        table = form.to_rows()
        basis = []
        for free in sorted(set(range(self.cols)) - set(pivots)):
            vector = [self.field.zero] * self.cols
            vector[free] = self.field.one
            for i, pivot in enumerate(pivots):
                vector[pivot] = -table[i][free]
            basis.append(tuple(vector))
        return tuple(basis)

    def solve(self, rhs: Self) -> Self | None:
        """Return the X with AX = B that is 0 at the columns without pivot, or None.

        The echelon form of [A B] has a pivot in B exactly when no X exists.
        """
        form, pivots = self.beside([rhs]).rref()
        if pivots and pivots[-1] >= self.cols:
            return None
        table = form.to_rows()
        solution = [(self.field.zero,) * rhs.cols] * self.cols
        for i, pivot in enumerate(pivots):
            solution[pivot] = table[i][self.cols :]
        return self.of_rows(tuple(solution), rhs.cols)

    def negated(self) -> Self:
        """Return −A."""
        return self.scaled(self.field(-1))

    def is_zero(self) -> bool:
        """Return whether every entry is 0."""
        zero = self.field.zero
        return all(x == zero for row in self.to_rows() for x in row)

    def transposed(self) -> Self:
        """Return Aᵀ."""
        table = self.to_rows()
        flipped = tuple(zip(*table, strict=True)) if table else ((),) * self.cols
        return self.of_rows(flipped, self.rows)

    def select_rows(self, indices: Sequence[int], signs: Sequence[int] | None) -> Self:
        """Return the matrix whose row k is signs[k] · (row indices[k])."""
        table = self.to_rows()
        if signs is None:
            return self.of_rows(tuple(table[i] for i in indices), self.cols)
        chosen = (
            table[i] if sign > 0 else tuple(-x for x in table[i])
            for i, sign in zip(indices, signs, strict=True)
        )
        return self.of_rows(tuple(chosen), self.cols)

    def select_columns(self, indices: Sequence[int], signs: Sequence[int] | None) -> Self:
        """Return the matrix whose column k is signs[k] · (column indices[k])."""
        # with two indices or more, itemgetter gives a tuple and is the fastest way to move
        pick = (
            itemgetter(*indices) if len(indices) > 1 else lambda row: tuple(row[j] for j in indices)
        )
        moved = tuple(map(pick, self.to_rows()))
        flipped = [] if signs is None else [k for k, sign in enumerate(signs) if sign < 0]
        if flipped:
            moved = tuple(_negated_at(row, flipped) for row in moved)
        return self.of_rows(moved, len(indices))

    def scaled_columns(self, factors: Sequence[Any]) -> Self:
        """Return the matrix whose column j is factors[j] · (column j)."""
        one = self.field.one
        changed = [(j, c) for j, c in enumerate(factors) if c != one]
        table = []
        for row in self.to_rows():
            scaled = list(row)
            for j, factor in changed:
                scaled[j] = scaled[j] * factor
            table.append(tuple(scaled))
        return self.of_rows(tuple(table), self.cols)

    def beside(self, others: Sequence[Self]) -> Self:
        """Return [A B C …], all of the same number of rows."""
        tables = [block.to_rows() for block in (self, *others)]
        joined = tuple(tuple(chain.from_iterable(parts)) for parts in zip(*tables, strict=True))
        return self.of_rows(joined, self.cols + sum(block.cols for block in others))

    def above(self, others: Sequence[Self]) -> Self:
        """Return A, B, C, … stacked, all of the same number of columns."""
        return self.of_rows(
            tuple(row for block in (self, *others) for row in block.to_rows()), self.cols
        )

    def kron(self, other: Self) -> Self:
        """Return A ⊗ B, the matrix of the blocks a_ij B."""
        zero = self.field.zero
        blank = (zero,) * other.cols
        right = other.to_rows()
        table = tuple(
            tuple(
                chain.from_iterable(
                    blank if a == zero else [a * b for b in right_row] for a in left_row
                )
            )
            for left_row in self.to_rows()
            for right_row in right
        )
        return self.of_rows(table, self.cols * other.cols)


def _negated_at(row: Row, places: Iterable[int]) -> Row:
    changed = list(row)
    for k in places:
        changed[k] = -changed[k]
    return tuple(changed)


def pivot_columns(table: Iterable[Row], zero: Any) -> tuple[int, ...]:
    """Return the places of the first non-zero entry of each non-zero row."""
    pivots = []
    for row in table:
        pivot = next((j for j, x in enumerate(row) if x != zero), None)
        if pivot is None:
            break
        pivots.append(pivot)
    return tuple(pivots)
