"""Methods that compare deep networks: normal forms, and covers of cells.

See `identcert.certify.equality_methods` for what a method is.

Source: theory of deep ReLU networks (§5).
"""

from __future__ import annotations

import time

from identcert.certify.cell_jobs import cover
from identcert.certify.cells import Separation
from identcert.certify.comparison import Comparison, EqualityCandidate, different_at, equal_by
from identcert.certify.deep_methods import cell_note
from identcert.certify.forms import is_same_normal_form
from identcert.certify.gap import find_gap
from identcert.certify.matching import sigmoid_as_tanh
from identcert.errors import OutOfBudget, UnsupportedError

QUICK_BITS = 128
SHARE = 10
"""Where a method may be hopeless, it gets this part of the time that is left first."""


def by_normal_form(state: Comparison) -> EqualityCandidate | None:
    """Prove equality by equal normal forms of the outputs, if that is quick."""
    state.progress("comparing normal forms of the outputs")
    left, right = map(sigmoid_as_tanh, state.reduced)
    try:
        if is_same_normal_form(left, right, _soon(state)):
            return equal_by(state, {"rule": "normal_form"})
    except OutOfBudget:
        state.tried.append("normal forms of the outputs: too large for their share of the budget")
    except UnsupportedError as refusal:
        state.missing.append(str(refusal))
    return None


def by_quick_cells(state: Comparison) -> EqualityCandidate | None:
    """Decide small piecewise-linear networks by a cover of cells."""
    try:
        return _by_cells(state, _soon(state))
    except OutOfBudget:
        return None


def by_cells(state: Comparison) -> EqualityCandidate | None:
    """Decide piecewise-linear networks by a cover of cells, until the deadline."""
    try:
        return _by_cells(state, state.deadline)
    except OutOfBudget as limit:
        state.limits.append(str(limit))
        return None


def _by_cells(state: Comparison, deadline: float) -> EqualityCandidate | None:
    left, right = state.reduced
    layers = (*left.layers, *right.layers)
    if not left.field.is_ordered or not all(x.activation.is_piecewise_linear for x in layers):
        return None
    # the tree speaks of the second network first, as the checker does: g∘1 = 1∘f
    found = cover(right, left, deadline, cell_note(state.progress, ""))
    if isinstance(found, Separation):
        points = [found.point]
        gap = find_gap(state.left, state.right, points, QUICK_BITS, state.deadline, state.seed)
        return None if gap is None else different_at(gap)
    return equal_by(state, {"rule": "cells", "tree": found})


def _soon(state: Comparison) -> float:
    now = time.monotonic()
    return now + (state.deadline - now) / SHARE
