"""The coefficients of a problem, read from canonical JSON and spelled in Coq.

numbers == how one field is read and written: Q, or Q(α) by coordinates; for
           rational functions of parameters see `identcert.witness.coq_parameters`
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeVar

from identcert.errors import InputError
from identcert.witness.coq_text import (
    LEAD,
    broken,
    common_denominator,
    integer,
    listing,
    rational,
    scaled,
)

RATIONAL = re.compile(r"(?:-?[1-9][0-9]{0,4299}|0)(?:/[1-9][0-9]{0,4299})?\Z", re.ASCII)
Coordinates = tuple[Fraction, ...]
N = TypeVar("N")  # a number of the field


def parse_rational(value: object, where: str) -> Fraction:
    """Read a canonical rational.

    Raises
    ------
    InputError
        If it is not spelled as one.

    Examples
    --------
    >>> parse_rational("-3/4", "here")
    Fraction(-3, 4)
    """
    if not isinstance(value, str) or not RATIONAL.match(value):
        raise InputError("is not a rational in canonical spelling", where)
    numerator, _, denominator = value.partition("/")
    return Fraction(int(numerator), int(denominator or "1"))


def parse_rationals(value: object, where: str) -> Coordinates:
    """Read a list of canonical rationals.

    Raises
    ------
    InputError
        If it is not one.
    """
    if not isinstance(value, list):
        raise InputError("is not a list", where)
    return tuple(parse_rational(entry, where) for entry in value)


class Numbers(ABC, Generic[N]):
    """A field of coefficients: its Coq names, and its spelling in both languages.

    Attributes
    ----------
    arithmetic : the Coq structure that is computed with.
    type : the Coq type of a coefficient.
    value : the reading of a coefficient as a real number.
    real : the structure that proves this reading sound.
    introduction : the tactic that names what the claim quantifies over.
    imports : modules of the library that the statement needs.
    """

    arithmetic: str
    type: str
    value: str
    real: str
    introduction: str = ""
    imports: tuple[str, ...] = ()

    @abstractmethod
    def parse(self, value: object, where: str) -> N:
        """Read one number; raises InputError or UnsupportedError."""

    @abstractmethod
    def is_one(self, number: N) -> bool:
        """Whether a number is spelled as 1."""

    @abstractmethod
    def literal(self, number: N) -> str:
        """Return one number in Coq."""

    @abstractmethod
    def shared(self, numbers: Sequence[N]) -> int:
        """Return the common denominator under which numbers are spelled."""

    @abstractmethod
    def vector(self, entries: Sequence[N], denominator: int) -> str:
        """Return a list of numbers over a common denominator."""

    @abstractmethod
    def matrix(self, rows: Sequence[Sequence[N]], denominator: int, indent: str) -> str:
        """Return a matrix of numbers over a common denominator."""

    def complete(self) -> None:
        """Note that the problem is read: what follows are numbers of the evidence."""

    def preamble(self) -> list[str]:
        """Return the definitions that the coefficients need."""
        return []

    def binders(self) -> str:
        """Return the quantifiers and hypotheses in front of the claim."""
        return ""

    def real_definition(self) -> list[str]:
        """Return the definition of ``real`` in a proof, if it needs one."""
        return []


class RationalNumbers(Numbers[Fraction]):
    """Q: weights are integers over one common denominator."""

    arithmetic, type, value, real = "Q_arithmetic", "Q", "Q2R", "Q_real"

    def parse(self, value: object, where: str) -> Fraction:
        """Read one rational; raises InputError."""
        return parse_rational(value, where)

    def is_one(self, number: Fraction) -> bool:
        """Whether a rational is 1."""
        return number == 1

    def literal(self, number: Fraction) -> str:
        """Return one rational in Coq."""
        return rational(number)

    def shared(self, numbers: Sequence[Fraction]) -> int:
        """Return the least common denominator."""
        return common_denominator(numbers)

    def vector(self, entries: Sequence[Fraction], denominator: int) -> str:
        """Return ``over1 d [...]``."""
        items = [scaled(entry, denominator) for entry in entries]
        return f"over1 {integer(denominator)} {broken(items, lead=LEAD)}"

    def matrix(self, rows: Sequence[Sequence[Fraction]], denominator: int, indent: str) -> str:
        """Return ``over d [...]``."""
        texts = [listing(scaled(entry, denominator) for entry in row) for row in rows]
        return f"over {integer(denominator)} {broken(texts, indent, LEAD)}"


@dataclass(frozen=True)
class AlgebraicNumbers(Numbers[Coordinates]):
    """Q(α) for the root α of a monic polynomial in an interval, by coordinates over powers of α.

    Parameters
    ----------
    minpoly : ascending coefficients, the last one 1.
    root : the ends of the interval.
    """

    minpoly: Coordinates
    root: tuple[Fraction, Fraction]
    arithmetic, type, value = "K", "K", "(at_root alpha)"
    real = "(reals alpha alpha_root)"
    introduction = "intros alpha alpha_root.\n"
    imports = ("Polynomial", "NumberField", "ActivationFacts", "Classes", "Algebraic")

    def parse(self, value: object, where: str) -> Coordinates:
        """Read coordinates; raises InputError."""
        number = parse_rationals(value, where)
        if len(number) != len(self.minpoly) - 1:
            raise InputError("has a wrong number of coordinates", where)
        return number

    def is_one(self, number: Coordinates) -> bool:
        """Whether the coordinates are those of 1."""
        return number[0] == 1 and not any(number[1:])

    def literal(self, number: Coordinates) -> str:
        """Return the coordinates in Coq."""
        return listing(rational(q) for q in number)

    def shared(self, numbers: Sequence[Coordinates]) -> int:
        """Return the least common denominator of all coordinates."""
        return common_denominator(q for number in numbers for q in number)

    def vector(self, entries: Sequence[Coordinates], denominator: int) -> str:
        """Return ``over d [[...]; ...]``, one inner list a number."""
        items = [listing(scaled(q, denominator) for q in entry) for entry in entries]
        return f"over {integer(denominator)} {broken(items, lead=LEAD)}"

    def matrix(self, rows: Sequence[Sequence[Coordinates]], denominator: int, indent: str) -> str:
        """Return ``over2 d [[[...]; ...]; ...]``."""
        texts = [
            listing(listing(scaled(q, denominator) for q in entry) for entry in row) for row in rows
        ]
        return f"over2 {integer(denominator)} {broken(texts, indent, LEAD)}"

    def preamble(self) -> list[str]:
        """Return the minimal polynomial, the interval, the field, and that the root exists."""
        low, high = (rational(end) for end in self.root)
        coefficients = listing(rational(q) for q in self.minpoly)
        return [
            "(* alpha is the root of this polynomial in the interval *)",
            f"Definition minimal : list Q := {coefficients}.",
            f"Definition root_low : Q := {low}.",
            f"Definition root_high : Q := {high}.",
            "Definition K : arithmetic := number_field (C := Q_arithmetic) minimal.",
            "Fact alpha_exists : exists alpha, root_in minimal root_low root_high alpha.",
            "Proof. exact (root_exists minimal root_low root_high eq_refl). Qed.",
        ]

    def real_definition(self) -> list[str]:
        """Return the coefficients at a root."""
        return [
            "Definition reals alpha (alpha_root : root_in minimal root_low root_high alpha) :"
            " real_coefficients :=\n"
            "  algebraic_real minimal root_low root_high alpha eq_refl alpha_root."
        ]

    def binders(self) -> str:
        """Return the quantifier over the root."""
        return "forall alpha : R, root_in minimal root_low root_high alpha ->\n  "


AnyNumbers = Numbers[Any]
