"""The neurons of one layer, classed by the normal forms of their rows.

class  == the neurons with one key: clones of each other under the full group of σ
ray    == the rows proportional to one row, by whatever factor other than 0
reduced == all rows have w ≠ 0 and every class is one neuron: then maps of the rows that
          respect the symmetries of σ are forced

Source: theory of neuron symmetries (§2.1) and of forced matchings (Prop. 3).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import neg
from typing import Any

from flint import fmpq

from identcert.errors import UnsupportedError
from identcert.exact.field import QQ
from identcert.exact.matrix import Matrix
from identcert.nets.activation import Activation
from identcert.submodels.row_keys import KeyedRow, RowKey, projective_key, row_keys
from identcert.submodels.row_keys import integer_key as integer_key
from identcert.submodels.row_keys import is_zero_row as is_zero_row
from identcert.submodels.row_keys import layer_keys as layer_keys
from identcert.submodels.row_keys import row_key as row_key


def zero_rows(matrix: Matrix) -> list[int]:
    """Return the indices of the zero rows; all of them where there are no columns."""
    # elements are false exactly when they are 0
    table = matrix.integer_rows()[0] if matrix.field is QQ else matrix.to_rows()
    return [i for i, row in enumerate(table) if not any(row)]


def zero_columns(matrix: Matrix) -> list[int]:
    """Return the indices of the zero columns; all of them where there are no rows."""
    table = matrix.integer_rows()[0] if matrix.field is QQ else matrix.to_rows()
    if not table:
        return list(range(matrix.cols))
    return [j for j, column in enumerate(zip(*table, strict=True)) if not any(column)]


def are_equivalent(
    row: tuple[Sequence[Any], Any], other: tuple[Sequence[Any], Any],
    activation: Activation, field: Any,
) -> bool:  # fmt: skip
    """Return whether two rows (w, b) are clones under the activation's full group.

    Raises
    ------
    UnsupportedError
        If they are proportional and the sign of the ratio depends on parameters.
    """
    weight = Matrix.of([row[0], other[0]], field)
    table = keyed_rows(weight, (row[1], other[1]), activation, field)
    return len(table.classes) == 1


Literal = tuple[tuple[int, ...], tuple[int, int]]


@dataclass(frozen=True)
class KeyedRows:
    """The rows (W, b) of one layer, by their classes under the group of its activation.

    Over Q, for groups in which every α is ±1 about the centre 0, rows are first compared
    as they are spelled: integers over the denominator of W, and the bias. Normal forms
    are computed when a row is not found so, or when they are asked for.

    Attributes
    ----------
    weight, bias : W (m×n) and b (m entries).
    activation, field : what equivalence refers to.
    """

    weight: Matrix
    bias: tuple[Any, ...]
    activation: Activation
    field: Any

    @cached_property
    def rows(self) -> tuple[KeyedRow, ...]:
        """Key and scale of every row: row = scale·key about the centre."""
        return tuple(row_keys(self.weight, self.bias, self.activation, self.field))

    @cached_property
    def classes(self) -> Mapping[RowKey, tuple[int, ...]]:
        """For every key the indices of its rows, ascending, in the order of `members`."""
        return {self.rows[indices[0]][0]: indices for indices in self.members}

    @cached_property
    def zero_rows(self) -> tuple[int, ...]:
        """The indices of the rows with w = 0."""
        return tuple(zero_rows(self.weight))

    @cached_property
    def members(self) -> tuple[tuple[int, ...], ...]:
        """The classes by number: the indices of their rows, ascending."""
        return _grouped(self._literals or [key for key, _ in self.rows])

    @cached_property
    def class_of(self) -> tuple[int, ...]:
        """The class number of every row."""
        found = [0] * self.weight.rows
        for number, indices in enumerate(self.members):
            for index in indices:
                found[index] = number
        return tuple(found)

    @cached_property
    def scales(self) -> tuple[Any, ...]:
        """The scale of every row."""
        if self._literals is None:
            return tuple(scale for _, scale in self.rows)
        signs = (self.field.one, -self.field.one)
        return tuple(
            signs[literal != own]
            for literal, own in zip(self._literals, self._spelled, strict=True)
        )

    @cached_property
    def rays(self) -> Mapping[RowKey, Any]:
        """For the group α > 0 over a parametric field: leads of rows by projective key."""
        found: dict[RowKey, Any] = {}
        if self.activation.scalings == "positive" and not self.field.is_ordered:
            for index in sorted(set(range(self.weight.rows)) - set(self.zero_rows)):
                row, entry = self.weight.row(index), self.bias[index]
                self._refuse_unknown_ratio(row, entry, found)
                ray, lead = projective_key(row, entry, self.activation, self.field)
                found.setdefault(ray, lead)
        return found

    @property
    def is_reduced(self) -> bool:
        """Whether all rows have w ≠ 0 and are pairwise inequivalent."""
        return not self.zero_rows and len(self.members) == self.weight.rows

    def match(self, weight: Matrix, bias: Sequence[Any]) -> list[KeyedRow]:
        """Return key and scale of the rows of another (W', b') of the same width.

        Row i of (W', b') is equivalent to exactly the rows ``classes.get(key, ())`` here:
        row'_i = (scale / scales[p])·row_p about the centre for each such p.

        Raises
        ------
        UnsupportedError
            If a row is proportional to one here by a ratio whose sign depends on
            parameters.
        """
        keyed = row_keys(weight, bias, self.activation, self.field)
        if self.rays:
            for row, entry, (key, _) in zip(weight.to_rows(), bias, keyed, strict=True):
                if key not in self.classes:
                    self._refuse_unknown_ratio(row, entry, self.rays)
        return keyed

    def place(self, weight: Matrix, bias: Sequence[Any]) -> list[tuple[int, Any]]:
        """Return, for the rows of another (W', b'), the number of their class and the scale.

        The class number counts `members`, −1 where no row here is equivalent; the scale
        α is that of row' = α·key.

        Raises
        ------
        UnsupportedError
            See `match`.
        """
        found: list[tuple[int, Any] | None] = [None] * weight.rows
        if self._literals is not None:
            table, denominator = weight.integer_rows()
            if denominator == self.weight.integer_rows()[1]:
                places = self._places
                found = [
                    None if entry is None else places.get((row, entry))
                    for row, entry in zip(table, map(_spelled_bias, bias), strict=True)
                ]
        missing = [i for i, place in enumerate(found) if place is None]
        if missing:
            rest = self.match(weight.select_rows(missing), [bias[i] for i in missing])
            for i, (key, scale) in zip(missing, rest, strict=True):
                found[i] = (self._numbers.get(key, -1), scale)
        return [place for place in found if place is not None]

    def partners(self, key: RowKey, scale: Any) -> tuple[tuple[int, Any], ...]:
        """Return the pairs (p, α) with row = α·row_p for the row that key and scale give."""
        return tuple((p, scale / self.scales[p]) for p in self.classes.get(key, ()))

    @cached_property
    def _numbers(self) -> Mapping[RowKey, int]:
        return {key: number for number, key in enumerate(self.classes)}

    @cached_property
    def _spelled(self) -> list[Literal]:
        table, _ = self.weight.integer_rows()
        biases = [_spelled_bias(entry) or (0, 1) for entry in self.bias]
        return list(zip(table, biases, strict=True))

    @cached_property
    def _literals(self) -> list[Literal] | None:
        """The rows as spelled, negated where their first non-zero entry is negative."""
        sigma = self.activation
        if self.field is not QQ or sigma.scalings not in ("one", "sign") or sigma.centre:
            return None
        if not all(isinstance(entry, fmpq) for entry in self.bias):
            return None
        if sigma.scalings == "one":
            return self._spelled
        return [_negated(row) if _is_negative(row) else row for row in self._spelled]

    @cached_property
    def _places(self) -> Mapping[Literal, tuple[int, Any]]:
        """Class number and scale of the spelled rows, and of their negatives if σ flips."""
        places: dict[Literal, tuple[int, Any]] = {}
        one = self.field.one
        for number, indices in enumerate(self.members):
            literal = (self._literals or [])[indices[0]]
            if self.activation.scalings == "sign":
                places[_negated(literal)] = (number, -one)
            places[literal] = (number, one)
        return places

    def _refuse_unknown_ratio(
        self, row: Sequence[Any], bias: Any, rays: Mapping[RowKey, Any]
    ) -> None:
        ray, lead = projective_key(row, bias, self.activation, self.field)
        ratio = lead / rays.get(ray, lead)
        if not ratio.is_constant:
            raise UnsupportedError(
                f"two {self.activation.text()} neurons have proportional rows with the ratio "
                f"{self.field.text(ratio)}, and whether they are clones depends on its sign"
            )


def keyed_rows(
    weight: Matrix, bias: Sequence[Any], activation: Activation, field: Any
) -> KeyedRows:
    """Return the rows of (W, b) by their classes under an activation.

    Raises
    ------
    UnsupportedError
        If two rows are proportional by a ratio whose sign, which decides whether they
        are clones, depends on parameters.

    Examples
    --------
    >>> from identcert.exact.field import QQ
    >>> from identcert.nets.activation import activation
    >>> table = keyed_rows(Matrix.of([[1, 2], [3, 6]]), [QQ(1), QQ(3)], activation("relu"), QQ)
    >>> list(table.classes.values()), table.is_reduced
    ([(0, 1)], False)
    """
    table = KeyedRows(weight, tuple(bias), activation, field)
    if not field.is_ordered:
        _ = table.rays  # refuses ratios of unknown sign now rather than later
    return table


def _grouped(keys: Sequence[Hashable]) -> tuple[tuple[int, ...], ...]:
    classes: dict[Hashable, list[int]] = {}
    for index, key in enumerate(keys):
        classes.setdefault(key, []).append(index)
    return tuple(map(tuple, classes.values()))


def _spelled_bias(entry: Any) -> tuple[int, int] | None:
    """Return a rational bias as integers, None for a formal constant."""
    return (int(entry.p), int(entry.q)) if isinstance(entry, fmpq) else None


def _is_negative(row: Literal) -> bool:
    return (next(filter(None, row[0]), 0) or row[1][0]) < 0


def _negated(row: Literal) -> Literal:
    return tuple(map(neg, row[0])), (-row[1][0], row[1][1])
