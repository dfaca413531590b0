"""Networks in ONNX files: a chain of affine nodes and entrywise activations.

The network read is the function over the real numbers that the stored numbers
define: a float32 weight is its dyadic value, a division by a constant is exact
rational division, and neighbouring affine nodes are combined over Q. A batch
dimension of size 1 or open is dropped, tensors are flattened row-major.
"""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import Any

from identcert.errors import InputError
from identcert.exact.field import QQ
from identcert.nets.activation import activation
from identcert.nets.chain import Chain
from identcert.nets.network import Network, Reading, Source
from identcert.nets.onnx_activations import ACTIVATIONS, REFUSED
from identcert.nets.onnx_affine import AFFINE
from identcert.nets.onnx_graph import Graph, check_model, open_graph, parse_model
from identcert.nets.onnx_shapes import MOVES, folded_constant, shape_of
from identcert.nets.onnx_walk import Reader, Walk

READERS: dict[str, Reader] = {**AFFINE, **ACTIVATIONS, **MOVES, **REFUSED}
READABLE = {**AFFINE, **ACTIVATIONS, **MOVES}
ON_CONSTANTS = ("Constant", "Gather", "Concat", "Shape")
HINTS = {
    "Conv": "write the convolution as a dense layer (MatMul)",
    "Cast": "export the model in one float type, without casts",
    "DequantizeLinear": "export the model with float weights",
}


def load_onnx(path: str | Path) -> Network:
    """Return the network that an ONNX file stores, exactly.

    Raises
    ------
    InputError
        If the file is missing, malformed or truncated, or a weight is not finite.
    UnsupportedError
        If the library ``onnx`` is missing, or the graph is not one chain of the
        operators that identcert reads; the sentence names the node.
    """
    path = Path(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"the file cannot be read ({error.strerror})", path.name) from error
    model = parse_model(data, path)
    graph = open_graph(model, path.name)
    walk = Walk(graph, Chain(prod(graph.shape)), graph.source, graph.shape, dict(graph.constants))
    _refuse_unknown(walk)
    check_model(model, path.name)
    gates = _swish_gates(graph)
    for node in graph.nodes:
        _take(walk, node, gates)
    if walk.tensor != graph.target:
        raise InputError(f"the output {graph.target!r} does not depend on the input", path.name)
    source = Source(path.name, sha256(data).hexdigest(), "onnx")
    return Network(walk.chain.inputs, walk.chain.layers(), QQ, graph.name, source, _reading(walk))


def _refuse_unknown(walk: Walk) -> None:
    """Refuse the first operator that no reader knows, before anything else is looked at."""
    for node in walk.graph.nodes:
        if node.op_type not in READERS and node.op_type not in ON_CONSTANTS:
            hint = HINTS.get(node.op_type, f"identcert reads {', '.join(sorted(READABLE))}")
            raise walk.refusal(node, f"this operator is not read; {hint}")


def _swish_gates(graph: Graph) -> dict[str, str]:
    """Return s → t for each pair s = sigmoid(t), t·s: exporters write swish like that."""
    sigmoids = {
        node.output[0]: node.input[0]
        for node in graph.nodes
        if node.op_type == "Sigmoid"
        and graph.readers[node.output[0]] == 1
        and graph.readers[node.input[0]] == 2
    }
    products = [set(node.input) for node in graph.nodes if node.op_type == "Mul"]
    return {s: t for s, t in sigmoids.items() if {s, t} in products}


def _take(walk: Walk, node: Any, gates: dict[str, str]) -> None:
    """Read one node: fold it into the constants, or extend the chain by it."""
    varying = {name for name in node.input if name and name not in walk.constants}
    output = node.output[0]
    if not varying:
        walk.constants[output] = folded_constant(walk, node)
    elif varying == {walk.tensor} and node.op_type == "Shape":
        walk.constants[output] = shape_of(walk, node)
    elif gates.get(output) == walk.tensor:
        return  # the factor of a swish: its product follows
    elif node.op_type == "Mul" and any({walk.tensor, s} == varying for s in gates):
        walk.chain.activate(activation("silu"))
        walk.tensor = output
    else:
        _check_single(walk, node, varying)
        READERS[node.op_type](walk, node)
        walk.tensor = output


def _check_single(walk: Walk, node: Any, varying: set[str]) -> None:
    """Check that the node continues the one chain: no second input, no branch."""
    if varying != {walk.tensor}:
        other = min(varying - {walk.tensor})
        raise walk.refusal(
            node, f"it also reads {other!r}; skip connections and joined branches are not read"
        )
    if walk.graph.readers[walk.tensor] > 1:
        raise walk.refusal(
            node, f"the tensor {walk.tensor!r} is read more than once; branches are not read"
        )
    if node.op_type in ON_CONSTANTS and node.op_type not in READERS:
        raise walk.refusal(node, "this operator is read on constants only")


def _reading(walk: Walk) -> Reading:
    """Return how many numbers of which float type went into the network."""
    counts: Counter[str] = Counter()
    for size, dtype in walk.used.values():
        counts[dtype] += size
    return Reading.of_counts(counts)
