"""Values of a network at a point: exact, as rigorous balls, and in floats for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import arb, arb_mat

from identcert.errors import InputError
from identcert.exact.field import Element, Field
from identcert.nets.constant import entry_ball
from identcert.nets.layer import Layer
from identcert.nets.numeric import float_of

BallLayer = tuple[arb_mat | None, tuple[arb, ...]]
"""Balls of a weight (None if it has no entries) and of a bias."""


def check_length(point: Sequence[Any], inputs: int) -> None:
    """Check that a point has one coordinate an input.

    Raises
    ------
    InputError
        If it has not.
    """
    if not hasattr(point, "__len__"):
        raise InputError(f"a {type(point).__name__} is no point", "x", "give a list of numbers")
    if len(point) != inputs:
        raise InputError(f"the network takes vectors of length {inputs}, not {len(point)}")


def exact_values(
    layers: Sequence[Layer], point: Sequence[Any], field: Field
) -> tuple[Element, ...] | None:
    """Return f(x) over the field, or None where an activation or a bias leaves it."""
    values: tuple[Element, ...] = tuple([field(x) for x in point])
    for layer in layers:
        if not layer.has_plain_bias:
            return None
        moved = layer.weight.apply(values)
        sums = [z + b for z, b in zip(moved, layer.bias, strict=True)]
        image = [layer.activation.apply(z, field) for z in sums]
        if any(value is None for value in image):
            return None
        values = tuple(image)
    return values


def ball_layers(layers: Sequence[Layer], field: Field, bits: int) -> tuple[BallLayer, ...]:
    """Return balls of all weights and biases; the caller sets the working precision.

    Raises
    ------
    UnsupportedError
        If an entry depends on parameters.
    """
    found = []
    for layer in layers:
        rows = [[field.ball(w, bits) for w in row] for row in layer.weight.to_rows()]
        weight = arb_mat(rows) if layer.outputs and layer.inputs else None
        found.append((weight, tuple([entry_ball(b, field, bits) for b in layer.bias])))
    return tuple(found)


def ball_values(
    layers: Sequence[Layer], balls: Sequence[BallLayer], point: Sequence[arb]
) -> tuple[arb, ...]:
    """Return balls that contain f(x) for every x in the given balls."""
    values = tuple(point)
    for layer, (weight, bias) in zip(layers, balls, strict=True):
        sums: Sequence[arb] = bias
        if weight is not None:
            moved = (weight * arb_mat([[x] for x in values])).entries()
            sums = [z + b for z, b in zip(moved, bias, strict=True)]
        values = tuple([layer.activation.ball(z) for z in sums])
    return values


def float_layers(layers: Sequence[Layer], field: Field) -> tuple[tuple[Any, Any], ...]:
    """Return weights and biases as float64 arrays, each number rounded once.

    Raises
    ------
    UnsupportedError
        If an entry depends on parameters.
    """
    import numpy as np

    found = []
    for layer in layers:
        rows = [[_float(w, field) for w in row] for row in layer.weight.to_rows()]
        bias = [_float(b, field) for b in layer.bias]
        weight = np.array(rows, dtype=np.float64).reshape(layer.weight.shape)
        found.append((weight, np.array(bias, dtype=np.float64)))
    return tuple(found)


def float_values(layers: Sequence[Layer], floats: Sequence[tuple[Any, Any]], points: Any) -> Any:
    """Return f of float64 points of shape (…, n), as an array of shape (…, m)."""
    values = points
    for layer, (weight, bias) in zip(layers, floats, strict=True):
        values = layer.activation.numpy(values @ weight.T + bias)
    return values


def _float(entry: Any, field: Field) -> float:
    if field.kind == "rational" and not hasattr(entry, "terms"):
        return float_of(entry)
    return float(entry_ball(entry, field, 64))
