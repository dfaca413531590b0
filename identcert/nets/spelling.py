"""How files spell an activation: a name, a polynomial in x, or an object with one key."""

from __future__ import annotations

import difflib
import re
from typing import Any

from flint import fmpq

from identcert.errors import InputError
from identcert.exact.field import QQ
from identcert.exact.scalar import evaluate, parse_scalar
from identcert.groups.json_text import check_repeated
from identcert.nets.catalogue import CATALOGUE, OTHER_NAMES, REFUSED
from identcert.nets.normal_form import IDENTITY, LEAKY, POLYNOMIAL, Spelled, normal_form
from identcert.nets.polynomial_text import MAX_DEGREE, parse_polynomial

NAMES = (IDENTITY, *CATALOGUE)

_NAME = re.compile(r"[A-Za-z_]\w*(?:[ -][A-Za-z_]\w*)*", re.ASCII)


def parse_spelling(obj: object, where: str | None = None) -> Spelled:
    """Return the normal form of the activation that a network file spells.

    Raises
    ------
    InputError
        If it is no name, no polynomial in x, and no object
        ``{"leaky_relu": slope}`` or ``{"polynomial": [ascending coefficients]}``.

    Examples
    --------
    >>> parse_spelling("x^2/2")
    ('polynomial', None, (0, 0, 1/2))
    >>> parse_spelling({"leaky_relu": "1/10"})
    ('leaky_relu', 1/10, None)
    """
    if isinstance(obj, str):
        return _from_text(obj, where)
    if isinstance(obj, dict) and len(obj) == 1:
        check_repeated(obj, where or "activation")
        key, value = next(iter(obj.items()))
        if key == LEAKY:
            return normal_form(LEAKY, _rational(value, _inside(where, LEAKY)), None)
        if key == POLYNOMIAL:
            return _from_coefficients(value, _inside(where, POLYNOMIAL))
    raise InputError(
        f"an activation is a name or a polynomial in x, not {_shown(obj)}",
        where,
        'write something like "tanh", "x^3" or {"leaky_relu": "1/10"}',
    )


def _from_text(text: str, where: str | None) -> Spelled:
    if text == IDENTITY or text in CATALOGUE:
        return normal_form(text, None, None)
    if _NAME.fullmatch(text) and "x" not in re.split("[ -]", text):
        raise _unknown(text, where)
    name, bracket, _ = text.partition("(")
    if bracket and name.strip() in {*NAMES, *OTHER_NAMES, *REFUSED}:
        raise _unknown(text, where)
    return _nonzero(parse_polynomial(text, where), where)


def _from_coefficients(value: object, where: str) -> Spelled:
    if not isinstance(value, list | tuple):
        fix = 'write ascending coefficients, such as ["0", "0", "1"] for x^2'
        raise InputError(f"{_shown(value)} is not a list of coefficients", where, fix)
    if not value:
        raise InputError("a polynomial has at least one coefficient", where)
    if len(value) > MAX_DEGREE + 1:
        raise InputError(f"a polynomial has degree at most {MAX_DEGREE}", where)
    coefficients = [_rational(c, f"{where}[{k}]") for k, c in enumerate(value)]
    return _nonzero(tuple(coefficients), where)


def _nonzero(coefficients: tuple[fmpq, ...], where: str | None) -> Spelled:
    if not any(coefficients):
        fix = "write zero weights in the next layer instead"
        raise InputError("the activation is the zero polynomial", where, fix)
    return normal_form(POLYNOMIAL, None, coefficients)


def _rational(value: object, where: str | None) -> fmpq:
    expression = parse_scalar(value, where or "activation")
    if expression.names or expression.radicands:
        what = f"{_shown(value)} is not a rational number"
        raise InputError(what, where, "activations have rational numbers only")
    number: fmpq = evaluate(expression, QQ)
    return number


def _unknown(text: str, where: str | None) -> InputError:
    """Return the error for a name that stands for no activation, with the nearest one."""
    plain = text.strip().lower().replace("-", "_").replace(" ", "_").partition("(")[0]
    if plain in REFUSED:
        what = f"the activation {_shown(text)} is refused, because {REFUSED[plain]}"
        return InputError(what, where, f"use one of {', '.join(NAMES)}, or a polynomial in x")
    advice = OTHER_NAMES.get(plain)
    if advice is None:
        near = difflib.get_close_matches(plain, NAMES, n=1, cutoff=0.7)
        advice = f'"{near[0]}"' if near else None
    fix = f"write {advice}" if advice else f"use one of {', '.join(NAMES)}, or a polynomial in x"
    return InputError(f"the activation {_shown(text)} is not known", where, fix)


def _inside(where: str | None, key: str) -> str:
    return f"{where}.{key}" if where else key


def _shown(obj: Any) -> str:
    text = f'"{obj}"' if isinstance(obj, str) and obj.isprintable() else repr(obj)
    return text if len(text) <= 60 else text[:57] + "..."
