"""The state of one decision, and the candidates for its verdict.

search    == the problem, its reduction, the time left, and what was tried
candidate == a verdict that the search proposes, with the evidence for the checker
forced    == an obstruction whose latents are the only possible ones
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from identcert.certify.collision import Collision, find_collision
from identcert.certify.counterexample import (
    Counterexample,
    candidate_points,
    find_counterexample,
)
from identcert.certify.given import GivenParameter, judge_given_parameter
from identcert.certify.latents import Latents, LayerTables, Obstruction
from identcert.certify.result import Verdict
from identcert.groups.action import Action
from identcert.nets.network import Network
from identcert.submodels.reduction import Reduction
from identcert.submodels.steps import AffineStep

Progress = Callable[[str], None]
NOT_DECIDED = GivenParameter(None)
COLLISION_SECONDS = 1.0


@dataclass
class Search:
    """The state of one decision.

    Attributes
    ----------
    network, action : the problem, over one field.
    deadline : monotonic seconds at which the search stops.
    seed : seed of all random choices.
    progress : called with a phrase when a stage begins.
    reduction, tables : the reduced network and its keyed rows.
    tried : what was tried in vain, in words.
    limits : which methods were stopped by the budget, in words.
    missing : which hypotheses of a complete decision failed, in words.
    executor, jobs : where searches that split run, and how many parts at once.
    """

    network: Network
    action: Action
    deadline: float
    seed: int
    progress: Progress
    reduction: Reduction
    tables: LayerTables
    tried: list[str]
    limits: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    executor: Executor | None = None
    jobs: int = 1

    @property
    def is_out_of_time(self) -> bool:
        """Whether the deadline has passed."""
        return time.monotonic() > self.deadline


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
    collision: Collision | None = None


def refute_at(
    search: Search, points: Iterable[Sequence[Fraction]], bits: int
) -> Counterexample | None:
    """Return a counterexample at one of the points, or None.

    It stops at the deadline, but the first point is always tried.
    """
    for number, point in enumerate(points):
        for generator in search.action.generators:
            if number and search.is_out_of_time:
                return None
            place = tuple(point)
            seed = search.seed + number
            found = find_counterexample(search.network, generator, [place], bits, seed)
            if found is not None:
                return found
    return None


def refute(search: Search, count: int, bits: int, offset: int = 0) -> Counterexample | None:
    """Return a counterexample among ``count`` points of the seed plus an offset, or None."""
    points = list(candidate_points(search.network, search.seed + offset, count))
    return refute_at(search, points, bits)


def refuted(found: Counterexample) -> Candidate:
    """Return the candidate ``not_equivariant`` of a counterexample."""
    return Candidate(Verdict.NOT_EQUIVARIANT, found.encode(), counterexample=found)


def end_to_end_only(
    search: Search, obstructions: Sequence[Obstruction], equivariance: dict[str, Any]
) -> Candidate | None:
    """Return the candidate ``end_to_end_only``, or None if no obstruction is forced.

    Parameters
    ----------
    obstructions : equations of the reduced network without an admissible solution.
    equivariance : the canonical JSON of the proof that f is equivariant.
    """
    forced = next((o for o in obstructions if o.is_forced), None)
    if forced is None:
        search.tried.append("f is equivariant, but no obstruction is forced on the rows")
        return None
    evidence: dict[str, Any] = {
        "equivariance": equivariance,
        "obstruction": forced.encode(),
        "steps": [step.encode() for step in search.reduction.steps],
    }
    found = collide(search, search.reduction.reduced, [o.generator for o in obstructions])
    if found is not None:
        evidence["collision"] = found.encode()
    given = GivenParameter(False, obstruction=forced)
    if search.reduction.steps:
        given = judge_given(search, evidence)
    return Candidate(
        Verdict.END_TO_END_ONLY, evidence, obstruction=forced, given=given, collision=found
    )


def collide(search: Search, network: Network, names: Iterable[str]) -> Collision | None:
    """Return a collision of a network under one of the named generators, or None."""
    search.progress("looking for a collision")
    deadline = min(search.deadline, time.monotonic() + COLLISION_SECONDS)
    for name in names:
        generator = search.action.generator(name)
        found = find_collision(network, generator, search.seed, deadline)
        if found is not None:
            return found
    return None


def judge_given(search: Search, evidence: dict[str, Any]) -> GivenParameter:
    """Judge the given parameter and add the evidence for it.

    Nothing is said of a network with affine hidden layers: their intertwiners are no
    monomial maps, and the folded network has other layers.
    """
    reduction = search.reduction
    if any(isinstance(step, AffineStep) for step in reduction.steps):
        return NOT_DECIDED
    given = judge_given_parameter(reduction.folded, search.action)
    if given.value is None:
        names = [generator.name for generator in search.action.generators]
        found = collide(search, reduction.folded, names)
        given = given if found is None else GivenParameter(False, collision=found)
    tree = given.encode()
    if tree is not None:
        evidence["given"] = tree
    return given


def undecided(search: Search, reason: str) -> Candidate:
    """Return the candidate that claims nothing, with the reason and what was tried."""
    tried = [_ascii(text) for text in search.tried]
    evidence = {"budget": None, "reason": _ascii(reason), "tried": tried}
    return Candidate(Verdict.UNDECIDED, evidence, reason=reason)


def _ascii(text: str) -> str:
    return text.encode("ascii", "replace").decode("ascii")
