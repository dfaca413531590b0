"""Elements of a real number field Q(α), by their coordinates over powers of α."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import flint

if TYPE_CHECKING:
    from identcert.exact.number_field import NumberField


@dataclass(frozen=True, slots=True, eq=False)
class AlgebraicNumber:
    """A real number of Q(α), by its coordinates over 1, α, …, α^{n−1}.

    Arithmetic and order mix with int, Fraction and `flint.fmpq`. Two numbers are compared
    and combined within one field: `identcert.exact.join.join` brings them there.

    Examples
    --------
    >>> from identcert.exact.field import NumberField
    >>> root = NumberField.quadratic([2]).radicals[2]
    >>> root * root, 1 / root, (root + 1) ** 3, root**2 == 2, abs(1 - root) < 1
    (2, 1/2*sqrt(2), 7 + 5*sqrt(2), True, True)
    """

    field: NumberField
    coordinates: tuple[Any, ...]

    @property
    def is_rational(self) -> bool:
        """Whether the number lies in Q."""
        return not any(self.coordinates[1:])

    def _same_field(self, other: object) -> AlgebraicNumber | None:
        """Return ``other`` as an element of this field, or None for foreign types."""
        if isinstance(other, AlgebraicNumber):
            return other if self.field is other.field or self.field == other.field else None
        if isinstance(other, int | Fraction | flint.fmpq | flint.fmpz):
            return self.field(other)
        return None

    def __add__(self, other: object) -> AlgebraicNumber:
        y = self._same_field(other)
        if y is None:
            return NotImplemented
        pairs = zip(self.coordinates, y.coordinates, strict=True)
        return AlgebraicNumber(self.field, tuple(a + b for a, b in pairs))

    __radd__ = __add__

    def __neg__(self) -> AlgebraicNumber:
        return AlgebraicNumber(self.field, tuple(-a for a in self.coordinates))

    def __sub__(self, other: object) -> AlgebraicNumber:
        y = self._same_field(other)
        return NotImplemented if y is None else self + -y

    def __rsub__(self, other: object) -> AlgebraicNumber:
        return -self + other

    def __mul__(self, other: object) -> AlgebraicNumber:
        y = self._same_field(other)
        if y is None:
            return NotImplemented
        if y.is_rational:
            c = y.coordinates[0]
            return AlgebraicNumber(self.field, tuple(a * c for a in self.coordinates))
        return self.field.reduced(self.polynomial() * y.polynomial())

    __rmul__ = __mul__

    def inverse(self) -> AlgebraicNumber:
        """Return 1/x; raises ZeroDivisionError for x = 0."""
        if not self:
            raise ZeroDivisionError("division by zero in a number field")
        _, inverse, _ = self.polynomial().xgcd(self.field.modulus)
        return self.field.reduced(inverse)

    def __truediv__(self, other: object) -> AlgebraicNumber:
        y = self._same_field(other)
        return NotImplemented if y is None else self * y.inverse()

    def __rtruediv__(self, other: object) -> AlgebraicNumber:
        y = self._same_field(other)
        return NotImplemented if y is None else y * self.inverse()

    def __pow__(self, exponent: int) -> AlgebraicNumber:
        if exponent < 0:
            return self.inverse() ** -exponent
        power, square = self.field(1), self
        while exponent:
            if exponent % 2:
                power = power * square
            exponent //= 2
            square = square * square if exponent else square
        return power

    def __bool__(self) -> bool:
        return any(self.coordinates)

    def __eq__(self, other: object) -> bool:
        y = self._same_field(other)
        if y is not None:
            return self.coordinates == y.coordinates
        if isinstance(other, AlgebraicNumber) and self.is_rational and other.is_rational:
            return bool(self.coordinates[0] == other.coordinates[0])
        return NotImplemented

    def _sign_against(self, other: object) -> int | None:
        """Return the sign of x − y, or None for foreign types."""
        y = self._same_field(other)
        return None if y is None else self.field.sign(self - y)

    def __lt__(self, other: object) -> bool:
        sign = self._sign_against(other)
        return NotImplemented if sign is None else sign < 0

    def __le__(self, other: object) -> bool:
        sign = self._sign_against(other)
        return NotImplemented if sign is None else sign <= 0

    def __gt__(self, other: object) -> bool:
        sign = self._sign_against(other)
        return NotImplemented if sign is None else sign > 0

    def __ge__(self, other: object) -> bool:
        sign = self._sign_against(other)
        return NotImplemented if sign is None else sign >= 0

    def __abs__(self) -> AlgebraicNumber:
        return -self if self < 0 else self

    def __hash__(self) -> int:
        # a rational number equals its fmpq, and so must hash as it does
        return hash(self.coordinates[0]) if self.is_rational else hash(self.coordinates)

    def __repr__(self) -> str:
        return self.field.text(self)

    def polynomial(self) -> Any:
        """Return the polynomial p of degree < n with p(α) = x, a fresh `flint.fmpq_poly`."""
        return flint.fmpq_poly(list(self.coordinates))
