"""Values of a wrong kind in Python calls: one sentence that names the argument."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from identcert import (
    InputError,
    Network,
    actions,
    canonical_form,
    certify,
    equal,
    identify,
    load_action,
    reduce_network,
    submodel_graph,
)

LAYERS: Any = [([[1, 2], [2, 1]], [1, 1], "tanh"), ([[1, 1]], None, "identity")]
NET, SWAP = Network.dense(LAYERS), actions.cyclic(2)
ANY: Any = None

CALLS: dict[str, tuple[Callable[[], Any], str]] = {
    "negative budget": (lambda: certify(NET, SWAP, budget=-1), "budget"),
    "no number": (lambda: certify(NET, SWAP, budget=float("nan")), "budget"),
    "text for a budget": (lambda: equal(NET, NET, budget="x"), "budget"),  # type: ignore[arg-type]
    "budget of identify": (lambda: identify(NET, budget=0), "budget"),
    "budget of a form": (lambda: canonical_form(NET, budget=-1), "budget"),
    "text for a seed": (lambda: certify(NET, SWAP, seed="x"), "seed"),  # type: ignore[arg-type]
    "fraction for a seed": (lambda: equal(NET, NET, seed=1.5), "seed"),  # type: ignore[arg-type]
    "no jobs": (lambda: certify(NET, SWAP, jobs=0), "jobs"),
    "function for an action": (lambda: certify(NET, actions.cyclic), "action"),  # type: ignore[arg-type]
    "object for an action": (lambda: certify(NET, {}), "action"),  # type: ignore[arg-type]
    "nothing for a network": (lambda: certify(ANY, SWAP), "network"),
    "nothing to compare": (lambda: equal(NET, ANY), "network"),
    "nothing to identify": (lambda: identify(ANY), "network"),
    "nothing to reduce": (lambda: reduce_network(ANY), "network"),
    "number for a file": (lambda: Network.load(3), "network"),  # type: ignore[arg-type]
    "number for an action file": (lambda: load_action(3, 2, 1), "action"),  # type: ignore[arg-type]
    "text for outputs": (lambda: actions.cyclic(2, outputs="1"), "outputs"),  # type: ignore[arg-type]
    "number for names": (lambda: Network.dense(LAYERS, parameters=3), "parameters"),  # type: ignore[arg-type]
    "text for names": (lambda: Network.dense(LAYERS, parameters="ab"), "parameters"),
    "number for a field": (lambda: Network.dense(LAYERS, algebraic=3), "algebraic"),  # type: ignore[arg-type]
    "number for a name": (lambda: Network.dense(LAYERS, name=3), "name"),  # type: ignore[arg-type]
    "text for inputs": (lambda: Network("2", NET.layers, NET.field), "inputs"),  # type: ignore[arg-type]
    "negative bits": (lambda: NET.ball_evaluate([1, 2], -5), "bits"),
    "nothing for a point": (lambda: NET.evaluate(ANY), "x"),
    "nothing for widths": (lambda: submodel_graph(ANY), "widths"),
    "number for a folder": (lambda: certify(NET, SWAP).save(3), "folder"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", CALLS)
def test_wrong_kinds_are_refused_with_the_name_of_the_argument(name: str) -> None:
    call, what = CALLS[name]
    with pytest.raises(InputError, match=rf"^{what}: .* (is|declares) no"):
        call()
