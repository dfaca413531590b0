"""Theorems of context: generic ones and lemmas, shown and never cited for a verdict.

"Almost all parameters", "an open set of parameters" and "some network of each
architecture" say nothing about a given network; equivariant parameters have measure zero.

Source: theory of identifiability (§2.2, §3–§5, §12).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from identcert.certify.theorems import Status, Theorem
from identcert.nets.network import Network

GENERIC = "almost all parameters"


def _hidden(*names: str, depth: int = 1) -> Callable[[Network], bool]:
    """Return whether all hidden activations have these names, in enough layers."""

    def concerns(network: Network) -> bool:
        found = {layer.activation.name for layer in network.layers[:-1]}
        return len(network.layers) > depth and found <= set(names)

    return concerns


def _polynomial(network: Network) -> bool:
    layers = network.layers[:-1]
    return bool(layers) and all(layer.activation.is_polynomial for layer in layers)


def _powers(network: Network) -> bool:
    return _polynomial(network) and all(
        layer.activation.scalings == "nonzero" for layer in network.layers[:-1]
    )


def _shallow(network: Network) -> bool:
    return len(network.layers) == 2


def _context(
    key: str, name: str, reference: str, conclusion: str, concerns: Callable[[Network], bool],
    activations: str, status: Status = "proved", to_confirm: str | None = None,
) -> Theorem:  # fmt: skip
    return Theorem(
        key, name, reference, activations, conclusion, status, concerns,
        is_context=True, to_confirm=to_confirm,
    )  # fmt: skip


_relu = partial(_context, concerns=_hidden("relu", "leaky_relu"), activations="ReLU")
_power = partial(_context, concerns=_powers, activations="z^r")
_poly = partial(_context, concerns=_polynomial, activations="polynomials")

CONTEXT: tuple[Theorem, ...] = (
    _context(
        "kurkova-kainen", "Kůrková–Kainen 1994", "Neural Networks 7",
        "uniqueness for bounded, non-constant, asymptotically constant activations that are not "
        "affinely recursive", _hidden("tanh", "sigmoid", "arctan", "erf"), "sigmoidal",
        to_confirm="the statement as a whole",
    ),
    _context(
        "farrugia-roberts-2023", "Farrugia-Roberts 2023", "NeurIPS 2023, arXiv:2305.05089",
        "the parameters of a reducible tanh network form a finite union of manifolds, connected by "
        "piecewise-linear paths", _hidden("tanh"), "tanh, one hidden layer",
    ),
    _context(
        "vlacic-bolcskei-2022", "Vlačić–Bölcskei 2022", "Constr. Approx. 55, arXiv:1906.06994",
        "without clones and without zero rows and columns, networks of a constructed family of "
        "activations are identifiable; tanh and sigmoid are not in it",
        _hidden("tanh", "sigmoid"), "a constructed meromorphic family",
    ),
    _relu(
        "phuong-lampert", "Phuong–Lampert 2020", "ICLR 2020",
        "for every architecture with non-increasing widths some network is identifiable",
    ),
    _relu(
        "rolnick-kording", "Rolnick–Körding 2020", "ICML 2020",
        "an algorithm recovers networks under geometric conditions on their bent hyperplanes",
    ),
    _relu(
        "stock-gribonval", "Stock–Gribonval 2022", "Constr. Approx.",
        "local identifiability through an embedding that scalings do not change",
    ),
    _relu(
        "bona-pellissier-2022", "Bona-Pellissier–Malgouyres–Bachoc 2022", "arXiv",
        "rank conditions for local identifiability from a sample, sharp in part",
    ),
    _relu(
        "bona-pellissier-2023", "Bona-Pellissier–Bachoc–Malgouyres 2023", "arXiv",
        "explicit sufficient conditions for global identifiability of deep ReLU networks",
    ),
    _relu(
        "grigsby-lindsey-rolnick", "Grigsby–Lindsey–Rolnick 2023", "arXiv:2306.06179",
        "if no layer is narrower than the input, parameters without hidden symmetry exist; hidden "
        "symmetries are common at depth",
    ),
    _relu(
        "grillo-montufar", "Grillo–Montúfar 2026", "arXiv:2605.03601",
        "for input and hidden widths at least 2, an open set of parameters is identifiable up to "
        "positive scalings and permutations", status="preprint",
    ),
    _relu(
        "gegenfurtner-grillo-montufar", "Gegenfurtner–Grillo–Montúfar 2026", "arXiv:2605.18319",
        "generic fibres of bottleneck networks with three layers, and equality in polynomial time",
        status="preprint",
    ),
    _power(
        "usevich-generic", "Usevich et al., Thm 11, Cor. 16, 17, 28", "arXiv:2506.17093",
        f"deep networks are finitely identifiable for {GENERIC}, for instance if r ≥ 2d − 1 in "
        "every layer", status="preprint",
    ),
    _power(
        "finkel", "Finkel–Rodriguez–Wu–Yahl 2024", "arXiv:2408.04569",
        "the dimension of the function space is the expected one above an activation degree of "
        "at most 6m² − 6m + 1",
    ),
    _power(
        "kileel-trager-bruna", "Kileel–Trager–Bruna 2019", "NeurIPS 2019",
        "dimensions of the function spaces of monomial networks",
    ),
    _poly(
        "razors-edge", "Shahverdi–Marchetti–Kohn 2026", "ICLR 2026, arXiv:2505.11846",
        f"generic activations of huge degree have finite fibres for {GENERIC}",
    ),
    _poly(
        "kohn-generic", "Kohn et al. 2026, generic activations",
        "Linear Independence of Polynomial Compositions and Identifiability",
        "shallow networks with a generic activation of degree at least 7·d_1²; deep ones under a "
        "conjecture", status="conjectural",
    ),
    _poly(
        "newman-slater", "Newman–Slater 1979", "as quoted by Kohn et al. 2026, Thm 1.1",
        "r-th powers of k pairwise non-proportional polynomials are independent for r > k(k − 2): "
        "the lemma behind Theorem 3",
    ),
    _poly(
        "craciun", "Crăciun 2025", "arXiv:2507.10163",
        "independence of powers of real polynomials for r > max(k·C(k−1, 2), 2)",
        status="preprint",
    ),
    _context(
        "theiss", "Theiss–Braun–Saxe–Grant 2026, App. B–C",
        "Parameter symmetries determine representational geometry",
        "a classification of activations by their parameter symmetries, without completeness",
        lambda network: len(network.layers) > 1, "activations of common libraries",
        status="preprint",
    ),
    _context(
        "expand-and-cluster", "Martinelli–Şimşek–Gerstner–Brea 2024", "ICML 2024",
        "a taxonomy of neuron symmetries; the recovery of deep networks there is empirical",
        lambda network: len(network.layers) > 1, "common activations",
    ),
)  # fmt: skip
