"""Lifting: rules, evidence and its checkers, with a corpus of good, wrong and malformed files."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from identcert.attribution import lift_checker, minor_checker
from identcert.attribution.evidence import (
    injectivity_evidence,
    lift_evidence,
    minor_evidence,
    write_lift,
)
from identcert.attribution.generators import dilation, find_generators, rotation, translation
from identcert.attribution.lift import (
    LiftResult,
    PointObstruction,
    identifiability_sentence,
    lift_of,
)
from identcert.attribution.minor import Minor, find_minor
from identcert.attribution.parameters import Parametrisation, matching
from identcert.attribution.structural import moved_entries, structural_lift
from identcert.errors import InputError, UnsupportedError
from identcert.nets.network import Network

ATTRIBUTION = Path(lift_checker.__file__).parent
CORPUS = Path(__file__).with_name("corpus_lift")
TURN = rotation(2, 1)
EXACT = (
    "exact_average", "exact_lift", "inner_products", "lift", "minor", "parameters",
    "point_system", "polynomial_system", "shallow_system", "structural", "system",
    "lift_checker", "minor_checker", "evidence", "generators",
)  # fmt: skip


def folders(kind: str) -> list[Path]:
    return sorted((CORPUS / kind).iterdir())


def checker_of(folder: Path) -> Any:
    return lift_checker if (folder / "lift.json").exists() else minor_checker


def deep(*, sigma: str = "tanh", corner: int = 0) -> Network:
    return Network.dense([
        ([[3, corner], [1, -2]], [1, "1/2"], sigma),
        ([[1, "1/3"], ["1/2", -1]], None, sigma),
        ([[2, -1]], None, "identity"),
    ])  # fmt: skip


@pytest.mark.parametrize("folder", folders("accepted"), ids=lambda p: p.name)
def test_accepts(folder: Path) -> None:
    assert checker_of(folder).check(folder)


@pytest.mark.parametrize("folder", folders("rejected"), ids=lambda p: p.name)
def test_rejects_for_the_stated_reason(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checker_of(folder).main([str(folder)]) == 1
    assert (folder / "reason").read_text().strip() in capsys.readouterr().err


@pytest.mark.parametrize("folder", folders("malformed"), ids=lambda p: p.name)
def test_tells_malformed_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checker_of(folder).main([str(folder)]) == 2
    assert (folder / "reason").read_text().strip() in capsys.readouterr().err


@pytest.mark.parametrize("name", ["lift", "minor"])
def test_checkers_stand_alone(name: str, tmp_path: Path) -> None:
    """They run isolated, import the standard library only, and know no floats."""
    source = (ATTRIBUTION / f"{name}_checker.py").read_text()
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert (node.module or "").split(".")[0] in sys.stdlib_module_names
        if isinstance(node, ast.Import):
            assert all(a.name.split(".")[0] in sys.stdlib_module_names for a in node.names)
    folder = next(
        f for f in folders("accepted") if f.name.startswith(("poly", "minor")[name == "minor"])
    )
    copy = tmp_path / "checker.py"
    copy.write_text(source)
    run = subprocess.run(
        [sys.executable, "-I", str(copy), str(folder)], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0 and run.stdout.startswith("verified: ")
    missing = subprocess.run([sys.executable, "-I", str(copy), str(tmp_path)], check=False,
                             capture_output=True)  # fmt: skip
    assert missing.returncode == 2


@pytest.mark.parametrize("name", EXACT)
def test_exact_modules_have_no_floats(name: str) -> None:
    tree = ast.parse((ATTRIBUTION / f"{name}.py").read_text())
    for node in ast.walk(tree):
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), node.lineno
        assert not (isinstance(node, ast.Name) and node.id == "float"), node.lineno
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [a.name for a in node.names] + [getattr(node, "module", None) or ""]
            assert not any(n.split(".")[0] in ("numpy", "scipy", "torch") for n in names)


def test_deep_tanh_lifts_structurally_and_is_injective() -> None:
    net = deep(corner=1)
    found = lift_of(Parametrisation.of(net), TURN, injectivity=True)
    assert (found.lifts, found.rule, found.kind, found.is_injective) == (
        True, "structural", "structural", True,
    )  # fmt: skip
    assert "so f is not" in identifiability_sentence(found)
    assert moved_entries(net, found.structural)[:2] == ("W1[0,0]", "W1[0,1]")
    files = injectivity_evidence(Parametrisation.of(net), TURN)
    assert files is not None and set(files) == {"network.json", "action.json", "minor.json"}


def test_deep_tanh_masked_is_refuted_by_a_minor() -> None:
    found = lift_of(Parametrisation.of(deep(), frozen=["W1[0,1]"]), TURN)
    assert (found.lifts, found.rule, found.is_injective) == (False, "minor", True)
    assert isinstance(found.outcome, Minor) and len(found.outcome.rows) == 12
    assert "not available" in identifiability_sentence(found)


def test_deep_relu_masked_is_refuted_at_points() -> None:
    found = lift_of(Parametrisation.of(deep(sigma="relu"), ["W1", "b1"]), TURN)
    assert (found.lifts, found.rule) == (False, "points")
    assert isinstance(found.outcome, PointObstruction) and lift_evidence(found)


def test_what_is_not_decided_says_so() -> None:
    found = lift_of(Parametrisation.of(deep(sigma="sin"), frozen=["W1[0,1]"]), TURN)
    assert found.lifts is None and found.kind == "numeric" and "no complete rule" in found.why_not
    with pytest.raises(UnsupportedError, match="nothing was decided"):
        lift_evidence(found)


def test_a_dead_column_is_left_out_of_the_minor() -> None:
    net = Network.dense([
        ([[3, 0], [1, -2]], [1, 0], "tanh"), ([[1, 0]], None, "tanh"), ([[2]], None, "identity"),
    ])  # fmt: skip
    found = lift_of(Parametrisation.of(net, frozen=["W1[0,1]"]), TURN)
    assert found.lifts is False and found.is_injective is False
    assert isinstance(found.outcome, Minor) and found.outcome.dropped == (1, 2, 4)
    assert find_minor(Parametrisation.of(net), TURN, with_target=False) is None


def test_minors_of_equal_seeds_are_equal() -> None:
    masked = Parametrisation.of(deep(), frozen=["W1[0,1]"])
    first, second = (find_minor(masked, TURN, seed=3) for _ in range(2))
    assert first == second and first is not None
    assert minor_evidence(masked, TURN, first) == minor_evidence(masked, TURN, first)


def test_vanishing_structural_lift() -> None:
    """A network that sees only |x|² through fixed squares: the turn moves no free entry."""
    net = Network.dense([([[0, 0]], [1], "tanh"), ([[2]], None, "identity")])
    found = lift_of(Parametrisation.of(net), TURN)
    assert found.structural.vanishes and "exactly equivariant" in identifiability_sentence(found)


def test_kernels_leave_the_question_open() -> None:
    net = Network.dense([([[1, 2], [1, 2]], [1, 1], "tanh"), ([[2, 5]], None, "identity")])
    assert "J has a kernel" in identifiability_sentence(lift_of(Parametrisation.of(net), TURN))
    assert "not decided" in identifiability_sentence(lift_of(Parametrisation.of(deep()), TURN))


@given(
    st.lists(st.integers(-2, 2), min_size=9, max_size=9),
    st.lists(st.integers(-3, 3), min_size=6, max_size=6),
)
def test_the_checker_agrees_with_sympy(numbers: list[int], direction: list[int]) -> None:
    """Jc = η of a quadratic network, decided by SymPy's differentiation."""
    w, b, a = numbers[:4], numbers[4:6], numbers[6:8]
    net = Network.dense([([w[:2], w[2:]], b, "x^2 + x"), ([a], [numbers[8]], "identity")])
    parametrisation = Parametrisation.of(net, frozen=["b1", "b2"])
    problem = lift_checker.Problem(*trees(parametrisation))
    x, y, t = sympy.symbols("x y t")
    moved = [n + t * c for n, c in zip([*w, *a], direction, strict=True)]

    def f(p: Any, u: Any, v: Any) -> Any:
        z = [p[0] * u + p[1] * v + b[0], p[2] * u + p[3] * v + b[1]]
        return sum(p[4 + k] * (z[k] ** 2 + z[k]) for k in range(2))

    left = sympy.diff(f(moved, x, y), t).subs(t, 0)
    right = sympy.diff(f([*w, *a], x + t * y, y - t * x), t).subs(t, 0)
    is_lift = sympy.expand(left - right) == 0
    lift = {"rule": "polynomial", "direction": [str(c) for c in direction]}
    try:
        lift_checker.check_lifts(problem, lift)
        assert is_lift
    except lift_checker.Rejected:
        assert not is_lift


