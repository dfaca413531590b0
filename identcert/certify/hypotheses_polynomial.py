"""Hypotheses about polynomial activations: shapes, degrees against bounds, Kruskal ranks.

D       == the largest hidden width
bound   == the number that a degree must exceed or reach; the evidence states both
homogenised layer == [[W, b], [0, 1]], for biases

Source: theory of polynomial networks (§4): Theorem 3 and its layerwise form, Usevich et
al. Props. 24 and 35, Kohn et al.
"""

from __future__ import annotations

from fractions import Fraction

from identcert.certify.hypotheses import Evidence, Predicate, hidden, no_biases, widest
from identcert.certify.polynomial_shapes import (
    ShiftedPower,
    is_tight,
    perfect_power,
    shifted_power,
)
from identcert.exact.kruskal import KruskalRank, kruskal_rank
from identcert.exact.matrix import Matrix
from identcert.nets.network import Network


def shifted_powers(network: Network) -> list[ShiftedPower] | None:
    """Return the hidden activations as a(z − c)^r + d, or None if one is of another shape."""
    found = [shifted_power(layer.activation) for layer in network.layers[:-1]]
    shapes = [shape for shape in found if shape is not None]
    return shapes if shapes and len(shapes) == len(found) else None


def is_homogeneous(network: Network) -> bool:
    """Return whether every hidden activation is a·z^r and all biases are 0."""
    shapes = shifted_powers(network)
    if shapes is None or not all(shape.is_homogeneous for shape in shapes):
        return False
    return no_biases(network).holds is True


def powers(network: Network) -> Evidence:
    """Every hidden activation is a power a·z^r with r ≥ 2."""
    shapes = shifted_powers(network)
    text = ", ".join(network.activation_names)
    holds = shapes is not None and all(shape.is_homogeneous for shape in shapes)
    return Evidence(holds, text or "no hidden layer")


def shifted(network: Network) -> Evidence:
    """Every hidden activation is a(z − c)^r + d; shift and offset join the biases."""
    shapes = shifted_powers(network)
    return Evidence(shapes is not None, ", ".join(network.activation_names) or "no hidden layer")


def _degree_against(value: int, relation: str, bound: int | Fraction, formula: str) -> Evidence:
    """Return the evidence of r > bound or r ≥ bound."""
    holds = value > bound if relation == ">" else value >= bound
    sign = {(">", True): ">", (">", False): "≤", ("≥", True): "≥", ("≥", False): "<"}
    text = f"degree {value} {sign[relation, holds]} {bound} = {formula}"
    data = {"degree": value, "bound": str(bound), "relation": relation}
    return Evidence(holds, text, data)


def degree_exceeds_uniform_bound(biased: bool) -> Predicate:
    """Return the predicate r > 2D(2D − 2), with biases r > (2D + 1)(2D − 1)."""

    def predicate(network: Network) -> Evidence:
        shapes = shifted_powers(network)
        if shapes is None:
            return Evidence(False, "the activations are no powers")
        width, degree = widest(network), min(shape.degree for shape in shapes)
        if biased:
            bound, formula = (2 * width + 1) * (2 * width - 1), "(2D+1)(2D−1)"
        else:
            bound, formula = 2 * width * (2 * width - 2), "2D(2D−2)"
        return _degree_against(degree, ">", bound, f"{formula} with D = {width}")

    return predicate


def degrees_exceed_layer_bounds(biased: bool) -> Predicate:
    """Return r_1 ≥ 2d_1 − 1 and r_j > 4d_j(d_j − 1); with biases r_1 ≥ 2d_1 and r_j ≥ 4d_j²."""

    def predicate(network: Network) -> Evidence:
        shapes = shifted_powers(network)
        if shapes is None:
            return Evidence(False, "the activations are no powers")
        parts, holds = [], True
        for (number, layer, _), shape in zip(hidden(network), shapes, strict=True):
            bound = _layer_bound(layer.outputs, number == 1, biased)
            holds = holds and shape.degree >= bound
            relation = "≥" if shape.degree >= bound else "<"
            parts.append(f"r_{number} = {shape.degree} {relation} {bound}")
        return Evidence(holds, ", ".join(parts))

    return predicate


def _layer_bound(width: int, is_first: bool, biased: bool) -> int:
    """Return the smallest degree that the layerwise theorem takes."""
    if is_first:
        return 2 * width if biased else 2 * width - 1
    return 4 * width * width if biased else 4 * width * (width - 1) + 1


