"""Network files as people read them: one row of a weight a line, numbers as text."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from identcert.exact.field import Field, NumberField
from identcert.nets.activation import Activation
from identcert.nets.canonical import check_plain
from identcert.nets.head import FORMAT, VERSION
from identcert.nets.layer import Layer
from identcert.nets.network import Network
from identcert.nets.normal_form import POLYNOMIAL

MAX_POLYNOMIAL_TEXT = 500


def network_bytes(network: Network) -> bytes:
    r"""Return the bytes of a network file for people.

    It reads back as the same network, over the smallest field of the numbers written.

    Raises
    ------
    UnsupportedError
        If a bias carries folded constants such as tanh(1/2).

    Examples
    --------
    >>> net = Network.dense([([["sqrt(2)", "1/2"], [0, 1]], None, "identity")])
    >>> print(network_bytes(net).decode(), end="")
    {
     "format": "identcert.network",
     "version": 1,
     "inputs": 2,
     "layers": [
      {"kind": "dense",
       "weight": [["sqrt(2)", "1/2"],
                  ["0", "1"]],
       "activation": "identity"}
     ]
    }
    """
    check_plain(network)
    head: dict[str, Any] = {"format": FORMAT, "version": VERSION}
    if network.name is not None:
        head["name"] = network.name
    head["inputs"] = network.inputs
    head.update(_declarations(network.field))
    lines = [f" {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    layers = ",\n".join(_layer_text(layer, network.field.text) for layer in network.layers)
    return "\n".join(["{", *lines, ' "layers": [', layers, " ]", "}", ""]).encode("ascii")


def _declarations(field: Field) -> dict[str, Any]:
    if field.kind == "parametric":
        return {"parameters": list(field.named)}
    declared = field.declared if isinstance(field, NumberField) else None
    if declared is None:
        return {}
    minpoly = [str(c) for c in declared.minpoly]
    root = [str(end) for end in declared.root]
    return {"algebraic": {"symbol": declared.symbol, "minpoly": minpoly, "root": root}}


def _layer_text(layer: Layer, text: Callable[[Any], str]) -> str:
    rows = [_row_text(row, text) for row in layer.weight.to_rows()]
    indent = " " * len('   "weight": [')
    weight = f",\n{indent}".join(rows)
    lines = ['  {"kind": "dense",', f'   "weight": [{weight}],']
    if layer.has_bias or any(layer.bias):
        lines.append(f'   "bias": {_row_text(layer.bias, text)},')
    lines.append(f'   "activation": {json.dumps(_spelling(layer.activation))}}}')
    return "\n".join(lines)


def _row_text(row: Sequence[Any], text: Callable[[Any], str]) -> str:
    return json.dumps([text(entry) for entry in row])


def _spelling(activation: Activation) -> Any:
    if activation.name == POLYNOMIAL and len(activation.text()) <= MAX_POLYNOMIAL_TEXT:
        return activation.text()
    return activation.encode()
