"""A cover by cells, divided among the workers of any `concurrent.futures` executor.

outline == the top of the tree, with open subtrees below
task    == one open subtree, told to a worker in plain JSON: the networks and the way there

Pools of processes, of threads, of Dask or of MPI take the same tasks, since nothing but
text and numbers is sent.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from fractions import Fraction
from typing import Any

from identcert.certify.cells import Cover, Separation, Tree
from identcert.errors import OutOfBudget
from identcert.nets.activation import Activation
from identcert.nets.network import Network

TASKS_PER_WORKER = 8
PATIENCE = 0.25


def cover(
    left: Network,
    right: Network,
    deadline: float = float("inf"),
    note: Callable[[Fraction], None] | None = None,
    executor: Executor | None = None,
    workers: int = 1,
) -> Tree | Separation:
    """Return a cover of R^n by cells on which two networks agree, or a point that separates.

    Parameters
    ----------
    left, right : piecewise-linear networks over Q with the same inputs and outputs.
    deadline : monotonic seconds at which the search stops.
    note : called with the covered part of the search, between 0 and 1.
    executor, workers : where subtrees are searched, and how many at once.

    Raises
    ------
    OutOfBudget
        If the deadline passes.
    UnsupportedError
        If a network is not piecewise linear over Q.
    """
    if executor is None:
        return Cover(left, right, deadline, note).search()
    depth = (TASKS_PER_WORKER * workers - 1).bit_length()
    tree, ways = Cover(left, right, deadline).outline(depth)
    if isinstance(tree, Separation) or not ways:
        return tree
    problem = [network_text(left), network_text(right)]
    pending = {
        executor.submit(cover_part, problem, way, deadline - time.monotonic()): k
        for k, way in enumerate(ways)
    }
    parts = _collected(pending, deadline, note or (lambda part: None))
    return parts if isinstance(parts, Separation) else _filled(tree, parts)


def _collected(
    pending: dict[Future[Any], int], deadline: float, note: Callable[[Fraction], None]
) -> dict[int, Tree] | Separation:
    """Return the subtrees by number, or the first separation; the rest is then cancelled."""
    total, found = len(pending), {}
    try:
        while pending:
            for task in wait(pending, PATIENCE, FIRST_COMPLETED).done:
                index = pending.pop(task)
                answer = task.result()
                if "point" in answer:
                    return Separation(tuple(Fraction(x) for x in answer["point"]))
                if "tree" not in answer:
                    raise OutOfBudget("the time ended while cells were covered")
                found[index] = answer["tree"]
                note(Fraction(len(found), total))
            if time.monotonic() > deadline + PATIENCE:
                raise OutOfBudget("the time ended while cells were covered")
    finally:
        for task in pending:
            task.cancel()
    return found


def cover_part(problem: list[Any], way: list[Any], seconds: float) -> dict[str, Any]:
    """Search one open subtree; a task for a worker, JSON in and JSON out.

    Returns
    -------
    ``{"tree": …}``, ``{"point": […]}`` or, when the time ends, ``{}``.
    """
    left, right = map(network_of_text, problem)
    try:
        found = Cover(left, right, time.monotonic() + seconds).search_from(way)
    except OutOfBudget:
        return {}
    if isinstance(found, Separation):
        return {"point": [str(x) for x in found.point]}
    return {"tree": found}


def network_text(network: Network) -> list[Any]:
    """Return a rational network as plain JSON."""
    layers = [
        [
            [[str(w) for w in row] for row in layer.weight.to_rows()],
            [str(b) for b in layer.bias],
            layer.activation.encode(),
        ]
        for layer in network.layers
    ]
    return [network.inputs, layers]


def network_of_text(text: list[Any]) -> Network:
    """Return the network that `network_text` wrote."""
    inputs, layers = text
    return Network.dense([(w, b, Activation.parse(sigma)) for w, b, sigma in layers], inputs)


def _filled(tree: Tree, parts: dict[int, Tree]) -> Tree:
    """Return an outline with its open subtrees filled in."""
    if isinstance(tree, str) or "infeasible" in tree:
        return tree
    if "open" in tree:
        return parts[tree["open"]]
    halves = {name: _filled(tree[name], parts) for name in ("below", "above")}
    return {**tree, **halves}
