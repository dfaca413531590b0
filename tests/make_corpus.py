"""Write the corpus of evidence folders: `python tests/make_corpus.py [FOLDER]`.

    accepted/NAME       verified by the checker
    rejected/NAME       well formed, but the evidence does not prove the claim (exit code 1)
    malformed/NAME      not of the format (exit code 2)
    other/NAME          exit codes 3, 4, 5

Everything is written by hand as plain dicts and hashed here, without any code of the product.
A spoiled folder is a control among `accepted` with one change; `reason.txt` holds the exit code,
a fragment of the message and the name of the control.
"""

# A table of cases, one a line where it fits: it is not wrapped further.
# ruff: noqa: E501
# fmt: off

from __future__ import annotations

import copy
import hashlib
import json
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

Json = Any
Change = Callable[[Json], Json | None]

Q = {"kind": "rational"}
ROOT2 = {"kind": "algebraic", "minpoly": ["-2", "0", "1"], "root": ["1", "2"], "symbol": "t"}
PARAMETERS = {"kind": "parametric", "names": ["a", "b"]}
SWAP = {"permutation": [1, 0]}
FLIP = {"permutation": [0], "signs": [-1]}


def canonical(value: Json) -> bytes:
    return (json.dumps(value, sort_keys=True, separators=(",", ":")) + "\n").encode("ascii")


def layer(activation: Json, weight: Json, bias: Json) -> Json:
    return {"activation": activation, "bias": bias, "kind": "dense", "weight": weight}


def network(inputs: int, *layers: Json, field: Json = Q, **extra: Json) -> Json:
    head = {"field": field, "format": "identcert.network", "version": 1}
    return {**head, "inputs": inputs, "layers": list(layers), **extra}


def action(field: Json = Q, relators: list[str] | None = None, **generators: Json) -> Json:
    head = {"field": field, "format": "identcert.action", "version": 1}
    stated = {name: {"input": i, "output": o} for name, (i, o) in generators.items()}
    return {**head, "generators": stated} | ({} if relators is None else {"relators": relators})


def latent(permutation: list[int], scale: list[Json] | None = None) -> Json:
    return {"permutation": permutation} | ({} if scale is None else {"scale": scale})


def refutation(generator: str, point: list[str], component: int, gap: str, **extra: Json) -> Json:
    return {"component": component, "gap": gap, "generator": generator, "point": point, **extra}


class Folder:
    """The files of one evidence folder, and how it came about."""

    def __init__(self, network: Json, other: Json, verdict: str, evidence: Json) -> None:
        """`other` is the action, or the second network of a comparison."""
        self.second = "action" if "generators" in other else "network2"
        self.files = {"network": network, self.second: other}
        source = {name: {"name": "by hand", "sha256": None} for name in self.files}
        for name in source.keys() - {"action"}:
            source[name]["format"] = "json"
        self.witness: Json = {
            "evidence": evidence,
            "format": "identcert.witness",
            "source": source,
            "verdict": verdict,
            "version": 1,
        }
        self.extra: dict[str, bytes] = {}
        self.raw: dict[str, Callable[[bytes], bytes]] = {}
        self.reason = ""

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        for name, tree in self.files.items():
            data = canonical(tree)
            data = self.raw.get(name, lambda x: x)(data)
            (folder / f"{name}.json").write_bytes(data)
            self.witness.setdefault(f"{name}_sha256", hashlib.sha256(data).hexdigest())
        data = self.raw.get("witness", lambda x: x)(canonical(self.witness))
        (folder / "witness.json").write_bytes(data)
        for name, data in self.extra.items():
            (folder / name).write_bytes(data)
        if self.reason:
            (folder / "reason.txt").write_text(self.reason, encoding="ascii")


CORPUS: dict[str, Folder] = {}


def accept(name: str, *parts: Json, extra: dict[str, bytes] | None = None) -> None:
    CORPUS[f"accepted/{name}"] = Folder(*copy.deepcopy(parts))
    CORPUS[f"accepted/{name}"].extra = extra or {}


def spoil(kind: str, name: str, control: str, reason: str, code: int, **changes: Any) -> None:
    """Add a folder: the control with changes of its parsed files, of raw bytes, of tensors."""
    good = CORPUS[f"accepted/{control}"]
    bad = copy.deepcopy(good)
    for part, change in changes.items():
        if part.startswith("raw_"):
            bad.raw[part[4:]] = change
        elif part == "extra":
            bad.extra = change(dict(good.extra))
        else:
            trees = {**bad.files, "witness": bad.witness, "evidence": bad.witness["evidence"]}
            replaced = change(trees[part])
            if replaced is not None and part == "evidence":
                bad.witness["evidence"] = replaced
            elif replaced is not None and part == "witness":
                bad.witness = replaced
            elif replaced is not None:
                bad.files[part] = replaced
    bad.reason = f"exit {code}\nmessage {reason}\ncontrol {control}\n"
    CORPUS[f"{kind}/{name}"] = bad


def rejected(name: str, control: str, reason: str, **changes: Any) -> None:
    spoil("rejected", name, control, reason, 1, **changes)


def malformed(name: str, control: str, reason: str, **changes: Any) -> None:
    spoil("malformed", name, control, reason, 2, **changes)


def other(name: str, control: str, reason: str, code: int, **changes: Any) -> None:
    spoil("other", name, control, reason, code, **changes)


def put(*path: Json) -> Change:
    """Set the value at a path of keys and indices: put("layers", 0, "bias", 0, "1")."""
    *keys, last, value = path

    def change(tree: Json) -> None:
        for key in keys:
            tree = tree[key]
        tree[last] = copy.deepcopy(value)

    return change


def drop(*path: Json) -> Change:
    """Delete the value at a path."""
    *keys, last = path

    def change(tree: Json) -> None:
        for key in keys:
            tree = tree[key]
        del tree[last]

    return change


def do(*changes: Change) -> Change:
    """Make several changes, one after the other."""

    def change(tree: Json) -> Json:
        for one in changes:
            replaced = one(tree)
            tree = tree if replaced is None else replaced
        return tree

    return change


# ------------------------------------------------------------------ accepted: layerwise

TANH_PAIR = network(2, layer("tanh", [["2", "1"], ["1", "2"]], ["0", "0"]),
                    layer("identity", [["1", "1"]], ["0"]))
accept(
    "worked_example", TANH_PAIR, action(s=(SWAP, "trivial")), "layerwise",
    {"latents": [{"s": latent([1, 0])}]},
)
accept(
    "relators", TANH_PAIR,
    action(s=(SWAP, "trivial"), t=(SWAP, "trivial"), relators=["s^2", "s t^-1", "(s t)^-3 s^2"]),
    "layerwise", {"latents": [{"s": latent([1, 0]), "t": latent([1, 0])}]},
)
# The sign representation on inputs and outputs: σ odd, α = −1.
for sigma in ("tanh", "arctan", "erf", "sin", "hard_tanh", {"polynomial": ["0", "1", "0", "2"]}):
    accept(
        f"odd_{sigma if isinstance(sigma, str) else 'cubic'}",
        network(1, layer(sigma, [["3"]], ["0"]), layer("identity", [["5"]], ["0"])),
        action(g=(FLIP, FLIP)), "layerwise", {"latents": [{"g": latent([0], ["-1"])}]},
    )
accept(
    "sigmoid_flip",
    network(1, layer("sigmoid", [["3"]], ["0"]), layer("identity", [["2"]], ["-1"])),
    action(g=(FLIP, FLIP)), "layerwise", {"latents": [{"g": latent([0], ["-1"])}]},
)
accept(
    "sigmoid_deep",
    network(1, layer("sigmoid", [["3"]], ["0"]), layer("sigmoid", [["4"]], ["-2"]),
            layer("identity", [["2"]], ["-1"])),
    action(g=(FLIP, FLIP)), "layerwise", {"latents": [{"g": latent([0], ["-1"])}] * 2},
)
accept(
    "relu6_flip", network(1, layer("relu6", [["1"]], ["3"]), layer("identity", [["2"]], ["-6"])),
    action(g=(FLIP, FLIP)), "layerwise", {"latents": [{"g": latent([0], ["-1"])}]},
)
for sigma in ("relu", {"leaky_relu": "1/10"}, "abs"):
    accept(
        f"scaled_{sigma if isinstance(sigma, str) else 'leaky_relu'}",
        network(2, layer(sigma, [["1", "2"], ["4", "2"]], ["1", "2"]),
                layer("identity", [["2", "1"]], ["0"])),
        action(s=(SWAP, "trivial")), "layerwise", {"latents": [{"s": latent([1, 0], ["1/2", "2"])}]},
    )
accept(
    "abs_negative", network(1, layer("abs", [["3"]], ["0"]), layer("identity", [["5"]], ["7"])),
    action(g=(FLIP, "trivial")), "layerwise", {"latents": [{"g": latent([0], ["-1"])}]},
)
accept(
    "square_about_centre",  # σ = z² + z, c = −1/2: z = 2x − 1/2 is odd about the centre
    network(1, layer({"polynomial": ["0", "1", "1"]}, [["2"]], ["-1/2"]),
            layer("identity", [["5"]], ["0"])),
    action(g=(FLIP, "trivial")), "layerwise", {"latents": [{"g": latent([0], ["-1"])}]},
)
accept(
    "square_scaled",  # σ = z², α = 2 and 1/2
    network(2, layer({"polynomial": ["0", "0", "1"]}, [["1", "2"], ["4", "2"]], ["0", "0"]),
            layer("identity", [["4", "1"]], ["0"])),
    action(s=(SWAP, "trivial")), "layerwise", {"latents": [{"s": latent([1, 0], ["1/2", "2"])}]},
)
accept(
    "quartic_even",  # z⁴ + z² + 3 has α = −1, λ = 1
    network(1, layer({"polynomial": ["3", "0", "1", "0", "1"]}, [["2"]], ["0"]),
            layer("identity", [["5"]], ["0"])),
    action(g=(FLIP, "trivial")), "layerwise", {"latents": [{"g": latent([0], ["-1"])}]},
)
for sigma in ("softplus", "silu", "gelu", "elu", {"polynomial": ["0", "1", "0", "0", "1"]}):
    accept(
        f"swap_{sigma if isinstance(sigma, str) else 'quartic_without_symmetry'}",
        network(2, layer(sigma, [["2", "1"], ["1", "2"]], ["1", "1"]),
                layer("identity", [["1", "1"]], ["0"])),
        action(s=(SWAP, "trivial")), "layerwise", {"latents": [{"s": latent([1, 0])}]},
    )
ROTATION = {"matrix": [["3/5", "-4/5"], ["4/5", "3/5"]]}
TURN = {"matrix": [["0", "-1"], ["1", "0"]]}
accept(
    "rotation_matrix",  # tanh of ±x, ±y is equivariant under quarter turns
    network(2, layer("tanh", [["1", "0"], ["0", "1"]], ["0", "0"]),
            layer("identity", [["2", "1"], ["-1", "2"]], ["0", "0"])),
    action(r=(TURN, TURN), relators=["r^4", "r^-4", "r^2 r^-2"]), "layerwise",
    {"latents": [{"r": latent([1, 0], ["-1", "1"])}]},
)
accept(
    "affine_action",  # x ↦ 1 − x, and an output that is shifted
    network(1, layer("tanh", [["2"]], ["-1"]), layer("identity", [["3"]], ["1/2"])),
    action(g=({**FLIP, "shift": ["1"]}, {**FLIP, "shift": ["1"]}), relators=["g^2", "g^-2"]),
    "layerwise", {"latents": [{"g": latent([0], ["-1"])}]},
)
accept(
    "translation",  # infinite group: sin is odd about 0, and x ↦ x + 1 acts by the identity on y − y
    network(2, layer("tanh", [["1", "-1"]], ["0"]), layer("identity", [["1"]], ["0"])),
    action(t=({"permutation": [0, 1], "shift": ["1", "1"]}, "trivial")), "layerwise",
    {"latents": [{"t": latent([0])}]},
)
accept(
    "no_hidden_layer", network(2, layer("identity", [["1", "1"]], ["7/3"]), name="sum \u03a3"),
    {**action(s=(SWAP, "trivial")), "group": "S2"}, "layerwise", {"latents": []},
)
HALF2 = ["0", "1/2"]
ZERO2, ONE2, NEGATIVE2 = ["0", "0"], ["1", "0"], ["-1", "0"]
EIGHTH = {
    "matrix": [[HALF2, ["0", "-1/2"]], [HALF2, HALF2]],
    "inverse": [[HALF2, HALF2], [["0", "-1/2"], HALF2]],
}
accept(
    "algebraic_rotation",  # an exact 45° turn permutes four lines
    network(2,
            layer({"polynomial": ["0", "0", "0", "0", "1"]},
                  [[ONE2, ZERO2], [HALF2, HALF2], [ZERO2, ONE2], [["0", "-1/2"], HALF2]],
                  [ZERO2] * 4),
            layer("identity", [[ONE2] * 4], [["1", "1"]]), field=ROOT2),
    action(ROOT2, r=(EIGHTH, "trivial"), relators=["r^8", "r^-1 r"]), "layerwise",
    {"latents": [{"r": latent([3, 0, 1, 2], [NEGATIVE2, ONE2, ONE2, ONE2])}]},
)
accept(
    "algebraic_scale",  # ReLU admits √2 > 0
    network(2, layer("relu", [[ONE2, ["0", "1"]], [["2", "0"], ["0", "1"]]], [ZERO2] * 2),
            layer("identity", [[["0", "1"], ONE2]], [ZERO2]), field=ROOT2),
    action(ROOT2, s=(SWAP, "trivial")), "layerwise",
    {"latents": [{"s": latent([1, 0], [HALF2, ["0", "1"]])}]},
)


