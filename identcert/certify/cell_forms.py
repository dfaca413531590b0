"""What is left of the difference of two piecewise-linear networks on a cell.

kink  == z − τ for the pre-activation z of a neuron and a break point τ of its σ
cell  == the points at which some kinks have stated signs
split == both signs of a kink that is affine on the cell; it adds an inequality to each half
implied == a sign that a kink has on the whole cell; nothing is added
rest  == the difference of the outputs on a cell as formal expressions, in which kinks
         without a known sign stand as atoms |v|

Rewriting touches only atoms on which the rest depends, so whatever cancels between the
two networks costs nothing.

Source: theory of deep ReLU networks (§5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from operator import mul
from typing import Any

from identcert.certify.forms import Form, Forms, Monomial, Place, add, difference, is_constant
from identcert.errors import UnsupportedError
from identcert.exact.algebraic_number import AlgebraicNumber
from identcert.exact.balls import exact_endpoints
from identcert.exact.field import Element, as_fraction, as_rational
from identcert.exact.open_cell import OpenCell
from identcert.nets.network import Network

Kinks = dict[int, tuple[Place, Element]]
"""For atoms |v|: a kink z − τ = u·v on the cell, and u."""


@dataclass(frozen=True, slots=True)
class Cut:
    """The inequality ±(z − τ) > 0, or a bound, by integers or by elements of Q(α).

    Attributes
    ----------
    row : a_1, …, a_n, b with a·x + b > 0 (further coefficients belong to atoms).
    common, factor : the row is common/|factor| times ±(z − τ).
    """

    row: tuple[Any, ...]
    common: int
    factor: Element

    @property
    def scale(self) -> Element:
        """The positive multiple of the inequality that the row is."""
        if isinstance(self.factor, AlgebraicNumber):
            return 1 / abs(self.factor)
        return Fraction(self.common) / abs(as_fraction(as_rational(self.factor)))


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell with the rest of a difference of outputs.

    Attributes
    ----------
    cuts : the inequalities of the splits that lead to it.
    signs : for atoms |v| the sign of v on the cell.
    rest : the differences of the outputs, free of atoms with a known sign.
    kinks : the atoms on which these depend.
    """

    cuts: tuple[Cut, ...]
    signs: dict[int, int]
    rest: list[Form]
    kinks: Kinks


