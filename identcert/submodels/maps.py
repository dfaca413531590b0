"""From a submodel to larger networks of the same function.

embed   == a parameter of the submodel, a pattern and free values make a wide parameter:
           clones get the row of their class times a factor α that σ passes, and share its
           outgoing weights; constant neurons have zero rows, unread ones zero columns
free    == what the pattern leaves open: factors of clones, incoming weights of unread
           neurons, biases of constant ones, outgoing columns of all of them

From σ(c + α(z − c)) = λσ(z) + ν, clones j of neuron i with columns a_j keep the function iff
Σ λ_j·a_j is the column of the submodel and the next bias gives up Σ ν_j·a_j; a constant
neuron costs the next bias σ(b)·a.

Source: theory of submodels (§2 of the layerwise theorem) and reduction rules (§2.3).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from identcert.errors import InputError
from identcert.exact.matrix import Matrix
from identcert.nets.constant import constant_value
from identcert.nets.layer import Layer
from identcert.nets.network import Network
from identcert.submodels.patterns import LayerPattern, Pattern
from identcert.submodels.projection import project as project


@dataclass(frozen=True, slots=True)
class LayerFree:
    """The free values of one hidden layer; whatever is left out is 0, factors are ±1.

    Attributes
    ----------
    factors : per clone the α of row = α·row of the first member of its class; only for
        activations that pass more than ±1.
    rows : per removed neuron its incoming weights and its bias.
    columns : per clone, except the first of its class, and per constant neuron its outgoing
        weights: one number for every class of the next layer, or for every output.
    """

    factors: Mapping[int, Any] = field(default_factory=dict)
    rows: Mapping[int, tuple[Sequence[Any], Any]] = field(default_factory=dict)
    columns: Mapping[int, Sequence[Any]] = field(default_factory=dict)


Free = Sequence[LayerFree]


def embed(submodel: Network, pattern: Pattern, free: Free | None = None) -> Network:
    """Return the parameter with the given pattern and the function of the submodel.

    Parameters
    ----------
    submodel : a network whose hidden widths are those of the pattern.
    free : the free values of every hidden layer; without them all clones but the first of
        a class are unread, and removed neurons have zero weights.

    Raises
    ------
    InputError
        If the widths do not fit, an activation does not pass a factor, or a free value
        would change the function.

    Examples
    --------
    >>> small = Network.dense([([[1, 2]], [3], "tanh"), ([[5]], [0], "identity")])
    >>> wide = embed(small, Pattern.parse("{0,-1} x{2}"), [LayerFree(columns={1: [2]})])
    >>> wide.layers[0].weight, wide.layers[1].weight
    (Matrix.of([[1, 2], [-1, -2], [0, 0]]), Matrix.of([[7, 2, 0]]))
    """
    if submodel.widths[1:-1] != pattern.widths:
        raise InputError(
            f"a submodel of hidden widths {list(submodel.widths[1:-1])} does not fit a pattern "
            f"of widths {list(pattern.widths)}"
        )
    values = [LayerFree()] * len(pattern.layers) if free is None else list(free)
    if len(values) != len(pattern.layers):
        raise InputError(f"{len(values)} sets of free values for {len(pattern.layers)} layers")
    layers, small = [], submodel.layers[0]
    below: Sequence[int] = ()
    for number, (own, given) in enumerate(zip(pattern.layers, values, strict=True)):
        wide = _Widening(small, own, given, f"free values of hidden layer {number + 1}")
        layers.append(wide.layer(below))
        small, below = wide.split(submodel.layers[number + 1], layers[-1]), wide.unread()
    return replace(submodel, layers=(*layers, small))


class _Widening:
    """One hidden layer of the submodel while it is widened; lives only inside `embed`."""

    def __init__(self, small: Layer, own: LayerPattern, given: LayerFree, where: str) -> None:
        self.small, self.own, self.given, self.where = small, own, given, where
        self.field = small.weight.field
        self.sigma = small.activation
        self.removed = frozenset(own.removed)
        self.first = {members[0][0] for members in own.classes}
        self._check_names()

    def _check_names(self) -> None:
        for neuron in (*self.given.rows, *self.given.columns, *self.given.factors):
            if not 0 <= neuron < self.own.neurons:
                raise InputError(f"there is no neuron {neuron}", self.where)
        for neuron in self.given.rows:
            if neuron not in self.removed:
                raise InputError(f"neuron {neuron} has its row from the submodel", self.where)
        for neuron in (*self.given.columns, *self.given.factors):
            if neuron in self.first:
                what = f"neuron {neuron} is the first of its class, which has no free values"
                raise InputError(what, self.where)

    def is_unread(self, neuron: int) -> bool:
        """Return whether a removed neuron is unread: as told, else if it has no column."""
        told = self.own.unread
        return neuron not in self.given.columns if told is None else neuron in told

    def unread(self) -> list[int]:
        """Return the removed neurons without outgoing weights."""
        return [j for j in self.own.removed if self.is_unread(j)]

    def column(self, neuron: int, height: int) -> tuple[Any, ...]:
        """Return the free outgoing weights of a neuron, ``height`` zeros if not given."""
        given = self.given.columns.get(neuron)
        return (self.field.zero,) * height if given is None else tuple(map(self.field, given))

    def factor(self, neuron: int) -> Any:
        """Return the α of a clone."""
        sign = self.field(1 if self.own.labels[neuron] > 0 else -1)
        factor = self.field(self.given.factors.get(neuron, sign))
        if self.sigma.scalings in ("one", "sign") and factor != sign:
            raise InputError(
                f"the factor of neuron {neuron} is not that of the pattern", self.where
            )
        return factor

    def layer(self, below: Sequence[int]) -> Layer:
        """Return the wide layer; ``below`` are the unread neurons under it."""
        centre = self.field(self.sigma.centre)
        rows, bias = [], []
        for neuron, label in enumerate(self.own.labels):
            if label:
                alpha, k = self.factor(neuron), abs(label) - 1
                rows.append([alpha * w for w in self.small.weight.row(k)])
                bias.append((self.small.bias[k] - centre) * alpha + centre)
            else:
                weights, entry = self._removed_row(neuron, below)
                rows.append(weights)
                bias.append(entry)
        weight = Matrix.of(rows, self.field, cols=self.small.weight.cols)
        biased = self.small.has_bias or any(map(bool, bias))
        return Layer(weight, tuple(bias), self.sigma, biased)

    def _removed_row(self, neuron: int, below: Sequence[int]) -> tuple[list[Any], Any]:
        cols = self.small.weight.cols
        weights, entry = self.given.rows.get(neuron, ((0,) * cols, 0))
        row = [self.field(w) for w in weights]
        if len(row) != cols:
            raise InputError(f"the row of neuron {neuron} does not have {cols} entries", self.where)
        if any(row[j] for j in below):
            raise InputError(
                f"neuron {neuron} reads an unread neuron of the layer below", self.where
            )
        if any(row) and not self.is_unread(neuron):
            raise InputError(f"neuron {neuron} is constant and has a non-zero row", self.where)
        return row, self.field(entry)

    def split(self, following: Layer, wide: Layer) -> Layer:
        """Return the next layer of the submodel with the columns of the wide layer."""
        height, sigma = following.weight.rows, self.sigma
        columns = [list(self.column(j, height)) for j in range(self.own.neurons)]
        bias = list(following.bias)
        for j, column in enumerate(columns):
            if len(column) != height:
                what = f"the column of neuron {j} does not have {height} entries"
                raise InputError(what, self.where)
            if j in self.removed and self.is_unread(j) and any(column):
                raise InputError(f"neuron {j} is unread and has outgoing weights", self.where)
            if j in self.removed and any(column):
                value = constant_value(sigma, wide.bias[j], self.field)
                bias = [b - value * entry for b, entry in zip(bias, column, strict=True)]
        for k, members in enumerate(self.own.classes):
            rest = list(following.weight.column(k))
            for j, _ in members[1:]:
                lam, nu = sigma.transport(self.factor(j), self.field)
                rest = [r - lam * entry for r, entry in zip(rest, columns[j], strict=True)]
                bias = [b - nu * entry for b, entry in zip(bias, columns[j], strict=True)]
            columns[members[0][0]] = rest
        table = [[column[row] for column in columns] for row in range(height)]
        weight = Matrix.of(table, self.field, cols=self.own.neurons)
        biased = following.has_bias or any(map(bool, bias))
        return Layer(weight, tuple(bias), following.activation, biased)


def even_split(submodel: Network, pattern: Pattern) -> Free:
    """Return the free values with which clones share outgoing weights evenly.

    The strong square holds for the parameter that `embed` then makes: α* is the mean over
    every class.
    """
    found = []
    for layer, following, own in zip(
        submodel.layers, submodel.layers[1:], pattern.layers, strict=False
    ):
        over, columns = layer.weight.field, {}
        for k, members in enumerate(own.classes):
            for j, sign in members[1:]:
                lam, _ = layer.activation.transport(over(sign), over)
                share = over.one / (lam * over(len(members)))
                columns[j] = [entry * share for entry in following.weight.column(k)]
        found.append(LayerFree(columns=columns))
    return found
