"""Refutations in Coq: a rational point where both sides differ by a gap.

Where all activations are rational at rational points, both sides are computed
exactly over Q; otherwise by intervals of coq-interval, at rising precisions.
Numbers of Q(α) are enclosed; parameters are set to the values of the evidence.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from identcert.errors import InputError, UnsupportedError
from identcert.witness.coq_numbers import (
    AlgebraicNumbers,
    Coordinates,
    parse_rational,
    parse_rationals,
)
from identcert.witness.coq_parameters import ParametricNumbers
from identcert.witness.coq_problem import Problem
from identcert.witness.coq_reading import parse_index
from identcert.witness.coq_text import broken, listing, naturals, rational

EXACT_MODULES = "Law Activations ActivationFacts Classes Certificate Refutation RealRefutation"
BALL_MODULES = "Activations ActivationFacts Classes RealRefutation Algebraic Balls"
FIRST = (48, 96)  # precisions that are tried before those of the evidence, because they are fast
MARGIN = 16  # bits beyond those of the evidence, for another order of rounding
FUEL = 400  # halvings of an interval
NEAR = "(near_root alpha alpha_root)"


@dataclass(frozen=True, slots=True)
class Refutation:
    """The evidence of a refutation, for one problem."""

    problem: Problem
    generator: str
    component: int
    gap: Fraction
    point: Coordinates
    parameters: Coordinates
    bits: int | None

    @property
    def value(self) -> str:
        """The reading of coefficients as real numbers at which the claim fails."""
        if isinstance(self.problem.numbers, ParametricNumbers):
            return "(at_values denominators (map Q2R values))"
        return self.problem.numbers.value


def parse_refutation(problem: Problem, evidence: dict[str, object]) -> Refutation:
    """Read the evidence of ``not_equivariant``; raises InputError."""
    name = evidence.get("generator")
    if not isinstance(name, str) or name not in problem.names():
        raise InputError("is not a generator", "evidence.generator")
    names: tuple[str, ...] = ()
    if isinstance(problem.numbers, ParametricNumbers):
        names = problem.numbers.names
    given = evidence.get("parameters", {})
    if not isinstance(given, dict) or set(given) != set(names):
        raise InputError("does not give a value to every parameter", "evidence.parameters")
    bits = evidence.get("bits")
    return Refutation(
        problem,
        f"g_{name}",
        parse_index(evidence.get("component"), "evidence.component"),
        parse_rational(evidence.get("gap"), "evidence.gap"),
        parse_rationals(evidence.get("point"), "evidence.point"),
        tuple(parse_rational(given[name], "evidence.parameters") for name in names),
        None if bits is None else parse_index(bits, "evidence.bits"),
    )


def refutation_parts(problem: Problem, evidence: dict[str, object]) -> tuple[str, list[str]]:
    """Return the modules and the parts of a proof that the claim fails.

    Raises
    ------
    InputError
        If the evidence is malformed.
    UnsupportedError
        If an activation has no enclosure in Coq.
    """
    refutation = parse_refutation(problem, evidence)
    data = (
        f"Definition point : list Q := {broken([rational(q) for q in refutation.point])}.\n"
        f"Definition distance : Q := {rational(refutation.gap)}."
    )
    parts = [data, *specialisation(refutation)]
    exact = all(layer.activation.is_exact for layer in problem.layers)
    if exact and not isinstance(problem.numbers, AlgebraicNumbers):
        return EXACT_MODULES, [*parts, *exact_gap(refutation), final(refutation)]
    return BALL_MODULES, [*parts, *ball_gap(refutation), final(refutation)]


def specialisation(refutation: Refutation) -> list[str]:
    """Return the values of the parameters, and that coefficients are rational there."""
    if not isinstance(refutation.problem.numbers, ParametricNumbers):
        return []
    values = listing(rational(q) for q in refutation.parameters)
    return [
        f"Definition values : list Q := {values}.\n"
        "Lemma value_of c : at_values denominators (map Q2R values) c"
        " = Q2R (specialised denominators values c).\n"
        "Proof. apply specialisedP. vm_cast_no_check (eq_refl true). Qed."
    ]


def gap_theorem(refutation: Refutation, proof: str) -> str:
    """Return the theorem that the two sides differ by the gap."""
    binder, rewriting = "", ""
    if isinstance(refutation.problem.numbers, AlgebraicNumbers):
        binder = " alpha (alpha_root : root_in minimal root_low root_high alpha)"
    if isinstance(refutation.problem.numbers, ParametricNumbers):
        rewriting = "rewrite (gap_rational _ _ _ value_of).\n"
    g = refutation.generator
    return (
        f"Theorem gap_is_there{binder} :\n"
        f"  (gap {refutation.value} net (rho_in {g}) (rho_out {g})"
        f" (map Q2R point) {refutation.component} >= Q2R distance)%R.\n"
        f"Proof.\n{rewriting}{proof}\nQed."
    )


def exact_gap(refutation: Refutation) -> list[str]:
    """Return the gap by exact evaluation over Q."""
    activations = [layer.activation for layer in refutation.problem.layers]
    different = list(dict.fromkeys(activations))
    classes = broken([a.class_term("Q_real") for a in different])
    return [
        f"Definition classes : list (class Q2R) :=\n  {classes}.\n"
        f"Definition names : list nat := {naturals(different.index(a) for a in activations)}.",
        gap_theorem(
            refutation,
            "apply (exact_gap_sound classes names); [reflexivity |].\n"
            "vm_cast_no_check (eq_refl true).",
        ),
    ]


def ball_gap(refutation: Refutation) -> list[str]:
    """Return the gap by interval arithmetic; raises UnsupportedError for erf and GELU."""
    activations = [layer.activation for layer in refutation.problem.layers]
    if any(a.needs_erf for a in activations):
        raise UnsupportedError(
            "The Coq export does not cover refutations of networks with erf or GELU, for which Coq"
            " has no enclosures; identcert check does."
        )
    if refutation.bits is None:
        raise InputError("is missing", "evidence.bits")
    bits = precisions(refutation.bits + MARGIN)
    different = list(dict.fromkeys(activations))
    enclosure, inside, refinement = "quotient", "quotient_inside", []
    if isinstance(refutation.problem.numbers, AlgebraicNumbers):
        enclosure = "(enclose_root near_low near_high)"
        inside = f"(enclose_root_inside minimal near_low near_high alpha {NEAR})"
        refinement = [near_root(refutation.problem.numbers, bits[-1])]
    net = "net"
    if isinstance(refutation.problem.numbers, ParametricNumbers):
        net = "(rational_network _ (specialised denominators values) net)"
    return [
        "Definition balls (prec : F.precision) : list ball :=\n"
        f"  {broken([a.ball_term('prec') for a in different])}.\n"
        f"Definition names : list nat := {naturals(different.index(a) for a in activations)}.",
        *refinement,
        gap_theorem(
            refutation,
            f"apply (some_gap_sound _ _ {enclosure} {inside} balls names {net}\n"
            f"  (fun prec => eq_refl) {listing(map(str, bits))}%positive).\n"
            "vm_cast_no_check (eq_refl true).",
        ),
    ]


def precisions(bits: int) -> list[int]:
    """Return the precisions to try, ascending; the Python checker goes on to 4·bits as well.

    Examples
    --------
    >>> precisions(80)
    [48, 80, 96, 160, 320]
    """
    return sorted({*FIRST, bits, 2 * bits, 4 * bits})


def near_root(numbers: AlgebraicNumbers, bits: int) -> str:
    """Return a short interval around the root, with its proof."""
    low, high = bisected(numbers.minpoly, numbers.root, bits + MARGIN)
    return (
        f"Definition near_low : Q := {rational(low)}.\n"
        f"Definition near_high : Q := {rational(high)}.\n"
        "Lemma near_root alpha : root_in minimal root_low root_high alpha ->\n"
        "  root_in minimal near_low near_high alpha.\n"
        f"Proof. apply (root_refined {bits + FUEL}). vm_cast_no_check (eq_refl true). Qed."
    )


def bisected(
    minpoly: Coordinates, root: tuple[Fraction, Fraction], bits: int
) -> tuple[Fraction, Fraction]:
    """Return a subinterval of width 2^−bits at most in which the polynomial changes sign.

    Examples
    --------
    >>> bisected((Fraction(-2), Fraction(0), Fraction(1)), (Fraction(1), Fraction(2)), 3)
    (Fraction(11, 8), Fraction(3, 2))
    """
    low, high = root
    rising = _value(minpoly, high) > 0
    while high - low > Fraction(1, 1 << bits):
        middle = (low + high) / 2
        if (_value(minpoly, middle) > 0) == rising:
            high = middle
        else:
            low = middle
    return low, high


def _value(polynomial: Coordinates, t: Fraction) -> Fraction:
    """Return the value of a polynomial."""
    total = Fraction(0)
    for coefficient in reversed(polynomial):
        total = total * t + coefficient
    return total


def final(refutation: Refutation) -> str:
    """Return the theorem that the claim fails."""
    problem, g = refutation.problem, refutation.generator
    opening, gap, use = "intros claim.", "gap_is_there", "claim"
    if isinstance(problem.numbers, AlgebraicNumbers):
        opening += " destruct alpha_exists as [alpha alpha_root]."
        gap, use = "(gap_is_there alpha alpha_root)", "(claim alpha alpha_root)"
    if isinstance(problem.numbers, ParametricNumbers):
        values = " ".join(f"(Q2R {rational(q)})" for q in refutation.parameters)
        use = f"(claim {values} (nonzero_atP _ denominators values eq_refl))"
    return (
        "Theorem proof : ~ equivariant.\n"
        f"Proof.\n{opening}\n"
        f"refine (gap_refutes _ {refutation.value} generator rho_in rho_out net {problem.inputs}"
        f" {g}\n  (map Q2R point) {refutation.component} distance"
        f" eq_refl eq_refl {gap} {use}).\nQed."
    )
