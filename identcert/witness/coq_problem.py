"""The problem: a network and an action, read from an evidence folder and stated in Coq.

Problem_<hash>.v depends on ``network.json`` and ``action.json`` alone, so that no
witness can alter what is claimed; people read this file.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from identcert.errors import InputError, UnsupportedError
from identcert.witness.codec import sha256
from identcert.witness.coq_activations import Activation, parse_activation
from identcert.witness.coq_numbers import Coordinates, Numbers, parse_field
from identcert.witness.coq_text import (
    NAME,
    comment,
    common_denominator,
    imports,
    listing,
    naturals,
)

MAX_WEIGHTS = 60_000  # Coq reads about 3,000 numbers in a second
STATEMENT = ("Network", "Ring", "Rational", "Actions", "Activations")
MAX_MATRIX = 512  # rows of a dense action matrix


@dataclass(frozen=True, slots=True)
class CoqLayer:
    """Rows of weights, biases, and the activation of one layer."""

    weight: tuple[tuple[Coordinates, ...], ...]
    bias: tuple[Coordinates, ...]
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
    numbers: Numbers
    inputs: int
    layers: tuple[CoqLayer, ...]
    generators: tuple[tuple[str, str, str], ...]

    def names(self) -> list[str]:
        """Return the names of the generators."""
        return [name for name, _, _ in self.generators]


def read_object(path: Path) -> tuple[dict[str, object], bytes]:
    """Read a JSON object and its bytes.

    Raises
    ------
    InputError
        If the file cannot be read or is not a JSON object.
    """
    try:
        content = path.read_bytes()
        tree = json.loads(content.decode("ascii"))
    except (OSError, ValueError, RecursionError):
        raise InputError("is not a readable JSON file of an evidence folder", path.name) from None
    if not isinstance(tree, dict):
        raise InputError("is not a JSON object", path.name)
    return tree, content


def parse_list(value: object, where: str) -> list[object]:
    """Return a JSON list; raises InputError on anything else."""
    if not isinstance(value, list):
        raise InputError("is not a list", where)
    return value


def parse_index(value: object, where: str) -> int:
    """Return a JSON integer that is not negative; raises InputError on anything else."""
    if type(value) is not int or not 0 <= value < 10**6:
        raise InputError("is not an index", where)
    return value


def parse_indices(value: object, where: str) -> list[int]:
    """Return a list of JSON integers that are not negative; raises InputError otherwise."""
    return [parse_index(entry, where) for entry in parse_list(value, where)]


def parse_layer(value: object, numbers: Numbers, where: str) -> CoqLayer:
    """Read one dense layer.

    Raises
    ------
    InputError
        If it is not one.
    UnsupportedError
        If its weights stand in a tensor file.
    """
    if not isinstance(value, dict) or value.get("kind") != "dense":
        raise InputError("is not a dense layer", where)
    if isinstance(value.get("weight"), dict) or isinstance(value.get("bias"), dict):
        raise UnsupportedError("The Coq export does not read weights.safetensors.")
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


def action_term(value: object, size: int, numbers: Numbers, where: str) -> str:
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
        shared = common_denominator(q for row in rows for entry in row for q in entry)
        term = f"dense {c} ({numbers.matrix(rows, shared, '      ')})"
    if "shift" not in value:
        return term
    shift = [numbers.parse(entry, where) for entry in parse_list(value["shift"], where)]
    if len(shift) != size:
        raise InputError("has a shift of a wrong length", where)
    shared = common_denominator(q for entry in shift for q in entry)
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
    key = sha256(network_bytes + action_bytes)[:12]
    return Problem(key, numbers, inputs, layers, tuple(terms))


def layer_text(number: int, layer: CoqLayer, numbers: Numbers) -> str:
    """Return the definitions of one layer, over one common denominator."""
    entries = [*(e for row in layer.weight for e in row), *layer.bias]
    shared = common_denominator(q for entry in entries for q in entry)
    weight = numbers.matrix(layer.weight, shared, "  ")
    bias = numbers.vector(layer.bias, shared)
    return (
        f"Definition W{number} : list (list {numbers.type}) := {weight}.\n"
        f"Definition b{number} : list {numbers.type} := {bias}."
    )


def _cases(name: str, cases: Sequence[tuple[str, str]], kind: str) -> str:
    """Return a function of the generators, by cases."""
    lines = "".join(f"\n  | g_{generator} => {term}" for generator, term in cases)
    return f"Definition {name} (g : generator) : {kind} :=\n  match g with{lines}\n  end."


def problem_text(problem: Problem) -> str:
    """Return ``Problem_<hash>.v``: what is claimed, and nothing of why it is true."""
    numbers, n = problem.numbers, problem.inputs
    activations = [layer.activation for layer in problem.layers]
    extra = (*numbers.imports, *(("Erf",) if any(a.needs_erf for a in activations) else ()))
    net = "; ".join(f"Layer W{i} b{i} {a.function}" for i, a in enumerate(activations))
    widths = " - ".join(str(w) for w in (n, *(len(layer.weight) for layer in problem.layers)))
    v = numbers.value
    parts = [
        comment(f"A network of widths {widths} and an action on its inputs and outputs."),
        "From Coq Require Import List ZArith QArith Qreals Reals.\n"
        f"{imports(STATEMENT, extra)}\n"
        "Import ListNotations.\nLocal Open Scope Z_scope.",
        *(["\n".join(numbers.preamble())] if numbers.preamble() else []),
        *(layer_text(i, layer, numbers) for i, layer in enumerate(problem.layers)),
        f"Definition net : list (layer {numbers.type} R) :=\n  [{net}].\n"
        f"Fact net_is_shaped : shaped {n} net = true.\n"
        "Proof. vm_cast_no_check (eq_refl true). Qed.",
        f"Inductive generator := {' | '.join('g_' + g for g in problem.names())}.",
        _cases("rho_in", [(g, t) for g, t, _ in problem.generators], f"action {numbers.type}"),
        _cases("rho_out", [(g, t) for g, _, t in problem.generators], f"action {numbers.type}"),
        comment("The claim, for all words w in the generators and all real x of the right length."),
        f"Definition equivariant : Prop :=\n  {numbers.binders()}"
        f"forall (w : list generator) (x : list R), length x = {n}%nat ->\n"
        f"  network {v} net (word {v} rho_in w x)\n"
        f"  = word {v} rho_out w (network {v} net x).",
        comment("A stronger claim: actions on the hidden spaces make every layer equivariant."),
        f"Definition layer_by_layer : Prop :=\n  {numbers.binders()}"
        f"forall g : generator, exists hidden : list (action {numbers.type}),\n"
        f"  layerwise {v} net (rho_in g :: hidden ++ [rho_out g]).",
    ]
    return "\n\n".join(parts) + "\n"
