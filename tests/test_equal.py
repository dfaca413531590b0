"""Equality of two networks: verdicts with evidence that the checker verifies."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from degenerate import agree, degenerate_networks, depth_of_constants, shuffled
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from test_canonical import IDENTITIES, TENT, affine, random_network, shallow, shallow_networks

from identcert import Network, actions, certify, checker, equal
from identcert.certify.matching import sigmoid_as_tanh
from identcert.certify.pairs import equivariance_pair
from identcert.errors import InputError
from identcert.exact.field import QQ
from identcert.exact.matrix import Matrix

SMOOTH: tuple[Any, ...] = ("tanh", "sigmoid", "silu", "gelu", "softplus", "elu", "sin", "erf")


def checked(left: Network, right: Network, folder: Path, **options: Any) -> Any:
    """The result, after its saved folder was checked by a process of its own kind."""
    result = equal(left, right, **options)
    result.save(folder)
    if result.verdict == "undecided":
        with pytest.raises(checker.NothingClaimed):
            checker.check(folder)
    else:
        assert checker.check(folder).verdict == result.verdict
    return result


@pytest.mark.parametrize("name", IDENTITIES)
def test_identities(name: str, tmp_path: Path) -> None:
    left, right = IDENTITIES[name]
    assert checked(left, right, tmp_path).verdict == "equal"


@pytest.mark.parametrize("sigma", ["relu", "softplus", "gelu", "silu"])
def test_the_tent_is_end_to_end_only(sigma: str) -> None:
    """F1 and F2, with and without a canonical form as the evidence."""
    tent = shallow([[1], [1], [1]], [1, 0, -1], sigma, [[1, -2, 1]])
    result = certify(tent, actions.negation(1))
    assert result.verdict == "end_to_end_only"
    left, right = equivariance_pair(tent, result.action.generators[0])
    assert equal(left, right).method == "canonical_form"


def test_hard_tanh_clones_on_two_hyperplanes(tmp_path: Path) -> None:
    """F7: 2ht(t−1) = ht(2t−1) + ht(2t−3)."""
    left = shallow([[1]], [-1], "hard_tanh", [[2]])
    right = shallow([[2], [2]], [-1, -3], "hard_tanh", [[1, 1]])
    assert checked(left, right, tmp_path).method == "canonical_form"
    wrong = shallow([[2], [2]], [-1, -3], "hard_tanh", [[1, "1+1/2^60"]])
    result = checked(left, wrong, tmp_path)
    assert result.verdict == "different" and result.counterexample.is_exact


@pytest.mark.parametrize("sigma", SMOOTH)
@pytest.mark.parametrize("seed", range(2))
def test_smooth_networks_with_one_weight_moved(sigma: str, seed: int, tmp_path: Path) -> None:
    net = random_network(random.Random(seed), sigma)
    hidden, last = net.layers
    rows = [list(row) for row in last.weight.to_rows()]
    rows[1][0] += QQ(Fraction(1, 2**30))
    moved = replace(net, layers=(hidden, replace(last, weight=Matrix.of(rows))))
    assert checked(net, moved, tmp_path).verdict == "different"
    assert checked(net, net, tmp_path).verdict == "equal"


def test_latents_are_found_in_deep_networks(tmp_path: Path) -> None:
    layers: list[Any] = [
        ([[1, 2], [3, -1], [1, 1]], [1, 0, 2], "tanh"),
        ([[1, 0, 2], [2, 1, 1]], [1, 1], {"leaky_relu": "1/5"}),
        ([[1, 1], [1, -1]], [0, 3], "relu6"),
        ([[2, 5]], [1], "identity"),
    ]
    net = Network.dense(layers)
    result = checked(net, shuffled(net, 5), tmp_path)
    assert result.method == "latents" and len(result.latents) == 3
    assert "symmetries" in result.explain()


def test_deep_sigmoid_networks_are_tanh_networks(tmp_path: Path) -> None:
    layers: list[Any] = [
        ([[2, 1], [1, -3]], [4, 1], "sigmoid"),
        ([[6, 1], [1, 2], [2, 2]], [1, 0, 3], "sigmoid"),
        ([[1, 2, 3]], [1], "identity"),
    ]
    net = Network.dense(layers)
    other = sigmoid_as_tanh(net)
    assert checked(net, other, tmp_path).method == "normal_form"
    assert checked(shuffled(net, 3), other, tmp_path).method == "normal_form"
    moved = replace(other, layers=(*other.layers[:-1], replace(other.layers[-1], bias=(QQ(9),))))
    assert checked(net, moved, tmp_path).verdict == "different"


@pytest.mark.parametrize(("left", "right"), [("relu", "relu"), ("relu6", "relu6")])
def test_clamping_twice_is_clamping_once(left: str, right: str, tmp_path: Path) -> None:
    """σ∘σ = σ: one cover by cells, with a half that is empty."""
    once = Network.dense([([[1, 2]], [1], left), ([[3]], [0], "identity")])
    twice = Network.dense([([[1, 2]], [1], left), ([[1]], [0], right), ([[3]], [0], "identity")])
    assert checked(once, twice, tmp_path).method == "cells"
    assert checked(twice, once, tmp_path).method == "cells"
    lower = Network.dense(
        [([[1, 2]], [1], left), ([[1]], ["-1/10^6"], right), ([[3]], [0], "identity")]
    )
    assert checked(once, lower, tmp_path).verdict == "different"


def test_degenerate_neurons_are_removed_on_both_sides(tmp_path: Path) -> None:
    left = Network.dense(
        [([[1, 2], [-1, -2], [0, 0]], [1, -1, 1], "tanh"), ([[2, 1, 3]], [0], "identity")]
    )
    right = Network.dense(
        [([[0, 0], [1, 2], [5, 5]], [-1, 1, 0], "tanh"), ([[-3, 1, 0]], [0], "identity")]
    )
    result = checked(left, right, tmp_path)
    assert result.verdict == "equal"
    assert [r.reduced.widths for r in result.reductions] == [(2, 1, 1), (2, 1, 1)]


def test_numbers_of_different_fields_meet(tmp_path: Path) -> None:
    left = Network.dense([([["sqrt(2)", 2]], [0], "relu"), ([["sqrt(2)"]], None, "identity")])
    right = Network.dense([([[1, "sqrt(2)"]], [0], "relu"), ([[2]], None, "identity")])
    assert checked(left, right, tmp_path).verdict == "equal"
    folded = Network.dense(
        [([[-1, "-sqrt(2)"], [1, "sqrt(2)"], ["-sqrt(2)", -2]], [0, 0, 0], "abs"),
         ([[1, 1, "sqrt(2)"]], [0], "identity")]
    )  # fmt: skip
    both = Network.dense(
        [([[1, "sqrt(2)"], [-1, "-sqrt(2)"]], [0, 0], "relu"), ([[4, 4]], [0], "identity")]
    )
    assert checked(folded, both, tmp_path).method == "canonical_form"
    rational = Network.dense([([[1, 1]], [0], "relu"), ([[2]], None, "identity")])
    assert checked(left, rational, tmp_path).verdict == "different"


def test_symbolic_weights(tmp_path: Path) -> None:
    def net(*rows: Any, out: Any) -> Network:
        bias = ["b" if not str(row[0]).startswith("-") else "-b" for row in rows]
        layers = [(list(rows), bias, "gelu"), ([out], ["a"], "identity")]
        return Network.dense(layers, parameters=["a", "b"])

    left, linear = net(["a", 1], ["-a", -1], out=["a", "-a"]), "gelu(z) - gelu(-z) = z"
    right = Network.dense([([["a^2", "a"]], ["a*b + a"], "identity")], parameters=["a", "b"])
    result = checked(left, right, tmp_path)
    assert result.method == "canonical_form", linear
    result = checked(left, net(["a", 1], out=["a"]), tmp_path)
    assert result.verdict == "different"
    assert {name for name, _ in result.counterexample.parameters} == {"a", "b"}


@pytest.mark.parametrize(
    ("left", "right", "missing"),
    [
        (
            shallow([[0], [0], [1]], ["1/2", "1/3", 1], "arctan", [[1, 1, 1]]),
            shallow([[0], [1]], [1, 1], "arctan", [[1, 1]]),
            "no theorem here compares such numbers",
        ),
    ],
)
def test_undecided_says_which_hypothesis_is_missing(
    left: Network, right: Network, missing: str, tmp_path: Path
) -> None:
    result = checked(left, right, tmp_path, budget=5)
    assert result.verdict == "undecided"
    assert missing in result.reason


def test_polynomials_of_any_depth(tmp_path: Path) -> None:
    left = Network.dense([([[1, 1]], [1], "x^2"), ([[1]], [-1], "x^2"), ([[1]], None, "identity")])
    right = Network.dense(
        [([[1, 1], [1, 1]], [1, 0], "x^4"), ([[1, 0]], [1], "identity"),
         ([[1]], None, "identity")]
    )  # fmt: skip
    square = Network.dense([([[1, 1]], [1], "x^2"), ([[-2]], [0], "identity")])
    assert checked(left, right, tmp_path).verdict == "different"
    # ((z+1)² − 1)² = (z+1)⁴ − 2(z+1)² + 1
    sum_of_both = Network.dense([([[1, 1]], [1], "x^4 - 2*x^2 + 1"), ([[1]], [0], "identity")])
    assert checked(left, sum_of_both, tmp_path).method == "polynomial"
    assert checked(square, square, tmp_path).method == "latents"


def test_dimensions_must_agree() -> None:
    with pytest.raises(InputError, match="inputs"):
        equal(affine([[1, 2]]), affine([[1]]))
    with pytest.raises(InputError, match="outputs"):
        equal(affine([[1], [2]]), affine([[1]]))


def test_equal_inputs_give_equal_bytes() -> None:
    other = shallow([[1], [1], [1]], [1, 0, -1], "relu", [[1, -2, "1001/1000"]])
    first, second = (equal(TENT, other, seed=3).evidence for _ in range(2))
    assert first == second


# ----------------------------------------------------------------------------- a real network


def acas(shared: Path) -> Network:
    return Network.load(shared / "real" / "acas_test_network.onnx")


def rescaled(net: Network, seed: int) -> list[list[Any]]:
    """Layers with neurons permuted and scaled by powers of two: exact in float32."""
    stream, layers = random.Random(seed), []
    order, scale = list(range(net.inputs)), [QQ(1)] * net.inputs
    for number, layer in enumerate(net.layers):
        places, factors = list(range(layer.outputs)), [QQ(1)] * layer.outputs
        if number < len(net.layers) - 1:
            stream.shuffle(places)
            factors = [QQ(Fraction(2) ** stream.randrange(-3, 4)) for _ in places]
        rows = [
            [layer.weight[i, o] * s / t for o, t in zip(order, scale, strict=True)]
            for i, s in zip(places, factors, strict=True)
        ]
        bias = [layer.bias[i] * s for i, s in zip(places, factors, strict=True)]
        layers.append([rows, bias, layer.activation])
        order, scale = places, factors
    return layers


def test_a_permuted_and_rescaled_copy_is_equal(shared: Path, tmp_path: Path) -> None:
    net = acas(shared)
    result = checked(net, Network.dense(list(map(tuple, rescaled(net, 0)))), tmp_path)
    assert result.verdict == "equal" and result.method == "latents"


@pytest.mark.parametrize("place", [(0, 3, 2), (3, 1, 1), (6, 1, 4)])
def test_one_weight_moved_in_the_last_place_is_seen(
    place: tuple[int, int, int], shared: Path, tmp_path: Path
) -> None:
    net = acas(shared)
    layers = rescaled(net, 0)
    layer, i, j = place
    weight = np.float32(float(Fraction(str(layers[layer][0][i][j]))))
    layers[layer][0][i][j] = float(np.nextafter(weight, np.float32(np.inf)))
    result = checked(net, Network.dense(list(map(tuple, layers))), tmp_path)
    assert result.verdict == "different"
    assert result.counterexample.is_exact and result.counterexample.gap > 0


# ------------------------------------------------------------------------------- command line


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "identcert.cli", *arguments]
    program = "from identcert.cli.app import main; main()"
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def document(out: Any, sigma: str = "relu") -> str:
    layers = [
        {"kind": "dense", "weight": [[1], [1], [1]], "bias": [1, 0, -1], "activation": sigma},
        {"kind": "dense", "weight": [out], "activation": "identity"},
    ]
    head = {"format": "identcert.network", "version": 1, "inputs": 1}
    return json.dumps({**head, "layers": layers})


def test_command_line(tmp_path: Path) -> None:
    first, second, third, narrow = (tmp_path / f"{k}.network.json" for k in "abcd")
    first.write_text(document([1, -2, 1]))
    second.write_text(document(["2/2", -2, 1]))
    third.write_text(document([1, -2, 2]))
    narrow.write_text(document([1, -2, 1]).replace('"inputs": 1', '"inputs": 2'))
    out = tmp_path / "evidence"
    done = run("equal", str(first), str(second), "--out", str(out), "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["verdict"] == "equal" and answer["evidence_dir"] == str(out)
    assert answer["reduced_widths"] == [[1, 3, 1], [1, 3, 1]] and answer["seconds"]
    assert sorted(p.name for p in out.iterdir()) == [
        "network.json", "network2.json", "witness.json",
    ]  # fmt: skip
    assert run("check", str(out)).returncode == 0
    done = run("equal", str(first), str(third), "--json")
    assert done.returncode == 1 and json.loads(done.stdout)["counterexample"]["point"]
    done = run("equal", str(first), str(third))
    assert done.returncode == 1 and "They differ at x = " in done.stdout
    assert run("equal", str(first), str(narrow)).returncode == 2
    assert run("equal", str(first)).returncode == 2
    assert run("equal", str(first), str(tmp_path / "none.network.json")).returncode == 2


def test_a_large_float_network_is_compared_by_tensors(tmp_path: Path) -> None:
    stream = np.random.default_rng(0)
    weight, bias = stream.standard_normal((101, 100)), stream.standard_normal(101)
    out = stream.standard_normal((1, 101))
    order = stream.permutation(101)
    left = Network.dense([(weight, bias, "tanh"), (out, None, "identity")])
    right = Network.dense(
        [(-weight[order], -bias[order], "tanh"), (-out[:, order], None, "identity")]
    )
    result = checked(left, right, tmp_path)
    assert result.verdict == "equal"
    assert (tmp_path / "weights2.safetensors").exists()
    assert Network.load(tmp_path / "network2.json") == right


# --------------------------------------------------------------------------------------- laws


@given(degenerate_networks(), st.integers(0, 1000))
@settings(max_examples=25)
def test_latent_symmetries_keep_the_function(net: Network, seed: int) -> None:
    result = equal(net, shuffled(net, seed), budget=10)
    nested = any(depth_of_constants(r.reduced) > 1 for r in result.reductions)
    assert result.verdict == "equal" or (nested and result.verdict == "undecided")


@given(degenerate_networks(), st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_symmetries_of_deep_degenerate_networks_are_seen(net: Network, seed: int) -> None:
    """Constants that were nested by folding have one spelling, up to what activations pass."""
    assert equal(net, shuffled(net, seed)).verdict == "equal"


@given(shallow_networks(), shallow_networks())
@settings(max_examples=40)
def test_shallow_networks_are_always_decided(left: Network, right: Network) -> None:
    result = equal(left, right, budget=20)
    assert result.verdict in ("equal", "different")
    if result.verdict == "equal":
        assert agree(left, right)
    assert equal(right, left, budget=20).verdict == result.verdict


@given(degenerate_networks(affine=False), st.integers(0, 10**6))
@settings(max_examples=25)
def test_a_moved_bias_of_the_output_is_seen(net: Network, seed: int) -> None:
    last = net.layers[-1]
    bias = (last.bias[0] + QQ(Fraction(1, 10**9)), *last.bias[1:])
    assume(net.inputs > 0)
    moved = replace(net, layers=(*net.layers[:-1], replace(last, bias=bias, has_bias=True)))
    assert equal(net, shuffled(moved, seed), budget=10).verdict != "equal"
