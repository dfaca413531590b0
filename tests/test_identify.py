"""Identifiability of concrete networks: theorems, submodels, second parameters, local ranks."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from identcert import InputError, Network, actions, certify, identify, reduce_network
from identcert.certify.gradients import ball_ring, field_ring, gradients, polynomial_ring
from identcert.certify.identifiability import _proposals
from identcert.certify.local_rank import continuous_symmetries, local_rank
from identcert.certify.relation import unrelated_because
from identcert.certify.second_parameter import find_verified, is_same_architecture, same_function
from identcert.certify.theorems import try_theorems
from identcert.cli.app import main
from identcert.exact.ball_slopes import SLOPES, slope
from identcert.exact.balls import FUNCTIONS, precision
from identcert.exact.polynomial import PolynomialRing
from identcert.nets.files import parse_network

Run = Callable[..., tuple[int, str, str]]
FOREVER = float("inf")


def dense(*layers: Any, **more: Any) -> Network:
    return Network.dense(list(layers), **more)


def shallow(sigma: Any, rows: Any, bias: Any, out: Any, last: Any = None) -> Network:
    return dense((rows, bias, sigma), (out, last, "identity"))


def deep(sigma: Any, bias: Any = None, last: Any = None) -> Network:
    """A network 2-2-2-1 whose rows are in general position."""
    return dense(
        ([[2, 1], [1, 3]], bias, sigma), ([[1, 1], [1, -2]], bias, sigma),
        ([[3, 1]], last, "identity"),
    )  # fmt: skip


TENT = ([[1], [1], [1]], [1, 0, -1], [[1, -2, 1]])
SQUARE = [[1, 0], [0, 1]]
EXAMPLE_41 = dense(
    (SQUARE, None, "x^2"), ([[1, 1], [1, -1]], None, "x^2"), (SQUARE, None, "identity")
)

IDENTIFIABLE = {
    "minimal tanh": (shallow("tanh", [[1, 2], [2, 1]], [0, 1], [[3, 4]], [1]), "sussmann"),
    "tanh, several outputs": (shallow("tanh", SQUARE, None, [[1, 2], [3, 4]]), "sussmann"),
    "sigmoid": (shallow("sigmoid", [[1, 2], [2, 1]], [0, 1], [[3, 4]], [1]), "sussmann"),
    "arctan": (shallow("arctan", [[1], [2]], [0, 1], [[3, 4]]), "albertini-sontag-maillot"),
    "elu": (shallow("elu", [[1], [-1]], [0, 0], [[3, 4]]), "theorem-1"),
    "sin": (shallow("sin", [[1], [2]], [0, 1], [[3, 4]]), "theorem-1-sine"),
    "gelu": (shallow("gelu", [[1], [2]], [0, 1], [[3, 4]]), "theorem-1-reversal"),
    "relu": (shallow("relu", [[2, 1], [1, 1]], [1, 2], [[3, 1]], [0]), "theorem-2-reversal"),
    "abs": (shallow("abs", [[1], [2]], [0, 1], [[3, 4]]), "theorem-2-abs"),
    "hard tanh": (shallow("hard_tanh", [[1], [1]], [0, 5], [[1, 2]], [0]), "theorem-2-kinks"),
    "hard tanh, no biases": (shallow("hard_tanh", [[1], [2]], None, [[2, 1]]), "theorem-2-kinks"),
    "deep tanh": (deep("tanh", [0, 1], [0]), "vlacic-bolcskei-2021"),
    "deep sigmoid": (deep("sigmoid", [0, 1], [0]), "vlacic-bolcskei-2021"),
    "(z+1)^5 - 1, D = 1": (
        dense(([[2, 1]], None, "(x+1)^5 - 1"), ([[3]], None, "(x+1)^5 - 1"),
              ([[2]], None, "identity")),
        "kohn-shifted",
    ),
    "(z+1)^15 - 1, D = 2": (deep("(x+1)^15 - 1"), "kohn-shifted"),
    "(z^2+z)^9, D = 2": (deep("(x^2+x)^9"), "kohn-powers"),
    "width-1 chain": (
        dense(([[2]], None, "x^3 + x^2"), ([[3]], None, "x^3 + x^2"), ([[2]], None, "identity")),
        "kohn-powers",
    ),
    "x^9, D = 2": (deep("x^9"), "theorem-3"),
    "x^16, D = 2, biases": (deep("x^16", [1, 2], [0]), "theorem-3-biased"),
    "x^3, shallow": (shallow("x^3", SQUARE, None, [[1, 1]]), "usevich-35"),
    "no hidden layer": (dense(([[1, 2]], [3], "identity")), "affine"),
}  # fmt: skip


@pytest.mark.parametrize("name", IDENTIFIABLE)
def test_identifiable_by_a_theorem(name: str) -> None:
    network, key = IDENTIFIABLE[name]
    found = identify(network)
    assert (str(found.status), found.theorem and found.theorem.theorem.key) == ("identifiable", key)
    assert found.second_parameter is None and found.submodel is None and found.missing == ()
    assert all(item.holds for item in found.theorem.evidence)
    # no construction contradicts the theorem
    assert find_verified(network, _proposals(network, FOREVER), FOREVER) is None


OTHERWISE: dict[str, tuple[Network, str, str | None]] = {
    "clones": (shallow("tanh", [[1, 2], [-1, -2], [1, 0]], [1, -1, 0], [[3, 4, 1]], [1]),
               "weakly_identifiable", "clones"),
    "sigmoid clones": (shallow("sigmoid", [[1], [-1]], [1, -1], [[3, 1]], [1]),
                       "weakly_identifiable", "clones"),
    "constant neuron": (shallow("tanh", [[1], [0]], [1, 2], [[3, 4]], [1]),
                        "weakly_identifiable", "constant neuron"),
    "affine layer": (dense((SQUARE, [1, 0], "identity"), ([[1, 2]], [0], "tanh"),
                           ([[1]], None, "identity")), "weakly_identifiable", None),
    "split columns (C3)": (shallow("tanh", [[1], [1]], None, [[1, 0], [1, -1], [0, 0]]),
                           "not_identifiable", "clones"),
    "dead neuron (C4)": (shallow("tanh", [[1, 1, 1], [1, 0, 0]], None, [[1, 0]]),
                         "not_identifiable", "dead neuron"),
    "squares (2,2,1)": (shallow("x^2", SQUARE, None, [[1, 1]]), "not_identifiable",
                        "mixed squares"),
    "squares, O(1,1)": (shallow("x^2", [[1, 2], [3, 1]], None, [[1, -2]]), "not_identifiable",
                        "mixed squares"),
    "x^2 + x, biases": (shallow("x^2 + x", SQUARE, [1, 0], [[1, 3]], [1]), "not_identifiable",
                        "mixed squares"),
    "x^2 + x, no biases": (shallow("x^2 + x", SQUARE, None, [[1, 3]]), "not_identifiable",
                           "mixed squares"),
    "Example 41": (EXAMPLE_41, "not_identifiable", "squares of squares"),
    "tent (F1)": (shallow("relu", *TENT), "not_identifiable", "reversed neurons"),
    "tent, gelu (F2)": (shallow("gelu", *TENT), "not_identifiable", "reversed neurons"),
    "tent, silu (F2)": (shallow("silu", *TENT), "not_identifiable", "reversed neurons"),
    "tent, softplus (F2)": (shallow("softplus", *TENT), "not_identifiable", "reversed neurons"),
    "tent, leaky": (shallow({"leaky_relu": "1/10"}, *TENT), "not_identifiable",
                    "reversed neurons"),
    "C1": (shallow("relu", [[1, 0], [0, 1], [-1, -1]], None, [[1, 1, 1]]), "not_identifiable",
           "reversed neurons"),
    "opposite neurons": (shallow("relu", [[1], [-1]], [2, -2], [[3, -3]], [0]),
                         "not_identifiable", "opposite neurons"),
    "hard tanh (F7)": (shallow("hard_tanh", [[2], [2]], [-1, -3], [[1, 1]], [0]),
                       "not_identifiable", "exchanged kinks"),
    "one jump": (shallow("hard_tanh", [[1], [1]], [0, 5], [[1, 1]], [0]), "not_identifiable",
                 "exchanged kinks"),
    "relu6": (shallow("relu6", [[1], [-1]], [0, 5], [[1, 1]], [0]), "not_identifiable",
              "exchanged kinks"),
    "too many squares": (shallow("x^3", [[1, 0], [0, 1], [1, 1], [1, -1], [1, 2]], None,
                                 [[1, 2, 3, 4, 5]]), "not_identifiable", "dependent neurons"),
    "other rows": (shallow("x^2 + x", [[1], [3]], None, [[2, 2]]), "not_identifiable",
                   "other rows"),
    "constant clones": (shallow("sigmoid", [[0], [0]], None, [[3, 0], [2, 1]]),
                        "not_identifiable", "clones"),
    "constant neuron, no place for it": (shallow("sigmoid", [[-3], [0]], None, [[1, 1], [0, -3]]),
                                         "open", None),
    "six rows": (shallow("relu", [[1, 0], [-1, 0], [0, 1], [0, -1], [-1, -1], [1, 1]], None,
                         [[2, 2, 2, 1, 1, 1]]), "not_identifiable", "dependent neurons"),
    "(z+1)^14 - 1, D = 2": (deep("(x+1)^14 - 1"), "locally_identifiable", None),
    "(z^2+z)^2, D = 2": (deep("(x^2+x)^2"), "locally_identifiable", None),
    "x^3, D = 2": (deep("x^3"), "locally_identifiable", None),
    "x^3, D = 2, biases": (deep("x^3", [1, 2], [0]), "locally_identifiable", None),
    "deep gelu": (deep("gelu", [0, 1], [0]), "locally_identifiable", None),
    "deep arctan": (deep("arctan", [0, 1], [0]), "locally_identifiable", None),
    "sin, one frequency": (shallow("sin", [[1], [-1]], [1, 0], [[2, 2]], [0]), "open", None),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERWISE)
def test_not_identifiable_by_a_theorem(name: str) -> None:
    network, status, rule = OTHERWISE[name]
    found = identify(network)
    second = found.second_parameter
    assert (str(found.status), second and second.rule) == (status, rule)
    if second is not None:
        check_second_parameter(network, second.network)
    if status == "locally_identifiable":
        assert found.local_rank is not None and found.local_rank.is_full
    if status in ("locally_identifiable", "open"):
        assert found.missing


def check_second_parameter(network: Network, other: Network) -> None:
    """Compare at random points, apart from the proof that the functions are equal."""
    assert is_same_architecture(network, other)
    assert unrelated_because(network, other)
    stream = random.Random(1)
    for _ in range(12):
        point = [Fraction(stream.randrange(-40, 41), 8) for _ in range(network.inputs)]
        ours, theirs = network.evaluate(point), other.evaluate(point)
        if ours is not None and theirs is not None:
            assert ours == theirs
        else:
            pairs = zip(
                network.ball_evaluate(point, 200), other.ball_evaluate(point, 200), strict=True
            )
            assert all(a.overlaps(b) and abs(a - b) < arb(2) ** -100 for a, b in pairs)


def test_relu_mlps() -> None:
    positive = dense(
        ([[2, 1], [1, 3]], [1, -2], "relu"), ([[1, -2], [-3, 1]], [1, 2], "relu"),
        ([[3, 1]], [0], "identity"),
    )  # fmt: skip
    found = identify(positive)
    assert str(found.status) in ("locally_identifiable", "open")
    assert found.trials == () and "no theorem" in found.missing[0]
    assert "Phuong–Lampert" in found.explain()
    assert found.to_json()["theorem"] is None


def test_submodel_of_clones() -> None:
    network, _, _ = OTHERWISE["clones"]
    found = identify(network)
    assert found.submodel is not None and found.submodel.pattern.holds
    tree = found.to_json()
    assert tree["submodel"]["widths"] == [2, 2, 1]
    assert [step["rule"] for step in tree["submodel"]["steps"]] == ["merge"]
    assert tree["theorem"].startswith("Sussmann 1992")
    assert tree["second_parameter"]["rule"] == "clones"


def test_the_reduced_network_of_an_unidentifiable_one_is_reported() -> None:
    found = identify(OTHERWISE["dead neuron (C4)"][0])
    tree = found.to_json()
    assert (tree["status"], tree["theorem"]) == ("not_identifiable", None)
    assert tree["submodel"]["status"] == "identifiable"
    assert tree["submodel"]["is_submodel"] is False
    assert "removed since nothing reads it" in found.explain()


def test_second_parameters_are_written_as_network_files() -> None:
    tree = identify(EXAMPLE_41).to_json()["second_parameter"]
    other = parse_network(tree["network"], "second")
    check_second_parameter(EXAMPLE_41, other)
    assert sorted(map(sorted, other.layers[0].weight.to_rows())) == [[-1, 1], [1, 1]]


def test_proofs_of_equality_are_refused_for_other_functions() -> None:
    one = shallow("x^2", SQUARE, None, [[1, 1]])
    assert same_function(one, shallow("x^2", SQUARE, None, [[1, 2]]), FOREVER) is None
    assert same_function(one, shallow("x^2", [[1, 1], [0, 1]], None, [[1, 1]]), FOREVER) is None
    assert unrelated_because(one, shallow("x^2", [[0, 2], [1, 0]], None, [["1/4", 1]])) is None


def test_symbolic_weights() -> None:
    net = dense(
        ([["a", 1], [1, "a"]], [0, 1], "tanh"), ([[1, "b"]], [0], "identity"),
        parameters=["a", "b"],
    )  # fmt: skip
    found = identify(net)
    assert str(found.status) == "identifiable"
    assert "nothing is said of the values with" in found.explain()
    squares = dense((SQUARE, None, "x^2"), ([["a", "b"]], None, "identity"), parameters=["a", "b"])
    assert str(identify(squares).status) == "not_identifiable"


def test_algebraic_weights() -> None:
    net = shallow("x^2", [["sqrt(2)", 0], [0, 1]], None, [[1, "sqrt(2)"]])
    found = identify(net)
    assert str(found.status) == "not_identifiable"
    check_second_parameter(net, found.second_parameter.network)


small = st.integers(-2, 2)
SIGMAS = (
    "tanh", "sigmoid", "relu", {"leaky_relu": "1/3"}, "abs", "hard_tanh", "relu6", "softplus",
    "gelu", "elu", "arctan", "sin", "x^2", "x^3", "x^2 + x", "x^3 + x", "(x+1)^5 - 1",
)  # fmt: skip


@st.composite
def networks(draw: Any) -> Network:
    """Small networks with small integer weights, so that degeneracies are frequent."""
    inputs, width, outputs = (
        draw(st.integers(1, 2)),
        draw(st.integers(1, 3)),
        draw(st.integers(1, 2)),
    )

    def matrix(rows: int, cols: int) -> list[list[int]]:
        return [[draw(small) for _ in range(cols)] for _ in range(rows)]

    biased, last = draw(st.booleans()), draw(st.booleans())
    return dense(
        (matrix(width, inputs), [draw(small) for _ in range(width)] if biased else None,
         draw(st.sampled_from(SIGMAS))),
        (matrix(outputs, width), [draw(small) for _ in range(outputs)] if last else None,
         "identity"),
    )  # fmt: skip


@settings(max_examples=100)
@given(networks())
def test_theorems_and_constructions_never_contradict_each_other(network: Network) -> None:
    reduced = reduce_network(network).reduced
    if any(trial.holds for trial in try_theorems(reduced)):
        assert find_verified(reduced, _proposals(reduced, FOREVER), FOREVER) is None
    found = identify(network)
    if found.second_parameter is not None:
        check_second_parameter(found.reduction.folded, found.second_parameter.network)
    else:
        assert str(found.status) != "not_identifiable"


@settings(max_examples=50)
@given(networks(), st.randoms(use_true_random=False))
def test_relabelled_neurons_have_the_same_status(network: Network, stream: random.Random) -> None:
    order = list(range(network.layers[0].outputs))
    stream.shuffle(order)
    first, last = network.layers
    moved = Network(
        network.inputs,
        (
            type(first)(first.weight.select_rows(order), tuple(first.bias[k] for k in order),
                        first.activation, first.has_bias),
            type(last)(last.weight.select_columns(order), last.bias, last.activation,
                       last.has_bias),
        ),
        network.field,
    )  # fmt: skip
    assert identify(moved).status == identify(network).status


@pytest.mark.parametrize("name", sorted(SLOPES))
@pytest.mark.parametrize("start", [Fraction(-3), Fraction(-1, 3), Fraction(1, 7), Fraction(5, 2)])
def test_slopes_enclose_difference_quotients(name: str, start: Fraction) -> None:
    with precision(200):
        x, h = arb(start.numerator) / start.denominator, arb(1) / 64
        quotient = (FUNCTIONS[name](x + h) - FUNCTIONS[name](x)) / h
        middle = arb(x.mid() + h / 2, 1 / 64)  # contains [x, x + h]: mean value theorem
        assert slope(name, middle).overlaps(quotient)
        assert abs(slope(name, x) - quotient) < arb(1) / 16


def test_no_slope_across_the_kink_of_elu() -> None:
    assert slope("elu", arb(0, 1)) is None


def test_gradients_agree_over_the_three_rings() -> None:
    net = deep("x^3 + x", [1, 2], [0])
    point = [net.field(2), net.field(-1)]
    exact = gradients(net, field_ring(net), point)
    ring = PolynomialRing(net.field, ("x", "y"))
    symbolic = gradients(net, polynomial_ring(net, ring), ring.generators)
    assert [[p.evaluate(point) for p in row] for row in symbolic] == exact
    with precision(128):
        balls = gradients(net, ball_ring(net, 128), [arb(2), arb(-1)])
    assert all(b.contains(arb(e)) for b, e in zip(balls[0], exact[0], strict=True))


def test_gradients_by_a_finite_difference_of_the_parameter() -> None:
    # f is affine in the last layer and of degree 3 in each first weight
    step = Fraction(1, 10**6)
    base, moved = (shallow("x^3", [[2 + t, 1], [1, 3]], [1, 2], [[3, 1]], [0]) for t in (0, step))
    point = [base.field(2), base.field(-1)]
    gradient = gradients(base, field_ring(base), point)[0][0]
    quotient = (moved.evaluate(point)[0] - base.evaluate(point)[0]) / base.field(step)
    assert abs(gradient - quotient) < base.field(Fraction(1, 1000)) * abs(gradient)


@pytest.mark.parametrize(
    ("network", "rank", "symmetries"),
    [
        (shallow("x^2", SQUARE, None, [[1, 1]]), 3, 2),
        (shallow("relu", [[2, 1], [1, 1]], [1, 2], [[3, 1]], [0]), 7, 2),
        (shallow("tanh", [[1], [2]], [0, 1], [[3, 4]], [1]), 7, 0),
        # without an output bias, scalings about −1/2 must keep the constant
        (shallow("x^2 + x", [[1], [2]], [0, 1], [[3, 4]]), 3, 1),
    ],
)
def test_local_ranks(network: Network, rank: int, symmetries: int) -> None:
    found = local_rank(network, FOREVER)
    assert found is not None
    assert (found.rank, found.symmetries) == (rank, symmetries)
    assert continuous_symmetries(network) == symmetries


def test_large_networks_have_no_local_rank() -> None:
    rows = [[i + j for j in range(20)] for i in range(10)]
    assert local_rank(shallow("gelu", rows, None, [[1] * 10]), FOREVER) is None


def test_the_report_names_hypotheses_with_marks() -> None:
    text = identify(IDENTIFIABLE["minimal tanh"][0]).explain()
    assert text.startswith("identifiable: ")
    for line in ("✓ Sussmann 1992 applies", "✓ one hidden layer: 1 hidden layer",
                 "✗ Fefferman 1994 does not apply", "certify no given network"):  # fmt: skip
        assert line in text, line
    text = identify(OTHERWISE["x^3, D = 2"][0]).explain()
    assert "✗ r > 2D(2D−2), D = largest hidden width: degree 3 ≤ 8" in text
    assert "Jacobian rank 6 = 6 = 10 parameters − 4 continuous symmetries" in text


def test_entry_of_certify_results() -> None:
    net = shallow("tanh", [[1, 2], [2, 1]], [0, 0], [[3, 3]], [1])
    result = certify(net, actions.cyclic(2))
    assert str(result.identifiability.status) == "identifiable"
    entry = result.to_json()["identifiability"]
    assert (entry["status"], entry["hypotheses"][0]["holds"]) == ("identifiable", True)
    assert "Identifiability: identifiable (by Sussmann 1992)" in result.explain()


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["identcert", *map(str, words)])
        with pytest.raises(SystemExit) as stop:
            main()
        printed = capsys.readouterr()
        return int(stop.value.code or 0), printed.out, printed.err

    return call


KEYS = {
    "status", "theorem", "hypotheses", "submodel", "second_parameter", "local_rank", "context",
}  # fmt: skip


def write(path: Path, layers: Sequence[tuple[Any, str]]) -> Path:
    tree = {
        "format": "identcert.network", "version": 1, "inputs": 2,
        "layers": [{"kind": "dense", "weight": w, "activation": a} for w, a in layers],
    }  # fmt: skip
    path.write_text(json.dumps(tree))
    return path


def test_command(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path / "n.network.json", [(SQUARE, "x^2"), ([[1, 1]], "identity")])
    code, out, err = run("identify", path, "--json")
    tree = json.loads(out)
    assert (code, err) == (0, "")
    assert tree.keys() >= KEYS
    assert tree["status"] == "not_identifiable"
    code, out, _ = run("identify", path)
    assert code == 0 and out.startswith("not_identifiable")
    code, _, err = run("identify", tmp_path / "missing.network.json")
    assert code == 2 and "missing.network.json" in err


def test_bad_input_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        identify(tmp_path / "none.network.json")
