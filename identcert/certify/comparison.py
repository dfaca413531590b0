"""The state of one comparison of two networks, and the candidates for its answer.

comparison == two networks, their reductions, the time left, and what was tried
candidate  == an answer that the search proposes, with the evidence for the checker
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from identcert.certify.counterexample import Counterexample
from identcert.certify.latents import Latents
from identcert.certify.matching import Mismatch
from identcert.nets.network import Network
from identcert.submodels.reduction import Reduction


class EqualityVerdict(StrEnum):
    """The three answers to whether two networks compute the same function."""

    EQUAL = "equal"
    DIFFERENT = "different"
    UNDECIDED = "undecided"


@dataclass
class Comparison:
    """The state of one comparison.

    Attributes
    ----------
    left, right : networks with equal dimensions over one field.
    deadline : monotonic seconds at which the search stops.
    seed : seed of all random choices.
    progress : called with a phrase when a stage begins.
    reductions : of both networks.
    mismatch : why their reduced networks are not matched, once that was tried.
    tried, missing, limits : what was tried in vain, which hypotheses of a complete
        decision failed, and which methods the budget stopped; in words.
    """

    left: Network
    right: Network
    deadline: float
    seed: int
    progress: Callable[[str], None]
    reductions: tuple[Reduction, Reduction]
    mismatch: Mismatch | None = None
    tried: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    limits: list[str] = field(default_factory=list)

    @property
    def reduced(self) -> tuple[Network, Network]:
        """The reduced networks."""
        first, second = self.reductions
        return first.reduced, second.reduced


@dataclass(frozen=True)
class EqualityCandidate:
    """An answer that the search proposes, with the evidence for the checker."""

    verdict: EqualityVerdict
    evidence: dict[str, Any]
    latents: Latents | None = None
    counterexample: Counterexample | None = None
    reason: str | None = None


def equal_by(
    state: Comparison, proof: dict[str, Any], latents: Latents | None = None
) -> EqualityCandidate:
    """Return the candidate ``equal``, with the proof for the reduced networks."""
    first, second = state.reductions
    evidence = {
        "equality": proof,
        "steps": first.encode_steps(),
        "steps2": second.encode_steps(),
    }
    return EqualityCandidate(EqualityVerdict.EQUAL, evidence, latents)


def different_at(found: Counterexample) -> EqualityCandidate:
    """Return the candidate ``different`` of a point with a gap."""
    evidence = {key: value for key, value in found.encode().items() if key != "generator"}
    return EqualityCandidate(EqualityVerdict.DIFFERENT, evidence, counterexample=found)


def not_decided(state: Comparison, reason: str) -> EqualityCandidate:
    """Return the candidate that claims nothing, with the reason and what was tried."""
    tried = [_ascii(text) for text in state.tried]
    evidence = {"budget": None, "reason": _ascii(reason), "tried": tried}
    return EqualityCandidate(EqualityVerdict.UNDECIDED, evidence, reason=reason)


def _ascii(text: str) -> str:
    return text.encode("ascii", "replace").decode("ascii")