def trees(parametrisation: Parametrisation) -> tuple[Any, Any, Any]:
    files = lift_evidence(lift_of(parametrisation, TURN))
    return tuple(json.loads(files[name]) for name in ("network.json", "action.json", "lift.json"))  # type: ignore[return-value]


@given(st.integers(-40, 40), st.integers(1, 30))
def test_enclosures_contain_and_are_tight(top: int, bottom: int) -> None:
    minor_checker.Ball.bits = 96
    value = Fraction(top, bottom)
    for name in ("tanh", "sigmoid"):
        s, slope = minor_checker.neuron(name, minor_checker.ball(value))
        exact = sympy.Rational(top, bottom)
        truth = sympy.tanh(exact) if name == "tanh" else 1 / (1 + sympy.exp(-exact))
        slope_truth = 1 - truth**2 if name == "tanh" else truth * (1 - truth)
        for enclosure, t in ((s, truth), (slope, slope_truth)):
            scaled = sympy.N(t * 2**96, 60)
            assert enclosure.low <= scaled <= enclosure.high
            assert enclosure.high - enclosure.low < 2**20


def test_write_lift_leaves_one_kind_of_evidence(tmp_path: Path) -> None:
    write_lift(lift_of(Parametrisation.of(deep(), frozen=["W1[0,1]"]), TURN), tmp_path)
    assert (tmp_path / "minor.json").exists()
    write_lift(lift_of(Parametrisation.of(deep()), TURN), tmp_path)
    assert (tmp_path / "lift.json").exists() and not (tmp_path / "minor.json").exists()


