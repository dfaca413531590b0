"""Where a network lies among its submodels, and what that means for its layers, in words."""

from __future__ import annotations

from collections.abc import Iterator

from identcert.certify.identifiability import Identifiability
from identcert.certify.result import Result
from identcert.errors import UnsupportedError

NEURONS_PLACED = 200
"""Above this many hidden neurons counts are astronomic and the lifts are large matrices."""


def is_placed(result: Result) -> bool:
    """Return whether the place of the network is worth its time: few hidden neurons, but some."""
    return 0 < sum(result.reduction.folded.widths[1:-1]) <= NEURONS_PLACED


def place_sentences(result: Result) -> Iterator[str]:
    """Yield the node of the network in the graph of submodels."""
    if not is_placed(result):
        if result.reduction.folded.widths[1:-1]:
            yield (
                f"Place among the submodels: left out above {NEURONS_PLACED} hidden neurons "
                "(`identcert reduce --graph` says it)."
            )
        return
    place = result.place
    if result.reduction.steps:
        yield from place.sentences()
    else:
        widths = "-".join(map(str, place.architecture.widths))
        yield f"Place among the submodels of widths {widths}: the top, no neuron is redundant."


def chain_sentences(result: Result) -> Iterator[str]:
    """Yield the chain parameter, pattern, submodel, lifted latents, of a reducible network."""
    if not result.reduction.steps or not is_placed(result):
        return
    try:
        chain = result.weak_chain
    except UnsupportedError as error:
        yield f"Weak identifiability: not followed, since {error}."
        return
    yield "Weak identifiability, step by step:"
    yield from (f"  {line}" for line in chain.sentences(_submodel_clause(result)))


def _submodel_clause(result: Result) -> str:
    """Return what is known of the submodel, as a clause."""
    found = result.identifiability
    status = found.status if found.submodel is None else found.submodel.status
    source = "" if found.theorem is None else f" (by {found.theorem.theorem.name})"
    if status in (Identifiability.IDENTIFIABLE, Identifiability.WEAKLY):
        return f"is identifiable{source}"
    if status is Identifiability.LOCALLY:
        return f"is locally identifiable{source}"
    if status is Identifiability.NOT:
        return "is not identifiable: another parameter of its widths has the same function"
    return "is not shown to be identifiable"