def poly(*terms: Json) -> Json:
    """A polynomial in a, b over 1."""
    return {"den": [[[0, 0], "1"]], "num": list(terms)}


A, B, ZERO, ONE = poly([[1, 0], "1"]), poly([[0, 1], "1"]), poly(), poly([[0, 0], "1"])
A_OVER_B = {"den": [[[0, 1], "1"]], "num": [[[1, 0], "1"]]}
accept(
    "parametric_tanh",
    network(2, layer("tanh", [[A, B], [B, A]], [A_OVER_B] * 2),
            layer("identity", [[B, B]], [ZERO]), field=PARAMETERS),
    action(PARAMETERS, s=(SWAP, "trivial")), "layerwise", {"latents": [{"s": latent([1, 0])}]},
)
accept(
    "parametric_antiparallel",  # relu(ax) and relu(−ax) are inequivalent whatever the sign of a
    network(1, layer("relu", [[A], [poly([[1, 0], "-1"])]], [ZERO] * 2),
            layer("identity", [[ONE, ONE]], [B]), field=PARAMETERS),
    action(PARAMETERS, g=(FLIP, "trivial")), "layerwise", {"latents": [{"g": latent([1, 0])}]},
)
DOUBLE_A_OVER_A = {"den": [[[1, 0], "1"]], "num": [[[1, 0], "2"]]}
accept(
    "parametric_scale",  # α = 2a/a = 2 is positive; squares admit a/b
    network(2, layer("relu", [[A, poly([[1, 0], "2"])], [poly([[1, 0], "4"]), poly([[1, 0], "2"])]],
                     [ZERO] * 2),
            layer({"polynomial": ["0", "0", "1"]}, [[ONE, poly([[0, 0], "1/2"])]], [ZERO]),
            layer("identity", [[A_OVER_B]], [ZERO]), field=PARAMETERS),
    action(PARAMETERS, s=(SWAP, "trivial")), "layerwise",
    {"latents": [{"s": latent([1, 0], [poly([[0, 0], "1/2"]), DOUBLE_A_OVER_A])},
                 {"s": latent([0])}]},
)


def safetensors(*tensors: tuple[str, str, list[int], list[float]], **change: Json) -> bytes:
    """The bytes of a safetensors file, its header padded with blanks."""
    header: Json = {}
    data = b""
    for name, dtype, shape, values in tensors:
        piece = struct.pack(f"<{len(values)}{'d' if dtype == 'F64' else 'f'}", *values)
        offsets = [len(data), len(data) + len(piece)]
        header[name] = {"data_offsets": offsets, "dtype": dtype, "shape": shape}
        data += piece
    header |= change
    text = json.dumps(header).encode("ascii")
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


WEIGHTS = (
    ("layers.0.bias", "F64", [2], [0.1, 0.1]),
    ("layers.0.weight", "F32", [2, 2], [0.5, -3.0, -3.0, 0.5]),
)


def with_tensors(data: bytes) -> Json:
    return network(
        2,
        layer("relu", {"tensor": "layers.0.weight"}, {"tensor": "layers.0.bias"}),
        layer("identity", [["1", "1"]], ["0"]),
        tensors={"file": "weights.safetensors", "sha256": hashlib.sha256(data).hexdigest()},
    )


TENSORS = safetensors(*WEIGHTS)
accept(
    "tensors", with_tensors(TENSORS), action(s=(SWAP, "trivial")), "layerwise",
    {"latents": [{"s": latent([1, 0])}]}, extra={"weights.safetensors": TENSORS},
)

# -------------------------------------------------------------- accepted: after reduction

DEAD = network(2, layer("tanh", [["2", "1"], ["1", "2"], ["1", "0"]], ["0", "0", "4"]),
               layer("identity", [["1", "1", "0"]], ["0"]))
REDUCED = {"latents": [{"s": latent([1, 0])}], "embedding": {"positions": [[0, 1]]}}
accept(
    "step_drop", DEAD, action(s=(SWAP, "trivial")), "layerwise_after_reduction",
    {**REDUCED, "steps": [{"rule": "drop", "layer": 0, "neuron": 2}]},
)
FOLDED = network(2, layer("tanh", [["0", "0"], ["2", "1"], ["1", "2"]], ["1/2", "0", "0"]),
                 layer("identity", [["3", "1", "1"]], ["0"]))
accept(
    "step_fold", FOLDED, action(s=(SWAP, "trivial")), "layerwise_after_reduction",
    {**REDUCED, "embedding": {"positions": [[1, 2]]},
     "steps": [{"rule": "fold", "layer": 0, "neuron": 0}]},
)
accept(
    "step_merge",  # row 2 = −row 0: tanh merges with λ = −1
    network(2, layer("tanh", [["2", "1"], ["1", "2"], ["-2", "-1"]], ["1", "1", "-1"]),
            layer("identity", [["3", "1", "2"]], ["0"])),
    action(s=(SWAP, "trivial")), "layerwise_after_reduction",
    {**REDUCED, "steps": [{"rule": "merge", "layer": 0, "keep": 0, "drop": 2, "scale": "-1"}]},
)
accept(
    "step_merge_about_centre",  # sigmoid: row 2 = −row 0, σ(−z) = 1 − σ(z), the bias moves
    network(2, layer("sigmoid", [["2", "1"], ["1", "2"], ["-2", "-1"]], ["1", "1", "-1"]),
            layer("identity", [["3", "1", "2"]], ["0"])),
    action(s=(SWAP, "trivial")), "layerwise_after_reduction",
    {**REDUCED, "steps": [{"rule": "merge", "layer": 0, "keep": 0, "drop": 2, "scale": "-1"}]},
)
accept(
    "step_affine",  # a hidden layer 2z + 1 is composed with the next one
    network(2, layer({"polynomial": ["1", "2"]}, [["1", "0"], ["0", "1"]], ["0", "0"]),
            layer("tanh", [["2", "1"], ["1", "2"]], ["0", "0"]),
            layer("identity", [["1", "1"]], ["0"])),
    action(s=(SWAP, "trivial")), "layerwise_after_reduction",
    {**REDUCED, "steps": [{"rule": "affine", "layer": 0}]},
)
accept(
    "step_affine_constant",  # a hidden layer with constant activation: f is constant
    network(1, layer({"polynomial": ["3"]}, [["1"]], ["0"]), layer("identity", [["2"]], ["0"])),
    action(g=(FLIP, "trivial")), "layerwise_after_reduction",
    {"steps": [{"rule": "affine", "layer": 0}], "latents": [], "embedding": {"positions": []}},
)
COLLAPSE = [
    {"rule": "drop", "layer": 0, "neuron": 0},
    {"rule": "fold", "layer": 1, "neuron": 0},
    {"rule": "collapse"},
]
accept(
    "step_collapse",  # W_2 = 0: constant, with the atom tanh(1/3)
    network(1, layer("tanh", [["1"]], ["0"]), layer("tanh", [["0"]], ["1/3"]),
            layer("identity", [["2"]], ["1"])),
    action(g=(FLIP, "trivial")), "layerwise_after_reduction", {"steps": COLLAPSE, "latents": []},
)
accept(
    "atoms_cancel",  # 3·tanh(1/2) + 3·tanh(−1/2) = 0, so the function is odd
    network(1, layer("tanh", [["1"], ["0"], ["0"]], ["0", "1/2", "-1/2"]),
            layer("identity", [["1", "3", "3"]], ["0"])),
    action(g=(FLIP, FLIP)), "layerwise_after_reduction",
    {"steps": [{"rule": "fold", "layer": 0, "neuron": 1}] * 2,
     "latents": [{"g": latent([0], ["-1"])}], "embedding": {"positions": [[0]]}},
)
for sigma, constant in (("sigmoid", "-2"), ("softplus", "-1/2"), ("silu", "-1/2"),
                        ("gelu", "-1/2"), ("relu", "-1/2"), ("abs", "0"), ("sin", "0"),
                        ("hard_tanh", "0"), ("elu", None), ("relu6", None)):
    # σ(1/2) and σ(−1/2) by reflection; elu and relu6 have none, so σ(1/2) − σ(1/2).
    outgoing = ["1", "1", "-1" if sigma in ("softplus", "silu", "gelu", "relu", "abs") else "1"]
    biases = ["1", "1/2", "-1/2"]
    if constant is None:
        outgoing, biases = ["1", "1", "-1"], ["1", "1/2", "1/2"]
    accept(
        f"atoms_{sigma}",
        network(1, layer(sigma, [["1"], ["0"], ["0"]], biases),
                layer("tanh", [outgoing], ["0"]), layer("identity", [["1"]], ["0"])),
        action(e=("trivial", "trivial")), "layerwise_after_reduction",
        {"steps": [{"rule": "fold", "layer": 0, "neuron": 1}] * 2,
         "latents": [{"e": latent([0])}, {"e": latent([0])}],
         "embedding": {"positions": [[0], [0]]}},
    )
NESTED = [
    {"rule": "fold", "layer": 0, "neuron": 1},
    {"rule": "fold", "layer": 1, "neuron": 1},
]
accept(
    "atoms_nested",  # tanh(1 + tanh(1/2)) and bias entries that differ by certified atoms
    network(2, layer("tanh", [["1", "1"], ["0", "0"]], ["0", "1/2"]),
            layer("tanh", [["1", "0"], ["0", "1"], ["1", "1"]], ["0", "1", "0"]),
            layer("tanh", [["1", "1", "1"], ["1", "0", "2"]], ["0", "0"]),
            layer("identity", [["1", "1"]], ["0"])),
    action(s=(SWAP, "trivial")), "layerwise_after_reduction",
    {"steps": NESTED,
     "latents": [{"s": latent([0])}, {"s": latent([0, 1])}, {"s": latent([0, 1])}],
     "embedding": {"positions": [[0], [0, 2], [0, 1]]}},
)
CLONES = network(2, layer("tanh", [["2", "1"], ["2", "1"], ["1", "2"], ["1", "2"]], ["0"] * 4),
                 layer("identity", [["1", "1", "1", "1"]], ["0"]))
MERGES = [
    {"rule": "merge", "layer": 0, "keep": 0, "drop": 1, "scale": "1"},
    {"rule": "merge", "layer": 0, "keep": 1, "drop": 2, "scale": "1"},
]
accept(
    "given_true", CLONES, action(s=(SWAP, "trivial"), t=(SWAP, "trivial")),
    "layerwise_after_reduction",
    {"steps": MERGES, "embedding": {"positions": [[0, 2]]},
     "latents": [{"s": latent([1, 0]), "t": latent([1, 0])}],
     "given": {"value": True,
               "latents": [{"s": latent([2, 3, 0, 1]), "t": latent([2, 3, 0, 1])}]}},
)
accept(
    "given_false",  # clones of one row, but only one of the other: row 0 has 1 partner, not 2
    network(2, layer("tanh", [["2", "1"], ["2", "1"], ["1", "2"]], ["0"] * 3),
            layer("identity", [["1", "1", "2"]], ["0"])),
    action(s=(SWAP, "trivial")), "layerwise_after_reduction",
    {"steps": MERGES[:1], "latents": [{"s": latent([1, 0])}], "embedding": {"positions": [[0, 2]]},
     "given": {"value": False,
               "obstruction": {"generator": "s", "latents": [], "layer": 0, "row": 0}}},
)
accept(
    "given_true_algebraic",  # G over Q(√2): the group of order 8 is closed
    network(2,
            layer({"polynomial": ["0", "0", "1"]},
                  [[ONE2, ZERO2], [HALF2, HALF2], [ZERO2, ONE2], [["0", "-1/2"], HALF2]] * 2,
                  [ZERO2] * 8),
            layer("identity", [[ONE2] * 8], [ZERO2]), field=ROOT2),
    action(ROOT2, r=(EIGHTH, "trivial")), "layerwise_after_reduction",
    {"steps": [{"rule": "merge", "layer": 0, "keep": k, "drop": 4, "scale": ONE2}
               for k in range(4)],
     "latents": [{"r": latent([3, 0, 1, 2], [NEGATIVE2, ONE2, ONE2, ONE2])}],
     "embedding": {"positions": [[0, 1, 2, 3]]},
     "given": {"value": True,
               "latents": [{"r": latent([3, 0, 1, 2, 7, 4, 5, 6],
                                        [NEGATIVE2, ONE2, ONE2, ONE2] * 2)}]}},
)
INVOLUTION = [[A, poly([[0, 0], "1"], [[2, 0], "-1"])], [ONE, poly([[1, 0], "-1"])]]
FIRST, SECOND = [ONE, ZERO], [A, poly([[0, 0], "1"], [[2, 0], "-1"])]
accept(
    "given_true_parametric",  # [[a, 1−a²], [1, −a]] is an involution for every a
    network(2, layer("tanh", [FIRST, FIRST, SECOND, SECOND], [ZERO] * 4),
            layer("identity", [[ONE] * 4], [B]), field=PARAMETERS),
    action(PARAMETERS, s=({"matrix": INVOLUTION, "inverse": INVOLUTION}, "trivial")),
    "layerwise_after_reduction",
    {"steps": [{**step, "scale": ONE} for step in MERGES], "embedding": {"positions": [[0, 2]]},
     "latents": [{"s": latent([1, 0])}],
     "given": {"value": True, "latents": [{"s": latent([2, 3, 0, 1])}]}},
)

# ---------------------------------------------------------------- accepted: end to end only

REFLECTION = {"matrix": [["3/5", "4/5"], ["4/5", "-3/5"]]}
POLYNOMIAL, SQUARE = {"rule": "polynomial"}, {"polynomial": ["0", "0", "1"]}
NO_PARTNER = {"generator": "g", "latents": [], "layer": 0, "row": 0}
NORM = network(2, layer(SQUARE, [["1", "0"], ["0", "1"]], ["0", "0"]),
               layer("identity", [["1", "1"]], ["0"]))
