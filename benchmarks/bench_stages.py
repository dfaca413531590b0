"""Where the time of a certificate goes, and what FLINT and arrays gain over tuples of fractions.

Decision, serialisation and the independent check apart; beside them the same decision (forced
matching of rows, ``theory/identifiability.md`` Prop 3) written with tuples of ``Fraction``.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import networks
from timing import Measured, best_of, show

TITLE = "Stages (the share of the whole is 1 over the ratio)"

Rows = tuple[tuple[Fraction, ...], ...]


def fractions(case: networks.Benchmark) -> list[tuple[Rows, tuple[Fraction, ...], str]]:
    """The layers as tuples of exact rationals."""
    return [
        (tuple(tuple(map(Fraction, row)) for row in w), tuple(map(Fraction, b)), sigma)
        for w, b, sigma in case.layers
    ]


def normal(row: Sequence[Fraction], sigma: str) -> tuple[tuple[Fraction, ...], Fraction]:
    """A representative of the row's class under K, and α with row = α·representative."""
    first = next(x for x in row if x)
    alpha = first if sigma == "x^3" else Fraction(1 if first > 0 else -1)
    return tuple(x / alpha for x in row), alpha


def matched(layers: Any, rho_in: networks.Signed, rho_out: networks.Signed) -> bool:
    """Whether one generator has latents: Prop 3 with tuples of fractions, for tanh and x^3."""
    p, s = ([int(v) for v in part] for part in rho_in)
    scale = [Fraction(v) for v in s]
    for weight, bias, sigma in layers[:-1]:
        table = {}
        for k, (row, b) in enumerate(zip(weight, bias, strict=True)):
            key, alpha = normal((*row, b), sigma)
            table[key] = k, alpha
        moved = []
        for row, b in zip(weight, bias, strict=True):
            key, alpha = normal((*pulled(row, p, scale), b), sigma)
            if key not in table:
                return False
            partner, beta = table[key]
            moved.append((partner, alpha / beta))
        p = [partner for partner, _ in moved]
        scale = [alpha**3 if sigma == "x^3" else alpha for _, alpha in moved]
    weight, bias, _ = layers[-1]
    q, t = ([int(v) for v in part] for part in rho_out)
    return all(
        pulled(weight[i], p, scale) == tuple(t[i] * x for x in weight[q[i]])
        and bias[i] == t[i] * bias[q[i]]
        for i in range(len(bias))
    )


def pulled(row: Sequence[Fraction], p: list[int], scale: list[Fraction]) -> tuple[Fraction, ...]:
    """The row of W∘R, R: h_i ↦ scale_i h_{p_i}."""
    out = [Fraction(0)] * len(row)
    for i, w in enumerate(row):
        out[p[i]] = w * scale[i]
    return tuple(out)


def measure_one(case: networks.Benchmark, folder: Path) -> list[Measured]:
    from identcert import Network, certify, checker, load_action

    network = Network.dense(list(case.layers))
    action = load_action(case.write_action(folder), network.inputs, network.outputs)
    results = [certify(network, action) for _ in range(4)]
    result = results[-1]
    if result.verdict != "layerwise":
        raise RuntimeError(f"no layerwise certificate: {result.verdict}")
    evidence = folder / "evidence"
    whole = best_of(lambda: certify(network, action))
    layers = fractions(case)

    def by_fractions() -> None:
        if not all(matched(layers, case.inputs[g], case.outputs[g]) for g in case.inputs):
            raise RuntimeError("the baseline found no latents")

    decision = min(r.seconds["decision"] for r in results)
    serialisation = min(r.seconds["serialisation"] for r in results)
    baseline = best_of(by_fractions, runs=3)
    save = best_of(lambda: result.save(evidence))
    check = best_of(lambda: checker.check(evidence))
    total = "certify, all stages"
    return [
        Measured(f"{case.name}: decision", decision, total, whole),
        Measured("  serialisation in memory", serialisation, total, whole),
        Measured("  writing the folder", save, total, whole),
        Measured("  independent check", check, total, whole),
        Measured("  decision", decision, "row matching with Fraction tuples", baseline),
    ]


def measure() -> list[Measured]:
    rows = []
    for case in (networks.cubic(), networks.small_image(), networks.large_image()):
        with tempfile.TemporaryDirectory() as folder:
            rows += measure_one(case, Path(folder))
    return rows


if __name__ == "__main__":
    show(TITLE, measure())
