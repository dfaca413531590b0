"""Embedding and projection: the function is preserved, and one undoes the other."""

from __future__ import annotations

from typing import Any

import pytest
from degenerate import ACTIVATIONS
from embedded import embeddings, is_reduced
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from identcert.errors import InputError
from identcert.nets.activation import Activation
from identcert.nets.network import Network
from identcert.submodels.maps import LayerFree, embed, even_split, project
from identcert.submodels.membership import node_of
from identcert.submodels.patterns import Pattern
from identcert.submodels.reduction import reduce_network
from identcert.submodels.relation import find_relation
from identcert.submodels.square import strong_square


def assert_round_trip(submodel: Network, pattern: Pattern, free: Any) -> None:
    """project ∘ embed is the identity up to latent symmetry, and so f is the same."""
    wide = embed(submodel, pattern, free)
    assert wide.widths[1:-1] == pattern.hidden
    expected, found = reduce_network(submodel).reduced, project(wide)
    if len(expected.layers) == 1:
        assert found.layers == expected.layers
    else:
        assert find_relation(expected, found) is not None


@given(embeddings())
def test_project_undoes_embed(drawn: Any) -> None:
    assert_round_trip(*drawn[:3])


@pytest.mark.parametrize("sigma", ACTIVATIONS, ids=Activation.text)
@settings(max_examples=6)
@given(data=st.data())
def test_project_undoes_embed_for_every_activation(sigma: Activation, data: Any) -> None:
    assert_round_trip(*data.draw(embeddings([sigma, sigma]))[:3])


@given(embeddings())
def test_a_generic_embedding_is_at_its_node(drawn: Any) -> None:
    submodel, pattern, free, _ = drawn
    wide = embed(submodel, pattern, free)
    assume(is_reduced(submodel) and all(pattern.widths))
    for own, following in zip(pattern.layers, wide.layers[1:], strict=True):
        assume(all(any(following.weight.column(j)) for j, label in enumerate(own.labels) if label))
    dead_kinds = pattern.layers[0].unread is not None
    assert node_of(wide, dead_kinds) == pattern


@given(embeddings())
def test_projecting_to_the_pattern_gives_the_submodel_itself(drawn: Any) -> None:
    submodel, pattern, free, _ = drawn
    assume(is_reduced(submodel))
    wide = embed(submodel, pattern, free)
    assert project(wide, pattern) == submodel


@given(embeddings(), st.data())
def test_values_agree_at_points(drawn: Any, data: Any) -> None:
    """The function by evaluation, which shares no code with reduction."""
    submodel, pattern, free, _ = drawn
    wide = embed(submodel, pattern, free)
    point = [data.draw(st.integers(-3, 3)) for _ in range(submodel.inputs)]
    for small, large in zip(
        submodel.ball_evaluate(point, 200), wide.ball_evaluate(point, 200), strict=True
    ):
        assert (small - large).contains(0)
    exact = submodel.evaluate(point)
    if exact is not None and wide.evaluate(point) is not None:
        assert wide.evaluate(point) == exact


@given(embeddings())
def test_even_splits_keep_the_function(drawn: Any) -> None:
    submodel, pattern, _, _ = drawn
    assert_round_trip(submodel, pattern, even_split(submodel, pattern))


SMALL = Network.dense([([[1, 2]], [3], "tanh"), ([[5]], [0], "identity")])


@pytest.mark.parametrize(
    ("pattern", "free", "sentence"),
    [
        ("{0}{1}", {}, "does not fit a pattern of widths"),
        ("{0,1}", {"columns": {0: [1]}}, "neuron 0 is the first of its class"),
        ("{0,1}", {"columns": {1: [1, 2]}}, "the column of neuron 1 does not have 1 entries"),
        ("{0,1}", {"factors": {1: 2}}, "factor of neuron 1"),
        ("{0,1}", {"rows": {1: ([1, 1], 0)}}, "neuron 1 has its row from the submodel"),
        ("{0} x{1}", {"rows": {1: ([1], 0)}}, "does not have 2 entries"),
        ("{0} x{1}", {"rows": {1: ([1, 0], 0)}, "columns": {1: [1]}}, "neuron 1 is constant"),
        ("{0} const{1}", {"rows": {1: ([1, 0], 0)}}, "neuron 1 is constant"),
        ("{0} unread{1}", {"columns": {1: [1]}}, "neuron 1 is unread"),
        ("{0} x{1}", {"rows": {7: ([1, 0], 0)}}, "there is no neuron 7"),
    ],
)
def test_free_values_that_change_the_function_are_refused(
    pattern: str, free: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(InputError, match=sentence):
        embed(SMALL, Pattern.parse(pattern), [LayerFree(**free)])


def test_projecting_to_a_pattern_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match="hidden layer 1: neuron 1 is not a clone as stated"):
        project(embed(SMALL, Pattern.parse("{0,-1}")), Pattern.parse("{0,1}"))
    with pytest.raises(InputError, match="neuron 0 is not unread or constant"):
        project(SMALL, Pattern.parse("x{0}"))


def test_cascades_count_for_the_node() -> None:
    """Neuron 0 of the first layer is read by an unread neuron only."""
    net = Network.dense(
        [([[1], [2]], None, "tanh"), ([[0, 1], [1, 0]], None, "tanh"), ([[1, 0]], None, "identity")]
    )
    assert node_of(net).text() == "{1} x{0} | {0} x{1}"


@pytest.mark.parametrize(
    "small",
    [
        Network.dense([([["sqrt(2)", 1]], ["1/3"], "tanh"), ([["sqrt(2)"]], [1], "identity")]),
        Network.dense(
            [([["a", 1]], ["b"], "tanh"), ([["a*b"]], [1], "identity")], parameters=["a", "b"]
        ),
    ],
    ids=["algebraic", "parametric"],
)
def test_other_fields_work_alike(small: Network) -> None:
    pattern = Pattern.parse("{0,-1,2} const{3} unread{4}")
    root = small.layers[0].weight[0, 0]
    free = [LayerFree(rows={4: ([1, root], 2)}, columns={1: [root], 2: [1], 3: [root]})]
    wide = embed(small, pattern, free)
    assert node_of(wide, dead_kinds=True) == pattern
    assert project(wide) == project(wide, pattern) == small
    assert not strong_square(wide).holds
    assert strong_square(embed(small, pattern, even_split(small, pattern))).holds


def test_affine_layers_have_no_part_in_the_pattern() -> None:
    net = Network.dense(
        [
            ([[1], [1]], [0, 0], "tanh"),
            ([[1, 2], [3, 4]], [0, 0], "identity"),
            ([[1, 1]], [0], "tanh"),
            ([[1]], [0], "identity"),
        ]
    )
    assert node_of(net).text() == "{0,1} | {0}"
    assert strong_square(net).holds
