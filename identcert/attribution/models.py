"""Parametrised functions with their derivatives: what sensitivities are computed from (numeric).

θ    == the vector of parameters, of length p
S*   == the sensitivities ∂f(x)/∂θ_i; the Jacobian has shape (N, m, p) at N points
push == the derivative Df(x)·v along a velocity of the inputs

`DenseModel` does this analytically for a network. Any other class with the members of `Model`
takes part as well: `identcert.attribution.potential`, `identcert.attribution.torch_module`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from identcert.attribution.parameters import Parametrisation, all_places, place_name
from identcert.attribution.slopes import with_slopes
from identcert.nets.activation import Activation
from identcert.nets.evaluation import float_layers
from identcert.nets.network import Network
from identcert.nets.numeric import float_of

Array = NDArray[np.float64]
Indices = NDArray[np.intp]


class Model(Protocol):
    """A function f_θ: Rⁿ → Rᵐ with sensitivities; arrays are float64."""

    @property
    def outputs(self) -> int:
        """The dimension m."""

    @property
    def theta(self) -> Array:
        """The parameters that the model starts with, of shape (p,)."""

    @property
    def names(self) -> tuple[str, ...]:
        """What reports call the parameters."""

    @property
    def groups(self) -> tuple[str, ...]:
        """The layer of every parameter, for tables."""

    def values(self, theta: Array, points: Array) -> Array:
        """Return f_θ of points of shape (N, n), of shape (N, m)."""

    def jacobian(self, theta: Array, points: Array) -> Array:
        """Return S*, of shape (N, m, p)."""

    def push(self, theta: Array, points: Array, velocity: Array) -> Array:
        """Return Df(x)·v for velocities of shape (N, n), of shape (N, m)."""


@dataclass(frozen=True, slots=True)
class DenseModel:
    """A dense network as a function of all its weights and biases, layer by layer.

    Attributes
    ----------
    shapes : the shapes (rows, columns) of the weights.
    activations : σ of every layer, the last one included.
    theta : all weights row by row and biases, layer by layer.
    names, groups : names and layers of the parameters.

    Examples
    --------
    >>> net = Network.dense([([[1, 2]], [3], "x^2"), ([[1]], [0], "identity")])
    >>> model = DenseModel.of(net)
    >>> model.jacobian(model.theta, np.array([[1.0, 0.0]])).tolist()
    [[[8.0, 0.0, 8.0, 16.0, 1.0]]]
    """

    shapes: tuple[tuple[int, int], ...]
    activations: tuple[Activation, ...]
    theta: Array
    names: tuple[str, ...]
    groups: tuple[str, ...]

    @classmethod
    def of(cls, network: Network) -> DenseModel:
        """Return the model of a network, each number rounded to the nearest float64."""
        pairs = float_layers(network.layers, network.field)
        flat = [part.ravel() for pair in pairs for part in pair]
        places = all_places(network)
        return cls(
            tuple(layer.weight.shape for layer in network.layers),
            tuple(layer.activation for layer in network.layers),
            np.concatenate(flat),
            tuple(place_name(network, place) for place in places),
            tuple(f"layer {place.layer + 1}" for place in places),
        )

    @property
    def outputs(self) -> int:
        """The dimension m of the outputs."""
        return self.shapes[-1][0]

    def unpack(self, theta: Array) -> list[tuple[Array, Array]]:
        """Return the weights and biases in a parameter vector, as views."""
        found, start = [], 0
        for rows, cols in self.shapes:
            middle, end = start + rows * cols, start + rows * (cols + 1)
            found.append((theta[start:middle].reshape(rows, cols), theta[middle:end]))
            start = end
        return found

    def values(self, theta: Array, points: Array) -> Array:
        """Return f_θ of points of shape (N, n), of shape (N, m)."""
        h = points
        for (weight, bias), sigma in zip(self.unpack(theta), self.activations, strict=True):
            h = sigma.numpy(h @ weight.T + bias)
        return h

    def forward(self, theta: Array, points: Array) -> tuple[list[Array], list[Array]]:
        """Return h_0 = x, …, h_L and the slopes σ'(z_1), …, σ'(z_L)."""
        values, slopes = [points], []
        for (weight, bias), sigma in zip(self.unpack(theta), self.activations, strict=True):
            value, slope = with_slopes(sigma, values[-1] @ weight.T + bias)
            values.append(value)
            slopes.append(slope)
        return values, slopes

    def jacobian(self, theta: Array, points: Array) -> Array:
        """Return S* of shape (N, m, p): the outer products δ_l ⊗ h_{l−1}, and δ_l.

        Every block is written in place, so that the memory is that of the result.
        """
        weights = self.unpack(theta)
        values, slopes = self.forward(theta, points)
        count, m = len(points), self.outputs
        found = np.empty((count, m, theta.size))
        delta = np.eye(m) * slopes[-1][:, None, :]
        end = theta.size
        for index in range(len(weights) - 1, -1, -1):
            rows, cols = self.shapes[index]
            if index < len(weights) - 1:
                delta = (delta @ weights[index + 1][0]) * slopes[index][:, None, :]
            start, middle = end - rows * (cols + 1), end - rows
            block = found[:, :, start:middle].reshape(count, m, rows, cols)
            np.multiply(delta[..., None], values[index][:, None, None, :], out=block)
            found[:, :, middle:end] = delta
            end = start
        return found

    def push(self, theta: Array, points: Array, velocity: Array) -> Array:
        """Return Df(x)·v, of shape (N, m)."""
        h, dh = points, velocity
        for (weight, bias), sigma in zip(self.unpack(theta), self.activations, strict=True):
            h, slope = with_slopes(sigma, h @ weight.T + bias)
            dh = slope * (dh @ weight.T)
        return dh


@dataclass(frozen=True, slots=True)
class RestrictedModel:
    """A model over some coordinates of its parameters: masked, tied or frozen ones.

    Attributes
    ----------
    base : the model over all parameters.
    index, owner, factor : entry ``index[k]`` of θ moves by factor[k]·φ[owner[k]].
    theta : the coordinates, of which φ − theta is added to the base's parameters.
    names, groups : names and layers of the coordinates.
    """

    base: Model
    index: Indices
    owner: Indices
    factor: Array
    theta: Array
    names: tuple[str, ...]
    groups: tuple[str, ...]
    is_selection: bool = field(default=True)

    @property
    def outputs(self) -> int:
        """The dimension m of the outputs."""
        return self.base.outputs

    def whole(self, theta: Array) -> Array:
        """Return the parameters of the base at given coordinates."""
        full = np.array(self.base.theta)
        full[self.index] += self.factor * (theta - self.theta)[self.owner]
        return full

    def values(self, theta: Array, points: Array) -> Array:
        """Return f_θ of points of shape (N, n), of shape (N, m)."""
        return self.base.values(self.whole(theta), points)

    def jacobian(self, theta: Array, points: Array) -> Array:
        """Return S* over the coordinates, of shape (N, m, k)."""
        full = self.base.jacobian(self.whole(theta), points)
        if self.is_selection:
            return full if self.index.size == full.shape[2] else full[:, :, self.index]
        from scipy.sparse import csr_array

        shape = (full.shape[2], self.theta.size)
        tie = csr_array((self.factor, (self.index, self.owner)), shape=shape)
        flat = full.reshape(-1, shape[0])
        return np.asarray((tie.T @ flat.T).T).reshape(*full.shape[:2], -1)

    def push(self, theta: Array, points: Array, velocity: Array) -> Array:
        """Return Df(x)·v, of shape (N, m)."""
        return self.base.push(self.whole(theta), points, velocity)


def model_of(parametrisation: Parametrisation) -> RestrictedModel:
    """Return the numeric model of a network over the coordinates of a parametrisation.

    Examples
    --------
    >>> net = Network.dense([([[1, 0], [0, 1]], None, "x^2"), ([[3, 1]], None, "identity")])
    >>> model = model_of(Parametrisation.of(net, frozen=["W1"]))
    >>> model.names, model.jacobian(model.theta, np.array([[1.0, 2.0]])).tolist()
    (('W2[0,0]', 'W2[0,1]'), [[[1.0, 4.0]]])
    """
    return restricted(DenseModel.of(parametrisation.network), parametrisation)


def restricted(base: Model, parametrisation: Parametrisation) -> RestrictedModel:
    """Return a model over all places of a network, over the coordinates of a parametrisation."""
    places = {place: k for k, place in enumerate(all_places(parametrisation.network))}
    terms = [
        (places[place], owner, float_of(c))
        for owner, coordinate in enumerate(parametrisation.coordinates)
        for place, c in coordinate.terms
    ]
    index = np.array([k for k, _, _ in terms], dtype=np.intp)
    owner = np.array([k for _, k, _ in terms], dtype=np.intp)
    factor = np.array([c for _, _, c in terms])
    leading = [coordinate.terms[0] for coordinate in parametrisation.coordinates]
    theta = np.array([base.theta[places[place]] / float_of(c) for place, c in leading])
    groups = tuple(base.groups[places[place]] for place, _ in leading)
    return RestrictedModel(
        base, index, owner, factor, theta, parametrisation.names, groups,
        parametrisation.is_selection,
    )  # fmt: skip
