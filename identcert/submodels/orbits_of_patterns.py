"""The poset of patterns of one layer up to relabelling its neurons.

type  == the size of a class; or, where signs are kept apart, the numbers of its members of
         either sign, the larger one first, since a class and its negative are the same
orbit == the numbers of removed neurons and the multiset of the types of the classes
cover == two types merge, or one is removed; its multiplicity is the number of covers that
         lead from one pattern of the orbit into the other orbit

The latent group of an activation with signs relabels and flips, so that only sizes are
left; permutations alone keep the signs of a class relative to each other.

Source: theory of counting degenerate configurations (§9), orbit posets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import comb, factorial, prod

from identcert.errors import InputError
from identcert.submodels.counting import moebius, orbit_cover_number, orbit_number
from identcert.submodels.layer_poset import LIMIT, Kind, LayerPoset
from identcert.submodels.patterns import (
    MERGE,
    MERGE_NEGATIVE,
    MOVES,
    REMOVE,
    REMOVE_CONSTANT,
    REMOVE_UNREAD,
)

Type = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Orbit:
    """An orbit of patterns of one layer.

    Attributes
    ----------
    types : the types of the classes, largest first; (s, 0) where signs are not kept apart.
    removed : the number of removed neurons, or the pair (constant, unread).

    Examples
    --------
    >>> Orbit(((2, 1), (1, 0)), (2,)).text()
    '2/1+1 x2'
    """

    types: tuple[Type, ...]
    removed: tuple[int, ...]

    def text(self) -> str:
        """Return the orbit as people read it: sizes joined by +, ``x`` for removed."""
        sizes = "+".join(f"{p}/{q}" if q else str(p) for p, q in self.types)
        names = ("x",) if len(self.removed) == 1 else ("const", "unread")
        zeros = [f"{name}{z}" for name, z in zip(names, self.removed, strict=True) if z]
        return " ".join([sizes, *zeros] if sizes else zeros)

    def kind(self, signed: bool, signed_types: bool) -> Kind:
        """Return what the patterns of the orbit share, and how many there are."""
        sizes = [p + q for p, q in self.types]
        parts = prod(factorial(size) for size in [*sizes, *self.removed])
        alike = prod(factorial(number) for number in Counter(self.types).values())
        placed = factorial(sum(sizes) + sum(self.removed)) // parts // alike
        if signed_types:
            # which members have the sign of fewer ones; a tie is the same class twice
            signs = prod(comb(p + q, q) // (2 if p == q else 1) for p, q in self.types)
        else:
            signs = 2 ** (sum(sizes) - len(sizes)) if signed else 1
        value = moebius(sizes, self.removed, signed)
        return Kind(len(sizes), self.removed, placed * signs, value)

    def covers(self, signed: bool, signed_types: bool) -> Iterator[tuple[str, Orbit, int]]:
        """Yield (move, covering orbit, multiplicity)."""
        counts = Counter(self.types)
        kinds = sorted(counts, reverse=True)
        for index, first in enumerate(kinds):
            for second in kinds[index:]:
                pairs = comb(counts[first], 2)
                if first != second:
                    pairs = counts[first] * counts[second]
                if pairs:
                    for move, merged, ways in _merges(first, second, signed, signed_types):
                        yield move, self._changed((first, second), merged), pairs * ways
        for own in kinds:
            size = sum(own)
            if len(self.removed) == 1:
                zeros: tuple[int, ...] = (self.removed[0] + size,)
                yield REMOVE, self._changed((own,), None, zeros), counts[own]
                continue
            constant, unread = self.removed
            zeros = (constant + size, unread)
            yield REMOVE_CONSTANT, self._changed((own,), None, zeros), counts[own]
            zeros = (constant, unread + size)
            yield REMOVE_UNREAD, self._changed((own,), None, zeros), counts[own]

    def _changed(
        self, gone: tuple[Type, ...], new: Type | None, removed: tuple[int, ...] | None = None
    ) -> Orbit:
        rest = list(self.types)
        for own in gone:
            rest.remove(own)
        if new is not None:
            rest.append(new)
        return Orbit(tuple(sorted(rest, key=_size_first, reverse=True)), removed or self.removed)


def _size_first(own: Type) -> tuple[int, int]:
    return sum(own), own[0]


def _merges(
    first: Type, second: Type, signed: bool, signed_types: bool
) -> Iterator[tuple[str, Type, int]]:
    """Yield (move, merged type, number of ways) for a class of each type."""
    (p, q), (r, s) = first, second
    if not signed_types:
        yield MERGE, (p + r, 0), 2 if signed else 1
        return
    positive, negative = _ordered(p + r, q + s), _ordered(p + s, q + r)
    if positive == negative:
        yield MERGE, positive, 2
    else:
        yield MERGE, positive, 1
        yield MERGE_NEGATIVE, negative, 1


def _ordered(p: int, q: int) -> Type:
    return (p, q) if p >= q else (q, p)


def orbit_poset(
    neurons: int, signed: bool, signed_types: bool = False, dead_kinds: bool = False
) -> LayerPoset:
    """Return the orbits of patterns of one layer with their covers.

    Parameters
    ----------
    signed : whether clones carry signs, which the latent group flips.
    signed_types : whether only permutations relabel, so that signs are kept apart.

    Raises
    ------
    InputError
        If there are too many to hold.

    Examples
    --------
    >>> poset = orbit_poset(3, signed=True)
    >>> list(poset.texts)
    ['1+1+1', '1+1 x1', '2+1', '1 x2', '2 x1', '3', 'x3']
    >>> sum(kind.orbit for kind in poset.kinds)
    24
    """
    import numpy as np

    types = signed and signed_types
    size = orbit_number(neurons, types, dead_kinds) + orbit_cover_number(neurons, types, dead_kinds)
    if size > LIMIT // 30:
        raise InputError(
            f"the orbits of {neurons} neurons and their covers are {size}, too many to hold",
            fix="count them with the formulas instead",
        )
    found = sorted(
        _orbits(neurons, types, dead_kinds),
        key=lambda orbit: (-len(orbit.types), [-z for z in orbit.removed], orbit.types),
    )
    numbers = {orbit: number for number, orbit in enumerate(found)}
    edges = [
        (number, numbers[other], MOVES.index(move), ways)
        for orbit, number in numbers.items()
        for move, other, ways in orbit.covers(signed, types)
    ]
    columns = np.array(edges, np.int64).reshape(-1, 4).T
    return LayerPoset(
        neurons,
        tuple(orbit.text() for orbit in found),
        tuple(orbit.kind(signed, types) for orbit in found),
        np.arange(len(found)),
        *columns,
    )


def _orbits(neurons: int, types: bool, dead_kinds: bool) -> Iterator[Orbit]:
    """Yield every orbit once."""

    def fill(left: int, below: Type) -> Iterator[tuple[Type, ...]]:
        yield ()
        for size in range(min(left, sum(below)), 0, -1):
            for q in range(size // 2 + 1 if types else 1):
                own = (size - q, q)
                if _size_first(own) <= _size_first(below):
                    yield from ((own, *rest) for rest in fill(left - size, own))

    for chosen in fill(neurons, (neurons, 0)):
        zeros = neurons - sum(map(sum, chosen))
        if dead_kinds:
            yield from (Orbit(chosen, (zeros - unread, unread)) for unread in range(zeros + 1))
        else:
            yield Orbit(chosen, (zeros,))
