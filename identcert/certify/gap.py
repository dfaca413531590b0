"""Points at which two networks differ, with a rigorous gap.

gap == a rational lower bound > 0 of |f(x)_j − g(x)_j| at a rational point x

Where canonical forms say that the functions differ, the search goes on until the
deadline: it ends with a point, since the difference of two polynomial, analytic or
piecewise-linear functions does not vanish on all rational points, and balls of growing
precision exclude 0 where it does not vanish.

Source: theory of disproof (Prop. 5).
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from identcert.certify.canonical import Different, decide_by_canonical_form
from identcert.certify.counterexample import (
    Counterexample,
    candidate_points,
    modulus,
    needed_bits,
    shorten_down,
)
from identcert.certify.separation import Point
from identcert.certify.specialise import specialise_network
from identcert.exact.balls import lower_bound_abs, precision
from identcert.exact.field import FunctionField
from identcert.nets.network import Network

BITS = (128, 512, 2048)
FIRST_COUNT = 16


def gap_at(
    left: Network, right: Network, point: Sequence[Fraction], bits: int
) -> Counterexample | None:
    """Return the gap of two networks over an ordered field at one point, or None.

    The counterexample names no generator.

    Examples
    --------
    >>> f = Network.dense([([[1]], [0], "tanh"), ([[1]], [0], "identity")])
    >>> g = Network.dense([([[1]], [0], "tanh"), ([[1]], ["1/2"], "identity")])
    >>> gap_at(f, g, [Fraction(0)], 128).gap
    Fraction(1, 4)
    """
    start = tuple(left.field(x) for x in point)
    ours, theirs = left.evaluate(start), right.evaluate(start)
    if ours is None or theirs is None:
        return _ball_gap(left, right, point, bits)
    field, room = left.field, needed_bits(left, right)
    sizes = [
        (*modulus(field, a - b), j)
        for j, (a, b) in enumerate(zip(ours, theirs, strict=True))
        if not field.is_zero(a - b)
    ]
    if not sizes:
        return None
    size, is_exact, j = max(sizes, key=lambda item: item[0])
    if room is not None:  # the checker encloses, so the gap needs room
        size, is_exact = shorten_down(size / 2), False
    texts = field.text(ours[j]), field.text(theirs[j])
    return Counterexample("", tuple(point), j, size, is_exact, texts[0], texts[1], (), room)


def _ball_gap(
    left: Network, right: Network, point: Sequence[Fraction], bits: int
) -> Counterexample | None:
    with precision(bits):
        ours, theirs = left.ball_evaluate(point, bits), right.ball_evaluate(point, bits)
        sizes = [lower_bound_abs(a - b) for a, b in zip(ours, theirs, strict=True)]
        j = max(range(len(sizes)), key=sizes.__getitem__)
        texts = ours[j].str(20, radius=False), theirs[j].str(20, radius=False)
    if sizes[j] <= 0:
        return None
    gap = shorten_down(sizes[j] / 2)
    return Counterexample("", tuple(point), j, gap, False, texts[0], texts[1], (), 2 * bits)


def find_gap(
    left: Network,
    right: Network,
    points: Iterable[Sequence[Fraction]],
    bits: int,
    deadline: float,
    seed: int = 0,
) -> Counterexample | None:
    """Return a gap at one of the points, or None; the first point is always tried.

    Parameters of the weights get small rational values, others for every point.
    """
    for number, point in enumerate(points):
        if number and time.monotonic() > deadline:
            return None
        pair, values = specialised(left, right, seed + number)
        found = None if pair is None else gap_at(*pair, point, bits)
        if found is not None:
            return replace(found, parameters=tuple(sorted(values.items())))
    return None


def specialised(
    left: Network, right: Network, seed: int
) -> tuple[tuple[Network, Network] | None, Mapping[str, Fraction]]:
    """Return the networks at small parameter values of the seed, and the values.

    None for the networks if a denominator vanishes there; over ordered fields the
    networks themselves.
    """
    field = left.field
    if not isinstance(field, FunctionField):
        return (left, right), {}
    stream = random.Random(seed)
    values = {
        name: Fraction(stream.choice((-1, 1)) * (2 * stream.randrange(0, 12) + 1),
                       stream.choice((2, 3, 5)))
        for name in field.names
    }  # fmt: skip
    try:
        return (specialise_network(left, values), specialise_network(right, values)), values
    except ZeroDivisionError:
        return None, values


def separate(
    left: Network, right: Network, points: Sequence[Point], deadline: float, seed: int
) -> Counterexample | None:
    """Return a gap of two networks that are known to differ; None only at the deadline.

    Parameters
    ----------
    points : good first guesses, as `Different` gives them.
    """
    for bits in BITS:
        found = find_gap(left, right, points, bits, deadline, seed)
        if found is not None:
            return found
    count = FIRST_COUNT
    while time.monotonic() < deadline:
        found = None
        if not left.field.is_ordered:
            found = _at_parameters(left, right, deadline, seed + count)
        if found is None:
            bits = BITS[0] * (count // FIRST_COUNT)
            guesses = list(candidate_points(left, seed + count, count))
            found = find_gap(left, right, guesses, bits, deadline, seed + count)
        if found is not None:
            return found
        count *= 2
    return None


def _at_parameters(
    left: Network, right: Network, deadline: float, seed: int
) -> Counterexample | None:
    """Return a gap at parameter values where the canonical forms still differ, or None."""
    pair, values = specialised(left, right, seed)
    decision = None if pair is None else decide_by_canonical_form(*pair, deadline, seed)
    if pair is None or not isinstance(decision, Different):
        return None
    found = find_gap(*pair, decision.points, BITS[0], deadline)
    return None if found is None else replace(found, parameters=tuple(sorted(values.items())))