accept(
    "norm", NORM, action(g=(REFLECTION, "trivial")), "end_to_end_only",
    {"equivariance": POLYNOMIAL, "obstruction": NO_PARTNER, "steps": []},
)
accept(
    "norm_with_dead_neuron",
    network(2, layer(SQUARE, [["1", "0"], ["0", "1"], ["1", "1"]], ["0", "0", "0"]),
            layer("identity", [["1", "1", "0"]], ["0"])),
    action(g=(REFLECTION, "trivial")), "end_to_end_only",
    {"equivariance": POLYNOMIAL, "obstruction": NO_PARTNER,
     "steps": [{"rule": "drop", "layer": 0, "neuron": 2}],
     "given": {"value": False, "obstruction": {**NO_PARTNER, "row": 1}}},
)
accept(
    "norm_algebraic",
    network(2, layer(SQUARE, [[ONE2, ZERO2], [ZERO2, ONE2]], [ZERO2] * 2),
            layer("identity", [[["0", "1"]] * 2], [ONE2]), field=ROOT2),
    action(ROOT2, g=(EIGHTH, "trivial")), "end_to_end_only",
    {"equivariance": POLYNOMIAL, "obstruction": NO_PARTNER, "steps": []},
)
accept(
    "norm_parametric",  # x² + (1−a²)y² under a reflection that keeps this form
    network(2, layer(SQUARE, [[ONE, ZERO], [ZERO, ONE]], [ZERO] * 2),
            layer("identity", [[ONE, poly([[0, 0], "1"], [[2, 0], "-1"])]], [ZERO]),
            field=PARAMETERS),
    action(PARAMETERS, g=({"matrix": INVOLUTION, "inverse": INVOLUTION}, "trivial")),
    "end_to_end_only", {"equivariance": POLYNOMIAL, "obstruction": NO_PARTNER, "steps": []},
)
# (x+2y)² − (2x+y)² + 3x² − 3y² = 0 changes sign under the swap: twice it is added to the weights
# (1, 1, 1, 1) of a symmetric form. The rows have partners, the weights have not.
FORMS = layer(SQUARE, [["1", "0"], ["0", "1"], ["1", "2"], ["2", "1"]], ["0"] * 4)
FORCED = {"generator": "g", "latents": [latent([1, 0, 3, 2])], "layer": 1, "row": 0}
accept(
    "output_obstruction", network(2, FORMS, layer("identity", [["7", "-5", "3", "-1"]], ["0"])),
    action(g=(SWAP, "trivial")), "end_to_end_only",
    {"equivariance": POLYNOMIAL, "obstruction": FORCED, "steps": []},
)
accept(
    "hidden_obstruction",
    network(2, FORMS, layer(SQUARE, [["7", "-5", "3", "-1"]], ["1"]),
            layer("identity", [["1"]], ["0"])),
    action(g=(SWAP, "trivial")), "end_to_end_only",
    {"equivariance": POLYNOMIAL, "obstruction": FORCED, "steps": []},
)

# ---------------------------------------------------------------- accepted: not equivariant

PLUS, IDENTITY = ["1", "1"], "trivial"
accept(
    "refuted_relu", network(2, layer("relu", [["1", "2"]], ["0"]), layer("identity", [["3"]], ["1"])),
    action(s=(SWAP, IDENTITY)), "not_equivariant", refutation("s", ["1", "0"], 0, "3"),
)
accept(
    "refuted_hard_tanh",  # kinks at −1 and 1
    network(1, layer("hard_tanh", [["1"]], ["0"]), layer("identity", [["1"]], ["0"])),
    action(g=({"permutation": [0], "shift": ["1/2"]}, IDENTITY)), "not_equivariant",
    refutation("g", ["3/4"], 0, "1/4"),
)
accept(
    "refuted_polynomial",
    network(1, layer({"polynomial": ["0", "0", "0", "1"]}, [["1"]], ["0"]),
            layer("identity", [["1"]], ["0"])),
    action(g=(FLIP, IDENTITY)), "not_equivariant", refutation("g", ["1/2"], 0, "1/4"),
)
accept(
    "refuted_by_output", network(1, layer("identity", [["1"], ["2"]], ["0", "0"])),
    action(g=(FLIP, {"matrix": [["-1", "0"], ["1", "-1"]], "shift": ["0", "1"]})),
    "not_equivariant", refutation("g", ["3"], 1, "4"),
)
for sigma, gap in (("tanh", "3/2"), ("sigmoid", "9/20"), ("softplus", "19/20"), ("silu", "19/20"),
                   ("gelu", "19/20"), ("sin", "8/5"), ("elu", "8/5"), ("arctan", "3/2"),
                   ("erf", "8/5")):
    accept(
        f"refuted_{sigma}", network(1, layer(sigma, [["1"]], ["0"]), layer("identity", [["1"]], ["0"])),
        action(g=(FLIP, IDENTITY)), "not_equivariant", refutation("g", ["1"], 0, gap, bits=64),
    )
CORPUS["accepted/refuted_elu"].witness["evidence"]["gap"] = "8/5"
accept(
    "refuted_more_bits",  # tanh 20 − tanh 21 is about 7.3e-18: 32 bits do not suffice, 64 do
    network(1, layer("tanh", [["1"]], ["0"]), layer("identity", [["1"]], ["0"])),
    action(g=({"permutation": [0], "shift": ["1"]}, IDENTITY)), "not_equivariant",
    refutation("g", ["20"], 0, "7/1000000000000000000", bits=32),
)
accept(
    "refuted_algebraic",
    network(2, layer("relu", [[["0", "1"], ONE2]], [ZERO2]), layer("identity", [[ONE2]], [ZERO2]),
            field=ROOT2),
    action(ROOT2, s=(SWAP, IDENTITY)), "not_equivariant",
    refutation("s", ["1", "0"], 0, "41/100", bits=64),
)
accept(
    "refuted_parametric",
    network(2, layer("relu", [[A, B]], [ZERO]), layer("identity", [[ONE]], [A_OVER_B]),
            field=PARAMETERS),
    action(PARAMETERS, s=(SWAP, IDENTITY)), "not_equivariant",
    refutation("s", ["1", "0"], 0, "3/2", parameters={"a": "2", "b": "1/2"}),
)
accept(
    "refuted_parametric_enclosed",
    network(2, layer("tanh", [[A, B]], [ZERO]), layer("identity", [[ONE]], [ZERO]),
            field=PARAMETERS),
    action(PARAMETERS, s=({"matrix": INVOLUTION, "inverse": INVOLUTION}, IDENTITY)),
    "not_equivariant", refutation("s", ["1", "0"], 0, "3/100", parameters={"a": "2", "b": "-1"}, bits=64),
)

# -------------------------------------------------------------------------------- rejected

EXAMPLE, TURNED = "worked_example", "rotation_matrix"
HIDDEN = ("layers", 0)


def unhashed(key: str) -> Change:
    return put(key, "0" * 64)


for name in ("network", "action"):
    rejected(f"hash_of_{name}", EXAMPLE, "belongs to other files", witness=unhashed(f"{name}_sha256"))
rejected("weight_changed", EXAMPLE, "row 0 of (W|b)rho", network=put(*HIDDEN, "weight", 0, 0, "3"))
rejected("bias_changed", EXAMPLE, "row 0 of (W|b)rho", network=put(*HIDDEN, "bias", 0, "1"))
rejected("latent_wrong_permutation", EXAMPLE, "row 0 of (W|b)rho",
         evidence=put("latents", 0, "s", latent([0, 1])))
rejected("latent_wrong_scale", "scaled_relu", "row 0 of (W|b)rho",
         evidence=put("latents", 0, "s", "scale", ["1/3", "2"]))
rejected("output_weight", EXAMPLE, "breaks the output equation",
         network=put("layers", 1, "weight", 0, 0, "3"))
rejected("output_bias", "sigmoid_flip", "breaks the output equation",
         network=put("layers", 1, "bias", 0, "0"))
rejected("output_shift", "affine_action", "breaks the output equation",
         action=put("generators", "g", "output", FLIP))
rejected("tanh_scaled", "odd_tanh", "admits no such scale",
         evidence=put("latents", 0, "g", latent([0], ["2"])))
rejected("scale_zero", "square_scaled", "admits no such scale",
         evidence=put("latents", 0, "s", latent([1, 0], ["0", "2"])))
rejected("relu_negative", "scaled_relu", "admits no such scale",
         evidence=put("latents", 0, "s", latent([1, 0], ["-1/2", "2"])))
for name in ("softplus", "silu", "gelu", "elu", "quartic_without_symmetry"):
    rejected(f"{name}_flipped", f"swap_{name}", "admits no such scale",
             evidence=put("latents", 0, "s", latent([1, 0], ["-1", "1"])))
rejected("even_polynomial_as_odd", "quartic_even", "breaks the output equation",
         action=put("generators", "g", "output", FLIP))
rejected("sigmoid_as_odd", "sigmoid_flip", "breaks the output equation",
         network=put("layers", 1, "bias", 0, "1"))
rejected("square_about_zero", "square_about_centre", "row 0 of (W|b)rho",
         network=put(*HIDDEN, "bias", 0, "0"))
rejected("algebraic_other_root", "algebraic_scale", "admits no such scale",
         network=put("field", "root", ["-2", "-1"]),
         action=put("field", "root", ["-2", "-1"]))
rejected("sign_of_parameter", "parametric_scale", "depends on the parameters",
         evidence=put("latents", 0, "s", "scale", 1, A))
rejected("sign_of_reciprocal", "parametric_scale", "depends on the parameters",
         evidence=put("latents", 0, "s", "scale", 1, {"den": [[[1, 0], "1"]], "num": [[[0, 0], "1"]]}))
rejected("abs_of_parameter", "parametric_scale", "depends on the parameters",
         network=put(*HIDDEN, "activation", "abs"),
         evidence=put("latents", 0, "s", "scale", 1, A))
rejected("zero_row", EXAMPLE, "row 0 is zero",
         network=put(*HIDDEN, "weight", [["0", "0"], ["0", "0"]]))
rejected("equivalent_rows", EXAMPLE, "rows 0 and 1 are equivalent",
         network=put(*HIDDEN, "weight", [["1", "1"], ["1", "1"]]))
rejected("equivalent_rows_after_merge", "step_merge", "rows 0 and 1 are equivalent",
         network=lambda n: {**n, "layers": [
             layer("tanh", [["1", "0"], ["0", "1"], ["0", "1"]], ["0"] * 3),
             layer("tanh", [["1", "1", "0"], ["1", "0", "1"]], ["0"] * 2),
             layer("identity", [["1", "1"]], ["0"])]},
         evidence=lambda e: {
             "steps": [{"rule": "merge", "layer": 0, "keep": 1, "drop": 2, "scale": "1"}],
             "latents": [{"s": latent([1, 0])}] * 2,
             "embedding": {"positions": [[0, 1], [0, 1]]}})
rejected("opposite_rows", EXAMPLE, "rows 0 and 1 are equivalent",
         network=put(*HIDDEN, "weight", [["1", "-1"], ["-1", "1"]]))
rejected("parallel_rows_of_relu", "scaled_relu", "rows 0 and 1 are equivalent",
         network=do(put("layers", 0, "weight", [["1", "1"], ["2", "2"]]),
                    put("layers", 0, "bias", 1, "2")),
         evidence=put("latents", 0, "s", latent([0, 1])))
rejected("parallel_rows_algebraic", "algebraic_scale", "rows 0 and 1 are equivalent",
         network=put(*HIDDEN, "weight", [[ONE2, ONE2], [["0", "1"], ["0", "1"]]]),
         evidence=put("latents", 0, "s", latent([0, 1])))
rejected("parallel_rows_parametric", "parametric_scale", "rows 0 and 1 are equivalent",
         network=put(*HIDDEN, "weight", [[A, A], [poly([[1, 0], "2"])] * 2]),
         evidence=put("latents", 0, "s", latent([0, 1])))
rejected("unused_neuron", EXAMPLE, "neuron 0 is not used",
         network=put("layers", 1, "weight", 0, ["0", "0"]))
rejected("affine_hidden_layer", EXAMPLE, "admits no such scale",
         network=put(*HIDDEN, "activation", "identity"))
rejected("affine_forced", "norm", "the activation is affine",
         network=put(*HIDDEN, "activation", {"polynomial": ["1", "2"]}))
rejected("no_steps", "step_drop", "steps: none", evidence=put("steps", []),
         network=lambda n: {**n, "layers": TANH_PAIR["layers"]})
rejected("drop_used_neuron", "step_drop", "neuron 1 is used", evidence=put("steps", 0, "neuron", 1))
rejected("fold_active_neuron", "step_fold", "row 1 is not zero",
         evidence=put("steps", 0, "neuron", 1))
rejected("fold_forgets_output", "step_fold", "breaks the output equation",
         action=put("generators", "s", "output", FLIP))
rejected("merge_with_itself", "step_merge", "merged with itself",
         evidence=do(put("steps", 0, "keep", 2), put("steps", 0, "scale", "1")))
rejected("merge_wrong_row", "step_merge", "row 2 is not the multiple of row 1",
         evidence=put("steps", 0, "keep", 1))
rejected("merge_wrong_bias", "step_merge", "row 2 is not the multiple of row 0",
         network=put(*HIDDEN, "bias", 2, "1"))
rejected("merge_scale_not_admitted", "step_merge", "admits no such scale",
         network=put(*HIDDEN, "activation", "gelu"))
rejected("affine_step_of_tanh", "step_affine", "is not affine",
         network=put(*HIDDEN, "activation", "tanh"))
