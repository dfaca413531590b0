"""Theorems about networks with polynomial activations.

Powers z^r come first, then other polynomials without biases.

Source: theory of polynomial networks (§4); the layerwise form of Theorem 3 is the
pointwise monomial theorem of the layerwise theory (§5).
"""

from __future__ import annotations

from collections.abc import Callable

from identcert.certify.hypotheses import (
    no_biases,
    one_activation,
    rows_inequivalent,
    rows_not_proportional,
    rows_unequal,
)
from identcert.certify.hypotheses_polynomial import (
    at_least_two,
    degree_exceeds_uniform_bound,
    degrees_exceed_layer_bounds,
    is_homogeneous,
    is_tight_activation,
    kruskal_condition,
    passes_origin,
    power_exceeds_bound,
    powers,
    shifted,
    shifted_power_reaches_bound,
    shifted_powers,
    width_one,
)
from identcert.certify.polynomial_shapes import is_tight, perfect_power
from identcert.certify.theorems import Hypothesis, Theorem
from identcert.certify.theorems_shallow import COLUMNS, ONE_LAYER, ROWS
from identcert.nets.network import Network

NO_BIASES = Hypothesis("no biases", no_biases)
POWERS = Hypothesis("every hidden activation is a power z^r, r ≥ 2", powers)
SHIFTED = Hypothesis("every hidden activation is a(z − c)^r + d, r ≥ 2", shifted)
NOT_PROPORTIONAL = Hypothesis(
    "no two rows of a hidden layer are proportional", rows_not_proportional
)
SHIFTED_ROWS = Hypothesis(
    "no two rows (w, b − c) of a hidden layer are proportional", rows_inequivalent
)
ONE_ACTIVATION = Hypothesis("one activation in all hidden layers", one_activation)
ORIGIN = Hypothesis("σ(0) = 0", passes_origin)
UNEQUAL = Hypothesis("no two rows of a hidden layer are equal", rows_unequal)

SCALINGS = "the network is unique up to permutations and scalings ≠ 0 of its hidden neurons"
THEORY_3 = "Theorem 3 of the theory, by Newman–Slater independence of powers"
KOHN = (
    "Kohn–Marchetti–Massarenti–Mella 2026, Linear Independence of Polynomial Compositions and "
    "Identifiability of Deep Neural Networks"
)


def _is_biased_power(network: Network) -> bool:
    if shifted_powers(network) is None:
        return False
    return not is_homogeneous(network) or any(layer.has_bias for layer in network.layers)


def _shallow(concerns: Callable[[Network], bool]) -> Callable[[Network], bool]:
    return lambda network: len(network.layers) == 2 and concerns(network)


def _is_polynomial(network: Network) -> bool:
    layers = network.layers[:-1]
    return bool(layers) and all(layer.activation.is_polynomial for layer in layers)


def _has_tight_base(network: Network) -> bool:
    power = perfect_power(network.layers[0].activation.coefficients or ())
    return _is_polynomial(network) and power is not None and is_tight(power.base)


def _is_shifted_through_origin(network: Network) -> bool:
    shapes = shifted_powers(network)
    is_through = passes_origin(network).holds is True
    return shapes is not None and is_through and all(shape.centre for shape in shapes)


def _theorem_3(biased: bool, layerwise: bool) -> Theorem:
    """Return one of the four variants of Theorem 3."""
    if layerwise:
        formula = "r_1 ≥ 2d_1 and r_j ≥ 4d_j²" if biased else "r_1 ≥ 2d_1 − 1 and r_j > 4d_j(d_j−1)"
        bound = Hypothesis(formula, degrees_exceed_layer_bounds(biased))
    else:
        formula = "r > (2D+1)(2D−1)" if biased else "r > 2D(2D−2)"
        bound = Hypothesis(
            f"{formula}, D = largest hidden width", degree_exceeds_uniform_bound(biased)
        )
    shape = (SHIFTED, SHIFTED_ROWS) if biased else (POWERS, NOT_PROPORTIONAL)
    start = (shape[0],) if biased else (shape[0], NO_BIASES)
    variant = "with biases" if biased else "without biases"
    return Theorem(
        key="theorem-3" + ("-layerwise" if layerwise else "") + ("-biased" if biased else ""),
        name=f"Theorem 3{', layer by layer,' if layerwise else ''} {variant}",
        reference=THEORY_3,
        activations="a(z − c)^r + d, any depth" if biased else "z^r, any depth",
        conclusion=SCALINGS,
        status="proved",
        concerns=_is_biased_power if biased else is_homogeneous,
        hypotheses=(*start, ROWS, COLUMNS, shape[1], bound),
    )


