"""Covers by cells: trees that the checker accepts, points that separate, executors, budgets."""

from __future__ import annotations

import json
import random
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from deep_networks import (
    THREE_LINES,
    TURN,
    maximum,
    random_layers,
    repeated,
    three_five_five_two,
    two_six_six_one,
    with_far_bump,
    with_silent_neuron,
)

from identcert import Network, certify, checker
from identcert.certify.cell_jobs import cover, cover_part, network_of_text, network_text
from identcert.certify.cells import Cover, Separation
from identcert.certify.equality import equal
from identcert.certify.pairs import equivariance_pair
from identcert.certify.result import Verdict
from identcert.errors import OutOfBudget, UnsupportedError
from identcert.exact.field import NumberField
from identcert.exact.join import join
from identcert.groups.action import Action
from identcert.groups.files import parse_action

SIGMAS = ("relu", "abs", "hard_tanh", "relu6", {"leaky_relu": "1/10"})


def action(inputs: int, outputs: int, **generators: Any) -> Action:
    tree = {
        "format": "identcert.action",
        "version": 1,
        "generators": {k: {"input": v, "output": "trivial"} for k, v in generators.items()},
    }
    return parse_action(tree, inputs, outputs, "test")


def leaves(tree: Any) -> list[Any]:
    if isinstance(tree, str) or "infeasible" in tree:
        return [tree]
    return leaves(tree["below"]) + leaves(tree["above"])


CYCLE = {"permutation": [1, 2, 0]}
DEEP = {
    "2-6-6-1": (two_six_six_one(), {"r": TURN}),
    "3-5-5-2": (three_five_five_two(), {"r": CYCLE}),
    "maximum of 3": (maximum(THREE_LINES), {"r": TURN}),
    "maximum of 3 with silent neurons": (maximum(THREE_LINES, junk=1), {"r": TURN}),
    "maximum of 5": (
        maximum([[int(i == j) for j in range(5)] for i in range(5)]),
        {"r": {"permutation": [1, 2, 3, 4, 0]}, "s": {"permutation": [1, 0, 2, 3, 4]}},
    ),
}


@pytest.mark.parametrize("name", DEEP)
def test_deep_networks_without_latents_are_proved_and_checked(name: str, tmp_path: Any) -> None:
    layers, generators = DEEP[name]
    network = Network.dense(layers)
    result = certify(network, action(network.inputs, network.outputs, **generators))
    assert result.verdict is Verdict.END_TO_END_ONLY
    assert result.equivariance_rule == "cells"
    assert checker.check(result.save(tmp_path / "evidence")).verdict == "end_to_end_only"
    assert "covered by cells" in result.explain()


@pytest.mark.parametrize("name", DEEP)
def test_a_changed_weight_is_refuted_by_a_point(name: str) -> None:
    layers, generators = DEEP[name]
    *hidden, (out, shift, sigma) = layers
    broken = [*hidden, ([[out[0][0] + Fraction(1, 1000), *out[0][1:]], *out[1:]], shift, sigma)]
    network = Network.dense(broken)
    acting = action(network.inputs, network.outputs, **generators)
    left, right = equivariance_pair(network, acting.generator("r"))
    found = Cover(left, right).search()
    assert isinstance(found, Separation)
    assert left.evaluate(found.point) != right.evaluate(found.point)
    assert certify(network, acting).verdict is Verdict.NOT_EQUIVARIANT


def irrational(layers: Any, inputs: int) -> Network:
    """The function composed with x_j ↦ (1 + √2)x_j + √2/3, an invertible map."""
    (weight, bias, sigma), *above = layers
    moved = [[f"({w})*(1+sqrt(2))" for w in row] for row in weight]
    shift = [f"({b}) + ({sum(row)})*sqrt(2)/3" for b, row in zip(bias, weight, strict=True)]
    return Network.dense([(moved, shift, sigma), *above], inputs=inputs)


@pytest.mark.parametrize("seed", range(12))
def test_pairs_of_networks_over_a_number_field_are_decided(seed: int) -> None:
    """Substitution of x keeps equality and difference."""
    stream = random.Random(seed)
    depth = stream.randint(1, 2)
    widths = [stream.randint(1, 2), *(stream.randint(1, 3) for _ in range(depth)), 1]
    sigmas = ["relu", *(stream.choice(SIGMAS) for _ in range(depth - 1))]
    layers = random_layers(stream, widths, sigmas)
    network = Network.dense(layers, inputs=widths[0])
    for other in (repeated(layers, 0), with_far_bump(layers)):
        known = Cover(network, Network.dense(other, inputs=widths[0])).search()
        first, second = irrational(layers, widths[0]), irrational(other, widths[0])
        found = Cover(first, second, time.monotonic() + 60).search()
        assert isinstance(found, Separation) == isinstance(known, Separation)
        if isinstance(found, Separation):
            assert first.evaluate(found.point) != second.evaluate(found.point)
            assert equal(first, second).verdict == "different"
        else:
            check_tree(first, second, found)
            assert equal(first, second).verdict == "equal"


