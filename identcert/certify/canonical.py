"""Canonical forms of shallow networks, and what they decide.

canonical form == (C, Λ, {feature ↦ coefficient ≠ 0}): f = C + Λx + Σ coefficient·feature
decided        == two networks are equal exactly when their canonical forms are, up to
                  numbers C that are formally different and may be equal

The features are linearly independent together with 1 and the coordinates, for every
activation of the format: so the form is unique. For sin this rests on the theorem of
Lindemann and Weierstrass: Σ a_j·e^{ib_j} ≠ 0 for distinct algebraic b_j and algebraic
a_j not all 0, so that sin(w·x + b_j) with one w stay independent over algebraic numbers.

Formal constants in C that are equal as spelled are equal. If they differ as spelled, the
numbers differ for tanh, sigmoid and SiLU of algebraic arguments (Lemma C), and for sin
and ELU (Lindemann and Weierstrass); in general a ball that excludes 0 is needed.

Source: theory of one hidden layer (Theorems 1 and 2, Lemma C).
"""

from __future__ import annotations

import json
import math
import time
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from identcert.arguments import check_budget
from identcert.certify.feature import Feature, in_tanh
from identcert.certify.feature_sum import FeatureSum, feature_sum
from identcert.certify.separation import Point, separating_points
from identcert.errors import OutOfBudget, UnsupportedError
from identcert.exact.balls import lower_bound_abs
from identcert.exact.matrix import Matrix
from identcert.nets.constant import Constant, entry_text
from identcert.nets.network import Network
from identcert.submodels.reduction import reduce_network

BITS = (64, 256, 1024, 4096)
ONE_FAMILY = ({"tanh"}, {"silu"}, {"sin", "elu"})


@dataclass(frozen=True, slots=True)
class CanonicalForm:
    """The function C + Λx + Σ coefficient·feature, spelled in one way.

    Attributes
    ----------
    field : the coefficient field.
    constant : C, elements of the field or formal constants.
    linear : Λ, of shape (outputs, inputs).
    features : pairs (feature, coefficient), no coefficient 0, in canonical order.
    """

    field: Any
    constant: tuple[Any, ...]
    linear: Matrix
    features: tuple[tuple[Feature, tuple[Any, ...]], ...]

    @property
    def is_zero(self) -> bool:
        """Whether this is the form of the zero function."""
        return not self.features and self.linear.is_zero() and not any(self.constant)

    def text(self) -> str:
        """Return one line an output, as people write the function.

        Examples
        --------
        >>> hidden, last = ([[1], [1], [1]], [1, 0, -1], "relu"), ([[1, -2, 1]], None, "identity")
        >>> print(canonical_form(Network.dense([hidden, last])).text())
        y0 = 1/2*|x0 - 1| - |x0| + 1/2*|x0 + 1|
        """
        return "\n".join(f"y{j} = {self._row_text(j)}" for j in range(len(self.constant)))

    def _row_text(self, j: int) -> str:
        field = self.field
        parts = [entry_text(self.constant[j], field)] if self.constant[j] else []
        names = [(f"x{i}", entry) for i, entry in enumerate(self.linear.row(j))]
        names += [(feature.text(field), column[j]) for feature, column in self.features]
        parts += [_multiple_text(entry, name, field) for name, entry in names if entry]
        return " + ".join(parts).replace("+ -", "- ") or "0"

    def encode(self) -> dict[str, Any]:
        """Return JSON that determines the form over its field."""
        encode = self.field.encode
        return {
            "constant": [
                c.encode() if isinstance(c, Constant) else encode(c) for c in self.constant
            ],
            "linear": [[encode(x) for x in row] for row in self.linear.to_rows()],
            "features": [
                [*feature.encode(self.field), [encode(c) for c in column]]
                for feature, column in self.features
            ],
        }


def _multiple_text(entry: Any, name: str, field: Any) -> str:
    if entry == field.one or entry == -field.one:
        return name if entry == field.one else f"-{name}"
    text = field.text(entry)
    return f"({text})*{name}" if " " in text else f"{text}*{name}"


def canonical_form(network: Network | str | Path, *, budget: float = 60.0) -> CanonicalForm:
    """Return the canonical form of a network that is shallow once it is reduced.

    Polynomial networks of any depth have one as well: their monomials.

    Raises
    ------
    UnsupportedError
        If the reduced network is deep and no polynomial, or a sign that is needed
        depends on parameters.
    OutOfBudget
        If the expansion of a polynomial network is too large or too slow.

    Examples
    --------
    >>> clamps = [([[2], [2]], [-1, -3], "hard_tanh"), ([[1, 1]], None, "identity")]
    >>> other = [([[1]], [-1], "hard_tanh"), ([[2]], None, "identity")]
    >>> canonical_form(Network.dense(clamps)) == canonical_form(Network.dense(other))
    True
    """
    check_budget(budget)
    net = network if isinstance(network, Network) else Network.load(network)
    reduced = reduce_network(net).reduced
    found = feature_sum([(1, reduced)], time.monotonic() + budget)
    return _form(found)


