"""Signed permutations, the matrices with one entry ±1 in every row and column.

They act on coordinates without arithmetic: (ρx)[i] = signs[i]·x[permutation[i]],
as NumPy indexes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from identcert.errors import InputError


@dataclass(frozen=True, slots=True)
class SignedPermutation:
    """The linear map (ρx)[i] = signs[i]·x[permutation[i]], an element of the hyperoctahedral group.

    Attributes
    ----------
    permutation : a permutation p of 0, …, n−1.
    signs : n entries 1 or −1.

    Raises
    ------
    InputError
        If the permutation is not one, or if a sign is not ±1.

    Examples
    --------
    >>> r = SignedPermutation((1, 0), (-1, 1))  # a quarter turn of the plane
    >>> r.apply((3, 5))
    (-5, 3)
    >>> (r @ r).apply((3, 5))
    (-3, -5)
    """

    permutation: tuple[int, ...]
    signs: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse what is not a signed permutation."""
        check_permutation(self.permutation, None)
        check_signs(self.signs, len(self.permutation), None)

    @classmethod
    def of(
        cls, permutation: Iterable[int], signs: Iterable[int] | None = None
    ) -> SignedPermutation:
        """Return the signed permutation with the given parts, all signs 1 when left out."""
        places = tuple(permutation)
        return cls(places, (1,) * len(places) if signs is None else tuple(signs))

    @classmethod
    def identity(cls, dim: int) -> SignedPermutation:
        """Return the identity of a space of the given dimension."""
        return _trusted(tuple(range(dim)), (1,) * dim)

    @property
    def dim(self) -> int:
        """The dimension of the space."""
        return len(self.permutation)

    def is_identity(self) -> bool:
        """Return whether every vector is fixed."""
        return self.is_permutation() and self.permutation == tuple(range(self.dim))

    def is_permutation(self) -> bool:
        """Return whether all signs are 1."""
        return -1 not in self.signs

    def __matmul__(self, other: SignedPermutation) -> SignedPermutation:
        """Return the composition x ↦ self(other(x))."""
        places = self.permutation
        permutation = tuple(map(other.permutation.__getitem__, places))
        if other.is_permutation():
            return _trusted(permutation, self.signs)
        moved = map(other.signs.__getitem__, places)
        return _trusted(permutation, tuple(s * t for s, t in zip(self.signs, moved, strict=True)))

    def inverse(self) -> SignedPermutation:
        """Return the inverse, which is also the transpose."""
        permutation, signs = [0] * self.dim, [1] * self.dim
        for i, (p, s) in enumerate(zip(self.permutation, self.signs, strict=True)):
            permutation[p], signs[p] = i, s
        return _trusted(tuple(permutation), tuple(signs))

    def apply(self, vector: Sequence[Any]) -> tuple[Any, ...]:
        """Return the image of a vector of length n."""
        pairs = zip(self.permutation, self.signs, strict=True)
        return tuple(vector[p] if s == 1 else -vector[p] for p, s in pairs)

    def parity(self) -> int:
        """Return the sign 1 or −1 of the permutation alone."""
        seen, parity = [False] * self.dim, 1
        for start in range(self.dim):
            length, i = 0, start
            while not seen[i]:
                seen[i], i, length = True, self.permutation[i], length + 1
            if length and length % 2 == 0:
                parity = -parity
        return parity

    def det(self) -> int:
        """Return the determinant, 1 or −1: the parity times the product of the signs."""
        return self.parity() * (-1 if self.signs.count(-1) % 2 else 1)

    def trace(self) -> int:
        """Return the sum of the signs at the fixed positions."""
        pairs = enumerate(zip(self.permutation, self.signs, strict=True))
        return sum(s for i, (p, s) in pairs if p == i)


def _trusted(permutation: tuple[int, ...], signs: tuple[int, ...]) -> SignedPermutation:
    """Return a signed permutation whose parts are known to be right, without looking again."""
    element = object.__new__(SignedPermutation)
    object.__setattr__(element, "permutation", permutation)
    object.__setattr__(element, "signs", signs)
    return element


def check_permutation(values: Sequence[object], where: str | None) -> None:
    """Refuse a list that does not hold each of 0, …, n−1 once.

    Raises
    ------
    InputError
        Saying which entry is wrong, repeated or out of range.
    """
    size, seen = len(values), set()
    for i, value in enumerate(values):
        if isinstance(value, bool) or not isinstance(value, int):
            raise InputError(f"entry {i} of the permutation is not an integer", where)
        if not 0 <= value < size:
            fix = f"use each of 0, …, {size - 1} once"
            raise InputError(f"entry {i} of the permutation is {_short(value)}", where, fix)
        if value in seen:
            raise InputError(
                f"{value} occurs twice, so the list is not a permutation",
                where,
                f"use each of 0, …, {size - 1} once",
            )
        seen.add(value)


def check_signs(values: Sequence[object], size: int, where: str | None) -> None:
    """Refuse a list that is not as long as its permutation or holds another value than ±1."""
    if len(values) != size:
        raise InputError(f"{len(values)} signs stand beside a permutation of {size} entries", where)
    for i, value in enumerate(values):
        if isinstance(value, bool) or not isinstance(value, int) or value not in (1, -1):
            raise InputError(f"sign {i} is {_short(value)}", where, "write 1 or -1")


def _short(value: object) -> str:
    """Return a value as an error quotes it, cut when long."""
    if isinstance(value, int) and abs(value) >= 10**18:
        return "a number of many digits"
    text = str(value)
    return text if len(text) <= 40 else text[:37] + "..."
