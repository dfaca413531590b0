"""Patterns: which hidden neurons are removed, and which are clones of each other.

removed == a neuron that the submodel does not have: nobody reads it (*unread*, zero
           outgoing weights) or it is constant (zero incoming weights)
class   == neurons that are clones of each other; the first one carries the sign +
label   == 0 for a removed neuron, else ±c for a member of class c; classes are numbered
           by their first members, so that a pattern has one sequence of labels
signed  == clones may be negative: row_j = −row_i about the centre of the activation
width   == the number of classes: the width of the layer of the submodel
rank    == the number of neurons less the width

Patterns of m neurons, ordered by coarsening, are the flats of the arrangement {u_i = 0,
u_i = u_j} and, signed, of {u_i = 0, u_i = ±u_j}: the lattice of set partitions of m + 1
things, and the Dowling lattice of the group {±1}.

Source: theory of counting degenerate configurations (§9).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from identcert.errors import InputError

BLOCK = re.compile(r"(x|const|unread)?\{(-?\d+(?:,-?\d+)*)\}")

MERGE, MERGE_NEGATIVE = "merge", "merge with sign -1"
REMOVE, REMOVE_CONSTANT, REMOVE_UNREAD = "remove", "remove as constant", "remove as unread"
MOVES = (MERGE, MERGE_NEGATIVE, REMOVE, REMOVE_CONSTANT, REMOVE_UNREAD)
"""What a cover edge does; the last two replace the third where dead kinds are told apart."""


@dataclass(frozen=True, slots=True)
class LayerPattern:
    """The pattern of one hidden layer.

    Attributes
    ----------
    labels : per neuron 0 or the signed number of its class.
    unread : the removed neurons that nobody reads, ascending, the other removed ones
        being constant; or None where the two kinds are not told apart.

    Raises
    ------
    InputError
        If the labels are not in normal form.

    Examples
    --------
    >>> pattern = LayerPattern((1, 2, -1, 0))
    >>> pattern.text(), pattern.width, pattern.rank
    ('{0,-2}{1} x{3}', 2, 2)
    """

    labels: tuple[int, ...]
    unread: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        reached = 0
        for label in self.labels:
            if label == reached + 1:
                reached += 1
            elif abs(label) > reached:
                raise InputError(
                    f"the labels {list(self.labels)} of a pattern are not in normal form",
                    fix="number classes by their first members, which have the sign +",
                )
        unread = self.unread or ()
        if not set(unread) <= set(self.removed) or list(unread) != sorted(set(unread)):
            raise InputError("the unread neurons of a pattern are not among its removed ones")

    @classmethod
    def of(
        cls, labels: Sequence[int], unread: Sequence[int] | None = None
    ) -> LayerPattern:  # fmt: skip
        """Return the pattern with the given labels, renumbered to normal form.

        >>> LayerPattern.of([-3, 0, 3, 2]).labels
        (1, 0, -1, 2)
        """
        numbers: dict[int, int] = {}
        normal = []
        for label in labels:
            if label and abs(label) not in numbers:
                number = len(numbers) + 1
                numbers[abs(label)] = number if label > 0 else -number
            own = numbers.get(abs(label), 0)
            normal.append(own if label > 0 else -own)
        return cls(tuple(normal), None if unread is None else tuple(sorted(unread)))

    @classmethod
    def generic(cls, neurons: int, dead_kinds: bool = False) -> LayerPattern:
        """Return the finest pattern: no neuron is removed, no two are clones."""
        return cls(tuple(range(1, neurons + 1)), () if dead_kinds else None)

    @classmethod
    def parse(cls, text: str) -> LayerPattern:
        """Return the pattern that `text` spells.

        Raises
        ------
        InputError
            If the text spells none.
        """
        labels: dict[int, int] = {}
        unread: list[int] | None = None
        blocks = BLOCK.findall(text)
        if BLOCK.sub("", text).strip() or (not blocks and text.strip()):
            raise InputError(f"{text!r} spells no pattern", fix="write it as {0,-2}{1} x{3}")
        for number, (kind, members) in enumerate(blocks, start=1):
            for member in map(str.strip, members.split(",")):
                sign = -1 if member.startswith("-") else 1
                labels[abs(int(member))] = 0 if kind else sign * number
            if kind in ("const", "unread"):
                unread = unread or []
                unread += [int(i) for i in members.split(",")] if kind == "unread" else []
        named = sum(members.count(",") + 1 for _, members in blocks)
        if sorted(labels) != list(range(named)):
            raise InputError(f"the pattern {text!r} does not name every neuron from 0 on once")
        return cls.of([labels[i] for i in range(len(labels))], unread)

    @property
    def neurons(self) -> int:
        """The number m of neurons of the layer."""
        return len(self.labels)

    @property
    def width(self) -> int:
        """The number k of classes."""
        return max(self.labels, default=0)

    @property
    def rank(self) -> int:
        """The rank m − k in the lattice of patterns."""
        return self.neurons - self.width

    @property
    def removed(self) -> tuple[int, ...]:
        """The removed neurons, ascending."""
        return tuple(i for i, label in enumerate(self.labels) if label == 0)

    @property
    def classes(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Per class its members as pairs (neuron, sign), ascending."""
        found: list[list[tuple[int, int]]] = [[] for _ in range(self.width)]
        for i, label in enumerate(self.labels):
            if label:
                found[abs(label) - 1].append((i, 1 if label > 0 else -1))
        return tuple(map(tuple, found))

    @property
    def is_signed(self) -> bool:
        """Whether some clone is negative."""
        return any(label < 0 for label in self.labels)

    def covers(self, signed: bool) -> Iterator[tuple[str, LayerPattern]]:
        """Yield the patterns that cover this one, with the move: one merge or one removal.

        >>> [(move, other.text()) for move, other in LayerPattern((1, 2)).covers(False)]
        [('merge', '{0,1}'), ('remove', '{1} x{0}'), ('remove', '{0} x{1}')]
        """
        for larger in range(2, self.width + 1):
            for smaller in range(1, larger):
                yield MERGE, self._merged(smaller, larger)
                if signed:
                    yield MERGE_NEGATIVE, self._merged(-smaller, larger)
        for label in range(1, self.width + 1):
            rest = self._merged(0, label).labels
            if self.unread is None:
                yield REMOVE, LayerPattern(rest)
                continue
            members = tuple(i for i, own in enumerate(self.labels) if abs(own) == label)
            yield REMOVE_CONSTANT, LayerPattern(rest, self.unread)
            yield REMOVE_UNREAD, LayerPattern(rest, tuple(sorted(self.unread + members)))

    def _merged(self, into: int, label: int) -> LayerPattern:
        """Return the pattern with one class relabelled and later classes moved up."""
        image = {label: into, -label: -into}
        moved = [image.get(own, own) for own in self.labels]
        return LayerPattern(
            tuple(own - 1 if own > label else own + 1 if own < -label else own for own in moved),
            self.unread,
        )

    def text(self) -> str:
        """Return the pattern as people read it: classes in braces, ``x`` for removed."""
        return pattern_text(self.labels, self.unread)


