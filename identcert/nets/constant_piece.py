"""On which affine piece of an activation a formal constant lies, where balls certify it."""

from __future__ import annotations

from typing import Any

from flint import fmpq

from identcert.errors import UnsupportedError
from identcert.nets.activation import Activation
from identcert.nets.catalogue import Pair

PRECISIONS = (64, 256, 1024, 4096)
IDENTITY: Pair = (fmpq(1), fmpq(0))


def find_piece(activation: Activation, entry: Any) -> Pair | None:
    """Return the (slope, intercept) of σ around a constant, where the side of kinks is certain.

    ReLU(2·tanh(1)) is 2·tanh(1) for that reason, and not a formal number of its own.
    """
    if activation.is_linear_right:
        return IDENTITY if _certified_sign(entry) == 1 else None
    if not activation.is_piecewise_linear:
        return None
    sides = [_certified_sign(entry - kink) for kink in activation.kinks]
    if None in sides:
        return None
    return activation.pieces[sum(side == 1 for side in sides)]


def _certified_sign(entry: Any) -> int | None:
    """Return the sign of a constant that balls certify; the checker tries the same precisions."""
    try:
        for bits in PRECISIONS:
            ball = entry.ball(bits)
            if ball > 0 or ball < 0:
                return 1 if ball > 0 else -1
    except UnsupportedError:
        return None
    return None
