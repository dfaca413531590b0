"""Activations with their first and second derivatives, entry by entry in float64 (numeric).

At a kink the right-hand slope is taken; second derivatives leave out the jumps.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from identcert.nets.activation import Activation
from identcert.nets.numeric import float_of

Array = NDArray[np.float64]


def with_slopes(sigma: Activation, z: Array, order: int = 1) -> tuple[Array, ...]:
    """Return (σ(z), σ'(z)) or, for order 2, (σ(z), σ'(z), σ''(z)).

    Examples
    --------
    >>> [x.tolist() for x in with_slopes(Activation("relu"), np.array([-1.0, 2.0]), 2)]
    [[0.0, 2.0], [0.0, 1.0], [0.0, 0.0]]
    """
    if sigma.coefficients is not None:
        found = _polynomial([float_of(c) for c in sigma.coefficients], z)
    elif sigma.is_piecewise_linear:
        slopes = np.array([float_of(slope) for slope, _ in sigma.pieces])
        kinks = np.array([float_of(kink) for kink in sigma.kinks])
        first = slopes[np.searchsorted(kinks, z, side="right")]
        found = (sigma.numpy(z), first, np.zeros_like(z))
    else:
        found = _SMOOTH[sigma.name](z, sigma)
    return found[: order + 1]


def _polynomial(coefficients: list[float], z: Array) -> tuple[Array, ...]:
    value, first, second = np.zeros_like(z), np.zeros_like(z), np.zeros_like(z)
    for c in reversed(coefficients):
        second = second * z + 2 * first
        first = first * z + value
        value = value * z + c
    return value, first, second


def _tanh(z: Array, sigma: Activation) -> tuple[Array, ...]:
    t = np.tanh(z)
    slope = 1 - t * t
    return t, slope, -2 * t * slope


def _sigmoid(z: Array, sigma: Activation) -> tuple[Array, ...]:
    s = sigma.numpy(z)
    slope = s * (1 - s)
    return s, slope, slope * (1 - 2 * s)


def _softplus(z: Array, sigma: Activation) -> tuple[Array, ...]:
    s, slope, _ = _sigmoid(z, Activation("sigmoid"))
    return sigma.numpy(z), s, slope


def _silu(z: Array, sigma: Activation) -> tuple[Array, ...]:
    s, first, second = _sigmoid(z, Activation("sigmoid"))
    return z * s, s + z * first, 2 * first + z * second


def _gelu(z: Array, sigma: Activation) -> tuple[Array, ...]:
    from scipy import special

    density = np.exp(-z * z / 2) / np.sqrt(2 * np.pi)
    below = special.ndtr(z)
    return z * below, below + z * density, (2 - z * z) * density


def _sin(z: Array, sigma: Activation) -> tuple[Array, ...]:
    value = np.sin(z)
    return value, np.cos(z), -value


def _elu(z: Array, sigma: Activation) -> tuple[Array, ...]:
    power = np.exp(np.minimum(z, 0))
    return sigma.numpy(z), np.where(z >= 0, 1.0, power), np.where(z >= 0, 0.0, power)


def _arctan(z: Array, sigma: Activation) -> tuple[Array, ...]:
    slope = 1 / (1 + z * z)
    return np.arctan(z), slope, -2 * z * slope * slope


def _erf(z: Array, sigma: Activation) -> tuple[Array, ...]:
    slope = 2 / np.sqrt(np.pi) * np.exp(-z * z)
    return sigma.numpy(z), slope, -2 * z * slope


_SMOOTH: dict[str, Any] = {
    "tanh": _tanh,
    "sigmoid": _sigmoid,
    "softplus": _softplus,
    "silu": _silu,
    "gelu": _gelu,
    "sin": _sin,
    "elu": _elu,
    "arctan": _arctan,
    "erf": _erf,
}
