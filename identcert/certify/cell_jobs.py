"""A cover by cells, divided among the workers of any `concurrent.futures` executor.

outline == the top of the tree, with open subtrees below
task    == one open subtree, told to a worker in plain JSON: the networks and the way there;
           a worker goes on for some nodes and returns what is then still open

Pools of processes, of threads, of Dask or of MPI take the same tasks, since nothing but
text and numbers is sent. Short tasks share the work evenly and end soon after an answer;
they end by counting, so that the tree does not depend on the machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from fractions import Fraction
from typing import Any

from identcert.certify.cells import Cover, Separation, Tree, Way
from identcert.errors import OutOfBudget
from identcert.exact.join import decode_field
from identcert.exact.matrix import Matrix
from identcert.nets.activation import Activation
from identcert.nets.layer import Layer
from identcert.nets.network import Network

DEPTH, NODES = 5, 200
PATIENCE = 0.25

Note = Callable[[Fraction], None]


def cover(
    left: Network,
    right: Network,
    deadline: float = float("inf"),
    note: Note | None = None,
    executor: Executor | None = None,
) -> Tree | Separation:
    """Return a cover of R^n by cells on which two networks agree, or a point that separates.

    Parameters
    ----------
    left, right : piecewise-linear networks over one field, Q or Q(α), of the same dimensions.
    deadline : monotonic seconds at which the search stops.
    note : called with the covered part of the search, between 0 and 1.
    executor : where subtrees are searched; the tree is the same for any number of workers.

    Raises
    ------
    OutOfBudget
        If the deadline passes.
    UnsupportedError
        If a network is not piecewise linear, or has weights with parameters.
    """
    if executor is None:
        return Cover(left, right, deadline, note).search()
    tree, ways = Cover(left, right, deadline).outline(depth=DEPTH)
    if isinstance(tree, Separation) or not ways:
        return tree
    shared = SharedSearch(left, right, deadline, note or (lambda part: None), executor)
    return shared.finish(tree, ways)


class SharedSearch:
    """The search for the open subtrees of an outline, by the workers of an executor."""

    def __init__(
        self, left: Network, right: Network, deadline: float, note: Note, executor: Executor
    ) -> None:
        self._problem = [network_text(left), network_text(right)]
        self._deadline, self._note, self._executor = deadline, note, executor
        self._pending: dict[Future[Any], tuple[int, Fraction]] = {}
        self._found: dict[int, tuple[Tree, list[int]]] = {}
        self._count = 0
        self._done = Fraction(0)

    def finish(self, tree: Tree, ways: Sequence[Way]) -> Tree | Separation:
        """Return the whole tree, or the first separation that a worker finds.

        Raises
        ------
        OutOfBudget
            If the deadline passes.
        """
        numbers = self._submit(ways)
        self._done = Fraction(1) - sum(map(_part, ways))
        try:
            while self._pending:
                for task in wait(self._pending, PATIENCE, FIRST_COMPLETED).done:
                    answer = task.result()
                    if "point" in answer:
                        return Separation(tuple(Fraction(x) for x in answer["point"]))
                    self._collect(task, answer)
                if time.monotonic() > self._deadline:
                    raise OutOfBudget("the time ended while cells were covered")
        finally:
            for task in self._pending:
                task.cancel()
        return self._filled(tree, numbers)

    def _submit(self, ways: Sequence[Way]) -> list[int]:
        """Give open subtrees to the workers; return their numbers."""
        numbers = []
        for way in ways:
            task = self._executor.submit(cover_part, self._problem, way, NODES)
            self._pending[task] = self._count, _part(way)
            numbers.append(self._count)
            self._count += 1
        return numbers

    def _collect(self, task: Future[Any], answer: dict[str, Any]) -> None:
        number, part = self._pending.pop(task)
        self._found[number] = answer["tree"], self._submit(answer["ways"])
        self._done += part - sum(map(_part, answer["ways"]))
        self._note(self._done)

    def _filled(self, tree: Tree, numbers: Sequence[int]) -> Tree:
        """Return an outline with its open subtrees filled in."""
        if isinstance(tree, str) or "infeasible" in tree:
            return tree
        if "open" in tree:
            return self._filled(*self._found[numbers[tree["open"]]])
        halves = {name: self._filled(tree[name], numbers) for name in ("below", "above")}
        return {**tree, **halves}


def cover_part(problem: list[Any], way: Way, nodes: int) -> dict[str, Any]:
    """Search one open subtree; a task for a worker, JSON in and JSON out.

    Returns
    -------
    ``{"tree": …, "ways": […]}`` with what is still open after the nodes, or
    ``{"point": […]}``.
    """
    left, right = map(network_of_text, problem)
    found, ways = Cover(left, right).outline(way, nodes=nodes)
    if isinstance(found, Separation):
        return {"point": [str(x) for x in found.point]}
    return {"tree": found, "ways": ways}


def network_text(network: Network) -> list[Any]:
    """Return a network over Q or Q(α) as plain JSON."""
    encode = network.field.encode
    layers = [
        [
            [[encode(w) for w in row] for row in layer.weight.to_rows()],
            [encode(b) for b in layer.bias],
            layer.activation.encode(),
        ]
        for layer in network.layers
    ]
    return [network.inputs, network.field.describe(), layers]


def network_of_text(text: list[Any]) -> Network:
    """Return the network that `network_text` wrote."""
    inputs, described, rows = text
    field, layers = decode_field(described), []
    width = inputs
    for weight, bias, sigma in rows:
        matrix = Matrix.of([map(field.decode, row) for row in weight], field, cols=width)
        entries = tuple(map(field.decode, bias))
        layers.append(Layer(matrix, entries, Activation.parse(sigma), True))
        width = matrix.rows
    return Network(inputs, tuple(layers), field)


def _part(way: Way) -> Fraction:
    """Return the part of the search below a way: every split halves it."""
    return Fraction(1, 2 ** sum(is_split for _, _, is_split in way[0]))
