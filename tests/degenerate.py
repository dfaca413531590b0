"""Random degenerate networks, and naive definitions to compare the reduction with."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from identcert.exact.field import QQ
from identcert.exact.matrix import Matrix
from identcert.nets.activation import Activation, activation
from identcert.nets.constant import Constant
from identcert.nets.network import Layer, Network
from identcert.submodels.rows import layer_keys
from identcert.submodels.steps import DropStep, FoldStep, MergeStep, Step

ACTIVATIONS = [
    activation(spelling)
    for spelling in (
        "tanh", "sigmoid", "relu", "abs", "hard_tanh", "relu6", "softplus", "silu", "gelu",
        "sin", "elu", "arctan", "erf", {"leaky_relu": "1/10"}, "x^2", "x^3", "x^3 + x",
        "x^2 + x", "(x^2 + x)^2", "(x+1)^3 - 1", "x^3 + x^4",
    )
]  # fmt: skip
AFFINE = [activation("identity"), activation("2*x - 1"), Activation.polynomial([5])]
SCALES = {
    "one": [1],
    "sign": [1, -1],
    "positive": [1, 2, Fraction(1, 3)],
    "nonzero": [1, -1, Fraction(-3, 2), 2],
}
SMALL = st.sampled_from([0, 1, -1, 2, -2, 3, Fraction(1, 2), Fraction(-1, 3)])
KINDS = st.sampled_from(["fresh"] * 5 + ["clone"] * 4 + ["constant"])
IS_UNREAD = st.sampled_from([False] * 9 + [True])
DEPTH, WIDTH = st.sampled_from([2, 1, 3, 3, 0]), st.sampled_from([3, 2, 4, 5, 1])


@st.composite
def weight_rows(draw: Any, inputs: int, sigma: Activation, biased: bool) -> list[list[Any]]:
    """Rows (w, b) with planted clones and constant neurons, reading not all columns."""
    unread = [draw(IS_UNREAD) for _ in range(inputs)]
    rows: list[list[Any]] = []
    for _ in range(draw(WIDTH)):
        kind = draw(KINDS)
        if kind == "clone" and rows:
            alpha = QQ(draw(st.sampled_from(SCALES[sigma.scalings])))
            *weights, bias = draw(st.sampled_from(rows))
            rows.append([alpha * w for w in weights] + [(bias - sigma.centre) * alpha])
            rows[-1][-1] += sigma.centre
        else:
            zero = [kind == "constant" or hidden for hidden in unread]
            weights = [QQ(0) if z else QQ(draw(SMALL)) for z in zero]
            rows.append([*weights, QQ(draw(SMALL) if biased else 0)])
    return rows


@st.composite
def degenerate_networks(draw: Any, affine: bool = True) -> Network:
    """A network of up to three hidden layers, many of whose neurons are superfluous."""
    biased = draw(st.booleans())
    inputs = draw(st.integers(1, 3))
    sigmas = [draw(st.sampled_from(ACTIVATIONS)) for _ in range(draw(DEPTH))]
    if affine and draw(IS_UNREAD):
        sigmas.append(draw(st.sampled_from(AFFINE)))
    layers, width = [], inputs
    for sigma in [*sigmas, activation("identity")]:
        rows = draw(weight_rows(width, sigma, biased))
        weight = Matrix.of([row[:-1] for row in rows], cols=width)
        layers.append(Layer(weight, tuple(row[-1] for row in rows), sigma, biased))
        width = layers[-1].outputs
    return Network(inputs, tuple(layers), QQ)


def depth_of_constants(network: Network) -> int:
    """How deep formal constants are nested; 0 without any."""

    def depth(entry: Any) -> int:
        atoms = [atom for _, atom in entry.terms] if isinstance(entry, Constant) else []
        return max((1 + depth(atom.argument) for atom in atoms), default=0)

    return max(depth(entry) for layer in network.layers for entry in layer.bias)


def agree(f: Network, g: Network, seed: int = 0) -> bool:
    """Whether two networks take the same values at a few points, exactly or by balls."""
    stream = random.Random(seed)
    for _ in range(3):
        x = [QQ(Fraction(stream.randint(-8, 8), stream.randint(1, 4))) for _ in range(f.inputs)]
        left, right = f.evaluate(x), g.evaluate(x)
        if left is not None and right is not None:
            if left != right:
                return False
            continue
        for a, b in zip(f.ball_evaluate(x, 250), g.ball_evaluate(x, 250), strict=True):
            if not a.overlaps(b) or max(a.rad(), b.rad()) > 1e-40 * max(1, abs(a.mid())):
                return False
    return True


def find_ratio(layer: Layer, i: int, j: int) -> Any | None:
    """The admitted α with row_j = α·row_i about the centre and w_i ≠ 0, by definition."""
    field, centre = layer.field, layer.activation.centre
    row, other = layer.weight.row(i), layer.weight.row(j)
    pivot = next((k for k, w in enumerate(row) if w != 0), None)
    if pivot is None or other[pivot] == 0:
        return None
    alpha = other[pivot] / row[pivot]
    if any(w != alpha * v for v, w in zip(row, other, strict=True)):
        return None
    if layer.bias[j] - centre != (layer.bias[i] - centre) * alpha:
        return None
    return alpha if layer.activation.admits(alpha, field) else None


def possible_steps(network: Network) -> list[Step]:
    """Every drop, fold and merge that the definitions allow."""
    found: list[Step] = []
    for index, (layer, above) in enumerate(zip(network.layers, network.layers[1:], strict=False)):
        for j in range(layer.outputs):
            if all(w == 0 for w in above.weight.column(j)):
                found.append(DropStep(index, j))
            if all(w == 0 for w in layer.weight.row(j)):
                found.append(FoldStep(index, j))
            for i in range(layer.outputs):
                alpha = find_ratio(layer, i, j) if i != j else None
                if alpha is not None:
                    found.append(MergeStep(index, i, j, alpha, network.field))
    return found


def canonical(network: Network) -> tuple[Layer, ...]:
    """The layers with normalised, sorted rows: equal up to layer symmetries means equal."""
    layers = list(network.layers)
    for index in range(len(layers) - 1):
        layer, above = layers[index], layers[index + 1]
        field, centre = network.field, layer.activation.centre
        keys = layer_keys(layer)
        order = sorted(range(layer.outputs), key=lambda i: repr(keys[i][0]))
        rows, bias, columns, shifted = [], [], [], list(above.bias)
        for i in order:
            alpha = keys[i][1]
            rows.append([w / alpha for w in layer.weight.row(i)])
            bias.append((layer.bias[i] - centre) * (1 / alpha) + centre)
            factor, offset = layer.activation.transport(alpha, field)
            column = above.weight.column(i)
            columns.append([w * factor for w in column])
            shifted = [b + w * offset for b, w in zip(shifted, column, strict=True)]
        weight = Matrix.of(columns, field, cols=above.outputs).T
        layers[index] = replace(
            layer, weight=Matrix.of(rows, field, cols=layer.inputs), bias=tuple(bias)
        )
        layers[index + 1] = replace(above, weight=weight, bias=tuple(shifted))
    return tuple(layers)


def same_up_to_symmetries(f: Network, g: Network) -> bool:
    """Whether two reduced networks are one, up to the symmetries of their layers.

    Nested formal constants have no unique normal form: relu(2·tanh(1)) = 2·relu(tanh(1)).
    There widths and values are compared.
    """
    if max(depth_of_constants(f), depth_of_constants(g)) > 1:
        return f.widths == g.widths and agree(f, g)
    return canonical(f) == canonical(g)


def shuffled(network: Network, seed: int) -> Network:
    """The network after a random symmetry of every hidden layer."""
    stream = random.Random(seed)
    layers = list(network.layers)
    for index in range(len(layers) - 1):
        layer, above = layers[index], layers[index + 1]
        if layer.activation.affine is not None:
            continue
        centre = layer.activation.centre
        order = stream.sample(range(layer.outputs), layer.outputs)
        rows, bias, columns, shifted = [], [], [], list(above.bias)
        for i in order:
            alpha = QQ(stream.choice(SCALES[layer.activation.scalings]))
            rows.append([w * alpha for w in layer.weight.row(i)])
            bias.append((layer.bias[i] - centre) * alpha + centre)
            factor, offset = layer.activation.transport(alpha, QQ)
            column = above.weight.column(i)
            columns.append([w / factor for w in column])
            shifted = [b - w / factor * offset for b, w in zip(shifted, column, strict=True)]
        weight = Matrix.of(columns, cols=above.outputs).T
        layers[index] = replace(layer, weight=Matrix.of(rows, cols=layer.inputs), bias=tuple(bias))
        layers[index + 1] = replace(above, weight=weight, bias=tuple(shifted))
    return replace(network, layers=tuple(layers))
