"""Forces of potential networks: F(q; α) = −∇_q V(q; α), with all derivatives analytic (numeric).

position == the first d inputs of V, along which it is differentiated; the others are physical
            parameters α, on which nothing acts
tangent  == the derivative of every quantity of the backward pass along one direction of inputs:
            ∂(∇V·v)/∂W_l = ġ_l ⊗ h_{l−1} + g_l ⊗ ḣ_{l−1}, where g_l = ∂V/∂z_l
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from identcert.attribution.models import DenseModel
from identcert.attribution.slopes import with_slopes
from identcert.errors import InputError

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PotentialForce:
    """The force of a scalar dense network, as a function of all its parameters.

    Attributes
    ----------
    potential : V, a model with one output.
    position : d, the number of inputs that are coordinates.

    Examples
    --------
    >>> from identcert.nets.network import Network
    >>> square = Network.dense([([[1, 0], [0, 1]], None, "x^2"), ([[1, 3]], [0], "identity")])
    >>> force = PotentialForce(DenseModel.of(square), 2)
    >>> force.values(force.theta, np.array([[1.0, 2.0]])).tolist()
    [[-2.0, -12.0]]
    """

    potential: DenseModel
    position: int

    def __post_init__(self) -> None:
        if self.potential.outputs != 1 or not 1 <= self.position <= self.potential.shapes[0][1]:
            raise InputError("a potential has one output, and coordinates among its inputs")

    @property
    def outputs(self) -> int:
        """The dimension d of the force."""
        return self.position

    @property
    def theta(self) -> Array:
        """The parameters of the potential."""
        return self.potential.theta

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return self.potential.names

    @property
    def groups(self) -> tuple[str, ...]:
        """The layers of the parameters."""
        return self.potential.groups

    def values(self, theta: Array, points: Array) -> Array:
        """Return F at points of shape (N, n), of shape (N, d)."""
        weights = self.potential.unpack(theta)
        _, slopes = self.potential.forward(theta, points)
        g = np.asarray(slopes[-1])
        for index in range(len(weights) - 1, 0, -1):
            g = (g @ weights[index][0]) * slopes[index - 1]
        return -(g @ weights[0][0])[:, : self.position]

    def jacobian(self, theta: Array, points: Array) -> Array:
        """Return ∂F/∂θ, of shape (N, d, p)."""
        found = np.empty((len(points), self.position, theta.size))
        states = self._states(theta, points)
        for k in range(self.position):
            velocity = np.zeros_like(points)
            velocity[:, k] = 1.0
            self._write_column(theta, states, velocity, found[:, k, :])
        return found

    def push(self, theta: Array, points: Array, velocity: Array) -> Array:
        """Return DF(x)·v, of shape (N, d): minus the Hessian of V along v."""
        weights = self.potential.unpack(theta)
        states = self._states(theta, points)
        _, gradients = self._tangents(theta, states, velocity)
        return -(gradients[0][1] @ weights[0][0])[:, : self.position]

    def _states(self, theta: Array, points: Array) -> list[tuple[Array, ...]]:
        """Return (h_{l−1}, σ'(z_l), σ''(z_l)) of every layer."""
        h = points
        states: list[tuple[Array, ...]] = []
        pairs = zip(self.potential.unpack(theta), self.potential.activations, strict=True)
        for (weight, bias), sigma in pairs:
            value, slope, bend = with_slopes(sigma, h @ weight.T + bias, 2)
            states.append((h, slope, bend))
            h = value
        return states

    def _tangents(
        self, theta: Array, states: list[tuple[Array, ...]], velocity: Array
    ) -> tuple[list[Array], list[tuple[Array, Array]]]:
        """Return ḣ_0, …, ḣ_{L−1} and the pairs (g_l, ġ_l) of all layers."""
        weights = self.potential.unpack(theta)
        moved, sums = [velocity], []
        for (weight, _), (_, slope, _) in zip(weights, states, strict=True):
            sums.append(moved[-1] @ weight.T)
            moved.append(slope * sums[-1])
        _, slope, bend = states[-1]
        g, dg = np.asarray(slope), bend * sums[-1]
        pairs = [(g, dg)]
        for index in range(len(weights) - 1, 0, -1):
            _, slope, bend = states[index - 1]
            back, moving = g @ weights[index][0], dg @ weights[index][0]
            g, dg = slope * back, bend * sums[index - 1] * back + slope * moving
            pairs.insert(0, (g, dg))
        return moved[:-1], pairs

    def _write_column(
        self, theta: Array, states: list[tuple[Array, ...]], velocity: Array, out: Array
    ) -> None:
        """Write −∂(∇V·v)/∂θ of shape (N, p) in place."""
        moved, gradients = self._tangents(theta, states, velocity)
        start = 0
        for index, (rows, cols) in enumerate(self.potential.shapes):
            middle, end = start + rows * cols, start + rows * (cols + 1)
            g, dg = gradients[index]
            h, dh = states[index][0], moved[index]
            block = out[:, start:middle].reshape(len(out), rows, cols)
            np.multiply(-dg[:, :, None], h[:, None, :], out=block)
            block -= g[:, :, None] * dh[:, None, :]
            out[:, middle:end] = -dg
            start = end
