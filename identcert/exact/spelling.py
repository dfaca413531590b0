"""Names, and sums of rational multiples, as people write them and the scalar grammar reads them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from identcert.errors import InputError

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
MAX_NAME = 500
RESERVED = frozenset({"x", "sqrt"})


def check_name(name: object) -> None:
    """Accept a letter or underscore followed by letters, digits, underscores; not x, not sqrt.

    Raises
    ------
    InputError
        If the name is not one that a parameter or an algebraic number may have.
    """
    if not isinstance(name, str) or not NAME.fullmatch(name) or len(name) > MAX_NAME:
        raise InputError(
            f"{shortened(name)} is not a name",
            fix="a name is an ASCII letter or underscore, then letters, digits, underscores",
        )
    if name in RESERVED:
        raise InputError(f"'{name}' cannot be a name, for it has a meaning of its own")


def shortened(obj: object) -> str:
    """Return the value as messages quote it, cut to 60 characters.

    Examples
    --------
    >>> shortened("1/0"), shortened(10**5000), shortened(None), shortened(Decimal("2.0"))
    ("'1/0'", 'a value of type int', 'null', '2.0')
    """
    if isinstance(obj, Decimal):
        return str(obj)[:60]
    if obj is None or isinstance(obj, bool):
        return {None: "null", True: "true", False: "false"}[obj]
    try:
        text = repr(obj[:60] if isinstance(obj, str) else obj)
    except ValueError:  # Python refuses to spell very long integers
        return f"a value of type {type(obj).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."


def sum_text(terms: Iterable[tuple[Any, str]]) -> str:
    """Return Σ c·w of rationals c and words w; the word "" stands for 1, zeros are left out.

    Examples
    --------
    >>> from flint import fmpq
    >>> sum_text([(fmpq(1, 2), ""), (fmpq(-1), "a"), (fmpq(3, 2), "b^2"), (fmpq(0), "c")])
    '1/2 - a + 3/2*b^2'
    """
    text = ""
    for coefficient, word in terms:
        if not coefficient:
            continue
        size = abs(coefficient)
        body = str(size) if not word else word if size == 1 else f"{size}*{word}"
        if text:
            text += f" - {body}" if coefficient < 0 else f" + {body}"
        else:
            text = f"-{body}" if coefficient < 0 else body
    return text or "0"


def power_text(name: str, exponent: int) -> str:
    """Return the word for a power: "", "t" or "t^3"."""
    return "" if exponent == 0 else name if exponent == 1 else f"{name}^{exponent}"
