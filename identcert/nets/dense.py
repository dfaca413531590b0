"""Networks from nested lists of Python numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from identcert.arguments import texts_of
from identcert.errors import InputError
from identcert.exact.spelling import shortened
from identcert.groups.declarations import read_algebraic, read_parameters
from identcert.nets.activation import Activation
from identcert.nets.assembly import NumberReader, SpelledLayer, assembled
from identcert.nets.network import Network


def dense_network(
    layers: Sequence[tuple[Any, Any, Any]],
    inputs: int | None = None,
    parameters: Sequence[str] = (),
    algebraic: Mapping[str, Any] | None = None,
    name: str | None = None,
) -> Network:
    """Return the network with the given (weight, bias, activation) triples.

    See `Network.dense`, whose implementation this is.
    """
    names = read_parameters(list(texts_of(parameters, "parameters")), "parameters")
    if algebraic is not None and not isinstance(algebraic, Mapping):
        fix = 'give {"t": {"minpoly": [...], "root": [lo, hi]}}'
        raise InputError(f"a {type(algebraic).__name__} declares no number", "algebraic", fix)
    declared = None if algebraic is None else read_algebraic(dict(algebraic), "algebraic")
    reader = NumberReader(names, declared)
    if not layers:
        raise InputError("a network has at least one layer", "layers")
    spelled: list[SpelledLayer] = []
    for index, triple in enumerate(layers):
        place = f"layers[{index}]"
        if not isinstance(triple, list | tuple) or len(triple) != 3:
            fix = 'write ([["1", "2"]], ["0"], "tanh"), with None for a bias left out'
            raise InputError("a layer is (weight, bias, activation)", place, fix)
        weight, bias, sigma = _plain(triple[0]), _plain(triple[1]), triple[2]
        arriving = len(spelled[-1].weight) if spelled else _first_width(weight, inputs)
        below = f"layers[{index - 1}]" if spelled else "the inputs"
        rows = reader.rows(weight, arriving, below, f"{place}.weight")
        shift = None if bias is None else reader.bias(bias, len(rows), f"{place}.bias")
        if not isinstance(sigma, Activation):
            sigma = Activation.parse(sigma, f"{place}.activation")
        spelled.append(SpelledLayer(rows, arriving, shift, sigma))
    return assembled(spelled[0].cols, spelled, reader, name, None)


def _plain(array: Any) -> Any:
    """Return a NumPy array as nested lists, whose numbers still tell their type."""
    if not hasattr(array, "dtype") or not hasattr(array, "shape"):
        return array
    if array.dtype.name in ("float64", "int64"):
        return array.tolist()
    return [_plain(part) for part in array] if array.shape else array


def _first_width(weight: Any, inputs: int | None) -> int:
    if inputs is not None:
        if type(inputs) is not int or inputs < 1:
            raise InputError(f"{shortened(inputs)} is not a positive integer", "inputs")
        return inputs
    is_matrix = isinstance(weight, list | tuple) and weight and isinstance(weight[0], list | tuple)
    return max(1, len(weight[0])) if is_matrix else 1
