"""A declared number t and several square roots, in one field Q(γ).

Glossary
--------
declared == Q(t) as a user stated it: minimal polynomial, isolating interval, name of t.
words == the products tⁱ·√d that people write; they are a basis of the field over Q.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import gcd
from typing import Any

import flint

from identcert.exact.radicals import adjoin_root, independent_radicands, product, radicand_group
from identcert.exact.spelling import power_text, sum_text

Coordinates = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Declared:
    """The root t of an irreducible monic polynomial inside an isolating interval."""

    minpoly: Coordinates
    root: tuple[Any, Any]
    symbol: str


@dataclass(frozen=True, slots=True)
class Presentation:
    """The words tⁱ·√d over which people write the elements of Q(γ), instead of powers of γ.

    ``to_words`` is the n×n `flint.fmpq_mat` from coordinates over powers of γ to
    coefficients of the words; ``generator`` and ``radicals`` are coordinates of t and √d.
    """

    declared: Declared | None
    generator: Coordinates
    radicals: Mapping[int, Coordinates]
    words: tuple[tuple[int, int], ...]  # (i, d) stands for tⁱ·√d
    to_words: Any

    def expand(self, coordinates: Coordinates) -> list[tuple[Any, tuple[int, int]]]:
        """Return the pairs (coefficient, word) whose sum is the element."""
        column = flint.fmpq_mat([[c] for c in coordinates])
        return list(zip((self.to_words * column).entries(), self.words, strict=True))

    def text(self, coordinates: Coordinates) -> str:
        """Return the element as a sum over the words."""
        return sum_text((c, self._spell(*word)) for c, word in self.expand(coordinates))

    def _spell(self, exponent: int, d: int) -> str:
        power = power_text(self.declared.symbol, exponent) if self.declared else ""
        root = f"sqrt({d})" if d > 1 else ""
        return "*".join(word for word in (power, root) if word)


@dataclass(frozen=True, slots=True)
class Compositum:
    """Q(γ) for γ = t + Σ cᵢ√dᵢ: minimal polynomial, isolating interval, name of γ."""

    minpoly: Any
    root: tuple[Any, Any]
    symbol: str
    presentation: Presentation


def compositum(declared: Declared | None, radicands: Iterable[int]) -> Compositum | None:
    """Return the field that t and the square roots generate, or None if it is Q.

    The result depends on the declared field and on the group of the radicands only.

    Raises
    ------
    UnsupportedError
        If its degree is more than 16.

    Examples
    --------
    >>> field = compositum(None, [2, 6])
    >>> field.symbol, field.minpoly, field.presentation.words
    ('sqrt2_sqrt3', x^4 + (-10)*x^2 + 1, ((0, 1), (0, 2), (0, 3), (0, 6)))
    """
    poly, low, high = flint.fmpq_poly([0, 1]), flint.fmpq(-1), flint.fmpq(1)
    if declared is not None:
        poly, (low, high) = flint.fmpq_poly(list(declared.minpoly)), declared.root
    generator, roots, new = flint.fmpq_poly([0, 1]) % poly, {1: flint.fmpq_poly([1])}, []
    for d in independent_radicands(radicands):
        larger = adjoin_root(poly, low, high, d)
        if larger.minpoly.degree() > poly.degree():
            new.append(d)
        poly, low, high = larger.minpoly, larger.low, larger.high
        generator = generator(larger.generator) % poly
        roots = {e: root(larger.generator) % poly for e, root in roots.items()}
        # √d·√e = gcd(d, e)·√product(d, e)
        roots |= {
            product(d, e): (root * larger.root) % poly / gcd(d, e) for e, root in roots.items()
        }
    if poly.degree() == 1:
        return None
    names = [declared.symbol] if declared else []
    symbol = "_".join(names + [f"sqrt{d}" for d in new])
    presentation = _present(declared, poly, generator, roots, new)
    return Compositum(poly, (low, high), symbol, presentation)


def _present(
    declared: Declared | None, poly: Any, generator: Any, roots: Mapping[int, Any], new: list[int]
) -> Presentation:
    """Return the words tⁱ·√d, for d in the group of the new radicands, as a basis."""
    n = poly.degree()
    words, columns = [], []
    for d in sorted(radicand_group(new)):
        element = roots[d]
        for exponent in range(len(declared.minpoly) - 1 if declared else 1):
            words.append((exponent, d))
            columns.append(_coordinates(element, n))
            element = (element * generator) % poly
    return Presentation(
        declared=declared,
        generator=_coordinates(generator, n),
        radicals={d: _coordinates(root, n) for d, root in sorted(roots.items()) if d > 1},
        words=tuple(words),
        to_words=flint.fmpq_mat(columns).transpose().inv(),
    )


def _coordinates(poly: Any, length: int) -> Coordinates:
    return tuple(poly[i] for i in range(length))
