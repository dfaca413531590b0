"""Evidence as Coq files: a problem that people read, and a proof that Coq checks.

    Problem_<hash>.v   from network.json and action.json only: the statement
    Witness_<hash>.v   from witness.json: its proof, by reflection

Both need the library of ``proofs/checker`` (see `identcert.witness.coq_library`).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from identcert.errors import InputError, UnsupportedError
from identcert.witness.codec import sha256
from identcert.witness.coq_problem import read_problem
from identcert.witness.coq_reading import read_object
from identcert.witness.coq_statement import problem_text
from identcert.witness.coq_witness import witness_text
from identcert.witness.store import write_atomically


@dataclass(frozen=True, slots=True)
class Exported:
    """The two files, and what the theorem ``proof`` in the second one states.

    Parameters
    ----------
    problem, witness : the files.
    verdict : the verdict of the evidence.
    theorem : ``equivariant`` or ``~ equivariant``, in terms of the problem file.
    """

    problem: Path
    witness: Path
    verdict: str
    theorem: str


def coq_texts(directory: Path) -> tuple[str, str, str, str]:
    """Return key, problem file, witness file and verdict of an evidence folder.

    Raises
    ------
    InputError
        If a file of the folder is missing or malformed.
    UnsupportedError
        If Coq does not cover the evidence; one plain sentence.
    """
    witness, _ = read_object(directory / "witness.json")
    verdict = witness.get("verdict")
    if verdict in ("equal", "different") or "network2_sha256" in witness:
        raise UnsupportedError(
            "The Coq export does not cover the verdicts equal and different, of two networks;"
            " identcert check verifies such evidence."
        )
    for name in ("network", "action"):
        _, content = read_object(directory / f"{name}.json")
        if witness.get(f"{name}_sha256") != sha256(content):
            raise InputError("is not the file of this evidence (SHA-256)", f"{name}.json")
    problem = read_problem(directory)
    text = witness_text(problem, verdict, witness.get("evidence"))
    return problem.key, problem_text(problem), text, str(verdict)


def export(directory: Path, folder: Path) -> Exported:
    """Write ``Problem_<hash>.v`` and ``Witness_<hash>.v`` for an evidence folder.

    Parameters
    ----------
    directory : the evidence: ``network.json``, ``action.json``, ``witness.json``.
    folder : where the Coq files go; it is made if it does not exist.

    Raises
    ------
    InputError
        If a file of the folder is missing or malformed, or the output cannot be written.
    UnsupportedError
        If Coq does not cover the evidence; one plain sentence.

    Notes
    -----
    Nothing is verified here: evidence that is wrong gives a proof that Coq refuses.
    """
    key, problem, proof, verdict = coq_texts(directory)
    paths = folder / f"Problem_{key}.v", folder / f"Witness_{key}.v"
    write_atomically(paths[0], problem.encode("ascii"))
    write_atomically(paths[1], proof.encode("ascii"))
    theorem = "~ equivariant" if verdict == "not_equivariant" else "equivariant"
    return Exported(*paths, verdict, theorem)
