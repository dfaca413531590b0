"""The search: it proposes a verdict with evidence and proves nothing by itself.

Order of work: reduction and greedy latents, which cost little more than reading the
weights; if these do not decide, a small point for every generator, then more points,
then a polynomial identity with an obstruction.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from identcert.certify.counterexample import (
    Counterexample,
    candidate_points,
    find_counterexample,
)
from identcert.certify.given import GivenParameter, encode_latents, judge_given_parameter
from identcert.certify.identity import is_identity, is_polynomial
from identcert.certify.latents import Latents, LayerTables, Obstruction, find_latents
from identcert.certify.result import Verdict
from identcert.errors import OutOfBudget
from identcert.groups.action import Action
from identcert.nets.network import Network
from identcert.submodels.embedding import embed
from identcert.submodels.reduction import Reduction, reduce_network
from identcert.submodels.steps import AffineStep

Progress = Callable[[str], None]
MORE_POINTS = 40
DEEP_BITS = (256, 1024)


@dataclass
class Search:
    """The state of one decision: the problem, the time left, and what was tried."""

    network: Network
    action: Action
    deadline: float
    seed: int
    progress: Progress
    reduction: Reduction
    tables: LayerTables
    tried: list[str]


NOT_DECIDED = GivenParameter(None)


@dataclass(frozen=True)
class Candidate:
    """A verdict that the search proposes, with the evidence for the checker."""

    verdict: Verdict
    evidence: dict[str, Any]
    latents: dict[str, Latents] | None = None
    counterexample: Counterexample | None = None
    obstruction: Obstruction | None = None
    reason: str | None = None
    given: GivenParameter = NOT_DECIDED


def decide(
    net: Network, act: Action, deadline: float, seed: int, note: Progress
) -> tuple[Search, Candidate]:
    """Return the state of a search and the verdict that it proposes.

    Parameters
    ----------
    net, act : the problem over one field, with fitting shapes.
    deadline : monotonic seconds at which the search stops.
    seed : seed of all random choices.
    note : called with a phrase when a stage begins.
    """
    note("reducing the network")
    reduction = reduce_network(net)
    tables = LayerTables(reduction.reduced)
    search = Search(net, act, deadline, seed, note, reduction, tables, [])
    note("matching rows layer by layer")
    found = {g.name: find_latents(tables, g) for g in act.generators}
    obstructions = [o for o in found.values() if isinstance(o, Obstruction)]
    if not obstructions:
        latents = {n: c for n, c in found.items() if not isinstance(c, Obstruction)}
        return search, _layerwise(search, latents)
    note("looking for a counterexample")
    quick = _refute(net, act, seed, 1, 128)
    if quick is not None:
        return search, _refuted(quick)
    return search, _without_latents(search, obstructions)


def _refute(
    net: Network, act: Action, seed: int, count: int, bits: int, deadline: float | None = None
) -> Counterexample | None:
    points = list(candidate_points(net, seed, count))
    for point in points:
        for generator in act.generators:
            if deadline is not None and time.monotonic() > deadline:
                return None
            found = find_counterexample(net, generator, [point], bits, seed)
            if found is not None:
                return found
    return None


def _refuted(found: Counterexample) -> Candidate:
    return Candidate(Verdict.NOT_EQUIVARIANT, found.encode(), counterexample=found)


def _layerwise(search: Search, latents: dict[str, Latents]) -> Candidate:
    reduction = search.reduction
    evidence: dict[str, Any] = {"latents": encode_latents(latents)}
    if not reduction.steps:
        return Candidate(
            Verdict.LAYERWISE, evidence, latents, given=GivenParameter(True, latents=latents)
        )
    evidence["steps"] = [step.encode() for step in reduction.steps]
    embedding = embed(reduction)
    if embedding is not None:
        evidence["embedding"] = embedding.encode()
    given = _judge_given(search, evidence)
    return Candidate(Verdict.LAYERWISE_AFTER_REDUCTION, evidence, latents, given=given)


def _judge_given(search: Search, evidence: dict[str, Any]) -> GivenParameter:
    """Judge the given parameter and add the evidence for it.

    Nothing is said of a network with affine hidden layers: their intertwiners are no
    monomial maps, and the folded network has other layers.
    """
    reduction = search.reduction
    if any(isinstance(step, AffineStep) for step in reduction.steps):
        return GivenParameter(None)
    given = judge_given_parameter(reduction.folded, search.action)
    tree = given.encode()
    if tree is not None:
        evidence["given"] = tree
    return given


def _without_latents(search: Search, obstructions: list[Obstruction]) -> Candidate:
    search.progress("looking for a counterexample at more points")
    for bits in DEEP_BITS:
        found = _refute(
            search.network, search.action, search.seed + 1, MORE_POINTS, bits, search.deadline
        )
        if found is not None:
            return _refuted(found)
        search.tried.append(f"{MORE_POINTS} rational points at {bits} bits: no gap")
    if is_polynomial(search.network):
        return _by_expansion(search, obstructions)
    return undecided(search, _missing_hypothesis(search, obstructions))


def _by_expansion(search: Search, obstructions: list[Obstruction]) -> Candidate:
    search.progress("expanding polynomials")
    network = search.network
    try:
        for generator in search.action.generators:
            if not is_identity(network, generator, search.deadline):
                return _point_of_nonzero_defect(search)
    except OutOfBudget as limit:
        return undecided(search, f"the budget ended: {limit}")
    forced = next((o for o in obstructions if o.is_forced), None)
    if forced is None:
        return undecided(
            search, "f is equivariant by expansion, but no obstruction is forced on the rows"
        )
    evidence: dict[str, Any] = {
        "equivariance": {"rule": "polynomial"},
        "obstruction": forced.encode(),
        "steps": [step.encode() for step in search.reduction.steps],
    }
    given = GivenParameter(False, obstruction=forced)
    if search.reduction.steps:
        given = _judge_given(search, evidence)
    return Candidate(Verdict.END_TO_END_ONLY, evidence, obstruction=forced, given=given)


def _point_of_nonzero_defect(search: Search) -> Candidate:
    """Return a counterexample of a non-zero polynomial defect, from ever more points."""
    count = 64
    while time.monotonic() < search.deadline:
        found = _refute(
            search.network, search.action, search.seed + count, count, 128, search.deadline
        )
        if found is not None:
            return _refuted(found)
        count *= 2
    return undecided(search, "the budget ended before a point of the non-zero defect was found")


def _missing_hypothesis(search: Search, obstructions: list[Obstruction]) -> str:
    first = obstructions[0]
    last = len(search.reduction.reduced.layers) - 1
    place = "the output equation" if first.layer == last else f"hidden layer {first.layer + 1}"
    return (
        f"no latents exist for generator {first.generator} ({place} has no solution) and no "
        "counterexample was found; no complete decision for these activations was available"
    )


def undecided(search: Search, reason: str) -> Candidate:
    """Return the candidate that claims nothing, with the reason and what was tried."""
    evidence = {"reason": _ascii(reason), "tried": [_ascii(t) for t in search.tried]}
    return Candidate(Verdict.UNDECIDED, evidence, reason=reason)


def _ascii(text: str) -> str:
    return text.encode("ascii", "replace").decode("ascii")
