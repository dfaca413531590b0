"""The state of reading an ONNX graph node by node.

A `Walk` holds the chain built so far, the tensor reached, its shape with a batch
of one, and the tensors that are constant. Node readers extend it or refuse.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from flint import fmpq

from identcert.errors import InputError, UnsupportedError
from identcert.exact.dyadic import exact_dyadic
from identcert.nets.chain import Chain
from identcert.nets.onnx_graph import FLOAT_TYPES, Graph


@dataclass(slots=True)
class Walk:
    """The state of reading a graph: the chain so far and the tensor it has reached.

    ``constants`` are the tensors that do not depend on the input; ``used`` are the
    float constants that went into the chain, by name, as the sizes and dtypes read.
    """

    graph: Graph
    chain: Chain
    tensor: str
    shape: tuple[int, ...]
    constants: dict[str, Any]
    used: dict[str, tuple[int, str]] = field(default_factory=dict)

    def attributes(self, node: Any) -> dict[str, Any]:
        """Return the attributes of a node as plain values."""
        from onnx.helper import get_attribute_value

        return {entry.name: get_attribute_value(entry) for entry in node.attribute}

    def constant(self, node: Any, slot: int) -> Any | None:
        """Return the constant array in an input slot, or None if the slot is empty."""
        if len(node.input) <= slot or not node.input[slot]:
            return None
        return self.constants[node.input[slot]]

    def weights(self, node: Any, slot: int) -> tuple[list[fmpq], tuple[int, ...]]:
        """Return the exact numbers of the float constant in a slot, row-major, and its shape.

        Raises
        ------
        InputError
            If an entry is NaN or infinite.
        UnsupportedError
            If the constant is not of a float type.
        """
        name, place = node.input[slot], self.graph.place(node)
        if name not in self.constants:
            raise self.refusal(node, "it combines the input with itself")
        array = self.constants[name]
        if array.dtype.name not in FLOAT_TYPES.values():
            raise UnsupportedError(f"{place}: the constant {name!r} has type {array.dtype}")
        self.used[name] = (array.size, array.dtype.name)
        return exact_dyadic(array, f"{place}, constant {name!r}"), array.shape

    def broadcast(self, node: Any, slot: int) -> list[fmpq]:
        """Return a constant stretched to the tensor's shape; the tensor itself may not grow."""
        numbers, shape = self.weights(node, slot)
        try:
            joint = np.broadcast_shapes(self.shape, shape)
        except ValueError:
            joint = None
        if joint is None or prod(joint) != prod(self.shape):
            raise InputError(
                f"a constant of shape {shape} does not fit the tensor of shape {self.shape}",
                self.graph.place(node),
            )
        self.shape = joint
        index = np.arange(len(numbers)).reshape(shape)
        return [numbers[i] for i in np.broadcast_to(index, joint).ravel()]

    def varying_slot(self, node: Any) -> int:
        """Return which of the node's inputs is the tensor reached so far."""
        return list(node.input).index(self.tensor)

    def refusal(self, node: Any, why: str) -> UnsupportedError:
        """Return the refusal of a node, naming it."""
        return UnsupportedError(f"{self.graph.place(node)}: {why}")

    def real(self, node: Any, name: str, value: float) -> fmpq:
        """Return a float parameter of a node as the exact dyadic number that is stored."""
        if not np.isfinite(value):
            raise InputError(f"{name} is {value}", self.graph.place(node))
        return fmpq(*float(value).as_integer_ratio())


Reader = Callable[[Walk, Any], None]
