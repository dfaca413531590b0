"""The Coq export: what it covers, that Coq agrees with the checker and the oracle, the command."""

from __future__ import annotations

import fnmatch
import importlib.util
import json
import os
import random
import re
import shutil
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import make_corpus
import oracle
import pytest

from identcert import checker
from identcert.certify.theorems import catalogue
from identcert.cli.app import main
from identcert.errors import EvidenceRejected, IdentcertError, InputError, UnsupportedError
from identcert.witness.coq_compile import Compiled, compile_export
from identcert.witness.coq_export import coq_texts, export
from identcert.witness.coq_library import MODULES, WITH_INTERVALS, compile_library, find_library

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT / "tests" / "corpus"
EXAMPLES = ROOT / "proofs" / "examples"
Run = Callable[..., tuple[int, str, str]]

needs_coq = pytest.mark.skipif(
    shutil.which("coqc") is None, reason="Coq is not installed (coqc is not on the path)"
)
UNCOVERED = ("cells_*", "clamps", "different_*", "equal_*", "refuted_erf", "refuted_gelu")
# Rejected folders whose claim about f is true: what is wrong is not what Coq states.
BEYOND = {
    "affine_hidden_layer": "that affine layers are folded first",
    "collapse_without_hidden_layer": "that no step is idle",
    "no_steps": "that reduction removes something",
    "unused_neuron": "that the parameter is reduced",
    "zero_row": "that the parameter is reduced",
    "equivalent_rows*": "that the parameter is reduced",
    "opposite_rows": "that the parameter is reduced",
    "parallel_rows_*": "that the parameter is reduced",
    "end_to_end_not_reduced": "why the reduced parameter has no latents",
    "obstruction_*": "why the reduced parameter has no latents",
    "collision_*": "why the reduced parameter has no latents",
    "given_*": "whether the given parameter has latents",
    "hash_of_*": "which files the witness belongs to",
    "reversal_of_[!eo]*": "by which rule f is equivariant: Coq compares formal values",
    "atoms_equal_but_not_formally": "that numbers of the reduced parameter differ",
    "zero_but_not_formally": "that numbers of the reduced parameter differ",
    "gap_needs_more_bits": "at which precision the gap is seen: Coq tries further ones",
}
FAST = (
    *("worked_example", "step_merge", "norm_under_tanh", "parametric_scale"),
    *("refuted_algebraic", "refuted_sin", "given_true"),
)


def folders(kind: str, *patterns: str) -> list[Path]:
    found = sorted((CORPUS / kind).iterdir())
    return [p for p in found if not patterns or is_listed(p.name, patterns)]


def is_listed(name: str, patterns: Any) -> bool:
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)


def compiled(directory: Path, scratch: Path) -> Compiled:
    """What Coq proves of a folder; skips without coq-interval where that is needed."""
    try:
        return compile_export(export(directory, scratch))
    except UnsupportedError as error:
        if "coq-interval" in str(error):
            pytest.skip(str(error))
        raise


@pytest.fixture(autouse=True, scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A cache for the compiled library that is not the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp().parent / "cache"))
        yield


# ---------------------------------------------------------------------------------- the export


@pytest.mark.parametrize("path", folders("accepted"), ids=lambda p: p.name)
def test_accepted_folders_are_exported_or_refused_with_a_sentence(path: Path) -> None:
    try:
        key, problem, witness, verdict = coq_texts(path)
    except UnsupportedError as refusal:
        assert is_listed(path.name, UNCOVERED)
        assert re.search(r"rule|verdict|erf", str(refusal))
        assert str(refusal).endswith(".") and "\n" not in str(refusal)
        return
    assert not is_listed(path.name, UNCOVERED)
    assert problem.isascii() and witness.isascii()
    assert f"Require Import Problem_{key}." in witness
    negation = "~ " if verdict == "not_equivariant" else ""
    assert f"Theorem proof : {negation}equivariant." in witness


