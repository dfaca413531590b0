"""Orbit and defect directions in parameter space, with their residuals and shares (numeric).

orbit   : c* = J⁺η moves f along its group orbit; ‖Jc* − η‖ is what no parameter reaches
defect  : b* = J⁺(−δ) moves f towards equivariance; it already points there
shares  : a_i = c_i(Jᵀη)_i/‖η‖²; for truncation they sum to R² = 1 − (relative residual)²
magnitude : c_i·S_i, free of the scale of single parameters

Orthogonality ⟨δ, η⟩ = 0 lives in function space; the angle of b* and c* means nothing.
Source: theory of attribution §2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from identcert.attribution.average import Average
from identcert.attribution.fields import LieAction
from identcert.attribution.gauge import Factorisation, Regularisation, Ridge, Truncation
from identcert.attribution.models import Model
from identcert.attribution.probes import Probe
from identcert.attribution.sensitivity import weighted, weighted_jacobian

Array = NDArray[np.float64]

ORBIT = Truncation(1e-6)
"""The default for orbit directions: the source's 10⁻³ is too coarse for well-trained models."""

DEFECT = Ridge(1e-3)
"""The default for defect directions, which need strong regularisation."""


@dataclass(frozen=True, slots=True)
class Direction:
    """A direction in parameter space that approximates a direction in function space.

    Attributes
    ----------
    components : the attribution c, of shape (p,).
    sensitivity : S_i, of shape (p,).
    shares : a_i, signed, of shape (p,).
    target_rms : the norm of η or of δ.
    residual : ‖Jc − target‖ / ‖target‖; 0 if the target is 0.
    rank : the rank that the regularisation kept.
    dead : how many columns of J are dead.
    gauge : whether Σ S_i²c_i² was minimised.
    regularisation : how small singular values were treated.
    """

    components: Array
    sensitivity: Array
    shares: Array
    target_rms: float
    residual: float
    rank: int
    dead: int
    gauge: bool
    regularisation: Regularisation

    @property
    def magnitudes(self) -> Array:
        """The scale-free S_i·c_i, of shape (p,)."""
        return self.components * self.sensitivity

    @property
    def r_squared(self) -> float:
        """1 − residual², which the shares of a truncated direction sum to."""
        return 1 - self.residual**2

    def group_masses(self, groups: tuple[str, ...]) -> dict[str, float]:
        """Return the fraction of Σ(S_i c_i)² in every group, such as a layer."""
        squares = self.magnitudes**2
        total = float(squares.sum()) or 1.0
        names = dict.fromkeys(groups)
        labels = np.array(groups)
        return {name: float(squares[labels == name].sum()) / total for name in names}


def orbit_direction(
    model: Model,
    action: LieAction,
    probe: Probe,
    theta: Array | None = None,
    regularisation: Regularisation = ORBIT,
    gauge: bool = True,
) -> Direction:
    """Return c*, the direction whose effect on f is closest to η.

    Examples
    --------
    >>> from identcert.attribution.generators import rotation
    >>> from identcert.attribution.models import model_of
    >>> from identcert.attribution.parameters import Parametrisation
    >>> from identcert.attribution.probes import polar_grid
    >>> from identcert.nets.network import Network
    >>> model = model_of(Parametrisation.of(Network.dense([([[2, 1]], None, "x^2")])))
    >>> c = orbit_direction(model, LieAction.of(rotation(2, 1)), polar_grid([0.5, 1.0], 16))
    >>> c.components.round(9).tolist(), c.residual < 1e-12
    ([-1.0, 2.0], True)
    """
    at = model.theta if theta is None else theta
    factors = Factorisation.of(weighted_jacobian(model, probe, at), gauge)
    target = weighted(probe, action.direction(model, at, probe.points))
    return _direction(factors, target, regularisation, gauge)


def defect_direction(
    model: Model,
    average: Average,
    probe: Probe,
    theta: Array | None = None,
    regularisation: Regularisation = DEFECT,
    gauge: bool = True,
) -> Direction:
    """Return b*, the direction whose effect on f is closest to −δ."""
    at = model.theta if theta is None else theta
    factors = Factorisation.of(weighted_jacobian(model, probe, at), gauge)
    target = -weighted(probe, average.defect(at_theta(model, at), probe.points))
    return _direction(factors, target, regularisation, gauge)


def both_directions(
    model: Model,
    action: LieAction,
    average: Average,
    probe: Probe,
    theta: Array | None = None,
    orbit: Regularisation = ORBIT,
    defect: Regularisation = DEFECT,
    gauge: bool = True,
) -> tuple[Direction, Direction]:
    """Return c* and b* from one Jacobian and one factorisation."""
    at = model.theta if theta is None else theta
    factors = Factorisation.of(weighted_jacobian(model, probe, at), gauge)
    eta = weighted(probe, action.direction(model, at, probe.points))
    delta = weighted(probe, average.defect(at_theta(model, at), probe.points))
    return (
        _direction(factors, eta, orbit, gauge),
        _direction(factors, -delta, defect, gauge),
    )


def at_theta(model: Model, theta: Array) -> Callable[[Array], Array]:
    """Return the function f_θ of points."""
    return lambda points: model.values(theta, points)


def _direction(
    factors: Factorisation, target: Array, regularisation: Regularisation, gauge: bool
) -> Direction:
    components = factors.solve(target, regularisation)
    norm = float(np.linalg.norm(target))
    gradient = target @ factors.jacobian
    square = norm**2 or 1.0
    residual = float(np.linalg.norm(factors.jacobian @ components - target)) / (norm or 1.0)
    return Direction(
        components,
        factors.sensitivity,
        components * gradient / square,
        norm,
        residual,
        factors.rank(regularisation),
        components.size - factors.alive.size,
        gauge,
        regularisation,
    )


def minimum_lifting_error(
    model: Model, actions: tuple[LieAction, ...], probe: Probe, theta: Array | None = None,
    regularisation: Regularisation = ORBIT,
) -> float:  # fmt: skip
    """Return ‖(I − P_θ)a‖_HS/‖a‖_HS over an orthonormal basis of the Lie algebra.

    It is 0 exactly if every generator direction lies in Im J_θ, up to the regularisation.
    """
    found = [orbit_direction(model, a, probe, theta, regularisation) for a in actions]
    missed = sum((d.residual * d.target_rms) ** 2 for d in found)
    total = sum(d.target_rms**2 for d in found)
    return float(np.sqrt(missed / total)) if total else 0.0
