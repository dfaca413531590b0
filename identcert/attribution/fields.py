"""Infinitesimal actions as vector fields, with their flows and generator directions (numeric).

τ_t, ρ_t == the flows of the vector fields on inputs and outputs
Π(g)f    == ρ(g) f(τ_{g⁻¹} x)
η        == the derivative of Π(exp tξ)f at t = 0: v_out(f(x)) − Df(x)·v_in(x)

The Lie derivative of Gruver et al. transforms the input and undoes it on the output: it is −η.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from identcert.attribution.models import Model
from identcert.errors import InputError
from identcert.exact.field import Field as ExactField
from identcert.exact.matrix import Matrix
from identcert.groups.action import InfinitesimalGenerator
from identcert.nets.numeric import float_of

Array = NDArray[np.float64]
Map = Callable[[Array], Array]

STEPS = 128
"""Runge-Kutta steps a unit of time, for the flows of vector fields that are not affine."""


@dataclass(frozen=True, slots=True)
class AffineField:
    """The vector field x ↦ Ax + a on Rⁿ.

    Attributes
    ----------
    matrix, shift : A of shape (n, n) and a of shape (n,).
    """

    matrix: Array
    shift: Array

    def __call__(self, points: Array) -> Array:
        """Return the velocities at points of shape (N, n)."""
        return points @ self.matrix.T + self.shift

    def flow(self, time: float) -> Map:
        """Return the affine map exp(t(A, a))."""
        from scipy.linalg import expm

        n = len(self.shift)
        extended = np.zeros((n + 1, n + 1))
        extended[:n, :n], extended[:n, n] = self.matrix, self.shift
        moved = expm(time * extended)
        linear, constant = moved[:n, :n], moved[:n, n]
        return lambda points: points @ linear.T + constant


@dataclass(frozen=True, slots=True)
class SmoothField:
    """A vector field given by a function of points of shape (N, n)."""

    velocity: Map

    def __call__(self, points: Array) -> Array:
        """Return the velocities at points of shape (N, n)."""
        return self.velocity(points)

    def flow(self, time: float) -> Map:
        """Return the flow by the classical Runge-Kutta method."""
        steps = max(1, int(np.ceil(abs(time) * STEPS)))
        h, v = time / steps, self.velocity

        def moved(points: Array) -> Array:
            x = points
            for _ in range(steps):
                a = v(x)
                b = v(x + h / 2 * a)
                c = v(x + h / 2 * b)
                x = x + h / 6 * (a + 2 * b + 2 * c + v(x + h * c))
            return x

        return moved


Field = AffineField | SmoothField


@dataclass(frozen=True, slots=True)
class LieAction:
    """One Lie-algebra element ξ as vector fields on inputs and outputs.

    Attributes
    ----------
    name : what reports call it.
    input, output : the vector fields.
    """

    name: str
    input: Field
    output: Field

    @classmethod
    def of(cls, generator: InfinitesimalGenerator) -> LieAction:
        """Return the numeric form of an exact generator.

        >>> from identcert.attribution.generators import rotation
        >>> LieAction.of(rotation(2, 1)).input(np.array([[1.0, 0.0]])).tolist()
        [[0.0, 1.0]]
        """
        return cls(
            generator.name,
            _affine_field(generator.input, generator.input_shift),
            _affine_field(generator.output, generator.output_shift),
        )

    @classmethod
    def from_callables(cls, name: str, velocity: Map, output: Map | None = None) -> LieAction:
        """Return the action of two functions; without the second one the outputs stay."""
        return cls(name, SmoothField(velocity), SmoothField(output or np.zeros_like))

    def direction(self, model: Model, theta: Array, points: Array) -> Array:
        """Return η at points, of shape (N, m)."""
        moved = model.push(theta, points, self.input(points))
        return self.output(model.values(theta, points)) - moved

    def transformed(self, model: Model, theta: Array, time: float) -> Map:
        """Return the function Π(exp tξ) f_θ."""
        back, forth = self.input.flow(-time), self.output.flow(time)
        return lambda points: forth(model.values(theta, back(points)))


def rounded(x: Any, field: ExactField) -> float:
    """Return the float64 next to an element of a field, without parameters."""
    return float_of(x) if isinstance(x, fmpq) else float(field.ball(x, 64))


def _affine_field(matrix: Matrix, shift: Sequence[Any]) -> AffineField:
    """Return an exact vector field in float64, each number rounded once."""
    rows = [[rounded(x, matrix.field) for x in row] for row in matrix.to_rows()]
    constants = [rounded(x, matrix.field) for x in shift]
    return AffineField(np.array(rows).reshape(matrix.shape), np.array(constants))


def period(action: LieAction, largest: int = 24) -> float | None:
    """Return the least T > 0 with exp(Tξ) = 1 on both sides, or None if none is found (numeric).

    The frequencies must be multiples of a common one, by whole numbers up to ``largest``.

    >>> from identcert.attribution.generators import rotation, translation
    >>> period(LieAction.of(rotation(2, 2, same=True))) / np.pi
    2.0
    >>> period(LieAction.of(translation(2, 1, [1, 0]))) is None
    True
    """
    sides = (action.input, action.output)
    matrices = [side.matrix for side in sides if isinstance(side, AffineField)]
    if len(matrices) < 2:
        return None
    roots = np.concatenate([np.linalg.eigvals(m) for m in matrices])
    speeds = np.abs(roots.imag)
    if not speeds.size or speeds.max() == 0:
        return None
    base = speeds[speeds > 1e-9 * speeds.max()].min()
    for multiple in range(1, largest + 1):
        time = 2 * np.pi * multiple / base
        if all(_is_identity(side, time) for side in sides if isinstance(side, AffineField)):
            return float(time)
    return None


def _is_identity(side: AffineField, time: float) -> bool:
    points = np.vstack([np.eye(len(side.shift)), np.zeros(len(side.shift))])
    return bool(np.abs(side.flow(time)(points) - points).max() < 1e-9)


def check_fits(action: LieAction, inputs: int, outputs: int) -> None:
    """Refuse affine vector fields of other dimensions than the model's.

    Raises
    ------
    InputError
        If they do not fit.
    """
    for side, size in ((action.input, inputs), (action.output, outputs)):
        if isinstance(side, AffineField) and len(side.shift) != size:
            raise InputError(f"a vector field on R^{len(side.shift)} does not fit R^{size}")
