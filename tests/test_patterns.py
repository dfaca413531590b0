"""Patterns and their graph: enumerated, against the tables and against plain definitions."""

from __future__ import annotations

import itertools
from collections import Counter
from math import prod
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from identcert.errors import InputError
from identcert.nets.activation import activation
from identcert.submodels.architecture import Architecture, is_scaled, is_signed
from identcert.submodels.graph import SubmodelGraph, submodel_graph
from identcert.submodels.layer_poset import pattern_poset
from identcert.submodels.patterns import MOVES, LayerPattern, Pattern, layer_patterns

NODES = [2, 5, 15, 52, 203, 877]
COVERS = [1, 6, 31, 160, 856, 4802]
SIGNED_NODES = [2, 6, 24, 116, 648, 4088]
SIGNED_COVERS = [1, 8, 58, 432, 3396, 28384]
ORBITS = [2, 4, 7, 12, 19, 30, 45, 67]
ORBIT_COVERS = [1, 4, 10, 22, 43, 79, 137, 229]
SIGNED_ORBITS = [2, 5, 10, 21, 39, 74, 131, 233]
SIGNED_ORBIT_COVERS = [1, 6, 18, 51, 122, 280, 593, 1218]
DEAD_KINDS = [3, 10, 37, 151, 674, 3263]


def flats(m: int, signed: bool) -> set[frozenset[tuple[int, ...]]]:
    """Flats of {u_i = 0, u_i = ±u_j} as their points in {−1, 0, …, m}^m: closures by definition.

    A flat is the set of its points with coordinates in a set that tells all flats apart.
    """
    values = range(-m, m + 1) if signed else range(m + 1)
    points = list(itertools.product(values, repeat=m))
    hyperplanes = [frozenset(p for p in points if p[i] == 0) for i in range(m)]
    for i, j in itertools.combinations(range(m), 2):
        hyperplanes.append(frozenset(p for p in points if p[i] == p[j]))
        if signed:
            hyperplanes.append(frozenset(p for p in points if p[i] == -p[j]))
    found = {frozenset(points)}
    waiting = list(found)
    while waiting:
        flat = waiting.pop()
        for hyperplane in hyperplanes:
            smaller = flat & hyperplane
            if smaller not in found:
                found.add(smaller)
                waiting.append(smaller)
    return found


def points_of(pattern: LayerPattern, signed: bool) -> frozenset[tuple[int, ...]]:
    m = pattern.neurons
    values = range(-m, m + 1) if signed else range(m + 1)
    return frozenset(
        p
        for p in itertools.product(values, repeat=m)
        if all(p[i] == 0 for i in pattern.removed)
        and all(p[i] * s == p[own[0][0]] for own in pattern.classes for i, s in own)
    )


@pytest.mark.parametrize(("m", "signed"), [(1, True), (2, True), (3, True), (3, False), (4, False)])
def test_patterns_are_the_flats_and_covers_their_covers(m: int, signed: bool) -> None:
    by_points = {points_of(p, signed): p for p in layer_patterns(m, signed)}
    assert set(by_points) == flats(m, signed)
    for flat, pattern in by_points.items():
        below = [other for other in by_points if other < flat]
        covers = {by_points[other] for other in below if not any(other < third for third in below)}
        assert covers == {cover for _, cover in pattern.covers(signed)}


@pytest.mark.parametrize("m", range(1, 7))
def test_enumeration_gives_the_tables(m: int) -> None:
    unsigned = list(layer_patterns(m, signed=False))
    assert len(set(unsigned)) == len(unsigned) == NODES[m - 1]
    assert sum(1 for p in unsigned for _ in p.covers(False)) == COVERS[m - 1]
    signed = list(layer_patterns(m, signed=True))
    assert len(set(signed)) == len(signed) == SIGNED_NODES[m - 1]
    assert sum(1 for p in signed for _ in p.covers(True)) == SIGNED_COVERS[m - 1]
    assert sum(1 for _ in layer_patterns(m, False, dead_kinds=True)) == DEAD_KINDS[m - 1]


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("dead_kinds", [False, True])
@pytest.mark.parametrize("m", range(5))
def test_compact_posets_are_the_lazy_ones(m: int, signed: bool, dead_kinds: bool) -> None:
    poset = pattern_poset(m, signed, dead_kinds)
    names = list(poset.texts)
    found = {
        (names[s], MOVES[k], names[t])
        for s, t, k in zip(poset.source, poset.target, poset.move, strict=True)
    }
    lazy = list(layer_patterns(m, signed, dead_kinds))
    assert sorted(names) == sorted(p.text() for p in lazy)
    assert found == {(p.text(), k, q.text()) for p in lazy for k, q in p.covers(signed)}
    assert len(found) == poset.covers


