"""The problem: a network and an action, read from an evidence folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from identcert.errors import InputError, UnsupportedError
from identcert.witness.codec import sha256
from identcert.witness.coq_activations import Activation, parse_activation
from identcert.witness.coq_field import parse_field
from identcert.witness.coq_numbers import AnyNumbers
from identcert.witness.coq_reading import (
    inline_tensors,
    parse_index,
    parse_indices,
    parse_list,
    read_object,
)
from identcert.witness.coq_text import (
    NAME,
    listing,
    naturals,
)

MAX_WEIGHTS = 60_000  # Coq reads about 3,000 numbers in a second
STATEMENT = ("Network", "Ring", "Rational", "Actions", "Activations")
MAX_MATRIX = 512  # rows of a dense action matrix


@dataclass(frozen=True, slots=True)
class CoqLayer:
    """Rows of weights, biases, and the activation of one layer."""

    weight: tuple[tuple[Any, ...], ...]
    bias: tuple[Any, ...]
    activation: Activation


@dataclass(frozen=True, slots=True)
class Problem:
    """A network and an action over one field.

    Parameters
    ----------
    key : the beginning of the SHA-256 of both files: it names the Coq modules.
    inputs : number of inputs.
    generators : name, and the terms of the input and of the output action.
    """

    key: str
    numbers: AnyNumbers
    inputs: int
    layers: tuple[CoqLayer, ...]
    generators: tuple[tuple[str, str, str], ...]

    def names(self) -> list[str]:
        """Return the names of the generators."""
        return [name for name, _, _ in self.generators]


def parse_layer(value: object, numbers: AnyNumbers, where: str) -> CoqLayer:
    """Read one dense layer.

    Raises
    ------
    InputError
        If it is not one.
    UnsupportedError
    """
    if not isinstance(value, dict) or value.get("kind") != "dense":
        raise InputError("is not a dense layer", where)
    weight = tuple(
        tuple(numbers.parse(entry, f"{where}.weight") for entry in parse_list(row, where))
        for row in parse_list(value.get("weight"), f"{where}.weight")
    )
    bias = tuple(
        numbers.parse(entry, f"{where}.bias")
        for entry in parse_list(value.get("bias"), f"{where}.bias")
    )
    return CoqLayer(weight, bias, parse_activation(value.get("activation"), where))


def check_shapes(inputs: int, layers: Sequence[CoqLayer]) -> None:
    """Refuse ragged or mismatched layers, and more weights than Coq reads in a minute.

    Raises
    ------
    InputError
        If shapes do not compose.
    UnsupportedError
        If the network is too large.
    """
    width, weights = inputs, 0
    for number, layer in enumerate(layers):
        if any(len(row) != width for row in layer.weight):
            raise InputError("has rows of a wrong length", f"layers[{number}].weight")
        if len(layer.bias) != len(layer.weight):
            raise InputError("has a wrong length", f"layers[{number}].bias")
        weights += width * len(layer.weight)
        width = len(layer.weight)
    if weights > MAX_WEIGHTS:
        raise UnsupportedError(
            f"The Coq export is limited to {MAX_WEIGHTS:,} weights; this network has {weights:,}."
        )


def action_term(value: object, size: int, numbers: AnyNumbers, where: str) -> str:
    """Return the Coq term of an affine map of an action.

    Raises
    ------
    InputError
        If it is not one of the given size.
    """
    c = numbers.arithmetic
    if value == "trivial":
        return f"permutation {c} {naturals(range(size))}"
    if not isinstance(value, dict):
        raise InputError("is not a map", where)
    if "permutation" in value:
        term = _permutation_term(value, size, c, where)
    else:
        rows = [
            [numbers.parse(entry, where) for entry in parse_list(row, where)]
            for row in parse_list(value.get("matrix"), where)
        ]
        if len(rows) != size or any(len(row) != size for row in rows) or size > MAX_MATRIX:
            raise InputError(f"is not a {size} by {size} matrix", where)
        shared = numbers.shared([entry for row in rows for entry in row])
        term = f"dense {c} ({numbers.matrix(rows, shared, '      ')})"
    if "shift" not in value:
        return term
    shift = [numbers.parse(entry, where) for entry in parse_list(value["shift"], where)]
    if len(shift) != size:
        raise InputError("has a shift of a wrong length", where)
    shared = numbers.shared(shift)
    return f"shifted {c} ({term}) ({numbers.vector(shift, shared)})"


def _permutation_term(value: dict[str, object], size: int, c: str, where: str) -> str:
    """Return the Coq term of a signed permutation; raises InputError."""
    images = parse_indices(value["permutation"], where)
    if len(images) != size or any(i >= size for i in images):
        raise InputError(f"is not a permutation of {size} indices", where)
    if "signs" not in value:
        return f"permutation {c} {naturals(images)}"
    signs = parse_list(value["signs"], where)
    if len(signs) != size or any(type(s) is not int or s not in (1, -1) for s in signs):
        raise InputError("has signs other than 1 and -1", where)
    return f"signed {c} {naturals(images)} {listing(str(s) for s in signs)}"


def read_problem(directory: Path) -> Problem:
    """Read ``network.json`` and ``action.json`` of an evidence folder.

    Raises
    ------
    InputError
        If a file is missing or malformed.
    UnsupportedError
        If Coq does not cover the network or its field.
    """
    network, network_bytes = read_object(directory / "network.json")
    inline_tensors(network, directory)
    action, action_bytes = read_object(directory / "action.json")
    if network.get("field") != action.get("field"):
        raise InputError("differs between network.json and action.json", "field")
    numbers = parse_field(network.get("field"))
    inputs = parse_index(network.get("inputs"), "network.json, inputs")
    layers = tuple(
        parse_layer(layer, numbers, f"layers[{i}]")
        for i, layer in enumerate(parse_list(network.get("layers"), "layers"))
    )
    if not layers:
        raise InputError("has no layers", "network.json")
    check_shapes(inputs, layers)
    generators = action.get("generators")
    if not isinstance(generators, dict) or not generators:
        raise InputError("has no generators", "action.json")
    terms = []
    for name, maps in generators.items():
        if not NAME.match(name) or not isinstance(maps, dict):
            raise InputError("has a generator that is none", "action.json")
        into = action_term(maps.get("input"), inputs, numbers, f"generator {name}, input")
        outof = action_term(
            maps.get("output"), len(layers[-1].weight), numbers, f"generator {name}, output"
        )
        terms.append((name, into, outof))
    numbers.complete()
    key = sha256(network_bytes + action_bytes)[:12]
    return Problem(key, numbers, inputs, layers, tuple(terms))