rejected("collapse_too_early", "step_collapse", "a hidden layer has neurons",
         evidence=put("steps", [{"rule": "collapse"}]))
rejected("collapse_without_hidden_layer", "step_affine_constant", "or there is none",
         evidence=lambda e: {"steps": [*e["steps"], {"rule": "collapse"}], "latents": []})
rejected("collapsed_but_not_invariant", "step_collapse", "breaks the output equation",
         action=put("generators", "g", "output", FLIP))
rejected("atoms_do_not_cancel", "atoms_cancel", "breaks the output equation",
         network=put("layers", 1, "weight", 0, 2, "4"))
for name in ("sigmoid", "softplus", "silu", "gelu", "relu", "elu", "relu6"):
    # The same atoms in an output that is negated: what is left must be exactly 0.
    rejected(f"atoms_{name}_left", f"atoms_{name}", "breaks the output equation",
             network=lambda n: {**n, "layers": [n["layers"][0], layer("identity", [["0", "3", "1"]], ["0"])]},
             action=put("generators", "e", "output", FLIP),
             evidence=lambda e: {**e, "steps": [{"rule": "drop", "layer": 0, "neuron": 0}]
                                 + [{"rule": "fold", "layer": 0, "neuron": 0}] * 2 + [{"rule": "collapse"}],
                                 "latents": []})
rejected("given_elements_differ", "given_true", "equal elements carry different latents",
         evidence=put("given", "latents", 0, "t", latent([3, 2, 1, 0])))
rejected("given_not_an_involution", "given_true", "equal elements carry different latents",
         evidence=put("given", "latents", 0, "s", latent([2, 3, 1, 0])))
rejected("given_wrong_latent", "given_true", "row 0 of (W|b)rho",
         evidence=put("given", "latents", 0, "s", latent([1, 0, 3, 2])))
rejected("given_infinite_group", "given_true", "group elements",
         network=lambda n: {**n, "layers": [layer("tanh", [["1", "-1"]] * 2, ["0", "0"]),
                                            layer("identity", [["1", "1"]], ["0"])]},
         action=lambda a: {**a, "generators": {"s": {
             "input": {"permutation": [0, 1], "shift": ["1", "1"]}, "output": "trivial"}}},
         evidence=lambda e: {"steps": MERGES[:1], "latents": [{"s": latent([0])}],
                             "embedding": {"positions": [[0]]},
                             "given": {"value": True, "latents": [{"s": latent([0, 1])}]}})
rejected("given_false_but_true", "given_false", "row 2 of layer 0 has its partners",
         network=lambda n: {**n, "layers": CLONES["layers"]},
         evidence=do(put("steps", MERGES), put("given", "obstruction", "row", 2)))
rejected("obstruction_zero_row", "given_false", "row 2 of layer 0 is zero",
         network=lambda n: {**n, "layers": [
             layer("tanh", [["2", "1"], ["1", "2"], ["0", "0"]], ["0"] * 3),
             layer("identity", [["1", "1", "0"]], ["0"])]},
         evidence=do(put("steps", [{"rule": "drop", "layer": 0, "neuron": 2}]),
                     put("embedding", "positions", [[0, 1]]),
                     put("given", "obstruction", "row", 2)))
rejected("obstruction_has_partners", "norm", "row 0 of layer 0 has its partners",
         action=put("generators", "g", "input", SWAP))
rejected("obstruction_output_holds", "output_obstruction", "row 0 satisfies the output equation",
         network=put("layers", 1, "weight", 0, ["1", "1", "1", "1"]))
rejected("obstruction_latents_wrong", "output_obstruction", "row 0 of (W|b)rho",
         evidence=put("obstruction", "latents", 0, latent([0, 1, 2, 3])))
rejected("obstruction_not_forced", "given_false", "rows 0 and 1 are equivalent",
         evidence=lambda e: {**e, "given": {"value": False, "obstruction": {
             "generator": "s", "latents": [latent([1, 0, 2])], "layer": 1, "row": 0}}})
rejected("end_to_end_not_reduced", "norm_with_dead_neuron", "neuron 2 is not used",
         evidence=put("steps", []))
rejected("polynomial_identity_fails", "norm", "the identity fails for generator g",
         network=put("layers", 1, "weight", 0, 0, "2"))
rejected("polynomial_identity_fails_in_degree_4", "hidden_obstruction", "the identity fails",
         network=put("layers", 1, "weight", 0, ["7", "-5", "3", "-2"]))
rejected("polynomial_rule_for_tanh", "output_obstruction", "an activation is not polynomial",
         network=put(*HIDDEN, "activation", "tanh"))
rejected("gap_zero", "refuted_relu", "the gap is not positive", evidence=put("gap", "0"))
rejected("gap_negative", "refuted_relu", "the gap is not positive", evidence=put("gap", "-1"))
rejected("gap_too_large", "refuted_relu", "fails by less than the gap", evidence=put("gap", "4"))
rejected("no_gap", "refuted_relu", "the equation holds", evidence=put("point", ["1", "1"]))
rejected("gap_not_enclosed", "refuted_tanh", "do not certify the gap", evidence=put("gap", "2"))
rejected("gap_needs_more_bits", "refuted_more_bits", "do not certify the gap",
         evidence=put("bits", 8))
rejected("equivariant_refuted", "refuted_tanh", "do not certify the gap",
         action=put("generators", "g", "output", FLIP))
rejected("denominator_vanishes", "refuted_parametric", "a denominator vanishes",
         evidence=put("parameters", "b", "0"))
rejected("equal_parameters", "refuted_parametric", "the equation holds",
         evidence=put("parameters", "b", "2"))
# The theory's counterexamples: equivariant, but claimed to be layerwise.
rejected("norm_claimed_layerwise", "norm", "row 0 of (W|b)rho",
         witness=do(put("verdict", "layerwise"),
                    put("evidence", {"latents": [{"g": latent([0, 1])}]})))
rejected("even_linear_relu", "parametric_antiparallel", "breaks the output equation",
         action=put("generators", "g", "output", FLIP))
rejected("tensor_hash", "tensors", "SHA-256 differs",
         extra=lambda files: {"weights.safetensors": files["weights.safetensors"][:-1] + b"\x41"})
ZERO_ATOM = network(
    2, layer("tanh", [["1", "1"], ["0", "0"], ["0", "0"]], ["0", "1/2", "1/3"]),
    layer("tanh", [["1", "0", "0"], ["1", "1", "-1"]], ["0", "0"]),
    layer("identity", [["1", "1"]], ["0"]))
accept(
    "atoms_differ",  # biases 0 and tanh(1/2) − tanh(1/3), certified to differ
    ZERO_ATOM, action(s=(SWAP, "trivial")), "layerwise_after_reduction",
    {"steps": [{"rule": "fold", "layer": 0, "neuron": 1}] * 2,
     "latents": [{"s": latent([0])}, {"s": latent([0, 1])}],
     "embedding": {"positions": [[0], [0, 1]]}},
)
rejected("atoms_equal_but_not_formally", "atoms_differ", "not certified to differ from 0",
         network=lambda n: {**n, "layers": [  # arctan 1/2 + arctan 1/3 = arctan 1
             layer("arctan", [["1", "1"], *[["0", "0"]] * 3], ["0", "1/2", "1/3", "1"]),
             layer("tanh", [["1", "0", "0", "0"], ["1", "1", "1", "-1"]], ["0", "0"]),
             layer("identity", [["1", "1"]], ["0"])]},
         evidence=put("steps", [{"rule": "fold", "layer": 0, "neuron": 1}] * 3))
FIVE = {"kind": "algebraic", "minpoly": ["10", "-2", "-5", "1"], "root": ["4", "6"], "symbol": "t"}
ZERO3, ONE3, ALMOST_ONE = ["0", "0", "0"], ["1", "0", "0"], ["-4", "1", "0"]
INVERSE3 = ["-3/7", "-1/14", "1/14"]  # of α − 4 in Q[t]/((t² − 2)(t − 5))
accept(
    "reducible_minpoly",  # α = 5 by way of (t² − 2)(t − 5): α − 4 is 1, but not formally
    network(1, layer("tanh", [[ONE3], [["0", "-1", "0"]]], [ZERO3] * 2),
            layer("identity", [[ONE3] * 2], [ZERO3]), field=FIVE),
    action(FIVE, e=("trivial", "trivial")), "layerwise", {"latents": [{"e": latent([0, 1])}]},
)
rejected("zero_but_not_formally", "reducible_minpoly", "not certified to differ from 0",
         network=put(*HIDDEN, "weight", 1, 0, ALMOST_ONE))
ALMOST_TRIVIAL = {"matrix": [[ALMOST_ONE]], "inverse": [[INVERSE3]]}
rejected("one_but_not_formally", "given_true_algebraic", "not certified to differ from 0",
         network=lambda n: network(1, layer("relu", [[ONE3]] * 2, [ZERO3] * 2),
                                   layer("identity", [[ONE3] * 2], [ZERO3]), field=FIVE),
         action=lambda a: action(FIVE, r=(ALMOST_TRIVIAL, ALMOST_TRIVIAL)),
         evidence=lambda e: {
             "steps": [{"rule": "merge", "layer": 0, "keep": 0, "drop": 1, "scale": ONE3}],
             "latents": [{"r": latent([0], [ALMOST_ONE])}], "embedding": {"positions": [[0]]},
             "given": {"value": True,
                       "latents": [{"r": latent([0, 1], [ALMOST_ONE] * 2)}]}})

# ------------------------------------------------------------------------------- malformed

FIELD, GENERATOR = ("field",), ("generators", "s")


def resave(**options: Json) -> Change:
    return lambda data: json.dumps(json.loads(data), **options).encode() + b"\n"


malformed("blanks", EXAMPLE, "not in canonical form", raw_network=resave(sort_keys=True))
malformed("unsorted_keys", EXAMPLE, "not in canonical form",
          raw_action=lambda data: canonical(dict(json.loads(data)))[:-1] + b" \n")
malformed("no_newline", EXAMPLE, "not in canonical form", raw_witness=lambda data: data[:-1])
malformed("duplicate_key", EXAMPLE, "the same key twice",
          raw_network=lambda data: data.replace(b'"inputs":2', b'"inputs":2,"inputs":2'))
malformed("not_ascii", EXAMPLE, "not ASCII JSON",
          raw_network=lambda data: data.replace(b'"kind":"rational"', '"kind":"ratiönal"'.encode()))
malformed("byte_order_mark", EXAMPLE, "not ASCII JSON", raw_action=lambda data: b"\xef\xbb\xbf" + data)
malformed("truncated", EXAMPLE, "not ASCII JSON", raw_witness=lambda data: data[:-3])
malformed("empty_file", EXAMPLE, "not ASCII JSON", raw_witness=lambda data: b"")
malformed("not_an_object", EXAMPLE, "not an object", raw_witness=lambda data: b"[]\n")
malformed("deep_nesting", EXAMPLE, "nested too deeply",
          raw_witness=lambda data: b"[" * 20_000 + b"]" * 20_000 + b"\n")
malformed("huge_integer", EXAMPLE, "a bare integer has more than 20 digits",
          raw_witness=lambda data: data.replace(b'"version":1', b'"version":1' + b"0" * 5000))
malformed("wrong_format", EXAMPLE, "format is not identcert.network",
          network=put("format", "identcert.action"))
malformed("version_is_true", EXAMPLE, "version is not an integer", witness=put("version", True))
malformed("version_is_a_float", EXAMPLE, "version is not an integer", witness=put("version", 1.0))
malformed("unknown_key", EXAMPLE, "'comment' is missing or unknown", network=put("comment", "x"))
malformed("missing_key", EXAMPLE, "'inputs' is missing or unknown", network=drop("inputs"))
malformed("infinitesimal", EXAMPLE, "'infinitesimal' is missing", action=put("infinitesimal", {}))
malformed("name_is_a_number", EXAMPLE, "name: not a string", network=put("name", 3))
malformed("group_is_a_number", EXAMPLE, "group: not a string", action=put("group", 3))
malformed("no_field", EXAMPLE, "field: missing", network=drop("field"))
malformed("fields_differ", EXAMPLE, "not the same", network=put("field", ROOT2))
for name, value in {
    "float": 0.5, "integer": 2, "true": True, "not_lowest": "2/4", "over_one": "2/1",
    "zero_over_two": "0/2", "minus_zero": "-0", "plus": "+2", "leading_zero": "02",
    "underscore": "1_0", "decimal": "0.5", "other_digits": "\u0662", "blank": " 2",
    "newline": "2\n", "zero_denominator": "1/0", "negative_denominator": "1/-2", "null": None,
}.items():
    malformed(f"number_{name}", EXAMPLE, "not a rational in lowest terms",
              network=put(*HIDDEN, "weight", 0, 0, value))
malformed("number_nan", EXAMPLE, "not a rational in lowest terms",
          network=put(*HIDDEN, "weight", 0, 0, float("nan")))
malformed("inputs_is_true", EXAMPLE, "inputs: not an integer", network=put("inputs", True))
malformed("inputs_zero", EXAMPLE, "inputs: not an integer", network=put("inputs", 0))
malformed("ragged_row", EXAMPLE, "not a list of 2", network=put(*HIDDEN, "weight", 0, ["1"]))
malformed("long_bias", EXAMPLE, "not a list of 2", network=put(*HIDDEN, "bias", ["0"] * 3))
malformed("no_layers", EXAMPLE, "no last layer", network=put("layers", []))
malformed("no_neurons", EXAMPLE, "no neurons",
          network=do(put(*HIDDEN, "weight", []), put(*HIDDEN, "bias", [])))
malformed("other_kind", EXAMPLE, "kind is not dense", network=put(*HIDDEN, "kind", "conv2d"))
malformed("last_activation", EXAMPLE, "no last layer with activation identity",
          network=put("layers", 1, "activation", "tanh"))
