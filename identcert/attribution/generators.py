"""Lie-algebra generators by name, exact: rotations, translations, dilations.

rotation    == the turn of coordinates (i, j), velocity −x_j e_i + x_i e_j
translation == the constant velocity v
dilation    == the velocity x
sides       == what the outputs carry: ``trivial``, ``same`` (as the inputs) or ``scale``

An action file with ``"infinitesimal"`` states any other generator.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

from identcert.errors import InputError
from identcert.exact.field import QQ
from identcert.exact.matrix import Matrix
from identcert.groups.action import Action, ActionSource, InfinitesimalGenerator

NAMES = (
    ("so2", "all pairs of coordinates turned together; an even number of inputs"),
    ("so2:same", "the same, and the outputs turn as well"),
    ("soN", "every rotation of the N inputs, such as so3"),
    ("soN:same", "the same, and the N outputs turn as the inputs"),
    ("plane:I,J[:same]", "the turn of inputs I and J only, numbered from 0"),
    ("translation:K", "input K moves with speed 1"),
    ("dilation[:DEGREE]", "x scales, and the outputs with that degree, 0 if left out"),
)
"""The built-in generators for the command line, with their meanings."""

_NAME = re.compile(
    r"(?:so([1-9])|plane:([0-9]{1,4}),([0-9]{1,4}))(:same)?|translation:([0-9]{1,4})"
    r"|dilation(?::([0-9]{1,2}))?"
)


def rotation(
    inputs: int, outputs: int, plane: Sequence[int] | None = None, same: bool = False
) -> InfinitesimalGenerator:
    """Return the turn of all coordinate pairs (0,1), (2,3), …, or of one plane.

    Parameters
    ----------
    plane : the two coordinates that turn; all pairs if left out.
    same : whether the outputs turn as the inputs do; else they stay.

    Raises
    ------
    InputError
        If the dimensions do not fit.

    Examples
    --------
    >>> rotation(2, 1).input
    Matrix.of([[0, -1], [1, 0]])
    """
    if plane is None and (inputs % 2 or (same and outputs % 2)):
        raise InputError("coordinates turn in pairs, and their number is odd", "so2")
    pairs = _pairs(inputs) if plane is None else [tuple(plane)]
    turned = _skew(inputs, pairs)
    still = Matrix.zeros(outputs, outputs)
    if same:
        still = _skew(outputs, _pairs(outputs) if plane is None else pairs)
    name = "turn" if plane is None else f"turn_{plane[0]}_{plane[1]}"
    return InfinitesimalGenerator(name, turned, still, (QQ.zero,) * inputs, (QQ.zero,) * outputs)


def translation(inputs: int, outputs: int, velocity: Sequence[object]) -> InfinitesimalGenerator:
    """Return the generator x ↦ v of translations, under which the outputs stay."""
    shift = tuple(QQ(v) for v in velocity)
    return InfinitesimalGenerator(
        "shift", Matrix.zeros(inputs, inputs), Matrix.zeros(outputs, outputs), shift,
        (QQ.zero,) * outputs,
    )  # fmt: skip


def dilation(inputs: int, outputs: int, degree: int = 0) -> InfinitesimalGenerator:
    """Return the generator of x ↦ e^t x, y ↦ e^{degree·t} y."""
    return InfinitesimalGenerator(
        "dilation", Matrix.identity(inputs), Matrix.identity(outputs).scale(degree),
        (QQ.zero,) * inputs, (QQ.zero,) * outputs,
    )  # fmt: skip


def find_generators(text: str, inputs: int, outputs: int) -> Action | None:
    """Return the Lie algebra of a built-in name, or None if the name is not one.

    Raises
    ------
    InputError
        If the name does not fit the network's dimensions.

    Examples
    --------
    >>> find_generators("so3", 3, 1).names
    ('turn_0_1', 'turn_0_2', 'turn_1_2')
    """
    match = _NAME.fullmatch(text)
    if match is None:
        return None
    size, first, second, same, axis, degree = match.groups()
    found: tuple[InfinitesimalGenerator, ...]
    if axis is not None:
        _check(int(axis) < inputs, text, inputs)
        found = (translation(inputs, outputs, [int(k == int(axis)) for k in range(inputs)]),)
    elif first is not None:
        _check(first != second and max(int(first), int(second)) < inputs, text, inputs)
        found = (rotation(inputs, outputs, (int(first), int(second)), bool(same)),)
    elif size is None:
        found = (dilation(inputs, outputs, int(degree or 0)),)
    elif size == "2":
        found = (rotation(inputs, outputs, None, bool(same)),)
    else:
        _check(int(size) == inputs and (not same or outputs == inputs), text, inputs)
        planes = combinations(range(inputs), 2)
        found = tuple(rotation(inputs, outputs, plane, bool(same)) for plane in planes)
    return Action(text, QQ, (), (), found, ActionSource(text))


def _check(fits: bool, text: str, inputs: int) -> None:
    if not fits:
        raise InputError(f"it does not fit a network of {inputs} inputs", text)


def _pairs(size: int) -> list[tuple[int, ...]]:
    return [(i, i + 1) for i in range(0, size, 2)]


def _skew(size: int, pairs: Sequence[tuple[int, ...]]) -> Matrix:
    """Return Σ (e_j e_iᵀ − e_i e_jᵀ) over the pairs (i, j)."""
    rows = [[0] * size for _ in range(size)]
    for i, j in pairs:
        if max(i, j) >= size:
            raise InputError(f"a plane ({i}, {j}) does not fit {size} coordinates")
        rows[i][j], rows[j][i] = -1, 1
    return Matrix.of(rows, QQ, size)
