"""Refutations in Coq: a rational point where both sides differ by a gap.

Over Q, with activations that are rational at rational points, both sides are
computed exactly; otherwise by intervals of coq-interval, at the precision that the
evidence states or a little more.
"""

from __future__ import annotations

from fractions import Fraction

from identcert.errors import InputError, UnsupportedError
from identcert.witness.coq_numbers import (
    AlgebraicNumbers,
    Coordinates,
    parse_rational,
    parse_rationals,
)
from identcert.witness.coq_problem import Problem, parse_index
from identcert.witness.coq_text import broken, listing, naturals, rational

EXACT_MODULES = "Law Activations ActivationFacts Classes Certificate Refutation RealRefutation"
BALL_MODULES = "Activations ActivationFacts Classes RealRefutation Algebraic Balls"
FIRST = (48, 96)  # precisions that are tried before those of the evidence, because they are fast
MARGIN = 16  # bits beyond those of the evidence, for another order of rounding
FUEL = 400  # halvings of an interval


def refutation_parts(problem: Problem, evidence: dict[str, object]) -> tuple[str, list[str]]:
    """Return the modules and the parts of a proof that the claim fails.

    Raises
    ------
    InputError
        If the evidence is malformed.
    UnsupportedError
        If an activation has no enclosure in Coq.
    """
    name = evidence.get("generator")
    if name not in problem.names():
        raise InputError("is not a generator", "evidence.generator")
    component = parse_index(evidence.get("component"), "evidence.component")
    gap = parse_rational(evidence.get("gap"), "evidence.gap")
    point = parse_rationals(evidence.get("point"), "evidence.point")
    data = (
        f"Definition point : list Q := {broken([rational(q) for q in point])}.\n"
        f"Definition distance : Q := {rational(gap)}."
    )
    numbers = problem.numbers
    exact = all(layer.activation.is_exact for layer in problem.layers)
    if exact and not isinstance(numbers, AlgebraicNumbers):
        modules, middle = EXACT_MODULES, exact_gap(problem, f"g_{name}", component)
    else:
        bits = parse_index(evidence.get("bits"), "evidence.bits") + MARGIN
        modules, middle = BALL_MODULES, ball_gap(problem, f"g_{name}", component, bits)
    return modules, [data, *middle, final(problem, f"g_{name}", component)]


def gap_statement(problem: Problem, generator: str, component: int) -> str:
    """Return the theorem that the two sides differ by the gap."""
    return (
        f"Theorem gap_is_there{root_binder(problem)} :\n"
        f"  (gap {problem.numbers.value} net (rho_in {generator}) (rho_out {generator})"
        f" (map Q2R point) {component} >= Q2R distance)%R."
    )


def root_binder(problem: Problem) -> str:
    """Return the binders of a theorem about a root."""
    if isinstance(problem.numbers, AlgebraicNumbers):
        return " alpha (alpha_root : root_in minimal root_low root_high alpha)"
    return ""


def exact_gap(problem: Problem, generator: str, component: int) -> list[str]:
    """Return the gap by exact evaluation over Q."""
    activations = [layer.activation for layer in problem.layers]
    different = list(dict.fromkeys(activations))
    classes = broken([a.class_term("Q_real") for a in different])
    return [
        f"Definition classes : list (class Q2R) :=\n  {classes}.\n"
        f"Definition names : list nat := {naturals(different.index(a) for a in activations)}.",
        f"{gap_statement(problem, generator, component)}\n"
        "Proof. apply (exact_gap_sound classes names); [reflexivity |"
        " vm_cast_no_check (eq_refl true)]. Qed.",
    ]


def ball_gap(problem: Problem, generator: str, component: int, bits: int) -> list[str]:
    """Return the gap by interval arithmetic; raises UnsupportedError for erf and GELU."""
    activations = [layer.activation for layer in problem.layers]
    if any(a.needs_erf for a in activations):
        raise UnsupportedError("Coq has no enclosures of erf and GELU for a refutation.")
    different = list(dict.fromkeys(activations))
    balls = broken([a.ball_term("prec") for a in different])
    enclosure, inside, refinement = "quotient", "quotient_inside", []
    if isinstance(problem.numbers, AlgebraicNumbers):
        enclosure = "(enclose_root near_low near_high)"
        inside = f"(enclose_root_inside minimal near_low near_high alpha {NEAR})"
        refinement = [near_root(problem.numbers, 4 * bits)]
    return [
        f"Definition balls (prec : F.precision) : list ball :=\n  {balls}.\n"
        f"Definition names : list nat := {naturals(different.index(a) for a in activations)}.",
        *refinement,
        f"{gap_statement(problem, generator, component)}\n"
        f"Proof.\napply (some_gap_sound _ _ {enclosure} {inside} balls names net"
        f" (fun prec => eq_refl)\n  {listing(map(str, precisions(bits)))}%positive).\n"
        "vm_cast_no_check (eq_refl true).\nQed.",
    ]


NEAR = "(near_root alpha alpha_root)"


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


def final(problem: Problem, generator: str, component: int) -> str:
    """Return the theorem that the claim fails."""
    algebraic = isinstance(problem.numbers, AlgebraicNumbers)
    opening = (
        "intros claim. destruct alpha_exists as [alpha alpha_root]."
        if algebraic
        else "intros claim."
    )
    gap = "(gap_is_there alpha alpha_root)" if algebraic else "gap_is_there"
    use = "(claim alpha alpha_root)" if algebraic else "claim"
    return (
        "Theorem proof : ~ equivariant.\n"
        f"Proof.\n{opening}\n"
        f"refine (gap_refutes _ {problem.numbers.value} generator rho_in rho_out net"
        f" {problem.inputs} {generator} (map Q2R point) {component} distance\n"
        f"  eq_refl eq_refl {gap} {use}).\nQed."
    )
