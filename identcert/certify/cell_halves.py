"""Halves of cells that are proved empty, with their multipliers.

half      == the part of a cell on one side of a kink z − τ
relaxation == the cell where every |w| below the kink is any number ≥ w and ≥ −w
at once   == the half is empty by z − τ ≥ 0, a sum of values of ReLU below it, alone

A half that is empty in the relaxation is empty. For an affine kink there is nothing to
relax, and the answer is exact.

Source: Farkas; theory of deep ReLU networks (§5).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, lcm
from typing import Any

from identcert.certify.cell_forms import Cell, CellForms, Cut
from identcert.certify.cell_points import Point, Sample
from identcert.certify.forms import Form, Place, add
from identcert.exact.open_cell import OpenCell

Leaf = dict[str, Any]
"""The canonical JSON of an empty half: ``infeasible`` and perhaps ``triangles``."""

Bound = tuple[Place, int]
"""A kink w and a sign: the inequality |w| ± w ≥ 0."""

Relaxation = tuple[OpenCell, list[Cut], list[Bound]]
Relaxations = dict[tuple[int, ...], Relaxation]
"""The relaxations of one stack of cuts, by the atoms in them."""


def find_empty(
    forms: CellForms,
    polyhedron: OpenCell,
    cell: Cell,
    atom: int,
    is_above: bool,
    sample: Sample,
    relaxations: Relaxations,
) -> Leaf | None:
    """Return the leaf of a half that is empty in the relaxation, or None.

    Parameters
    ----------
    polyhedron : holds the cuts of the cell.
    relaxations : those of the same cuts, by atoms; new ones join them.
    atom, is_above : the kink and the side.
    sample : points of the cell; a point of the half joins them where one is found.
    """
    atoms = forms.closure(atom)
    if atoms:
        return _at_once(forms, cell, atom, is_above) or _relaxed(
            forms, cell, atom, is_above, atoms, sample, relaxations
        )
    side = forms.side(cell, atom, is_above)
    multipliers = polyhedron.cut(side.row)
    if multipliers is None:
        sample.append(Point(forms, polyhedron.point()))
    polyhedron.take_back()
    if multipliers is None:
        return None
    cuts = [*cell.cuts, side]
    return _leaf(forms, [m * cut.scale for m, cut in zip(multipliers, cuts, strict=True)], [], [])


def _at_once(forms: CellForms, cell: Cell, atom: int, is_above: bool) -> Leaf | None:
    """Return the leaf if the side, plus multiples of |w| ± w ≥ 0, is a number ≤ 0."""
    unit = cell.kinks[atom][1]
    sign = 1 if is_above == (unit > 0) else -1
    total: Form = {m: c * sign for m, c in forms.argument(atom)}
    bounds: list[Bound] = []
    factors = [1 / abs(unit)]
    for inner in list(forms.inner(total)):
        coefficient = total[(inner,)]
        if coefficient > 0:
            return None
        place, scale = cell.kinks[inner]
        factor = -coefficient / abs(scale)
        argument = forms.argument(inner)
        against = total.get(argument[0][0] or argument[-1][0], 0)
        turn = 1 if (against > 0) != (scale > 0) else -1  # so that w cancels, if anything
        add(total, {(inner,): abs(scale)}, factor)
        add(total, dict(argument), scale * factor * turn)
        bounds.append((place, turn))
        factors.append(factor)
    if any(m for m in total) or total.get((), 0) > 0:
        return None
    return _leaf(forms, [*[forms.field.zero] * len(cell.cuts), factors[0]], bounds, factors[1:])


def _relaxed(
    forms: CellForms,
    cell: Cell,
    atom: int,
    is_above: bool,
    atoms: list[int],
    sample: Sample,
    relaxations: Relaxations,
) -> Leaf | None:
    """Decide the half of the relaxation by linear programming."""
    key = tuple(sorted(atoms))
    if key not in relaxations:
        relaxations[key] = _relaxation(forms, cell, key)
    polyhedron, triangles, bounds = relaxations[key]
    side = forms.side(cell, atom, is_above, key)
    multipliers = polyhedron.cut(side.row)
    if multipliers is None:
        sample.append(Point(forms, polyhedron.point()[: forms.inputs]))
    polyhedron.take_back()
    if multipliers is None:
        return None
    cuts = [*cell.cuts, *triangles, side]
    found = [m * cut.scale for m, cut in zip(multipliers, cuts, strict=True)]
    count = len(cell.cuts)
    return _leaf(forms, [*found[:count], found[-1]], bounds, found[count:-1])


def _relaxation(forms: CellForms, cell: Cell, atoms: tuple[int, ...]) -> Relaxation:
    """Return the cell in which |v| is any number ≥ ±v, with those bounds."""
    width = len(atoms)
    polyhedron = forms.polyhedron(width)
    for cut in cell.cuts:
        polyhedron.cut((*cut.row[:-1], *(0,) * width, cut.row[-1]))
    bounds: list[Bound] = []
    triangles: list[Cut] = []
    for inner in atoms:
        place, unit = cell.kinks[inner]
        for sign in (1, -1):
            bound = forms.triangle(inner, unit, sign, atoms)
            polyhedron.cut(bound.row, is_strict=False)
            triangles.append(bound)
            bounds.append((place, sign))
    return polyhedron, triangles, bounds


def _leaf(
    forms: CellForms, multipliers: Sequence[Any], bounds: Sequence[Bound], factors: Sequence[Any]
) -> Leaf:
    """Return the leaf of multipliers of the cuts and of the bounds, over Q as small integers."""
    numbers = [forms.field(f) for f in (*multipliers, *factors)]
    if forms.is_integral:
        common = lcm(*(int(f.q) for f in numbers))
        integers = [int(f.p) * (common // int(f.q)) for f in numbers]
        divisor = gcd(*integers)
        numbers = [forms.field(n // divisor) for n in integers]
    texts = [forms.field.encode(f) for f in numbers]
    leaf: Leaf = {"infeasible": texts[: len(multipliers)]}
    kept = zip(bounds, numbers[len(multipliers) :], texts[len(multipliers) :], strict=True)
    used = [[*place, sign, text] for (place, sign), number, text in kept if number]
    return {**leaf, "triangles": used} if used else leaf
