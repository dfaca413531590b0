"""Second parameters by reversed neurons, where the linear remainders cancel.

σ(−z) = σ(z) + mz: reversing the neurons of a set F changes the next pre-activations by
mΣ_F a_j(w_j·h + b_j). If Σ_F a_j w_jᵀ = 0, only a constant is left, for the next bias.

Two opposite neurons with outgoing columns a and −a make a linear map −m·a·z together,
which other opposite neurons make as well.

Source: theory of the even-linear witness (Prop. 2′, fixtures F1, F2).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from identcert.certify.hypotheses_shallow import (
    find_cancelling_set,
    remainder,
    reversal_vectors,
)
from identcert.certify.second_parameter import (
    Proposal,
    hidden_pairs,
    with_columns,
    with_layers,
    with_rows,
)
from identcert.exact.matrix import Matrix
from identcert.nets.activation import Activation
from identcert.nets.network import Layer, Network
from identcert.submodels.rows import keyed_rows


def propose_by_reversal(network: Network) -> Iterator[Proposal]:
    """Yield networks with reversed neurons, and with opposite neurons shifted or scaled."""
    for index, layer, following in hidden_pairs(network):
        slope = remainder(layer.activation)
        if slope is None or not layer.has_plain_bias:
            continue
        for chosen in _sets(reversal_vectors(layer, following)):
            yield _reversed(network, index, chosen, slope)
        for pair in _linear_pairs(layer, following):
            yield from _moved_pairs(network, index, pair, slope)


def _sets(vectors: Matrix) -> Iterator[tuple[int, ...]]:
    found = find_cancelling_set(vectors)
    if isinstance(found, tuple):
        yield found


def _reversed(network: Network, index: int, chosen: tuple[int, ...], slope: Any) -> Proposal:
    layer, following = network.layers[index], network.layers[index + 1]
    rows = {j: (tuple(-w for w in layer.weight.row(j)), -layer.bias[j]) for j in chosen}
    shift = [
        -sum((following.weight[i, j] * layer.bias[j] for j in chosen), network.field.zero) * slope
        for i in range(following.outputs)
    ]
    changed = with_rows(layer, rows), with_columns(following, {}, shift)
    listed = ", ".join(map(str, chosen))
    change = (
        f"neurons {listed} of hidden layer {index + 1} were reversed, (w, b) ↦ −(w, b): their "
        "linear remainders cancel"
    )
    return Proposal("reversed neurons", change, with_layers(network, index, *changed))


def _linear_pairs(layer: Layer, following: Layer) -> list[tuple[int, int]]:
    """Return pairs of opposite neurons whose outgoing columns have sum 0."""
    table = keyed_rows(layer.weight, layer.bias, Activation("tanh"), layer.field)
    pairs = (c for c in table.classes.values() if len(c) == 2)
    return [
        (i, j)
        for i, j in pairs
        if not any(
            x + y
            for x, y in zip(following.weight.column(i), following.weight.column(j), strict=True)
        )
    ]


def _moved_pairs(
    network: Network, index: int, pair: tuple[int, int], slope: Any
) -> Iterator[Proposal]:
    """Yield the pair at twice the row and half the column, and with its biases moved by 1."""
    layer, following = network.layers[index], network.layers[index + 1]
    halved = {j: tuple(a / 2 for a in following.weight.column(j)) for j in pair}
    doubled = {j: (tuple(2 * w for w in layer.weight.row(j)), 2 * layer.bias[j]) for j in pair}
    i, j = pair
    moved = {
        i: (layer.weight.row(i), layer.bias[i] + 1), j: (layer.weight.row(j), layer.bias[j] - 1)
    }  # fmt: skip
    # a(σ(z) − σ(−z)) = −m·a·z, so the shift adds −m·a
    shift = [slope * a for a in following.weight.column(i)]
    where = f"neurons {i} and {j} of hidden layer {index + 1} make a linear map together"
    for what, layers in (
        ("rows were doubled and columns halved",
         (with_rows(layer, doubled), with_columns(following, halved))),
        ("biases were moved by 1 and −1",
         (with_rows(layer, moved), with_columns(following, {}, shift))),
    ):  # fmt: skip
        yield Proposal(
            "opposite neurons", f"{where}: their {what}", with_layers(network, index, *layers)
        )
