"""Sentences of the command line that belong to no result."""

from __future__ import annotations

from identcert.nets.network import Network
from identcert.submodels.reduction import Reduction
from identcert.submodels.step_words import step_sentence


def reduction_words(reduction: Reduction, written: Network) -> str:
    """Return what a reduction did, in plain words."""
    before = "-".join(str(w) for w in reduction.original.widths)
    after = "-".join(str(w) for w in reduction.reduced.widths)
    if not reduction.steps:
        return f"Widths {before}: no neuron is inactive or cloned, nothing is removed."
    lines = [f"Widths {before} become {after} in {len(reduction.steps)} steps:"]
    lines += [f"  {step_sentence(step)}" for step in reduction.steps]
    constants = sum(written.widths) - sum(reduction.reduced.widths)
    if constants > 0:
        lines.append(
            f"The written network keeps {constants} neurons with zero incoming row: they hold "
            "folded constants such as tanh(1/2) exactly."
        )
    return "\n".join(lines)
