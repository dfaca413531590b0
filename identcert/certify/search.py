"""The search: it proposes a verdict with evidence and proves nothing by itself.

Order of work: reduction and greedy latents, which cost little more than reading the
weights; if these do not decide, a small point for every generator, then the table of
methods.
"""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Any

from identcert.certify.given import GivenParameter, encode_latents
from identcert.certify.latents import Latents, LayerTables, Obstruction, find_latents
from identcert.certify.methods import METHODS
from identcert.certify.result import Verdict
from identcert.certify.state import Candidate as Candidate
from identcert.certify.state import Progress as Progress
from identcert.certify.state import Search as Search
from identcert.certify.state import judge_given, refute, refuted
from identcert.certify.state import undecided as undecided
from identcert.groups.action import Action
from identcert.nets.network import Network
from identcert.submodels.embedding import embed
from identcert.submodels.reduction import reduce_network

QUICK_BITS = 128
NO_METHOD = "no complete decision for these activations was available"


def decide(
    net: Network,
    act: Action,
    deadline: float,
    seed: int,
    note: Progress,
    jobs: int = 1,
    executor: Executor | None = None,
) -> tuple[Search, Candidate]:
    """Return the state of a search and the verdict that it proposes.

    Parameters
    ----------
    net, act : the problem over one field, with fitting shapes.
    deadline : monotonic seconds at which the search stops.
    seed : seed of all random choices.
    note : called with a phrase when a stage begins.
    jobs, executor : where searches that split run, and how many parts at once.
    """
    note("reducing the network")
    reduction = reduce_network(net)
    tables = LayerTables(reduction.reduced)
    search = Search(net, act, deadline, seed, note, reduction, tables, [])
    search.jobs, search.executor = jobs, executor
    note("matching rows layer by layer")
    found = {g.name: find_latents(tables, g) for g in act.generators}
    obstructions = [o for o in found.values() if isinstance(o, Obstruction)]
    if not obstructions:
        latents = {n: c for n, c in found.items() if not isinstance(c, Obstruction)}
        return search, _layerwise(search, latents)
    note("looking for a counterexample")
    quick = refute(search, 1, QUICK_BITS)
    if quick is not None:
        return search, refuted(quick)
    return search, _without_latents(search, obstructions)


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
    given = judge_given(search, evidence)
    return Candidate(Verdict.LAYERWISE_AFTER_REDUCTION, evidence, latents, given=given)


def _without_latents(search: Search, obstructions: list[Obstruction]) -> Candidate:
    for method in METHODS:
        found = method(search, obstructions)
        if found is not None:
            return found
    if search.limits:
        return undecided(search, f"the budget ended: {'; '.join(search.limits)}")
    return undecided(search, _missing_hypothesis(search, obstructions))


def _missing_hypothesis(search: Search, obstructions: list[Obstruction]) -> str:
    first = obstructions[0]
    last = len(search.reduction.reduced.layers) - 1
    place = "the output equation" if first.layer == last else f"hidden layer {first.layer + 1}"
    missing = "; ".join(search.missing)
    return (
        f"no latents exist for generator {first.generator} ({place} has no solution) and no "
        f"counterexample was found; {missing or NO_METHOD}"
    )
