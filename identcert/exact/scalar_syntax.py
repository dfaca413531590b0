"""The grammar of scalars, by recursive descent.

    expr   := term (("+"|"-") term)*
    term   := factor (("*"|"/") factor)*
    factor := ["-"] atom ["^" integer]
    atom   := integer | decimal | (integer|decimal) "e" integer | name
            | "sqrt(" rational-expr ")" | "(" expr ")"

A minus binds less than a power: -2^2 is -4. Blanks may stand between tokens only.
"""

from __future__ import annotations

import re
from typing import Any, NoReturn

import flint

from identcert.errors import InputError
from identcert.exact.field import QQ
from identcert.exact.scalar_value import (
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
from identcert.exact.spelling import NAME, RESERVED, shortened

MAX_TEXT = 100_000
MAX_NESTING = 50
MAX_EXPONENT = 1_000

_BLANKS = re.compile(r"[ \t]*")
_NUMBER = re.compile(r"([0-9]+)(?:\.([0-9]+))?(?:e([+-]?)([0-9]+))?(?![0-9A-Za-z_.])", re.ASCII)
_EXPONENT = re.compile(r"(-?)[ \t]*([0-9]+)(?![0-9A-Za-z_.])", re.ASCII)


def parse(text: str) -> Node:
    """Return the tree of a scalar expression; raises `InputError` for any other text."""
    if len(text) > MAX_TEXT:
        raise InputError(f"the text of a number is longer than {MAX_TEXT:,} characters")
    return _Parser(text).parse()


def decimal_value(whole: str, decimals: str, exponent: int) -> Any:
    """Return whole.decimals · 10^exponent, once its length is known to be small.

    Examples
    --------
    >>> decimal_value("1", "25", -1)
    1/8
    """
    shift = exponent - len(decimals)
    if max(len(whole) + len(decimals) + max(shift, 0), -shift) > MAX_DIGITS:
        raise InputError(f"a number has more than {MAX_DIGITS:,} digits")
    # flint reads decimal digits without Python's limit on the length of integers
    mantissa, power = flint.fmpz(whole + decimals), flint.fmpz(10) ** abs(shift)
    return flint.fmpq(mantissa * power) if shift >= 0 else flint.fmpq(mantissa, power)


def exponent_value(sign: str, digits: str) -> int:
    """Return a decimal exponent of absolute value at most 1,000."""
    digits = digits.lstrip("0") or "0"
    if len(digits) > len(str(MAX_EXPONENT)) or int(digits) > MAX_EXPONENT:
        raise InputError(f"an exponent is larger than {MAX_EXPONENT:,} in absolute value")
    return -int(digits) if sign == "-" else int(digits)


class _Parser:
    """A text with a position in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.nesting = 0
        self.in_root = False

    def parse(self) -> Node:
        node = self.expression()
        if self.peek():
            self.refuse(f"unexpected {self.peek()!r}")
        return node

    def peek(self) -> str:
        """Return the next character that is not blank, or "" at the end."""
        match = _BLANKS.match(self.text, self.position)
        self.position = match.end() if match else self.position
        return self.text[self.position : self.position + 1]

    def accept(self, characters: str) -> str:
        """Return the next character and move past it, if it is one of these; else ""."""
        found = self.peek()
        if found and found in characters:
            self.position += 1
            return found
        return ""

    def refuse(self, what: str, fix: str | None = None) -> NoReturn:
        raise InputError(f"{what} at character {self.position + 1} of {self.quoted()}", fix=fix)

    def quoted(self) -> str:
        return repr(self.text if len(self.text) <= 60 else self.text[:57] + "...")

    def expression(self) -> Node:
        terms = [(1, self.term())]
        while sign := self.accept("+-"):
            terms.append((1 if sign == "+" else -1, self.term()))
        return terms[0][1] if len(terms) == 1 else Sum(tuple(terms))

    def term(self) -> Node:
        factors = [(1, self.factor())]
        while operator := self.accept("*/"):
            factors.append((1 if operator == "*" else -1, self.factor()))
        return factors[0][1] if len(factors) == 1 else Product(tuple(factors))

    def factor(self) -> Node:
        is_negative = bool(self.accept("-"))
        node = self.atom()
        if self.accept("^"):
            node = Power(node, self.exponent())
        if not is_negative:
            return node
        return Number(-node.value) if isinstance(node, Number) else Sum(((-1, node),))

    def exponent(self) -> int:
        self.peek()
        match = _EXPONENT.match(self.text, self.position)
        if match is None:
            self.refuse("an exponent that is not an integer", fix="write x^2 or x^-2")
        self.position = match.end()
        return exponent_value(match[1], match[2])

    def atom(self) -> Node:
        first = self.peek()
        if self.accept("("):
            return self.closed()
        if first in "0123456789" and first:
            return self.number()
        match = NAME.match(self.text, self.position)
        if match is None:
            self.refuse(f"unexpected {first!r}" if first else "a number or name is missing")
        if match[0] == "sqrt":
            return self.root()
        if match[0] in RESERVED or self.in_root:
            reason = "inside a square root" if self.in_root else "in a number"
            self.refuse(f"the name '{match[0][:60]}' cannot stand {reason}")
        self.position = match.end()
        return Name(match[0])

    def number(self) -> Node:
        match = _NUMBER.match(self.text, self.position)
        if match is None:
            self.refuse("a malformed number", fix="write 3, 0.5, 1e-9 or 2*a")
        exponent = exponent_value(match[3], match[4]) if match[4] else 0
        self.position = match.end()
        return Number(decimal_value(match[1], match[2] or "", exponent))

    def root(self) -> Node:
        if self.in_root:
            self.refuse("a square root inside a square root")
        self.position += len("sqrt")
        if not self.accept("("):
            self.refuse("'(' is missing after sqrt")
        self.in_root = True
        radicand = value(self.closed(), QQ, {})
        self.in_root = False
        if radicand < 0:
            raise InputError(f"the square root of the negative number {shortened(radicand)}")
        return Root(radicand)

    def closed(self) -> Node:
        """Return the expression up to the closing parenthesis, after the opening one."""
        self.nesting += 1
        if self.nesting > MAX_NESTING:
            self.refuse(f"parentheses nested more than {MAX_NESTING} deep")
        node = self.expression()
        if not self.accept(")"):
            self.refuse("')' is missing")
        self.nesting -= 1
        return node
