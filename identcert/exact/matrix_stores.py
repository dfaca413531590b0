"""The choice of the store of a matrix by its field, and the coercion of its entries."""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq

from identcert.errors import InputError, UnsupportedError
from identcert.exact.field import Field, FunctionField, NumberField, RationalField
from identcert.exact.matrix_algebraic import AlgebraicEntries
from identcert.exact.matrix_entries import Entries, Rows
from identcert.exact.matrix_parametric import ParametricEntries
from identcert.exact.matrix_rational import RationalEntries


def entries_of(field: Field, table: Rows, cols: int) -> Entries:
    """Return the store that suits the field, filled with elements of it."""
    if isinstance(field, RationalField):
        return RationalEntries(len(table), cols, table=table)
    if isinstance(field, NumberField):
        return AlgebraicEntries.from_elements(field, table, cols)
    if isinstance(field, FunctionField):
        return ParametricEntries(field, table, cols)
    raise UnsupportedError(f"there are no matrices over {field}")


def shared_width(rows: Sequence[Sequence[object]], cols: int | None) -> int:
    """Return the length that all rows share, which is `cols` if that is given."""
    width = len(rows[0]) if cols is None and rows else cols
    if width is None:
        raise InputError("a matrix without rows does not tell its number of columns")
    for i, row in enumerate(rows):
        if len(row) != width:
            raise InputError(f"row {i} has {len(row)} entries where {width} are needed")
    return width


def coerced(table: Rows, field: Field) -> Rows:
    """Return the table with every entry coerced by the field.

    Over Q rows of `fmpq` pass as they are: looking at their types is cheaper than
    a call for every entry.
    """
    if field.kind == "rational" and all(set(map(type, row)) <= {fmpq} for row in table):
        return table
    return tuple(tuple([field(x) for x in row]) for row in table)
