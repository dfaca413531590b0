"""Weights with parameters: rational functions over Q, spelled in Coq.

terms == a polynomial as pairs of exponents and a coefficient, exponents ascending
number == terms over a power product of the problem's denominators, here one of them

The claim then reads: for all real values of the parameters at which no denominator
of the network and the action vanishes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from identcert.errors import InputError, UnsupportedError
from identcert.witness.coq_numbers import Numbers, parse_rational
from identcert.witness.coq_text import LEAD, NAME, broken, listing, rational

Terms = tuple[tuple[tuple[int, ...], Fraction], ...]
MAX_EXPONENT = 100


@dataclass(frozen=True, slots=True)
class Quotient:
    """A polynomial over 1 or over one denominator of the problem, by its place."""

    terms: Terms
    place: int | None


def parse_terms(value: object, names: int, where: str) -> Terms:
    """Read a polynomial in parameters.

    Raises
    ------
    InputError
        If it is not one.
    UnsupportedError
        If an exponent is too large.
    """
    if not isinstance(value, list):
        raise InputError("is not a polynomial", where)
    terms = []
    for term in value:
        if not isinstance(term, list) or len(term) != 2 or not isinstance(term[0], list):
            raise InputError("is not a polynomial", where)
        exponents = tuple(term[0])
        if len(exponents) != names or any(type(k) is not int or k < 0 for k in exponents):
            raise InputError("has exponents that are none", where)
        if any(k > MAX_EXPONENT for k in exponents):
            raise UnsupportedError(f"The Coq export is limited to exponents of {MAX_EXPONENT}.")
        terms.append((exponents, parse_rational(term[1], where)))
    return tuple(terms)


def nested(terms: Terms, names: int) -> str:
    """Return a polynomial as one in its first variable, with coefficients in the others.

    Examples
    --------
    >>> nested((((0, 1), Fraction(3)), ((1, 0), Fraction(1, 2))), 2)
    '[[0%Q; 3%Q]; [(1 # 2)%Q]]'
    """
    if names == 0:
        return rational(sum((q for _, q in terms), Fraction(0)))
    degree = max((exponents[0] for exponents, _ in terms), default=-1)
    parts = (tuple((e[1:], q) for e, q in terms if e[0] == power) for power in range(degree + 1))
    return listing(nested(part, names - 1) for part in parts)


@dataclass
class ParametricNumbers(Numbers[Quotient]):
    """Q(a, b, …), with the denominators that occur in network and action.

    Parameters
    ----------
    names : the parameters.
    denominators : found while the problem is read; fixed once it is read.
    """

    names: tuple[str, ...]
    denominators: list[Terms] = field(default_factory=list)
    fixed: bool = False
    arithmetic, type = "K", "K"
    imports = ("ActivationFacts", "Classes", "Parametric")

    def __post_init__(self) -> None:
        """Set the names of the quantified parameters."""
        self.variables = [f"p_{name}" for name in self.names]
        self.value = f"(at_values denominators {listing(self.variables)})"
        self.real = f"(reals {' '.join(self.variables)} defined)"
        self.introduction = f"intros {' '.join(self.variables)} defined.\n"

    def parse(self, value: object, where: str) -> Quotient:
        """Read a rational function.

        Raises
        ------
        InputError
            If it is not one.
        UnsupportedError
            If the evidence has a denominator that the problem lacks.
        """
        if not isinstance(value, dict):
            raise InputError("is not a rational function", where)
        count = len(self.names)
        numerator = parse_terms(value.get("num"), count, where)
        denominator = parse_terms(value.get("den"), count, where)
        if not denominator:
            raise InputError("has denominator 0", where)
        lead = denominator[-1][1]
        numerator = tuple((e, q / lead) for e, q in numerator)
        denominator = tuple((e, q / lead) for e, q in denominator)
        one = ((0,) * count, Fraction(1))
        if denominator == (one,) or not numerator:
            return Quotient(numerator, None)
        factor = numerator[-1][1]
        if numerator == tuple((e, factor * q) for e, q in denominator):
            return Quotient(((one[0], factor),), None)
        if denominator not in self.denominators:
            if self.fixed:
                raise UnsupportedError(
                    "A scale of the evidence has a denominator that network and action lack."
                )
            self.denominators.append(denominator)
        return Quotient(numerator, self.denominators.index(denominator))

    def is_one(self, number: Quotient) -> bool:
        """Whether a number is spelled as 1."""
        return number == Quotient((((0,) * len(self.names), Fraction(1)),), None)

    def literal(self, number: Quotient) -> str:
        """Return ``(polynomial, exponents of the denominators)``."""
        powers = [] if number.place is None else [0] * number.place + [1]
        return f"({nested(number.terms, len(self.names))}, {listing(map(str, powers))}%nat)"

    def shared(self, numbers: Sequence[Quotient]) -> int:
        """Return 1: every number is spelled by itself."""
        return 1

    def vector(self, entries: Sequence[Quotient], denominator: int) -> str:
        """Return a list of numbers."""
        return broken([self.literal(entry) for entry in entries], lead=LEAD)

    def matrix(self, rows: Sequence[Sequence[Quotient]], denominator: int, indent: str) -> str:
        """Return a matrix of numbers."""
        texts = [listing(self.literal(entry) for entry in row) for row in rows]
        return broken(texts, indent, LEAD)

    def complete(self) -> None:
        """Fix the denominators."""
        self.fixed = True

    def preamble(self) -> list[str]:
        """Return the denominators and the field."""
        count = len(self.names)
        shown = ", ".join(self.names)
        items = [nested(terms, count) for terms in self.denominators]
        return [
            f"(* numbers are rational functions of {shown}: (p, e) is the polynomial p, by powers",
            "   of the first parameter, over the powers e of the denominators *)",
            f"Definition denominators : list (parametric {count}) :=\n  {broken(items)}.",
            f"Definition K : arithmetic := fractions {count} denominators.",
        ]

    def binders(self) -> str:
        """Return the quantifiers over the parameters."""
        variables = " ".join(self.variables)
        return f"forall {variables} : R, nonvanishing denominators {listing(self.variables)} ->\n  "

    def real_definition(self) -> list[str]:
        """Return the coefficients at values of the parameters."""
        variables = " ".join(self.variables)
        return [
            f"Definition reals ({variables} : R)"
            f" (defined : nonvanishing denominators {listing(self.variables)}) :=\n"
            f"  fraction_real {len(self.names)} denominators {listing(self.variables)} defined."
        ]


def parse_names(value: object) -> tuple[str, ...]:
    """Read the names of parameters; raises InputError."""
    if not isinstance(value, list) or not value:
        raise InputError("has no names", "field")
    if any(not isinstance(name, str) or not NAME.match(name) for name in value):
        raise InputError("has a name that is none", "field")
    return tuple(value)
