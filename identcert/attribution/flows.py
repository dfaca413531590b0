"""Flows of parameters along orbit and defect directions (numeric).

resolved == the direction is recomputed at every stage of every step
fixed    == the direction of t = 0 is kept
control  == a step is halved while it moves f away from the ideal curve by more than the linear
            residual and an allowance explain; without it, hard problems overshoot

Along a resolved orbit flow with exact lifts, f_t = Π(exp tξ)f_0; along a resolved defect flow with
δ ∈ Im J, δ_t = e^{−t}δ_0. Fixed directions leave these curves once f bends.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from identcert.errors import InputError

Array = NDArray[np.float64]
Velocity = Callable[[Array], Array]
Method = Literal["euler", "midpoint", "rk4"]


@dataclass(frozen=True, slots=True)
class Trajectory:
    """Parameters along a flow.

    Attributes
    ----------
    times : of shape (T,), beginning with 0.
    thetas : of shape (T, p).
    halvings : how often the step control halved a step.
    is_complete : whether the end was reached; else steps became too small.
    """

    times: Array
    thetas: Array
    halvings: int = 0
    is_complete: bool = True


@dataclass(frozen=True, slots=True)
class Control:
    """Backtracking on the distance to the ideal curve.

    Attributes
    ----------
    deviation : (θ, t) ↦ the distance of f_θ to the ideal curve at t, relative to ‖δ_0‖.
    residual : θ ↦ what no direction reaches at θ, relative to ‖δ_0‖; a step of length h may
        add h times as much.
    allowance : how much more a unit of time may add.
    smallest : the fraction of the nominal step below which the flow ends.
    """

    deviation: Callable[[Array, float], float]
    residual: Callable[[Array], float]
    allowance: float = 0.02
    smallest: float = 1 / 64


def flow(
    velocity: Velocity,
    theta: Array,
    length: float,
    steps: int,
    method: Method = "midpoint",
    control: Control | None = None,
) -> Trajectory:
    """Return the trajectory of θ' = velocity(θ) up to a time.

    Raises
    ------
    InputError
        If there is no step, or the method is not known.

    Examples
    --------
    >>> path = flow(lambda x: -x, np.array([1.0]), 1.0, 20)
    >>> bool(abs(path.thetas[-1, 0] - np.exp(-1.0)) < 1e-3), len(path.times)
    (True, 21)
    """
    if steps < 1 or method not in _STAGES:
        raise InputError(f"a flow of {steps} steps by {method} is not known", "flow")
    nominal = length / steps
    times, thetas = [0.0], [theta]
    if control is None:
        for k in range(steps):
            thetas.append(_STAGES[method](velocity, thetas[-1], nominal))
            times.append((k + 1) * nominal)
        return Trajectory(np.array(times), np.array(thetas))
    return _controlled(velocity, theta, length, nominal, method, control)


def fixed_flow(direction: Array, theta: Array, times: Array) -> Trajectory:
    """Return the straight line θ + t·direction at the given times."""
    return Trajectory(times, theta + np.asarray(times)[:, None] * direction)


def _controlled(
    velocity: Velocity, theta: Array, length: float, nominal: float, method: Method, rule: Control
) -> Trajectory:
    times, thetas, halvings, h = [0.0], [theta], 0, nominal
    before = rule.deviation(theta, 0.0)
    while times[-1] < length * (1 - 1e-12):
        h = min(h, length - times[-1])
        reach = rule.residual(thetas[-1]) + rule.allowance
        while True:
            trial = _STAGES[method](velocity, thetas[-1], h)
            after = rule.deviation(trial, times[-1] + h)
            if after <= before + h * reach:
                break
            halvings, h = halvings + 1, h / 2
            if h < rule.smallest * nominal:
                return Trajectory(np.array(times), np.array(thetas), halvings, False)
        times.append(times[-1] + h)
        thetas.append(trial)
        before, h = after, min(2 * h, nominal)
    return Trajectory(np.array(times), np.array(thetas), halvings)


def _euler(v: Velocity, x: Array, h: float) -> Array:
    return x + h * v(x)


def _midpoint(v: Velocity, x: Array, h: float) -> Array:
    return x + h * v(x + h / 2 * v(x))


def _rk4(v: Velocity, x: Array, h: float) -> Array:
    a = v(x)
    b = v(x + h / 2 * a)
    c = v(x + h / 2 * b)
    return x + h / 6 * (a + 2 * b + 2 * c + v(x + h * c))


_STAGES: dict[str, Callable[[Velocity, Array, float], Array]] = {
    "euler": _euler,
    "midpoint": _midpoint,
    "rk4": _rk4,
}
