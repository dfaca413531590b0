"""Parameter-level attribution of symmetry, after Muriithi, Thapar and Berndt (2026).

S*, S         == functional sensitivities of parameters, pointwise and aggregated over a probe
η             == the direction in which a generator moves the function
c*, b*        == directions of parameters along the orbit and towards equivariance
lift          == whether η is reached exactly: structural, or decided over Q with evidence

Names are loaded when they are first used. Directions and flows are numeric and say so; `lift_of`,
`structural_lift` and the averages of `identcert.attribution.exact_average` are exact.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from identcert.attribution.analysis import Attribution as Attribution
    from identcert.attribution.analysis import Settings as Settings
    from identcert.attribution.analysis import attribute as attribute
    from identcert.attribution.average import circle_average as circle_average
    from identcert.attribution.directions import Direction as Direction
    from identcert.attribution.directions import both_directions as both_directions
    from identcert.attribution.directions import defect_direction as defect_direction
    from identcert.attribution.directions import minimum_lifting_error as minimum_lifting_error
    from identcert.attribution.directions import orbit_direction as orbit_direction
    from identcert.attribution.evidence import write_lift as write_lift
    from identcert.attribution.fields import LieAction as LieAction
    from identcert.attribution.finite_average import group_average as group_average
    from identcert.attribution.gauge import Ridge as Ridge
    from identcert.attribution.gauge import Truncation as Truncation
    from identcert.attribution.generators import dilation as dilation
    from identcert.attribution.generators import rotation as rotation
    from identcert.attribution.generators import translation as translation
    from identcert.attribution.lift import LiftResult as LiftResult
    from identcert.attribution.lift import lift_of as lift_of
    from identcert.attribution.metrics import Ruler as Ruler
    from identcert.attribution.metrics import defect_flow as defect_flow
    from identcert.attribution.metrics import orbit_flow as orbit_flow
    from identcert.attribution.models import DenseModel as DenseModel
    from identcert.attribution.models import model_of as model_of
    from identcert.attribution.parameters import Parametrisation as Parametrisation
    from identcert.attribution.potential import PotentialForce as PotentialForce
    from identcert.attribution.probes import Probe as Probe
    from identcert.attribution.probes import polar_grid as polar_grid
    from identcert.attribution.sensitivity import aggregated_sensitivity as aggregated_sensitivity
    from identcert.attribution.sensitivity import pointwise_sensitivity as pointwise_sensitivity
    from identcert.attribution.structural import structural_lift as structural_lift
    from identcert.attribution.torch_module import TorchModel as TorchModel

_HOMES = {
    "analysis": ("Attribution", "Settings", "attribute"),
    "average": ("circle_average",),
    "directions": (
        "Direction", "both_directions", "defect_direction", "minimum_lifting_error",
        "orbit_direction",
    ),
    "evidence": ("write_lift",),
    "fields": ("LieAction",),
    "gauge": ("Ridge", "Truncation"),
    "generators": ("dilation", "rotation", "translation"),
    "finite_average": ("group_average",),
    "lift": ("LiftResult", "lift_of"),
    "metrics": ("Ruler", "defect_flow", "orbit_flow"),
    "models": ("DenseModel", "model_of"),
    "parameters": ("Parametrisation",),
    "potential": ("PotentialForce",),
    "probes": ("Probe", "polar_grid"),
    "sensitivity": ("aggregated_sensitivity", "pointwise_sensitivity"),
    "structural": ("structural_lift",),
    "torch_module": ("TorchModel",),
}  # fmt: skip
_MODULES = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_MODULES)


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(import_module(f"identcert.attribution.{_MODULES[name]}"), name)
    raise AttributeError(f"module 'identcert.attribution' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
