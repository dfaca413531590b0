"""Sensitivities and directions of a network with 10⁴ parameters on 512 probes, beside PyTorch.

Both sides run on one thread in float64 and are checked against each other before they are timed.
The baselines are `torch.func.jacrev` (per sample under `vmap`, and of the whole batch), and the
truncated least squares of both targets by `torch.linalg.svd`. Memory is what a Jacobian takes and
the peak that NumPy allocates while both directions are computed.
"""

# ruff: noqa: E402
from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import tracemalloc
from typing import Any

import numpy as np
from timing import Measured, best_of, show

from identcert.attribution.average import circle_average
from identcert.attribution.directions import both_directions
from identcert.attribution.fields import LieAction
from identcert.attribution.gauge import Truncation
from identcert.attribution.generators import rotation
from identcert.attribution.models import DenseModel
from identcert.attribution.probes import random_box
from identcert.attribution.sensitivity import weighted, weighted_jacobian
from identcert.nets.network import Network

TITLE = "Attribution, 8-96-96-1 tanh, 10,273 parameters × 512 probes"
WIDTHS, PROBES, TAU = (8, 96, 96, 1), 512, 1e-6


def make_model() -> DenseModel:
    """The network, seeded."""
    draw = np.random.default_rng(0)
    layers = []
    for k in range(len(WIDTHS) - 1):
        fan_in, fan_out = WIDTHS[k : k + 2]
        weight = draw.normal(0, 1 / np.sqrt(fan_in), (fan_out, fan_in))
        sigma = "tanh" if k < len(WIDTHS) - 2 else "identity"
        layers.append((weight, draw.normal(0, 0.1, fan_out), sigma))
    return DenseModel.of(Network.dense(layers))


def torch_jacobians(model: DenseModel, points: Any) -> tuple[Any, Any]:
    """`jacrev` of a plain PyTorch function: under `vmap`, and of the whole batch."""
    import torch

    torch.set_num_threads(1)
    theta, x = torch.from_numpy(model.theta), torch.from_numpy(points)

    def network(flat: Any, h: Any) -> Any:
        start = 0
        for k, (rows, cols) in enumerate(model.shapes):
            weight = flat[start : start + rows * cols].reshape(rows, cols)
            bias = flat[start + rows * cols : start + rows * (cols + 1)]
            start += rows * (cols + 1)
            h = h @ weight.T + bias
            h = torch.tanh(h) if k < len(model.shapes) - 1 else h
        return h

    single = torch.func.vmap(torch.func.jacrev(network), in_dims=(None, 0))
    batch = torch.func.jacrev(network)
    return (lambda: single(theta, x)), (lambda: batch(theta, x))


def torch_directions(jacobian: Any, targets: Any) -> Any:
    """Gauged truncated least squares of both targets, by one SVD in PyTorch."""
    import torch

    scale = jacobian.norm(dim=0)
    left, sigma, right = torch.linalg.svd(jacobian / scale, full_matrices=False)
    factors = torch.where(sigma >= TAU * sigma[0], 1 / sigma, 0.0)
    return (right.T @ (factors[:, None] * (left.T @ targets))) / scale[:, None]


def measure() -> list[Measured]:
    """Time our Jacobian and directions beside PyTorch's."""
    import torch

    model, probe = make_model(), random_box(WIDTHS[0], PROBES, 1.5)
    action = LieAction.of(rotation(WIDTHS[0], 1))
    average = circle_average(action, 32)
    single, batch = torch_jacobians(model, probe.points)
    rule = Truncation(TAU)

    def ours() -> Any:
        return both_directions(model, action, average, probe, None, rule, rule)

    f = lambda x: model.values(model.theta, x)  # noqa: E731
    eta = weighted(probe, action.direction(model, model.theta, probe.points))
    delta = weighted(probe, average.defect(f, probe.points))
    targets = torch.from_numpy(np.column_stack([eta, -delta]))

    def theirs() -> Any:
        rows = single().reshape(PROBES, -1) / PROBES**0.5
        return torch_directions(rows, targets)

    mine, other = ours(), theirs().numpy()
    for k, direction in enumerate(mine):
        gap = np.abs(direction.components - other[:, k]).max() / np.abs(other[:, k]).max()
        if gap > 1e-6:
            raise RuntimeError(f"the directions differ by {gap}")
    plain = best_of(lambda: model.jacobian(model.theta, probe.points))
    whole = best_of(ours)
    return [
        Measured("Jacobian", plain, "vmap(jacrev)", best_of(single)),
        Measured("Jacobian", plain, "jacrev of the batch", best_of(batch, runs=2)),
        Measured("Jacobian and both directions", whole, "vmap(jacrev) and svd", best_of(theirs, 3)),
    ]


def memory() -> str:
    """What the Jacobian takes, and the peak of both directions."""
    model, probe = make_model(), random_box(WIDTHS[0], PROBES, 1.5)
    action = LieAction.of(rotation(WIDTHS[0], 1))
    average = circle_average(action, 32)
    tracemalloc.start()
    size = weighted_jacobian(model, probe).nbytes
    one = tracemalloc.get_traced_memory()[1]
    tracemalloc.reset_peak()
    both_directions(model, action, average, probe)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return (
        f"  Memory: the Jacobian is {size / 2**20:.0f} MiB; computing it takes {one / 2**20:.0f} "
        f"MiB, both directions {peak / 2**20:.0f} MiB at their peak"
    )


if __name__ == "__main__":
    show(TITLE, measure())
    print(memory())
