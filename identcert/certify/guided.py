"""Points where two networks seem to differ most, as float64 sees it: guesses, no proofs.

guess == a dyadic rational point, drawn at random, where the float64 values of two networks
         lie furthest apart among many drawn

Nothing rests on these values: every guess is evaluated exactly, or by balls, afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from identcert.nets.network import Network

SCALES = (1, 8, 64, 4096)
DRAWN, KEPT = 4_096, 2
STEPS = 256


def guided_points(left: Network, right: Network, seed: int) -> Iterator[tuple[Fraction, ...]]:
    """Yield a few points a scale, the most promising first; none over parameters.

    Examples
    --------
    >>> f = Network.dense([([[1]], [-100], "relu"), ([[1]], None, "identity")])
    >>> g = Network.dense([([[1]], [-100], "relu"), ([[2]], None, "identity")])
    >>> any(f.evaluate(x) != g.evaluate(x) for x in guided_points(f, g, 0))
    True
    """
    if not left.field.is_ordered:
        return
    import numpy as np

    stream = np.random.default_rng(seed)
    for scale in SCALES:
        drawn = stream.integers(-STEPS, STEPS + 1, (DRAWN, left.inputs))
        points = drawn * (scale / STEPS)
        with np.errstate(all="ignore"):
            gaps = _gaps(left.numpy_evaluate(points), right.numpy_evaluate(points))
        # by powers of two: rounding of the last bits must not change the order
        ranks = np.where(gaps, np.frexp(gaps)[1], np.iinfo(np.int32).min + 1)
        for index in np.argsort(-ranks, kind="stable")[:KEPT]:
            yield tuple(Fraction(int(k) * scale, STEPS) for k in drawn[index])


def _gaps(ours: Any, theirs: Any) -> Any:
    """Return the largest relative distance of the values at every point."""
    import numpy as np

    sizes = abs(ours) + abs(theirs) + 1.0
    return np.nan_to_num(abs(ours - theirs) / sizes).max(axis=1)
