"""The affine ONNX operators: sums, products and quotients with constants, MatMul, Gemm."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from flint import fmpq

from identcert.errors import InputError
from identcert.exact.field import QQ
from identcert.exact.matrix import Matrix
from identcert.nets.activation import Activation
from identcert.nets.onnx_walk import Reader, Walk


def matrix_of(numbers: list[fmpq], rows: int, cols: int) -> Matrix:
    """Return the rows×cols matrix of row-major numbers."""
    return Matrix.of((numbers[i * cols : (i + 1) * cols] for i in range(rows)), QQ, cols)


def _add(walk: Walk, node: Any) -> None:
    walk.chain.shift(walk.broadcast(node, 1 - walk.varying_slot(node)))


def _sub(walk: Walk, node: Any) -> None:
    slot = walk.varying_slot(node)
    numbers = walk.broadcast(node, 1 - slot)
    if slot == 1:
        _neg(walk, node)
    walk.chain.shift([-c for c in numbers] if slot == 0 else numbers)


def _neg(walk: Walk, node: Any) -> None:
    walk.chain.scale([fmpq(-1)] * walk.chain.outputs)


def _mul(walk: Walk, node: Any) -> None:
    if node.input[0] == node.input[1]:
        walk.chain.activate(Activation.polynomial([0, 0, 1]))
        return
    walk.chain.scale(walk.broadcast(node, 1 - walk.varying_slot(node)))


def _div(walk: Walk, node: Any) -> None:
    if walk.varying_slot(node) == 1:
        raise walk.refusal(node, "dividing by the input is neither affine nor an activation")
    numbers = walk.broadcast(node, 1)
    if any(c == 0 for c in numbers):
        raise InputError("division by a zero constant", walk.graph.place(node))
    walk.chain.scale([1 / c for c in numbers])


def _matmul(walk: Walk, node: Any) -> None:
    first = walk.varying_slot(node) == 0
    numbers, shape = walk.weights(node, 1 if first else 0)
    ours = walk.shape
    pair = (ours, shape) if first else (shape, ours)
    try:
        reached = np.matmul(*(np.empty(s, dtype=bool) for s in pair)).shape
    except ValueError as error:
        raise InputError(
            f"shapes {pair[0]} and {pair[1]} cannot be multiplied", walk.graph.place(node)
        ) from error
    long_axis = -1 if first or len(ours) == 1 else -2
    n = prod(ours)
    if ours[long_axis] != n or len(numbers) != n * prod(reached):
        raise walk.refusal(
            node, f"a tensor of shape {ours} is more than one vector; export with batch 1"
        )
    m = prod(reached)
    weight = matrix_of(numbers, n, m).T if first else matrix_of(numbers, m, n)
    walk.chain.dense(weight)
    walk.shape = reached


def _gemm(walk: Walk, node: Any) -> None:
    """α·A'·B' + β·C with one of A, B the tensor: a single row or column."""
    first = walk.varying_slot(node) == 0
    options = {"transA": 0, "transB": 0, "alpha": 1.0, "beta": 1.0, **walk.attributes(node)}
    numbers, shape = walk.weights(node, 1 if first else 0)
    if len(shape) != 2 or len(walk.shape) != 2:
        raise InputError("both factors must have two dimensions", walk.graph.place(node))
    weight = matrix_of(numbers, *shape)
    # The tensor is a row x or a column x; W is what multiplies it from the left.
    turned = bool(options["transA" if first else "transB"])
    ours = walk.shape[::-1] if turned else walk.shape
    n = prod(ours)
    if ours[1 if first else 0] != n:
        raise walk.refusal(node, f"a tensor of shape {ours} is more than one vector")
    if bool(options["transB" if first else "transA"]) != first:
        weight = weight.T
    if weight.cols != n:
        raise InputError(f"a weight for {weight.cols} numbers is given {n}", walk.graph.place(node))
    walk.chain.dense(weight.scale(walk.real(node, "alpha", options["alpha"])))
    walk.shape = (1, weight.rows) if first else (weight.rows, 1)
    if walk.constant(node, 2) is not None:
        beta = walk.real(node, "beta", options["beta"])
        walk.chain.shift([beta * c for c in walk.broadcast(node, 2)])


AFFINE: dict[str, Reader] = {
    "Add": _add,
    "Sub": _sub,
    "Neg": _neg,
    "Mul": _mul,
    "Div": _div,
    "MatMul": _matmul,
    "Gemm": _gemm,
}
