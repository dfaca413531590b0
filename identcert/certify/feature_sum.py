"""Shallow networks as sums of independent features.

coefficient == a vector of the output space
feature sum == C + Λx + Σ coefficient·feature, with distinct features

Every neuron is rewritten on its feature, by identities that hold for all real z:

* piecewise-linear: σ(z) = mz + c + Σ δ_i|z − τ_i| over the kinks τ_i, and |κz| = |κ||z|,
* a reflection: σ(−z) = sσ(z) + mz + q, so that the first weight is positive,
* sigmoid(z) = 1/2 + tanh(z/2)/2,
* a polynomial: its monomials.

Source: theory of one hidden layer (§2.1, Theorems 1 and 2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from flint import fmpq

from identcert.certify.feature import ABS, HALF, MONOMIAL, TANH, Feature, in_tanh, normal_form
from identcert.certify.identity import MAX_TERMS, expand, is_polynomial, term_bound
from identcert.errors import OutOfBudget, UnsupportedError
from identcert.exact.matrix import Matrix
from identcert.exact.polynomial import PolynomialRing
from identcert.nets.constant import constant_value
from identcert.nets.network import Layer, Network
from identcert.submodels.reduction import fold_affine_layers
from identcert.submodels.row_keys import projective_key, row_keys
from identcert.submodels.rows import zero_rows


class FeatureSum:
    """C + Λx + Σ coefficient·feature, while networks are added to it.

    Attributes
    ----------
    field, inputs, outputs : the coefficient field and the dimensions.
    constant : C, elements or formal constants.
    linear : Λ, of shape (outputs, inputs).
    """

    def __init__(self, field: Any, inputs: int, outputs: int) -> None:
        self.field, self.inputs, self.outputs = field, inputs, outputs
        self.constant: list[Any] = [field.zero] * outputs
        self.linear = Matrix.zeros(outputs, inputs, field)
        self._coefficients: dict[Any, list[Any]] = {}
        self._normal_forms: dict[Any, Callable[[], Feature]] = {}
        self._rays: dict[Any, Any] = {}

    def features(self) -> list[tuple[Feature, tuple[Any, ...]]]:
        """Return the features with a coefficient other than 0, in order of appearance."""
        return [
            (self._normal_forms[key](), tuple(column))
            for key, column in self._coefficients.items()
            if any(column)
        ]

    def has_features(self) -> bool:
        """Return whether a feature has a coefficient other than 0."""
        return any(any(column) for column in self._coefficients.values())

    def add(self, network: Network, sign: int, deadline: float) -> None:
        """Add sign·f for a network without affine hidden layers.

        Raises
        ------
        UnsupportedError
            If it has more than one hidden layer and is no polynomial, or a sign that is
            needed depends on parameters.
        OutOfBudget
            If its expansion as a polynomial is too large.
        """
        last = network.layers[-1]
        for j, entry in enumerate(last.bias):
            self.constant[j] = self.constant[j] + in_tanh(entry) * sign
        weight = last.weight.scale(sign)
        if len(network.layers) == 1:
            self.linear = self.linear + weight
        elif is_polynomial(network):
            self._add_polynomial(network, sign, deadline)
        elif len(network.layers) == 2:
            self._add_neurons(network.layers[0], weight)
        else:
            raise UnsupportedError(
                "the network has more than one hidden layer, and canonical forms are those of "
                "shallow or polynomial networks"
            )

    def _add_neurons(self, layer: Layer, columns: Matrix) -> None:
        if not layer.has_plain_bias:
            raise UnsupportedError("a formal constant stands in the bias of the hidden layer")
        constant = set(zero_rows(layer.weight))
        for j in constant:
            value = in_tanh(constant_value(layer.activation, layer.bias[j], self.field))
            self._shift(columns.column(j), value)
        if constant:
            rest = [j for j in range(layer.weight.rows) if j not in constant]
            bias = tuple(layer.bias[j] for j in rest)
            layer = replace(layer, weight=layer.weight.select_rows(rest), bias=bias)
            columns = columns.select_columns(rest)
        if layer.activation.is_piecewise_linear:
            self._add_kinks(layer, columns)
        elif layer.activation.name == "sigmoid":
            ones = (self.field(HALF),) * layer.weight.rows
            self._shift(columns.apply(ones), self.field.one)
            bias = tuple(b * HALF for b in layer.bias)
            halved = Layer(layer.weight.scale(HALF), bias, TANH)
            self._add_analytic(halved, columns.scale(HALF))
        else:
            self._add_analytic(layer, columns)

    def _shift(self, column: Sequence[Any], value: Any) -> None:
        for j, entry in enumerate(column):
            if entry and value:
                self.constant[j] = self.constant[j] + value * entry

    def _add_affine(self, columns: Matrix, weight: Matrix, bias: Sequence[Any], slope: Any) -> None:
        """Add Σ_j column_j·slope·(w_j·x + b_j)."""
        scaled = columns.scale(slope)
        self.linear = self.linear + scaled @ weight
        for j, entry in enumerate(bias):
            self._shift(scaled.column(j), entry)

    def _add_kinks(self, layer: Layer, columns: Matrix) -> None:
        """Add neurons of a piecewise-linear σ on the hyperplanes of their kinks."""
        sigma, field = layer.activation, self.field
        slopes = [slope for slope, _ in sigma.pieces]
        deltas = [(high - low) / 2 for low, high in pairwise(slopes)]
        offset = sigma.apply(field.zero, field) - field(
            sum((d * abs(t) for d, t in zip(deltas, sigma.kinks, strict=True)), fmpq(0))
        )
        self._shift(columns.apply((field.one,) * columns.cols), offset)
        self._add_affine(columns, layer.weight, layer.bias, (slopes[0] + slopes[-1]) / 2)
        for delta, kink in zip(deltas, sigma.kinks, strict=True):
            bias = tuple(b - kink for b in layer.bias)
            keyed = self._hyperplanes(layer.weight, bias)
            for j, (key, scale) in enumerate(keyed):
                size = -scale if field.sign(scale) < 0 else scale
                self._put(ABS.name, key, scale, layer.weight.row(j), bias[j])
                self._collect(ABS.name, key, columns.column(j), size * field(delta))

    def _hyperplanes(self, weight: Matrix, bias: Sequence[Any]) -> list[tuple[Any, Any]]:
        """Return keys and scales of rows up to factors; over parameters, rational ones.

        Raises
        ------
        UnsupportedError
            If two rows are proportional by a ratio that depends on parameters.
        """
        if self.field.is_ordered:
            return row_keys(weight, bias, ABS, self.field)
        found = []
        for row, entry in zip(weight.to_rows(), bias, strict=True):
            ray, lead = projective_key(row, entry, ABS, self.field)
            unit = self.field(lead.numerator.leading_coefficient())
            if self._rays.setdefault(ray, lead / unit) != lead / unit:
                raise UnsupportedError(
                    "two neurons lie on one hyperplane with a ratio that depends on parameters"
                )
            found.append((ray, unit))
        return found

    def _add_analytic(self, layer: Layer, columns: Matrix) -> None:
        """Add neurons of an analytic σ, the sign of the argument moved out of it."""
        sigma, field = layer.activation, self.field
        keyed = row_keys(layer.weight, layer.bias, sigma if sigma.flip is None else TANH, field)
        factor, slope, intercept = sigma.flip or (1, 0, 0)
        flipped = [j for j, (_, scale) in enumerate(keyed) if scale != field.one]
        if flipped and (slope or intercept):
            # σ(z) = sσ(−z) − mz + q, since σ(−y) = sσ(y) + my + q at y = −z
            chosen = columns.select_columns(flipped)
            bias = [layer.bias[j] for j in flipped]
            self._add_affine(chosen, layer.weight.select_rows(flipped), bias, fmpq(-slope))
            self._shift(chosen.apply((field.one,) * len(flipped)), field(intercept))
        for j, (key, scale) in enumerate(keyed):
            turn = field.one if scale == field.one else field(factor)
            self._put(sigma.name, key, scale, layer.weight.row(j), layer.bias[j])
            self._collect(sigma.name, key, columns.column(j), turn)

    def _add_polynomial(self, network: Network, sign: int, deadline: float) -> None:
        if term_bound(network) > MAX_TERMS:
            what = f"the expansion may have {term_bound(network)} terms, more than {MAX_TERMS}"
            raise OutOfBudget(what)
        last = network.layers[-1]
        plain = replace(last, bias=(self.field.zero,) * self.outputs)
        network = replace(network, layers=(*network.layers[:-1], plain))
        ring = PolynomialRing(self.field, tuple(f"x{i}" for i in range(self.inputs)))
        linear = [[self.field.zero] * self.inputs for _ in range(self.outputs)]
        for j, polynomial in enumerate(expand(network, ring, ring.generators, deadline)):
            for monomial, coefficient in polynomial.terms():
                exponents, value = tuple(map(int, monomial)), coefficient * sign
                if not any(exponents):
                    self.constant[j] = self.constant[j] + value
                elif sum(exponents) == 1:
                    linear[j][exponents.index(1)] = value
                else:
                    column = [self.field.zero] * self.outputs
                    column[j] = value
                    self._put(MONOMIAL, exponents, None, exponents, self.field.zero)
                    self._collect(MONOMIAL, exponents, column, self.field.one)
        self.linear = self.linear + Matrix.of(linear, self.field, cols=self.inputs)

    def _put(self, kind: str, key: Any, scale: Any, weights: Sequence[Any], bias: Any) -> None:
        """Remember how to write the feature of a key, from the first row that has it."""
        if (kind, key) not in self._normal_forms:
            self._normal_forms[kind, key] = lambda: normal_form(
                kind, scale, weights, bias, self.field
            )

    def _collect(self, kind: str, key: Any, column: Iterable[Any], factor: Any) -> None:
        total = self._coefficients.setdefault((kind, key), [self.field.zero] * self.outputs)
        for j, entry in enumerate(column):
            if entry:
                total[j] = total[j] + entry * factor


def feature_sum(terms: Iterable[tuple[int, Network]], deadline: float) -> FeatureSum:
    """Return Σ sign·f of networks with equal dimensions over one field.

    Raises
    ------
    UnsupportedError
        If one of them is deep and no polynomial, or a sign depends on parameters.
    OutOfBudget
        If an expansion is too large.
    """
    total: FeatureSum | None = None
    for sign, network in terms:
        folded, _ = fold_affine_layers(network)
        if total is None:
            total = FeatureSum(folded.field, folded.inputs, folded.outputs)
        total.add(folded, sign, deadline)
    if total is None:
        raise UnsupportedError("a sum of no networks has no dimensions")
    return total
