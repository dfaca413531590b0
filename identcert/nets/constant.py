"""Exact real numbers such as 1/2 + 3·tanh(1/4), which folded neurons leave behind.

atom     == the formal number σ(b), for an argument b of the field or a constant again
constant == an element of the field plus a linear combination of atoms over the field

Equality of constants is equality of normal forms: equal constants are equal numbers.
Unequal ones are different numbers for tanh, sigmoid and SiLU of algebraic arguments
(Lemma C); in general only a ball decides that, so nothing here claims it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from flint import arb, fmpq

from identcert.errors import InputError
from identcert.exact.balls import precision
from identcert.exact.field import Element, Field
from identcert.nets.activation import Activation
from identcert.nets.constant_piece import find_piece


@dataclass(frozen=True, slots=True)
class Atom:
    """The formal real number σ(b); `constant_value` makes them in normal form.

    Attributes
    ----------
    activation : σ.
    argument : b, an element of the field or a `Constant` over it.
    """

    activation: Activation
    argument: Any

    def encode(self, field: Field) -> list[Any]:
        """Return canonical JSON that determines the atom; atoms are sorted by its text."""
        return [self.activation.encode(), _encoding(self.argument, field)]


@dataclass(frozen=True, slots=True, eq=False)
class Constant:
    """The real number value + Σ c·σ(b), as a normal form over a field.

    Every instance has distinct atoms in canonical order with coefficients ≠ 0. Sums and
    multiples whose atoms cancel are returned as plain elements of the field.

    Attributes
    ----------
    field : the field of the value and of the coefficients.
    value : the part without atoms.
    terms : pairs (coefficient, atom).

    Examples
    --------
    >>> from identcert.exact.field import QQ
    >>> from identcert.nets.activation import activation
    >>> one = constant_value(activation("sigmoid"), QQ(1), QQ)
    >>> one * 2 + constant_value(activation("sigmoid"), QQ(-1), QQ)
    Constant('1 + sigmoid(1)')
    >>> one + constant_value(activation("sigmoid"), QQ(-1), QQ)
    1
    """

    field: Field
    value: Element
    terms: tuple[tuple[Element, Atom], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", self.field(self.value))
        object.__setattr__(self, "terms", _collected(self.terms, self.field))

    @property
    def is_plain(self) -> bool:
        """Whether the constant is an element of the field."""
        return not self.terms

    def __add__(self, other: object) -> Any:
        if isinstance(other, Constant):
            if other.field != self.field:
                return NotImplemented
            total = Constant(self.field, self.value + other.value, self.terms + other.terms)
            return _simplest(total)
        element = _element(other, self.field)
        return NotImplemented if element is None else self._with(self.value + element)

    __radd__ = __add__

    def __neg__(self) -> Any:
        return self * -1

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: object) -> Any:
        factor = _element(other, self.field)
        if factor is None:
            return NotImplemented
        terms = tuple((c * factor, atom) for c, atom in self.terms)
        return _simplest(Constant(self.field, self.value * factor, terms))

    __rmul__ = __mul__

    def _with(self, value: Element) -> Any:
        return _simplest(Constant(self.field, value, self.terms))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Constant):
            return (self.field, self.value, self.terms) == (other.field, other.value, other.terms)
        element = _element(other, self.field)
        if element is None:
            return NotImplemented
        return self.is_plain and bool(self.value == element)

    def __hash__(self) -> int:
        # a plain constant equals its value, and so must hash as it does
        return hash(self.value) if self.is_plain else hash((self.value, self.terms))

    def __bool__(self) -> bool:
        return bool(self.terms) or not self.field.is_zero(self.value)

    def __repr__(self) -> str:
        return f"Constant({self.text()!r})"

    def ball(self, bits: int) -> arb:
        """Return an `arb` that contains the number.

        Raises
        ------
        UnsupportedError
            If it depends on parameters.
        """
        with precision(bits):
            total: arb = self.field.ball(self.value, bits)
            for coefficient, atom in self.terms:
                argument = entry_ball(atom.argument, self.field, bits)
                total += self.field.ball(coefficient, bits) * atom.activation.ball(argument)
            return total

    def over(self, field: Field, embed: Callable[[Element], Element]) -> Any:
        """Return the image under an embedding of fields, in normal form there."""
        total: Any = embed(self.value)
        for coefficient, atom in self.terms:
            argument = entry_over(atom.argument, field, embed)
            total = total + constant_value(atom.activation, argument, field) * embed(coefficient)
        return total

    def encode(self) -> dict[str, Any]:
        """Return canonical JSON that determines the constant over its field."""
        encode = self.field.encode
        terms = [[encode(c), *atom.encode(self.field)] for c, atom in self.terms]
        return {"terms": terms, "value": encode(self.value)}

    def text(self) -> str:
        """Return the constant as people write it, such as ``1/2 - 3*tanh(1/4)``."""
        pieces = [] if self.field.is_zero(self.value) else [self.field.text(self.value)]
        for coefficient, atom in self.terms:
            sigma = atom.activation.text()
            name = sigma if sigma.isidentifier() else f"({sigma})"
            body = f"{name}({entry_text(atom.argument, self.field)})"
            pieces.append(_product_text(self.field.text(coefficient), body))
        return " + ".join(pieces).replace("+ -", "- ") or "0"


def constant_value(activation: Activation, entry: Any, field: Field) -> Any:
    """Return σ(b) as an element of the field where it is one, else as a `Constant`.

    Piecewise-linear σ and the right half of ELU are evaluated where balls certify the sides of
    the kinks. Else a rational factor of a constant b is moved out of σ where σ passes it, and a
    sign where the catalogue knows how: b is negated if its first non-zero coefficient, in the
    order of its encoding, is negative.

    Parameters
    ----------
    entry : b, an element of the field or a `Constant` over it.

    Examples
    --------
    >>> from identcert.exact.field import QQ
    >>> from identcert.nets.activation import activation
    >>> constant_value(activation("tanh"), QQ(-1) / 2, QQ)
    Constant('-tanh(1/2)')
    >>> constant_value(activation("relu"), QQ(-1) / 2, QQ)
    0
    """
    entry = _simplest(entry) if isinstance(entry, Constant) else field(entry)
    if not isinstance(entry, Constant):
        exact = activation.apply(entry, field)
        if exact is not None:
            return exact
    else:
        piece = find_piece(activation, entry)
        if piece is not None:
            return entry * field(piece[0]) + field(piece[1])
        if activation.scalings in ("nonzero", "positive"):
            return _of_unit_argument(activation, entry, field)
    if activation.flip is None or not _is_negative(entry, field):
        return Constant(field, field.zero, ((field.one, Atom(activation, entry)),))
    # σ(b) = s·σ(−b) − m·b + q, from σ(−z) = s·σ(z) + m·z + q at z = −b
    factor, slope, intercept = map(field, activation.flip)
    flipped = Constant(field, field.zero, ((factor, Atom(activation, -entry)),))
    return flipped - entry * slope + intercept


def _of_unit_argument(activation: Activation, entry: Constant, field: Field) -> Any:
    """Return λ·σ(u) + ν with b − c = α(u − c), the leading rational of u − c being 1 or ±1."""
    moved = entry - activation.centre
    leading = _leading_rational(moved, field)
    alpha = leading if activation.scalings == "nonzero" else abs(leading)
    factor, shift = activation.transport(field(alpha), field)
    unit = moved * (1 / alpha) + activation.centre
    return Constant(field, shift, ((factor, Atom(activation, unit)),))


def entry_ball(entry: Any, field: Field, bits: int) -> arb:
    """Return a ball of an element or a `Constant`."""
    ball: arb = entry.ball(bits) if isinstance(entry, Constant) else field.ball(entry, bits)
    return ball


def entry_over(entry: Any, field: Field, embed: Callable[[Element], Element]) -> Any:
    """Return the image of an element or a `Constant` under an embedding of fields."""
    return entry.over(field, embed) if isinstance(entry, Constant) else embed(entry)


def entry_text(entry: Any, field: Field) -> str:
    """Return an element or a `Constant` as people write it."""
    return entry.text() if isinstance(entry, Constant) else field.text(entry)


def _encoding(entry: Any, field: Field) -> Any:
    return entry.encode() if isinstance(entry, Constant) else field.encode(entry)


def _simplest(constant: Constant) -> Any:
    return constant.value if constant.is_plain else constant


def _element(value: object, field: Field) -> Element | None:
    try:
        return field(value)
    except InputError:
        return None


def _collected(
    terms: Iterable[tuple[Element, Atom]], field: Field
) -> tuple[tuple[Element, Atom], ...]:
    """Return the terms with equal atoms added, zeros dropped, in canonical order."""
    terms = tuple(terms)
    if len(terms) == 1 and not field.is_zero(terms[0][0]):
        return terms
    totals: dict[Atom, Element] = {}
    for coefficient, atom in terms:
        totals[atom] = totals[atom] + coefficient if atom in totals else coefficient
    kept = [(c, atom) for atom, c in totals.items() if not field.is_zero(c)]
    return tuple(sorted(kept, key=lambda term: _order(term[1], field)))


def _order(atom: Atom, field: Field) -> str:
    return json.dumps(atom.encode(field), sort_keys=True, separators=(",", ":"))


def _is_negative(entry: Any, field: Field) -> bool:
    """Return whether the leading rational is negative."""
    return bool(_leading_rational(entry, field) < 0)


def _leading_rational(entry: Any, field: Field) -> fmpq:
    """Return the first non-zero rational of the encoding, 0 for 0; it scales with the entry."""
    if isinstance(entry, Constant):
        first = entry.value if not field.is_zero(entry.value) else entry.terms[0][0]
        return _leading_rational(first, field)
    encoding = field.encode(entry)
    if isinstance(encoding, dict):
        encoding = [coefficient for _, coefficient in encoding["num"]]
    coefficients = [encoding] if isinstance(encoding, str) else encoding
    return fmpq(*map(int, next((c for c in coefficients if c != "0"), "0").split("/")))


def _product_text(coefficient: str, body: str) -> str:
    if coefficient in ("1", "-1"):
        return body if coefficient == "1" else f"-{body}"
    is_sum = " " in coefficient.strip()
    return f"({coefficient})*{body}" if is_sum else f"{coefficient}*{body}"
