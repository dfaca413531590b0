"""The experiments: annulus classifiers and Mexican-hat potentials, against the theory's numbers.

Quick: one annulus seed, and the shipped potential. Slow: three seeds, the wedge, training, and
the separable network of the paper.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

EXPERIMENTS = Path(__file__).resolve().parents[1] / "examples" / "experiments"


@pytest.fixture(scope="module")
def annulus() -> ModuleType:
    return load("annulus")


@pytest.fixture(scope="module")
def hat() -> ModuleType:
    return load("mexican_hat")


def load(name: str) -> ModuleType:
    """An experiment as a module, from its folder."""
    sys.path.insert(0, str(EXPERIMENTS))
    try:
        return __import__(name)
    finally:
        sys.path.remove(str(EXPERIMENTS))


def measured(annulus: Any, seed: int, wedge: bool = False) -> tuple[Any, Any]:
    initial, trained, everywhere = annulus.models(seed, wedge)
    both = [annulus.measure(annulus.run_flows(m, wedge), m, everywhere) for m in (initial, trained)]
    return both[0], both[1]


def check_full(initial: Any, trained: Any) -> None:
    """The theory's table, rows as there; every resolved number is far from every fixed one."""
    assert 0.7 < initial.relative_defect < 1.02 and 0.04 < trained.relative_defect < 0.15
    assert initial.resolved_track < 5e-3 and trained.resolved_track < 0.02
    for m in (initial, trained):
        assert m.resolved_dist_low > 0.995 and m.resolved_dist_high < 1.005
        assert abs(m.defect_dist_1 - np.exp(-0.975)) < 0.02
        assert abs(m.defect_dist_3 - np.exp(-3)) < 0.02 and m.is_monotone
        assert abs(m.share_sum - 1) < 1e-6
    assert initial.fixed_track_eighth < 0.2 and 0.8 < trained.fixed_track_eighth < 3
    assert initial.fixed_track_quarter < 1.5 and 5 < trained.fixed_track_quarter < 20
    assert abs(trained.fixed_track_tenth / trained.predicted_fixed_tenth - 1) < 0.05
    assert abs(trained.fixed_dist_quarter - 0.74) < 0.05
    assert abs(trained.fixed_dist_half - 0.53) < 0.08
    assert trained.accuracy == trained.accuracy_after == 1.0
    assert trained.orbit_first_layer > 0.98 and 0.6 < initial.orbit_first_layer < 0.95


def test_annulus_one_seed(annulus: Any) -> None:
    check_full(*measured(annulus, 0))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_annulus_other_seeds(annulus: Any, seed: int) -> None:
    check_full(*measured(annulus, seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_annulus_wedge(annulus: Any, seed: int) -> None:
    _, trained = measured(annulus, seed, wedge=True)
    assert 0.6 < trained.accuracy < 0.72 and 0.5 < trained.relative_defect < 0.7
    assert 1e-3 < trained.resolved_track < 0.025 and 0.9 < trained.fixed_track_quarter < 1.3
    assert trained.is_monotone and abs(trained.defect_dist_1 - np.exp(-1)) < 0.045
    assert 5 < trained.defect_norm < 20


def test_mexican_hat_needs_a_finer_truncation_than_the_papers(hat: Any) -> None:
    """Residual of c* (true value 0) and the resolved flow, at τ = 1e-3 and 1e-6."""
    force = hat.PotentialForce(hat.shipped_potential(), 2)
    ruler, judge = hat.rulers(force)
    assert 0.03 < ruler.relative_defect < 0.08
    residuals = {
        tau: hat.initial_direction(ruler, "orbit", hat.Truncation(tau)).residual
        for tau in (1e-2, 1e-3, 1e-4, 1e-6)
    }
    assert residuals[1e-2] > 0.5 and residuals[1e-3] > 0.03 and residuals[1e-6] < 2e-5
    c = hat.initial_direction(ruler, "orbit", hat.FINE)
    assert c.dead == 1  # the last bias of a potential
    fine = hat.orbit_flow(ruler, hat.QUARTER, hat.ORBIT_STEPS, hat.FINE).thetas[-1]
    coarse = hat.orbit_flow(ruler, hat.QUARTER, hat.ORBIT_STEPS, hat.PAPER).thetas[-1]
    assert ruler.track(fine, hat.QUARTER) < 0.01 and judge.track(fine, hat.QUARTER) < 0.03
    assert ruler.track(coarse, hat.QUARTER) > 0.1 and judge.track(coarse, hat.QUARTER) > 0.3
    assert abs(judge.dist(fine) - 1) < 0.01
    for t, low in ((0.05, 0.05), (0.39, 2.0), (1.57, 10.0)):
        assert judge.track(force.theta + t * c.components, t) > low
    predicted = hat.predicted_drift(judge, 0.1, None, "euler")
    assert abs(judge.track(force.theta + 0.1 * c.components, 0.1) / predicted - 1) < 0.05


@pytest.mark.slow
def test_mexican_hat_defect_flow(hat: Any) -> None:
    force = hat.PotentialForce(hat.shipped_potential(), 2)
    ruler, judge = hat.rulers(force)
    times = (0.5, 1.0, 2.0, 3.0)
    plain = hat.defect_flow(ruler, 3.0, 30, hat.PAPER)
    controlled = hat.defect_flow(ruler, 3.0, 30, hat.Ridge(1e-4), allowance=0.05)
    assert controlled.is_complete and (np.diff(ruler.dists(controlled)) < 0).all()
    assert (
        np.abs(np.array(hat.at(ruler, controlled, times)) - np.exp(-np.array(times))).max() < 0.01
    )
    assert hat.at(judge, plain, times)[-1] > 0.2 > hat.at(judge, controlled, times)[-1]
    before, after = (hat.turn_error(judge, controlled.thetas[k]) for k in (0, -1))
    assert before > 0.05 and after < before / 4


@pytest.mark.slow
def test_training_gives_the_shipped_potential(hat: Any) -> None:
    """The same optimum up to what another build of BLAS changes in 120 steps."""
    pytest.importorskip("torch")
    force = hat.PotentialForce(hat.trained_potential(0), 2)
    ruler, _ = hat.rulers(force)
    assert hat.hamiltonian_model.force_error(force, ruler.probe) < 0.12
    assert 0.02 < ruler.relative_defect < 0.12


@pytest.mark.slow
def test_separable_network_of_the_paper() -> None:
    pytest.importorskip("torch")
    separable = load("separable_hamiltonian")
    potential, _, loss = separable.train(400, 0)
    force = separable.PotentialForce(potential, 2)
    found, _, _ = separable.measure(force, loss, 16)
    assert found.force_error < 0.1 and found.residual_paper > 0.05 > found.residual_fine * 50
    assert found.track_fine < 0.4 < found.track_paper and found.fixed_track > 10
    assert abs(found.defect_dist_1 - np.exp(-1)) < 0.02
    assert abs(found.defect_dist_2 - np.exp(-2)) < 0.03


@pytest.mark.slow
@pytest.mark.parametrize("name", ["annulus", "mexican_hat"])
def test_experiments_draw_their_pictures(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["--seeds", "1"] if name == "annulus" else []
    monkeypatch.setattr(sys, "argv", [name, *words, "--out", str(tmp_path)])
    load(name).main()
    assert len(list(tmp_path.glob("*.png"))) >= 3
