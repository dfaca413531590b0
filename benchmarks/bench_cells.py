"""Equivariance of deep ReLU networks that no permutation of neurons shows, beside z3.

The networks compute the maximum of linear forms by a chain of comparisons, which a cyclic
permutation of the forms leaves invariant, though it permutes no neurons. z3 decides "there is an
x with f(ρ_in x) ≠ f(x)" over linear real arithmetic, ReLU written as if-then-else, and is stopped
after some seconds: then its time is a lower bound. The times of identcert are those of the cover
by cells; the certificate, with its check by the independent checker, stands on a line of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from timing import Measured, best_of, show

TITLE = "Deep ReLU networks by cells"
PATIENCE = 20.0

Layers = list[tuple[Any, Any, str]]


def carried(rows: list[list[int]]) -> list[list[int]]:
    """The rows and their negatives: relu(v) − relu(−v) = v."""
    return [row for v in rows for row in (v, [-a for a in v])]


def maximum(forms: list[list[int]]) -> Layers:
    """The maximum of linear forms: max(a, b) = b + relu(a − b), one comparison a layer."""
    first = [[a - b for a, b in zip(forms[0], forms[1], strict=True)], *carried(forms[1:])]
    layers: Layers = [(first, [0] * len(first), "relu")]
    for left in range(len(forms) - 1, 1, -1):
        width = 2 * left + 1
        values = [[0] * width for _ in range(left)]
        for k, row in enumerate(values):
            row[1 + 2 * k], row[2 + 2 * k] = 1, -1
        best = [1, *values[0][1:]]
        rows = [[a - b for a, b in zip(best, values[1], strict=True)], *carried(values[1:])]
        layers.append((rows, [0] * len(rows), "relu"))
    return [*layers, ([[1, 1, -1]], [0], "identity")]


def padded(layers: Layers, width: int) -> Layers:
    """The same function, every hidden layer filled up with neurons that never fire."""
    *hidden, (out, shift, last) = layers
    found: Layers = []
    extra = 0
    for k, (rows, bias, sigma) in enumerate(hidden):
        rows = [[*row, *[1] * extra] for row in rows] if k else rows
        new = width - len(rows) if k else 0
        silent = (
            [[-1 - (i + j) % 2 for i in range(len(found[-1][0]))] for j in range(new)] if k else []
        )
        found.append((rows + silent, [*bias, *[-1] * new], sigma))
        extra = new
    return [*found, ([[*row, *[3] * extra] for row in out], shift, last)]


def unit(n: int) -> list[list[int]]:
    return [[int(i == j) for j in range(n)] for i in range(n)]


def problems() -> Iterator[tuple[Layers, list[list[int]]]]:
    """Networks with the matrix of the generator on inputs."""
    yield padded(maximum([[1, 0], [0, 1], [-1, -1]]), 6), [[0, 1], [-1, -1]]
    for n, width in ((3, 5), (4, 0), (5, 0), (6, 0), (8, 0)):
        layers = maximum(unit(n))
        yield padded(layers, width) if width else layers, [*unit(n)[1:], unit(n)[0]]


def ask_z3(layers: Layers, matrix: list[list[int]]) -> str:
    """``equal``, ``different`` or ``stopped``."""
    import z3

    n = len(matrix)
    solver = z3.SolverFor("QF_LRA")
    solver.set("timeout", int(1000 * PATIENCE))

    def combined(row: list[int], values: list[Any]) -> Any:
        return z3.Sum([a * v for a, v in zip(row, values, strict=True) if a] or [z3.RealVal(0)])

    def output(values: list[Any]) -> list[Any]:
        for rows, bias, sigma in layers:
            sums = [combined(row, values) + b for row, b in zip(rows, bias, strict=True)]
            values = [z3.If(z >= 0, z, 0) for z in sums] if sigma == "relu" else sums
        return values

    x = [z3.Real(f"x{i}") for i in range(n)]
    moved = output([combined(row, x) for row in matrix])
    solver.add(z3.Or([a != b for a, b in zip(moved, output(x), strict=True)]))
    return {"sat": "different", "unsat": "equal"}.get(str(solver.check()), "stopped")


def measure() -> list[Measured]:
    """Time covers and certificates beside z3; all must prove equivariance."""
    from identcert import Network, certify
    from identcert.certify.cells import Cover, Separation
    from identcert.certify.pairs import equivariance_pair
    from identcert.groups.files import parse_action

    measured = []
    for layers, matrix in problems():
        network = Network.dense(layers)
        pair = {"input": {"matrix": matrix}, "output": "trivial"}
        tree = {"format": "identcert.action", "version": 1, "generators": {"r": pair}}
        action = parse_action(tree, network.inputs, 1, "benchmark")
        left, right = equivariance_pair(network, action.generators[0])
        if isinstance(Cover(left, right).search(), Separation):
            raise RuntimeError("the cover contradicts the construction")
        if not certify(network, action).verdict.is_equivariant:
            raise RuntimeError("certify contradicts the construction")
        answer = ask_z3(layers, matrix)
        if answer == "different":
            raise RuntimeError("z3 contradicts the construction")
        theirs = best_of(lambda args=(layers, matrix): ask_z3(*args), 3, PATIENCE)
        beside = "z3, stopped without an answer" if answer == "stopped" else "z3, no proof"
        name = "-".join(map(str, network.widths))
        ours = best_of(lambda pair=(left, right): Cover(*pair).search())
        measured.append(Measured(f"{name}: cover", ours, beside, theirs))
        whole = best_of(lambda args=(network, action): certify(*args))
        measured.append(Measured("  certificate, checked", whole, "the same", theirs))
    return measured


if __name__ == "__main__":
    show(TITLE, measure())
