"""Reynolds averages by quadrature over a compact group, with their exactness (numeric).

P_E f  == Σ_k w_k ρ(g_k)⁻¹ f(τ_{g_k} x) over nodes g_k with weights w_k
δ      == f − P_E f, the equivariance defect
degree == the largest d such that the average of every polynomial map of degree ≤ d is exact

K equally spaced angles integrate frequencies below K. A map of degree d has frequencies up to
d·(largest frequency of inputs) + (largest frequency of outputs).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from identcert.attribution.fields import AffineField, LieAction, period, rounded
from identcert.errors import InputError, UnsupportedError
from identcert.groups.action import Action
from identcert.groups.closure import close

Array = NDArray[np.float64]
Function = Callable[[Array], Array]


@dataclass(frozen=True, slots=True)
class Average:
    """A quadrature of the Haar measure by affine maps.

    Attributes
    ----------
    inputs, input_shifts : τ_{g_k}, of shapes (K, n, n) and (K, n).
    outputs, output_shifts : ρ(g_k)⁻¹, of shapes (K, m, m) and (K, m).
    weights : w_k, with sum 1.
    degree : up to which degree polynomial maps are averaged exactly; None for all.
    """

    inputs: Array
    input_shifts: Array
    outputs: Array
    output_shifts: Array
    weights: Array
    degree: int | None

    def __call__(self, f: Function, points: Array) -> Array:
        """Return P_E f at points, of shape (N, m), by one evaluation of f at all K·N points."""
        moved = np.einsum("kij,nj->kni", self.inputs, points) + self.input_shifts[:, None, :]
        values = f(moved.reshape(-1, points.shape[1])).reshape(len(self.weights), len(points), -1)
        back = np.einsum("kij,knj->kni", self.outputs, values) + self.output_shifts[:, None, :]
        return np.asarray(np.einsum("k,kni->ni", self.weights, back))

    def defect(self, f: Function, points: Array) -> Array:
        """Return δ = f − P_E f at points."""
        return f(points) - self(f, points)

    def text(self) -> str:
        """Return what is averaged, in words."""
        count = len(self.weights)
        if self.degree is None:
            return f"all {count} group elements"
        return f"{count} nodes, exact for polynomial maps up to degree {self.degree}"


def circle_average(action: LieAction, count: int = 64) -> Average:
    """Return the average over a circle group by equally spaced elements.

    Raises
    ------
    UnsupportedError
        If exp(Tξ) = 1 for no T that is found: then the group may not be compact.

    Examples
    --------
    >>> from identcert.attribution.generators import rotation
    >>> average = circle_average(LieAction.of(rotation(2, 1)), 5)
    >>> value = average(lambda x: (2 * x[:, :1] + x[:, 1:]) ** 4, np.array([[1.0, 0.0]]))
    >>> average.degree, bool(abs(value[0, 0] - 75 / 8) < 1e-12)
    (4, True)
    """
    time = period(action)
    if time is None:
        raise UnsupportedError(
            f"no period of generator {action.name} was found; an average needs a compact group"
        )
    speeds = [frequency(side, time) for side in (action.input, action.output)]
    degree = (count - 1 - speeds[1]) // speeds[0] if speeds[0] else None
    if degree is not None and degree < 0:
        raise InputError("there are too few angles to average any map", "angles")
    return flow_average([action], [[time * k / count] for k in range(count)], None, degree)


def finite_average(action: Action, limit: int = 10_000) -> Average:
    """Return the average over a finite group, which is exact for every map.

    Raises
    ------
    UnsupportedError
        If the group has more elements than the limit.
    """
    closure = close(action, limit)
    if closure is None:
        raise UnsupportedError(f"the group has more than {limit} elements or is infinite")
    parts: list[list[list[object]]] = [[], [], [], []]
    for source, target in closure.elements:
        for k, g in enumerate((source, target.inverse())):
            matrix = [[rounded(x, action.field) for x in row] for row in g.matrix().to_rows()]
            parts[2 * k].append(list(matrix))
            parts[2 * k + 1].append([rounded(x, action.field) for x in g.shift])
    count = closure.order
    tables = [np.array(part, dtype=np.float64) for part in parts]
    return Average(tables[0], tables[1], tables[2], tables[3], np.full(count, 1 / count), None)


def flow_average(
    actions: Sequence[LieAction],
    times: Sequence[Sequence[float]],
    weights: Array | None,
    degree: int | None,
) -> Average:
    """Return the quadrature with nodes exp(t₁ξ₁)·exp(t₂ξ₂)·…, for affine vector fields."""
    sides = []
    for side, sign in (("input", 1), ("output", -1)):
        maps = [_product([getattr(a, side) for a in actions], t, sign) for t in times]
        sides.append((np.array([m for m, _ in maps]), np.array([s for _, s in maps])))
    masses = np.full(len(times), 1 / len(times)) if weights is None else weights
    return Average(*sides[0], *sides[1], masses, degree)


def _product(
    fields: Sequence[AffineField], times: Sequence[float], sign: int
) -> tuple[Array, Array]:
    """Return the matrix and shift of the product of flows, or of its inverse."""
    n = len(fields[0].shift)
    points = np.vstack([np.eye(n), np.zeros(n)])
    for field, time in list(zip(fields, times, strict=True))[::-sign]:
        points = field.flow(sign * time)(points)
    return (points[:n] - points[n]).T, points[n]


def frequency(side: object, time: float) -> int:
    """Return the largest frequency of a periodic affine field, in turns a period."""
    if not isinstance(side, AffineField) or not side.shift.size:
        return 0
    return round(float(np.abs(np.linalg.eigvals(side.matrix).imag).max()) * time / (2 * np.pi))
