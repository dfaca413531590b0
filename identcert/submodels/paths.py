"""Piecewise-linear paths between two parameters of one shallow network function.

segment  == a straight line of parameters that all have the same function
outgoing == a segment along which rows stay: f is linear in outgoing weights and output
            bias, so equal ends are enough
incoming == a segment along which only rows of neurons with zero outgoing weights move
carrier  == the neuron that carries a target, a neuron of the reduced network, all alone;
            the others are blank and may take any row

Both ends are brought to one carrier for every target. Then rounds of one incoming and one
outgoing segment move targets to blank neurons: to the right one if it is blank, else, where
blanks are left, out of the way. If at least half of the neurons are redundant, two rounds
are enough, and the path has at most 7 segments.

Source: Farrugia-Roberts, *Functional Equivalence and Path Connectivity of Reducible
Hyperbolic Tangent Networks* (NeurIPS 2023), for tanh; the construction here asks only that
the reduced networks are related by the latent symmetries.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from identcert.errors import InputError
from identcert.exact.matrix import Matrix
from identcert.nets.layer import Layer
from identcert.nets.network import Network
from identcert.submodels.reduction import Reduction, reduce_network
from identcert.submodels.relation import find_relation

SegmentKind = Literal["outgoing", "incoming"]
Column = tuple[Any, ...]
Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Path:
    """A piecewise-linear path of parameters with one function.

    Attributes
    ----------
    vertices : the ends of its segments, in order.
    kinds : why the function is constant along every segment.
    """

    vertices: tuple[Network, ...]
    kinds: tuple[SegmentKind, ...]

    @property
    def segments(self) -> int:
        """The number of segments."""
        return len(self.kinds)

    def point(self, segment: int, t: Any) -> Network:
        """Return the parameter (1 − t)·p + t·q of the segment from p to q."""
        start, end = self.vertices[segment], self.vertices[segment + 1]
        t = start.field(t)
        layers = tuple(
            Layer(
                p.weight + (q.weight - p.weight).scale(t),
                tuple(b + (c - b) * t for b, c in zip(p.bias, q.bias, strict=True)),
                p.activation,
                p.has_bias or q.has_bias,
            )
            for p, q in zip(start.layers, end.layers, strict=True)
        )
        return replace(start, layers=layers)


def check_segment(start: Network, end: Network) -> SegmentKind:
    """Check that all parameters on a straight line have one function, and say why.

    Raises
    ------
    InputError
        If neither reason applies.
    """
    (hidden, out), (other, its) = _layers(start), _layers(end)
    if hidden.activation != other.activation:
        raise InputError("the activations differ")
    if (hidden.weight, hidden.bias) == (other.weight, other.bias):
        bias = tuple(b - c for b, c in zip(its.bias, out.bias, strict=True))
        difference = replace(out, weight=its.weight - out.weight, bias=bias)
        rest = reduce_network(replace(start, layers=(hidden, difference)))
        if rest.is_collapsed and not any(map(bool, rest.reduced.layers[-1].bias)):
            return "outgoing"
        raise InputError("the two ends of the segment have different functions")
    if (out.weight, out.bias) != (its.weight, its.bias):
        raise InputError("rows and outgoing weights move at the same time")
    for neuron in range(hidden.outputs):
        moves = _row(hidden, neuron) != _row(other, neuron)
        if moves and any(out.weight.column(neuron)):
            raise InputError(f"the row of neuron {neuron} moves, and it has outgoing weights")
    return "incoming"


def find_path(start: Network, end: Network) -> Path:
    """Return a path between two parameters of one function, every segment checked.

    Raises
    ------
    InputError
        If the networks are not shallow and of one shape, if no neuron symmetries relate
        their reduced networks, or if no neuron is redundant.

    Examples
    --------
    >>> def net(rows, out):
    ...     return Network.dense([(rows, None, "tanh"), ([out], None, "identity")])
    >>> path = find_path(net([[1], [1]], [2, 3]), net([[4], [-1]], [0, -5]))
    >>> path.segments, path.kinds
    (4, ('outgoing', 'incoming', 'outgoing', 'incoming'))
    """
    _layers(start)
    _layers(end)
    if start.widths != end.widths or start.field != end.field:
        raise InputError("the two networks have different shapes")
    if start == end:
        return Path((start,), ())
    plan = _Plan(reduce_network(start), reduce_network(end))
    vertices = [start]
    for vertex in (*plan.vertices(), end):
        if vertex != vertices[-1]:
            vertices.append(vertex)
    kinds = tuple(check_segment(p, q) for p, q in itertools.pairwise(vertices))
    return Path(tuple(vertices), kinds)


def _layers(network: Network) -> tuple[Layer, Layer]:
    if len(network.layers) != 2 or network.layers[0].activation.affine is not None:
        raise InputError(f"{network!r} does not have one hidden layer of neurons")
    return network.layers[0], network.layers[1]


def _row(layer: Layer, neuron: int) -> Row:
    return (*layer.weight.row(neuron), layer.bias[neuron])


class _Plan:
    """The moves of targets between neurons; lives only inside `find_path`.

    Every target t has two forms: the row of its carrier at the start, and at the end.
    """

    def __init__(self, first: Reduction, second: Reduction) -> None:
        self.start, self.end = first.original, second.original
        self.bias = first.reduced.layers[-1].bias
        self.place: list[int] = []
        self.goal: list[int] = []
        self.columns: list[tuple[Column, Column]] = []
        self.offsets: list[Any] = []
        if first.is_collapsed and second.is_collapsed:
            if first.reduced != second.reduced:
                raise InputError("the two networks are different constants")
        else:
            self._read_targets(first, second)
        hidden, final = self.start.layers[0], self.end.layers[0]
        self.rows = [_row(hidden, i) for i in range(hidden.outputs)]
        self.goal_rows = [_row(final, i) for i in range(final.outputs)]
        self.is_final = [self._arrived(t) for t in range(len(self.place))]

    def _read_targets(self, first: Reduction, second: Reduction) -> None:
        small, other = first.reduced, second.reduced
        relation = None if first.is_collapsed else find_relation(small, other)
        if relation is None:
            raise InputError("no neuron symmetries relate the two networks once they are reduced")
        (latent,) = relation
        sigma, field = small.layers[0].activation, small.field
        ends = {t: i for i, t in enumerate(latent.permutation)}
        for t, place in enumerate(first.kept[0]):
            i = ends[t]
            self.place.append(place)
            self.goal.append(second.kept[0][i])
            own, its = small.layers[1].weight.column(t), other.layers[1].weight.column(i)
            self.columns.append((own, its))
            self.offsets.append(sigma.transport(latent.scale[i], field)[1])

    def _arrived(self, t: int) -> bool:
        """Whether a target already has its row of the end."""
        return self.rows[self.place[t]] == self.goal_rows[self.goal[t]]

    def vertices(self) -> Iterator[Network]:
        """Yield the parameters between the two ends."""
        yield self._parameter()
        while any(self._is_open(t) for t in range(len(self.place))):
            moves = self._moves()
            if not moves:
                raise InputError("no neuron is redundant, so that the parameter cannot move")
            self._set_blank_rows(moves)
            yield self._parameter()
            for t, target in moves.items():
                self.place[t], self.is_final[t] = target, True
            yield self._parameter()
        self._set_blank_rows({})
        yield self._parameter()

    def _is_open(self, t: int) -> bool:
        return self.place[t] != self.goal[t] or not self.is_final[t]

    def _moves(self) -> dict[int, int]:
        """Return where targets go in this round: to blank goals, then out of the way."""
        blank = [i for i in range(len(self.rows)) if i not in self.place]
        open_targets = [t for t in range(len(self.place)) if self._is_open(t)]
        moves = {t: self.goal[t] for t in open_targets if self.goal[t] in blank}
        spare = [i for i in blank if i not in moves.values()]
        waiting = [t for t in open_targets if t not in moves and self.place[t] in self.goal]
        return {**moves, **dict(zip(waiting, spare, strict=False))}

    def _set_blank_rows(self, moves: dict[int, int]) -> None:
        for i in range(len(self.rows)):
            if i not in self.place:
                self.rows[i] = self.goal_rows[i]
        for t, target in moves.items():
            self.rows[target] = self.goal_rows[self.goal[t]]

    def _parameter(self) -> Network:
        """Return the parameter in which every target has its carrier alone."""
        field, outputs = self.start.field, self.start.outputs
        columns = [(field.zero,) * outputs for _ in self.rows]
        bias = self.bias
        for t, place in enumerate(self.place):
            columns[place] = self.columns[t][self.is_final[t]]
            if self.is_final[t]:
                given = zip(bias, columns[place], strict=True)
                bias = tuple(b - entry * self.offsets[t] for b, entry in given)
        hidden, out = self.start.layers
        weight = Matrix.of([row[:-1] for row in self.rows], field, cols=hidden.inputs)
        first = replace(hidden, weight=weight, bias=tuple(row[-1] for row in self.rows))
        table = [[column[k] for column in columns] for k in range(outputs)]
        second = replace(out, weight=Matrix.of(table, field, cols=len(self.rows)), bias=bias)
        return replace(self.start, layers=(first, second))
