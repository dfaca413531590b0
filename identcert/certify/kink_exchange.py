"""Second parameters of hard tanh and ReLU6 layers whose neurons exchange kinks.

edge == (p, q, s): the function s·(max(t, p) − max(t, q)) of t = v·x, with charges s at p
        and −s at q; a neuron is one edge, up to a constant
sum  == edges add up to a constant exactly if their charges cancel at every kink

Two parallel neurons are two edges. With a kink in common, or with one slope up to sign,
their kinks are joined by two other edges: 2ht(t − 1) = ht(2t − 1) + ht(2t − 3).

Source: theory of Theorem 2 and fixture F7.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from identcert.certify.hypotheses_shallow import ABS, TWO_KINKS
from identcert.certify.second_parameter import (
    Proposal,
    hidden_pairs,
    with_columns,
    with_layers,
    with_rows,
)
from identcert.nets.network import Layer, Network
from identcert.submodels.rows import keyed_rows

Vector = tuple[Any, ...]
Edge = tuple[Any, Any, Vector]
"""Kinks p and q along the direction, and the charge s at p."""


def propose_by_kinks(network: Network) -> Iterator[Proposal]:
    """Yield networks in which two parallel neurons exchanged kinks."""
    for index, layer, _ in hidden_pairs(network):
        if layer.activation.name not in TWO_KINKS or not layer.has_plain_bias:
            continue
        zero = (layer.field.zero,) * layer.outputs
        directions = keyed_rows(layer.weight, zero, ABS, layer.field)
        for members in directions.classes.values():
            for i, j in combinations(members, 2):
                if any(layer.weight.row(i)):
                    yield from _exchanged(network, index, i, j)


def _exchanged(network: Network, index: int, i: int, j: int) -> Iterator[Proposal]:
    layer, following = network.layers[index], network.layers[index + 1]
    direction = layer.weight.row(i)
    lead = next(k for k, w in enumerate(direction) if w)
    ratios = {i: layer.field.one, j: layer.weight[j, lead] / direction[lead]}
    columns = {k: following.weight.column(k) for k in (i, j)}
    edges = [_edge(layer, ratios[k], layer.bias[k], columns[k]) for k in (i, j)]
    for one, two in _rejoined(*edges):
        rows, outgoing, shift = {}, {}, [layer.field.zero] * following.outputs
        for k, edge in ((i, one), (j, two)):
            ratio, bias, column = _neuron(layer, edge)
            rows[k] = (tuple(w * ratio for w in direction), bias)
            outgoing[k] = column
            before, after = (layer.activation.apply(b, layer.field) for b in (layer.bias[k], bias))
            for row, (old, new) in enumerate(zip(columns[k], column, strict=True)):
                shift[row] = shift[row] + old * before - new * after
        changed = with_rows(layer, rows), with_columns(following, outgoing, shift)
        change = f"the parallel neurons {i} and {j} of hidden layer {index + 1} exchanged kinks"
        yield Proposal("exchanged kinks", change, with_layers(network, index, *changed))


def _edge(layer: Layer, ratio: Any, bias: Any, column: Vector) -> Edge:
    """Return the edge of aσ(κt + b); its charge is a|κ|."""
    low, high = layer.activation.kinks
    size = _absolute(layer, ratio)
    return (low - bias) / ratio, (high - bias) / ratio, tuple(a * size for a in column)


def _neuron(layer: Layer, edge: Edge) -> tuple[Any, Any, Vector]:
    """Return (κ, b, a) with the given edge."""
    low, high = layer.activation.kinks
    start, end, charge = edge
    ratio = (high - low) / (end - start)
    size = _absolute(layer, ratio)
    return ratio, low - ratio * start, tuple(s / size for s in charge)


def _absolute(layer: Layer, ratio: Any) -> Any:
    return -ratio if layer.field.sign(ratio) < 0 else ratio


def _rejoined(one: Edge, two: Edge) -> Iterator[tuple[Edge, Edge]]:
    """Yield other pairs of edges with the same charges."""
    charges: dict[Any, list[Any]] = {}
    for start, end, charge in (one, two):
        for kink, sign in ((start, 1), (end, -1)):
            total = charges.setdefault(kink, [s * 0 for s in charge])
            charges[kink] = [t + sign * s for t, s in zip(total, charge, strict=True)]
    kinks = list(charges)
    if len(kinks) == 3:
        for end, middle, other in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
            # the path end – middle – other carries its ends' charges
            yield (
                (kinks[end], kinks[middle], tuple(charges[kinks[end]])),
                (kinks[other], kinks[middle], tuple(charges[kinks[other]])),
            )
    if len(kinks) == 4:
        for partner in (1, 2, 3):
            rest = [k for k in (1, 2, 3) if k != partner]
            pairs = ((kinks[0], kinks[partner]), (kinks[rest[0]], kinks[rest[1]]))
            if all(_cancel(charges[p], charges[q]) for p, q in pairs):
                first, second = ((p, q, tuple(charges[p])) for p, q in pairs)
                yield first, second


def _cancel(left: Sequence[Any], right: Sequence[Any]) -> bool:
    return not any(x + y for x, y in zip(left, right, strict=True))