def _proposition_35(biased: bool) -> Theorem:
    """Return the Kruskal condition for shallow powers, homogenised for biases."""
    shape = (SHIFTED,) if biased else (POWERS, NO_BIASES)
    sizes = () if biased else (Hypothesis("d_0, d_1 ≥ 2", at_least_two),)
    formula = "r ≥ (2d_1 − krank W_2)/(krank W_1ᵀ − 1), krank W_1ᵀ ≥ 2, krank W_2 ≥ 1"
    statement = f"{formula}, for the homogenised layers" if biased else formula
    return Theorem(
        key="usevich-35" + ("-biased" if biased else ""),
        name=f"Usevich et al. Prop. 35{' with Prop. 24 (biases)' if biased else ''}",
        reference="Usevich–Dérand–Borsoi–Clausel, arXiv:2506.17093, through Kruskal's theorem",
        activations="a(z − c)^r + d, one hidden layer" if biased else "z^r, one hidden layer",
        conclusion=SCALINGS,
        status="proved",
        concerns=_shallow(_is_biased_power if biased else is_homogeneous),
        hypotheses=(ONE_LAYER, *shape, *sizes, Hypothesis(statement, kruskal_condition(biased))),
    )


KOHN_POWERS = Theorem(
    key="kohn-powers",
    name="Kohn et al. 2026, powers f^l such as (z² + z)^l",
    reference=KOHN,
    activations="f^l, f = a_1 z + … + a_d z^d with a_{d−1}·a_d ≠ 0, any depth, no biases",
    conclusion="the network is unique up to permutations of its hidden neurons",
    status="preprint",
    concerns=_has_tight_base,
    hypotheses=(
        NO_BIASES,
        ONE_ACTIVATION,
        ORIGIN,
        ROWS,
        COLUMNS,
        UNEQUAL,
        Hypothesis("l > k(k−2), k = 2D, D = largest hidden width", power_exceeds_bound),
    ),
)

KOHN_SHIFTED = Theorem(
    key="kohn-shifted",
    name="Kohn et al. 2026, (z + 1)^r − 1",
    reference=KOHN,
    activations="(z + 1)^r − 1 up to scales, any depth, no biases",
    conclusion="the network is unique up to permutations of its hidden neurons",
    status="preprint",
    concerns=_is_shifted_through_origin,
    hypotheses=(
        NO_BIASES,
        ONE_ACTIVATION,
        ROWS,
        COLUMNS,
        UNEQUAL,
        Hypothesis("r ≥ k² − 1 = 4D² − 1, D = largest hidden width", shifted_power_reaches_bound),
    ),
)

KOHN_CHAIN = Theorem(
    key="kohn-chain",
    name="Kohn et al. 2026, hidden widths 1",
    reference=KOHN,
    activations="a_1 z + … + a_r z^r with a_{r−1}·a_r ≠ 0, any depth, no biases",
    conclusion="the network is determined by its function",
    status="preprint",
    concerns=lambda network: _is_polynomial(network) and width_one(network).holds is True,
    hypotheses=(
        NO_BIASES,
        ONE_ACTIVATION,
        ORIGIN,
        Hypothesis("all hidden widths 1", width_one),
        Hypothesis("r ≥ 2 and a_{r−1}·a_r ≠ 0", is_tight_activation),
        ROWS,
        COLUMNS,
    ),
)

POLYNOMIAL: tuple[Theorem, ...] = (
    KOHN_SHIFTED,
    KOHN_POWERS,
    KOHN_CHAIN,
    _proposition_35(biased=True),
    _theorem_3(biased=True, layerwise=False),
    _theorem_3(biased=True, layerwise=True),
    _proposition_35(biased=False),
    _theorem_3(biased=False, layerwise=False),
    _theorem_3(biased=False, layerwise=True),
)
