"""The canonical spelling of a network, of which there is one for each network.

tree    == the JSON of ``network.json``: field, layers, scalars by coordinates
tensors == the bytes of ``weights.safetensors``, for large networks whose numbers are floats
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from identcert.errors import UnsupportedError
from identcert.nets.head import FORMAT, VERSION
from identcert.nets.layer import Layer
from identcert.nets.network import Network
from identcert.nets.tensors import TENSOR_FILE, pack_tensors, tensor_name

LARGE = 10_000
"""Number of weights and biases from which a network of floats is written as tensors."""


def canonical_network(network: Network) -> tuple[dict[str, Any], bytes | None]:
    """Return the canonical JSON of a network, and its tensor file where it has one.

    A network over Q with at least 10,000 numbers, all of them float64 numbers, has its
    numbers in ``weights.safetensors``; equal networks have equal spellings.

    Raises
    ------
    UnsupportedError
        If a bias carries folded constants such as tanh(1/2), which files cannot spell.

    Examples
    --------
    >>> net = Network.dense([([[1, "1/2"]], [0], "identity")])
    >>> canonical_network(net)[0]["layers"]  # doctest: +NORMALIZE_WHITESPACE
    [{'activation': 'identity', 'bias': ['0'], 'kind': 'dense', 'weight': [['1', '1/2']]}]
    """
    check_plain(network)
    tree: dict[str, Any] = {
        "field": network.field.describe(),
        "format": FORMAT,
        "inputs": network.inputs,
        "version": VERSION,
    }
    if network.name is not None:
        tree["name"] = network.name
    content = _tensor_file(network)
    if content is None:
        tree["layers"] = [_encoded(layer) for layer in network.layers]
        return tree, None
    tree["tensors"] = {"file": TENSOR_FILE, "sha256": sha256(content).hexdigest()}
    tree["layers"] = [
        {
            "activation": layer.activation.encode(),
            "bias": {"tensor": tensor_name(index, "bias")},
            "kind": "dense",
            "weight": {"tensor": tensor_name(index, "weight")},
        }
        for index, layer in enumerate(network.layers)
    ]
    return tree, content


def check_plain(network: Network) -> None:
    """Check that files can spell the network.

    Raises
    ------
    UnsupportedError
        If a bias carries folded constants, or a layer is empty.
    """
    for index, layer in enumerate(network.layers):
        if layer.outputs == 0:
            raise UnsupportedError(f"layers[{index}] has no neurons, which a file cannot spell")
        if not layer.has_plain_bias:
            raise UnsupportedError(
                f"layers[{index}].bias carries a folded constant, which a file cannot spell; "
                "write it out as a neuron with zero row first"
            )


def _encoded(layer: Layer) -> dict[str, Any]:
    encode = layer.field.encode
    return {
        "activation": layer.activation.encode(),
        "bias": [encode(b) for b in layer.bias],
        "kind": "dense",
        "weight": [[encode(w) for w in row] for row in layer.weight.to_rows()],
    }


def _tensor_file(network: Network) -> bytes | None:
    entries = sum(layer.outputs * (layer.inputs + 1) for layer in network.layers)
    if network.field.kind != "rational" or entries < LARGE:
        return None
    tensors: dict[str, Any] = {}
    for index, layer in enumerate(network.layers):
        weight = [w for row in layer.weight.to_rows() for w in row]
        tensors[tensor_name(index, "weight")] = (layer.weight.shape, weight)
        tensors[tensor_name(index, "bias")] = ((layer.outputs,), layer.bias)
    return pack_tensors(tensors)
