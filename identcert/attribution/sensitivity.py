"""Functional sensitivities of parameters (numeric).

S*_i(x; θ) == ∂f_θ(x)/∂θ_i, pointwise
S_i        == √(E‖S*_i(x)‖²/m), aggregated over a probe; magnitudes are taken before the mean, so
              that changes of sign do not cancel
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from identcert.attribution.models import Model
from identcert.attribution.probes import Probe

Array = NDArray[np.float64]


def pointwise_sensitivity(model: Model, points: Array, theta: Array | None = None) -> Array:
    """Return S*, of shape (N, m, p)."""
    return model.jacobian(model.theta if theta is None else theta, points)


def aggregated_sensitivity(model: Model, probe: Probe, theta: Array | None = None) -> Array:
    """Return S_i, of shape (p,).

    Examples
    --------
    >>> from identcert.attribution.models import DenseModel
    >>> from identcert.nets.network import Network
    >>> model = DenseModel.of(Network.dense([([[2]], [0], "identity")]))
    >>> aggregated_sensitivity(model, Probe.of([[3.0], [-3.0]])).round(12).tolist()
    [3.0, 1.0]
    """
    jacobian = weighted_jacobian(model, probe, theta)
    return np.asarray(np.sqrt(np.einsum("ij,ij->j", jacobian, jacobian)))


def weighted_jacobian(model: Model, probe: Probe, theta: Array | None = None) -> Array:
    """Return the rows √(w_k/m)·S*(x_k), of shape (N·m, p), whose columns have norms S_i."""
    jacobian = pointwise_sensitivity(model, probe.points, theta)
    jacobian *= row_scale(probe, jacobian.shape[1])[:, :, None]
    return jacobian.reshape(-1, jacobian.shape[2])


def weighted(probe: Probe, values: Array) -> Array:
    """Return the vector of √(w_k/m)·f(x_k), of shape (N·m,), whose norm is the rms of f."""
    return np.asarray((values * row_scale(probe, values.shape[1])).ravel())


def row_scale(probe: Probe, outputs: int) -> Array:
    """Return √(w_k/m), of shape (N, m)."""
    return np.repeat(np.sqrt(probe.weights / outputs)[:, None], outputs, axis=1)
