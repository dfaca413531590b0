"""Evidence folders on disk.

evidence == the files of one decision, by name: ``network.json``, ``action.json``,
            ``witness.json`` and, for large float networks, ``weights.safetensors``

A file is written beside its place and renamed, so that an interrupted run leaves
either the old file or the new one. ``witness.json`` goes last: a folder with a
witness is complete.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from identcert.checker import CheckError, Verified, check
from identcert.errors import EvidenceRejected, InputError
from identcert.nets.tensors import TENSOR_FILES

Evidence = Mapping[str, bytes]

COMPLETE = ("witness.json", "lift.json", "minor.json")
"""The files that make a folder complete, one for every kind of evidence."""

PARTS = ("action.json", "network.json", "network2.json", *TENSOR_FILES)


def write_atomically(path: Path, content: bytes) -> None:
    """Write one file so that readers see all of it or nothing.

    Raises
    ------
    InputError
        If the place cannot be written.
    """
    scratch: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, scratch = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        os.chmod(scratch, 0o644)
        os.replace(scratch, path)
        scratch = None
    except OSError as error:
        reason = error.strerror or str(error)
        fix = "choose another place with --out or -o"
        raise InputError(f"cannot be written ({reason})", str(path), fix) from None
    finally:
        if scratch is not None and os.path.exists(scratch):
            os.unlink(scratch)


def check_writable(directory: Path) -> None:
    """Refuse an output folder early, before long work, if it cannot be written.

    Raises
    ------
    InputError
        If the folder, or the nearest existing parent, is not a writable folder.
    """
    place = directory
    while not place.exists() and place != place.parent:
        place = place.parent
    if not place.is_dir():
        what = f"cannot be an output folder, since {place} is a file"
        raise InputError(what, str(directory), "choose another folder with --out")
    if not os.access(place, os.W_OK | os.X_OK):
        what = "cannot be written (permission denied)"
        raise InputError(what, str(directory), "choose another folder with --out")


def write_folder(directory: Path, evidence: Evidence) -> None:
    """Write an evidence folder, the witness last; evidence of an earlier question is removed.

    Raises
    ------
    InputError
        If the folder cannot be written.
    """
    if not directory.exists():
        check_writable(directory)
    remove_evidence(directory)
    for name in sorted(evidence, key=lambda name: (name == "witness.json", name)):
        write_atomically(directory / name, evidence[name])


def remove_evidence(directory: Path) -> None:
    """Remove the files of earlier evidence, what makes a folder complete first.

    A folder without complete evidence is not ours: nothing in it is removed.

    Raises
    ------
    InputError
        If a file cannot be removed.
    """
    if not any((directory / name).exists() for name in COMPLETE):
        return
    for name in (*COMPLETE, *PARTS):
        try:
            (directory / name).unlink(missing_ok=True)
        except OSError as error:
            what = f"the earlier evidence cannot be removed ({error.strerror})"
            fix = "choose another folder with --out"
            raise InputError(what, str(directory / name), fix) from None


def verify(evidence: Evidence) -> Verified:
    """Return what the independent checker says of serialised evidence.

    Raises
    ------
    EvidenceRejected
        If it refuses: then the search was wrong, and no verdict may be returned.
    """
    with tempfile.TemporaryDirectory(prefix="identcert-") as scratch:
        directory = Path(scratch)
        for name, content in evidence.items():
            (directory / name).write_bytes(content)
        try:
            return check(directory)
        except CheckError as refusal:
            raise EvidenceRejected(f"the checker refused the evidence: {refusal}") from refusal