malformed("unknown_activation", EXAMPLE, "unknown activation", network=put(*HIDDEN, "activation", "mish"))
malformed("activation_list", EXAMPLE, "unknown activation", network=put(*HIDDEN, "activation", ["tanh"]))
for slope in ("0", "1", "-1"):
    malformed(f"leaky_slope_{slope}", "scaled_leaky_relu", "is relu, identity or abs",
              network=put(*HIDDEN, "activation", "leaky_relu", slope))
malformed("leading_coefficient_zero", "odd_cubic", "the leading coefficient is zero",
          network=put(*HIDDEN, "activation", "polynomial", ["0", "1", "0"]))
malformed("empty_polynomial", "odd_cubic", "the leading coefficient is zero",
          network=put(*HIDDEN, "activation", "polynomial", []))
malformed("identity_as_polynomial", "odd_cubic", "the identity is spelled identity",
          network=put(*HIDDEN, "activation", "polynomial", ["0", "1"]))

for name, reason, value in (
    ("unknown_kind", "unknown kind", {"kind": "finite"}),
    ("no_object", "unknown kind", "rational"),
    ("extra_key", "'symbol' is missing or unknown", {**Q, "symbol": "t"}),
    ("reducible_square", "minpoly is not squarefree", {**ROOT2, "minpoly": ["4", "0", "-4", "0", "1"]}),
    ("not_monic", "not monic", {**ROOT2, "minpoly": ["-2", "0", "2"]}),
    ("degree_one", "not monic of degree 2", {**ROOT2, "minpoly": ["-2", "1"]}),
    ("degree_17", "not monic of degree 2", {**ROOT2, "minpoly": ["-2", *["0"] * 16, "1"]}),
    ("no_sign_change", "no sign change", {**ROOT2, "root": ["2", "3"]}),
    ("reversed_root", "no sign change", {**ROOT2, "root": ["2", "1"]}),
    ("end_is_root", "no sign change",
     {**ROOT2, "minpoly": ["2", "-3", "1"], "root": ["1", "3"]}),
    ("three_roots", "does not isolate one root",
     {**ROOT2, "minpoly": ["0", "-1", "0", "1"], "root": ["-2", "2"]}),
    ("symbol", "names: not a string", {**ROOT2, "symbol": "1t"}),
    ("two_names_equal", "different names", {**PARAMETERS, "names": ["a", "a"]}),
    ("no_names", "different names", {**PARAMETERS, "names": []}),
    ("name", "names: not a string", {**PARAMETERS, "names": ["a b"]}),
):
    malformed(f"field_{name}", EXAMPLE, reason, network=put("field", value), action=put("field", value))
malformed("coordinates_missing", "algebraic_scale", "not a list of 2",
          network=put(*HIDDEN, "weight", 0, 0, ["1"]))
for name, reason, value in (
    ("denominator_zero", "a denominator is zero", {"den": [], "num": []}),
    ("coefficient_zero", "a zero coefficient", poly([[0, 0], "0"])),
    ("terms_unsorted", "terms of a polynomial do not ascend", poly([[1, 0], "1"], [[0, 1], "1"])),
    ("terms_twice", "terms of a polynomial do not ascend", poly([[1, 0], "1"], [[1, 0], "1"])),
    ("exponent_missing", "not a list of 2", poly([[1], "1"])),
    ("exponent_negative", "not an integer of [0, 1000]", poly([[-1, 0], "1"])),
    ("term", "not a list of 2", poly([[1, 0]])),
    ("rational", "not an object", "1"),
):
    malformed(f"parametric_{name}", "parametric_tanh", reason,
              network=put(*HIDDEN, "weight", 0, 0, value))

malformed("no_generators", EXAMPLE, "no generators, nothing is claimed",
          action=put("generators", {}))
malformed("generators_list", EXAMPLE, "no generators, nothing is claimed",
          action=put("generators", [SWAP]))
malformed("generator_name", EXAMPLE, "a generator: not a string",
          action=do(put("generators", "s 1", {"input": SWAP, "output": "trivial"})))
malformed("generator_without_output", EXAMPLE, "'output' is missing", action=drop(*GENERATOR, "output"))
malformed("map_word", EXAMPLE, "neither trivial nor an object", action=put(*GENERATOR, "input", "swap"))
malformed("not_a_permutation", EXAMPLE, "not a permutation",
          action=put(*GENERATOR, "input", "permutation", [1, 1]))
malformed("permutation_out_of_range", EXAMPLE, "not an integer of [0, 1]",
          action=put(*GENERATOR, "input", "permutation", [1, 2]))
malformed("permutation_negative", EXAMPLE, "not an integer of [0, 1]",
          action=put(*GENERATOR, "input", "permutation", [1, -2]))
malformed("permutation_true", EXAMPLE, "not an integer of [0, 1]",
          action=put(*GENERATOR, "input", "permutation", [True, False]))
malformed("permutation_short", EXAMPLE, "not a list of 2",
          action=put(*GENERATOR, "input", "permutation", [0]))
malformed("sign_zero", EXAMPLE, "a sign is 0", action=put(*GENERATOR, "input", "signs", [1, 0]))
malformed("sign_two", EXAMPLE, "not an integer of [-1, 1]",
          action=put(*GENERATOR, "input", "signs", [1, 2]))
malformed("shift_short", EXAMPLE, "shift: not a list of 2", action=put(*GENERATOR, "input", "shift", ["1"]))
malformed("singular_matrix", TURNED, "the matrix is singular",
          action=put("generators", "r", "input", "matrix", [["1", "2"], ["2", "4"]]))
malformed("matrix_not_square", TURNED, "a matrix is not square",
          action=put("generators", "r", "input", "matrix", [["1", "2"]] * 3))
malformed("inverse_over_q", TURNED, "'inverse' is missing or unknown",
          action=put("generators", "r", "input", "inverse", [["0", "1"], ["-1", "0"]]))
malformed("inverse_missing", "algebraic_rotation", "'inverse' is missing or unknown",
          action=drop("generators", "r", "input", "inverse"))
malformed("inverse_wrong", "algebraic_rotation", "inverse is not the inverse",
          action=put("generators", "r", "input", "inverse", 0, 0, ONE2))
malformed("singular_parametric", "given_true_parametric", "inverse is not the inverse",
          action=put("generators", "s", "input", "matrix", [[A, A], [A, A]]))
malformed("relator_fails_on_input", "relators", "relator 0 fails on the input",
          action=put("relators", ["s"]))
malformed("relator_fails_on_output", "rotation_matrix", "relator 0 fails on the output",
          action=do(put("generators", "r", "input", "trivial"), put("relators", ["r^2"])),
          network=put(*HIDDEN, "weight", 0, 0, "1"))
for name, word in {
    "unknown_generator": "x^2", "open": "(s s", "closed": "s s)", "exponent_first": "^2 s",
    "exponent_zero": "s^0", "symbols": "s*s", "digits": "s 2", "not_text": 3, "bare_exponent": "(^2)",
}.items():
    malformed(f"relator_{name}", "relators", "relator", action=put("relators", [word]))

malformed("unknown_verdict", EXAMPLE, "unknown verdict", witness=put("verdict", "equivariant"))
malformed("verdict_list", EXAMPLE, "unknown verdict", witness=put("verdict", ["layerwise"]))
malformed("source_format", EXAMPLE, "source: format", witness=put("source", "network", "format", "keras"))
malformed("source_hash", EXAMPLE, "source: sha256", witness=put("source", "action", "sha256", "abc"))
malformed("source_name", EXAMPLE, "source: name", witness=put("source", "action", "name", None))
malformed("source_missing", EXAMPLE, "'source' is missing", witness=drop("source"))
malformed("latents_missing_layer", EXAMPLE, "not a list of 1", evidence=put("latents", []))
malformed("latents_missing_generator", "relators", "'t' is missing", evidence=drop("latents", 0, "t"))
malformed("latents_extra_generator", EXAMPLE, "'u' is missing or unknown",
          evidence=put("latents", 0, "u", latent([1, 0])))
malformed("latent_not_a_permutation", EXAMPLE, "not a permutation",
          evidence=put("latents", 0, "s", latent([1, 1])))
malformed("latent_scale_short", "scaled_relu", "not a list of 2",
          evidence=put("latents", 0, "s", "scale", ["1/2"]))
malformed("weights_in_the_witness", EXAMPLE, "'weight' is missing or unknown",
          evidence=put("weight", [["1"]]))
malformed("unknown_step", "step_drop", "unknown rule", evidence=put("steps", 0, "rule", "trust"))
malformed("step_without_rule", "step_drop", "unknown rule", evidence=drop("steps", 0, "rule"))
malformed("step_layer_is_last", "step_drop", "steps: layer", evidence=put("steps", 0, "layer", 1))
malformed("step_neuron_negative", "step_drop", "steps: neuron", evidence=put("steps", 0, "neuron", -1))
malformed("step_extra_key", "step_drop", "'scale' is missing or unknown", evidence=put("steps", 0, "scale", "1"))
malformed("merge_out_of_range", "step_merge", "steps: keep", evidence=put("steps", 0, "keep", 3))
malformed("affine_after_drop", "step_affine", "affine steps come first",
          evidence=put("steps", [{"rule": "drop", "layer": 0, "neuron": 0},
                                 {"rule": "affine", "layer": 0}]),
          network=do(put("layers", 0, "activation", "tanh"),
                     put("layers", 1, "weight", [["0", "1"], ["0", "2"]]))
         )
malformed("embedding_missing", "step_drop", "embedding", evidence=drop("embedding"))
malformed("embedding_of_a_constant", "step_collapse", "a collapsed network has none",
          evidence=put("embedding", {"positions": []}))
malformed("embedding_order", "step_drop", "do not increase", evidence=put("embedding", "positions", [[1, 0]]))
malformed("embedding_twice", "step_drop", "do not increase", evidence=put("embedding", "positions", [[1, 1]]))
malformed("embedding_out_of_range", "step_drop", "not an integer of [0, 2]",
          evidence=put("embedding", "positions", [[1, 3]]))
malformed("embedding_layers", "step_drop", "not a list of 1", evidence=put("embedding", "positions", []))
malformed("given_null", "given_true", "value is not a boolean", evidence=put("given", "value", None))
malformed("given_one", "given_true", "value is not a boolean", evidence=put("given", "value", 1))
malformed("given_true_without_latents", "given_true", "'latents' is missing",
          evidence=drop("given", "latents"))
malformed("given_false_with_latents", "given_true", "'latents' is missing or unknown",
          evidence=put("given", "value", False))
malformed("obstruction_generator", "norm", "no such generator", evidence=put("obstruction", "generator", "h"))
malformed("obstruction_generator_list", "norm", "no such generator",
          evidence=put("obstruction", "generator", ["g"]))
malformed("obstruction_layer", "norm", "obstruction: layer", evidence=put("obstruction", "layer", 2))
malformed("obstruction_row", "norm", "obstruction: row", evidence=put("obstruction", "row", 2))
malformed("obstruction_latents_missing", "output_obstruction", "not a list of 1",
          evidence=put("obstruction", "latents", []))
malformed("unknown_equivariance", "norm", "unknown rule", evidence=put("equivariance", "rule", "trust"))
malformed("refuted_generator", "refuted_relu", "no such generator", evidence=put("generator", "t"))
malformed("refuted_generator_list", "refuted_relu", "no such generator", evidence=put("generator", ["s"]))
malformed("refuted_component", "refuted_relu", "evidence: component", evidence=put("component", 1))
malformed("refuted_component_negative", "refuted_relu", "evidence: component", evidence=put("component", -1))
malformed("refuted_point", "refuted_relu", "not a list of 2", evidence=put("point", ["1"]))
malformed("refuted_bits_missing", "refuted_tanh", "'bits' is missing", evidence=drop("bits"))
malformed("refuted_bits_superfluous", "refuted_relu", "'bits' is missing or unknown",
          evidence=put("bits", 64))
malformed("refuted_bits_zero", "refuted_tanh", "evidence: bits", evidence=put("bits", 0))
malformed("refuted_bits_huge", "refuted_tanh", "evidence: bits", evidence=put("bits", 10**9))
malformed("refuted_parameters_missing", "refuted_parametric", "'b' is missing", evidence=drop("parameters", "b"))
malformed("refuted_parameters_superfluous", "refuted_relu", "'parameters' is missing or unknown",
          evidence=put("parameters", {}))


def repacked(*tensors: Json, **change: Json) -> dict[str, Change]:
    """The tensor file rewritten, its hash in network.json corrected."""
    data = safetensors(*(tensors or WEIGHTS), **change)
    digest = hashlib.sha256(data).hexdigest()
    return {
        "network": put("tensors", "sha256", digest),
        "extra": lambda files: {**files, "weights.safetensors": data},
    }


def retyped(change: Callable[[bytes], bytes]) -> dict[str, Change]:
    data = change(TENSORS)
    digest = hashlib.sha256(data).hexdigest()
    return {
        "network": put("tensors", "sha256", digest),
        "extra": lambda files: {**files, "weights.safetensors": data},
    }


BIAS, WEIGHT = WEIGHTS
malformed("tensor_nan", "tensors", "not finite", **repacked(BIAS, (*WEIGHT[:3], [0.5, -3.0, float("nan"), 0.5])))
malformed("tensor_infinite", "tensors", "not finite", **repacked(BIAS, (*WEIGHT[:3], [0.5, -3.0, float("inf"), 0.5])))
malformed("tensor_shape", "tensors", "the shape differs", **repacked(BIAS, (WEIGHT[0], "F32", [4], WEIGHT[3])))
malformed("tensor_bias_shape", "tensors", "not one bias",
          **repacked(("layers.0.bias", "F64", [2, 2], [0.1] * 4), WEIGHT))
