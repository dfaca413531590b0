"""Real number fields Q(α): one root of one irreducible polynomial, exactly.

Glossary
--------
coordinates == the rationals c with x = c₀ + c₁α + … + c_{n−1}α^{n−1}; they decide equality.
radicals == the square roots of squarefree integers that are known to lie in the field.
declared == the field Q(t) that a user stated, before square roots were adjoined to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import flint

from identcert.errors import InputError
from identcert.exact.algebraic_number import AlgebraicNumber
from identcert.exact.compositum import Declared, Presentation, compositum
from identcert.exact.radicals import find_root, squarefree_root
from identcert.exact.rational_field import (
    MAX_DEGREE,
    Field,
    Kind,
    as_rational,
    decode_rational,
    encode_rational,
)
from identcert.exact.real_roots import normal_cell, root_ball
from identcert.exact.spelling import check_name, power_text, sum_text

Interval = tuple[Any, Any]

MAX_SPELLING = 300


@dataclass(frozen=True, slots=True)
class NumberField(Field):
    """The field Q(α) inside R, for the root α of ``minpoly`` inside the interval ``root``.

    Parameters
    ----------
    minpoly : ascending rational coefficients, irreducible, of degree 2 to 16; made monic.
    root : two rationals that isolate α; kept as the shallowest dyadic cell [m, m+1]/2^k
        that does, which is a normal form, so that == is equality of the numbers α.
    symbol : the name of α.

    Raises
    ------
    InputError
        If the polynomial or the interval is not as stated.

    Examples
    --------
    >>> from fractions import Fraction
    >>> K = NumberField((-1, -2, 1, 1), (Fraction(6, 5), Fraction(13, 10)), "t")
    >>> K.generator**3, K.sign(K.generator - 1), K.root
    (1 + 2*t - t^2, 1, (1, 2))
    """

    minpoly: tuple[Any, ...]
    root: Interval
    symbol: str = "t"
    presentation: Presentation | None = field(default=None, compare=False, repr=False)
    modulus: Any = field(init=False, compare=False, repr=False)
    _balls: dict[int, Any] = field(init=False, compare=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        coefficients = [as_rational(c) for c in self.minpoly]
        if not 2 <= len(coefficients) - 1 <= MAX_DEGREE or not coefficients[-1]:
            raise InputError(
                f"a minimal polynomial has degree 2 to {MAX_DEGREE} and a last coefficient "
                "other than 0",
                fix="list the coefficients in ascending order",
            )
        if any(len(str(c)) > MAX_SPELLING for c in coefficients):
            raise InputError(
                f"a coefficient of the minimal polynomial is longer than {MAX_SPELLING} characters"
            )
        modulus = flint.fmpq_poly(coefficients) / coefficients[-1]
        factors = modulus.numer().factor()[1]
        if len(factors) > 1 or factors[0][1] > 1:
            raise InputError("the minimal polynomial is not irreducible over Q")
        low, high = (as_rational(end) for end in self.root)
        check_name(self.symbol)
        object.__setattr__(self, "minpoly", tuple(modulus.coeffs()))
        object.__setattr__(self, "root", normal_cell(modulus, low, high))
        object.__setattr__(self, "modulus", modulus)

    @classmethod
    def quadratic(cls, radicands: Iterable[int]) -> NumberField:
        """Return the field that the square roots of positive integers generate.

        Raises
        ------
        InputError
            If every radicand is a square, so that the field is Q, or one is negative.
        UnsupportedError
            If the degree is more than 16.

        Examples
        --------
        >>> K = NumberField.quadratic([2, 6])
        >>> K.degree, sorted(K.radicals), K.radicals[2] * K.radicals[3]
        (4, [2, 3, 6], sqrt(6))
        """
        field = _extension(None, tuple(sorted(map(squarefree_radicand, radicands))))
        if field is None:
            raise InputError("square roots of squares generate no field beyond Q")
        return field

    def with_roots(self, radicands: Iterable[int]) -> NumberField:
        """Return the field that this one and the square roots generate; it may be equal.

        Raises
        ------
        InputError
            If a radicand is negative.
        UnsupportedError
            If the degree is more than 16.
        """
        known = {*map(squarefree_radicand, radicands), *self.radicals}
        return _extension(self.declared, tuple(sorted(known))) or self

    @property
    def declared(self) -> Declared | None:
        """The field that the user declared inside this one, or None if only roots were."""
        if self.presentation is None:
            return Declared(self.minpoly, self.root, self.symbol)
        return self.presentation.declared

    @property
    def kind(self) -> Kind:
        """The string "algebraic"."""
        return "algebraic"

    @property
    def degree(self) -> int:
        """The dimension n of Q(α) over Q."""
        return len(self.minpoly) - 1

    @property
    def generator(self) -> AlgebraicNumber:
        """The number α."""
        return self.reduced(flint.fmpq_poly([0, 1]))

    @property
    def named(self) -> Mapping[str, AlgebraicNumber]:
        """The declared number by its name; nothing in a field of square roots alone."""
        declared = self.declared
        if declared is None:
            return {}
        if self.presentation is None:
            return {self.symbol: self.generator}
        return {declared.symbol: AlgebraicNumber(self, self.presentation.generator)}

    @property
    def radicals(self) -> Mapping[int, AlgebraicNumber]:
        """The known square roots √d of squarefree d > 1, by d."""
        known = self.presentation.radicals if self.presentation else {}
        return {d: AlgebraicNumber(self, root) for d, root in known.items()}

    def __call__(self, value: object) -> AlgebraicNumber:
        """Return the element that a rational number or an element of this field is."""
        if isinstance(value, AlgebraicNumber):
            if value.field == self:
                return value
            raise InputError("the number belongs to another number field")
        zeros = (flint.fmpq(0),) * (self.degree - 1)
        return AlgebraicNumber(self, (as_rational(value), *zeros))

    def reduced(self, polynomial: Any) -> AlgebraicNumber:
        """Return the element p(α) of a `flint.fmpq_poly` p."""
        rest = polynomial % self.modulus
        return AlgebraicNumber(self, tuple(rest[i] for i in range(self.degree)))

    def is_zero(self, x: AlgebraicNumber) -> bool:
        """Tell whether x = 0, by coordinates."""
        return not x

    def sign(self, x: AlgebraicNumber) -> int:
        """Return the sign of x: exact zero test, then balls of growing precision."""
        if x.is_rational:
            return int(x.coordinates[0] > 0) - int(x.coordinates[0] < 0)
        return 1 if self.ball(x, 8) > 0 else -1

    def ball(self, x: AlgebraicNumber, bits: int) -> Any:
        """Return an `arb` around x with a relative accuracy of ``bits`` bits."""
        polynomial, precision = x.polynomial(), bits + 16
        while True:
            alpha = self._root_ball(precision)
            with flint.ctx.workprec(precision):
                value = polynomial.numer()(alpha) / polynomial.denom()
            # an irrational x is not 0, so that some precision reaches the accuracy
            if value.rel_accuracy_bits() >= bits or x.is_rational:
                return value
            precision *= 2

    def _root_ball(self, bits: int) -> Any:
        if bits not in self._balls:
            self._balls[bits] = root_ball(self.modulus, *self.root, bits)
        return self._balls[bits]

    def encode(self, x: AlgebraicNumber) -> list[str]:
        """Return the list of the n coordinates."""
        return [encode_rational(c) for c in x.coordinates]

    def decode(self, obj: object) -> AlgebraicNumber:
        """Read a list of exactly n rationals in canonical spelling."""
        if not isinstance(obj, list) or len(obj) != self.degree:
            raise InputError(f"an algebraic number is a list of {self.degree} rationals")
        return AlgebraicNumber(self, tuple(decode_rational(c) for c in obj))

    def text(self, x: AlgebraicNumber) -> str:
        """Return x over the words that people know: roots and the declared number."""
        if self.presentation is not None:
            return self.presentation.text(x.coordinates)
        words = (power_text(self.symbol, k) for k in range(self.degree))
        return sum_text(zip(x.coordinates, words, strict=True))

    def describe(self) -> dict[str, Any]:
        """Return the minimal polynomial, the isolating interval and the name of α."""
        return {
            "kind": "algebraic",
            "minpoly": [encode_rational(c) for c in self.minpoly],
            "root": [encode_rational(end) for end in self.root],
            "symbol": self.symbol,
        }

    def find_sqrt(self, value: object) -> AlgebraicNumber | None:
        """Return √q of a rational q ≥ 0 if it lies in Q(α), else None.

        Examples
        --------
        >>> from fractions import Fraction
        >>> K = NumberField((5, 0, -5, 0, 1), (1, Fraction(3, 2)), "t")
            >>> K.find_sqrt(5), K.find_sqrt(2)
            (5 - 2*t^2, None)
        """
        q = as_rational(value)
        if q < 0:
            return None
        scale, d = squarefree_root(q)
        if d == 1:
            return self(scale)
        if d in self.radicals:
            return self.radicals[d] * self(scale)
        if self.declared is None:
            return None  # every root in a field of square roots is a known one
        root = find_root(self.modulus, *self.root, d)
        return None if root is None else self.reduced(root) * self(scale)


@lru_cache(maxsize=64)
def _extension(declared: Declared | None, radicands: tuple[int, ...]) -> NumberField | None:
    """Return the field of the declared number and the square roots, or None if it is Q."""
    found = compositum(declared, radicands)
    if found is None:
        return None
    return NumberField(
        tuple(found.minpoly.coeffs()), found.root, found.symbol, presentation=found.presentation
    )


def squarefree_radicand(n: int) -> int:
    """Return the squarefree d with √n = s·√d; raises `InputError` if n is negative."""
    if n < 0:
        raise InputError(f"{n} has no real square root")
    return squarefree_root(flint.fmpq(n))[1]
