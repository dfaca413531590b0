"""The maps α and α* between the hidden spaces of a submodel and of a larger network.

α    == a σ-compatible affine map from the submodel's hidden space to the network's: a clone
        is λ·(its class) + ν, a constant neuron is its constant
α*   == an affine map back, with α*α = 1
β    == how weights embed: W = A W̃ A*, with A the row factors; the biases follow
(S)  == the strong square f_i(y) = α_i f̃_i(α*_{i−1} y) for every y and every layer, where
        α_0 and α_L are identities

Source: theory of submodels and the strong square (§2 of the layerwise theorem).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from identcert.errors import InputError
from identcert.exact.matrix import Matrix
from identcert.nets.constant import constant_value
from identcert.nets.layer import Layer
from identcert.nets.network import Network
from identcert.submodels.patterns import LayerPattern, Pattern

Follows = tuple[int, Any] | None
"""A neuron's class and the factor of its row, or None for a constant neuron."""


@dataclass(frozen=True, slots=True)
class Alpha:
    """The map α of one hidden layer of m neurons over a submodel layer of k.

    Attributes
    ----------
    follows : per neuron its class and the factor of its row, or None.
    rows, shift : z̃ ↦ rows·z̃ + shift, the map of pre-activations, m×k.
    linear, offset : α(u) = linear·u + offset, m×k; entries of the offset may be formal.
    """

    follows: tuple[Follows, ...]
    rows: Matrix
    shift: tuple[Any, ...]
    linear: Matrix
    offset: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class LayerMaps:
    """α and α* of one hidden layer.

    Attributes
    ----------
    alpha : α.
    star, offset : α*(y) = star·y + offset, k×m; entries of the offset may be formal.
    """

    alpha: Alpha
    star: Matrix
    offset: tuple[Any, ...]


def alpha_of(
    layer: Layer, follows: Sequence[Follows], width: int, bias: Sequence[Any]
) -> Alpha:  # fmt: skip
    """Return the map α of a layer from what its neurons follow.

    Parameters
    ----------
    layer : gives the activation and the field.
    width : k.
    bias : the biases of the neurons, of which those of constant ones are used.

    Raises
    ------
    InputError
        If the activation does not pass a factor.
    """
    field, sigma = layer.weight.field, layer.activation
    centre = field(sigma.centre)
    rows = [[field.zero] * width for _ in follows]
    linear = [[field.zero] * width for _ in follows]
    shift, offset = [], []
    for neuron, followed in enumerate(follows):
        if followed is None:
            shift.append(bias[neuron])
            offset.append(constant_value(sigma, bias[neuron], field))
            continue
        number, factor = followed
        lam, nu = sigma.transport(factor, field)
        rows[neuron][number], linear[neuron][number] = factor, lam
        shift.append(centre * (field.one - factor))
        offset.append(nu)
    return Alpha(
        tuple(follows),
        Matrix.of(rows, field, cols=width),
        tuple(shift),
        Matrix.of(linear, field, cols=width),
        tuple(offset),
    )


def with_star(alpha: Alpha, star: Matrix) -> LayerMaps:
    """Return α with the α* of the given linear part; α*α = 1 forces its offset."""
    return LayerMaps(alpha, star, tuple(-value for value in times(star, alpha.offset)))


def mean_maps(submodel: Network, pattern: Pattern) -> tuple[LayerMaps, ...]:
    """Return α, and as α* the mean over every class, for the even split of a pattern.

    >>> small = Network.dense([([[1]], None, "tanh"), ([[6]], None, "identity")])
    >>> mean_maps(small, Pattern.parse("{0,-1} x{2}"))[0].star
    Matrix.of([[1/2, -1/2, 0]])
    """
    return tuple(
        _mean(layer, own) for layer, own in zip(submodel.layers, pattern.layers, strict=False)
    )


def _mean(layer: Layer, own: LayerPattern) -> LayerMaps:
    field = layer.weight.field
    follows = [
        (abs(label) - 1, field(1 if label > 0 else -1)) if label else None for label in own.labels
    ]
    alpha = alpha_of(layer, follows, own.width, (field.zero,) * own.neurons)
    rows = [[field.zero] * own.neurons for _ in range(own.width)]
    for number, members in enumerate(own.classes):
        for neuron, _ in members:
            share = alpha.linear[neuron, number] * field(len(members))
            rows[number][neuron] = field.one / share
    return with_star(alpha, Matrix.of(rows, field, cols=own.neurons))


def times(matrix: Matrix, vector: Sequence[Any]) -> tuple[Any, ...]:
    """Return the product with a vector whose entries may be formal constants."""
    return tuple(
        sum((v * w for w, v in zip(row, vector, strict=True) if w and v), matrix.field.zero)
        for row in matrix.to_rows()
    )


def plus(vector: Sequence[Any], other: Sequence[Any]) -> tuple[Any, ...]:
    """Return the sum of two vectors whose entries may be formal constants."""
    return tuple(a + b for a, b in zip(vector, other, strict=True))


def check_strong_square(wide: Network, submodel: Network, maps: Sequence[LayerMaps]) -> None:
    """Check (S) exactly: every layer of the wide network is α_i f̃_i α*_{i−1}.

    Raises
    ------
    InputError
        If α*α ≠ 1, α is not what σ makes of its rows, or a layer differs; it names the
        layer.
    """
    field = wide.field
    before = Matrix.identity(wide.inputs, field), (field.zero,) * wide.inputs
    for index, (layer, small) in enumerate(zip(wide.layers, submodel.layers, strict=True)):
        where = f"layer {index + 1}"
        weight = small.weight @ before[0]
        bias = plus(times(small.weight, before[1]), small.bias)
        if index == len(wide.layers) - 1:
            _require(layer.weight == weight and layer.bias == bias, where)
            return
        own = maps[index]
        _check_maps(own, layer, where)
        weight, bias = own.alpha.rows @ weight, plus(times(own.alpha.rows, bias), own.alpha.shift)
        _require(layer.weight == weight and layer.bias == bias, where)
        before = own.star, own.offset


def _check_maps(maps: LayerMaps, layer: Layer, where: str) -> None:
    alpha, width = maps.alpha, maps.star.rows
    if not (maps.star @ alpha.linear).is_identity():
        raise InputError("α* is no left inverse of α", where)
    if any(map(bool, plus(times(maps.star, alpha.offset), maps.offset))):
        raise InputError("α*α moves the origin", where)
    # for constant neurons α is σ of their shift, whatever it is
    if alpha_of(layer, alpha.follows, width, alpha.shift) != alpha:
        raise InputError("α is not what the activation makes of its rows", where)


def _require(holds: bool, where: str) -> None:
    if not holds:
        raise InputError("the layer is not that of the submodel between α* and α", where)
