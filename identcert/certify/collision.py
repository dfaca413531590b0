"""Collisions: two points with one image in a hidden layer, whose moved points have two.

F         == the values of hidden layer i, σ_i∘(W_i, b_i)∘…∘σ_0∘(W_0, b_0)
collision == points x, y and a generator g with F(x) = F(y) and F(ρ_in x) ≠ F(ρ_in y)

Then no map whatever carries F(x) to F(ρ_in x) for all x: no action on that layer, linear
or not, makes the parameter layerwise equivariant. Three kinds of pairs are tried: x + v
with v in the kernel of W_0; pairs whose pre-activations are mirrored about the centre of
an even σ; and directions in which a piecewise-linear F is constant near x.

Source: theory of counterexamples C0, C1 (layerwise.md §7) and of the verifier (§11).
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from identcert.exact.balls import lower_bound_abs, precision
from identcert.exact.field import QQ, Field
from identcert.exact.matrix import Matrix
from identcert.groups.action import Generator
from identcert.nets.activation import Activation
from identcert.nets.constant import Constant
from identcert.nets.layer import IDENTITY
from identcert.nets.network import Layer, Network

MAX_WEIGHTS = 20_000
POINTS, PATTERNS, HALVINGS, BITS = 12, 24, 24, 256

Vector = tuple[Any, ...]
Pair = tuple[Vector, Vector]


@dataclass(frozen=True, slots=True)
class Collision:
    """Two points x, y with F(x) = F(y) and F(ρ_in x) ≠ F(ρ_in y) for the values F of a layer.

    Attributes
    ----------
    generator : name of the generator.
    layer : index i of the hidden layer.
    x, y : the points, elements of the field.
    field : the field.
    """

    generator: str
    layer: int
    x: Vector
    y: Vector
    field: Field

    def encode(self) -> dict[str, Any]:
        """Return the canonical JSON of the collision."""
        return {
            "generator": self.generator,
            "layer": self.layer,
            "x": [self.field.encode(c) for c in self.x],
            "y": [self.field.encode(c) for c in self.y],
        }


def find_collision(
    network: Network, generator: Generator, seed: int = 0, deadline: float = float("inf")
) -> Collision | None:
    """Return a collision in the lowest layer where one is found, or None.

    Parameters
    ----------
    network : a network over Q or Q(α); none is looked for in very large ones.
    deadline : monotonic seconds at which the search stops.

    Examples
    --------
    >>> from identcert.groups.affine import AffineMap
    >>> rows = [[1, 0], [0, 1], [-1, -1]]
    >>> net = Network.dense([(rows, None, "relu"), ([[1, 1, 1]], None, "identity")])
    >>> minus = AffineMap.from_permutation([0, 1], [-1, -1])
    >>> find_collision(net, Generator("m", minus, AffineMap.identity(1))).layer
    0
    """
    field = network.field
    if not field.is_ordered or network.parameter_count > MAX_WEIGHTS:
        return None
    for index in range(len(network.layers) - 1):
        for x, y in _pairs(network, index, random.Random(seed)):
            if time.monotonic() > deadline:
                return None
            if x != y and _collides(network, index, generator, x, y):
                return Collision(generator.name, index, x, y, field)
    return None


def _pairs(network: Network, index: int, stream: random.Random) -> Iterator[Pair]:
    """Yield pairs of points that may have one image in a layer."""
    points = [tuple(_small(stream, network.field) for _ in range(network.inputs))
              for _ in range(POINTS)]  # fmt: skip
    first = network.layers[0]
    if index == 0:
        for v in first.weight.nullspace():
            yield from ((x, tuple(a + b for a, b in zip(x, v, strict=True))) for x in points[:3])
        if is_even(first.activation) and first.has_plain_bias:
            yield from _mirrored(first, points, stream)
    if all(layer.activation.is_piecewise_linear for layer in network.layers[: index + 1]):
        for x in points:
            yield from _flat(network, index, x)


def _small(stream: random.Random, field: Field) -> Any:
    return field(stream.randrange(-8, 9)) / field(stream.choice((1, 1, 2, 3)))


def is_even(sigma: Activation) -> bool:
    """Return whether σ(c + t) = σ(c − t) for all t, with c the centre.

    Examples
    --------
    >>> from identcert.nets.activation import activation
    >>> [is_even(activation(name)) for name in ("x^2 + x", "abs", "x^3", "relu")]
    [True, True, False, False]
    """
    minus = -QQ.one
    return sigma.affine is None and sigma.admits(minus, QQ) and sigma.transport(minus, QQ)[0] == 1


def _mirrored(layer: Layer, points: Sequence[Vector], stream: random.Random) -> Iterator[Pair]:
    """Yield pairs with z(y) − c = D(z(x) − c) for diagonal D of signs."""
    field, rows = layer.field, layer.weight.to_rows()
    centre = field(layer.activation.centre)
    for number in range(PATTERNS):
        flipped = [k == number if number < layer.outputs else bool(stream.getrandbits(1))
                   for k in range(layer.outputs)]  # fmt: skip
        table = [
            [*row, *(x if is_flipped else -x for x in row)]
            for row, is_flipped in zip(rows, flipped, strict=True)
        ]
        sides = [
            [field(2) * (centre - b) if is_flipped else field.zero]
            for b, is_flipped in zip(layer.bias, flipped, strict=True)
        ]
        system = Matrix.of(table, field)
        solution = system.solve(Matrix.of(sides, field))
        if solution is None:
            continue
        kernel = system.nullspace()
        for point in points[:3]:
            found = list(solution.column(0))
            for a, v in zip(point * 2, kernel, strict=False):
                found = [c + a * d for c, d in zip(found, v, strict=True)]
            yield tuple(found[layer.inputs :]), tuple(found[: layer.inputs])


def _flat(network: Network, index: int, x: Vector) -> Iterator[Pair]:
    """Yield (x, y) with y in a direction in which F is constant near x."""
    slope = _slope(network, index, x)
    if slope is None:
        return
    below, field = prefix(network, index), network.field
    here = below.evaluate(x)
    for v in slope.nullspace():
        step = field.one
        for _ in range(HALVINGS):
            y = tuple(a + step * b for a, b in zip(x, v, strict=True))
            if below.evaluate(y) == here:
                yield x, y
                break
            step = step / field(2)


def _slope(network: Network, index: int, x: Vector) -> Matrix | None:
    """Return the derivative of F at x, or None where x lies on a kink."""
    values, total = x, Matrix.identity(network.inputs, network.field)
    field = network.field
    for layer in network.layers[: index + 1]:
        sums = [z + b for z, b in zip(layer.weight.apply(values), layer.bias, strict=True)]
        slopes, images = [], []
        for z in sums:
            signs = [field.sign(z - field(kink)) for kink in layer.activation.kinks]
            if 0 in signs:
                return None
            slope, intercept = map(field, layer.activation.pieces[signs.count(1)])
            slopes.append(slope)
            images.append(slope * z + intercept)
        total = (layer.weight.T.scale_columns(slopes)).T @ total
        values = tuple(images)
    return total


def prefix(network: Network, index: int) -> Network:
    """Return the network F of the values of hidden layer ``index``."""
    layers = network.layers[: index + 1]
    m, field = layers[-1].outputs, network.field
    last = Layer(Matrix.identity(m, field), (field.zero,) * m, IDENTITY, has_bias=False)
    return Network(network.inputs, (*layers, last), field)


def _collides(network: Network, index: int, generator: Generator, x: Vector, y: Vector) -> bool:
    """Return whether x and y have one image and their moved points two, certified."""
    below = prefix(network, index)
    moved = [generator.input.apply(point) for point in (x, y)]
    images = [below.evaluate(point) for point in (x, y)]
    if images[0] is not None and images[1] is not None:
        if images[0] != images[1]:
            return False
    elif index or _sums(network, x) != _sums(network, y):
        return False
    if network.field.kind == "rational":
        apart = [below.evaluate(point) for point in moved]
        if apart[0] is not None and apart[1] is not None:
            return bool(apart[0] != apart[1])
    with precision(BITS):
        pairs = zip(*(below.ball_evaluate(point, BITS) for point in moved), strict=True)
        return any(lower_bound_abs(a - b) > 0 for a, b in pairs)


def _sums(network: Network, x: Vector) -> list[Any]:
    """Return the pre-activations of the first layer."""
    first = network.layers[0]
    return [
        b + z if isinstance(b, Constant) else z + b
        for z, b in zip(first.weight.apply(x), first.bias, strict=True)
    ]
