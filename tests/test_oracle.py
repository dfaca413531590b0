"""The oracle against verdicts known by proof, and against networks built to have one.

An oracle that is wrong is worse than none: it is tested on the corpus beside the project, on the
counterexamples of the theory, on generated cases of every family, and on claims that are false.
"""

from __future__ import annotations

import ast
import json
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import make_networks
import mpmath
import oracle
import pytest

from identcert.certify.driver import certify

Q = oracle.Field()


def dense(inputs: int, *layers: tuple[Any, Any, Any]) -> dict[str, Any]:
    """A network document from (weight, bias, activation) triples."""
    return {
        "inputs": inputs,
        "layers": [
            {
                "weight": [[str(x) for x in r] for r in w],
                "bias": [str(x) for x in b],
                "activation": s,
            }
            for w, b, s in layers
        ],
    }


def action(**generators: tuple[Any, Any]) -> dict[str, Any]:
    return {"generators": {n: {"input": i, "output": o} for n, (i, o) in generators.items()}}


def minus(n: int) -> dict[str, Any]:
    return {"permutation": list(range(n)), "signs": [-1] * n}


def test_imports_nothing_of_the_package() -> None:
    tree = ast.parse(Path(oracle.__file__).read_text(encoding="utf-8"))
    imported = {
        alias.name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    } | {
        (node.module or "").split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
    }
    assert not imported & {"identcert", "flint", "numpy", "make_networks"}
    assert not [n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id in ("eval", "exec")]


# ------------------------------------------------------------------------------------ scalars


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3/2", F(3, 2)),
        ("-1/2", F(-1, 2)),
        ("1.25", F(5, 4)),
        ("2.5e-3", F(1, 400)),
        ("1e-9", F(1, 10**9)),
        ("2^3*(1 - 1/4)", F(6)),
        ("-2^2", F(-4)),
        ("2*-3", F(-6)),
        ("2^-2", F(1, 4)),
        ("sqrt(9/4)", F(3, 2)),
        (" ( 1 + 2 ) / 3 ", F(1)),
    ],
)
def test_scalars(text: str, value: F) -> None:
    assert Q.parse(text) == value


@pytest.mark.parametrize("text", ["", "1/0", "x", "2 3", "(1", "1 +", "sqrt(sqrt(2))", "a", "1//2"])
def test_scalars_that_are_none(text: str) -> None:
    with pytest.raises((oracle.OracleError, ValueError, ZeroDivisionError)):
        Q.parse(text)


@pytest.mark.parametrize(
    ("text", "radicands", "vanishes"),
    [
        ("sqrt(2)^2 - 2", {2}, True),
        ("sqrt(2)*sqrt(3) - sqrt(6)", {2, 3, 6}, True),
        ("sqrt(8) - 2*sqrt(2)", {2}, True),
        ("1/(1+sqrt(2)) - sqrt(2) + 1", {2}, True),
        ("sqrt(1/2) - sqrt(2)/2", {2}, True),
        ("sqrt(2) + sqrt(3) - sqrt(6)", {2, 3, 6}, False),
    ],
)
def test_roots(text: str, radicands: set[int], vanishes: bool) -> None:
    field = oracle.Field(radicands=radicands)
    assert (field.parse(text) == field(0)) is vanishes


def test_declared_root_and_a_square_root_in_one_field() -> None:
    declared = {"symbol": "t", "minpoly": ["-1", "-2", "1", "1"], "root": ["1.2", "1.3"]}
    field = oracle.Field(algebraic=declared, radicands={2})
    t = field.parse("t")
    assert t**3 + t**2 - 2 * t - 1 == field(0)
    assert mpmath.nstr(field.number(t), 10) == "1.246979604"
    assert mpmath.nstr(field.number(field.parse("sqrt(2)*t")), 10) == "1.763495468"


# -------------------------------------------------------------------------------- activations


ALL = [
    oracle.Activation.parse(a)
    for a in (*make_networks.ACTIVATIONS, "(x^2+x)^2", {"leaky_relu": "2"})
]


@pytest.mark.parametrize("sigma", ALL, ids=str)
def test_transport_is_an_identity_of_the_function(sigma: oracle.Activation) -> None:
    for alpha in map(F, ("-2", "-1", "-1/3", "1/3", "1", "5/4")):
        if not sigma.admits(alpha, Q):
            continue
        lam, nu = map(Q.number, sigma.transport(alpha, Q))
        for z in map(F, ("-7", "-3/2", "-1/3", "0", "1/5", "2", "9")):
            moved = alpha * z + sigma.centre * (1 - alpha)
            gap = sigma.number(Q.number(moved)) - lam * sigma.number(Q.number(z)) - nu
            assert abs(gap) < oracle.TINY


