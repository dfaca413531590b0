"""Second parameters: other weights of one architecture with the same function.

proposal  == a network that a construction claims to be one, with what was changed
verified  == the architecture is the same, the functions are proved equal, and no latent
             symmetries relate the two parameters
block     == the layers in which two networks differ, from the lowest to the highest

A network with a verified second parameter is not identifiable. Constructions are trusted
with nothing: each proposal is checked by canonical forms and by `unrelated_because`.

Source: theory of identifiability (§2.1, §2.2, §11 fixtures F1–F4, F7).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from identcert.certify.canonical import Equal, decide_by_canonical_form
from identcert.certify.identity import is_polynomial
from identcert.certify.relation import unrelated_because
from identcert.errors import UnsupportedError
from identcert.exact.matrix import Matrix
from identcert.nets.layer import IDENTITY
from identcert.nets.network import Layer, Network


@dataclass(frozen=True, slots=True)
class Proposal:
    """A network that may be a second parameter, by which rule, and what was changed."""

    rule: str
    change: str
    network: Network


@dataclass(frozen=True, slots=True)
class SecondParameter:
    """Another parameter of the same function and architecture, not a relabelling of the first.

    Attributes
    ----------
    rule : the construction, such as ``reversed neurons``.
    change : what was changed, in words.
    network : the network with the second parameter.
    same_function : what proves that the functions are equal.
    unrelated : what proves that no latent symmetries relate the parameters.
    """

    rule: str
    change: str
    network: Network
    same_function: str
    unrelated: str


def find_verified(
    original: Network, proposals: Iterable[Proposal], deadline: float
) -> SecondParameter | None:
    """Return the first proposal that is proved to be a second parameter, or None.

    A construction that needs a sign which depends on parameters ends the search.
    """
    try:
        for proposal in proposals:
            found = _verified(original, proposal, deadline)
            if found is not None:
                return found
    except UnsupportedError:
        return None
    return None


def _verified(original: Network, proposal: Proposal, deadline: float) -> SecondParameter | None:
    network = proposal.network
    if not is_same_architecture(original, network):
        return None
    unrelated = unrelated_because(original, network)
    proof = unrelated and same_function(original, network, deadline)
    if not unrelated or not proof:
        return None
    return SecondParameter(proposal.rule, proposal.change, network, proof, unrelated)


def is_same_architecture(left: Network, right: Network) -> bool:
    """Return whether widths and activations agree, and biases appear only where they may."""
    if left.widths != right.widths or left.field != right.field:
        return False
    return all(
        a.activation == b.activation and (a.has_bias or a.bias == b.bias)
        for a, b in zip(left.layers, right.layers, strict=True)
    )


def same_function(left: Network, right: Network, deadline: float) -> str | None:
    """Return what proves that two networks of one architecture are one function, or None.

    Examples
    --------
    >>> one = Network.dense([([[1], [1]], [0, 0], "tanh"), ([[1, 2]], None, "identity")])
    >>> two = Network.dense([([[1], [1]], [0, 0], "tanh"), ([[3, 0]], None, "identity")])
    >>> same_function(one, two, float("inf"))
    'layers 1 to 2 have the same canonical form as functions of what they read'
    """
    differing = [
        k for k, (a, b) in enumerate(zip(left.layers, right.layers, strict=True)) if a != b
    ]
    if not differing:
        return "the parameters are equal"
    for low, high in _blocks(left, differing[0], differing[-1]):
        verdict = decide_by_canonical_form(
            block(left, low, high), block(right, low, high), deadline
        )
        if isinstance(verdict, Equal):
            return (
                f"layers {low + 1} to {high + 1} have the same canonical form as functions of "
                "what they read"
            )
    return None


def _blocks(network: Network, low: int, high: int) -> Iterator[tuple[int, int]]:
    """Yield blocks of at least two layers around the differing ones, small ones first.

    Rows can change with no change above, and columns with none below.
    """
    last = len(network.layers) - 1
    starts = {low, max(low - 1, 0), *([0] if is_polynomial(network) else [])}
    for start in sorted(starts, reverse=True):
        yield from ((start, end) for end in (high, high + 1) if start < end <= last)


def block(network: Network, low: int, high: int) -> Network:
    """Return layers low, …, high as a network of what they read; the last one is affine."""
    layers = list(network.layers[low : high + 1])
    layers[-1] = replace(layers[-1], activation=IDENTITY)
    return Network(layers[0].inputs, tuple(layers), network.field)


def with_layers(network: Network, index: int, *layers: Layer) -> Network:
    """Return the network with the layers from an index on replaced by the given ones."""
    kept = list(network.layers)
    kept[index : index + len(layers)] = layers
    return replace(network, layers=tuple(kept))


def with_rows(layer: Layer, rows: dict[int, tuple[tuple[Any, ...], Any]]) -> Layer:
    """Return a layer with some of its rows (w, b) replaced."""
    weight, bias = list(layer.weight.to_rows()), list(layer.bias)
    for j, (row, entry) in rows.items():
        weight[j], bias[j] = row, entry
    table = Matrix.of(weight, layer.field, cols=layer.inputs)
    return replace(layer, weight=table, bias=tuple(bias))


def with_columns(layer: Layer, columns: dict[int, tuple[Any, ...]], shift: Any = None) -> Layer:
    """Return a layer with some columns replaced, and a shift added to its bias."""
    rows = [list(row) for row in layer.weight.to_rows()]
    for j, column in columns.items():
        for row, entry in zip(rows, column, strict=True):
            row[j] = entry
    bias = layer.bias
    if shift is not None:
        bias = tuple(b + s for b, s in zip(bias, shift, strict=True))
    return replace(layer, weight=Matrix.of(rows, layer.field, cols=layer.inputs), bias=bias)


def hidden_pairs(network: Network) -> Iterator[tuple[int, Layer, Layer]]:
    """Yield (index from 0, hidden layer, the layer above it)."""
    pairs = zip(network.layers, network.layers[1:], strict=False)
    yield from ((index, *pair) for index, pair in enumerate(pairs))
