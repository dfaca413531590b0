"""How far a transformed row is from the nearest admissible partner, exactly.

distance == max-norm of (w, b)∘R − K(w', b') over the entries of a row, minimised over
            the partners and, for finite scalings, over all admissible α; for infinite
            scalings α is fixed by the partner's largest entry
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
    best: tuple[Any, int, Any, tuple[Any, ...]] | None = None
    shifted = (*moved[:-1], moved[-1] - centre)
    for partner in range(layer.weight.rows):
        own = (*layer.weight.row(partner), layer.bias[partner] - centre)
        for alpha in _scales(layer, shifted, own, field):
            image = tuple(alpha * x for x in own)
            distance = _distance(shifted, image, field)
            if best is None or field.sign(best[0] - distance) > 0:
                best = (distance, partner, alpha, image)
    if best is None:
        return None
    return _describe(row, best[1], best[2], shifted, best[3], field)


def _scales(layer: Layer, moved: tuple[Any, ...], own: tuple[Any, ...], field: Any) -> list[Any]:
    kind = layer.activation.scalings
    if kind == "one":
        return [field.one]
    if kind == "sign":
        return [field.one, -field.one]
    pivot = _largest([abs_of(x, field) for x in own], field)
    if field.is_zero(own[pivot]):
        return []
    alpha = moved[pivot] / own[pivot]
    admissible = field.sign(alpha) > 0 or (kind == "nonzero" and not field.is_zero(alpha))
    return [alpha] if admissible else []


def _largest(sizes: list[Any], field: Any) -> int:
    best = 0
    for index, size in enumerate(sizes):
        if field.sign(size - sizes[best]) > 0:
            best = index
    return best


def abs_of(value: Any, field: Any) -> Any:
    """Return |value| in an ordered field."""
    return -value if field.sign(value) < 0 else value


def _distance(left: tuple[Any, ...], right: tuple[Any, ...], field: Any) -> Any:
    largest = field.zero
    for a, b in zip(left, right, strict=True):
        size = abs_of(a - b, field)
        if field.sign(size - largest) > 0:
            largest = size
    return largest


def _describe(
    row: int, partner: int, alpha: Any, left: tuple[Any, ...], right: tuple[Any, ...], field: Any
) -> NearestPartner:
    sizes = [abs_of(a - b, field) for a, b in zip(left, right, strict=True)]
    largest = _distance(left, right, field)
    entry = next(i for i, size in enumerate(sizes) if size == largest)
    entry = -1 if entry == len(sizes) - 1 else entry
    return NearestPartner(
        row, partner, field.text(alpha), field.text(largest), approximate(largest, field), entry
    )


def approximate(value: Any, field: Any) -> str:
    """Return a short decimal of an exact value, for people only.

    Examples
    --------
    >>> from identcert.exact.field import QQ
    >>> approximate(QQ(Fraction(1, 3)), QQ)
    '0.3333'
    """
    if field.kind == "parametric":
        return str(field.text(value))
    return str(field.ball(value, 64).str(4, radius=False))
