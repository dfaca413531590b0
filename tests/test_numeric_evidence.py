"""Numeric evidence after ``undecided``: labelled, stored with the witness, claiming nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from deep_networks import maximum
from typer.testing import CliRunner

from identcert import Network, actions, certify, checker
from identcert.certify.result import Verdict
from identcert.cli.app import app
from identcert.groups.action import Action
from identcert.trained.numeric_evidence import (
    largest_gap,
    match_latents,
    numeric_evidence,
    with_numeric_evidence,
)


def cyclic_network(sigma: str) -> Network:
    rows = [[1, 2, 0], [0, 1, 2], [2, 0, 1]]
    more = [[1, -1, 2], [2, 1, -1], [-1, 2, 1]]
    return Network.dense(
        [(rows, ["1/2"] * 3, sigma), (more, [1, 1, 1], sigma), ([[1, 1, 1]], None, "identity")]
    )


def turn(outputs: str = "trivial") -> Action:
    return actions.cyclic(3, output=outputs)


@pytest.mark.parametrize("sigma", ["tanh", "sigmoid", "relu", "gelu", "abs", "x^2 + x", "x^3"])
def test_exact_latents_are_matched_within_the_tolerance(sigma: str) -> None:
    network, generator = cyclic_network(sigma), turn().generators[0]
    matching = match_latents(network, generator)
    assert max(matching.distances) < 1e-12
    assert matching.output < 1e-9
    gap, size = largest_gap(network, generator)
    assert gap < 1e-9 * (1 + size)


def test_a_moved_weight_shows_in_distance_and_gap() -> None:
    network = cyclic_network("tanh")
    moved = [(x.weight.to_rows(), x.bias, x.activation) for x in network.layers]
    moved[0] = ([["1001/1000", 2, 0], [0, 1, 2], [2, 0, 1]], moved[0][1], "tanh")
    changed, generator = Network.dense(moved), turn().generators[0]
    matching = match_latents(changed, generator)
    assert 5e-4 < matching.distances[0] < 2e-3
    assert "beyond 1e-06" in matching.text()
    assert largest_gap(changed, generator)[0] > 1e-5


def test_scaled_rows_are_matched_for_relu_only() -> None:
    rows, out = [[1, 2], [4, 2]], [[2, 1]]
    for sigma, is_near in (("relu", True), ("tanh", False)):
        network = Network.dense([(rows, None, sigma), (out, None, "identity")])
        matching = match_latents(network, actions.cyclic(2).generators[0])
        assert (max(matching.distances) < 1e-12) == is_near


def test_symbolic_weights_have_none() -> None:
    network = Network.dense(
        [([["a", "b"]], None, "tanh"), ([[1]], None, "identity")], parameters=["a", "b"]
    )
    assert numeric_evidence(network, actions.cyclic(2)) == ()


def undecided() -> tuple[Network, Action]:
    """A network that is decided by cells only, which the budget of these tests forbids."""
    forms = [[int(i == j) for j in range(8)] for i in range(8)]
    return Network.dense(maximum(forms)), actions.cyclic(8)


def test_the_witness_holds_it_and_claims_nothing(tmp_path: Path) -> None:
    network, action = undecided()
    result = certify(network, action, budget=0.01)
    assert result.verdict is Verdict.UNDECIDED
    assert result.reason is not None
    assert result.reason.startswith("the budget ended")
    shown = with_numeric_evidence(result)
    assert [name for name, _ in shown.numeric] == [
        "largest sampled gap for r",
        "latents matched for r",
    ]
    assert all(text.startswith("numeric only") for _, text in shown.numeric)
    with pytest.raises(checker.NothingClaimed):
        checker.check(shown.save(tmp_path / "evidence"))
    stored = json.loads((tmp_path / "evidence" / "witness.json").read_text())
    assert stored["evidence"]["numeric"] == dict(shown.numeric)
    assert "numeric, proves nothing" in shown.explain()
    assert shown.to_json()["numeric"] == dict(shown.numeric)


def test_other_verdicts_stay_as_they_are() -> None:
    result = certify(cyclic_network("tanh"), turn())
    assert with_numeric_evidence(result) is result


def test_the_command_line_shows_it(tmp_path: Path) -> None:
    from identcert.nets.files import network_bytes

    network, _ = undecided()
    path = tmp_path / "maximum.network.json"
    path.write_bytes(network_bytes(network))
    action = {"format": "identcert.action", "version": 1,
              "generators": {"r": {"input": {"permutation": [*range(1, 8), 0]},
                                   "output": "trivial"}}}  # fmt: skip
    (tmp_path / "r.action.json").write_text(json.dumps(action))
    arguments = ["certify", str(path), str(tmp_path / "r.action.json"), "--budget", "0.01"]
    shown = CliRunner().invoke(app, arguments)
    assert shown.exit_code == 3
    assert "numeric, proves nothing: largest sampled gap for r" in shown.output
    shown = CliRunner().invoke(app, [*arguments, "--json"])
    assert json.loads(shown.output)["numeric"]
