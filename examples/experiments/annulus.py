"""Experiment 1: an annulus classifier, its orbit and defect directions, and flows along them.

    python examples/experiments/annulus.py [--data full|wedge] [--seeds 3] [--out FOLDER]

trains 2-8-8-1 tanh classifiers on the full annulus or on a 90° wedge, measures both directions
before and after training on held-out probes, prints the table of README.md, and draws decision
boundaries along the flows, angular profiles and attributions by layer. All numbers are numeric.
"""

# ruff: noqa: E402
from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import argparse
from dataclasses import dataclass, fields
from pathlib import Path

import annulus_model
import numpy as np
import pictures
from annulus_model import Array, Data
from numpy.typing import NDArray

from identcert.attribution.average import circle_average
from identcert.attribution.directions import Direction
from identcert.attribution.fields import LieAction
from identcert.attribution.flows import Trajectory, fixed_flow
from identcert.attribution.gauge import Regularisation, Ridge, Truncation
from identcert.attribution.generators import rotation
from identcert.attribution.metrics import (
    Ruler,
    defect_flow,
    initial_direction,
    orbit_flow,
    predicted_drift,
)
from identcert.attribution.models import DenseModel

ACTION = LieAction.of(rotation(2, 1))
AVERAGE = circle_average(ACTION, 32)
PAPER = Truncation(1e-3)
QUARTER = np.pi / 2
ORBIT_STEPS, DEFECT_STEPS, DEFECT_END = 32, 40, 3.0


@dataclass(frozen=True)
class Measured:
    """The numbers of one model; distances are relative to the rms of δ₀, on held-out points."""

    relative_defect: float
    resolved_track: float
    resolved_dist_low: float
    resolved_dist_high: float
    fixed_track_eighth: float
    fixed_track_quarter: float
    predicted_fixed_tenth: float
    fixed_track_tenth: float
    predicted_midpoint: float
    defect_dist_1: float
    defect_dist_3: float
    is_monotone: bool
    fixed_dist_quarter: float
    fixed_dist_half: float
    fixed_dist_1: float
    accuracy: float
    accuracy_after: float
    share_sum: float
    orbit_first_layer: float
    defect_first_layer: float
    defect_norm: float


@dataclass(frozen=True)
class Flows:
    """All trajectories of one model, with the rulers that made and judge them."""

    ruler: Ruler
    judge: Ruler
    orbit: Trajectory
    defect: Trajectory
    orbit_direction: Direction
    defect_direction: Direction


def defect_rule(wedge: bool) -> tuple[Regularisation, bool, int]:
    """Regularisation, gauge and steps of defect flows: wedge models need far more of the first."""
    return (Ridge(1e-2), False, 60) if wedge else (Ridge(1e-3), True, DEFECT_STEPS)


def run_flows(model: DenseModel, wedge: bool) -> Flows:
    """Return resolved flows and initial directions of a model."""
    probe, held_out = annulus_model.probes()
    ruler = Ruler(model, ACTION, AVERAGE, probe, model.theta)
    judge = Ruler(model, ACTION, AVERAGE, held_out, model.theta)
    rule, gauge, steps = defect_rule(wedge)
    return Flows(
        ruler,
        judge,
        orbit_flow(ruler, QUARTER, ORBIT_STEPS, PAPER),
        defect_flow(ruler, DEFECT_END, steps, rule, gauge),
        initial_direction(ruler, "orbit", PAPER),
        initial_direction(ruler, "defect", rule, gauge),
    )


def measure(flows: Flows, model: DenseModel, everywhere: Data) -> Measured:
    """Return the numbers of the table."""
    judge, theta = flows.judge, model.theta
    c, b = flows.orbit_direction, flows.defect_direction
    orbit_dists, dists = judge.dists(flows.orbit), judge.dists(flows.defect)

    def fixed_track(t: float) -> float:
        return judge.track(theta + t * c.components, t)

    def fixed_dist(s: float) -> float:
        return judge.dist(theta + s * b.components)

    at_one = int(np.searchsorted(flows.defect.times, 1.0, side="right")) - 1
    return Measured(
        judge.relative_defect,
        judge.track(flows.orbit.thetas[-1], QUARTER),
        float(orbit_dists.min()),
        float(orbit_dists.max()),
        fixed_track(QUARTER / 4),
        fixed_track(QUARTER),
        predicted_drift(judge, 0.1, None, "euler"),
        fixed_track(0.1),
        predicted_drift(judge, QUARTER, ORBIT_STEPS, "midpoint"),
        float(dists[at_one]),
        float(dists[-1]),
        bool((np.diff(dists) <= 0).all()),
        fixed_dist(0.25),
        fixed_dist(0.5),
        fixed_dist(1.0),
        annulus_model.accuracy(model, theta, everywhere),
        annulus_model.accuracy(model, flows.defect.thetas[-1], everywhere),
        float(c.shares.sum()) / c.r_squared,
        c.group_masses(model.groups)["layer 1"],
        b.group_masses(model.groups)["layer 1"],
        float(np.linalg.norm(b.components)),
    )


