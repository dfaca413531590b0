"""What is known of networks that are equivariant end to end only, in plain words."""

from __future__ import annotations

from collections.abc import Iterator

from identcert.certify.collision import Collision
from identcert.certify.fibre import Fibre
from identcert.certify.result import Result

RULES = {
    "canonical_form": "the canonical forms of f(ρ_in x) and ρ_out f(x) agree",
    "cells": (
        "space is covered by cells on which both sides are the same affine map, or which are "
        "proved empty"
    ),
    "even_linear": "latents exist that reverse neurons, and their linear remainders cancel",
    "normal_form": "both sides have the same normal form as expressions in the inputs",
    "polynomial": "both sides are the same polynomial",
}
COORDINATES_SHOWN = 12


def end_to_end_sentences(result: Result) -> Iterator[str]:
    """Yield how equivariance was proved, what excludes latents, and what else has them."""
    if result.equivariance_rule is not None:
        rule = result.equivariance_rule
        yield f"Why equivariant: {RULES.get(rule, rule)}."
    if result.collision is not None:
        yield from _collision(result.collision)
    if result.fibre is not None:
        yield from _fibre(result.fibre)
    for name, value in result.numeric:
        yield f"  numeric, proves nothing: {name}: {value}"


def _collision(found: Collision) -> Iterator[str]:
    x, y = (
        ", ".join([found.field.text(c) for c in point[:COORDINATES_SHOWN]])
        + (", …" if len(point) > COORDINATES_SHOWN else "")
        for point in (found.x, found.y)
    )
    yield (
        f"Collision: hidden layer {found.layer + 1} has one value at x = ({x}) and y = ({y}), but "
        f"two values after generator {found.generator} moved them; so no action on that layer, "
        "linear or not, makes this parameter layerwise equivariant."
    )


def _fibre(fibre: Fibre) -> Iterator[str]:
    if fibre.status == "found":
        yield (
            "Another parameter of the same function and widths is layerwise equivariant: "
            f"{fibre.reason}."
        )
    elif fibre.status == "none":
        yield f"No parameter of the same function and widths is: {fibre.reason}."
    else:
        yield f"Is another parameter of the same function and widths? Not decided: {fibre.reason}."
