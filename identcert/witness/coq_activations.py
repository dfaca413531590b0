"""Activations in Coq: the function in the statement, and what a proof may use of it.

function == the term of type R -> R that the statement contains
class    == its laws (Classes.v, Erf.v), for latents, reduction steps and formal values
ball     == its enclosures (Balls.v), for refutation by intervals
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from identcert.errors import InputError
from identcert.witness.coq_numbers import Coordinates, parse_rational, parse_rationals
from identcert.witness.coq_text import listing, rational

SIMPLE = {
    # JSON: (function, stem of class and ball)
    "tanh": ("tanh", "tanh"),
    "sigmoid": ("logistic", "logistic"),
    "relu": ("relu", "relu"),
    "abs": ("Rabs", "abs"),
    "hard_tanh": ("hard_tanh", "hard_tanh"),
    "relu6": ("relu6", "relu6"),
    "softplus": ("softplus", "softplus"),
    "silu": ("silu", "silu"),
    "sin": ("sin", "sin"),
    "elu": ("elu", "elu"),
    "arctan": ("atan", "arctan"),
    "erf": ("erf", "erf"),
    "gelu": ("gelu", "gelu"),
    "identity": ("identity", "identity"),
}
BY_INTEGRAL = frozenset({"erf", "gelu"})
WITHOUT_ROUNDING = frozenset({"identity", "abs"})
EXACT = frozenset({"relu", "abs", "hard_tanh", "relu6", "identity"})


@dataclass(frozen=True, slots=True)
class Activation:
    """An activation with its Coq terms.

    Parameters
    ----------
    function : the term in the statement.
    stem : the word that gets the ending ``_class`` or ``_ball``.
    arguments : further arguments of both.
    class_arguments : arguments that only the class has, in front of them.
    is_exact : whether rational arguments have known rational values.
    needs_erf : whether the error function is involved.
    degree : the degree of a polynomial, else 0.
    """

    function: str
    stem: str
    arguments: str = ""
    class_arguments: str = ""
    is_exact: bool = False
    needs_erf: bool = False
    degree: int = 0

    def class_term(self, numbers: str) -> str:
        """Return the class over some real coefficients."""
        return f"{self.stem}_class {numbers}{self.class_arguments}{self.arguments}"

    def ball_term(self, precision: str) -> str:
        """Return the enclosure at some precision."""
        if self.stem in WITHOUT_ROUNDING:
            return f"{self.stem}_ball"
        return f"{self.stem}_ball {precision}{self.arguments}"


def _polynomial(coefficients: Coordinates) -> Activation:
    """Return a polynomial activation, about its centre −a_{r−1}/(r·a_r)."""
    degree = len(coefficients) - 1
    if degree >= 2 and coefficients[-1] == 1 and not any(coefficients[:-1]):
        return Activation(
            f"(fun t : R => t ^ {degree})%R", "power", f" {degree}", "", True, False, degree
        )
    centre = Fraction(0)
    if degree >= 1:
        centre = -coefficients[-2] / (degree * coefficients[-1])
    text = listing(rational(q) for q in coefficients)
    return Activation(
        f"(polynomial {text})",
        "polynomial",
        f" {text}",
        f" {rational(centre)}",
        True,
        False,
        degree,
    )


def parse_activation(value: object, where: str) -> Activation:
    """Read an activation of a canonical file.

    Raises
    ------
    InputError
        If it is not one.
    """
    if isinstance(value, str) and value in SIMPLE:
        function, stem = SIMPLE[value]
        return Activation(function, stem, "", "", value in EXACT, value in BY_INTEGRAL)
    if isinstance(value, dict) and len(value) == 1:
        if "leaky_relu" in value:
            slope = rational(parse_rational(value["leaky_relu"], where))
            return Activation(f"(leaky_relu {slope})", "leaky_relu", f" {slope}", "", True)
        if "polynomial" in value:
            coefficients = parse_rationals(value["polynomial"], where)
            if not coefficients or (len(coefficients) > 1 and coefficients[-1] == 0):
                raise InputError("is not a polynomial in canonical spelling", where)
            return _polynomial(coefficients)
    raise InputError("is not an activation", where)
