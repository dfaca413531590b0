"""The identifiability report: as plain words, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from identcert.certify.identifiability import Identifiability, Identification
from identcert.certify.local_rank import LocalRank
from identcert.certify.second_parameter import SecondParameter
from identcert.certify.theorems import Theorem, Trial
from identcert.errors import UnsupportedError
from identcert.nets.constant import entry_text
from identcert.nets.human import network_bytes
from identcert.nets.network import Network
from identcert.submodels.reduction import Reduction
from identcert.submodels.step_words import step_sentence

STEPS_SHOWN = 12
WEIGHTS_SHOWN = 60
WEIGHTS_ENCODED = 2_000

MEANING = {
    Identifiability.IDENTIFIABLE: (
        "every parameter of the same architecture that computes the same function is related to "
        "this one by the symmetries of the activations."
    ),
    Identifiability.WEAKLY: (
        "the parameter is degenerate, and it comes from an identifiable smaller network."
    ),
    Identifiability.NOT: (
        "another parameter of the same architecture computes the same function, and no symmetries "
        "of the activations relate the two."
    ),
    Identifiability.LOCALLY: (
        "near this parameter, only the continuous symmetries of the activations keep the function; "
        "whether it is identifiable globally is open."
    ),
    Identifiability.OPEN: "no theorem of the catalogue applies, and no second parameter was found.",
}


def explain(found: Identification) -> str:
    """Return the report for people: each theorem tried, each hypothesis with its evidence."""
    return "\n".join(_lines(found))


def identification_sentence(found: Identification) -> str:
    """Return status and reason in one line, for the explanation of a verdict."""
    second = found.second_parameter
    if found.theorem is not None and found.submodel is None:
        reason = f"by {found.theorem.theorem.name}"
    elif found.status is Identifiability.WEAKLY and found.theorem is not None:
        widths = "-".join(str(w) for w in found.reduction.reduced.widths)
        reason = f"through the submodel of widths {widths}, by {found.theorem.theorem.name}"
    elif found.status is Identifiability.NOT and second is not None:
        reason = second.change
    elif found.status is Identifiability.LOCALLY and found.local_rank is not None:
        reason = found.local_rank.text()
    else:
        reason = "no theorem of the catalogue applies to this network"
    return f"Identifiability: {found.status} ({reason}); see `identcert identify`."


def _lines(found: Identification) -> Iterator[str]:
    yield f"{found.status}: {MEANING[found.status]}"
    yield from _network(found.reduction)
    yield from _submodel(found)
    if found.second_parameter is not None:
        yield from _second(found.second_parameter, "A second parameter")
    subject = "the reduced network" if found.submodel is not None else "this network"
    if found.trials:
        yield f"Theorems tried on {subject} (✓ holds, ✗ fails, ? not decided):"
    else:
        yield "No theorem of the catalogue is about networks like this one."
    for trial in found.trials:
        yield from _trial(trial)
    if found.local_rank is not None:
        yield f"Local rank: {found.local_rank.text()}."
    if found.reduction.exceptional:
        field = found.reduction.original.field
        zeros = ", ".join(f"{field.text(p)} = 0" for p in found.reduction.exceptional)
        yield f"The weights depend on parameters: nothing is said of the values with {zeros}."
    if found.context:
        yield "Context (generic theorems and lemmas; they certify no given network):"
        yield from (f"  · {theorem.text()}" for theorem in found.context)


def _network(reduction: Reduction) -> Iterator[str]:
    network = reduction.original
    widths = "-".join(str(w) for w in network.widths)
    names = ", ".join(network.activation_names) or "affine"
    with_bias = [k for k, layer in enumerate(network.layers, start=1) if layer.has_bias]
    biases = {0: "no biases", len(network.layers): "biases in every layer"}.get(
        len(with_bias), f"biases in layers {', '.join(map(str, with_bias))}"
    )
    yield f"Network: widths {widths}, {names}, {biases}, {network.parameter_count} parameters."


def _submodel(found: Identification) -> Iterator[str]:
    submodel, steps = found.submodel, found.reduction.steps
    if submodel is None:
        return
    widths = "-".join(str(w) for w in found.reduction.reduced.widths)
    noun = "step" if len(steps) == 1 else "steps"
    yield f"Submodel: widths {widths}, through {len(steps)} {noun}:"
    yield from (f"  {step_sentence(step)}" for step in steps[:STEPS_SHOWN])
    if len(steps) > STEPS_SHOWN:
        yield f"  and {len(steps) - STEPS_SHOWN} more steps"
    yield f"  the reduced network is {submodel.status}"
    if submodel.pattern is None:
        yield "  affine layers were composed first: all statements are about the folded network"
    else:
        yield f"  {submodel.pattern.mark} it is a submodel: {submodel.pattern.text}"
    if submodel.second_parameter is not None and submodel.pattern is not None:
        title = "A second parameter of the reduced network"
        yield from _second(submodel.second_parameter, title)


def _second(second: SecondParameter, title: str) -> Iterator[str]:
    yield f"{title} ({second.rule}): {second.change}."
    yield f"  same function: {second.same_function}"
    yield f"  not related: {second.unrelated}"
    if second.network.parameter_count > WEIGHTS_SHOWN:
        return
    for number, layer in enumerate(second.network.layers, start=1):
        text = layer.field.text
        rows = "; ".join(", ".join(map(text, row)) for row in layer.weight.to_rows())
        bias = ", ".join(entry_text(b, layer.field) for b in layer.bias)
        tail = f", b = ({bias})" if layer.has_bias else ""
        yield f"  W_{number} = [{rows}]{tail}"


def _trial(trial: Trial) -> Iterator[str]:
    answer = "applies" if trial.holds else "does not apply"
    yield f"  {'✓' if trial.holds else '✗'} {trial.theorem.name} {answer}"
    for hypothesis, item in zip(trial.theorem.hypotheses, trial.evidence, strict=True):
        yield f"      {item.mark} {hypothesis.statement}: {item.text}"
    yield f"      ⇒ {trial.theorem.conclusion}"
    yield f"      {_place(trial.theorem)}"


def _place(theorem: Theorem) -> str:
    parts = [theorem.reference, theorem.status]
    parts += [f"to be confirmed: {theorem.to_confirm}"] if theorem.to_confirm else []
    parts += [f"in Coq: {theorem.coq}"] if theorem.coq else []
    return "; ".join(parts)


def encode(found: Identification) -> dict[str, Any]:
    """Return the report as plain JSON types."""
    named = found.status in (Identifiability.IDENTIFIABLE, Identifiability.WEAKLY)
    theorem = found.theorem if named else None
    nearest = found.theorem or min(found.trials, key=lambda trial: len(trial.missing), default=None)
    return {
        "status": str(found.status),
        "theorem": theorem.theorem.text() if theorem else None,
        "hypotheses": _hypotheses(nearest) if nearest else [],
        "submodel": _encode_submodel(found),
        "second_parameter": _encode_second(found.second_parameter),
        "local_rank": _encode_rank(found.local_rank),
        "tried": [_encode_trial(trial) for trial in found.trials],
        "missing": list(found.missing) if not named else [],
        "context": [
            {"theorem": t.name, "reference": t.reference, "statement": t.conclusion,
             "status": t.status, "to_confirm": t.to_confirm}
            for t in found.context
        ],
    }  # fmt: skip


def _hypotheses(trial: Trial) -> list[dict[str, Any]]:
    return [
        {
            "hypothesis": hypothesis.statement,
            "holds": item.holds,
            "evidence": item.text,
            "data": dict(item.data),
        }
        for hypothesis, item in zip(trial.theorem.hypotheses, trial.evidence, strict=True)
    ]


def _encode_trial(trial: Trial) -> dict[str, Any]:
    theorem = trial.theorem
    return {
        "key": theorem.key,
        "theorem": theorem.name,
        "reference": theorem.reference,
        "conclusion": theorem.conclusion,
        "status": theorem.status,
        "to_confirm": theorem.to_confirm,
        "coq": theorem.coq,
        "applies": trial.holds,
        "hypotheses": _hypotheses(trial),
    }


def _encode_submodel(found: Identification) -> dict[str, Any] | None:
    submodel = found.submodel
    if submodel is None:
        return None
    pattern = submodel.pattern
    return {
        "widths": list(found.reduction.reduced.widths),
        "steps": found.reduction.encode_steps(),
        "sentences": [step_sentence(step) for step in found.reduction.steps],
        "status": str(submodel.status),
        "theorem": found.theorem.theorem.text() if found.theorem else None,
        "is_submodel": None if pattern is None else pattern.holds,
        "evidence": "affine layers were composed first" if pattern is None else pattern.text,
        "second_parameter": _encode_second(submodel.second_parameter),
    }


def _encode_second(second: SecondParameter | None) -> dict[str, Any] | None:
    if second is None:
        return None
    return {
        "rule": second.rule,
        "change": second.change,
        "same_function": second.same_function,
        "unrelated": second.unrelated,
        "network": _encode_network(second.network),
    }


def _encode_network(network: Network) -> dict[str, Any] | None:
    """Return the network file's JSON; None for large ones and for folded constants."""
    if network.parameter_count > WEIGHTS_ENCODED:
        return None
    try:
        tree: dict[str, Any] = json.loads(network_bytes(network))
    except UnsupportedError:
        return None
    return tree


def _encode_rank(rank: LocalRank | None) -> dict[str, Any] | None:
    if rank is None:
        return None
    return {
        "rank": rank.rank,
        "is_exact": rank.is_exact,
        "parameters": rank.parameters,
        "symmetries": rank.symmetries,
        "needed": rank.needed,
        "is_full": rank.is_full,
        "method": rank.method,
    }
