"""Open polyhedra: points of the ones that are not empty, certificates of the others."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from identcert.exact.field import NumberField
from identcert.exact.open_cell import OpenCell

ENTRY = st.integers(-4, 4)


def value(row: tuple[Any, ...], point: tuple[Any, ...]) -> Any:
    return sum((a * x for a, x in zip(row, point, strict=False)), row[-1] * Fraction(1))


def check_certificate(
    cuts: list[tuple[tuple[Any, ...], bool]], multipliers: tuple[Any, ...]
) -> None:
    """The cuts, multiplied and added, say 0 > 0 or 0 ≥ a positive number."""
    assert len(multipliers) == len(cuts)
    assert min(multipliers) >= 0
    pairs = list(zip(multipliers, cuts, strict=True))
    total = [sum(m * row[k] for m, (row, _) in pairs) for k in range(len(cuts[0][0]))]
    assert not any(total[:-1])
    assert total[-1] < 0 or (total[-1] == 0 and any(m for m, (_, is_strict) in pairs if is_strict))


@st.composite
def systems(draw: st.DrawFn) -> tuple[int, list[tuple[tuple[int, ...], bool]]]:
    n = draw(st.integers(1, 3))
    row = st.tuples(*[ENTRY] * (n + 1))
    return n, draw(st.lists(st.tuples(row, st.sampled_from([True, True, False])), max_size=10))


@given(systems(), st.randoms(use_true_random=False))
def test_every_answer_carries_its_evidence(
    system: tuple[int, list[tuple[tuple[int, ...], bool]]], stream: random.Random
) -> None:
    n, rows = system
    cell, cuts = OpenCell(n), []
    for row, is_strict in rows:
        if cuts and stream.random() < 0.3:
            cell.take_back()
            cuts.pop()
        multipliers = cell.cut(row, is_strict)
        cuts.append((row, is_strict))
        if multipliers is not None:
            check_certificate(cuts, multipliers)
            cell.take_back()
            cuts.pop()
        point = cell.point()
        for known, strict in cuts:
            assert value(known, point) > 0 if strict else value(known, point) >= 0


@given(systems(), st.randoms(use_true_random=False))
def test_every_answer_over_a_number_field_carries_its_evidence(
    system: tuple[int, list[tuple[tuple[int, ...], bool]]], stream: random.Random
) -> None:
    """Rows with entries a + b·√2."""
    root = NumberField.quadratic([2]).radicals[2]
    n, rows = system
    cell, cuts = OpenCell(n, is_integral=False), []
    for row, is_strict in rows:
        numbers = tuple(a + root * stream.randint(-2, 2) for a in row)
        multipliers = cell.cut(numbers, is_strict)
        cuts.append((numbers, is_strict))
        if multipliers is not None:
            assert not any(isinstance(m, float) for m in multipliers)
            check_certificate(cuts, multipliers)
            cell.take_back()
            cuts.pop()
        point = cell.point()
        assert not any(isinstance(x, float) for x in point)
        for known, strict in cuts:
            assert value(known, point) > 0 if strict else value(known, point) >= 0


@given(systems())
def test_agrees_with_a_float_program(
    system: tuple[int, list[tuple[tuple[int, ...], bool]]],
) -> None:
    """HiGHS maximises the margin of the strict cuts; small integers leave no doubt."""
    numpy, optimize = pytest.importorskip("numpy"), pytest.importorskip("scipy.optimize")
    n, rows = system
    cell, multipliers = OpenCell(n), None
    for row, is_strict in rows:
        multipliers = multipliers or cell.cut(row, is_strict)
    if not rows:
        return
    table = numpy.array([[-a for a in row[:-1]] + [int(strict)] for row, strict in rows])
    found = optimize.linprog(
        [0] * n + [-1], table, [row[-1] for row, _ in rows], bounds=[(None, None)] * n + [(0, 1)]
    )
    is_feasible = found.status == 0 and (-found.fun > 1e-7 or not any(s for _, s in rows))
    assert (multipliers is None) == is_feasible


def test_no_cuts_leave_the_whole_space() -> None:
    assert OpenCell(2).point() == (0, 0)
    assert OpenCell(0).cut((1,)) is None
    assert OpenCell(0).cut((0,)) == (1,)


def test_huge_coefficients_stay_exact() -> None:
    big = 10**40
    cell = OpenCell(1)
    assert cell.cut((big, -1)) is None
    assert cell.cut((-big, 2)) is None
    assert Fraction(1, big) < cell.point()[0] < Fraction(2, big)
    assert cell.cut((-big, 1)) is not None


def test_a_refused_cut_can_be_taken_back() -> None:
    cell = OpenCell(2)
    cell.cut((1, 0, 0))
    cell.cut((0, 1, -1))
    assert cell.cut((-1, -1, 1)) == (1, 1, 1)
    cell.take_back()
    assert cell.cut((-1, 1, 0)) is None
    x, y = cell.point()
    assert 0 < x < y
