"""The spellings of one map in an action file, read before the field is known.

A map is ``"trivial"``, a permutation with signs, a matrix, or an image transform;
permutations and matrices may have a shift. Reading goes in two steps: the shape
and the scalars' texts first, then, when all scalars of the file have told their
field, the values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from identcert.errors import InputError, SingularMatrix
from identcert.exact.matrix import Matrix
from identcert.exact.spelling import shortened
from identcert.groups.affine import AffineMap
from identcert.groups.images import FILE_TRANSFORMS, image_permutation
from identcert.groups.json_text import check_keys
from identcert.groups.scalar_reader import CanonicalReader, ScalarReader
from identcert.groups.signed import SignedPermutation, check_permutation, check_signs

KINDS = ("permutation", "matrix", "image")


@dataclass(frozen=True, slots=True)
class Space:
    """One side of a network, for sizes and messages: 4 inputs, or 1 output."""

    size: int
    noun: str

    def __str__(self) -> str:
        """Return "4 inputs"."""
        return f"{self.size} {self.noun}{'' if self.size == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class MapText:
    """An invertible affine map whose scalars have no values yet."""

    space: Space
    where: str
    linear: SignedPermutation | tuple[tuple[Any, ...], ...]
    shift: tuple[Any, ...] | None
    inverse: tuple[tuple[Any, ...], ...] | None = None

    def over(self, reader: ScalarReader) -> AffineMap:
        """Return the map over the reader's field.

        Raises
        ------
        SingularMatrix
            If the matrix has no inverse.
        """
        field = reader.field()
        shift = None if self.shift is None else tuple(map(reader.value, self.shift))
        if isinstance(self.linear, SignedPermutation):
            permutation, signs = self.linear.permutation, self.linear.signs
            return AffineMap.from_permutation(permutation, signs, shift, field)
        matrix = matrix_over(self.linear, self.space.size, reader)
        if self.inverse is not None:
            inverse = matrix_over(self.inverse, self.space.size, reader)
            if not (matrix @ inverse).is_identity():
                raise InputError("the stated inverse is not the inverse", self.where)
        try:
            return AffineMap.from_matrix(matrix, shift)
        except SingularMatrix as error:
            raise SingularMatrix(error.what, self.where, error.fix) from None


def read_map(value: object, space: Space, where: str, reader: ScalarReader) -> MapText:
    """Return one map of a generator.

    Raises
    ------
    InputError
        If it is not one of the spellings, or does not fit the space.
    """
    if value == "trivial":
        return MapText(space, where, SignedPermutation.identity(space.size), None)
    tree = _checked_object(value, where)
    if "permutation" in tree:
        check_keys(tree, where, ("permutation",), ("signs", "shift"))
        linear = _read_permutation(tree, space, where)
        return MapText(space, where, linear, _read_shift(tree, space, where, reader))
    if "image" in tree:
        check_keys(tree, where, ("image",))
        return MapText(space, where, _read_image(tree["image"], space, f"{where}, image"), None)
    is_canonical = isinstance(reader, CanonicalReader)
    check_keys(tree, where, ("matrix",), ("shift", "inverse") if is_canonical else ("shift",))
    matrix = read_matrix(tree["matrix"], space, where, reader)
    shift = _read_shift(tree, space, where, reader)
    if "inverse" not in tree:
        return MapText(space, where, matrix, shift)
    inverse = read_matrix(tree["inverse"], space, f"{where}, inverse", reader)
    return MapText(space, where, matrix, shift, inverse)


def read_matrix(
    value: object, space: Space, where: str, reader: ScalarReader
) -> tuple[tuple[Any, ...], ...]:
    """Return the tokens of a square matrix as large as the space."""
    rows = _list(value, "a list of rows", where)
    if len(rows) != space.size:
        raise InputError(
            f"the matrix has {_count(len(rows), 'row')} where the network has {space}",
            where,
            f"write a {space.size}×{space.size} matrix",
        )
    table = []
    for i, row in enumerate(rows):
        entries = _list(row, "a list of numbers", f"{where}, row {i}")
        if len(entries) != space.size:
            raise InputError(
                f"row {i} has {_count(len(entries), 'entry', 'entries')} where the network "
                f"has {space}",
                where,
                f"write a {space.size}×{space.size} matrix",
            )
        places = (f"{where}, row {i}, entry {j}" for j in range(space.size))
        table.append(tuple(map(reader.read, entries, places)))
    return tuple(table)


def matrix_over(table: Sequence[Sequence[Any]], size: int, reader: ScalarReader) -> Matrix:
    """Return the matrix of the values of tokens."""
    rows = [[reader.value(token) for token in row] for row in table]
    return Matrix.of(rows, reader.field(), size)


def read_vector(value: object, space: Space, where: str, reader: ScalarReader) -> tuple[Any, ...]:
    """Return the tokens of a shift."""
    entries = _list(value, "a list of numbers", where)
    if len(entries) != space.size:
        what = f"the shift has {_count(len(entries), 'entry', 'entries')}"
        raise InputError(f"{what} where the network has {space}", where)
    return tuple(reader.read(x, f"{where}, entry {i}") for i, x in enumerate(entries))


def _checked_object(value: object, where: str) -> dict[str, Any]:
    """Return an object that has exactly one of the three kinds of maps in it."""
    fix = 'write "trivial", {"permutation": …}, {"matrix": …} or {"image": …}'
    if not isinstance(value, dict):
        raise InputError(f"{shortened(value)} is not a map", where, fix)
    kinds = [kind for kind in KINDS if kind in value]
    if len(kinds) > 1:
        raise InputError(f'"{kinds[0]}" and "{kinds[1]}" stand in one map', where, "keep one")
    if not kinds:
        raise InputError("the map has no permutation, matrix or image", where, fix)
    return value


def _read_permutation(tree: dict[str, Any], space: Space, where: str) -> SignedPermutation:
    """Return a signed permutation as large as the space."""
    permutation = _list(tree["permutation"], "a list of positions", f"{where}, permutation")
    if len(permutation) != space.size:
        what = f"the permutation has {_count(len(permutation), 'entry', 'entries')}"
        fix = f"use each of 0, …, {space.size - 1} once"
        raise InputError(f"{what} where the network has {space}", where, fix)
    check_permutation(permutation, where)
    signs = [1] * len(permutation)
    if "signs" in tree:
        signs = _list(tree["signs"], "a list of 1 and -1", f"{where}, signs")
        check_signs(signs, len(permutation), where)
    return SignedPermutation(tuple(permutation), tuple(signs))


def _read_image(value: Any, space: Space, where: str) -> SignedPermutation:
    """Return the permutation of an image transform."""
    check_keys(value, where, ("shape", "transform"))
    shape = _list(value["shape"], "[channels, height, width]", f"{where}, shape")
    transform = value["transform"]
    if not isinstance(transform, str) or transform not in FILE_TRANSFORMS:
        fix = "use one of " + ", ".join(FILE_TRANSFORMS)
        raise InputError(f"the image transform {shortened(transform)} is unknown", where, fix)
    _check_shape(shape, space, where)
    return SignedPermutation.of(image_permutation(shape, transform, where))


def _check_shape(shape: Sequence[object], space: Space, where: str) -> None:
    """Refuse an image shape whose number of pixels is not the dimension of the space."""
    area = 1
    for n in shape:
        # large sides are refused before anything of their size is built
        if not isinstance(n, int) or isinstance(n, bool) or not 0 < n <= space.size:
            break
        area *= n
    else:
        if area == space.size and len(shape) == 3:
            return
    raise InputError(
        f"the image shape {shortened(list(shape))} does not fit {space}",
        where,
        "write [channels, height, width] with that product",
    )


def _read_shift(
    tree: dict[str, Any], space: Space, where: str, reader: ScalarReader
) -> tuple[Any, ...] | None:
    """Return the tokens of the shift of a map, None if it has none."""
    if "shift" not in tree:
        return None
    return read_vector(tree["shift"], space, f"{where}, shift", reader)


def _list(value: object, wanted: str, where: str) -> list[Any]:
    """Return a JSON list."""
    if not isinstance(value, list):
        raise InputError(f"{shortened(value)} is not a list", where, f"write {wanted}")
    return value


def _count(number: int, noun: str, plural: str | None = None) -> str:
    """Return "1 row" or "2 rows"."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
