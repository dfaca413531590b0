"""Weak identifiability: whether a network comes from its reduced network as a submodel.

α_i == the affine map that puts the neurons of reduced layer i where they came from: clones
       get their multiple, constant neurons their value
(S)  == f_i(x; θ_i) = α_i f̃_i(α*_{i−1}x; θ̃_i) with α*_i α_i = id, for every layer

The rows of W_i must follow the pattern of α_i, and a suitable α*_i exists if and only if
im W_{i+1} = im(W_{i+1}α_i). Clones whose outgoing columns leave that image, and neurons
that nobody reads but that have a row of their own, break it: then Theorem 4.1 does not
speak of the given parameter, only of another one of the same function.

Source: theory of submodels (layerwise theory §2), where (S) is derived.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from identcert.certify.hypotheses import Evidence
from identcert.exact.matrix import Matrix
from identcert.nets.constant import constant_value
from identcert.nets.network import Layer
from identcert.submodels.reduction import Reduction
from identcert.submodels.rows import keyed_rows


def is_strong_submodel(reduction: Reduction) -> Evidence:
    """Return whether (S) holds between a network and its reduction.

    Affine layers are composed first: the statement is about the folded network.

    Examples
    --------
    >>> from identcert import Network, reduce_network
    >>> clones = [([[1], [1]], [0, 0], "tanh"), ([[1, 2]], [0], "identity")]
    >>> is_strong_submodel(reduce_network(Network.dense(clones))).holds
    True
    >>> split = [([[1], [1]], [0, 0], "tanh"), ([[1, 0], [1, -1]], [0, 0], "identity")]
    >>> is_strong_submodel(reduce_network(Network.dense(split))).holds
    False
    """
    network, field = reduction.folded, reduction.folded.field
    linear, shift = Matrix.identity(network.inputs, field), (field.zero,) * network.inputs
    for index, layer in enumerate(network.layers):
        weight = layer.weight @ linear
        if weight.rank() < layer.weight.rank():
            return _columns_leave(index)
        if index == len(network.layers) - 1:
            break
        bias = _shifted(layer, shift)
        kept = None if reduction.is_collapsed else reduction.reduced.layers[index]
        lifted = _lift(layer, weight, bias, kept)
        if isinstance(lifted, int):
            text = (
                f"neuron {lifted} of hidden layer {index + 1} has a row of its own, but it was "
                "removed since nothing reads it"
            )
            return Evidence(False, text, {"layer": index + 1, "neuron": lifted})
        linear, shift = lifted
    return Evidence(True, "every layer follows the pattern of clones and constants, condition (S)")


def _columns_leave(index: int) -> Evidence:
    text = (
        f"the outgoing columns of hidden layer {index} span more than those of the merged "
        f"neurons: im W_{index + 1} ≠ im(W_{index + 1}α_{index})"
    )
    return Evidence(False, text, {"layer": index})


def _shifted(layer: Layer, shift: Sequence[Any]) -> tuple[Any, ...]:
    """Return W·shift + b, where the shift may carry formal constants."""
    totals = list(layer.bias)
    for k, entry in enumerate(shift):
        if entry:
            for j, weight in enumerate(layer.weight.column(k)):
                totals[j] = totals[j] + entry * weight
    return tuple(totals)


def _lift(
    layer: Layer, weight: Matrix, bias: tuple[Any, ...], kept: Layer | None
) -> tuple[Matrix, tuple[Any, ...]] | int:
    """Return α_i = (linear part, shift), or the first neuron that has no place in it."""
    field, sigma = layer.field, layer.activation
    width = kept.outputs if kept is not None else 0
    table = moved = None
    if kept is not None:
        table = keyed_rows(kept.weight, kept.bias, sigma, field)
        moved = table.match(weight, bias)
    rows, shift = [], []
    for j, row in enumerate(weight.to_rows()):
        entries = [field.zero] * width
        if not any(row):
            shift.append(constant_value(sigma, bias[j], field))
        else:
            partners = () if table is None or moved is None else table.partners(*moved[j])
            if not partners:
                return j
            place, alpha = partners[0]
            entries[place], offset = sigma.transport(alpha, field)
            shift.append(offset)
        rows.append(entries)
    return Matrix.of(rows, field, cols=width), tuple(shift)
