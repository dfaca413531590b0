"""Hypotheses of theorems: predicates of one concrete network, with exact evidence.

evidence  == whether a hypothesis holds (None: not decided), a sentence, and data
predicate == a function from networks to evidence; the network is taken as it stands
place     == "neuron 2 of hidden layer 1": neurons count from 0, layers from 1

Nothing here is probabilistic: what holds was computed over the field of the weights, and
numbers such as tanh(1/2) in biases are told apart by balls.

Source: theory of identifiability (§2–§4); the theorems stand in `identcert.certify.theorems`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from identcert.exact.balls import lower_bound_abs
from identcert.nets.activation import Activation
from identcert.nets.constant import Constant
from identcert.nets.network import Layer, Network
from identcert.submodels.rows import keyed_rows, zero_rows

BITS = (64, 256, 1024)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Whether a hypothesis holds on one network, and what shows it.

    Attributes
    ----------
    holds : true, false, or None where neither was proved.
    text : one clause for people.
    data : the same as plain JSON types.
    """

    holds: bool | None
    text: str
    data: Mapping[str, Any] = field(default_factory=dict)

    @property
    def mark(self) -> str:
        """The sign that reports put before the hypothesis."""
        return {True: "✓", False: "✗", None: "?"}[self.holds]


Predicate = Callable[[Network], Evidence]


def hidden(network: Network) -> Iterator[tuple[int, Layer, Layer]]:
    """Yield (number from 1, hidden layer, the layer above it)."""
    pairs = zip(network.layers, network.layers[1:], strict=False)
    yield from ((number, *pair) for number, pair in enumerate(pairs, start=1))


def widest(network: Network) -> int:
    """Return D, the largest hidden width; 0 without hidden layers."""
    return max((layer.outputs for layer in network.layers[:-1]), default=0)


def depth_is(depth: int) -> Predicate:
    """Return the predicate "exactly so many hidden layers"."""

    def predicate(network: Network) -> Evidence:
        count = len(network.layers) - 1
        text = f"{count} hidden layer{'' if count == 1 else 's'}"
        return Evidence(count == depth, text, {"hidden_layers": count})

    return predicate


def activations_in(*names: str) -> Predicate:
    """Return the predicate "every hidden activation is one of these"."""

    def predicate(network: Network) -> Evidence:
        found = list(network.activation_names)
        holds = all(layer.activation.name in names for layer in network.layers[:-1])
        return Evidence(holds, ", ".join(found) or "no hidden layer", {"activations": found})

    return predicate


def one_activation(network: Network) -> Evidence:
    """All hidden layers have one activation."""
    found = list(network.activation_names)
    return Evidence(len(found) <= 1, ", ".join(found), {"activations": found})


def no_biases(network: Network) -> Evidence:
    """No layer has a bias, or all biases are 0: then parameters without biases are meant."""
    written = [k for k, layer in enumerate(network.layers, start=1) if layer.has_bias]
    if not written:
        return Evidence(True, "no layer has a bias")
    for number in written:
        for j, entry in enumerate(network.layers[number - 1].bias):
            if entry:
                text = f"the bias of {place(network, number, j)} is not 0"
                return Evidence(False, text, {"layer": number, "neuron": j})
    return Evidence(True, "all biases are 0: the statement is about networks without biases")


def rows_nonzero(network: Network) -> Evidence:
    """Every hidden neuron has a non-zero incoming row."""
    for number, layer, _ in hidden(network):
        dead = zero_rows(layer.weight)
        if dead:
            text = f"the row of {place(network, number, dead[0])} is zero"
            return Evidence(False, text, {"layer": number, "neurons": dead})
    return Evidence(True, f"all {_count(network)} incoming rows are non-zero")


def columns_nonzero(network: Network) -> Evidence:
    """Every hidden neuron has a non-zero outgoing column."""
    for number, _, following in hidden(network):
        unread = zero_rows(following.weight.T)
        if unread:
            text = f"the outgoing column of {place(network, number, unread[0])} is zero"
            return Evidence(False, text, {"layer": number, "neurons": unread})
    return Evidence(True, f"all {_count(network)} outgoing columns are non-zero")


def rows_inequivalent(network: Network) -> Evidence:
    """No two neurons of a hidden layer are related by a symmetry of their activation."""
    return _rows_distinct(network, None, "related by a symmetry of the activation")


def rows_distinct_up_to_sign(network: Network) -> Evidence:
    """No two rows (w, b) of a hidden layer are equal up to sign."""
    return _rows_distinct(network, Activation("tanh"), "equal up to sign")


def rows_not_proportional(network: Network) -> Evidence:
    """No two rows (w, b) of a hidden layer are proportional."""
    return _rows_distinct(network, Activation("abs"), "proportional")


def rows_unequal(network: Network) -> Evidence:
    """No two rows (w, b) of a hidden layer are equal."""
    return _rows_distinct(network, Activation("elu"), "equal")


def _rows_distinct(network: Network, sigma: Activation | None, relation: str) -> Evidence:
    """Return whether the keys of all rows differ, under σ or each layer's own activation."""
    pairs = 0
    for number, layer, _ in hidden(network):
        table = keyed_rows(layer.weight, layer.bias, sigma or layer.activation, network.field)
        clones = next((c for c in table.classes.values() if len(c) > 1), None)
        if clones is not None:
            i, j = clones[:2]
            text = f"neurons {i} and {j} of hidden layer {number} are {relation}"
            return Evidence(False, text, {"layer": number, "neurons": [i, j]})
        doubtful = _indistinguishable(layer)
        if doubtful is not None:
            i, j = doubtful
            text = (
                f"the biases of neurons {i} and {j} of hidden layer {number} are formally "
                f"different, but no ball of {BITS[-1]} bits separates them"
            )
            return Evidence(None, text, {"layer": number, "neurons": [i, j]})
        pairs += layer.outputs * (layer.outputs - 1) // 2
    noun = "pair" if pairs == 1 else "pairs"
    return Evidence(True, f"no pair of neurons of one layer ({pairs} {noun}) is {relation}")


def _indistinguishable(layer: Layer) -> tuple[int, int] | None:
    """Return two rows that differ formally and perhaps not as numbers, or None."""
    if layer.has_plain_bias:
        return None
    zero = (layer.field.zero,) * layer.outputs
    weights = keyed_rows(layer.weight, zero, Activation("tanh"), layer.field)
    for members in weights.classes.values():
        for i, j in combinations(members, 2):
            if not any(isinstance(layer.bias[k], Constant) for k in (i, j)):
                continue
            ratio = weights.rows[j][1] / weights.rows[i][1]
            gap = layer.bias[j] - layer.bias[i] * ratio
            if not is_certainly_nonzero(gap, layer.field):
                return i, j
    return None


def is_certainly_nonzero(entry: Any, field: Any) -> bool:
    """Return whether an element or a formal constant is proved to be another number than 0."""
    if not isinstance(entry, Constant):
        return not field.is_zero(entry)
    if not field.is_ordered:
        return False
    return any(lower_bound_abs(entry.ball(bits)) > 0 for bits in BITS)


def place(network: Network, number: int, neuron: int) -> str:
    """Return the words for one neuron; the last layer holds the outputs."""
    if number == len(network.layers):
        return f"output {neuron}"
    return f"neuron {neuron} of hidden layer {number}"


def _count(network: Network) -> int:
    return sum(layer.outputs for layer in network.layers[:-1])