class CellForms:
    """The cells of a pair of piecewise-linear networks over Q or Q(α).

    Parameters
    ----------
    left, right : networks with the same inputs and outputs.
    deadline : monotonic seconds at which forms are given up.

    Attributes
    ----------
    root : the whole space as a cell.

    Raises
    ------
    OutOfBudget
        If the deadline passes, here or while a cell is cut.
    UnsupportedError
        If a network is not piecewise linear, or has weights with parameters.
    """

    def __init__(self, left: Network, right: Network, deadline: float = float("inf")) -> None:
        check_piecewise_linear(left, right)
        self.inputs, self.deadline, self.field = left.inputs, deadline, left.field
        self._forms = Forms(left.inputs, left.field)
        outputs = [self._forms.outputs(net, k, deadline) for k, net in enumerate((left, right))]
        self.root = Cell((), {}, difference(outputs[0], outputs[1], left.field), {})
        self.root = self._restricted(self.root, {}, self._forms.places)

    @property
    def is_integral(self) -> bool:
        """Whether cuts are written by integers."""
        return self.field.kind == "rational"

    def polyhedron(self, atoms: int = 0) -> OpenCell:
        """Return the whole space, with further coordinates for so many atoms."""
        return OpenCell(self.inputs + atoms, self.deadline, self.is_integral)

    def argument(self, atom: int) -> tuple[tuple[Monomial, Element], ...]:
        """Return the argument v of an atom |v|."""
        return self._forms.argument(atom)

    def inner(self, terms: Iterable[Monomial]) -> Iterator[int]:
        """Return the atoms among the monomials of a form."""
        return (m[0] for m in terms if m and m[0] >= self.inputs)

    def closure(self, atom: int) -> list[int]:
        """Return the atoms on which the argument of an atom depends."""
        found: list[int] = []
        waiting = [atom]
        while waiting:
            inner = self.inner(m for m, _ in self.argument(waiting.pop()))
            fresh = [i for i in dict.fromkeys(inner) if i not in found]
            found.extend(fresh)
            waiting.extend(fresh)
        return found

    def is_affine(self, atom: int) -> bool:
        """Return whether the argument of an atom contains no atoms."""
        return not any(True for _ in self.inner(m for m, _ in self.argument(atom)))

    def cut(self, form: Form, factor: Any, atoms: Sequence[int] = ()) -> Cut:
        """Return factor·form, over Q by integers, for a factor other than 0.

        Parameters
        ----------
        atoms : the atoms that the form contains; they are further coordinates.
        """
        if not self.is_integral:
            sign, places = (1 if factor > 0 else -1), [*range(self.inputs), *atoms]
            monomials: list[Monomial] = [*((i,) for i in places), ()]
            return Cut(tuple(form[m] * sign if m in form else 0 for m in monomials), 1, factor)
        common = lcm(*(int(c.q) for c in form.values()))
        signed = common if factor > 0 else -common
        columns: list[Monomial] = [(i,) for i in (*range(self.inputs), *atoms)]
        row = [
            int(form[m].p) * (signed // int(form[m].q)) if m in form else 0 for m in (*columns, ())
        ]
        return Cut(tuple(row), common, factor)

    def side(self, cell: Cell, atom: int, is_above: bool, atoms: Sequence[int] = ()) -> Cut:
        """Return the inequality z − τ > 0, or z − τ < 0, for the kink of an atom."""
        unit = cell.kinks[atom][1]
        return self.cut(dict(self.argument(atom)), unit if is_above else -unit, atoms)

    def triangle(self, atom: int, unit: Element, sign: int, atoms: Sequence[int]) -> Cut:
        """Return the inequality |z − τ| ± (z − τ) ≥ 0 for the kink z − τ = u·v of an atom."""
        form: Form = {(atom,): unit if unit > 0 else -unit}
        add(form, dict(self.argument(atom)), unit * sign)
        return self.cut(form, 1, atoms)

    def half(self, cell: Cell, atom: int, is_above: bool, cut: Cut | None) -> Cell:
        """Return the part of a cell on one side of the kink of an atom.

        Parameters
        ----------
        cut : the inequality of a split; None if the sign is implied.
        """
        sign = 1 if is_above == (cell.kinks[atom][1] > 0) else -1
        inside = Cell((*cell.cuts, cut), cell.signs, cell.rest, cell.kinks) if cut else cell
        return self._restricted(inside, {**cell.signs, atom: sign}, cell.kinks)

    def _restricted(self, cell: Cell, signs: dict[int, int], kinks: Kinks) -> Cell:
        rewriting = _Rewriting(self._forms, signs, kinks)
        rest = [rewriting.form(form.items()) for form in cell.rest]
        return Cell(cell.cuts, signs, rest, rewriting.kinks)

    def separate(self, cell: Cell, inside: tuple[Any, ...]) -> tuple[Fraction, ...]:
        """Return a rational point of a cell whose rest is affine and not 0, where it is not 0.

        Parameters
        ----------
        inside : any point of the cell, with coordinates in the field.
        """
        form = next(form for form in cell.rest if form)
        row, direction = self.cut(form, 1).row, [0] * self.inputs
        if not sum(map(mul, row, (*inside, 1))):
            direction = [(a > 0) - (a < 0) for a in row[:-1]]
        length, bits = Fraction(1), 8
        while True:
            moved = (x + length * a for x, a in zip(inside, direction, strict=True))
            point = tuple(self._near(x, bits) for x in moved)
            is_inside = all(sum(map(mul, c.row, (*point, 1))) > 0 for c in cell.cuts)
            if is_inside and sum(map(mul, row, (*point, 1))):
                return point
            length, bits = length / 2, bits + 2

    def _near(self, x: Any, bits: int) -> Fraction:
        """Return a rational number as near to x as the bits say; x itself if it is rational."""
        element = self.field(x)
        if self.is_integral or element.is_rational:
            return as_fraction(element if self.is_integral else element.coordinates[0])
        return exact_endpoints(self.field.ball(element, bits).mid())[0]


class _Rewriting:
    """Forms on a cell from forms on a larger cell, each atom rewritten once.

    Attributes
    ----------
    kinks : the atoms that were left.
    """

    def __init__(self, forms: Forms, signs: dict[int, int], kinks: Kinks) -> None:
        self.kinks: Kinks = {}
        self._forms, self._signs, self._old = forms, signs, kinks
        self._values: dict[int, Form] = {}

    def form(self, terms: Iterable[tuple[Monomial, Element]]) -> Form:
        """Return a form, given by its terms, without atoms of known sign."""
        total: Form = {}
        inputs = self._forms.inputs
        for monomial, c in terms:
            if monomial and monomial[0] >= inputs:
                add(total, self._atom(monomial[0]), c)
            else:
                value = total[monomial] + c if monomial in total else c
                if value:
                    total[monomial] = value
                else:
                    del total[monomial]
        return total

    def _atom(self, atom: int) -> Form:
        if atom not in self._values:
            self._values[atom] = self._value(atom)
        return self._values[atom]

    def _value(self, atom: int) -> Form:
        rewritten = self.form(self._forms.argument(atom))
        sign = self._signs.get(atom)
        if sign is not None:
            return rewritten if sign > 0 else {m: -c for m, c in rewritten.items()}
        if is_constant(rewritten):
            return self._forms.absolute(rewritten)
        unit, found = self._forms.kink(rewritten)
        sign = self._signs.get(found)
        if sign is not None:
            is_same = (unit > 0) == (sign > 0)
            return rewritten if is_same else {m: -c for m, c in rewritten.items()}
        place, scale = self._old[atom]
        known = self.kinks.get(found)
        if known is None or place < known[0]:
            self.kinks[found] = (place, scale * unit)
        return {(found,): unit if unit > 0 else -unit}


def check_piecewise_linear(*networks: Network) -> None:
    """Refuse networks for which cells are not defined.

    Raises
    ------
    UnsupportedError
        If an activation is not piecewise linear or the weights depend on parameters.
    """
    for network in networks:
        if not network.field.is_ordered:
            raise UnsupportedError("a cover by cells asks for weights without parameters")
        for layer in network.layers:
            if not layer.activation.is_piecewise_linear:
                raise UnsupportedError(f"{layer.activation.text()} is not piecewise linear")