@pytest.mark.parametrize("path", folders("malformed") + folders("other"), ids=lambda p: p.name)
def test_malformed_folders_crash_nothing(path: Path) -> None:
    try:
        _, problem, witness, _ = coq_texts(path)
    except IdentcertError as refusal:
        assert str(refusal).isascii() and "\n" not in str(refusal)
    else:
        assert problem.isascii() and witness.isascii()


def test_links_are_not_followed(tmp_path: Path) -> None:
    folder = tmp_path / "evidence"
    for file in ("network", "action", "witness"):
        shutil.copytree(CORPUS / "accepted" / "norm", folder)
        (folder / f"{file}.json").unlink()
        (folder / f"{file}.json").symlink_to("/dev/zero")
        with pytest.raises(InputError, match=file):
            coq_texts(folder)
        shutil.rmtree(folder)


def test_the_statement_depends_on_network_and_action_alone(tmp_path: Path) -> None:
    folder = tmp_path / "evidence"
    shutil.copytree(CORPUS / "accepted" / "refuted_relu", folder)
    before = coq_texts(folder)
    witness = json.loads((folder / "witness.json").read_text())
    witness["evidence"]["gap"] = "1/1000000"
    (folder / "witness.json").write_bytes(make_corpus.canonical(witness))
    after = coq_texts(folder)
    assert before[:2] == after[:2]
    assert before[2] != after[2]


@pytest.mark.parametrize(
    "text",
    ["tanh. Axiom a : False", "*) Axiom a : False. (*", "x\n", 'a"b', "Q2R"],
)
def test_no_text_of_a_file_reaches_coq(tmp_path: Path, text: str) -> None:
    """Names that are no words are refused, and words are prefixed."""
    for file, place in (("action", "generators"), ("network", "activation"), ("witness", "rule")):
        folder = tmp_path / file
        shutil.copytree(CORPUS / "accepted" / "step_merge", folder)
        tree = json.loads((folder / f"{file}.json").read_text())
        if place == "generators":
            tree[place] = {text: tree[place].popitem()[1]}
        elif place == "activation":
            tree["layers"][0][place] = text
        else:
            tree["evidence"]["steps"][0][place] = text
        (folder / f"{file}.json").write_bytes(make_corpus.canonical(tree))
        with pytest.raises(InputError):
            coq_texts(folder)


def test_examples_are_what_the_exporter_writes(tmp_path: Path) -> None:
    written = [path for path in EXAMPLES.iterdir() if (path / "witness.json").exists()]
    assert len(written) >= 10
    for path in written:
        checker.check(path)
        exported = export(path, tmp_path)
        for made in (exported.problem, exported.witness):
            assert made.read_text() == (path / made.name).read_text(), made.name
        assert {p.name for p in path.glob("*.v")} == {exported.problem.name, exported.witness.name}


# ----------------------------------------------------------------------------------------- Coq


@needs_coq
@pytest.mark.parametrize("name", FAST)
def test_coq_accepts(name: str, tmp_path: Path) -> None:
    path = CORPUS / "accepted" / name
    result = compiled(path, tmp_path)
    verdict = json.loads((path / "witness.json").read_text())["verdict"]
    names = ["proof", "layers"] if verdict == "layerwise" else ["proof"]
    assert [theorem.name for theorem in result.theorems] == names
    for theorem in result.theorems:
        assert theorem.statement.startswith("not:") is (verdict == "not_equivariant")
        assert "forall" in theorem.statement
        assert set(theorem.assumptions) <= {
            *("sig_forall_dec", "sig_not_dec", "functional_extensionality_dep", "classic"),
        }


