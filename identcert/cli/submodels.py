"""The command ``submodels``, which counts, lists and draws the submodels of an architecture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from identcert.cli.console import JSON, Stages, print_json
from identcert.errors import InputError

if TYPE_CHECKING:
    from identcert.submodels.graph import SubmodelGraph

WIDTHS = Annotated[str, typer.Option(help="Inputs, hidden widths, outputs, such as 2,3,1.")]
ACTIVATION = Annotated[
    str,
    typer.Option(
        help="An activation as network files spell it, such as tanh or x^3, or one for every "
        "hidden layer, separated by commas."
    ),
]
NO_BIAS = Annotated[bool, typer.Option("--no-bias", help="Layers have no biases.")]
RELABEL = Annotated[
    bool, typer.Option("--up-to-relabelling", help="Orbits under the latent group.")
]
UNSIGNED = Annotated[
    bool, typer.Option("--unsigned", help="Relabel by permutations alone, keep signs apart.")
]
DEAD_KINDS = Annotated[
    bool, typer.Option("--dead-kinds", help="Tell constant neurons from unread ones.")
]
COUNT = Annotated[bool, typer.Option("--count", help="Count only, by formulas.")]
OUTPUT = Annotated[
    Path | None,
    typer.Option("-o", "--output", help="A .graphml, .dot, .json or .svg file to write."),
]
LISTED = 40
"""The number of nodes up to which they are listed."""
SHOWN = 16
"""The number of ranks up to which their sizes are shown."""


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(submodels)


def submodels(
    widths: WIDTHS,
    activation: ACTIVATION = "tanh",
    no_bias: NO_BIAS = False,
    up_to_relabelling: RELABEL = False,
    unsigned: UNSIGNED = False,
    dead_kinds: DEAD_KINDS = False,
    count: COUNT = False,
    output: OUTPUT = None,
    as_json: JSON = False,
) -> None:
    """Count, list and draw the submodels of an architecture, as a graph.

    Nodes are patterns of clones and removed neurons, edges one merge or one removal.
    """
    from identcert.submodels.architecture import Architecture
    from identcert.submodels.graph import SubmodelGraph, relabelling_of

    if unsigned and not up_to_relabelling:
        typer.echo(
            "identcert: --unsigned says how to relabel; without --up-to-relabelling nothing is "
            "relabelled and signs stand apart anyway",
            err=True,
        )
    if count and output is not None:
        raise InputError("--count builds no graph", fix="leave out --count or -o")
    sizes, given = _widths(widths), _activation(activation)
    architecture = Architecture.of(sizes, given, not no_bias, dead_kinds)
    graph = SubmodelGraph(architecture, relabelling_of(up_to_relabelling, unsigned))
    if output is not None:
        _write(graph, output, quiet=as_json)
    if as_json:
        print_json(_summary(graph, output))
        return
    for line in _words(graph, lists_nodes=not count and output is None):
        typer.echo(line)
    if output is not None:
        typer.echo(f"Written: {output}")


def _widths(text: str) -> list[int]:
    """Return the widths that an option spells."""
    try:
        sizes = [int(part) for part in text.replace("-", ",").split(",")]
    except ValueError:
        sizes = []
    if len(sizes) < 2 or min(sizes) < 1:
        raise InputError(
            f"{text!r} does not spell widths",
            "--widths",
            "give inputs, hidden widths and outputs as positive integers, such as 2,3,1",
        )
    return sizes


def _activation(text: str) -> Any:
    """Return the activation that an option spells, JSON objects included, or several."""
    from identcert.nets.activation import Activation

    if not text.lstrip().startswith("{"):
        given = [Activation.parse(part.strip(), "--activation") for part in text.split(",")]
        return given[0] if len(given) == 1 else given
    try:
        return Activation.parse(json.loads(text), "--activation")
    except json.JSONDecodeError:
        fix = 'write something like {"leaky_relu": "1/10"}'
        raise InputError(f"{text!r} is no JSON object", "--activation", fix) from None


def _write(graph: SubmodelGraph, output: Path, quiet: bool) -> None:
    from identcert.submodels.export import export_bytes
    from identcert.witness.store import check_writable, write_atomically

    check_writable(output.parent)
    with Stages(quiet) as progress:
        if progress is not None:
            progress(f"writing {graph.count.nodes} nodes and {graph.count.edges} edges")
        write_atomically(output, export_bytes(graph, output.suffix.lower()))


def _summary(graph: SubmodelGraph, output: Path | None) -> dict[str, Any]:
    """Return what ``--json`` prints."""
    total, polynomial = graph.count, graph.count.characteristic
    return {
        "nodes": total.nodes,
        "edges": total.edges,
        **graph.description(),
        "ranks": list(total.ranks),
        "characteristic_polynomial": None if polynomial is None else list(polynomial),
        "output": None if output is None else str(output),
    }


def _words(graph: SubmodelGraph, lists_nodes: bool) -> list[str]:
    """Return the lines that a person reads."""
    total, name = graph.count, graph.architecture.text()
    node = "patterns" if graph.relabelling == "none" else "orbits of patterns"
    lines = [f"{name[0].upper()}{name[1:]}: {total.nodes} {node}, {total.edges} moves."]
    if len(total.ranks) > SHOWN:
        lines.append("Numbers by rank and the characteristic polynomial are printed with --json.")
    else:
        ranks = ", ".join(f"{number} of rank {rank}" for rank, number in enumerate(total.ranks))
        lines.append(f"By rank, the number of neurons that a submodel lacks: {ranks}.")
        if total.characteristic is not None:
            lines.append(f"Characteristic polynomial: {_polynomial(total.characteristic)}")
    if not lists_nodes:
        return lines
    if total.nodes > LISTED:
        return [*lines, "Write the graph with -o FILE.graphml, .dot, .json or .svg."]
    for text, data in sorted(graph.nodes(), key=lambda node: node[1]["rank"]):
        lines.append(
            f"  rank {data['rank']}  widths {data['widths']}  {text}  "
            f"({data['orbit']} of its kind, dimension {data['dimension']}, μ {data['moebius']})"
        )
    return lines


def _polynomial(coefficients: tuple[int, ...]) -> str:
    """Return a polynomial in t, highest power first."""
    terms = []
    for power in range(len(coefficients) - 1, -1, -1):
        value = coefficients[power]
        if value:
            body = {0: "", 1: "t"}.get(power, f"t^{power}")
            size = "" if abs(value) == 1 and body else str(abs(value))
            terms.append(("- " if value < 0 else "+ ") + "*".join(filter(None, [size, body])))
    return " ".join(terms).removeprefix("+ ")
