"""Two ways of reading the scalars of an action file: by the grammar, or canonical.

token == what a scalar is read as, before all scalars of the file have told their field
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from identcert.errors import InputError
from identcert.exact.field import Element, Field
from identcert.exact.scalar import (
    AlgebraicDeclaration,
    Expression,
    evaluate,
    field_of,
    parse_scalar,
)


class ScalarReader(Protocol):
    """How scalars are read: first a token each, then a field, then values."""

    @property
    def zero(self) -> Any:
        """A token of the number 0."""

    def read(self, value: object, where: str) -> Any:
        """Return a token for a scalar."""

    def field(self) -> Field:
        """Return the smallest field of all tokens so far."""

    def value(self, token: Any) -> Element:
        """Return the value of a token, an element of the field."""


class ExpressionReader:
    """Scalars by the grammar of files, with declared names and square roots."""

    def __init__(self, parameters: Sequence[str], algebraic: AlgebraicDeclaration | None) -> None:
        self._parameters, self._algebraic = parameters, algebraic
        self._expressions: list[Expression] = []
        self._field: Field | None = None

    @property
    def zero(self) -> Expression:
        """The expression 0."""
        return parse_scalar(0, "zero")

    def read(self, value: object, where: str) -> Expression:
        """Return the parsed expression."""
        expression = parse_scalar(value, where)
        self._expressions.append(expression)
        return expression

    def field(self) -> Field:
        """Return the smallest field in which all expressions have values."""
        if self._field is None:
            self._field = field_of(self._expressions, self._parameters, self._algebraic)
        return self._field

    def value(self, token: Expression) -> Element:
        """Return the value of an expression."""
        return evaluate(token, self.field())


@dataclass(frozen=True, slots=True)
class CanonicalReader:
    """Scalars in the canonical spelling of evidence, over a field that the file states."""

    stated: Field

    @property
    def zero(self) -> Element:
        """The element 0."""
        return self.stated.zero

    def read(self, value: object, where: str) -> Element:
        """Return the element itself."""
        try:
            return self.stated.decode(value)
        except InputError as error:
            raise InputError(error.what, where, error.fix) from None

    def field(self) -> Field:
        """Return the field that the file states."""
        return self.stated

    def value(self, token: Element) -> Element:
        """Return the element."""
        return token
