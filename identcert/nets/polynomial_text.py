"""Polynomials in x as text, such as ``"(x+1)^5 - 1"``, read into rational coefficients.

Grammar (blanks between symbols are free)::

    sum     := product (("+" | "-") product)*
    product := factor (("*" | "/") factor)*          a divisor is a non-zero number
    factor  := ["-"] atom ["^" ["-"] digits]         so -x^2 is -(x^2)
    atom    := number | "x" | "(" sum ")"
    number  := digits ["." digits] ["e" ["+" | "-"] digits]

Degrees and sizes are bounded before a power is expanded: a short text never
stands for a huge polynomial.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from flint import fmpq, fmpq_poly, fmpz

from identcert.errors import InputError
from identcert.exact.scalar_syntax import decimal_value

MAX_DEGREE = 1_000
MAX_EXPONENT = 1_000
MAX_DIGITS = 10_000
MAX_DEPTH = 50
MAX_LENGTH = 10_000
MAX_BITS = 40_000  # a little more than 10,000 decimal digits

_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(\S))", re.ASCII)
_NUMBER = re.compile(r"(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?", re.ASCII)


def parse_polynomial(text: str, where: str | None = None) -> tuple[fmpq, ...]:
    """Return the ascending coefficients of a polynomial in x; the zero polynomial is ().

    Raises
    ------
    InputError
        If the text is not of the grammar, or its degree or numbers are too large.

    Examples
    --------
    >>> parse_polynomial("(x+1)^3 - 1")
    (0, 3, 3, 1)
    >>> parse_polynomial("x/2 - 0.25")
    (-1/4, 1/2)
    """
    return tuple(_Parser(text, where).polynomial().coeffs())


def polynomial_text(coefficients: Sequence[fmpq]) -> str:
    """Return a polynomial as people write it, highest power first.

    Examples
    --------
    >>> polynomial_text(parse_polynomial("(x+1)^2/2 - x"))
    '1/2*x^2 + 1/2'
    """
    pieces = []
    for power in range(len(coefficients) - 1, -1, -1):
        c = coefficients[power]
        if c == 0:
            continue
        sign = "-" if c < 0 else "+"
        pieces.append((sign, _monomial_text(abs(c), power)))
    if not pieces:
        return "0"
    first = ("-" if pieces[0][0] == "-" else "") + pieces[0][1]
    return first + "".join(f" {sign} {piece}" for sign, piece in pieces[1:])


def _monomial_text(size: fmpq, power: int) -> str:
    if power == 0:
        return str(size)
    variable = "x" if power == 1 else f"x^{power}"
    return variable if size == 1 else f"{size}*{variable}"


class _Parser:
    """Recursive descent over the tokens of one text; each method reads one phrase."""

    def __init__(self, text: str, where: str | None) -> None:
        self._text, self._where = text, where
        if len(text) > MAX_LENGTH:
            raise self._fault(f"it has more than {MAX_LENGTH} characters")
        self._tokens = [match.group().strip() for match in _TOKEN.finditer(text)]
        self._at, self._depth = 0, 0

    def polynomial(self) -> fmpq_poly:
        result = self._sum()
        if self._next:
            raise self._unexpected()
        return result

    @property
    def _next(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._next
        self._at += 1
        return token

    def _sum(self) -> fmpq_poly:
        total = self._product()
        while self._next in ("+", "-"):
            sign = self._take()
            term = self._product()
            total = self._bounded(total + term if sign == "+" else total - term)
        return total

    def _product(self) -> fmpq_poly:
        total = self._factor()
        while self._next in ("*", "/"):
            if self._take() == "*":
                total = self._times(total, self._factor())
            else:
                total = self._times(total, self._reciprocal(self._factor()))
        return total

    def _factor(self) -> fmpq_poly:
        is_negative = self._next == "-"
        if is_negative:
            self._take()
        result = self._atom()
        if self._next == "^":
            self._take()
            result = self._power(result, self._exponent())
        return -result if is_negative else result

    def _atom(self) -> fmpq_poly:
        token = self._next
        if token == "x":
            self._take()
            return fmpq_poly([0, 1])
        if token == "(":
            return self._bracket()
        if _is_digits(token[:1]):
            self._take()
            return fmpq_poly([self._number(token)])
        raise self._unexpected()

    def _bracket(self) -> fmpq_poly:
        self._take()
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self._fault(f"its brackets are nested more than {MAX_DEPTH} deep")
        inside = self._sum()
        if not self._next:
            raise self._fault("a closing bracket is missing")
        if self._next != ")":
            raise self._unexpected()
        self._take()
        self._depth -= 1
        return inside

    def _number(self, token: str) -> fmpq:
        whole, decimals, exponent = _NUMBER.fullmatch(token).groups("")  # type: ignore[union-attr]
        if len(exponent) > 5 or abs(int(exponent or 0)) > MAX_EXPONENT:
            raise self._fault(f"an exponent is larger than {MAX_EXPONENT}")
        try:
            number: fmpq = decimal_value(whole, decimals, int(exponent or 0))
        except InputError as error:
            raise self._fault(error.what) from None
        return number

    def _exponent(self) -> int:
        is_negative = self._next == "-"
        if is_negative:
            self._take()
        token = self._next
        if not token:
            raise self._fault("an exponent is missing after '^'")
        if not _is_digits(token):
            raise self._fault(f"the exponent {token[:20]!r} is not an integer")
        self._take()
        if len(token.lstrip("0")) > 4 or int(token) > MAX_EXPONENT:
            raise self._fault(f"the exponent {token[:12]} is larger than {MAX_EXPONENT}")
        return -int(token) if is_negative else int(token)

    def _power(self, base: fmpq_poly, exponent: int) -> fmpq_poly:
        if exponent < 0:
            base, exponent = self._reciprocal(base), -exponent
        self._check_size(base.degree() * exponent, _bits(base) * exponent)
        return base**exponent

    def _times(self, left: fmpq_poly, right: fmpq_poly) -> fmpq_poly:
        self._check_size(left.degree() + right.degree(), _bits(left) + _bits(right))
        return left * right

    def _bounded(self, value: fmpq_poly) -> fmpq_poly:
        self._check_size(value.degree(), _bits(value))
        return value

    def _reciprocal(self, value: fmpq_poly) -> fmpq_poly:
        if value.degree() > 0:
            raise self._fault(
                "it divides by x or raises it to a negative power",
                "write a polynomial with rational coefficients, such as x/2 or x^3",
            )
        if not value:
            raise self._fault("it divides by zero")
        return fmpq_poly([1 / value[0]])

    def _check_size(self, degree: int, bits: int) -> None:
        if degree > MAX_DEGREE:
            raise self._fault(f"its degree is larger than {MAX_DEGREE}")
        if bits > MAX_BITS:
            raise self._fault(f"its numbers have more than {MAX_DIGITS} digits")

    def _unexpected(self) -> InputError:
        before, token = self._tokens[max(0, self._at - 1) : self._at], self._next
        if not token:
            return self._fault("it ends too early" if self._tokens else "it is empty")
        if before == ["*"] and token == "*":
            return self._fault("it has '**'", "write ^ for a power, as in x^3")
        starts_operand = token == "(" or (token[0].isascii() and token[0].isalnum())
        if starts_operand and _ends_operand(before):
            return self._fault(
                f"there is no operator between {before[0][:20]!r} and {token[:20]!r}",
                "write a product with *, as in 2*x",
            )
        if token[0].isalpha() or token[0] == "_":
            return self._fault(f"it contains the name {token[:20]!r}", "the variable is x")
        return self._fault(f"{token[:20]!r} is not expected there")

    def _fault(self, what: str, fix: str | None = None) -> InputError:
        shown = self._text if len(self._text) <= 60 else self._text[:57] + "..."
        return InputError(
            f"the activation {shown!r} is not a polynomial in x: {what}",
            self._where,
            fix or 'write something like "x^3" or "(x+1)^5 - 1"',
        )


def _is_digits(token: str) -> bool:
    return token.isascii() and token.isdigit()


def _ends_operand(before: list[str]) -> bool:
    return bool(before) and (before[0][0].isalnum() or before[0] == ")")


def _bits(value: fmpq_poly) -> int:
    """Return b ≥ 1 such that coefficients of a product have at most the sum of the b's."""
    numerators = sum(abs(c) for c in value.numer().coeffs())
    return max(1, _length(numerators) + _length(value.denom()))


def _length(number: int | fmpz) -> int:
    return fmpz(number).bit_length()