@needs_coq
@pytest.mark.parametrize("name", ["latent_wrong_permutation", "gap_too_large"])
def test_coq_refuses(name: str, tmp_path: Path) -> None:
    with pytest.raises(EvidenceRejected, match="Coq refuses the proof"):
        compiled(CORPUS / "rejected" / name, tmp_path)


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize("path", folders("accepted"), ids=lambda p: p.name)
def test_accepted_by_checker_oracle_and_coq(path: Path, tmp_path: Path) -> None:
    if is_listed(path.name, UNCOVERED):
        pytest.skip("Coq does not cover this rule")
    checker.check(path)
    verdict = json.loads((path / "witness.json").read_text())["verdict"]
    assert is_equivariant(path) is (verdict != "not_equivariant")
    assert compiled(path, tmp_path).theorems[0].name == "proof"


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize("path", folders("rejected"), ids=lambda p: p.name)
def test_rejected_by_coq_as_well(path: Path, tmp_path: Path) -> None:
    """What the checker rejects is refused at Qed, unless the claim that Coq states is true."""
    try:
        exported = export(path, tmp_path)
    except IdentcertError as refusal:
        pytest.skip(f"not exported: {refusal}")
    if not is_listed(path.name, BEYOND):
        with pytest.raises(EvidenceRejected):
            compile_export(exported)
        return
    assert compile_export(exported).theorems[0].name == "proof"
    assert is_equivariant(path) is (exported.verdict != "not_equivariant")


def is_equivariant(path: Path) -> bool:
    """What the oracle says of the network and the action of a folder."""
    values = json.loads((path / "witness.json").read_text())["evidence"].get("parameters")
    numbers = {k: oracle.Fraction(v) for k, v in values.items()} if values else None
    problem = oracle.read_problem(path / "network.json", path / "action.json", numbers)
    return oracle.judge(problem).equivariant


MUTANTS = 48  # Coq takes about two seconds for each


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(MUTANTS))
def test_mutants_are_judged_alike(seed: int, tmp_path: Path) -> None:
    """Coq accepts every mutant that the checker accepts, and none whose claim is false."""
    rng = random.Random(seed)
    names = [p for p in folders("accepted") if not is_listed(p.name, (*UNCOVERED, "tensors"))]
    folder = tmp_path / "evidence"
    shutil.copytree(rng.choice(names), folder)
    mutate(folder, rng)
    try:
        checker.check(folder)
        is_accepted = True
    except checker.CheckError:
        is_accepted = False
    try:
        exported = export(folder, tmp_path)
    except IdentcertError:
        return
    try:
        compile_export(exported)
    except EvidenceRejected:
        assert not is_accepted
    else:
        assert is_equivariant(folder) is (exported.verdict != "not_equivariant")


def mutate(folder: Path, rng: random.Random) -> None:
    """Change one number of the network or of the evidence, and correct the hashes."""
    file = rng.choice(("network", "witness"))
    tree = json.loads((folder / f"{file}.json").read_text())
    places: list[tuple[Any, Any]] = []

    def collect(node: Any) -> None:
        for key in node if isinstance(node, dict) else range(len(node)):
            if isinstance(node[key], dict | list):
                collect(node[key])
            elif type(node[key]) is int or re.match(r"-?[0-9]", str(node[key])):
                places.append((node, key))

    collect(tree["layers"] if file == "network" else tree["evidence"])
    if places:
        node, key = rng.choice(places)
        number = rng.choice((-1, 0, 1, 2, 3))
        node[key] = number if type(node[key]) is int else str(number)
    data = make_corpus.canonical(tree)
    (folder / f"{file}.json").write_bytes(data)
    if file == "network":
        witness = json.loads((folder / "witness.json").read_text())
        witness["network_sha256"] = make_corpus.hashlib.sha256(data).hexdigest()
        (folder / "witness.json").write_bytes(make_corpus.canonical(witness))


def test_the_library_lists_its_modules_in_order() -> None:
    sources = {path.stem: path.read_text() for path in find_library().glob("*.v")}
    order = [*MODULES, *WITH_INTERVALS]
    assert sorted(order) == sorted(sources)
    for place, name in enumerate(order):
        commands = re.findall(r"From Identcert Require Import ([^.]*)\.", sources[name])
        needed = {word for command in commands for word in command.split()}
        assert needed <= set(order[:place]), name


