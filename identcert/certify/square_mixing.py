"""Second parameters of layers with squares: rotations, and the swap of Example 41.

mixing == two neurons (w, b) with outgoing columns a and s·a contribute a(ℓ_1² + sℓ_2²):
          every linear map that keeps the form x² + sy², such as a reflection, keeps it
swap   == four neurons p = αu + βv, q = γu + δv over u = ℓ_1², v = ℓ_2² with αδ + βγ = 0:
          then p² − (α/γ)²q² = 4αβ(ℓ_1ℓ_2)², so that p, ℓ_1ℓ_2 serve as well as p, q

The reflection along (1, t) has rational entries for rational t. The swap needs the root
of β/α in the field.

Source: theory of polynomial networks (§2.2, §4; fixtures F3, F4), Usevich et al. Example 41.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from math import isqrt
from typing import Any

from flint import fmpq

from identcert.certify.polynomial_shapes import ShiftedPower, shifted_power
from identcert.certify.second_parameter import (
    Proposal,
    hidden_pairs,
    with_columns,
    with_layers,
    with_rows,
)
from identcert.nets.network import Layer, Network

TILTS = (1, 2, 3, -1)
Row = tuple[Any, ...]


def propose_by_mixing(network: Network) -> Iterator[Proposal]:
    """Yield networks in which two squares with parallel outgoing columns were reflected."""
    for index, layer, following in hidden_pairs(network):
        shape = shifted_power(layer.activation)
        if shape is None or shape.degree != 2 or not layer.has_plain_bias:
            continue
        for i, j in combinations(range(layer.outputs), 2):
            ratio = _ratio(following.weight.column(i), following.weight.column(j))
            if ratio is not None:
                yield from _reflected(network, index, (i, j), ratio, shape)


def _ratio(left: Sequence[Any], right: Sequence[Any]) -> Any | None:
    """Return the s ≠ 0 with right = s·left, or None."""
    lead = next((k for k, x in enumerate(left) if x), None)
    if lead is None or not right[lead]:
        return None
    ratio = right[lead] / left[lead]
    return ratio if all(y == ratio * x for x, y in zip(left, right, strict=True)) else None


def _reflected(
    network: Network, index: int, pair: tuple[int, int], ratio: Any, shape: ShiftedPower
) -> Iterator[Proposal]:
    layer = network.layers[index]
    rows = [(*layer.weight.row(k), layer.bias[k] - shape.centre) for k in pair]
    # the last tilt keeps rows with equal last entries: it needs no bias
    for tilt in (*TILTS, -1 / ratio):
        size = 1 + ratio * tilt * tilt
        if not size:
            continue
        moved = _reflect(rows, ratio, tilt, size)
        new = {k: (row[:-1], row[-1] + shape.centre) for k, row in zip(pair, moved, strict=True)}
        form = f"x² + ({network.field.text(ratio)})y²"
        change = (
            f"neurons {pair[0]} and {pair[1]} of hidden layer {index + 1} were mixed by a "
            f"reflection that keeps {form}"
        )
        yield Proposal("mixed squares", change, with_layers(network, index, with_rows(layer, new)))


def _reflect(rows: Sequence[Row], ratio: Any, tilt: Any, size: Any) -> tuple[Row, Row]:
    """Return the images of two rows under x ↦ x − 2B(x, v)/Q(v)·v, v = (1, tilt)."""
    first, second = rows
    inner = [2 * (x + ratio * tilt * y) / size for x, y in zip(first, second, strict=True)]
    return (
        tuple(x - c for x, c in zip(first, inner, strict=True)),
        tuple(y - tilt * c for y, c in zip(second, inner, strict=True)),
    )


def propose_by_swap(network: Network) -> Iterator[Proposal]:
    """Yield networks in which two squares of two squares were exchanged as in Example 41."""
    for index, layer, following in hidden_pairs(network):
        if index + 2 >= len(network.layers) or network.field.kind != "rational":
            continue
        if not all(x.activation.text() == "x^2" and x.has_plain_bias for x in (layer, following)):
            continue
        for upper in permutations(range(following.outputs), 2):
            lower = _shared_support(following, upper)
            if lower is not None:
                yield from _swapped(network, index, lower, upper)


def _shared_support(following: Layer, upper: Sequence[int]) -> tuple[int, int] | None:
    """Return the two neurons that the upper two read, and that nobody else reads."""
    rows = [following.weight.row(m) for m in upper]
    support = [k for k in range(following.inputs) if any(row[k] for row in rows)]
    if len(support) != 2 or any(following.bias[m] for m in upper):
        return None
    others = (m for m in range(following.outputs) if m not in upper)
    if any(following.weight[m, k] for m in others for k in support):
        return None
    return support[0], support[1]


def _swapped(
    network: Network, index: int, lower: tuple[int, int], upper: Sequence[int]
) -> Iterator[Proposal]:
    """Yield the swap that keeps p, if its root exists; p and q come in both orders."""
    layer, following, last = network.layers[index : index + 3]
    (a, b), (c, d) = ([following.weight[m, k] for k in lower] for m in upper)
    if a * d + b * c or not all((a, b, c, d)):
        return
    root = _root(b / a)
    if root is None:
        return
    (first, one), (second, two) = ((layer.weight.row(k), layer.bias[k]) for k in lower)
    rows = {
        k: (
            tuple(x + sign * root * y for x, y in zip(first, second, strict=True)),
            one + sign * root * two,
        )
        for k, sign in zip(lower, (1, -1), strict=True)
    }
    zero = network.field.zero
    new_p, new_q = [zero] * following.inputs, [zero] * following.inputs
    for k, sign in zip(lower, (1, -1), strict=True):
        new_p[k], new_q[k] = a / 2, sign / (4 * root)
    columns = [last.weight.column(m) for m in upper]
    scale = (c / a) ** 2
    outgoing = {
        upper[0]: tuple(x + y * scale for x, y in zip(*columns, strict=True)),
        upper[1]: tuple(-4 * a * b * scale * y for y in columns[1]),
    }
    middle = {upper[0]: (tuple(new_p), zero), upper[1]: (tuple(new_q), zero)}
    layers = with_rows(layer, rows), with_rows(following, middle), with_columns(last, outgoing)
    change = (
        f"neurons {lower[0]} and {lower[1]} of hidden layer {index + 1} and {upper[0]} and "
        f"{upper[1]} of the next were exchanged for the other representation of Example 41"
    )
    yield Proposal("squares of squares", change, with_layers(network, index, *layers))


def _root(square: fmpq) -> fmpq | None:
    """Return the positive rational root, or None."""
    top, bottom = int(square.p), int(square.q)
    if top <= 0 or isqrt(top) ** 2 != top or isqrt(bottom) ** 2 != bottom:
        return None
    return fmpq(isqrt(top), isqrt(bottom))
