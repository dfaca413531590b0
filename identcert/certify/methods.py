"""The methods that decide where no latents were found, in the order of their use.

method == a function of the state and of the obstructions to latents that returns a
          candidate, or None if it does not apply or fails; a failure that tells why is
          noted in ``tried``, ``missing`` or ``limits`` of the state
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from identcert.certify.canonical import (
    Different,
    Unknown,
    decide_by_canonical_form,
    has_comparable_constants,
)
from identcert.certify.deep_methods import (
    by_cells,
    by_even_linear,
    by_normal_form,
    by_quick_cells,
)
from identcert.certify.determinant import by_determinant
from identcert.certify.gap import separate
from identcert.certify.identity import is_identity, is_polynomial
from identcert.certify.latents import Obstruction
from identcert.certify.pairs import equivariance_pair
from identcert.certify.state import Candidate, Search, end_to_end_only, refute, refuted
from identcert.errors import OutOfBudget
from identcert.groups.action import Generator

Method = Callable[[Search, list[Obstruction]], Candidate | None]
MORE_POINTS = 40
DEEP_BITS = (256, 1024)


def by_canonical_form(search: Search, obstructions: list[Obstruction]) -> Candidate | None:
    """Decide networks of one hidden layer, or none, by their canonical forms (Theorem 1, 2)."""
    reduced = search.reduction.reduced
    if len(reduced.layers) > 2 or is_polynomial(reduced):
        return None
    search.progress("comparing canonical forms")
    for generator in search.action.generators:
        pair = equivariance_pair(reduced, generator)
        found = decide_by_canonical_form(*pair, search.deadline, search.seed)
        if isinstance(found, Different):
            return _separated(search, generator, found)
        if isinstance(found, Unknown):
            search.missing.append(found.reason)
            return None
    return end_to_end_only(search, obstructions, {"rule": "canonical_form"})


def _separated(search: Search, generator: Generator, decision: Different) -> Candidate | None:
    """Return the counterexample of a pair whose canonical forms differ."""
    search.progress("looking for the point that separates the canonical forms")
    pair = equivariance_pair(search.network, generator)
    found = separate(*pair, decision.points, search.deadline, search.seed)
    if found is not None:
        return refuted(replace(found, generator=generator.name))
    search.limits.append(f"{decision.reason}, and no point was found in time that shows it")
    return None


def by_points(search: Search, obstructions: list[Obstruction]) -> Candidate | None:
    """Refute at more points, with more bits (Prop. 5)."""
    search.progress("looking for a counterexample at more points")
    for bits in DEEP_BITS:
        found = refute(search, MORE_POINTS, bits, offset=1)
        if found is not None:
            return refuted(found)
        search.tried.append(f"{MORE_POINTS} rational points at {bits} bits: no gap")
    return None


def by_polynomial(search: Search, obstructions: list[Obstruction]) -> Candidate | None:
    """Decide polynomial networks of any depth by expansion."""
    if not is_polynomial(search.network):
        return None
    search.progress("expanding polynomials")
    try:
        for generator in search.action.generators:
            if not is_identity(search.network, generator, search.deadline):
                return _point_of_nonzero_defect(search)
    except OutOfBudget as limit:
        search.limits.append(str(limit))
        return None
    return end_to_end_only(search, obstructions, {"rule": "polynomial"})


def by_tanh_theorem(search: Search, obstructions: list[Obstruction]) -> Candidate | None:
    """Refute reduced tanh and sigmoid networks, which are not equivariant without latents.

    Forced rows without latents: by Vlačić and Bölcskei (2021) the functions of the pair
    differ, and so some rational point shows it.
    """
    reduced, obstruction = search.reduction.reduced, obstructions[0]
    names = {layer.activation.name for layer in reduced.layers[:-1]}
    if not names <= {"tanh", "sigmoid"} or not obstruction.is_forced:
        return None
    if not has_comparable_constants(reduced):
        search.missing.append("nested or mixed formal constants were compared as spelled only")
        return None
    search.progress("looking for the point that shows the broken equation")
    generator = search.action.generator(obstruction.generator)
    decision = Different((), "the rows of a reduced tanh network have no matching")
    return _separated(search, generator, decision)


def _point_of_nonzero_defect(search: Search) -> Candidate | None:
    """Return a counterexample of a non-zero polynomial defect, from ever more points."""
    count = 64
    while not search.is_out_of_time:
        found = refute(search, count, 128, offset=count)
        if found is not None:
            return refuted(found)
        count *= 2
    search.limits.append("no point of the non-zero defect was found in time")
    return None


METHODS: tuple[Method, ...] = (
    by_even_linear,
    by_canonical_form,
    by_quick_cells,
    by_points,
    by_polynomial,
    by_normal_form,
    by_determinant,
    by_cells,
    by_tanh_theorem,
)
