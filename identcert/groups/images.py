"""Symmetries of images, as permutations of their row-major flattening.

An image has shape (C, H, W): C channels of H rows and W columns. A transform T
acts on flattened images by (ρx) = T(image x).ravel(), so that (ρx)[i] = x[p[i]]
where p[i] is the place that T moves to i.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from identcert.errors import InputError

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Transform:
    """A symmetry of the rectangle of pixels.

    Attributes
    ----------
    origin : the (row, column) whose pixel arrives at a given (row, column), for H×W images.
    needs_square : whether the transform exchanges rows and columns.
    vector : the matrix of the transform on directions, x to the right and y upwards.
    """

    origin: Callable[[int, int, int, int], Place]
    needs_square: bool
    vector: tuple[tuple[int, int], tuple[int, int]]


TRANSFORMS: dict[str, Transform] = {
    "rot90": Transform(lambda i, j, h, w: (j, w - 1 - i), True, ((0, -1), (1, 0))),
    "rot180": Transform(lambda i, j, h, w: (h - 1 - i, w - 1 - j), False, ((-1, 0), (0, -1))),
    "fliplr": Transform(lambda i, j, h, w: (i, w - 1 - j), False, ((-1, 0), (0, 1))),
    "flipud": Transform(lambda i, j, h, w: (h - 1 - i, j), False, ((1, 0), (0, -1))),
    "transpose": Transform(lambda i, j, h, w: (j, i), True, ((0, -1), (-1, 0))),
}

FILE_TRANSFORMS = ("rot90", "fliplr", "flipud", "transpose")


def image_permutation(
    shape: Sequence[int], transform: str, where: str | None = None
) -> tuple[int, ...]:
    """Return the permutation by which a transform acts on flattened images.

    Parameters
    ----------
    shape : (C, H, W).
    transform : ``rot90`` (a quarter turn against the clock, as `numpy.rot90` with
        axes (−2, −1)), ``rot180``, ``fliplr``, ``flipud`` or ``transpose``.
    where : the place for error messages.

    Raises
    ------
    InputError
        If the shape is not three positive integers, the transform is unknown, or it
        changes the shape.

    Examples
    --------
    >>> image_permutation((1, 2, 2), "rot90")  # [[0, 1], [2, 3]] becomes [[1, 3], [0, 2]]
    (1, 3, 0, 2)
    """
    channels, height, width = _checked_shape(shape, where)
    if transform not in TRANSFORMS:
        raise InputError(
            f"the image transform {transform!r} is unknown",
            where,
            "use one of " + ", ".join(FILE_TRANSFORMS),
        )
    chosen = TRANSFORMS[transform]
    if chosen.needs_square and height != width:
        raise InputError(
            f"{transform} turns a {height}×{width} image into a {width}×{height} one",
            where,
            "only square images allow it",
        )
    return _flattened(channels, height, width, lambda i, j: chosen.origin(i, j, height, width))


def shift_permutation(shape: Sequence[int], down: int, right: int) -> tuple[int, ...]:
    """Return the circular shift of images by whole pixels, as `numpy.roll` moves them.

    Examples
    --------
    >>> shift_permutation((1, 1, 3), 0, 1)  # [[0, 1, 2]] becomes [[2, 0, 1]]
    (2, 0, 1)
    """
    channels, height, width = _checked_shape(shape, None)
    return _flattened(
        channels, height, width, lambda i, j: ((i - down) % height, (j - right) % width)
    )


def _checked_shape(shape: Sequence[int], where: str | None) -> tuple[int, int, int]:
    """Return the three positive integers of a shape."""
    is_shape = len(shape) == 3 and all(
        isinstance(n, int) and not isinstance(n, bool) and n > 0 for n in shape
    )
    if not is_shape:
        fix = "write [channels, height, width]"
        raise InputError("the image shape is not three positive integers", where, fix)
    channels, height, width = shape
    return channels, height, width


def _flattened(
    channels: int, height: int, width: int, origin: Callable[[int, int], Place]
) -> tuple[int, ...]:
    """Return the permutation of the row-major flattening, equal in every channel."""
    places = [origin(i, j) for i in range(height) for j in range(width)]
    one_channel = [row * width + column for row, column in places]
    area = height * width
    return tuple(c * area + p for c in range(channels) for p in one_channel)
