"""Scalars as files write them: exact numbers, parameters, square roots.

Glossary
--------
expression == a scalar that has been read, before its field is known.
declaration == "t is the root of this polynomial in this interval".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, assert_never

import flint

from identcert.errors import InputError, UnsupportedError
from identcert.exact.field import (
    QQ,
    Element,
    Field,
    FunctionField,
    NumberField,
    as_fraction,
    as_rational,
)
from identcert.exact.radicals import squarefree_root
from identcert.exact.scalar_syntax import MAX_EXPONENT, decimal_value, parse
from identcert.exact.scalar_value import (
    MAX_BITS,
    MAX_DIGITS,
    Name,
    Node,
    Number,
    Power,
    Product,
    Root,
    Sum,
    value,
)
from identcert.exact.spelling import shortened

_NONE: frozenset[Any] = frozenset()


@dataclass(frozen=True, slots=True)
class Expression:
    """A scalar expression with the names and the square roots that occur in it."""

    node: Node
    where: str
    names: frozenset[str] = _NONE
    radicands: frozenset[Fraction] = _NONE


def parse_scalar(obj: object, where: str) -> Expression:
    """Read an int, a Decimal (a JSON number with point or exponent) or a text of the grammar.

    Raises
    ------
    InputError
        If it is anything else, or beyond the limits; the limits act before any arithmetic.

    Examples
    --------
    >>> expression = parse_scalar("sqrt(1/2) + a/3", "weight")
    >>> sorted(expression.names), expression.radicands
    (['a'], frozenset({Fraction(1, 2)}))
    """
    try:
        if isinstance(obj, str):
            node = parse(obj)
            names, radicands = set[str](), set[Fraction]()
            _collect(node, names, radicands)
            return Expression(node, where, frozenset(names), frozenset(radicands))
        return Expression(Number(_number(obj)), where)
    except (InputError, UnsupportedError) as error:
        raise _located(error, where) from None


def _located(error: InputError | UnsupportedError, where: str) -> InputError | UnsupportedError:
    """Return the same error with the place where the expression stands."""
    if isinstance(error, InputError):
        return InputError(error.what, where, error.fix)
    return UnsupportedError(f"{where}: {error}")


def _collect(node: Node, names: set[str], radicands: set[Fraction]) -> None:
    match node:
        case Number():
            pass
        case Name():
            names.add(node.name)
        case Root():
            radicands.add(as_fraction(node.radicand))
        case Power():
            _collect(node.base, names, radicands)
        case Sum():
            for _, term in node.terms:
                _collect(term, names, radicands)
        case Product():
            for _, factor in node.factors:
                _collect(factor, names, radicands)
        case _:
            assert_never(node)


def _number(obj: object) -> Any:
    """Return the rational that a number of JSON or of Python spells."""
    if isinstance(obj, Decimal):
        return _decimal_number(obj)
    if isinstance(obj, bool | float) or not isinstance(obj, int | Fraction | flint.fmpq):
        raise InputError(
            f"{shortened(obj)} is not an exact number",
            fix='write an integer, a decimal, or a text such as "3/2" or "sqrt(2)"',
        )
    number = as_rational(obj)
    if number.height_bits() > MAX_BITS:
        raise InputError(f"a number has more than {MAX_DIGITS:,} digits")
    return number


def _decimal_number(decimal: Decimal) -> Any:
    """Return the exact value of a Decimal; its length is bounded before any arithmetic."""
    if not decimal.is_finite():
        raise InputError(f"{decimal} is not a real number")
    sign, digits, exponent = decimal.as_tuple()
    if len(digits) > MAX_DIGITS:
        raise InputError(f"a number has more than {MAX_DIGITS:,} digits")
    # a positive exponent is spelled with "e", a negative one may only count decimals
    if int(exponent) > MAX_EXPONENT:
        raise InputError(f"an exponent is larger than {MAX_EXPONENT:,}")
    number = decimal_value("".join(map(str, digits)), "", int(exponent))
    return -number if sign else number


def evaluate(
    expression: Expression, field: Field, names: Mapping[str, Element] | None = None
) -> Element:
    """Return the value of an expression in a field; ``names`` are by default the field's own.

    Raises
    ------
    InputError
        If something is divided by zero, or a name or root has no value in the field.

    Examples
    --------
    >>> expression = parse_scalar("(1 + sqrt(2))^-2", "weight")
    >>> evaluate(expression, field_of([expression], [], None))
    3 - 2*sqrt(2)
    """
    if isinstance(expression.node, Number):
        return field(expression.node.value)
    try:
        return value(expression.node, field, field.named if names is None else names)
    except (InputError, UnsupportedError) as error:
        raise _located(error, expression.where) from None


@dataclass(frozen=True, slots=True)
class AlgebraicDeclaration:
    """The statement that ``symbol`` is the one root of a polynomial inside an interval.

    ``minpoly`` lists ascending rational coefficients, ``root`` the ends of the interval.
    """

    symbol: str
    minpoly: tuple[Any, ...]
    root: tuple[Any, Any]

    def field(self) -> NumberField:
        """Return Q(t); raises `InputError` if the polynomial or the interval is unfit."""
        return NumberField(self.minpoly, self.root, self.symbol)


def _squarefree_radicands(expression: Expression) -> set[int]:
    """Return the squarefree d > 1 whose roots the expression needs."""
    try:
        found = {squarefree_root(as_rational(q))[1] for q in expression.radicands}
    except UnsupportedError as error:
        raise _located(error, expression.where) from None
    return found - {1}


def field_of(
    expressions: Iterable[Expression],
    parameters: Sequence[str] = (),
    algebraic: AlgebraicDeclaration | None = None,
) -> Field:
    """Return the smallest supported field in which the expressions have values.

    Names and roots that are declared but not used do not count.

    Raises
    ------
    InputError
        If a declaration is unfit, or an expression uses a name that is not declared.
    UnsupportedError
        If parameters and algebraic numbers meet, or the degree exceeds 16.

    Examples
    --------
    >>> field_of([parse_scalar("sqrt(4)", "w")]), field_of([parse_scalar("sqrt(8)", "w")]).degree
    (RationalField(), 2)
    """
    declared = {*parameters}
    if parameters:
        FunctionField(tuple(parameters))  # checks the names
    base = algebraic.field() if algebraic is not None else None
    if base is not None and base.symbol in declared:
        raise InputError(f"'{base.symbol}' is declared as a parameter and as a number")
    used, radicands = set[str](), set[int]()
    for expression in expressions:
        _check_declared(expression, declared | ({base.symbol} if base else set()))
        used |= expression.names
        radicands |= _squarefree_radicands(expression)
    number_field = _number_field(base if base and base.symbol in used else None, radicands)
    open_names = used & declared
    if not open_names:
        return number_field or QQ
    if number_field is not None:
        raise UnsupportedError(
            "parameters and algebraic numbers (or square roots) cannot stand in one problem"
        )
    return FunctionField(tuple(open_names))


def _check_declared(expression: Expression, declared: set[str]) -> None:
    unknown = sorted(expression.names - declared)
    if unknown:
        raise InputError(f"the name '{unknown[0]}' is not declared", expression.where)


def _number_field(base: NumberField | None, radicands: set[int]) -> NumberField | None:
    """Return the field of the declared number and the square roots, or None for Q."""
    if not radicands:
        return base
    return base.with_roots(radicands) if base else NumberField.quadratic(radicands)
