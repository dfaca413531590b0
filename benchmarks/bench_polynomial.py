"""A polynomial network decided exactly: by identcert, by SymPy's expand, by SymPy's rings.

SymPy proves the equation f∘ρ_in = ρ_out∘f by expansion, which says nothing about layers; the
certificate of identcert gives latents as well, and its time includes writing the evidence in
memory and having the checker verify it.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import networks
from timing import Measured, best_of, show

TITLE = "Polynomial network, exactly"


def defect(case: networks.Benchmark, variables: list[Any], number: Any) -> list[Any]:
    """f(ρ_in x) − ρ_out f(x) for the one generator, with SymPy objects."""
    (name,) = case.inputs
    p, _ = case.inputs[name]
    q, _ = case.outputs[name]

    def value(h: list[Any]) -> list[Any]:
        for weight, bias, sigma in case.layers:
            h = [
                sum((number(w) * v for w, v in zip(row, h, strict=True)), number(b))
                for row, b in zip(weight, bias, strict=True)
            ]
            h = [z**3 for z in h] if sigma == "x^3" else h
        return h

    right = value(variables)
    return [a - right[k] for a, k in zip(value([variables[k] for k in p]), q, strict=True)]


def measure() -> list[Measured]:
    import sympy
    from sympy.polys.rings import ring

    from identcert import Network, certify, load_action

    case = networks.cubic()
    symbols = list(sympy.symbols(f"x:{len(case.layers[0][0][0])}"))

    def by_expand() -> None:
        found = defect(case, symbols, lambda c: sympy.Rational(c.numerator, c.denominator))
        if any(sympy.expand(d) != 0 for d in found):
            raise RuntimeError("SymPy's expand refutes an equivariant network")

    def by_ring() -> None:
        generators = list(ring(symbols, sympy.QQ)[1:])
        found = defect(case, generators, lambda c: sympy.QQ(c.numerator, c.denominator))
        if any(found):
            raise RuntimeError("SymPy's ring refutes an equivariant network")

    with tempfile.TemporaryDirectory() as folder:
        network = Network.dense(list(case.layers))
        action = load_action(case.write_action(Path(folder)), len(symbols), len(case.layers[-1][1]))

        def by_certificate() -> None:
            if certify(network, action).verdict != "layerwise":
                raise RuntimeError("no layerwise certificate")

        by_certificate()
        ours = best_of(by_certificate)
    return [
        Measured(f"certify, {case.name}", ours, "SymPy expand", best_of(by_expand, runs=2)),
        Measured(f"certify, {case.name}", ours, "SymPy ring over QQ", best_of(by_ring, runs=3)),
    ]


if __name__ == "__main__":
    show(TITLE, measure())
