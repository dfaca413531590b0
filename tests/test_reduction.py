from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from degenerate import (
    ACTIVATIONS,
    SCALES,
    agree,
    degenerate_networks,
    find_ratio,
    possible_steps,
    same_up_to_symmetries,
    shuffled,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from identcert.errors import InputError, UnsupportedError
from identcert.exact.field import QQ, FunctionField, NumberField
from identcert.exact.matrix import Matrix
from identcert.nets.activation import activation
from identcert.nets.constant import Constant
from identcert.nets.network import Layer, Network
from identcert.submodels.reduction import fold_affine_layers, reduce_network
from identcert.submodels.rows import are_equivalent, keyed_rows, layer_keys, row_key
from identcert.submodels.steps import (
    AffineStep,
    CollapseStep,
    DropStep,
    FoldStep,
    MergeStep,
    decode_step,
    replay,
)
from identcert.submodels.writing import write_out, write_reduction

SQRT2 = NumberField.quadratic([2])
FIELD = FunctionField(("a", "b"))
A, B = FIELD.generators
SEEDS = st.integers(0, 10**6)


# --- laws -------------------------------------------------------------------------------


@given(degenerate_networks())
def test_reduced_network_computes_the_same_function(network: Network) -> None:
    assert agree(network, reduce_network(network).reduced)


@given(degenerate_networks())
def test_steps_replay_to_the_reduced_network(network: Network) -> None:
    reduction = reduce_network(network)
    assert replay(network, reduction.steps) == reduction.reduced
    affine = [step for step in reduction.steps if isinstance(step, AffineStep)]
    assert replay(network, affine) == reduction.folded
    decoded = [decode_step(tree, QQ) for tree in reduction.encode_steps()]
    assert decoded == list(reduction.steps)


@given(degenerate_networks())
def test_nothing_reducible_is_left(network: Network) -> None:
    reduced = reduce_network(network).reduced
    assert possible_steps(reduced) == []
    assert all(layer.activation.affine is None for layer in reduced.layers[:-1])
    assert all(reduced.widths) and reduce_network(reduced).is_trivial
    for layer in reduced.layers[:-1]:
        assert keyed_rows(layer.weight, layer.bias, layer.activation, QQ).is_reduced


@given(degenerate_networks(), SEEDS)
def test_order_independent(network: Network, seed: int) -> None:
    folded, _ = fold_affine_layers(network)
    stream, other = random.Random(seed), folded
    while steps := possible_steps(other):
        other = stream.choice(steps).apply(other)
    if len(other.layers) > 1 and not any(other.widths[1:-1]):
        other = CollapseStep().apply(other)
    assert same_up_to_symmetries(other, reduce_network(network).reduced)


@given(degenerate_networks(), SEEDS)
def test_layer_symmetries_do_not_change_the_result(network: Network, seed: int) -> None:
    moved = shuffled(network, seed)
    assert agree(network, moved)
    left, right = reduce_network(network).reduced, reduce_network(moved).reduced
    assert same_up_to_symmetries(left, right)


@given(degenerate_networks())
def test_kept_neurons_are_named_by_their_place_in_the_folded_network(network: Network) -> None:
    reduction = reduce_network(network)
    widths = reduction.folded.widths[1:-1]
    assert len(reduction.kept) == len(widths)
    for kept, width in zip(reduction.kept, widths, strict=True):
        assert list(kept) == sorted(set(kept)) and all(0 <= i < width for i in kept)
    if not reduction.is_collapsed:
        assert tuple(map(len, reduction.kept)) == reduction.reduced.widths[1:-1]
        first, sigma = reduction.reduced.layers[0], reduction.folded.layers[0]
        if len(reduction.folded.layers) > 1:
            assert first.weight == sigma.weight.select_rows(reduction.kept[0])


@given(degenerate_networks())
def test_write_out_round_trip(network: Network) -> None:
    reduction = reduce_network(network)
    written = write_reduction(reduction)
    assert not any(isinstance(b, Constant) for layer in written.layers for b in layer.bias)
    assert all(written.widths)
    assert agree(network, written)
    assert reduce_network(written).reduced == reduction.reduced


@given(degenerate_networks(affine=False), st.sampled_from([SQRT2, FIELD]))
def test_larger_fields_change_nothing(network: Network, field: Any) -> None:
    wide = network.over(field, field)
    first, unit = wide.layers[0], next(iter(field.named.values()), None) or SQRT2.radicals[2]
    moved = replace(first, weight=first.weight.scale(unit))
    wide = replace(wide, layers=(moved, *wide.layers[1:]))
    reduction = reduce_network(wide)
    assert reduction.kept == reduce_network(network).kept
    assert replay(wide, reduction.steps) == reduction.reduced
    assert [decode_step(tree, field) for tree in reduction.encode_steps()] == [*reduction.steps]
    assert reduce_network(reduction.reduced).is_trivial


# --- rows -------------------------------------------------------------------------------

ENTRY = st.fractions(-3, 3, max_denominator=4)


@pytest.mark.parametrize("sigma", ACTIVATIONS, ids=lambda s: s.text())
@given(data=st.data())
@settings(max_examples=20, deadline=None)
def test_clones_have_one_key_and_the_scale_of_their_ratio(sigma: Any, data: Any) -> None:
    row = data.draw(st.lists(ENTRY, min_size=1, max_size=4))
    bias = QQ(data.draw(ENTRY))
    alpha = QQ(data.draw(st.sampled_from(SCALES[sigma.scalings])))
    for field, embed in ((QQ, QQ), (SQRT2, lambda x: SQRT2(x) * (1 + SQRT2.radicals[2]))):
        w = [embed(QQ(x)) for x in row]
        b = field(sigma.centre) + embed(bias)
        other = [x * alpha for x in w], field(sigma.centre) + embed(bias) * alpha
        key, scale = row_key(w, b, sigma, field)
        key2, scale2 = row_key(*other, sigma, field)
        assert key == key2 and hash(key) == hash(key2)
        assert sigma.admits(scale, field)
        if any(row) or bias:
            assert scale2 == scale * alpha
        table = keyed_rows(Matrix.of([w, other[0]], field), (b, other[1]), sigma, field)
        assert list(table.rows) == [(key, scale), (key2, scale2)]
        assert table.match(Matrix.of([w], field), [b]) == [(key, scale)]


@pytest.mark.parametrize("sigma", ACTIVATIONS, ids=lambda s: s.text())
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_equal_keys_are_equivalent_rows(sigma: Any, data: Any) -> None:
    small = st.integers(-2, 2)
    rows = data.draw(st.lists(st.tuples(small, small, small), min_size=2, max_size=5))
    weight = Matrix.of([row[:2] for row in rows])
    layer = Layer(weight, tuple(QQ(row[2]) + sigma.centre for row in rows), sigma, True)
    keys = layer_keys(layer)
    for i in range(len(rows)):
        for j in range(len(rows)):
            if any(rows[i][:2]):
                alpha = find_ratio(layer, i, j)
                assert (alpha is not None) == (keys[i][0] == keys[j][0])
                assert alpha is None or keys[j][1] / keys[i][1] == alpha


def test_polynomial_clones_lie_about_the_centre() -> None:
    sigma = activation("(x^2 + x)^2")
    assert are_equivalent(([2, 3], QQ(4)), ([-2, -3], QQ(-5)), sigma, QQ)
    assert not are_equivalent(([2, 3], QQ(4)), ([-2, -3], QQ(-4)), sigma, QQ)


def test_float_weights_with_wild_exponents_have_exact_keys() -> None:
    tiny, third = QQ(Fraction(1, 2**1074)), QQ(Fraction(1, 3))
    sigma = activation("relu")
    assert are_equivalent(([tiny, 0], third), ([third, 0], third / (tiny * 3)), sigma, QQ)
    assert not are_equivalent(([tiny, 0], third), ([third, 0], third / tiny), sigma, QQ)


@pytest.mark.parametrize("spelling", ["tanh", "relu", "abs", "softplus"])
def test_atoms_in_biases_take_part_in_keys(spelling: str) -> None:
    sigma = activation(spelling)
    constant = Constant(QQ, QQ(1), ((QQ(2), _atom("tanh", 1)),))
    alpha = QQ(SCALES[sigma.scalings][-1])
    clone = ([alpha, 2 * alpha], constant * alpha)
    assert are_equivalent(([1, 2], constant), clone, sigma, QQ)
    assert not are_equivalent(([1, 2], constant), (clone[0], constant * (3 * alpha)), sigma, QQ)
    assert not are_equivalent(([1, 2], constant), ([1, 2], QQ(1)), sigma, QQ)
    assert are_equivalent(([0, 0], constant), ([0, 0], constant * alpha), sigma, QQ)


def _atom(spelling: str, argument: Any) -> Any:
    from identcert.nets.constant import Atom

    return Atom(activation(spelling), QQ(argument))


# --- tables -----------------------------------------------------------------------------


def dense(*layers: Any) -> Network:
    return Network.dense(list(layers))


OUT = ([[1, 3]], [0], "identity")


@pytest.mark.parametrize(
    ("network", "steps", "weight", "bias"),
    [
        (dense(([[1], [1]], [2, 2], "gelu"), OUT), ["merge"], [[4]], 0),
        (dense(([[1], [-1]], [2, -2], "sigmoid"), OUT), ["merge"], [[-2]], 3),
        (dense(([[1], [-1]], [2, -2], "gelu"), OUT), [], [[1, 3]], 0),
        (dense(([[1], [2]], [2, 4], "relu"), OUT), ["merge"], [[7]], 0),
        (dense(([[1], [-2]], [2, -4], "abs"), OUT), ["merge"], [[7]], 0),
        (dense(([[1], [-2]], [2, -4], "relu"), OUT), [], [[1, 3]], 0),
        (dense(([[1], [-1]], [2, 4], "relu6"), OUT), ["merge"], [[-2]], 18),
        (dense(([[1], [-1]], [2, -3], "(x^2+x)^2"), OUT), ["merge"], [[4]], 0),
        (dense(([[1], [-2]], [2, -7], "(x+1)^3 - 1"), OUT), ["merge"], [[-23]], -27),
        (dense(([[1], [0]], [2, 2], "x^2"), OUT), ["fold"], [[1]], 12),
        (dense(([[1], [1]], [2, 1], "x^2"), ([[0, 3]], [1], "identity")), ["drop"], [[3]], 1),
        (dense(([[1], [1]], [2, 1], "2*x + 1"), OUT), ["affine"], [[8]], 14),
        (dense(([[1], [1]], [2, 1], "3"), OUT), ["affine"], [[0]], 12),
    ],
)
def test_each_rule(network: Network, steps: list[str], weight: Any, bias: int) -> None:
    reduction = reduce_network(network)
    assert [step.encode()["rule"] for step in reduction.steps] == steps
    assert reduction.reduced.layers[-1].weight == Matrix.of(weight)
    assert reduction.reduced.layers[-1].bias == (bias,)


def test_cascade_in_both_directions_down_to_a_constant() -> None:
    # the merged tanh clones cancel, so the layer above is constant and that below unread
    network = dense(
        ([[1, 2], [3, 1]], [1, 0], "relu"),
        ([[1, 1], [1, 1]], [1, 1], "tanh"),
        ([[1, -1]], [1], "sigmoid"),
        ([[2], [4]], [0, 1], "identity"),
    )
    reduction = reduce_network(network)
    assert reduction.is_collapsed and reduction.kept == ((), (), ())
    assert reduction.reduced.widths == (2, 2)
    assert agree(network, reduction.reduced)
    written = write_out(reduction.reduced)
    assert written.widths == (2, 1, 2) and agree(network, written)


def test_a_bias_free_network_stays_without_bias() -> None:
    network = dense(([[1], [-1], [0]], None, "tanh"), ([[1, 2, 3]], None, "identity"))
    reduced = reduce_network(network).reduced
    assert not any(layer.has_bias for layer in reduced.layers)
    network = dense(([[1], [0]], None, "sigmoid"), ([[1, 2]], None, "identity"))
    assert reduce_network(network).reduced.layers[-1].has_bias


def test_nested_constants_are_written_layer_by_layer() -> None:
    network = dense(
        ([[1], [0]], [0, 2], "tanh"),
        ([[1, 1], [0, -3]], [0, 1], "silu"),
        ([[1, 1]], [0], "sigmoid"),
        ([[1]], [0], "identity"),
    )
    reduced = reduce_network(network).reduced
    assert reduced.widths == (1, 1, 1, 1, 1)
    written = write_out(reduced)
    assert agree(network, written) and reduce_network(written).reduced == reduced


@pytest.mark.parametrize(
    "spelling",
    ["relu", "abs", "hard_tanh", "relu6", "elu", "silu", "softplus", "gelu", "x^2", "x^3 + x",
     {"leaky_relu": "-1/2"}],
)  # fmt: skip
def test_constants_pass_through_a_layer_that_did_not_make_them(spelling: Any) -> None:
    layer = Layer(Matrix.of([[1]]), (QQ(1),), activation(spelling), True)
    constant = Constant(QQ, QQ(2), ((QQ(-3), _atom("tanh", -2)),))
    first = Layer(Matrix.of([[1]]), (QQ(0),), activation("tanh"), True)
    last = Layer(Matrix.of([[5]]), (constant,), activation("identity"), True)
    network = Network(1, (first, layer, last), QQ)
    written = write_out(network)
    assert not any(isinstance(b, Constant) for each in written.layers for b in each.bias)
    assert agree(network, written)


def test_constants_that_cannot_pass_are_refused() -> None:
    layer = Layer(Matrix.of([[1]]), (QQ(1),), activation("sin"), True)
    constant = Constant(QQ, QQ(2), ((QQ(-3), _atom("tanh", 2)),))
    last = Layer(Matrix.of([[5]]), (constant,), activation("identity"), True)
    with pytest.raises(UnsupportedError, match="cannot pass through the activation sin"):
        write_out(Network(1, (layer, last), QQ))


# --- wrong steps ------------------------------------------------------------------------

VICTIM = dense(
    ([[1, 2], [-1, -2], [0, 0], [2, 4]], [1, -1, 3, 2], "tanh"),
    ([[1, 1, 1, 0], [0, 1, 1, 0]], [0, 0], "relu"),
    ([[1, 1]], [0], "identity"),
)


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (AffineStep(0), "is not affine"),
        (AffineStep(2), "no hidden layer 2"),
        (DropStep(0, 1), "column 1 of the next weight is not zero"),
        (DropStep(0, 4), "no neuron 4"),
        (DropStep(-1, 0), "no hidden layer -1"),
        (DropStep(0, -1), "no neuron -1"),
        (FoldStep(0, 0), "row 0 of the weight is not zero"),
        (MergeStep(0, 0, 1, QQ(1)), "row 1 is not the stated multiple of row 0"),
        (MergeStep(0, 0, 3, QQ(2)), "tanh does not admit this scale"),
        (MergeStep(0, 2, 2, QQ(1)), "merged into itself"),
        (MergeStep(0, 2, 1, QQ(1)), "row 2 of the weight is zero"),
        (MergeStep(1, 0, 1, QQ(1)), "row 1 is not the stated multiple"),
        (MergeStep(0, 0, 1, SQRT2(-1), SQRT2), "does not admit"),
        (CollapseStep(), "some hidden layer is not empty"),
    ],
)
def test_wrong_steps_are_refused(step: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason) as refusal:
        replay(VICTIM, [step])
    assert str(refusal.value).startswith("step 0: ")