@pytest.mark.parametrize("sigma", ALL, ids=str)
def test_exact_values_agree_with_numeric_ones(sigma: oracle.Activation) -> None:
    for z in map(F, ("-7", "-1/3", "0", "1/2", "6", "13/2")):
        exact = sigma.exact(z, Q)
        if exact is not None:
            assert abs(Q.number(exact) - sigma.number(Q.number(z))) < oracle.TINY


@pytest.mark.parametrize(
    ("spelled", "admitted", "refused"),
    [
        ("x^2 + x", "-1 2 -1/2", "0"),
        ("x^3 + x", "-1 1", "2 -2"),
        ("(x+1)^3 - 1", "-1 2 -1/2", "0"),
        ("x^3 - 3*x^2 + 1", "-1", "2"),
        ("x^4 - 2*x^2", "-1", "2"),
        ("x^4 + x^3", "1", "-1 2"),
        ("(x^2+x)^2", "-1", "2"),
    ],
)
def test_polynomials_about_their_centre(spelled: str, admitted: str, refused: str) -> None:
    sigma = oracle.Activation.parse(spelled)
    assert all(sigma.admits(F(a), Q) for a in admitted.split())
    assert not any(sigma.admits(F(a), Q) for a in refused.split())


def test_spellings_of_the_same_activation() -> None:
    parse = oracle.Activation.parse
    assert parse({"leaky_relu": "1"}) == parse("identity") == parse("x")
    assert parse({"leaky_relu": "0"}) == parse("relu")
    assert parse({"leaky_relu": "-1"}) == parse("abs")
    assert parse({"polynomial": ["0", "0", "1"]}) == parse("x^2") == parse("x*x")


# --------------------------------------------------------------- known by proof: the theory's pages

TENT = dense(1, ([[1], [1], [1]], [1, 0, -1], "relu"), ([[1, -2, 1]], [0], "identity"))
C1 = dense(2, ([[1, 0], [0, 1], [-1, -1]], [0, 0, 0], "relu"), ([[1, 1, 1]], [0], "identity"))
C0 = dense(2, ([[1, 0], [0, 1]], [0, 0], "x^2"), ([[1, 1]], [0], "identity"))
C2 = dense(
    2,
    ([[1, 0], [0, 1]], [0, 0], "x^2"),
    ([[1, 1], [1, -1]], [0, 0], "x^2"),
    ([[1, 0], [0, 1]], [0, 0], "identity"),
)
C3 = dense(1, ([[1], [1]], [0, 0], "tanh"), ([[1, 0], [1, -1], [0, 0]], [0, 0, 0], "identity"))
C4 = dense(3, ([[1, 1, 1], [1, 0, 0]], [0, 0], "tanh"), ([[1, 0]], [0], "identity"))
ROTATION = {"matrix": [["3/5", "-4/5"], ["4/5", "3/5"]]}
A, B = {"matrix": [[1, -1], [1, 1]]}, {"matrix": [[4, 0], [4, -4]]}
HARD = dense(
    1, ([[1], [2], [2]], [-1, -1, -3], "hard_tanh"), ([[2, -1, -1]], [0], "identity")
)  # F7: identically zero
SIX = dense(
    2,
    ([[1, 0], [-1, 0], [0, 1], [0, -1], [-1, -1], [1, 1]], [0] * 6, "relu"),
    ([[2, 1, 2, 1, 2, 1]], [0], "identity"),
)
FOUR_CLONES = dense(
    1,
    ([[1]] * 4, [0] * 4, "tanh"),
    ([[1, 2, 3, 5], [5, 1, 2, 3], [3, 5, 1, 2], [2, 3, 5, 1]], [0] * 4, "tanh"),
    ([[1, 0, 1, 0], [0, 1, 0, 1]], [0, 0], "identity"),
)

EVEN = dense(2, ([[1, 0], [0, 1]], [0, 0], "relu"), ([[1, 1]], [0], "identity"))
LAYERWISE = dense(2, ([[1, 2]], [0], "abs"), ([[1]], [0], "identity"))

