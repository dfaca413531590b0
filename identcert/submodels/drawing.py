"""Pictures of graphs of submodels: one row a rank, one colour a move, one dash a layer.

Graphviz draws them where its program ``dot`` is installed, matplotlib otherwise.
"""

from __future__ import annotations

import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from identcert.errors import InputError
from identcert.submodels.graph import SubmodelGraph
from identcert.submodels.patterns import MERGE, MERGE_NEGATIVE

READABLE = 400
"""The number of nodes above which a picture would not be read."""

BLUE, GREEN, ORANGE = "#0072B2", "#009E73", "#D55E00"
DASHES = ("solid", "dashed", "dotted")
SECONDS = 120


def colour_of(move: str) -> str:
    """Return the colour of a move: merges blue or, with sign −1, green; removals orange."""
    return {MERGE: BLUE, MERGE_NEGATIVE: GREEN}.get(move, ORANGE)


def dash_of(layer: int) -> str:
    """Return the line style of a hidden layer, numbered from 0."""
    return DASHES[layer % len(DASHES)]


@dataclass(frozen=True, slots=True)
class Box:
    """A node as it is drawn: its rank and its lines of text."""

    rank: int
    lines: tuple[str, ...]


def title(graph: SubmodelGraph) -> str:
    """Return the sentence above a picture."""
    count = graph.count
    what = "submodels"
    if graph.relabelling != "none":
        group = "the latent group" if graph.relabelling == "latent" else "permutations"
        what = f"submodels up to {group}"
    return f"{graph.architecture.text()}: {count.nodes} {what}, {count.edges} moves"


def boxes(graph: SubmodelGraph) -> Iterator[tuple[str, Box]]:
    """Yield every node with the text that stands in its box."""
    for name, data in graph.nodes():
        hidden = "-".join(data["widths"].split("-")[1:-1])
        lines = [f"widths {hidden}", name]
        if graph.relabelling != "none":
            lines.append(f"{data['orbit']} pattern{'s' if data['orbit'] > 1 else ''}")
        yield name, Box(data["rank"], tuple(lines))


def row_titles(graph: SubmodelGraph) -> list[str]:
    """Return for every rank its number and how many patterns it has."""
    totals: dict[int, int] = defaultdict(int)
    for _, data in graph.nodes():
        totals[data["rank"]] += 1 if graph.relabelling == "none" else data["orbit"]
    return [f"rank {rank}\n{n} pattern{'s' if n > 1 else ''}" for rank, n in sorted(totals.items())]


def dot_text(graph: SubmodelGraph, margin: bool = False) -> str:
    """Return the graph for Graphviz: ranks as rows, colours for moves, dashes for layers.

    Parameters
    ----------
    margin : whether ranks are named beside the rows, by nodes of their own.
    """
    return "".join(_dot_lines(graph, margin))


def _dot_lines(graph: SubmodelGraph, margin: bool) -> Iterator[str]:
    heading = [title(graph), *legend_text(graph), *notation(graph)]
    yield "digraph submodels {\n"
    yield f"  label={_quoted(*heading)};\n  labelloc=t; fontname=Helvetica;\n"
    yield "  rankdir=TB; ranksep=1.1; nodesep=0.15;\n"
    yield "  node [shape=box, style=rounded, fontname=Helvetica];\n"
    yield "  edge [arrowsize=0.5];\n"
    names = []
    rows: dict[int, list[str]] = defaultdict(list)
    for (name, box), (_, data) in zip(boxes(graph), graph.nodes(), strict=True):
        names.append(_quoted(name))
        rows[box.rank].append(names[-1])
        extra = ", ".join(f"{key}={_quoted(str(value))}" for key, value in data.items())
        yield f"  {names[-1]} [label={_quoted(*box.lines)}, {extra}];\n"
    if margin:
        for rank, text in enumerate(row_titles(graph)):
            rows[rank].append(f"margin{rank}")
            yield f"  margin{rank} [shape=plaintext, label={_quoted(*text.splitlines())}];\n"
        yield "  " + " -> ".join(f"margin{rank}" for rank in rows) + " [style=invis];\n"
    for members in rows.values():
        yield "  {rank=same; " + "; ".join(members) + "}\n"
    for source, target, data in graph.edges():
        style = f"color={_quoted(colour_of(data['move']))}, style={dash_of(data['layer'])}"
        extra = ", ".join(f"{key}={_quoted(str(value))}" for key, value in data.items())
        yield f"  {names[source]} -> {names[target]} [{style}, {extra}];\n"
    yield "}\n"


def _quoted(*lines: str) -> str:
    """Return lines of text as one quoted string of the DOT language."""
    plain = (line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(plain) + '"'


def legend(graph: SubmodelGraph) -> list[tuple[str, str, str]]:
    """Return (sentence, colour, dash) for every kind of edge that occurs."""
    kinds = sorted({(data["layer"], data["move"]) for _, _, data in graph.edges()})
    many = len(graph.architecture.hidden) > 1
    return [
        (move + (f", hidden layer {layer + 1}" if many else ""), colour_of(move), dash_of(layer))
        for layer, move in kinds
    ]


def notation(graph: SubmodelGraph) -> list[str]:
    """Return what the texts in the boxes mean, line by line."""
    typed = graph.relabelling == "permutations" and any(graph.architecture.signed)
    lines = ["{0,2}{1}: neurons 0 and 2 are clones, neuron 1 is alone"]
    if any(graph.architecture.signed):
        lines = ["{0,-2}{1}: neuron 2 is the negative of neuron 0, neuron 1 is alone"]
    lines.append("x{3}: neuron 3 is removed")
    if graph.relabelling != "none":
        lines = ["2+1: two clones and a neuron alone", "x1: one removed neuron"]
    if typed:
        lines.append("2/1: a class of two clones and a negative one")
    if len(graph.architecture.hidden) > 1:
        lines.append("|: the next hidden layer")
    return lines


def legend_text(graph: SubmodelGraph) -> list[str]:
    """Return the legend as text, for formats without drawn samples."""
    names = {BLUE: "blue", GREEN: "green", ORANGE: "orange"}
    return [f"{names[colour]}, {dash}: {move}" for move, colour, dash in legend(graph)]


def svg_picture(graph: SubmodelGraph) -> bytes:
    """Return an SVG picture of the graph.

    Raises
    ------
    InputError
        If the graph has too many nodes to be read.
    UnsupportedError
        If neither Graphviz nor matplotlib is installed.
    """
    if graph.count.nodes > READABLE:
        raise InputError(
            f"a picture of {graph.count.nodes} nodes cannot be read",
            fix="draw it up to relabelling, or write a .graphml, .dot or .json file",
        )
    program = shutil.which("dot")
    if program is not None:
        drawn = _by_graphviz(program, dot_text(graph, margin=True))
        if drawn is not None:
            return drawn
    from identcert.submodels.layered import layered_picture

    return layered_picture(graph)


def _by_graphviz(program: str, text: str) -> bytes | None:
    """Return what Graphviz draws, or None if it fails."""
    try:
        run = subprocess.run(
            [program, "-Tsvg"], input=text.encode(), capture_output=True, timeout=SECONDS
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return run.stdout if run.returncode == 0 and run.stdout else None
