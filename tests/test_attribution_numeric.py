"""Numeric attribution: sensitivities, gauge, directions, averages, flows, and PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from identcert.attribution.average import circle_average, finite_average
from identcert.attribution.directions import (
    both_directions,
    defect_direction,
    minimum_lifting_error,
    orbit_direction,
)
from identcert.attribution.fields import LieAction, check_fits, period
from identcert.attribution.finite_average import group_average
from identcert.attribution.flows import Control, fixed_flow, flow
from identcert.attribution.gauge import Factorisation, Ridge, Truncation
from identcert.attribution.generators import dilation, find_generators, rotation, translation
from identcert.attribution.metrics import (
    Ruler,
    defect_flow,
    initial_direction,
    orbit_flow,
    predicted_drift,
)
from identcert.attribution.models import DenseModel, model_of
from identcert.attribution.parameters import Parametrisation
from identcert.attribution.potential import PotentialForce
from identcert.attribution.probes import Probe, box_grid, load_points, polar_grid, sphere
from identcert.attribution.sensitivity import (
    aggregated_sensitivity,
    pointwise_sensitivity,
    weighted,
    weighted_jacobian,
)
from identcert.attribution.slopes import with_slopes
from identcert.attribution.structural import structural_lift
from identcert.errors import InputError, UnsupportedError
from identcert.groups.files import load_action
from identcert.nets.activation import Activation, activation
from identcert.nets.network import Network

Array = Any
TURN = LieAction.of(rotation(2, 1))
RINGS = polar_grid([0.3, 0.6, 0.9, 1.2], 24)
ACTIVATIONS = (
    "tanh", "sigmoid", "softplus", "silu", "gelu", "sin", "elu", "arctan", "erf", "x^3 - x",
    "relu", "abs", "hard_tanh", "relu6",
)  # fmt: skip


def random_net(widths: tuple[int, ...], sigma: str = "tanh", seed: int = 0) -> Network:
    draw = np.random.default_rng(seed)
    layers = []
    for k in range(len(widths) - 1):
        weight = draw.normal(0, 1.5 / np.sqrt(widths[k]), (widths[k + 1], widths[k]))
        name = sigma if k < len(widths) - 2 else "identity"
        layers.append((weight, draw.normal(0, 0.1, widths[k + 1]), name))
    return Network.dense(layers)


def quadratic(a: float, b: float) -> Any:
    net = Network.dense([([[1, 0], [0, 1]], None, "x^2"), ([[a, b]], None, "identity")])
    return model_of(Parametrisation.of(net, frozen=["W1"]))


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_slopes_are_derivatives(name: str) -> None:
    sigma, h = activation(name), 1e-5
    z = np.linspace(-2.9, 7.1, 23)
    value, first, second = with_slopes(sigma, z, 2)
    assert np.array_equal(value, sigma.numpy(z))
    ahead, behind = with_slopes(sigma, z + h), with_slopes(sigma, z - h)
    assert np.abs((ahead[0] - behind[0]) / (2 * h) - first).max() < 1e-8
    if not sigma.is_piecewise_linear and name != "elu":
        assert np.abs((ahead[1] - behind[1]) / (2 * h) - second).max() < 1e-8


@pytest.mark.parametrize("name", ["tanh", "silu", "relu", "x^2"])
def test_dense_jacobian_and_push_by_differences(name: str) -> None:
    model = DenseModel.of(random_net((3, 5, 4, 2), name))
    points = np.random.default_rng(1).normal(size=(6, 3))
    check_derivatives(model, points)


def check_derivatives(model: Any, points: Array, h: float = 1e-6) -> None:
    theta = model.theta
    jacobian = pointwise_sensitivity(model, points)
    for k in range(theta.size):
        step = h * np.eye(theta.size)[k]
        rate = (model.values(theta + step, points) - model.values(theta - step, points)) / (2 * h)
        assert np.abs(rate - jacobian[:, :, k]).max() < 1e-7 * (1 + np.abs(rate).max())
    velocity = np.random.default_rng(2).normal(size=points.shape)
    ahead, behind = (model.values(theta, points + s * h * velocity) for s in (1, -1))
    rate = (ahead - behind) / (2 * h)
    pushed = model.push(theta, points, velocity)
    assert np.abs(rate - pushed).max() < 1e-7 * (1 + np.abs(rate).max())


@pytest.mark.parametrize("name", ["tanh", "softplus", "sin"])
def test_potential_force_by_differences(name: str) -> None:
    potential = DenseModel.of(random_net((3, 5, 4, 1), name))
    force = PotentialForce(potential, 2)
    points = np.random.default_rng(1).normal(size=(5, 3))
    check_derivatives(force, points)
    for k in range(2):
        step = 1e-6 * np.eye(3)[k]
        ahead, behind = (potential.values(potential.theta, points + s * step) for s in (1, -1))
        rate = (behind - ahead)[:, 0] / 2e-6
        assert np.abs(force.values(force.theta, points)[:, k] - rate).max() < 1e-8


def test_jacobian_blocks_are_written_in_place() -> None:
    """Splitting the last axis must be a view: else the blocks would stay empty."""
    model = DenseModel.of(random_net((2, 3, 1)))
    table = np.empty((4, 1, model.theta.size))
    assert np.shares_memory(table[:, :, 0:6].reshape(4, 1, 3, 2), table)


def test_restricted_models_tie_and_freeze() -> None:
    net = Network.dense([([[1, -2], [2, 1]], None, "tanh"), ([[1, 1]], None, "identity")])
    tied = model_of(Parametrisation.of(net, ["W2"], ["W1[0,0] = W1[1,1]", "W1[0,1] = -W1[1,0]"]))
    assert tied.theta.tolist() == [1.0, -2.0]
    check_derivatives(tied, np.random.default_rng(1).normal(size=(5, 2)))
    moved = tied.whole(np.array([1.5, -2.0]))
    assert moved[:4].tolist() == [1.5, -2.0, 2.0, 1.5]


def test_the_corrected_gauge_solves_what_the_printed_formula_does_not() -> None:
    """J = diag(1, 2), η = (1, 2): c = (1, 1); (JD)⁺η then D⁻¹ would give (1, 1/4)."""
    jacobian, eta = np.diag([1.0, 2.0]), np.array([1.0, 2.0])
    factors = Factorisation.of(jacobian)
    assert np.abs(factors.solve(eta, Truncation()) - [1, 1]).max() < 1e-14
    scale = factors.sensitivity
    printed = np.linalg.pinv(jacobian * scale) @ eta / scale
    assert np.abs(printed - [1, 0.25]).max() < 1e-14


def test_the_gauge_changes_the_rank_of_a_truncated_problem() -> None:
    jacobian, rule = np.diag([1.0, 1e-4]), Truncation(1e-3)
    assert Factorisation.of(jacobian, gauge=False).rank(rule) == 1
    assert Factorisation.of(jacobian, gauge=True).rank(rule) == 2


@pytest.mark.parametrize("shape", [(5, 9), (9, 5), (6, 6)])
@pytest.mark.parametrize("gauge", [True, False])
def test_factorisation_agrees_with_the_pseudoinverse(shape: tuple[int, int], gauge: bool) -> None:
    draw = np.random.default_rng(0)
    jacobian = draw.normal(size=shape) * np.exp(draw.normal(size=shape[1]))
    eta = draw.normal(size=shape[0])
    scale = np.linalg.norm(jacobian, axis=0) if gauge else np.ones(shape[1])
    best = np.linalg.pinv(jacobian / scale) @ eta / scale
    assert (
        np.abs(Factorisation.of(jacobian, gauge).solve(eta, Truncation(1e-12)) - best).max() < 1e-10
    )
    ridged = Factorisation.of(jacobian, gauge).solve(eta, Ridge(1e-2))
    u, s, v = np.linalg.svd(jacobian / scale, full_matrices=False)
    smooth = v.T @ ((s / (s**2 + (1e-2 * s[0]) ** 2)) * (u.T @ eta)) / scale
    assert np.abs(ridged - smooth).max() < 1e-10


def test_dead_columns_get_nothing() -> None:
    jacobian = np.array([[1.0, 0.0, 1e-12], [0.0, 0.0, 0.0]])
    found = Factorisation.of(jacobian).solve(np.array([2.0, 5.0]), Truncation())
    assert found.tolist() == [2.0, 0.0, 0.0]
    assert not Factorisation.of(np.zeros((2, 3))).solve(np.ones(2), Ridge(1e-3)).any()


def test_gauge_is_invariant_under_rescaling_of_single_parameters() -> None:
    """Attribution by the gauge transforms as the parameter does; the plain norm does not."""
    draw = np.random.default_rng(3)
    jacobian, eta = draw.normal(size=(4, 7)), draw.normal(size=4)
    unit = np.exp(draw.normal(size=7))
    for gauge in (True, False):
        before = Factorisation.of(jacobian, gauge).solve(eta, Truncation(1e-12))
        after = Factorisation.of(jacobian * unit, gauge).solve(eta, Truncation(1e-12))
        assert bool(np.abs(after * unit - before).max() < 1e-10) is gauge


def test_sampled_directions_agree_with_exact_ones() -> None:
    """E6: least squares over a probe finds the exact c to ten digits, and J c_struct = η."""
    net = Network.dense([([[3, 1], [1, -2]], [1, 0], "tanh"), ([[2, -1]], None, "identity")])
    parametrisation = Parametrisation.of(net)
    model = model_of(parametrisation)
    for gauge in (True, False):
        found = orbit_direction(model, TURN, RINGS, None, Truncation(1e-12), gauge)
        assert np.abs(found.components - [-1, 3, 2, 1, 0, 0, 0, 0]).max() < 1e-9
        assert found.residual < 1e-12 and found.rank == 8


@pytest.mark.parametrize("seed", range(3))
def test_structural_lift_has_no_residual_at_any_parameter(seed: int) -> None:
    net = random_net((4, 6, 5, 2), seed=seed)
    generator = rotation(4, 2, same=True)
    model, field = model_of(Parametrisation.of(net)), LieAction.of(generator)
    lift = structural_lift(Parametrisation.of(net), generator)
    probe = sphere(4, 60, [0.5, 1.0], seed)
    exact = np.array([float(str(c.p)) / float(str(c.q)) for c in lift.direction or ()])
    eta = weighted(probe, field.direction(model, model.theta, probe.points))
    assert np.linalg.norm(weighted_jacobian(model, probe) @ exact - eta) < 1e-14 * len(exact)
    assert minimum_lifting_error(model, (field,), probe, None, Truncation(1e-10)) < 1e-7


def test_shares_sum_to_r_squared_for_truncation_and_not_for_ridge() -> None:
    model = model_of(Parametrisation.of(random_net((2, 6, 5, 1)), frozen=["W1[0,:]"]))
    for rule, adds_up in ((Truncation(1e-2), True), (Truncation(1e-6), True), (Ridge(0.1), False)):
        found = orbit_direction(model, TURN, RINGS, None, rule)
        assert bool(abs(found.shares.sum() - found.r_squared) < 1e-9) is adds_up
        assert abs(sum(found.group_masses(model.groups).values()) - 1) < 1e-12


def test_orthogonality_lives_in_function_space() -> None:
    model = model_of(Parametrisation.of(random_net((2, 8, 8, 1))))
    # on few angles the grid's own error shows (2e-4 for 24); it falls off exponentially
    for angles, error in ((24, 1e-3), (192, 1e-11)):
        fine, average = polar_grid([0.3, 0.6, 0.9, 1.2], angles), circle_average(TURN, angles)
        eta = TURN.direction(model, model.theta, fine.points)
        delta = average.defect(lambda x: model.values(model.theta, x), fine.points)
        assert abs(fine.dot(eta, delta)) < error * fine.rms(eta) * fine.rms(delta)
    average = circle_average(TURN, 24)
    c, b = both_directions(model, TURN, average, RINGS)
    jacobian = weighted_jacobian(model, RINGS)
    moved, towards = jacobian @ c.components, jacobian @ b.components
    angle = moved @ towards / np.linalg.norm(moved) / np.linalg.norm(towards)
    assert abs(angle) < 1e-3
    lonely = (
        orbit_direction(model, TURN, RINGS),
        defect_direction(model, average, RINGS),
    )
    for one, other in zip((c, b), lonely, strict=True):
        assert np.array_equal(one.components, other.components)


def test_e4_flow() -> None:
    """f = ax² + by²: along the defect flow a − b = 2e^{−s} and a + b = 4."""
    model = quadratic(3, 1)
    ruler = Ruler(model, TURN, circle_average(TURN, 24), RINGS, model.theta)
    path = defect_flow(ruler, 2.0, 16, Truncation(1e-9), method="rk4")
    a, b = path.thetas.T
    assert np.abs(a + b - 4).max() < 1e-10
    assert np.abs(a - b - 2 * np.exp(-path.times)).max() < 1e-5
    assert np.abs(ruler.dists(path) - np.exp(-path.times)).max() < 1e-5
    assert ruler.decay(path.thetas[-1], 2.0) < 1e-5


def test_e5_flow() -> None:
    """f = (w·x)² on the circle: w decays as e^{−s/6}, ‖δ‖ as e^{−s/3}, residual² is 2/3."""
    net = Network.dense([([[2, 1]], None, "x^2"), ([[1]], None, "identity")])
    model = model_of(Parametrisation.of(net, frozen=["b1"] if net.layers[0].has_bias else []))
    circle = polar_grid([1.0], 24)
    average = circle_average(TURN, 24)
    b = defect_direction(model, average, circle, None, Truncation(1e-9), gauge=False)
    assert np.abs(b.components - [-1 / 3, -1 / 6]).max() < 1e-12
    assert abs(b.residual**2 - 2 / 3) < 1e-12 and abs(b.target_rms**2 - 25 / 8) < 1e-12
    eta = orbit_direction(model, TURN, circle, None, Truncation(1e-9), gauge=False)
    assert np.abs(eta.components - [-1, 2]).max() < 1e-12
    assert abs(eta.target_rms**2 - 25 / 2) < 1e-12
    ruler = Ruler(model, TURN, average, circle, model.theta)
    path = defect_flow(ruler, 3.0, 12, Truncation(1e-9), gauge=False, method="rk4")
    decay = np.exp(-path.times / 6)[:, None] * np.array([2.0, 1.0])
    assert np.abs(path.thetas - decay).max() < 1e-7
    assert np.abs(ruler.dists(path) - np.exp(-path.times / 3)).max() < 1e-7


def test_fixed_structural_directions_turn_and_dilate() -> None:
    """f_{θ+tc}(x) = f_θ((I − tΩ)x): a turn by arctan t with a dilation by √(1 + t²)."""
    net = random_net((2, 8, 8, 1))
    model = DenseModel.of(net)
    c = np.zeros_like(model.theta)
    omega = np.array([[0.0, -1.0], [1.0, 0.0]])
    c[:16] = (-model.unpack(model.theta)[0][0] @ omega).ravel()
    t = 0.7
    moved = RINGS.points @ (np.eye(2) - t * omega).T
    gap = model.values(model.theta + t * c, RINGS.points) - model.values(model.theta, moved)
    assert np.abs(gap).max() < 1e-13
    angle, scale = np.arctan(t), np.sqrt(1 + t * t)
    back = TURN.input.flow(-angle)(RINGS.points) * scale
    assert np.abs(back - moved).max() < 1e-14


@pytest.mark.parametrize(("method", "slack"), [("euler", 0.1), ("midpoint", 0.1), ("rk4", 0.1)])
def test_drifts_are_as_predicted(method: Any, slack: float) -> None:
    """Flows along the structural direction drift by the formulas of the theory."""
    net = random_net((2, 8, 8, 1), seed=1)
    model, omega = DenseModel.of(net), np.array([[0.0, -1.0], [1.0, 0.0]])
    ruler = Ruler(model, TURN, circle_average(TURN, 32), RINGS, model.theta)

    def structural(theta: Array) -> Array:
        found = np.zeros_like(theta)
        found[:16] = (-model.unpack(theta)[0][0] @ omega).ravel()
        return found

    steps = 64 if method == "euler" else 12
    path = flow(structural, model.theta, 0.5 * np.pi / 2, steps, method)
    measured = ruler.track(path.thetas[-1], float(path.times[-1]))
    predicted = predicted_drift(ruler, float(path.times[-1]), steps, method)
    assert abs(measured / predicted - 1) < slack
    line = fixed_flow(structural(model.theta), model.theta, np.array([0.05]))
    assert abs(ruler.tracks(line)[0] / predicted_drift(ruler, 0.05, None, method) - 1) < slack


def test_drift_of_an_action_on_both_sides() -> None:
    net = random_net((2, 6, 2), seed=2)
    generator = rotation(2, 2, same=True)
    action = LieAction.of(generator)
    model = DenseModel.of(net)
    ruler = Ruler(model, action, circle_average(action, 32), RINGS, model.theta)
    lift = structural_lift(Parametrisation.of(net), generator).direction or ()
    exact = np.array([int(c.p) / int(c.q) for c in lift])
    assert abs(ruler.track(model.theta + 0.02 * exact, 0.02) /
               predicted_drift(ruler, 0.02, None, "euler") - 1) < 0.05  # fmt: skip
    shifted = LieAction.of(translation(2, 1, [1, 0]))
    scalar = DenseModel.of(random_net((2, 4, 1)))
    with pytest.raises(UnsupportedError):
        other = Ruler(scalar, shifted, circle_average(TURN, 8), RINGS, scalar.theta)
        predicted_drift(other, 0.1, None, "euler")


def test_step_control_halves_and_gives_up() -> None:
    """θ' = −50θ with too long midpoint steps overshoots; halving follows the curve."""

    def velocity(x: Array) -> Array:
        return -50 * x

    def deviation(theta: Array, t: float) -> float:
        return float(np.abs(theta - np.exp(-50 * t)).max())

    start = np.array([1.0])
    wild = flow(velocity, start, 0.5, 5)
    assert np.abs(wild.thetas[-1]).max() > 1
    rule = Control(deviation, lambda theta: 0.0, allowance=0.5, smallest=1 / 256)
    tame = flow(velocity, start, 0.5, 5, control=rule)
    assert tame.is_complete and tame.halvings > 0 and np.abs(tame.thetas[-1]).max() < 0.2
    rigid = Control(lambda theta, t: t, lambda theta: 0.0, allowance=0.5)
    stopped = flow(velocity, start, 0.5, 5, control=rigid)
    assert not stopped.is_complete and len(stopped.times) == 1
    with pytest.raises(InputError):
        flow(velocity, start, 1.0, 0)


