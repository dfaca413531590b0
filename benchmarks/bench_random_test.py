"""What a proof costs beside the usual float64 test.

The test draws 200 points, applies all eight elements of D4 to them in vectorised NumPy and
compares f(ρ_in(g)x) with ρ_out(g)f(x) up to 1e-9; it proves nothing. The certificate is a proof for
all real points, its evidence verified by the independent checker within the time shown.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import networks
import numpy as np
from timing import Measured, best_of, show

TITLE = "Proof beside a float64 random test (200 points × group)"
POINTS = 200


def elements(case: networks.Benchmark) -> list[tuple[networks.Signed, networks.Signed]]:
    """All pairs (ρ_in(g), ρ_out(g)) of the group that the generators generate."""
    unit = tuple(
        (np.arange(len(p)), np.ones(len(p), dtype=int))
        for p, _ in (next(iter(case.inputs.values())), next(iter(case.outputs.values())))
    )
    found: dict[Any, Any] = {key(unit): unit}
    front = [unit]
    while front:
        g = front.pop()
        for name in case.inputs:
            h = compose(g[0], case.inputs[name]), compose(g[1], case.outputs[name])
            if key(h) not in found:
                found[key(h)] = h
                front.append(h)
    return list(found.values())


def compose(a: networks.Signed, b: networks.Signed) -> networks.Signed:
    """x ↦ a(b(x))."""
    return b[0][a[0]], a[1] * b[1][a[0]]


def key(pair: Any) -> bytes:
    return b"".join(part.astype(np.int64).tobytes() for side in pair for part in side)


def forward(case: networks.Benchmark, x: np.ndarray) -> np.ndarray:
    for weight, bias, sigma in case.layers:
        x = x @ weight.T + bias
        x = np.tanh(x) if sigma == "tanh" else x
    return x


def random_test(case: networks.Benchmark, group: list[Any]) -> bool:
    """The float64 test, as people write it."""
    points = np.random.default_rng(0).standard_normal((POINTS, case.layers[0][0].shape[1]))
    values = forward(case, points)
    return all(
        np.allclose(forward(case, points[:, p] * s), values[:, q] * t, rtol=0, atol=1e-9)
        for (p, s), (q, t) in group
    )


def measure() -> list[Measured]:
    from identcert import Network, certify, load_action

    rows = []
    for case in (networks.small_image(), networks.large_image()):
        group = elements(case)
        with tempfile.TemporaryDirectory() as folder:
            path = case.write_action(Path(folder))
            network = Network.dense(list(case.layers))
            action = load_action(path, network.inputs, network.outputs)

            decisions: list[float] = []

            def prove(
                network: Any = network, action: Any = action, times: list[float] = decisions
            ) -> None:
                result = certify(network, action)
                if result.verdict != "layerwise":
                    raise RuntimeError("no layerwise certificate")
                times.append(result.seconds["decision"])

            def test(case: Any = case, group: Any = group) -> None:
                if not random_test(case, group):
                    raise RuntimeError("the random test refutes an equivariant network")

            prove()
            name = f"float64 test, {len(group)} elements"
            whole, floats = best_of(prove, 10), best_of(test, 20)
            rows.append(Measured(f"decision alone, {case.name}", min(decisions), name, floats))
            rows.append(Measured(f"certify, {case.name}", whole, name, floats))
    return rows


if __name__ == "__main__":
    show(TITLE, measure())
