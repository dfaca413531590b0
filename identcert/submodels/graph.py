"""The graph of submodels of an architecture: patterns as nodes, covers as edges.

labelled     == nodes are patterns of named neurons
relabelled   == nodes are orbits of patterns: under the latent group, or under permutations
                alone, which keep the signs of clones apart
edge         == one merge or one removal in one hidden layer, towards the smaller submodel

The graph of several layers is the product of those of the layers, which are held compactly;
a networkx graph is made when it is asked for. Sizes that do not fit are counted by formulas
(`SubmodelGraph.count`) or walked lazily (`SubmodelGraph.patterns`, `SubmodelGraph.covers`).

Source: theory of submodels (§2 of the layerwise theorem), of counting (§9).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any, Literal

from identcert.errors import InputError
from identcert.nets.activation import Activation
from identcert.submodels.architecture import Architecture
from identcert.submodels.layer_poset import Kind, LayerPoset, pattern_poset
from identcert.submodels.orbits_of_patterns import orbit_poset
from identcert.submodels.patterns import MOVES, Pattern, layer_patterns
from identcert.submodels.totals import Count, count_orbits, count_patterns

if TYPE_CHECKING:
    import networkx as nx

Relabelling = Literal["none", "latent", "permutations"]
LIMIT = 3_000_000
"""The number of nodes and edges above which a graph is not made unless asked to."""


@dataclass(frozen=True)
class SubmodelGraph:
    """The graph of patterns of an architecture, or of their orbits.

    Attributes
    ----------
    architecture : widths, activations, biases.
    relabelling : "none" for patterns of named neurons, "latent" for orbits under the latent
        group, "permutations" for orbits under permutations of neurons alone.

    Examples
    --------
    >>> graph = SubmodelGraph(Architecture.of([2, 3, 2, 1], "tanh"), "latent")
    >>> count = graph.count
    >>> count.nodes, count.edges
    (28, 68)
    >>> next(graph.nodes())
    ('1+1+1 | 1+1', {'widths': '2-3-2-1', 'rank': 0, 'orbit': 1, 'dimension': 20, 'moebius': 1})
    """

    architecture: Architecture
    relabelling: Relabelling = "none"

    @cached_property
    def count(self) -> Count:
        """The numbers of the graph, by closed formulas."""
        hidden, dead_kinds = self.architecture.hidden, self.architecture.dead_kinds
        signed = self.architecture.signed
        if self.relabelling == "none":
            return count_patterns(hidden, signed, dead_kinds)
        return count_orbits(hidden, self._typed, dead_kinds)

    @property
    def _typed(self) -> tuple[bool, ...]:
        """Per layer, whether orbits keep signs apart."""
        return tuple(s and self.relabelling == "permutations" for s in self.architecture.signed)

    @cached_property
    def posets(self) -> tuple[LayerPoset, ...]:
        """The posets of the hidden layers, held compactly; equal layers share one.

        Raises
        ------
        InputError
            If one of them is too large to hold.
        """
        made: dict[tuple[int, bool, bool], LayerPoset] = {}
        dead_kinds = self.architecture.dead_kinds
        keys = list(
            zip(self.architecture.hidden, self.architecture.signed, self._typed, strict=True)
        )
        for m, signed, typed in set(keys):
            made[m, signed, typed] = (
                pattern_poset(m, signed, dead_kinds)
                if self.relabelling == "none"
                else orbit_poset(m, signed, typed, dead_kinds)
            )
        return tuple(made[key] for key in keys)

    def patterns(self) -> Iterator[Pattern]:
        """Yield every pattern, one at a time: nothing is stored."""
        arch = self.architecture

        def extend(depth: int, layers: tuple[Any, ...]) -> Iterator[Pattern]:
            if depth == len(arch.hidden):
                yield Pattern(layers)
                return
            for own in layer_patterns(arch.hidden[depth], arch.signed[depth], arch.dead_kinds):
                yield from extend(depth + 1, (*layers, own))

        yield from extend(0, ())

    def covers(self, pattern: Pattern) -> Iterator[tuple[int, str, Pattern]]:
        """Yield (layer, move, pattern) for every cover of a pattern, one at a time."""
        yield from pattern.covers(self.architecture.signed)

    def nodes(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield every node with its attributes, in the order of `edges`."""
        known: dict[tuple[int, ...], dict[str, Any]] = {}
        chains = zip(
            itertools.product(*(poset.texts for poset in self.posets)),
            itertools.product(*(poset.kind.tolist() for poset in self.posets)),
            strict=True,
        )
        for texts, kinds in chains:
            if kinds not in known:
                chosen = [poset.kinds[k] for poset, k in zip(self.posets, kinds, strict=True)]
                known[kinds] = self.attributes(chosen)
            yield " | ".join(texts), dict(known[kinds])

    def attributes(self, kinds: Sequence[Kind]) -> dict[str, Any]:
        """Return the attributes of a node from the kinds of its layers.

        ``widths`` of the submodel, ``rank``, number of labelled patterns in its ``orbit``,
        ``dimension`` of the stratum of parameters, and the ``moebius`` value μ(0, x) in the
        lattice of labelled patterns.
        """
        arch = self.architecture
        widths = [kind.width for kind in kinds]
        removed = [kind.removed for kind in kinds]
        return {
            "widths": "-".join(map(str, (arch.widths[0], *widths, arch.widths[-1]))),
            "rank": sum(arch.hidden) - sum(widths),
            "orbit": prod(kind.orbit for kind in kinds),
            "dimension": arch.stratum_dimension(widths, removed),
            "moebius": prod(kind.moebius for kind in kinds),
        }

    def edges(self) -> Iterator[tuple[int, int, dict[str, Any]]]:
        """Yield every edge as two node numbers with its attributes.

        ``layer`` (from 0), ``move``, and for orbits ``covers``, the number of covers from
        one pattern of the source into the target.
        """
        sizes = [poset.size for poset in self.posets]
        for layer, poset in enumerate(self.posets):
            below, above = prod(sizes[:layer]), prod(sizes[layer + 1 :])
            moves = [MOVES[k] for k in poset.move.tolist()]
            ways = None if poset.multiplicity is None else poset.multiplicity.tolist()
            sources, targets = poset.source.tolist(), poset.target.tolist()
            for k, (source, target, move) in enumerate(zip(sources, targets, moves, strict=True)):
                extra = {} if ways is None else {"covers": ways[k]}
                for low in range(below):
                    start = low * poset.size
                    first, second = (start + source) * above, (start + target) * above
                    for high in range(above):
                        yield (
                            first + high,
                            second + high,
                            {"layer": layer, "move": move, **extra},
                        )

    def check_size(self, limit: int | None = LIMIT) -> None:
        """Refuse to make what is too large.

        Raises
        ------
        InputError
            If nodes and edges together are more than the limit.
        """
        if limit is not None and self.count.nodes + self.count.edges > limit:
            raise InputError(
                f"the graph has {self.count.nodes} nodes and {self.count.edges} edges, more than "
                f"the limit of {limit}",
                fix="count it (--count), take it up to relabelling, or walk through it lazily",
            )

    def digraph(self, limit: int | None = LIMIT) -> nx.DiGraph[str]:
        """Return the graph for networkx; nodes are the texts of patterns or orbits.

        Raises
        ------
        InputError
            If it is larger than the limit.
        """
        import networkx

        self.check_size(limit)
        graph: nx.DiGraph[str] = networkx.DiGraph(**self.description())
        graph.add_nodes_from(self.nodes())
        names = list(graph)
        graph.add_edges_from((names[s], names[t], data) for s, t, data in self.edges())
        return graph

    def description(self) -> dict[str, Any]:
        """Return what the graph is of, for the headers of files."""
        arch = self.architecture
        return {
            "widths": "-".join(map(str, arch.widths)),
            "activation": ", ".join(sigma.text() for sigma in arch.activations),
            "bias": arch.bias,
            "dead_kinds": arch.dead_kinds,
            "relabelling": self.relabelling,
        }


