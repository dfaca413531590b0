"""Normal forms of neuron rows under the symmetries of their activation.

row        == (w, b): a neuron computes σ(w·h + b)
centre c   == every symmetry of σ has the form z ↦ c + α(z − c)
equivalent == (w', b' − c) = α·(w, b − c) with an α that σ admits; such neurons are clones
key        == one representative of a class of equivalent rows; hashable
scale      == the α with row = α·key about the centre

Four groups of admitted α occur: {1}, {±1}, α > 0 and α ≠ 0. A key is found without a
search: divide by the unit of the group that belongs to the first non-zero entry. Over Q
rows are integer tuples over one denominator, so a layer costs a fraction of a
microsecond an entry.

Source: theory of neuron symmetries (§2.1) and of forced matchings (Prop. 3).
"""

from __future__ import annotations

import operator
from collections.abc import Hashable, Sequence
from math import gcd, lcm
from typing import Any

from flint import fmpq

from identcert.exact.field import QQ
from identcert.exact.matrix import Matrix
from identcert.nets.activation import Activation
from identcert.nets.constant import Constant
from identcert.nets.network import Layer

RowKey = tuple[Hashable, ...]
KeyedRow = tuple[RowKey, Any]


def is_zero_row(weights: Sequence[Any], field: Any) -> bool:
    """Return whether w = 0, so that the neuron is constant; true in dimension 0."""
    return all(map(field.is_zero, weights))


def row_key(weights: Sequence[Any], bias: Any, activation: Activation, field: Any) -> KeyedRow:
    """Return the normal form of one row and the scale: row = scale·key about the centre.

    Parameters
    ----------
    weights : w, field elements.
    bias : b, a field element or a formal `Constant`.

    Notes
    -----
    Rows are equivalent under the activation's group iff their keys are equal. Where the
    group is α > 0 and the field has parameters, equal keys mean a constant ratio; other
    proportional rows are refused when rows are compared (`KeyedRows`, `are_equivalent`).
    A row equal to (0, c) is fixed by every α: its scale is 1.

    Examples
    --------
    >>> from identcert.exact.field import QQ
    >>> from identcert.nets.activation import activation
    >>> row_key([QQ(-1), QQ(2)], QQ(3), activation("tanh"), QQ)
    (((1, -2, -3), 1), -1)
    >>> row_key([QQ(6), QQ(-4)], QQ(0), activation("relu"), QQ)
    (((3, -2, 0), 1), 2)
    """
    if field.kind == "rational":
        denominator = lcm(*(int(w.q) for w in weights))
        row = tuple(int(w.p) * (denominator // int(w.q)) for w in weights)
        return integer_key(row, denominator, bias, activation)
    return _element_key(tuple(weights), bias, activation, field)


def integer_key(
    row: tuple[int, ...], denominator: int, bias: Any, activation: Activation
) -> KeyedRow:
    """Return `row_key` over Q of the weights row/denominator (the fast path)."""
    shape = activation.scalings
    if isinstance(bias, Constant) and not bias.is_plain:
        return _formal_key(row, denominator, bias - activation.centre, shape)
    plain = bias.value if isinstance(bias, Constant) else bias
    shifted = plain - activation.centre
    numerator, divisor = int(shifted.p), int(shifted.q)
    if denominator % divisor:
        common = lcm(denominator, divisor)
        factor = common // denominator
        row = tuple([entry * factor for entry in row])
        denominator = common
    return _integer_normal_form((*row, numerator * (denominator // divisor)), denominator, shape)


def _integer_normal_form(row: tuple[int, ...], denominator: int, shape: str) -> KeyedRow:
    """Divide row/denominator by its unit; rows stay in lowest terms."""
    negative = shape in ("sign", "nonzero") and next(filter(None, row), 0) < 0
    if negative:
        row = tuple(map(operator.neg, row))
    content = gcd(*row) if shape in ("positive", "nonzero") else gcd(denominator, *row)
    if content > 1:
        row = tuple([entry // content for entry in row])
    if shape in ("one", "sign"):
        return (row, denominator // content), fmpq(-1 if negative else 1)
    if content == 0:
        return (row, 1), fmpq(1)
    return (row, 1), fmpq(-content if negative else content, denominator)


def _formal_key(row: tuple[int, ...], denominator: int, shifted: Constant, shape: str) -> KeyedRow:
    """Return the key of a row whose bias is a formal constant: w alone sets the scale."""
    if any(row):
        (normal, rest), scale = _integer_normal_form(row, denominator, shape)
        return (normal, rest, shifted * (1 / scale)), scale
    scale = _unit(shifted.terms[0][0], shape, QQ)
    return (row, 1, shifted * (1 / scale)), scale


def _element_key(
    weights: tuple[Any, ...], bias: Any, activation: Activation, field: Any
) -> KeyedRow:
    shape = activation.scalings
    shifted = bias - field(activation.centre)
    scale = _unit(_lead(weights, shifted, field), shape, field)
    if scale == field.one:
        return (weights, shifted), scale
    if scale == -field.one:
        return (tuple([-w for w in weights]), -shifted), scale
    inverse = field.one / scale
    return (tuple([w * inverse for w in weights]), shifted * inverse), scale


def projective_key(
    weights: Sequence[Any], bias: Any, activation: Activation, field: Any
) -> KeyedRow:
    """Return the key of a row up to every factor other than 0, and that factor."""
    shifted = bias - field(activation.centre)
    lead = _lead(weights, shifted, field)
    inverse = field.one / lead
    return (tuple([w * inverse for w in weights]), shifted * inverse), lead


def _unit(lead: Any, shape: str, field: Any) -> Any:
    """Return the α of the group that belongs to a non-zero leading entry."""
    if shape == "one":
        return field.one
    if shape == "nonzero":
        return lead
    if field.is_ordered:
        size, negative = lead, field.sign(lead) < 0
    else:
        # a constant ratio changes the leading coefficient, a parameter does not
        size = lead.numerator.leading_coefficient()
        negative = size < 0
    if shape == "sign":
        return -field.one if negative else field.one
    return field(-size if negative else size)


def _lead(weights: Sequence[Any], shifted: Any, field: Any) -> Any:
    """Return the first non-zero entry of (w, b − c), or 1 if there is none."""
    for entry in weights:
        if not field.is_zero(entry):
            return entry
    if isinstance(shifted, Constant):
        return shifted.terms[0][0]
    return field.one if field.is_zero(shifted) else shifted


def row_keys(
    weight: Matrix, bias: Sequence[Any], activation: Activation, field: Any
) -> list[KeyedRow]:
    """Return the `row_key` of every row of (W, b); W is m×n, b has m entries."""
    if field.kind == "rational":
        rows, denominator = weight.integer_rows()
        return [
            integer_key(row, denominator, b, activation) for row, b in zip(rows, bias, strict=True)
        ]
    return [
        _element_key(row, b, activation, field)
        for row, b in zip(weight.to_rows(), bias, strict=True)
    ]


def layer_keys(layer: Layer) -> list[KeyedRow]:
    """Return the `row_key` of every neuron of a layer."""
    return row_keys(layer.weight, layer.bias, layer.activation, layer.weight.field)
