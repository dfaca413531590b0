"""Which components of a fibre meet, and in what dimension.

linked == neurons that must have one common row, up to signs, in both components
cycle  == linked neurons whose signs contradict each other: their row is 0

Two components meet iff some parameter satisfies both sets of conditions. Their rows agree
when every set of linked neurons is free, or carries one target with consistent signs, or is
zero. Then the outgoing weights solve linear equations, one for every target and block of
either component: in the signed graph with these as vertices and the neurons as edges, a
connected part is solvable iff it has a loose end (a constant neuron), contradictory signs,
or the target on both sides or on neither.

Source: theory of fibre components (§9); Zaslavsky 1982 for ranks of signed graphs.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from identcert.errors import InputError
from identcert.submodels.fibres import FibreComponent, fibre_components

if TYPE_CHECKING:
    import networkx as nx

LIMIT = 1_500
"""The number of components above which their pairs are not compared."""


def meeting_dimension(
    first: FibreComponent, second: FibreComponent, inputs: int, outputs: int, bias: bool = True
) -> int | None:
    """Return the dimension of the intersection of two components, None if they do not meet.

    Examples
    --------
    >>> one, two, three = fibre_components(1, 2, signed=False, constants=False)
    >>> meeting_dimension(one, two, 1, 1), meeting_dimension(two, three, 1, 1)
    (0, None)
    """
    dimension = 0
    for part in _linked_parts(first, second):
        own = _part_dimension(first, second, part, inputs, outputs, bias)
        if own is None:
            return None
        dimension += own
    return dimension


def _linked_parts(first: FibreComponent, second: FibreComponent) -> list[dict[int, int | None]]:
    """Return the linked sets of neurons; per neuron its sign, None all over in a cycle."""
    neurons = len(first.roles)
    near: list[list[tuple[int, int]]] = [[] for _ in range(neurons)]
    for component in (first, second):
        for group in (*component.carriers, *component.blocks):
            for (i, s), (j, t) in itertools.pairwise(group):
                near[i].append((j, s * t))
                near[j].append((i, s * t))
    parts, seen = [], set()
    for start in range(neurons):
        if start in seen:
            continue
        signs, balanced, waiting = {start: 1}, True, [start]
        while waiting:
            i = waiting.pop()
            for j, relative in near[i]:
                if j not in signs:
                    signs[j] = signs[i] * relative
                    waiting.append(j)
                elif signs[j] != signs[i] * relative:
                    balanced = False
        seen |= set(signs)
        parts.append({i: sign if balanced else None for i, sign in signs.items()})
    return parts


def _part_dimension(
    first: FibreComponent,
    second: FibreComponent,
    part: dict[int, int | None],
    inputs: int,
    outputs: int,
    bias: bool,
) -> int | None:
    """Return the dimension that a linked set contributes, None if it has no solution."""
    balanced = None not in part.values()
    claims, equations, loose = set(), set(), False
    for side, component in enumerate((first, second)):
        for neuron, own in part.items():
            kind, index, sign = component.roles[neuron]
            loose = loose or kind == "constant"
            if kind != "constant":
                equations.add((side, kind, index))
            if kind == "real":
                claims.add((index, sign * (own or 0)))
    rank = len(equations) - (balanced and not loose)
    if not claims:
        rows = (bias + (0 if loose else inputs)) if balanced else 0
        return rows + outputs * (len(part) - rank)
    # the row is that of a target: one target, one sign, no constant, carried on both sides
    sides = {side for side, kind, _ in equations if kind == "real"}
    if len(claims) > 1 or not balanced or loose or len(sides) == 1:
        return None
    return outputs * (len(part) - rank)


def fibre_graph(
    r: int,
    m: int,
    signed: bool,
    constants: bool,
    inputs: int = 1,
    outputs: int = 1,
    bias: bool = True,
) -> nx.Graph[int]:
    """Return the graph of the components of a fibre: an edge where two of them meet.

    Nodes are numbers in the order of `fibre_components`, with attributes ``text`` and
    ``dimension``; edges have the ``dimension`` of the intersection.

    Raises
    ------
    InputError
        If there are too many components to compare all pairs.

    Examples
    --------
    >>> graph = fibre_graph(1, 2, signed=True, constants=True)
    >>> graph.number_of_nodes(), graph.number_of_edges()
    (12, 12)
    """
    import networkx

    components = list(itertools.islice(fibre_components(r, m, signed, constants), LIMIT + 1))
    if len(components) > LIMIT:
        raise InputError(
            f"a fibre of width {r} in width {m} has more than {LIMIT} components",
            fix="count them, or iterate over them",
        )
    graph: nx.Graph[int] = networkx.Graph()
    for number, component in enumerate(components):
        size = component.dimension(inputs, outputs, bias)
        graph.add_node(number, text=component.text(), dimension=size)
    for (i, first), (j, second) in itertools.combinations(enumerate(components), 2):
        common = meeting_dimension(first, second, inputs, outputs, bias)
        if common is not None:
            graph.add_edge(i, j, dimension=common)
    return graph