@pytest.mark.parametrize("m", range(1, 9))
def test_orbit_graphs_give_the_tables(m: int) -> None:
    latent = submodel_graph([1, m, 1], "tanh", up_to_relabelling=True)
    assert (len(latent), latent.size()) == (ORBITS[m - 1], ORBIT_COVERS[m - 1])
    plain = submodel_graph([1, m, 1], "relu", up_to_relabelling=True)
    assert set(plain.edges) == set(latent.edges)
    apart = submodel_graph([1, m, 1], "tanh", up_to_relabelling=True, unsigned=True)
    assert (len(apart), apart.size()) == (SIGNED_ORBITS[m - 1], SIGNED_ORBIT_COVERS[m - 1])
    assert all(nx.is_directed_acyclic_graph(graph) for graph in (latent, apart))


def relabelled(pattern: LayerPattern, images: tuple[int, ...], signs: Any) -> LayerPattern:
    """Neuron i gets the label that neuron images[i] had, times a sign."""
    labels = [pattern.labels[j] * sign for j, sign in zip(images, signs, strict=True)]
    return LayerPattern.of(labels)


@pytest.mark.parametrize(("m", "flips"), [(3, False), (3, True), (4, False), (4, True)])
def test_orbits_are_those_of_the_group(m: int, flips: bool) -> None:
    """Orbits by applying every element, against the attributes of the graph of orbits."""
    signs = list(itertools.product((1, -1), repeat=m)) if flips else [(1,) * m]
    group = list(itertools.product(itertools.permutations(range(m)), signs))
    orbit_of = {
        p: frozenset(relabelled(p, images, own) for images, own in group)
        for p in layer_patterns(m, signed=True)
    }
    graph = submodel_graph([1, m, 1], "tanh", up_to_relabelling=True, unsigned=not flips)
    sizes = Counter(data for _, data in graph.nodes(data="orbit"))
    assert sizes == Counter(len(orbit) for orbit in set(orbit_of.values()))
    covers = {(orbit_of[p], orbit_of[q]): 0 for p in orbit_of for _, q in p.covers(True)}
    assert len(covers) == graph.size()
    labelled = sum(graph.nodes[s]["orbit"] * k for s, _, k in graph.edges(data="covers"))
    assert labelled == SIGNED_COVERS[m - 1]


@pytest.mark.parametrize("relabel", [False, True])
@pytest.mark.parametrize("hidden", [(3,), (2, 2), (3, 2), (1, 2, 2)])
def test_ranks_and_moebius_values_are_those_of_the_graph(
    hidden: tuple[int, ...], relabel: bool
) -> None:
    """Möbius by its recursion over the reachability order, not by the product formula."""
    labelled = submodel_graph([2, *hidden, 1], "tanh")
    order = list(nx.topological_sort(labelled))
    values: dict[str, int] = {}
    for name in order:
        below = nx.ancestors(labelled, name)
        values[name] = -sum(values[other] for other in below) if below else 1
        assert labelled.nodes[name]["rank"] == (len(nx.shortest_path(labelled, order[0], name)) - 1)
    assert values == dict(labelled.nodes(data="moebius"))
    if relabel:
        orbits = submodel_graph([2, *hidden, 1], "tanh", up_to_relabelling=True)
        total = sum(data["orbit"] * data["moebius"] for _, data in orbits.nodes(data=True))
        assert total == sum(values.values())
        assert sum(data for _, data in orbits.nodes(data="orbit")) == len(values)


def test_the_product_of_layers_is_the_graph_of_the_network() -> None:
    graph = SubmodelGraph(Architecture.of([2, 3, 2, 1], ["tanh", "relu"]))
    lazy = list(graph.patterns())
    built = graph.digraph()
    assert sorted(p.text() for p in lazy) == sorted(built)
    found = {(p.text(), q.text(), layer, move) for p in lazy for layer, move, q in graph.covers(p)}
    assert found == {(s, t, d["layer"], d["move"]) for s, t, d in built.edges(data=True)}
    assert (len(built), built.size()) == (graph.count.nodes, graph.count.edges)
    ranks = Counter(data for _, data in built.nodes(data="rank"))
    assert tuple(ranks[r] for r in sorted(ranks)) == graph.count.ranks


def test_lazy_iteration_starts_at_once_where_nothing_fits() -> None:
    graph = SubmodelGraph(Architecture.of([2, 30, 30, 1], "tanh"))
    assert graph.count.nodes > 10**50
    first = list(itertools.islice(graph.patterns(), 5))
    assert len({p.text() for p in first}) == 5
    assert next(graph.covers(Pattern.generic([30, 30])))[1] == "merge"
    with pytest.raises(InputError, match="more than the limit"):
        graph.digraph()


