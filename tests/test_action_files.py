"""Action files: what they say, and one plain sentence for every fault."""

from __future__ import annotations

import copy
import json
import random
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from identcert.errors import (
    IdentcertError,
    InputError,
    NotAHomomorphism,
    SingularMatrix,
    UnsupportedError,
)
from identcert.exact.field import QQ, FunctionField, NumberField
from identcert.groups import library
from identcert.groups.action import Action
from identcert.groups.closure import close
from identcert.groups.files import canonical_action, load_action, parse_action
from identcert.groups.names import group_name, known_order
from identcert.groups.words import parse_word


def document(input: Any = "trivial", output: Any = "trivial", **keys: Any) -> dict[str, Any]:
    """An action file with one generator g; keys of value None are left out."""
    tree = {
        "format": "identcert.action",
        "version": 1,
        "generators": {"g": {"input": input, "output": output}},
        **keys,
    }
    return {key: value for key, value in tree.items() if value is not None}


def read(tree: Any, tmp_path: Path, inputs: int = 2, outputs: int = 1) -> Action:
    path = tmp_path / "flip.action.json"
    path.write_text(tree if isinstance(tree, str) else json.dumps(tree), encoding="utf-8")
    return load_action(path, inputs, outputs)


def test_the_example_of_the_format(tmp_path: Path) -> None:
    tree = """{"format": "identcert.action", "version": 1, "group": "C4",
     "generators": {"r": {"input": {"permutation": [1, 2, 3, 0]}, "output": "trivial"}},
     "relators": ["r^4"]}"""
    action = read(tree, tmp_path, 4, 3)
    assert (action.label, action.inputs, action.outputs) == ("C4", 4, 3)
    assert action.relators == (parse_word("r^4"),) and action.field == QQ
    assert action.generators[0].input.apply("abcd") == tuple("bcda")
    assert action.source is not None and action.source.name == "flip.action.json"
    assert action.source.sha256 == sha256(tree.encode()).hexdigest()


@pytest.mark.parametrize(
    ("value", "point", "image"),
    [
        ("trivial", [3, 5], [3, 5]),
        ({"permutation": [1, 0]}, [3, 5], [5, 3]),
        ({"permutation": [1, 0], "signs": [1, -1]}, [3, 5], [5, -3]),
        ({"permutation": [0, 1], "shift": ["1/2", 0.5]}, [3, 5], ["7/2", "11/2"]),
        ({"matrix": [["3/5", "4/5"], ["4/5", "-3/5"]]}, [5, 10], [11, -2]),
        ({"matrix": [[0, 1], [1, 0]], "shift": [1, -1]}, [3, 5], [6, 2]),
        ({"matrix": [["1e-1", 0], [0, 1e1]]}, [10, 10], [1, 100]),
        ({"image": {"shape": [2, 1, 1], "transform": "rot90"}}, [3, 5], [3, 5]),
        ({"image": {"shape": [1, 1, 2], "transform": "fliplr"}}, [3, 5], [5, 3]),
        ({"image": {"shape": [1, 2, 1], "transform": "flipud"}}, [3, 5], [5, 3]),
    ],
)
def test_every_spelling_of_a_map(value: Any, point: Any, image: Any, tmp_path: Path) -> None:
    g = read(document(input=value), tmp_path).generators[0].input
    assert [QQ.text(x) for x in g.apply([QQ(x) for x in point])] == list(map(str, image))


def test_scalars_open_their_field(tmp_path: Path) -> None:
    turn = [["sqrt(2)/2", "-sqrt(1/2)"], ["sqrt(2)/2", "sqrt(8)/4"]]
    eighth = read(document({"matrix": turn}, relators=["g^8"]), tmp_path)
    assert eighth.field == NumberField.quadratic([2])
    mixed = [["sqrt(2)", "sqrt(3)"], ["sqrt(6)", "1"]]
    assert read(document({"matrix": mixed}), tmp_path).field.degree == 4
    symbolic = document({"matrix": [[0, "a"], ["1/a", 0]]}, parameters=["a"], relators=["g^2"])
    assert read(symbolic, tmp_path).field == FunctionField(("a",))
    unused = document({"permutation": [1, 0]}, parameters=["a"])
    assert read(unused, tmp_path).field == QQ
    cubic = {"symbol": "t", "minpoly": ["-1", "-2", "1", "1"], "root": ["1.2", "1.3"]}
    declared = read(document({"matrix": [["t", 0], [0, 1]]}, algebraic=cubic), tmp_path)
    assert declared.field.degree == 3
    assert declared.generators[0].output.field == declared.field