@pytest.mark.parametrize("count", [8, 4])
def test_an_eighth_turn_of_a_maximum_of_linear_forms(count: int, tmp_path: Path) -> None:
    """The maximum over a regular octagon is invariant, that over a square in it is not."""
    h = "sqrt(2)/2"
    corners = [[1, 0], [h, h], [0, 1], [f"-{h}", h]]
    octagon = [*corners, *([f"-({a})" for a in row] for row in corners)]
    network = Network.dense(maximum_of_texts(octagon[:: 8 // count]))
    result = certify(network, action(2, 1, r={"matrix": [[h, f"-{h}"], [h, h]]}), budget=60)
    verdict = "end_to_end_only" if count == 8 else "not_equivariant"
    assert result.verdict == verdict
    assert checker.check(result.save(tmp_path)).verdict == verdict


def maximum_of_texts(forms: list[list[Any]]) -> Any:
    """max(a, b) = ReLU(a − b) + ReLU(b) − ReLU(−b), by halves, for forms given as text."""
    first, second = forms[: len(forms) // 2], forms[len(forms) // 2 :]
    width, rows, out = len(first), [], []
    for a, b in zip(first, second, strict=True):
        rows += [[f"({x}) - ({y})" for x, y in zip(a, b, strict=True)], b, [f"-({y})" for y in b]]
    for k in range(width):
        out.append([{0: 1, 1: 1, 2: -1}[j - 3 * k] if 0 <= j - 3 * k < 3 else 0
                    for j in range(3 * width)])  # fmt: skip
    if width == 1:
        return [(rows, [0] * 3, "relu"), (out, [0], "identity")]
    (weight, bias, sigma), *above = maximum_of_texts(
        [[1 if i == j else 0 for j in range(width)] for i in range(width)]
    )
    merged = [[sum_text(row, column) for column in zip(*out, strict=True)] for row in weight]
    return [(rows, [0] * len(rows), "relu"), (merged, bias, sigma), *above]


def sum_text(row: list[Any], column: Any) -> str:
    return " + ".join(f"({a})*({b})" for a, b in zip(row, column, strict=True))


@pytest.mark.parametrize("seed", range(40))
def test_pairs_of_random_networks_are_decided_with_checked_evidence(seed: int) -> None:
    stream = random.Random(seed)
    depth = stream.randint(1, 3)
    widths = [stream.randint(1, 3), *(stream.randint(1, 4) for _ in range(depth)), 1]
    sigmas = [stream.choice(SIGMAS) for _ in range(depth)]
    layers = random_layers(stream, widths, sigmas)
    positive = [k for k, sigma in enumerate(sigmas) if sigma in ("relu", "abs", "relu6")]
    others = [random_layers(stream, widths, sigmas)]
    others += [repeated(layers, k) for k in positive]
    others += [
        with_silent_neuron(layers, k) for k in positive if k + 1 < depth and sigmas[k + 1] == "relu"
    ]
    if sigmas[0] == "relu":
        others.append(with_far_bump(layers))
    network = Network.dense(layers, inputs=widths[0])
    for index, other in enumerate(others):
        changed = Network.dense(other, inputs=widths[0])
        found = Cover(network, changed, time.monotonic() + 60).search()
        if isinstance(found, Separation):
            assert network.evaluate(found.point) != changed.evaluate(found.point)
        else:
            assert index or network.evaluate([1] * widths[0]) == changed.evaluate([1] * widths[0])
            points = [[Fraction(stream.randint(-50, 110), 3) for _ in range(widths[0])]
                      for _ in range(20)]  # fmt: skip
            assert all(network.evaluate(p) == changed.evaluate(p) for p in points)
            check_tree(network, changed, found)
        verdict = "different" if isinstance(found, Separation) else "equal"
        assert equal(network, changed).verdict == verdict


def check_tree(left: Network, right: Network, tree: Any) -> None:
    """The checker accepts the tree, read from its canonical JSON."""
    from identcert.nets.files import canonical_network

    field = checker.Field(left.field.describe())
    nets = [checker.read_network(field, canonical_network(n)[0], None) for n in (left, right)]  # type: ignore[arg-type]
    maps = checker.identity(left.inputs), checker.identity(left.outputs)
    value = json.loads(json.dumps(tree))
    checker.check_forms(field, checker.Claim(*nets, *maps, "test"), value)


def test_implied_signs_need_no_split() -> None:
    stream = random.Random(1)
    layers = random_layers(stream, [2, 5, 1], ["relu"])
    tree = Cover(Network.dense(layers), Network.dense(repeated(layers, 0))).search()
    assert leaves(tree).count("equal") == 1


def test_a_neuron_that_fires_in_a_small_cell_is_found() -> None:
    layers = random_layers(random.Random(2), [3, 4, 3, 1], ["relu", "relu"])
    found = Cover(Network.dense(layers), Network.dense(with_far_bump(layers))).search()
    assert isinstance(found, Separation)
    assert 100 < found.point[0] < 102


def pair() -> tuple[Network, Network]:
    """Two equal networks whose cover needs some dozens of cells."""
    stream = random.Random(214)
    layers = random_layers(stream, [3, 3, 3, 1], ["relu6", "hard_tanh"])
    return Network.dense(layers), Network.dense(hard_tanh_twice(layers))


def hard_tanh_twice(layers: Any) -> Any:
    rows = [[int(i == j) for j in range(3)] for i in range(3)]
    return [*layers[:2], (rows, [0] * 3, "hard_tanh"), layers[2]]


@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_any_executor_gives_one_tree(pool: Any) -> None:
    left, right = pair()
    parts: list[Fraction] = []
    with pool(2) as executor:
        tree = cover(left, right, executor=executor, note=parts.append)
    check_tree(left, right, tree)
    with ThreadPoolExecutor(1) as executor:
        assert cover(left, right, executor=executor) == tree
    assert parts == sorted(parts)
    assert not parts or parts[-1] == 1


def test_an_executor_finds_the_point(tmp_path: Any) -> None:
    layers = random_layers(random.Random(5), [3, 5, 4, 1], ["relu", "relu"])
    left, right = Network.dense(layers), Network.dense(with_far_bump(layers))
    with ThreadPoolExecutor(2) as executor:
        found = cover(left, right, executor=executor)
    assert isinstance(found, Separation)
    assert left.evaluate(found.point) != right.evaluate(found.point)


def test_certify_runs_on_processes_and_on_a_given_executor() -> None:
    layers, generators = DEEP["2-6-6-1"]
    acting = action(2, 1, **generators)
    assert certify(Network.dense(layers), acting, jobs=2).equivariance_rule == "cells"
    with ThreadPoolExecutor(1) as executor:
        result = certify(Network.dense(layers), acting, executor=executor)
    assert result.equivariance_rule == "cells"


@pytest.mark.parametrize("is_rational", [True, False])
def test_tasks_are_plain_json(is_rational: bool) -> None:
    left, right = pair()
    if not is_rational:
        root, embed, _ = join(left.field, NumberField.quadratic([2]))
        left, right = left.over(root, embed), right.over(root, embed)
    tree, ways = Cover(left, right).outline(depth=1)
    assert isinstance(tree, dict)
    problem = json.loads(json.dumps([network_text(left), network_text(right)]))
    assert network_of_text(problem[0]).layers == left.layers
    for way in json.loads(json.dumps(ways)):
        answer = cover_part(problem, way, 3)
        assert json.loads(json.dumps(answer)).keys() == {"tree", "ways"}


def test_progress_reaches_the_whole() -> None:
    left, right = pair()
    parts: list[Fraction] = []
    Cover(left, right, note=parts.append).search()
    assert parts == sorted(parts)
    assert parts[-1] == 1


def test_the_budget_ends_a_search() -> None:
    left, right = pair()
    with pytest.raises(OutOfBudget, match="the time ended"):
        Cover(left, right, deadline=time.monotonic() - 1).search()
    with ThreadPoolExecutor(1) as executor, pytest.raises(OutOfBudget):
        cover(left, right, deadline=time.monotonic() - 1, executor=executor)


def test_other_networks_are_refused() -> None:
    tanh = Network.dense([([[1]], None, "tanh"), ([[1]], None, "identity")])
    with pytest.raises(UnsupportedError, match="tanh is not piecewise linear"):
        Cover(tanh, tanh)
    free = Network.dense([([["a"]], None, "relu"), ([[1]], None, "identity")], parameters=["a"])
    with pytest.raises(UnsupportedError, match="weights without parameters"):
        Cover(free, free)
