"""Least squares for directions: gauged, regularised, and shared between targets (numeric).

J       == the Jacobian of rows √(w_k/m)·S*(x_k), so that norms of columns are the S_i
gauge   == minimise Σ S_i²c_i² instead of Σ c_i²: c̃ = (JD⁻¹)⁺η, c = D⁻¹c̃ with D = diag(S_i)
dead    == a column of norm at most 1e-8 of the largest; its component is 0
truncation == keep σ_k ≥ τσ_1; discontinuous in θ where a rank changes
ridge   == the smooth filter σ/(σ² + λ²σ_1²)

The gauge changes the projection and the rank as soon as anything is truncated. Its formula is the
corrected one: the source writes (JD)⁺, which does not solve Jc = η. Theory of attribution §2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

DEAD = 1e-8


@dataclass(frozen=True, slots=True)
class Truncation:
    """Keep the singular values σ_k ≥ τσ_1. The source's τ is 10⁻³."""

    tau: float = 1e-3

    def filter(self, sigma: Array) -> Array:
        """Return the factors that replace 1/σ."""
        kept = sigma >= self.tau * sigma[0]
        return np.where(kept, 1 / np.where(kept, sigma, 1.0), 0.0)

    def rank(self, sigma: Array) -> int:
        """Return how many singular values are kept."""
        return int(np.count_nonzero(sigma >= self.tau * sigma[0]))

    def text(self) -> str:
        """Return the regularisation in words."""
        return f"truncated below {self.tau:g} of the largest singular value"


@dataclass(frozen=True, slots=True)
class Ridge:
    """Replace 1/σ by σ/(σ² + λ²σ_1²)."""

    lam: float

    def filter(self, sigma: Array) -> Array:
        """Return the factors that replace 1/σ."""
        return np.asarray(sigma / (sigma**2 + (self.lam * sigma[0]) ** 2))

    def rank(self, sigma: Array) -> int:
        """Return how many singular values exceed λσ_1."""
        return int(np.count_nonzero(sigma >= self.lam * sigma[0]))

    def text(self) -> str:
        """Return the regularisation in words."""
        return f"ridge {self.lam:g} of the largest singular value"


Regularisation = Truncation | Ridge


@dataclass(frozen=True, slots=True)
class Factorisation:
    """The thin singular value decomposition JD⁻¹ = UΣVᵀ over the live columns.

    Attributes
    ----------
    jacobian : J of shape (rows, p), already weighted.
    sensitivity : S_i, the norms of its columns.
    alive : the columns that are not dead.
    scale : D on the live columns; ones without the gauge.
    left, sigma : U and Σ.
    """

    jacobian: Array
    sensitivity: Array
    alive: NDArray[np.intp]
    scale: Array
    left: Array
    sigma: Array

    @classmethod
    def of(cls, jacobian: Array, gauge: bool = True) -> Factorisation:
        """Return the factorisation, by a QR decomposition of the longer side first.

        Examples
        --------
        >>> f = Factorisation.of(np.diag([1.0, 2.0]))
        >>> f.solve(np.array([1.0, 2.0]), Truncation()).round(12).tolist()
        [1.0, 1.0]
        """
        sensitivity = np.sqrt(np.einsum("ij,ij->j", jacobian, jacobian))
        largest = sensitivity.max(initial=0.0)
        alive = np.flatnonzero(sensitivity > DEAD * largest)
        scale = sensitivity[alive] if gauge else np.ones(alive.size)
        matrix = jacobian if alive.size == jacobian.shape[1] else jacobian[:, alive]
        left, sigma = _left_factors(matrix / scale)
        return cls(jacobian, sensitivity, alive, scale, left, sigma)

    def solve(self, target: Array, regularisation: Regularisation) -> Array:
        """Return c = D⁻¹ V f(Σ) Uᵀη, with 0 for dead columns.

        V = (JD⁻¹)ᵀUΣ⁻¹ is not formed: it would be as large as J.
        """
        found = np.zeros(self.jacobian.shape[1])
        if not self.sigma.size or self.sigma[0] == 0:
            return found
        factors = regularisation.filter(self.sigma)
        kept = factors != 0
        left, sigma = self.left[:, kept], self.sigma[kept]
        weights = left @ ((left.T @ target) * factors[kept] / sigma)
        if self.alive.size == found.size:
            found[:] = (weights @ self.jacobian) / self.scale**2
        else:
            found[self.alive] = (weights @ self.jacobian)[self.alive] / self.scale**2
        return found

    def rank(self, regularisation: Regularisation) -> int:
        """Return the rank that a regularisation works with."""
        return regularisation.rank(self.sigma) if self.sigma.size and self.sigma[0] > 0 else 0


def _left_factors(matrix: Array) -> tuple[Array, Array]:
    """Return U and Σ of a matrix, which may be overwritten, by QR of its longer side first."""
    from scipy import linalg

    rows, cols = matrix.shape
    if rows <= cols:
        # M = RᵀQᵀ has the left singular vectors of the small Rᵀ
        (square,) = linalg.qr(matrix.T, mode="r", overwrite_a=True, check_finite=False)
        left, sigma, _ = linalg.svd(square[:rows].T, check_finite=False)
        return left, sigma
    basis, square = linalg.qr(matrix, mode="economic", overwrite_a=True, check_finite=False)
    left, sigma, _ = linalg.svd(square, check_finite=False)
    return basis @ left, sigma
