"""Ball-certified minors: [J | η] has full column rank, so that η does not lift.

minor == the determinant of p+1 rows of [J | η], rows being values at points; where it is not 0,
         J is injective and η lies outside Im J; p rows of J alone certify injectivity
dead  == a coordinate whose neurons have no outgoing weight: its column is 0 and is left out

Elimination in balls chooses rows and certifies pivots at once: a pivot is a ball without 0. That a
rank is deficient cannot be certified by sampling, so a failure says nothing.
Source: theory of attribution §6, deep tanh.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from identcert.attribution.parameters import Coordinate, Parametrisation
from identcert.attribution.point_system import PointOnKink, Ring, ball_ring, rows_at
from identcert.exact.balls import lower_bound_abs, precision
from identcert.groups.action import InfinitesimalGenerator

MAX_COORDINATES = 200
PRECISIONS = (128, 512, 2048)
Point = tuple[fmpq, ...]


@dataclass(frozen=True, slots=True)
class Minor:
    """A square submatrix of J or [J | η] that is certified to be regular.

    Attributes
    ----------
    points : rational points.
    rows : pairs (index of a point, output), one a column.
    dropped : coordinates that are dead, by index; their columns are left out.
    bits : a precision at which elimination certifies every pivot.
    with_target : whether η is the last column.
    """

    points: tuple[Point, ...]
    rows: tuple[tuple[int, int], ...]
    dropped: tuple[int, ...]
    bits: int
    with_target: bool


def find_minor(
    parametrisation: Parametrisation,
    generator: InfinitesimalGenerator,
    with_target: bool = True,
    seed: int = 0,
) -> Minor | None:
    """Return a regular minor of [J | η] (or of J), or None if none was found.

    Examples
    --------
    >>> from identcert.attribution.generators import rotation
    >>> from identcert.nets.network import Network
    >>> layers = [([[3, 0]], [1], "tanh"), ([[2]], None, "tanh"), ([[1]], None, "identity")]
    >>> masked = Parametrisation.of(Network.dense(layers), frozen=["W1[0,1]", "W3"])
    >>> find_minor(masked, rotation(2, 1)).rows
    ((0, 0), (1, 0), (2, 0), (3, 0))
    """
    dropped = dead_coordinates(parametrisation) if with_target else ()
    size = len(parametrisation.coordinates)
    if size > MAX_COORDINATES:
        return None
    needed = size - len(dropped) + int(with_target)
    points = _random_points(parametrisation.network.inputs, 2 * needed + 2, seed)
    for bits in PRECISIONS:
        with precision(bits):
            ring = ball_ring(parametrisation.network.field, bits)
            table = _table(parametrisation, generator, points, ring)
            columns = [k for k in range(size + int(with_target)) if k not in dropped]
            rows = _find_pivot_rows({key: [row[k] for k in columns] for key, row in table.items()})
        if rows is not None:
            used = sorted({point for point, _ in rows})
            renamed = {point: k for k, point in enumerate(used)}
            found = tuple(sorted((renamed[point], output) for point, output in rows))
            return Minor(tuple(points[k] for k in used), found, dropped, bits, with_target)
    return None


def dead_coordinates(parametrisation: Parametrisation) -> tuple[int, ...]:
    """Return the coordinates that move only neurons without outgoing weights."""
    network = parametrisation.network

    def is_dead(coordinate: Coordinate) -> bool:
        return all(
            place.layer + 1 < len(network.layers)
            and not any(network.layers[place.layer + 1].weight.column(place.row))
            for place, _ in coordinate.terms
        )

    return tuple(k for k, c in enumerate(parametrisation.coordinates) if is_dead(c))


def _random_points(inputs: int, count: int, seed: int) -> list[Point]:
    draw = random.Random(seed)
    return [tuple(fmpq(draw.randint(-32, 32), 16) for _ in range(inputs)) for _ in range(count)]


def _table(
    parametrisation: Parametrisation,
    generator: InfinitesimalGenerator,
    points: list[Point],
    ring: Ring,
) -> dict[tuple[int, int], list[Any]]:
    table = {}
    for index, point in enumerate(points):
        try:
            rows = rows_at(parametrisation, generator, point, ring)
        except PointOnKink:
            continue
        table.update({(index, output): row for output, row in enumerate(rows)})
    return table


def _find_pivot_rows(table: dict[tuple[int, int], list[Any]]) -> list[tuple[int, int]] | None:
    """Return rows whose square submatrix has certified pivots, or None.

    Every remaining row is reduced by every pivot row, which never divides by a ball with 0.
    """
    if not table:
        return None  # every point lies on a kink: an empty matrix is regular, but says nothing
    rows = dict(table)
    chosen: list[tuple[int, int]] = []
    size = len(next(iter(rows.values()), []))
    for k in range(size):
        best = max(rows, key=lambda key: lower_bound_abs(rows[key][k]), default=None)
        if best is None or lower_bound_abs(rows[best][k]) == 0:
            return None
        pivot = rows.pop(best)
        chosen.append(best)
        for key, row in rows.items():
            factor = row[k] / pivot[k]
            rows[key] = [a - factor * b for a, b in zip(row, pivot, strict=True)]
    return chosen
