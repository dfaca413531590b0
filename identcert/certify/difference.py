"""The difference of two networks, on features that may be independent.

difference == left − right, one network: the layers side by side, the outputs subtracted
features   == functions whose combination the difference is: σ(φ_k) for the last hidden
              pre-activations that differ, and linear forms ψ_l in the layer below

Reducing the difference merges what is proved equal up to the symmetries of neurons, in
both networks and every layer, and drops what cancels; so if it collapses to 0, the two
functions are equal. Where σ(−z) = σ(z) + mz, opposite neurons share one feature, and
their remainders are written on a basis of linear forms.

Source: theory of the instance certificate (Prop. 6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from identcert.certify.hypotheses_shallow import ABS, TANH, remainder
from identcert.errors import InputError
from identcert.exact.matrix import Matrix
from identcert.nets.activation import Activation
from identcert.nets.layer import IDENTITY, Layer
from identcert.nets.network import Network
from identcert.submodels.reduction import reduce_network
from identcert.submodels.rows import keyed_rows

Rows = list[tuple[tuple[Any, ...], Any]]


def difference_network(left: Network, right: Network) -> Network:
    """Return the network that computes left − right.

    Raises
    ------
    InputError
        If depths, dimensions, fields or activations differ.

    Examples
    --------
    >>> f = Network.dense([([[1]], [0], "tanh"), ([[5]], None, "identity")])
    >>> g = Network.dense([([[2]], [1], "tanh"), ([[3]], None, "identity")])
    >>> [layer.weight for layer in difference_network(f, g).layers]
    [Matrix.of([[1], [2]]), Matrix.of([[5, -3]])]
    """
    activations = [[layer.activation for layer in net.layers] for net in (left, right)]
    sides = [(net.inputs, net.outputs, net.field) for net in (left, right)]
    if activations[0] != activations[1] or sides[0] != sides[1]:
        raise InputError("the two networks have different architectures")
    last = len(left.layers) - 1
    layers = []
    for index, (ours, theirs) in enumerate(zip(left.layers, right.layers, strict=True)):
        below, other = ours.weight, theirs.weight
        bias = (*ours.bias, *theirs.bias)
        if index == last:
            other, bias = -other, tuple(b - c for b, c in zip(ours.bias, theirs.bias, strict=True))
        if index == 0:
            weight = below + other if last == 0 else Matrix.vstack([below, other])
        else:
            weight = Matrix.hstack([below, other]) if index == last else _diagonal(below, other)
        has_bias = ours.has_bias or theirs.has_bias
        layers.append(replace(ours, weight=weight, bias=bias, has_bias=has_bias))
    return Network(left.inputs, tuple(layers), left.field)


def _diagonal(first: Matrix, second: Matrix) -> Matrix:
    field = first.field
    upper = Matrix.hstack([first, Matrix.zeros(first.rows, second.cols, field)])
    lower = Matrix.hstack([Matrix.zeros(second.rows, first.cols, field), second])
    return Matrix.vstack([upper, lower])


@dataclass(frozen=True, slots=True)
class Features:
    """The difference of two networks as a combination of features.

    Attributes
    ----------
    arguments : the network of φ_1, …, φ_k, then ψ_1, …, ψ_l, as its outputs.
    sigma : σ of the last hidden layer.
    nonlinear : k, the number of features σ(φ); each has a coefficient vector ≠ 0.
    constant : the constant part, one entry an output.
    """

    arguments: Network
    sigma: Activation
    nonlinear: int
    constant: tuple[Any, ...]

    @property
    def count(self) -> int:
        """N, the number of features besides 1; each has a coefficient vector ≠ 0."""
        return self.arguments.outputs


def difference_features(left: Network, right: Network) -> Features:
    """Return left − right on features; there are none if it is constant.

    Raises
    ------
    InputError
        If the architectures differ.
    UnsupportedError
        If whether two neurons are clones depends on the sign of a parameter.

    Examples
    --------
    >>> f = Network.dense([([[1], [-1]], [0, 0], "relu"), ([[5, 5]], None, "identity")])
    >>> g = Network.dense([([[1], [-1]], [0, 0], "relu"), ([[4, 6]], None, "identity")])
    >>> found = difference_features(f, g)  # 5|x| minus (5|x| − x): only x is left
    >>> found.count, found.nonlinear, found.arguments.layers[-1].weight
    (1, 0, Matrix.of([[1]]))
    """
    reduced = reduce_network(difference_network(left, right)).reduced
    last = reduced.layers[-1]
    if len(reduced.layers) == 1:
        forms = _row_space(last.weight)
        return _features(reduced, (), [], forms, IDENTITY, last.bias)
    layer, below = reduced.layers[-2], reduced.layers[:-2]
    rows, linear, constant = _merge_opposites(layer, last)
    return _features(reduced, below, rows, _row_space(linear), layer.activation, constant)


def _features(
    reduced: Network, below: Sequence[Layer], rows: Rows, forms: Rows,
    sigma: Activation, constant: tuple[Any, ...],
) -> Features:  # fmt: skip
    width = below[-1].outputs if below else reduced.inputs
    table = [*rows, *forms]
    weight = Matrix.of([row for row, _ in table], reduced.field, cols=width)
    top = Layer(weight, tuple(bias for _, bias in table), IDENTITY)
    arguments = Network(reduced.inputs, (*below, top), reduced.field)
    return Features(arguments, sigma, len(rows), constant)


def _row_space(matrix: Matrix) -> Rows:
    """Return a basis of the row space, as rows with bias 0."""
    form, pivots = matrix.rref()
    return [(form.row(k), matrix.field.zero) for k in range(len(pivots))]


def _merge_opposites(layer: Layer, last: Layer) -> tuple[Rows, Matrix, tuple[Any, ...]]:
    """Return the arguments φ with coefficient ≠ 0, the linear remainder, and the constant.

    σ(αz) = |α|σ(z) for α > 0, and = |α|(σ(z) + mz) for α < 0, where such α occur.
    """
    field, slope = layer.field, remainder(layer.activation)
    linear = Matrix.zeros(last.outputs, layer.inputs, field)
    if slope is None:
        rows = list(zip(layer.weight.to_rows(), layer.bias, strict=True))
        return rows, linear, last.bias
    keyer = ABS if layer.activation.is_piecewise_linear else TANH
    table = keyed_rows(layer.weight, layer.bias, keyer, field)
    kept, constant = [], list(last.bias)
    for members in table.classes.values():
        first = members[0]
        row, bias = layer.weight.row(first), layer.bias[first]
        total = [field.zero] * last.outputs
        for j in members:
            alpha = table.rows[j][1] / table.rows[first][1]
            is_opposite = field.sign(alpha) < 0
            size = -alpha if is_opposite else alpha
            column = [entry * size for entry in last.weight.column(j)]
            total = [t + entry for t, entry in zip(total, column, strict=True)]
            if is_opposite:
                scaled = [entry * field(slope) for entry in column]
                linear = linear + Matrix.of([[s * w for w in row] for s in scaled], field)
                constant = [c + bias * s for c, s in zip(constant, scaled, strict=True)]
        if any(total):
            kept.append((row, bias))
    return kept, linear, tuple(constant)
