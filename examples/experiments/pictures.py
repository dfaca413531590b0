"""Pictures that the experiments share: contours along flows, profiles, attributions by layer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from identcert.attribution.picture import load_pyplot

Array = NDArray[np.float64]
Function = Callable[[Array], Array]


def save(figure: Any, path: Path) -> None:
    """Write a figure and forget it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110, bbox_inches="tight")
    load_pyplot().close(figure)


def contours(
    path: Path, rows: Mapping[str, Sequence[tuple[str, Function]]], extent: float, boundary: bool
) -> None:
    """Draw scalar functions of the plane, a row of panels for each flow.

    With ``boundary`` only the level 0 is drawn on top, the decision boundary.
    """
    plt = load_pyplot()
    columns = max(len(row) for row in rows.values())
    figure, axes = plt.subplots(
        len(rows), columns, figsize=(2.3 * columns, 2.3 * len(rows)), squeeze=False
    )
    axis = np.linspace(-extent, extent, 121)
    mesh = np.stack(np.meshgrid(axis, axis), axis=-1)
    for line, (name, functions) in zip(axes, rows.items(), strict=True):
        for panel, (title, f) in zip(line, functions, strict=False):
            values = f(mesh.reshape(-1, 2)).reshape(mesh.shape[:2])
            top = np.quantile(np.abs(values - values.mean()), 0.98) or 1.0
            middle = 0.0 if boundary else values.mean()
            levels = np.linspace(middle - top, middle + top, 13)
            panel.contourf(axis, axis, values, levels, cmap="RdBu_r", extend="both")
            if boundary:
                panel.contour(axis, axis, values, [0.0], colors="black", linewidths=1.2)
            else:
                panel.contour(axis, axis, values, levels, colors="black", linewidths=0.4)
            panel.set_title(f"{name}, {title}", fontsize=8)
            panel.set_aspect("equal")
            panel.set_xticks([])
            panel.set_yticks([])
    save(figure, path)


def curves(
    path: Path,
    panels: Mapping[str, Mapping[str, tuple[Array, Array]]],
    label: str,
    log: bool = False,
) -> None:
    """Draw named curves in panels side by side."""
    plt = load_pyplot()
    figure, axes = plt.subplots(1, len(panels), figsize=(3.6 * len(panels), 2.8), squeeze=False)
    for panel, (title, lines) in zip(axes[0], panels.items(), strict=True):
        for name, (x, y) in lines.items():
            style = "k--" if name.startswith("ideal") else "-"
            panel.plot(x, y, style, label=name, linewidth=1.2)
        if log:
            panel.set_yscale("log")
        panel.set_title(title, fontsize=9)
        panel.set_xlabel(label, fontsize=8)
        panel.legend(fontsize=6)
    save(figure, path)


def layer_pictures(
    path: Path, shapes: Sequence[tuple[int, int]], directions: Mapping[str, Array]
) -> None:
    """Draw S·c of every layer as the matrix (W|b), a row of panels for each direction."""
    plt = load_pyplot()
    figure, axes = plt.subplots(
        len(directions), len(shapes), figsize=(2.6 * len(shapes), 2.1 * len(directions)),
        squeeze=False,
    )  # fmt: skip
    for line, (name, components) in zip(axes, directions.items(), strict=True):
        start, top = 0, float(np.abs(components).max()) or 1.0
        for k, (panel, (rows, cols)) in enumerate(zip(line, shapes, strict=True)):
            weight = components[start : start + rows * cols].reshape(rows, cols)
            bias = components[start + rows * cols : start + rows * (cols + 1)]
            table = np.column_stack([weight, bias])
            panel.imshow(table, cmap="RdBu_r", vmin=-top, vmax=top, aspect="auto")
            panel.set_title(f"{name}, layer {k + 1}", fontsize=8)
            panel.tick_params(labelsize=6)
            start += rows * (cols + 1)
    figure.subplots_adjust(hspace=0.5)
    save(figure, path)
