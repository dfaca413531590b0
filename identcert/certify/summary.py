"""The JSON object of ``certify --json``; its keys are promised in ``SPEC.md``."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from identcert.certify.explain_submodel import is_placed
from identcert.certify.identifiability import identifiability
from identcert.certify.result import Result
from identcert.nets.files import canonical_network


def summary(result: Result, evidence_dir: str | None) -> dict[str, Any]:
    """Return the facts of a result as plain JSON types."""
    return {
        "verdict": str(result.verdict),
        "claim": result.claim,
        "group_order": result.group.order,
        "group": asdict(result.group),
        "widths": list(result.network.widths),
        "reduced_widths": list(result.reduction.reduced.widths),
        "given_parameter_layerwise": result.given.value,
        "identifiability": identifiability(result),
        "latents": _latents(result),
        "counterexample": _counterexample(result),
        "obstruction": result.obstruction.encode() if result.obstruction else None,
        "equivariance_rule": result.equivariance_rule,
        "collision": result.collision.encode() if result.collision else None,
        "fibre": _fibre(result),
        "diagnosis": asdict(result.diagnosis) if result.diagnosis else None,
        "place": result.place.to_json() if is_placed(result) else None,
        "reduction_steps": [step.encode() for step in result.reduction.steps],
        "exceptional": list(result.exceptional),
        "reading": result.network.reading.sentence(),
        "reason": result.reason,
        "tried": list(result.tried),
        "numeric": dict(result.numeric),
        "warnings": list(result.warnings),
        "evidence_dir": evidence_dir,
        "seconds": {stage: round(time, 6) for stage, time in result.seconds.items()},
    }


def _latents(result: Result) -> dict[str, Any] | None:
    if result.latents is None:
        return None
    field = result.network.field
    return {
        name: [
            {
                "permutation": list(latent.permutation),
                "scale": [field.text(a) for a in latent.scale],
                "shift": [field.text(b) for b in latent.shift],
            }
            for latent in chain
        ]
        for name, chain in result.latents.items()
    }


def _fibre(result: Result) -> dict[str, Any] | None:
    fibre = result.fibre
    if fibre is None:
        return None
    network = None
    if fibre.network is not None:
        network = canonical_network(fibre.network)[0]
    return {
        "status": fibre.status,
        "reason": fibre.reason,
        "classes": fibre.classes,
        "network": network,
    }


def _counterexample(result: Result) -> dict[str, Any] | None:
    found = result.counterexample
    if found is None:
        return None
    return {
        **found.encode(),
        "left": found.left,
        "right": found.right,
        "gap_is_exact": found.is_exact,
        "generator_word": found.generator,
    }