@pytest.mark.parametrize(
    ("pattern", "count"), [("W1", 4), ("b1", 2), ("W1[0,:]", 2), ("W1[:,1]", 2), ("b1[1]", 1)]
)
def test_patterns(pattern: str, count: int) -> None:
    assert len(matching(deep(), pattern)) == count


@pytest.mark.parametrize(
    "pattern", ["W4", "W1[2,0]", "b1[0,1]", "W1[0]", "w1", "W0", "W1[0,0", "", "b1[:,:]"]
)
def test_bad_patterns(pattern: str) -> None:
    with pytest.raises(InputError, match="layers from 1, entries from 0"):
        matching(deep(), pattern)


def test_ties() -> None:
    net = Network.dense([([[1, -2], [2, 1]], None, "tanh"), ([[1, 1]], None, "identity")])
    tied = Parametrisation.of(net, tied=["W1[0,0] = W1[1,1]", "W1[0,1] = -W1[1,0]"])
    assert tied.names == ("W1[0,0] = W1[1,1]", "W1[0,1] = -W1[1,0]", "W2[0,0]", "W2[0,1]")
    assert not tied.is_selection
    # rows (1, −2) and (2, 1) turn into (2, 1)·(−1)… : the tie is that of complex numbers
    assert structural_lift(tied, TURN).direction == (2, 1, 0, 0)
    assert lift_of(tied, TURN).lifts
    for bad in (["W1[0,0] = W1[0,1]"], ["W1[0,0] = W1[1,1]", "W1[1,1] = W1[0,0]"], ["W1 = W2"]):
        with pytest.raises(InputError):
            Parametrisation.of(net, tied=bad)


@pytest.mark.parametrize(
    ("text", "inputs", "outputs", "names"),
    [
        ("so2", 4, 1, ("turn",)),
        ("so3:same", 3, 3, ("turn_0_1", "turn_0_2", "turn_1_2")),
        ("plane:0,2", 3, 1, ("turn_0_2",)),
        ("translation:1", 2, 1, ("shift",)),
        ("dilation:2", 2, 1, ("dilation",)),
    ],
)
def test_named_generators(text: str, inputs: int, outputs: int, names: tuple[str, ...]) -> None:
    action = find_generators(text, inputs, outputs)
    assert action is not None and action.names == names


@pytest.mark.parametrize("text", ["so3", "so2", "plane:0,9", "plane:1,1", "translation:7"])
def test_generators_that_do_not_fit(text: str) -> None:
    with pytest.raises(InputError):
        find_generators(text, 5, 1)


def test_translations_and_dilations_lift_structurally() -> None:
    net = Network.dense([([[1, 2]], [3], "relu"), ([[2]], [1], "identity")])
    for generator in (translation(2, 1, [Fraction(1, 2), 0]), dilation(2, 1, degree=3)):
        found: LiftResult = lift_of(Parametrisation.of(net), generator)
        assert found.kind == "structural" and found.lifts and lift_evidence(found)
