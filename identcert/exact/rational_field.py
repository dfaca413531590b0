"""The field interface, and its first implementer Q.

Glossary
--------
field == an exact subfield of R, or a field of rational functions over Q.
element == a frozen value with one normal form: `flint.fmpq` over Q.
encoding == the canonical JSON spelling of an element, as evidence files use it.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

import flint

from identcert.errors import InputError
from identcert.exact.spelling import shortened

Element: TypeAlias = Any
"""An element of a field: `flint.fmpq`, `AlgebraicNumber` or `RationalFunction`."""

Kind: TypeAlias = Literal["rational", "algebraic", "parametric"]

MAX_DEGREE = 16

_RATIONAL = re.compile(r"(-?[1-9][0-9]*|0)(?:/([1-9][0-9]*))?", re.ASCII)


def as_rational(value: object) -> Any:
    """Return the rational number that an int, Fraction, fmpz or fmpq is, as `flint.fmpq`.

    Raises
    ------
    InputError
        If the value is of any other type, bool and float included.

    Examples
    --------
    >>> as_rational(Fraction(3, 6))
    1/2
    """
    if isinstance(value, flint.fmpq):
        return value
    if isinstance(value, Fraction):
        return flint.fmpq(value.numerator, value.denominator)
    if isinstance(value, int | flint.fmpz) and not isinstance(value, bool):
        return flint.fmpq(value)
    if hasattr(value, "__index__") and not isinstance(value, bool):
        return flint.fmpq(value.__index__())
    name = type(value).__name__
    raise InputError(f"a value of type {name} is not an exact number of this field")


def as_fraction(value: Any) -> Fraction:
    """Return the standard-library spelling of a `flint.fmpq`.

    Examples
    --------
    >>> as_fraction(as_rational(3) / 6)
    Fraction(1, 2)
    """
    return Fraction(int(value.p), int(value.q))


def encode_rational(value: Any) -> str:
    """Return the one spelling of a rational in evidence files: lowest terms, "-3/2" or "0"."""
    return str(value)


def decode_rational(obj: object) -> Any:
    """Read the canonical spelling of a rational, and nothing else.

    Raises
    ------
    InputError
        If it is not a string of that spelling, in lowest terms.

    Examples
    --------
    >>> decode_rational("-3/2")
    -3/2
    """
    match = _RATIONAL.fullmatch(obj) if isinstance(obj, str) else None
    if match is None:
        raise InputError(f"{shortened(obj)} is not a rational in canonical spelling")
    # flint reads decimal digits without Python's limit on the length of integers
    value = flint.fmpq(flint.fmpz(match[1]), flint.fmpz(match[2] or "1"))
    if encode_rational(value) != obj:
        raise InputError(f"{shortened(obj)} is not in lowest terms")
    return value


class Field(ABC):
    """A coefficient field: frozen, hashable, exact.

    Two field values are equal exactly when they are the same field with the same
    names, so that elements encoded in one decode in the other to the same numbers.
    Elements carry + - * / ** and == themselves; what needs the field stands here.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def kind(self) -> Kind:
        """Which of the three implementers this is, as files spell it."""

    @property
    @abstractmethod
    def degree(self) -> int:
        """The dimension over Q; 1 for Q, and 0 (infinite) for rational functions."""

    @property
    @abstractmethod
    def named(self) -> Mapping[str, Element]:
        """The elements that users write by name: parameters, or the declared number."""

    @abstractmethod
    def __call__(self, value: object) -> Element:
        """Return the element that a rational number or an element of this field is.

        Raises
        ------
        InputError
            If the value is neither.
        """

    @abstractmethod
    def is_zero(self, x: Element) -> bool:
        """Tell exactly whether x = 0."""

    @abstractmethod
    def sign(self, x: Element) -> int:
        """Return the exact sign of x in {-1, 0, 1}.

        Raises
        ------
        UnsupportedError
            If the sign depends on parameters.
        """

    @abstractmethod
    def ball(self, x: Element, bits: int) -> Any:
        """Return an `arb` that contains x, accurate to about ``bits`` bits of x.

        Raises
        ------
        UnsupportedError
            If x depends on parameters.
        """

    @abstractmethod
    def encode(self, x: Element) -> Any:
        """Return the canonical JSON object of x; ``decode(encode(x)) == x``."""

    @abstractmethod
    def decode(self, obj: object) -> Element:
        """Read an encoding; raises `InputError` for anything else."""

    @abstractmethod
    def text(self, x: Element) -> str:
        """Return x as people write it; in the scalar grammar it reads back as x."""

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return the canonical JSON object of the field itself."""

    @abstractmethod
    def find_sqrt(self, value: object) -> Element | None:
        """Return √q ≥ 0 of a rational q ≥ 0 if it lies in this field, else None."""

    @property
    def zero(self) -> Element:
        """The element 0."""
        return self(0)

    @property
    def one(self) -> Element:
        """The element 1."""
        return self(1)

    @property
    def is_ordered(self) -> bool:
        """Whether every element has a sign, as in every subfield of R."""
        return self.kind != "parametric"


_ZERO, _ONE = flint.fmpq(0), flint.fmpq(1)


@dataclass(frozen=True, slots=True)
class RationalField(Field):
    """The field Q of rational numbers; elements are `flint.fmpq`.

    Examples
    --------
    >>> QQ(Fraction(1, 2)) + 1
    3/2
    >>> QQ.encode(QQ(3) / 6), QQ.sign(QQ(-5)), QQ.text(QQ(-3) / 2)
    ('1/2', -1, '-3/2')
    """

    @property
    def kind(self) -> Kind:
        """The string "rational"."""
        return "rational"

    @property
    def degree(self) -> int:
        """The dimension 1 of Q over Q."""
        return 1

    @property
    def named(self) -> Mapping[str, Element]:
        """No element of Q has a name."""
        return {}

    @property
    def zero(self) -> Element:
        """The number 0."""
        return _ZERO

    @property
    def one(self) -> Element:
        """The number 1."""
        return _ONE

    def __call__(self, value: object) -> Element:
        """Return the rational that an int, Fraction, fmpz or fmpq is."""
        return as_rational(value)

    def is_zero(self, x: Element) -> bool:
        """Tell whether x = 0."""
        return not x

    def sign(self, x: Element) -> int:
        """Return the sign of x."""
        return int(x > 0) - int(x < 0)

    def ball(self, x: Element, bits: int) -> Any:
        """Return x rounded to ``bits`` bits with its error."""
        with flint.ctx.workprec(bits):
            return flint.arb(x)

    def encode(self, x: Element) -> str:
        """Return x in lowest terms as a string."""
        return encode_rational(x)

    def decode(self, obj: object) -> Element:
        """Read a rational in canonical spelling."""
        return decode_rational(obj)

    def text(self, x: Element) -> str:
        """Return x as "3/2"."""
        return encode_rational(x)

    def describe(self) -> dict[str, Any]:
        """Return ``{"kind": "rational"}``."""
        return {"kind": "rational"}

    def find_sqrt(self, value: object) -> Element | None:
        """Return √q if it is rational, else None.

        Examples
        --------
        >>> QQ.find_sqrt(Fraction(4, 9)), QQ.find_sqrt(2)
        (2/3, None)
        """
        return find_rational_sqrt(as_rational(value))


def find_rational_sqrt(q: Any) -> Any | None:
    """Return √q ≥ 0 for a rational square q, else None."""
    if q < 0:
        return None
    # in lowest terms q is a square exactly when both of its parts are
    root = flint.fmpq(q.p.isqrt(), q.q.isqrt())
    return root if root * root == q else None


QQ = RationalField()