def test_a_wrong_bias_is_refused() -> None:
    first = replace(VICTIM.layers[0], bias=tuple(map(QQ, (1, 1, 3, 2))))
    network = replace(VICTIM, layers=(first, *VICTIM.layers[1:]))
    with pytest.raises(InputError, match="bias 1 is not the stated multiple of bias 0"):
        MergeStep(0, 0, 1, QQ(-1)).apply(network)


@pytest.mark.parametrize(
    "tree",
    [
        {"rule": "guess"},
        {"rule": "drop", "layer": 0},
        {"rule": "drop", "layer": 0, "neuron": 1, "keep": 1},
        {"rule": "merge", "layer": 0, "keep": 0, "drop": 1},
        {"rule": "fold", "layer": 0, "neuron": True},
        {"rule": ["fold"], "layer": 0, "neuron": 0},
        {"layer": 0},
    ],
)
def test_malformed_steps_are_refused(tree: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        decode_step(tree, QQ)


# --- other fields -----------------------------------------------------------------------


def test_algebraic_clones_merge() -> None:
    root = SQRT2.radicals[2]
    weight = Matrix.of([[1, root], [-root, -2], [root, 2]], SQRT2)
    sigma, zero = activation("relu"), SQRT2.zero
    first = Layer(weight, (zero, zero, zero), sigma, False)
    last = Layer(Matrix.of([[1, 1, 1]], SQRT2), (zero,), activation("identity"), False)
    reduced = reduce_network(Network(2, (first, last), SQRT2)).reduced
    assert reduced.layers[0].weight == weight.select_rows([0, 1])
    assert reduced.layers[1].weight == Matrix.of([[1 + root, 1]], SQRT2)


def symbolic(rows: Any, sigma: Any, out: Any) -> Network:
    weight = Matrix.of(rows, FIELD)
    zeros = (FIELD.zero,) * weight.rows
    first = Layer(weight, zeros, activation(sigma), False)
    last = Layer(Matrix.of([out], FIELD), (FIELD.zero,), activation("identity"), False)
    return Network(weight.cols, (first, last), FIELD)


def test_symbolic_weights_name_the_exceptional_polynomials() -> None:
    reduction = reduce_network(symbolic([[A, B], [B, A]], "tanh", [1, 1]))
    assert reduction.is_trivial and reduction.exceptional == (A + B, A - B)


@pytest.mark.parametrize(
    ("rows", "sigma", "out", "exceptional"),
    [
        ([[1, 0], [0, 1]], "tanh", [1, 2], ()),
        ([[A, 0], [0, 1]], "tanh", [1, B], (A, B)),
        ([[1 / A, 0], [0, 1]], "tanh", [1, 1], (A,)),
        ([[1, A], [1, B]], "x^2", [1, 1], (A - B,)),
        ([[A, B], [1, 1]], "softplus", [1, 1], (A**2 + B**2, (A - 1) ** 2 + (B - 1) ** 2)),
        ([[A**2, A * B], [0, 1]], "tanh", [1, 1], (A,)),
    ],
)
def test_exceptional_tables(rows: Any, sigma: str, out: Any, exceptional: Any) -> None:
    assert reduce_network(symbolic(rows, sigma, out)).exceptional == exceptional


def test_symbolic_clones() -> None:
    reduction = reduce_network(symbolic([[A, B], [-A, -B]], "tanh", [1, 3]))
    assert reduction.reduced.layers[1].weight == Matrix.of([[-2]], FIELD)
    reduction = reduce_network(symbolic([[A, B], [A * A, A * B]], "x^2", [1, 3]))
    assert reduction.reduced.layers[1].weight == Matrix.of([[1 + 3 * A**2]], FIELD)
    reduction = reduce_network(symbolic([[A, B], [2 * A, 2 * B], [-A, -B]], "relu", [1, 3, 1]))
    assert reduction.reduced.layers[1].weight == Matrix.of([[7, 1]], FIELD)


def test_constant_neurons_with_symbolic_biases_are_folded_not_refused() -> None:
    network = Network.dense(
        [([[1], [0], [0]], [0, "a", "b"], "relu"), ([[1, 1, 1]], [0], "identity")],
        parameters=["a", "b"],
    )
    first = network.layers[0]
    table = keyed_rows(first.weight, first.bias, first.activation, network.field)
    assert table.zero_rows == (1, 2) and len(table.classes) == 3
    reduced = reduce_network(network).reduced
    assert reduced.widths == (1, 1, 1) and "relu(a)" in repr(reduced.layers[1].bias[0])


def test_scalings_of_unknown_sign_are_refused() -> None:
    with pytest.raises(UnsupportedError, match=r"proportional rows with the ratio b.*its sign"):
        reduce_network(symbolic([[A, B], [A * B, B * B]], "relu", [1, 3]))
    table = keyed_rows(
        Matrix.of([[1, 0], [0, 1]], FIELD), [FIELD(0)] * 2, activation("relu"), FIELD
    )
    with pytest.raises(UnsupportedError, match="ratio a"):
        table.match(Matrix.of([[0, A]], FIELD), [FIELD(0)])
