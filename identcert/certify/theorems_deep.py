"""Theorems about deep networks with tanh and sigmoid activations.

Source: theory of deep tanh networks (§3).
"""

from __future__ import annotations

from identcert.certify.hypotheses import activations_in
from identcert.certify.hypotheses_fefferman import (
    biases_generic,
    ratios_generic,
    weights_nonzero,
)
from identcert.certify.theorems import Hypothesis, Theorem
from identcert.certify.theorems_shallow import COLUMNS, ROWS, SIGN
from identcert.nets.network import Network


def _only(*names: str) -> Hypothesis:
    return Hypothesis(f"all hidden activations {' or '.join(names)}", activations_in(*names))


def _is_tanh_like(network: Network) -> bool:
    hidden = {layer.activation.name for layer in network.layers[:-1]}
    return bool(hidden) and hidden <= {"tanh", "sigmoid"}


def _is_tanh(network: Network) -> bool:
    return network.activation_names == ("tanh",)


VLACIC_BOLCSKEI = Theorem(
    key="vlacic-bolcskei-2021",
    name="Vlačić–Bölcskei 2021",
    reference=(
        "Adv. Math. 376, arXiv:2006.11727, Affine symmetries and neural network identifiability; "
        "sigmoid layers by the exact conversion 2·sigmoid(z) − 1 = tanh(z/2)"
    ),
    activations="tanh, sigmoid, any depth",
    conclusion=(
        "a reduced network is unique up to signed permutations in every hidden layer "
        "(reflections y ↦ 1 − y for sigmoid)"
    ),
    status="proved",
    concerns=_is_tanh_like,
    hypotheses=(_only("tanh", "sigmoid"), ROWS, COLUMNS, SIGN),
    to_confirm="that their regularity conditions are exactly these for layered networks",
)

FEFFERMAN = Theorem(
    key="fefferman",
    name="Fefferman 1994",
    reference="Rev. Mat. Iberoam. 10, 507–555, Reconstructing a neural net from its output",
    activations="tanh, any depth",
    conclusion="the network is unique up to signed permutations in every hidden layer",
    status="proved",
    concerns=_is_tanh,
    hypotheses=(
        _only("tanh"),
        Hypothesis("(i) biases ≠ 0 with distinct absolute values in each layer", biases_generic),
        Hypothesis("(ii) all weights ≠ 0", weights_nonzero),
        Hypothesis("(iii) no ratio of weights p/q with 1 ≤ q ≤ 100·d²", ratios_generic),
    ),
    to_confirm="conditions (i)–(iii), and which layers they are about",
)

DEEP: tuple[Theorem, ...] = (VLACIC_BOLCSKEI, FEFFERMAN)
