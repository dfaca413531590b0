"""J and η of a polynomial network in the monomials of its inputs, over its field.

δ_l  == the gradients ∂f_m/∂z_l of the outputs, as polynomials in x, by backpropagation
∂f_m/∂W_l[i,j] = δ_l[i]·h_{l−1}[j] and ∂f_m/∂b_l[i] = δ_l[i]
η    == Bf + b − Df·(Ax + a) for the generator (x ↦ Ax + a, y ↦ By + b)

Monomials are linearly independent functions. Source: theory of attribution §6.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from identcert.attribution.parameters import Parametrisation, Place
from identcert.attribution.system import (
    Combination,
    Monomial,
    System,
    assemble,
    coordinate_columns,
)
from identcert.certify.identity import MAX_TERMS, is_polynomial, term_bound
from identcert.errors import OutOfBudget, UnsupportedError
from identcert.exact.field import Element
from identcert.exact.polynomial import PolynomialRing
from identcert.groups.action import InfinitesimalGenerator
from identcert.nets.network import Layer, Network

Polynomials = tuple[Any, ...]


def polynomial_system(
    parametrisation: Parametrisation, generator: InfinitesimalGenerator
) -> System:
    """Return J and η of a polynomial network in the monomial basis.

    Raises
    ------
    UnsupportedError
        If an activation is no polynomial.
    OutOfBudget
        If the expansion may be too large.

    Examples
    --------
    >>> net = Network.dense([([[1, 0], [0, 1]], None, "x^2"), ([[3, 1]], None, "identity")])
    >>> from identcert.attribution.generators import rotation
    >>> system = polynomial_system(Parametrisation.of(net, ["W1"]), rotation(2, 1))
    >>> [f.text() for f in system.functions], system.target
    (['x0*x1 of output 0', 'x0^2 of output 0', 'x1^2 of output 0'], Matrix.of([[4], [0], [0]]))
    """
    network = parametrisation.network
    if not is_polynomial(network):
        raise UnsupportedError("an activation is no polynomial")
    size = term_bound(network) * len(parametrisation.coordinates)
    if size > MAX_TERMS:
        raise OutOfBudget(f"the sensitivities may have {size} terms, more than {MAX_TERMS}")
    ring = PolynomialRing(network.field, tuple(f"x{i}" for i in range(network.inputs)))
    values, slopes = _forward(network, ring)
    entries: dict[Place, Combination] = {}
    target: Combination = {}
    for output in range(network.outputs):
        gradients = _backward(network, ring, slopes, output)
        _collect(values, gradients, output, entries)
        eta = _generator_direction(network, ring, values, gradients[0], output, generator)
        target.update(_terms(eta, output))
    columns = coordinate_columns(parametrisation, entries)
    return assemble(columns, target, network.field, "polynomial")


def _forward(network: Network, ring: PolynomialRing) -> tuple[list[Polynomials], list[Polynomials]]:
    """Return h_0 = x, …, h_L = f and the slopes σ'(z_l) as polynomials."""
    values: list[Polynomials] = [ring.generators]
    slopes: list[Polynomials] = []
    for layer in network.layers:
        sums = affine_image(layer.weight.to_rows(), layer.bias, values[-1], ring)
        coefficients = layer.activation.coefficients or ()
        derivative = [k * c for k, c in enumerate(coefficients)][1:]
        values.append(tuple(ring.horner(coefficients, z) for z in sums))
        slopes.append(tuple(ring.horner(derivative, z) for z in sums))
    return values, slopes


def _backward(
    network: Network, ring: PolynomialRing, slopes: list[Polynomials], output: int
) -> list[Polynomials]:
    """Return δ_1, …, δ_L of one output."""
    last = len(network.layers) - 1
    delta: Polynomials = tuple(
        ring.constant(int(i == output)) * slopes[last][i] for i in range(network.outputs)
    )
    gradients = [delta]
    for index in range(last, 0, -1):
        layer: Layer = network.layers[index]
        back = affine_image(layer.weight.T.to_rows(), (0,) * layer.inputs, delta, ring)
        delta = tuple(s * g for s, g in zip(slopes[index - 1], back, strict=True))
        gradients.insert(0, delta)
    return gradients


def _collect(
    values: list[Polynomials],
    gradients: list[Polynomials],
    output: int,
    entries: dict[Place, Combination],
) -> None:
    """Write down δ_l[i]·h_{l−1}[j] and δ_l[i] of one output, by place."""
    for index, deltas in enumerate(gradients):
        for i, delta in enumerate(deltas):
            for j, product in enumerate((*(delta * h for h in values[index]), delta)):
                entries.setdefault(Place(index, i, j), {}).update(_terms(product, output))


def _generator_direction(
    network: Network,
    ring: PolynomialRing,
    values: list[Polynomials],
    first: Polynomials,
    output: int,
    generator: InfinitesimalGenerator,
) -> Any:
    """Return η_m = (Bf + b)_m − Σ_i δ_1[i]·(W_1(Ax + a))_i."""
    field_in = affine_image(generator.input.to_rows(), generator.input_shift, ring.generators, ring)
    weight = network.layers[0].weight
    moved = affine_image(weight.to_rows(), (0,) * weight.rows, field_in, ring)
    row = generator.output.row(output)
    total = affine_image([row], [generator.output_shift[output]], values[-1], ring)[0]
    for delta, change in zip(first, moved, strict=True):
        total = total - delta * change
    return total


def affine_image(
    rows: Sequence[Sequence[Element]],
    shift: Sequence[Element],
    values: Polynomials,
    ring: PolynomialRing,
) -> Polynomials:
    """Return Wh + b for polynomials h, without the terms whose weight is 0."""
    image = []
    for row, constant in zip(rows, shift, strict=True):
        total = ring.constant(constant)
        for entry, value in zip(row, values, strict=True):
            if entry:
                total = total + value * entry
        image.append(total)
    return tuple(image)


def _terms(polynomial: Any, output: int) -> Combination:
    names = polynomial.ring.names
    return {
        (output, _monomial(names, exponents)): coefficient
        for exponents, coefficient in polynomial.terms()
    }


def _monomial(names: tuple[str, ...], exponents: tuple[int, ...]) -> Monomial:
    return tuple(sorted((name, e) for name, e in zip(names, exponents, strict=True) if e))
