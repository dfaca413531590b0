"""Weights of large float networks as ``weights.safetensors``: each float is a rational.

layout == 8 bytes with the length of the header (little endian), the header as JSON,
          then the data: the tensors in the order of their names, without gaps

One type serves a whole file: F32 if float32 holds every number, else F64.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from identcert.errors import InputError
from identcert.exact.dyadic import exact_dyadic, from_exact
from identcert.groups.json_text import check_keys, parse_json

TENSOR_FILE = "weights.safetensors"
TENSOR_FILES = (TENSOR_FILE, "weights2.safetensors")
SIZES = {"F32": 4, "F64": 8}
ALIGNMENT = 8
MAX_HEADER = 100_000_000


def tensor_name(layer: int, part: str) -> str:
    """Return the name of a tensor, such as ``layers.0.weight``."""
    return f"layers.{layer}.{part}"


@dataclass(frozen=True, slots=True)
class Tensor:
    """Rationals in row-major order, with their shape and the float type that stores them."""

    shape: tuple[int, ...]
    dtype: str
    values: Sequence[fmpq]


def pack_tensors(tensors: Mapping[str, tuple[tuple[int, ...], Sequence[fmpq]]]) -> bytes | None:
    """Return the bytes of a safetensors file, or None unless float64 holds every number.

    Parameters
    ----------
    tensors : shape and row-major numbers by name.

    Notes
    -----
    Equal tensors give equal bytes; zero is stored as +0.

    Examples
    --------
    >>> pack_tensors({"w": ((1,), [fmpq(1, 3)])}) is None
    True
    >>> unpack_tensors(pack_tensors({"w": ((1,), [fmpq(1, 2)])}), "file")["w"].values
    [1/2]
    """
    arrays: dict[str, Any] = {}
    for name, (_, values) in sorted(tensors.items()):
        arrays[name] = from_exact(values)
        if arrays[name] is None:
            return None
    dtype = "F32" if all(_fits_single(arrays[n], tensors[n][1]) for n in arrays) else "F64"
    header: dict[str, Any] = {}
    blocks, end = [], 0
    for name, array in arrays.items():
        block = array.astype(f"<f{SIZES[dtype]}").tobytes()
        offsets = [end, end + len(block)]
        header[name] = {"data_offsets": offsets, "dtype": dtype, "shape": list(tensors[name][0])}
        blocks.append(block)
        end += len(block)
    text = json.dumps(header, sort_keys=True, separators=(",", ":")).encode("ascii")
    text += b" " * (-len(text) % ALIGNMENT)
    return len(text).to_bytes(8, "little") + text + b"".join(blocks)


def _fits_single(array: Any, values: Sequence[fmpq]) -> bool:
    """Return whether float32 holds every number; rationals are compared, not floats."""
    import numpy as np

    with np.errstate(over="ignore"):
        single = array.astype(np.float32)
    return bool(np.isfinite(single).all()) and exact_dyadic(single) == list(values)


def unpack_tensors(content: bytes, where: str) -> dict[str, Tensor]:
    """Return the tensors of a safetensors file by name.

    Raises
    ------
    InputError
        If the bytes are not of the layout, or a number is not finite.
    """
    length = int.from_bytes(content[:8], "little")
    if len(content) < 8 or length > min(len(content) - 8, MAX_HEADER):
        raise InputError("this is no safetensors file", where)
    header = parse_json(content[8 : 8 + length], f"{where}, header")
    data = memoryview(content)[8 + length :]
    check_keys(header, f"{where}, header", (), header if isinstance(header, dict) else ())
    tensors, reached = {}, 0
    for name, entry in header.items():
        place = f"{where}, tensor {name!r}"
        check_keys(entry, place, ("data_offsets", "dtype", "shape"))
        size = SIZES.get(entry["dtype"]) if isinstance(entry["dtype"], str) else None
        if size is None:
            raise InputError("the type of the tensor is neither F32 nor F64", place)
        shape = _shape(entry["shape"], place)
        end = reached + size * _product(shape)
        if entry["data_offsets"] != [reached, end] or end > len(data):
            raise InputError("the data of the tensor do not follow the one before", place)
        tensors[name] = _tensor(data[reached:end], entry["dtype"], shape, place)
        reached = end
    if reached != len(data):
        raise InputError("bytes at the end of the file belong to no tensor", where)
    return tensors


def _tensor(block: memoryview, dtype: str, shape: tuple[int, ...], place: str) -> Tensor:
    import numpy as np

    array = np.frombuffer(block, dtype=f"<f{SIZES[dtype]}")
    return Tensor(shape, dtype, exact_dyadic(array.astype(array.dtype.newbyteorder("=")), place))


def _shape(value: Any, place: str) -> tuple[int, ...]:
    if not isinstance(value, list) or not all(type(n) is int and n >= 0 for n in value):
        raise InputError("the shape of the tensor is not a list of sizes", place)
    return tuple(value)


def _product(shape: tuple[int, ...]) -> int:
    result = 1
    for size in shape:
        result *= size
    return result
