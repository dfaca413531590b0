"""Experiment 2: a Mexican-hat potential network, and why τ = 10⁻³ is too coarse for it.

    python examples/experiments/mexican_hat.py [--seed 0] [--iterations 120] [--out FOLDER]

learns V(q; α) of H = ½|p|² + V by trajectory matching (the trained weights of seed 0 are shipped;
``--train`` fits them again, with PyTorch), and follows the orbit and defect directions of its force
under rotations. Probe: 8 rings × 24 angles × 3 values of α; judged at values of α that training
never saw. All numbers are numeric.

A potential network lifts every rotation structurally, so the true residual of c* is 0 at every θ.
What a truncated solution leaves over is an artefact of τ: a well-trained force has small singular
values that matter, the source's τ = 10⁻³ drops them, and the resolved flow leaves its orbit.
"""

# ruff: noqa: E402
from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import argparse
import json
from pathlib import Path

import hamiltonian_model
import numpy as np
import pictures
from hamiltonian_model import Array

from identcert.attribution.average import circle_average
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
from identcert.attribution.potential import PotentialForce
from identcert.nets.network import Network

ACTION = LieAction.of(rotation(3, 2, (0, 1), same=True))
AVERAGE = circle_average(ACTION, 64)
WIDTHS, ITERATIONS = (3, 12, 12, 1), 120
QUARTER, ORBIT_STEPS = np.pi / 2, 24
DEFECT_END, DEFECT_STEPS = 3.0, 30
FINITE_TURN = np.deg2rad(73)
PAPER, FINE = Truncation(1e-3), Truncation(1e-6)
SHIPPED = Path(__file__).with_name("mexican_hat.network.json")


def initial_potential(seed: int) -> DenseModel:
    """Return V before training."""
    return DenseModel.of(hamiltonian_model.make_network(np.random.default_rng(seed), WIDTHS))


def trained_potential(seed: int, iterations: int = ITERATIONS) -> DenseModel:
    """Return V after training, which takes some ten seconds."""
    potential, _, _ = hamiltonian_model.train(initial_potential(seed), None, iterations, seed)
    return potential


def shipped_potential() -> DenseModel:
    """Return V of seed 0, trained once and stored."""
    return DenseModel.of(Network.load(SHIPPED))


def write_potential(potential: DenseModel, path: Path) -> None:
    """Write a network file whose decimals round to the same float64 numbers."""
    layers = [
        {"kind": "dense", "weight": weight.tolist(), "bias": bias.tolist(), "activation": s.name}
        for (weight, bias), s in zip(
            potential.unpack(potential.theta), potential.activations, strict=True
        )
    ]
    tree = {"format": "identcert.network", "version": 1, "inputs": 3, "layers": layers}
    path.write_text(json.dumps(tree, indent=1) + "\n", encoding="utf-8")


def rulers(force: PotentialForce) -> tuple[Ruler, Ruler]:
    """Return the ruler on the probe and the judge on held-out points and unseen α."""
    probe, held_out = hamiltonian_model.probes()
    first, second = (
        Ruler(force, ACTION, AVERAGE, points, force.theta) for points in (probe, held_out)
    )
    return first, second


def turn_error(judge: Ruler, theta: Array) -> float:
    """Return ‖Π(g)F − F‖/‖F₀‖ for the rotation by 73°."""
    points = judge.probe.points
    moved = ACTION.transformed(judge.model, theta, FINITE_TURN)(points)
    gap = judge.probe.rms(moved - judge.model.values(theta, points))
    return gap / judge.probe.rms(judge.values)


def at(judge: Ruler, path: Trajectory, times: tuple[float, ...]) -> list[float]:
    """Return the distances to equivariance at some times of a defect flow."""
    dists = judge.dists(path)
    return [float(np.interp(s, path.times, dists)) for s in times]


def show_residuals(ruler: Ruler) -> None:
    """Print the c*-residual at several τ; its true value is 0."""
    print("\nResidual of c*, whose true value is 0 (structural lift):")
    for tau in (1e-2, 1e-3, 1e-4, 1e-6):
        found = initial_direction(ruler, "orbit", Truncation(tau))
        print(f"  τ = {tau:g}: {found.residual:.2g}, rank {found.rank}, {found.dead} dead")


def show_orbits(ruler: Ruler, judge: Ruler) -> dict[str, Trajectory]:
    """Print and return resolved orbit flows; compare them with fixed ones and predictions."""
    paths = {}
    print("\nResolved orbit flow to π/2, 24 midpoint steps: track (dist)")
    finest = Truncation(1e-7)
    for name, rule in (("τ = 1e-3, the source's", PAPER), ("τ = 1e-6", FINE), ("τ = 1e-7", finest)):
        path = paths[name] = orbit_flow(ruler, QUARTER, ORBIT_STEPS, rule)
        end = path.thetas[-1]
        inside = ruler.track(end, QUARTER)
        print(f"  {name}: {judge.track(end, QUARTER):.4f} ({judge.dist(end):.3f}); "
              f"on the probe itself {inside:.4f}")  # fmt: skip
    print(
        f"  predicted for midpoint: {predicted_drift(judge, QUARTER, ORBIT_STEPS, 'midpoint'):.4f}"
    )
    path = orbit_flow(ruler, QUARTER, ORBIT_STEPS, FINE, method="rk4")
    print(f"  RK4 with τ = 1e-6: {judge.track(path.thetas[-1], QUARTER):.4f}")
    c = initial_direction(ruler, "orbit", FINE).components
    print("Fixed direction: track at t (predicted)")
    for t in (0.05, 0.1, 0.39, 1.57):
        line = fixed_flow(c, judge.start, np.array([t]))
        predicted = predicted_drift(judge, t, None, "euler")
        print(f"  t = {t}: {judge.tracks(line)[0]:.3g} ({predicted:.3g})")
    return paths


