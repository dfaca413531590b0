"""Finds Coq, and builds the library that generated proofs need.

library == the Coq sources that generated proofs need: beside this module in an
           installed package, ``proofs/checker`` in a checkout
built library == a folder with the compiled sources; made once, in the user's cache,
           unless the sources stand compiled where they are
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from hashlib import sha256
from pathlib import Path

from identcert.errors import InputError, UnsupportedError

# in order of dependence; the last ones need coq-interval and Coquelicot
MODULES = (
    *("Network", "Ring", "Rows", "Law", "Coordinates", "Latents", "Reduction", "Certificate"),
    *("Polynomial", "NumberField", "Rational", "Actions", "Evaluation", "Refutation", "Sparse"),
    *("Formal", "Algebra", "Activations", "ActivationFacts", "Classes", "Algebraic", "Parametric"),
    *("Theorems", "RealRefutation"),
)
WITH_INTERVALS = ("Balls", "Erf")
MISSING = "Coq is not installed: coqc is not on the path (on Debian: apt-get install coq)."


def find_library() -> Path:
    """Return the folder with the Coq sources.

    Raises
    ------
    InputError
        If the installation lacks them.
    """
    here = Path(__file__).resolve()
    for folder in (here.parent / "coq", here.parents[2] / "proofs" / "checker"):
        if (folder / "Network.v").is_file():
            return folder
    raise InputError("the Coq library is missing from this installation of identcert")


def find_coqc() -> str:
    """Return the path of ``coqc``.

    Raises
    ------
    UnsupportedError
        If Coq is not installed.
    """
    found = shutil.which("coqc")
    if found is None:
        raise UnsupportedError(MISSING)
    return found


def coq_version() -> str:
    """Return the version of Coq, such as 8.16.1; raises UnsupportedError without Coq."""
    command = [find_coqc(), "-print-version"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return printed.split()[0]


def run_coqc(library: Path, folder: Path, source: str) -> subprocess.CompletedProcess[str]:
    """Run ``coqc`` in a folder, with the library and the folder on its load path."""
    command = [find_coqc(), "-q", "-R", str(library), "Identcert"]
    if library != folder:
        command += ["-Q", ".", ""]
    command.append(source)
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def is_compiled(folder: Path) -> bool:
    """Whether every source of a folder has a younger compiled file."""
    return all(
        (compiled := folder / f"{name}.vo").is_file()
        and compiled.stat().st_mtime >= (folder / f"{name}.v").stat().st_mtime
        for name in MODULES
    )


def build_library() -> Path:
    """Return a folder with the compiled library, which is built if it is not there yet.

    Raises
    ------
    InputError
        If the cache cannot be written.
    UnsupportedError
        If Coq is not installed, or refuses the library.

    Notes
    -----
    The cache is keyed by the sources and the version of Coq. Building takes about
    20 seconds; it happens beside the place, which is then renamed.
    """
    sources = find_library()
    digest = sha256(coq_version().encode())
    if is_compiled(sources):
        return sources
    for name in (*MODULES, *WITH_INTERVALS):
        digest.update((sources / f"{name}.v").read_bytes())
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "identcert"
    target = cache / f"coq-{digest.hexdigest()[:16]}"
    if not target.is_dir():
        try:
            cache.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix="coq-", dir=cache) as scratch:
                compile_library(sources, Path(scratch, "library"))
                Path(scratch, "library").rename(target)
        except OSError as error:
            if not target.is_dir():  # else another run was faster
                fix = "set XDG_CACHE_HOME to a folder that can"
                what = f"cannot be written ({error.strerror})"
                raise InputError(what, str(cache), fix) from None
    return target


def compile_library(sources: Path, target: Path) -> None:
    """Compile the sources into a new folder.

    Raises
    ------
    UnsupportedError
        If Coq refuses a module, other than those that need coq-interval.
    """
    target.mkdir()
    for name in (*MODULES, *WITH_INTERVALS):
        shutil.copyfile(sources / f"{name}.v", target / f"{name}.v")
        result = run_coqc(target, target, f"{name}.v")
        if result.returncode and name in MODULES:
            raise UnsupportedError(f"This version of Coq refuses the library: {complaint(result)}")


def complaint(result: subprocess.CompletedProcess[str]) -> str:
    """Return the error of Coq in one line."""
    _, _, message = result.stderr.partition("Error:")
    return " ".join((message or result.stderr).split())[:400]
