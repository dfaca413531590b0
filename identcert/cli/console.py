"""How commands speak: one JSON object on stdout, stages of long work on a terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any

import typer

from identcert.errors import InputError

NETWORK = Annotated[Path, typer.Argument(help="A .network.json, .onnx or .nnet file.")]
JSON = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout.")]
OUT = Annotated[Path | None, typer.Option(help="Folder for the evidence.")]
BUDGET = Annotated[float, typer.Option(min=0.001, help="Seconds for the search.")]
SEED = Annotated[int, typer.Option(help="Seed of the search.")]


def print_json(tree: dict[str, Any]) -> None:
    """Print one JSON object on stdout."""
    typer.echo(json.dumps(tree, indent=2, ensure_ascii=False))


def check_network_name(output: Path) -> None:
    """Refuse a name under which the network that is written could not be read again.

    Raises
    ------
    InputError
        If the name does not end in ``.json``.
    """
    if output.suffix.lower() != ".json":
        what = "networks are written as .network.json files"
        raise InputError(what, str(output), "choose such a name with -o")


class Stages:
    """The current stage, shown on a terminal while it lasts; silent elsewhere."""

    def __init__(self, quiet: bool) -> None:
        self.status: Any = None
        if not quiet and sys.stderr.isatty():
            from rich.console import Console

            self.status = Console(stderr=True).status("reading")

    def __enter__(self) -> Callable[[str], None] | None:
        if self.status is None:
            return None
        self.status.start()
        show: Callable[[str], None] = self.status.update
        return show

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.status is not None:
            self.status.stop()
