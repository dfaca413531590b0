"""Built-in actions as Python functions, public as ``identcert.actions``.

Every function takes ``output`` and ``outputs``: what the outputs carry (``"trivial"``,
``"same"``, ``"sign"``, ``"permutation"``, ``"regular"``, for images ``"vector"``, or a
`Representation` of the same group) and how many there are, as many copies as fit.
Inputs are channel first: a number of channels that each carry the same block.

The constructors of `identcert.groups.representation` compose further actions:
``pair(direct_sum(rho, trivial(rho.group)), dual(tau))``.
"""

from __future__ import annotations

from identcert.errors import InputError
from identcert.groups import families, point_groups
from identcert.groups.action import Action as Action
from identcert.groups.builtin import NAME_SCHEME as NAME_SCHEME
from identcert.groups.builtin import BuiltinAction as BuiltinAction
from identcert.groups.builtin import builtin_actions as builtin_actions
from identcert.groups.custom import custom as custom
from identcert.groups.representation import Representation as Representation
from identcert.groups.representation import character as character
from identcert.groups.representation import copies as copies
from identcert.groups.representation import determinant as determinant
from identcert.groups.representation import direct_sum as direct_sum
from identcert.groups.representation import dual as dual
from identcert.groups.representation import pair as pair
from identcert.groups.representation import permutation_of_points as permutation_of_points
from identcert.groups.representation import permutation_representation as permutation_representation
from identcert.groups.representation import regular as regular
from identcert.groups.representation import tensor as tensor
from identcert.groups.representation import trivial as trivial

Output = str | Representation


def image(
    kind: str,
    channels: int,
    height: int,
    width: int,
    output: Output = "trivial",
    outputs: int | None = None,
) -> Action:
    """Return a group of symmetries of C×H×W images.

    Parameters
    ----------
    kind : ``rot90``, ``rot180``, ``fliplr``, ``flipud``, ``transpose``, ``flips`` or ``d4``.
    channels, height, width : the shape; inputs are its row-major flattening.
    output, outputs : what the outputs carry, and how many there are.

    Raises
    ------
    InputError
        If the kind is unknown, or exchanges the sides of an image that is not square.

    Examples
    --------
    >>> image("rot90", 1, 3, 3, output="permutation").outputs
    4
    """
    if kind not in families.IMAGE_GROUPS:
        fix = "use one of " + ", ".join(families.IMAGE_GROUPS)
        raise InputError(f"the image symmetry {kind!r} is unknown", None, fix)
    return families.act(families.image_family(kind, height, width), channels, output, outputs)


def rot90_image(
    channels: int, height: int, width: int, output: Output = "trivial", outputs: int | None = None
) -> Action:
    """Return C₄ by quarter turns of images, r = `numpy.rot90` with axes (−2, −1)."""
    return image("rot90", channels, height, width, output, outputs)


def fliplr_image(
    channels: int, height: int, width: int, output: Output = "trivial", outputs: int | None = None
) -> Action:
    """Return C₂ by the exchange s of left and right of images."""
    return image("fliplr", channels, height, width, output, outputs)


def transpose_image(
    channels: int, height: int, width: int, output: Output = "trivial", outputs: int | None = None
) -> Action:
    """Return C₂ by the exchange s of rows and columns of images."""
    return image("transpose", channels, height, width, output, outputs)


def dihedral_image(
    channels: int, height: int, width: int, output: Output = "trivial", outputs: int | None = None
) -> Action:
    """Return D₄ by quarter turns r and the left-right mirror s of square images.

    Examples
    --------
    >>> dihedral_image(1, 28, 28, output="vector").generator("r").output.linear
    SignedPermutation(permutation=(1, 0), signs=(-1, 1))
    """
    return image("d4", channels, height, width, output, outputs)


def shifts_image(
    channels: int, height: int, width: int, output: Output = "trivial", outputs: int | None = None
) -> Action:
    """Return C_H × C_W by circular shifts of images, a downwards and b to the right."""
    return families.act(families.shift_family(height, width), channels, output, outputs)


