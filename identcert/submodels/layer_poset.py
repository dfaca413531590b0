"""The poset of patterns of one layer, or of their orbits, held compactly.

element == a pattern, or an orbit of patterns; elements are numbered by rank
cover   == one merge or one removal, as a pair of element numbers
kind    == what all patterns of one orbit share: width, removed neurons, Möbius value

Labels are small integers in NumPy arrays, a whole rank at a time: merging two classes, or
removing one, maps labels to labels by a table, and the result is in normal form again.
A pattern is one 64-bit number, its labels as digits, so that targets are found by
bisection. Nothing here is decided by floats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import factorial, prod
from typing import Any

from identcert.errors import InputError
from identcert.submodels.counting import cover_number, moebius, pattern_numbers
from identcert.submodels.patterns import (
    MERGE,
    MERGE_NEGATIVE,
    MOVES,
    REMOVE,
    REMOVE_CONSTANT,
    REMOVE_UNREAD,
    pattern_text,
)

LIMIT = 30_000_000
"""The number of elements and covers of one layer above which nothing is built."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What all patterns of one orbit share.

    Attributes
    ----------
    width : the number of classes.
    removed : the number of removed neurons, or the pair (constant, unread).
    orbit : the number of patterns of the orbit.
    moebius : μ from the finest pattern, in the lattice of patterns.
    """

    width: int
    removed: tuple[int, ...]
    orbit: int
    moebius: int


@dataclass(frozen=True, slots=True, eq=False)
class LayerPoset:
    """Elements and covers of one layer.

    Attributes
    ----------
    neurons : the number m of neurons.
    texts : the elements as people read them.
    kinds : the kinds there are.
    kind : per element its number in ``kinds``.
    source, target : per cover the numbers of its elements, as NumPy arrays.
    move : per cover its number in ``MOVES``, as a NumPy array.
    multiplicity : for orbits, per cover the number of covers from one pattern; else None.
    """

    neurons: int
    texts: Sequence[str]
    kinds: tuple[Kind, ...]
    kind: Any
    source: Any
    target: Any
    move: Any
    multiplicity: Any = None

    @property
    def size(self) -> int:
        """The number of elements."""
        return len(self.kind)

    @property
    def covers(self) -> int:
        """The number of covers."""
        return len(self.source)


@dataclass(frozen=True, slots=True, eq=False)
class PatternTexts(Sequence[str]):
    """The texts of patterns that are stored as rows of labels."""

    labels: Any
    unread: int | None

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, index: Any) -> Any:
        return self._text(self.labels[index].tolist())

    def __iter__(self) -> Iterator[str]:
        return map(self._text, self.labels.tolist())

    def _text(self, row: list[int]) -> str:
        if self.unread is None:
            return pattern_text(row)
        unread = [i for i, label in enumerate(row) if label == self.unread]
        return pattern_text([0 if label == self.unread else label for label in row], unread)


def pattern_poset(neurons: int, signed: bool, dead_kinds: bool = False) -> LayerPoset:
    """Return the patterns of one layer with their covers.

    Raises
    ------
    InputError
        If there are too many to hold.

    Examples
    --------
    >>> poset = pattern_poset(3, signed=True)
    >>> poset.size, poset.covers, poset.texts[0]
    (24, 58, '{0}{1}{2}')
    """
    import numpy as np

    nodes = sum(pattern_numbers(neurons, signed, dead_kinds))
    covers = cover_number(neurons, signed, dead_kinds)
    if nodes + covers > LIMIT:
        raise InputError(
            f"{neurons} neurons have {nodes} patterns and {covers} covers, too many to hold",
            fix="count them, take them up to relabelling, or iterate over them",
        )
    ranks = _ranks(neurons, signed, dead_kinds)
    codes = [_codes(rank, neurons) for rank in ranks]
    edges = [
        _covers_of_rank(ranks[r], codes[r + 1], neurons - r, signed, dead_kinds)
        for r in range(neurons)
    ]
    starts = np.cumsum([0, *(len(rank) for rank in ranks)])
    sources = [np.tile(np.arange(len(ranks[r]), dtype=np.int32), len(moves)) + starts[r]
               for r, (_, moves) in enumerate(edges)]  # fmt: skip
    targets = [found + starts[r + 1] for r, (found, _) in enumerate(edges)]
    moved = [np.repeat(moves, len(ranks[r])) for r, (_, moves) in enumerate(edges)]
    labels = np.concatenate(ranks)
    kinds, kind = _kinds(labels, signed, dead_kinds)
    return LayerPoset(
        neurons,
        PatternTexts(labels, neurons + 1 if dead_kinds else None),
        kinds,
        kind,
        np.concatenate([*sources, np.empty(0, np.int32)]).astype(np.int32),
        np.concatenate([*targets, np.empty(0, np.int32)]).astype(np.int32),
        np.concatenate([*moved, np.empty(0, np.uint8)]).astype(np.uint8),
    )


def _ranks(neurons: int, signed: bool, dead_kinds: bool) -> list[Any]:
    """Return the label rows of all patterns, one array a rank, sorted by code."""
    import numpy as np

    by_width: dict[int, Any] = {0: np.zeros((1, 0), np.int8)}
    removed = [0, neurons + 1] if dead_kinds else [0]
    for _ in range(neurons):
        grown: dict[int, list[Any]] = {}
        for width, rows in by_width.items():
            stay = [*removed, *(sign * c for c in range(1, width + 1)
                                for sign in ((1, -1) if signed else (1,)))]  # fmt: skip
            for label, reached in [*((own, width) for own in stay), (width + 1, width + 1)]:
                column = np.full((len(rows), 1), label, np.int8)
                grown.setdefault(reached, []).append(np.hstack([rows, column]))
        by_width = {width: np.concatenate(parts) for width, parts in grown.items()}
    ranks = [by_width[width] for width in range(neurons, -1, -1)]
    return [rank[np.argsort(_codes(rank, neurons))] for rank in ranks]


def _codes(rows: Any, neurons: int) -> Any:
    """Return every row of labels as one integer."""
    import numpy as np

    base = 2 * neurons + 2
    code = np.zeros(len(rows), np.int64)
    for column in range(rows.shape[1]):
        code = code * base + (rows[:, column].astype(np.int64) + neurons)
    return code


def _covers_of_rank(
    rows: Any, codes: Any, width: int, signed: bool, dead_kinds: bool
) -> tuple[Any, Any]:
    """Return per move, and in it per row, the number of the target in the next rank."""
    import numpy as np

    neurons = rows.shape[1]
    places = rows.astype(np.intp) + neurons
    found, moves = [], []
    for move, table in _tables(neurons, width, signed, dead_kinds):
        image = np.array(table, np.int8)[places]
        found.append(np.searchsorted(codes, _codes(image, neurons)))
        moves.append(MOVES.index(move))
    return np.concatenate(found).astype(np.int32), np.array(moves, np.uint8)


def _tables(
    neurons: int, width: int, signed: bool, dead_kinds: bool
) -> Iterator[tuple[str, list[int]]]:
    """Yield every move out of a pattern of ``width`` classes as a table of labels."""

    def table(label: int, into: int) -> list[int]:
        image = {label: into, -label: -into if abs(into) < label else into}
        for other in range(label + 1, width + 1):
            image[other], image[-other] = other - 1, 1 - other
        return [image.get(own, own) for own in range(-neurons, neurons + 2)]

    for label in range(2, width + 1):
        for into in range(1, label):
            yield MERGE, table(label, into)
            if signed:
                yield MERGE_NEGATIVE, table(label, -into)
    for label in range(1, width + 1):
        yield (REMOVE_CONSTANT if dead_kinds else REMOVE), table(label, 0)
        if dead_kinds:
            yield REMOVE_UNREAD, table(label, neurons + 1)


def _kinds(labels: Any, signed: bool, dead_kinds: bool) -> tuple[tuple[Kind, ...], Any]:
    """Return the kinds of label rows, and the number of its kind for every row."""
    import numpy as np

    neurons = labels.shape[1]
    absolute = np.abs(labels)
    sizes = np.stack(
        [(absolute == c).sum(axis=1, dtype=np.int8) for c in range(1, neurons + 1)]
        or [np.zeros(len(labels), np.int8)],
        axis=1,
    )
    sizes.sort(axis=1)
    zeros = [(labels == 0).sum(axis=1, dtype=np.int8)]
    if dead_kinds:
        zeros.append((labels == neurons + 1).sum(axis=1, dtype=np.int8))
    profile = np.concatenate([np.stack(zeros, axis=1), sizes], axis=1)
    code = np.zeros(len(labels), np.int64)
    for column in range(profile.shape[1]):
        code = code * (neurons + 1) + profile[:, column]
    _, first, kind = np.unique(code, return_index=True, return_inverse=True)
    return tuple(
        kind_of(tuple(filter(None, row[len(zeros) :])), tuple(row[: len(zeros)]), signed)
        for row in profile[first].tolist()
    ), kind


def kind_of(sizes: Sequence[int], removed: tuple[int, ...], signed: bool) -> Kind:
    """Return the kind of the patterns with classes of these sizes, under the latent group.

    >>> kind_of([2, 1], (1,), signed=True)
    Kind(width=2, removed=(1,), orbit=24, moebius=1)
    """
    neurons = sum(sizes) + sum(removed)
    alike = prod(factorial(list(sizes).count(size)) for size in set(sizes))
    arrangements = factorial(neurons) // prod(map(factorial, [*sizes, *removed])) // alike
    signs = 2 ** (sum(sizes) - len(sizes)) if signed else 1
    return Kind(len(sizes), removed, arrangements * signs, moebius(sizes, removed, signed))