malformed("tensor_missing", "tensors", "no such tensor", network=put(*HIDDEN, "bias", {"tensor": "x"}))
malformed("tensor_name_list", "tensors", "no such tensor", network=put(*HIDDEN, "bias", {"tensor": ["x"]}))
malformed("tensor_metadata", "tensors", "is missing or unknown", **repacked(__metadata__={"format": "pt"}))
malformed("tensor_gap", "tensors", "the offsets do not cover",
          **repacked(**{BIAS[0]: {"data_offsets": [0, 15], "dtype": "F64", "shape": [2]}}))
malformed("tensor_overlap", "tensors", "the offsets do not cover",
          **repacked(**{WEIGHT[0]: {"data_offsets": [8, 24], "dtype": "F32", "shape": [2, 2]}}))
malformed("tensor_dtype", "tensors", "dtype is not F64 or F32",
          **repacked(**{WEIGHT[0]: {"data_offsets": [16, 32], "dtype": "I32", "shape": [2, 2]}}))
malformed("tensor_bytes_left", "tensors", "bytes after the last tensor", **retyped(lambda data: data + b"\0"))
malformed("tensor_cut", "tensors", "not an integer of [0, ", **retyped(lambda data: data[:-1]))
malformed("tensor_header_cut", "tensors", "the header is cut off", **retyped(lambda data: data[:20]))
malformed("tensor_empty", "tensors", "the header is cut off", **retyped(lambda data: b""))
malformed("tensor_header_twice", "tensors", "the same key twice",
          **retyped(lambda data: struct.pack("<Q", 25) + b'{"a":{},"a":{}}          ' + data[-32:]))
malformed("tensor_path", "tensors", "tensors: file", network=put("tensors", "file", "../weights.safetensors"))
malformed("tensor_file_missing", "tensors", "cannot be read", network=put("tensors", "file", "other.safetensors"))
malformed("tensors_over_a_field", "tensors", "not over this field",
          network=put("field", ROOT2), action=put("field", ROOT2))

# ----------------------------------- equivariance by reversals, normal forms, cells; collisions

def end_to_end(equivariance: Json, row: int = 0, layer: int = 0, generator: str = "g", **extra: Json) -> Json:
    obstruction = {"generator": generator, "latents": [], "layer": layer, "row": row}
    return {"equivariance": equivariance, "obstruction": obstruction, "steps": [], **extra}


def reversal(*latents: Json, generator: str = "g") -> Json:
    return {"rule": "even_linear", "generators": {generator: list(latents)}}


NORMAL_FORM = {"rule": "normal_form"}
REVERSED = latent([2, 1, 0], ["-1", "-1", "-1"])
for sigma in ("relu", "gelu", "silu", "softplus", {"leaky_relu": "1/10"}):
    accept(
        f"tent_{sigma if isinstance(sigma, str) else 'leaky_relu'}",  # σ(x+1) − 2σ(x) + σ(x−1)
        network(1, layer(sigma, [["1"], ["1"], ["1"]], ["1", "0", "-1"]),
                layer("identity", [["1", "-2", "1"]], ["0"])),
        action(g=(FLIP, "trivial")), "end_to_end_only", end_to_end(reversal(REVERSED)),
    )
accept(
    "tent_scaled",  # the outer neurons of the tent at other scales
    network(1, layer("relu", [["2"], ["1"], ["1/3"]], ["2", "0", "-1/3"]),
            layer("identity", [["1/2", "-2", "3"]], ["0"])),
    action(g=(FLIP, "trivial")), "end_to_end_only",
    end_to_end(reversal(latent([2, 1, 0], ["-6", "-1", "-1/6"]))),
)
accept(
    "tent_algebraic",
    network(1, layer("relu", [[["0", "1"]], [ONE2], [ONE2]], [["0", "1"], ZERO2, NEGATIVE2]),
            layer("identity", [[HALF2, ["-2", "0"], ONE2]], [ZERO2]), field=ROOT2),
    action(ROOT2, g=(FLIP, "trivial")), "end_to_end_only",
    end_to_end(reversal(latent([2, 1, 0], [["0", "-1"], NEGATIVE2, ["0", "-1/2"]]))),
)
accept(
    "tent_deep",  # the tent and twice the tent with a bias, then tanh; sign representation for tanh(x)
    network(1, layer("silu", [["1"], ["1"], ["1"]], ["1", "0", "-1"]),
            layer("tanh", [["1", "-2", "1"], ["2", "-4", "2"]], ["0", "1"]), layer("identity", [["3", "5"]], ["0"])),
    action(g=(FLIP, "trivial")), "end_to_end_only", end_to_end(reversal(REVERSED, latent([0, 1]))),
)
accept(
    "tent_above_tanh",  # the tent of an odd hidden layer, with a constant remainder 2σ(2) − 2σ(−2) − 4
    network(1, layer("tanh", [["3"]], ["0"]), layer("relu", [["1"], ["1"], ["1"]], ["2", "0", "-2"]),
            layer("identity", [["1", "-2", "1"]], ["0"])),
    action(g=(FLIP, "trivial")), "end_to_end_only",
    {"equivariance": reversal(latent([0], ["-1"]), REVERSED), "steps": [],
     "obstruction": {"generator": "g", "latents": [latent([0], ["-1"])], "layer": 1, "row": 0}},
)
OPPOSITE = network(1, layer("gelu", [["1"], ["-1"]], ["0", "0"]), layer("identity", [["3", "-3"]], ["1"]))
DOUBLED = {"matrix": [["2"]]}
accept(
    "opposite_gelu",  # gelu(x) − gelu(−x) = x
    network(1, OPPOSITE["layers"][0], layer("identity", [["3", "-3"]], ["0"])),
    action(g=(DOUBLED, DOUBLED)), "end_to_end_only", end_to_end(NORMAL_FORM),
)
accept(
    "norm_under_tanh",  # tanh, ReLU, ELU of x² + y² under a rotation
    network(2, layer({"polynomial": ["0", "0", "1"]}, [["1", "0"], ["0", "1"]], ["0", "0"]),
            layer("tanh", [["1", "1"], ["2", "2"]], ["-3", "1"]), layer("relu", [["1", "2"], ["-1", "3"]], ["0", "1"]),
            layer("elu", [["1", "-1"], ["1", "1"]], ["1/2", "0"]), layer("identity", [["1", "1"]], ["0"])),
    action(g=(ROTATION, "trivial")), "end_to_end_only", end_to_end(NORMAL_FORM),
)
accept(
    "norm_parametric_under_sigmoid",
    network(2, layer({"polynomial": ["0", "0", "1"]}, [[A, ZERO], [ZERO, A]], [ZERO] * 2),
            layer("sigmoid", [[B, B]], [A]), layer("identity", [[A]], [ZERO]), field=PARAMETERS),
    action(PARAMETERS, g=({"matrix": [[poly([[0, 0], "3/5"]), poly([[0, 0], "-4/5"])], [poly([[0, 0], "4/5"]), poly([[0, 0], "3/5"])]],
                           "inverse": [[poly([[0, 0], "3/5"]), poly([[0, 0], "4/5"])], [poly([[0, 0], "-4/5"]), poly([[0, 0], "3/5"])]]},
                          "trivial")),
    "end_to_end_only", end_to_end(NORMAL_FORM),
)
accept(
    "hat_algebraic",  # |v| of algebraic rows meet up to sign
    network(1, layer("relu", [[["0", "1"]], [["0", "1"]]], [ONE2, NEGATIVE2]), layer("identity", [[ONE2, NEGATIVE2]], [NEGATIVE2]),
            field=ROOT2),
    action(ROOT2, g=(FLIP, FLIP)), "end_to_end_only", end_to_end(NORMAL_FORM),
)
accept(
    "clamps",  # 2h(x − 1) − h(2x − 1) − h(2x − 3) = 0 for h = hard_tanh, and an even sum of ReLU6
    network(1, layer("hard_tanh", [["1"], ["2"], ["2"], ["1"]], ["-1", "-1", "-3", "0"]),
            layer("relu6", [["2", "-1", "-1", "1"], ["4", "-2", "-2", "-1"]], ["3", "3"]), layer("identity", [["1", "1"]], ["0"])),
    action(g=(FLIP, "trivial")), "end_to_end_only", end_to_end(NORMAL_FORM),
)
MAXIMUM = network(3, layer("relu", [["1", "-1", "0"], ["0", "1", "0"], ["0", "-1", "0"], ["0", "0", "1"], ["0", "0", "-1"]], ["0"] * 5),
                  layer("relu", [["1", "1", "-1", "-1", "1"], ["0", "0", "0", "1", "0"], ["0", "0", "0", "0", "1"]], ["0"] * 3),
                  layer("identity", [["1", "1", "-1"]], ["0"]))
CYCLE = {"permutation": [1, 2, 0]}


def kink(*place: int, below: Json, above: Json) -> Json:
    return {"neuron": list(place), "below": below, "above": above}


def empty(*multipliers: str, triangles: list[Json] | None = None) -> Json:
    return {"infeasible": list(multipliers)} | ({} if triangles is None else {"triangles": triangles})


# max(max(x, y), z) under a cycle: σ(z) ≥ 0 is passed on, then x − y and y − z are split
ORDER = kink(0, 0, 0, 0,
             below=kink(1, 0, 0, 0, below=kink(0, 1, 0, 0, below=empty("1", "1", "1"), above="equal"), above="equal"),
             above=kink(1, 1, 0, 0, below=empty("2", "2", triangles=[[0, 1, 0, 0, -1, "1"]]), above="equal"))
TREE = ORDER
for place, bound in (((1, 1, 2, 0), [0, 0, 1, 0, -1, "1"]), ((0, 1, 2, 0), [0, 0, 3, 0, -1, "1"]),
                     ((1, 1, 1, 0), [0, 0, 1, 0, 1, "1"]), ((0, 1, 1, 0), [0, 0, 3, 0, 1, "1"])):
    TREE = kink(*place, below=empty("2", triangles=[bound]), above=TREE)
accept("cells_maximum", MAXIMUM, action(g=(CYCLE, "trivial")), "end_to_end_only",
       end_to_end({"rule": "cells", "generators": {"g": TREE}}))
# |x| with a neuron that never fires in the next layer, −h_0 − h_1 − h_2 − 1 < 0
SILENT = network(1, layer("relu", [["1"], ["-1"], ["1"]], ["0", "0", "1"]),
                 layer("relu", [["1", "0", "0"], ["0", "2", "0"], ["-1", "-1", "-1"]], ["0", "0", "-1"]),
                 layer("identity", [["2", "1", "5"]], ["0"]))
NEVER = kink(0, 1, 2, 0, above=empty("2", triangles=[[0, 0, 0, 0, 1, "2"], [0, 0, 2, 0, -1, "1"]]),
             below=kink(1, 1, 2, 0, above=empty("2", triangles=[[0, 0, 0, 0, -1, "2"], [1, 0, 2, 0, -1, "1"]]), below="equal"))
accept("cells_silent", SILENT, action(g=(FLIP, "trivial")), "end_to_end_only",
       end_to_end({"rule": "cells", "generators": {"g": NEVER}}, row=2))
COLLISION = {"generator": "g", "layer": 0, "x": ["1", "-1/2"], "y": ["1", "-1/3"]}
EVEN = network(2, layer("relu", [["1", "0"], ["0", "1"], ["-1", "-1"]], ["0"] * 3), layer("identity", [["1", "1", "1"]], ["0"]))
MINUS = {"permutation": [0, 1], "signs": [-1, -1]}
accept(
    "collision",  # ReLU(x) + ReLU(y) + ReLU(−x − y) is even; two points where one neuron is active
    EVEN, action(g=(MINUS, "trivial")), "end_to_end_only",
    end_to_end(reversal(latent([0, 1, 2], ["-1"] * 3)), collision=COLLISION),
)
accept(
    "collision_given",  # the same with a dead neuron; the given parameter has no action on its layer
    network(2, layer("relu", [["1", "0"], ["0", "1"], ["-1", "-1"], ["-5", "-7"]], ["0"] * 4),
            layer("identity", [["1", "1", "1", "0"]], ["0"])),
    action(g=(MINUS, "trivial")), "end_to_end_only",
    {**end_to_end(reversal(latent([0, 1, 2], ["-1"] * 3)), given={"value": False, "collision": COLLISION}),
     "steps": [{"layer": 0, "neuron": 3, "rule": "drop"}]},
)
accept(
    "collision_kernel",  # tanh(x + 2y) and tanh(2x + y) of (x, y, z) − … forget one direction; F is transcendental
    network(3, layer({"polynomial": ["0", "0", "1"]}, [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]], ["0"] * 3),
            layer("tanh", [["1", "1", "1"]], ["1"]), layer("identity", [["1"]], ["0"])),
    action(g=({"matrix": [["3/5", "-4/5", "0"], ["4/5", "3/5", "0"], ["0", "0", "1"]]}, "trivial")), "end_to_end_only",
    end_to_end(NORMAL_FORM, collision={"generator": "g", "layer": 0, "x": ["1", "1", "0"], "y": ["1", "-1", "0"]}),
)

EQUIVARIANT = ("equivariance", "generators", "g")
rejected("reversal_of_scale", "opposite_gelu", "does not pass a scale",
         evidence=put("equivariance", reversal(latent([0, 1], ["2", "2"]))))
