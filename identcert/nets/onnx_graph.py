"""An ONNX model as one chain of nodes: parsing, constants, and the shape of the graph.

What is read here: the model's bytes, its single input and output, its constants
as NumPy arrays, and which nodes the output needs. What the nodes *do* to the
network is the business of `onnx_nodes`.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from identcert.errors import InputError, UnsupportedError

FLOAT_TYPES = {1: "float32", 10: "float16", 11: "float64", 16: "bfloat16"}
OLDEST_OPSET = 7
LARGEST_INPUT = 1_000_000
STANDARD_DOMAINS = ("", "ai.onnx")


@dataclass(frozen=True, slots=True)
class Graph:
    """The part of an ONNX graph that its output depends on, checked to be readable.

    Parameters
    ----------
    file : name of the file, for messages.
    name : name of the graph, or None.
    opset : version of the standard operators.
    source, target : names of the one input and the one output tensor.
    shape : shape of the input; an open batch dimension counts as 1.
    constants : initialisers by name.
    nodes : the needed nodes, in the order of the file.
    readers : how many needed nodes read the values of each tensor; the graph output counts.
    """

    file: str
    name: str | None
    opset: int
    source: str
    target: str
    shape: tuple[int, ...]
    constants: dict[str, Any]
    nodes: tuple[Any, ...]
    readers: Counter[str]

    def place(self, node: Any) -> str:
        """Return the place of a node as messages spell it."""
        return f"{self.file}, node {node.name or '-> ' + node.output[0]} ({node.op_type})"


def import_onnx() -> Any:
    """Return the module ``onnx``, imported late because it is an optional extra.

    Raises
    ------
    UnsupportedError
        If the library is not installed.
    """
    try:
        return import_module("onnx")
    except ImportError as missing:
        raise UnsupportedError(
            "reading .onnx files needs the library onnx; install it with: "
            "pip install identcert[onnx]"
        ) from missing


def first_line(error: Exception) -> str:
    """Return the first line of a library's message, without a full stop."""
    lines = str(error).strip().splitlines()
    return lines[0].strip().rstrip(".") if lines else type(error).__name__


def parse_model(data: bytes, path: Path) -> Any:
    """Return the ONNX model in data, with external weights loaded from beside path.

    Raises
    ------
    InputError
        If the bytes are no ONNX model, or external weights are not there.
    """
    onnx = import_onnx()
    if not data:
        raise InputError("the file is empty", path.name)
    try:
        model = onnx.load_model(io.BytesIO(data), load_external_data=False)
    except Exception as error:  # protobuf raises several unrelated types
        raise InputError(
            "this is not an ONNX model, or the file is truncated", path.name, "export it again"
        ) from error
    try:
        onnx.load_external_data_for_model(model, str(path.parent))
    except Exception as error:  # missing, out-of-folder or too short files all differ in type
        raise InputError(
            f"weights stored outside the file could not be read ({first_line(error)})",
            path.name,
            "put the external data file beside the model",
        ) from error
    return model


def open_graph(model: Any, file: str) -> Graph:
    """Return the graph of an ONNX model as one input, one output and what lies between.

    Raises
    ------
    InputError
        If the file is malformed.
    UnsupportedError
        If the model is outside what identcert reads.
    """
    opset = _standard_opset(model, file)
    graph = model.graph
    if graph.sparse_initializer:
        raise UnsupportedError(f"{file}: sparse weights are not read; store them dense")
    target = _only_output(graph, file)
    nodes = tuple(_needed(graph.node, target))
    _check_standard(nodes, model.functions, file)
    constants = {tensor.name: array_of(tensor, file) for tensor in graph.initializer}
    source, shape = _only_input(graph, constants, file)
    readers = Counter(name for n in nodes if n.op_type != "Shape" for name in set(n.input))
    readers[target] += 1
    name = graph.name or None
    return Graph(file, name, opset, source, target, shape, constants, nodes, readers)


def check_model(model: Any, file: str) -> None:
    """Check the model against the ONNX standard: attributes, arity, undefined names."""
    checker = import_module("onnx.checker")
    try:
        checker.check_model(model)
    except Exception as error:
        raise InputError(
            f"the model breaks the ONNX standard ({first_line(error)})", file
        ) from error


