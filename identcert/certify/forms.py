"""Values of networks as formal expressions in the inputs, in a normal form.

form    == a polynomial over the field in basis elements: the inputs x_1, …, x_n and atoms
atom    == |v| or σ(v) for a form v that is not constant, kept unevaluated; equal arguments
           give the same atom
signs   == what is known of arguments on an open set: their atoms |v| are ±v there

Polynomial activations are expanded while that is small; piecewise-linear ones are written as
mz + c + Σ δ_i|z − τ_i| with |v| = |u|·|v/u| for the leading coefficient u of v; for the
others the sign of the leading coefficient is moved out of σ by σ(−z) = s·σ(z) + mz + q. So
equal forms are equal functions (where the signs hold). For one hidden layer the converse
is Theorems 1 and 2; for more layers it fails, and then nothing follows.

Source: theory of neuron symmetries (§2.1), Prop. 2′ and Theorems 1 and 2.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import comb
from typing import Any

from identcert.errors import OutOfBudget
from identcert.exact.field import Element, Field
from identcert.nets.activation import Activation
from identcert.nets.constant import Constant, constant_value
from identcert.nets.layer import IDENTITY
from identcert.nets.network import Layer, Network

Monomial = tuple[int, ...]
"""Basis elements with repetition, ascending; () is the constant 1."""

Form = dict[Monomial, Element]
"""Coefficients of the monomials, none of them 0."""

Key = tuple[tuple[Monomial, Element], ...]
Place = tuple[int, int, int, int]
"""Side of a pair, layer, neuron and kink."""

MAX_TERMS = 1_000


@dataclass(frozen=True, slots=True)
class Atom:
    """The formal value |v|, or σ(v), of an argument in normal form.

    Attributes
    ----------
    sigma : σ, or None for the absolute value.
    argument : v, with leading coefficient 1 (for |v|), or positive where σ passes signs.
    """

    sigma: Activation | None
    argument: Key


class Forms:
    """The formal expressions in n inputs over a field, with the atoms met so far.

    Parameters
    ----------
    inputs : n.
    field : the coefficient field.

    Attributes
    ----------
    atoms : the atoms in the order of their first meeting; basis elements n, n + 1, ….
    places : for atoms |v|: the kink z − τ = u·v that was met first, and u.
    """

    def __init__(self, inputs: int, field: Field) -> None:
        self.inputs = inputs
        self.field = field
        self.atoms: list[Atom] = []
        self.places: dict[int, tuple[Place, Element]] = {}
        self._deadline: float | None = None
        self._known: dict[tuple[str | None, Hashable], int] = {}

    def variables(self) -> list[Form]:
        """Return the inputs x_1, …, x_n as forms."""
        return [{(i,): self.field.one} for i in range(self.inputs)]

    def outputs(self, network: Network, side: int = 0, deadline: float | None = None) -> list[Form]:
        """Return f(x_1, …, x_n) for a network f with these inputs.

        Raises
        ------
        OutOfBudget
            If the deadline (monotonic seconds) passes between two neurons.
        UnsupportedError
            If an absolute value asks for the sign of a number that depends on parameters.
        """
        values = self.variables()
        self._deadline = deadline
        for index, layer in enumerate(network.layers):
            values = self.activations(layer, values, (side, index))
        return values

    def activations(self, layer: Layer, values: Sequence[Form], at: tuple[int, int]) -> list[Form]:
        """Return σ(Wv + b) for forms v; ``at`` is the side and the number of the layer."""
        moved = []
        for neuron, (row, bias) in enumerate(zip(layer.weight.to_rows(), layer.bias, strict=True)):
            self._check_time()
            total = self._constant(bias)
            for weight, value in zip(row, values, strict=True):
                if weight:
                    add(total, value, weight)
            moved.append(self.apply(layer.activation, total, (*at, neuron)))
        return moved

    def apply(self, sigma: Activation, form: Form, at: tuple[int, int, int] = (0, 0, 0)) -> Form:
        """Return σ of a form, in normal form."""
        if sigma == IDENTITY:
            return form
        if sigma.coefficients is not None and _power_terms(sigma, form) <= MAX_TERMS:
            return self._horner(sigma.coefficients, form)
        if sigma.is_piecewise_linear:
            return self._bent(sigma, form, at)
        return self._opaque(sigma, form)

    def absolute(self, form: Form, place: Place | None = None) -> Form:
        """Return |v| of a form v, as a multiple of an atom or as a constant."""
        if is_constant(form):
            value = form.get((), self.field.zero)
            return {} if not value else {(): value if self.field.sign(value) > 0 else -value}
        unit, identifier = self.kink(form)
        if place is not None:
            self.places.setdefault(identifier, (place, unit))
        return {(identifier,): unit if self.field.sign(unit) > 0 else -unit}

    def _check_time(self) -> None:
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise OutOfBudget("the time ended while normal forms were computed")

    def kink(self, form: Form) -> tuple[Element, int]:
        """Return (u, i) with v = u·w for the argument w of the atom i = |w|."""
        self._check_time()
        unit = self._unit(leading(form))
        inverse = self.field.one / unit
        argument = tuple(sorted((m, c * inverse) for m, c in form.items()))
        return unit, self._atom(None, argument)

    def _bent(self, sigma: Activation, form: Form, at: tuple[int, int, int]) -> Form:
        field, (slopes, bends, constant) = self.field, bend_form(sigma)
        total: Form = {}
        add(total, form, field(slopes))
        if constant:
            add(total, {(): field.one}, field(constant))
        for number, (bend, kink) in enumerate(zip(bends, sigma.kinks, strict=True)):
            shifted = dict(form)
            if kink:
                add(shifted, {(): field.one}, field(-kink))
            add(total, self.absolute(shifted, (*at, number)), field(bend))
        return total

    def _opaque(self, sigma: Activation, form: Form) -> Form:
        field = self.field
        if all(m == () for m in form):
            return self._constant(constant_value(sigma, form.get((), field.zero), field))
        if sigma.flip is None or not self._is_negative(leading(form)):
            key = tuple(sorted(form.items()))
            return {(self._atom(sigma, key),): field.one}
        factor, slope, intercept = map(field, sigma.flip)
        opposite = {m: -c for m, c in form.items()}
        total: Form = {(self._atom(sigma, tuple(sorted(opposite.items()))),): factor}
        # σ(v) = s·σ(−v) − m·v + q, from σ(−z) = s·σ(z) + m·z + q at z = −v
        add(total, form, -slope)
        add(total, {(): field.one}, intercept)
        return total

    def _horner(self, coefficients: Sequence[Any], form: Form) -> Form:
        total: Form = {}
        for c in reversed(coefficients):
            total = multiply(total, form)
            if c:
                add(total, {(): self.field.one}, self.field(c))
        return total

    def _constant(self, entry: Any) -> Form:
        """Return a bias entry as a form; its formal constants become atoms."""
        if not isinstance(entry, Constant):
            return {(): entry} if entry else {}
        total: Form = {(): entry.value} if entry.value else {}
        for coefficient, atom in entry.terms:
            argument = tuple(sorted(self._constant(atom.argument).items()))
            identifier = self._atom(atom.activation, argument)
            add(total, {(identifier,): self.field.one}, coefficient)
        return total

    def _atom(self, sigma: Activation | None, argument: Key) -> int:
        key = None if sigma is None else sigma.key, self._spelled(argument)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self.inputs + len(self.atoms)
            self.atoms.append(Atom(sigma, argument))
        return known

    def _spelled(self, argument: Key) -> Hashable:
        """Return a hashable spelling of an argument; rational numbers hash slowly."""
        if self.field.kind == "rational":
            return tuple((m, int(c.p), int(c.q)) for m, c in argument)
        return argument

    def argument(self, identifier: int) -> Key:
        """Return the argument of an atom, given as a basis element."""
        return self.atoms[identifier - self.inputs].argument

    def _unit(self, lead: Element) -> Element:
        if self.field.is_ordered:
            return lead
        # a factor that depends on parameters has no sign: only its rational content leaves
        return self.field(lead.numerator.leading_coefficient())

    def _is_negative(self, lead: Element) -> bool:
        return self.field.sign(self._unit(lead)) < 0


def is_constant(form: Form) -> bool:
    """Return whether a form is an element of the field."""
    return not form or (len(form) == 1 and () in form)


def leading(form: Form) -> Element:
    """Return the coefficient of the first monomial other than 1."""
    return form[min(m for m in form if m)]


def add(total: Form, form: Form, factor: Element) -> None:
    """Add a multiple of a form to another form, in place."""
    for monomial, c in form.items():
        known = total.get(monomial)
        value = c * factor if known is None else known + c * factor
        if value:
            total[monomial] = value
        elif known is not None:
            del total[monomial]


def multiply(left: Form, right: Form) -> Form:
    """Return the product of two forms."""
    total: Form = {}
    for monomial, c in left.items():
        shifted = {tuple(sorted((*monomial, *m))): d for m, d in right.items()}
        add(total, shifted, c)
    return total


def _power_terms(sigma: Activation, form: Form) -> int:
    """Return how many terms a polynomial of a form has at most."""
    degree = len(sigma.coefficients or (0,)) - 1
    return comb(len(form) + degree, degree)


@cache
def bend_form(sigma: Activation) -> tuple[Any, tuple[Any, ...], Any]:
    """Return (m, δ, c) with σ(z) = mz + c + Σ δ_i|z − τ_i| for a piecewise-linear σ.

    Examples
    --------
    >>> bend_form(Activation("relu")), bend_form(Activation("hard_tanh"))
    ((1/2, (1/2,), 0), (0, (1/2, -1/2), 0))
    """
    slopes = [slope for slope, _ in sigma.pieces]
    bends = tuple((b - a) / 2 for a, b in pairwise(slopes))
    # to the left of all kinks σ(z) = s_0·z + t_0 and |z − τ| = τ − z
    shift = sum((d * t for d, t in zip(bends, sigma.kinks, strict=True)), start=slopes[0] * 0)
    return (slopes[0] + slopes[-1]) / 2, bends, sigma.pieces[0][1] - shift


def difference(left: Iterable[Form], right: Iterable[Form], field: Field) -> list[Form]:
    """Return the componentwise difference of two lists of forms."""
    found = [dict(form) for form in left]
    for total, form in zip(found, right, strict=True):
        add(total, form, -field.one)
    return found


def is_same_normal_form(left: Network, right: Network, deadline: float | None = None) -> bool:
    """Return whether the outputs of two networks have equal normal forms.

    Then the networks compute the same function; otherwise nothing follows.

    Raises
    ------
    OutOfBudget, UnsupportedError
        See `Forms.outputs`.

    Examples
    --------
    >>> f = Network.dense([([[1], [-1]], None, "gelu"), ([[1, -1]], None, "identity")])
    >>> g = Network.dense([([[1]], None, "identity")])
    >>> is_same_normal_form(f, g)
    True
    """
    forms = Forms(left.inputs, left.field)
    return forms.outputs(left, 0, deadline) == forms.outputs(right, 1, deadline)
