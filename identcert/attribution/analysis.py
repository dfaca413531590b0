"""The whole attribution of one network under one action: what `identcert attribute` prints.

exact parts   : whether each generator direction lifts, and by which rule
numeric parts : orbit and defect directions over a probe, their residuals and shares

A residual says how well a *truncated* least-squares problem was solved. Whether a lift exists is
said by the exact parts alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from identcert.attribution.average import Average
from identcert.attribution.directions import (
    DEFECT,
    ORBIT,
    Direction,
    at_theta,
    both_directions,
    defect_direction,
    orbit_direction,
)
from identcert.attribution.fields import LieAction, rounded
from identcert.attribution.finite_average import group_average
from identcert.attribution.gauge import Regularisation
from identcert.attribution.lift import LiftResult, lift_of
from identcert.attribution.models import RestrictedModel, model_of
from identcert.attribution.parameters import Parametrisation
from identcert.attribution.probes import Probe
from identcert.attribution.sensitivity import weighted, weighted_jacobian
from identcert.errors import InputError, UnsupportedError
from identcert.groups.action import Action, InfinitesimalGenerator

Array = NDArray[np.float64]

MAX_JACOBIAN = 100_000_000
"""The size of the Jacobian of a probe, in numbers, that is worked with: 1.5 GiB."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How directions are computed.

    Attributes
    ----------
    orbit, defect : regularisations; orbits like a small truncation, defects a strong ridge.
    gauge : whether Σ S_i²c_i² is minimised instead of Σ c_i².
    angles : nodes of the average over a circle.
    exact : whether lifting is decided exactly.
    seed : the seed of exact searches.
    """

    orbit: Regularisation = ORBIT
    defect: Regularisation = DEFECT
    gauge: bool = True
    angles: int = 64
    exact: bool = True
    seed: int = 0


@dataclass(frozen=True, slots=True)
class GeneratorReport:
    """One generator: the exact question and the numeric direction.

    Attributes
    ----------
    generator : ξ.
    lift : whether η lies in Im J, or None where that was not asked.
    orbit : c*.
    structural_residual : ‖J c_struct − η‖/‖η‖ on the probe, None without a structural lift.
    """

    generator: InfinitesimalGenerator
    lift: LiftResult | None
    orbit: Direction
    structural_residual: float | None


@dataclass(frozen=True, slots=True)
class Attribution:
    """What every parameter contributes to moving along and across the orbit.

    Attributes
    ----------
    parametrisation, model, action, probe, settings : the question.
    generators : one report a generator; () for a finite group.
    defect : b*, or None where no average is known.
    average : the quadrature of P_E, or None.
    no_average : why there is none; else "".
    function_rms, defect_rms : ‖f‖ and ‖δ‖ on the probe.
    """

    parametrisation: Parametrisation
    model: RestrictedModel
    action: Action
    probe: Probe
    settings: Settings
    generators: tuple[GeneratorReport, ...]
    defect: Direction | None
    average: Average | None
    no_average: str
    function_rms: float

    @property
    def defect_rms(self) -> float | None:
        """‖δ‖ on the probe."""
        return None if self.defect is None else self.defect.target_rms

    @property
    def directions(self) -> dict[str, Direction]:
        """All directions by name: ``c* of ξ``, …, and ``b*``."""
        found = {f"c* of {g.generator.name}": g.orbit for g in self.generators}
        return found if self.defect is None else found | {"b*": self.defect}


def attribute(
    parametrisation: Parametrisation,
    action: Action,
    probe: Probe,
    settings: Settings | None = None,
) -> Attribution:
    """Return the attribution of a network's parameters under an action, on a probe.

    Examples
    --------
    >>> from identcert.attribution.generators import find_generators
    >>> from identcert.attribution.probes import polar_grid
    >>> from identcert.nets.network import Network
    >>> net = Network.dense([([[1, 0], [0, 1]], None, "x^2"), ([[3, 1]], None, "identity")])
    >>> heads = Parametrisation.of(net, frozen=["W1"])
    >>> found = attribute(heads, find_generators("so2", 2, 1), polar_grid([0.5, 1.0], 16))
    >>> found.generators[0].lift.lifts, round(found.generators[0].orbit.residual, 9)
    (False, 1.0)
    >>> found.defect.components.round(3).tolist()
    [-1.0, 1.0]
    """
    chosen = settings or Settings()
    names = parametrisation.network.parameters
    if names:
        raise UnsupportedError(f"directions need numbers; the weights depend on {', '.join(names)}")
    check_memory(parametrisation, len(probe.points))
    model = model_of(parametrisation)
    average, reason = None, ""
    try:
        average = group_average(action, chosen.angles)
    except UnsupportedError as missing:
        reason = str(missing)
    defect: Direction | None = None
    reports = []
    for k, generator in enumerate(action.infinitesimal):
        field = LieAction.of(generator)
        if k == 0 and average is not None:
            orbit, defect = both_directions(
                model, field, average, probe, None, chosen.orbit, chosen.defect, chosen.gauge
            )
        else:
            orbit = orbit_direction(model, field, probe, None, chosen.orbit, chosen.gauge)
        reports.append(_report(parametrisation, model, generator, field, orbit, probe, chosen))
    if not reports and average is not None:
        defect = defect_direction(model, average, probe, None, chosen.defect, chosen.gauge)
    values = at_theta(model, model.theta)(probe.points)
    return Attribution(
        parametrisation, model, action, probe, chosen, tuple(reports), defect, average, reason,
        probe.rms(values),
    )  # fmt: skip


def check_memory(parametrisation: Parametrisation, points: int) -> None:
    """Refuse a Jacobian at so many points that it would not fit into memory.

    Raises
    ------
    InputError
        If it has more than ``MAX_JACOBIAN`` numbers.
    """
    rows = points * parametrisation.network.outputs
    size = rows * max(parametrisation.network.parameter_count, parametrisation.network.inputs)
    if size > MAX_JACOBIAN:
        what = f"a Jacobian of {size:.1e} numbers is too large"
        most = MAX_JACOBIAN * points // size
        raise InputError(what, "probe", f"take at most {most} points")


def _report(
    parametrisation: Parametrisation,
    model: RestrictedModel,
    generator: InfinitesimalGenerator,
    field: LieAction,
    orbit: Direction,
    probe: Probe,
    settings: Settings,
) -> GeneratorReport:
    """Return the exact answer beside a numeric direction."""
    lift = lift_of(parametrisation, generator, settings.seed) if settings.exact else None
    residual: float | None = None
    if lift is not None and lift.structural.direction is not None:
        network = parametrisation.network
        exact = np.array([rounded(c, network.field) for c in lift.structural.direction])
        target = weighted(probe, field.direction(model, model.theta, probe.points))
        missed = weighted_jacobian(model, probe) @ exact - target
        residual = float(np.linalg.norm(missed) / (np.linalg.norm(target) or 1.0))
    return GeneratorReport(generator, lift, orbit, residual)