def _factors(network: Network, biased: bool) -> tuple[Matrix, Matrix]:
    """Return W_1ᵀ and W_2, homogenised where there are biases, shifts or offsets."""
    layer, last = network.layers[:2]
    if not biased:
        return layer.weight.T, last.weight
    shape, field = shifted_power(layer.activation), network.field
    centre, offset = (shape.centre, shape.offset) if shape else (0, 0)
    rows = [(*row, b - centre) for row, b in zip(layer.weight.to_rows(), layer.bias, strict=True)]
    corner = (*([field.zero] * layer.inputs), field.one)
    shifts = last.weight.apply([field(offset)] * layer.outputs)
    above = [
        (*row, b + shift)
        for row, b, shift in zip(last.weight.to_rows(), last.bias, shifts, strict=True)
    ]
    below = (*([field.zero] * layer.outputs), field.one)
    return Matrix.of([*rows, corner], field).T, Matrix.of([*above, below], field)


def kruskal_condition(biased: bool) -> Predicate:
    """Return r ≥ (2d_1 − krank W_2)/(krank W_1ᵀ − 1) with krank W_1ᵀ ≥ 2 and krank W_2 ≥ 1."""

    def predicate(network: Network) -> Evidence:
        shape = shifted_power(network.layers[0].activation)
        if shape is None:
            return Evidence(False, "the activation is no power")
        inner, outer = (kruskal_rank(m) for m in _factors(network, biased))
        width = network.layers[0].outputs + int(biased)
        return _kruskal_evidence(shape.degree, width, inner, outer)

    return predicate


def _kruskal_evidence(degree: int, width: int, inner: KruskalRank, outer: KruskalRank) -> Evidence:
    """Compare the degree with Kruskal's bound; lower bounds of ranks only ever prove it."""
    known = inner.is_exact and outer.is_exact
    ranks = f"krank W_1ᵀ = {inner.text()}, krank W_2 = {outer.text()}"
    data = {"krank_incoming": inner.value, "krank_outgoing": outer.value, "exact": known}
    if inner.value < 2 or outer.value < 1:
        return Evidence(False if known else None, f"{ranks}; at least 2 and 1 are needed", data)
    bound = Fraction(2 * width - outer.value, inner.value - 1)
    holds = degree >= bound
    relation = "≥" if holds else "<"
    text = f"{ranks}; degree {degree} {relation} {bound} = (2·{width} − krank W_2)/(krank W_1ᵀ − 1)"
    return Evidence(True if holds else (False if known else None), text, data)


def at_least_two(network: Network) -> Evidence:
    """There are at least two inputs and two hidden neurons."""
    inputs, width = network.inputs, network.layers[0].outputs
    return Evidence(min(inputs, width) >= 2, f"{inputs} inputs, {width} hidden neurons")


def passes_origin(network: Network) -> Evidence:
    """Every hidden activation has σ(0) = 0."""
    layers = network.layers[:-1]
    holds = all(c is not None and c[0] == 0 for c in (x.activation.coefficients for x in layers))
    return Evidence(holds, "σ(0) = 0" if holds else "σ(0) ≠ 0 in some layer")


def power_exceeds_bound(network: Network) -> Evidence:
    """σ = f^l with l > k(k − 2), k = 2D, f = a_1 z + … + a_d z^d and a_{d−1}·a_d ≠ 0."""
    sigma = network.layers[0].activation
    power = perfect_power(sigma.coefficients or ())
    if power is None or not is_tight(power.base):
        return Evidence(False, f"{sigma.text()} is no power of such a polynomial")
    k = 2 * widest(network)
    found = _degree_against(power.exponent, ">", k * (k - 2), f"k(k−2) with k = 2D = {k}")
    return Evidence(found.holds, found.text.replace("degree", "exponent"), found.data)


def shifted_power_reaches_bound(network: Network) -> Evidence:
    """σ = a·((bz + 1)^r − 1) with r ≥ k² − 1 = 4D² − 1."""
    shape = shifted_power(network.layers[0].activation)
    if shape is None or shape.centre == 0 or passes_origin(network).holds is not True:
        text = f"{network.layers[0].activation.text()} is not of the form (z+1)^r − 1"
        return Evidence(False, text)
    width = widest(network)
    return _degree_against(shape.degree, "≥", 4 * width**2 - 1, f"4D² − 1 with D = {width}")


def width_one(network: Network) -> Evidence:
    """Every hidden layer has one neuron."""
    width = widest(network)
    return Evidence(width == 1, f"the largest hidden width is {width}", {"width": width})


def is_tight_activation(network: Network) -> Evidence:
    """σ = a_1 z + … + a_r z^r with r ≥ 2 and a_{r−1}·a_r ≠ 0."""
    sigma = network.layers[0].activation
    return Evidence(is_tight(sigma.coefficients or ()), f"σ = {sigma.text()}")
