"""Mexican-hat Hamiltonians learned by trajectory matching. Everything is numeric and seeded.

H = ½|p|² + ½α|q|² + ¼|q|⁴ in the plane, with force F = −(α + |q|²)q, which no rotation changes.
A potential network V(q; α), and a kinetic network K(p) or ½|p|², are stepped by leapfrog (half
kick, drift, half kick) and fitted to a reference of 50 times finer steps. Training needs PyTorch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from identcert.attribution.models import DenseModel
from identcert.attribution.potential import PotentialForce
from identcert.attribution.probes import Probe, polar_grid
from identcert.nets.network import Network

Array = NDArray[np.float64]
ALPHAS = (-1.0, -0.5, 0.0)
UNSEEN = (-0.75, -0.25)
STEP, STEPS, FINER = 0.1, 5, 50


@dataclass(frozen=True)
class Fit:
    """How a network was fitted."""

    loss: float
    force_error: float


def true_force(q: Array, alpha: Array) -> Array:
    """Return −(α + |q|²)q."""
    return -(alpha[:, None] + np.sum(q * q, axis=1, keepdims=True)) * q


def leapfrog(
    force: Callable[[Any], Any], velocity: Callable[[Any], Any], q: Any, p: Any, h: float
) -> tuple[Any, Any]:
    """Return (q, p) after one step: half kick, drift, half kick."""
    p = p + h / 2 * force(q)
    q = q + h * velocity(p)
    return q, p + h / 2 * force(q)


def trajectories(seed: int, count: int = 300) -> tuple[Array, Array, Array]:
    """Return α of shape (N,) and reference q, p of shape (STEPS + 1, N, 2)."""
    draw = np.random.default_rng(seed)
    angle, radius = draw.uniform(0, 2 * np.pi, (2, count)), np.sqrt(draw.uniform(0, 1, (2, count)))
    unit = np.stack([np.cos(angle), np.sin(angle)], axis=-1) * radius[..., None]
    q, p = unit[0], unit[1] / 2
    alpha = draw.choice(ALPHAS, count)
    found_q, found_p = [q], [p]
    for _ in range(STEPS):
        for _ in range(FINER):
            q, p = leapfrog(lambda x: true_force(x, alpha), lambda v: v, q, p, STEP / FINER)
        found_q.append(q)
        found_p.append(p)
    return alpha, np.stack(found_q), np.stack(found_p)


def make_network(draw: np.random.Generator, widths: Sequence[int]) -> Network:
    """Return a tanh network with weights N(0, 1/fan-in) and biases N(0, 0.1²)."""
    layers = []
    for index in range(len(widths) - 1):
        fan_in, fan_out = widths[index : index + 2]
        weight = draw.normal(0, 1 / np.sqrt(fan_in), (fan_out, fan_in))
        sigma = "tanh" if index < len(widths) - 2 else "identity"
        layers.append((weight, draw.normal(0, 0.1, fan_out), sigma))
    return Network.dense(layers)


def to_torch(model: DenseModel, torch: Any) -> Any:
    """Return the model as a `torch.nn.Sequential` in float64."""
    leaves: list[Any] = []
    pairs = model.unpack(model.theta)
    for k, (weight, bias) in enumerate(pairs):
        linear = torch.nn.Linear(weight.shape[1], weight.shape[0], dtype=torch.float64)
        linear.weight.data = torch.from_numpy(weight.copy())
        linear.bias.data = torch.from_numpy(bias.copy())
        leaves += [linear, torch.nn.Tanh()] if k < len(pairs) - 1 else [linear]
    return torch.nn.Sequential(*leaves)


def from_torch(module: Any, model: DenseModel) -> DenseModel:
    """Return the model with the parameters of a module."""
    flat = np.concatenate([p.detach().numpy().ravel() for p in module.parameters()])
    return DenseModel(model.shapes, model.activations, flat, model.names, model.groups)


def train(
    potential: DenseModel,
    kinetic: DenseModel | None,
    iterations: int,
    seed: int,
    decay: float = 1e-7,
) -> tuple[DenseModel, DenseModel | None, float]:
    """Return the potential, the kinetic model and the loss after L-BFGS on the trajectories."""
    import torch

    torch.set_num_threads(1)
    alpha, q, p = (torch.from_numpy(a) for a in trajectories(seed))
    nets = [to_torch(m, torch) for m in (potential, kinetic) if m is not None]
    parameters = [w for net in nets for w in net.parameters()]

    def gradient(net: Any, x: Any) -> Any:
        x = x if x.requires_grad else x.detach().requires_grad_()
        return torch.autograd.grad(net(x).sum(), x, create_graph=True)[0]

    def force(x: Any) -> Any:
        return -gradient(nets[0], torch.cat([x, alpha[:, None]], dim=1))[:, :2]

    def velocity(v: Any) -> Any:
        return v if kinetic is None else gradient(nets[1], v)

    def loss() -> Any:
        x, v, total = q[0], p[0], torch.zeros((), dtype=torch.float64)
        for k in range(1, STEPS + 1):
            x, v = leapfrog(force, velocity, x, v, STEP)
            total = total + ((x - q[k]) ** 2).mean() + ((v - p[k]) ** 2).mean()
        return total / STEPS + decay * sum((w**2).sum() for w in parameters)

    optimiser = torch.optim.LBFGS(
        parameters, lr=1, max_iter=iterations, history_size=50, tolerance_grad=0,
        tolerance_change=0, line_search_fn="strong_wolfe",
    )  # fmt: skip

    def closure() -> Any:
        optimiser.zero_grad()
        value = loss()
        value.backward()
        return value

    optimiser.step(closure)
    final = float(loss().detach())
    trained = [from_torch(n, m) for n, m in zip(nets, (potential, kinetic), strict=False) if m]
    return trained[0], trained[1] if kinetic else None, final


def probes(rings: int = 8, angles: int = 24) -> tuple[Probe, Probe]:
    """Return the probe over the training α, and a shifted one over unseen α."""
    radii = np.arange(1, rings + 1) / rings
    held_out = radii - 1 / (2 * rings)
    return (
        polar_grid(radii, angles).stacked(ALPHAS),
        polar_grid(held_out, angles, 0.5).stacked(UNSEEN),
    )


def force_error(force: PotentialForce, probe: Probe) -> float:
    """Return ‖F_θ − F‖/‖F‖ over a probe."""
    truth = true_force(probe.points[:, :2], probe.points[:, 2])
    return probe.rms(force.values(force.theta, probe.points) - truth) / probe.rms(truth)
