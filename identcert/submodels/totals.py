"""The numbers of graphs of patterns over several layers, without building the graphs.

The graph of several hidden layers is the product of those of its layers: nodes multiply,
ranks add, and an edge changes one layer. Orbits under relabelling multiply likewise, since
every layer is relabelled on its own.

Source: theory of counting degenerate configurations (§9), several layers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce

from identcert.submodels.counting import (
    Polynomial,
    characteristic_polynomial,
    check_size,
    cover_number,
    multiply,
    orbit_cover_number,
    orbit_numbers,
    pattern_numbers,
)


@dataclass(frozen=True, slots=True)
class Count:
    """The numbers of a graph of patterns.

    Attributes
    ----------
    nodes, edges : patterns (or orbits) and covers.
    ranks : coefficients of the rank generating function: patterns of rank 0, 1, ….
    characteristic : the characteristic polynomial in t, ascending; None for orbits.
    """

    nodes: int
    edges: int
    ranks: Polynomial
    characteristic: Polynomial | None

    def times(self, other: Count) -> Count:
        """Return the numbers of the product: ranks add, Möbius values multiply."""
        both = None
        if self.characteristic is not None and other.characteristic is not None:
            both = multiply(self.characteristic, other.characteristic)
        return Count(
            self.nodes * other.nodes,
            self.edges * other.nodes + self.nodes * other.edges,
            multiply(self.ranks, other.ranks),
            both,
        )


UNIT = Count(1, 0, (1,), (1,))


def count_patterns(
    hidden: Sequence[int], signed: Sequence[bool], dead_kinds: bool = False
) -> Count:
    """Return the numbers of the labelled graph of hidden layers.

    >>> count = count_patterns([3, 2], [True, True])
    >>> count.nodes, count.edges, count.ranks
    (144, 540, (1, 13, 50, 62, 17, 1))
    >>> count.characteristic
    (-45, 129, -134, 62, -13, 1)
    """

    def layer(m: int, sign: bool) -> Count:
        numbers = pattern_numbers(m, sign, dead_kinds)
        polynomial = characteristic_polynomial(m, sign, dead_kinds)
        covers = cover_number(m, sign, dead_kinds)
        return Count(sum(numbers), covers, numbers[::-1], polynomial)

    return _product(hidden, map(layer, hidden, signed))


def count_orbits(
    hidden: Sequence[int], signed_types: Sequence[bool], dead_kinds: bool = False
) -> Count:
    """Return the numbers of the graph up to relabelling, layer by layer.

    >>> count_orbits([3, 2], [False, False])
    Count(nodes=28, edges=68, ranks=(1, 4, 8, 9, 5, 1), characteristic=None)
    """

    def layer(m: int, types: bool) -> Count:
        numbers = orbit_numbers(m, types, dead_kinds)
        covers = orbit_cover_number(m, types, dead_kinds)
        return Count(sum(numbers), covers, numbers[::-1], None)

    return _product(hidden, map(layer, hidden, signed_types))


def _product(hidden: Sequence[int], counts: Iterable[Count]) -> Count:
    check_size(sum(hidden))
    return reduce(Count.times, counts, UNIT)