def _form(found: FeatureSum) -> CanonicalForm:
    field = found.field

    def order(item: tuple[Feature, Any]) -> str:
        return json.dumps(item[0].encode(field), sort_keys=True)

    features = tuple(sorted(found.features(), key=order))
    return CanonicalForm(field, tuple(found.constant), found.linear, features)


@dataclass(frozen=True, slots=True)
class Equal:
    """The two functions are equal: their canonical forms agree."""


@dataclass(frozen=True, slots=True)
class Different:
    """The canonical forms differ, and so the functions do.

    Attributes
    ----------
    points : rational points; over ordered fields one of them separates two
        piecewise-linear functions, and for others they are good first guesses.
    reason : what differs, in words.
    """

    points: tuple[Point, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nothing is decided, for the stated reason."""

    reason: str
    is_budget: bool = False


def decide_by_canonical_form(
    left: Network, right: Network, deadline: float = math.inf, seed: int = 0
) -> Equal | Different | Unknown:
    """Decide whether two networks over one field compute the same function.

    The form of the difference is compared with 0: a network is shallow if it has one
    hidden layer, or none, once its affine layers are composed.

    Parameters
    ----------
    left, right : networks with equal dimensions over one field.
    deadline : monotonic seconds after which an expansion stops.
    seed : seed of the separating points.

    Examples
    --------
    >>> tent = [([[1], [1], [1]], [1, 0, -1], "relu"), ([[1, -2, 1]], None, "identity")]
    >>> back = [([[-1], [-1], [-1]], [1, 0, -1], "relu"), ([[1, -2, 1]], None, "identity")]
    >>> decide_by_canonical_form(Network.dense(tent), Network.dense(back))
    Equal()
    """
    try:
        difference = feature_sum([(1, left), (-1, right)], deadline)
    except UnsupportedError as refusal:
        return Unknown(str(refusal))
    except OutOfBudget as limit:
        return Unknown(str(limit), is_budget=True)
    features = difference.features()
    if features:
        reason = f"the coefficients of {len(features)} features of the canonical forms differ"
        return Different(separating_points(difference.field, features, seed), reason)
    if not difference.linear.is_zero():
        reason = "all features agree and the linear parts differ"
        return Different(corner_points(difference.inputs), reason)
    return _compare_constants(difference)


def corner_points(inputs: int) -> tuple[Point, ...]:
    """Return 0, e_1, …, e_n: affine maps that agree there are equal."""
    zero = (Fraction(0),) * inputs
    return (zero, *((*zero[:i], Fraction(1), *zero[i + 1 :]) for i in range(inputs)))


def _compare_constants(difference: FeatureSum) -> Equal | Different | Unknown:
    origin = corner_points(difference.inputs)[:1]
    reason = "all features and the linear parts agree, and the constants differ"
    entries = [entry for entry in difference.constant if entry]
    if not entries:
        return Equal()
    if not difference.field.is_ordered or any(not isinstance(c, Constant) for c in entries):
        return Different(origin, reason)
    if any(lower_bound_abs(c.ball(bits)) > 0 for bits in BITS for c in entries):
        return Different(origin, reason)
    if any(map(is_decisive, entries)):
        return Different(origin, f"{reason}, by less than 2^-{BITS[-1]}")
    return Unknown(
        f"the functions differ at most by the constant {entries[0].text()}, which no ball of "
        f"{BITS[-1]} bits separates from 0; no theorem here compares such numbers as spelled"
    )


def is_decisive(constant: Constant) -> bool:
    """Return whether a constant that is not 0 as spelled is certainly not 0.

    True for atoms of one family with algebraic arguments: tanh or SiLU (Lemma C), sin and
    ELU (Lindemann and Weierstrass).

    Examples
    --------
    >>> from identcert.exact.field import QQ
    >>> from identcert.nets.activation import activation
    >>> from identcert.nets.constant import constant_value
    >>> [is_decisive(constant_value(activation(s), QQ(1), QQ)) for s in ("tanh", "erf")]
    [True, False]
    """
    spelled = in_tanh(constant)
    atoms = [atom for _, atom in spelled.terms] if isinstance(spelled, Constant) else []
    names = {atom.activation.name for atom in atoms}
    plain = not any(isinstance(atom.argument, Constant) for atom in atoms)
    return plain and constant.field.is_ordered and any(names <= family for family in ONE_FAMILY)


def has_comparable_constants(network: Network) -> bool:
    """Return whether biases that differ as spelled are certainly different numbers (Lemma C).

    True if all formal constants are of one family, with plain arguments.
    """
    entries = [c for layer in network.layers for c in layer.bias if isinstance(c, Constant)]
    atoms = [atom for entry in entries for _, atom in entry.terms]
    return len({atom.activation for atom in atoms}) <= 1 and all(map(is_decisive, entries))
