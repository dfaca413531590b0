"""How far a transformed row is from the nearest admissible partner, exactly.

distance == max-norm of (w, b)∘R − K(w', b') over the entries of a row, minimised over
            the partners and, for finite scalings, over all admissible α; for infinite
            scalings α makes the two rows agree at the transformed row's largest entry
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from identcert.exact.matrix import Matrix
from identcert.nets.constant import Constant
from identcert.nets.network import Layer


@dataclass(frozen=True, slots=True)
class NearestPartner:
    """The nearest admissible partner of one transformed row.

    Attributes
    ----------
    row : index of the transformed row.
    partner : index of the nearest row (for outputs: the row itself).
    scale : the admissible factor, as text.
    distance : the exact maximal difference of entries, as text.
    size : an approximate size of the distance, for people.
    entry : index of the input column with the largest difference (−1: the bias).
    """

    row: int
    partner: int
    scale: str
    distance: str
    size: str
    entry: int


def nearest_partner(
    layer: Layer,
    weight: Matrix,
    bias: tuple[Any, ...],
    row: int,
    field: Any,
    target: tuple[Matrix, tuple[Any, ...]] | None = None,
) -> NearestPartner | None:
    """Return the nearest partner of row ``row`` of the transformed (weight, bias).

    With ``target`` (the output equation) the row is compared with that row of the target.
    None where a bias carries formal constants, whose distances are no field elements.
    """
    centre = field(layer.activation.centre)
    moved = (*weight.row(row), bias[row])
    if any(isinstance(x, Constant) for x in (*bias, *layer.bias)):
        return None
    if target is not None:
        wanted = (*target[0].row(row), target[1][row])
        return _describe(row, row, field.one, moved, wanted, field)
    shifted = (*moved[:-1], moved[-1] - centre)
    sizes = [abs_of(x, field) for x in shifted]
    pivot = _largest(sizes, field)
    best: tuple[Any, int, Any] | None = None
    for partner in range(layer.weight.rows):
        own = (*layer.weight.row(partner), layer.bias[partner] - centre)
        for alpha in _scales(layer, shifted[pivot], own[pivot], field):
            distance = _distance(shifted, own, alpha, field, None if best is None else best[0])
            if distance is not None:
                best = (distance, partner, alpha)
    if best is None:
        return None
    _, partner, alpha = best
    own = (*layer.weight.row(partner), layer.bias[partner] - centre)
    return _describe(row, partner, alpha, shifted, tuple(alpha * x for x in own), field)


def _scales(layer: Layer, moved: Any, own: Any, field: Any) -> list[Any]:
    """Return the admissible factors to try, from the entries at the row's pivot."""
    kind = layer.activation.scalings
    if kind == "one":
        return [field.one]
    if kind == "sign":
        return [field.one, -field.one]
    if field.is_zero(own):
        return []
    alpha = moved / own
    admissible = field.sign(alpha) > 0 or (kind == "nonzero" and not field.is_zero(alpha))
    return [alpha] if admissible else []


def _distance(
    moved: tuple[Any, ...], own: tuple[Any, ...], alpha: Any, field: Any, limit: Any
) -> Any | None:
    """Return the max-norm of moved − α·own, or None as soon as it reaches the limit."""
    largest = field.zero
    for a, b in zip(moved, own, strict=True):
        size = abs_of(a - alpha * b, field)
        if field.sign(size - largest) > 0:
            largest = size
            if limit is not None and field.sign(largest - limit) >= 0:
                return None
    return largest


def _largest(sizes: list[Any], field: Any) -> int:
    """Return the index of a largest entry, by exact comparisons."""
    best = 0
    for index, size in enumerate(sizes):
        if field.sign(size - sizes[best]) > 0:
            best = index
    return best


def abs_of(value: Any, field: Any) -> Any:
    """Return |value| in an ordered field."""
    return -value if field.sign(value) < 0 else value


def _describe(
    row: int, partner: int, alpha: Any, left: tuple[Any, ...], right: tuple[Any, ...], field: Any
) -> NearestPartner:
    sizes = [abs_of(a - b, field) for a, b in zip(left, right, strict=True)]
    entry = _largest(sizes, field)
    largest = sizes[entry]
    entry = -1 if entry == len(sizes) - 1 else entry
    return NearestPartner(
        row, partner, field.text(alpha), field.text(largest), approximate(largest, field), entry
    )


def approximate(value: Any, field: Any) -> str:
    """Return a short decimal of an exact value, for people only.

    Examples
    --------
    >>> from identcert.exact.field import QQ
    >>> approximate(QQ(1) / 3, QQ)
    '0.3333'
    """
    if field.kind == "parametric":
        return str(field.text(value))
    return str(field.ball(value, 64).str(4, radius=False))