def models(seed: int, wedge: bool) -> tuple[DenseModel, DenseModel, Data]:
    """Return the initial and the trained model of a seed, and full-circle data to test on."""
    draw = np.random.default_rng(seed)
    data = annulus_model.make_data(draw, wedge)
    initial = annulus_model.initial_model(draw)
    trained = annulus_model.train(initial, data)
    everywhere = annulus_model.make_data(np.random.default_rng(seed + 1000), False)
    return initial, trained, everywhere


def draw_pictures(flows: Flows, model: DenseModel, name: str, out: Path) -> None:
    """Draw boundaries along both flows, angular profiles, and attributions by layer."""

    def at(theta: Array) -> pictures.Function:
        return lambda points: model.values(theta, points)

    def along(
        path: Trajectory, times: list[float], symbol: str
    ) -> list[tuple[str, pictures.Function]]:
        indices = [int(np.argmin(np.abs(path.times - t))) for t in times]
        return [(f"{symbol} = {path.times[i]:.2f}", at(path.thetas[i])) for i in indices]

    turns, times = [0.0, QUARTER / 4, QUARTER / 2, QUARTER], [0.0, 0.5, 1.0, 3.0]
    fixed_orbit = fixed_flow(flows.orbit_direction.components, model.theta, np.array(turns))
    fixed_defect = fixed_flow(flows.defect_direction.components, model.theta, np.array(times))
    rows = {
        "resolved c*": along(flows.orbit, turns, "t"),
        "fixed c*": along(fixed_orbit, turns, "t"),
        "resolved b*": along(flows.defect, times, "s"),
        "fixed b*": along(fixed_defect, times, "s"),
    }
    pictures.contours(out / f"annulus_{name}_boundaries.png", rows, 1.6, boundary=True)
    draw_profiles(flows, model, out / f"annulus_{name}_profiles.png")
    shown = {"c*": flows.orbit_direction.magnitudes, "b*": flows.defect_direction.magnitudes}
    pictures.layer_pictures(out / f"annulus_{name}_layers.png", model.shapes, shown)


def draw_profiles(flows: Flows, model: DenseModel, path: Path) -> None:
    """Draw the logit on a ring after a quarter turn and at s = 1: realised against ideal."""
    angles: NDArray[np.float64] = np.linspace(0, 2 * np.pi, 181)
    ring = 1.2 * np.column_stack([np.cos(angles), np.sin(angles)])
    theta, t = model.theta, QUARTER / 4
    near = int(np.argmin(np.abs(flows.orbit.times - t)))
    c, b = flows.orbit_direction.components, flows.defect_direction.components

    def on_ring(parameters: Array) -> tuple[Array, Array]:
        return angles, model.values(parameters, ring)[:, 0]

    f0 = model.values(theta, ring)[:, 0]
    mean = AVERAGE(lambda x: model.values(theta, x), ring)[:, 0]
    at_one = int(np.argmin(np.abs(flows.defect.times - 1.0)))
    s = float(flows.defect.times[at_one])
    ideal = ACTION.transformed(model, theta, t)(ring)[:, 0]
    panels = {
        f"orbit, t = {t:.2f}": {
            "ideal": (angles, ideal),
            "resolved": on_ring(flows.orbit.thetas[near]),
            "fixed": on_ring(theta + t * c),
        },
        f"defect, s = {s:.2f}": {
            "ideal": (angles, mean + np.exp(-s) * (f0 - mean)),
            "resolved": on_ring(flows.defect.thetas[at_one]),
            "fixed": on_ring(theta + s * b),
        },
    }
    pictures.curves(path, panels, "angle on the ring r = 1.2")


def print_table(columns: dict[str, Measured]) -> None:
    """Print one row a number, one column a model."""
    width = max(len(field.name) for field in fields(Measured))
    print(" " * width + "".join(f"{name:>16}" for name in columns))
    for field in fields(Measured):
        cells = [getattr(m, field.name) for m in columns.values()]
        texts = [str(c) if isinstance(c, bool) else f"{c:.4g}" for c in cells]
        print(f"{field.name:<{width}}" + "".join(f"{text:>16}" for text in texts))


def main() -> None:
    """Run the experiment."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", choices=("full", "wedge"), default="full")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--out", type=Path, default=Path("annulus-pictures"))
    words = parser.parse_args()
    wedge = words.data == "wedge"
    columns = {}
    for seed in range(words.seeds):
        initial, trained, everywhere = models(seed, wedge)
        for name, model in (("initial", initial), ("trained", trained)):
            flows = run_flows(model, wedge)
            columns[f"{seed} {name}"] = measure(flows, model, everywhere)
            if seed == 0:
                draw_pictures(flows, model, f"{words.data}_{name}", words.out)
    print_table(columns)
    print(f"Pictures: {words.out}")


if __name__ == "__main__":
    main()
