"""Presentations of finite groups, read off their Cayley graphs.

Cayley graph == vertices are elements, an edge i → i·g for each generator g
loop         == for an edge i → j labelled g, the word w(i)·g·w(j)⁻¹, a relator
presentation == relators whose consequences are all relators

The loops of all edges present the group (Schreier). Most of them follow from a
few others: an edge is settled once its loop is a consequence of the relators
chosen so far, and a relator read around the graph from any vertex settles an
edge that it passes exactly once when all others on its way are settled (Cannon,
*Construction of defining relators for finite groups*, 1973).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeVar

from identcert.groups.closure import FiniteClosure
from identcert.groups.words import GroupElement, Word, evaluate_word, inverse_word, reduced_word

E = TypeVar("E", bound=GroupElement)
Edge = tuple[int, int]


def presenting_relators(group: FiniteClosure, preferred: Iterable[Word] = ()) -> tuple[Word, ...]:
    """Return relators that, with the generators, present a finite group.

    Parameters
    ----------
    group : the group.
    preferred : relators to use where they help, such as those of an action file.

    Returns
    -------
    Words that are the identity in the group and of which every such word is a
    consequence. A map of the generators into any group extends to a homomorphism
    exactly when it sends each of them to the identity (von Dyck).

    Examples
    --------
    >>> from identcert.groups.closure import close
    >>> from identcert.groups.library import dihedral_image
    >>> presenting_relators(close(dihedral_image(1, 2, 2)))
    ((('r', 4),), (('s', 2),), (('r', 1), ('s', 1), ('r', 1), ('s', 1)))
    """
    settled = _SettledEdges(group)
    chosen: list[Word] = []
    names, order = group.generators, group.order
    powers = [((name, group.element_order(group.right[0][k])),) for k, name in enumerate(names)]
    involutions = {name for ((name, exponent),) in powers if exponent == 2}
    for word in (*(w for w in preferred if group.find(w) == 0), *powers):
        if settled.add(word):
            chosen.append(word)
    for i in range(order):
        for k, name in enumerate(names):
            if not settled.is_settled((i, k)):
                loop = (*group.words[i], (name, 1), *inverse_word(group.words[group.right[i][k]]))
                word = _normal_relator(loop, names, involutions)
                settled.add(word)
                settled.settle((i, k))
                chosen.append(word)
    return tuple(chosen)


def find_broken_relator(
    relators: Iterable[Word], images: Mapping[str, E], identity: E
) -> Word | None:
    """Return the first relator that images of the generators do not send to the identity.

    None says that the images define a homomorphism of the presented group.
    """
    for word in relators:
        if evaluate_word(word, images, identity) != identity:
            return word
    return None


class _SettledEdges:
    """The edges of a Cayley graph whose loops follow from the relators added so far."""

    def __init__(self, group: FiniteClosure) -> None:
        self._group = group
        self._settled: set[Edge] = set()
        # a cycle is the list of its unsettled edges, with repetitions
        self._cycles: list[list[Edge]] = []
        self._passing: defaultdict[Edge, list[int]] = defaultdict(list)
        for i in range(1, group.order):
            self._settled.add(self._tree_edge(i))

    def is_settled(self, edge: Edge) -> bool:
        """Return whether the loop of an edge is known to be a consequence."""
        return edge in self._settled

    def settle(self, edge: Edge) -> None:
        """Mark an edge, and all that follow from it."""
        queue = [edge]
        for current in queue:
            if current in self._settled:
                continue
            self._settled.add(current)
            for number in self._passing.pop(current, ()):
                cycle = self._cycles[number]
                cycle[:] = [e for e in cycle if e != current]
                if len(cycle) == 1:
                    queue.append(cycle[0])

    def add(self, relator: Word) -> bool:
        """Read a relator around the graph from every vertex; return whether it says anything.

        A relator that settles no edge now can do so later, therefore it says something
        whenever some edge on its way is unsettled.
        """
        walks = (self._edges(start, relator) for start in range(self._group.order))
        cycles = [self._unsettled(edges) for edges in walks]
        if not any(cycles):
            return False
        for cycle in cycles:
            for edge in set(cycle):
                self._passing[edge].append(len(self._cycles))
            self._cycles.append(cycle)
        for cycle in cycles:
            if len(cycle) == 1:
                self.settle(cycle[0])
        return True

    def _unsettled(self, edges: Sequence[Edge]) -> list[Edge]:
        """Return those edges that are not settled."""
        return [edge for edge in edges if edge not in self._settled]

    def _edges(self, start: int, word: Word) -> list[Edge]:
        """Return the edges that a word passes from a vertex, in either direction."""
        edges, here = [], start
        for name, exponent in word:
            k = self._group.generators.index(name)
            for _ in range(abs(exponent)):
                if exponent > 0:
                    edges.append((here, k))
                    here = self._group.right[here][k]
                else:
                    here = self._group.back[here][k]
                    edges.append((here, k))
        return edges

    def _tree_edge(self, i: int) -> Edge:
        """Return the last edge of the shortest word of an element; its loop is empty."""
        name, exponent = self._group.words[i][-1]
        k = self._group.generators.index(name)
        return (self._group.back[i][k], k) if exponent > 0 else (i, k)


def _normal_relator(word: Word, names: Sequence[str], involutions: Collection[str]) -> Word:
    """Return a short relator with the same consequences, given that involutions have order 2.

    Conjugates and inverses of a relator say the same: of all cyclic rotations in both
    directions the first is taken, in the order of the generators.
    """
    letters = [
        (names.index(name), exponent < 0 and name not in involutions)
        for name, exponent in reduced_word(word)
        for _ in range(abs(exponent))
    ]
    start, end = 0, len(letters)
    while end - start > 1 and _cancel(letters[start], letters[end - 1], names, involutions):
        start, end = start + 1, end - 1
    core = letters[start:end]
    back = [(k, not negative and names[k] not in involutions) for k, negative in reversed(core)]
    turns = (side[i:] + side[:i] for side in (core, back) for i in range(len(core)))
    return reduced_word(tuple((names[k], -1 if negative else 1) for k, negative in min(turns)))


def _cancel(
    first: tuple[int, bool],
    last: tuple[int, bool],
    names: Sequence[str],
    involutions: Collection[str],
) -> bool:
    """Return whether two letters are inverse to one another."""
    is_involution = names[first[0]] in involutions
    return first[0] == last[0] and (is_involution or first[1] != last[1])
