"""Reads the numbers of a canonical network file, over the field that it states."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from identcert.errors import InputError
from identcert.exact.field import Element, Field
from identcert.exact.join import decode_field
from identcert.exact.spelling import shortened
from identcert.groups.json_text import check_keys, check_repeated, read_bytes
from identcert.nets.assembly import NumberReader
from identcert.nets.tensors import TENSOR_FILE, TENSOR_FILES, Tensor, unpack_tensors

FLOAT_NAMES = {"F32": "float32", "F64": "float64"}


class CanonicalReader(NumberReader):
    """Decodes scalars of a known field, and tensors of the file that the network names.

    Parameters
    ----------
    field : the stated field.
    tensors : the tensors by name; None if the network has no tensor file.
    """

    def __init__(self, field: Field, tensors: dict[str, Tensor] | None) -> None:
        super().__init__()
        self._field, self._tensors = field, tensors

    @classmethod
    def of_document(
        cls, document: dict[str, Any], where: str, folder: Path | None
    ) -> CanonicalReader:
        """Return the reader for a canonical network; its tensor file lies in the folder.

        Raises
        ------
        InputError
            If the field is none, or the tensor file is missing or another one.
        """
        try:
            check_repeated(document["field"], f"{where}, field")
            field = decode_field(document["field"])
        except InputError as error:
            raise InputError(error.what, f"{where}, field", error.fix) from None
        if "tensors" not in document:
            return cls(field, None)
        place = f"{where}, tensors"
        if field.kind != "rational":
            raise InputError("only a network over the rationals has a tensor file", place)
        return cls(field, _open_tensors(document["tensors"], place, folder))

    def find_field(self) -> Field:
        """Return the stated field."""
        return self._field

    def read(self, value: object, where: str) -> Element:
        """Return the element that a canonical scalar encodes."""
        try:
            element = self._field.decode(value)
        except InputError as error:
            raise InputError(error.what, where, error.fix) from None
        is_rational = isinstance(value, str)
        kind = ("fractions" if "/" in str(value) else "integers") if is_rational else "expressions"
        self.counts[kind] += 1
        return element

    def rows(self, value: Any, arriving: int, source: str, where: str) -> Sequence[Sequence[Any]]:
        """Return the rows of a weight, from the tensor file if there is one."""
        if self._tensors is None:
            return super().rows(value, arriving, source, where)
        tensor = self._take(value, where)
        if len(tensor.shape) != 2 or tensor.shape[0] < 1 or tensor.shape[1] != arriving:
            what = f"the tensor has shape {tensor.shape}, but {arriving} numbers arrive"
            raise InputError(f"{what} from {source}", where)
        starts = range(0, len(tensor.values), arriving)
        return [tensor.values[start : start + arriving] for start in starts]

    def bias(self, value: Any, neurons: int, where: str) -> Sequence[Any]:
        """Return a bias, from the tensor file if there is one."""
        if self._tensors is None:
            return super().bias(value, neurons, where)
        tensor = self._take(value, where)
        if tensor.shape != (neurons,):
            what = f"the tensor has shape {tensor.shape} for {neurons} rows of the weight"
            raise InputError(what, where)
        return tensor.values

    def _take(self, value: Any, where: str) -> Tensor:
        check_keys(value, where, ("tensor",))
        name = value["tensor"]
        tensor = (self._tensors or {}).pop(name, None) if isinstance(name, str) else None
        if tensor is None:
            what = f"the tensor {shortened(name)} is not in {TENSOR_FILE}, or is used twice"
            raise InputError(what, where)
        self.counts[FLOAT_NAMES[tensor.dtype]] += len(tensor.values)
        return tensor

    def check_complete(self, where: str) -> None:
        """Check that every tensor was used.

        Raises
        ------
        InputError
            If one was not.
        """
        if self._tensors:
            name = min(self._tensors)
            raise InputError(f"the tensor {name!r} belongs to no layer", f"{where}, tensors")


def _open_tensors(value: Any, where: str, folder: Path | None) -> dict[str, Tensor]:
    check_keys(value, where, ("file", "sha256"))
    name = value["file"]
    if name not in TENSOR_FILES:
        raise InputError(f"the tensor file is not called {TENSOR_FILE}", f"{where}.file")
    if folder is None:
        raise InputError("the tensor file lies in no known folder", f"{where}.file")
    content = read_bytes(folder / name)
    if sha256(content).hexdigest() != value["sha256"]:
        what = f"{name} has another SHA-256"
        raise InputError(what, f"{where}.sha256", "use the file that was written with this one")
    return unpack_tensors(content, name)