def test_controlled_flows_follow_their_curves() -> None:
    model = model_of(Parametrisation.of(random_net((2, 6, 6, 1), seed=4)))
    ruler = Ruler(model, TURN, circle_average(TURN, 24), RINGS, model.theta)
    path = defect_flow(ruler, 1.0, 6, Ridge(1e-3), allowance=0.05)
    assert path.is_complete and (np.diff(ruler.dists(path)) < 0).all()
    turned = orbit_flow(ruler, 0.4, 4, Truncation(1e-6), allowance=0.05)
    assert ruler.track(turned.thetas[-1], 0.4) < 0.02
    line = initial_direction(ruler, "defect", Ridge(1e-3))
    assert line.target_rms == pytest.approx(ruler.unit)


def test_average_exactness_is_as_stated() -> None:
    """K angles are exact below degree K and fail at K; C₄ fails for (2x + y)⁴ (E11)."""
    points = RINGS.points

    def power(d: int) -> Callable[[Array], Array]:
        return lambda x: (2 * x[:, :1] + x[:, 1:]) ** d

    many = circle_average(TURN, 64)
    for count in (4, 5, 8):
        average = circle_average(TURN, count)
        assert average.degree == count - 1
        for d in range(count + 1):
            gap = np.abs(average(power(d), points) - many(power(d), points)).max()
            assert bool(gap < 1e-11) is (d < count)
    same = circle_average(LieAction.of(rotation(2, 2, same=True)), 8)
    assert same.degree == 6


