"""Invertible affine maps x ↦ Ax + c, the elements of the group Aff(n) over a field.

linear part == A, a signed permutation whenever it is one, else a matrix
shift       == c, the image of 0
pull back   == (W, b) ↦ (W, b)∘ρ, how a map before a layer changes the layer
push forward == (W, b) ↦ ρ∘(W, b), how a map after a layer changes the layer
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from identcert.errors import InputError, SingularMatrix, UnsupportedError
from identcert.exact.field import QQ, Element, Field
from identcert.exact.matrix import Matrix
from identcert.groups.signed import SignedPermutation as SignedPermutation
from identcert.groups.words import power

Linear: TypeAlias = SignedPermutation | Matrix


@dataclass(frozen=True, slots=True)
class AffineMap:
    """The invertible map x ↦ Ax + c of an n-dimensional space over a field.

    A matrix that is a signed permutation is always stored as one, so that two
    maps are equal as values exactly when they are equal as maps.

    Attributes
    ----------
    field : the coefficient field.
    dim : n.
    linear : A, a `SignedPermutation` or an n×n `Matrix`.
    shift : c, n elements of the field.
    is_linear : whether c = 0.

    Raises
    ------
    InputError
        If the sizes disagree.
    SingularMatrix
        If A has no inverse.

    Examples
    --------
    >>> flip = AffineMap.from_matrix(Matrix.of([[0, 1], [1, 0]]), shift=(1, 0))
    >>> flip.linear
    SignedPermutation(permutation=(1, 0), signs=(1, 1))
    >>> flip.apply((QQ(3), QQ(5)))
    (6, 3)
    >>> (flip @ flip.inverse()).is_identity()
    True
    """

    field: Field
    dim: int
    linear: Linear
    shift: tuple[Element, ...]
    is_linear: bool = dataclasses.field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Check sizes and invertibility, and bring the linear part to normal form."""
        if isinstance(self.linear, Matrix):
            check_invertible(self.linear, self.dim)
            object.__setattr__(self, "linear", normal_linear(self.linear))
        elif self.linear.dim != self.dim:
            raise InputError(
                f"a permutation of {self.linear.dim} entries acts on {self.dim} numbers"
            )
        if len(self.shift) != self.dim:
            raise InputError(f"a shift of {len(self.shift)} entries acts on {self.dim} numbers")
        object.__setattr__(self, "is_linear", all(map(self.field.is_zero, self.shift)))

    @classmethod
    def identity(cls, dim: int, field: Field = QQ) -> AffineMap:
        """Return the identity of a space of the given dimension."""
        return _trusted(field, SignedPermutation.identity(dim), (field.zero,) * dim, True)

    @classmethod
    def from_permutation(
        cls,
        permutation: Iterable[int],
        signs: Iterable[int] | None = None,
        shift: Iterable[object] | None = None,
        field: Field = QQ,
    ) -> AffineMap:
        """Return x ↦ (signs[i]·x[permutation[i]] + shift[i])_i."""
        linear = SignedPermutation.of(permutation, signs)
        return cls(field, linear.dim, linear, _shift(shift, linear.dim, field))

    @classmethod
    def from_matrix(cls, matrix: Matrix, shift: Iterable[object] | None = None) -> AffineMap:
        """Return x ↦ Ax + c over the field of the matrix."""
        return cls(matrix.field, matrix.rows, matrix, _shift(shift, matrix.rows, matrix.field))

    def is_identity(self) -> bool:
        """Return whether every point is fixed."""
        return (
            isinstance(self.linear, SignedPermutation)
            and self.linear.is_identity()
            and self.is_linear
        )

    def matrix(self) -> Matrix:
        """Return A as an n×n matrix."""
        if isinstance(self.linear, Matrix):
            return self.linear
        identity = Matrix.identity(self.dim, self.field)
        return identity.select_rows(self.linear.permutation, self.linear.signs)

    def __matmul__(self, other: AffineMap) -> AffineMap:
        """Return the composition x ↦ self(other(x))."""
        linear: Linear
        if isinstance(self.linear, SignedPermutation):
            if isinstance(other.linear, SignedPermutation):
                linear = self.linear @ other.linear
            else:
                linear = other.linear.select_rows(self.linear.permutation, self.linear.signs)
        else:
            linear = normal_linear(_times(self.linear, other.linear))
        if other.is_linear:
            return _trusted(self.field, linear, self.shift, self.is_linear)
        return _trusted(self.field, linear, self._shifted(self._apply_linear(other.shift)))

    def inverse(self) -> AffineMap:
        """Return x ↦ A⁻¹x − A⁻¹c."""
        linear = self.linear.inverse()
        back = _trusted(self.field, linear, (self.field.zero,) * self.dim, True)
        if self.is_linear:
            return back
        return _trusted(self.field, linear, tuple(-x for x in back.apply(self.shift)), False)

    def __pow__(self, exponent: int) -> AffineMap:
        """Return the composition power, also for negative exponents."""
        return power(self, exponent, AffineMap.identity(self.dim, self.field))

    def apply(self, point: Sequence[Element]) -> tuple[Element, ...]:
        """Return the image Ax + c of a point of n elements."""
        return self._shifted(self._apply_linear(point))

    def transpose(self) -> AffineMap:
        """Return x ↦ Aᵀx, for a linear map.

        Raises
        ------
        UnsupportedError
            If the map has a shift.
        """
        if not self.is_linear:
            raise UnsupportedError("an affine map with a shift has no transpose")
        if isinstance(self.linear, SignedPermutation):
            return self.inverse()
        return _trusted(self.field, self.linear.T, self.shift, True)

    def det(self) -> Element:
        """Return the determinant of A, an element of the field."""
        return self.field(self.linear.det())

    def trace(self) -> Element:
        """Return the trace of A, an element of the field."""
        if isinstance(self.linear, SignedPermutation):
            return self.field(self.linear.trace())
        diagonal = (self.linear[i, i] for i in range(self.dim))
        return sum(diagonal, self.field.zero)

    def over(self, field: Field, embed: Callable[[Element], Element]) -> AffineMap:
        """Return the same map over a larger field, entries carried by an embedding."""
        linear = self.linear
        if isinstance(linear, Matrix):
            linear = linear.over(field, embed)
        return _trusted(field, linear, tuple(map(embed, self.shift)), self.is_linear)

    def pull_back(self, weight: Matrix, bias: Sequence[Any]) -> tuple[Matrix, tuple[Any, ...]]:
        """Return (W, b)∘self = (WA, Wc + b).

        Shapes: W is m×n and b has m entries, of any type that adds field elements.
        """
        if isinstance(self.linear, SignedPermutation):
            inverse = self.linear.inverse()
            moved = weight.select_columns(inverse.permutation, inverse.signs)
        else:
            moved = weight @ self.linear
        if self.is_linear:
            return moved, tuple(bias)
        added = weight.apply(self.shift)
        return moved, tuple(b + s for b, s in zip(bias, added, strict=True))

    def push_forward(self, weight: Matrix, bias: Sequence[Any]) -> tuple[Matrix, tuple[Any, ...]]:
        """Return self∘(W, b) = (AW, Ab + c).

        Shapes: W is n×m and b has n entries, of any type that adds and is
        multiplied by field elements.
        """
        if isinstance(self.linear, SignedPermutation):
            moved = weight.select_rows(self.linear.permutation, self.linear.signs)
        else:
            moved = self.linear @ weight
        return moved, self._shifted(self._apply_linear(bias))

    def _apply_linear(self, point: Sequence[Any]) -> tuple[Any, ...]:
        """Return Ax, where x may hold more than field elements."""
        if isinstance(self.linear, SignedPermutation):
            return self.linear.apply(point)
        return tuple(_combination(row, point, self.field) for row in self.linear.to_rows())

    def _shifted(self, point: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return x + c."""
        if self.is_linear:
            return point
        return tuple(x + c for x, c in zip(point, self.shift, strict=True))


def _trusted(
    field: Field, linear: Linear, shift: tuple[Element, ...], is_linear: bool | None = None
) -> AffineMap:
    """Return a map whose parts are known to be in normal form, without looking again."""
    if is_linear is None:
        is_linear = all(map(field.is_zero, shift))
    element = object.__new__(AffineMap)
    object.__setattr__(element, "field", field)
    object.__setattr__(element, "dim", len(shift))
    object.__setattr__(element, "linear", linear)
    object.__setattr__(element, "shift", shift)
    object.__setattr__(element, "is_linear", is_linear)
    return element


def _shift(shift: Iterable[object] | None, dim: int, field: Field) -> tuple[Element, ...]:
    """Return the shift as field elements, 0 when it was left out."""
    return (field.zero,) * dim if shift is None else tuple(map(field, shift))


def _times(left: Matrix, right: Linear) -> Matrix:
    """Return the product of a matrix and a linear part."""
    if isinstance(right, Matrix):
        return left @ right
    inverse = right.inverse()
    return left.select_columns(inverse.permutation, inverse.signs)


def _combination(coefficients: Sequence[Element], values: Sequence[Any], field: Field) -> Any:
    """Return Σ_j a_j·x_j, terms with a_j = 0 left out."""
    total: Any = field.zero
    for a, x in zip(coefficients, values, strict=True):
        if not field.is_zero(a):
            total = x * a + total
    return total


def check_invertible(matrix: Matrix, dim: int, where: str | None = None) -> None:
    """Refuse a matrix that is not an invertible dim×dim matrix.

    Raises
    ------
    InputError
        If the shape is another one.
    SingularMatrix
        If the determinant is 0.
    """
    if matrix.shape != (dim, dim):
        rows, cols = matrix.shape
        fix = f"write a {dim}×{dim} matrix"
        raise InputError(f"the matrix is {rows}×{cols} where it acts on {dim} numbers", where, fix)
    if normal_linear(matrix) is matrix and matrix.rank() < dim:
        raise SingularMatrix("the matrix is singular", where, "a group acts by invertible maps")


def normal_linear(matrix: Matrix) -> Linear:
    """Return the signed permutation that a square matrix is, or else the matrix itself."""
    field = matrix.field
    one, minus_one = field.one, -field.one
    permutation, signs = [], []
    for row in matrix.to_rows():
        support = [j for j, x in enumerate(row) if not field.is_zero(x)]
        if len(support) != 1 or row[support[0]] not in (one, minus_one):
            return matrix
        permutation.append(support[0])
        signs.append(1 if row[support[0]] == one else -1)
    if len(set(permutation)) != len(permutation):
        return matrix
    return SignedPermutation(tuple(permutation), tuple(signs))
