"""PyTorch modules: the same interface and numbers, and the Lie derivative of Gruver et al."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from identcert.attribution.average import circle_average
from identcert.attribution.directions import both_directions, orbit_direction
from identcert.attribution.fields import LieAction
from identcert.attribution.generators import rotation
from identcert.attribution.models import DenseModel, model_of
from identcert.attribution.parameters import Parametrisation
from identcert.attribution.potential import PotentialForce
from identcert.attribution.probes import polar_grid
from identcert.attribution.sensitivity import aggregated_sensitivity
from identcert.attribution.torch_module import TorchModel, minus_gradient
from identcert.errors import UnsupportedError
from identcert.nets.network import Network

torch = pytest.importorskip("torch")
PROBE = polar_grid([0.4, 0.8, 1.2], 16)


def module(widths: tuple[int, ...], last: bool = False) -> Any:
    torch.manual_seed(0)
    leaves: list[Any] = []
    for fan_in, fan_out in pairwise(widths):
        leaves += [torch.nn.Linear(fan_in, fan_out), torch.nn.Tanh()]
    return torch.nn.Sequential(*(leaves if last else leaves[:-1])).double()


def test_same_numbers_as_the_dense_model() -> None:
    net = module((2, 6, 5, 2))
    ours = model_of(Parametrisation.of(Network.from_torch(net)))
    theirs = TorchModel(net, 2)
    assert np.array_equal(ours.theta, theirs.theta)
    points = PROBE.points
    assert (
        np.abs(ours.values(ours.theta, points) - theirs.values(theirs.theta, points)).max() < 1e-14
    )
    gap = ours.jacobian(ours.theta, points) - theirs.jacobian(theirs.theta, points)
    assert np.abs(gap).max() < 1e-14
    velocity = np.random.default_rng(0).normal(size=points.shape)
    pushed = [m.push(m.theta, points, velocity) for m in (ours, theirs)]
    assert np.abs(pushed[0] - pushed[1]).max() < 1e-14
    action = LieAction.of(rotation(2, 2, same=True))
    average = circle_average(action, 16)
    for mine, other in zip(
        both_directions(ours, action, average, PROBE),
        both_directions(theirs, action, average, PROBE),
        strict=True,
    ):
        assert np.abs(mine.components - other.components).max() < 1e-6
    assert set(theirs.groups) == {"0", "2", "4"} and theirs.names[0] == "0.weight[0,0]"


def test_frozen_parameters_are_left_out() -> None:
    net = module((2, 4, 1))
    net[0].weight.requires_grad_(False)
    model = TorchModel(net, 1)
    assert model.theta.size == 4 + 4 + 1 and model.names[0] == "0.bias[0]"
    assert aggregated_sensitivity(model, PROBE).shape == (9,)
    frozen = model_of(Parametrisation.of(Network.from_torch(net), frozen=["W1"]))
    gap = frozen.jacobian(frozen.theta, PROBE.points) - model.jacobian(model.theta, PROBE.points)
    assert np.abs(gap).max() < 1e-14
    for p in net.parameters():
        p.requires_grad_(False)
    with pytest.raises(UnsupportedError):
        TorchModel(net, 1)


def test_forces_of_potentials() -> None:
    net = module((3, 6, 5, 1))
    ours = PotentialForce(DenseModel.of(Network.from_torch(net)), 2)
    theirs = TorchModel(net, 2, minus_gradient(2))
    points = np.random.default_rng(0).normal(size=(7, 3))
    for name in ("values", "jacobian"):
        gap = getattr(ours, name)(ours.theta, points) - getattr(theirs, name)(theirs.theta, points)
        assert np.abs(gap).max() < 1e-14


class Residual(torch.nn.Module):  # type: ignore[misc]
    """A module that no dense network is, with LayerNorm and a skip."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = torch.nn.Linear(2, 8)
        self.norm = torch.nn.LayerNorm(8)
        self.outer = torch.nn.Linear(8, 2)

    def forward(self, x: Any) -> Any:
        return x + self.outer(torch.tanh(self.norm(self.inner(x))))


@pytest.mark.parametrize("same", [False, True])
def test_agreement_with_the_lie_derivative_error(same: bool) -> None:
    """Gruver et al.: L f = d/dt ρ(−t) f(τ_t x) at 0, by double backward; it is −η, same norm."""
    torch.manual_seed(1)
    net = Residual().double()
    model = TorchModel(net, 2)
    action = LieAction.of(rotation(2, 2, same=same))
    eta = action.direction(model, model.theta, PROBE.points)
    x = torch.from_numpy(PROBE.points)

    def turned(t: Any, v: Any) -> Any:
        c, s = torch.cos(t), torch.sin(t)
        return torch.stack([c * v[:, 0] - s * v[:, 1], s * v[:, 0] + c * v[:, 1]], dim=1)

    def transformed(t: Any) -> Any:
        y = net(turned(t, x))
        return turned(-t, y) if same else y

    # jvp by double backward: the gradient of ⟨u, ∂F/∂t⟩ in u
    t = torch.zeros((), dtype=torch.float64, requires_grad=True)
    u = torch.zeros(len(x), 2, dtype=torch.float64, requires_grad=True)
    (first,) = torch.autograd.grad((transformed(t) * u).sum(), t, create_graph=True)
    (lie,) = torch.autograd.grad(first, u)
    assert np.abs(lie.numpy() + eta).max() < 1e-14
    error = float((lie**2).mean())
    assert abs(error - PROBE.rms(eta) ** 2) < 1e-14
    assert abs(orbit_direction(model, action, PROBE).target_rms ** 2 - error) < 1e-14
