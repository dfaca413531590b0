"""The coefficients of a problem, read from canonical JSON and spelled in Coq.

numbers == how one field is read and written: Q, Q(α) by coordinates, or Q(a, b, …)
           with denominators that do not depend on the parameters
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from identcert.errors import InputError, UnsupportedError
from identcert.witness.coq_text import (
    LEAD,
    broken,
    integer,
    listing,
    rational,
    scaled,
)

RATIONAL = re.compile(r"(?:-?[1-9][0-9]{0,4299}|0)(?:/[1-9][0-9]{0,4299})?\Z", re.ASCII)
Coordinates = tuple[Fraction, ...]  # (q,) over Q; coordinates over Q(α); nested in PARAMETERS
Row = Sequence[Coordinates]


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


class Numbers(ABC):
    """A field of coefficients: its Coq names, and its spelling in both languages."""

    arithmetic: ClassVar[str]  # the Coq structure that is computed with
    type: ClassVar[str]  # the Coq type of a coefficient
    value: ClassVar[str]  # the reading of a coefficient as a real number
    real: ClassVar[str]  # the structure that proves this reading sound
    imports: ClassVar[tuple[str, ...]]

    @abstractmethod
    def parse(self, value: object, where: str) -> Coordinates:
        """Read one number; raises InputError or UnsupportedError."""

    @abstractmethod
    def literal(self, number: Coordinates) -> str:
        """Return one number in Coq."""

    @abstractmethod
    def vector(self, entries: Row, denominator: int) -> str:
        """Return a list of numbers over a common denominator."""

    @abstractmethod
    def matrix(self, rows: Sequence[Row], denominator: int, indent: str) -> str:
        """Return a matrix of numbers over a common denominator."""

    def preamble(self) -> list[str]:
        """Return the definitions that the coefficients need."""
        return []

    def binders(self) -> str:
        """Return the quantifiers and hypotheses in front of the claim."""
        return ""

    def real_definition(self) -> list[str]:
        """Return the definition of ``real`` in a proof, if it needs one."""
        return []


class RationalNumbers(Numbers):
    """Q: weights are integers over one common denominator."""

    arithmetic, type, value, real = "Q_arithmetic", "Q", "Q2R", "Q_real"
    imports = ()

    def parse(self, value: object, where: str) -> Coordinates:
        """Read one rational; raises InputError."""
        return (parse_rational(value, where),)

    def literal(self, number: Coordinates) -> str:
        """Return one rational in Coq."""
        return rational(number[0])

    def vector(self, entries: Row, denominator: int) -> str:
        """Return ``over1 d [...]``."""
        items = [scaled(entry[0], denominator) for entry in entries]
        return f"over1 {integer(denominator)} {broken(items, lead=LEAD)}"

    def matrix(self, rows: Sequence[Row], denominator: int, indent: str) -> str:
        """Return ``over d [...]``, one row a line when it is long."""
        texts = [listing(scaled(entry[0], denominator) for entry in row) for row in rows]
        return f"over {integer(denominator)} {broken(texts, indent, LEAD)}"


@dataclass(frozen=True, slots=True)
class AlgebraicNumbers(Numbers):
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
    imports = ("Polynomial", "NumberField", "ActivationFacts", "Classes", "Algebraic")

    def parse(self, value: object, where: str) -> Coordinates:
        """Read coordinates; raises InputError."""
        number = parse_rationals(value, where)
        if len(number) != len(self.minpoly) - 1:
            raise InputError("has a wrong number of coordinates", where)
        return number

    def literal(self, number: Coordinates) -> str:
        """Return the coordinates in Coq."""
        return listing(rational(q) for q in number)

    def vector(self, entries: Row, denominator: int) -> str:
        """Return ``over d [[...]; ...]``, one inner list a number."""
        items = [listing(scaled(q, denominator) for q in entry) for entry in entries]
        return f"over {integer(denominator)} {broken(items, lead=LEAD)}"

    def matrix(self, rows: Sequence[Row], denominator: int, indent: str) -> str:
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


def parse_field(field: object) -> Numbers:
    """Read the object ``field`` of a canonical file.

    Raises
    ------
    InputError
        If it is not such an object.
    UnsupportedError
        If Coq does not know the field.
    """
    if not isinstance(field, dict):
        raise InputError("is not an object", "field")
    match field.get("kind"):
        case "rational":
            return RationalNumbers()
        case "algebraic":
            minpoly = parse_rationals(field.get("minpoly"), "field.minpoly")
            root = parse_rationals(field.get("root"), "field.root")
            if len(minpoly) < 3 or minpoly[-1] != 1 or len(root) != 2:
                raise InputError("is not a monic polynomial with an interval", "field")
            return AlgebraicNumbers(minpoly, (root[0], root[1]))
        case "parametric":
            raise UnsupportedError("The Coq export does not cover weights with parameters yet.")
    raise InputError("has no known kind", "field")
