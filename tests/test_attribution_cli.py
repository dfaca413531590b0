"""The command ``attribute``: words, JSON, pictures, evidence, one sentence for bad input."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from identcert import Network
from identcert.attribution import Parametrisation, lift_checker, lift_of
from identcert.attribution.evidence import injectivity_evidence
from identcert.attribution.generators import translation
from identcert.cli import app as command_line
from identcert.cli import attribute

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    known = {
        c.name or getattr(c.callback, "__name__", "") for c in command_line.app.registered_commands
    }
    if "attribute" not in known:
        attribute.register(command_line.app)

    def call(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["identcert", *map(str, words)])
        with pytest.raises(SystemExit) as stop:
            command_line.main()
        printed = capsys.readouterr()
        return int(stop.value.code or 0), printed.out, printed.err

    return call


@pytest.fixture
def network(tmp_path: Path) -> Path:
    layers = [
        {"kind": "dense", "weight": [["3", "1"], ["1", "-2"]], "bias": ["1", "0"],
         "activation": "tanh"},
        {"kind": "dense", "weight": [["2", "-1"]], "bias": ["0"], "activation": "identity"},
    ]  # fmt: skip
    path = tmp_path / "net.network.json"
    head = {"format": "identcert.network", "version": 1, "inputs": 2}
    path.write_text(json.dumps({**head, "layers": layers}))
    return path


def test_words(run: Run, network: Path) -> None:
    code, out, err = run("attribute", network, "so2", "--top", 3)
    assert (code, err) == (0, "")
    for words in (
        "9 parameters", "structural (exact)", "J is injective here", "c* along the orbit (numeric)",
        "layer 1", "W1[0,1]", "exact for polynomial maps up to degree 63", "b* towards",
    ):  # fmt: skip
        assert words in out


def test_json_of_a_masked_network(run: Run, network: Path) -> None:
    code, out, _ = run("attribute", network, "so2", "--freeze", "W1[0,1]", "--json")
    tree = json.loads(out)
    (generator,) = tree["generators"]
    assert code == 0 and tree["parameters"] == 8
    assert generator["lift"]["lifts"] is False and generator["lift"]["kind"] == "exact"
    assert generator["lift"]["obstacle"] == "W1[0,1]" and generator["lift"]["direction"] is None
    orbit = generator["orbit"]
    assert orbit["numeric"] is True and orbit["relative_residual"] > 0.1
    assert abs(orbit["share_sum"] - orbit["r_squared"]) < 1e-9 and len(orbit["components"]) == 8
    assert tree["defect"]["layers"].keys() == {"layer 1", "layer 2"}
    assert 0 < tree["relative_defect"] < 1 and tree["seconds"] > 0


def test_json_states_the_exact_direction(run: Run, network: Path) -> None:
    _, out, _ = run("attribute", network, "so2", "--json")
    lift = json.loads(out)["generators"][0]["lift"]
    assert lift["kind"] == "structural" and lift["rule"] == "dictionary" and lift["is_injective"]
    assert lift["direction"] == ["-1", "3", "2", "1", "0", "0", "0", "0", "0"]


def test_evidence_and_picture(run: Run, network: Path, tmp_path: Path) -> None:
    out_dir, picture = tmp_path / "evidence", tmp_path / "deep" / "picture.png"
    code, out, err = run("attribute", network, "so2", "--out", out_dir, "--plot", picture)
    assert (code, err) == (0, "")
    assert f"Evidence: {out_dir} (verify it with: identcert check DIR)" in out
    assert "lifts" in lift_checker.check(out_dir) and picture.stat().st_size > 1000


def test_check_finds_the_checker_of_lifting(run: Run, network: Path, tmp_path: Path) -> None:
    run("attribute", network, "so2", "--out", tmp_path)
    code, out, err = run("check", tmp_path)
    assert (code, err) == (0, "") and "lifts" in out
    evidence = tmp_path / "lift.json"
    evidence.write_text(evidence.read_text().replace('"lifts"', '"does_not_lift"'))
    assert run("check", tmp_path)[0] in (1, 2)
    evidence.write_text("{")
    assert run("check", tmp_path)[0] == 2


def test_evidence_of_lifting_names_no_model(run: Run, network: Path, tmp_path: Path) -> None:
    run("attribute", network, "so2", "--out", tmp_path)
    code, _, err = run("check", tmp_path, "--model", network)
    assert code == 2 and "does not name a model file" in err


def test_no_half_of_a_folder_hides_behind_the_other(
    run: Run, network: Path, tmp_path: Path
) -> None:
    run("attribute", network, "so2", "--out", tmp_path)
    (tmp_path / "witness.json").write_text("{}")
    assert run("check", tmp_path)[0] == 2


def test_action_files(run: Run, network: Path, tmp_path: Path) -> None:
    action = tmp_path / "turn.action.json"
    sides = {"input": [["0", "-1"], ["1", "0"]], "output": "trivial"}
    tree = {"format": "identcert.action", "version": 1, "infinitesimal": {"xi": sides}}
    action.write_text(json.dumps(tree))
    _, out, _ = run("attribute", network, action, "--json")
    assert json.loads(out)["generators"][0]["name"] == "xi"


def test_finite_actions_have_a_defect_only(run: Run, network: Path) -> None:
    code, out, _ = run("attribute", network, "symmetric", "--json")
    tree = json.loads(out)
    assert code == 0 and tree["generators"] == [] and tree["average"] == "all 2 group elements"
    assert tree["defect"]["target_rms"] > 0


def test_translations_have_no_average(run: Run, network: Path) -> None:
    code, out, _ = run("attribute", network, "translation:0", "--ridge", "1e-2", "--plain")
    assert code == 0 and "No defect direction: no period" in out and "plain norm" in out


@pytest.mark.parametrize("probe", ["polar", "box", "sphere", "file"])
def test_probes(run: Run, network: Path, tmp_path: Path, probe: str) -> None:
    if probe == "file":
        path = tmp_path / "points.npy"
        np.save(path, np.random.default_rng(0).normal(size=(50, 2)))
        probe = str(path)
    words: tuple[Any, ...] = (
        "--probe",
        probe,
        "--points",
        60,
        "--radius",
        2,
        "--numeric",
        "--json",
    )
    code, out, _ = run("attribute", network, "so2", *words)
    tree = json.loads(out)
    assert code == 0 and 45 <= tree["probe_points"] <= 64
    assert tree["generators"][0]["lift"] is None


def test_ties(run: Run, network: Path) -> None:
    code, out, _ = run("attribute", network, "so2", "--tie", "W1[0,1] = W1[1,0]", "--json")
    assert code == 0 and json.loads(out)["parameters"] == 8


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["so5"], "does not fit a network of 2 inputs"),
        (["nothing"], "neither a file nor a built-in action"),
        (["so2", "--freeze", "W9"], "no such parameter"),
        (["so2", "--freeze", "W1", "--freeze", "b1", "--freeze", "W2", "--freeze", "b2"], "every"),
        (["so2", "--tie", "W1[0,0] = W1[0,1]"], "do not satisfy the tie"),
        (["so2", "--probe", "missing.npy"], "cannot be read"),
        (["so2", "--plot", "picture.xyz"], "picture cannot be written"),
        (["symmetric", "--out", "folder"], "no lift was decided"),
    ],
)
def test_bad_input(run: Run, network: Path, words: list[str], sentence: str) -> None:
    code, out, err = run("attribute", network, *words)
    assert code == 2 and out == "" and sentence in err and "Traceback" not in err
    assert len(err.strip().splitlines()) == 1


def test_symbolic_weights_are_refused(run: Run, network: Path) -> None:
    tree = json.loads(network.read_text()) | {"parameters": ["a"]}
    tree["layers"][0]["weight"][0][0] = "a"
    network.write_text(json.dumps(tree))
    code, _, err = run("attribute", network, "so2")
    assert code == 2 and "the weights depend on a" in err


def test_square_roots_are_attributed_without_evidence(
    run: Run, network: Path, tmp_path: Path
) -> None:
    tree = json.loads(network.read_text())
    tree["layers"][0]["weight"][0][0] = "sqrt(2)"
    network.write_text(json.dumps(tree))
    code, out, _ = run("attribute", network, "so2", "--json")
    assert code == 0 and json.loads(out)["generators"][0]["lift"]["direction"][1] == "sqrt(2)"
    code, _, err = run("attribute", network, "so2", "--out", tmp_path / "evidence")
    assert code == 2 and "rational numbers only" in err


def test_a_probe_beyond_memory_is_refused(run: Run, network: Path) -> None:
    code, _, err = run("attribute", network, "so2", "--probe", "box", "--points", 50_000_000)
    assert code == 2 and "take at most" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--points", 10**9], "is too large; take at most"),
        (["--points", 10**9, "--probe", "box"], "is too large; take at most"),
        (["--angles", 10**9], "--angles"),
        (["--ridge", "inf"], "--ridge"),
        (["--tau", "nan"], "--tau"),
        (["--tau", "inf"], "--tau"),
        (["--radius", "inf"], "--radius"),
    ],
)
def test_sizes_without_measure_are_refused_at_once(
    run: Run, network: Path, words: list[Any], said: str
) -> None:
    code, out, err = run("attribute", network, "so2", *words)
    assert code == 2 and out == "" and said in err


def written(tmp_path: Path, *layers: Any) -> Path:
    from identcert.nets.files import network_bytes

    place = tmp_path / "made.network.json"
    place.write_bytes(network_bytes(Network.dense([*layers])))
    return place


def test_a_neuron_that_rests_at_its_kink_ends_the_search(run: Run, tmp_path: Path) -> None:
    layers = ([[0, 0], [1, 2]], [0, 1], "relu"), ([[1, 1]], [0], "identity")
    code, out, _ = run("attribute", written(tmp_path, *layers), "so2", "--freeze", "W1[1,0]")
    assert code == 0 and "Generator turn" in out


def test_constant_neurons_have_a_report_and_a_sentence(run: Run, tmp_path: Path) -> None:
    layers = ([[0, 0], [1, 2]], [1, 1], "tanh"), ([[1, 1]], [0], "identity")
    place = written(tmp_path, *layers)
    code, out, err = run("attribute", place, "so2", "--out", tmp_path / "evidence")
    assert code == 2 and "Generator turn" in out and "where a neuron is constant" in err
    assert not (tmp_path / "evidence").exists()


def test_only_evidence_of_this_run_is_named(run: Run, tmp_path: Path) -> None:
    layers = ([[1, 2, 3], [0, 1, 1]], [1, 0], "tanh"), ([[1, 1]], [0], "identity")
    place, out_dir = written(tmp_path, *layers), tmp_path / "evidence"
    assert run("attribute", place, "so3", "--out", out_dir)[1].count("Evidence: ") == 3
    code, out, _ = run("attribute", place, "plane:0,1", "--out", out_dir)
    assert code == 0 and out.count("Evidence: ") == 1 and f"Evidence: {out_dir} (" in out


def test_a_dead_column_is_no_injectivity() -> None:
    net = Network.dense(
        [([[-1], [1], [0], [0]], [-1, 1, "-1/2", 0], "relu"), ([[-1, 2, 1, 1]], [3], "identity")]
    )
    generator = translation(1, 1, [1])
    found = lift_of(Parametrisation.of(net), generator, injectivity=True)
    assert found.is_injective is not True
    assert injectivity_evidence(Parametrisation.of(net), generator) is None
