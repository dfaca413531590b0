"""Spelling of numbers, lists and definitions in Coq.

Everything that reaches a generated file passes through here or is a fixed word:
numbers are printed from `int` and `Fraction`, names from a checked grammar.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from fractions import Fraction

WIDTH = 100
LEAD = 16  # columns in front of the numbers of a definition
LONG = 1 << 64  # integers beyond this are printed in hexadecimal, which Coq reads faster
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z", re.ASCII)


def integer(n: int) -> str:
    """Return the literal of an integer in the scope of Z.

    Examples
    --------
    >>> integer(-12), integer(1 << 70)
    ('-12', '0x400000000000000000')
    """
    if abs(n) < LONG:
        return str(n)
    return f"-0x{-n:x}" if n < 0 else f"0x{n:x}"


def rational(q: Fraction) -> str:
    """Return the literal of a rational number, with its scope.

    Examples
    --------
    >>> rational(Fraction(-3, 4)), rational(Fraction(2))
    ('(-3 # 4)%Q', '2%Q')
    """
    if q.denominator == 1:
        return f"{integer(q.numerator)}%Q" if q >= 0 else f"({integer(q.numerator)})%Q"
    return f"({integer(q.numerator)} # {integer(q.denominator)})%Q"


def listing(items: Iterable[str]) -> str:
    """Return a Coq list on one line.

    Examples
    --------
    >>> listing(["1", "2"])
    '[1; 2]'
    """
    return "[" + "; ".join(items) + "]"


def naturals(numbers: Iterable[int]) -> str:
    """Return a list of natural numbers, with its scope."""
    return listing(str(n) for n in numbers) + "%nat"


def common_denominator(numbers: Iterable[Fraction]) -> int:
    """Return the least common denominator of some rationals (1 of none)."""
    return math.lcm(*(q.denominator for q in numbers))


def scaled(q: Fraction, denominator: int) -> str:
    """Return the numerator of a rational over a common denominator."""
    return integer(q.numerator * (denominator // q.denominator))


def broken(items: Sequence[str], indent: str = "  ", lead: int = 0) -> str:
    """Return a Coq list, with as many lines as the width of a page demands.

    Parameters
    ----------
    indent : blanks in front of further lines.
    lead : columns already taken in the first line.
    """
    one = listing(items)
    if len(one) + max(lead, len(indent)) <= WIDTH:
        return one
    lines: list[str] = []
    for item in [*(text + ";" for text in items[:-1]), items[-1] + "]"]:
        taken = max(lead, len(indent)) if len(lines) == 1 else len(indent)
        if lines and len(lines[-1]) + len(item) + taken + 2 <= WIDTH:
            lines[-1] += " " + item
        else:
            lines.append(item)
    return "[" + f"\n{indent} ".join(lines)


def comment(*lines: str) -> str:
    """Return a comment; its words are fixed, except for checked names and numbers."""
    return "\n".join(f"(* {line.ljust(WIDTH - 6)} *)" for line in lines)


def imports(*groups: Sequence[str]) -> str:
    """Return the command that imports modules of the library, one line a group."""
    lines = (" ".join(group) for group in groups if group)
    return "From Identcert Require Import " + "\n  ".join(lines) + "."
