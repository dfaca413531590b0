"""How far flows stray: tracking, distance to equivariance, predicted drifts (numeric).

track == ‖f_t − Π(exp tξ)f_0‖ / ‖δ_0‖, against the ideal orbit curve
dist  == ‖f_t − P_E f_t‖ / ‖δ_0‖; ideally constant along orbits, e^{−s} along defect flows
decay == ‖f_s − (P_E f_0 + e^{−s}δ_0)‖ / ‖δ_0‖, against the ideal defect curve

Norms are over a held-out probe. The predictions are those of linear input and output actions at
the structural direction; theory of attribution §3.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import factorial

import numpy as np
from numpy.typing import NDArray

from identcert.attribution.average import Average
from identcert.attribution.directions import (
    Direction,
    at_theta,
    defect_direction,
    orbit_direction,
)
from identcert.attribution.fields import AffineField, LieAction
from identcert.attribution.flows import Control, Method, Trajectory, Velocity, flow
from identcert.attribution.gauge import Regularisation
from identcert.attribution.models import Model
from identcert.attribution.probes import Probe
from identcert.errors import UnsupportedError

Array = NDArray[np.float64]

ORDERS: dict[str, int] = {"euler": 1, "midpoint": 2, "rk4": 4}


@dataclass(frozen=True, slots=True)
class Ruler:
    """Distances of f_θ to its ideal curves from a starting point, over one probe.

    Attributes
    ----------
    model, action, average, probe : the question.
    start : θ_0.
    """

    model: Model
    action: LieAction
    average: Average
    probe: Probe
    start: Array
    values: Array = field(init=False, repr=False)
    defect: Array = field(init=False, repr=False)
    unit: float = field(init=False)

    def __post_init__(self) -> None:
        f = at_theta(self.model, self.start)
        values = f(self.probe.points)
        defect = values - self.average(f, self.probe.points)
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "defect", defect)
        object.__setattr__(self, "unit", self.probe.rms(defect) or 1.0)

    @property
    def relative_defect(self) -> float:
        """‖δ_0‖/‖f_0‖."""
        return self.unit / (self.probe.rms(self.values) or 1.0)

    def track(self, theta: Array, time: float) -> float:
        """Return the distance to the ideal orbit curve."""
        ideal = self.action.transformed(self.model, self.start, time)(self.probe.points)
        return self.probe.rms(self.model.values(theta, self.probe.points) - ideal) / self.unit

    def dist(self, theta: Array) -> float:
        """Return the distance to equivariance."""
        defect = self.average.defect(at_theta(self.model, theta), self.probe.points)
        return self.probe.rms(defect) / self.unit

    def decay(self, theta: Array, time: float) -> float:
        """Return the distance to the ideal defect curve."""
        ideal = self.values - (1 - np.exp(-time)) * self.defect
        return self.probe.rms(self.model.values(theta, self.probe.points) - ideal) / self.unit

    def tracks(self, path: Trajectory) -> Array:
        """Return `track` along a trajectory."""
        pairs = zip(path.thetas, path.times, strict=True)
        return np.array([self.track(theta, float(t)) for theta, t in pairs])

    def dists(self, path: Trajectory) -> Array:
        """Return `dist` along a trajectory."""
        return np.array([self.dist(theta) for theta in path.thetas])


def orbit_velocity(
    model: Model, action: LieAction, probe: Probe, regularisation: Regularisation, gauge: bool
) -> Velocity:
    """Return θ ↦ c*(θ), for resolved orbit flows."""
    return lambda theta: (
        orbit_direction(model, action, probe, theta, regularisation, gauge).components
    )


def defect_velocity(
    model: Model, average: Average, probe: Probe, regularisation: Regularisation, gauge: bool
) -> Velocity:
    """Return θ ↦ b*(θ), for resolved defect flows."""
    return lambda theta: (
        defect_direction(model, average, probe, theta, regularisation, gauge).components
    )


def orbit_flow(
    ruler: Ruler,
    length: float,
    steps: int,
    regularisation: Regularisation,
    gauge: bool = True,
    method: Method = "midpoint",
    allowance: float | None = None,
) -> Trajectory:
    """Return the resolved orbit flow from the ruler's start, over its probe.

    With an allowance, steps are controlled by the distance to the ideal orbit curve.
    """
    model, action, probe = ruler.model, ruler.action, ruler.probe

    def residual(theta: Array) -> float:
        found = orbit_direction(model, action, probe, theta, regularisation, gauge)
        return found.residual * found.target_rms / ruler.unit

    control = None if allowance is None else Control(ruler.track, residual, allowance)
    velocity = orbit_velocity(model, action, probe, regularisation, gauge)
    return flow(velocity, ruler.start, length, steps, method, control)


def defect_flow(
    ruler: Ruler,
    length: float,
    steps: int,
    regularisation: Regularisation,
    gauge: bool = True,
    method: Method = "midpoint",
    allowance: float | None = None,
) -> Trajectory:
    """Return the resolved defect flow from the ruler's start, over its probe.

    With an allowance, steps are controlled by the distance to the ideal defect curve.
    """
    model, average, probe = ruler.model, ruler.average, ruler.probe

    def residual(theta: Array) -> float:
        found = defect_direction(model, average, probe, theta, regularisation, gauge)
        return found.residual * found.target_rms / ruler.unit

    control = None if allowance is None else Control(ruler.decay, residual, allowance)
    velocity = defect_velocity(model, average, probe, regularisation, gauge)
    return flow(velocity, ruler.start, length, steps, method, control)


def predicted_drift(ruler: Ruler, time: float, steps: int | None, method: Method) -> float:
    """Return the predicted `track` of an orbit flow: fixed for no steps, else resolved.

    A stage of order k leaves h^{k+1}/(k+1)!·‖B^{k+1}f + (−1)^{k+1}Df·A^{k+1}x‖ a step; a fixed
    direction is one Euler step. For a rotation of the plane these are (t²/2)‖r∂_r f‖/‖δ‖,
    (Th/2)‖r∂_r f‖/‖δ‖, (Th²/6)‖η‖/‖δ‖ and (Th⁴/120)‖η‖/‖δ‖.

    Raises
    ------
    UnsupportedError
        If the action is not linear on both sides.
    """
    source, target = ruler.action.input, ruler.action.output
    if not isinstance(source, AffineField) or not isinstance(target, AffineField):
        raise UnsupportedError("drifts are predicted for linear actions only")
    if source.shift.any() or target.shift.any():
        raise UnsupportedError("drifts are predicted for linear actions only")
    order = 1 if steps is None else ORDERS[method]
    h = time if steps is None else time / steps
    points = ruler.probe.points
    velocity = points @ np.linalg.matrix_power(source.matrix, order + 1).T
    carried = ruler.values @ np.linalg.matrix_power(target.matrix, order + 1).T
    pushed = ruler.model.push(ruler.start, points, velocity)
    term = ruler.probe.rms(carried + (-1) ** (order + 1) * pushed)
    return time * h**order / factorial(order + 1) * term / ruler.unit


def initial_direction(
    ruler: Ruler, kind: str, regularisation: Regularisation, gauge: bool = True
) -> Direction:
    """Return c* (``orbit``) or b* (``defect``) at the ruler's start, for fixed flows."""
    if kind == "orbit":
        return orbit_direction(
            ruler.model, ruler.action, ruler.probe, ruler.start, regularisation, gauge
        )
    return defect_direction(
        ruler.model, ruler.average, ruler.probe, ruler.start, regularisation, gauge
    )
