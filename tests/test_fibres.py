"""Fibre components: their numbers, dimensions and meetings, against linear algebra."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from identcert.errors import InputError
from identcert.exact.matrix import Matrix
from identcert.nets.network import Network
from identcert.submodels.counting import fibre_number, onto_number
from identcert.submodels.fibre_meetings import fibre_graph, meeting_dimension
from identcert.submodels.fibres import (
    FibreComponent,
    critical_subspaces,
    fibre_components,
    fibre_kind,
)
from identcert.submodels.reduction import reduce_network

T_UNSIGNED = {
    0: [1, 2, 5, 15, 52, 203, 877, 4140],
    1: [1, 3, 10, 37, 151, 674, 3263, 17007],
    2: [0, 2, 12, 62, 320, 1712, 9604, 56674],
    3: [0, 0, 6, 60, 450, 3120, 21336, 147756],
    4: [0, 0, 0, 24, 360, 3720, 33600, 287784],
    5: [0, 0, 0, 0, 120, 2520, 34440, 394800],
    6: [0, 0, 0, 0, 0, 720, 20160, 352800],
    7: [0, 0, 0, 0, 0, 0, 5040, 181440],
    8: [0, 0, 0, 0, 0, 0, 0, 40320],
}
T_TANH = {
    0: [2, 6, 24, 116, 648, 4088, 28640, 219920],
    1: [2, 12, 68, 416, 2792, 20464, 162640, 1392384],
    2: [0, 8, 96, 896, 8000, 72608, 684544, 6756352],
    3: [0, 0, 48, 960, 13440, 167040, 1998528, 23858688],
}
G = {
    1: [1, 1, 1, 1, 1, 1, 1, 1],
    2: [0, 2, 6, 14, 30, 62, 126, 254],
    3: [0, 0, 6, 36, 150, 540, 1806, 5796],
    4: [0, 0, 0, 24, 240, 1560, 8400, 40824],
    5: [0, 0, 0, 0, 120, 1800, 16800, 126000],
    6: [0, 0, 0, 0, 0, 720, 15120, 191520],
    7: [0, 0, 0, 0, 0, 0, 5040, 141120],
    8: [0, 0, 0, 0, 0, 0, 0, 40320],
}
VARIANTS = [(False, False), (False, True), (True, False), (True, True)]


@pytest.mark.parametrize("m", range(1, 9))
def test_formulas_give_the_tables(m: int) -> None:
    assert [fibre_number(r, m, False, False) for r in T_UNSIGNED] == [
        T_UNSIGNED[r][m - 1] for r in T_UNSIGNED
    ]
    assert [fibre_number(r, m, True, True) for r in T_TANH] == [T_TANH[r][m - 1] for r in T_TANH]
    assert [onto_number(r, m) for r in G] == [G[r][m - 1] for r in G]


def test_unsigned_with_biases_and_one_target() -> None:
    assert [fibre_number(1, m, False, True) for m in range(1, 6)] == [1, 5, 22, 99, 471]


@pytest.mark.parametrize("m", range(1, 7))
@pytest.mark.parametrize("r", range(7))
def test_enumeration_gives_the_unsigned_table(r: int, m: int) -> None:
    found = list(fibre_components(r, m, signed=False, constants=False))
    assert len(set(found)) == len(found) == T_UNSIGNED[r][m - 1]


@pytest.mark.parametrize("m", range(1, 6))
@pytest.mark.parametrize("r", range(4))
def test_enumeration_gives_the_table_of_tanh(r: int, m: int) -> None:
    found = list(fibre_components(r, m, signed=True, constants=True))
    assert len(set(found)) == len(found) == T_TANH[r][m - 1]


@pytest.mark.parametrize(("signed", "constants"), VARIANTS)
def test_enumeration_gives_the_formula_in_all_variants(signed: bool, constants: bool) -> None:
    for r, m in itertools.product(range(4), range(5)):
        found = sum(1 for _ in fibre_components(r, m, signed, constants))
        assert found == fibre_number(r, m, signed, constants)


@pytest.mark.parametrize("m", range(1, 7))
@pytest.mark.parametrize("r", range(1, 7))
def test_critical_subspaces_are_onto_maps(r: int, m: int) -> None:
    found = list(critical_subspaces(r, m))
    assert len({images for images, _ in found}) == len(found) == G[r][m - 1]
    assert all(set(images) == set(range(r)) and size == m - r for images, size in found)


def equations(component: FibreComponent, inputs: int, outputs: int, bias: bool) -> Any:
    """The linear equations of a component in rows (w, b) and outgoing weights, by definition.

    Target t has the row (1, t + 2, (t + 2)², …) and the outgoing weights t + 1.
    """
    m, width = len(component.roles), inputs + bias
    size = m * (width + outputs)
    left: list[list[int]] = []
    right: list[list[int]] = []

    def add(terms: dict[int, int], value: int) -> None:
        left.append([terms.get(k, 0) for k in range(size)])
        right.append([value])

    def row_of(i: int) -> range:
        return range(i * width, (i + 1) * width)

    def out(i: int, k: int) -> int:
        return m * width + i * outputs + k

    for t, group in enumerate(component.carriers):
        for i, sign in group:
            for power, place in enumerate(row_of(i)):
                add({place: sign}, (t + 2) ** power)
        for k in range(outputs):
            add({out(i, k): sign for i, sign in group}, t + 1)
    for group in component.blocks:
        first = group[0][0]
        for i, sign in group[1:]:
            for place, other in zip(row_of(first), row_of(i), strict=True):
                add({place: 1, other: -sign}, 0)
        for k in range(outputs):
            add({out(i, k): sign for i, sign in group}, 0)
    for i in component.constants:
        for place in list(row_of(i))[:inputs]:
            add({place: 1}, 0)
    return left, right, size


def solution_dimension(parts: list[FibreComponent], sizes: tuple[int, int, bool]) -> int | None:
    left: list[list[int]] = []
    right: list[list[int]] = []
    size = 0
    for part in parts:
        own = equations(part, *sizes)
        left, right, size = left + own[0], right + own[1], own[2]
    if not left:
        return size
    matrix = Matrix.of(left)
    return None if matrix.solve(Matrix.of(right)) is None else size - matrix.rank()


@pytest.mark.parametrize(("signed", "constants"), VARIANTS)
@pytest.mark.parametrize(("r", "m"), [(0, 2), (1, 2), (2, 2), (0, 3), (1, 3)])
def test_dimensions_and_meetings_are_those_of_linear_algebra(
    r: int, m: int, signed: bool, constants: bool
) -> None:
    sizes = (2, 1, True) if m == 3 else (1, 2, False)
    components = list(fibre_components(r, m, signed, constants))
    for component in components:
        assert component.dimension(*sizes) == solution_dimension([component], sizes)
    pairs = list(itertools.combinations(components, 2))
    for first, second in pairs[:: 1 + len(pairs) // 250]:
        common = meeting_dimension(first, second, *sizes)
        assert common == solution_dimension([first, second], sizes)


@pytest.mark.parametrize(("signed", "constants"), VARIANTS)
@pytest.mark.parametrize(("r", "m"), [(0, 3), (1, 3), (2, 3), (3, 3)])
def test_no_component_lies_in_another(r: int, m: int, signed: bool, constants: bool) -> None:
    if fibre_number(r, m, signed, constants) > 100:
        m -= 1
    graph = fibre_graph(r, m, signed, constants, inputs=2, outputs=1)
    sizes = graph.nodes(data="dimension")
    for i, j, common in graph.edges(data="dimension"):
        assert common < min(sizes[i], sizes[j])


ROWS, COLUMNS = [(1, 2, 1), (2, -3, 2)], [3, 5]


@pytest.mark.parametrize("sigma", ["tanh", "sigmoid", "arctan", "erf", "elu"])
def test_generic_points_have_the_function_of_the_target(sigma: str) -> None:
    """The difference to the target reduces to a constant, which the output bias takes up."""
    for component in fibre_components(2, 3, *fibre_kind(sigma, bias=True)):
        rows, columns = generic_point(component)
        weight = [row[:2] for row in rows + ROWS]
        hidden = (weight, [row[2] for row in rows + ROWS], sigma)
        difference = [columns + [-a for a in COLUMNS]]
        net = Network.dense([hidden, (difference, [0], "identity")])
        assert reduce_network(net).is_collapsed


def generic_point(component: FibreComponent) -> tuple[list[Any], list[int]]:
    """Rows (w, b) and outgoing weights of a generic point of a component."""
    m = len(component.roles)
    rows: list[Any] = [(0, 0, 4)] * m
    columns = [11 + i for i in range(m)]
    groups = [*zip(component.carriers, ROWS, COLUMNS, strict=True)]
    groups += [(block, (5, 7, 9), 0) for block in component.blocks]
    for group, row, total in groups:
        for i, sign in group:
            rows[i] = tuple(sign * w for w in row)
        columns[group[0][0]] = 0
        rest = sum(sign * columns[i] for i, sign in group)
        columns[group[0][0]] = group[0][1] * (total - rest)
    return rows, columns


def test_the_fibre_of_one_target_in_two_neurons_is_connected() -> None:
    """With a spare neuron every tanh parameter can be moved to every other one."""
    import networkx

    assert networkx.is_connected(fibre_graph(1, 2, signed=True, constants=True))
    assert not networkx.is_connected(fibre_graph(2, 2, signed=True, constants=True))


def test_other_activations_are_refused() -> None:
    with pytest.raises(InputError, match="the fibres of relu are not unions"):
        fibre_kind("relu", bias=True)
    with pytest.raises(InputError, match="more than 1500 components"):
        fibre_graph(2, 5, signed=True, constants=True)
