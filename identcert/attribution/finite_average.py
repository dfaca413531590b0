"""Which quadrature averages over the group of an action (numeric).

finite group        : all elements
one generator       : a circle
commuting generators : a torus, the product of circles
SO(3) on R³         : Euler angles, whatever representation the outputs carry
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from identcert.attribution.average import (
    Average,
    circle_average,
    finite_average,
    flow_average,
    frequency,
)
from identcert.attribution.fields import AffineField, LieAction, period
from identcert.errors import UnsupportedError
from identcert.groups.action import Action

Array = NDArray[np.float64]

MAX_NODES = 4096


def group_average(action: Action, count: int = 64) -> Average:
    """Return the average over the group that an action generates.

    Parameters
    ----------
    count : angles of a circle; for tori and SO(3) as many as ``MAX_NODES`` nodes allow.

    Raises
    ------
    UnsupportedError
        If no quadrature is known, as for groups that are not compact.

    Examples
    --------
    >>> from identcert.attribution.generators import find_generators
    >>> group_average(find_generators("so2", 2, 1)).text()
    '64 nodes, exact for polynomial maps up to degree 63'
    >>> group_average(find_generators("so3", 3, 1)).degree
    19
    """
    if action.generators:
        return finite_average(action)
    fields = [LieAction.of(g) for g in action.infinitesimal]
    if len(fields) == 1:
        return circle_average(fields[0], count)
    if all(_bracket_vanishes(a, b) for a in fields for b in fields):
        each = min(count, int(MAX_NODES ** (1 / len(fields))))
        return torus_average(fields, each)
    turns = _plane_turns(fields)
    if turns is None:
        raise UnsupportedError("no average is known over the group of these generators")
    degree = max(d for d in range(count) if d == 0 or _euler_nodes(turns, d) <= MAX_NODES)
    return rotation_average(turns, degree)


def torus_average(actions: Sequence[LieAction], count: int) -> Average:
    """Return the average over commuting circle groups, by the product of their angles."""
    degrees = [circle_average(action, count).degree for action in actions]
    periods = [period(action) or 0.0 for action in actions]
    mesh = np.meshgrid(*[T * np.arange(count) / count for T in periods], indexing="ij")
    times = np.column_stack([m.ravel() for m in mesh]).tolist()
    return flow_average(actions, times, None, min((d for d in degrees if d is not None), default=0))


def rotation_average(turns: Sequence[LieAction], degree: int) -> Average:
    """Return the average over SO(3) in Euler angles, exact up to a degree.

    Parameters
    ----------
    turns : the turns of the planes (0, 1) and (1, 2) of R³, in this order.
    degree : K = degree + w + 1 angles about the first axis, for the frequency w of the
        outputs, and Gauss-Legendre nodes in the cosine of the second angle.

    Examples
    --------
    >>> from identcert.attribution.generators import rotation
    >>> turns = [LieAction.of(rotation(3, 1, plane)) for plane in ((0, 1), (1, 2))]
    >>> value = rotation_average(turns, 2)(lambda x: x[:, 2:] ** 2, np.array([[0.0, 0.0, 3.0]]))
    >>> bool(abs(value[0, 0] - 3) < 1e-12)
    True
    """
    highest = degree + frequency(turns[0].output, 2 * np.pi)
    count = highest + 1
    nodes, masses = np.polynomial.legendre.leggauss(highest // 2 + 1)
    angles = 2 * np.pi * np.arange(count) / count
    times = [[a, float(np.arccos(b)), c] for a in angles for b in nodes for c in angles]
    weights = np.repeat(np.tile(masses / 2, count), count) / count**2
    return flow_average([turns[0], turns[1], turns[0]], times, weights, degree)


def _euler_nodes(turns: Sequence[LieAction], degree: int) -> int:
    highest = degree + frequency(turns[0].output, 2 * np.pi)
    return (highest + 1) ** 2 * (highest // 2 + 1)


def _matrices(action: LieAction) -> tuple[Array, Array]:
    sides = (action.input, action.output)
    found = [side.matrix for side in sides if isinstance(side, AffineField)]
    return found[0], found[1]


def _bracket_vanishes(left: LieAction, right: LieAction) -> bool:
    return all(
        bool(np.abs(a @ b - b @ a).max(initial=0.0) <= 1e-12 * (1 + np.abs(a @ b).max(initial=0.0)))
        for a, b in zip(_matrices(left), _matrices(right), strict=True)
    )


def _plane_turns(fields: Sequence[LieAction]) -> list[LieAction] | None:
    """Return the turns of (0, 1) and (1, 2) in the span of skew generators of so(3) on R³."""
    inputs = np.array([_matrices(f)[0] for f in fields])
    if inputs.shape != (3, 3, 3) or np.abs(inputs + inputs.transpose(0, 2, 1)).max() > 1e-12:
        return None
    if any(side.shift.any() for f in fields for side in (f.input, f.output)
           if isinstance(side, AffineField)):  # fmt: skip
        return None
    turns = []
    for i, j in ((0, 1), (1, 2)):
        wanted = np.zeros((3, 3))
        wanted[i, j], wanted[j, i] = -1, 1
        combination, _, rank, _ = np.linalg.lstsq(inputs.reshape(3, 9).T, wanted.ravel())
        if rank < 3:
            return None
        sides = [
            AffineField(np.tensordot(combination, np.array(part), 1), np.zeros(len(part[0])))
            for part in zip(*map(_matrices, fields), strict=True)
        ]
        turns.append(LieAction(f"turn_{i}_{j}", *sides))
    return turns
