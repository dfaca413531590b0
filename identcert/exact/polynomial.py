"""Polynomials in several variables over Q, Q(α) and Q(a, b, …), all by FLINT's `fmpq_mpoly`.

monomial    == the exponents of the variables, a tuple
inner       == the polynomial over Q that represents one over another field: the number α,
               or the parameters, become further variables after the others

Over Q(α) an inner polynomial is reduced modulo the minimal polynomial of α. Over
Q(a, b, …) it stands over a denominator without the variables, in lowest terms. Both are
normal forms, so that equality and zero tests are those of FLINT.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from dataclasses import field as derived
from itertools import groupby
from math import prod
from typing import Any

from flint import Ordering, fmpq, fmpq_mpoly_ctx, fmpz

from identcert.errors import InputError
from identcert.exact.field import Element, Field, FunctionField, NumberField

Monomial = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PolynomialRing:
    """The ring F[x, y, …] over a field F, with the names of its variables.

    Examples
    --------
    >>> from identcert.exact.field import QQ
    >>> ring = PolynomialRing(QQ, ("x", "y"))
    >>> x, y = ring.generators
    >>> (x + y) ** 2 - (x - y) ** 2
    4*x*y
    >>> ring.horner([1, 0, 1], x - y)
    x^2 - 2*x*y + y^2 + 1
    """

    field: Field
    names: tuple[str, ...]
    context: Any = derived(init=False, compare=False, repr=False)
    modulus: Any = derived(init=False, compare=False, repr=False, default=None)

    def __post_init__(self) -> None:
        if len(set(self.names)) < len(self.names):
            raise InputError("a variable of a polynomial ring is named twice")
        inner = [f"x{i}" for i in range(len(self.names))]
        if isinstance(self.field, NumberField):
            inner.append("c0")
        elif isinstance(self.field, FunctionField):
            inner.extend(f"c{i}" for i in range(len(self.field.names)))
        context = fmpq_mpoly_ctx.get(inner, Ordering.lex)
        object.__setattr__(self, "context", context)
        if isinstance(self.field, NumberField):
            coefficients = {(*self._no_variables, k): c for k, c in enumerate(self.field.minpoly)}
            object.__setattr__(self, "modulus", context.from_dict(coefficients))

    @property
    def _no_variables(self) -> Monomial:
        return (0,) * len(self.names)

    @property
    def generators(self) -> tuple[Polynomial, ...]:
        """The variables, in the order of the names."""
        inner = self.context.gens()[: len(self.names)]
        return tuple(Polynomial(self, variable) for variable in inner)

    def constant(self, value: object) -> Polynomial:
        """Return the constant polynomial of a number or an element of the field."""
        if isinstance(value, fmpq | int | fmpz) and not isinstance(value, bool):
            return Polynomial(self, self.context.constant(value))
        return self._of_element(self.field(value))

    def _of_element(self, element: Element) -> Polynomial:
        start = self._no_variables
        if isinstance(self.field, NumberField):
            coordinates = {(*start, k): c for k, c in enumerate(element.coordinates)}
            return Polynomial(self, self.context.from_dict(coordinates))
        if isinstance(self.field, FunctionField):
            top, bottom = (
                self.context.from_dict({start + e: c for e, c in part.to_dict().items()})
                for part in (element.numerator, element.denominator)
            )
            return Polynomial(self, top, None if bottom.is_constant() else bottom)
        return Polynomial(self, self.context.constant(element))

    def horner(self, coefficients: Sequence[object], p: Polynomial) -> Polynomial:
        """Return Σ c_k p^k for ascending coefficients c_k, numbers or elements of the field.

        Horner's rule, with one power of p for each run of coefficients 0.
        """
        present = [(k, c) for k, c in enumerate(map(self.constant, coefficients)) if c.top]
        if not present:
            return self.constant(0)
        degree, total = present.pop()
        for k, c in reversed(present):
            total = total * p ** (degree - k) + c
            degree = k
        return total * p**degree

    def _reduced(self, top: Any, bottom: Any | None = None) -> Polynomial:
        """Return the polynomial top/bottom in normal form."""
        if self.modulus is not None:
            top = top % self.modulus
        if bottom is not None:
            common = top.gcd(bottom)
            top, bottom = top / common, bottom / common
            leading = bottom.leading_coefficient()
            top, bottom = top / leading, bottom / leading
            bottom = None if bottom.is_constant() else bottom
        return Polynomial(self, top, bottom)

    def _coefficient(self, terms: Iterable[tuple[Monomial, Any]], bottom: Any | None) -> Element:
        """Return the coefficient with the given inner terms, for one monomial."""
        if isinstance(self.field, NumberField):
            coordinates = {exponents[-1]: c for exponents, c in terms}
            zero = fmpq(0)
            return type(self.field.one)(
                self.field, tuple(coordinates.get(k, zero) for k in range(self.field.degree))
            )
        if isinstance(self.field, FunctionField):
            parameters, variables = self.field.context, len(self.names)
            top = parameters.from_dict({e[variables:]: c for e, c in terms})
            below = parameters.constant(1)
            if bottom is not None:
                below = parameters.from_dict({e[variables:]: c for e, c in bottom.terms()})
            return self.field.quotient(top, below)
        return next(c for _, c in terms)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Polynomial:
    """A polynomial over a field, in normal form; arithmetic mixes with numbers and elements.

    Parameters
    ----------
    ring : the ring that it belongs to.
    top : the inner polynomial.
    bottom : its denominator, free of the variables, or None for 1.
    """

    ring: PolynomialRing
    top: Any
    bottom: Any | None = None

    def _matched(self, other: object) -> Polynomial:
        if not isinstance(other, Polynomial):
            return self.ring.constant(other)
        if other.ring is not self.ring and other.ring != self.ring:
            raise InputError("polynomials of different rings do not combine")
        return other

    def __add__(self, other: object) -> Polynomial:
        q = self._matched(other)
        if self.bottom is None and q.bottom is None:
            return Polynomial(self.ring, self.top + q.top)
        if self.bottom == q.bottom:
            return self.ring._reduced(self.top + q.top, self.bottom)
        mine, theirs = self._denominator(), q._denominator()
        return self.ring._reduced(self.top * theirs + q.top * mine, mine * theirs)

    __radd__ = __add__

    def __neg__(self) -> Polynomial:
        return Polynomial(self.ring, -self.top, self.bottom)

    def __sub__(self, other: object) -> Polynomial:
        return self + -self._matched(other)

    def __rsub__(self, other: object) -> Polynomial:
        return -self + other

    def __mul__(self, other: object) -> Polynomial:
        if isinstance(other, fmpq):
            return Polynomial(self.ring, self.top * other, self.bottom if other else None)
        q = self._matched(other)
        if self.bottom is None and q.bottom is None:
            return self.ring._reduced(self.top * q.top)
        return self.ring._reduced(self.top * q.top, self._denominator() * q._denominator())

    __rmul__ = __mul__

    def __pow__(self, exponent: int) -> Polynomial:
        if exponent < 0:
            raise InputError("a polynomial has no negative powers")
        if self.ring.modulus is None:
            # coprime parts have coprime powers, and powers of monic ones are monic
            bottom = None if self.bottom is None else self.bottom**exponent
            return Polynomial(self.ring, self.top**exponent, bottom if exponent else None)
        power, square = self.ring.constant(1), self
        while exponent:
            power = power * square if exponent % 2 else power
            exponent //= 2
            square = square * square if exponent else square
        return power

    def _denominator(self) -> Any:
        return self.ring.context.constant(1) if self.bottom is None else self.bottom

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Polynomial):
            return NotImplemented
        return bool(
            self.ring == other.ring and self.top == other.top and self.bottom == other.bottom
        )

    def __hash__(self) -> int:
        # equal polynomials have equal monomials, which hash faster than coefficients
        return hash((self.ring.names, tuple(self.top.monoms())))

    def __bool__(self) -> bool:
        return bool(self.top)

    def is_zero(self) -> bool:
        """Return whether this is the zero polynomial."""
        return not self.top

    def terms(self) -> tuple[tuple[Monomial, Element], ...]:
        """Return the pairs (monomial, coefficient ≠ 0), in descending lexicographic order."""
        variables = len(self.ring.names)
        # the inner order is lexicographic with the variables first: equal monomials adjoin
        groups = groupby(self.top.terms(), key=lambda term: term[0][:variables])
        return tuple(
            (monomial, self.ring._coefficient(terms, self.bottom)) for monomial, terms in groups
        )

    def evaluate(self, point: Sequence[object]) -> Element:
        """Return the value at a point with coordinates in the field.

        >>> from identcert.exact.field import QQ
        >>> x, y = PolynomialRing(QQ, ("x", "y")).generators
        >>> (x * x - 2 * y).evaluate([3, 1])
        7
        """
        if len(point) != len(self.ring.names):
            raise InputError(
                f"a point of {len(point)} coordinates for {len(self.ring.names)} variables"
            )
        coordinates = [self.ring.field(x) for x in point]
        if self.ring.field.kind == "rational":
            return self.top(*coordinates)
        return sum(
            (
                c * prod((x**e for x, e in zip(coordinates, m, strict=True) if e), start=fmpq(1))
                for m, c in self.terms()
            ),
            self.ring.field.zero,
        )

    def __repr__(self) -> str:
        if not self.top:
            return "0"
        text = " + ".join(self._term_text(m, c) for m, c in self.terms())
        return text.replace(" + -", " - ")

    def _term_text(self, monomial: Monomial, coefficient: Element) -> str:
        powers = "*".join(
            name if e == 1 else f"{name}^{e}"
            for name, e in zip(self.ring.names, monomial, strict=True)
            if e
        )
        scalar = self.ring.field.text(coefficient)
        if not powers:
            return scalar
        if scalar in ("1", "-1"):
            return scalar.replace("1", "") + powers
        return f"({scalar})*{powers}" if " " in scalar else f"{scalar}*{powers}"
