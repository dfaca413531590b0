"""Derivatives of activations on balls: rigorous enclosures of σ′.

slope == an `arb` that contains σ′(t) for every t in a ball; None where σ′ may not exist

Source: the derivatives of elementary functions; gelu′(z) = Φ(z) + zφ(z).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flint import arb

from identcert.exact import balls


def _tanh(x: Any) -> Any:
    value = balls.tanh(x)
    return 1 - value * value


def _sigmoid(x: Any) -> Any:
    value = balls.sigmoid(x)
    return value * (1 - value)


def _silu(x: Any) -> Any:
    value = balls.sigmoid(x)
    return value + x * value * (1 - value)


def _gelu(x: Any) -> Any:
    normal = (-x * x / 2).exp() / (2 * arb.pi()).sqrt()
    return (1 + balls.erf(x / arb(2).sqrt())) / 2 + x * normal


def _elu(x: Any) -> Any:
    if x >= 0:
        return arb(1)
    return x.exp() if x <= 0 else None


SLOPES: Mapping[str, Callable[[Any], Any]] = {
    "tanh": _tanh,
    "sigmoid": _sigmoid,
    "softplus": balls.sigmoid,
    "silu": _silu,
    "gelu": _gelu,
    "sin": lambda x: x.cos(),
    "elu": _elu,
    "arctan": lambda x: 1 / (1 + x * x),
    "erf": lambda x: 2 * (-x * x).exp() / arb.pi().sqrt(),
}
"""Enclosures of σ′ for the activations that are neither polynomial nor piecewise linear."""


def slope(name: str, x: Any) -> Any:
    """Return an enclosure of σ′ on a ball, or None where σ′ may not exist.

    Examples
    --------
    >>> slope("tanh", arb(0)) == 1, slope("softplus", arb(0)) * 2 == 1
    (True, True)
    """
    return SLOPES[name](x)
