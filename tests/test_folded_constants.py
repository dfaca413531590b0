"""Constant neurons of any activation below neurons of any other: every question has an answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from identcert import Network, actions, certify, equal, identify

FIRST = ("tanh", "sigmoid", "sin", "arctan", "softplus", "silu", "gelu", "elu", "erf")
SECOND: tuple[Any, ...] = (
    "x^2", "x^3", "x^3-x", "x^2+x", "x^4+x^2+1", "relu", "abs", "hard_tanh", "relu6", "tanh",
    "elu", "gelu", {"leaky_relu": "1/10"}, "5", "2*x+1",
)  # fmt: skip


@pytest.mark.parametrize("second", SECOND, ids=str)
@pytest.mark.parametrize("first", FIRST)
@pytest.mark.parametrize("is_deep", [False, True])
def test_all_questions_about_folded_constants(first: str, second: Any, is_deep: bool) -> None:
    weight = [[0, 0], [int(is_deep), 0]]
    layers: list[Any] = [(weight, [1, "-1/2"], first)]
    if is_deep:
        layers += [([[1, 2], [2, 1]], [0, 0], second), ([[1, -1]], [1], "x^2")]
    else:
        layers += [([[1, 2]], [0], second)]
    network = Network.dense([*layers, ([[1]], None, "identity")])
    result = certify(network, actions.cyclic(2), budget=10)
    is_constant = not is_deep or second == "5"
    if is_constant:
        assert result.verdict == "layerwise_after_reduction"
    assert str(result.verdict) in result.explain()
    json.dumps(result.to_json())
    assert identify(network).explain()
    assert equal(network, network).verdict == "equal"