KNOWN = {
    "C0": (C0, action(g=(ROTATION, "trivial")), "end_to_end_only"),
    "C1": (C1, action(m=(minus(2), "trivial")), "end_to_end_only"),
    "C2": (C2, action(a=(A, B)), "end_to_end_only"),
    "C3": (C3, action(s=("trivial", {"permutation": [0, 2, 1]})), "layerwise_after_reduction"),
    "C4": (C4, action(r=({"permutation": [1, 2, 0]}, "trivial")), "layerwise_after_reduction"),
    "F1": (TENT, action(m=(minus(1), "trivial")), "end_to_end_only"),
    "F7": (HARD, action(m=(minus(1), minus(1))), "end_to_end_only"),
    "six": (SIX, action(m=(minus(2), "trivial")), "end_to_end_only"),
    "clones": (
        FOUR_CLONES,
        action(s=("trivial", {"permutation": [1, 0]})),
        "layerwise_after_reduction",
    ),
}


@pytest.mark.parametrize("name", KNOWN)
def test_pages_of_the_theory(name: str) -> None:
    network, acting, expected = KNOWN[name]
    verdict, judgement = oracle.verdict(oracle.read_problem(network, acting))
    assert verdict == expected, judgement


@pytest.mark.parametrize("sigma", ["softplus", "gelu", "silu"])
def test_tents_of_even_linear_activations(sigma: str) -> None:
    layers = [{**TENT["layers"][0], "activation": sigma}, TENT["layers"][1]]
    problem = oracle.read_problem({**TENT, "layers": layers}, action(m=(minus(1), "trivial")))
    verdict, judgement = oracle.verdict(problem)
    assert (verdict, judgement.how) == ("end_to_end_only", "canonical form")


def corpus() -> list[Path]:
    folder = Path(__file__).resolve().parents[2] / "shared" / "cases"
    return sorted(folder.rglob("*.network.json")) if folder.is_dir() else []


@pytest.mark.parametrize("path", corpus(), ids=lambda p: p.name.split(".")[0])
def test_corpus_of_known_verdicts(path: Path, shared: Path) -> None:
    stem = path.name.removesuffix(".network.json")
    problem = oracle.read_problem(path, path.with_name(f"{stem}.action.json"))
    verdict, judgement = oracle.verdict(problem)
    assert verdict == path.with_name(f"{stem}.verdict").read_text().strip(), judgement


# ------------------------------------------------------------------------------ generated cases


@pytest.mark.parametrize("family", make_networks.FAMILIES)
@pytest.mark.parametrize("seed", range(3))
def test_generated_cases(family: str, seed: int) -> None:
    check_case(make_networks.make_case(family, seed))


@pytest.mark.slow
@pytest.mark.parametrize("family", make_networks.FAMILIES)
@pytest.mark.parametrize("seed", range(100, 140))
def test_more_generated_cases(family: str, seed: int) -> None:
    check_case(make_networks.make_case(family, seed))


def check_case(case: make_networks.Case) -> None:
    verdict, judgement = oracle.verdict(oracle.read_problem(case.network, case.action))
    assert verdict == case.verdict, (case.story, judgement)


def test_equal_seeds_give_equal_cases() -> None:
    one, two = (make_networks.make_case("degenerate", 5) for _ in range(2))
    assert json.dumps([one.network, one.action]) == json.dumps([two.network, two.action])


def test_families_cover_activations_groups_maps_and_depths() -> None:
    made = [make_networks.make_case(f, s) for f in ("layerwise", "moved") for s in range(40)]
    sigmas = {json.dumps(la["activation"]) for c in made for la in c.network["layers"]}
    assert sigmas >= {json.dumps(a) for a in make_networks.ACTIVATIONS}
    assert {len(c.network["layers"]) for c in made} >= {2, 3, 4}
    text = json.dumps([c.action for c in made])
    for word in (
        "permutation",
        "signs",
        "matrix",
        "shift",
        "image",
        "trivial",
        "relators",
        "group",
    ):
        assert f'"{word}"' in text, word
    groups = {c.story.split(",")[0] for c in made}
    assert groups == {g.name for g in make_networks.GROUPS}


# ------------------------------------------------------------------------------------- witnesses


def evidence_folder(folder: Path, network: Any, acting: Any, verdict: str, evidence: Any) -> Path:
    field = {"field": {"kind": "rational"}}
    files = {
        "network.json": {**field, **network},
        "action.json": {**field, **acting},
        "witness.json": {"verdict": verdict, "evidence": evidence},
    }
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    return folder


SWAP = action(s=({"permutation": [1, 0]}, {"permutation": [1, 0]}))
PAIR = dense(2, ([[1, 2], [-2, -1]], [1, -1], "tanh"), ([[1, -3], [3, -1]], [0, 0], "identity"))


