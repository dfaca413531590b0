"""Chooses the spelling of numbers by the field that a problem states."""

from __future__ import annotations

from identcert.errors import InputError
from identcert.witness.coq_numbers import (
    AlgebraicNumbers,
    AnyNumbers,
    RationalNumbers,
    parse_rationals,
)
from identcert.witness.coq_parameters import ParametricNumbers, parse_names


def parse_field(field: object) -> AnyNumbers:
    """Read the object ``field`` of a canonical file.

    Raises
    ------
    InputError
        If it is not such an object.
    """
    if not isinstance(field, dict):
        raise InputError("is not an object", "field")
    match field.get("kind"):
        case "rational":
            return RationalNumbers()
        case "algebraic":
            minpoly = parse_rationals(field.get("minpoly"), "field.minpoly")
            root = parse_rationals(field.get("root"), "field.root")
            if len(minpoly) < 3 or minpoly[-1] != 1 or len(root) != 2:
                raise InputError("is not a monic polynomial with an interval", "field")
            return AlgebraicNumbers(minpoly, (root[0], root[1]))
        case "parametric":
            return ParametricNumbers(parse_names(field.get("names")))
    raise InputError("has no known kind", "field")