def show_defects(ruler: Ruler, judge: Ruler) -> dict[str, Trajectory]:
    """Print and return defect flows with and without step control."""
    times = (0.5, 1.0, 2.0, 3.0)
    ideal = ", ".join(f"{np.exp(-s):.2f}" for s in times)
    print(f"\nDefect flow, dist at s = {times}, ideally {ideal}; error under a turn of 73°")
    rules: list[tuple[str, Regularisation, float | None]] = [
        ("τ = 1e-3, the source's", PAPER, None),
        ("ridge 1e-4", Ridge(1e-4), None),
        ("ridge 1e-4, step control", Ridge(1e-4), 0.05),
    ]
    paths = {}
    for name, rule, allowance in rules:
        path = defect_flow(ruler, DEFECT_END, DEFECT_STEPS, rule, allowance=allowance)
        paths[name] = path
        values = ", ".join(f"{d:.2f}" for d in at(judge, path, times))
        before, after = (turn_error(judge, path.thetas[k]) for k in (0, -1))
        print(f"  {name}: {values}; {before:.3f} → {after:.3f}; {path.halvings} halvings")
    b = initial_direction(ruler, "defect", PAPER).components
    line = fixed_flow(b, judge.start, np.array([0.1, 0.25, 0.5, 1.0]))
    print("  fixed, s = 0.1, 0.25, 0.5, 1:", ", ".join(f"{d:.2g}" for d in judge.dists(line)))
    return paths


def potential_at(force: PotentialForce, theta: Array, alpha: float = -0.75) -> pictures.Function:
    """Return q ↦ V(q; α) at an α that training never saw."""

    def f(q: Array) -> Array:
        return force.potential.values(theta, np.column_stack([q, np.full(len(q), alpha)]))

    return f


def draw(ruler: Ruler, paths: dict[str, Trajectory], defects: dict[str, Trajectory],
         force: PotentialForce, out: Path) -> None:  # fmt: skip
    """Draw potential contours at an unseen α along flows, curves, and attributions by layer."""

    rows = {}
    named = [(f"c*, {n}", path) for n, path in paths.items()]
    named += [(f"b*, {n}", path) for n, path in defects.items()]
    for name, path in named:
        picks = np.linspace(0, len(path.times) - 1, 4).astype(int)
        rows[name] = [(f"{path.times[k]:.2f}", potential_at(force, path.thetas[k])) for k in picks]
    pictures.contours(out / "mexican_hat_potentials.png", rows, 1.3, boundary=False)
    tracks = {name: (path.times, ruler.tracks(path)) for name, path in paths.items()}
    s = np.linspace(0, DEFECT_END, 50)
    dists = {name: (path.times, ruler.dists(path)) for name, path in defects.items()}
    panels = {"track along resolved orbits": tracks,
              "dist along defect flows": {"ideal": (s, np.exp(-s)), **dists}}  # fmt: skip
    pictures.curves(out / "mexican_hat_curves.png", panels, "time", log=True)
    probe_ruler, _ = rulers(force)
    shown = {"c*": initial_direction(probe_ruler, "orbit", FINE).magnitudes,
             "b*": initial_direction(probe_ruler, "defect", Ridge(1e-4)).magnitudes}  # fmt: skip
    pictures.layer_pictures(out / "mexican_hat_layers.png", force.potential.shapes, shown)


def main() -> None:
    """Run the experiment."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--train", action="store_true", help="fit again, also for seed 0")
    parser.add_argument("--iterations", type=int, default=ITERATIONS, help="of L-BFGS")
    parser.add_argument("--out", type=Path, default=Path("mexican-hat-pictures"))
    words = parser.parse_args()
    fresh = words.train or words.seed != 0 or words.iterations != ITERATIONS
    potential = shipped_potential()
    if fresh:
        potential = trained_potential(words.seed, words.iterations)
    force = PotentialForce(potential, 2)
    ruler, judge = rulers(force)
    errors = [hamiltonian_model.force_error(force, r.probe) for r in (ruler, judge)]
    print(f"Force error {errors[0]:.1%} on the probe, {errors[1]:.1%} held out")
    turned = turn_error(judge, force.theta)
    print(f"δ/F on the probe {ruler.relative_defect:.1%}; error under 73° {turned:.3f}")
    show_residuals(ruler)
    paths = show_orbits(ruler, judge)
    defects = show_defects(ruler, judge)
    draw(judge, paths, defects, force, words.out)
    print(f"Pictures: {words.out}")


if __name__ == "__main__":
    main()
