"""Runs Coq on exported files.

library == the Coq sources that generated proofs need: beside this module in an
           installed package, ``proofs/checker`` in a checkout
built library == a folder with the compiled sources; made once, in the user's cache,
           unless the sources stand compiled where they are
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from identcert.errors import EvidenceRejected, InputError, UnsupportedError
from identcert.witness.coq_export import Exported

# in order of dependence; the last ones need coq-interval and Coquelicot
MODULES = (
    *("Network", "Ring", "Rows", "Law", "Coordinates", "Latents", "Reduction", "Certificate"),
    *("Polynomial", "NumberField", "Rational", "Actions", "Evaluation", "Refutation", "Sparse"),
    *("Formal", "Algebra", "Activations", "ActivationFacts", "Classes", "Algebraic", "Parametric"),
    *("Theorems", "RealRefutation"),
)
WITH_INTERVALS = ("Balls", "Erf")
MISSING = "Coq is not installed: coqc is not on the path (on Debian: apt-get install coq)."


@dataclass(frozen=True, slots=True)
class Compiled:
    """What Coq has proved.

    Parameters
    ----------
    statement : the theorem, as it stands in the problem file.
    assumptions : the axioms that its proof rests on, () if there are none.
    seconds : time that ``coqc`` took for both files.
    """

    statement: str
    assumptions: tuple[str, ...]
    seconds: float


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
    UnsupportedError
        If Coq is not installed, or refuses the library.

    Notes
    -----
    The cache is keyed by the sources and the version of Coq. Building takes about
    half a minute.
    """
    sources = find_library()
    if is_compiled(sources):
        return sources
    version = subprocess.run(
        [find_coqc(), "-print-version"], capture_output=True, text=True, check=True
    ).stdout
    digest = sha256(version.encode())
    for name in (*MODULES, *WITH_INTERVALS):
        digest.update((sources / f"{name}.v").read_bytes())
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    target = cache / "identcert" / f"coq-{digest.hexdigest()[:16]}"
    if not is_built(target):
        _compile_library(sources, target)
    return target


def is_built(target: Path) -> bool:
    """Whether a cache folder holds a finished build."""
    return (target / "done").is_file()


def _compile_library(sources: Path, target: Path) -> None:
    """Compile the sources into a folder; without coq-interval the last modules are left out."""
    target.mkdir(parents=True, exist_ok=True)
    for name in (*MODULES, *WITH_INTERVALS):
        shutil.copyfile(sources / f"{name}.v", target / f"{name}.v")
        result = run_coqc(target, target, f"{name}.v")
        if result.returncode and name in MODULES:
            raise UnsupportedError(f"This version of Coq refuses the library: {complaint(result)}")
    (target / "done").touch()


def complaint(result: subprocess.CompletedProcess[str]) -> str:
    """Return the error of Coq in one line."""
    _, _, message = result.stderr.partition("Error:")
    return " ".join((message or result.stderr).split())[:400]


def parse_assumptions(output: str) -> tuple[str, ...]:
    r"""Return the axioms that ``Print Assumptions`` lists, by their last names.

    Examples
    --------
    >>> parse_assumptions("Closed under the global context")
    ()
    >>> parse_assumptions("Axioms:\nA.b : nat ->\n  nat\nC.d\n  : Prop")
    ('b', 'd')
    """
    _, _, listed = output.partition("Axioms:")
    names = re.findall(r"^([A-Za-z_][\w.']*)", listed, re.MULTILINE)
    return tuple(dict.fromkeys(name.rpartition(".")[2] for name in names if name != "Axioms"))


def read_claim(problem: str) -> str:
    r"""Return the claim that a problem file defines, in one line.

    Examples
    --------
    >>> read_claim("Definition equivariant : Prop :=\n  forall x,\n  f x = x.\n")
    'forall x, f x = x'
    """
    _, _, rest = problem.partition("Definition equivariant : Prop :=\n")
    return " ".join(rest.partition(".\n")[0].split())


def compile_export(exported: Exported) -> Compiled:
    """Compile the two files of an export: Coq checks the proof.

    Raises
    ------
    UnsupportedError
        If Coq, or a library that the proof needs, is not installed.
    EvidenceRejected
        If Coq refuses the proof.
    """
    library = build_library()
    start = time.monotonic()
    folder = exported.problem.parent
    result = run_coqc(library, folder, exported.problem.name)
    if result.returncode == 0:
        result = run_coqc(library, folder, exported.witness.name)
    if result.returncode:
        missing = re.search(r"Cannot find a physical path.*\s(Balls|Erf)\s", result.stderr)
        if missing:
            raise UnsupportedError(
                "This proof needs coq-interval (on Debian: apt-get install libcoq-interval)."
            )
        raise EvidenceRejected(f"Coq refuses the proof: {complaint(result)}")
    claim = read_claim(exported.problem.read_text(encoding="ascii"))
    statement = f"~ ({claim})" if exported.theorem.startswith("~") else claim
    return Compiled(statement, parse_assumptions(result.stdout), time.monotonic() - start)
