"""Sensitivities and generator directions in coordinates of linearly independent functions.

function == one basis function of one output, such as x0^2*x1 or tanh'(z_3)·x1
system   == J and η written in such functions, exactly

A symbol of a function is ``x<k>`` (an input), ``v<j>`` (σ(z_j) of hidden neuron j) or ``s<j>``
(σ'(z_j), or the step of z_j for a piecewise-linear σ); a function is a product of powers of
symbols. That the functions of a system are linearly independent is a lemma of whoever makes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from identcert.attribution.parameters import Parametrisation, Place
from identcert.exact.field import Field
from identcert.exact.matrix import Matrix

Monomial = tuple[tuple[str, int], ...]
"""Powers of symbols, sorted by symbol; () is the constant function 1."""

Combination = dict[tuple[int, Monomial], Any]
"""Coefficients by output and function."""


@dataclass(frozen=True, slots=True)
class Function:
    """A basis function of one output."""

    output: int
    monomial: Monomial

    def text(self) -> str:
        """Return the function as people write it.

        >>> Function(0, (("s1", 1), ("x0", 2))).text()
        's1*x0^2 of output 0'
        """
        powers = "*".join(s if e == 1 else f"{s}^{e}" for s, e in self.monomial)
        return f"{powers or '1'} of output {self.output}"


@dataclass(frozen=True, slots=True)
class System:
    """J and η of one generator at one parameter, in linearly independent functions.

    Attributes
    ----------
    functions : the functions, sorted.
    jacobian : J of shape (functions, coordinates).
    target : η of shape (functions, 1).
    rule : which lemma makes the functions independent: ``polynomial`` or ``dictionary``.
    """

    functions: tuple[Function, ...]
    jacobian: Matrix
    target: Matrix
    rule: str


def assemble(
    columns: Sequence[Combination], target: Combination, field: Field, rule: str
) -> System:
    """Return the system with the given columns and right-hand side."""
    everything = (*columns, target)
    keys = sorted({k for column in everything for k, c in column.items() if not field.is_zero(c)})
    zero = field.zero
    rows = [[column.get(key, zero) for column in columns] for key in keys]
    right = [[target.get(key, zero)] for key in keys]
    functions = tuple(Function(output, monomial) for output, monomial in keys)
    return System(
        functions,
        Matrix.of(rows, field, len(columns)),
        Matrix.of(right, field, 1),
        rule,
    )


def coordinate_columns(
    parametrisation: Parametrisation, entries: Mapping[Place, Combination]
) -> list[Combination]:
    """Return the columns of J = J_θ T from the sensitivities to single entries."""
    columns = []
    for coordinate in parametrisation.coordinates:
        column: Combination = {}
        for place, factor in coordinate.terms:
            add_to(column, entries[place].items(), factor)
        columns.append(column)
    return columns


def add_to(
    total: Combination, terms: Iterable[tuple[tuple[int, Monomial], Any]], factor: Any
) -> None:
    """Add a multiple of some terms to a combination, in place."""
    for key, value in terms:
        total[key] = total[key] + value * factor if key in total else value * factor
