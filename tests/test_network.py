"""Networks: construction from Python numbers, and the three ways to evaluate them."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from identcert.errors import InputError, UnsupportedError
from identcert.exact.balls import precision
from identcert.exact.field import QQ, FunctionField, NumberField
from identcert.exact.matrix import Matrix
from identcert.nets.activation import Activation, activation
from identcert.nets.constant import constant_value
from identcert.nets.layer import Layer
from identcert.nets.network import Network, Reading

rationals = st.fractions(-3, 3, max_denominator=4)
EXACT = ("relu", "abs", "hard_tanh", "relu6", "x^2", "x^3 - x", "2*x + 1", "identity")
OTHERS = ("tanh", "sigmoid", "softplus", "silu", "gelu", "sin", "elu", "arctan", "erf")


@st.composite
def networks(draw: st.DrawFn, sigmas: tuple[str, ...] = (*EXACT, *OTHERS)) -> Network:
    widths = draw(st.lists(st.integers(1, 3), min_size=2, max_size=4))
    layers = []
    for n, m in pairwise(widths):
        weight = [[draw(rationals) for _ in range(n)] for _ in range(m)]
        bias = draw(st.none() | st.lists(rationals, min_size=m, max_size=m))
        layers.append((weight, bias, draw(st.sampled_from(sigmas))))
    return Network.dense(layers)


def points(network: Network, draw: Any) -> list[Fraction]:
    return draw(st.lists(rationals, min_size=network.inputs, max_size=network.inputs))


def reference(network: Network, point: list[Fraction]) -> list[fmpq]:
    """f(x) by the definition, one entry at a time."""
    values = [QQ(x) for x in point]
    for layer in network.layers:
        rows = layer.weight.to_rows()
        sums = [
            sum((w * v for w, v in zip(row, values, strict=True)), b)
            for row, b in zip(rows, layer.bias, strict=True)
        ]
        values = [layer.activation.apply(z, QQ) for z in sums]
    return values


@given(networks(EXACT), st.data())
@settings(max_examples=25)
def test_exact_values_follow_the_definition(network: Network, data: st.DataObject) -> None:
    point = points(network, data.draw)
    found = network.evaluate(point)
    assert found is not None
    assert list(found) == reference(network, point)


@given(networks(), st.data())
@settings(max_examples=25)
def test_balls_contain_exact_values_and_agree_with_floats(
    network: Network, data: st.DataObject
) -> None:
    point = points(network, data.draw)
    balls = network.ball_evaluate(point, 300)
    exact = network.evaluate(point)
    floats = network.numpy_evaluate([float(x) for x in point])
    assert floats.shape == (network.outputs,)
    with precision(300):
        for j, ball in enumerate(balls):
            assert ball.rad() < arb(2) ** -150
            assert exact is None or (ball - exact[j]).contains(0)
            assert abs(ball - arb(float(floats[j]))) < (1 + abs(ball)) * arb(2) ** -20


@given(networks(), st.data())
@settings(max_examples=10)
def test_balls_of_boxes_contain_balls_of_points(network: Network, data: st.DataObject) -> None:
    point = points(network, data.draw)
    with precision(80):
        box = [arb(QQ(x)).union(arb(QQ(x)) + arb(1) / 16) for x in point]
    around = network.ball_evaluate(box, 80)
    inside = network.ball_evaluate(point, 80)
    assert all(a.overlaps(b) for a, b in zip(around, inside, strict=True))


@given(networks())
@settings(max_examples=10)
def test_floats_take_batches(network: Network) -> None:
    batch = np.linspace(-1, 1, 4 * network.inputs).reshape(2, 2, network.inputs)
    found = network.numpy_evaluate(batch)
    assert found.shape == (2, 2, network.outputs)
    single = network.numpy_evaluate(batch[1, 0])
    np.testing.assert_allclose(found[1, 0], single, rtol=1e-9, atol=1e-9)


def test_precision_may_change_between_calls() -> None:
    network = Network.dense([([["1/3"]], ["1/7"], "tanh")])
    radii = [network.ball_evaluate([1], bits)[0].rad() for bits in (64, 256, 64)]
    assert radii[1] < radii[0] / 2**150
    assert radii[0] == radii[2]


def test_numbers_of_every_type_are_read_exactly() -> None:
    row = [1, Fraction(1, 3), "2/7", "0.1", Decimal("0.25"), 0.1, np.float32(0.1), np.int64(4),
           fmpq(1, 9), "(1+1)^2", Decimal(3), "-0"]  # fmt: skip
    network = Network.dense([([row], None, "identity")])
    tenth = Fraction(0.1)
    assert network.layers[0].weight.row(0) == tuple(
        QQ(Fraction(value))
        for value in (1, Fraction(1, 3), Fraction(2, 7), Fraction(1, 10), Fraction(1, 4), tenth,
                      Fraction(float(np.float32(0.1))), 4, Fraction(1, 9), 4, 3, 0)
    )  # fmt: skip
    reading = network.reading
    assert (reading.integers, reading.fractions) == (2, 3)
    assert reading.dyadic == (("float32", 1), ("float64", 1))
    assert reading.total == len(row)


def test_numpy_arrays_are_read_exactly() -> None:
    weight = np.array([[0.1, -2.5], [1e-30, 3.0]], dtype=np.float32)
    network = Network.dense([(weight, np.array([1, 2]), "relu")])
    assert network.layers[0].weight.row(0)[0] == QQ(Fraction(float(weight[0, 0])))
    assert network.reading == Reading(integers=2, dyadic=(("float32", 4),))
    assert "float32" in network.reading.sentence()


def test_the_field_is_the_smallest() -> None:
    root = Network.dense([([["sqrt(2)", "sqrt(8)"]], None, "identity")])
    assert isinstance(root.field, NumberField) and root.field.degree == 2
    assert Network.dense([([["sqrt(4)"]], None, "identity")]).field == QQ
    declared = Network.dense([([["1"]], None, "identity")], parameters=["a"])
    assert declared.field == FunctionField(("a",)) and declared.parameters == ("a",)
    number = {"symbol": "t", "minpoly": ["-1", "-2", "1", "1"], "root": ["1.2", "1.3"]}
    cubic = Network.dense([([["t", "t^2"]], None, "identity")], algebraic=number)
    assert cubic.field.degree == 3 and cubic.parameters == ()
    assert Network.dense([([[1]], None, "identity")], algebraic=number).field.degree == 3
    both = Network.dense([([["t", "sqrt(2)"]], None, "identity")], algebraic=number)
    assert both.field.degree == 6


@pytest.mark.parametrize("extra", ["sqrt(2)", "t"])
def test_parameters_and_algebraic_numbers_do_not_meet(extra: str) -> None:
    number = {"symbol": "t", "minpoly": ["-2", "0", "1"], "root": ["1", "2"]}
    with pytest.raises(UnsupportedError, match="parameters and algebraic"):
        Network.dense([([["a", extra]], None, "identity")], None, ["a"], number)


def test_symbolic_weights_evaluate_and_specialise() -> None:
    network = Network.dense([([["a", "1/a"]], ["b"], "x^2")], parameters=["a", "b"])
    a, b = network.field.named["a"], network.field.named["b"]
    assert network.evaluate([1, 1]) == ((a + 1 / a + b) ** 2,)
    assert network.parameters == ("a", "b")
    with pytest.raises(UnsupportedError, match="depends on parameters"):
        network.ball_evaluate([1, 1], 64)
    with pytest.raises(UnsupportedError, match="depends on parameters"):
        network.numpy_evaluate([1, 1])
    at = network.over(QQ, lambda x: QQ(5) if x == b else QQ(2) if x == a else QQ(Fraction(1, 2)))
    assert at.field == QQ and at.layers[0].bias == (5,)


def test_a_missing_bias_is_zero_and_remembered() -> None:
    without, zero = (Network.dense([([[1]], bias, "tanh")]) for bias in (None, [0]))
    assert (without.layers[0].has_bias, zero.layers[0].has_bias) == (False, True)
    assert without == zero and hash(without) == hash(zero)
    assert (without.parameter_count, zero.parameter_count) == (2, 3)


def test_an_identity_layer_closes_the_network() -> None:
    network = Network.dense([([[1], [2]], [0, 1], "tanh")])
    assert network.widths == (1, 2, 2)
    assert network.layers[-1].weight.is_identity()
    assert network.layers[-1].activation.affine == (1, 0)
    kept = Network.dense([([[1]], None, "x"), ([[3]], None, "2*x"), ([[1]], None, "identity")])
    assert kept.widths == (1, 1, 1, 1)
    assert kept.activation_names == ("identity", "2*x")


def test_values_that_leave_the_field() -> None:
    network = Network.dense([([[1]], None, "tanh"), ([[2]], [1], "identity")])
    assert network.evaluate([0]) == (1,)
    assert network.evaluate([1]) is None
    constant = constant_value(activation("tanh"), QQ(1), QQ)
    folded = Network(1, (Layer(Matrix.of([[1]]), (constant,)),), QQ)
    assert folded.evaluate([1]) is None
    assert not folded.layers[0].has_plain_bias
    assert (folded.ball_evaluate([1], 64)[0] - 1).overlaps(arb(1).tanh())
    assert abs(folded.numpy_evaluate([0.0])[0] - np.tanh(1)) < 1e-12


def test_empty_layers_evaluate() -> None:
    hidden = Layer(Matrix.zeros(0, 2), (), Activation("tanh"))
    last = Layer(Matrix.zeros(1, 0), (QQ(3),))
    network = Network(2, (hidden, last), QQ)
    assert network.widths == (2, 0, 1)
    assert network.evaluate([1, 2]) == (3,)
    assert network.ball_evaluate([1, 2], 64)[0] == 3
    assert network.numpy_evaluate([[1.0, 2.0]]).tolist() == [[3.0]]


def test_names_do_not_decide_equality() -> None:
    one = Network.dense([([[1]], None, "tanh")], name="one")
    assert one == Network.dense([([["1"]], None, "tanh")], name="two")
    assert one.name == "one" and repr(one) == "Network(1 → 1 → 1, tanh)"
    assert one != Network.dense([([[1]], None, "erf")])


@pytest.mark.parametrize(
    ("layers", "what"),
    [([], "at least one layer"),
     ([([[1]], None)], r"layers\[0\]: a layer is"),
     ([(1, None, "tanh")], r"layers\[0\].weight: 1 is not a matrix"),
     ([([], None, "tanh")], r"layers\[0\].weight: the layer has no neurons"),
     ([([[]], None, "tanh")], r"layers\[0\].weight\[0\]: the row has 0 numbers"),
     ([([1, 2], None, "tanh")], r"layers\[0\].weight\[0\]: 1 is not a row"),
     ([([[1, 2], [3]], None, "tanh")], r"weight\[1\]: the row has 1 number, but 2 arrive"),
     ([([[1]], None, "tanh"), ([[1, 2]], None, "tanh")], r"layers\[1\].weight\[0\].*layers\[0\]"),
     ([([[1]], [1, 2], "tanh")], r"layers\[0\].bias: the bias has 2 numbers for 1 row"),
     ([([[1]], 3, "tanh")], r"layers\[0\].bias: 3 is not a bias"),
     ([([[1]], None, "tahn")], r"layers\[0\].activation"),
     ([([["b"]], None, "tanh")], r"weight\[0\]\[0\]: the name 'b' is not declared"),
     ([([["1/0"]], None, "tanh")], r"weight\[0\]\[0\]: division by zero"),
     ([([[float("nan")]], None, "tanh")], r"weight\[0\]\[0\]: nan is not a real number"),
     ([([[np.float32("inf")]], None, "tanh")], r"weight\[0\]\[0\]: inf is not a real number"),
     ([([[True]], None, "tanh")], r"weight\[0\]\[0\]: true is not an exact number"),
     ([([[None]], None, "tanh")], r"weight\[0\]\[0\]: null is not"),
     ([([[1j]], None, "tanh")], r"weight\[0\]\[0\]"),
     ([([["x"]], None, "tanh")], r"weight\[0\]\[0\]"),
     ([([[Decimal("NaN")]], None, "tanh")], r"weight\[0\]\[0\]")],
)  # fmt: skip
def test_refusals_name_the_place(layers: Any, what: str) -> None:
    with pytest.raises(InputError, match=what) as refusal:
        Network.dense(layers)
    assert "\n" not in str(refusal.value)


def test_the_constructor_checks_shapes_fields_and_the_last_layer() -> None:
    one = Layer(Matrix.of([[1]]), (0,))
    with pytest.raises(InputError, match="at least one layer"):
        Network(1, (), QQ)
    with pytest.raises(InputError, match=r"layers\[0\].*vectors of length 1, not 2"):
        Network(2, (one,), QQ)
    with pytest.raises(InputError, match="another field"):
        Network(1, (one,), NumberField.quadratic([2]))
    with pytest.raises(InputError, match="identity"):
        Network(1, (Layer(Matrix.of([[1]]), (0,), Activation("tanh")),), QQ)
    with pytest.raises(InputError, match="bias of 2 numbers"):
        Layer(Matrix.of([[1]]), (0, 0))
    foreign = constant_value(activation("tanh"), 1, NumberField.quadratic([2]))
    with pytest.raises(InputError, match="another field"):
        Layer(Matrix.of([[1]]), (foreign,))


def test_points_must_fit() -> None:
    network = Network.dense([([[1, 2]], None, "identity")])
    for evaluate in (network.evaluate, lambda x: network.ball_evaluate(x, 64)):
        with pytest.raises(InputError, match="vectors of length 2, not"):
            evaluate([1])
    with pytest.raises(InputError, match="vectors of length 2, not"):
        network.numpy_evaluate([1.0, 2.0, 3.0])
    with pytest.raises(InputError):
        network.evaluate([0.5, 1])


@pytest.mark.parametrize("name", ["model.h5", "model", "weights.pt"])
def test_files_of_other_types_are_refused(name: str) -> None:
    with pytest.raises(InputError, match=r"not read|no type"):
        Network.load(name)
