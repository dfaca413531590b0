"""Layered drawings of graphs of submodels by matplotlib, where Graphviz is not installed.

row   == the nodes of one rank, full widths on top
order == of the nodes of a row: by the mean position of their neighbours, swept down and up
         a few times, as in layered drawings of Sugiyama, Tagawa and Toda (1981)
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from io import BytesIO
from typing import Any

from identcert.errors import UnsupportedError
from identcert.submodels.drawing import (
    Box,
    boxes,
    colour_of,
    dash_of,
    legend,
    notation,
    row_titles,
    title,
)
from identcert.submodels.graph import SubmodelGraph

Spots = Mapping[int, tuple[float, float]]
SWEEPS = 12
GREY = "#555555"
LINE, LETTER = 0.19, 0.082
"""Height of a line and width of a letter, in inches."""


def rows_in_order(graph: SubmodelGraph) -> list[list[int]]:
    """Return the node numbers of every rank, ordered so that few edges cross."""
    rows: dict[int, list[int]] = defaultdict(list)
    for number, (_, data) in enumerate(graph.nodes()):
        rows[data["rank"]].append(number)
    order = [rows[rank] for rank in sorted(rows)]
    below, above = defaultdict(list), defaultdict(list)
    for source, target, _ in graph.edges():
        below[source].append(target)
        above[target].append(source)
    for sweep in range(SWEEPS):
        if sweep % 2 == 0:
            for upper, lower in itertools.pairwise(order):
                lower.sort(key=_means(upper, above).__getitem__)
        else:
            for lower, upper in itertools.pairwise(order[::-1]):
                upper.sort(key=_means(lower, below).__getitem__)
    return order


def _means(fixed: Sequence[int], links: Mapping[int, list[int]]) -> dict[int, Fraction]:
    """Return for every node its neighbours' mean place in the fixed row, in [0, 1]."""
    place = {node: Fraction(2 * k + 1, 2 * len(fixed)) for k, node in enumerate(fixed)}
    means: dict[int, Fraction] = defaultdict(lambda: Fraction(1))
    for node, others in links.items():
        near = [place[other] for other in others if other in place]
        if near:
            means[node] = sum(near, Fraction(0)) / len(near)
    return means


def layered_picture(graph: SubmodelGraph, kind: str = "svg") -> bytes:
    """Return a drawing, SVG or PNG: a row of boxes for every rank, joined by curves.

    Raises
    ------
    UnsupportedError
        If matplotlib is not installed.
    """
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise UnsupportedError(
            "a picture needs Graphviz or matplotlib: install one of them, or write a .dot file"
        ) from None
    rows = rows_in_order(graph)
    shown = [box for _, box in boxes(graph)]
    keys = legend(graph)
    width = LETTER * max(len(line) for box in shown for line in box.lines) + 0.16
    height = LINE * len(shown[0].lines) + 0.14
    across = max(max(map(len, rows)) * (width + 0.2), LETTER * len(title(graph)), 6.0)
    drop, foot = height + 0.95, 0.25 * max(len(keys), len(notation(graph))) + 0.35
    bottom = (len(rows) - 1) * drop + height / 2 + 0.3
    spots = {
        node: ((k + 0.5) * across / len(row), -index * drop)
        for index, row in enumerate(rows)
        for k, node in enumerate(row)
    }
    with matplotlib.rc_context({"svg.hashsalt": "identcert", "font.family": "DejaVu Sans"}):
        figure = Figure(figsize=(across + 1.7, bottom + foot + 0.9))
        axes = figure.add_axes((0, 0, 1, 1), xlim=(-1.6, across + 0.1))
        axes.set_ylim(-bottom - foot, 0.9)
        axes.axis("off")
        _draw_edges(axes, graph, spots, height)
        _draw_boxes(axes, shown, spots, (width, height))
        _draw_margin(axes, graph, drop)
        _draw_legend(axes, keys, -bottom)
        axes.text(0, 0.6, title(graph), fontsize=12, weight="bold", va="center")
        for k, line in enumerate(notation(graph)):
            axes.text(3.6, -bottom - 0.25 * k, line, fontsize=9, va="center", color=GREY)
        stream = BytesIO()
        figure.savefig(stream, format=kind, metadata={"Date": None} if kind == "svg" else None)
    return stream.getvalue()


def _draw_edges(axes: Any, graph: SubmodelGraph, spots: Spots, height: float) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    codes = [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4]
    for source, target, data in graph.edges():
        (x, y), (u, v) = spots[source], spots[target]
        y, v = y - height / 2, v + height / 2
        bend = (y - v) * 2 / 5
        path = Path([(x, y), (x, y - bend), (u, v + bend), (u, v)], codes)
        axes.add_patch(
            PathPatch(
                path,
                facecolor="none",
                edgecolor=colour_of(data["move"]),
                linestyle=dash_of(data["layer"]),
                linewidth=1.1,
                alpha=0.85,
            )
        )


def _draw_boxes(
    axes: Any, shown: Sequence[Box], spots: Spots, size: tuple[float, float]
) -> None:  # fmt: skip
    from matplotlib.patches import FancyBboxPatch

    width, height = size
    for node, (x, y) in spots.items():
        corner = (x - width / 2, y - height / 2)
        style = "round,pad=0,rounding_size=0.06"
        axes.add_patch(
            FancyBboxPatch(
                corner, width, height, style, facecolor="white", edgecolor="black", zorder=3
            )
        )
        lines = shown[node].lines
        for k, line in enumerate(lines):
            axes.text(
                x,
                y + LINE * ((len(lines) - 1) / 2 - k),
                line,
                ha="center",
                va="center",
                zorder=4,
                fontsize=9 if k < 2 else 8,
                weight="bold" if k == 0 else "normal",
                color="black" if k < 2 else GREY,
            )


def _draw_margin(axes: Any, graph: SubmodelGraph, drop: float) -> None:
    """Write at the left of every row its rank and how many patterns it has."""
    for index, text in enumerate(row_titles(graph)):
        axes.text(-1.5, -index * drop, text, fontsize=9, va="center", color=GREY)


def _draw_legend(axes: Any, keys: Sequence[tuple[str, str, str]], top: float) -> None:
    for k, (text, colour, dash) in enumerate(keys):
        y = top - 0.25 * k
        axes.plot([0, 0.6], [y, y], color=colour, linestyle=dash, linewidth=1.6)
        axes.text(0.75, y, text, fontsize=9, va="center")
