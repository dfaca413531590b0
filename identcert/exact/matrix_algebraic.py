"""Matrices over a number field Q(α), one rational matrix for each power of α.

plane       == the rational matrix A_k of A = A_0 + A_1 α + … + A_{d−1} α^{d−1}
coordinates == the planes interleaved: row (r, k) holds the coefficients of α^k in row r
expansion   == the rational matrix with a d×d block for each entry x, whose column i
               holds the coordinates of α^i x

The blocks multiply as the entries do, the block of 1 is I, and the expansion of A times
the coordinates of X is the coordinates of AX. So equations over Q(α) are rational
equations d times as large, which FLINT solves p-adically. As K-row operations are row
operations on the expansion and a reduced row echelon form is unique, FLINT's echelon
form of the expansion is the expansion of the echelon form over Q(α).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, Self

from flint import fmpq

from identcert.exact.elimination import determinant
from identcert.exact.field import AlgebraicNumber, NumberField
from identcert.exact.matrix_entries import Entries, Rows
from identcert.exact.matrix_rational import RationalEntries

Planes = tuple[RationalEntries, ...]


class AlgebraicEntries(Entries):
    """An immutable table of numbers of Q(α), by planes."""

    __slots__ = ("_is_rational", "_table", "planes")

    field: NumberField

    def __init__(self, field: NumberField, planes: Planes, table: Rows | None = None) -> None:
        self.field = field
        self.planes = planes
        self.rows, self.cols = planes[0].rows, planes[0].cols
        self._table = table
        self._is_rational: bool | None = None

    @classmethod
    def from_elements(cls, field: NumberField, table: Rows, cols: int) -> Self:
        """Return the matrix with the given elements."""
        coordinates = [[x.coordinates for x in row] for row in table]
        planes = (
            tuple(tuple([c[k] for c in row]) for row in coordinates) for k in range(field.degree)
        )
        stores = tuple(RationalEntries(len(table), cols, table=plane) for plane in planes)
        return cls(field, stores, table)

    def of_rows(self, table: Rows, cols: int) -> Self:
        """Return the matrix with the given elements of this field."""
        return self.from_elements(self.field, table, cols)

    def to_rows(self) -> Rows:
        """Return the elements row by row; computed once."""
        if self._table is None:
            layers = zip(*(plane.to_rows() for plane in self.planes), strict=True)
            self._table = tuple(
                tuple([AlgebraicNumber(self.field, c) for c in zip(*rows, strict=True)])
                for rows in layers
            )
        return self._table

    def _each(self, change: Callable[[RationalEntries], RationalEntries]) -> Self:
        return type(self)(self.field, tuple(map(change, self.planes)))

    def _is_over_q(self) -> bool:
        """Return whether all entries are rational, so that plane 0 says everything."""
        if self._is_rational is None:
            self._is_rational = all(plane.is_zero() for plane in self.planes[1:])
        return self._is_rational

    def _of_plane(self, plane: RationalEntries) -> Self:
        blank = plane.zeros_like()
        return type(self)(self.field, (plane, *(blank,) * (self.field.degree - 1)))

    def normal_form(self) -> Any:
        """Return the normal forms of the planes."""
        return tuple(plane.normal_form() for plane in self.planes)

    def is_equal(self, other: Self) -> bool:
        """Return whether all coordinates agree."""
        return all(a.is_equal(b) for a, b in zip(self.planes, other.planes, strict=True))

    def is_zero(self) -> bool:
        """Return whether every entry is 0."""
        return all(plane.is_zero() for plane in self.planes)

    def plus(self, other: Self) -> Self:
        """Return A + B."""
        pairs = zip(self.planes, other.planes, strict=True)
        return type(self)(self.field, tuple(a.plus(b) for a, b in pairs))

    def negated(self) -> Self:
        """Return −A."""
        return self._each(RationalEntries.negated)

    def transposed(self) -> Self:
        """Return Aᵀ."""
        return self._each(RationalEntries.transposed)

    def select_rows(self, indices: Sequence[int], signs: Sequence[int] | None) -> Self:
        """Return the matrix whose row k is signs[k] · (row indices[k])."""
        return self._each(lambda plane: plane.select_rows(indices, signs))

    def select_columns(self, indices: Sequence[int], signs: Sequence[int] | None) -> Self:
        """Return the matrix whose column k is signs[k] · (column indices[k])."""
        return self._each(lambda plane: plane.select_columns(indices, signs))

    def scaled(self, factor: AlgebraicNumber) -> Self:
        """Return cA for a number c of the field."""
        if factor.is_rational:
            return self._each(lambda plane: plane.scaled(factor.coordinates[0]))
        return self._product(factor.coordinates, bool, RationalEntries.scaled)

    def times(self, other: Self) -> Self:
        """Return AB by at most d² rational products."""
        return self._product(other.planes, _is_not_zero, RationalEntries.times)

    def kron(self, other: Self) -> Self:
        """Return A ⊗ B, the matrix of the blocks a_ij B."""
        return self._product(other.planes, _is_not_zero, RationalEntries.kron)

    def _product(
        self, factors: Sequence[Any], counts: Callable[[Any], bool], multiply: Callable[..., Any]
    ) -> Self:
        """Return (Σ A_i α^i)(Σ b_j α^j) for a bilinear product, reduced by the minimal polynomial.

        Terms with A_i = 0, and those whose b_j does not count, are left out.
        """
        degree = self.field.degree
        powers: list[Any] = [None] * (2 * degree - 1)
        present = [(j, factor) for j, factor in enumerate(factors) if counts(factor)]
        for i, plane in enumerate(self.planes):
            if plane.is_zero():
                continue
            for j, factor in present:
                powers[i + j] = _sum(powers[i + j], multiply(plane, factor))
        for k in range(2 * degree - 2, degree - 1, -1):
            if powers[k] is not None:
                for place, c in self._tail():
                    powers[k - degree + place] = _sum(
                        powers[k - degree + place], powers[k].scaled(c)
                    )
        blank = multiply(self.planes[0], factors[0]).zeros_like()
        return type(self)(self.field, tuple(blank if p is None else p for p in powers[:degree]))

    def _tail(self) -> list[tuple[int, Any]]:
        """Return the pairs (k, c) of α^d = Σ c α^k with c ≠ 0."""
        return [(k, -c) for k, c in enumerate(self.field.minpoly[:-1]) if c]

    def _expanded(self) -> RationalEntries:
        """Return the expansion: d rows and d columns for each row and column."""
        degree, tail = self.field.degree, dict(self._tail())
        multiples = [self.planes]  # the planes of A, αA, …, α^{d−1}A
        for _ in range(degree - 1):
            *lower, top = multiples[-1]
            raised = enumerate([top.zeros_like(), *lower])
            multiples.append(
                tuple(
                    _sum(plane, top.scaled(tail[k])) if k in tail else plane for k, plane in raised
                )
            )
        coordinates = [_interleaved(planes) for planes in multiples]
        expanded = tuple(
            tuple(chain.from_iterable(zip(*rows, strict=True)))
            for rows in zip(*coordinates, strict=True)
        )
        return RationalEntries(self.rows * degree, self.cols * degree, table=expanded)

    def _of_coordinates(self, table: Rows, cols: int) -> Self:
        """Return the matrix with the given coordinates, the inverse of `_interleaved`."""
        degree = self.field.degree
        planes = (
            RationalEntries(len(table) // degree, cols, table=table[k::degree])
            for k in range(degree)
        )
        return type(self)(self.field, tuple(planes))

    def solve_regular(self, rhs: Self) -> Self | None:
        """Return A⁻¹B for a square A, or None if A is singular."""
        size = self.rows * self.field.degree
        coordinates = RationalEntries(size, rhs.cols, table=_interleaved(rhs.planes))
        solution = self._expanded().solve_regular(coordinates)
        return None if solution is None else self._of_coordinates(solution.to_rows(), rhs.cols)

    def inverse(self) -> Self | None:
        """Return A⁻¹, or None if A is singular."""
        if self._is_over_q():
            plane = self.planes[0].inverse()
            return None if plane is None else self._of_plane(plane)
        return self.solve_regular(self._of_plane(RationalEntries.diagonal(self.rows, fmpq(1))))

    def determinant(self) -> AlgebraicNumber:
        """Return det A by elimination on the elements."""
        if self._is_over_q():
            return self.field(self.planes[0].determinant())
        return determinant(self.to_rows(), self.field)  # type: ignore[no-any-return]

    def rank(self) -> int:
        """Return dim of the row space, by the expansion, whose rank is d times as large."""
        if self._is_over_q():
            return self.planes[0].rank()
        return self._expanded().rank() // self.field.degree

    def rref(self) -> tuple[Self, tuple[int, ...]]:
        """Return the reduced row echelon form and the pivot columns."""
        if self._is_over_q():
            plane, pivots = self.planes[0].rref()
            return self._of_plane(plane), pivots
        return self._rref_by_solving() or self._rref_by_expansion()

    def _rref_by_solving(self) -> tuple[Self, tuple[int, ...]] | None:
        """Return the echelon form from pivots that hold modulo a prime, or None if they do not.

        With A_IP the square part at independent rows I and pivots P, X = A_IP⁻¹ A_I has
        1 in its pivot columns. If the other rows are A_JP X, the row spaces agree, and if
        X has echelon shape it is the form: no conclusion rests on the prime.
        """
        columns, rows = self._likely_pivots(), self.transposed()._likely_pivots()
        if len(rows) != len(columns):
            return None
        chosen = self.select_rows(rows, None)
        form = chosen.select_columns(columns, None).solve_regular(chosen)
        rest = self.select_rows([i for i in range(self.rows) if i not in set(rows)], None)
        if form is None or not rest.select_columns(columns, None).times(form).is_equal(rest):
            return None
        zero = self.field.zero
        if any(x != zero for row, p in zip(form.to_rows(), columns, strict=True) for x in row[:p]):
            return None
        blank = tuple(RationalEntries.zeros(rest.rows, self.cols) for _ in self.planes)
        return form.above([type(self)(self.field, blank)]), columns

    def _likely_pivots(self) -> tuple[int, ...]:
        degree = self.field.degree
        return tuple(pivot // degree for pivot in self._expanded().pivots_modulo()[::degree])

    def _rref_by_expansion(self) -> tuple[Self, tuple[int, ...]]:
        """Return the echelon form from that of the expansion: slower, and never in doubt."""
        degree = self.field.degree
        form, pivots = self._expanded().rref()
        table = tuple(row[::degree] for row in form.to_rows())
        return (
            self._of_coordinates(table, self.cols),
            tuple(pivot // degree for pivot in pivots[::degree]),
        )


def _interleaved(planes: Planes) -> Rows:
    """Return the coordinates: for each row, its rows in all planes."""
    return tuple(chain.from_iterable(zip(*(plane.to_rows() for plane in planes), strict=True)))


def _is_not_zero(plane: RationalEntries) -> bool:
    return not plane.is_zero()


def _sum(a: RationalEntries | None, b: RationalEntries) -> RationalEntries:
    return b if a is None else a.plus(b)
