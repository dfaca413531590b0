"""Built-in actions by name, for the command line.

A name is ``FAMILY``, ``FAMILY:SHAPE``, ``FAMILY:OUTPUT`` or ``FAMILY:SHAPE:OUTPUT``.
SHAPE is that of the inputs, channel first: ``CxHxW`` for images, ``N`` or ``CxN``
for numbers, ``K`` for K points. Where it is left out it follows from the network.
OUTPUT says what the outputs carry, ``trivial`` when left out; ``->OUTPUT`` is read
as well, and needs quotation marks in a shell.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from math import prod

from identcert.errors import InputError
from identcert.exact.spelling import shortened
from identcert.groups import families, point_groups
from identcert.groups.action import Action, ActionSource
from identcert.groups.families import Family, act

NAME_SCHEME = (
    "Append :OUTPUT to say what the outputs carry: trivial (when left out), same as the inputs, "
    "sign, permutation, vector (images) or regular, in as many copies as fit. Parts in brackets "
    "may be left out; C counts channels, K points."
)

_NAME = re.compile(r"([a-z][a-z0-9-]*?)(?::([0-9]{1,9}(?:x[0-9]{1,9})*))?(?:(?::|->)([a-z]+))?")


@dataclass(frozen=True, slots=True)
class BuiltinAction:
    """A row of the list of built-in actions.

    Attributes
    ----------
    pattern : how the name is written, optional parts in brackets; ``:OUTPUT`` may follow.
    group : what group acts.
    meaning : one line for people.
    example : a complete name.
    outputs : the choices for OUTPUT.
    """

    pattern: str
    group: str
    meaning: str
    example: str
    outputs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A family under its name on the command line.

    Attributes
    ----------
    make : the family with the given sides.
    sides : how many sides follow the channels in a shape: 2 for images, 1 for rows of
        numbers, 0 for points.
    dim : the number of coordinates of a point.
    """

    make: Callable[..., Family]
    sides: int
    dim: int = 1


def builtin_actions() -> tuple[BuiltinAction, ...]:
    """Return the list of built-in actions, as the command line shows it.

    Examples
    --------
    >>> [row.example for row in builtin_actions() if row.group == "D4"]
    ['image-d4:3x32x32']
    """
    return tuple(BuiltinAction(*row) for row in _ROWS)


def find_builtin(text: str, inputs: int, outputs: int) -> Action:
    """Return the built-in action of a name, on a network's inputs and outputs.

    Raises
    ------
    InputError
        If the name is unknown or malformed, or does not fit the network.

    Examples
    --------
    >>> find_builtin("symmetric:sign", 3, 1).generator("t").output.linear.signs
    (-1,)
    """
    match = _NAME.fullmatch(text)
    entries = _entries()
    if match is None or match[1] not in entries:
        near = get_close_matches(text.partition(":")[0], entries, 1)
        fix = f"did you mean {near[0]}?" if near else "run `identcert actions` for the list"
        what = f"{shortened(text)} is neither a file nor a built-in action"
        raise InputError(what, None, fix)
    entry = entries[match[1]]
    shape = None if match[2] is None else tuple(map(int, match[2].split("x")))
    channels, sides = _fitted(text, entry, shape, inputs)
    source = ActionSource(text)
    try:
        return act(entry.make(*sides), channels, match[3] or "trivial", outputs, source)
    except InputError as error:
        raise type(error)(error.what, text, error.fix) from None


