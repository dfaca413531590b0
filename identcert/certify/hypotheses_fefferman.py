"""Fefferman's three conditions on every layer of a deep tanh network.

(i)   every bias is non-zero, and no two of a layer have one absolute value
(ii)  every weight is non-zero
(iii) no ratio w_jk/w_j'k of weights of one column is p/q with 1 ≤ q ≤ 100·d²

The width d of a layer is taken as the larger one of its two sides, and the output layer
counts as a layer: what is checked here implies the conditions in either reading.

Source: Fefferman, *Reconstructing a neural net from its output* (1994); conditions as the
theory (§3) states them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from identcert.certify.hypotheses import Evidence, is_certainly_nonzero, place
from identcert.exact.algebraic_number import AlgebraicNumber
from identcert.exact.rational_function import RationalFunction
from identcert.nets.constant import Constant
from identcert.nets.network import Layer, Network

FACTOR = 100
MAX_RATIOS = 200_000


def biases_generic(network: Network) -> Evidence:
    """(i): every bias is non-zero, and no two of a layer have one absolute value."""
    for number, layer in enumerate(network.layers, start=1):
        for j, entry in enumerate(layer.bias):
            if not entry:
                return Evidence(False, f"the bias of {place(network, number, j)} is 0")
        for i, j in combinations(range(layer.outputs), 2):
            found = _absolute_values_differ(layer, i, j)
            if found is not True:
                verb = "have one absolute value" if found is False else "are not told apart"
                where = f"{place(network, number, i)} and {place(network, number, j)}"
                return Evidence(found, f"the biases of {where} {verb}")
    return Evidence(True, "all biases are non-zero, with distinct absolute values in every layer")


def _absolute_values_differ(layer: Layer, i: int, j: int) -> bool | None:
    gaps = (layer.bias[i] - layer.bias[j], layer.bias[i] + layer.bias[j])
    if not all(gaps):
        return False
    formal = any(isinstance(layer.bias[k], Constant) for k in (i, j))
    if not formal or all(is_certainly_nonzero(gap, layer.field) for gap in gaps):
        return True
    return None


def weights_nonzero(network: Network) -> Evidence:
    """(ii): every weight is non-zero."""
    for number, layer in enumerate(network.layers, start=1):
        for j, row in enumerate(layer.weight.to_rows()):
            for k, entry in enumerate(row):
                if not entry:
                    text = f"weight {k} of {place(network, number, j)} is 0"
                    return Evidence(False, text, {"layer": number, "neuron": j, "weight": k})
    return Evidence(True, "all weights are non-zero")


def ratios_generic(network: Network) -> Evidence:
    """(iii): no ratio of weights of one column has a denominator up to 100·d²."""
    pairs = sum(x.inputs * x.outputs * (x.outputs - 1) for x in network.layers)
    if pairs > MAX_RATIOS:
        return Evidence(None, f"there are {pairs} ratios, more than {MAX_RATIOS}")
    for number, layer in enumerate(network.layers, start=1):
        bound = FACTOR * max(layer.inputs, layer.outputs) ** 2
        found = _small_ratio(layer, bound)
        if found is not None:
            j, other, k, ratio = found
            rows = f"{place(network, number, j)} and {place(network, number, other)}"
            text = f"the ratio of weight {k} of {rows} is {ratio}, with a denominator ≤ {bound}"
            return Evidence(False, text, {"layer": number, "ratio": str(ratio), "bound": bound})
    return Evidence(True, "every ratio of weights is irrational or has a large denominator")


def _small_ratio(layer: Layer, bound: int) -> tuple[int, int, int, Any] | None:
    """Return (row, other row, column, ratio) of a ratio p/q with q ≤ bound, or None."""
    for k in range(layer.inputs):
        column: Sequence[Any] = layer.weight.column(k)
        for j, other in combinations(range(layer.outputs), 2):
            for top, bottom in ((j, other), (other, j)):
                if not column[bottom]:
                    continue
                ratio = _as_rational(column[top] / column[bottom])
                if ratio is not None and ratio.q <= bound:
                    return top, bottom, k, ratio
    return None


def _as_rational(element: Any) -> Any | None:
    """Return an element of Q, Q(α) or Q(a, b, …) as a rational number, or None."""
    if isinstance(element, AlgebraicNumber):
        return element.coordinates[0] if element.is_rational else None
    if isinstance(element, RationalFunction):
        return element.constant if element.is_constant else None
    return element
