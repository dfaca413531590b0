"""Writes tests/corpus_lift: evidence of lifting that its checkers accept, and named attacks.

    python tests/make_lift_corpus.py

Accepted folders come from the search. A rejected or malformed folder is an accepted one with one
change; its file ``reason`` holds words that the checker's refusal must contain.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from identcert.attribution.evidence import Files, injectivity_evidence, lift_evidence
from identcert.attribution.generators import dilation, rotation, translation
from identcert.attribution.lift import lift_of
from identcert.attribution.parameters import Parametrisation
from identcert.nets.network import Network
from identcert.witness.codec import canonical_bytes

CORPUS = Path(__file__).with_name("corpus_lift")
Tree = dict[str, Any]
Change = Callable[[Tree, Tree, Tree], object]


def net(rows: Any, biases: Any, out: Any, sigma: str = "tanh", second: Any = None) -> Network:
    layers = [(rows, biases, sigma)]
    if second is not None:
        layers.append((second, None, sigma))
    return Network.dense([*layers, ([out], None, "identity")])


def accepted() -> dict[str, Files]:
    """The good folders by name."""
    turn = rotation(2, 1)

    def of(network: Network, generator: Any, frozen: Any = (), tied: Any = ()) -> Files:
        return lift_evidence(lift_of(Parametrisation.of(network, frozen, tied), generator))

    heads = Network.dense([([[1, 0], [0, 1]], None, "x^2"), ([[3, 1]], None, "identity")])
    squares = Network.dense([([[2, 1]], [3], "x^2"), ([[1]], [0], "identity")])
    both = Network.dense([([[2, 1], [1, 3]], None, "identity"), ([[1, 1], [0, 1]], [0, 0], "x")])
    one = net([[3, 1]], [1], [2])
    units = net([[3, 1], [1, -2]], [1, 0], [2, -1])
    masked = net([[3, 0], [1, -2]], [1, 0], [2, -1])
    deep = net([[3, 0], [1, -2]], [1, "1/2"], [2, -1], second=[[1, "1/3"], ["1/2", -1]])
    dead = net([[3, 0], [1, -2]], [1, "1/2"], [2, -1], second=[[1, 0], ["1/2", 0]])
    kinks = net([[3, 0], [1, -2]], [1, "1/2"], [2, -1], "relu", [[1, "1/3"], ["1/2", -1]])
    found = {
        "polynomial_lifts": of(squares, turn, ["b2"]),
        "polynomial_both_sides": of(both, rotation(2, 2, same=True), ["b2"]),
        "polynomial_fails_at_points": of(heads, turn, ["W1"]),
        "dictionary_lifts": of(units, turn),
        "dictionary_fails": of(masked, turn, ["W1[0,1]"]),
        "dictionary_translation_fails": of(one, translation(2, 1, [1, 0]), ["b1"]),
        "dictionary_sigmoid_clones": of(net([[1, 2], [-1, -2]], [1, -1], [2, 5], "sigmoid"), turn),
        "dictionary_relu_rescaling": of(net([[1, 2]], None, [3], "relu"), turn, ["W1[0,0]"]),
        "dictionary_abs_dilation": of(net([[1, 2]], None, [3], "abs"), dilation(2, 1), ["W1"]),
        "structural_deep": of(deep, turn),
        "structural_softplus": of(net([[3, 1]], [1], [2], "softplus"), turn),
        "points_deep_relu": of(kinks, turn, ["W1", "b1"]),
        "minor_deep": of(deep, turn, ["W1[0,1]"]),
        "minor_dead_column": of(dead, turn, ["W1[0,1]"]),
    }
    injective = injectivity_evidence(Parametrisation.of(deep), turn)
    if injective is None:
        raise RuntimeError("no minor was found")
    found["minor_injective"] = injective
    return found


def edit(key: str, value: Any) -> Change:
    """The change that sets one key of the evidence."""
    return lambda n, a, evidence: evidence.update({key: value})


def in_list(key: str, index: int, value: Any) -> Change:
    """The change that sets one entry of a list of the evidence."""

    def change(n: Tree, a: Tree, evidence: Tree) -> None:
        evidence[key][index] = value

    return change


def clone_symbol(n: Tree, a: Tree, evidence: Tree) -> None:
    """Claim that a clone has functions of its own."""
    n["layers"][0]["weight"][1] = ["-3", "0"]
    n["layers"][0]["bias"][1] = "-1"
    evidence["functional"] = [[0, "s1", 1, "1/6"]]


def same_row_twice(n: Tree, a: Tree, evidence: Tree) -> None:
    """Name one row by two indices."""
    evidence["rows"][1] = [-len(evidence["points"]) + evidence["rows"][0][0], 0]


REJECTED: dict[str, tuple[str, str, Change]] = {
    "wrong_direction": ("polynomial_lifts", "differs", in_list("direction", 0, "5")),
    "wrong_direction_both_sides": (
        "polynomial_both_sides", "differs", in_list("direction", 3, "1"),
    ),
    "wrong_direction_dictionary": ("dictionary_lifts", "differs", in_list("direction", 7, "1/9")),
    "wrong_direction_structural": (
        "structural_deep", "not the structural lift", in_list("direction", 0, "7"),
    ),
    "rescaling_left_out": ("dictionary_relu_rescaling", "differs", edit("direction", ["1", "0"])),
    "structural_where_it_is_not": (
        "dictionary_relu_rescaling", "not the structural lift", edit("rule", "structural"),
    ),
    "polynomial_rule_for_tanh": (
        "dictionary_lifts", "proves no lift", edit("rule", "polynomial"),
    ),
    "unknown_rule": ("dictionary_lifts", "proves no lift", edit("rule", "magic")),
    "points_cannot_prove": ("polynomial_lifts", "proves no lift", edit("rule", "points")),
    "functional_of_nothing": (
        "dictionary_fails", "not 1", edit("functional", []),
    ),
    "functional_scaled": (
        "dictionary_fails", "not 1", edit("functional", [[0, "s0", 1, "1/3"]]),
    ),
    "functional_sees_a_sensitivity": (
        "dictionary_fails", "does not vanish", edit("functional", [[0, "s1", 1, "1/2"]]),
    ),
    "functional_on_a_clone": ("dictionary_fails", "not 1", clone_symbol),
    "functional_on_no_function": (
        "dictionary_fails", "not 1", edit("functional", [[0, "s9", 1, "1/6"]]),
    ),
    "dictionary_with_constant_neuron": (
        "dictionary_fails", "no weights",
        lambda n, a, e: n["layers"][0]["weight"].__setitem__(1, ["0", "0"]),
    ),
    "dictionary_of_a_deep_network": (
        "structural_deep", "no dictionary", edit("rule", "dictionary"),
    ),
    "points_of_tanh": (
        "dictionary_fails", "no rational values",
        lambda n, a, e: e.update(rule="points", points=[["1", "1"]], functional=[[0, 0, "1"]]),
    ),
    "point_on_a_kink": (
        "points_deep_relu", "kink", lambda n, a, e: e["points"].__setitem__(0, ["-1/3", "0"]),
    ),
    "free_parameter_hidden": (
        "polynomial_fails_at_points", "does not vanish",
        lambda n, a, e: e["coordinates"].append([[0, 0, 1, "1"]]),
    ),
    "network_exchanged": (
        "dictionary_fails", "not the file", lambda n, a, e: e.update(network_sha256="0" * 64),
    ),
    "action_exchanged": (
        "dictionary_fails", "not the file", lambda n, a, e: e.update(action_sha256="0" * 64),
    ),
    "minor_same_row_twice": ("minor_deep", "pivot", same_row_twice),
    "minor_with_few_rows": ("minor_deep", "not square", lambda n, a, e: e["rows"].pop()),
    "minor_drops_a_live_column": (
        "minor_deep", "not dead",
        lambda n, a, e: (e["rows"].pop(), e["dropped"].append(0)),
    ),
    "minor_not_injective": ("minor_dead_column", "dead coordinate", edit("claim", "injective")),
    "minor_of_unfrozen_lift": (
        "minor_deep", "pivot",
        lambda n, a, e: (
            e["coordinates"].append([[0, 0, 1, "1"]]),
            e["points"].append(["1/3", "1/5"]),
            e["rows"].append([len(e["points"]) - 1, 0]),
        ),
    ),
    "minor_of_unknown_activation": (
        "minor_deep", "unknown activation",
        lambda n, a, e: n["layers"][0].update(activation="sin"),
    ),
}  # fmt: skip

MALFORMED: dict[str, tuple[str, str, Change]] = {
    "float_direction": ("polynomial_lifts", "rational", in_list("direction", 0, -1.0)),
    "spelled_power": ("polynomial_lifts", "rational", in_list("direction", 0, "1e3")),
    "short_direction": ("polynomial_lifts", "zip", lambda n, a, e: e["direction"].pop()),
    "unknown_claim": ("polynomial_lifts", "KeyError", edit("claim", "proved")),
    "unknown_version": ("polynomial_lifts", "version", edit("version", 2)),
    "unknown_generator": ("polynomial_lifts", "KeyError", edit("generator", "zeta")),
    "place_outside": (
        "polynomial_lifts", "no place", in_list("coordinates", 0, [[0, 0, 9, "1"]]),
    ),
    "negative_place": (
        "polynomial_lifts", "no place", in_list("coordinates", 0, [[-1, 0, 0, "1"]]),
    ),
    "shared_place": (
        "polynomial_lifts", "share", in_list("coordinates", 0, [[0, 0, 1, "1"]]),
    ),
    "zero_coordinate": (
        "polynomial_lifts", "malformed", in_list("coordinates", 0, [[0, 0, 0, "0"]]),
    ),
    "function_twice": (
        "dictionary_fails", "twice",
        edit("functional", [[0, "s0", 1, "1/12"], [0, "s0", 1, "1/12"]]),
    ),
    "point_too_short": (
        "polynomial_fails_at_points", "fit",
        lambda n, a, e: e["points"].__setitem__(0, ["1"]),
    ),
    "ragged_weight": (
        "polynomial_lifts", "compose", lambda n, a, e: n["layers"][0]["weight"][0].append("1"),
    ),
    "missing_bias": (
        "polynomial_lifts", "other names", lambda n, a, e: n["layers"][0].pop("bias"),
    ),
    "field_not_rational": (
        "polynomial_lifts", "not over Q", lambda n, a, e: n.update(field={"kind": "algebraic"}),
    ),
    "vector_field_too_small": (
        "polynomial_lifts", "zip",
        lambda n, a, e: a["infinitesimal"]["turn"].update(input={"matrix": [["1"]]}),
    ),
    "row_as_text": (
        "polynomial_lifts", "not a list", lambda n, a, e: n["layers"][0].update(weight=["21"]),
    ),
    "minor_of_low_precision": ("minor_deep", "bits", edit("bits", 8)),
    "minor_of_huge_precision": ("minor_deep", "bits", edit("bits", 10**9)),
    "minor_place_twice": (
        "minor_deep", "share", lambda n, a, e: e["coordinates"][0].append(e["coordinates"][0][0]),
    ),
    "minor_missing_point": ("minor_deep", "IndexError", in_list("rows", 0, [99, 0])),
    **{
        f"{prefix}{name}": (base, reason, change)
        for prefix, base in (("", "polynomial_lifts"), ("minor_", "minor_deep"))
        for name, reason, change in (
            ("layer_of_a_kind", "not dense", lambda n, a, e: n["layers"][0].update(kind="conv")),
            ("layer_with_a_mask", "other names", lambda n, a, e: n["layers"][0].update(mask=[])),
            ("network_of_a_format", "network.json: format", lambda n, a, e: n.update(format="x")),
            ("network_of_a_version", "network.json: format", lambda n, a, e: n.update(version=2)),
            ("network_with_a_name", "network.json: format", lambda n, a, e: n.update(skip=[0, 2])),
            ("action_of_a_format", "action.json: format", lambda n, a, e: a.update(format="x")),
            ("evidence_with_a_name", "other names", lambda n, a, e: e.update(field="C")),
            (
                "generator_with_a_name", "other names",
                lambda n, a, e: a["infinitesimal"]["turn"].update(on="C"),
            ),
            (
                "vector_field_with_a_name", "other names",
                lambda n, a, e: a["infinitesimal"]["turn"]["input"].update(power=2),
            ),
            ("action_with_a_name", "action.json: format", lambda n, a, e: a.update(complex=True)),
        )
    },
}  # fmt: skip

TWICE = (b'"inputs":2', b'"inputs":3,"inputs":2')
"""A name that stands twice, of which readers may take either."""


def changed(files: Files, change: Change) -> Files:
    """The folder after one change, its hashes renewed so that they are not what is refused."""
    kind = next(name for name in files if name in ("lift.json", "minor.json"))
    names = ("network.json", "action.json", kind)
    trees = [json.loads(files[name]) for name in names]
    before = [trees[2]["network_sha256"], trees[2]["action_sha256"]]
    change(*trees)
    found = {name: canonical(tree) for name, tree in zip(names[:2], trees[:2], strict=True)}
    for key, old, name in zip(("network", "action"), before, names[:2], strict=True):
        if trees[2][f"{key}_sha256"] == old:
            trees[2][f"{key}_sha256"] = hashlib.sha256(found[name]).hexdigest()
    return found | {kind: canonical(trees[2])}


def canonical(tree: Tree) -> bytes:
    return canonical_bytes(tree)


def main() -> None:
    """Write the corpus anew."""
    shutil.rmtree(CORPUS, ignore_errors=True)
    good = accepted()
    folders: dict[Path, Files] = {CORPUS / "accepted" / name: f for name, f in good.items()}
    for kind, attacks in (("rejected", REJECTED), ("malformed", MALFORMED)):
        for name, (base, reason, change) in attacks.items():
            files = changed(good[base], change)
            folders[CORPUS / kind / name] = files | {"reason": f"{reason}\n".encode()}
    for base, kind in (("polynomial_lifts", "lift.json"), ("minor_deep", "minor.json")):
        files = dict(good[base])
        before = hashlib.sha256(files["network.json"]).hexdigest().encode()
        files["network.json"] = files["network.json"].replace(*TWICE)
        after = hashlib.sha256(files["network.json"]).hexdigest().encode()
        files[kind] = files[kind].replace(before, after)
        name = f"{kind.removesuffix('.json')}_name_twice"
        folders[CORPUS / "malformed" / name] = files | {"reason": b"canonical\n"}
    for folder, files in folders.items():
        folder.mkdir(parents=True)
        for name, content in files.items():
            (folder / name).write_bytes(content)


if __name__ == "__main__":
    main()
