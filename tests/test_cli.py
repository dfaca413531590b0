"""The commands: exit codes, JSON keys, one plain sentence for every kind of bad input."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from identcert import Network, actions, certify
from identcert.cli import app as app_module
from identcert.cli.app import main
from identcert.witness.store import write_folder

Run = Callable[..., tuple[int, str, str]]

SWAP = {
    "format": "identcert.action",
    "version": 1,
    "generators": {"s": {"input": {"permutation": [1, 0]}, "output": "trivial"}},
}


def network(**changes: Any) -> dict[str, Any]:
    layers = [
        {"kind": "dense", "weight": [["1", "2"], ["2", "1"]], "bias": ["1", "1"],
         "activation": "tanh"},
        {"kind": "dense", "weight": [["3", "3"]], "bias": ["0"], "activation": "identity"},
    ]  # fmt: skip
    return {"format": "identcert.network", "version": 1, "inputs": 2, "layers": layers, **changes}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["identcert", *map(str, words)])
        with pytest.raises(SystemExit) as stop:
            main()
        printed = capsys.readouterr()
        return int(stop.value.code or 0), printed.out, printed.err

    return call


@pytest.fixture
def problem(tmp_path: Path) -> tuple[Path, Path]:
    net, act = tmp_path / "n.network.json", tmp_path / "a.action.json"
    net.write_text(json.dumps(network()))
    act.write_text(json.dumps(SWAP))
    return net, act


KEYS = {
    "verdict", "group_order", "reduced_widths", "given_parameter_layerwise", "identifiability",
    "latents", "counterexample", "diagnosis", "evidence_dir", "seconds",
}  # fmt: skip


def test_certify_layerwise(run: Run, problem: tuple[Path, Path], tmp_path: Path) -> None:
    code, out, err = run("certify", *problem, "--out", tmp_path / "ev", "--json")
    assert (code, err) == (0, "")
    tree = json.loads(out)
    assert tree.keys() >= KEYS
    assert tree["verdict"] == "layerwise"
    assert tree["group_order"] == 2
    assert tree["latents"]["s"][0]["permutation"] == [1, 0]
    assert tree["identifiability"].keys() >= {"status", "theorem", "hypotheses"}
    code, out, err = run("check", tmp_path / "ev")
    assert code == 0 and "layerwise" in out


def test_certify_refutes_with_exit_one(run: Run, tmp_path: Path) -> None:
    tree = network()
    tree["layers"][1]["weight"] = [["3", "3.000000000001"]]
    net, act = tmp_path / "n.network.json", tmp_path / "a.action.json"
    net.write_text(json.dumps(tree))
    act.write_text(json.dumps(SWAP))
    code, out, _ = run("certify", net, act)
    assert code == 1
    assert "gap" in out and "breaks first in the output layer" in out


def test_equal_inputs_give_equal_bytes(
    run: Run, problem: tuple[Path, Path], tmp_path: Path
) -> None:
    for folder in ("one", "two"):
        assert run("certify", *problem, "--out", tmp_path / folder)[0] == 0
    files = sorted(p.name for p in (tmp_path / "one").iterdir())
    assert files == ["action.json", "network.json", "witness.json"]
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_reduce_convert_actions(run: Run, problem: tuple[Path, Path], tmp_path: Path) -> None:
    tree = network()
    tree["layers"][0]["weight"] = [["1", "2"], ["-1", "-2"]]
    tree["layers"][0]["bias"] = ["1", "-1"]
    source = tmp_path / "clones.network.json"
    source.write_text(json.dumps(tree))
    target = tmp_path / "small.network.json"
    code, out, _ = run("reduce", source, "-o", target, "--json")
    # the clone (-1, -2 | -1) cancels the first neuron: 3·tanh(z) + 3·tanh(-z) = 0
    assert code == 0 and json.loads(out)["reduced_widths"] == [2, 1]
    assert json.loads(target.read_text())["format"] == "identcert.network"
    code, out, _ = run("convert", problem[0], "-o", tmp_path / "again.network.json")
    assert code == 0 and "integers" in out
    code, out, _ = run("actions", "--json")
    assert code == 0 and len(json.loads(out)["actions"]) > 10


def test_demo(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("demo", "--out", tmp_path / "demo")
    assert code == 0
    assert "not_equivariant" in out and "layerwise" in out and str(tmp_path / "demo") in out
    assert run("check", tmp_path / "demo" / "digits_tied")[0] == 0


def test_check_notices_a_changed_model(run: Run, tmp_path: Path) -> None:
    demo = Path(__file__).resolve().parents[1] / "identcert" / "cli" / "demo"
    model = tmp_path / "model.onnx"
    content = (demo / "digits_tied.onnx").read_bytes()
    model.write_bytes(content)
    assert run("certify", model, demo / "mirror.action.json", "--out", tmp_path / "ev")[0] == 0
    assert run("check", tmp_path / "ev", "--model", model)[0] == 0
    for place in (len(content) // 2, len(content) - 1, 20):
        changed = bytearray(content)
        changed[place] ^= 1
        model.write_bytes(bytes(changed))
        code, out, err = run("check", tmp_path / "ev", "--model", model)
        assert out == ""
        assert code == 1, (place, out, err)


def change(path: list[Any], value: Any) -> Callable[[dict[str, Any]], None]:
    def apply(tree: dict[str, Any]) -> None:
        for key in path[:-1]:
            tree = tree[key]
        tree[path[-1]] = value

    return apply


BAD_NETWORKS = {
    "ragged": (change(["layers", 0, "weight"], [["1"], ["1", "2"]]), "weight"),
    "wrong shape": (change(["layers", 1, "weight"], [["1", "2", "3"]]), "weight"),
    "bias length": (change(["layers", 0, "bias"], ["1"]), "bias"),
    "nan": (change(["layers", 0, "weight", 0, 0], float("nan")), "weight"),
    "infinity": (change(["layers", 0, "weight", 0, 0], float("inf")), "weight"),
    "undeclared symbol": (change(["layers", 0, "weight", 0, 0], "a"), "a"),
    "unknown activation": (change(["layers", 0, "activation"], "swish3"), "swish3"),
    "unknown key": (change(["layers", 0, "wieght"], []), "wieght"),
    "huge exponent": (change(["layers", 0, "weight", 0, 0], "2^" + "9" * 10**6), "longer"),
    "huge number": (change(["layers", 0, "weight", 0, 0], "9" * 10**6), "longer"),
    "huge activation": (change(["layers", 0, "activation"], "x^" + "9" * 10**6), "activation"),
    "no layers": (change(["layers"], []), "layers"),
    "version": (change(["version"], 2), "version"),
    "format": (change(["format"], "else"), "format"),
    "boolean": (change(["layers", 0, "bias", 0], True), "bias"),
    "zero division": (change(["layers", 0, "bias", 0], "1/0"), "bias"),
    "inputs": (change(["inputs"], -1), "inputs"),
    "sign activation": (change(["layers", 0, "activation"], "sign"), "sign"),
}


@pytest.mark.parametrize("name", BAD_NETWORKS)
def test_bad_networks(run: Run, problem: tuple[Path, Path], tmp_path: Path, name: str) -> None:
    alter, mentioned = BAD_NETWORKS[name]
    tree = network()
    alter(tree)
    problem[0].write_text(json.dumps(tree))
    expect_refusal(run, problem, tmp_path, mentioned)


GENERATOR = ["generators", "s", "input"]
BAD_ACTIONS = {
    "not a permutation": (change(GENERATOR, {"permutation": [0, 0]}), "permutation"),
    "singular": (change(GENERATOR, {"matrix": [["1", "1"], ["1", "1"]]}), "invertible"),
    "wrong size": (change(GENERATOR, {"permutation": [1, 2, 0]}), "3"),
    "image": (change(GENERATOR, {"image": {"shape": [1, 1, 2], "transform": "rot90"}}), "square"),
    "relator": (change(["relators"], ["s"]), "relator"),
    "empty": (change(["generators"], {}), "generator"),
    "signs": (change(GENERATOR, {"permutation": [1, 0], "signs": [1, 2]}), "sign"),
    "unknown key": (change(["generator"], {}), "generator"),
    "unknown transform": (
        change(GENERATOR, {"image": {"shape": [1, 1, 2], "transform": "spin"}}), "spin"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_ACTIONS)
def test_bad_actions(run: Run, problem: tuple[Path, Path], tmp_path: Path, name: str) -> None:
    alter, mentioned = BAD_ACTIONS[name]
    tree = json.loads(json.dumps(SWAP))
    alter(tree)
    problem[1].write_text(json.dumps(tree))
    expect_refusal(run, problem, tmp_path, mentioned)


def expect_refusal(run: Run, problem: tuple[Path, Path], tmp_path: Path, mentioned: str) -> None:
    code, out, err = run("certify", *problem, "--out", tmp_path / "ev")
    assert code == 2, (out, err)
    assert out == ""
    assert len(err.strip().splitlines()) == 1 and "Traceback" not in err
    assert len(err) < 1000
    assert mentioned in err
    assert not (tmp_path / "ev").exists()


RAW = {
    "not json": b"{",
    "empty": b"",
    "not utf-8": b"\xff\xfe{}",
    "a list": b"[]",
    "duplicate key": b'{"format": "identcert.network", "format": "identcert.network"}',
    "deep": b"[" * 100_000,
    "null": b"null",
}


@pytest.mark.parametrize("name", RAW)
@pytest.mark.parametrize("which", [0, 1])
def test_bad_bytes(
    run: Run, problem: tuple[Path, Path], tmp_path: Path, name: str, which: int
) -> None:
    problem[which].write_bytes(RAW[name])
    expect_refusal(run, problem, tmp_path, problem[which].name)


def test_missing_file_and_unknown_ending(run: Run, problem: tuple[Path, Path]) -> None:
    code, _, err = run("certify", problem[0].with_name("gone.network.json"), problem[1])
    assert code == 2 and "gone.network.json" in err
    other = problem[0].with_name("net.txt")
    other.write_text("hello")
    code, _, err = run("certify", other, problem[1])
    assert code == 2 and "net.txt" in err
    code, _, err = run("certify", problem[0], "no-such-action")
    assert code == 2 and "no-such-action" in err


def test_truncated_and_garbage_onnx(run: Run, problem: tuple[Path, Path], tmp_path: Path) -> None:
    demo = Path(__file__).resolve().parents[1] / "identcert" / "cli" / "demo"
    content = (demo / "digits.onnx").read_bytes()
    broken = tmp_path / "broken.onnx"
    for part in (content[: len(content) // 2], b"garbage", b""):
        broken.write_bytes(part)
        code, out, err = run("certify", broken, demo / "mirror.action.json")
        assert code == 2 and out == "" and "broken.onnx" in err


def test_unwritable_output(run: Run, problem: tuple[Path, Path], tmp_path: Path) -> None:
    occupied = tmp_path / "file"
    occupied.write_text("")
    code, out, err = run("certify", *problem, "--out", occupied)
    assert code == 2 and out == "" and "file" in err
    code, _, err = run("reduce", problem[0], "-o", occupied / "x.network.json")
    assert code == 2 and "written" in err


def test_usage_errors(run: Run) -> None:
    for words in (["certify"], ["nonsense"], ["certify", "a", "b", "--seed", "x"]):
        assert run(*words)[0] == 2


@pytest.mark.skipif(os.name != "posix", reason="sends a POSIX signal")
def test_interrupt_leaves_nothing(tmp_path: Path) -> None:
    """A long expansion is interrupted: exit code 130 and no evidence folder."""
    rows = [[str((3 * i + 5 * j) % 7 - 3) for j in range(8)] for i in range(8)]
    tree = network(inputs=8)
    tree["layers"] = [
        {"kind": "dense", "weight": rows, "activation": "x^5 + x"},
        {"kind": "dense", "weight": rows, "activation": "x^3"},
        {"kind": "dense", "weight": [["0"] * 8], "activation": "identity"},
    ]
    (tmp_path / "n.network.json").write_text(json.dumps(tree))
    script = (
        "import sys, time\n"
        "import identcert.certify.search as search\n"
        "search.reduce_network = lambda net: time.sleep(60)\n"
        "from identcert.cli.app import main\n"
        f"sys.argv = ['identcert', 'certify', {str(tmp_path / 'n.network.json')!r}, "
        f"'negation:8->trivial', '--out', {str(tmp_path / 'ev')!r}]\n"
        "print('ready', flush=True)\n"
        "main()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "ready"
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert not (tmp_path / "ev").exists()


def command(*words: object, stdout: Any = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-m", "identcert", *map(str, words)]
    return subprocess.run(call, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the machine has no full device")
@pytest.mark.parametrize("words", [["actions"], ["--help"], ["submodels", "--widths", "2,3,1"]])
def test_a_full_disk_is_no_verdict(words: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = command(*words, stdout=full)
    assert done.returncode == 74 and "input or output failed" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_fault_is_no_verdict(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(app_module, "app", broken)
    with pytest.raises(SystemExit) as stop:
        app_module.main()
    assert stop.value.code == 70 and "fault of identcert, and no verdict" in capsys.readouterr().err


def test_a_folder_holds_the_evidence_of_one_question(
    run: Run, problem: tuple[Path, Path], tmp_path: Path
) -> None:
    """Each kind of evidence over each other one, in one folder: the last is verified."""
    net, act = problem
    out = tmp_path / "evidence"
    commands = {
        "certify": ("certify", net, act, "--out", out),
        "equal": ("equal", net, net, "--out", out),
        "attribute": ("attribute", net, "so2", "--out", out),
    }
    said = {"certify": "layerwise", "equal": "same function", "attribute": "lifts"}
    for first in commands:
        for second in commands:
            for name in (first, second):
                assert run(*commands[name])[0] == 0
                code, words, _ = run("check", out)
                assert code == 0 and said[name] in words, (first, second)


def test_files_that_are_no_evidence_are_kept(problem: tuple[Path, Path], tmp_path: Path) -> None:
    own = tmp_path / "action.json"
    own.write_text("mine")
    write_folder(tmp_path, {"network2.json": b"{}", "witness.json": b"{}"})
    assert own.read_text() == "mine"


@pytest.mark.parametrize("command_name", ["convert", "reduce"])
def test_networks_get_names_that_can_be_read(
    run: Run, problem: tuple[Path, Path], tmp_path: Path, command_name: str
) -> None:
    code, _, err = run(command_name, problem[0], "-o", tmp_path / "c.txt")
    assert code == 2 and ".network.json" in err and not (tmp_path / "c.txt").exists()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"inputs": 2.0}, "2.0 is not a positive integer"),
        ({"version": True}, "version true"),
        ({"version": None}, "version null"),
    ],
)
def test_messages_speak_json(
    run: Run, problem: tuple[Path, Path], changes: dict[str, Any], said: str
) -> None:
    net, act = problem
    net.write_text(json.dumps(network(**changes)))
    code, _, err = run("certify", net, act)
    assert code == 2 and said in err


@pytest.mark.parametrize(
    ("sigma", "said"),
    [
        ("leaky_relu(1/10)", '{"leaky_relu": "1/10"}'),
        ("tanh(x)", '"tanh"'),
        ({"polynomial": []}, "at least one coefficient"),
    ],
    ids=str,
)
def test_other_spellings_of_activations_get_advice(
    run: Run, problem: tuple[Path, Path], sigma: Any, said: str
) -> None:
    net, act = problem
    tree = network()
    tree["layers"][0]["activation"] = sigma
    net.write_text(json.dumps(tree))
    code, _, err = run("certify", net, act)
    assert code == 2 and said in err


def test_a_refuted_element_is_not_called_undecided() -> None:
    """A tiny defect that only the guided search finds: the diagnosis knows of it."""
    layers: Any = [
        ([["1", "1+10^-30"], ["-1", "-1"]], [0, 0], "relu"),
        ([[1, 1]], None, "identity"),
    ]
    result = certify(Network.dense(layers), actions.cyclic(2))
    assert result.verdict == "not_equivariant"
    assert "elements are not decided" not in result.explain()
    assert "1 element is not decided" not in result.explain()
