"""Pictures of attributions, one panel a layer (numeric)."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from identcert.attribution.analysis import Attribution
from identcert.attribution.parameters import Parametrisation
from identcert.errors import InputError, UnsupportedError

Array = NDArray[np.float64]


def load_pyplot() -> Any:
    """Return `matplotlib.pyplot`, drawing to files.

    Raises
    ------
    UnsupportedError
        If matplotlib is missing.
    """
    try:
        import_module("matplotlib").use("Agg")
    except ImportError as missing:
        fix = "install it with: pip install identcert[plot]"
        raise UnsupportedError(f"pictures need matplotlib; {fix}") from missing
    return import_module("matplotlib.pyplot")


def layer_tables(parametrisation: Parametrisation, components: Array) -> list[Array]:
    """Return the entries of (W|b) of every layer, nan where no coordinate moves an entry.

    >>> from identcert.nets.network import Network
    >>> net = Network.dense([([[2, 1]], None, "identity")])
    >>> layer_tables(Parametrisation.of(net), np.array([5.0, 7.0]))[0].tolist()
    [[5.0, 7.0, nan]]
    """
    tables = [
        np.full((layer.outputs, layer.inputs + 1), np.nan)
        for layer in parametrisation.network.layers
    ]
    for coordinate, value in zip(parametrisation.coordinates, components, strict=True):
        for place, _ in coordinate.terms:
            tables[place.layer][place.row, place.column] = value
    return tables


def save_picture(found: Attribution, path: Path) -> None:
    """Write a picture of S·c for every direction and layer; the last column is the bias.

    Raises
    ------
    InputError
        If the file cannot be written or has an unknown type.
    """
    plt = load_pyplot()
    directions = found.directions
    layers = len(found.parametrisation.network.layers)
    size = (2.8 * layers, 2.2 * len(directions) + 0.6)
    figure, axes = plt.subplots(len(directions), layers, figsize=size, squeeze=False)
    for row, (name, direction) in zip(axes, directions.items(), strict=True):
        tables = layer_tables(found.parametrisation, direction.magnitudes)
        top = float(np.abs(direction.magnitudes).max(initial=0.0)) or 1.0
        for k, (axis, table) in enumerate(zip(row, tables, strict=True)):
            image = axis.imshow(table, cmap="RdBu_r", vmin=-top, vmax=top, aspect="auto")
            axis.set_title(f"{name}, layer {k + 1}", fontsize=8)
            axis.tick_params(labelsize=6)
        figure.colorbar(image, ax=list(row), fraction=0.03, label="S·c")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=130, bbox_inches="tight", metadata=_no_date(path))
    except (OSError, ValueError) as error:
        raise InputError(f"the picture cannot be written ({error})", str(path)) from None
    finally:
        plt.close(figure)


def _no_date(path: Path) -> dict[str, None] | None:
    """Return metadata that keep equal pictures equal."""
    return {"Date": None} if path.suffix == ".svg" else None
