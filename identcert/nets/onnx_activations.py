"""The entrywise ONNX operators, and those that end a classifier and are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import fmpq

from identcert.errors import InputError
from identcert.nets.activation import Activation, activation
from identcert.nets.onnx_walk import Reader, Walk

LARGEST_FLOAT32 = fmpq(2**128 - 2**104)


def _fixed(key: str) -> Reader:
    def read(walk: Walk, node: Any) -> None:
        walk.chain.activate(activation(key))

    return read


def _leaky_relu(walk: Walk, node: Any) -> None:
    stored = walk.attributes(node).get("alpha", float(np.float32(0.01)))
    slope = walk.real(node, "alpha", stored)
    walk.chain.activate(Activation.leaky_relu(slope))


def _elu(walk: Walk, node: Any) -> None:
    if walk.attributes(node).get("alpha", 1.0) != 1:
        raise walk.refusal(node, "only alpha = 1 is read")
    walk.chain.activate(activation("elu"))


def _gelu(walk: Walk, node: Any) -> None:
    if walk.attributes(node).get("approximate", b"none") != b"none":
        raise walk.refusal(node, "the tanh approximation is not read; export the erf form")
    walk.chain.activate(activation("gelu"))


def _swish(walk: Walk, node: Any) -> None:
    if walk.attributes(node).get("alpha", 1.0) != 1:
        raise walk.refusal(node, "only alpha = 1 is read")
    walk.chain.activate(activation("silu"))


def _pow(walk: Walk, node: Any) -> None:
    exponent = walk.constant(node, 1)
    if walk.varying_slot(node) == 1 or exponent is None or exponent.size != 1:
        raise walk.refusal(node, "only powers with one constant exponent are read")
    value = exponent.ravel()[0]
    if not np.isfinite(value) or value != int(value) or not 1 <= int(value) <= 1000:
        raise walk.refusal(node, f"the exponent {value} is not a whole number from 1 to 1000")
    walk.chain.activate(Activation.polynomial([0] * int(value) + [1]))


def _clip(walk: Walk, node: Any) -> None:
    options = walk.attributes(node)
    low, high = (_bound(walk, node, options, *key) for key in (("min", 1, -1), ("max", 2, 1)))
    if low is not None and high is not None and low >= high:
        raise InputError(f"Clip from {low} to {high} leaves no interval", walk.graph.place(node))
    walk.chain.clip(low, high)


def _bound(walk: Walk, node: Any, options: dict[str, Any], key: str, slot: int, side: int) -> Any:
    """Return a bound of Clip, or None if it is absent, infinite or the largest float32.

    Exporters before operator version 11 spell "no bound" as the largest float32.
    """
    stored = walk.constant(node, slot)
    if stored is not None and stored.size != 1:
        raise InputError(f"the bound {key} is not one number", walk.graph.place(node))
    value = options.get(key) if stored is None else float(stored.ravel()[0])
    if value is None or value == side * np.inf:
        return None
    exact = walk.real(node, key, value)
    return None if side * exact >= LARGEST_FLOAT32 else exact


def _batch_normalization(walk: Walk, node: Any) -> None:
    raise walk.refusal(
        node, "its factor 1/sqrt(var + eps) is not rational; fuse it into the layer before it"
    )


def _last_step(walk: Walk, node: Any) -> None:
    raise walk.refusal(
        node, "this is no affine map and no entrywise activation; remove it and certify the "
        "scores before it"
    )  # fmt: skip


SAME_NAME = ("Relu", "Tanh", "Sigmoid", "Abs", "Softplus", "Sin", "Erf")
SCORE_STEPS = ("Softmax", "LogSoftmax", "ArgMax", "ArgMin", "TopK", "Hardmax")

ACTIVATIONS: dict[str, Reader] = {
    **{operator: _fixed(operator.lower()) for operator in SAME_NAME},
    "Atan": _fixed("arctan"),
    "Elu": _elu,
    "LeakyRelu": _leaky_relu,
    "Gelu": _gelu,
    "Swish": _swish,
    "Pow": _pow,
    "Clip": _clip,
}
REFUSED: dict[str, Reader] = {
    "BatchNormalization": _batch_normalization,
    **dict.fromkeys(SCORE_STEPS, _last_step),
}
