"""What callers hand over, refused with one sentence where it is of the wrong kind."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from identcert.errors import InputError


def path_of(value: Any, what: str, fix: str) -> Path:
    """Return a path.

    Raises
    ------
    InputError
        If the value is neither text nor a path.
    """
    if not isinstance(value, str | os.PathLike) or isinstance(value, bytes):
        raise InputError(f"a value of type {type(value).__name__} is no {what}", what, fix)
    return Path(value)


def check_budget(seconds: Any) -> None:
    """Refuse a number of seconds that is not a positive number."""
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not is_number or math.isnan(seconds) or seconds <= 0:
        raise InputError(f"{seconds!r} is no number of seconds", "budget", "give a positive number")


def check_integer(value: Any, what: str, least: int | None = None) -> None:
    """Refuse what is no integer, or too small a one."""
    is_integer = isinstance(value, int) and not isinstance(value, bool)
    if not is_integer or (least is not None and value < least):
        kind = "an integer" if least is None else f"an integer of at least {least}"
        raise InputError(f"{value!r} is not {kind}", what, f"give {kind}")


def texts_of(values: Any, what: str) -> tuple[str, ...]:
    """Return a list of names; one text alone is refused, since it is a list of letters."""
    is_list = isinstance(values, Iterable) and not isinstance(values, str | bytes)
    names = tuple(values) if is_list else ()
    if not is_list or not all(isinstance(name, str) for name in names):
        raise InputError(f"{values!r} is no list of names", what, 'write a list, such as ["a"]')
    return names
