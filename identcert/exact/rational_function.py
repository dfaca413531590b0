"""Elements of Q(a, b, …): rational functions in lowest terms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import flint

from identcert.exact.rational_field import as_rational

if TYPE_CHECKING:
    from identcert.exact.function_field import FunctionField

Terms = list[tuple[tuple[int, ...], Any]]


@dataclass(frozen=True, slots=True, eq=False)
class RationalFunction:
    """A quotient of polynomials in lowest terms, the leading coefficient below being 1.

    This normal form is unique, so that equality of the parts is equality of functions.
    Arithmetic mixes with int, Fraction and `flint.fmpq`.

    Examples
    --------
    >>> from identcert.exact.field import FunctionField
    >>> F = FunctionField(("a", "b"))
    >>> a, b = F.generators
    >>> (a * a - b * b) / (2 * a - 2 * b), (a + b) / a, (a / b) ** -2
    (1/2*a + 1/2*b, (a + b)/a, b^2/a^2)
    """

    field: FunctionField
    numerator: Any
    denominator: Any

    @property
    def is_constant(self) -> bool:
        """Whether no parameter occurs."""
        return bool(self.numerator.is_constant() and self.denominator.is_constant())

    @property
    def constant(self) -> Any:
        """The rational value of a constant function."""
        return self.numerator.leading_coefficient() if self.numerator else flint.fmpq(0)

    def at(self, values: Mapping[str, object]) -> Any | None:
        """Return the rational value at rational parameters, or None where it is not defined.

        Examples
        --------
        >>> from identcert.exact.field import FunctionField
        >>> a, b = FunctionField(("a", "b")).generators
        >>> (a / (a - b)).at({"a": 3, "b": 1}), (a / (a - b)).at({"a": 1, "b": 1})
        (3/2, None)
        """
        point = [as_rational(values[name]) for name in self.field.names]
        below = self.denominator(*point)
        return self.numerator(*point) / below if below else None

    def _same_field(self, other: object) -> RationalFunction | None:
        """Return ``other`` as an element of this field, or None for foreign types."""
        if isinstance(other, RationalFunction):
            return other if other.field == self.field else None
        if isinstance(other, int | Fraction | flint.fmpq | flint.fmpz):
            return self.field(other)
        return None

    def __add__(self, other: object) -> RationalFunction:
        y = self._same_field(other)
        if y is None:
            return NotImplemented
        if self.denominator == y.denominator:
            return self.field.quotient(self.numerator + y.numerator, self.denominator)
        top = self.numerator * y.denominator + y.numerator * self.denominator
        return self.field.quotient(top, self.denominator * y.denominator)

    __radd__ = __add__

    def __neg__(self) -> RationalFunction:
        return RationalFunction(self.field, -self.numerator, self.denominator)

    def __sub__(self, other: object) -> RationalFunction:
        y = self._same_field(other)
        return NotImplemented if y is None else self + -y

    def __rsub__(self, other: object) -> RationalFunction:
        return -self + other

    def __mul__(self, other: object) -> RationalFunction:
        y = self._same_field(other)
        if y is None:
            return NotImplemented
        top, bottom = self.numerator * y.numerator, self.denominator * y.denominator
        return self.field.quotient(top, bottom)

    __rmul__ = __mul__

    def inverse(self) -> RationalFunction:
        """Return 1/f; raises ZeroDivisionError for f = 0."""
        if not self:
            raise ZeroDivisionError("division by the zero function")
        leading = self.numerator.leading_coefficient()
        return RationalFunction(self.field, self.denominator / leading, self.numerator / leading)

    def __truediv__(self, other: object) -> RationalFunction:
        y = self._same_field(other)
        return NotImplemented if y is None else self * y.inverse()

    def __rtruediv__(self, other: object) -> RationalFunction:
        y = self._same_field(other)
        return NotImplemented if y is None else y * self.inverse()

    def __pow__(self, exponent: int) -> RationalFunction:
        if exponent < 0:
            return self.inverse() ** -exponent
        # powers of coprime polynomials stay coprime, and of monic ones monic
        return RationalFunction(self.field, self.numerator**exponent, self.denominator**exponent)

    def __bool__(self) -> bool:
        return bool(self.numerator)

    def __eq__(self, other: object) -> bool:
        y = self._same_field(other)
        if y is None:
            return NotImplemented
        return bool(self.numerator == y.numerator and self.denominator == y.denominator)

    def __hash__(self) -> int:
        # a constant equals its fmpq, and so must hash as it does
        if self.is_constant:
            return hash(self.constant)
        return hash((*sorted_terms(self.numerator), None, *sorted_terms(self.denominator)))

    def __repr__(self) -> str:
        return self.field.text(self)


def sorted_terms(polynomial: Any) -> Terms:
    """Return the pairs (exponent vector, coefficient) of a polynomial, ascending."""
    terms = polynomial.to_dict().items()
    return sorted((tuple(map(int, exponents)), c) for exponents, c in terms)
