"""Words in the generators of a group, as action files spell relators.

letter   == a generator's name with an integer exponent, ``r``, ``r^3``, ``r^-1``
word     == a product of letters; ``r s`` means r·s, so ρ(r s) = ρ(r)ρ(s)
relator  == a word that is the identity of the group
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Protocol, Self, TypeVar

from identcert.errors import InputError

Word = tuple[tuple[str, int], ...]

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
MAX_EXPONENT = 100_000
MAX_LETTERS = 10_000
MAX_NESTING = 50
_TOKEN = re.compile(r"\s+|[A-Za-z_][A-Za-z0-9_]*|\^\s*-?[0-9]+|[()]")


class GroupElement(Protocol):
    """What a word can be evaluated on: products and inverses."""

    def __matmul__(self, other: Self, /) -> Self:
        """Return the product self·other."""

    def inverse(self) -> Self:
        """Return the inverse."""


E = TypeVar("E", bound=GroupElement)


def parse_word(text: str, where: str | None = None) -> Word:
    """Return the word that a text spells, with its parentheses multiplied out.

    The grammar is ``word := factor (blank factor)*``, ``factor := atom ["^" integer]``,
    ``atom := name | "(" word ")"``.

    Raises
    ------
    InputError
        If the text is empty or is not a word, or if the word is too long.

    Examples
    --------
    >>> parse_word("r s^-1 (r s)^2")
    (('r', 1), ('s', -1), ('r', 1), ('s', 1), ('r', 1), ('s', 1))
    >>> parse_word("(a^2 b)^-1")
    (('b', -1), ('a', -2))
    """
    tokens = _tokens(text, where)
    if not tokens:
        raise InputError("the word is empty", where, "write generators such as r s^-1")
    word, position = _product(tokens, 0, 0, text, where)
    if position < len(tokens):
        raise InputError(f"unmatched ')' in the word {_quote(text)}", where)
    return word


def word_text(word: Word) -> str:
    """Return the spelling of a word without parentheses.

    Examples
    --------
    >>> word_text((("r", 2), ("s", -1), ("r", 1)))
    'r^2 s^-1 r'
    """
    return " ".join(name if power == 1 else f"{name}^{power}" for name, power in word)


def inverse_word(word: Word) -> Word:
    """Return the word of the inverse element, (a b)⁻¹ = b⁻¹ a⁻¹."""
    return tuple((name, -power) for name, power in reversed(word))


def reduced_word(word: Word) -> Word:
    """Return the freely reduced word: equal neighbours merged, zero powers dropped.

    Examples
    --------
    >>> reduced_word((("r", 1), ("s", 1), ("s", -1), ("r", 2)))
    (('r', 3),)
    """
    letters: list[tuple[str, int]] = []
    for name, power in word:
        if letters and letters[-1][0] == name:
            power += letters.pop()[1]
        if power:
            letters.append((name, power))
    return tuple(letters)


def word_length(word: Word) -> int:
    """Return the number of generators and inverses that the word multiplies."""
    return sum(abs(power) for _, power in word)


def power(element: E, exponent: int, identity: E) -> E:
    """Return element^exponent by repeated squaring, for any integer exponent."""
    base = element.inverse() if exponent < 0 else element
    result, exponent = identity, abs(exponent)
    while exponent:
        if exponent & 1:
            result = result @ base
        exponent >>= 1
        if exponent:
            base = base @ base
    return result


def evaluate_word(word: Word, images: Mapping[str, E], identity: E) -> E:
    """Return the image of a word under the homomorphism of the free group.

    Raises
    ------
    KeyError
        If the word names a generator that has no image.
    """
    result = identity
    for name, exponent in word:
        result = result @ power(images[name], exponent, identity)
    return result


def _tokens(text: str, where: str | None) -> list[str]:
    """Return names, exponents and parentheses, blanks dropped."""
    tokens, position = [], 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            fix = "separate generators by blanks and write powers as ^n"
            what = f"{text[position]!r} has no place in the word {_quote(text)}"
            raise InputError(what, where, fix)
        if not match.group().isspace():
            tokens.append(match.group())
        position = match.end()
    return tokens


def _product(
    tokens: list[str], position: int, depth: int, text: str, where: str | None
) -> tuple[Word, int]:
    """Return the word that starts at a token and the position after it."""
    if depth > MAX_NESTING:
        raise InputError(f"the word {_quote(text)} nests parentheses too deeply", where)
    letters: Word = ()
    start = position
    while position < len(tokens) and tokens[position] != ")":
        factor, position = _atom(tokens, position, depth, text, where)
        if position < len(tokens) and tokens[position][0] == "^":
            factor = _raised(factor, _exponent(tokens[position], text, where), text, where)
            position += 1
        letters += factor
        if len(letters) > MAX_LETTERS:
            raise _too_long(text, where)
    if position == start:
        raise InputError(f"nothing between the parentheses of the word {_quote(text)}", where)
    return letters, position


def _atom(
    tokens: list[str], position: int, depth: int, text: str, where: str | None
) -> tuple[Word, int]:
    """Return the name or parenthesised word at a token and the position after it."""
    token = tokens[position]
    if token[0] == "^":
        raise InputError(f"a power without a base in the word {_quote(text)}", where)
    if token != "(":
        return ((token, 1),), position + 1
    inner, position = _product(tokens, position + 1, depth + 1, text, where)
    if position == len(tokens):
        raise InputError(f"unmatched '(' in the word {_quote(text)}", where)
    return inner, position + 1


def _exponent(token: str, text: str, where: str | None) -> int:
    """Return the exponent of a token ``^n``; leading zeros do not count."""
    sign, digits = re.fullmatch(r"\^\s*(-?)0*([0-9]*)", token).groups()  # type: ignore[union-attr]
    if len(digits) > len(str(MAX_EXPONENT)):
        raise InputError(f"an exponent above {MAX_EXPONENT:,} in the word {_quote(text)}", where)
    return int(sign + (digits or "0"))


def _raised(word: Word, exponent: int, text: str, where: str | None) -> Word:
    """Return word^exponent, a single letter by multiplying its exponent."""
    if len(word) == 1:
        name, base = word[0]
        exponent *= base
    if abs(exponent) > MAX_EXPONENT:
        raise InputError(f"an exponent above {MAX_EXPONENT:,} in the word {_quote(text)}", where)
    if len(word) == 1:
        return ((name, exponent),)
    if len(word) * abs(exponent) > MAX_LETTERS:
        raise _too_long(text, where)
    return (inverse_word(word) if exponent < 0 else word) * abs(exponent)


def _too_long(text: str, where: str | None) -> InputError:
    """Return the error about a word with too many letters."""
    return InputError(f"the word {_quote(text)} has more than {MAX_LETTERS:,} letters", where)


def _quote(text: str) -> str:
    """Return the word in quotation marks, long ones shortened."""
    return repr(text if len(text) <= 60 else text[:57] + "...")
