"""Exact matrices: one frozen type over Q, Q(α) and Q(a, b, …).

Matrix      == an m×n table over a field; its own normal form, so == is mathematical equality
field       == Q, a number field Q(α), or a field Q(a, b, …) of rational functions
pivot       == the first 1 of a row of the reduced row echelon form

The entries live in a store that suits the field (`RationalEntries`,
`AlgebraicEntries`, `ParametricEntries`); nothing that can change is handed out.
Rank, null space and solutions are exact, so that there is no tolerance to choose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from identcert.errors import InputError, SingularMatrix
from identcert.exact.field import QQ, Element, Field
from identcert.exact.matrix_entries import Entries, Row, Rows
from identcert.exact.matrix_rational import IntegerRows, RationalEntries
from identcert.exact.matrix_stores import coerced, entries_of, shared_width


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Matrix:
    """An m×n matrix over a field, with exact arithmetic and mathematical equality.

    Instances come from `Matrix.of`, `Matrix.identity`, `Matrix.zeros` and
    `Matrix.from_integer_rows`. Shapes 0×n and n×0 are matrices like all others.

    Examples
    --------
    >>> from fractions import Fraction
    >>> a = Matrix.of([[1, Fraction(1, 2)], [0, 3]])
    >>> a @ a.inverse() == Matrix.identity(2)
    True
    >>> a.T.scale(2)
    Matrix.of([[2, 0], [1, 6]])
    """

    entries: Entries

    @classmethod
    def of(
        cls, rows: Iterable[Iterable[object]], field: Field = QQ, cols: int | None = None
    ) -> Matrix:
        """Return the matrix with the given rows, each entry coerced by the field.

        Raises
        ------
        InputError
            If the rows differ in length, or there are none and `cols` is not given.
        """
        table = tuple(map(tuple, rows))
        width = shared_width(table, cols)
        return cls(entries_of(field, coerced(table, field), width))

    @classmethod
    def from_integer_rows(
        cls, rows: Sequence[Sequence[int]], denominator: int = 1, cols: int | None = None
    ) -> Matrix:
        """Return the rational matrix rows / denominator, for integer rows.

        >>> Matrix.from_integer_rows([[1, 2], [3, 4]], 2)
        Matrix.of([[1/2, 1], [3/2, 2]])
        """
        width = shared_width(rows, cols)
        if denominator == 0:
            raise InputError("the common denominator of a matrix is 0")
        return cls(RationalEntries.of_integers(rows, width, denominator))

    @classmethod
    def identity(cls, size: int, field: Field = QQ) -> Matrix:
        """Return the size×size identity matrix."""
        if field.kind == "rational":
            return cls(RationalEntries.diagonal(size, field.one))
        zero, one = field.zero, field.one
        table = tuple(tuple(one if i == j else zero for j in range(size)) for i in range(size))
        return cls(entries_of(field, table, size))

    @classmethod
    def zeros(cls, rows: int, cols: int, field: Field = QQ) -> Matrix:
        """Return the rows×cols zero matrix."""
        return cls(entries_of(field, ((field.zero,) * cols,) * rows, cols))

    @property
    def field(self) -> Field:
        """The field of the entries."""
        return self.entries.field

    @property
    def rows(self) -> int:
        """The number m of rows."""
        return self.entries.rows

    @property
    def cols(self) -> int:
        """The number n of columns."""
        return self.entries.cols

    @property
    def shape(self) -> tuple[int, int]:
        """The pair (m, n)."""
        return self.entries.rows, self.entries.cols

    def to_rows(self) -> Rows:
        """Return the elements row by row; computed once."""
        return self.entries.to_rows()

    def row(self, i: int) -> Row:
        """Return row i."""
        return self.entries.to_rows()[i]

    def column(self, j: int) -> Row:
        """Return column j."""
        return tuple([row[j] for row in self.entries.to_rows()])

    def __getitem__(self, place: tuple[int, int]) -> Element:
        i, j = place
        return self.entries.to_rows()[i][j]

    def integer_rows(self) -> tuple[IntegerRows, int]:
        """Return integer rows N and the least common denominator d > 0: the matrix is N/d.

        >>> Matrix.from_integer_rows([[3, 2]], 12).integer_rows()
        (((3, 2),), 12)
        """
        if not isinstance(self.entries, RationalEntries):
            raise InputError("only a matrix over the rationals has one common denominator")
        return self.entries.integer_rows()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Matrix):
            return NotImplemented
        mine, theirs = self.entries, other.entries
        if mine is theirs:
            return True
        return self.shape == other.shape and mine.field == theirs.field and mine.is_equal(theirs)

    def __hash__(self) -> int:
        return hash((self.shape, self.entries.normal_form()))

    def _check_fits(self, other: Matrix, fits: bool, what: str) -> None:
        if not fits:
            (m, n), (p, q) = self.shape, other.shape
            raise InputError(f"matrices of shapes {m}×{n} and {p}×{q} do not make {what}")
        if self.field != other.field:
            raise InputError(f"matrices over {self.field} and {other.field} do not make {what}")

    def __matmul__(self, other: Matrix) -> Matrix:
        self._check_fits(other, self.cols == other.rows, "a product")
        return Matrix(self.entries.times(other.entries))

    def __add__(self, other: Matrix) -> Matrix:
        self._check_fits(other, self.shape == other.shape, "a sum")
        return Matrix(self.entries.plus(other.entries))

    def __sub__(self, other: Matrix) -> Matrix:
        self._check_fits(other, self.shape == other.shape, "a difference")
        return Matrix(self.entries.plus(other.entries.negated()))

    def __neg__(self) -> Matrix:
        return Matrix(self.entries.negated())

    def scale(self, factor: object) -> Matrix:
        """Return c · A, with c coerced by the field."""
        return Matrix(self.entries.scaled(self.field(factor)))

    def scale_columns(self, factors: Sequence[object]) -> Matrix:
        """Return the matrix whose column j is factors[j] · (column j)."""
        return Matrix(self.entries.scaled_columns([self.field(c) for c in factors]))

    @property
    def T(self) -> Matrix:
        """The transpose."""
        return Matrix(self.entries.transposed())

    def __repr__(self) -> str:
        rows = ", ".join("[" + ", ".join(map(self.field.text, row)) + "]" for row in self.to_rows())
        return f"Matrix.of([{rows}])" if self.rows and self.cols else f"Matrix.zeros{self.shape}"

    def apply(self, vector: Sequence[object]) -> Row:
        """Return Ax for a vector x of n elements.

        >>> Matrix.of([[1, 2], [3, 4]]).apply([1, -1])
        (-1, -1)
        """
        if len(vector) != self.cols:
            raise InputError(f"a vector of length {len(vector)} does not fit {self.cols} columns")
        return (self @ Matrix.of([[x] for x in vector], self.field, cols=1)).column(0)

    def _check_square(self, noun: str) -> None:
        if self.rows != self.cols:
            raise InputError(f"a {self.rows}×{self.cols} matrix has no {noun}; it is not square")

    def inverse(self) -> Matrix:
        """Return A⁻¹.

        Raises
        ------
        SingularMatrix
            If det A = 0.
        """
        self._check_square("inverse")
        inverse = self.entries.inverse()
        if inverse is None:
            raise SingularMatrix(f"a matrix of shape {self.shape} and determinant 0 has no inverse")
        return Matrix(inverse)

    def det(self) -> Element:
        """Return the determinant; 1 for the 0×0 matrix."""
        self._check_square("determinant")
        return self.entries.determinant()

    def rank(self) -> int:
        """Return the dimension of the row space."""
        return self.entries.rank()

    def rref(self) -> tuple[Matrix, tuple[int, ...]]:
        """Return the reduced row echelon form R and its pivot columns.

        >>> Matrix.of([[2, 4], [1, 2]]).rref()
        (Matrix.of([[1, 2], [0, 0]]), (0,))
        """
        form, pivots = self.entries.rref()
        return Matrix(form), pivots

    def nullspace(self) -> tuple[Row, ...]:
        """Return a basis of {x : Ax = 0}, one vector for each column without pivot.

        The vector of such a column j has x_j = 1 and 0 at the other columns without
        pivot; its entries at the pivots are then the negated entries of column j of R.

        >>> Matrix.of([[1, 2, 3]]).nullspace()
        ((-2, 1, 0), (-3, 0, 1))
        """
        return self.entries.nullspace()

    def solve(self, rhs: Matrix) -> Matrix | None:
        """Return a matrix X with AX = B, or None if there is none.

        Unknowns without pivot are 0.

        >>> Matrix.of([[1, 1]]).solve(Matrix.of([[5]]))
        Matrix.of([[5], [0]])
        """
        self._check_fits(rhs, self.rows == rhs.rows, "an equation AX = B")
        solution = self.entries.solve(rhs.entries)
        return None if solution is None else Matrix(solution)

    def kron(self, other: Matrix) -> Matrix:
        """Return A ⊗ B, the matrix of the blocks a_ij B."""
        self._check_fits(other, True, "a Kronecker product")
        return Matrix(self.entries.kron(other.entries))

    def select_rows(self, indices: Sequence[int], signs: Sequence[int] | None = None) -> Matrix:
        """Return the matrix whose row k is signs[k] · (row indices[k]), for signs ±1."""
        return Matrix(self.entries.select_rows(indices, signs))

    def select_columns(self, indices: Sequence[int], signs: Sequence[int] | None = None) -> Matrix:
        """Return the matrix whose column k is signs[k] · (column indices[k]), for signs ±1.

        >>> Matrix.of([[1, 2, 3]]).select_columns([2, 0], [1, -1])
        Matrix.of([[3, -1]])
        """
        return Matrix(self.entries.select_columns(indices, signs))

    def is_zero(self) -> bool:
        """Return whether every entry is 0."""
        return self.entries.is_zero()

    def is_identity(self) -> bool:
        """Return whether the matrix is square with 1 on the diagonal and 0 elsewhere."""
        return self.rows == self.cols and self == Matrix.identity(self.rows, self.field)

    def over(self, field: Field, embed: Callable[[Element], Element]) -> Matrix:
        """Return the matrix of the images of the entries under an embedding of fields."""
        table = tuple(tuple([embed(x) for x in row]) for row in self.to_rows())
        return Matrix(entries_of(field, table, self.cols))

    @staticmethod
    def hstack(matrices: Iterable[Matrix]) -> Matrix:
        """Return [A B C …] of at least one matrix, all with the same number of rows."""
        first, *others = matrices
        for other in others:
            first._check_fits(other, first.rows == other.rows, "one row of blocks")
        return Matrix(first.entries.beside([other.entries for other in others]))

    @staticmethod
    def vstack(matrices: Iterable[Matrix]) -> Matrix:
        """Return A, B, C, … stacked, at least one, all with the same number of columns."""
        first, *others = matrices
        for other in others:
            first._check_fits(other, first.cols == other.cols, "one column of blocks")
        return Matrix(first.entries.above([other.entries for other in others]))
