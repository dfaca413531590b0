"""Kruskal ranks: how many columns of a matrix are always independent.

Kruskal rank == the largest k such that every k columns are linearly independent
rank         == an upper bound of it; equal to it for matrices in general position

Every set of k columns is examined exactly, in order of k, so that the first dependent
set is a smallest one. The number of sets is limited: what was certified until then is a
lower bound.

Source: Kruskal, *Three-way arrays: rank and uniqueness* (1977).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb

from identcert.exact.matrix import Matrix

LIMIT = 20_000
"""Number of sets of columns that are examined."""


@dataclass(frozen=True, slots=True)
class KruskalRank:
    """The Kruskal rank of a matrix, or a lower bound of it.

    Attributes
    ----------
    value : every set of that many columns is independent.
    is_exact : whether no larger number has that property.
    dependent : indices of value + 1 dependent columns, or None.
    """

    value: int
    is_exact: bool
    dependent: tuple[int, ...] | None = None

    def text(self) -> str:
        """Return the rank with the columns that bound it, for people."""
        if not self.is_exact:
            return f"at least {self.value} (larger sets of columns were not examined)"
        if self.dependent is None:
            return str(self.value)
        columns = ", ".join(map(str, self.dependent))
        return f"{self.value} (dependent: {columns})"


def kruskal_rank(matrix: Matrix, limit: int = LIMIT) -> KruskalRank:
    """Return the Kruskal rank of the columns of a matrix.

    Parameters
    ----------
    limit : number of sets of columns after which a lower bound is returned.

    Examples
    --------
    >>> kruskal_rank(Matrix.of([[1, 0, 1], [0, 1, 1]]))
    KruskalRank(value=2, is_exact=True, dependent=(0, 1, 2))
    >>> kruskal_rank(Matrix.of([[1, 2, 0], [2, 4, 1]])).dependent
    (0, 1)
    """
    columns, rank = matrix.cols, matrix.rank()
    if rank == columns:
        return KruskalRank(columns, True)
    examined = 0
    for size in range(1, rank + 1):
        examined += comb(columns, size)
        if examined > limit:
            return KruskalRank(size - 1, False)
        for chosen in combinations(range(columns), size):
            if matrix.select_columns(chosen).rank() < size:
                return KruskalRank(size - 1, True, chosen)
    return KruskalRank(rank, True, tuple(range(rank + 1)))