def pattern_text(labels: Sequence[int], unread: Sequence[int] | None = None) -> str:
    """Return the text of the pattern with these labels, which are in normal form.

    >>> pattern_text((1, 2, -1, 0)), pattern_text((1, 0, 0), unread=(2,))
    ('{0,-2}{1} x{3}', '{0} const{1} unread{2}')
    """
    blocks: dict[int, list[str]] = {}
    removed: dict[str, list[str]] = {}
    for i, label in enumerate(labels):
        if label == 0:
            kind = "x" if unread is None else "unread" if i in unread else "const"
            removed.setdefault(kind, []).append(str(i))
        elif label > 0:
            blocks.setdefault(label, []).append(str(i))
        else:
            blocks[-label].append(f"-{i}")
    parts = ["".join(["{" + ",".join(own) + "}" for own in blocks.values()])] if blocks else []
    parts += [f"{kind}{{{','.join(removed[kind])}}}" for kind in sorted(removed)]
    return " ".join(parts)


@dataclass(frozen=True, slots=True)
class Pattern:
    """The pattern of all hidden layers of a network, lowest layer first.

    Examples
    --------
    >>> pattern = Pattern.parse("{0,-1}{2} | {0} x{1}")
    >>> pattern.widths, pattern.rank
    ((2, 1), 2)
    """

    layers: tuple[LayerPattern, ...]

    @classmethod
    def parse(cls, text: str) -> Pattern:
        """Return the pattern that `text` spells; layers are separated by ``|``.

        Raises
        ------
        InputError
            If the text spells none.
        """
        return cls(tuple(LayerPattern.parse(part) for part in text.split("|")))

    @classmethod
    def generic(cls, hidden: Sequence[int], dead_kinds: bool = False) -> Pattern:
        """Return the finest pattern of hidden layers of the given widths."""
        return cls(tuple(LayerPattern.generic(m, dead_kinds) for m in hidden))

    @property
    def hidden(self) -> tuple[int, ...]:
        """The numbers of neurons of the layers."""
        return tuple(layer.neurons for layer in self.layers)

    @property
    def widths(self) -> tuple[int, ...]:
        """The hidden widths of the submodel."""
        return tuple(layer.width for layer in self.layers)

    @property
    def rank(self) -> int:
        """The number of neurons less those of the submodel."""
        return sum(layer.rank for layer in self.layers)

    def covers(self, signed: Sequence[bool]) -> Iterator[tuple[int, str, Pattern]]:
        """Yield (layer, move, pattern) for every pattern that covers this one."""
        for index, (layer, sign) in enumerate(zip(self.layers, signed, strict=True)):
            for move, other in layer.covers(sign):
                yield (
                    index,
                    move,
                    Pattern((*self.layers[:index], other, *self.layers[index + 1 :])),
                )

    def text(self) -> str:
        """Return the pattern as people read it; layers are separated by ``|``."""
        return " | ".join(layer.text() for layer in self.layers)


def layer_patterns(
    neurons: int, signed: bool, dead_kinds: bool = False
) -> Iterator[LayerPattern]:  # fmt: skip
    """Yield every pattern of one layer, one at a time: nothing is stored.

    Examples
    --------
    >>> [pattern.text() for pattern in layer_patterns(2, signed=True)]
    ['x{0,1}', '{1} x{0}', '{0} x{1}', '{0,1}', '{0,-1}', '{0}{1}']
    """

    def extend(
        labels: tuple[int, ...], unread: tuple[int, ...], top: int
    ) -> Iterator[LayerPattern]:
        if len(labels) == neurons:
            yield LayerPattern(labels, unread if dead_kinds else None)
            return
        yield from extend((*labels, 0), unread, top)
        if dead_kinds:
            yield from extend((*labels, 0), (*unread, len(labels)), top)
        for label in range(1, top + 1):
            yield from extend((*labels, label), unread, top)
            if signed:
                yield from extend((*labels, -label), unread, top)
        yield from extend((*labels, top + 1), unread, top + 1)

    yield from extend((), (), 0)