def test_the_average_is_a_projection_onto_equivariant_maps() -> None:
    action = LieAction.of(rotation(2, 2, same=True))
    average = circle_average(action, 64)
    model = DenseModel.of(random_net((2, 5, 2)))

    def once(x: Array) -> Array:
        return average(lambda y: model.values(model.theta, y), x)

    assert np.abs(average(once, RINGS.points) - once(RINGS.points)).max() < 1e-12
    back, forth = action.input.flow(-0.7), action.output.flow(0.7)
    assert np.abs(forth(once(back(RINGS.points))) - once(RINGS.points)).max() < 1e-6


def test_finite_and_spatial_averages() -> None:
    swap = finite_average(load_action("symmetric:same", 2, 2))
    value = swap(lambda x: x @ np.array([[1.0, 2.0], [3.0, 4.0]]).T, np.array([[1.0, 0.0]]))
    assert value.tolist() == [[2.5, 2.5]] and swap.text() == "all 2 group elements"
    ball = sphere(3, 20, [1.0, 2.0], 5)
    so3 = group_average(find_generators("so3", 3, 1) or pytest.fail())
    square = np.sum(ball.points**2, axis=1, keepdims=True)
    fourth = so3(lambda x: x[:, :1] ** 4, ball.points)
    assert np.abs(fourth - square**2 / 5).max() < 1e-11
    odd = so3(lambda x: x[:, :1] * x[:, 1:2] * x[:, 2:], ball.points)
    assert np.abs(odd).max() < 1e-11
    both = group_average(find_generators("so3:same", 3, 3) or pytest.fail())
    matrix = np.arange(9.0).reshape(3, 3)
    linear = both(lambda x: x @ matrix.T, ball.points)
    assert np.abs(linear - np.trace(matrix) / 3 * ball.points).max() < 1e-11


