"""The command ``coq``, which turns an evidence folder into a theorem and its proof."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from identcert.cli.console import Stages

if TYPE_CHECKING:
    from identcert.witness.coq_compile import Compiled


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(coq)


def coq(
    directory: Annotated[Path, typer.Argument(help="An evidence folder.")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Folder for the Coq files; else beside the evidence."),
    ] = None,
    compile_proof: Annotated[
        bool, typer.Option("--compile", help="Let Coq check the proof, and print the theorem.")
    ] = False,
) -> None:
    """Write the claim of an evidence folder as a Coq theorem, and its proof."""
    from identcert.witness.coq_export import export

    exported = export(directory, output or directory)
    typer.echo(f"Written: {exported.problem} (the statement, from network and action alone)")
    typer.echo(f"Written: {exported.witness} (the proof)")
    if not compile_proof:
        return
    from identcert.witness.coq_compile import compile_export

    with Stages(quiet=False) as progress:
        if progress is not None:
            progress("Coq checks the proof; the first time it also compiles the library")
        compiled = compile_export(exported)
    typer.echo(compiled_words(compiled, exported.problem.name))


def compiled_words(compiled: Compiled, problem: str) -> str:
    """Return what Coq has proved, and on which axioms, in words."""
    lines = [
        f"Coq {compiled.version} accepts the proof ({compiled.seconds:.1f} s).",
        f"In terms of what {problem} defines, it proves:",
    ]
    for theorem in compiled.theorems:
        lines += ["", *(f"  {line}" for line in theorem.statement.splitlines())]
        if theorem.assumptions:
            lines.append(f"Axioms of Coq's library used: {', '.join(theorem.assumptions)}.")
        else:
            lines.append("No axiom is used.")
    return "\n".join(lines)
