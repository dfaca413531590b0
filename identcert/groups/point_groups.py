"""Point groups of the plane and of space, as families for the library.

lattice coordinates == a basis in which a 3- or 6-fold rotation has integer entries
polygon == the corners v₀, …, vₙ₋₁ of a regular n-gon, which Cₙ and Dₙ permute
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from identcert.errors import InputError
from identcert.exact.field import QQ, Element, Field, NumberField
from identcert.exact.matrix import Matrix
from identcert.groups.affine import AffineMap
from identcert.groups.families import Family, Maker, signed_axes
from identcert.groups.group import (
    CUBE,
    CUBE_ROTATIONS,
    TETRAHEDRON,
    TETRAHEDRON_ROTATIONS,
    cyclic_group,
    dihedral_group,
)
from identcert.groups.representation import (
    Representation,
    character,
    permutation_of_points,
    permutation_representation,
)

HALF = Fraction(1, 2)

# (cos, sin) of 2π/n, each a rational times the square root of the last entry or of 1
_TURNS: dict[int, tuple[tuple[Fraction | int, bool], tuple[Fraction | int, bool], int]] = {
    2: ((-1, False), (0, False), 1),
    3: ((-HALF, False), (HALF, True), 3),
    4: ((0, False), (1, False), 1),
    6: ((HALF, False), (HALF, True), 3),
    8: ((HALF, True), (HALF, True), 2),
    12: ((HALF, True), (HALF, False), 3),
}

PLANE_ORDERS = tuple(_TURNS)

_LATTICE = {3: [[0, -1], [1, -1]], 6: [[1, -1], [1, 0]]}

LATTICE_ORDERS = tuple(_LATTICE)

_QUARTER_TURN = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
_HALF_TURN = [[-1, 0, 0], [0, -1, 0], [0, 0, 1]]
_ROTOREFLECTION = [[0, 1, 0], [-1, 0, 0], [0, 0, -1]]
_DIAGONAL_TURN = [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
_INVERSION = [[-1, 0, 0], [0, -1, 0], [0, 0, -1]]
_TETRAHEDRON_CORNERS = ((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1))


def plane_family(n: int, is_dihedral: bool) -> Family:
    """Return Cₙ or Dₙ on points (x, y): true rotations by 2π/n, and the reflection y ↦ −y.

    Raises
    ------
    InputError
        If the cosine or sine of 2π/n is not a rational times a square root.
    """
    if n not in _TURNS:
        orders = ", ".join(map(str, _TURNS))
        raise InputError(f"rotations of the plane are built in for n = {orders}, not for {n}")
    *turn, radicand = _TURNS[n]
    field: Field = QQ if radicand == 1 else NumberField.quadratic([radicand])
    cos, sin = (_multiple(field, factor, radicand if is_root else 1) for factor, is_root in turn)
    rotation = AffineMap.from_matrix(Matrix.of([[cos, -sin], [sin, cos]], field))
    mirror = AffineMap.from_permutation([0, 1], [1, -1], None, field)
    return _polygon_family(n, rotation, mirror if is_dihedral else None)


def lattice_family(n: int, is_dihedral: bool) -> Family:
    """Return C₃, C₆, D₃ or D₆ by integer matrices, in coordinates of the hexagonal lattice.

    The reflection exchanges the two coordinates.
    """
    if n not in _LATTICE:
        raise InputError(f"lattice coordinates are built in for n = 3 and 6, not for {n}")
    swap = AffineMap.from_permutation([1, 0])
    rotation = AffineMap.from_matrix(Matrix.of(_LATTICE[n]))
    return _polygon_family(n, rotation, swap if is_dihedral else None)


def cube_rotation_family() -> Family:
    """Return O, the 24 rotations of the cube; permutation: its six faces +x, −x, +y, ….

    The sign is that of the permutation of the four diagonals.
    """
    block = Representation(CUBE_ROTATIONS, _maps(_QUARTER_TURN, _DIAGONAL_TURN))
    return Family(
        block,
        {
            "permutation": partial(signed_axes, block),
            "sign": partial(character, block.group, [-1, 1]),
        },
    )


def cube_family() -> Family:
    """Return Oh, all 48 symmetries of the cube; permutation: its six faces, sign: determinant."""
    block = Representation(CUBE, _maps(_QUARTER_TURN, _DIAGONAL_TURN, _INVERSION))
    return Family(
        block,
        {
            "permutation": partial(signed_axes, block),
            "sign": partial(character, block.group, [1, 1, -1]),
        },
    )


def tetrahedron_rotation_family() -> Family:
    """Return T, the 12 rotations of the tetrahedron; permutation: its four corners."""
    block = Representation(TETRAHEDRON_ROTATIONS, _maps(_HALF_TURN, _DIAGONAL_TURN))
    corners = partial(permutation_of_points, block, _TETRAHEDRON_CORNERS)
    return Family(block, {"permutation": corners})


def tetrahedron_family() -> Family:
    """Return Td, all 24 symmetries of the tetrahedron; permutation: its corners."""
    block = Representation(TETRAHEDRON, _maps(_ROTOREFLECTION, _DIAGONAL_TURN))
    return Family(
        block,
        {
            "permutation": partial(permutation_of_points, block, _TETRAHEDRON_CORNERS),
            "sign": partial(character, block.group, [-1, 1]),
        },
    )


def _polygon_family(n: int, rotation: AffineMap, reflection: AffineMap | None) -> Family:
    """Return Cₙ, or Dₙ when there is a reflection, with the permutations of the polygon."""
    turn, mirror = [(k - 1) % n for k in range(n)], [-k % n for k in range(n)]
    if reflection is None:
        group = cyclic_group(n)
        named: dict[str, Maker] = {"permutation": partial(permutation_representation, group, turn)}
        if n % 2 == 0:
            named["sign"] = partial(character, group, [-1])
        return Family(Representation(group, (rotation,)), named)
    group = dihedral_group(n)
    return Family(
        Representation(group, (rotation, reflection)),
        {
            "permutation": partial(permutation_representation, group, turn, mirror),
            "sign": partial(character, group, [1, -1]),
        },
    )


def _multiple(field: Field, factor: Fraction | int, radicand: int) -> Element:
    """Return factor·√radicand."""
    root = field.find_sqrt(radicand)
    return field(factor) * root


def _maps(*rows: list[list[int]]) -> tuple[AffineMap, ...]:
    """Return the linear maps of integer matrices."""
    return tuple(AffineMap.from_matrix(Matrix.of(matrix)) for matrix in rows)