@pytest.mark.parametrize(
    ("name", "signed", "signed_without_bias", "scaled"),
    [
        ("tanh", True, True, False),
        ("arctan", True, True, False),
        ("erf", True, True, False),
        ("hard_tanh", True, True, False),
        ("sin", True, True, False),
        ("sigmoid", True, True, False),
        ("relu6", True, False, False),
        ("x^3 + x", True, True, False),
        ("x^4 + x^2", True, True, False),
        ("x^2 + x", False, False, True),
        ("x^3", False, False, True),
        ("relu", False, False, True),
        ("gelu", False, False, False),
        ("x^4 + x^3", False, False, False),
    ],
)
def test_which_activations_have_signed_patterns(
    name: str, signed: bool, signed_without_bias: bool, scaled: bool
) -> None:
    sigma = activation(name)
    assert is_signed(sigma) == signed
    assert is_signed(sigma, bias=False) == signed_without_bias
    assert is_scaled(sigma) == scaled


def subsets(neurons: tuple[int, ...]) -> Any:
    sizes = range(len(neurons) + 1)
    return itertools.chain.from_iterable(itertools.combinations(neurons, n) for n in sizes)


def free_parameters(pattern: Pattern, arch: Architecture) -> int:
    """The dimension of a stratum by counting what each weight may do, neuron by neuron."""
    best = 0
    choices = [
        [
            frozenset(c)
            for n in range(len(p.removed) + 1)
            for c in itertools.combinations(p.removed, n)
        ]
        for p in pattern.layers
    ]
    for unread in itertools.product(*choices):
        free: set[Any] = set()
        widths, last = arch.widths, len(arch.widths) - 1
        for level in range(1, last + 1):
            for i in range(widths[level]):
                leader: Any = i
                is_constant = False
                if level < last:
                    own = pattern.layers[level - 1]
                    label = own.labels[i]
                    is_constant = label == 0 and i not in unread[level - 1]
                    if label:
                        leader = own.classes[abs(label) - 1][0][0]
                        if arch.scaled[level - 1] and leader != i:
                            free.add((level, i, "factor"))
                if arch.bias:
                    free.add((level, leader, "bias"))
                for j in range(widths[level - 1]):
                    dead = level > 1 and j in unread[level - 2]
                    if not dead and not is_constant:
                        free.add((level, leader, j))
        best = max(best, len(free))
    return best


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("name", ["tanh", "relu"])
def test_strata_have_the_dimension_of_their_free_weights(name: str, bias: bool) -> None:
    arch = Architecture.of([2, 3, 2, 1], name, bias)
    graph = SubmodelGraph(arch)
    attributes = dict(graph.nodes())
    for pattern in graph.patterns():
        assert attributes[pattern.text()]["dimension"] == free_parameters(pattern, arch)


@given(st.lists(st.integers(-4, 4), max_size=8), st.booleans())
def test_patterns_are_read_back_from_their_text(labels: list[int], dead_kinds: bool) -> None:
    removed = [i for i, label in enumerate(labels) if label == 0]
    unread = removed[::2] if dead_kinds and removed else None
    pattern = LayerPattern.of(labels, unread)
    assert LayerPattern.parse(pattern.text()) == pattern
    assert LayerPattern.of(pattern.labels, unread) == pattern
    widths = Counter(map(abs, pattern.labels))
    assert prod(widths.values()) >= 1 and pattern.width == len(set(widths) - {0})


@pytest.mark.parametrize("text", ["{0}{2}", "{0,0}", "0,1", "{1", "{0} y{1}", "{0}{0}"])
def test_texts_that_spell_no_pattern_are_refused(text: str) -> None:
    with pytest.raises(InputError):
        LayerPattern.parse(text)


def test_labels_out_of_normal_form_are_refused() -> None:
    with pytest.raises(InputError, match="normal form"):
        LayerPattern((2, 1))
    with pytest.raises(InputError, match="not among its removed"):
        LayerPattern((1, 0), unread=(0,))


@pytest.mark.parametrize(
    ("m", "signed", "nodes", "covers"),
    [(7, False, 4140, 28337), (8, False, 21147, 175896), (7, True, 28640, 252456)],
)
def test_compact_posets_reach_the_large_entries_of_the_tables(
    m: int, signed: bool, nodes: int, covers: int
) -> None:
    poset = pattern_poset(m, signed)
    assert (poset.size, poset.covers) == (nodes, covers)
    pairs = poset.source.astype("int64") * nodes + poset.target
    assert len(set(pairs.tolist())) == covers and len(set(poset.texts)) == nodes
