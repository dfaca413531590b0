"""Theorems about networks with one hidden layer, or none.

The canonical forms of Theorems 1 and 2 are unique; a network is identifiable where its
form leaves only the symmetries of single neurons.

Source: theory of one hidden layer (§2.1, §2.2).
"""

from __future__ import annotations

from collections.abc import Callable

from identcert.certify.hypotheses import (
    activations_in,
    columns_nonzero,
    depth_is,
    rows_distinct_up_to_sign,
    rows_inequivalent,
    rows_nonzero,
    rows_not_proportional,
)
from identcert.certify.hypotheses_shallow import (
    TWO_KINKS,
    frequencies_distinct,
    hyperplanes_distinct,
    jumps_distinct,
    no_cancelling_set,
)
from identcert.certify.theorems import Hypothesis, Theorem
from identcert.nets.network import Network

ONE_LAYER = Hypothesis("one hidden layer", depth_is(1))
ROWS = Hypothesis("every hidden neuron has w ≠ 0", rows_nonzero)
COLUMNS = Hypothesis("every hidden neuron has an outgoing weight ≠ 0", columns_nonzero)
INEQUIVALENT = Hypothesis(
    "no two hidden neurons are related by a symmetry of the activation", rows_inequivalent
)
SIGN = Hypothesis("no two hidden neurons have (w, b) equal up to sign", rows_distinct_up_to_sign)
PROPORTIONAL = Hypothesis("no two hidden neurons have proportional (w, b)", rows_not_proportional)
REVERSAL = Hypothesis(
    "no set of neurons can be reversed: no subset sum of the a_j w_j is 0", no_cancelling_set
)

FORM_1 = "Theorem 1 of the theory (canonical form of a shallow network)"
FORM_2 = "Theorem 2 of the theory (canonical form of a shallow piecewise-linear network)"


def shallow(*names: str) -> Callable[[Network], bool]:
    """Return whether a network has one hidden layer with one of these activations."""

    def concerns(network: Network) -> bool:
        return len(network.layers) == 2 and network.layers[0].activation.name in names

    return concerns


def _of(*names: str) -> Hypothesis:
    return Hypothesis(f"hidden activation {' or '.join(names)}", activations_in(*names))


AFFINE = Theorem(
    key="affine",
    name="An affine map determines its matrix",
    reference="elementary",
    activations="no hidden layer",
    conclusion="weight and bias are determined by the function",
    status="proved",
    coq="IdentcertTheory.Reduced.affine_unique",
    concerns=lambda network: len(network.layers) == 1,
    hypotheses=(Hypothesis("no hidden layer", depth_is(0)),),
)

SUSSMANN = Theorem(
    key="sussmann",
    name="Sussmann 1992",
    reference=(
        "Neural Networks 5, Uniqueness of the weights for minimal feedforward nets; sigmoid by "
        "the exact conversion 2·sigmoid(z) − 1 = tanh(z/2); several outputs by Theorem 1"
    ),
    activations="tanh, sigmoid",
    conclusion=(
        "an irreducible network is unique up to permutations and sign changes of its neurons "
        "(reflections y ↦ 1 − y for sigmoid)"
    ),
    status="proved",
    concerns=shallow("tanh", "sigmoid"),
    hypotheses=(ONE_LAYER, _of("tanh", "sigmoid"), COLUMNS, ROWS, SIGN),
)

ODD = Theorem(
    key="albertini-sontag-maillot",
    name="Albertini–Sontag–Maillot 1993",
    reference="odd activations with the independence property, which Theorem 1 proves for these",
    activations="arctan, erf",
    conclusion="an irreducible network is unique up to signed permutations of its neurons",
    status="proved",
    concerns=shallow("arctan", "erf"),
    hypotheses=(ONE_LAYER, _of("arctan", "erf"), COLUMNS, ROWS, SIGN),
    to_confirm="the wording of the independence property; the verdict rests on Theorem 1",
)

FORM = Theorem(
    key="theorem-1",
    name="Theorem 1, no symmetry left",
    reference=FORM_1,
    activations="ELU",
    conclusion="the network is unique up to permutations of its neurons",
    status="proved",
    concerns=shallow("elu"),
    hypotheses=(ONE_LAYER, _of("elu"), COLUMNS, ROWS, INEQUIVALENT),
)

SINE = Theorem(
    key="theorem-1-sine",
    name="Theorem 1, frequencies",
    reference=FORM_1,
    activations="sin",
    conclusion=(
        "the network is unique up to permutations, signs, and shifts of biases by multiples of π"
    ),
    status="proved",
    concerns=shallow("sin"),
    hypotheses=(
        ONE_LAYER,
        _of("sin"),
        COLUMNS,
        ROWS,
        Hypothesis("the frequencies w are distinct up to sign", frequencies_distinct),
    ),
)

REVERSED = Theorem(
    key="theorem-1-reversal",
    name="Theorem 1 with affine remainder",
    reference=f"{FORM_1}; orientations counted by the identity σ(−z) = σ(z) − z",
    activations="softplus, SiLU, GELU",
    conclusion="the network is unique up to permutations of its neurons",
    status="proved",
    concerns=shallow("softplus", "silu", "gelu"),
    hypotheses=(ONE_LAYER, _of("softplus", "silu", "gelu"), COLUMNS, ROWS, SIGN, REVERSAL),
)

HYPERPLANES = Theorem(
    key="theorem-2-reversal",
    name="Theorem 2, orientations",
    reference=f"{FORM_2}; orientations counted by σ(−z) = σ(z) − (1 + s)z",
    activations="ReLU, leaky ReLU",
    conclusion="the network is unique up to positive scalings and permutations of its neurons",
    status="proved",
    concerns=shallow("relu", "leaky_relu"),
    hypotheses=(ONE_LAYER, _of("relu", "leaky_relu"), COLUMNS, ROWS, PROPORTIONAL, REVERSAL),
)

ABSOLUTE = Theorem(
    key="theorem-2-abs",
    name="Theorem 2, absolute values",
    reference=FORM_2,
    activations="|z|",
    conclusion="the network is unique up to scalings ≠ 0 and permutations of its neurons",
    status="proved",
    concerns=shallow("abs"),
    hypotheses=(ONE_LAYER, _of("abs"), COLUMNS, ROWS, PROPORTIONAL),
)

KINKS = Theorem(
    key="theorem-2-kinks",
    name="Theorem 2, two kinks a neuron",
    reference=f"{FORM_2}; neurons are pairs of parallel hyperplanes with opposite jumps",
    activations="hard tanh, ReLU6",
    conclusion="the network is unique up to permutations and reflections of its neurons",
    status="proved",
    concerns=shallow(*TWO_KINKS),
    hypotheses=(
        ONE_LAYER,
        _of(*TWO_KINKS),
        COLUMNS,
        ROWS,
        INEQUIVALENT,
        Hypothesis("no hyperplane is a kink of two neurons", hyperplanes_distinct),
        Hypothesis("no two parallel neurons have one jump up to sign", jumps_distinct),
    ),
)

SHALLOW: tuple[Theorem, ...] = (
    AFFINE, SUSSMANN, ODD, FORM, SINE, REVERSED, HYPERPLANES, ABSOLUTE, KINKS,
)  # fmt: skip
