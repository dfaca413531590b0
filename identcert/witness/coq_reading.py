"""Reads the JSON files of an evidence folder for the Coq export.

Types are checked strictly, since what is read is printed into Coq files: numbers are
numbers, names are names, and nothing else passes through.
"""

from __future__ import annotations

import json
import stat
from fractions import Fraction
from pathlib import Path
from typing import Any

from identcert.errors import InputError
from identcert.witness.codec import sha256

Document = dict[str, Any]
MAX_BYTES = 2**26  # as in the checker


def read_object(path: Path) -> tuple[Document, bytes]:
    """Read a JSON object and its bytes.

    Raises
    ------
    InputError
        If the file cannot be read or is not a JSON object.
    """
    try:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BYTES:
            raise OSError
        content = path.read_bytes()
        tree = json.loads(content.decode("ascii"))
    except (OSError, ValueError, RecursionError):
        raise InputError("is not a readable JSON file of an evidence folder", path.name) from None
    if not isinstance(tree, dict):
        raise InputError("is not a JSON object", path.name)
    return tree, content


def parse_list(value: object, where: str) -> list[object]:
    """Return a JSON list; raises InputError on anything else."""
    if not isinstance(value, list):
        raise InputError("is not a list", where)
    return value


def parse_index(value: object, where: str) -> int:
    """Return a JSON integer that is not negative; raises InputError on anything else."""
    if type(value) is not int or not 0 <= value < 10**6:
        raise InputError("is not an index", where)
    return value


def parse_indices(value: object, where: str) -> list[int]:
    """Return a list of JSON integers that are not negative; raises InputError otherwise."""
    return [parse_index(entry, where) for entry in parse_list(value, where)]


def inline_tensors(network: Document, directory: Path) -> None:
    """Replace references to a tensor file by lists of the rationals that its floats are.

    Raises
    ------
    InputError
        If the file is missing or malformed, has another SHA-256, or lacks a tensor.
    """
    stated = network.get("tensors")
    if stated is None:
        return
    from identcert.nets.tensors import TENSOR_FILE, unpack_tensors

    if not isinstance(stated, dict) or stated.get("file") != TENSOR_FILE:
        raise InputError("names no tensor file", "network.json, tensors")
    try:
        content = (directory / TENSOR_FILE).read_bytes()
    except OSError:
        raise InputError("cannot be read", TENSOR_FILE) from None
    if sha256(content) != stated.get("sha256"):
        raise InputError("is not the file whose SHA-256 network.json states", TENSOR_FILE)
    tensors = unpack_tensors(content, TENSOR_FILE)
    for layer in parse_list(network.get("layers"), "layers"):
        for part in ("weight", "bias"):
            if isinstance(layer, dict) and isinstance(layer.get(part), dict):
                tensor = tensors.get(str(layer[part].get("tensor")))
                if tensor is None:
                    raise InputError("has no such tensor", TENSOR_FILE)
                numbers = [str(Fraction(int(q.p), int(q.q))) for q in tensor.values]
                layer[part] = _shaped(numbers, tensor.shape)


def _shaped(numbers: list[str], shape: tuple[int, ...]) -> list[Any]:
    """Return row-major numbers as a list, or as a list of rows."""
    if len(shape) == 1:
        return list(numbers)
    if len(shape) != 2:
        raise InputError("has a tensor that is neither a vector nor a matrix", "network.json")
    rows, columns = shape
    return [numbers[i * columns : (i + 1) * columns] for i in range(rows)]
