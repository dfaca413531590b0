"""Hypotheses about one hidden layer whose neurons have partners besides their clones.

reversed neuron == σ(−z) = σ(z) + mz with m ≠ 0 (ReLU, leaky ReLU, GELU, SiLU, softplus):
                   its reversal costs the linear remainder −m·a·z in the next layer
cancelling set  == neurons F ≠ ∅ with Σ_F a_j w_jᵀ = 0 (and Σ_F a_j b_j = 0 where the
                   next layer has no bias): all of F can be reversed
kinks           == a hard tanh or ReLU6 neuron bends on two parallel hyperplanes, by the
                   jumps ±|κ|a; neurons that share a hyperplane, or parallel ones with one
                   jump, can exchange their kinks

Source: theory of one hidden layer (§2.1, Theorem 2); a reversal is the identity of the
even-linear witness (Prop. 2′), read for two parameters of one function.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from flint import fmpq

from identcert.certify.hypotheses import Evidence
from identcert.exact.matrix import Matrix
from identcert.nets.activation import Activation
from identcert.nets.network import Layer, Network
from identcert.submodels.rows import keyed_rows

ABS, TANH = Activation("abs"), Activation("tanh")
REVERSIBLE = ("relu", "leaky_relu", "gelu", "silu", "softplus")
TWO_KINKS = ("hard_tanh", "relu6")
SUBSETS = 1 << 16


def remainder(sigma: Activation) -> Any | None:
    """Return the m ≠ 0 with σ(−z) = σ(z) + mz, or None if there is none.

    Examples
    --------
    >>> from identcert.nets.activation import activation
    >>> remainder(activation("relu")), remainder(activation({"leaky_relu": "1/10"}))
    (-1, -11/10)
    """
    if sigma.name in ("relu", "leaky_relu"):
        return -(sigma.pieces[0][0] + sigma.pieces[1][0])
    if sigma.flip is not None and sigma.flip[0] == 1 and sigma.flip[1]:
        return fmpq(sigma.flip[1])
    return None


def reversal_vectors(layer: Layer, following: Layer) -> Matrix:
    """Return one column a neuron: the entries of a_j w_jᵀ, and of a_j b_j without a next bias."""
    field = layer.field
    columns = []
    for j, row in enumerate(layer.weight.to_rows()):
        entries = (*row, layer.bias[j]) if not following.has_bias else row
        column = following.weight.column(j)
        columns.append([a * w for a in column for w in entries])
    return Matrix.of(columns, field, cols=len(columns[0]) if columns else 0).T


def find_cancelling_set(vectors: Matrix) -> tuple[int, ...] | bool | None:
    """Return a non-empty set of columns with sum 0, None if there is none, False if unknown.

    Independent columns have no such set; otherwise the sets are examined, smallest first,
    up to a limit.

    Examples
    --------
    >>> find_cancelling_set(Matrix.of([[1, -2, 1, 5]]))
    (0, 1, 2)
    """
    if vectors.rank() == vectors.cols:
        return None
    rows = vectors.T.to_rows()
    needed = range(vectors.rows)
    examined = 0
    for size in range(1, vectors.cols + 1):
        for chosen in combinations(range(vectors.cols), size):
            examined += 1
            if examined > SUBSETS:
                return False
            if all(not sum(rows[j][k] for j in chosen) for k in needed):
                return chosen
    return None


def no_cancelling_set(network: Network) -> Evidence:
    """No set of hidden neurons can be reversed together."""
    layer, following = network.layers[:2]
    if not layer.has_plain_bias:
        return Evidence(None, "biases with folded constants are not examined")
    vectors = reversal_vectors(layer, following)
    found = find_cancelling_set(vectors)
    if found is False:
        return Evidence(None, f"more than {SUBSETS} sets of neurons would have to be examined")
    if isinstance(found, tuple):
        text = f"the linear remainders of neurons {_listed(found)} cancel: all can be reversed"
        return Evidence(False, text, {"neurons": list(found)})
    rank = vectors.rank()
    if rank == vectors.cols:
        return Evidence(True, f"the {rank} linear remainders a_j w_j are independent")
    return Evidence(True, f"none of the {2**vectors.cols - 1} sets of linear remainders has sum 0")


def frequencies_distinct(network: Network) -> Evidence:
    """No two rows w of the hidden layer are equal up to sign, whatever their biases."""
    layer = network.layers[0]
    zero = (network.field.zero,) * layer.outputs
    table = keyed_rows(layer.weight, zero, TANH, network.field)
    shared = next((c for c in table.classes.values() if len(c) > 1), None)
    if shared is not None:
        text = f"neurons {shared[0]} and {shared[1]} have one frequency w up to sign"
        return Evidence(False, text, {"neurons": list(shared[:2])})
    return Evidence(True, f"the {layer.outputs} frequencies are distinct up to sign")


def kink_rows(layer: Layer) -> list[tuple[int, Any, Any, Any]]:
    """Return (neuron, kink τ, key of the hyperplane w·x + b = τ, its scale) of all kinks."""
    found = []
    for kink in layer.activation.kinks:
        bias = tuple(b - kink for b in layer.bias)
        table = keyed_rows(layer.weight, bias, ABS, layer.field)
        found += [(j, kink, key, scale) for j, (key, scale) in enumerate(table.rows)]
    return sorted(found, key=lambda entry: entry[0])


def shared_hyperplane(layer: Layer) -> tuple[int, int] | None:
    """Return two neurons that bend on one hyperplane, or None."""
    first: dict[Any, int] = {}
    for j, _, key, _ in kink_rows(layer):
        if first.setdefault(key, j) != j:
            return first[key], j
    return None


def hyperplanes_distinct(network: Network) -> Evidence:
    """No hyperplane is a kink of two neurons; without biases, reducedness is enough."""
    layer = network.layers[0]
    if not layer.has_bias:
        return Evidence(True, "without biases the kinks of a neuron determine each other")
    shared = shared_hyperplane(layer)
    if shared is not None:
        text = f"neurons {shared[0]} and {shared[1]} bend on one hyperplane"
        return Evidence(False, text, {"neurons": list(shared)})
    count = layer.outputs * len(layer.activation.kinks)
    return Evidence(True, f"the {count} hyperplanes are distinct")


def equal_jumps(layer: Layer, following: Layer) -> tuple[int, int] | None:
    """Return two parallel neurons with one jump |κ|a up to sign, or None."""
    field = layer.field
    zero = (field.zero,) * layer.outputs
    directions = keyed_rows(layer.weight, zero, ABS, field)
    for members in directions.classes.values():
        for i, j in combinations(members, 2):
            jumps = [
                [a * directions.rows[k][1] for a in following.weight.column(k)] for k in (i, j)
            ]
            if _equal_up_to_sign(*jumps):
                return i, j
    return None


def jumps_distinct(network: Network) -> Evidence:
    """No two parallel neurons bend by one jump up to sign; free without biases."""
    layer, following = network.layers[:2]
    if not layer.has_bias:
        return Evidence(True, "without biases the kinks of a neuron determine each other")
    found = equal_jumps(layer, following)
    if found is not None:
        text = f"the parallel neurons {found[0]} and {found[1]} bend by one jump up to sign"
        return Evidence(False, text, {"neurons": list(found)})
    return Evidence(True, "parallel neurons bend by different jumps")


def _equal_up_to_sign(left: Sequence[Any], right: Sequence[Any]) -> bool:
    pairs = list(zip(left, right, strict=True))
    return all(x == y for x, y in pairs) or all(x == -y for x, y in pairs)


def _listed(indices: Sequence[int]) -> str:
    return ", ".join(map(str, indices))
