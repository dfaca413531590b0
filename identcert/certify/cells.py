"""Equality of two deep piecewise-linear networks, decided by a cover of cells.

tree == splits and implied signs of kinks (`CellForms`); the two halves of a split are
        dense in the cell, since the kink is affine and not 0 there
leaf == an empty half, with multipliers (Farkas), or a cell where the rest is 0

Only kinks on which the rest depends are given a sign. A sign is implied when the other
half is empty already for the linear relaxation, in which |v| is any number ≥ v and ≥ −v;
so a sign is often found below unsplit kinks. If the rest depends on no kink and is not 0,
it is affine on a cell that is not empty, and a point of the cell separates the networks.
Both answers are exact, and one of them is found: equality of such networks is decidable,
in exponential time.

Source: theory of deep ReLU networks (§5); networks are continuous, so that they agree
everywhere once they agree on the cells that are not empty.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from identcert.certify.cell_forms import Cell, CellForms
from identcert.certify.cell_halves import Relaxations, find_empty
from identcert.certify.cell_points import Point, Sample, has_both_signs, on_side, start_sample
from identcert.certify.forms import Place
from identcert.errors import OutOfBudget
from identcert.nets.network import Network

Tree = str | dict[str, Any]
"""The canonical JSON of a cover; see ``SPEC.md``."""

Turn = tuple[Place, bool, bool]
"""A kink, whether it is positive, and whether that is one half of a split."""

Way = tuple[list[Turn], list[list[Any]]]
"""The turns from the root to a cell, and points of the cell; plain JSON."""

Tested = tuple[set[int], Relaxations]
"""What is known of the kinks under one stack of cuts."""

EQUAL = "equal"


@dataclass(frozen=True, slots=True)
class Separation:
    """A rational point at which two networks differ."""

    point: tuple[Fraction, ...]


class Cover:
    """The search for a cover of R^n by cells on which two networks agree.

    Parameters
    ----------
    left, right : piecewise-linear networks over one field, Q or Q(α), of the same dimensions.
    deadline : monotonic seconds at which the search stops.
    note : called with the covered part of the search, between 0 and 1, at every leaf.

    Raises
    ------
    UnsupportedError
        If a network is not piecewise linear, or has weights with parameters.

    Examples
    --------
    >>> f = Network.dense([([[1], [-1]], None, "relu"), ([[1, 1]], None, "identity")])
    >>> g = Network.dense([([[1]], None, "abs"), ([[1]], None, "identity")])
    >>> Cover(f, g).search()
    'equal'
    """

    def __init__(
        self,
        left: Network,
        right: Network,
        deadline: float = float("inf"),
        note: Callable[[Fraction], None] | None = None,
    ) -> None:
        self.forms = CellForms(left, right, deadline)
        self._deadline = deadline
        self._note = note
        self._polyhedron = self.forms.polyhedron()
        self._done = Fraction(0)
        self._trace: list[Turn] = []
        self._limits: tuple[float, float] = (float("inf"), float("inf"))
        self._nodes = 0
        self._open: list[Way] = []

    def search(self) -> Tree | Separation:
        """Return the tree of a cover, or a point at which the networks differ.

        Raises
        ------
        OutOfBudget
            If the deadline passes.
        """
        return self._below(self.forms.root, start_sample(self.forms), Fraction(1), (set(), {}))

    def outline(
        self, way: Way | None = None, depth: float = float("inf"), nodes: float = float("inf")
    ) -> tuple[Tree | Separation, list[Way]]:
        """Return the tree below a way as far as it goes, and the ways to what is left open.

        An open subtree stands in the tree as ``{"open": k}`` for the k-th way.

        Parameters
        ----------
        way : the way to a cell, from an outline of the same networks; None for the root.
        depth : number of splits below which subtrees are left open.
        nodes : number of nodes after which they are.

        Raises
        ------
        OutOfBudget
            If the deadline passes.
        """
        turns, points = way or ([], [])
        cell, sample = self.forms.root, [Point.read(self.forms, x) for x in points]
        for place, is_above, is_split in turns:
            atom = next(a for a, (known, _) in cell.kinks.items() if known == tuple(place))
            cut = None
            if is_split:
                cut = self.forms.side(cell, atom, is_above)
                self._polyhedron.cut(cut.row)
            cell = self.forms.half(cell, atom, is_above, cut)
        self._trace, self._limits = list(turns), (depth, nodes)
        sample = sample or start_sample(self.forms)
        return self._below(cell, sample, Fraction(1), (set(), {})), self._open

    def _below(
        self, cell: Cell, sample: Sample, part: Fraction, tested: Tested
    ) -> Tree | Separation:
        """Return the subtree of a cell whose splits are on the stack.

        Parameters
        ----------
        sample : points of the cell, a guide for the order of the search.
        part : the part of the whole search that this cell is.
        tested : kinks that have no implied sign here, and relaxations of these cuts.
        """
        if time.monotonic() > self._deadline:
            raise OutOfBudget("the time ended while cells were covered")
        self._nodes += 1
        if not any(cell.rest):
            self._count(part)
            return EQUAL
        if not cell.kinks:
            return Separation(self.forms.separate(cell, self._polyhedron.point()))
        implied = self._implied(cell, sample, tested)
        if implied is not None:
            return self._follow(cell, sample, part, tested, *implied)
        depth, nodes = self._limits
        if len(cell.cuts) >= depth or self._nodes >= nodes:
            self._open.append((list(self._trace), [point.encode() for point in sample]))
            return {"open": len(self._open) - 1}
        return self._split(cell, sample, part)

    def _follow(
        self,
        cell: Cell,
        sample: Sample,
        part: Fraction,
        tested: Tested,
        atom: int,
        is_above: bool,
        leaf: dict[str, Any],
    ) -> Tree | Separation:
        """Return the subtree of a cell on which the kink of an atom has one sign."""
        place = cell.kinks[atom][0]
        self._trace.append((place, is_above, False))
        found = self._below(self.forms.half(cell, atom, is_above, None), sample, part, tested)
        self._trace.pop()
        if isinstance(found, Separation):
            return found
        names = ("above", "below") if is_above else ("below", "above")
        return {"neuron": list(place), names[0]: found, names[1]: leaf}

    def _split(self, cell: Cell, sample: Sample, part: Fraction) -> Tree | Separation:
        atom = self._choose(cell)
        place = cell.kinks[atom][0]
        node: dict[str, Any] = {"neuron": list(place)}
        for is_above, name in ((False, "below"), (True, "above")):
            self._trace.append((place, is_above, True))
            found = self._half(cell, atom, is_above, sample, part / 2)
            self._trace.pop()
            if isinstance(found, Separation):
                return found
            node[name] = found
        return node

    def _half(
        self, cell: Cell, atom: int, is_above: bool, sample: Sample, part: Fraction
    ) -> Tree | Separation:
        """Return the subtree of one half of a split."""
        cut = self.forms.side(cell, atom, is_above)
        self._polyhedron.cut(cut.row)
        inside = on_side(sample, atom, is_above == (cell.kinks[atom][1] > 0))
        if not inside:
            inside = [Point(self.forms, self._polyhedron.point())]
        found = self._below(self.forms.half(cell, atom, is_above, cut), inside, part, (set(), {}))
        self._polyhedron.take_back()
        return found

    def _choose(self, cell: Cell) -> int:
        """Return the affine kink of the lowest layer on which the rest depends."""
        ready = (atom for atom in cell.kinks if self.forms.is_affine(atom))
        return min(ready, key=lambda atom: _order(cell.kinks[atom][0]))

    def _implied(
        self, cell: Cell, sample: Sample, tested: Tested
    ) -> tuple[int, bool, dict[str, Any]] | None:
        """Return a kink with an implied sign, that sign, and the leaf of the empty half.

        Kinks without one join ``tested``; points found on the way join the sample.
        """
        for atom in sorted(cell.kinks, key=lambda atom: _order(cell.kinks[atom][0])):
            if atom in tested[0]:
                continue
            tested[0].add(atom)
            if has_both_signs(sample, atom):
                continue
            value = next((p.value(atom) for p in sample if p.value(atom)), None)
            sides: tuple[bool, ...] = (False, True)
            if value is not None:  # the half of these points is not empty
                sides = ((value > 0) != (cell.kinks[atom][1] > 0),)
            for is_above in sides:
                leaf = find_empty(
                    self.forms, self._polyhedron, cell, atom, is_above, sample, tested[1]
                )
                if leaf is not None:
                    return atom, not is_above, leaf
        return None

    def _count(self, part: Fraction) -> None:
        self._done += part
        if self._note is not None:
            self._note(self._done)


def _order(place: Place) -> tuple[int, int, int, int]:
    side, layer, neuron, kink = place
    return layer, neuron, kink, side
