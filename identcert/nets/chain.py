"""Compositions of affine maps and entrywise activations, collected one map at a time.

Glossary
--------
chain : a map Rⁿ → Rᵐ written as affine, σ₁, affine, σ₂, …, affine over Q.
pending : the affine map since the last activation, not yet a layer.

File readers meet a network as a list of small nodes (subtract a mean, divide by
a range, multiply by a matrix, add a bias). A `Chain` combines neighbouring
affine maps exactly over Q, so that the layers compute the same function over
the reals as the nodes do. Scalings stay diagonal until a dense map needs them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq

from identcert.errors import InputError
from identcert.exact.field import QQ
from identcert.exact.matrix import Matrix
from identcert.nets.activation import Activation, activation
from identcert.nets.network import Layer

Vector = tuple[fmpq, ...]
ZERO, ONE = fmpq(0), fmpq(1)


@dataclass(frozen=True, slots=True)
class PendingAffine:
    """An affine map x ↦ A x + c over Q, with A dense or diagonal.

    Parameters
    ----------
    linear : the m×n matrix A, or the diagonal of A as a tuple of n factors.
    shift : c, of length m.
    has_bias : whether a bias term was written, be its value zero or not.
    """

    linear: Matrix | Vector
    shift: Vector
    has_bias: bool

    @classmethod
    def identity(cls, dim: int) -> PendingAffine:
        """Return x ↦ x on Rⁿ."""
        return cls((ONE,) * dim, (ZERO,) * dim, False)

    @property
    def outputs(self) -> int:
        """Dimension m of the target."""
        return len(self.shift)

    def matrix(self) -> Matrix:
        """Return A as a dense matrix of shape (m, n)."""
        if isinstance(self.linear, Matrix):
            return self.linear
        n = len(self.linear)
        rows = [[self.linear[i] if i == j else ZERO for j in range(n)] for i in range(n)]
        return Matrix.of(rows, QQ, cols=n)

    def then_scale(self, factors: Sequence[fmpq]) -> PendingAffine:
        """Return D(A x + c) with D = diag(factors)."""
        shift = tuple(f * c for f, c in zip(factors, self.shift, strict=True))
        if isinstance(self.linear, Matrix):
            rows = zip(factors, self.linear.to_rows(), strict=True)
            scaled = Matrix.of(([f * w for w in row] for f, row in rows), QQ, self.linear.cols)
            return PendingAffine(scaled, shift, self.has_bias)
        diagonal = tuple(f * d for f, d in zip(factors, self.linear, strict=True))
        return PendingAffine(diagonal, shift, self.has_bias)

    def then_shift(self, offsets: Sequence[fmpq]) -> PendingAffine:
        """Return A x + c + offsets."""
        shift = tuple(c + o for c, o in zip(self.shift, offsets, strict=True))
        return PendingAffine(self.linear, shift, True)

    def then_dense(self, weight: Matrix) -> PendingAffine:
        """Return W(A x + c) for W = weight of shape (k, m)."""
        shift = tuple(weight.apply(self.shift))
        if isinstance(self.linear, Matrix):
            return PendingAffine(weight @ self.linear, shift, self.has_bias)
        if all(d == ONE for d in self.linear):
            return PendingAffine(weight, shift, self.has_bias)
        rows = ([w * d for w, d in zip(row, self.linear, strict=True)] for row in weight.to_rows())
        return PendingAffine(Matrix.of(rows, QQ, weight.cols), shift, self.has_bias)

    def permuted(self, index: Sequence[int]) -> PendingAffine:
        """Return x ↦ y[index] for y = A x + c, as NumPy indexes."""
        shift = tuple(self.shift[i] for i in index)
        return PendingAffine(self.matrix().select_rows(index), shift, self.has_bias)


class Chain:
    """The layers read so far, followed by one pending affine map.

    Parameters
    ----------
    inputs : dimension n of the source space.

    Notes
    -----
    Invariant: the layers, then the pending map, compute exactly the composition
    of everything given to the chain.

    Examples
    --------
    >>> chain = Chain(1)
    >>> chain.shift([-1])
    >>> chain.scale([fmpq(1, 3)])
    >>> [layer.weight[0, 0] for layer in chain.layers()]
    [1/3]
    """

    def __init__(self, inputs: int) -> None:
        self.inputs = inputs
        self._layers: list[Layer] = []
        self._pending = PendingAffine.identity(inputs)

    @property
    def outputs(self) -> int:
        """Dimension of the space that the chain has reached."""
        return self._pending.outputs

    def scale(self, factors: Sequence[fmpq]) -> None:
        """Multiply entry i by factors[i]."""
        if any(f != ONE for f in factors):
            self._pending = self._pending.then_scale(factors)

    def shift(self, offsets: Sequence[fmpq]) -> None:
        """Add offsets[i] to entry i."""
        self._pending = self._pending.then_shift(offsets)

    def dense(self, weight: Matrix, bias: Sequence[fmpq] | None = None) -> None:
        """Apply x ↦ weight x + bias.

        Raises
        ------
        InputError
            If the weight does not take vectors of the length reached.
        """
        if weight.cols != self.outputs:
            raise InputError(f"a weight takes {weight.cols} numbers and is given {self.outputs}")
        self._pending = self._pending.then_dense(weight)
        if bias is not None:
            self._pending = self._pending.then_shift(bias)

    def permute(self, index: Sequence[int]) -> None:
        """Apply x ↦ x[index] for a permutation, as NumPy indexes."""
        if list(index) != list(range(self.outputs)):
            self._pending = self._pending.permuted(index)

    def activate(self, sigma: Activation) -> None:
        """Apply σ entrywise; an affine σ(z) = pz + q joins the pending map."""
        if sigma.affine is not None:
            slope, constant = sigma.affine
            self.scale([slope] * self.outputs)
            if constant != 0:
                self.shift([constant] * self.outputs)
            return
        self._layers.append(self._pending_layer(sigma))
        self._pending = PendingAffine.identity(self.outputs)

    def clip(self, low: fmpq | None, high: fmpq | None) -> None:
        """Clamp every entry to [low, high], where None is no bound.

        Notes
        -----
        With m = (low + high)/2 and r = (high − low)/2 the clamp is
        m + r·hard_tanh((z − m)/r); one-sided, low + relu(z − low) or
        high − relu(high − z). [0, 6] stays relu6.
        """
        if low is not None and high is not None:
            if low == 0 and high == 6:
                self.activate(activation("relu6"))
                return
            if low >= high:
                raise InputError(f"a clamp to [{low}, {high}] leaves no interval")
            self._conjugate("hard_tanh", (low + high) / 2, (high - low) / 2)
        elif low is not None:
            self._conjugate("relu", low, ONE)
        elif high is not None:
            self._conjugate("relu", high, -ONE)

    def _conjugate(self, name: str, centre: fmpq, radius: fmpq) -> None:
        """Apply z ↦ centre + radius·σ((z − centre)/radius)."""
        n = self.outputs
        if centre != 0:
            self.shift([-centre] * n)
        self.scale([1 / radius] * n)
        self.activate(activation(name))
        self.scale([radius] * n)
        if centre != 0:
            self.shift([centre] * n)

    def _pending_layer(self, sigma: Activation) -> Layer:
        pending = self._pending
        return Layer(pending.matrix(), pending.shift, sigma, pending.has_bias)

    def layers(self) -> tuple[Layer, ...]:
        """Return the layers of the whole chain; the last has identity activation."""
        return (*self._layers, self._pending_layer(activation("identity")))