def cyclic(
    n: int, channels: int = 1, output: Output = "trivial", outputs: int | None = None
) -> Action:
    """Return Cₙ by rotations of n numbers, (ρ(r)x)[i] = x[i + 1].

    Examples
    --------
    >>> cyclic(4).generators[0].input.linear.permutation
    (1, 2, 3, 0)
    """
    return families.act(families.cyclic_family(n), channels, output, outputs)


def symmetric(
    n: int, channels: int = 1, output: Output = "trivial", outputs: int | None = None
) -> Action:
    """Return Sₙ by all permutations of n numbers."""
    return families.act(families.symmetric_family(n), channels, output, outputs)


def sign_flips(
    n: int, channels: int = 1, output: Output = "trivial", outputs: int | None = None
) -> Action:
    """Return C₂ⁿ by changes of the sign of each of n numbers."""
    return families.act(families.sign_flip_family(n), channels, output, outputs)


def hyperoctahedral(
    n: int, channels: int = 1, output: Output = "trivial", outputs: int | None = None
) -> Action:
    """Return Bₙ of order 2ⁿ·n! by all permutations and sign changes of n numbers."""
    return families.act(families.hyperoctahedral_family(n), channels, output, outputs)


def negation(
    n: int, channels: int = 1, output: Output = "trivial", outputs: int | None = None
) -> Action:
    """Return C₂ by x ↦ −x on n numbers."""
    return families.act(families.negation_family(n), channels, output, outputs)


def plane_rotations(
    n: int, points: int = 1, output: Output = "trivial", outputs: int | None = None
) -> Action:
    """Return Cₙ by rotations of the plane by 2π/n, for n = 2, 3, 4, 6, 8, 12.

    Examples
    --------
    >>> plane_rotations(8).generators[0].input.matrix()
    Matrix.of([[1/2*sqrt(2), -1/2*sqrt(2)], [1/2*sqrt(2), 1/2*sqrt(2)]])
    """
    return families.act(point_groups.plane_family(n, False), points, output, outputs)


def plane_dihedral(
    n: int, points: int = 1, output: Output = "trivial", outputs: int | None = None
) -> Action:
    """Return Dₙ by rotations of the plane by 2π/n and the reflection y ↦ −y."""
    return families.act(point_groups.plane_family(n, True), points, output, outputs)


def lattice_rotations(
    n: int, points: int = 1, output: Output = "trivial", outputs: int | None = None
) -> Action:
    """Return C₃ or C₆ by integer matrices, in coordinates of the hexagonal lattice."""
    return families.act(point_groups.lattice_family(n, False), points, output, outputs)


def lattice_dihedral(
    n: int, points: int = 1, output: Output = "trivial", outputs: int | None = None
) -> Action:
    """Return D₃ or D₆ by integer matrices, in coordinates of the hexagonal lattice."""
    return families.act(point_groups.lattice_family(n, True), points, output, outputs)


def cube_rotations(
    points: int = 1, output: Output = "trivial", outputs: int | None = None
) -> Action:
    """Return O, the 24 rotations of the cube, on points of space."""
    return families.act(point_groups.cube_rotation_family(), points, output, outputs)


def cube(points: int = 1, output: Output = "trivial", outputs: int | None = None) -> Action:
    """Return Oh, all 48 symmetries of the cube, on points of space."""
    return families.act(point_groups.cube_family(), points, output, outputs)


def tetrahedron_rotations(
    points: int = 1, output: Output = "trivial", outputs: int | None = None
) -> Action:
    """Return T, the 12 rotations of the tetrahedron, on points of space."""
    return families.act(point_groups.tetrahedron_rotation_family(), points, output, outputs)


def tetrahedron(points: int = 1, output: Output = "trivial", outputs: int | None = None) -> Action:
    """Return Td, all 24 symmetries of the tetrahedron, on points of space."""
    return families.act(point_groups.tetrahedron_family(), points, output, outputs)
