"""Reduction of networks, and the submodels of an architecture as a graph.

pattern  == which neurons are removed and which are clones of each other, layer by layer
submodel == the network that is left; `embed` and `project` go between the two
place    == the node of one network in the graph of its architecture
fibre    == the parameters of one function, and the paths between them

Names are loaded when they are first used.

Examples
--------
>>> from identcert import Network, submodels
>>> net = Network.dense([([[1], [1], [2]], None, "tanh"), ([[5, 2, 1]], None, "identity")])
>>> pattern = submodels.node_of(net)
>>> pattern.text()
'{0,1}{2}'
>>> small = submodels.project(net, pattern)
>>> small.widths, submodels.embed(small, pattern).widths
((1, 2, 1), (1, 3, 1))
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from identcert.submodels.architecture import Architecture as Architecture
    from identcert.submodels.fibre_meetings import fibre_graph as fibre_graph
    from identcert.submodels.fibres import FibreComponent as FibreComponent
    from identcert.submodels.fibres import fibre_components as fibre_components
    from identcert.submodels.graph import SubmodelGraph as SubmodelGraph
    from identcert.submodels.graph import submodel_graph as submodel_graph
    from identcert.submodels.maps import embed as embed
    from identcert.submodels.membership import node_of as node_of
    from identcert.submodels.membership import submodel_of as submodel_of
    from identcert.submodels.paths import Path as Path
    from identcert.submodels.paths import check_segment as check_segment
    from identcert.submodels.paths import find_path as find_path
    from identcert.submodels.patterns import LayerPattern as LayerPattern
    from identcert.submodels.patterns import Pattern as Pattern
    from identcert.submodels.place import Place as Place
    from identcert.submodels.place import place_of as place_of
    from identcert.submodels.projection import project as project
    from identcert.submodels.reduction import Reduction as Reduction
    from identcert.submodels.reduction import reduce_network as reduce_network
    from identcert.submodels.square import StrongSquare as StrongSquare
    from identcert.submodels.square import strong_square as strong_square
    from identcert.submodels.weak import WeakChain as WeakChain
    from identcert.submodels.weak import weak_chain as weak_chain

_HOMES = {
    "architecture": ("Architecture",),
    "fibre_meetings": ("fibre_graph",),
    "fibres": ("FibreComponent", "fibre_components"),
    "graph": ("SubmodelGraph", "submodel_graph"),
    "maps": ("embed",),
    "membership": ("node_of", "submodel_of"),
    "paths": ("Path", "check_segment", "find_path"),
    "patterns": ("LayerPattern", "Pattern"),
    "place": ("Place", "place_of"),
    "projection": ("project",),
    "reduction": ("Reduction", "reduce_network"),
    "square": ("StrongSquare", "strong_square"),
    "weak": ("WeakChain", "weak_chain"),
}
_MODULES = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_MODULES)


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(import_module(f"identcert.submodels.{_MODULES[name]}"), name)
    raise AttributeError(f"module 'identcert.submodels' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
