"""Local identifiability: the exact rank of the Jacobian in the parameters.

symmetries == the dimension h of the orbit of the parameter under scalings of neurons
needed     == P − h, with P the number of parameters; the rank is never larger
full       == rank = P − h: then the fibre near the parameter is its orbit, since it lies
              in a manifold of dimension h (implicit functions) that contains the orbit

For polynomial networks the Jacobian is that of the coefficient vectors in the monomial
basis. Otherwise outputs at finitely many rational points are used, exactly where σ and σ′
are exact, else by balls: a Gram determinant that excludes 0 certifies a minor.

Source: theory of local identifiability (§4, "concrete surrogate").
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb_mat

from identcert.certify.counterexample import candidate_points
from identcert.certify.gradients import ball_ring, field_ring, gradients, polynomial_ring
from identcert.certify.identity import is_polynomial, term_bound
from identcert.errors import UnsupportedError
from identcert.exact.balls import precision
from identcert.exact.matrix import Matrix
from identcert.exact.polynomial import PolynomialRing
from identcert.nets.constant import entry_ball
from identcert.nets.network import Network

MAX_PARAMETERS = 120
MAX_ENTRIES = 150_000
BITS = (256, 1024)
SURPLUS = 8
"""Points for each one needed, where σ has pieces: every cell of the input counts."""


@dataclass(frozen=True, slots=True)
class LocalRank:
    """The rank of the Jacobian at one parameter, or a certified lower bound.

    Attributes
    ----------
    rank : the rank, or a lower bound of it.
    is_exact : whether it is the rank.
    parameters : P, the number of weights and written biases.
    symmetries : h, the dimension of the orbit under continuous latent symmetries.
    method : how it was computed, in words.
    """

    rank: int
    is_exact: bool
    parameters: int
    symmetries: int
    method: str

    @property
    def needed(self) -> int:
        """The rank at which the parameter is locally identifiable."""
        return self.parameters - self.symmetries

    @property
    def is_full(self) -> bool:
        """Whether the parameter is locally identifiable."""
        return self.rank == self.needed

    def text(self) -> str:
        """Return the comparison for people."""
        relation = "=" if self.is_full else ("<" if self.is_exact else "not shown to reach")
        bound = "" if self.is_exact or self.is_full else "at least "
        return (
            f"Jacobian rank {bound}{self.rank} {relation} {self.needed} = {self.parameters} "
            f"parameters − {self.symmetries} continuous symmetries ({self.method})"
        )


def continuous_symmetries(network: Network) -> int:
    """Return the dimension of the orbit under scalings that stay in the architecture.

    A neuron scales about the centre c of its σ where (w, b − c) can be scaled: with a bias,
    or if c = 0. If σ(c) ≠ 0 and the next layer has no bias, only combinations whose
    constants cancel remain. All rows are supposed to be non-zero.

    Examples
    --------
    >>> square = [([[1, 2], [3, 4]], None, "x^2"), ([[1, 1]], None, "identity")]
    >>> continuous_symmetries(Network.dense(square))
    2
    """
    total = 0
    for layer, following in zip(network.layers, network.layers[1:], strict=False):
        sigma, field = layer.activation, network.field
        if sigma.scalings not in ("positive", "nonzero"):
            continue
        if sigma.centre and not layer.has_bias:
            continue
        at_centre = sigma.apply(field(sigma.centre), field)
        total += layer.outputs
        if at_centre and not following.has_bias:
            total -= following.weight.rank()
    return total


def local_rank(network: Network, deadline: float, seed: int = 0) -> LocalRank | None:
    """Return the rank of the Jacobian, or None if the network is too large or parametric.

    Examples
    --------
    >>> square = [([[1, 2], [3, 4]], None, "x^2"), ([[1, 1]], None, "identity")]
    >>> local_rank(Network.dense(square), float("inf")).rank  # the forms have dimension 3
    3
    """
    count = network.parameter_count
    if len(network.layers) < 2 or count > MAX_PARAMETERS or not network.field.is_ordered:
        return None
    try:
        if is_polynomial(network) and _is_small(network):
            return _by_coefficients(network)
        if all(_has_exact_values(layer.activation) for layer in network.layers):
            return _by_points(network, deadline, seed)
        return _by_balls(network, deadline, seed)
    except UnsupportedError:
        return None


def _is_small(network: Network) -> bool:
    return term_bound(network) * network.outputs * network.parameter_count <= MAX_ENTRIES


def _has_exact_values(sigma: Any) -> bool:
    return bool(sigma.is_polynomial or sigma.is_piecewise_linear)


def _found(network: Network, rank: int, is_exact: bool, method: str) -> LocalRank:
    symmetries = continuous_symmetries(network)
    return LocalRank(rank, is_exact, network.parameter_count, symmetries, method)


def _by_coefficients(network: Network) -> LocalRank | None:
    ring = PolynomialRing(network.field, tuple(f"x{i}" for i in range(network.inputs)))
    found = gradients(network, polynomial_ring(network, ring), ring.generators)
    rows: dict[Any, list[Any]] = {}
    zero, count = network.field.zero, network.parameter_count
    for output, gradient in enumerate(found or ()):
        for place, polynomial in enumerate(gradient):
            for monomial, coefficient in polynomial.terms():
                row = rows.setdefault((output, monomial), [zero] * count)
                row[place] = coefficient
    rank = Matrix.of(rows.values(), network.field, cols=count).rank()
    return _found(network, rank, True, "exact, coefficients in the monomial basis")


def _points(
    network: Network, seed: int, deadline: float, surplus: int
) -> Iterator[tuple[Fraction, ...]]:
    """Yield points, some times as many as the parameters need, until the deadline."""
    count = surplus * (network.parameter_count // max(network.outputs, 1) + 1)
    for point in candidate_points(network, seed, count):
        if time.monotonic() > deadline:
            return
        yield point


def _by_points(network: Network, deadline: float, seed: int) -> LocalRank:
    ring, rows = field_ring(network), []
    for point in _points(network, seed, deadline, SURPLUS):
        rows += gradients(network, ring, [network.field(x) for x in point]) or []
    rank = Matrix.of(rows, network.field, cols=network.parameter_count).rank()
    points = len(rows) // max(network.outputs, 1)
    return _found(network, rank, False, f"exact, outputs at {points} rational points")


def _by_balls(network: Network, deadline: float, seed: int) -> LocalRank | None:
    """Return P if balls certify that rank; with continuous symmetries nothing is tried."""
    if continuous_symmetries(network):
        return None
    count = network.parameter_count
    for bits in BITS:
        with precision(bits):
            ring, rows = ball_ring(network, bits), []
            for point in _points(network, seed, deadline, 2):
                start = [entry_ball(network.field(x), network.field, bits) for x in point]
                rows += gradients(network, ring, start) or []
            if len(rows) < count or time.monotonic() > deadline:
                return None
            jacobian = arb_mat(rows)
            if not (jacobian.transpose() * jacobian).det().contains(0):
                points = len(rows) // max(network.outputs, 1)
                method = f"balls of {bits} bits, outputs at {points} rational points"
                return _found(network, count, True, method)
    return None