def array_of(tensor: Any, file: str) -> Any:
    """Return a stored tensor as a NumPy array of its own dtype.

    Raises
    ------
    InputError
        If the stored bytes do not fill the stated shape.
    """
    numpy_helper = import_module("onnx.numpy_helper")
    try:
        array = numpy_helper.to_array(tensor)
    except Exception as error:
        raise InputError(
            f"the tensor {tensor.name!r} cannot be read ({first_line(error)})", file
        ) from error
    return array.astype(np.float32) if array.dtype.name == "bfloat16" else array


def _standard_opset(model: Any, file: str) -> int:
    versions = [entry.version for entry in model.opset_import if entry.domain in STANDARD_DOMAINS]
    if not model.HasField("graph") or not model.graph.node:
        raise InputError("the model holds no graph", file, "the file may be truncated")
    if not versions:
        raise InputError("the model names no operator version", file, "the file may be truncated")
    if versions[0] < OLDEST_OPSET:
        raise UnsupportedError(
            f"{file}: operator version {versions[0]} is older than {OLDEST_OPSET}; "
            "convert the model with onnx.version_converter"
        )
    return int(versions[0])


def _only_output(graph: Any, file: str) -> str:
    names = [output.name for output in graph.output]
    if len(names) != 1:
        raise UnsupportedError(
            f"{file}: the model has {len(names)} outputs ({', '.join(names) or 'none'}); "
            "keep exactly one"
        )
    return str(names[0])


def _needed(nodes: Iterable[Any], target: str) -> list[Any]:
    """Return the nodes that target depends on, in file order."""
    wanted, kept = {target}, []
    for node in reversed(list(nodes)):
        if wanted.intersection(node.output):
            kept.append(node)
            wanted.update(node.input)
    return kept[::-1]


def _check_standard(nodes: Iterable[Any], functions: Iterable[Any], file: str) -> None:
    """Check that each operator is one of the ONNX standard and not redefined by the model."""
    redefined = {f.name for f in functions if f.domain in STANDARD_DOMAINS}
    for node in nodes:
        if node.domain not in STANDARD_DOMAINS or node.op_type in redefined:
            raise UnsupportedError(
                f"{file}: {node.domain or 'the model'}.{node.op_type} is not a standard ONNX "
                "operator; export with standard operators"
            )


def _only_input(graph: Any, constants: dict[str, Any], file: str) -> tuple[str, tuple[int, ...]]:
    inputs = [value for value in graph.input if value.name not in constants]
    if len(inputs) != 1:
        names = ", ".join(value.name for value in inputs) or "none"
        raise UnsupportedError(
            f"{file}: the model has {len(inputs)} inputs ({names}); a network of identcert has "
            "exactly one"
        )
    value = inputs[0]
    kind = value.type.tensor_type
    if kind.elem_type not in FLOAT_TYPES:
        raise UnsupportedError(
            f"{file}: the input {value.name!r} is not a float tensor; export the part of the "
            "model that takes floats"
        )
    return value.name, _input_shape(kind, value.name, file)


def _input_shape(kind: Any, name: str, file: str) -> tuple[int, ...]:
    """Return the input's shape, reading an open first dimension as a batch of 1."""
    dims = [
        dim.dim_value if dim.HasField("dim_value") and dim.dim_value > 0 else None
        for dim in kind.shape.dim
    ]
    if not dims:
        raise UnsupportedError(f"{file}: the input {name!r} has no stated shape; export with one")
    if len(dims) > 1 and dims[0] is None:
        dims[0] = 1
    if None in dims:
        raise UnsupportedError(
            f"{file}: dimension {dims.index(None)} of the input {name!r} has no fixed size; "
            "export with fixed sizes (only the batch may stay open)"
        )
    shape = tuple(int(dim) for dim in dims if dim is not None)
    if prod(shape) > LARGEST_INPUT:
        raise UnsupportedError(f"{file}: the input {name!r} holds more than a million numbers")
    return shape
