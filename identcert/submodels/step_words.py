"""Reduction steps in plain words."""

from __future__ import annotations

from typing import assert_never

from identcert.submodels.steps import (
    AffineStep,
    CollapseStep,
    DropStep,
    FoldStep,
    MergeStep,
    Step,
)


def step_sentence(step: Step) -> str:
    """Return what a step does; neurons are numbered from 0 in the current network.

    Examples
    --------
    >>> step_sentence(DropStep(0, 3))
    'hidden layer 1: neuron 3 is read by nobody (zero outgoing weights) and is removed'
    """
    match step:
        case AffineStep(layer):
            return f"hidden layer {layer + 1}: its activation is affine, so it joins the next layer"
        case DropStep(layer, neuron):
            return (
                f"hidden layer {layer + 1}: neuron {neuron} is read by nobody (zero outgoing "
                "weights) and is removed"
            )
        case FoldStep(layer, neuron):
            return (
                f"hidden layer {layer + 1}: neuron {neuron} is constant (zero incoming weights) "
                "and joins the next bias"
            )
        case MergeStep(layer, keep, drop, scale, field):
            return (
                f"hidden layer {layer + 1}: neuron {drop} is a clone of neuron {keep} "
                f"(factor {field.text(scale)}) and is merged into it"
            )
        case CollapseStep():
            return "no hidden neuron is left: the function is constant"
        case _:
            assert_never(step)
