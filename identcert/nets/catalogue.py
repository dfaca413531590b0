"""The named activations, with what the theory knows about one neuron of each.

σ-intertwiner == numbers (α, β, λ, ν), α ≠ 0, with σ(αz + β) = λσ(z) + ν for all real z
scalings      == which α occur: "one", "sign" (±1), "positive", "nonzero"
centre        == the c with β = c(1 − α) for every α that occurs; so ν = (1 − λ)σ(c)
reflection    == the λ of α = −1
flip          == (s, m, q) with σ(−z) = s·σ(z) + m·z + q: it moves the sign of an
                 argument out of σ, also where the remainder m·z forbids α = −1
kinks, pieces == the break points of a piecewise-linear σ and its affine pieces
                 (slope, intercept), from left to right

Source: theory of §2.1. That no further α occurs is the theorem cited there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from flint import fmpq

Scalings = Literal["one", "sign", "positive", "nonzero"]
Pair = tuple[fmpq, fmpq]
Flip = tuple[int, int, int]

ZERO, ONE = fmpq(0), fmpq(1)
ODD: Flip = (-1, 0, 0)


@dataclass(frozen=True, slots=True)
class Neuron:
    """The symmetry data of one neuron; see the glossary of the module.

    ``at_centre`` is σ(c), or None if that is irrational (then σ admits α = 1 only). The
    transcendental σ have c = 0, where alone a rational point has a rational value;
    ``is_linear_right`` marks the exception, σ(z) = z for all z ≥ 0.
    """

    scalings: Scalings
    centre: fmpq = ZERO
    at_centre: fmpq | None = ZERO
    reflection: int = -1
    flip: Flip | None = None
    kinks: tuple[fmpq, ...] = ()
    pieces: tuple[Pair, ...] = ()
    is_linear_right: bool = False


_SIX = fmpq(6)
_UNIT = (ONE, ZERO)

CATALOGUE: Mapping[str, Neuron] = MappingProxyType(
    {
        "tanh": Neuron("sign", flip=ODD),
        "sigmoid": Neuron("sign", at_centre=fmpq(1, 2), flip=(-1, 0, 1)),
        "relu": Neuron("positive", kinks=(ZERO,), pieces=((ZERO, ZERO), _UNIT)),
        "abs": Neuron("nonzero", kinks=(ZERO,), pieces=((-ONE, ZERO), _UNIT)),
        "hard_tanh": Neuron(
            "sign", flip=ODD, kinks=(-ONE, ONE), pieces=((ZERO, -ONE), _UNIT, (ZERO, ONE))
        ),
        "relu6": Neuron(
            "sign",
            centre=fmpq(3),
            at_centre=fmpq(3),
            kinks=(ZERO, _SIX),
            pieces=((ZERO, ZERO), _UNIT, (ZERO, _SIX)),
        ),
        "softplus": Neuron("one", at_centre=None, flip=(1, -1, 0)),
        "silu": Neuron("one", flip=(1, -1, 0)),
        "gelu": Neuron("one", flip=(1, -1, 0)),
        "sin": Neuron("sign", flip=ODD),
        "elu": Neuron("one", is_linear_right=True),
        "arctan": Neuron("sign", flip=ODD),
        "erf": Neuron("sign", flip=ODD),
    }
)
"""The activations that a file names, besides ``identity``, leaky ReLU and polynomials."""

REFUSED: Mapping[str, str] = MappingProxyType(
    {
        "sign": "equalities hold only almost everywhere",
        "step": "equalities hold only almost everywhere",
        "heaviside": "equalities hold only almost everywhere",
        "softmax": "it does not act entry by entry",
    }
)
"""Activations that identcert refuses, with the reason."""

OTHER_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "atan": '"arctan"',
        "hardtanh": '"hard_tanh"',
        "leaky_relu": '{"leaky_relu": "1/10"}, with its slope',
        "leakyrelu": '{"leaky_relu": "1/10"}, with its slope',
        "linear": '"identity"',
        "logistic": '"sigmoid"',
        "none": '"identity"',
        "square": '"x^2"',
        "swish": '"silu"',
    }
)
"""What other libraries call an activation, for the advice in an error."""
