"""The ONNX operators that only move entries, on the tensor and on constants.

The same shape arithmetic serves both: a tensor's shape is followed, a constant
is really reshaped. Values are never computed here.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from identcert.errors import InputError
from identcert.nets.onnx_graph import array_of
from identcert.nets.onnx_walk import Reader, Walk

Shape = tuple[int, ...]


def _flatten(walk: Walk, node: Any, shape: Shape) -> Shape:
    axis = walk.attributes(node).get("axis", 1)
    cut = axis + len(shape) if axis < 0 else axis
    return prod(shape[:cut]), prod(shape[cut:])


def _reshape(walk: Walk, node: Any, shape: Shape) -> Shape:
    target = walk.constant(node, 1)
    if target is None:
        raise InputError("no target shape is given", walk.graph.place(node))
    sizes = [int(size) for size in target.ravel()]
    if not walk.attributes(node).get("allowzero", 0):
        sizes = [shape[i] if size == 0 and i < len(shape) else size for i, size in enumerate(sizes)]
    return np.empty(shape, dtype=bool).reshape(sizes).shape


def _axes(walk: Walk, node: Any) -> list[int] | None:
    stored = walk.constant(node, 1)
    axes = walk.attributes(node).get("axes") if stored is None else stored.ravel()
    return None if axes is None else [int(axis) for axis in axes]


def _squeeze(walk: Walk, node: Any, shape: Shape) -> Shape:
    axes = _axes(walk, node)
    return np.empty(shape, dtype=bool).squeeze(None if axes is None else tuple(axes)).shape


def _unsqueeze(walk: Walk, node: Any, shape: Shape) -> Shape:
    return np.expand_dims(np.empty(shape, dtype=bool), _axes(walk, node) or ()).shape


def _same(walk: Walk, node: Any, shape: Shape) -> Shape:
    return shape


RESHAPINGS: dict[str, Callable[[Walk, Any, Shape], Shape]] = {
    "Flatten": _flatten,
    "Reshape": _reshape,
    "Squeeze": _squeeze,
    "Unsqueeze": _unsqueeze,
    "Identity": _same,
}


def _reshaped(walk: Walk, node: Any, shape: Shape) -> Shape:
    """Return the shape that a reshaping node gives to a tensor of the given shape."""
    try:
        return RESHAPINGS[node.op_type](walk, node, shape)
    except (ValueError, IndexError) as error:  # numpy refuses sizes and axes that do not fit
        raise InputError(
            f"a tensor of shape {shape} cannot be reshaped ({error})", walk.graph.place(node)
        ) from error


def _reader(walk: Walk, node: Any) -> None:
    if walk.varying_slot(node) != 0:
        raise walk.refusal(node, "the shape depends on the input")
    walk.shape = _reshaped(walk, node, walk.shape)


def _order(walk: Walk, node: Any, rank: int) -> list[int]:
    axes = list(walk.attributes(node).get("perm", range(rank)[::-1]))
    if sorted(axes) != list(range(rank)):
        raise InputError(f"{axes} does not permute {rank} axes", walk.graph.place(node))
    return axes


def _transpose(walk: Walk, node: Any) -> None:
    axes = _order(walk, node, len(walk.shape))
    table = np.arange(prod(walk.shape)).reshape(walk.shape).transpose(axes)
    walk.chain.permute([int(i) for i in table.ravel()])
    walk.shape = table.shape


def _dropout(walk: Walk, node: Any) -> None:
    training = walk.constant(node, 2)
    if training is not None and bool(training.any()):
        raise walk.refusal(node, "training mode is random; export the model for inference")


MOVES: dict[str, Reader] = {
    **dict.fromkeys(RESHAPINGS, _reader),
    "Transpose": _transpose,
    "Dropout": _dropout,
}


def shape_of(walk: Walk, node: Any) -> Any:
    """Return the value of a Shape node on the tensor, with a batch of one."""
    if not set(walk.attributes(node)) <= {"start", "end"}:
        raise walk.refusal(node, "its attributes are not read")
    options = walk.attributes(node)
    return np.array(walk.shape[options.get("start", 0) : options.get("end")], dtype=np.int64)


def folded_constant(walk: Walk, node: Any) -> Any:
    """Return the constant that a node with constant inputs computes by moving entries.

    Raises
    ------
    UnsupportedError
        If the node computes new values: their float rounding would be unknown.
    """
    inputs = [walk.constants[name] for name in node.input if name]
    options = walk.attributes(node)
    try:
        match node.op_type:
            case "Constant":
                return _literal(walk, node, options)
            case "Transpose":
                return inputs[0].transpose(_order(walk, node, inputs[0].ndim))
            case "Gather":
                return np.take(inputs[0], inputs[1], axis=options.get("axis", 0))
            case "Concat":
                return np.concatenate(inputs, axis=options["axis"])
            case operator if operator in RESHAPINGS:
                return inputs[0].reshape(_reshaped(walk, node, inputs[0].shape))
    except (ValueError, IndexError) as error:
        raise InputError(f"its constants do not fit ({error})", walk.graph.place(node)) from error
    raise walk.refusal(
        node, "it computes a constant; fold constants first, for example with onnxsim"
    )


def _literal(walk: Walk, node: Any, options: dict[str, Any]) -> Any:
    """Return the value of a Constant node."""
    if "value" in options:
        return array_of(options["value"], walk.graph.place(node))
    for key, dtype in (("float", np.float32), ("int", np.int64)):
        for name in (f"value_{key}", f"value_{key}s"):
            if name in options:
                return np.array(options[name], dtype=dtype)
    raise walk.refusal(node, "only dense numbers are read")
