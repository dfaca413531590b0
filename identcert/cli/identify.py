"""The command ``identify``: whether a parameter is identifiable, and by which theorem."""

from __future__ import annotations

import typer

from identcert.cli.console import BUDGET, JSON, NETWORK, SEED, print_json


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(identify)


def identify(
    network: NETWORK, as_json: JSON = False, budget: BUDGET = 20.0, seed: SEED = 0
) -> None:
    """Say whether NETWORK's weights are determined by its function, and by which theorem."""
    from identcert.certify.identifiability import identify as decide

    found = decide(network, budget=budget, seed=seed)
    if as_json:
        print_json(found.to_json())
    else:
        typer.echo(found.explain())
