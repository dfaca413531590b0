"""Sums of rational multiples, as people write them and the scalar grammar reads them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


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
