"""Paths between two parameters of one shallow function."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from degenerate import ACTIVATIONS
from embedded import NON_ZERO, NUMBERS, free_values
from hypothesis import given, settings
from hypothesis import strategies as st

from identcert.errors import InputError
from identcert.exact.field import QQ
from identcert.exact.matrix import Matrix
from identcert.nets.activation import Activation, activation
from identcert.nets.network import Layer, Network
from identcert.submodels.architecture import is_signed
from identcert.submodels.maps import embed, project
from identcert.submodels.paths import check_segment, find_path
from identcert.submodels.patterns import LayerPattern, Pattern

TANH = activation("tanh")


def shallow(rows: list[Any], columns: list[Any], bias: Any = 0, sigma: str = "tanh") -> Network:
    weights = [row[:-1] for row in rows]
    hidden = (weights, [row[-1] for row in rows], sigma)
    return Network.dense([hidden, ([columns], [bias], "identity")])


@st.composite
def equivalent_pairs(draw: Any, sigma: Activation) -> tuple[Network, Network]:
    """Two embeddings of one reduced network into one width, with a neuron to spare."""
    width = draw(st.integers(0, 3))
    neurons = width + draw(st.integers(1, 4))
    # rows (1, k, b) are pairwise inequivalent, whatever the symmetries of σ
    rows = [(1, k, draw(NUMBERS)) for k in range(width)]
    columns = [draw(NON_ZERO) for _ in range(width)]
    hidden = Layer(Matrix.of([row[:2] for row in rows], cols=2), [row[2] for row in rows], sigma)
    out = Layer(Matrix.of([columns], cols=width), (draw(NUMBERS),))
    ends = []
    for _ in range(2):
        extra = [draw(st.integers(0, width)) for _ in range(neurons - width)]
        labels = draw(st.permutations([*range(1, width + 1), *extra]))
        signs = st.sampled_from([1, -1] if is_signed(sigma) else [1])
        moved, numbers = normal_labels([draw(signs) * label for label in labels])
        pattern = Pattern((LayerPattern(moved),))
        shuffled = Network(
            2,
            (
                Layer(hidden.weight.select_rows(numbers), [hidden.bias[k] for k in numbers], sigma),
                Layer(out.weight.select_columns(numbers), out.bias),
            ),
            QQ,
        )
        ends.append(embed(shuffled, pattern, draw(free_values(shuffled, pattern, biased=True))))
    return ends[0], ends[1]


def normal_labels(labels: list[int]) -> tuple[tuple[int, ...], list[int]]:
    """The labels in normal form, and which class each new class was, from 0."""
    numbers = list(dict.fromkeys(abs(label) - 1 for label in labels if label))
    return LayerPattern.of(labels).labels, numbers


def assert_path(start: Network, end: Network, redundant: bool) -> None:
    path = find_path(start, end)
    assert (path.vertices[0], path.vertices[-1]) == (start, end)
    assert not redundant or path.segments <= 7
    for segment in range(path.segments):
        middle = path.point(segment, Fraction(1, 3))
        for point in ([0, 0], [1, -2]):
            for a, b in zip(
                start.ball_evaluate(point, 150), middle.ball_evaluate(point, 150), strict=True
            ):
                assert (a - b).contains(0)


def reduced_width(network: Network) -> int:
    small = project(network)
    return small.widths[1] if len(small.layers) == 2 else 0


@given(equivalent_pairs(TANH))
def test_any_two_equivalent_tanh_parameters_are_joined(pair: tuple[Network, Network]) -> None:
    start, end = pair
    assert_path(start, end, redundant=2 * reduced_width(start) <= start.widths[1])


@pytest.mark.parametrize("sigma", ACTIVATIONS, ids=Activation.text)
@settings(max_examples=4)
@given(data=st.data())
def test_parameters_of_every_activation_are_joined(sigma: Activation, data: Any) -> None:
    start, end = data.draw(equivalent_pairs(sigma))
    assert_path(start, end, redundant=2 * reduced_width(start) <= start.widths[1])


def test_a_permutation_of_all_neurons_needs_one_that_is_redundant() -> None:
    rows, moved = [(1, 2), (3, 4)], [(3, 4), (1, 2)]
    with pytest.raises(InputError, match="no neuron is redundant"):
        find_path(shallow(rows, [5, 7]), shallow(moved, [7, 5]))
    wide = shallow([*rows, (0, 0)], [5, 7, 0])
    path = find_path(wide, shallow([*moved, (0, 0)], [7, 5, 0]))
    assert path.segments == 7  # three rounds through the one blank neuron, whose row goes back
    assert path.kinds[0] == path.kinds[-1] == "incoming"


def test_half_of_the_neurons_redundant_takes_at_most_seven_segments() -> None:
    start = shallow([(1, 2), (3, 4), (1, 2), (0, 5)], [5, 3, 1, 2], "1/2")
    end = shallow([(3, 4), (-1, -2), (1, 2), (0, 5)], [3, -4, 2, 2], "1/2")
    assert find_path(start, end).segments <= 7


def test_different_functions_are_not_joined() -> None:
    start = shallow([(1, 2), (1, 2)], [5, 3])
    with pytest.raises(InputError, match="no neuron symmetries relate"):
        find_path(start, shallow([(1, 2), (1, 2)], [5, 4]))
    with pytest.raises(InputError, match="different constants"):
        find_path(shallow([(0, 2)], [1]), shallow([(0, 2)], [2]))


def test_segments_are_checked_on_their_own() -> None:
    start = shallow([(1, 2), (1, 2)], [5, 3])
    assert check_segment(start, shallow([(1, 2), (1, 2)], [8, 0])) == "outgoing"
    with pytest.raises(InputError, match="different functions"):
        check_segment(start, shallow([(1, 2), (1, 2)], [8, 1]))
    with pytest.raises(InputError, match="the row of neuron 1 moves"):
        check_segment(start, shallow([(1, 2), (1, 3)], [5, 3]))
    with pytest.raises(InputError, match="at the same time"):
        check_segment(start, shallow([(1, 2), (1, 3)], [8, 0]))


def test_deep_networks_are_refused() -> None:
    deep = Network.dense([([[1]], None, "tanh"), ([[1]], None, "tanh"), ([[1]], None, "identity")])
    with pytest.raises(InputError, match="does not have one hidden layer"):
        find_path(deep, deep)
