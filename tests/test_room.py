"""Refutations of networks with huge weights and tiny differences, at any allowed size."""

from __future__ import annotations

from pathlib import Path

import pytest

from identcert import Network, actions, certify, checker, equal

ANALYTIC = ("tanh", "sigmoid", "softplus", "silu", "gelu", "sin", "elu", "arctan", "erf")
SIZES = ("1e400", "1e1000", "2+10^-900", "2+10^-1000")


@pytest.mark.parametrize("weight", SIZES)
@pytest.mark.parametrize("sigma", [*ANALYTIC, "relu", "x^3"])
def test_huge_weights_and_tiny_differences_are_refuted(
    sigma: str, weight: str, tmp_path: Path
) -> None:
    def made(entry: object) -> Network:
        return Network.dense([([[entry, 2], [2, 1]], [1, 1], sigma), ([[1, 1]], None, "identity")])

    result = certify(made(weight), actions.cyclic(2), budget=20)
    assert result.verdict == "not_equivariant"
    assert checker.check(result.save(tmp_path / "one")).verdict == "not_equivariant"
    found = equal(made(weight), made(2), budget=20)
    assert found.verdict == "different"
    found.save(tmp_path / "two")
    assert checker.check(tmp_path / "two").verdict == "different"


def test_a_difference_below_all_enclosures_is_undecided() -> None:
    """10^-1000 squared three times is far below 2^-4096, so that no stated bits show it."""
    tiny = [([["10^-1000"]], [0], "x^8"), ([[1]], [0], "tanh"), ([[1]], None, "identity")]
    none = [([[0]], [0], "x^8"), ([[1]], [0], "tanh"), ([[1]], None, "identity")]
    result = equal(Network.dense(tiny), Network.dense(none), budget=3)
    assert result.verdict in ("undecided", "different")
    assert result.explain()
