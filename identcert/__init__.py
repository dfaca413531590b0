"""Exact certificates for equivariant neural networks.

`certify` decides whether a network is equivariant, finds the latent actions that make
every layer equivariant, and returns evidence that `identcert.checker` verifies. Names
are loaded when they are first used, so that importing the package stays quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import identcert.attribution as attribution  # noqa: F401
    import identcert.certify as certify  # noqa: F401
    import identcert.groups.library as actions  # noqa: F401
    import identcert.submodels as submodels  # noqa: F401
    from identcert.certify.canonical import canonical_form as canonical_form
    from identcert.certify.comparison import EqualityVerdict as EqualityVerdict
    from identcert.certify.equality import EqualityResult as EqualityResult
    from identcert.certify.equality import equal as equal
    from identcert.certify.identifiability import Identification as Identification
    from identcert.certify.identifiability import identify as identify
    from identcert.certify.result import Result as Result
    from identcert.certify.result import Verdict as Verdict
    from identcert.errors import IdentcertError as IdentcertError
    from identcert.errors import InputError as InputError
    from identcert.errors import UnsupportedError as UnsupportedError
    from identcert.exact.matrix import Matrix as Matrix
    from identcert.groups.action import Action as Action
    from identcert.groups.files import load_action as load_action
    from identcert.nets.network import Network as Network
    from identcert.submodels.graph import submodel_graph as submodel_graph
    from identcert.submodels.reduction import reduce_network as reduce_network

__version__ = "0.1.0"

_HOMES = {
    "Action": "identcert.groups.action",
    "EqualityResult": "identcert.certify.equality",
    "EqualityVerdict": "identcert.certify.comparison",
    "IdentcertError": "identcert.errors",
    "Identification": "identcert.certify.identifiability",
    "InputError": "identcert.errors",
    "Matrix": "identcert.exact.matrix",
    "Network": "identcert.nets.network",
    "Result": "identcert.certify.result",
    "UnsupportedError": "identcert.errors",
    "Verdict": "identcert.certify.result",
    "canonical_form": "identcert.certify.canonical",
    "equal": "identcert.certify.equality",
    "identify": "identcert.certify.identifiability",
    "load_action": "identcert.groups.files",
    "reduce_network": "identcert.submodels.reduction",
    "submodel_graph": "identcert.submodels.graph",
}

_PACKAGES = {
    "actions": "identcert.groups.library",
    "attribution": "identcert.attribution",
    "certify": "identcert.certify",
    "submodels": "identcert.submodels",
}

__all__ = [*_HOMES, *_PACKAGES]


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        return import_module(_PACKAGES[name])
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'identcert' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
