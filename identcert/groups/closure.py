"""The finite group that affine maps generate, element by element.

closure     == all products of the generators, found breadth first
element     == an index 0, …, order−1; 0 is the identity
right table == where an element goes when a generator is multiplied from the right
faithful    == only the identity acts trivially

Elements are numbered by the length of their shortest word in the generators and
their inverses, so that equal generators give equal numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from identcert.errors import InputError
from identcert.exact.field import Element
from identcert.groups.action import Action
from identcert.groups.affine import AffineMap
from identcert.groups.finiteness import is_of_infinite_order
from identcert.groups.signed import SignedPermutation
from identcert.groups.words import Word, inverse_word

Maps = tuple[AffineMap, ...]
Table = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class FiniteClosure:
    """A finite group of tuples of affine maps, for an action the pairs (ρ_in, ρ_out).

    Attributes
    ----------
    generators : the names of the generators.
    elements : the maps of each element; element 0 is the identity.
    words : a shortest word of each element, in generators and their inverses.
    right : ``right[i][k]`` is the element i·g_k.
    back : ``back[i][k]`` is the element i·g_k⁻¹.

    Examples
    --------
    >>> from identcert.groups.library import dihedral_image
    >>> group = close(dihedral_image(1, 2, 2))
    >>> group.order, group.is_input_faithful, group.is_output_faithful
    (8, True, False)
    >>> group.element_orders()
    (1, 4, 4, 2, 2, 2, 2, 2)
    """

    generators: tuple[str, ...]
    elements: tuple[Maps, ...]
    words: tuple[Word, ...]
    right: Table
    back: Table

    @property
    def order(self) -> int:
        """The number of elements."""
        return len(self.elements)

    @property
    def is_input_faithful(self) -> bool:
        """Whether distinct elements act differently on inputs."""
        return self._distinct(0) == self.order

    @property
    def is_output_faithful(self) -> bool:
        """Whether distinct elements act differently on outputs."""
        return self._distinct(-1) == self.order

    @property
    def is_abelian(self) -> bool:
        """Whether all generators commute."""
        steps = self.right[0]
        return all(
            self.right[a][j] == self.right[b][i]
            for i, a in enumerate(steps)
            for j, b in enumerate(steps)
        )

    def find(self, word: Word) -> int:
        """Return the element that a word is."""
        return self._walk(0, word)

    def product(self, i: int, j: int) -> int:
        """Return the element i·j."""
        return self._walk(i, self.words[j])

    def inverse(self, i: int) -> int:
        """Return the element i⁻¹."""
        return self._walk(0, inverse_word(self.words[i]))

    def element_order(self, i: int) -> int:
        """Return the least n > 0 with iⁿ = 1."""
        n, power = 1, i
        while power:
            n, power = n + 1, self._walk(power, self.words[i])
        return n

    def element_orders(self) -> tuple[int, ...]:
        """Return the orders of all elements."""
        return tuple(map(self.element_order, range(self.order)))

    def determinants(self) -> tuple[tuple[Element, ...], ...]:
        """Return the determinants of the maps of each element, such as (det ρ_in, det ρ_out)."""
        return tuple(tuple(g.det() for g in maps) for maps in self.elements)

    def right_translation(self, j: int) -> tuple[int, ...]:
        """Return the permutation i ↦ i·j of the elements."""
        moved = list(range(self.order))
        for k, is_inverse in self._letters(self.words[j]):
            table = self.back if is_inverse else self.right
            moved = [table[i][k] for i in moved]
        return tuple(moved)

    def left_translation(self, i: int) -> tuple[int, ...]:
        """Return the permutation j ↦ i·j of the elements."""
        # i·(jg) = (i·j)g, and the word of jg is that of j with g appended
        return tuple(self._walk(i, word) for word in self.words)

    def subgroup_table(self, subgroup: frozenset[int]) -> Table:
        """Return the multiplication table of a subgroup, its elements renumbered in order."""
        members = sorted(subgroup)
        number = {element: i for i, element in enumerate(members)}
        translations = map(self.right_translation, members)
        columns = [[number[moved[i]] for i in members] for moved in translations]
        return tuple(zip(*columns, strict=True))

    def stabiliser(self, point: Sequence[Element]) -> frozenset[int]:
        """Return the subgroup of the elements g with ρ_in(g)x = x."""
        fixed = tuple(point)
        return frozenset(i for i, maps in enumerate(self.elements) if maps[0].apply(fixed) == fixed)

    def orbit(self, point: Sequence[Element]) -> tuple[tuple[Element, ...], ...]:
        """Return the distinct points ρ_in(g)x, in the order of the elements."""
        return tuple(dict.fromkeys(maps[0].apply(point) for maps in self.elements))

    def _distinct(self, side: int) -> int:
        """Return the number of distinct maps on one side."""
        return len({_key(maps[side]) for maps in self.elements})

    def _letters(self, word: Word) -> Iterator[tuple[int, bool]]:
        """Yield a word letter by letter, as generator numbers and whether inverted."""
        for name, exponent in word:
            if name not in self.generators:
                raise InputError(f"there is no generator {name}")
            k = self.generators.index(name)
            for _ in range(abs(exponent)):
                yield k, exponent < 0

    def _walk(self, start: int, word: Word) -> int:
        """Return start·word."""
        element = start
        for k, is_inverse in self._letters(word):
            element = (self.back if is_inverse else self.right)[element][k]
        return element


def close(action: Action, limit: int = 10_000) -> FiniteClosure | None:
    """Return the finite group that the pairs (ρ_in, ρ_out) generate.

    Returns
    -------
    The group, or None when it has more elements than the limit, which is so for
    every infinite group and for an action by infinitesimal generators.

    Notes
    -----
    Breadth first with a hash table over pairs in normal form: order × generators
    products. Some infinite groups are recognised early, by an element that no
    finite group contains (`is_of_infinite_order`).
    """
    if not action.generators:
        return None
    pairs = tuple((g.input, g.output) for g in action.generators)
    return explore(action.names, pairs, limit)


def explore(names: Sequence[str], generators: Sequence[Maps], limit: int) -> FiniteClosure | None:
    """Return the finite group of tuples that some tuples of affine maps generate, or None.

    A finite set that is closed under right multiplication by the generators
    contains their inverses, as powers.
    """
    identity = tuple(AffineMap.identity(g.dim, g.field) for g in generators[0])
    elements, numbers = [identity], {_keys(identity): 0}
    right: list[tuple[int, ...]] = []
    while len(right) < len(elements):
        here, steps = elements[len(right)], []
        for generator in generators:
            product = tuple(a @ b for a, b in zip(here, generator, strict=True))
            number = numbers.setdefault(_keys(product), len(elements))
            if number == len(elements):
                if number == limit or any(map(is_of_infinite_order, product)):
                    return None
                elements.append(product)
            steps.append(number)
        right.append(tuple(steps))
    return _numbered(tuple(names), elements, right)


def _numbered(
    names: tuple[str, ...], elements: list[Maps], right: list[tuple[int, ...]]
) -> FiniteClosure:
    """Return the closure with its elements numbered by their shortest words."""
    back = [[0] * len(names) for _ in elements]
    for i, steps in enumerate(right):
        for k, j in enumerate(steps):
            back[j][k] = i
    words: dict[int, Word] = {0: ()}
    queue = [0]
    for i in queue:
        for k, name in enumerate(names):
            for j, sign in ((right[i][k], 1), (back[i][k], -1)):
                if j not in words:
                    words[j] = _appended(words[i], name, sign)
                    queue.append(j)
    number = {old: new for new, old in enumerate(queue)}
    return FiniteClosure(
        names,
        tuple(elements[old] for old in queue),
        tuple(words[old] for old in queue),
        tuple(tuple(number[j] for j in right[old]) for old in queue),
        tuple(tuple(number[j] for j in back[old]) for old in queue),
    )


def _appended(word: Word, name: str, sign: int) -> Word:
    """Return word·name^sign; a shortest word never cancels."""
    if word and word[-1][0] == name:
        return (*word[:-1], (name, word[-1][1] + sign))
    return (*word, (name, sign))


def _keys(maps: Maps) -> tuple[Any, ...]:
    """Return what tells one element from another."""
    return tuple(map(_key, maps))


def _key(g: AffineMap) -> Any:
    """Return a hashable value that determines a map among maps of one space.

    Cheaper than hashing the map: signed permutations without a shift are all integers.
    """
    if not isinstance(g.linear, SignedPermutation):
        return g.linear, None if g.is_linear else g.shift
    if g.is_linear:
        return g.linear.permutation, g.linear.signs
    return g.linear.permutation, g.linear.signs, g.shift
