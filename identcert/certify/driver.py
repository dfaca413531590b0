"""The certifier: search for evidence, have it checked, only then answer.

Search proposes, the checker disposes: every verdict but ``undecided`` is returned after
its serialised evidence was verified by the independent checker.
"""

from __future__ import annotations

import time
from concurrent.futures import Executor
from pathlib import Path

from identcert.arguments import check_budget, check_integer
from identcert.certify.diagnosis import Diagnosis, diagnose
from identcert.certify.facts import group_facts, group_warnings
from identcert.certify.fibre import Fibre, find_fibre
from identcert.certify.problem import bind, problem_files
from identcert.certify.result import Result, Verdict
from identcert.certify.room import verify_counterexample
from identcert.certify.search import Candidate, Progress, Search, decide, undecided
from identcert.certify.state import refuted
from identcert.errors import EvidenceRejected, UnsupportedError
from identcert.groups.action import Action
from identcert.groups.closure import FiniteClosure, close
from identcert.nets.network import Network
from identcert.witness.store import verify

CLOSURE_LIMIT = 2_000
DIAGNOSIS_SECONDS = 10.0


def certify(
    network: Network | str | Path,
    action: Action | str | Path,
    *,
    budget: float = 60.0,
    seed: int = 0,
    progress: Progress | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
) -> Result:
    """Decide whether f(ρ_in(g)x) = ρ_out(g)f(x) for all x and all g, with evidence.

    Parameters
    ----------
    network : a network, or the path of a ``.network.json``, ``.onnx`` or ``.nnet`` file.
    action : an action, the path of an ``.action.json`` file, or a built-in name.
    budget : seconds after which the search stops; the answer is then ``undecided``.
    seed : seed of the search; equal inputs and seed give equal evidence.
    progress : called with a short phrase when a stage begins.
    jobs : how many parts of a search that splits run at once, in processes of this machine.
    executor : any `concurrent.futures` executor to run them instead, such as a pool of Dask
        or of MPI; it is not shut down.

    Returns
    -------
    The verdict with its evidence, which the independent checker has verified.

    Raises
    ------
    InputError
        If the network, the action or their shapes do not fit.
    UnsupportedError
        If the problem is one that identcert refuses, with the reason.

    Notes
    -----
    f is the function over the real numbers that the stored weights define, not its
    execution in floating point.

    References
    ----------
    Shahverdi, Marchetti, Bökman, Kohn, *Identifiable Equivariant Networks are Layerwise
    Equivariant* (2026), Theorem 4.1: a weakly identifiable parameter has latents.

    Examples
    --------
    >>> from identcert import Network, actions, certify
    >>> net = Network.dense([([[1, 2], [2, 1]], [0, 0], "tanh"), ([[3, 3]], [1], "identity")])
    >>> result = certify(net, actions.cyclic(2))
    >>> result.verdict
    <Verdict.LAYERWISE: 'layerwise'>
    """
    began = time.monotonic()
    check_budget(budget)
    check_integer(seed, "seed")
    check_integer(jobs, "jobs", 1)
    note = progress or (lambda phrase: None)
    net, act = bind(network, action)
    if act.infinitesimal:
        raise UnsupportedError(
            "certify takes finite generators; an action with infinitesimal generators "
            "belongs to `identcert attribute`"
        )
    search, candidate = decide(net, act, began + budget, seed, note, jobs, executor)
    decided = time.monotonic()
    return _finish(search, candidate, began, decided)


def _finish(search: Search, candidate: Candidate, began: float, decided: float) -> Result:
    """Serialise, verify, and add what people want to know besides."""
    search.progress("verifying the evidence")
    files = _files(search, candidate)
    serialised = time.monotonic()
    claim, files, candidate = _verified(search, candidate, files)
    stages = {
        "decision": decided - began,
        "serialisation": serialised - decided,
        "check": time.monotonic() - serialised,
    }
    return _result(search, candidate, files, claim, began, stages)


def _verified(
    search: Search, candidate: Candidate, files: dict[str, bytes]
) -> tuple[str, dict[str, bytes], Candidate]:
    """Return the verified claim, the files, and the candidate that they hold."""
    if candidate.verdict is Verdict.UNDECIDED:
        return "nothing is claimed", files, candidate
    found = candidate.counterexample
    try:
        if found is None or found.bits is None:
            return verify(files).claim, files, candidate
        claim, files, found = verify_counterexample(
            found, lambda attempt: _files(search, refuted(attempt))
        )
        return claim, files, refuted(found)
    except EvidenceRejected as refusal:
        if found is None and candidate.verdict is not Verdict.END_TO_END_ONLY:
            raise
        # Numbers too large or too near for the checker, or an inequality of formal constants.
        candidate = undecided(search, str(refusal))
        return "nothing is claimed", _files(search, candidate), candidate


def _files(search: Search, candidate: Candidate) -> dict[str, bytes]:
    return problem_files(search.network, search.action, candidate.verdict, candidate.evidence)


def _result(
    search: Search,
    candidate: Candidate,
    files: dict[str, bytes],
    claim: str,
    began: float,
    stages: dict[str, float],
) -> Result:
    closure = close(search.action, CLOSURE_LIMIT)
    group = group_facts(search.action, closure)
    return Result(
        verdict=candidate.verdict,
        network=search.network,
        action=search.action,
        claim=claim,
        reduction=search.reduction,
        group=group,
        given=candidate.given,
        evidence=files,
        latents=candidate.latents,
        counterexample=candidate.counterexample,
        obstruction=candidate.obstruction,
        equivariance_rule=candidate.evidence.get("equivariance", {}).get("rule"),
        collision=candidate.collision,
        fibre=_fibre(search, candidate),
        diagnosis=_diagnosis(search, candidate, closure),
        reason=candidate.reason,
        tried=tuple(search.tried),
        exceptional=tuple(search.network.field.text(p) for p in search.reduction.exceptional),
        warnings=group_warnings(search.action, group, search.network),
        seconds={**stages, "total": time.monotonic() - began},
    )


def _diagnosis(
    search: Search, candidate: Candidate, closure: FiniteClosure | None
) -> Diagnosis | None:
    """Return why the network is not equivariant, if it is not."""
    if candidate.counterexample is None:
        return None
    search.progress("diagnosing the refutation")
    deadline = time.monotonic() + DIAGNOSIS_SECONDS
    refuted = candidate.counterexample.generator
    return diagnose(search.network, search.tables, search.action, closure, refuted, deadline)


def _fibre(search: Search, candidate: Candidate) -> Fibre | None:
    """Return what is known of other parameters, if this one has no latents."""
    if candidate.verdict is not Verdict.END_TO_END_ONLY:
        return None
    search.progress("looking for another parameter")
    return find_fibre(search.reduction.reduced, search.action)
