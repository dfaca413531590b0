"""What a certified network's result says of its place among submodels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from identcert import Network, actions, certify
from identcert.certify.explain_submodel import NEURONS_PLACED
from identcert.certify.result import Result
from identcert.submodels.square import strong_square
from identcert.submodels.weak import Lift


def tanh(*layers: Any) -> Network:
    """A network without biases, tanh between the given weights."""
    triples = [(weight, None, "tanh") for weight in layers[:-1]]
    return Network.dense([*triples, (layers[-1], None, "identity")])


def flipped(net: Network) -> Result:
    """The decision about x ↦ −x, y ↦ −y."""
    minus = [[-1 if i == j else 0 for j in range(net.inputs)] for i in range(net.inputs)]
    out = [[-1 if i == j else 0 for j in range(net.outputs)] for i in range(net.outputs)]
    generator = {"input": {"matrix": minus}, "output": {"matrix": out}}
    tree = {"format": "identcert.action", "version": 1, "generators": {"m": generator}}
    from identcert.groups.files import parse_action

    return certify(net, parse_action(tree, net.inputs, net.outputs, "minus"))


C3 = tanh([[1], [1]], [[1, 0], [1, -1], [0, 0]])
C4 = tanh([[1, 1, 1], [1, 0, 0]], [[1, 0]])
CLONED = tanh([[1, 2], [1, 2], [3, -1]], [[1, 1, 2]])


@pytest.mark.parametrize(
    ("net", "reason"),
    [
        (C3, "the outgoing weights of clones 0 and 1 leave the image of their merged matrix"),
        (C4, "neuron 1 is unread and has an incoming row of its own"),
    ],
    ids=["C3", "C4"],
)
def test_explanations_say_why_the_strong_square_fails(net: Network, reason: str) -> None:
    result = flipped(net)
    assert result.verdict == "layerwise_after_reduction" and not result.weak_chain.square.holds
    assert result.weak_chain.lifts is not None and result.weak_chain.given_lifts is None
    assert f"For the given parameter the strong square fails in hidden layer 1: {reason}" in (
        result.explain()
    )


def test_chain_of_a_network_with_clones() -> None:
    result = flipped(CLONED)
    chain = result.weak_chain
    assert chain.square.holds and chain.given_lifts is not None and chain.lifts is not None
    assert chain.submodel.widths == (2, 2, 1) and chain.pattern.text() == "{0,1}{2}"
    assert strong_square(chain.embedded).holds
    (lift,) = chain.lifts["m"]
    assert (lift @ lift) == Lift.identity(3, CLONED.field)
    text = result.explain()
    assert "Its submodel has widths 2-2-1 of 2-3-1" in text
    assert "The submodel is identifiable (by Sussmann 1992)" in text
    assert "so the same holds for the given parameter" in text
    place = result.to_json()["place"]
    assert (place["pattern"], place["rank"], place["widths"]) == ("{0,1}{2}", 1, [2, 2, 1])
    assert "Place among the submodels of widths 2-3-1: {0,1}{2}, rank 1 of 3" in text


def test_a_reduced_network_is_at_the_top() -> None:
    result = flipped(tanh([[1, 2], [3, -1]], [[1, 1]]))
    assert "Place among the submodels of widths 2-2-1: the top, no neuron" in result.explain()
    assert "step by step" not in result.explain()
    assert result.to_json()["place"]["rank"] == 0


def test_wide_networks_are_not_placed_in_explanations() -> None:
    wide = tanh([[k] for k in range(1, NEURONS_PLACED + 2)], [[1] * (NEURONS_PLACED + 1)])
    result = flipped(wide)
    assert result.verdict == "layerwise" and result.to_json()["place"] is None
    assert "left out above 200 hidden neurons" in result.explain()


def test_affine_networks_have_no_place() -> None:
    net = Network.dense([([[1, 1]], None, "identity")])
    result = certify(net, actions.cyclic(2))
    assert "Place" not in result.explain() and result.to_json()["place"] is None


def test_chain_of_symbolic_weights() -> None:
    net = Network.dense(
        [([["a", "b"], ["b", "a"], [0, 0]], None, "tanh"), ([[1, 1, 1]], None, "identity")],
        parameters=["a", "b"],
    )
    result = certify(net, actions.cyclic(2))
    assert result.verdict == "layerwise_after_reduction"
    assert "Weak identifiability, step by step" in result.explain()


def test_every_case_is_explained(shared: Path) -> None:
    seen = 0
    for path in sorted((shared / "cases").rglob("*.network.json")):
        result = certify(path, path.with_name(path.name.replace(".network.", ".action.")))
        text = result.explain()
        reduced = bool(result.reduction.steps) and bool(result.reduction.folded.widths[1:-1])
        assert ("Weak identifiability, step by step" in text) is reduced, path.name
        if reduced and result.latents is not None:
            seen += 1
            assert "every layer is equivariant under the lifted latent actions" in text, path.name
    assert seen >= 5
