"""The annulus classifiers: data, training, probes. Everything is numeric and seeded.

Inner disc r < 0.6 (label 0), annulus 0.9 < r < 1.5 (label 1), 300 points each, uniform in area,
over the full circle or a 90° wedge. 2-8-8-1 tanh, logistic loss, full-batch Adam.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from identcert.attribution.models import DenseModel
from identcert.attribution.probes import Probe, polar_grid
from identcert.nets.network import Network

Array = NDArray[np.float64]
WIDTHS = (2, 8, 8, 1)
RADII = np.linspace(0.1, 1.5, 12)
ANGLES = 32


@dataclass(frozen=True)
class Data:
    """Points of the two classes with labels 0 and 1."""

    points: Array
    labels: Array


def make_data(draw: np.random.Generator, wedge: bool, count: int = 300) -> Data:
    """Return ``count`` points a class, uniform in area."""
    top = np.pi / 2 if wedge else 2 * np.pi
    points = []
    for low, high in ((0.0, 0.6), (0.9, 1.5)):
        radius = np.sqrt(draw.uniform(low**2, high**2, count))
        angle = draw.uniform(0, top, count)
        points.append(np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]))
    labels = np.repeat([0.0, 1.0], count)
    return Data(np.concatenate(points), labels)


def initial_model(draw: np.random.Generator) -> DenseModel:
    """Return the network with weights N(0, 1.5²/fan-in) and biases N(0, 0.1²)."""
    layers = []
    for index, (fan_in, fan_out) in enumerate(pairwise(WIDTHS)):
        weight = draw.normal(0, 1.5 / np.sqrt(fan_in), (fan_out, fan_in))
        bias = draw.normal(0, 0.1, fan_out)
        sigma = "tanh" if index < len(WIDTHS) - 2 else "identity"
        layers.append((weight, bias, sigma))
    return DenseModel.of(Network.dense(layers))


def train(model: DenseModel, data: Data, steps: int = 1500, rate: float = 1e-2) -> DenseModel:
    """Return the model after full-batch Adam on the logistic loss, with an L2 gradient 1e-3·θ."""
    theta = model.theta.copy()
    first, second = np.zeros_like(theta), np.zeros_like(theta)
    for step in range(1, steps + 1):
        logits = model.values(theta, data.points)[:, 0]
        error = (1 / (1 + np.exp(-logits)) - data.labels) / len(data.labels)
        gradient = pull_back(model, theta, data.points, error) + 1e-3 * theta
        first = 0.9 * first + 0.1 * gradient
        second = 0.999 * second + 0.001 * gradient**2
        corrected = np.sqrt(second / (1 - 0.999**step)) + 1e-8
        theta = theta - rate * (first / (1 - 0.9**step)) / corrected
    return replace(model, theta=theta)


def pull_back(model: DenseModel, theta: Array, points: Array, error: Array) -> Array:
    """Return Σ_k error_k ∂f(x_k)/∂θ, by backpropagation."""
    weights = model.unpack(theta)
    values, slopes = model.forward(theta, points)
    delta = error[:, None] * slopes[-1]
    parts: list[Array] = []
    for index in range(len(weights) - 1, -1, -1):
        parts = [(delta.T @ values[index]).ravel(), delta.sum(axis=0), *parts]
        if index:
            delta = (delta @ weights[index][0]) * slopes[index - 1]
    return np.concatenate(parts)


def accuracy(model: DenseModel, theta: Array, data: Data) -> float:
    """Return the fraction of points on the right side of logit 0."""
    return float(np.mean((model.values(theta, data.points)[:, 0] > 0) == (data.labels > 0.5)))


def probes() -> tuple[Probe, Probe]:
    """Return the probe of 12 rings × 32 angles and the held-out one, shifted in both."""
    return polar_grid(RADII, ANGLES), polar_grid(RADII + 0.02, ANGLES, 0.5)