def test_groups_without_average() -> None:
    for name in ("translation:0", "dilation"):
        with pytest.raises(UnsupportedError, match="period"):
            group_average(find_generators(name, 2, 1) or pytest.fail())
    assert period(LieAction.of(dilation(2, 1))) is None


def test_vector_fields_given_by_functions() -> None:
    """A nonlinear action: the flow of v = (y, −x)(x² + y²) keeps circles and turns them."""

    def velocity(x: Array) -> Array:
        square = np.sum(x * x, axis=1, keepdims=True)
        return square * np.column_stack([-x[:, 1], x[:, 0]])

    curl = LieAction.from_callables("curl", velocity)
    angle = 0.3 * np.sum(RINGS.points**2, axis=1)
    turned = np.column_stack([
        np.cos(angle) * RINGS.points[:, 0] - np.sin(angle) * RINGS.points[:, 1],
        np.sin(angle) * RINGS.points[:, 0] + np.cos(angle) * RINGS.points[:, 1],
    ])  # fmt: skip
    assert np.abs(curl.input.flow(0.3)(RINGS.points) - turned).max() < 1e-9
    model = DenseModel.of(random_net((2, 5, 1)))
    h = 1e-5
    rate = (curl.transformed(model, model.theta, h)(RINGS.points)
            - curl.transformed(model, model.theta, -h)(RINGS.points)) / (2 * h)  # fmt: skip
    assert np.abs(rate - curl.direction(model, model.theta, RINGS.points)).max() < 1e-8
    assert (
        orbit_direction(model_of(Parametrisation.of(random_net((2, 5, 1)))), curl, RINGS).residual
        > 0.01
    )


