"""Networks whose biases carry formal constants, written without them.

carrier == a neuron with zero row: it holds the number σ(b) for the layer above
written == a network all of whose biases are elements of the field

A bias v + Σ c·σ(t) of a layer becomes v, with one carrier for each σ(t) in the layer
below; if t is a formal constant itself, the carrier's bias is written the same way one
layer further down. A number that is no value of the activation below passes through it
as a combination of values, where the activation is affine on an interval, is a
polynomial, or satisfies σ(z) − σ(−z) = mz.

Source: theory of rule R2 (§2.3), backwards; folded constants stay formal (Lemma C).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import comb
from typing import Any

from flint import fmpq

from identcert.errors import UnsupportedError
from identcert.exact.matrix import Matrix
from identcert.nets.activation import Activation
from identcert.nets.constant import Atom, Constant
from identcert.nets.network import Layer, Network
from identcert.submodels.reduction import Reduction

Combination = tuple[list[tuple[Any, Any]], Any]
"""Pairs (coefficient, argument) and an offset: Σ coefficient·σ(argument) + offset."""


def write_reduction(reduction: Reduction) -> Network:
    """Return the reduced network written without formal constants.

    Where it collapsed to a constant, carriers of the hidden activations that made the
    constant come back.

    Raises
    ------
    UnsupportedError
        If a constant cannot pass through the activations below it.
    """
    hidden = [layer.activation for layer in reduction.folded.layers[:-1]]
    return write_out(reduction.reduced, hidden)


def write_out(network: Network, hidden: Sequence[Activation] = ()) -> Network:
    """Return a network of the same function whose biases are elements of the field.

    Parameters
    ----------
    hidden : for a network of one layer, the activations that its formal constants come
        from, lowest first; without them, those of the deepest nest of constants.

    Raises
    ------
    UnsupportedError
        If a constant cannot pass through the activations below it.

    Examples
    --------
    >>> from identcert.submodels.reduction import reduce_network
    >>> net = Network.dense([([[1], [0]], [0, 2], "tanh"), ([[1, 3]], [0], "identity")])
    >>> written = write_out(reduce_network(net).reduced)
    >>> written.layers[0].weight, written.layers[0].bias, written.layers[1].weight
    (Matrix.of([[1], [0]]), (0, 2), Matrix.of([[1, 3]]))
    """
    layers = list(network.layers)
    if len(layers) == 1 and any(map(_is_formal, layers[0].bias)):
        layers = _with_empty_layers(network, hidden or _nested_activations(layers[0].bias))
    for index in range(len(layers) - 1, 0, -1):
        if any(map(_is_formal, layers[index].bias)):
            layers[index - 1 : index + 1] = _carry(layers[index - 1], layers[index])
    if any(map(_is_formal, layers[0].bias)):
        raise UnsupportedError("a formal constant stands in the first layer of the network")
    while layers[0].weight.rows == 0:
        following = layers[1]
        zeros = Matrix.zeros(following.weight.rows, network.inputs, network.field)
        layers[:2] = [replace(following, weight=zeros)]
    return replace(network, layers=tuple(layers))


def _is_formal(entry: Any) -> bool:
    return isinstance(entry, Constant) and not entry.is_plain


def _carry(below: Layer, layer: Layer) -> tuple[Layer, Layer]:
    """Move the formal constants of ``layer`` into carriers of the layer below."""
    field = layer.weight.field
    carriers: dict[Any, dict[int, Any]] = {}
    plain = []
    for row, entry in enumerate(layer.bias):
        value = entry.value if isinstance(entry, Constant) else entry
        for coefficient, atom in entry.terms if isinstance(entry, Constant) else ():
            parts, offset = _combination(below.activation, atom, field)
            value = value + coefficient * offset
            for factor, argument in parts:
                column = carriers.setdefault(argument, {})
                column[row] = column.get(row, field.zero) + coefficient * factor
        plain.append(value)
    columns = Matrix.of(
        [[column.get(row, field.zero) for column in carriers.values()]
         for row in range(len(plain))], field, cols=len(carriers),
    )  # fmt: skip
    zeros = Matrix.zeros(len(carriers), below.weight.cols, field)
    widened = replace(
        below,
        weight=Matrix.vstack([below.weight, zeros]),
        bias=(*below.bias, *carriers),
        has_bias=below.has_bias or any(argument != field.zero for argument in carriers),
    )
    weight = Matrix.hstack([layer.weight, columns])
    return widened, replace(layer, weight=weight, bias=tuple(plain))


def _combination(sigma: Activation, atom: Atom, field: Any) -> Combination:
    """Return an atom as a combination of values of the activation σ."""
    if atom.activation == sigma:
        return [(field.one, atom.argument)], field.zero
    number = Constant(field, field.zero, ((field.one, atom),))
    if sigma.flip is not None and sigma.flip[0] == 1 and sigma.flip[1]:
        # σ(−z) = σ(z) + mz + q
        _, slope, intercept = sigma.flip
        share = field.one / field(slope)
        return [(-share, number), (share, -number)], -share * field(intercept)
    if sigma.coefficients is not None:
        return _polynomial_combination(sigma, number, field)
    return _affine_combination(sigma, number, field)


def _polynomial_combination(sigma: Activation, number: Constant, field: Any) -> Combination:
    """Return z from a finite difference of order r − 1, which is affine in z."""
    order = len(sigma.coefficients or ()) - 2
    signs = [(-1) ** (order - k) * comb(order, k) for k in range(order + 1)]
    values = [[sigma.apply(field(z + k), field) for z in (0, 1)] for k in range(order + 1)]
    at_zero, at_one = (
        sum((value[z] * sign for sign, value in zip(signs, values, strict=True)), field.zero)
        for z in (0, 1)
    )
    slope = at_one - at_zero
    parts = [(field(sign) / slope, number + field(k)) for k, sign in enumerate(signs)]
    return parts, -at_zero / slope


def _affine_combination(sigma: Activation, number: Constant, field: Any) -> Combination:
    """Return z = (σ(κz + t) − q)/(pκ) − t/κ, where κz + t falls on an affine piece of σ."""
    bound = _integer_bound(number)
    if sigma.name == "elu":
        return [(field.one, number + field(bound))], field(-bound)
    ends = (None, *sigma.kinks, None)
    for low, high, (slope, intercept) in zip(ends, ends[1:], sigma.pieces, strict=False):
        if slope:
            factor, shift = _into_interval(low, high, bound)
            rate = field(slope * factor)
            parts = [(field.one / rate, number * field(factor) + field(shift))]
            return parts, -field(slope * shift + intercept) / rate
    raise UnsupportedError(f"a folded constant cannot pass through the activation {sigma.text()}")


def _into_interval(low: fmpq | None, high: fmpq | None, bound: int) -> tuple[fmpq, fmpq]:
    """Return κ > 0 and t with low ≤ κz + t ≤ high whenever |z| ≤ bound; None is infinite."""
    if low is not None and high is not None:
        return (high - low) / (2 * bound), (low + high) / 2
    if low is not None:
        return fmpq(1), low + bound
    return fmpq(1), fmpq(-bound) if high is None else high - bound


def _integer_bound(number: Constant) -> int:
    """Return an integer N ≥ 1 with |number| ≤ N."""
    above = number.ball(64).abs_upper().ceil().unique_fmpz()
    if above is None:
        raise UnsupportedError("a folded constant is too large to be written")
    return max(1, int(above))


def _nested_activations(bias: Sequence[Any]) -> list[Activation]:
    """Return the activations of the deepest nest of formal constants, innermost first."""
    atoms = [atom for entry in bias if isinstance(entry, Constant) for _, atom in entry.terms]
    if not atoms:
        return []
    deepest = max(atoms, key=_depth)
    return [*_nested_activations([deepest.argument]), deepest.activation]


def _depth(atom: Atom) -> int:
    inner = atom.argument.terms if isinstance(atom.argument, Constant) else ()
    return 1 + max((_depth(below) for _, below in inner), default=0)


def _with_empty_layers(network: Network, hidden: Sequence[Activation]) -> list[Layer]:
    """Return the one layer of a constant network above empty hidden layers.

    The zero weight has no use then; a network of one layer with formal constants in its
    bias is constant, since they arise by folding.
    """
    field, last = network.field, network.layers[-1]
    inputs = [network.inputs] + [0] * (len(hidden) - 1)
    layers = [
        Layer(Matrix.zeros(0, width, field), (), sigma, False)
        for width, sigma in zip(inputs, hidden, strict=True)
    ]
    return [*layers, replace(last, weight=Matrix.zeros(last.weight.rows, 0, field))]