def test_infinitesimal_generators(tmp_path: Path) -> None:
    fields = {"xi": {"input": [[0, -1], [1, 0]], "output": "trivial"},
              "eta": {"input": {"matrix": [[0, 0], [0, 0]], "shift": ["1/2", 0]},
                      "output": [["2"]]}}  # fmt: skip
    action = read(document(generators=None, infinitesimal=fields), tmp_path)
    xi, eta = action.infinitesimal
    assert xi.input.to_rows() == ((0, -1), (1, 0)) and xi.output.is_zero()
    assert eta.input_shift == (QQ(1) / 2, QQ(0)) and eta.output[0, 0] == 2
    assert action.generators == () and close(action) is None
    tree = canonical_action(action)
    assert tree["infinitesimal"]["xi"]["output"] == "trivial"
    assert parse_action(json.loads(json.dumps(tree)), 2, 1, "again") == action.__class__(
        None, QQ, (), (), action.infinitesimal
    )


G = "generator g, input"
FAULTS: dict[str, tuple[Any, str, str]] = {
    "not JSON": ("{", "line 1", "not valid JSON"),
    "empty file": ("", "line 1", "not valid JSON"),
    "list": ([], "flip.action.json", "is not an object"),
    "duplicate key": ('{"format": "a", "format": "b"}', "flip.action.json",
                      '"format" is written twice'),
    "duplicate generator": ('{"format": "identcert.action", "version": 1, "generators": '
                            '{"g": {"input": "trivial", "output": "trivial"}, '
                            '"g": {"input": "trivial", "output": "trivial"}}}',
                            "generators", '"g" is written twice'),
    "duplicate key in a map": ('{"format": "identcert.action", "version": 1, "generators": '
                               '{"g": {"input": {"permutation": [0, 1], "permutation": [1, 0]}, '
                               '"output": "trivial"}}}', G, '"permutation" is written twice'),
    "unknown key": (document(color=1), "flip.action.json", "'color' is not known"),
    "unknown key in a generator": (
        document(generators={"g": {"input": "trivial", "output": "trivial", "x": 1}}),
        "generator g", "'x' is not known"),
    "unknown key in a map": (document({"permutation": [0, 1], "scale": 2}), G,
                             "'scale' is not known"),
    "missing format": (document(format=None), "flip.action.json", '"format" is missing'),
    "missing version": (document(version=None), "flip.action.json", '"version" is missing'),
    "missing output": (document(generators={"g": {"input": "trivial"}}), "generator g",
                       '"output" is missing'),
    "wrong format": (document(format="identcert.network"), "format", "'identcert.network'"),
    "wrong version": (document(version=2), "version", "version 2 is not known"),
    "version as text": (document(version="1"), "version", "version '1' is not known"),
    "version as decimal": (document(version=1.0), "version", "is not known"),
    "version true": (document(version=True), "version", "version true is not known"),
    "label no text": (document(group=4), "group", "4 is not a text"),
    "label null": ('{"format": "identcert.action", "version": 1, "group": null, "generators": '
                   '{"g": {"input": "trivial", "output": "trivial"}}}', "group", "not a text"),
    "no generators": (document(generators=None), "flip.action.json", '"generators" is missing'),
    "empty generators": (document(generators={}), "generators", "there is no generator"),
    "generators a list": (document(generators=[]), "generators", "is not an object"),
    "empty infinitesimal": (document(generators=None, infinitesimal={}), "infinitesimal",
                            "there is no generator"),
    "both kinds": (document(infinitesimal={"xi": {"input": "trivial", "output": "trivial"}}),
                   "flip.action.json", '"generators" and "infinitesimal" stand in one file'),
    "relators of a Lie algebra": (
        document(generators=None, relators=["xi"],
                 infinitesimal={"xi": {"input": "trivial", "output": "trivial"}}),
        "relators", "have no relators"),
    "infinitesimal too small": (
        document(generators=None, infinitesimal={"xi": {"input": [[0]], "output": "trivial"}}),
        "infinitesimal generator xi, input", "1 row where the network has 2 inputs"),
    "bad name": (document(generators={"1g": {"input": "trivial", "output": "trivial"}}),
                 "generators", "'1g' is not a name"),
    "generator no object": (document(generators={"g": "trivial"}), "generator g",
                            "'trivial' is not an object"),
    "map a number": (document(3), G, "3 is not a map"),
    "map another word": (document("identity"), G, "'identity' is not a map; write \"trivial\""),
    "map empty": (document({}), G, "no permutation, matrix or image"),
    "map of two kinds": (document({"permutation": [0, 1], "matrix": [[1]]}), G,
                         '"permutation" and "matrix" stand in one map'),
    "signs of a matrix": (document({"matrix": [[1, 0], [0, 1]], "signs": [1, 1]}), G,
                          "'signs' is not known"),
    "shift of an image": (
        document({"image": {"shape": [1, 1, 2], "transform": "fliplr"}, "shift": [0, 0]}), G,
        "'shift' is not known"),
    "inverse in a plain file": (document({"matrix": [[1, 1], [0, 1]], "inverse": []}), G,
                                "'inverse' is not known"),
    "no permutation": (document({"permutation": [0, 0]}), G, "0 occurs twice"),
    "permutation out of range": (document({"permutation": [1, 2]}), G, "is 2; use each of 0, …, 1"),
    "permutation negative": (document({"permutation": [-1, 0]}), G, "is -1"),
    "permutation too short": (document({"permutation": [0]}), G,
                              "1 entry where the network has 2 inputs"),
    "permutation too long": (document({"permutation": [0, 1, 2]}), G, "3 entries"),
    "permutation of decimals": (document({"permutation": [0.0, 1.0]}), G, "is not an integer"),
    "permutation of booleans": (document({"permutation": [False, True]}), G, "not an integer"),
    "permutation of texts": (document({"permutation": ["0", "1"]}), G, "is not an integer"),
    "permutation no list": (document({"permutation": "01"}), f"{G}, permutation", "not a list"),
    "signs not ±1": (document({"permutation": [0, 1], "signs": [1, 2]}), G, "sign 1 is 2"),
    "sign zero": (document({"permutation": [0, 1], "signs": [0, 1]}), G, "sign 0 is 0"),
    "sign decimal": (document({"permutation": [0, 1], "signs": [1.0, 1]}), G, "sign 0 is 1.0"),
    "sign true": (document({"permutation": [0, 1], "signs": [True, 1]}), G, "sign 0 is True"),
    "signs too few": (document({"permutation": [0, 1], "signs": [1]}), G, "1 signs stand beside"),
    "singular": (document({"matrix": [[1, 2], [2, 4]]}), G, "the matrix is singular"),
    "zero": (document({"matrix": [[0, 0], [0, 0]]}), G, "the matrix is singular"),
    "singular with roots": (document({"matrix": [["sqrt(2)", 2], [1, "sqrt(2)"]]}), G,
                            "the matrix is singular"),
    "ragged": (document({"matrix": [[1, 2], [3]]}), G, "row 1 has 1 entry"),
    "wide": (document({"matrix": [[1, 2, 3], [3, 4, 5]]}), G, "row 0 has 3 entries"),
    "too few rows": (document({"matrix": [[1]]}), G, "1 row where the network has 2 inputs"),
    "no rows": (document({"matrix": []}), G, "0 rows where"),
    "row no list": (document({"matrix": [1, 2]}), f"{G}, row 0", "1 is not a list"),
    "shift too short": (document({"permutation": [0, 1], "shift": [1]}), f"{G}, shift",
                        "1 entry where the network has 2 inputs"),
    "NaN": (document({"matrix": [[float("nan"), 0], [0, 1]]}), f"{G}, row 0, entry 0", "NaN"),
    "infinity": (document({"matrix": [[1, 0], [0, float("inf")]]}), f"{G}, row 1, entry 1",
                 "Infinity"),
    "boolean entry": (document({"matrix": [[True, 0], [0, 1]]}), f"{G}, row 0, entry 0", "true"),
    "null entry": (document({"matrix": [[None, 0], [0, 1]]}), f"{G}, row 0, entry 0", "null"),
    "undeclared name": (document({"matrix": [["a", 0], [0, 1]]}), f"{G}, row 0, entry 0",
                        "'a' is not declared"),
    "division by zero": (document({"matrix": [["1/0", 0], [0, 1]]}), f"{G}, row 0, entry 0",
                         "zero"),
    "parameters no list": (document(parameters="a"), "parameters", "is not a list"),
    "parameter twice": (document(parameters=["a", "a"]), "parameters[1]", "declared twice"),
    "parameter x": (document(parameters=["x"]), "parameters[0]", "'x' cannot be a name"),
    "algebraic reducible": (
        document(algebraic={"symbol": "t", "minpoly": ["-1", "0", "1"], "root": ["0", "2"]}),
        "algebraic", "not irreducible"),
    "algebraic null": ('{"format": "identcert.action", "version": 1, "algebraic": null, '
                       '"generators": {"g": {"input": "trivial", "output": "trivial"}}}',
                       "algebraic", "is not an object"),
    "image not square": (document({"image": {"shape": [1, 1, 2], "transform": "rot90"}}),
                         f"{G}, image", "rot90 turns a 1×2 image into a 2×1 one"),
    "transpose not square": (document({"image": {"shape": [1, 2, 1], "transform": "transpose"}}),
                             f"{G}, image", "transpose turns a 2×1 image into a 1×2 one"),
    "image too large": (document({"image": {"shape": [1, 2, 2], "transform": "fliplr"}}),
                        f"{G}, image", "does not fit 2 inputs"),
    "image huge": (document({"image": {"shape": [10**9, 10**9, 10**9], "transform": "fliplr"}}),
                   f"{G}, image", "does not fit 2 inputs"),
    "image negative": (document({"image": {"shape": [1, -1, -2], "transform": "fliplr"}}),
                       f"{G}, image", "does not fit"),
    "image flat": (document({"image": {"shape": [1, 2], "transform": "fliplr"}}),
                   f"{G}, image", "does not fit"),
    "image shape a text": (document({"image": {"shape": "112", "transform": "fliplr"}}),
                           f"{G}, image, shape", "is not a list"),
    "transform unknown": (document({"image": {"shape": [1, 1, 2], "transform": "rot180"}}),
                          f"{G}, image", "'rot180' is unknown"),
    "transform missing": (document({"image": {"shape": [1, 1, 2]}}), f"{G}, image",
                          '"transform" is missing'),
    "relators a text": (document(relators="g^2"), "relators", "is not a list"),
    "relator a number": (document(relators=[2]), "relators[0]", "2 is not a word"),
    "relator empty": (document(relators=["g", ""]), "relators[1]", "the word is empty"),
    "relator with a star": (document(relators=["g*g"]), "relators[0]", "has no place"),
    "relator unbalanced": (document(relators=["(g"]), "relators[0]", "unmatched"),
    "relator of an unknown generator": (document(relators=["g r"]), "relators[0]",
                                        "there is no generator r; the generators are g"),
    "output too large": (document(output={"permutation": [0, 1]}), "generator g, output",
                         "2 entries where the network has 1 output"),
    "output singular": (document(output={"matrix": [["0"]]}), "generator g, output", "singular"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_every_fault_is_one_sentence_with_its_place(name: str, tmp_path: Path) -> None:
    tree, place, what = FAULTS[name]
    with pytest.raises(InputError) as refusal:
        read(tree, tmp_path)
    sentence = str(refusal.value)
    assert what in sentence and place in sentence and "flip.action.json" in sentence
    assert "\n" not in sentence and len(sentence) < 500


def test_singular_matrices_and_relators_have_errors_of_their_own(tmp_path: Path) -> None:
    with pytest.raises(SingularMatrix):
        read(document({"matrix": [[1, 1], [1, 1]]}), tmp_path)
    swap = {"permutation": [1, 0]}
    message = r"flip.action.json, relators\[1\]: the relator g\^3 is not the identity on the inputs"
    with pytest.raises(NotAHomomorphism, match=message):
        read(document(swap, relators=["g^2", "g^3"]), tmp_path)
    with pytest.raises(NotAHomomorphism, match="the relator g is not the identity on the outputs"):
        read(document(output={"matrix": [[-1]]}, relators=["g"]), tmp_path)


def test_parameters_and_roots_do_not_mix(tmp_path: Path) -> None:
    tree = document({"matrix": [["a", 0], [0, "sqrt(2)"]]}, parameters=["a"])
    with pytest.raises(UnsupportedError, match=r"flip\.action\.json"):
        read(tree, tmp_path)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        load_action(tmp_path / "missing.action.json", 2, 1)
    with pytest.raises(InputError, match="folder"):
        load_action(tmp_path, 2, 1)
    (tmp_path / "latin.action.json").write_bytes(b'{"group": "\xe9"}')
    with pytest.raises(InputError, match="not valid UTF-8"):
        load_action(tmp_path / "latin.action.json", 2, 1)
    (tmp_path / "deep.action.json").write_text("[" * 100_000)
    with pytest.raises(InputError, match="nested too deeply"):
        load_action(tmp_path / "deep.action.json", 2, 1)


def test_a_byte_order_mark_is_read_over(tmp_path: Path) -> None:
    assert read("\ufeff" + json.dumps(document()), tmp_path).names == ("g",)


CANONICAL = {
    "images": library.dihedral_image(1, 2, 2, output="vector"),
    "signs": library.hyperoctahedral(3, output="sign"),
    "lattice": library.lattice_dihedral(3, output="same"),
    "roots": library.plane_dihedral(8, output="permutation"),
    "symbols": library.custom(
        {"g": {"input": {"matrix": [["0", "a"], ["1/a", "0"]], "shift": ["a", "-1"]},
               "output": {"permutation": [0], "signs": [-1], "shift": ["b/2"]}}},
        relators=["g^2"], parameters=["a", "b"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CANONICAL)
def test_the_canonical_form_reads_back(name: str) -> None:
    action = CANONICAL[name]
    tree = json.loads(json.dumps(canonical_action(action), sort_keys=True))
    again = parse_action(tree, action.inputs, action.outputs, "canonical")
    assert again.field == action.field and again.label == action.label
    assert {g.name: g for g in again.generators} == {g.name: g for g in action.generators}
    assert again.relators == action.relators
    assert canonical_action(again) == canonical_action(action)


def test_the_canonical_form_is_as_specified() -> None:
    tree = canonical_action(
        library.custom(
            {
                "r": {
                    "input": {"matrix": [[0, -1], [1, 0]]},
                    "output": {"permutation": [0], "shift": [0]},
                },
                "s": {
                    "input": {"permutation": [1, 0], "signs": [1, 1], "shift": ["1", "-1"]},
                    "output": {"matrix": [["2/4"]]},
                },
            },
            relators=["(r r)^2"],
            label="G",
        )
    )
    assert tree == {
        "field": {"kind": "rational"},
        "format": "identcert.action",
        "version": 1,
        "group": "G",
        "generators": {
            "r": {"input": {"permutation": [1, 0], "signs": [-1, 1]}, "output": "trivial"},
            "s": {
                "input": {"permutation": [1, 0], "shift": ["1", "-1"]},
                "output": {"matrix": [["1/2"]]},
            },
        },
        "relators": ["r r r r"],
    }


def test_matrices_beyond_the_rationals_carry_their_inverse() -> None:
    action = CANONICAL["roots"]
    tree = canonical_action(action)
    entry = tree["generators"]["r"]["input"]
    assert set(entry) == {"matrix", "inverse"}
    wrong = copy.deepcopy(tree)
    wrong["generators"]["r"]["input"]["inverse"] = entry["matrix"]
    with pytest.raises(InputError, match="the stated inverse is not the inverse"):
        parse_action(wrong, 2, 8, "canonical")
    assert "inverse" not in canonical_action(CANONICAL["lattice"])["generators"]["r"]["input"]


def test_known_cases_load(shared: Path) -> None:
    """Every action of the corpus loads, and its label does not contradict its order."""
    for path in sorted((shared / "cases").glob("*.action.json")):
        network = json.loads(path.with_name(path.name.replace("action", "network")).read_text())
        inputs, outputs = network["inputs"], len(network["layers"][-1]["weight"])
        action = load_action(path, inputs, outputs)
        group, order = close(action), known_order(action.label or "")
        assert group is None or order in (None, group.order)
        again = parse_action(canonical_action(action), inputs, outputs, "canonical")
        assert again.generators == action.generators
    mirror = load_action(shared / "real" / "acas_mirror.action.json", 5, 5)
    found = close(mirror)
    assert found is not None and group_name(found) == "C2"


def leaves(tree: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The places of all values inside a JSON tree."""
    if isinstance(tree, dict):
        parts = list(tree.items())
    else:
        parts = list(enumerate(tree)) if isinstance(tree, list) else []
    return [path, *(place for key, part in parts for place in leaves(part, (*path, key)))]


@given(st.integers(0, 2**32))
def test_altered_files_are_read_or_refused_in_words(seed: int) -> None:
    """Whatever value replaces a part of a file, no other error than ours comes out."""
    chance = random.Random(seed)
    tree = document(
        {"matrix": [["sqrt(2)", "a"], [1, "1/2"]], "shift": [0, 1]},
        {"permutation": [0], "signs": [-1]},
        relators=["g g^-1"],
        parameters=["a"],
    )
    image = {"image": {"shape": [1, 1, 2], "transform": "rot90"}}
    values = [None, True, -1, 0, 2, "", "a", "trivial", "sqrt(3)", [], {}, [[1]], {"matrix": 1},
              10**30, "1/0", ["g"], image]  # fmt: skip
    for _ in range(chance.randint(1, 3)):
        path = chance.choice(leaves(tree)[1:])
        holder: Any = tree
        for key in path[:-1]:
            holder = holder[key]
        holder[path[-1]] = copy.deepcopy(chance.choice(values))  # or a value could hold itself
    try:
        parse_action(tree, 2, 1, "altered")
    except IdentcertError as error:
        assert "altered" in str(error) and "\n" not in str(error)
