"""Runs Coq on exported files, and says what it has proved under which assumptions."""

from __future__ import annotations

import re
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from identcert.errors import EvidenceRejected, UnsupportedError
from identcert.witness.coq_export import Exported
from identcert.witness.coq_library import build_library, complaint, coq_version, run_coqc

NEEDS_INTERVALS = re.compile(r"Cannot find a physical path.*?\s(Balls|Erf)\s", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Proved:
    """A theorem that Coq has checked.

    Parameters
    ----------
    name : its name in the witness file.
    statement : what it says, as it stands in the problem file.
    assumptions : the axioms of Coq's library that its proof rests on, () if there are none.
    """

    name: str
    statement: str
    assumptions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Compiled:
    """What Coq has proved, its version, and the seconds that it took."""

    theorems: tuple[Proved, ...]
    version: str
    seconds: float


def compile_export(exported: Exported) -> Compiled:
    """Compile the two files of an export, in a scratch folder: Coq checks the proof.

    Raises
    ------
    UnsupportedError
        If Coq, or a library that the proof needs, is not installed.
    EvidenceRejected
        If Coq refuses the proof.
    """
    library = build_library()
    start = time.monotonic()
    problem, witness = (path.read_bytes() for path in (exported.problem, exported.witness))
    with tempfile.TemporaryDirectory(prefix="identcert-coq-") as scratch:
        for path, content in ((exported.problem, problem), (exported.witness, witness)):
            Path(scratch, path.name).write_bytes(content)
            result = run_coqc(library, Path(scratch), path.name)
            check_accepted(result)
    theorems = read_theorems(problem.decode("ascii"), witness.decode("ascii"), result.stdout)
    return Compiled(theorems, coq_version(), time.monotonic() - start)


def check_accepted(result: subprocess.CompletedProcess[str]) -> None:
    """Refuse what Coq refused.

    Raises
    ------
    UnsupportedError
        If coq-interval is missing.
    EvidenceRejected
        If the proof is wrong.
    """
    if result.returncode == 0:
        return
    if NEEDS_INTERVALS.search(result.stderr):
        raise UnsupportedError(
            "This proof needs coq-interval (on Debian: apt-get install libcoq-interval)."
        )
    raise EvidenceRejected(f"Coq refuses the proof: {complaint(result)}")


def read_theorems(problem: str, witness: str, output: str) -> tuple[Proved, ...]:
    """Return the theorems of a witness file whose assumptions it prints, in that order."""
    names = re.findall(r"^Print Assumptions (\w+)\.$", witness, re.MULTILINE)
    blocks = re.split(r"^(?=Axioms:|Closed under the global context)", output, flags=re.MULTILINE)
    theorems = []
    for name, block in zip(names, blocks[-len(names) :], strict=True):
        stated = re.search(rf"^Theorem {name} : (~ )?(\w+)\.$", witness, re.MULTILINE)
        if stated is None:
            raise EvidenceRejected(f"The witness file states no theorem {name}.")
        claim = read_definition(problem, stated.group(2))
        statement = f"not:\n  {claim}" if stated.group(1) else claim
        theorems.append(Proved(name, statement, parse_assumptions(block)))
    return tuple(theorems)


def read_definition(problem: str, name: str) -> str:
    r"""Return what a problem file defines under a name, with its line breaks.

    Examples
    --------
    >>> read_definition("Definition e : Prop :=\n  forall x,\n  f x = x.\n", "e")
    'forall x,\n  f x = x'
    """
    _, _, rest = problem.partition(f"Definition {name} : Prop :=\n  ")
    return rest.partition(".\n")[0]


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
    return tuple(dict.fromkeys(name.rpartition(".")[2] for name in names))
