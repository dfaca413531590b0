"""The determinant certificate: two networks differ, and at one of N + 1 points they do.

features    == functions 1, F_1, …, F_N with left − right = c_0 + Σ c_i F_i, all c_i ≠ 0
certificate == rational points x_0, …, x_N with det [1, F_i(x_k)] ≠ 0

An invertible matrix maps c ≠ 0 to a non-zero vector: so the networks differ at one of the
points. This needs no theorem about the activation or the depth. Determinants are exact
where values are, else they are enclosed by balls; c ≠ 0 holds exactly, since features
with coefficient 0 were dropped.

Source: theory of the instance certificate (Prop. 6).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import Any

from flint import arb, arb_mat

from identcert.certify.counterexample import Counterexample, candidate_points
from identcert.certify.difference import Features, difference_features
from identcert.certify.gap import gap_at
from identcert.certify.hypotheses import is_certainly_nonzero
from identcert.certify.latents import Obstruction
from identcert.certify.pairs import equivariance_pair
from identcert.certify.state import Candidate, Search, refuted
from identcert.errors import InputError, UnsupportedError
from identcert.exact.balls import precision
from identcert.exact.matrix import Matrix
from identcert.nets.network import Network

Point = tuple[Fraction, ...]

MAX_FEATURES = 80
ROUNDS = 3
BITS = (256, 1024, 4096)
GAP_BITS = (128, 512, 2048, 8192, 32768)


@dataclass(frozen=True, slots=True)
class Certificate:
    """Points whose matrix of features is invertible: two networks differ at one of them.

    Attributes
    ----------
    points : N + 1 rational points.
    method : ``exact``, or the precision of the balls, in words.
    """

    points: tuple[Point, ...]
    method: str


@dataclass(frozen=True, slots=True)
class NoCertificate:
    """Why there is no certificate.

    Attributes
    ----------
    reason : one clause.
    is_equal : whether the functions are proved equal: every coefficient is 0.
    """

    reason: str
    is_equal: bool = False


def determinant_certificate(
    left: Network, right: Network, deadline: float = float("inf"), seed: int = 0
) -> Certificate | NoCertificate:
    """Return points at one of which two networks of one architecture differ, or why not.

    Parameters
    ----------
    left, right : networks with equal dimensions, depths and activations over one field.
    deadline : monotonic seconds after which the search stops.
    seed : seed of the points.

    Examples
    --------
    >>> f = Network.dense([([[1]], [0], "x^3"), ([[1]], None, "identity")])
    >>> g = Network.dense([([[2]], [0], "x^3"), ([[1]], None, "identity")])
    >>> found = determinant_certificate(f, g)
    >>> len(found.points), found.method  # one feature, since x³ and (2x)³ are clones
    (2, 'exact')
    >>> determinant_certificate(f, f).is_equal
    True
    """
    if not left.field.is_ordered:
        return NoCertificate("the weights depend on parameters")
    try:
        features = difference_features(left, right)
    except (InputError, UnsupportedError) as refusal:
        return NoCertificate(str(refusal))
    if not features.count:
        return _constant(features, left)
    if features.count > MAX_FEATURES:
        return NoCertificate(f"there are {features.count} features, more than {MAX_FEATURES}")
    points = list(islice(candidate_points(left, seed, 4 * (features.count + 8)), None))
    rows = _exact_rows(features, points[:1])
    if rows is not None:
        return _exactly(features, points, deadline)
    return _by_balls(features, points, deadline)


def _constant(features: Features, network: Network) -> Certificate | NoCertificate:
    entries = [entry for entry in features.constant if entry]
    if not entries:
        return NoCertificate("all coefficients are 0: the functions are equal", is_equal=True)
    if any(is_certainly_nonzero(entry, network.field) for entry in entries):
        return Certificate(((Fraction(0),) * network.inputs,), "exact")
    return NoCertificate("the functions differ at most by a constant that no ball tells from 0")


def _exact_rows(features: Features, points: Sequence[Point]) -> list[list[Any]] | None:
    """Return the rows [1, F_1(x), …, F_N(x)] over the field, or None if one leaves it."""
    field, rows = features.arguments.field, []
    for point in points:
        values = features.arguments.evaluate(point)
        if values is None:
            return None
        row = [field.one]
        for place, value in enumerate(values):
            image = value
            if place < features.nonlinear:
                image = features.sigma.apply(value, field)
            if image is None:
                return None
            row.append(image)
        rows.append(row)
    return rows


def _exactly(
    features: Features, points: Sequence[Point], deadline: float
) -> Certificate | NoCertificate:
    """Choose points with independent rows: the pivots of the transposed matrix."""
    size, field = features.count + 1, features.arguments.field
    chosen: tuple[int, ...] = ()
    for count in (2 * size, len(points)):
        rows = _exact_rows(features, points[:count])
        if rows is None:
            return _by_balls(features, points, deadline)
        _, chosen = Matrix.of(rows, field).T.rref()
        if len(chosen) == size:
            return Certificate(tuple(points[k] for k in chosen), "exact")
        if time.monotonic() > deadline:
            break
    return NoCertificate(
        f"the {features.count} features and 1 span {len(chosen)} dimensions at "
        f"{len(points)} points: they may be dependent"
    )


def _by_balls(
    features: Features, points: Sequence[Point], deadline: float
) -> Certificate | NoCertificate:
    size = features.count + 1
    for number in range(ROUNDS):
        chosen = tuple(points[number * size : (number + 1) * size])
        for bits in BITS:
            if time.monotonic() > deadline:
                return NoCertificate("the time ended while determinants were enclosed")
            if not _enclosed_determinant(features, chosen, bits).contains(0):
                return Certificate(chosen, f"by balls of {bits} bits")
    return NoCertificate(
        f"no determinant of {features.count} features and 1 excludes 0 at {BITS[-1]} bits: they "
        "may be dependent"
    )


def _enclosed_determinant(features: Features, points: Sequence[Point], bits: int) -> Any:
    with precision(bits):
        rows = []
        for point in points:
            values = features.arguments.ball_evaluate(point, bits)
            images = [
                features.sigma.ball(value) if place < features.nonlinear else value
                for place, value in enumerate(values)
            ]
            rows.append([arb(1), *images])
        return arb_mat(rows).det()


def separating_gap(
    left: Network, right: Network, points: Sequence[Point], deadline: float
) -> Counterexample | None:
    """Return the gap at the first of some points where one shows; None only at the deadline.

    One of the points must be certified to separate the networks.
    """
    for bits in GAP_BITS:
        for point in points:
            if time.monotonic() > deadline:
                return None
            found = gap_at(left, right, point, bits)
            if found is not None:
                return found
    return None


def by_determinant(search: Search, obstructions: list[Obstruction]) -> Candidate | None:
    """Refute equivariance by a certified determinant, for any activation and depth (Prop. 6).

    The features are those of the reduced network; the point is evaluated in the given one.
    """
    search.progress("certifying a determinant")
    for generator in search.action.generators:
        pair = equivariance_pair(search.reduction.reduced, generator)
        found = determinant_certificate(*pair, search.deadline, search.seed)
        if isinstance(found, NoCertificate):
            search.tried.append(f"determinant for generator {generator.name}: {found.reason}")
            continue
        given = equivariance_pair(search.network, generator)
        gap = separating_gap(*given, found.points, search.deadline)
        if gap is not None:
            return refuted(replace(gap, generator=generator.name))
        search.limits.append("no point of a certified determinant showed its gap in time")
    return None