@needs_coq
@pytest.mark.slow
def test_the_library_compiles_from_its_list(tmp_path: Path) -> None:
    compile_library(find_library(), tmp_path / "library")
    assert all((tmp_path / "library" / f"{name}.vo").exists() for name in MODULES)


@pytest.mark.slow
def test_a_wheel_carries_the_library(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-q"]
    copy = tmp_path / "source"
    ignored = shutil.ignore_patterns(".git", ".venv", "*.vo*", "*.glob", "build", "tests", "*.pyc")
    shutil.copytree(ROOT, copy, ignore=ignored)
    built = subprocess.run(
        [*command, "-w", str(tmp_path), str(copy)], capture_output=True, text=True
    )
    if built.returncode and "No module named" in built.stderr:
        pytest.skip("setuptools and wheel are not installed")
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    shutil.unpack_archive(wheel, tmp_path / "installed", "zip")
    installed = tmp_path / "installed" / "identcert" / "witness" / "coq"
    assert {p.name for p in installed.iterdir()} == {p.name for p in find_library().glob("*.v")}
    code = "from identcert.witness.coq_library import find_library; print(find_library())"
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path / "installed", capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "installed")},
    )  # fmt: skip
    assert Path(found.stdout.strip()) == installed


# ------------------------------------------------------------------------------------- command


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["identcert", *map(str, words)])
        with pytest.raises(SystemExit) as stop:
            main()
        printed = capsys.readouterr()
        return int(stop.value.code or 0), printed.out, printed.err

    return call