rejected("reversal_of_zero", "tent_relu", "does not pass a scale", evidence=put(*EQUIVARIANT, 0, "scale", ["-1", "0", "-1"]))
rejected("reversal_of_rows", "tent_gelu", "is not the scaled row", evidence=put(*EQUIVARIANT, 0, "permutation", [0, 1, 2]))
rejected("reversal_of_outputs", "tent_relu", "breaks the output equation", network=put("layers", 1, "weight", 0, 2, "2"))
rejected("reversal_with_remainder", "tent_deep", "is not the scaled row", network=put("layers", 1, "weight", 0, ["1", "2", "1"]))
rejected("reversal_of_elu", "tent_relu", "admits no such scale", network=put("layers", 0, "activation", "elu"))
rejected("reversal_of_tanh", "tent_above_tanh", "admits no such scale", evidence=put(*EQUIVARIANT, 0, "scale", ["-2"]))
malformed("reversal_layers", "tent_relu", "not a list of 1", evidence=put(*EQUIVARIANT, []))
malformed("reversal_generator", "tent_relu", "is missing or unknown", evidence=put("equivariance", "generators", {}))
rejected("normal_form_weight", "norm_under_tanh", "differ formally", network=put("layers", 0, "weight", 0, 0, "2"))
rejected("normal_form_of_a_tent", "tent_gelu", "differ formally",
         network=put("layers", 1, "weight", 0, 1, "-3"), evidence=put("equivariance", NORMAL_FORM))
rejected("normal_form_sign_of_parameter", "norm_parametric_under_sigmoid", "differ formally",
         network=do(put("layers", 0, "activation", "abs"), put("layers", 0, "weight", 0, 0, B)))
malformed("normal_form_with_data", "opposite_gelu", "'generators' is missing or unknown", evidence=put("equivariance", "generators", {}))
malformed("equivariance_list", "norm", "unknown rule", evidence=put("equivariance", ["polynomial"]))
malformed("equivariance_rule_list", "norm", "unknown rule", evidence=put("equivariance", "rule", ["polynomial"]))
rejected("cells_claimed", "cells_maximum", "differ formally on a cell", evidence=put(*EQUIVARIANT, "equal"))
rejected("cells_weight", "cells_maximum", "differ formally on a cell", network=put("layers", 1, "weight", 0, 3, "-2"))
rejected("cells_split_of_bent", "cells_maximum", "not affine, or zero",
         evidence=put(*EQUIVARIANT, kink(0, 1, 0, 0, below=TREE, above=TREE)))


def silent(*cut: str) -> Json:
    """The tree of SILENT where x has a sign, with the multipliers of the cuts."""
    leaves = [empty(*cut, "2", triangles=[[side, 0, 2, 0, 1, "1"]]) for side in (0, 1)]
    return kink(0, 1, 2, 0, above=leaves[0], below=kink(1, 1, 2, 0, above=leaves[1], below="equal"))


accept("cells_silent_split", SILENT, action(g=(FLIP, "trivial")), "end_to_end_only",
       end_to_end({"rule": "cells", "generators": {"g": kink(0, 0, 0, 0, below=silent("2"), above=silent("2"))}}, row=2))
NOTHING = empty("0", "1")
rejected("cells_split_of_zero", "cells_silent_split", "not affine, or zero",
         evidence=put(*EQUIVARIANT, "below", kink(0, 1, 0, 0, below=silent("2", "0"), above=silent("2", "0"))))
rejected("cells_no_half", "cells_silent_split", "no half of a cell",
         evidence=put(*EQUIVARIANT, "below", kink(0, 1, 0, 0, below=NOTHING, above=NOTHING)))
AT = (*EQUIVARIANT, *["above"] * 4)
rejected("cells_wrong_half", "cells_silent", "differ formally on a cell",
         evidence=put(*EQUIVARIANT, {**NEVER, "below": NEVER["above"], "above": NEVER["below"]}))
rejected("cells_multiplier", "cells_maximum", "do not show that a half",
         evidence=put(*AT, "below", "below", "below", "infeasible", ["1", "1", "2"]))
rejected("cells_multipliers_zero", "cells_maximum", "do not show that a half",
         evidence=put(*AT, "below", "below", "below", "infeasible", ["0", "0", "0"]))
rejected("cells_triangle_other_way", "cells_maximum", "do not show that a half",
         evidence=put(*EQUIVARIANT, "below", "triangles", 0, 4, -1))
rejected("cells_negative_multiplier", "cells_maximum", "multiplier is negative",
         evidence=put(*EQUIVARIANT, "below", "triangles", [[0, 0, 3, 0, 0, "2"], [0, 0, 3, 0, -1, "-1"]]))
malformed("cells_kink", "cells_maximum", "there is none such", evidence=put(*EQUIVARIANT, "neuron", [0, 1, 3, 0]))
malformed("cells_kink_side", "cells_maximum", "there is none such", evidence=put(*EQUIVARIANT, "neuron", [2, 1, 1, 0]))
malformed("cells_triangle_kink", "cells_maximum", "there is none such",
          evidence=put(*EQUIVARIANT, "below", "triangles", 0, [0, 0, 3, 1, 1, "1"]))
malformed("cells_triangle_sign", "cells_maximum", "cells: sign", evidence=put(*EQUIVARIANT, "below", "triangles", 0, 4, 2))
malformed("cells_multipliers_missing", "cells_maximum", "not a list of 1", evidence=put(*EQUIVARIANT, "below", "infeasible", []))
malformed("cells_half_missing", "cells_maximum", "'below' is missing", evidence=drop(*EQUIVARIANT, "below"))
malformed("cells_tree_word", "cells_maximum", "cells: not an object", evidence=put(*EQUIVARIANT, "same"))
malformed("cells_leaf_key", "cells_maximum", "'because' is missing or unknown", evidence=put(*EQUIVARIANT, "below", "because", "1"))
rejected("collision_of_different_values", "collision", "the two points differ", evidence=put("collision", "y", ["2", "-1/3"]))
rejected("collision_of_one_point", "collision", "the moved points agree", evidence=put("collision", "y", ["1", "-1/2"]))
rejected("collision_of_the_last_layer", "collision_kernel", "the moved points agree", evidence=put("collision", "layer", 1))
rejected("collision_given_moved", "collision_given", "the two points differ", evidence=put("given", "collision", "y", ["1", "-3/4"]))
malformed("collision_layer", "collision", "collision: layer", evidence=put("collision", "layer", 1))
malformed("collision_generator", "collision", "collision: no such generator", evidence=put("collision", "generator", "s"))
malformed("collision_generator_list", "collision", "collision: no such generator", evidence=put("collision", "generator", ["g"]))
malformed("collision_point", "collision", "not a list of 2", evidence=put("collision", "x", ["1"]))
malformed("collision_and_obstruction", "collision_given", "'obstruction' is missing or unknown",
          evidence=put("given", "obstruction", {"generator": "g", "latents": [], "layer": 0, "row": 0}))
other("formal_product", "norm_under_tanh", "terms of a product", 5,
      network=lambda n: network(3, layer({"polynomial": [*["0"] * 40, "1"]}, [["1", "1", "1"]], ["1"]),
                                layer("tanh", [["1"]], ["0"]), layer("identity", [["1"]], ["0"])),
      action=lambda a: action(g=({"matrix": [["1", "1", "0"], ["0", "1", "0"], ["0", "0", "1"]]}, "trivial")))

# ---------------------------------------------------------------- comparisons of two networks

def equal(rule: str, steps: list[Json] | None = None, steps2: list[Json] | None = None, **data: Json) -> Json:
    return {"equality": {"rule": rule, **data}, "steps": steps or [], "steps2": steps2 or []}


LAST = ("layers", -1)
SHALLOW = layer("tanh", [["2", "1"], ["1", "0"]], ["1", "3"])
accept(
    "equal_latents",  # neurons in another order, with other signs and scales
    network(2, SHALLOW, layer("relu", [["1", "2"], ["3", "1"]], ["1", "0"]), layer("identity", [["5", "7"]], ["1"])),
    network(2, layer("tanh", [["-1", "0"], ["2", "1"]], ["-3", "1"]), layer("relu", [["-1", "3"], ["-4", "2"]], ["0", "2"]),
            layer("identity", [["7", "5/2"]], ["1"])),
    "equal", equal("latents", latents=[latent([1, 0], ["-1", "1"]), latent([1, 0], ["1", "2"])]),
)
HARD = network(1, layer("hard_tanh", [["1"]], ["-1"]), layer("identity", [["2"]], ["0"]))
accept("equal_hard_tanh", HARD,  # 2ht(t − 1) = ht(2t − 1) + ht(2t − 3)
       network(1, layer("hard_tanh", [["2"], ["2"]], ["-1", "-3"]), layer("identity", [["1", "1"]], ["0"])),
       "equal", equal("canonical_form"))
accept("equal_relu6_relu", network(1, layer("relu6", [["2"]], ["1"]), layer("identity", [["1"]], ["0"])),
       network(1, layer("relu", [["2"], ["2"]], ["1", "-5"]), layer("identity", [["1", "-1"]], ["0"])),
       "equal", equal("canonical_form"))
accept("equal_sigmoid_tanh", network(1, layer("sigmoid", [["4"]], ["6"]), layer("identity", [["2"]], ["-1"])),
       network(1, layer("tanh", [["2"]], ["3"]), layer("identity", [["1"]], ["0"])), "equal", equal("canonical_form"))
accept(
    "equal_constants",  # 2 sigmoid(1) = 1 + tanh(1/2): constants of folded neurons
    network(1, layer("sigmoid", [["0"], ["2"]], ["1", "0"]), layer("identity", [["2", "2"]], ["0"])),
    network(1, layer("tanh", [["0"], ["1"]], ["1/2", "0"]), layer("identity", [["1", "1"]], ["2"])),
    "equal", equal("canonical_form", *([{"layer": 0, "neuron": 0, "rule": "fold"}],) * 2),
)
accept("equal_reflected", network(2, layer("gelu", [["1", "2"], ["-1", "-2"]], ["3", "-3"]), layer("identity", [["5", "-5"]], ["1"])),
       network(2, layer("identity", [["5", "10"]], ["16"])), "equal", equal("canonical_form"))
accept("equal_tents", *(network(1, layer("softplus", [[w]] * 3, ["1", "0", "-1"]), layer("identity", [["1", "-2", "1"]], ["0"]))
                        for w in ("1", "-1")),
       "equal", equal("even_linear", latents=[latent([2, 1, 0], ["-1"] * 3)]))
ROOT = ["0", "1"]
accept(
    "equal_algebraic",  # |√2x + 2y| = √2|x + √2y|, and ReLU(z) + ReLU(−z) = |z|
    network(2, layer("abs", [[ROOT, ["2", "0"]]], [["0", "0"]]), layer("identity", [[["1", "0"]]], [["0", "0"]]), field=ROOT2),
    network(2, layer("relu", [[["1", "0"], ROOT], [["-2", "0"], ["0", "-2"]]], [["0", "0"]] * 2),
            layer("identity", [[ROOT, ["0", "1/2"]]], [["0", "0"]]), field=ROOT2),
    "equal", equal("canonical_form"),
)
accept(
    "equal_parametric",  # a GELU(ax) − a GELU(−ax) = a²x
    network(1, layer("gelu", [[A], [poly([[1, 0], "-1"])]], [B, poly([[0, 1], "-1"])]),
            layer("identity", [[A, poly([[1, 0], "-1"])]], [ZERO]), field=PARAMETERS),
    network(1, layer("identity", [[poly([[2, 0], "1"])]], [poly([[1, 1], "1"])]), field=PARAMETERS),
    "equal", equal("canonical_form"),
)
accept(
    "equal_scaled_parameter",  # ReLU(2ax) − ReLU(−2ax) = 2ax
    network(1, layer("relu", [[poly([[1, 0], "2"])], [poly([[1, 0], "-3"])]], [ZERO, ZERO]),
            layer("identity", [[poly([[0, 0], "1/2"]), poly([[0, 0], "-1/3"])]], [ZERO]), field=PARAMETERS),
    network(1, layer("identity", [[A]], [ZERO]), field=PARAMETERS), "equal", equal("canonical_form"),
)
accept(
    "equal_denominators",  # GELU(ax/b) − GELU(−ax/b) = ax/b
    network(1, layer("gelu", [[A_OVER_B], [{**A_OVER_B, "num": [[[1, 0], "-1"]]}]], [ZERO, ZERO]),
            layer("identity", [[ONE, poly([[0, 0], "-1"])]], [ZERO]), field=PARAMETERS),
    network(1, layer("identity", [[A_OVER_B]], [ZERO]), field=PARAMETERS), "equal", equal("canonical_form"),
)
accept(
    "equal_polynomials",  # ((x + 1)² − 1)² = (x + 1)⁴ − 2(x + 1)² + 1
    network(1, layer({"polynomial": ["0", "0", "1"]}, [["1"]], ["1"]), layer({"polynomial": ["0", "0", "1"]}, [["1"]], ["-1"]),
            layer("identity", [["1"]], ["0"])),
    network(1, layer({"polynomial": ["1", "0", "-2", "0", "1"]}, [["1"]], ["1"]), layer("identity", [["1"]], ["0"])),
    "equal", equal("polynomial"),
)
accept(
    "equal_cells",  # ReLU(ReLU(x)) = ReLU(x)
    network(1, *[layer("relu", [["1"]], ["0"])] * 2, layer("identity", [["1"]], ["0"])),
    network(1, layer("relu", [["1"]], ["0"]), layer("identity", [["1"]], ["0"])),
    "equal", equal("cells", tree=kink(1, 1, 0, 0, above="equal", below=empty("2", triangles=[[0, 0, 0, 0, 1, "1"]]))),
)
accept(
    "equal_reduced",  # a clone, a dead and a constant neuron on one side, nothing on the other
    network(1, layer("tanh", [["1"], ["-1"], ["5"], ["0"]], ["2", "-2", "0", "0"]), layer("identity", [["3", "1", "0", "4"]], ["0"])),
    network(1, layer("tanh", [["1"]], ["2"]), layer("identity", [["2"]], ["0"])),
    "equal", equal("latents", steps=[{"layer": 0, "neuron": 2, "rule": "drop"}, {"layer": 0, "neuron": 2, "rule": "fold"},
                                     {"drop": 1, "keep": 0, "layer": 0, "rule": "merge", "scale": "-1"}],
                   latents=[latent([0])]),
)
accept("different_hard_tanh", HARD, network(1, layer("hard_tanh", [["2"]], ["-1"]), layer("identity", [["2"]], ["0"])),
       "different", {"component": 0, "gap": "1/2", "point": ["3/4"]})
