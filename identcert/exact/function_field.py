"""Rational functions Q(a, b, …): weights that depend on parameters, exactly.

Glossary
--------
parameter == a name for a number that is left open; equality means equality for all values.
leading == of the greatest exponent vector in lexicographic order, the order of the encoding.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import flint

from identcert.errors import InputError, UnsupportedError
from identcert.exact.rational_field import (
    Field,
    Kind,
    as_rational,
    decode_rational,
    encode_rational,
    find_rational_sqrt,
)
from identcert.exact.rational_function import RationalFunction, sorted_terms
from identcert.exact.spelling import check_name, power_text, sum_text

MAX_EXPONENT = 2**31


@dataclass(frozen=True, slots=True)
class FunctionField(Field):
    """The field Q(a, b, …) of rational functions; its names are kept in sorted order.

    Raises
    ------
    InputError
        If there is no name, a name twice, or one that is not allowed.

    Examples
    --------
    >>> F = FunctionField(("b", "a"))
    >>> F.names, F.encode(F.named["a"] / 2)
    (('a', 'b'), {'den': [[[0, 0], '1']], 'num': [[[1, 0], '1/2']]})
    """

    names: tuple[str, ...]
    context: Any = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        for name in self.names:
            check_name(name)
        if not self.names or len(set(self.names)) < len(self.names):
            raise InputError("the parameters must be at least one name, each named once")
        names = tuple(sorted(self.names))
        object.__setattr__(self, "names", names)
        context = flint.fmpq_mpoly_ctx.get(names, flint.Ordering.lex)
        object.__setattr__(self, "context", context)

    @property
    def kind(self) -> Kind:
        """The string "parametric"."""
        return "parametric"

    @property
    def degree(self) -> int:
        """The number 0, for the dimension over Q is infinite."""
        return 0

    @property
    def generators(self) -> tuple[RationalFunction, ...]:
        """The parameters, in the order of the names."""
        one = self.context.constant(1)
        return tuple(RationalFunction(self, gen, one) for gen in self.context.gens())

    @property
    def named(self) -> Mapping[str, RationalFunction]:
        """The parameters by name."""
        return dict(zip(self.names, self.generators, strict=True))

    def __call__(self, value: object) -> RationalFunction:
        """Return the element that a rational number or an element of this field is."""
        if isinstance(value, RationalFunction):
            if value.field == self:
                return value
            raise InputError("the value belongs to another field of rational functions")
        constant = self.context.constant(as_rational(value))
        return RationalFunction(self, constant, self.context.constant(1))

    def quotient(self, top: Any, bottom: Any) -> RationalFunction:
        """Return top/bottom of two `flint.fmpq_mpoly`, bottom ≠ 0, in normal form."""
        if not bottom.is_constant():
            common = top.gcd(bottom)
            top, bottom = top / common, bottom / common
        leading = bottom.leading_coefficient()
        return RationalFunction(self, top / leading, bottom / leading)

    def is_zero(self, x: RationalFunction) -> bool:
        """Tell whether x is the zero function."""
        return not x

    def sign(self, x: RationalFunction) -> int:
        """Return the sign of a constant; refuse where the sign depends on parameters."""
        if not x.is_constant:
            raise UnsupportedError(f"the sign of {self.text(x)} depends on parameters")
        return int(x.constant > 0) - int(x.constant < 0)

    def ball(self, x: RationalFunction, bits: int) -> Any:
        """Return a ball around a constant; refuse where the value depends on parameters."""
        if not x.is_constant:
            raise UnsupportedError(f"the value of {self.text(x)} depends on parameters")
        with flint.ctx.workprec(bits):
            return flint.arb(x.constant)

    def encode(self, x: RationalFunction) -> dict[str, Any]:
        """Return numerator and denominator as sorted lists of [exponents, coefficient]."""
        return {
            "den": _encode_polynomial(x.denominator),
            "num": _encode_polynomial(x.numerator),
        }

    def decode(self, obj: object) -> RationalFunction:
        """Read an encoding, in lowest terms or not; the denominator must not be 0."""
        if not isinstance(obj, dict) or obj.keys() != {"den", "num"}:
            raise InputError('a rational function is an object with "den" and "num"')
        top, bottom = (self._decode_polynomial(obj[key]) for key in ("num", "den"))
        if not bottom:
            raise InputError("the denominator of a rational function is 0")
        return self.quotient(top, bottom)

    def _decode_polynomial(self, obj: object) -> Any:
        if not isinstance(obj, list):
            raise InputError("a polynomial is a list of [exponents, coefficient]")
        terms = []
        for entry in obj:
            if not isinstance(entry, list) or len(entry) != 2 or not self._is_monomial(entry[0]):
                raise InputError("a term of a polynomial is [exponents, coefficient]")
            terms.append((tuple(entry[0]), decode_rational(entry[1])))
        exponents = [exponent for exponent, _ in terms]
        if exponents != sorted(set(exponents)) or not all(c for _, c in terms):
            raise InputError("the terms of a polynomial must be sorted, distinct and not 0")
        return self.context.from_dict(dict(terms))

    def _is_monomial(self, obj: object) -> bool:
        return (
            isinstance(obj, list)
            and len(obj) == len(self.names)
            and all(type(e) is int and 0 <= e < MAX_EXPONENT for e in obj)
        )

    def text(self, x: RationalFunction) -> str:
        """Return x as "(a + b)/a"."""
        top = self._polynomial_text(x.numerator)
        if x.denominator.is_constant():
            return top
        bottom = self._polynomial_text(x.denominator)
        top = f"({top})" if len(x.numerator) > 1 else top
        is_power = len(x.denominator) == 1 and "*" not in bottom
        return f"{top}/{bottom}" if is_power else f"{top}/({bottom})"

    def _polynomial_text(self, polynomial: Any) -> str:
        terms = reversed(sorted_terms(polynomial))
        return sum_text((c, self._monomial_text(exponents)) for exponents, c in terms)

    def _monomial_text(self, exponents: tuple[int, ...]) -> str:
        powers = zip(self.names, exponents, strict=True)
        return "*".join(power_text(name, e) for name, e in powers if e)

    def describe(self) -> dict[str, Any]:
        """Return the names of the parameters."""
        return {"kind": "parametric", "names": list(self.names)}

    def find_sqrt(self, value: object) -> RationalFunction | None:
        """Return √q of a rational square q, else None."""
        root = find_rational_sqrt(as_rational(value))
        return None if root is None else self(root)


def _encode_polynomial(polynomial: Any) -> list[list[Any]]:
    return [[list(exponents), encode_rational(c)] for exponents, c in sorted_terms(polynomial)]
