"""The methods for networks of any depth: witnesses, normal forms, cells.

Each proves that f is equivariant where its latents are not monomial, or finds a point
where it is not. See `identcert.certify.methods` for what a method is.

Source: theory of Prop. 2′ and of deep ReLU networks (§5).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from identcert.certify.cell_jobs import cover
from identcert.certify.cells import Separation, Tree
from identcert.certify.even_linear import EvenLinearSearch, is_even_linear
from identcert.certify.forms import is_same_normal_form
from identcert.certify.latents import Obstruction
from identcert.certify.pairs import equivariance_pair
from identcert.certify.state import Candidate, Search, end_to_end_only, refute_at, refuted
from identcert.errors import OutOfBudget, UnsupportedError

QUICK_BITS = 128
NOTE_SECONDS, BAR = 0.5, 20
SHARE = 10
"""Where a method may be hopeless, it gets this part of the time that is left first."""


def by_even_linear(search: Search, obstructions: list[Obstruction]) -> Candidate | None:
    """Prove equivariance by latents that reverse neurons (Prop. 2′)."""
    reduced = search.reduction.reduced
    if not any(is_even_linear(layer.activation) for layer in reduced.layers[:-1]):
        return None
    search.progress("looking for latents that reverse neurons")
    found: dict[str, Any] = {}
    try:
        witnesses = EvenLinearSearch(reduced, search.deadline)
        for generator in search.action.generators:
            latents = witnesses.find(generator)
            if latents is None:
                search.tried.append(
                    f"no even-linear witness was found for generator {generator.name}"
                )
                return None
            found[generator.name] = [latent.encode() for latent in latents]
    except UnsupportedError as refusal:
        search.missing.append(str(refusal))
        return None
    return end_to_end_only(search, obstructions, {"rule": "even_linear", "generators": found})


def by_normal_form(search: Search, obstructions: list[Obstruction]) -> Candidate | None:
    """Prove equivariance by equal normal forms of the outputs."""
    search.progress("comparing normal forms of the outputs")
    try:
        for generator in search.action.generators:
            pair = equivariance_pair(search.reduction.reduced, generator)
            if not is_same_normal_form(*pair, search.deadline):
                search.tried.append(f"the normal forms differ for generator {generator.name}")
                return None
    except OutOfBudget as limit:
        search.limits.append(str(limit))
        return None
    except UnsupportedError as refusal:
        search.missing.append(str(refusal))
        return None
    return end_to_end_only(search, obstructions, {"rule": "normal_form"})


def by_quick_cells(search: Search, obstructions: list[Obstruction]) -> Candidate | None:
    """Decide small piecewise-linear networks by covers of cells."""
    now = time.monotonic()
    try:
        return _by_cells(search, obstructions, now + (search.deadline - now) / SHARE)
    except (OutOfBudget, UnsupportedError):
        return None


def by_cells(search: Search, obstructions: list[Obstruction]) -> Candidate | None:
    """Decide piecewise-linear networks by covers of cells, until the deadline."""
    try:
        return _by_cells(search, obstructions, search.deadline)
    except OutOfBudget as limit:
        search.limits.append(str(limit))
    except UnsupportedError as refusal:
        search.missing.append(str(refusal))
    return None


def _by_cells(search: Search, obstructions: list[Obstruction], deadline: float) -> Candidate | None:
    reduced = search.reduction.reduced
    if not all(layer.activation.is_piecewise_linear for layer in reduced.layers):
        return None
    trees: dict[str, Tree] = {}
    with _workers(search) as executor:
        for generator in search.action.generators:
            pair = equivariance_pair(reduced, generator)
            note = cell_note(search.progress, f" for generator {generator.name}")
            found = cover(*pair, deadline, note, executor)
            if isinstance(found, Separation):
                gap = refute_at(search, [found.point], QUICK_BITS)
                return None if gap is None else refuted(gap)
            trees[generator.name] = found
    return end_to_end_only(search, obstructions, {"rule": "cells", "generators": trees})


@contextmanager
def _workers(search: Search) -> Iterator[Executor | None]:
    """Yield the executor of a search, for its jobs processes of this machine."""
    if search.executor is not None or search.jobs == 1:
        yield search.executor
        return
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(search.jobs) as pool:
        yield pool


def cell_note(progress: Callable[[str], None], what: str) -> Callable[[Fraction], None]:
    """Return a function that tells the covered part of a search, now and then.

    Examples
    --------
    >>> cell_note(print, "")(Fraction(1, 8))
    covering cells ##------------------  12 %
    """
    last = [0.0]

    def note(part: Fraction) -> None:
        now = time.monotonic()
        if now - last[0] >= NOTE_SECONDS:
            last[0] = now
            bar = "#" * int(BAR * part)
            progress(f"covering cells{what} {bar:-<{BAR}} {int(100 * part):3d} %")

    return note
