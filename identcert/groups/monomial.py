"""Affine monomial maps, the latent actions of entrywise nonlinearities.

monomial map == z ↦ (α_i·z[p_i] + β_i)_i with a permutation p and every α_i ≠ 0
pull back    == (W, b) ↦ (W, b)∘R, as affine maps
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from identcert.exact.matrix import Matrix


@dataclass(frozen=True, slots=True)
class MonomialMap:
    """The affine map z ↦ (α_i·z[p_i] + β_i)_i, given by p, α and β.

    Attributes
    ----------
    field : the coefficient field.
    permutation : p, as NumPy indexes.
    scale : α, non-zero field elements.
    shift : β, field elements.
    """

    field: Any
    permutation: tuple[int, ...]
    scale: tuple[Any, ...]
    shift: tuple[Any, ...]

    @classmethod
    def identity(cls, dim: int, field: Any) -> MonomialMap:
        """Return the identity of a space of the given dimension."""
        return cls(field, tuple(range(dim)), (field.one,) * dim, (field.zero,) * dim)

    @property
    def dim(self) -> int:
        """The dimension of the space."""
        return len(self.permutation)

    def is_identity(self) -> bool:
        """Return whether the map fixes every point."""
        return self == MonomialMap.identity(self.dim, self.field)

    def __matmul__(self, other: MonomialMap) -> MonomialMap:
        """Return the composition z ↦ self(other(z))."""
        pairs = tuple(zip(self.permutation, self.scale, self.shift, strict=True))
        return MonomialMap(
            self.field,
            tuple(other.permutation[p] for p, _, _ in pairs),
            tuple(a * other.scale[p] for p, a, _ in pairs),
            tuple(a * other.shift[p] + b for p, a, b in pairs),
        )

    def apply(self, point: Sequence[Any]) -> tuple[Any, ...]:
        """Return the image of a point."""
        rows = zip(self.permutation, self.scale, self.shift, strict=True)
        return tuple(a * point[p] + b for p, a, b in rows)

    def pull_back(self, weight: Matrix, bias: tuple[Any, ...]) -> tuple[Matrix, tuple[Any, ...]]:
        """Return (W, b)∘self: columns of W move and are scaled, shifts go into b.

        Shapes: W is m×d with d = self.dim; b has m entries.
        """
        inverse = [0] * self.dim
        for i, p in enumerate(self.permutation):
            inverse[p] = i
        one, minus = self.field.one, -self.field.one
        factors = [self.scale[i] for i in inverse]
        if all(factor in (one, minus) for factor in factors):
            signs = [1 if factor == one else -1 for factor in factors]
            moved = weight.select_columns(inverse, signs)
        else:
            moved = weight.select_columns(inverse).scale_columns(factors)
        zero = self.field.zero
        if any(shift != zero for shift in self.shift):
            added = weight.apply(self.shift)
            bias = tuple(b + s for b, s in zip(bias, added, strict=True))
        return moved, bias

    def encode(self) -> dict[str, Any]:
        """Return the canonical JSON of the witness; trivial scales are left out."""
        tree: dict[str, Any] = {"permutation": list(self.permutation)}
        if any(a != self.field.one for a in self.scale):
            tree["scale"] = [self.field.encode(a) for a in self.scale]
        return tree
