"""Strict JSON: every number as it is spelled, and every fault with its place."""

from __future__ import annotations

import json
from collections.abc import Collection
from decimal import Decimal
from pathlib import Path
from typing import Any

from flint import fmpz

from identcert.errors import InputError
from identcert.exact.spelling import shortened

MAX_DIGITS = 10_000


class JsonObject(dict[str, Any]):
    """A JSON object that remembers whether a key was written twice."""

    __slots__ = ("repeated",)

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.repeated: str | None = None
        if len(self) < len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    self.repeated = key
                seen.add(key)


def read_bytes(path: str | Path) -> bytes:
    """Return the bytes of a file.

    Raises
    ------
    InputError
        If there is no such file, or it cannot be read.
    """
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError("there is no such file", str(path), "check the path") from None
    except IsADirectoryError:
        raise InputError("this is a folder, not a file", str(path), "name the file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"the file cannot be read ({reason})", str(path)) from None


def parse_json(content: bytes, where: str) -> Any:
    """Return the JSON value of UTF-8 bytes: integers as int, other numbers as `Decimal`.

    NaN and the infinities become the `Decimal` values of these names, so that whoever
    reads them as numbers can refuse them with their place.

    Raises
    ------
    InputError
        If the bytes are not UTF-8 or not JSON, or nested too deeply to be read.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        what = f"byte {error.start} is not valid UTF-8"
        raise InputError(what, where, "save the file as UTF-8 text") from None
    try:
        return json.loads(
            text,
            object_pairs_hook=JsonObject,
            parse_float=lambda spelled: _decimal(spelled, where),
            parse_int=lambda spelled: _integer(spelled, where),
            parse_constant=Decimal,
        )
    except json.JSONDecodeError as error:
        place = f"{where}, line {error.lineno}, column {error.colno}"
        what = f"this is not valid JSON ({error.msg[:1].lower()}{error.msg[1:]})"
        raise InputError(what, place, "correct the text there") from None
    except RecursionError:
        raise InputError("the JSON is nested too deeply", where, "write a flat file") from None


def check_keys(
    value: Any, where: str, required: Collection[str], optional: Collection[str] = ()
) -> None:
    """Check that a JSON value is an object with exactly the keys that its format knows.

    Raises
    ------
    InputError
        If it is no object, or a key is unknown, missing or written twice.
    """
    if not isinstance(value, dict):
        fix = f"write {{…}} with the keys {_listed(required)}"
        raise InputError(f"{shortened(value)} is not an object", where, fix)
    check_repeated(value, where)
    unknown = [key for key in value if key not in required and key not in optional]
    if unknown:
        fix = f"the keys here are {_listed([*required, *optional])}"
        raise InputError(f"the key {shortened(unknown[0])} is not known", where, fix)
    missing = [key for key in required if key not in value]
    if missing:
        raise InputError(f'the key "{missing[0]}" is missing', where, "add it")


def check_repeated(value: dict[str, Any], where: str) -> None:
    """Refuse an object in which a key was written twice."""
    repeated = getattr(value, "repeated", None)
    if repeated is not None:
        raise InputError(f'the key "{repeated}" is written twice', where, "keep one of them")


def _integer(spelled: str, where: str) -> int:
    if len(spelled) > MAX_DIGITS:
        raise InputError(f"a number has more than {MAX_DIGITS:,} digits", where)
    return int(fmpz(spelled))  # FLINT reads long numbers that Python refuses


def _decimal(spelled: str, where: str) -> Decimal:
    try:
        return Decimal(spelled)
    except ArithmeticError:
        raise InputError(f"the number {shortened(spelled)} is too large", where) from None


def _listed(keys: Collection[str]) -> str:
    return ", ".join(f'"{key}"' for key in sorted(keys))