def test_probes(tmp_path: Any) -> None:
    assert box_grid(2, 3, 1.5).points[:, 0].min() == -1.0
    stacked = RINGS.stacked([0.0, 1.0, 2.0])
    assert abs(stacked.weights.sum() - 1) < 1e-14 and stacked.points.shape == (288, 3)
    table = tmp_path / "points.csv"
    table.write_text("1, 2\n3 4\n")
    assert load_points(str(table), 2).points.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    np.save(tmp_path / "points.npy", np.ones((3, 2)))
    assert len(load_points(str(tmp_path / "points.npy"), 2).points) == 3
    for text, inputs in (("1, x\n", 2), ("1 2\n", 3), ("1 2\n3\n", 2), ("nan 1\n", 2), ("", 2)):
        table.write_text(text)
        with pytest.raises(InputError):
            load_points(str(table), inputs)
    with pytest.raises(InputError):
        Probe.of([[np.inf]])
    with pytest.raises(InputError):
        check_fits(TURN, 3, 1)


def test_sensitivities_do_not_cancel() -> None:
    """S_i takes magnitudes first: f = wx over x = ±1 has S = 1 although the mean is 0."""
    model = DenseModel.of(Network.dense([([[1]], None, "identity")]))
    probe = Probe.of([[1.0], [-1.0]])
    assert aggregated_sensitivity(model, probe)[0] == pytest.approx(1.0)
    assert pointwise_sensitivity(model, probe.points)[:, 0, 0].mean() == 0


def test_leaky_slope_of_activations_with_parameters() -> None:
    z = np.array([-2.0, 3.0])
    assert with_slopes(Activation.leaky_relu(activation("x").coefficients[1] / 4), z)[
        1
    ].tolist() == [0.25, 1.0]  # type: ignore[index]
