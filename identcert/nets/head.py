"""The head of a network file, and what its layers have in common."""

from __future__ import annotations

from typing import Any

from identcert.errors import InputError
from identcert.exact.spelling import shortened

FORMAT, VERSION = "identcert.network", 1
MAX_NAME = 1_000


def read_inputs(document: dict[str, Any], where: str) -> int:
    """Check format, version, name and the list of layers; return the number of inputs.

    Raises
    ------
    InputError
        If one of them is not as this version of the format wants it.
    """
    if document["format"] != FORMAT:
        what = f'the format is {shortened(document["format"])}, not "{FORMAT}"'
        raise InputError(what, f"{where}, format", "give a network file")
    version = document["version"]
    if type(version) is not int or version != VERSION:
        what = f"version {shortened(version)} of the format is not known"
        raise InputError(what, f"{where}, version", f"this identcert reads version {VERSION}")
    inputs = document["inputs"]
    if type(inputs) is not int or inputs < 1:
        what = f"{shortened(inputs)} is not a positive integer"
        raise InputError(what, f"{where}, inputs", "give the number of inputs")
    name = document.get("name", "")
    if not isinstance(name, str) or not name.isprintable() or len(name) > MAX_NAME:
        what = f"{shortened(name)} is not a printable text of at most {MAX_NAME} characters"
        raise InputError(what, f"{where}, name", "correct the name or leave it out")
    if not isinstance(document["layers"], list) or not document["layers"]:
        fix = 'write a list of objects with "kind", "weight", "bias" and "activation"'
        raise InputError("the network has no list of layers", f"{where}, layers", fix)
    return inputs


def check_kind(layer: dict[str, Any], where: str) -> None:
    """Check that a layer is dense, the only kind that this version of the format has.

    Raises
    ------
    InputError
        If it is not.
    """
    if layer["kind"] != "dense":
        what = f"the kind {shortened(layer['kind'])} of layer is not known"
        raise InputError(what, f"{where}.kind", 'write "dense"')
