"""Whether two networks compute the same function: the state and the methods.

method == a function of the state that returns a candidate, or None if it does not apply
          or fails; a failure that tells why is noted in ``tried``, ``missing`` or
          ``limits`` of the state

Order of work: matching of the reduced networks, one point, canonical forms; for deep
networks normal forms and covers of cells where they are quick, more points, and then until
the deadline points for reduced tanh and sigmoid networks without a matching, and covers of
cells for piecewise-linear ones.

Source: theory of decision logic (Prop. 2 to 5), Theorems 1 and 2.
"""

from __future__ import annotations

from collections.abc import Callable

from identcert.certify.canonical import (
    Different,
    Unknown,
    decide_by_canonical_form,
    has_comparable_constants,
)
from identcert.certify.comparison import (
    Comparison,
    EqualityCandidate,
    different_at,
    equal_by,
    not_decided,
)
from identcert.certify.counterexample import candidate_points
from identcert.certify.equality_deep import by_cells, by_normal_form, by_quick_cells
from identcert.certify.gap import find_gap, separate
from identcert.certify.guided import guided_points
from identcert.certify.identity import is_polynomial
from identcert.certify.latents import LayerTables
from identcert.certify.matching import Mismatch, match_networks, sigmoid_as_tanh
from identcert.nets.network import Network
from identcert.submodels.reduction import reduce_network

QUICK_BITS, MORE_BITS, MORE_POINTS = 128, (256, 1024), 40


EqualityMethod = Callable[[Comparison], EqualityCandidate | None]


def compare(
    left: Network, right: Network, deadline: float, seed: int, note: Callable[[str], None]
) -> tuple[Comparison, EqualityCandidate]:
    """Return the state of a comparison and the answer that it proposes.

    Parameters
    ----------
    left, right : networks with equal dimensions over one field.
    deadline, seed, note : as in `Comparison`.
    """
    note("reducing the networks")
    reductions = reduce_network(left), reduce_network(right)
    state = Comparison(left, right, deadline, seed, note, reductions)
    for method in EQUALITY_METHODS:
        found = method(state)
        if found is not None:
            return state, found
    if state.limits:
        return state, not_decided(state, f"the budget ended: {'; '.join(state.limits)}")
    return state, not_decided(state, _missing_hypothesis(state))


def _missing_hypothesis(state: Comparison) -> str:
    depth = len(state.reduced[0].layers)
    place = "" if state.mismatch is None else state.mismatch.text(depth)
    missing = "; ".join(state.missing) or "no complete decision for these activations was available"
    return f"no latent symmetry carries one network to the other ({place}); {missing}"


def by_matching(state: Comparison) -> EqualityCandidate | None:
    """Prove equality by latent symmetries between the reduced networks (Prop. 2, 3)."""
    state.progress("matching rows layer by layer")
    left, right = state.reduced
    found = match_networks(LayerTables(left), right)
    if isinstance(found, Mismatch):
        state.mismatch = found
        return None
    proof = {"rule": "latents", "latents": [latent.encode() for latent in found]}
    return equal_by(state, proof, found)


def by_one_point(state: Comparison) -> EqualityCandidate | None:
    """Refute equality at one small point."""
    state.progress("looking for a point where the networks differ")
    return _at_points(state, 1, QUICK_BITS, 0)


def by_form(state: Comparison) -> EqualityCandidate | None:
    """Decide shallow and polynomial networks by their canonical forms (Theorems 1, 2)."""
    state.progress("comparing canonical forms")
    left, right = state.reduced
    found = decide_by_canonical_form(left, right, state.deadline, state.seed)
    if isinstance(found, Unknown):
        (state.limits if found.is_budget else state.missing).append(found.reason)
        return None
    if isinstance(found, Different):
        return separated(state, found)
    both = is_polynomial(left) and is_polynomial(right)
    return equal_by(state, {"rule": "polynomial" if both else "canonical_form"})


def by_more_points(state: Comparison) -> EqualityCandidate | None:
    """Refute equality at more points, with more bits (Prop. 5)."""
    state.progress("looking at more points")
    guesses = guided_points(state.left, state.right, state.seed)
    found = find_gap(state.left, state.right, guesses, QUICK_BITS, state.deadline)
    if found is not None:
        return different_at(found)
    for bits in MORE_BITS:
        answer = _at_points(state, MORE_POINTS, bits, 1)
        if answer is not None:
            return answer
        state.tried.append(f"{MORE_POINTS} rational points at {bits} bits: no gap")
    return None


def by_tanh(state: Comparison) -> EqualityCandidate | None:
    """Refute equality of reduced tanh or sigmoid networks that have no matching.

    By Vlačić and Bölcskei (2021) their functions differ: some rational point shows it.
    """
    left, right = map(sigmoid_as_tanh, state.reduced)
    names = {layer.activation.name for net in (left, right) for layer in net.layers[:-1]}
    if names != {"tanh"}:
        return None
    if not isinstance(match_networks(LayerTables(left), right), Mismatch):
        state.limits.append("the networks are equal, and their normal forms are too large")
        return None
    if not all(map(has_comparable_constants, state.reduced)):
        state.missing.append("nested or mixed formal constants were compared as spelled only")
        return None
    state.progress("looking for the point that shows the mismatch")
    return separated(state, Different((), "reduced tanh networks without a matching differ"))


EQUALITY_METHODS: tuple[EqualityMethod, ...] = (
    by_matching,
    by_one_point,
    by_form,
    by_normal_form,
    by_quick_cells,
    by_more_points,
    by_tanh,
    by_cells,
)


def separated(state: Comparison, decision: Different) -> EqualityCandidate | None:
    """Return the candidate of two networks that differ, or None at the deadline."""
    found = separate(state.left, state.right, decision.points, state.deadline, state.seed)
    if found is not None:
        return different_at(found)
    state.limits.append(f"{decision.reason}, and no point was found in time that shows it")
    return None


def _at_points(state: Comparison, count: int, bits: int, offset: int) -> EqualityCandidate | None:
    points = list(candidate_points(state.left, state.seed + offset, count))
    found = find_gap(state.left, state.right, points, bits, state.deadline, state.seed + offset)
    return None if found is None else different_at(found)