def test_command_writes_both_files(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "evidence"
    shutil.copytree(CORPUS / "accepted" / "worked_example", folder)
    code, out, err = run("coq", folder)
    assert (code, err) == (0, "")
    beside = sorted(path.name for path in folder.glob("*.v"))
    assert [name.split("_")[0] for name in beside] == ["Problem", "Witness"]
    assert all(name in out for name in beside)
    code, _, _ = run("coq", folder, "-o", tmp_path / "new" / "place")
    assert code == 0
    assert sorted(path.name for path in (tmp_path / "new" / "place").iterdir()) == beside


@needs_coq
def test_command_prints_the_theorem(run: Run, tmp_path: Path) -> None:
    code, out, err = run("coq", CORPUS / "accepted" / "worked_example", "-o", tmp_path, "--compile")
    assert (code, err) == (0, "")
    assert "forall (w : list generator) (x : list R)" in out
    assert "Axioms of Coq's library used: " in out
    assert all(path.suffix == ".v" for path in tmp_path.iterdir())


@needs_coq
def test_command_reports_a_refused_proof(run: Run, tmp_path: Path) -> None:
    code, out, err = run("coq", CORPUS / "rejected" / "weight_changed", "-o", tmp_path, "--compile")
    assert code == 2
    assert "proves" not in out
    assert err.startswith("identcert: Coq refuses the proof") and err.count("\n") == 1


def test_command_without_coq(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    folder = CORPUS / "accepted" / "worked_example"
    code, out, err = run("coq", folder, "-o", tmp_path / "out", "--compile")
    assert code == 2
    assert out.count("Written: ") == 2
    assert "Coq is not installed" in err and err.count("\n") == 1


@pytest.mark.parametrize(
    ("folder", "sentence"),
    [
        ("accepted/cells_maximum", "rule cells"),
        ("accepted/equal_latents", "verdicts equal and different"),
        ("other/undecided", "undecided"),
        ("malformed/truncated", "witness.json"),
        ("nowhere", "witness.json"),
    ],
)
def test_command_refuses_in_one_sentence(
    run: Run, tmp_path: Path, folder: str, sentence: str
) -> None:
    code, out, err = run("coq", CORPUS / folder, "-o", tmp_path / "out")
    assert (code, out) == (2, "")
    assert sentence in err and err.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_command_says_where_it_cannot_write(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, _, err = run("coq", CORPUS / "accepted" / "norm", "-o", tmp_path / "file")
    assert code == 2
    assert "cannot be written" in err and err.count("\n") == 1


# ------------------------------------------------------------------------------ check.py, texts


def load_check() -> types.ModuleType:
    spec = importlib.util.spec_from_file_location("proofs_check", ROOT / "proofs" / "check.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "line",
    [
        "Axiom a : False.", "Parameter p : nat.", "Proof. Admitted.", "admit.", "native_compute.",
        "Unset Guard Checking.", "#[bypass_check(guard)] Fixpoint f", "Unset  Universe Checking.",
        "Conjecture c : True.",
    ],
)  # fmt: skip
def test_forbidden_words_are_found(line: str) -> None:
    assert load_check().FORBIDDEN.search(line)
    assert not load_check().FORBIDDEN.search("Parametric axioms, admits, Print Assumptions.")


def defined_names() -> set[str]:
    """Theorems and definitions of the Coq sources, as Module.name."""
    pattern = re.compile(
        r"^(?:Theorem|Lemma|Corollary|Fact|Definition|Fixpoint|Record|Inductive|Canonical) (\w+)",
        re.MULTILINE,
    )
    return {
        f"{library}.{path.stem}.{name}"
        for folder, library in (("checker", "Identcert"), ("theory", "IdentcertTheory"))
        for path in (ROOT / "proofs" / folder).glob("*.v")
        for name in pattern.findall(path.read_text(encoding="utf-8"))
    }


def test_coq_names_of_the_texts_exist() -> None:
    names = defined_names()
    quoted = {theorem.coq for theorem in catalogue() if theorem.coq is not None}
    for file in ("README.md", "proofs/README.md", "proofs/axioms.allow"):
        text = (ROOT / file).read_text(encoding="utf-8")
        quoted |= set(re.findall(r"\bIdentcert(?:Theory)?\.\w+\.\w+", text))
    assert len(quoted) >= 30
    assert quoted <= names


def test_the_definitions_to_read_are_those_of_the_library() -> None:
    text = (ROOT / "proofs" / "README.md").read_text(encoding="utf-8")
    sources = " ".join(
        " ".join(path.read_text(encoding="utf-8").split()) for path in find_library().glob("*.v")
    )
    blocks = re.findall(r"```coq\n((?:Fixpoint|Definition).*?)```", text, re.DOTALL)
    definitions = re.split(r"(?m)^(?=Fixpoint|Definition)", "".join(blocks))[1:]
    assert len(definitions) == 6
    assert all(" ".join(definition.split()) in sources for definition in definitions)


def test_check_skips_aloud_without_coq(tmp_path: Path) -> None:
    def call(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(ROOT / "proofs" / "check.py"), *words]
        return subprocess.run(
            command, capture_output=True, text=True, env={"PATH": str(tmp_path)}
        )  # fmt: skip

    skipped, ready = call(), call("--ready")
    assert skipped.returncode == 0
    assert skipped.stdout.startswith("skipped: coqc is not installed")
    assert ready.returncode == 1
    assert "coqc is not installed" in ready.stdout


@pytest.mark.parametrize(
    ("name", "found", "is_good"),
    [
        ("a", "closed", True),
        ("a", "classic", False),
        ("b", "classic sig_forall_dec", True),
        ("b", "classic", False),
        ("b", "closed", False),
        ("unlisted", "closed", False),
    ],
)
def test_assumptions_must_be_exactly_the_listed_ones(name: str, found: str, is_good: bool) -> None:
    promises = {"a": "closed", "b": "classic sig_forall_dec"}
    assert load_check().compare(name, found, promises) is is_good


def test_every_file_that_must_fail_names_its_message_and_control() -> None:
    promise = load_check().PROMISE
    for path in (ROOT / "proofs" / "mustfail").glob("*.v"):
        text = path.read_text(encoding="ascii")
        match = promise.match(text)
        assert match is not None and len(match.group(1)) > 20, path.name
        control = re.search(r"Control: examples/(\w+)", text)
        assert control is None or (EXAMPLES / control.group(1)).is_dir(), path.name
        assert control is not None or "Problem_" not in text, path.name