accept("different_tanh", network(1, layer("tanh", [["1"]], ["0"]), layer("identity", [["1"], ["2"]], ["0", "0"])),
       network(1, layer("tanh", [["1"]], ["0"]), layer("identity", [["1"], ["2"]], ["0", "1/1000"])),
       "different", {"bits": 64, "component": 1, "gap": "1/2000", "point": ["1"]})
accept("different_parametric", network(1, layer("identity", [[A]], [ZERO]), field=PARAMETERS),
       network(1, layer("relu", [[A]], [B]), layer("identity", [[ONE]], [ZERO]), field=PARAMETERS),
       "different", {"component": 0, "gap": "1", "parameters": {"a": "1", "b": "2"}, "point": ["-3"]})
rejected("equal_latents_weight", "equal_latents", "is not the scaled row", network2=put("layers", 1, "weight", 0, 0, "-2"))
rejected("equal_latents_output", "equal_latents", "breaks the output equation", network2=put(*LAST, "bias", 0, "2"))
rejected("equal_latents_scale", "equal_latents", "admits no such scale", evidence=put("equality", "latents", 1, "scale", ["1", "-2"]))
rejected("equal_latents_other_activation", "equal_latents", "widths or activations", network2=put("layers", 1, "activation", "abs"))
rejected("equal_latents_other_width", "equal_reduced", "widths or activations", evidence=put("steps", []))
rejected("equal_latents_depth", "equal_cells", "widths or activations",
         evidence=put("equality", {"rule": "latents", "latents": [latent([0])]}))
rejected("equal_reversal_of_rows", "equal_tents", "is not the scaled row", evidence=put("equality", "latents", 0, "permutation", [0, 1, 2]))
rejected("equal_reversal_output", "equal_tents", "breaks the output equation", network2=put(*LAST, "weight", 0, 2, "2"))
rejected("equal_reversal_depth", "equal_cells", "widths or activations",
         evidence=put("equality", {"rule": "even_linear", "latents": [latent([0])]}))
rejected("equal_hard_tanh_kink", "equal_hard_tanh", "differ formally", network2=put("layers", 0, "bias", 1, "-2"))
rejected("equal_hard_tanh_linear", "equal_reflected", "differ formally", network2=put("layers", 0, "weight", 0, 1, "9"))
rejected("equal_constant", "equal_constants", "differ formally", network2=put(*LAST, "bias", 0, "3"))
rejected("equal_atoms", "equal_constants", "differ formally", network2=put("layers", 0, "bias", 0, "1/3"))
rejected("equal_as_elu", "equal_tents", "differ formally", network=put("layers", 0, "activation", "elu"),
         network2=put("layers", 0, "activation", "elu"), evidence=put("equality", {"rule": "canonical_form"}))
rejected("equal_algebraic_factor", "equal_algebraic", "differ formally", network2=put(*LAST, "weight", 0, 0, ["1", "0"]))
rejected("equal_parametric_weight", "equal_parametric", "differ formally", network2=put("layers", 0, "weight", 0, 0, A))
rejected("equal_polynomial_coefficient", "equal_polynomials", "the identity fails",
         network2=put("layers", 0, "activation", "polynomial", ["1", "0", "-2", "1/1000", "1"]))
rejected("equal_polynomial_of_higher_degree", "equal_polynomials", "the identity fails",  # equal at 0, …, 4
         network2=put("layers", 0, "activation", "polynomial", ["-119", "274", "-227", "85", "-14", "1"]))
rejected("equal_polynomial_of_relu", "equal_cells", "is not polynomial", evidence=put("equality", {"rule": "polynomial"}))
rejected("equal_cells_other_side", "equal_cells", "kink that is split is not affine",
         evidence=put("equality", "tree", kink(1, 1, 0, 0, above="equal", below="equal")))
rejected("equal_cells_weight", "equal_cells", "differ formally on a cell", network2=put(*LAST, "weight", 0, 0, "2"))
rejected("equal_without_steps", "equal_constants", "differ formally", evidence=put("steps2", []), network2=put("layers", 0, "weight", 0, 0, "1"))
rejected("different_by_less", "different_hard_tanh", "fails by less than the gap", evidence=put("gap", "2"))
rejected("different_networks_equal", "equal_hard_tanh", "the equation holds",
         witness=do(put("verdict", "different"), put("evidence", {"component": 0, "gap": "1/2", "point": ["3/4"]})))
rejected("different_enclosed", "different_tanh", "do not certify the gap", evidence=put("gap", "1/1000"))
rejected("comparison_hash", "equal_hard_tanh", "belongs to other files", witness=unhashed("network2_sha256"))
malformed("equal_rule", "equal_hard_tanh", "equality: unknown rule", evidence=put("equality", "rule", "sampling"))
malformed("equal_rule_missing", "equal_hard_tanh", "equality: unknown rule", evidence=put("equality", []))
malformed("equal_with_data", "equal_hard_tanh", "'latents' is missing or unknown", evidence=put("equality", "latents", []))
malformed("equal_without_data", "equal_cells", "'tree' is missing or unknown", evidence=drop("equality", "tree"))
malformed("equal_with_generators", "equal_latents", "'generators' is missing or unknown", evidence=put("equality", "generators", {}))
malformed("equal_latents_layers", "equal_latents", "latents: not a list of 2", evidence=put("equality", "latents", []))
malformed("equal_steps_missing", "equal_hard_tanh", "'steps2' is missing or unknown", evidence=drop("steps2"))
malformed("equal_of_a_verdict_on_actions", "equal_hard_tanh", "unknown verdict", witness=put("verdict", "layerwise"))
malformed("not_equivariant_of_networks", "different_tanh", "unknown verdict", witness=put("verdict", "not_equivariant"))
malformed("equal_of_an_action", EXAMPLE, "unknown verdict", witness=do(put("verdict", "equal"), put("evidence", equal("canonical_form"))))
malformed("comparison_inputs", "equal_hard_tanh", "the dimensions are not", network2=lambda n: network(2, layer("identity", [["1", "1"]], ["0"])))
malformed("comparison_outputs", "equal_hard_tanh", "the dimensions are not", network2=lambda n: network(1, layer("identity", [["1"]] * 2, ["0"] * 2)))
malformed("comparison_field", "equal_hard_tanh", "not the same in network.json and network2.json", network2=put("field", ROOT2))
malformed("comparison_format", "equal_hard_tanh", "format is not identcert.network", network2=put("format", "identcert.network2"))
malformed("comparison_source", "equal_hard_tanh", "'action' is missing or unknown",
          witness=put("source", "action", {"name": "by hand", "sha256": None}))
malformed("comparison_source_format", "equal_hard_tanh", "source: format", witness=put("source", "network2", "format", "text"))
malformed("different_generator", "different_hard_tanh", "'generator' is missing or unknown", evidence=put("generator", "g"))
other("comparison_version", "equal_hard_tanh", "version is not 1", 3, network2=put("version", 2))
other("comparison_undecided", "equal_hard_tanh", "undecided: out of time", 4,
      witness=do(put("verdict", "undecided"), put("evidence", {"budget": "1", "reason": "out of time", "tried": []})))


# ---------------------------------------------------------------------------------- other

UNDECIDED = {"budget": "60", "numeric": {"largest defect": "1e-9"}, "reason": "out of time",
             "tried": ["refutation", "latents"]}
other("version_2", EXAMPLE, "version is not 1", 3, witness=put("version", 2))
other("version_2_of_the_network", EXAMPLE, "version is not 1", 3,
      network=do(put("version", 2), put("new", [])))
UNDECIDED_WITNESS = do(put("verdict", "undecided"), put("evidence", UNDECIDED))
other("undecided", EXAMPLE, "undecided: out of time", 4, witness=UNDECIDED_WITNESS)
other("undecided_without_budget", EXAMPLE, "undecided: out of time", 4,
      witness=do(put("verdict", "undecided"), put("evidence", {**UNDECIDED, "budget": None})))
malformed("undecided_reason", EXAMPLE, "evidence: not a string",
          witness=do(UNDECIDED_WITNESS, put("evidence", "reason", 3)))
malformed("undecided_numeric", EXAMPLE, "numeric is not an object",
          witness=do(UNDECIDED_WITNESS, put("evidence", "numeric", [])))
malformed("undecided_numeric_float", EXAMPLE, "evidence: not a string",
          witness=do(UNDECIDED_WITNESS, put("evidence", "numeric", "largest defect", 0.5)))
rejected("undecided_hash", EXAMPLE, "belongs to other files",
         witness=do(UNDECIDED_WITNESS, unhashed("action_sha256")))
ALL_ONES = [["2" if i == j else "1" for j in range(100)] for i in range(100)]
other("digits", EXAMPLE, "digits of a number", 5, network=put(*HIDDEN, "weight", 0, 0, "1" * 4001))
other("degree", "odd_cubic", "degree of an activation", 5,
      network=put(*HIDDEN, "activation", "polynomial", [*["0"] * 1001, "1"]))
other("layers", EXAMPLE, "layers: more than", 5,
      network=lambda n: {**n, "layers": [layer("tanh", [["1", "0"], ["0", "1"]], ["0", "0"])] * 102})
other("letters", "relators", "letters of a relator", 5, action=put("relators", ["(s s)^501"]))
other("relators_of_dense_maps", EXAMPLE, "products in relators", 5,
      network=lambda n: network(100, layer("identity", [["1"] * 100], ["0"])),
      action=lambda a: action(r=({"matrix": ALL_ONES}, "trivial"), relators=["r^1000"]))
other("inverses", EXAMPLE, "products in inverses", 5,
      network=lambda n: network(100, layer("identity", [["1"] * 100], ["0"])),
      action=lambda a: action(**{f"r{i}": ({"matrix": ALL_ONES}, "trivial") for i in range(6)}))
other("generators", EXAMPLE, "generators: more than", 5,
      action=lambda a: action(**{f"s{i}": (SWAP, "trivial") for i in range(101)}))
other("matrix", EXAMPLE, "rows of a matrix", 5,
      network=lambda n: network(101, layer("identity", [["1"] * 101], ["0"])),
      action=put(*GENERATOR, "input", {"matrix": []}))
other("lattice_degree", "norm", "rule polynomial: degree", 5,
      network=lambda n: {**n, "layers": [*[layer({"polynomial": [*["0"] * 40, "1"]}, [["1", "0"], ["0", "1"]], ["0", "0"])] * 2,
                                         n["layers"][1]]})
other("lattice_points", "norm", "rule polynomial: points", 5,
      network=lambda n: {**n, "layers": [layer({"polynomial": [*["0"] * 700, "1"]}, [["1", "0"], ["0", "1"]], ["0", "0"]),
                                         n["layers"][1]]})
other("power", "refuted_polynomial", "bits of a power", 5,
      network=put(*HIDDEN, "activation", "polynomial", [*["0"] * 1000, "1"]),
      evidence=put("point", ["1/" + "7" * 100]))
other("enclosing_work", "refuted_tanh", "work of enclosures", 5,
      network=lambda n: network(2, *[layer("tanh", [["1", "2"], ["3", "1"]], ["1", "1"])] * 30,
                                layer("identity", [["1", "1"]], ["0"])),
      action=lambda a: action(g=(SWAP, "trivial")),
      evidence=do(put("bits", 4096), put("point", ["1", "2"])))
other("powers_of_parameters", "refuted_parametric", "bits of powers of parameters", 5,
      network=put(*HIDDEN, "weight", 0, 0, "num", [[[1000, 0], "1"]]),
      evidence=put("parameters", "a", "9" * 3990))
other("enclosed_power", "refuted_algebraic", "bits of an enclosure", 5,
      network=do(put(*HIDDEN, "activation", {"polynomial": [*["0"] * 1000, "1"]}),
                 put(*HIDDEN, "weight", 0, 0, ["1" + "0" * 100, "0"])))
for key, message, weights in (
    ("common_denominator", "bits of a denominator", [f"1/{10**3900 + 2 * i + 1}" for i in range(40)]),
    ("common_numerator", "bits of a number",
     [str(10**3900), *(f"1/{10**3900 + 2 * i + 1}" for i in range(15)), *["1"] * 24]),
):
    other(key, "refuted_relu", message, 5,
          network=lambda n, w=weights: network(40, layer("relu", [w], ["0"]), layer("identity", [["1"]], ["0"])),
          action=lambda a: action(s=({"permutation": [*range(1, 40), 0]}, "trivial")),
          evidence=put("point", ["1"] * 40))
IDENTITY_OVER_A = [[ZERO, {"den": [[[1, 0], "1"]], "num": [[[0, 0], "1"]]}], [A, ZERO]]
other("given_with_denominators", "given_true_parametric", "denominators in the parameters", 5,
      network=do(put(*HIDDEN, "weight", [FIRST, FIRST, *[[ZERO, IDENTITY_OVER_A[0][1]]] * 2])),
      action=put("generators", "s", "input",
                 {"matrix": IDENTITY_OVER_A, "inverse": IDENTITY_OVER_A}))


def main() -> None:
    default = Path(__file__).resolve().parent / "corpus"
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    for name, folder in CORPUS.items():
        folder.write(target / name)


if __name__ == "__main__":
    main()
