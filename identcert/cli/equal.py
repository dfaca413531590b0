"""The command ``equal``, which decides whether two networks are one function."""

from __future__ import annotations

import typer

from identcert.cli.console import BUDGET, JSON, NETWORK, OUT, SEED, Stages, print_json

EXIT = {"different": 1, "undecided": 3}


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(equal)


def equal(
    net1: NETWORK,
    net2: NETWORK,
    out: OUT = None,
    as_json: JSON = False,
    budget: BUDGET = 60.0,
    seed: SEED = 0,
) -> None:
    """Decide whether NET1 and NET2 compute the same function, and why."""
    from identcert.certify.equality import equal as decide
    from identcert.witness.store import check_writable

    if out is not None:
        check_writable(out)
    with Stages(quiet=as_json) as progress:
        result = decide(net1, net2, budget=budget, seed=seed, progress=progress)
    saved = None if out is None else str(result.save(out))
    if as_json:
        print_json(result.to_json(saved))
    else:
        typer.echo(result.explain())
        if saved is not None:
            typer.echo(f"Evidence: {saved} (verify it with: identcert check {saved})")
    raise typer.Exit(EXIT.get(str(result.verdict), 0))
