"""Float arrays as the exact dyadic rationals that they store.

dyadic rational == m · 2^e with integers m, e: what every finite binary float is
mantissa        == the integer m, odd unless the number is 0

Nothing here rounds: a float array becomes the rationals that it holds, and
rationals become a float array only if it holds them all. NumPy arrays are taken
apart as a whole; the rationals themselves are FLINT's.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flint import fmpq

from identcert.errors import InputError

BITS = 53
"""Bits of a float64 mantissa; float16 and float32 fit into a float64 exactly."""

FLOAT_TYPES = ("float16", "float32", "float64")


def exact_dyadic(array: Any, where: str | None = None) -> list[Any]:
    """Return the entries of a float16, float32 or float64 array as `fmpq`, in row-major order.

    Parameters
    ----------
    array : NumPy array of any shape.
    where : the place of the array, for messages.

    Raises
    ------
    InputError
        If an entry is NaN or infinite (the message gives its index), or the entries
        are not floats of these types.

    Notes
    -----
    x = m · 2^53 · 2^(e−53) with (m, e) = frexp(x), and m · 2^53 is an integer. Its
    factors of 2 are taken out first, so that FLINT has nothing to cancel.

    Examples
    --------
    >>> import numpy as np
    >>> exact_dyadic(np.array([[0.5, -3.0], [0.1, 0.0]], dtype=np.float32))
    [1/2, -3, 13421773/134217728, 0]
    """
    import numpy as np

    given = np.asarray(array)
    if given.dtype.newbyteorder("=").name not in FLOAT_TYPES:
        raise InputError(
            f"an array of type {given.dtype} does not hold binary floats", where, _CONVERT
        )
    values = given.astype(np.float64)  # exact: every float16 and float32 is a float64
    _check_finite(values, where)
    fractions, exponents = np.frexp(values.ravel())
    mantissas = np.ldexp(fractions, BITS).astype(np.int64)
    lowest_bits = mantissas & -mantissas
    zeros = np.maximum(np.frexp(lowest_bits.astype(np.float64))[1] - 1, 0)
    odd, powers = mantissas >> zeros, exponents - BITS + zeros
    scale = {int(k): _power_of_two(int(k)) for k in np.unique(powers)}
    return [m * scale[k] for m, k in zip(odd.tolist(), powers.tolist(), strict=True)]


_CONVERT = "give float16, float32 or float64"


def _power_of_two(exponent: int) -> Any:
    return fmpq(1 << exponent) if exponent >= 0 else fmpq(1, 1 << -exponent)


def _check_finite(values: Any, where: str | None) -> None:
    """Raise `InputError` with the index of the first entry that is no real number."""
    import numpy as np

    finite = np.isfinite(values)
    if finite.all():
        return
    index = tuple(int(i) for i in np.argwhere(~finite)[0])
    place = f"[{', '.join(map(str, index))}]" if index else ""
    shown = str(values[index])
    raise InputError(f"the entry {shown} is not a real number", f"{where or 'array'}{place}")


def from_exact(values: Iterable[Any]) -> Any | None:
    """Return the rationals as a float64 array, or None unless float64 holds each exactly.

    >>> from_exact([fmpq(1, 2), fmpq(-3)])
    array([ 0.5, -3. ])
    >>> from_exact([fmpq(1, 3)]) is None
    True
    """
    import numpy as np

    floats = []
    for value in values:
        numerator, denominator = int(value.p), int(value.q)
        try:
            nearest = numerator / denominator  # the nearest float, which may be the number itself
        except OverflowError:
            return None
        if nearest.as_integer_ratio() != (numerator, denominator):
            return None
        floats.append(nearest)
    return np.array(floats, dtype=np.float64)
