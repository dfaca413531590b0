"""Random submodels, patterns and free values, for the laws of embedding and projection."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from degenerate import ACTIVATIONS, SCALES
from hypothesis import strategies as st

from identcert.exact.field import QQ
from identcert.exact.matrix import Matrix
from identcert.nets.activation import Activation, activation
from identcert.nets.network import Layer, Network
from identcert.submodels.architecture import is_signed
from identcert.submodels.maps import LayerFree
from identcert.submodels.patterns import LayerPattern, Pattern
from identcert.submodels.rows import keyed_rows

NUMBERS = st.fractions(min_value=-4, max_value=4, max_denominator=7)
NON_ZERO = NUMBERS.filter(bool)


@st.composite
def layer_pattern(draw: Any, neurons: int, signed: bool, dead_kinds: bool) -> LayerPattern:
    """A pattern of one layer, usually with clones and removed neurons."""
    labels: list[int] = []
    for _ in range(neurons):
        label = draw(st.integers(0, max(labels, default=0) + 1))
        sign = draw(st.sampled_from([1, -1])) if signed and label in labels else 1
        labels.append(sign * label)
    removed = [i for i, label in enumerate(labels) if label == 0]
    unread = draw(st.lists(st.sampled_from(removed), unique=True)) if removed else []
    return LayerPattern.of(labels, unread if dead_kinds else None)


@st.composite
def reduced_networks(
    draw: Any, widths: list[int], sigmas: list[Activation], biased: bool
) -> Network:
    """A network without dead or cloned neurons."""
    layers: list[Layer] = []
    for below, width, sigma in zip(
        widths, widths[1:], [*sigmas, activation("identity")], strict=False
    ):
        entries = NON_ZERO if len(layers) == 0 else NUMBERS
        row = st.tuples(*[entries] * below, NUMBERS if biased else st.just(Fraction(0)))
        rows = draw(st.lists(row, min_size=width, max_size=width))
        weight = Matrix.of([own[:-1] for own in rows], cols=below)
        bias = tuple(QQ(own[-1]) for own in rows)
        layers.append(Layer(weight, bias, sigma, biased))
    return Network(widths[0], tuple(layers), QQ)


def is_reduced(network: Network) -> bool:
    """Whether rows are non-zero and inequivalent, and no column is zero, by definition."""
    pairs = zip(network.layers, network.layers[1:], strict=False)
    return all(
        keyed_rows(layer.weight, layer.bias, layer.activation, QQ).is_reduced
        and all(any(following.weight.column(j)) for j in range(layer.outputs))
        for layer, following in pairs
    )


@st.composite
def free_values(draw: Any, submodel: Network, pattern: Pattern, biased: bool) -> list[LayerFree]:
    """Free values for every layer: no clone and no constant neuron is left unread."""
    found: list[LayerFree] = []
    silent: list[int] = []
    below = submodel.inputs
    for number, own in enumerate(pattern.layers):
        sigma, height = submodel.layers[number].activation, submodel.layers[number + 1].outputs
        column = st.tuples(*[NON_ZERO] * height)
        factors, rows, columns = {}, {}, {}
        for members in own.classes:
            for j, _ in members[1:]:
                columns[j] = draw(column)
                if sigma.scalings in ("positive", "nonzero") and (biased or sigma.centre == 0):
                    factors[j] = draw(st.sampled_from(SCALES[sigma.scalings]))
        for j in own.removed:
            bias = draw(NUMBERS) if biased else 0
            constant = j not in own.unread if own.unread is not None else draw(st.booleans())
            if constant:
                rows[j], columns[j] = ([0] * below, bias), draw(column)
            else:
                row = draw(st.tuples(*[NON_ZERO] * below))
                rows[j] = ([0 if i in silent else w for i, w in enumerate(row)], bias)
        found.append(LayerFree(factors, rows, columns))
        silent = [j for j in own.removed if j not in columns]
        below = own.neurons
    return found


@st.composite
def embeddings(draw: Any, sigmas: list[Activation] | None = None) -> Any:
    """(submodel, pattern, free, biased) over two hidden layers."""
    chosen = sigmas or [draw(st.sampled_from(ACTIVATIONS)) for _ in range(2)]
    biased, dead_kinds = draw(st.booleans()), draw(st.booleans())
    layers = tuple(
        draw(layer_pattern(draw(st.integers(1, 4)), is_signed(sigma, biased), dead_kinds))
        for sigma in chosen
    )
    pattern = Pattern(layers)
    widths = [draw(st.integers(1, 3)), *pattern.widths, draw(st.integers(1, 2))]
    submodel = draw(reduced_networks(widths, chosen, biased))
    return submodel, pattern, draw(free_values(submodel, pattern, biased)), biased
