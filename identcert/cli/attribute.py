"""The command ``attribute``: which parameters carry a symmetry, and which break it."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from identcert.cli.console import JSON, NETWORK, OUT, SEED, Stages, print_json
from identcert.errors import InputError, UnsupportedError

if TYPE_CHECKING:
    from identcert.attribution.analysis import Attribution, Settings
    from identcert.attribution.probes import Probe
    from identcert.groups.action import Action
    from identcert.nets.network import Network

ACTION = Annotated[
    str,
    typer.Argument(
        help="An .action.json file (with infinitesimal generators, or finite), a built-in name, "
        "or so2, soN, plane:I,J, translation:K, dilation[:DEGREE]; :same turns outputs too."
    ),
]


PROBE = Annotated[
    str, typer.Option(help="polar, box, sphere, or a .npy, .csv or .txt file of points.")
]
RADIUS = Annotated[float, typer.Option(min=1e-6, max=1e6, help="Size of the probe.")]
POINTS = Annotated[int, typer.Option(min=1, help="Number of probe points, about.")]
FREEZE = Annotated[
    list[str] | None,
    typer.Option(help="A frozen parameter, as W1, W1[0,2], W1[:,1], b2[0]; may be repeated."),
]
TIE = Annotated[
    list[str] | None,
    typer.Option(help="Parameters that move together: W1[0,0] = -W1[1,1]; may be repeated."),
]
TAU = Annotated[float, typer.Option(min=0, max=1, help="Truncation of orbit directions.")]
RIDGE = Annotated[float, typer.Option(min=0, max=1e6, help="Ridge of defect directions.")]
PLAIN = Annotated[bool, typer.Option("--plain", help="Least Σc² instead of the sensitivity gauge.")]
ANGLES = Annotated[int, typer.Option(min=1, max=4096, help="Angles of the group average.")]
NUMERIC = Annotated[
    bool, typer.Option("--numeric", help="Leave out the exact decision of lifting.")
]
TOP = Annotated[int, typer.Option(min=0, help="Parameters to list.")]
PLOT = Annotated[Path | None, typer.Option(help="A .png, .svg or .pdf file to write.")]


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(attribute)


def attribute(
    network: NETWORK,
    action: ACTION,
    probe: PROBE = "",
    radius: RADIUS = 1.0,
    points: POINTS = 384,
    freeze: FREEZE = None,
    tie: TIE = None,
    tau: TAU = 1e-6,
    ridge: RIDGE = 1e-3,
    plain: PLAIN = False,
    angles: ANGLES = 64,
    numeric: NUMERIC = False,
    top: TOP = 10,
    plot: PLOT = None,
    out: OUT = None,
    as_json: JSON = False,
    seed: SEED = 0,
) -> None:
    """Attribute symmetry and its breaking to the parameters of NETWORK (numeric directions).

    Prints whether each generator's direction lifts to parameters (structural, exact, or only
    numeric), the orbit direction c* and the defect direction b*, by layer and parameter.
    """
    from identcert.attribution.analysis import Settings
    from identcert.attribution.gauge import Ridge, Truncation

    began = time.monotonic()
    settings = Settings(Truncation(tau), Ridge(ridge), not plain, angles, not numeric, seed)
    with Stages(quiet=as_json) as progress:
        found = _found(network, action, (freeze or [], tie or []), settings, progress,
                       (probe, radius, points))  # fmt: skip
    from identcert.attribution.table import report_lines, to_json

    if as_json:
        places = {"plot": plot and str(plot), "evidence_dir": out and str(out)}
        _write(found, plot, out)
        head = {"network": str(network), "action": action}
        print_json(head | to_json(found, top) | places | {"seconds": time.monotonic() - began})
        return
    _tell(report_lines(found, top), found, plot, out)


def _tell(report: Iterable[str], found: Attribution, plot: Path | None, out: Path | None) -> None:
    """Print the report and where the files are; it holds though evidence cannot be written."""
    lines: list[str] = []
    refusal: UnsupportedError | None = None
    try:
        lines = _write(found, plot, out)
    except UnsupportedError as error:
        refusal = error
    for line in (*report, *lines):
        typer.echo(line)
    if refusal is not None:
        raise refusal


def _found(
    network: Path,
    action: str,
    restriction: tuple[list[str], list[str]],
    settings: Settings,
    progress: Any,
    probe: tuple[str, float, int],
) -> Attribution:
    """Return the attribution that the words of the command ask for."""
    from identcert.attribution.analysis import attribute as attribute_network
    from identcert.attribution.analysis import check_memory
    from identcert.attribution.parameters import Parametrisation
    from identcert.nets.network import Network

    net = Network.load(network)
    net, acting = _bound(net, action)
    parametrisation = Parametrisation.of(net, *restriction)
    if not parametrisation.coordinates:
        raise InputError("every parameter is frozen", "--freeze")
    if progress is not None:
        progress("computing directions")
    check_memory(parametrisation, probe[2])
    chosen = _probe(*probe, net.inputs, settings.seed)
    return attribute_network(parametrisation, acting, chosen, settings)


def _bound(net: Network, action: str) -> tuple[Network, Action]:
    """Return network and action over one field."""
    from identcert.attribution.generators import find_generators
    from identcert.certify.problem import bind

    return bind(net, find_generators(action, net.inputs, net.outputs) or action)


def _probe(kind: str, radius: float, count: int, inputs: int, seed: int) -> Probe:
    """Return the probe of the options; rings in the plane and a box elsewhere by default."""
    from identcert.attribution import probes

    chosen = kind or ("polar" if inputs == 2 else "box")
    if chosen == "polar":
        if inputs != 2:
            raise InputError("rings are for two inputs", "--probe", "choose box or sphere")
        rings = max(1, round((count * 3 / 8) ** 0.5))
        radii = [radius * (k + 1) / rings for k in range(rings)]
        return probes.polar_grid(radii, max(4, count // rings))
    if chosen == "box":
        return probes.random_box(inputs, count, radius, seed)
    if chosen == "sphere":
        radii = [radius / 2, radius]
        return probes.sphere(inputs, max(1, count // 2), radii, seed)
    return probes.load_points(chosen, inputs)


def _write(found: Attribution, plot: Path | None, out: Path | None) -> list[str]:
    """Write the picture and the evidence folders, and say where they are."""
    lines = []
    if plot is not None:
        from identcert.attribution.picture import save_picture

        save_picture(found, plot)
        lines.append(f"Picture: {plot}")
    if out is not None:
        from identcert.attribution.evidence import write_lift

        decided = [g.lift for g in found.generators if g.lift and g.lift.lifts is not None]
        if not decided:
            raise InputError("no lift was decided, so there is no evidence to write", "--out")
        for lift in decided:
            place = write_lift(lift, out / lift.generator.name if len(decided) > 1 else out)
            lines.append(f"Evidence: {place} (verify it with: identcert check DIR)")
    return lines
