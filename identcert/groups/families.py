"""Families of built-in symmetries: one faithful block, and what outputs may carry.

block   == the representation on one channel (one image, one point, n numbers)
outputs == named representations of the same group: ``trivial`` and ``regular``
           always, ``same`` (the block), and ``sign``, ``permutation`` or ``vector``
           where the family has them
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from identcert.arguments import check_integer
from identcert.errors import InputError
from identcert.exact.field import Field
from identcert.exact.matrix import Matrix
from identcert.exact.spelling import shortened
from identcert.groups.action import Action, ActionSource
from identcert.groups.affine import AffineMap
from identcert.groups.group import (
    Group,
    cyclic_group,
    dihedral_group,
    hyperoctahedral_group,
    product_of_cyclic_groups,
    sign_flip_group,
    symmetric_group,
)
from identcert.groups.images import TRANSFORMS, image_permutation, shift_permutation
from identcert.groups.representation import (
    Representation,
    character,
    copies,
    determinant,
    pair,
    permutation_of_points,
    permutation_representation,
    regular,
    trivial,
)

# the corners of an image, clockwise from the top left, as directions from its centre
CORNERS = ((-1, 1), (1, 1), (1, -1), (-1, -1))

_MIRROR = cyclic_group(2, "s")

# each group with the transforms that its generators are
IMAGE_GROUPS: dict[str, tuple[Group, tuple[str, ...]]] = {
    "rot90": (cyclic_group(4), ("rot90",)),
    "rot180": (cyclic_group(2), ("rot180",)),
    "fliplr": (_MIRROR, ("fliplr",)),
    "flipud": (_MIRROR, ("flipud",)),
    "transpose": (_MIRROR, ("transpose",)),
    "flips": (product_of_cyclic_groups(2, 2), ("fliplr", "flipud")),
    "d4": (dihedral_group(4), ("rot90", "fliplr")),
}

Maker = Callable[[], Representation]


@dataclass(frozen=True, slots=True)
class Family:
    """A group with the block that it acts on and the representations offered for outputs.

    Attributes
    ----------
    block : a representation; inputs are one or more copies of it.
    named : makers of further representations over Q, by name.
    faithful : a small faithful representation, from which the regular one is made.
    """

    block: Representation
    named: Mapping[str, Maker] = field(default_factory=dict)
    faithful: Representation | None = None

    @property
    def group(self) -> Group:
        """The group."""
        return self.block.group

    @property
    def output_names(self) -> tuple[str, ...]:
        """The names that `output` understands."""
        return ("trivial", "same", *self.named, "regular")

    def output(self, name: str) -> Representation:
        """Return one copy of the named representation, over the field of the block.

        Raises
        ------
        InputError
            If the family has none of that name.
        """
        if name == "trivial":
            return trivial(self.group, 1, self.block.field)
        if name == "same":
            return self.block
        if name == "regular":
            return _over(regular(self.faithful or self.block), self.block.field)
        if name not in self.named:
            fix = "use one of " + ", ".join(self.output_names)
            raise InputError(f"{self.group.name} has no output choice {name!r} here", None, fix)
        return _over(self.named[name](), self.block.field)


def act(
    family: Family,
    channels: int = 1,
    output: str | Representation = "trivial",
    outputs: int | None = None,
    source: ActionSource | None = None,
) -> Action:
    """Return the action on channels of a family's block, with a choice for the outputs.

    Parameters
    ----------
    family : the group and its block.
    channels : how many copies of the block the inputs are.
    output : a name from ``family.output_names``, or a representation of the group.
    outputs : the number of outputs; as many copies of the choice as fit. When left
        out, one copy, and for ``same`` as many as the inputs have.

    Raises
    ------
    InputError
        If the number of outputs is not a multiple of the dimension of the choice.
    """
    if outputs is not None:
        check_integer(outputs, "outputs", 1)
    inputs = copies(family.block, channels)
    if output == "same" and outputs is None:
        return pair(inputs, inputs, source=source)
    rho = output if isinstance(output, Representation) else family.output(output)
    number = rho.dim if outputs is None else outputs
    if number < 1 or number % rho.dim:
        choice = output if isinstance(output, str) else "given"
        raise InputError(
            f"{number} outputs are not a multiple of {rho.dim}, the dimension of the "
            f"{choice} representation of {family.group.name}",
            source.name if source else None,
            "choose another output or write an action file",
        )
    return pair(inputs, copies(rho, number // rho.dim), source=source)


def image_family(kind: str, height: int, width: int) -> Family:
    """Return a group of symmetries of H×W images, by its name in `IMAGE_GROUPS`.

    The permutation representation is that of the four corners, clockwise from the top
    left, or of two numbers when the group has order 2; the vector representation is
    that of directions, x to the right and y upwards.
    """
    group, transforms = IMAGE_GROUPS[kind]
    pixels = permutation_representation(
        group, *(image_permutation((1, height, width), name) for name in transforms)
    )
    matrices = (Matrix.of(TRANSFORMS[name].vector) for name in transforms)
    arrows = Representation(group, tuple(map(AffineMap.from_matrix, matrices)))
    is_cyclic = len(transforms) == 1
    signs = character(group, [-1]) if is_cyclic else determinant(arrows)
    permutation = partial(permutation_of_points, arrows, CORNERS)
    if is_cyclic and kind != "rot90":
        permutation = partial(signed_axes, signs)
    named: dict[str, Maker] = {
        "sign": lambda: signs,
        "permutation": permutation,
        "vector": lambda: arrows,
    }
    return Family(pixels, named, arrows)


def shift_family(height: int, width: int) -> Family:
    """Return the circular shifts of an H×W image, a downwards and b to the right."""
    group = product_of_cyclic_groups(height, width)
    shape = (1, height, width)
    steps = shift_permutation(shape, 1, 0), shift_permutation(shape, 0, 1)
    return Family(permutation_representation(group, *steps))


def cyclic_family(n: int) -> Family:
    """Return Cₙ, which rotates n numbers: (ρ(r)x)[i] = x[i + 1]."""
    check_size(n, 1)
    group = cyclic_group(n)
    block = permutation_representation(group, [*range(1, n), 0])
    named: dict[str, Maker] = {"permutation": lambda: block}
    if n % 2 == 0:
        named["sign"] = partial(character, group, [-1])
    return Family(block, named)


def symmetric_family(n: int) -> Family:
    """Return Sₙ, which permutes n numbers; t exchanges the first two, c rotates all."""
    check_size(n, 2)
    group = symmetric_group(n)
    swap = [1, 0, *range(2, n)]
    turns = {"c": [*range(1, n), 0], "t": swap}
    block = permutation_representation(group, *(turns[name] for name in group.generators))
    return Family(block, {"permutation": lambda: block, "sign": partial(determinant, block)})


def sign_flip_family(n: int) -> Family:
    """Return C₂ⁿ, which changes the sign of each of n numbers by itself."""
    check_size(n, 1)
    flips = tuple(
        AffineMap.from_permutation(range(n), [-1 if i == k else 1 for i in range(n)])
        for k in range(n)
    )
    return _signed_family(Representation(sign_flip_group(n), flips))


def hyperoctahedral_family(n: int) -> Family:
    """Return Bₙ, all permutations and sign changes of n numbers; e changes the first sign."""
    check_size(n, 1)
    group = hyperoctahedral_group(n)
    maps = {
        "c": AffineMap.from_permutation([*range(1, n), 0]),
        "t": AffineMap.from_permutation([1, 0, *range(2, n)] if n > 1 else [0]),
        "e": AffineMap.from_permutation(range(n), [-1, *(1,) * (n - 1)]),
    }
    return _signed_family(Representation(group, tuple(maps[name] for name in group.generators)))


def negation_family(n: int) -> Family:
    """Return C₂, which changes the sign of all n numbers together."""
    check_size(n, 1)
    group = cyclic_group(2, "n")
    block = Representation(group, (AffineMap.from_permutation(range(n), [-1] * n),))
    sign = character(group, [-1])
    return Family(block, {"sign": lambda: sign, "permutation": partial(signed_axes, sign)}, sign)


def check_size(n: object, least: int) -> None:
    """Refuse a number of coordinates that is not an integer or too small."""
    if isinstance(n, bool) or not isinstance(n, int) or n < least:
        raise InputError(f"the group acts on at least {least} numbers, not on {shortened(n)}")


def signed_axes(rho: Representation) -> Representation:
    """Return the permutations of the 2n points +e₀, −e₀, +e₁, … by signed permutations ρ."""
    unit = [[int(i == k) for i in range(rho.dim)] for k in range(rho.dim)]
    return permutation_of_points(
        rho, [[sign * x for x in axis] for axis in unit for sign in (1, -1)]
    )


def _signed_family(block: Representation) -> Family:
    """Return the family of a faithful representation by signed permutations."""
    named: dict[str, Maker] = {
        "permutation": partial(signed_axes, block),
        "sign": partial(determinant, block),
    }
    return Family(block, named)


def _over(rho: Representation, target: Field) -> Representation:
    """Return a rational representation over a larger field."""
    return rho if rho.field == target else rho.over(target, target)
