"""Probe distributions: the points over which functions are compared (numeric).

probe == points x_k with weights w_k that sum to 1; ⟨f, g⟩ = Σ w_k f(x_k)·g(x_k) / m
rms   == the norm of that inner product, for functions with m outputs
stack == a probe repeated for several values of a physical parameter, which become columns

Grids are uniform in their coordinates, as in the paper: a polar grid has as many points on a
small ring as on a large one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from identcert.errors import InputError

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Probe:
    """Points with weights.

    Attributes
    ----------
    points : of shape (N, n).
    weights : of shape (N,), positive, with sum 1.
    """

    points: Array
    weights: Array

    @classmethod
    def of(cls, points: Array | Sequence[Sequence[float]]) -> Probe:
        """Return the probe of a data set, all points with equal weight.

        Raises
        ------
        InputError
            If the points are no finite table with at least one row.
        """
        table = np.ascontiguousarray(points, dtype=np.float64)
        if table.ndim != 2 or not table.size or not np.isfinite(table).all():
            raise InputError(f"probe points of shape {table.shape} are no table of finite numbers")
        return cls(table, np.full(len(table), 1 / len(table)))

    def rms(self, values: Array) -> float:
        """Return the norm of a function from its values, of shape (N, m)."""
        return float(np.sqrt(self.dot(values, values)))

    def dot(self, left: Array, right: Array) -> float:
        """Return the inner product of two functions from their values."""
        return float(self.weights @ np.mean(left * right, axis=1))

    def stacked(self, values: Sequence[float]) -> Probe:
        """Return the probe with a last column for each of several values of a parameter.

        >>> polar_grid([1.0], 4).stacked([0.0, 2.0]).points.shape
        (8, 3)
        """
        blocks = [
            np.column_stack([self.points, np.full(len(self.points), value)]) for value in values
        ]
        return Probe(np.concatenate(blocks), np.tile(self.weights, len(values)) / len(values))


def polar_grid(radii: Sequence[float], angles: int, shift: float = 0.0) -> Probe:
    """Return rings in the plane; ``shift`` turns the angles, in steps of the grid.

    >>> polar_grid([1.0, 2.0], 32).points.shape
    (64, 2)
    """
    turns = 2 * np.pi * (np.arange(angles) + shift) / angles
    circle = np.column_stack([np.cos(turns), np.sin(turns)])
    return Probe.of(np.concatenate([radius * circle for radius in radii]))


def box_grid(inputs: int, per_axis: int, radius: float = 1.0) -> Probe:
    """Return the midpoints of a regular grid of cells in the box [−r, r]^n."""
    if per_axis**inputs > 1_000_000:
        raise InputError(f"a grid of {per_axis}^{inputs} points is too large", "probe")
    axis = radius * ((2 * np.arange(per_axis) + 1) / per_axis - 1)
    mesh = np.meshgrid(*[axis] * inputs, indexing="ij")
    return Probe.of(np.column_stack([m.ravel() for m in mesh]))


def random_box(inputs: int, count: int, radius: float = 1.0, seed: int = 0) -> Probe:
    """Return independent uniform points of the box [−r, r]^n."""
    draw = np.random.default_rng(seed)
    return Probe.of(draw.uniform(-radius, radius, (count, inputs)))


def sphere(inputs: int, count: int, radii: Sequence[float] = (1.0,), seed: int = 0) -> Probe:
    """Return independent uniform points on spheres about 0, ``count`` on each."""
    draw = np.random.default_rng(seed)
    points = draw.normal(size=(len(radii), count, inputs))
    points /= np.linalg.norm(points, axis=2, keepdims=True)
    return Probe.of((points * np.asarray(radii)[:, None, None]).reshape(-1, inputs))


def load_points(path: str, inputs: int) -> Probe:
    """Return the data set of a .npy file or of a text table with blanks or commas.

    Raises
    ------
    InputError
        If the file cannot be read or its points do not fit the network.
    """
    try:
        if path.endswith(".npy"):
            table = np.load(path, allow_pickle=False)
        else:
            with open(path, encoding="utf-8") as stream:
                lines = [line.replace(",", " ").split() for line in stream if line.strip()]
            table = np.array([[float(word) for word in line] for line in lines])
    except (OSError, ValueError) as error:
        raise InputError(f"the probe points cannot be read ({error})", path) from None
    probe = Probe.of(table)
    if probe.points.shape[1] != inputs:
        what = f"points of {probe.points.shape[1]} coordinates do not fit {inputs} inputs"
        raise InputError(what, path)
    return probe
