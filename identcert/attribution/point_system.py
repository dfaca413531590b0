"""J and η at points, exactly or in balls, by backpropagation.

ring   == where the numbers live: the network's field, or real balls at the working precision
row    == the values at one point, of one output: J over the coordinates, then η

Exact values need activations that are rational where the weights are: polynomials and
piecewise-linear ones off their kinks. Balls also enclose tanh and the sigmoid.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from flint import arb

from identcert.attribution.parameters import Parametrisation, Place
from identcert.errors import UnsupportedError
from identcert.exact.field import Field
from identcert.groups.action import InfinitesimalGenerator
from identcert.nets.activation import Activation
from identcert.nets.network import Network

Values = list[Any]


@dataclass(frozen=True, slots=True)
class Ring:
    """Numbers to compute with.

    Attributes
    ----------
    embed : the map of field elements into the ring.
    neuron : (σ, z) ↦ (σ(z), σ'(z)).
    """

    embed: Callable[[Any], Any]
    neuron: Callable[[Activation, Any], tuple[Any, Any]]


class PointOnKink(UnsupportedError):
    """A point at which a neuron's derivative does not exist or is not enclosed."""


def exact_ring(field: Field) -> Ring:
    """Return the ring of exact values over a field."""

    def neuron(sigma: Activation, z: Any) -> tuple[Any, Any]:
        if sigma.coefficients is not None:
            return _horner(sigma.coefficients, z, field)
        if not sigma.is_piecewise_linear:
            raise UnsupportedError(f"{sigma.text()} has no exact values")
        return _piece(sigma, z, lambda kink: field.sign(z - field(kink)), field)

    return Ring(field, neuron)


def ball_ring(field: Field, bits: int) -> Ring:
    """Return the ring of real balls; the caller keeps the working precision."""

    def neuron(sigma: Activation, z: arb) -> tuple[Any, Any]:
        if sigma.coefficients is not None:
            return _horner(sigma.coefficients, z, arb)
        if sigma.is_piecewise_linear:
            return _piece(sigma, z, lambda kink: _ball_sign(z - arb(kink)), arb)
        if sigma.name not in ("tanh", "sigmoid"):
            raise UnsupportedError(f"slopes of {sigma.text()} are not enclosed here")
        value = sigma.ball(z)
        return value, (1 - value * value if sigma.name == "tanh" else value * (1 - value))

    return Ring(lambda x: field.ball(field(x), bits), neuron)


def _horner(coefficients: Sequence[Any], z: Any, embed: Callable[[Any], Any]) -> tuple[Any, Any]:
    value, slope = embed(0), embed(0)
    for c in reversed(coefficients):
        value, slope = value * z + embed(c), slope * z + value
    return value, slope


def _piece(
    sigma: Activation, z: Any, sign: Callable[[Any], int], embed: Callable[[Any], Any]
) -> tuple[Any, Any]:
    signs = [sign(kink) for kink in sigma.kinks]
    if 0 in signs:
        raise PointOnKink("a point lies on the kink of a neuron")
    slope, intercept = (embed(x) for x in sigma.pieces[signs.count(1)])
    return slope * z + intercept, slope


def _ball_sign(x: arb) -> int:
    return 1 if x > 0 else -1 if x < 0 else 0


def rows_at(
    parametrisation: Parametrisation,
    generator: InfinitesimalGenerator,
    point: Sequence[Any],
    ring: Ring,
) -> list[Values]:
    """Return, output by output, the sensitivities to all coordinates and η at a point.

    Raises
    ------
    PointOnKink
        If a neuron has no derivative there.
    UnsupportedError
        If an activation is not known in the ring.

    Examples
    --------
    >>> from identcert.attribution.generators import rotation
    >>> from identcert.exact.field import QQ
    >>> net = Network.dense([([[1, 0], [0, 1]], None, "x^2"), ([[3, 1]], None, "identity")])
    >>> rows_at(Parametrisation.of(net, ["W1"]), rotation(2, 1), [1, 2], exact_ring(QQ))
    [[1, 4, 8]]
    """
    network, embed = parametrisation.network, ring.embed
    values, slopes = _forward(network, point, ring)
    velocity = _affine(generator.input.to_rows(), generator.input_shift, values[0], embed)
    pushed = _affine(network.layers[0].weight.to_rows(), None, velocity, embed)
    carried = _affine(generator.output.to_rows(), generator.output_shift, values[-1], embed)
    found = []
    for output in range(network.outputs):
        gradients = _backward(network, slopes, output, embed)
        row = [
            _sum(
                (_entry(place, gradients, values) * embed(c) for place, c in coordinate.terms),
                embed,
            )
            for coordinate in parametrisation.coordinates
        ]
        moved = _sum((d * v for d, v in zip(gradients[0], pushed, strict=True)), embed)
        found.append([*row, carried[output] - moved])
    return found


def _entry(place: Place, gradients: list[Values], values: list[Values]) -> Any:
    below = values[place.layer]
    delta = gradients[place.layer][place.row]
    return delta * below[place.column] if place.column < len(below) else delta


def _forward(
    network: Network, point: Sequence[Any], ring: Ring
) -> tuple[list[Values], list[Values]]:
    values, slopes = [[ring.embed(x) for x in point]], []
    for layer in network.layers:
        sums = _affine(layer.weight.to_rows(), layer.bias, values[-1], ring.embed)
        pairs = [ring.neuron(layer.activation, z) for z in sums]
        values.append([value for value, _ in pairs])
        slopes.append([slope for _, slope in pairs])
    return values, slopes


def _backward(
    network: Network, slopes: list[Values], output: int, embed: Callable[[Any], Any]
) -> list[Values]:
    delta: Values = [embed(int(i == output)) for i in range(network.outputs)]
    gradients = [delta]
    for index in range(len(network.layers) - 1, 0, -1):
        back = _affine(network.layers[index].weight.T.to_rows(), None, delta, embed)
        delta = [s * g for s, g in zip(slopes[index - 1], back, strict=True)]
        gradients.insert(0, delta)
    return gradients


def _affine(
    rows: Sequence[Sequence[Any]],
    shift: Sequence[Any] | None,
    values: Values,
    embed: Callable[[Any], Any],
) -> Values:
    image = []
    for i, row in enumerate(rows):
        total = embed(0) if shift is None else embed(shift[i])
        for w, h in zip(row, values, strict=True):
            total = total + embed(w) * h if w else total
        image.append(total)
    return image


def _sum(terms: Any, embed: Callable[[Any], Any]) -> Any:
    return sum(terms, embed(0))
