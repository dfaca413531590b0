"""Graphs of submodels: the lattice of signed patterns, beside networkx and beside its aims.

The baseline does what a short script would do: list the signed partitions, compare all pairs,
and let networkx take the transitive reduction. It ends at five neurons; beyond that the graphs
stand beside the times that were aimed at. Memory is the peak of a process that does nothing else,
imports included.
"""

from __future__ import annotations

import itertools
import subprocess
import sys
from typing import Any

from timing import Measured, best_of, show

TITLE = "Graphs of submodels"
AIMS = {7: 5.0, 8: 60.0}

ALONE = """
import resource, sys, time
from identcert.submodels.graph import submodel_graph
from identcert.submodels.layer_poset import pattern_poset
m, kind = int(sys.argv[1]), sys.argv[2]
began = time.perf_counter()
made = pattern_poset(m, signed=True) if kind == "compact" else submodel_graph([2, m, 1], "tanh")
seconds = time.perf_counter() - began
size = (made.size, made.covers) if kind == "compact" else (len(made), made.size())
print(*size, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def signed_partitions(m: int) -> list[frozenset[tuple[int, ...]]]:
    """Signed partial partitions of {1, …, m}, each a set of blocks with a first element > 0."""
    found: list[frozenset[tuple[int, ...]]] = [frozenset()]
    for n in range(1, m + 1):
        grown = []
        for blocks in found:
            grown.append(blocks)
            grown.append(blocks | {(n,)})
            for block in blocks:
                for sign in (1, -1):
                    grown.append((blocks - {block}) | {(*block, sign * n)})
        found = grown
    return found


def is_coarser(upper: Any, lower: Any) -> bool:
    """Whether every block of the upper one is a union of signed blocks of the lower one."""
    members = {abs(i): (block, i) for block in lower for i in block}
    for block in upper:
        rest = set(block)
        for i in block:
            own, signed = members.get(abs(i), (None, 0))
            if own is None:
                return False
            factor = 1 if signed == i else -1
            if not {factor * j for j in own} <= rest:
                return False
    return True


def by_transitive_reduction(m: int) -> Any:
    import networkx

    nodes = signed_partitions(m)
    order = networkx.DiGraph()
    order.add_nodes_from(nodes)
    pairs = itertools.permutations(nodes, 2)
    order.add_edges_from((low, up) for low, up in pairs if is_coarser(up, low))
    return networkx.transitive_reduction(order)


def alone(m: int, kind: str) -> tuple[int, int, float, float]:
    """Nodes, edges, seconds and megabytes of one graph made by a process of its own."""
    command = [sys.executable, "-c", ALONE, str(m), kind]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return int(printed[0]), int(printed[1]), float(printed[2]), int(printed[3]) / 1024


def measure() -> list[Measured]:
    from identcert.submodels.graph import submodel_graph
    from identcert.submodels.totals import count_patterns

    rows = []
    for m in (3, 4, 5):
        graph, baseline = submodel_graph([2, m, 1], "tanh"), by_transitive_reduction(m)
        if (len(graph), graph.size()) != (len(baseline), baseline.size()):
            raise RuntimeError("the two graphs have different numbers of nodes or edges")
        rows.append(
            Measured(
                f"networkx graph, {m} neurons, {len(graph)} nodes",
                best_of(lambda m=m: submodel_graph([2, m, 1], "tanh")),
                "all pairs, transitive_reduction",
                best_of(lambda m=m: by_transitive_reduction(m), runs=2),
            )
        )
    for m, aim in AIMS.items():
        expected = count_patterns([m], [True])
        for kind in ("compact", "networkx"):
            nodes, edges, seconds, megabytes = alone(m, kind)
            if (nodes, edges) != (expected.nodes, expected.edges):
                raise RuntimeError("the graph has not the numbers of the formulas")
            what = f"{kind}, {m} neurons, {megabytes:.0f} MB"
            rows.append(Measured(what, seconds, f"aim, {nodes} nodes and {edges} edges", aim))
    return rows


if __name__ == "__main__":
    show(TITLE, measure())
