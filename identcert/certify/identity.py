"""Equivariance of polynomial networks as a polynomial identity, decided by expansion.

defect == f∘ρ_in − ρ_out∘f, a tuple of polynomials in the input coordinates

The search expands; the checker evaluates on a simplex lattice instead, so that the
claim rests on two different arguments.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import comb, prod
from typing import Any

from identcert.errors import OutOfBudget, UnsupportedError
from identcert.exact.polynomial import PolynomialRing
from identcert.groups.action import Generator
from identcert.nets.network import Network

MAX_TERMS = 400_000


def is_polynomial(network: Network) -> bool:
    """Return whether hidden layers are polynomials, without formal constants in their biases."""
    return all(
        layer.activation.coefficients is not None and layer.has_plain_bias
        for layer in network.layers[:-1]
    )


def total_degree(network: Network) -> int:
    """Return the product of the activation degrees, a bound of the degree of f."""
    degrees = (len(layer.activation.coefficients or (0,)) - 1 for layer in network.layers[:-1])
    return prod(degrees)


def term_bound(network: Network) -> int:
    """Return the number of monomials up to the total degree in the inputs."""
    degree = total_degree(network)
    return comb(network.inputs + degree, degree)


def expand(
    network: Network, ring: PolynomialRing, inputs: Sequence[Any], deadline: float
) -> tuple[Any, ...]:
    """Return the outputs of a polynomial network as polynomials in the given inputs.

    Raises
    ------
    OutOfBudget
        If the deadline (monotonic seconds) passes between two neurons.
    UnsupportedError
        If a formal constant such as tanh(1) stands in a bias.
    """
    if not all(layer.has_plain_bias for layer in network.layers):
        raise UnsupportedError("a formal constant stands in a bias of a polynomial network")
    values = tuple(inputs)
    for layer in network.layers:
        coefficients = layer.activation.coefficients
        moved = []
        for row, bias in zip(layer.weight.to_rows(), layer.bias, strict=True):
            if time.monotonic() > deadline:
                raise OutOfBudget("the time ended while a polynomial network was expanded")
            pre = ring.constant(bias)
            for weight, value in zip(row, values, strict=True):
                if not network.field.is_zero(weight):
                    pre = pre + value * weight
            moved.append(pre if coefficients is None else ring.horner(coefficients, pre))
        values = tuple(moved)
    return values


def polynomial_defect(
    network: Network, generator: Generator, deadline: float
) -> tuple[tuple[Any, ...], PolynomialRing]:
    """Return f∘ρ_in − ρ_out∘f of a polynomial network, expanded.

    Raises
    ------
    OutOfBudget
        If the number of monomials or the deadline forbids the expansion.
    """
    if term_bound(network) > MAX_TERMS:
        raise OutOfBudget(
            f"the expansion may have {term_bound(network)} terms, more than {MAX_TERMS}"
        )
    ring = PolynomialRing(network.field, tuple(f"x{i}" for i in range(network.inputs)))
    moved = _apply_affine(generator.input, ring.generators, ring)
    left = expand(network, ring, moved, deadline)
    right = _apply_affine(generator.output, expand(network, ring, ring.generators, deadline), ring)
    return tuple(a - b for a, b in zip(left, right, strict=True)), ring


def _apply_affine(affine: Any, values: Sequence[Any], ring: PolynomialRing) -> tuple[Any, ...]:
    image = []
    for row, shift in zip(affine.matrix().to_rows(), affine.shift, strict=True):
        total = ring.constant(shift)
        for entry, value in zip(row, values, strict=True):
            if entry:
                total = total + value * entry
        image.append(total)
    return tuple(image)


def is_identity(network: Network, generator: Generator, deadline: float) -> bool:
    """Return whether f∘ρ_in = ρ_out∘f as polynomials.

    Raises
    ------
    OutOfBudget
        See `polynomial_defect`.
    """
    defect, _ = polynomial_defect(network, generator, deadline)
    return all(component.is_zero() for component in defect)
