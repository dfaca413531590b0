"""Infinitesimal generators in an action file: vector fields instead of invertible maps."""

from __future__ import annotations

from typing import Any

from identcert.groups.action import InfinitesimalGenerator
from identcert.groups.json_text import check_keys
from identcert.groups.map_text import Space, matrix_over, read_matrix, read_vector
from identcert.groups.scalar_reader import ScalarReader


def read_infinitesimal(
    obj: dict[str, Any], spaces: tuple[Space, Space], where: str, reader: ScalarReader
) -> tuple[InfinitesimalGenerator, ...]:
    """Return the infinitesimal generators, whose matrices may be singular."""
    texts = []
    for name, sides in obj.items():
        place = f"{where}, infinitesimal generator {name}"
        check_keys(sides, place, ("input", "output"))
        texts.append((
            name,
            *_read_vector_field(sides["input"], spaces[0], f"{place}, input", reader),
            *_read_vector_field(sides["output"], spaces[1], f"{place}, output", reader),
        ))  # fmt: skip
    return tuple(
        InfinitesimalGenerator(
            name,
            matrix_over(a, spaces[0].size, reader),
            matrix_over(b, spaces[1].size, reader),
            tuple(map(reader.value, a_shift)),
            tuple(map(reader.value, b_shift)),
        )
        for name, a, a_shift, b, b_shift in texts
    )


def _read_vector_field(
    value: Any, space: Space, where: str, reader: ScalarReader
) -> tuple[Any, Any]:
    """Return the tokens (A, a) of x ↦ Ax + a: "trivial", rows, or matrix and shift."""
    n = space.size
    shift: Any = (reader.zero,) * n
    if value == "trivial":
        return ((reader.zero,) * n,) * n, shift
    rows = value
    if isinstance(value, dict):
        check_keys(value, where, ("matrix",), ("shift",))
        rows = value["matrix"]
        if "shift" in value:
            shift = read_vector(value["shift"], space, f"{where}, shift", reader)
    return read_matrix(rows, space, where, reader), shift
