"""Scalar expressions as trees, and their values in a field, with limits on size.

Glossary
--------
size == digits of the rationals, and terms of the polynomials, that a value is made of.
Limits hold before an operation where its result could be far larger than its operands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb, prod
from typing import Any, TypeAlias, assert_never

from identcert.errors import InputError
from identcert.exact.field import AlgebraicNumber, Element, Field, RationalFunction

MAX_DIGITS = 10_000
MAX_BITS = 33_220  # 10,000 digits
MAX_TERMS = 5_000
MAX_WORK = 1_000_000
MAX_TOTAL_DEGREE = 10_000


@dataclass(frozen=True, slots=True)
class Number:
    """A rational number."""

    value: Any


@dataclass(frozen=True, slots=True)
class Name:
    """A parameter, or the declared algebraic number."""

    name: str


@dataclass(frozen=True, slots=True)
class Root:
    """The square root of a rational number q ≥ 0."""

    radicand: Any


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum of terms with signs ±1."""

    terms: tuple[tuple[int, Node], ...]


@dataclass(frozen=True, slots=True)
class Product:
    """A product of factors with exponents ±1; −1 divides."""

    factors: tuple[tuple[int, Node], ...]


@dataclass(frozen=True, slots=True)
class Power:
    """An integer power."""

    base: Node
    exponent: int


Node: TypeAlias = Number | Name | Root | Sum | Product | Power


def value(node: Node, field: Field, names: Mapping[str, Element]) -> Element:
    """Return the value of a tree in a field.

    Raises
    ------
    InputError
        If something is divided by zero, a name or a root has no value in the field,
        or the value is larger than the limits.
    """
    match node:
        case Number():
            return field(node.value)
        case Name():
            if node.name not in names:
                raise InputError(f"the name '{node.name}' is not declared")
            return names[node.name]
        case Root():
            root = field.find_sqrt(node.radicand)
            if root is None:
                raise InputError(f"sqrt({node.radicand}) does not lie in the field")
            return root
        case Sum():
            total = field.zero
            for sign, term in node.terms:
                summand = value(term, field, names)
                total = _limited_sum(total, summand if sign > 0 else -summand)
            return total
        case Product():
            result = field.one
            for exponent, factor in node.factors:
                operand = value(factor, field, names)
                operand = operand if exponent > 0 else _inverse(operand, field)
                result = _limited_product(result, operand)
            return result
        case Power():
            base = value(node.base, field, names)
            base = base if node.exponent >= 0 else _inverse(base, field)
            return _limited_power(base, abs(node.exponent), field)
        case _:
            assert_never(node)


def _inverse(x: Element, field: Field) -> Element:
    if field.is_zero(x):
        raise InputError("division by zero")
    return 1 / x


def _limited_sum(x: Element, y: Element) -> Element:
    _check_work(x, y)
    return _limited(x + y)


def _limited_product(x: Element, y: Element) -> Element:
    _check_work(x, y)
    return _limited(x * y)


def _limited_power(base: Element, exponent: int, field: Field) -> Element:
    if isinstance(base, RationalFunction):
        for part in (base.numerator, base.denominator):
            _check_power(part, exponent)
        return _limited(base**exponent)
    # each square is at most twice as long as its base, so the limits act in time
    power, square = field.one, base
    while exponent:
        if exponent % 2:
            power = _limited(power * square)
        exponent //= 2
        square = _limited(square * square) if exponent else square
    return power


def _check_power(polynomial: Any, exponent: int) -> None:
    """Refuse a power of a polynomial by bounds on its degree, terms and coefficients."""
    _check_degree(polynomial.total_degree() * exponent)
    terms = len(polynomial)
    by_choice = comb(terms - 1 + exponent, exponent) if terms else 0
    by_degrees = prod(degree * exponent + 1 for degree in polynomial.degrees())
    if min(by_choice, by_degrees) > MAX_TERMS:
        _refuse_terms()
    if (_bits(polynomial.coeffs()) - 1) * exponent > MAX_BITS:
        _refuse_digits()


def _check_work(x: Element, y: Element) -> None:
    if isinstance(x, RationalFunction):
        longest = [max(len(z.numerator), len(z.denominator)) for z in (x, y)]
        if longest[0] * longest[1] > MAX_WORK:
            _refuse_terms()


def _limited(x: Element) -> Element:
    if isinstance(x, AlgebraicNumber):
        bits = _bits(x.coordinates)
    elif isinstance(x, RationalFunction):
        parts = (x.numerator, x.denominator)
        bits = max(_bits(part.coeffs()) for part in parts)
        _check_degree(max(part.total_degree() for part in parts))
        if max(len(part) for part in parts) > MAX_TERMS:
            _refuse_terms()
    else:
        bits = x.height_bits()
    if bits > MAX_BITS:
        _refuse_digits()
    return x


def _bits(rationals: Any) -> int:
    return max((c.height_bits() for c in rationals), default=0)


def _check_degree(degree: int) -> None:
    if degree > MAX_TOTAL_DEGREE:
        raise InputError(f"a value of the expression has a degree above {MAX_TOTAL_DEGREE:,}")


def _refuse_digits() -> None:
    raise InputError(f"a value of the expression has more than {MAX_DIGITS:,} digits")


def _refuse_terms() -> None:
    raise InputError(f"a value of the expression has more than {MAX_TERMS:,} terms")
