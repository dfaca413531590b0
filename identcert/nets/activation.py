"""Entrywise nonlinearities, with the affine maps that pass through them.

σ-intertwiner == numbers (α, β, λ, ν), α ≠ 0, with σ(αz + β) = λσ(z) + ν for all real z
centre        == the c such that β = c(1 − α) for all of them: K scales about the centre
transport     == α ↦ (λ, ν)

The data of the named activations stand in `identcert.nets.catalogue`; those of a
polynomial are computed from its coefficients.

Source: theory of §2.1 (neuron symmetries) and §13 (activations are normalised first).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from flint import arb, fmpq, fmpq_poly

from identcert.errors import InputError, UnsupportedError
from identcert.exact.field import Element, Field, as_rational
from identcert.nets.catalogue import Flip, Neuron, Pair, Scalings
from identcert.nets.normal_form import LEAKY, POLYNOMIAL, neuron_of, normal_form
from identcert.nets.numeric import ball_value, float_value
from identcert.nets.polynomial_text import polynomial_text
from identcert.nets.spelling import parse_spelling


@dataclass(frozen=True, slots=True)
class Activation:
    """An entrywise nonlinearity σ: R → R in normal form, with its intertwiner group.

    Whenever ``admits(α)`` holds, σ(c + α(z − c)) = λσ(z) + ν for all real z, with c the
    ``centre`` and (λ, ν) = ``transport(α)``. For an affine σ every α ≠ 0 passes and much
    more besides, so such layers are folded into their neighbours.

    Equal functions have equal values: slopes 1, 0, −1 of a leaky ReLU are the identity,
    ReLU and |z|, and a polynomial is its expanded coefficients.

    Attributes
    ----------
    name : a name of the catalogue, ``identity``, ``leaky_relu`` or ``polynomial``.
    slope : slope s of the leaky ReLU on the left, else None.
    coefficients : ascending coefficients if σ is a polynomial (the identity is), else None.

    Raises
    ------
    InputError
        If the name is not known or the polynomial is zero.

    Examples
    --------
    >>> square = Activation.polynomial([0, 0, 1])
    >>> square.text(), square.scalings, square.encode()
    ('x^2', 'nonzero', {'polynomial': ['0', '0', '1']})
    >>> Activation.leaky_relu(-1)
    Activation('abs')
    """

    name: str
    slope: fmpq | None = None
    coefficients: tuple[fmpq, ...] | None = None
    _neuron: Neuron = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        spelled = normal_form(self.name, self.slope, self.coefficients)
        for attribute, value in zip(("name", "slope", "coefficients"), spelled, strict=True):
            object.__setattr__(self, attribute, value)
        object.__setattr__(self, "_neuron", neuron_of(spelled))

    def __repr__(self) -> str:
        return f"Activation({self.text()!r})"

    @classmethod
    def leaky_relu(cls, slope: int | Fraction | fmpq) -> Activation:
        """Return z ↦ z for z ≥ 0 and s·z for z < 0."""
        return cls(LEAKY, slope=as_rational(slope))

    @classmethod
    def polynomial(cls, coefficients: Sequence[int | Fraction | fmpq]) -> Activation:
        """Return the polynomial with the given ascending rational coefficients."""
        return cls(POLYNOMIAL, coefficients=tuple(as_rational(c) for c in coefficients))

    @classmethod
    def parse(cls, obj: object, where: str | None = None) -> Activation:
        """Return the activation that a network file spells; see `identcert.nets.spelling`.

        Raises
        ------
        InputError
            If it spells none; ``where`` names the place.
        """
        return cls(*parse_spelling(obj, where))

    @property
    def key(self) -> str:
        """The canonical text that names the function; equal functions have equal keys."""
        if self.name == LEAKY:
            return f"{LEAKY}({self.slope})"
        if self.name == POLYNOMIAL:
            return f"{POLYNOMIAL}({','.join(map(str, self.coefficients or ()))})"
        return self.name

    def encode(self) -> str | dict[str, Any]:
        """Return the canonical JSON of the activation."""
        if self.name == LEAKY:
            return {LEAKY: str(self.slope)}
        if self.name == POLYNOMIAL:
            return {POLYNOMIAL: [str(c) for c in self.coefficients or ()]}
        return self.name

    def text(self) -> str:
        """Return the activation as people write it, such as ``tanh`` or ``x^2 + x``."""
        if self.name == POLYNOMIAL:
            return polynomial_text(self.coefficients or ())
        return self.key

    @property
    def centre(self) -> fmpq:
        """The c with β = c(1 − α) for every σ-intertwiner."""
        return self._neuron.centre

    @property
    def scalings(self) -> Scalings:
        """Which α the full intertwiner group contains (for an affine σ: at least)."""
        return self._neuron.scalings

    @property
    def flip(self) -> Flip | None:
        """The (s, m, q) with σ(−z) = s·σ(z) + m·z + q, where one is known, else None."""
        return self._neuron.flip

    @property
    def kinks(self) -> tuple[fmpq, ...]:
        """The break points of a piecewise-linear σ, ascending."""
        return self._neuron.kinks

    @property
    def pieces(self) -> tuple[Pair, ...]:
        """The (slope, intercept) of a piecewise-linear σ between its kinks; else empty."""
        return self._neuron.pieces

    @property
    def is_linear_right(self) -> bool:
        """Whether σ is not piecewise linear, but σ(z) = z for all z ≥ 0 (ELU)."""
        return self._neuron.is_linear_right

    @property
    def is_piecewise_linear(self) -> bool:
        """Whether σ is affine on finitely many intervals; true of an affine σ."""
        return bool(self._neuron.pieces)

    @property
    def is_polynomial(self) -> bool:
        """Whether σ is a polynomial; true of an affine σ."""
        return self.coefficients is not None

    @property
    def affine(self) -> Pair | None:
        """The (p, q) with σ(z) = pz + q, or None if σ is not affine."""
        return self._neuron.pieces[0] if len(self._neuron.pieces) == 1 else None

    def admits(self, alpha: Element, field: Field) -> bool:
        """Return whether z ↦ c + α(z − c) passes through σ, exactly.

        Raises
        ------
        UnsupportedError
            If that asks for the sign of an α that depends on parameters.
        """
        alpha = field(alpha)
        if field.is_zero(alpha):
            return False
        if alpha == field.one or self.scalings == "nonzero":
            return True
        if self.scalings == "sign":
            return bool(alpha == -field.one)
        return self.scalings == "positive" and field.sign(alpha) > 0

    def transport(self, alpha: Element, field: Field) -> tuple[Element, Element]:
        """Return (λ, ν) with σ(c + α(z − c)) = λσ(z) + ν for all real z.

        Raises
        ------
        InputError
            If σ does not admit α.
        UnsupportedError
            If λ asks for the sign of an α that depends on parameters.

        Examples
        --------
        >>> from identcert.exact.field import QQ
        >>> Activation("sigmoid").transport(QQ(-1), QQ)
        (-1, 1)
        """
        alpha = field(alpha)
        if not self.admits(alpha, field):
            raise InputError(f"{self.text()} does not pass the scaling {field.text(alpha)}")
        if alpha == field.one:
            return field.one, field.zero
        factor = self._factor(alpha, field)
        # put z = c into the equation: whatever λ is, ν = (1 − λ)σ(c)
        return factor, (field.one - factor) * field(self._neuron.at_centre)

    def _factor(self, alpha: Element, field: Field) -> Element:
        if self.scalings == "sign":
            return field(self._neuron.reflection)
        if self.coefficients is not None:
            return alpha ** max(1, len(self.coefficients) - 1)
        if self.name == "abs" and field.sign(alpha) < 0:
            return -alpha
        return alpha

    def apply(self, x: Element, field: Field) -> Element | None:
        """Return σ(x) exactly, or None where σ(x) is not known to lie in the field.

        Exact for polynomials, for piecewise-linear σ where x has a sign, and at 0 for
        the others except softplus.

        Examples
        --------
        >>> from identcert.exact.field import QQ
        >>> Activation("relu6").apply(QQ(7), QQ), Activation("tanh").apply(QQ(1), QQ)
        (6, None)
        """
        if self.coefficients is not None:
            return _horner(self.coefficients, x, field)
        if self.is_piecewise_linear:
            return self._apply_piece(x, field)
        if field.is_zero(x):
            at_zero = self._neuron.at_centre  # transcendental σ have their centre at 0
            return None if at_zero is None else field(at_zero)
        if self.is_linear_right and _sign(x, field) == 1:
            return x
        return None

    def _apply_piece(self, x: Element, field: Field) -> Element | None:
        index = 0
        for kink in self.kinks:
            side = _sign(x - field(kink), field)
            if side is None:
                return None
            index += side >= 0
        slope, intercept = self.pieces[index]
        if slope == 1 and not intercept:
            return x
        return x * field(slope) + field(intercept)

    def ball(self, x: arb) -> arb:
        """Return a rigorous enclosure of σ on a ball, at the working precision."""
        return ball_value((self.name, self.slope, self.coefficients), x)

    def numpy(self, x: Any) -> Any:
        """Return σ of an array entry by entry in float64; it decides nothing."""
        return float_value((self.name, self.slope, self.coefficients), x)


def activation(spelling: str | Activation | dict[str, Any]) -> Activation:
    """Return an activation from its name, its polynomial, or itself.

    Examples
    --------
    >>> activation("(x+1)^2 - 1").text(), activation("tanh").scalings
    ('x^2 + 2*x', 'sign')
    """
    return spelling if isinstance(spelling, Activation) else Activation.parse(spelling)


def _horner(coefficients: tuple[fmpq, ...], x: Element, field: Field) -> Element:
    if field.kind == "rational":
        return fmpq_poly(list(coefficients))(x)
    total = field.zero
    for c in reversed(coefficients):
        total = total * x + field(c)
    return total


def _sign(x: Element, field: Field) -> int | None:
    """Return the sign of x, or None if it depends on parameters."""
    try:
        return field.sign(x)
    except UnsupportedError:
        return None
