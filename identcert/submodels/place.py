"""The place of a network in the graph of submodels of its architecture.

up   == the moves from its pattern to smaller submodels: one merge or one removal
down == the moves that lead to its pattern from larger ones: a class is split in two, or a
        class of removed neurons comes back

Source: theory of counting degenerate configurations (§9).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb, prod
from typing import Any

from identcert.submodels.architecture import Architecture
from identcert.submodels.layer_poset import kind_of
from identcert.submodels.membership import node_of, submodel_of
from identcert.submodels.patterns import LayerPattern, Pattern
from identcert.submodels.reduction import Reduction
from identcert.submodels.totals import Count, count_patterns

COUNTED = 200
DIGITS = 24


@dataclass(frozen=True, slots=True)
class Place:
    """The node of one network, and what is around it.

    Attributes
    ----------
    architecture : that of the network once affine hidden layers are composed.
    pattern : its node.
    widths : the widths of its submodel.
    orbit : the number of patterns that relabellings and signs make of it.
    dimension : of the stratum of parameters with this pattern.
    moebius : μ from the full widths to the node.
    up, down : the numbers of moves out of the node and into it.
    graph : the numbers of the whole graph; None above `COUNTED` hidden neurons, where they
        would say little and take long.
    """

    architecture: Architecture
    pattern: Pattern
    widths: tuple[int, ...]
    orbit: int
    dimension: int
    moebius: int
    up: int
    down: int
    graph: Count | None

    def sentences(self) -> Iterator[str]:
        """Yield the place in plain words."""
        full = "-".join(map(str, self.architecture.widths))
        small = "-".join(map(str, self.widths))
        top = sum(self.architecture.hidden)
        generic = self.architecture.stratum_dimension(
            self.architecture.hidden, [(0,)] * len(self.architecture.hidden)
        )
        yield (
            f"Place among the submodels of widths {full}: {self.pattern.text() or 'no layer'}, "
            f"rank {self.pattern.rank} of {top}, submodel widths {small}."
        )
        yield (
            f"  {_many(self.orbit, 'pattern')} of this kind; its stratum has dimension "
            f"{self.dimension} of {generic}; {_many(self.up, 'move')} to smaller submodels, "
            f"{_shown(self.down)} from larger ones."
        )
        yield "  Braces hold clones, a minus sign an opposite one; x marks removed neurons."
        if self.graph is not None:
            nodes, edges = _shown(self.graph.nodes), _shown(self.graph.edges)
            yield f"  The graph has {nodes} nodes and {edges} edges."

    def to_json(self) -> dict[str, Any]:
        """Return the place as a JSON object."""
        return {
            "pattern": self.pattern.text(),
            "rank": self.pattern.rank,
            "widths": list(self.widths),
            "orbit": self.orbit,
            "dimension": self.dimension,
            "moebius": self.moebius,
            "up": self.up,
            "down": self.down,
            "nodes": None if self.graph is None else self.graph.nodes,
            "edges": None if self.graph is None else self.graph.edges,
        }


def place_of(reduction: Reduction) -> Place:
    """Return the place of a network in its graph, by its reduction.

    Examples
    --------
    >>> from identcert.nets.network import Network
    >>> from identcert.submodels.reduction import reduce_network
    >>> net = Network.dense([([[1], [-1], [2]], None, "tanh"), ([[5, 2, 1]], None, "identity")])
    >>> place = place_of(reduce_network(net))
    >>> place.pattern.text(), place.orbit, place.up, place.down
    ('{0,-1}{2}', 6, 4, 1)
    """
    folded, pattern = reduction.folded, node_of(reduction)
    bias = any(layer.has_bias for layer in (*folded.layers, *reduction.reduced.layers))
    activations = [layer.activation for layer in folded.layers[:-1]]
    architecture = Architecture.of(folded.widths, activations, bias)
    signed, many = architecture.signed, sum(architecture.hidden)
    pairs = list(zip(pattern.layers, signed, strict=True))
    kinds = [
        kind_of([len(own) for own in layer.classes], (len(layer.removed),), sign)
        for layer, sign in pairs
    ]
    return Place(
        architecture,
        pattern,
        submodel_of(reduction).widths,
        prod(kind.orbit for kind in kinds),
        architecture.stratum_dimension(pattern.widths, [kind.removed for kind in kinds]),
        prod(kind.moebius for kind in kinds),
        sum((1 + sign) * comb(layer.width, 2) + layer.width for layer, sign in pairs),
        sum(_moves_down(layer, sign) for layer, sign in pairs),
        count_patterns(architecture.hidden, signed) if many <= COUNTED else None,
    )


def _shown(number: int) -> str:
    """Return a number, or its size where it is long."""
    # 2^10 > 10^3, so this many bits have at least as many digits as are written out
    if number.bit_length() <= 10 * DIGITS // 3:
        return str(number)
    return f"more than 2^{number.bit_length() - 1}"


def _many(number: int, what: str) -> str:
    """Return a number of things."""
    return f"{_shown(number)} {what}{'' if number == 1 else 's'}"


def _moves_down(layer: LayerPattern, signed: bool) -> int:
    """Return Σ (2^(s−1) − 1) over classes, plus the classes that can come back."""
    splits = sum((1 << (len(own) - 1)) - 1 for own in layer.classes)
    returning: int = 3 ** len(layer.removed) // 2 if signed else (1 << len(layer.removed)) - 1
    return splits + returning
