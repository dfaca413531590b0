"""Canonical forms of shallow networks: identities, independence, points that separate."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from degenerate import SMALL, agree, shuffled, weight_rows
from hypothesis import assume, given
from hypothesis import strategies as st

from identcert import Network, canonical_form
from identcert.certify.canonical import (
    Different,
    Equal,
    Unknown,
    corner_points,
    decide_by_canonical_form,
)
from identcert.certify.gap import gap_at, separate
from identcert.errors import OutOfBudget, UnsupportedError
from identcert.exact.field import QQ
from identcert.exact.matrix import Matrix
from identcert.nets.activation import activation
from identcert.nets.layer import Layer

FOREVER = float("inf")
ACTIVATIONS: tuple[Any, ...] = (
    "tanh", "sigmoid", "relu", "abs", "hard_tanh", "relu6", "softplus", "silu", "gelu", "sin",
    "elu", "arctan", "erf", {"leaky_relu": "1/10"}, "x^2", "x^3 - x", "(x+1)^4",
)  # fmt: skip
PIECEWISE: tuple[Any, ...] = ("relu", "abs", "hard_tanh", "relu6", {"leaky_relu": "-1/2"})


def shallow(weight: Any, bias: Any, sigma: Any, out: Any, shift: Any = None) -> Network:
    return Network.dense([(weight, bias, sigma), (out, shift, "identity")])


def affine(weight: Any, shift: Any = None) -> Network:
    return Network.dense([(weight, shift, "identity")])


TENT = shallow([[1], [1], [1]], [1, 0, -1], "relu", [[1, -2, 1]])

IDENTITIES = {
    "F1 the tent reversed": (TENT, shallow([[-1]] * 3, [1, 0, -1], "relu", [[1, -2, 1]])),
    "F7 hard tanh": (
        shallow([[1]], [-1], "hard_tanh", [[2]]),
        shallow([[2], [2]], [-1, -3], "hard_tanh", [[1, 1]]),
    ),
    "relu has no symmetry by -1": (
        shallow([[1, 2], [-1, -2]], [3, -3], "relu", [[1, -1]]),
        affine([[1, 2]], [3]),
    ),
    "relu6 by relu": (
        shallow([[2, 1]], [1], "relu6", [[1]]),
        shallow([[2, 1], [2, 1]], [1, -5], "relu", [[1, -1]]),
    ),
    "hard tanh by abs": (
        shallow([[1]], [0], "hard_tanh", [[1]]),
        shallow([[1], [1]], [1, -1], "abs", [["1/2", "-1/2"]]),
    ),
    "leaky relu by relu": (
        shallow([[3, 1]], [0], {"leaky_relu": "1/10"}, [[1]]),
        shallow([[3, 1], [-3, -1]], [0, 0], "relu", [[1, "-1/10"]]),
    ),
    "a crossing of hyperplanes scaled": (
        shallow([[2, 4], [-3, -6]], [6, -9], "abs", [[3, 2]]),
        shallow([[1, 2]], [3], "abs", [[12]]),
    ),
    "sigmoid by tanh": (
        shallow([[4, 2]], [6], "sigmoid", [[2]], [-1]),
        shallow([[2, 1]], [3], "tanh", [[1]]),
    ),
    "the constant sigmoid(1) by tanh": (
        shallow([[0], [1]], [1, 0], "sigmoid", [[2, 1]]),
        shallow([[0], ["1/2"]], ["1/2", 0], "tanh", [[1, "1/2"]], ["3/2"]),
    ),
    "sin with two phases": (
        shallow([[1], [1]], [0, 1], "sin", [[1, 1]]),
        shallow([[-1], [-1]], [-1, 0], "sin", [[-1, -1]]),
    ),
    "squares": (
        shallow([[1, 1], [1, -1]], None, "x^2", [[1, 1]]),
        shallow([[1, 0], [0, 1]], None, "x^2", [[2, 2]]),
    ),
    "a polynomial that is affine": (
        shallow([[1], [1]], [1, 0], "x^2", [[1, -1]]),
        affine([[2]], [1]),
    ),
}
"""Pairs of networks that are one function."""


@pytest.mark.parametrize("name", IDENTITIES)
def test_identities(name: str) -> None:
    left, right = IDENTITIES[name]
    assert decide_by_canonical_form(left, right) == Equal()
    assert canonical_form(left) == canonical_form(right)
    points = [tuple(Fraction(k, 3) for k in range(p, p + left.inputs)) for p in range(-9, 9)]
    assert all(gap_at(left, right, point, 200) is None for point in points)


@pytest.mark.parametrize("sigma", ["softplus", "silu", "gelu", "relu"])
def test_even_linear_reflections_leave_a_linear_part(sigma: str) -> None:
    """σ(−z) − σ(z) = −z."""
    left = shallow([[-1, -2], [1, 2]], [-1, 1], sigma, [[1, -1]])
    assert decide_by_canonical_form(left, affine([[-1, -2]], [-1])) == Equal()
    one, other = shallow([[1, 2]], [1], sigma, [[1]]), shallow([[-1, -2]], [-1], sigma, [[1]])
    assert isinstance(decide_by_canonical_form(one, other), Different)


@pytest.mark.parametrize("sigma", ["relu", "softplus", "gelu", "silu"])
def test_the_tent_is_even(sigma: str) -> None:
    """F1 and F2: ψ(x+1) − 2ψ(x) + ψ(x−1) is invariant under −1."""
    tent = shallow([[1], [1], [1]], [1, 0, -1], sigma, [[1, -2, 1]])
    mirror = shallow([[-1], [-1], [-1]], [1, 0, -1], sigma, [[1, -2, 1]])
    assert decide_by_canonical_form(tent, mirror) == Equal()


def random_network(stream: random.Random, sigma: Any, outputs: int = 2) -> Network:
    inputs, width = stream.randint(1, 3), stream.randint(1, 5)
    entry = lambda: Fraction(stream.randint(-4, 4), stream.choice((1, 1, 2)))  # noqa: E731
    weight = [[entry() for _ in range(inputs)] for _ in range(width)]
    out = [[entry() for _ in range(width)] for _ in range(outputs)]
    shift = [entry() for _ in range(outputs)]
    return shallow(weight, [entry() for _ in range(width)], sigma, out, shift)


@pytest.mark.parametrize("sigma", ACTIVATIONS, ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_a_moved_weight_is_seen_and_separated(sigma: Any, seed: int) -> None:
    """One coefficient of the canonical form moves: the decision and a point agree."""
    stream = random.Random(seed)
    net = random_network(stream, sigma)
    hidden, last = net.layers
    rows = [list(row) for row in last.weight.to_rows()]
    alive = [j for j in range(hidden.outputs) if any(hidden.weight.row(j))]
    if not alive:
        pytest.skip("all neurons are constant")
    rows[0][stream.choice(alive)] += QQ(Fraction(1, 2**20))
    moved = replace(net, layers=(hidden, replace(last, weight=Matrix.of(rows))))
    decision = decide_by_canonical_form(net, moved)
    assert isinstance(decision, Different)
    found = separate(net, moved, decision.points, FOREVER, seed)
    assert found is not None and found.gap > 0
    assert found.component == 0


@pytest.mark.parametrize("sigma", PIECEWISE, ids=str)
@pytest.mark.parametrize("seed", range(6))
def test_one_of_three_points_separates(sigma: Any, seed: int) -> None:
    """The constructive half of Theorem 2: no search is needed."""
    stream = random.Random(seed)
    left = random_network(stream, sigma, 1)
    right = random_network(stream, sigma, 1)
    while right.inputs != left.inputs:
        right = random_network(stream, sigma, 1)
    decision = decide_by_canonical_form(left, right)
    if isinstance(decision, Equal):
        pytest.skip("equal by chance")
    assert isinstance(decision, Different)
    assert len(decision.points) == 3 or decision.points == corner_points(left.inputs)
    assert any(left.evaluate(p) != right.evaluate(p) for p in decision.points)


@pytest.mark.parametrize("bias", [0, 1, "sqrt(2)"])
def test_three_points_separate_over_a_number_field(bias: Any) -> None:
    """A hyperplane without rational points: nearby rational points still see its kink."""
    hidden = ([[1, "sqrt(2)"], [3, 1]], [bias, 1], "relu")
    left = Network.dense([hidden, ([[1, 1]], None, "identity")])
    right = Network.dense([hidden, ([["1+1/2^40", 1]], None, "identity")])
    decision = decide_by_canonical_form(left, right)
    assert isinstance(decision, Different)
    assert len(decision.points) == 3
    assert any(gap_at(left, right, p, 256) is not None for p in decision.points)


def test_proportional_rows_over_a_number_field_are_one_hyperplane() -> None:
    left = Network.dense([([["sqrt(2)", 2]], [0], "relu"), ([[1]], None, "identity")])
    right = Network.dense([([[1, "sqrt(2)"]], [0], "relu"), ([["sqrt(2)"]], None, "identity")])
    assert decide_by_canonical_form(left, right) == Equal()
    assert len(canonical_form(left).features) == 1


def test_symbolic_weights() -> None:
    make = lambda row, out: Network.dense(  # noqa: E731
        [([row], ["b"], "gelu"), ([[out]], ["a"], "identity")], parameters=["a", "b"]
    )
    left, right = make(["a", 1], "b"), make(["a", 1], "b + 1/10^6*a")
    assert decide_by_canonical_form(left, left) == Equal()
    decision = decide_by_canonical_form(left, right)
    assert isinstance(decision, Different)
    found = separate(left, right, decision.points, FOREVER, 0)
    assert found is not None and {name for name, _ in found.parameters} == {"a", "b"}


def test_a_sign_that_depends_on_parameters_is_not_guessed() -> None:
    layers = [([["a"], [1]], [0, 0], "abs"), ([[1, 1]], None, "identity")]
    net = Network.dense(layers, parameters=["a"])
    with pytest.raises(UnsupportedError, match="depends on parameters"):
        canonical_form(net)


def constant(sigma: str, *pairs: tuple[Any, Any]) -> Network:
    """x ↦ Σ c·σ(b), by neurons with zero rows."""
    return shallow([[0]] * len(pairs), [b for b, _ in pairs], sigma, [[c for _, c in pairs]])


@pytest.mark.parametrize(
    ("left", "right", "answer"),
    [
        (constant("tanh", (1, 1)), constant("tanh", (-1, -1)), Equal),
        (constant("tanh", (1, 1)), constant("tanh", (2, 1)), Different),
        (constant("sigmoid", (2, 2)), constant("tanh", (1, 1), ("1/10^9", 0)), Different),
        (constant("erf", (1, 1)), constant("erf", ("1+1/10^9", 1)), Different),
        # arctan(1/2) + arctan(1/3) = arctan(1): formally different, and equal
        (constant("arctan", ("1/2", 1), ("1/3", 1)), constant("arctan", (1, 1)), Unknown),
    ],
)
def test_constants(left: Network, right: Network, answer: type) -> None:
    """Lemma C: equal as spelled is equal; different as spelled needs a ball or the lemma."""
    assert isinstance(decide_by_canonical_form(left, right), answer)


def test_deep_networks_have_no_canonical_form() -> None:
    net = Network.dense([([[1], [2]], [0, 1], "tanh"), ([[1, 3], [1, 1]], [1, 0], "tanh"),
                         ([[1, 1]], None, "identity")])  # fmt: skip
    with pytest.raises(UnsupportedError, match="more than one hidden layer"):
        canonical_form(net)
    assert isinstance(decide_by_canonical_form(net, net), Unknown)


def test_deep_polynomials_have_one() -> None:
    net = Network.dense([([[1]], [1], "x^2"), ([[1]], [-1], "x^2"), ([[1]], None, "identity")])
    assert canonical_form(net).text() == "y0 = 4*x0^2 + 4*x0^3 + x0^4"


def test_an_expansion_that_is_too_large_is_refused() -> None:
    ones = [[1] * 40]
    net = shallow(ones, [1], "x^9", [[1]])
    with pytest.raises(OutOfBudget):
        canonical_form(net)
    decision = decide_by_canonical_form(net, affine(ones))
    assert isinstance(decision, Unknown) and decision.is_budget


def test_text() -> None:
    net = shallow([[2, -4], [1, 0]], [6, 0], "relu", [[1, 0], [0, 3]], [5, 0])
    assert canonical_form(net).text().splitlines() == [
        "y0 = 8 + x0 - 2*x1 + |x0 - 2*x1 + 3|",
        "y1 = 3/2*x0 + 3/2*|x0|",
    ]


@st.composite
def shallow_networks(draw: Any, inputs: int = 2, outputs: int = 1) -> Network:
    """One hidden layer with clones, constant neurons and neurons that are not read."""
    sigma = draw(st.sampled_from(list(map(activation, ACTIVATIONS))))
    rows = draw(weight_rows(inputs, sigma, draw(st.booleans())))
    out = [draw(st.lists(SMALL, min_size=len(rows), max_size=len(rows))) for _ in range(outputs)]
    hidden = Layer(Matrix.of([row[:-1] for row in rows]), tuple(r[-1] for r in rows), sigma)
    last = Layer(Matrix.of(out), tuple(QQ(draw(SMALL)) for _ in out))
    return Network(inputs, (hidden, last), QQ)


@given(shallow_networks(outputs=2), st.integers(0, 1000))
def test_latent_symmetries_keep_the_form(net: Network, seed: int) -> None:
    """Clones and dead neurons are in these networks already."""
    assert decide_by_canonical_form(net, shuffled(net, seed)) == Equal()
    assert canonical_form(net) == canonical_form(shuffled(net, seed))


@given(shallow_networks(), st.integers(0, 10**6))
def test_a_neuron_read_once_more_changes_the_form(net: Network, at: int) -> None:
    hidden, last = net.layers
    alive = [j for j in range(hidden.outputs) if any(hidden.weight.row(j))]
    assume(alive)
    rows = [list(row) for row in last.weight.to_rows()]
    rows[0][alive[at % len(alive)]] += QQ(1)
    moved = replace(net, layers=(hidden, replace(last, weight=Matrix.of(rows))))
    assert isinstance(decide_by_canonical_form(net, moved), Different)
    assert canonical_form(net) != canonical_form(moved)


@given(shallow_networks(), shallow_networks())
def test_the_decision_agrees_with_values(left: Network, right: Network) -> None:
    decision = decide_by_canonical_form(left, right)
    if isinstance(decision, Different):
        assert separate(left, right, decision.points, FOREVER, 0) is not None
    else:
        assert decision == Equal()
        assert agree(left, right)


@given(shallow_networks(), st.integers(0, 3))
def test_sums_cancel(net: Network, seed: int) -> None:
    """f − f' = 0 as one network, for f' = f after a symmetry: the form of 0."""
    other = shuffled(net, seed)
    hidden, last = net.layers
    stacked = replace(
        hidden,
        weight=Matrix.vstack([hidden.weight, other.layers[0].weight]),
        bias=(*hidden.bias, *other.layers[0].bias),
    )
    out = Matrix.hstack([last.weight, -other.layers[1].weight])
    bias = tuple(a - b for a, b in zip(last.bias, other.layers[1].bias, strict=True))
    zero = replace(net, layers=(stacked, replace(last, weight=out, bias=bias)))
    assert canonical_form(zero).is_zero
