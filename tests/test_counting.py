"""Closed formulas: the tables up to m = 8, and laws between the formulas."""

from __future__ import annotations

from math import comb, factorial, prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from identcert.errors import InputError
from identcert.submodels.architecture import Architecture
from identcert.submodels.counting import (
    bell,
    characteristic_polynomial,
    cover_number,
    dowling,
    fibre_number,
    moebius,
    onto_number,
    orbit_cover_number,
    orbit_number,
    orbit_numbers,
    pattern_numbers,
    stirling,
)
from identcert.submodels.graph import SubmodelGraph
from identcert.submodels.orbits_of_patterns import orbit_poset
from identcert.submodels.patterns import layer_patterns
from identcert.submodels.totals import count_orbits, count_patterns

TABLE: dict[str, tuple[Any, list[int]]] = {
    "nodes": (lambda m: sum(pattern_numbers(m, False)), [2, 5, 15, 52, 203, 877, 4140, 21147]),
    "covers": (lambda m: cover_number(m, False), [1, 6, 31, 160, 856, 4802, 28337, 175896]),
    "signed nodes": (dowling, [2, 6, 24, 116, 648, 4088, 28640, 219920]),
    "signed covers": (
        lambda m: cover_number(m, True),
        [1, 8, 58, 432, 3396, 28384, 252456, 2385280],
    ),
    "orbits": (orbit_number, [2, 4, 7, 12, 19, 30, 45, 67]),
    "orbit covers": (orbit_cover_number, [1, 4, 10, 22, 43, 79, 137, 229]),
    "signed orbits under permutations": (
        lambda m: orbit_number(m, signed_types=True),
        [2, 5, 10, 21, 39, 74, 131, 233],
    ),
    "their covers": (
        lambda m: orbit_cover_number(m, signed_types=True),
        [1, 6, 18, 51, 122, 280, 593, 1218],
    ),
}


@pytest.mark.parametrize("row", TABLE)
def test_formulas_give_the_table_of_patterns(row: str) -> None:
    formula, numbers = TABLE[row]
    assert [formula(m) for m in range(1, 9)] == numbers


def test_dead_kinds_are_counted_by_their_generating_function() -> None:
    assert [sum(pattern_numbers(m, False, True)) for m in range(1, 7)] == [
        3, 10, 37, 151, 674, 3263,
    ]  # fmt: skip


@pytest.mark.parametrize("m", range(9))
def test_numbers_by_width_are_stirling_and_whitney_numbers(m: int) -> None:
    unsigned = [stirling(m + 1, k + 1) for k in range(m + 1)]
    assert list(pattern_numbers(m, False)) == unsigned and sum(unsigned) == bell(m + 1)
    whitney = [
        sum(comb(m, i) * 2 ** (i - k) * stirling(i, k) for i in range(k, m + 1))
        for k in range(m + 1)
    ]
    assert list(pattern_numbers(m, True)) == whitney
    assert cover_number(m, True) == sum(w * k * k for k, w in enumerate(whitney))


@pytest.mark.parametrize("m", range(9))
def test_characteristic_polynomials(m: int) -> None:
    def value(polynomial: tuple[int, ...], t: int) -> int:
        return sum(c * t**k for k, c in enumerate(polynomial))

    for t in range(-2, 9):
        unsigned = prod(t - j for j in range(1, m + 1))
        assert value(characteristic_polynomial(m, False), t) == unsigned
        signed = prod(t - j for j in range(1, 2 * m, 2))
        assert value(characteristic_polynomial(m, True), t) == signed
    assert abs(moebius([], [m], False)) == factorial(m)
    assert abs(moebius([], [m], True)) == prod(range(1, 2 * m, 2))


@pytest.mark.parametrize("dead_kinds", [False, True])
@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("m", range(6))
def test_characteristic_polynomials_are_sums_of_moebius_values(
    m: int, signed: bool, dead_kinds: bool
) -> None:
    total = [0] * (m + 1)
    for pattern in layer_patterns(m, signed, dead_kinds):
        zeros = [len(pattern.removed)]
        if pattern.unread is not None:
            zeros = [zeros[0] - len(pattern.unread), len(pattern.unread)]
        total[pattern.width] += moebius([len(own) for own in pattern.classes], zeros, signed)
    assert tuple(total) == characteristic_polynomial(m, signed, dead_kinds)


@pytest.mark.parametrize("dead_kinds", [False, True])
@pytest.mark.parametrize(("signed", "types"), [(False, False), (True, False), (True, True)])
@pytest.mark.parametrize("m", range(9))
def test_orbit_formulas_count_the_posets(
    m: int, signed: bool, types: bool, dead_kinds: bool
) -> None:
    poset = orbit_poset(m, signed, types, dead_kinds)
    assert poset.size == orbit_number(m, types, dead_kinds)
    assert poset.covers == orbit_cover_number(m, types, dead_kinds)
    widths = [kind.width for kind in poset.kinds]
    assert [widths.count(k) for k in range(m + 1)] == list(orbit_numbers(m, types, dead_kinds))
    assert sum(kind.orbit for kind in poset.kinds) == sum(pattern_numbers(m, signed, dead_kinds))


@given(st.lists(st.integers(0, 4), max_size=3), st.data())
def test_counts_of_several_layers_multiply(hidden: list[int], data: Any) -> None:
    signed = [data.draw(st.booleans()) for _ in hidden]
    count = count_patterns(hidden, signed)
    parts = [count_patterns([m], [s]) for m, s in zip(hidden, signed, strict=True)]
    assert count.nodes == prod(part.nodes for part in parts) == sum(count.ranks)
    assert count.edges == sum(
        part.edges * prod(other.nodes for j, other in enumerate(parts) if j != i)
        for i, part in enumerate(parts)
    )
    assert len(count.ranks) == len(count.characteristic or ()) == sum(hidden) + 1


def test_large_sizes_are_counted_at_once() -> None:
    assert count_patterns([300, 200], [True, False]).nodes > 10**600
    assert count_orbits([300, 200], [False, False]).nodes > 10**25
    graph = SubmodelGraph(Architecture.of([4, 64, 64, 10], "tanh"))
    assert sum(graph.count.ranks) == graph.count.nodes
    with pytest.raises(InputError, match="too many to count"):
        count_patterns([900, 200], [True, True])


@given(st.integers(0, 6), st.integers(0, 8))
def test_fibre_numbers_are_the_other_sum_of_the_theory(r: int, m: int) -> None:
    """Σ_j (r+j)!/j!·S(m, r+j) for unsigned networks without biases."""
    other = sum(
        factorial(r + j) // factorial(j) * stirling(m, r + j) for j in range(max(0, m - r) + 1)
    )
    assert fibre_number(r, m, False, False) == other
    assert onto_number(r, m) == sum((-1) ** (r - i) * comb(r, i) * i**m for i in range(r + 1))
    assert fibre_number(0, m, True, True) == dowling(m)
