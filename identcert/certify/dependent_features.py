"""Second parameters from linear dependence of the neurons of one layer.

dependence == numbers c_j, not all 0, such that Σ c_j σ(z_j) is constant

Then multiples of c can be added to a row of the next weight, and the constant is taken
off its bias: the fibre contains a line. Powers of too many linear forms are dependent,
and so are opposite neurons in number. Even independent powers span the same functions as
those of other rows, if they are numerous: then the columns follow from the rows.

Neurons are written on independent features; they are functions of what the layer reads,
or of the network's input where all layers below are polynomial.

Source: theory of uniqueness (Lemmas A and B, powers of linear forms in §4).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from identcert.certify.feature_sum import FeatureSum, feature_sum
from identcert.certify.identity import is_polynomial
from identcert.certify.second_parameter import (
    Proposal,
    hidden_pairs,
    with_columns,
    with_layers,
    with_rows,
)
from identcert.errors import OutOfBudget, UnsupportedError
from identcert.exact.matrix import Matrix
from identcert.nets.layer import IDENTITY
from identcert.nets.network import Layer, Network

WIDEST, SOLVED = 60, 12


def propose_by_dependence(network: Network, deadline: float) -> Iterator[Proposal]:
    """Yield networks with a multiple of a dependence added to one row of a weight."""
    for index, layer, following in hidden_pairs(network):
        if layer.outputs > WIDEST or not layer.has_plain_bias:
            continue
        for start in _starts(network, index):
            found = find_dependence(network, start, index, deadline)
            if found is None:
                continue
            coefficients, constant = found
            for row in range(following.outputs):
                yield _added(network, index, row, coefficients, constant)
            break


def _starts(network: Network, index: int) -> tuple[int, ...]:
    """Return the layers from which the features of a layer are functions to look at."""
    return (index, 0) if index and is_polynomial(_prefix(network, 0, index)) else (index,)


def _prefix(network: Network, start: int, index: int) -> Network:
    """Return the values of the neurons of a layer as a network of what layer start reads."""
    return _neurons(network.layers[start : index + 1])


def _neurons(layers: Sequence[Layer]) -> Network:
    """Return the network whose outputs are the neurons of the last of some layers."""
    width, field = layers[-1].outputs, layers[-1].field
    identity = Matrix.identity(width, field)
    last = Layer(identity, (field.zero,) * width, IDENTITY, has_bias=False)
    return Network(layers[0].inputs, (*layers, last), field)


def find_dependence(
    network: Network, start: int, index: int, deadline: float
) -> tuple[tuple[Any, ...], Any] | None:
    """Return (c, constant) with Σ c_j σ(z_j) = constant and c ≠ 0, or None.

    Examples
    --------
    >>> rows = [[1, 0], [0, 1], [1, 1], [1, -1]]
    >>> net = Network.dense([(rows, None, "x^2"), ([[1, 1, 1, 1]], None, "identity")])
    >>> find_dependence(net, 0, 0, float("inf"))
    ((-2, -2, 1, 1), 0)
    """
    try:
        total = feature_sum([(1, _prefix(network, start, index))], deadline)
    except (OutOfBudget, UnsupportedError):
        return None
    kernel = _coordinates(total).nullspace()
    if not kernel:
        return None
    coefficients = kernel[0]
    constant = _dot(coefficients, total.constant, network.field.zero)
    return coefficients, constant


def _coordinates(total: FeatureSum) -> Matrix:
    """Return one column a neuron: its coefficients of all features and coordinates."""
    rows = [column for _, column in total.features()]
    rows += [total.linear.column(k) for k in range(total.inputs)]
    return Matrix.of(rows, total.field, cols=total.outputs)


def _dot(left: Sequence[Any], right: Sequence[Any], zero: Any) -> Any:
    total = zero
    for x, y in zip(left, right, strict=True):
        if x and y:
            total = y * x + total
    return total


def propose_by_solving(network: Network, deadline: float) -> Iterator[Proposal]:
    """Yield networks with other rows in one polynomial layer, and columns solved for them.

    Where the neurons span enough, almost all rows do; a few small ones are tried.
    """
    for index, layer, following in hidden_pairs(network):
        if not layer.activation.is_polynomial or layer.outputs > SOLVED:
            continue
        target = _vectors(layer, deadline)
        for rows in _other_rows(layer):
            changed = with_rows(layer, rows)
            found = None if target is None else _vectors(changed, deadline)
            if found is None or target is None:
                continue
            columns = _solved(found, target, following)
            if columns is not None:
                change = (
                    f"rows of hidden layer {index + 1} were replaced by other ones whose neurons "
                    "span the same functions"
                )
                layers = with_layers(network, index, changed, columns)
                yield Proposal("other rows", change, layers)


def _other_rows(layer: Layer) -> Iterator[dict[int, tuple[tuple[Any, ...], Any]]]:
    """Yield one changed row, then all rows changed; biases change where there are some."""
    field = layer.field
    for j in range(layer.outputs):
        row = layer.weight.row(j)
        yield {j: ((row[0] * 2 + 1, *row[1:]), layer.bias[j])}
    yield {
        j: (
            tuple(field((j + 2) ** k + (j == k)) for k in range(layer.inputs)),
            field(j if layer.has_bias else 0),
        )
        for j in range(layer.outputs)
    }


def _vectors(layer: Layer, deadline: float) -> dict[Any, tuple[Any, ...]] | None:
    """Return the coefficients of the neurons at every monomial; the constant has key None."""
    try:
        total = feature_sum([(1, _neurons([layer]))], deadline)
    except (OutOfBudget, UnsupportedError):
        return None
    found: dict[Any, tuple[Any, ...]] = {f.weights: column for f, column in total.features()}
    found.update((k, total.linear.column(k)) for k in range(total.inputs))
    return {**found, None: tuple(total.constant)}


def _solved(
    new: dict[Any, tuple[Any, ...]], old: dict[Any, tuple[Any, ...]], following: Layer
) -> Layer | None:
    """Return the next layer for which the new neurons do what the old ones did, or None."""
    zero = (following.field.zero,) * following.inputs
    keys = [key for key in {**old, **new} if key is not None or not following.has_bias]
    matrices = [
        Matrix.of([side.get(key, zero) for key in keys], following.field, cols=following.inputs)
        for side in (new, old)
    ]
    solution = matrices[0].solve(matrices[1] @ following.weight.T)
    if solution is None:
        return None
    columns = {j: solution.row(j) for j in range(following.inputs)}
    shift = None
    if following.has_bias:
        before = following.weight.apply(old[None])
        after = solution.T.apply(new[None])
        shift = [x - y for x, y in zip(before, after, strict=True)]
    return with_columns(following, columns, shift)


def _added(
    network: Network, index: int, row: int, coefficients: Sequence[Any], constant: Any
) -> Proposal:
    following = network.layers[index + 1]
    table = [list(entries) for entries in following.weight.to_rows()]
    table[row] = [w + c for w, c in zip(table[row], coefficients, strict=True)]
    bias = list(following.bias)
    bias[row] = bias[row] - constant
    weight = Matrix.of(table, network.field, cols=following.inputs)
    changed = replace(following, weight=weight, bias=tuple(bias))
    change = (
        f"the neurons of hidden layer {index + 1} are linearly dependent up to a constant: a "
        "dependence was added to a row of the next weight"
    )
    return Proposal("dependent neurons", change, with_layers(network, index + 1, changed))
