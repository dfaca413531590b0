"""Equality of two networks as functions: decided with evidence that is checked.

Search proposes, the checker disposes: ``equal`` and ``different`` are returned only after
the serialised evidence was verified by the independent checker.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from identcert.arguments import check_budget, check_integer, path_of
from identcert.certify.comparison import (
    Comparison,
    EqualityCandidate,
    EqualityVerdict,
    different_at,
    not_decided,
)
from identcert.certify.counterexample import Counterexample
from identcert.certify.equality_methods import compare
from identcert.certify.latents import Latents
from identcert.certify.problem import bind_networks, equality_files
from identcert.certify.room import verify_counterexample
from identcert.errors import EvidenceRejected
from identcert.nets.network import Network
from identcert.submodels.reduction import Reduction
from identcert.witness.store import verify, write_folder

COORDINATES_SHOWN = 12
RULES = {
    "latents": "the reduced networks are related by the symmetries of their layers",
    "canonical_form": "their canonical forms agree",
    "polynomial": "they are equal polynomials",
    "normal_form": "their outputs have one normal form",
    "cells": "they agree on every cell of a cover by polyhedra",
}
MEANING = {
    EqualityVerdict.EQUAL: "both networks compute the same function.",
    EqualityVerdict.DIFFERENT: "the networks compute different functions.",
    EqualityVerdict.UNDECIDED: "nothing is proved.",
}


@dataclass(frozen=True)
class EqualityResult:
    """The answer of `equal`, with everything that supports it.

    Attributes
    ----------
    verdict : ``equal``, ``different`` or ``undecided``.
    left, right : the networks, over one common field.
    claim : the sentence that the independent checker verified.
    reductions : of both networks.
    method : the rule that proves equality, else None.
    latents : the maps of the hidden layers that carry the first reduced network to the
        second one, where the rule is ``latents``.
    counterexample : a point with a rigorous gap, for ``different``; it has no generator.
    reason, tried : for ``undecided``: what is missing, and what was tried.
    evidence : the files of the evidence folder by name.
    seconds : times of the stages.
    """

    verdict: EqualityVerdict
    left: Network
    right: Network
    claim: str
    reductions: tuple[Reduction, Reduction]
    evidence: dict[str, bytes]
    method: str | None = None
    latents: Latents | None = None
    counterexample: Counterexample | None = None
    reason: str | None = None
    tried: tuple[str, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)

    def save(self, directory: str | Path) -> Path:
        """Write the evidence folder and return its path.

        Raises
        ------
        InputError
            If the folder cannot be written.
        """
        path = path_of(directory, "folder", "give the path of a folder")
        write_folder(path, self.evidence)
        return path

    def explain(self) -> str:
        """Return what was found, in plain words."""
        return "\n".join(_lines(self))

    def to_json(self, evidence_dir: str | None = None) -> dict[str, Any]:
        """Return the object that ``identcert equal --json`` prints."""
        found = self.counterexample
        point = None
        if found is not None:
            point = {key: value for key, value in found.encode().items() if key != "generator"}
            point |= {"left": found.left, "right": found.right, "gap_is_exact": found.is_exact}
        latents = None if self.latents is None else [latent.encode() for latent in self.latents]
        return {
            "verdict": str(self.verdict),
            "claim": self.claim,
            "method": self.method,
            "widths": [list(net.widths) for net in (self.left, self.right)],
            "reduced_widths": [list(r.reduced.widths) for r in self.reductions],
            "latents": latents,
            "counterexample": point,
            "reading": [net.reading.sentence() for net in (self.left, self.right)],
            "reason": self.reason,
            "tried": list(self.tried),
            "evidence_dir": evidence_dir,
            "seconds": {stage: round(time, 6) for stage, time in self.seconds.items()},
        }


def equal(
    left: Network | str | Path,
    right: Network | str | Path,
    *,
    budget: float = 60.0,
    seed: int = 0,
    progress: Callable[[str], None] | None = None,
) -> EqualityResult:
    """Decide whether two networks compute the same function, with evidence.

    Parameters
    ----------
    left, right : networks, or paths of ``.network.json``, ``.onnx`` or ``.nnet`` files.
    budget : seconds after which the search stops; the answer is then ``undecided``.
    seed : seed of the search; equal inputs and seed give equal evidence.
    progress : called with a short phrase when a stage begins.

    Raises
    ------
    InputError
        If a file is wrong or the dimensions differ.
    UnsupportedError
        If the problem is one that identcert refuses, with the reason.

    Notes
    -----
    The functions are those over the real numbers that the stored weights define.

    Examples
    --------
    >>> left = Network.dense([([[1], [1]], [0, 1], "relu"), ([[2, -1]], None, "identity")])
    >>> right = Network.dense([([[2], [3]], [2, 0], "relu"), ([["-1/2", "2/3"]], None, "identity")])
    >>> equal(left, right).verdict
    <EqualityVerdict.EQUAL: 'equal'>
    """
    began = time.monotonic()
    check_budget(budget)
    check_integer(seed, "seed")
    first, second = bind_networks(left, right)
    note = progress or (lambda phrase: None)
    state, candidate = compare(first, second, began + budget, seed, note)
    decided = time.monotonic()
    note("verifying the evidence")
    claim, files, candidate = _verified(state, candidate)
    proof = candidate.evidence.get("equality", {})
    return EqualityResult(
        verdict=candidate.verdict,
        left=first,
        right=second,
        claim=claim,
        reductions=state.reductions,
        evidence=files,
        method=proof.get("rule"),
        latents=candidate.latents,
        counterexample=candidate.counterexample,
        reason=candidate.reason,
        tried=tuple(state.tried),
        seconds={
            "decision": decided - began,
            "check": time.monotonic() - decided,
            "total": time.monotonic() - began,
        },
    )


def _verified(
    state: Comparison, candidate: EqualityCandidate
) -> tuple[str, dict[str, bytes], EqualityCandidate]:
    """Return the verified claim, the files, and the candidate that they hold."""
    files = _files(state, candidate)
    if candidate.verdict is EqualityVerdict.UNDECIDED:
        return "nothing is claimed", files, candidate
    found = candidate.counterexample
    try:
        if found is None or found.bits is None:
            return verify(files).claim, files, candidate
        claim, files, found = verify_counterexample(
            found, lambda attempt: _files(state, different_at(attempt))
        )
        return claim, files, different_at(found)
    except EvidenceRejected as refusal:
        if candidate.latents is not None:
            raise
        # Numbers too large or too near for the checker, or an inequality of formal constants.
        candidate = not_decided(state, "; ".join([*state.missing, str(refusal)]))
        return "nothing is claimed", _files(state, candidate), candidate


def _files(state: Comparison, candidate: EqualityCandidate) -> dict[str, bytes]:
    return equality_files(state.left, state.right, candidate.verdict, candidate.evidence)


def _lines(result: EqualityResult) -> Iterator[str]:
    yield f"{result.verdict}: {MEANING[result.verdict]}"
    if result.verdict is not EqualityVerdict.UNDECIDED:
        yield f"Verified by the independent checker: {result.claim}"
    for name, network, reduction in zip(
        ("First", "Second"), (result.left, result.right), result.reductions, strict=True
    ):
        widths = "-".join(map(str, network.widths))
        names = ", ".join(network.activation_names) or "affine"
        line = f"{name} network: widths {widths}, {names}"
        if reduction.steps:
            line += f", reduced to {'-'.join(map(str, reduction.reduced.widths))}"
        yield f"{line}. Numbers: {network.reading.sentence()}"
    yield (
        "The functions are those over the real numbers that these weights define, not their "
        "float execution."
    )
    if result.method is not None:
        yield f"Why equal: {RULES.get(result.method, result.method)}."
    yield from _point(result)
    if result.reason is not None:
        yield f"Why undecided: {result.reason}."
        yield from (f"  tried: {attempt}" for attempt in result.tried)


def _point(result: EqualityResult) -> Iterator[str]:
    from identcert.certify.explain import arithmetic_of, short_decimal, shorten, shorten_text

    found = result.counterexample
    if found is None:
        return
    shown = ", ".join(shorten(x) for x in found.point[:COORDINATES_SHOWN])
    if len(found.point) > COORDINATES_SHOWN:
        shown += f", … ({len(found.point)} coordinates)"
    yield f"They differ at x = ({shown})"
    if found.parameters:
        values = ", ".join(f"{name} = {value}" for name, value in found.parameters)
        yield f"  at the parameter values {values}"
    yield f"  output {found.component} of the first network: {shorten_text(found.left)}"
    yield f"  output {found.component} of the second network: {shorten_text(found.right)}"
    relation, size = "=" if found.is_exact else "≥", short_decimal(found.gap)
    yield f"  gap {relation} {shorten(found.gap)} (about {size}), {arithmetic_of(found)}"
