"""Which stand-alone checker verifies which evidence folder."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Sequence
from pathlib import Path

import typer

from identcert.errors import InputError

Program = Callable[[Sequence[str]], int]


def check_folder(directory: Path, model: Path | None) -> int:
    """Verify a folder by the checkers of all evidence in it, and return the exit code.

    ``witness.json`` belongs to `identcert.checker`, ``lift.json`` and ``minor.json`` to the
    checkers of attribution.  A folder without any of them is left to the first, which says so.

    Raises
    ------
    InputError
        If a model is given for evidence of lifting, which does not name a source file.
    """
    from identcert import checker

    lifting = _lifting_programs(directory)
    has_witness = (directory / "witness.json").exists()
    if model is not None and lifting and not has_witness:
        fix = "leave the option out"
        raise InputError("evidence of lifting does not name a model file", "--model", fix)
    programs = [*([checker.main] if has_witness or not lifting else []), *lifting]
    words = io.StringIO()
    code = 0
    for program in programs:
        with contextlib.redirect_stdout(words):
            code = program([str(directory)])
        if code != 0:
            break
    if model is not None and code in (0, 4) and not _is_of_model(directory, model):
        return 1  # what was verified is about another model: it is not said
    typer.echo(words.getvalue(), nl=False)
    return code


def _lifting_programs(directory: Path) -> list[Program]:
    """Return the checkers that the lifting evidence in a folder calls for."""
    from identcert.attribution import lift_checker, minor_checker

    programs = {"lift.json": lift_checker.main, "minor.json": minor_checker.main}
    return [main for name, main in programs.items() if (directory / name).exists()]


def _is_of_model(directory: Path, model: Path) -> bool:
    """Say whether the evidence is about the model file, and return it."""
    from identcert.certify.shipped import compare_with_model

    sentence, matches = compare_with_model(directory, model)
    typer.echo(sentence, err=not matches)
    return matches
