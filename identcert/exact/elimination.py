"""Gaussian elimination on tables of elements, for rings that FLINT has no matrices over.

Nothing is rounded, so that any pivot other than 0 is right; the choice only decides
how large intermediate entries become.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from identcert.exact.field import Element, Field
from identcert.exact.matrix_entries import Row, Rows


def determinant(table: Rows, field: Field) -> Element:
    """Return the determinant of a square table over a field as a signed product of pivots."""
    rows, product = list(table), field.one
    for j in range(len(rows)):
        chosen = next((i for i in range(j, len(rows)) if rows[i][j]), None)
        if chosen is None:
            return field.zero
        if chosen != j:
            rows[j], rows[chosen] = rows[chosen], rows[j]
            product = -product
        pivot = rows[j]
        product = product * pivot[j]
        inverse = field.one / pivot[j]
        for i in range(j + 1, len(rows)):
            if rows[i][j]:
                rows[i] = _reduced(rows[i], pivot, rows[i][j] * inverse)
    return product


def _reduced(row: Row, pivot: Row, factor: Element) -> Row:
    """Return row − factor · pivot."""
    return tuple(x - factor * p if p else x for x, p in zip(row, pivot, strict=True))


def fraction_free(
    table: Iterable[Row], cols: int, one: Any, size: Callable[[Any], int]
) -> tuple[list[Row], tuple[int, ...], Any, int]:
    """Return d·R for the reduced row echelon form R of a table over an integral domain.

    Parameters
    ----------
    table : rows of elements with exact division ``/``.
    cols : the number of columns.
    one : the 1 of the domain.
    size : what the entries that serve as pivots should have little of.

    Returns
    -------
    The rows of d·R with rows of zeros last; the pivot columns; d; and the sign of the
    row exchanges. For a square table of full rank, d times the sign is its determinant.

    Notes
    -----
    Bareiss: after k pivots every entry is a minor of order k or k + 1, so that the
    division by the pivot before is exact and no greatest common divisor is needed.
    """
    rows, pivots, previous, sign = list(table), list[int](), one, 1
    for j in range(cols):
        top = len(pivots)
        candidates = [i for i in range(top, len(rows)) if rows[i][j]]
        if not candidates:
            continue
        chosen = min(candidates, key=lambda i: size(rows[i][j]))
        if chosen != top:
            rows[top], rows[chosen] = rows[chosen], rows[top]
            sign = -sign
        pivot_row = rows[top]
        pivot = pivot_row[j]
        for i, row in enumerate(rows):
            if i != top:
                rows[i] = _eliminated(row, pivot_row, pivot, row[j], previous)
        pivots.append(j)
        previous = pivot
    return rows, tuple(pivots), previous, sign


def _eliminated(row: Row, pivot_row: Row, pivot: Any, factor: Any, previous: Any) -> Row:
    """Return (pivot · row − factor · pivot_row) / previous."""
    if not factor:
        return tuple(pivot * x / previous if x else x for x in row)
    pairs = zip(row, pivot_row, strict=True)
    return tuple(
        (pivot * x - factor * p) / previous if p else pivot * x / previous for x, p in pairs
    )
