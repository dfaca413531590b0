"""Rational points at which two shallow networks differ.

difference == Σ coefficient·feature plus an affine map, with features in normal form
kink       == for a hyperplane H, a point p of H off all others, and a step e along a
              coordinate axis: the second difference at p − e, p, p + e is 2·coefficient·|ℓ_H(e)|
              plus nothing, since every other term is affine there

So one of three points separates. For features that are no hyperplanes the points lie
near w·x + b = 0, where no bounded activation is saturated.

Source: theory of shallow piecewise-linear networks (Theorem 2) and of disproof (Prop. 5).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

from identcert.certify.feature import ABS, MONOMIAL, Feature
from identcert.exact.balls import exact_endpoints, lower_bound_abs, upper_bound_abs
from identcert.exact.matrix import Matrix

Point = tuple[Fraction, ...]
Features = Sequence[tuple[Feature, tuple[Any, ...]]]

FEATURES_TRIED = 8
ATTEMPTS = 64
LEVELS = (Fraction(0), Fraction(1, 2), Fraction(-1), Fraction(2))
BITS = (64, 256, 1024, 4096)


def separating_points(field: Any, features: Features, seed: int) -> tuple[Point, ...]:
    """Return points for a difference with features, the most telling ones first.

    If all features are hyperplanes over an ordered field, one of the first three points
    separates. Over a field with parameters there are none: they get values first.

    Examples
    --------
    >>> from identcert.exact.field import QQ
    >>> bend = Feature("abs", (QQ(1), QQ(2)), QQ(-3))
    >>> p, below, above = separating_points(QQ, [(bend, (QQ(5),))], 0)
    >>> p[0] + 2 * p[1] - 3, above[0] - p[0] == p[0] - below[0] > 0
    (Fraction(0, 1), True)
    """
    if not field.is_ordered:
        return ()
    stream = random.Random(seed)
    kinks = [feature for feature, _ in features if feature.kind == ABS.name]
    others = [f for f, _ in features if f.kind not in (ABS.name, MONOMIAL)]
    points: list[Point] = []
    if kinks:
        triples = (find_kink(field, kinks, k, stream) for k in range(len(kinks)))
        points += next((t for t in islice(triples, FEATURES_TRIED) if t is not None), ())
    for feature in others[:FEATURES_TRIED]:
        points += _near(field, feature, stream)
    return tuple(points)


def find_kink(
    field: Any, features: Sequence[Feature], chosen: int, stream: random.Random
) -> tuple[Point, Point, Point] | None:
    """Return p, p − e, p + e that detect one hyperplane among many, or None.

    None only if every random point of the hyperplane lay on another one.
    """
    own = features[chosen]
    weight = Matrix.of([f.weights for f in features], field)
    pivot = next(i for i, w in enumerate(own.weights) if w)
    for point in islice(_points_on(field, own, field.zero, pivot, stream), ATTEMPTS):
        values = [v + f.bias for v, f in zip(weight.apply(point), features, strict=True)]
        rivals = [
            (value, f.weights[pivot])
            for k, (value, f) in enumerate(zip(values, features, strict=True))
            if k != chosen
        ]
        if all(value for value, _ in rivals):
            step = Fraction(1, 4)
            for value, slope in rivals:
                if slope:
                    step = min(step, _below(field, value) / (4 * _above(field, slope)))
            return _triple(field, point, pivot, _power_of_two(step))
    return None


def _points_on(
    field: Any, feature: Feature, level: Any, pivot: int, stream: random.Random
) -> Iterator[tuple[Any, ...]]:
    """Yield points with w·x + b = level; all coordinates but the pivot are small rationals."""
    width = 4
    while True:
        point = [field(Fraction(stream.randrange(-width, width + 1), 2)) for _ in feature.weights]
        point[pivot] = field.zero
        value = sum((w * x for w, x in zip(feature.weights, point, strict=True)), feature.bias)
        point[pivot] = (level - value) / feature.weights[pivot]
        yield tuple(point)
        width += 1


def _triple(
    field: Any, point: tuple[Any, ...], pivot: int, step: Fraction
) -> tuple[Point, Point, Point]:
    """Return the three points; the pivot is off by at most a quarter of the step."""
    centre = [_near_rational(field, x, step / 4) for x in point]
    ends = []
    for sign in (-1, 1):
        end = list(centre)
        end[pivot] += sign * step
        ends.append(tuple(end))
    return tuple(centre), ends[0], ends[1]


def _near(field: Any, feature: Feature, stream: random.Random) -> list[Point]:
    """Return points near which an analytic feature is not saturated."""
    pivot = next(i for i, w in enumerate(feature.weights) if w)
    size = _above(field, feature.weights[pivot])
    found = []
    for level in LEVELS:
        point = next(_points_on(field, feature, field(level), pivot, stream))
        near = Fraction(1, 64) / max(Fraction(1), size)
        found.append(tuple(_near_rational(field, x, near) for x in point))
    return found


def _near_rational(field: Any, x: Any, distance: Fraction) -> Fraction:
    """Return x over Q, else a rational at most ``distance`` from x."""
    if field.kind == "rational":
        return Fraction(int(x.p), int(x.q))
    for bits in BITS:
        low, high = exact_endpoints(field.ball(x, bits))
        if high - low <= distance:
            return (low + high) / 2
    return (low + high) / 2  # a guide for the search; what it finds is checked


def _below(field: Any, x: Any) -> Fraction:
    """Return a positive lower bound of |x| for x ≠ 0."""
    if field.kind == "rational":
        return abs(Fraction(int(x.p), int(x.q)))
    bits = BITS[0]
    while True:  # a non-zero element of Q(α) is a non-zero real number, so this ends
        size = lower_bound_abs(field.ball(x, bits))
        if size > 0:
            return size
        bits *= 2


def _above(field: Any, x: Any) -> Fraction:
    """Return an upper bound of |x|."""
    if field.kind == "rational":
        return abs(Fraction(int(x.p), int(x.q)))
    return upper_bound_abs(field.ball(x, BITS[0]))


def _power_of_two(size: Fraction) -> Fraction:
    """Return a power of two in (0, size]."""
    exponent = size.denominator.bit_length() - size.numerator.bit_length() + 1
    return Fraction(1, 1 << exponent) if exponent >= 0 else Fraction(1 << -exponent)
