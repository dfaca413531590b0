"""The normal form of an activation: equal functions have equal names and data.

Source: theory of §2.1 (row "polynomial") and §13 (activations are normalised first).
"""

from __future__ import annotations

from flint import fmpq, fmpq_poly

from identcert.errors import InputError
from identcert.nets.catalogue import CATALOGUE, ODD, ONE, ZERO, Neuron, Scalings

LEAKY, POLYNOMIAL, IDENTITY = "leaky_relu", "polynomial", "identity"

Spelled = tuple[str, fmpq | None, tuple[fmpq, ...] | None]
"""Name, slope of a leaky ReLU, ascending coefficients of a polynomial."""


def normal_form(name: str, slope: fmpq | None, coefficients: tuple[fmpq, ...] | None) -> Spelled:
    """Return the one spelling of an activation.

    Leaky slopes 1, 0, −1 are the identity, ReLU and |z|; the polynomial x is the identity;
    leading zeros of a polynomial are dropped.

    Raises
    ------
    InputError
        If the name is unknown or the polynomial is zero.

    Examples
    --------
    >>> normal_form("leaky_relu", fmpq(0), None)
    ('relu', None, None)
    >>> normal_form("polynomial", None, (fmpq(0), fmpq(1), fmpq(0)))
    ('identity', None, (0, 1))
    """
    if name == LEAKY and slope is not None:
        special = {ONE: IDENTITY, ZERO: "relu", -ONE: "abs"}.get(slope)
        if special is None:
            return LEAKY, slope, None
        name = special
    if name == IDENTITY:
        return IDENTITY, None, (ZERO, ONE)
    if name in CATALOGUE:
        return name, None, None
    if name != POLYNOMIAL or coefficients is None:
        raise InputError(f"the activation {name!r} is not known")
    expanded = tuple(fmpq_poly(list(coefficients)).coeffs())
    if not expanded:
        fix = "write zero weights in the next layer instead"
        raise InputError("the activation is the zero polynomial", fix=fix)
    return (IDENTITY if expanded == (ZERO, ONE) else POLYNOMIAL), None, expanded


def neuron_of(spelled: Spelled) -> Neuron:
    """Return the symmetry data of an activation in normal form."""
    name, slope, coefficients = spelled
    if coefficients is not None:
        return _polynomial_neuron(coefficients)
    if slope is not None:
        return Neuron("positive", kinks=(ZERO,), pieces=((slope, ZERO), (ONE, ZERO)))
    return CATALOGUE[name]


def _polynomial_neuron(coefficients: tuple[fmpq, ...]) -> Neuron:
    """Return the symmetry data of a polynomial, read off its expansion about the centre.

    With σ(z) = Σ p_k (z − c)^k and p_{r−1} = 0, the equations α^k p_k = λp_k for k ≥ 1
    leave every α ≠ 0 for a shifted monomial, ±1 for one parity of k, and 1 otherwise.
    """
    degree = len(coefficients) - 1
    if degree < 2:
        intercept, slope = (*coefficients, ZERO)[:2]
        return Neuron("nonzero", at_centre=intercept, pieces=((slope, intercept),))
    centre = -coefficients[-2] / (degree * coefficients[-1])
    centred = fmpq_poly(list(coefficients))(fmpq_poly([centre, ONE]))
    powers = [k for k in range(1, degree + 1) if centred[k]]
    scalings: Scalings = "one"
    if powers == [degree]:
        scalings = "nonzero"
    elif len({k % 2 for k in powers}) == 1:
        scalings = "sign"
    flip = None if any(coefficients[0::2]) else ODD
    return Neuron(scalings, centre, centred[0], (-1) ** degree, flip)
