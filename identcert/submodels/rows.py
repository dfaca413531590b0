"""The neurons of one layer, classed by the normal forms of their rows.

class  == the neurons with one key: clones of each other under the full group of σ
ray    == the rows proportional to one row, by whatever factor other than 0
reduced == all rows have w ≠ 0 and every class is one neuron: then maps of the rows that
          respect the symmetries of σ are forced

Source: theory of neuron symmetries (§2.1) and of forced matchings (Prop. 3).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from identcert.errors import UnsupportedError
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
    return [i for i, row in enumerate(matrix.to_rows()) if not any(row)]


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


@dataclass(frozen=True, slots=True)
class KeyedRows:
    """The rows of one layer by their normal forms.

    Attributes
    ----------
    activation, field : what the normal forms refer to.
    rows : key and scale of every row: row = scale·key about the centre.
    classes : for every key the indices of its rows, ascending.
    zero_rows : the indices of the rows with w = 0.
    rays : for parametric fields and the group α > 0: the projective key of a row, with
        the first row there; empty otherwise.
    """

    activation: Activation
    field: Any
    rows: tuple[KeyedRow, ...]
    classes: Mapping[RowKey, tuple[int, ...]]
    zero_rows: tuple[int, ...]
    rays: Mapping[RowKey, Any]

    @property
    def is_reduced(self) -> bool:
        """Whether all rows have w ≠ 0 and are pairwise inequivalent."""
        return not self.zero_rows and len(self.classes) == len(self.rows)

    def match(self, weight: Matrix, bias: Sequence[Any]) -> list[KeyedRow]:
        """Return key and scale of the rows of another (W', b') of the same width.

        Row i of (W', b') is equivalent to exactly the rows ``classes.get(key, ())`` here:
        row'_i = (scale / rows[p][1])·row_p about the centre for each such p.

        Raises
        ------
        UnsupportedError
            If a row is proportional to one here by a ratio whose sign depends on
            parameters.
        """
        keyed = row_keys(weight, bias, self.activation, self.field)
        if self.rays:
            for row, entry, (key, _) in zip(weight.to_rows(), bias, keyed, strict=True):
                if key not in self.classes and any(row):
                    self._refuse_unknown_ratio(row, entry)
        return keyed

    def partners(self, key: RowKey, scale: Any) -> tuple[tuple[int, Any], ...]:
        """Return the pairs (p, α) with row = α·row_p for the row that key and scale give."""
        return tuple((p, scale / self.rows[p][1]) for p in self.classes.get(key, ()))

    def _refuse_unknown_ratio(self, row: Sequence[Any], bias: Any) -> None:
        ray, lead = projective_key(row, bias, self.activation, self.field)
        ratio = lead / self.rays.get(ray, lead)
        if not ratio.is_constant:
            raise UnsupportedError(
                f"two {self.activation.text()} neurons have proportional rows with the ratio "
                f"{self.field.text(ratio)}, and whether they are clones depends on its sign"
            )


def keyed_rows(
    weight: Matrix, bias: Sequence[Any], activation: Activation, field: Any
) -> KeyedRows:
    """Return the rows of (W, b) by their normal forms under an activation.

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
    rows = tuple(row_keys(weight, bias, activation, field))
    classes: dict[RowKey, list[int]] = {}
    for index, (key, _) in enumerate(rows):
        classes.setdefault(key, []).append(index)
    frozen = {key: tuple(indices) for key, indices in classes.items()}
    rays: dict[RowKey, Any] = {}
    table = KeyedRows(activation, field, rows, frozen, tuple(zero_rows(weight)), rays)
    if activation.scalings == "positive" and not field.is_ordered:
        for index in sorted(set(range(len(rows))) - set(table.zero_rows)):
            row, entry = weight.row(index), bias[index]
            table._refuse_unknown_ratio(row, entry)
            ray, lead = projective_key(row, entry, activation, field)
            rays.setdefault(ray, lead)
    return table
