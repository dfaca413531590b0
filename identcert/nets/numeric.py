"""Values of activations as rigorous balls, and as float64 arrays for people and guides.

The floats decide nothing: every verdict rests on exact values or on balls.
"""

from __future__ import annotations

from typing import Any

from flint import arb, fmpq

from identcert.exact import balls
from identcert.nets.normal_form import Spelled


def ball_value(spelled: Spelled, x: arb) -> arb:
    """Return a ball that contains σ(t) for every t in x, at the working precision."""
    name, slope, coefficients = spelled
    if coefficients is not None:
        return _ball_polynomial(coefficients, x)
    value: arb = balls.FUNCTIONS[name](x) if slope is None else balls.leaky_relu(x, slope)
    return value


def _ball_polynomial(coefficients: tuple[fmpq, ...], x: arb) -> arb:
    """Return Σ c_k x^k by Horner's rule, which skips no rounding error."""
    total = arb(0)
    for c in reversed(coefficients):
        total = total * x + c if c else total * x
    return total


def float_value(spelled: Spelled, x: Any) -> Any:
    """Return σ of a float64 array, entry by entry."""
    import numpy as np

    name, slope, coefficients = spelled
    z = np.asarray(x, dtype=np.float64)
    if coefficients is not None:
        return np.polynomial.polynomial.polyval(z, [float_of(c) for c in coefficients])
    if slope is not None:
        return np.where(z >= 0, z, float_of(slope) * z)
    return _float_named(name, z)


def _float_named(name: str, z: Any) -> Any:
    import numpy as np
    from scipy import special

    match name:
        case "tanh" | "sin" | "arctan" | "abs":
            return getattr(np, name)(z)
        case "relu":
            return np.maximum(z, 0)
        case "hard_tanh":
            return np.clip(z, -1, 1)
        case "relu6":
            return np.clip(z, 0, 6)
        case "elu":
            return np.where(z >= 0, z, np.expm1(np.minimum(z, 0)))
        case "softplus":
            return np.logaddexp(0, z)
        case "sigmoid":
            return special.expit(z)
        case "silu":
            return z * special.expit(z)
        case "gelu":
            return z * special.ndtr(z)
        case _:
            return special.erf(z)


def float_of(value: fmpq) -> float:
    """Return the float64 nearest to a rational, infinite beyond the range of floats.

    Examples
    --------
    >>> float_of(fmpq(1, 3)), float_of(-fmpq(10) ** 400)
    (0.3333333333333333, -inf)
    """
    try:
        return int(value.p) / int(value.q)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