@pytest.mark.parametrize(
    ("latents", "sound"),
    [
        ([{"s": {"permutation": [1, 0], "scale": ["-1", "-1"]}}], True),
        ([{"s": {"permutation": [1, 0]}}], False),
        ([{"s": {"permutation": [0, 1], "scale": ["-1", "-1"]}}], False),
        ([{"s": {"permutation": [1, 1], "scale": ["-1", "-1"]}}], False),
        ([{"s": {"permutation": [1, 0], "scale": ["-2", "-1"]}}], False),
        ([], False),
    ],
)
def test_layerwise_claims(tmp_path: Path, latents: Any, sound: bool) -> None:
    folder = evidence_folder(tmp_path, PAIR, SWAP, "layerwise", {"latents": latents})
    assert (oracle.witness_faults(folder) == []) is sound


WITH_CLONE = dense(
    1,
    ([[1], [-1], [0]], [1, -1, 2], "sigmoid"),
    ([[3, 1, 5], [3, 1, 5]], [0, 0], "identity"),
)


def reduction(steps: Any, positions: Any = None) -> Any:
    evidence = {"steps": steps, "latents": [{"s": {"permutation": [0]}}]}
    return evidence if positions is None else {**evidence, "embedding": {"positions": positions}}


FOLD = {"rule": "fold", "layer": 0, "neuron": 2}
MERGE = {"rule": "merge", "layer": 0, "keep": 0, "drop": 1, "scale": "-1"}


@pytest.mark.parametrize(
    ("evidence", "sound"),
    [
        (reduction([FOLD, MERGE]), True),
        (reduction([MERGE, {**FOLD, "neuron": 1}], [[1]]), True),
        (reduction([FOLD]), False),
        (reduction([{**FOLD, "neuron": 1}, MERGE]), False),
        (reduction([FOLD, {**MERGE, "scale": "1"}]), False),
        (reduction([{**FOLD, "rule": "drop"}, MERGE]), False),
    ],
)
def test_reduction_claims(tmp_path: Path, evidence: Any, sound: bool) -> None:
    acting = action(s=("trivial", {"permutation": [1, 0]}))
    folder = evidence_folder(tmp_path, WITH_CLONE, acting, "layerwise_after_reduction", evidence)
    assert (oracle.witness_faults(folder) == []) is sound


@pytest.mark.parametrize(
    ("point", "gap", "sound"),
    [(["1"], "3/2", True), (["1"], "2", True), (["1"], "5/2", False), (["0"], "1/10", False)],
)
def test_refutation_claims(tmp_path: Path, point: Any, gap: str, sound: bool) -> None:
    network = dense(1, ([[1]], [0], "relu"), ([[2]], [0], "identity"))
    evidence = {"generator": "m", "point": point, "component": 0, "gap": gap}
    acting = action(m=(minus(1), "trivial"))
    folder = evidence_folder(tmp_path, network, acting, "not_equivariant", evidence)
    assert (oracle.witness_faults(folder) == []) is sound


@pytest.mark.parametrize(
    ("network", "sound"), [(C1, True), (SIX, True), (EVEN, False), (LAYERWISE, False)]
)
def test_end_to_end_claims(tmp_path: Path, network: Any, sound: bool) -> None:
    acting = action(m=(minus(2), "trivial"))
    folder = evidence_folder(tmp_path, network, acting, "end_to_end_only", {"steps": []})
    assert (oracle.witness_faults(folder) == []) is sound


# ------------------------------------------------------------------- the product's own evidence

MAY_STAY_OPEN = {"exception", "deep_exception"}


def check_product(family: str, seed: int, folder: Path) -> None:
    """certify gives the verdict of the construction, and its evidence holds by evaluation."""
    case = make_networks.make_case(family, seed)
    make_networks.write_case(case, folder)
    result = certify(
        folder / f"{case.name}.network.json", folder / f"{case.name}.action.json", budget=20
    )
    if family in MAY_STAY_OPEN and result.verdict == "undecided":
        return
    assert result.verdict == case.verdict, case.story
    result.save(folder / "evidence")
    assert oracle.witness_faults(folder / "evidence") == [], case.story


@pytest.mark.parametrize("family", make_networks.FAMILIES)
@pytest.mark.parametrize("seed", range(2))
def test_evidence_of_the_product(family: str, seed: int, tmp_path: Path) -> None:
    check_product(family, seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("family", make_networks.FAMILIES)
@pytest.mark.parametrize("seed", range(200, 240))
def test_more_evidence_of_the_product(family: str, seed: int, tmp_path: Path) -> None:
    check_product(family, seed, tmp_path)