def _fitted(
    text: str, entry: Entry, shape: tuple[int, ...] | None, inputs: int
) -> tuple[int, tuple[int, ...]]:
    """Return the number of channels and the sides, such that they make all inputs."""
    if shape is None:
        if entry.sides == 2:
            raise InputError("the shape is missing", text, "write CxHxW, as in image-d4:1x8x8")
        shape = (inputs,) if entry.sides else (max(1, inputs // entry.dim),)
    if entry.sides == 1 and len(shape) == 1:
        shape = (1, *shape)
    if len(shape) != entry.sides + 1:
        wanted = ("K, the number of points", "N or CxN", "CxHxW")[entry.sides]
        raise InputError(f"a shape of {len(shape)} numbers does not fit", text, f"write {wanted}")
    if prod(shape) * entry.dim != inputs:
        raise InputError(
            f"it acts on {prod(shape) * entry.dim} inputs and the network has {inputs}",
            text,
            "choose a shape with that product",
        )
    return shape[0], shape[1:]


def _entries() -> dict[str, Entry]:
    """Return all families by name."""
    entries = {
        "image-shifts": Entry(families.shift_family, 2),
        "cyclic": Entry(families.cyclic_family, 1),
        "symmetric": Entry(families.symmetric_family, 1),
        "sign-flips": Entry(families.sign_flip_family, 1),
        "hyperoctahedral": Entry(families.hyperoctahedral_family, 1),
        "negation": Entry(families.negation_family, 1),
        "cube": Entry(point_groups.cube_family, 0, 3),
        "cube-rotations": Entry(point_groups.cube_rotation_family, 0, 3),
        "tetrahedron": Entry(point_groups.tetrahedron_family, 0, 3),
        "tetrahedron-rotations": Entry(point_groups.tetrahedron_rotation_family, 0, 3),
    }
    for kind in families.IMAGE_GROUPS:
        entries[f"image-{kind}"] = Entry(partial(families.image_family, kind), 2)
    for letter, is_dihedral in (("c", False), ("d", True)):
        for n in point_groups.PLANE_ORDERS:
            make = partial(point_groups.plane_family, n, is_dihedral)
            entries[f"plane-{letter}{n}"] = Entry(make, 0, 2)
        for n in point_groups.LATTICE_ORDERS:
            make = partial(point_groups.lattice_family, n, is_dihedral)
            entries[f"lattice-{letter}{n}"] = Entry(make, 0, 2)
    return entries


_ANY = ("trivial", "same", "regular")
_SIGNED = ("trivial", "same", "sign", "permutation", "regular")
_IMAGE = ("trivial", "same", "sign", "permutation", "vector", "regular")

_ROWS: tuple[tuple[str, str, str, str, tuple[str, ...]], ...] = (
    ("image-rot90:CxHxW", "C4", "quarter turns of square images, as numpy.rot90",
     "image-rot90:1x28x28", _IMAGE),
    ("image-rot180:CxHxW", "C2", "half turns of images", "image-rot180:3x16x20", _IMAGE),
    ("image-fliplr:CxHxW", "C2", "left and right exchanged",
     "image-fliplr:3x32x32:sign", _IMAGE),
    ("image-flipud:CxHxW", "C2", "top and bottom exchanged",
     "image-flipud:1x8x8", _IMAGE),
    ("image-transpose:CxHxW", "C2", "rows and columns exchanged",
     "image-transpose:1x8x8:same", _IMAGE),
    ("image-flips:CxHxW", "C2 × C2", "both mirror images, for any rectangle",
     "image-flips:1x4x6", _IMAGE),
    ("image-d4:CxHxW", "D4", "quarter turns and mirror images of square images",
     "image-d4:3x32x32", _IMAGE),
    ("image-shifts:CxHxW", "C_H × C_W", "circular shifts by whole pixels",
     "image-shifts:1x4x6", _ANY),
    ("cyclic[:N|:CxN]", "CN", "N numbers rotated by one place; sign for even N",
     "cyclic:4:permutation", _SIGNED),
    ("symmetric[:N|:CxN]", "SN", "all permutations of N numbers",
     "symmetric:2x5:same", _SIGNED),
    ("sign-flips[:N|:CxN]", "C2^N", "the sign of each of N numbers changed by itself",
     "sign-flips:3", _SIGNED),
    ("hyperoctahedral[:N|:CxN]", "BN", "all permutations and sign changes of N numbers",
     "hyperoctahedral:3", _SIGNED),
    ("negation[:N|:CxN]", "C2", "the signs of all inputs changed together",
     "negation:sign", _SIGNED),
    ("plane-cN[:K]", "CN", "K points of the plane rotated by 2π/N; N = 2, 3, 4, 6, 8, 12; "
     "sign for even N", "plane-c8:3", _SIGNED),
    ("plane-dN[:K]", "DN", "rotations by 2π/N and the reflection y → −y; N as above",
     "plane-d6:same", _SIGNED),
    ("lattice-cN[:K]", "CN", "rotations in integer coordinates of the hexagonal lattice; "
     "N = 3, 6; sign for N = 6", "lattice-c3", _SIGNED),
    ("lattice-dN[:K]", "DN", "the same with the exchange of the two coordinates; N = 3, 6",
     "lattice-d6:2", _SIGNED),
    ("cube-rotations[:K]", "O", "the 24 rotations of the cube, on K points of space",
     "cube-rotations:2", _SIGNED),
    ("cube[:K]", "Oh", "all 48 symmetries of the cube", "cube:same", _SIGNED),
    ("tetrahedron-rotations[:K]", "T", "the 12 rotations of the tetrahedron; no sign",
     "tetrahedron-rotations", ("trivial", "same", "permutation", "regular")),
    ("tetrahedron[:K]", "Td", "all 24 symmetries of the tetrahedron",
     "tetrahedron:permutation", _SIGNED),
)  # fmt: skip
