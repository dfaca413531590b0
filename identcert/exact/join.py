"""The smallest common field of two fields, with the two embeddings; and fields from files.

Glossary
--------
join == a field H with embeddings F → H ← G that agree with the real numbers (or names) meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from identcert.errors import InputError, UnsupportedError
from identcert.exact.field import (
    QQ,
    AlgebraicNumber,
    Element,
    Field,
    FunctionField,
    NumberField,
    RationalField,
    RationalFunction,
)
from identcert.exact.radicals import squarefree_root
from identcert.exact.rational_field import decode_rational

Embedding = Callable[[Element], Element]

_ROOTS = re.compile(r"sqrt[1-9][0-9]*(_sqrt[1-9][0-9]*)*", re.ASCII)


def join(first: Field, second: Field) -> tuple[Field, Embedding, Embedding]:
    """Return the smallest supported field that contains both, and the two embeddings.

    Raises
    ------
    UnsupportedError
        If one field has parameters and the other algebraic numbers, if two unrelated
        algebraic numbers were declared, or if the degree exceeds 16.

    Examples
    --------
    >>> F, G = NumberField.quadratic([2]), NumberField.quadratic([3])
    >>> H, left, right = join(F, G)
    >>> left(F.radicals[2]) + right(G.radicals[3])
    sqrt(2) + sqrt(3)
    """
    common = _common_field(first, second)
    return common, embedding(first, common), embedding(second, common)


def _common_field(first: Field, second: Field) -> Field:
    if isinstance(first, RationalField):
        return second
    if isinstance(second, RationalField):
        return first
    if isinstance(first, FunctionField) and isinstance(second, FunctionField):
        return FunctionField(tuple({*first.names, *second.names}))
    if isinstance(first, NumberField) and isinstance(second, NumberField):
        return _common_number_field(first, second)
    raise UnsupportedError(
        "parameters and algebraic numbers (or square roots) cannot stand in one problem"
    )


def _common_number_field(first: NumberField, second: NumberField) -> NumberField:
    if first == second and first.presentation is None:
        return second
    one, other = first.declared, second.declared
    if one is None:
        return second.with_roots(first.radicals)
    if other is None or (one.minpoly, one.root) == (other.minpoly, other.root):
        return first.with_roots(second.radicals)
    for base, added in ((first, second), (second, first)):
        # a declared quadratic number is rational in the root of its discriminant
        if (radicand := _declared_radicand(added)) is not None:
            return base.with_roots([radicand, *added.radicals])
    raise UnsupportedError(
        f"the declared algebraic numbers {one.symbol} and {other.symbol} cannot be combined"
    )


def _declared_radicand(field: NumberField) -> int | None:
    """Return d with Q(t) = Q(√d) for the declared number t, if its degree is 2."""
    declared = field.declared
    if declared is None or len(declared.minpoly) != 3:
        return None
    c, b, _ = declared.minpoly
    return squarefree_root(b * b - 4 * c)[1]


def embedding(source: Field, target: Field) -> Embedding:
    """Return the field homomorphism of ``source`` into a field that contains it.

    Raises
    ------
    UnsupportedError
        If ``target`` is not known to contain ``source``.
    """
    if isinstance(source, RationalField):
        return target
    if isinstance(source, FunctionField) and isinstance(target, FunctionField):
        if set(source.names) <= set(target.names):
            return partial(_renamed, target)
    elif isinstance(source, NumberField) and isinstance(target, NumberField):
        image = _image_of_generator(source, target)
        if image is not None:
            powers = [target.one]
            for _ in range(source.degree - 1):
                powers.append(powers[-1] * image)
            return partial(_substituted, target, tuple(powers))
    raise UnsupportedError("no embedding between these fields is known")


def _renamed(target: FunctionField, x: RationalFunction) -> RationalFunction:
    top, bottom = (p.project_to_context(target.context) for p in (x.numerator, x.denominator))
    # another set of names may change which term below is the leading one
    return target.quotient(top, bottom)


def _substituted(
    target: NumberField, powers: tuple[AlgebraicNumber, ...], x: AlgebraicNumber
) -> AlgebraicNumber:
    total = target(0)
    for coordinate, power in zip(x.coordinates, powers, strict=True):
        if coordinate:
            total = total + power * target(coordinate)
    return total


def _image_of_generator(source: NumberField, target: NumberField) -> AlgebraicNumber | None:
    """Return α of ``source`` as an element of ``target``, or None if none is found."""
    if source == target:
        return target.generator
    base = _image_of_declared(source, target)
    if source.presentation is None or base is None:
        return base
    # over the words tⁱ√d, in the order in which the presentation lists them
    total = target(0)
    for coefficient, (exponent, d) in source.presentation.expand(source.generator.coordinates):
        root = target.find_sqrt(d)
        if root is None:
            return None
        total = total + base**exponent * root * target(coefficient)
    return total


def _image_of_declared(source: NumberField, target: NumberField) -> AlgebraicNumber | None:
    """Return the declared number of ``source`` in ``target``; 0 if none was declared."""
    declared = source.declared
    if declared is None:
        return target(0)
    other = target.declared
    if other is not None and (declared.minpoly, declared.root) == (other.minpoly, other.root):
        return target.named[other.symbol]
    if len(declared.minpoly) == 3:
        c, b, _ = declared.minpoly
        root = target.find_sqrt(b * b - 4 * c)
        if root is not None:
            candidates = (target(-b / 2) + root / 2, target(-b / 2) - root / 2)
            return next(x for x in candidates if _is_inside(x, declared.root, target))
    return None


def _is_inside(x: AlgebraicNumber, interval: tuple[Any, Any], field: NumberField) -> bool:
    return field.sign(x - interval[0]) > 0 > field.sign(x - interval[1])


def decode_field(obj: object) -> Field:
    """Read the canonical JSON object of a field; ``decode_field(F.describe()) == F``.

    Raises
    ------
    InputError
        If the object does not describe a field.

    Examples
    --------
    >>> decode_field({"kind": "parametric", "names": ["a", "b"]}).names
    ('a', 'b')
    """
    match obj:
        case {"kind": "rational", **rest} if not rest:
            return QQ
        case {"kind": "parametric", "names": list(names), **rest} if not rest:
            field = FunctionField(tuple(names))
            if list(field.names) != names:
                raise InputError("the names of parameters must be sorted")
            return field
        case {"kind": "algebraic", "minpoly": list(c), "root": [low, high], "symbol": s, **rest}:
            if not rest:
                root = (decode_rational(low), decode_rational(high))
                coefficients = tuple(decode_rational(each) for each in c)
                return _with_known_roots(NumberField(coefficients, root, s))
    raise InputError("the object describes no field")


def _with_known_roots(field: NumberField) -> NumberField:
    """Return the same field with its square roots, if its symbol, "sqrt2_sqrt3", names them."""
    if not _ROOTS.fullmatch(field.symbol):
        return field
    radicands = [int(part.removeprefix("sqrt")) for part in field.symbol.split("_")]
    try:
        named = NumberField.quadratic(radicands)
    except (InputError, UnsupportedError):
        return field
    return named if named == field else field
