"""Features: the functions of the input that a shallow network is a sum of.

feature == one function of the input: |w·x + b| for a hyperplane, σ(w·x + b) for an
           analytic σ, or a monomial

A row (w, b) and its multiples have one feature: up to every factor other than 0 for a
hyperplane, up to the sign where σ(−z) = sσ(z) + mz + q. Its normal form has a positive
first weight; that of a hyperplane over Q consists of coprime integers.

Source: theory of neuron symmetries (§2.1) and of folded constants (Lemma C).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from identcert.nets.activation import Activation
from identcert.nets.constant import Constant, constant_value, entry_text

ABS, TANH = Activation("abs"), Activation("tanh")
MONOMIAL = "monomial"
HALF = fmpq(1, 2)


@dataclass(frozen=True, slots=True)
class Feature:
    """One function of the input, in normal form.

    Attributes
    ----------
    kind : ``abs`` for |w·x + b|, the name of an analytic σ, or ``monomial``.
    weights : w, elements of the field; for a monomial its exponents.
    bias : b; for a monomial 0.
    """

    kind: str
    weights: tuple[Any, ...]
    bias: Any

    def text(self, field: Any) -> str:
        """Return the feature as people write it, such as ``tanh(x0 - 2*x1 + 1)``."""
        if self.kind == MONOMIAL:
            powers = [(f"x{i}", e) for i, e in enumerate(self.weights) if e]
            return "*".join(name if e == 1 else f"{name}^{e}" for name, e in powers)
        parts = [
            name if w == field.one else f"{_bracketed(field.text(w))}*{name}"
            for name, w in ((f"x{i}", w) for i, w in enumerate(self.weights))
            if not field.is_zero(w)
        ]
        if self.bias:
            parts.append(entry_text(self.bias, field))
        inner = " + ".join(parts).replace("+ -", "- ")
        return f"|{inner}|" if self.kind == ABS.name else f"{self.kind}({inner})"

    def encode(self, field: Any) -> list[Any]:
        """Return JSON that determines the feature; features are sorted by its text."""
        if self.kind == MONOMIAL:
            return [self.kind, list(self.weights)]
        bias = self.bias.encode() if isinstance(self.bias, Constant) else field.encode(self.bias)
        return [self.kind, [field.encode(w) for w in self.weights], bias]


def normal_form(kind: str, scale: Any, weights: Sequence[Any], bias: Any, field: Any) -> Feature:
    """Return the feature of a row: row/scale for the scale that belongs to its key."""
    if kind == MONOMIAL:
        return Feature(kind, tuple(weights), bias)
    inverse = field.one / scale
    return Feature(kind, tuple(w * inverse for w in weights), bias * inverse)


def in_tanh(entry: Any) -> Any:
    """Return a constant with sigmoid(b) = 1/2 + tanh(b/2)/2 put in.

    Lemma C speaks of one family of atoms, so equal numbers get equal spellings.

    Examples
    --------
    >>> from identcert.exact.field import QQ
    >>> in_tanh(constant_value(Activation("sigmoid"), QQ(3), QQ))
    Constant('1/2 + 1/2*tanh(3/2)')
    """
    if not isinstance(entry, Constant):
        return entry
    field, total = entry.field, entry.value
    for coefficient, atom in entry.terms:
        argument = in_tanh(atom.argument)
        if atom.activation.name == "sigmoid":
            value = constant_value(TANH, argument * HALF, field) * HALF + HALF
        else:
            value = constant_value(atom.activation, argument, field)
        total = total + value * coefficient
    return total


def _bracketed(text: str) -> str:
    return f"({text})" if " " in text else text
