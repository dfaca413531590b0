"""Points of cells, with the exact values of kinks there.

sample == points of a cell; a kink that is positive at one of them and negative at another
          one has no implied sign, which saves a search for a certificate

Points guide the search only; nothing rests on which points there are.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from identcert.certify.cell_forms import CellForms

POINTS = 12


class Point:
    """A point x of R^n with the values of arguments of atoms there, computed when needed."""

    def __init__(self, forms: CellForms, x: Iterable[Any]) -> None:
        self._forms = forms
        self._coordinates = [forms.field(c) for c in x]
        self._values: dict[int, Any] = {}

    @classmethod
    def read(cls, forms: CellForms, x: Iterable[Any]) -> Point:
        """Return the point whose coordinates are given as plain JSON."""
        return cls(forms, map(forms.field.decode, x))

    def encode(self) -> list[Any]:
        """Return the coordinates as plain JSON."""
        return [self._forms.field.encode(c) for c in self._coordinates]

    def value(self, atom: int) -> Any:
        """Return v(x) for an atom |v|."""
        if atom not in self._values:
            total = self._forms.field.zero
            for monomial, c in self._forms.argument(atom):
                total += c * self._factor(monomial[0]) if monomial else c
            self._values[atom] = total
        return self._values[atom]

    def _factor(self, identifier: int) -> Any:
        if identifier < len(self._coordinates):
            return self._coordinates[identifier]
        return abs(self.value(identifier))


Sample = list[Point]


def start_sample(forms: CellForms) -> Sample:
    """Return points of the whole space, the same ones on every call."""
    stream = random.Random(0)
    scales = (1, 1, 4, 16)
    return [
        Point(forms, [Fraction(scales[k % 4] * stream.randrange(-60, 61), 16)
                      for _ in range(forms.inputs)])
        for k in range(POINTS)
    ]  # fmt: skip


def has_both_signs(sample: Sample, atom: int) -> bool:
    """Return whether v is positive at one point and negative at another one, for |v|."""
    is_positive = is_negative = False
    for point in sample:
        value = point.value(atom)
        if value > 0:
            is_positive = True
        elif value:
            is_negative = True
        if is_positive and is_negative:
            return True
    return False


def on_side(sample: Sample, atom: int, is_positive: bool) -> Sample:
    """Return the points at which v has the stated sign, for an atom |v|."""
    return [p for p in sample if p.value(atom) and (p.value(atom) > 0) == is_positive]