def submodel_graph(
    widths: Sequence[int],
    activation: str | Activation | Sequence[str | Activation] = "tanh",
    *,
    bias: bool = True,
    up_to_relabelling: bool = False,
    unsigned: bool = False,
    dead_kinds: bool = False,
    limit: int | None = LIMIT,
) -> nx.DiGraph[str]:
    """Return the networkx graph of the submodels of an architecture.

    Parameters
    ----------
    widths : inputs, hidden widths, outputs.
    activation : one for all hidden layers, or one for each.
    bias : whether layers have biases.
    up_to_relabelling : orbits under the latent group instead of labelled patterns.
    unsigned : with it, relabel by permutations alone and keep the signs of clones apart.
    dead_kinds : whether constant and unread neurons are told apart.
    limit : the number of nodes and edges above which the graph is refused; None for none.

    Raises
    ------
    InputError
        If the architecture is none, or the graph is larger than the limit.

    Examples
    --------
    >>> graph = submodel_graph([2, 3, 1], "tanh")
    >>> graph.number_of_nodes(), graph.number_of_edges()
    (24, 58)
    >>> graph.nodes["{0,-2} x{1}"]["widths"], graph.edges["{0,-2} x{1}", "x{0,1,2}"]["move"]
    ('2-1-1', 'remove')
    """
    architecture = Architecture.of(widths, activation, bias, dead_kinds)
    return SubmodelGraph(architecture, relabelling_of(up_to_relabelling, unsigned)).digraph(limit)


def relabelling_of(up_to_relabelling: bool, unsigned: bool) -> Relabelling:
    """Return the relabelling that two yes-or-no options choose."""
    if not up_to_relabelling:
        return "none"
    return "permutations" if unsigned else "latent"
