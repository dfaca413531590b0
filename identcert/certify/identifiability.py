"""Whether a parameter is identifiable, by which theorem, and if not, what else computes f.

identifiable         == every parameter of the same architecture and function is related
                        to this one by latent symmetries; a theorem says so, and each of
                        its hypotheses was checked on this network
weakly_identifiable  == not that, but it comes from an identifiable reduced network as a
                        submodel, by condition (S)
not_identifiable     == a second parameter was constructed and checked
locally_identifiable == the exact Jacobian rank leaves only the continuous symmetries
open                 == none of these was proved; what is missing is listed

Theorems about almost all parameters are context: no status rests on them.

Source: theory of identifiability (§1 Prop. 4, §10, §12).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from identcert.arguments import check_budget, check_integer
from identcert.certify.degeneracies import propose_by_degeneracy
from identcert.certify.dependent_features import propose_by_dependence, propose_by_solving
from identcert.certify.hypotheses import Evidence
from identcert.certify.kink_exchange import propose_by_kinks
from identcert.certify.local_rank import LocalRank, local_rank
from identcert.certify.reversals import propose_by_reversal
from identcert.certify.second_parameter import Proposal, SecondParameter, find_verified
from identcert.certify.square_mixing import propose_by_mixing, propose_by_swap
from identcert.certify.strong_square import is_strong_submodel
from identcert.certify.theorems import Theorem, Trial, context_theorems, try_theorems
from identcert.nets.network import Network
from identcert.submodels.reduction import Reduction, reduce_network
from identcert.submodels.steps import AffineStep

if TYPE_CHECKING:
    from identcert.certify.result import Result

SEARCHED = 20_000
"""Number of weights up to which second parameters are searched for."""


class Identifiability(StrEnum):
    """The five answers of `identify`."""

    IDENTIFIABLE = "identifiable"
    WEAKLY = "weakly_identifiable"
    NOT = "not_identifiable"
    LOCALLY = "locally_identifiable"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Submodel:
    """The reduced network of a degenerate one, and what is known of it.

    Attributes
    ----------
    status : the status of the reduced network.
    pattern : whether condition (S) holds; None where only affine layers were composed.
    second_parameter : another parameter of the reduced network's own architecture.
    """

    status: Identifiability
    pattern: Evidence | None
    second_parameter: SecondParameter | None


@dataclass(frozen=True, slots=True)
class Identification:
    """The answer of `identify`, with everything that supports it.

    Attributes
    ----------
    status : one of the five answers.
    reduction : the given network, the reduced one, and the steps between them.
    theorem : the theorem that decides, with the evidence of each hypothesis; it is about
        the reduced network. None if no theorem applies.
    trials : all theorems tried on the reduced network.
    submodel : the reduced network's own answer, for degenerate networks.
    second_parameter : another parameter of the same function, of the given network (or,
        if that is reduced already, of itself).
    local_rank : the rank of the Jacobian, where it was computed.
    context : generic theorems about such networks; they certify nothing.
    """

    status: Identifiability
    reduction: Reduction
    theorem: Trial | None
    trials: tuple[Trial, ...]
    submodel: Submodel | None
    second_parameter: SecondParameter | None
    local_rank: LocalRank | None
    context: tuple[Theorem, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """What is missing for a better status, in words; empty where a theorem decides."""
        if self.theorem is not None:
            pattern = self.submodel.pattern if self.submodel is not None else None
            return (pattern.text,) if pattern is not None and pattern.holds is not True else ()
        if not self.trials:
            return ("no theorem of the catalogue is about networks like this one",)
        return tuple(f"{t.theorem.name}: {text}" for t in self.trials for text in t.missing)

    def explain(self) -> str:
        """Return the report in plain words."""
        from identcert.certify.identify_words import explain

        return explain(self)

    def to_json(self) -> dict[str, Any]:
        """Return the object that ``identcert identify --json`` prints."""
        from identcert.certify.identify_words import encode

        return encode(self)


def identify(
    network: Network | str | Path, *, budget: float = 20.0, seed: int = 0
) -> Identification:
    """Return whether a network's parameter is identifiable, with exact evidence.

    Parameters
    ----------
    network : a network, or the path of a network file.
    budget : seconds after which no further search begins.
    seed : seed of the points at which Jacobians are taken.

    Raises
    ------
    InputError
        If the file is wrong.
    UnsupportedError
        If whether two neurons are clones depends on the sign of a parameter.

    Examples
    --------
    >>> net = Network.dense([([[1, 2], [2, 1]], [0, 0], "tanh"), ([[3, 4]], [1], "identity")])
    >>> found = identify(net)
    >>> str(found.status), found.theorem.theorem.name
    ('identifiable', 'Sussmann 1992')
    """
    check_budget(budget)
    check_integer(seed, "seed")
    net = network if isinstance(network, Network) else Network.load(network)
    return identify_reduction(reduce_network(net), time.monotonic() + budget, seed)


def identify_reduction(reduction: Reduction, deadline: float, seed: int = 0) -> Identification:
    """Return the identification of a network whose reduction is known."""
    reduced = reduction.reduced
    trials = try_theorems(reduced)
    theorem = next((trial for trial in trials if trial.holds), None)
    second = rank = None
    if theorem is None:
        second = _second_parameter(reduced, deadline)
    if theorem is None and second is None and time.monotonic() < deadline:
        rank = local_rank(reduced, deadline, seed)
    status = _status(theorem, second, rank)
    submodel = None
    if reduction.steps:
        submodel = Submodel(status, _pattern(reduction), second)
        if submodel.pattern is not None:
            second = find_verified(
                reduction.folded, propose_by_degeneracy(reduction.folded), deadline
            )
        status = _degenerate_status(submodel, second)
    return Identification(
        status, reduction, theorem, trials, submodel, second, rank, context_theorems(reduced)
    )


def _status(
    theorem: Trial | None, second: SecondParameter | None, rank: LocalRank | None
) -> Identifiability:
    if theorem is not None:
        return Identifiability.IDENTIFIABLE
    if second is not None:
        return Identifiability.NOT
    if rank is not None and rank.is_full:
        return Identifiability.LOCALLY
    return Identifiability.OPEN


def _pattern(reduction: Reduction) -> Evidence | None:
    return None if is_folded_only(reduction) else is_strong_submodel(reduction)


def is_folded_only(reduction: Reduction) -> bool:
    """Return whether all steps compose affine layers with the next ones."""
    return all(isinstance(step, AffineStep) for step in reduction.steps)


def _degenerate_status(submodel: Submodel, second: SecondParameter | None) -> Identifiability:
    """Return the status of the given network from that of the reduced one.

    Where only affine layers were composed, the statement is about the folded network.
    """
    comes_from_it = submodel.pattern is None or submodel.pattern.holds is True
    if submodel.status is Identifiability.IDENTIFIABLE and comes_from_it:
        return Identifiability.WEAKLY
    if submodel.pattern is None:
        return submodel.status
    return Identifiability.OPEN if second is None else Identifiability.NOT


def _second_parameter(network: Network, deadline: float) -> SecondParameter | None:
    if network.parameter_count > SEARCHED or len(network.layers) < 2:
        return None
    return find_verified(network, _proposals(network, deadline), deadline)


def _proposals(network: Network, deadline: float) -> Iterator[Proposal]:
    yield from propose_by_mixing(network)
    yield from propose_by_reversal(network)
    yield from propose_by_kinks(network)
    yield from propose_by_swap(network)
    if time.monotonic() < deadline:
        yield from propose_by_dependence(network, deadline)
        yield from propose_by_solving(network, deadline)


def identifiability(result: Result) -> dict[str, Any]:
    """Return the ``identifiability`` entry of ``certify --json``."""
    return result.identifiability.to_json()
