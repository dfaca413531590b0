"""The names that a file declares: parameters, or one algebraic number."""

from __future__ import annotations

from typing import Any

from identcert.errors import InputError
from identcert.exact.field import QQ
from identcert.exact.scalar import AlgebraicDeclaration, evaluate, parse_scalar
from identcert.exact.spelling import check_name, shortened
from identcert.groups.json_text import check_keys

MAX_PARAMETERS = 1_000


def read_parameters(value: object, where: str) -> tuple[str, ...]:
    """Return the names of the parameters.

    Raises
    ------
    InputError
        If it is no list of distinct names.

    Examples
    --------
    >>> read_parameters(["a", "b"], "parameters")
    ('a', 'b')
    """
    if not isinstance(value, list):
        raise InputError(f"{shortened(value)} is not a list", where, 'write a list such as ["a"]')
    if len(value) > MAX_PARAMETERS:
        raise InputError(f"more than {MAX_PARAMETERS:,} parameters are declared", where)
    for index, name in enumerate(value):
        _check_name(name, f"{where}[{index}]")
        if name in value[:index]:
            raise InputError(f"the name {name!r} is declared twice", f"{where}[{index}]")
    return tuple(value)


def read_algebraic(value: Any, where: str) -> AlgebraicDeclaration:
    """Return the declaration of one real algebraic number.

    Raises
    ------
    InputError
        If it does not isolate one root of an irreducible polynomial.

    Examples
    --------
    >>> root = {"symbol": "t", "minpoly": ["-2", "0", "1"], "root": ["1", "2"]}
    >>> read_algebraic(root, "algebraic").field().degree
    2
    """
    check_keys(value, where, ("symbol", "minpoly", "root"))
    _check_name(value["symbol"], f"{where}.symbol")
    minpoly = _rationals(value["minpoly"], f"{where}.minpoly")
    root = _rationals(value["root"], f"{where}.root")
    if len(root) != 2:
        fix = 'write its two ends, such as ["1.2", "1.3"]'
        raise InputError(f"an interval with {len(root)} ends", f"{where}.root", fix)
    declaration = AlgebraicDeclaration(value["symbol"], minpoly, (root[0], root[1]))
    try:
        declaration.field()
    except InputError as error:
        raise InputError(error.what, where, error.fix) from None
    return declaration


def _check_name(name: object, where: str) -> None:
    """Refuse what cannot be a name, saying where it stands."""
    try:
        check_name(name)
    except InputError as error:
        raise InputError(error.what, where, error.fix) from None


def _rationals(value: object, where: str) -> tuple[Any, ...]:
    """Return the rationals of a list."""
    if not isinstance(value, list | tuple):
        fix = 'write a list of rationals, such as ["-2", "0", "1"]'
        raise InputError(f"{shortened(value)} is not a list", where, fix)
    return tuple(_rational(entry, f"{where}[{index}]") for index, entry in enumerate(value))


def _rational(value: object, where: str) -> Any:
    """Return the rational that a scalar without names and roots is."""
    expression = parse_scalar(value, where)
    if expression.names or expression.radicands:
        raise InputError(f"{shortened(value)} is not a rational number", where)
    return evaluate(expression, QQ, {})
