"""The commands of ``identcert``: they parse words, call the package, print its answers.

Exit codes: ``certify`` 0 equivariant, 1 not equivariant, 3 undecided; ``equal`` 0 equal, 1
different, 3 undecided; ``check`` those of the checker; others 0; everywhere 2 for bad usage
or bad input, 70 for a fault of identcert, 74 where input or output fails, and 130 when
interrupted.
"""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from identcert.cli import attribute, coq, equal, identify, submodels
from identcert.cli.console import (
    BUDGET,
    JSON,
    NETWORK,
    OUT,
    SEED,
    Stages,
    check_network_name,
    print_json,
)
from identcert.errors import IdentcertError

app = typer.Typer(
    name="identcert",
    help="Decide exactly whether a neural network is equivariant, with checkable evidence.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

ACTION = Annotated[
    str, typer.Argument(help="An .action.json file, or a built-in name (see: identcert actions).")
]
# Bad usage of any kind; typer has no public name for this base class.
UsageError: Any = typer.BadParameter.__mro__[1]
EXIT = {"not_equivariant": 1, "undecided": 3}
# None of these may look like a verdict: the customary codes of sysexits.h, and 128 + SIGPIPE.
FAULT, INPUT_OUTPUT, BROKEN_PIPE = 70, 74, 141


def leave(code: int) -> NoReturn:
    """Exit without another attempt to write what stands in the buffer of stdout."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


def main() -> NoReturn:
    """Run the command line and exit with the promised codes."""
    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()
    except (typer.Abort, KeyboardInterrupt):
        typer.echo("identcert: interrupted; nothing was left half-written", err=True)
        sys.exit(130)
    except IdentcertError as error:
        typer.echo(f"identcert: {error}", err=True)
        sys.exit(2)
    except RecursionError:
        typer.echo("identcert: the input is nested too deeply; simplify it", err=True)
        sys.exit(2)
    except BrokenPipeError:
        leave(BROKEN_PIPE)
    except OSError as error:
        place = error.filename or "the output"
        typer.echo(f"identcert: {place}: input or output failed ({error.strerror})", err=True)
        leave(INPUT_OUTPUT)
    except UsageError as error:
        error.show()
        sys.exit(2)
    except Exception:
        traceback.print_exc()
        what = "this is a fault of identcert, and no verdict; please report what is above"
        typer.echo(f"identcert: {what}", err=True)
        sys.exit(FAULT)
    sys.exit(code if isinstance(code, int) else 0)


@app.command()
def certify(
    network: NETWORK,
    action: ACTION,
    out: OUT = None,
    as_json: JSON = False,
    budget: BUDGET = 60.0,
    jobs: Annotated[int, typer.Option(min=1, help="Processes for searches that split.")] = 1,
    seed: SEED = 0,
) -> None:
    """Decide whether NETWORK is equivariant under ACTION, and why."""
    from identcert.certify.driver import certify as decide
    from identcert.witness.store import check_writable

    if out is not None:
        check_writable(out)
    with Stages(quiet=as_json) as progress:
        result = decide(network, action, budget=budget, seed=seed, progress=progress, jobs=jobs)
        if str(result.verdict) == "undecided":
            from identcert.trained.numeric_evidence import with_numeric_evidence

            result = with_numeric_evidence(result, seed)
    saved = None if out is None else str(result.save(out))
    if as_json:
        print_json(result.to_json(saved))
    else:
        typer.echo(result.explain())
        if saved is not None:
            typer.echo(f"Evidence: {saved} (verify it with: identcert check {saved})")
    raise typer.Exit(EXIT.get(str(result.verdict), 0))


@app.command()
def check(
    directory: Annotated[Path, typer.Argument(help="An evidence folder.")],
    model: Annotated[
        Path | None, typer.Option(help="The model file that the evidence is about.")
    ] = None,
) -> None:
    """Verify an evidence folder with the standard-library checker of its kind."""
    from identcert.cli.checking import check_folder

    raise typer.Exit(check_folder(directory, model))


@app.command()
def reduce(
    network: NETWORK,
    output: Annotated[Path, typer.Option("-o", "--output", help="The .network.json to write.")],
    as_json: JSON = False,
    graph: Annotated[
        bool, typer.Option("--graph", help="Say where the network lies among its submodels.")
    ] = False,
) -> None:
    """Remove inactive neurons and merge clones; write the smaller network."""
    from identcert.cli.words import reduction_words
    from identcert.nets.files import network_bytes
    from identcert.nets.network import Network
    from identcert.submodels.place import place_of
    from identcert.submodels.reduction import reduce_network
    from identcert.submodels.writing import write_reduction
    from identcert.witness.store import write_atomically

    check_network_name(output)
    reduction = reduce_network(Network.load(network))
    written = write_reduction(reduction)
    write_atomically(output, network_bytes(written))
    if as_json:
        print_json(
            {
                "widths": list(reduction.original.widths),
                "reduced_widths": list(reduction.reduced.widths),
                "written_widths": list(written.widths),
                "steps": [step.encode() for step in reduction.steps],
                "exceptional": [reduction.original.field.text(p) for p in reduction.exceptional],
                "place": place_of(reduction).to_json() if graph else None,
                "output": str(output),
            }
        )
        return
    typer.echo(reduction_words(reduction, written))
    if graph:
        for sentence in place_of(reduction).sentences():
            typer.echo(sentence)
    typer.echo(f"Written: {output}")


@app.command()
def convert(
    model: Annotated[Path, typer.Argument(help="An .onnx, .nnet or .network.json file.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The .network.json to write.")],
) -> None:
    """Read MODEL exactly and write it as a .network.json file."""
    from identcert.nets.files import network_bytes
    from identcert.nets.network import Network
    from identcert.witness.store import write_atomically

    check_network_name(output)
    network = Network.load(model)
    write_atomically(output, network_bytes(network))
    widths = "-".join(str(w) for w in network.widths)
    typer.echo(f"{model}: widths {widths}; {network.reading.sentence()}")
    typer.echo(f"Written: {output}")


@app.command()
def actions(as_json: JSON = False) -> None:
    """List the built-in actions."""
    from identcert.groups.library import NAME_SCHEME, builtin_actions

    rows = builtin_actions()
    if as_json:
        entries = [
            {"name": r.pattern, "group": r.group, "meaning": r.meaning, "outputs": list(r.outputs),
             "example": r.example}
            for r in rows
        ]  # fmt: skip
        print_json({"actions": entries, "naming": NAME_SCHEME})
        return
    for row in rows:
        typer.echo(f"{row.pattern}  [{row.group}] {row.meaning}")
        typer.echo(f"    outputs: {', '.join(row.outputs)}; for example {row.example}")
    typer.echo(NAME_SCHEME)


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="Folder for the evidence.")] = Path("demo-evidence"),
) -> None:
    """Certify a real network that ships with the package, and show where the evidence lies."""
    from identcert.cli.demonstration import demonstrate

    demonstrate(out, typer.echo)


attribute.register(app)
coq.register(app)
equal.register(app)
identify.register(app)
submodels.register(app)
