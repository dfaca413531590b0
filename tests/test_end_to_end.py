"""Networks that are equivariant end to end only: witnesses that reverse neurons, normal forms,
collisions, and other parameters of the same function."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from identcert import Network, certify, checker
from identcert.certify.collision import find_collision, is_even
from identcert.certify.even_linear import EvenLinearSearch, slope_of
from identcert.certify.fibre import find_fibre, reversed_neurons
from identcert.certify.forms import is_same_normal_form
from identcert.certify.result import Result, Verdict
from identcert.certify.square_pair import other_square_pair
from identcert.exact.join import join
from identcert.groups.action import Action
from identcert.groups.files import parse_action
from identcert.nets.activation import activation
from identcert.submodels.reduction import reduce_network

EVEN_LINEAR = ("relu", {"leaky_relu": "1/10"}, "gelu", "silu", "softplus")
WEIGHT = st.fractions(-3, 3, max_denominator=3)


def action(inputs: int, outputs: int, input_map: Any, output_map: Any = "trivial") -> Action:
    generators = {"g": {"input": input_map, "output": output_map}}
    tree = {"format": "identcert.action", "version": 1, "generators": generators}
    return parse_action(tree, inputs, outputs, "test")


def negation(n: int) -> dict[str, Any]:
    return {"permutation": list(range(n)), "signs": [-1] * n}


def net(*layers: Any) -> Network:
    return Network.dense([*layers])


def decided(network: Network, acting: Action, tmp_path: Path) -> Result:
    """The result, whose evidence the checker accepts also from disk."""
    result = certify(network, acting)
    if result.verdict is not Verdict.UNDECIDED:
        assert checker.check(result.save(tmp_path / "evidence")).verdict == str(result.verdict)
    assert json.loads(json.dumps(result.to_json()))["equivariance_rule"] == result.equivariance_rule
    return result


# --------------------------------------------------------------------- even-linear witnesses


@pytest.mark.parametrize("sigma", EVEN_LINEAR, ids=str)
def test_tent_is_proved_by_reversed_neurons(sigma: Any, tmp_path: Path) -> None:
    """F1 and F2: ψ(x + 1) − 2ψ(x) + ψ(x − 1) is even."""
    tent = net(([[1], [1], [1]], [1, 0, -1], sigma), ([[1, -2, 1]], [0], "identity"))
    result = decided(tent, action(1, 1, negation(1)), tmp_path)
    assert result.verdict is Verdict.END_TO_END_ONLY
    assert result.equivariance_rule == "even_linear"
    assert "reverse neurons" in result.explain()
    witness = json.loads(result.evidence["witness.json"])["evidence"]["equivariance"]
    scale = ["-1", "-1", "-1"]
    assert witness["generators"]["g"] == [{"permutation": [2, 1, 0], "scale": scale}]


@pytest.mark.parametrize("sigma", ["tanh", "sigmoid", "arctan", "elu", "x^3 + x^2", "sin"])
def test_tent_of_other_activations_is_not_even(sigma: str, tmp_path: Path) -> None:
    tent = net(([[1], [1], [1]], [1, 0, -1], sigma), ([[1, -2, 1]], [0], "identity"))
    result = decided(tent, action(1, 1, negation(1)), tmp_path)
    assert result.verdict is Verdict.NOT_EQUIVARIANT


def test_six_rows_where_only_the_output_equation_fails(tmp_path: Path) -> None:
    """§13: rows ±(1, 0), ±(0, 1), ±(−1, −1), outgoing 2, 2, 2, 1, 1, 1, g = −I."""
    rows = [[1, 0], [0, 1], [-1, -1], [-1, 0], [0, -1], [1, 1]]
    six = net((rows, None, "relu"), ([[2, 2, 2, 1, 1, 1]], None, "identity"))
    result = decided(six, action(2, 1, negation(2)), tmp_path)
    assert result.verdict is Verdict.END_TO_END_ONLY
    assert result.obstruction is not None
    assert result.obstruction.layer == 1
    assert result.collision is None
    assert result.given.value is False


def test_six_rows_with_half_weights_are_layerwise(tmp_path: Path) -> None:
    rows = [[1, 0], [0, 1], [-1, -1], [-1, 0], [0, -1], [1, 1]]
    six = net((rows, None, "relu"), ([["1/2"] * 6], None, "identity"))
    assert decided(six, action(2, 1, negation(2)), tmp_path).verdict is Verdict.LAYERWISE


def test_circulant_parameter_is_never_called_layerwise(tmp_path: Path) -> None:
    """§13: the generator has latents, but G = Z/2 does not act through K."""
    middle = [[[1, 2, 3, 5][(j - i) % 4] for j in range(4)] for i in range(4)]
    clones = net(
        ([[1]] * 4, None, "relu"),
        (middle, None, "relu"),
        ([[1, 0, 1, 0], [0, 1, 0, 1]], None, "identity"),
    )
    swap = {"permutation": [1, 0]}
    result = decided(clones, action(1, 2, "trivial", swap), tmp_path)
    assert result.verdict.is_equivariant
    assert result.given.value is not True


@given(
    st.lists(st.tuples(WEIGHT, WEIGHT), min_size=1, max_size=3),
    st.lists(WEIGHT, min_size=3, max_size=3),
    st.sampled_from(EVEN_LINEAR),
)
def test_sums_of_even_parts_have_a_witness(
    rows: list[tuple[Fraction, Fraction]], outgoing: list[Fraction], sigma: Any
) -> None:
    """Σ a_j σ(w_j·x) with Σ a_j w_j = 0 is even, for random rows that one row closes."""
    columns = [a if a else Fraction(1) for a in outgoing[: len(rows)]]
    closing = [-sum(a * row[i] for a, row in zip(columns, rows, strict=True)) for i in range(2)]
    assume(any(closing))
    network = net(([*rows, closing], None, sigma), ([[*columns, 1]], [1], "identity"))
    reduced = reduce_network(network).reduced
    acting = action(2, 1, negation(2))
    assert certify(network, acting).verdict.is_equivariant
    if len(reduced.layers) == 2:
        found = EvenLinearSearch(reduced).find(acting.generators[0])
        assert found is not None
        assert is_same_normal_form(reduced, reduced)


def test_slopes_of_even_linear_activations() -> None:
    slopes = {"relu": "1/2", "softplus": "1/2", "tanh": "0", "abs": "0", "hard_tanh": "0",
              "elu": "0", "x^2": "0", "sin": "0"}  # fmt: skip
    assert {name: str(slope_of(activation(name))) for name in slopes} == slopes
    assert str(slope_of(activation({"leaky_relu": "1/10"}))) == "11/20"


def test_a_scaled_tent_over_roots(tmp_path: Path) -> None:
    rows, out = [["sqrt(2)"], [1], [1]], [["sqrt(2)/2", -2, 1]]
    tent = net((rows, ["sqrt(2)", 0, -1], "relu"), (out, [0], "identity"))
    result = decided(tent, action(1, 1, negation(1)), tmp_path)
    assert result.verdict is Verdict.END_TO_END_ONLY
    assert result.equivariance_rule == "even_linear"


# ------------------------------------------------------------------------------ normal forms


def test_a_norm_under_other_activations(tmp_path: Path) -> None:
    """Layers on top of x² + y², under a rational rotation."""
    rotation = {"matrix": [["3/5", "-4/5"], ["4/5", "3/5"]]}
    deep = net(
        ([[1, 0], [0, 1]], None, "x^2"),
        ([[1, 1], [2, 2]], [-3, 1], "tanh"),
        ([[1, 2], [-1, 3]], [0, 1], "elu"),
        ([[1, 1]], None, "identity"),
    )
    result = decided(deep, action(2, 1, rotation), tmp_path)
    assert result.verdict is Verdict.END_TO_END_ONLY
    assert result.equivariance_rule == "normal_form"
    assert result.collision is not None
    assert result.collision.layer == 0


IDENTITIES = [
    ("hard_tanh", [([1], -1, 2)], [([2], -1, 1), ([2], -3, 1)]),  # F7
    ("relu", [([1], 0, 1)], [([-1], 0, 1), ([1], 5, 1), ([-1], -5, -1)]),
    ("gelu", [([1], 0, 1), ([-1], 0, -1)], [([2], 0, "1/2"), ([-2], 0, "-1/2")]),
    ("sigmoid", [([1], 2, 1)], [([-1], -2, -1)]),
    ("x^2", [([1], 1, 1), ([1], -1, 1)], [([1], 0, 2)]),
]


@pytest.mark.parametrize(("sigma", "left", "right"), IDENTITIES, ids=lambda v: str(v)[:12])
def test_identities_hold_up_to_a_constant(sigma: str, left: Any, right: Any) -> None:
    sides = []
    for terms in (left, right):
        rows, biases, outgoing = zip(*terms, strict=True)
        sides.append(net((rows, biases, sigma), ([outgoing], [0], "identity")))
    shift = sides[0].numpy_evaluate([0.25]) - sides[1].numpy_evaluate([0.25])
    first, last = sides[1].layers
    constant = round(float(shift[0]))
    moved = net(
        (first.weight.to_rows(), first.bias, sigma), (last.weight.to_rows(), [constant], "identity")
    )
    assert is_same_normal_form(sides[0], moved)


@given(st.integers(0, 10_000))
def test_equal_normal_forms_are_equal_functions(seed: int) -> None:
    """Random networks with random disguises: no equality without equal values."""
    import random

    from deep_networks import random_layers

    stream = random.Random(seed)
    sigmas = [stream.choice(["relu", "gelu", "tanh", "x^2", "abs", "elu"]) for _ in range(2)]
    layers = random_layers(stream, [2, 2, 2, 1], sigmas)
    other = random_layers(stream, [2, 2, 2, 1], sigmas)
    layers[0], layers[1] = stream.choice([layers, other])[0], stream.choice([layers, other])[1]
    left, right = Network.dense(layers), Network.dense(other)
    if is_same_normal_form(left, right):
        for x in ([0.5, -1.5], [2.0, 0.25], [-1.0, -3.0]):
            gap = abs(left.numpy_evaluate(x) - right.numpy_evaluate(x))
            assert float(gap[0]) < 1e-6 * (1 + abs(float(left.numpy_evaluate(x)[0])))


# -------------------------------------------------------------------------------- collisions


def collides(network: Network, acting: Action, layer: int) -> bool:
    """A collision is found in that layer, and holds when it is evaluated anew."""
    generator = acting.generators[0]
    found = find_collision(network, generator)
    if found is None:
        return False
    below = Network.dense(
        [(x.weight.to_rows(), x.bias, x.activation) for x in network.layers[: layer + 1]]
    )
    x, y = found.x, found.y
    moved = [
        below.numpy_evaluate([float(str_(c)) for c in generator.input.apply(p)]) for p in (x, y)
    ]
    still = [below.numpy_evaluate([float(str_(c)) for c in p]) for p in (x, y)]
    assert found.layer == layer
    assert max(abs(still[0] - still[1])) < 1e-9 < max(abs(moved[0] - moved[1]))
    return True


def str_(value: Any) -> Fraction:
    return Fraction(str(value))


def test_collisions_of_the_counterexamples() -> None:
    """C0 by mirrored pre-activations, C1 by a flat direction, C4 by a kernel."""
    turn = {"matrix": [["3/5", "-4/5"], ["4/5", "3/5"]]}
    c0 = net(([[1, 0], [0, 1]], None, "x^2"), ([[1, 1]], None, "identity"))
    c1 = net(([[1, 0], [0, 1], [-1, -1]], None, "relu"), ([[1, 1, 1]], None, "identity"))
    c4 = net(([[1, 1, 1], [1, 0, 0]], None, "tanh"), ([[1, 0]], None, "identity"))
    assert collides(c0, action(2, 1, turn), 0)
    assert collides(c1, action(2, 1, negation(2)), 0)
    assert collides(c4, action(3, 1, {"permutation": [1, 2, 0]}), 0)


def test_no_collision_where_the_layer_is_injective() -> None:
    rows = [[1, 0], [0, 1], [-1, -1]]
    gelu = net((rows, None, "softplus"), ([[1, 1, 1]], None, "identity"))
    assert find_collision(gelu, action(2, 1, negation(2)).generators[0]) is None


def test_no_collision_of_a_layerwise_parameter() -> None:
    rows = [[1, 2, 0], [0, 1, 2], [2, 0, 1]]
    cyclic = net((rows, [1, 1, 1], "relu"), ([[1, 1, 1]], None, "identity"))
    acting = action(3, 1, {"permutation": [1, 2, 0]})
    assert certify(cyclic, acting).verdict is Verdict.LAYERWISE
    assert find_collision(cyclic, acting.generators[0]) is None


def test_which_activations_are_even() -> None:
    names = ("abs", "x^2", "x^2 + x", "x^4 + 1", "x^3", "relu", "tanh", "identity", "x^4 + x")
    assert [name for name in names if is_even(activation(name))] == list(names[:4])


def test_a_collision_is_shown_and_judges_the_given_parameter(tmp_path: Path) -> None:
    """Clones leave their latents open, but for x < −1 the tent's layer forgets x."""
    carried = ["1/2", "1/2", "-1/2", "-1/2"]
    cloned = net(
        ([[1], [1], [-1], [-1]], None, "relu"),
        ([carried] * 3, [1, 0, -1], "relu"),
        ([[1, -2, 1]], None, "identity"),
    )
    result = decided(cloned, action(1, 1, negation(1)), tmp_path)
    assert result.verdict is Verdict.END_TO_END_ONLY
    assert result.collision is not None
    assert "Collision: hidden layer 2 has one value at" in result.explain()
    assert result.given.value is False
    assert result.given.collision is not None
    assert "one value at two points" in result.explain()
    assert result.to_json()["collision"] == result.collision.encode()


# --------------------------------------------------------------------------- other parameters


def test_reversed_neurons_may_be_layerwise(tmp_path: Path) -> None:
    """ψ(x+2) − ψ(x+1) − ψ(x−1) + ψ(x−2) becomes a sum over ± pairs."""
    bump = net(([[1]] * 4, [2, 1, -1, -2], "relu"), ([[1, -1, -1, 1]], [0], "identity"))
    result = decided(bump, action(1, 1, negation(1)), tmp_path)
    assert result.verdict is Verdict.END_TO_END_ONLY
    fibre = result.fibre
    assert fibre is not None
    assert fibre.status == "found"
    assert fibre.network is not None
    assert certify(fibre.network, action(1, 1, negation(1))).verdict is Verdict.LAYERWISE
    assert [bump.evaluate([x]) for x in range(-4, 5)] == [
        fibre.network.evaluate([x]) for x in range(-4, 5)
    ]
    assert result.to_json()["fibre"]["network"]["layers"]
    assert "Another parameter of the same function and widths" in result.explain()


@pytest.mark.parametrize("sigma", EVEN_LINEAR, ids=str)
def test_c1_has_two_classes_and_neither_is_layerwise(sigma: Any, tmp_path: Path) -> None:
    rows = [[1, 0], [0, 1], [-1, -1]]
    c1 = net((rows, None, sigma), ([[1, 1, 1]], None, "identity"))
    fibre = decided(c1, action(2, 1, negation(2)), tmp_path).fibre
    assert fibre is not None
    assert (fibre.status, fibre.classes) == ("none", 2)
    assert is_same_normal_form(c1, reversed_neurons(c1, 0, (0, 1, 2)))


def test_c2_has_two_classes_that_the_generator_swaps(tmp_path: Path) -> None:
    c2 = net(
        ([[1, 0], [0, 1]], None, "x^2"),
        ([[1, 1], [1, -1]], None, "x^2"),
        ([[1, 0], [0, 1]], None, "identity"),
    )
    acting = action(2, 2, {"matrix": [[1, -1], [1, 1]]}, {"matrix": [[4, 0], [4, -4]]})
    result = decided(c2, acting, tmp_path)
    assert result.verdict is Verdict.END_TO_END_ONLY
    assert result.fibre is not None
    assert (result.fibre.status, result.fibre.classes) == ("none", 2)


SHAPES = ((1, 4, 1, -4), (1, 2, 1, -2), (2, -3, 4, 6), ("1/2", "1/8", 3, "-3/4"))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_other_pair_of_squares_is_the_same_function(shape: Any) -> None:
    squares = net(
        ([[1, 2], [3, -1]], None, "x^2"),
        ([shape[:2], shape[2:]], None, "x^2"),
        ([[1, 5], [2, -1], [1, 1]], [1, 0, 2], "identity"),
    )
    other = other_square_pair(squares)
    assert other is not None
    assert other.field.degree == (1 if shape[0] in (1, "1/2") and shape[1] != 2 else 2)
    _, embed, _ = join(squares.field, other.field)
    assert is_same_normal_form(squares.over(other.field, embed), other)


ROTATION = {"matrix": [["3/5", "-4/5"], ["4/5", "3/5"]]}


@pytest.mark.parametrize(
    ("rows", "weights", "generator", "status"),
    [
        ([[1, 0], [0, 1]], [[1, 1]], ROTATION, "none"),  # C0
        ([[3, -4], [4, 3]], [[1, 1], [2, 2]], ROTATION, "none"),
        ([[1, 0], [0, 1]], [[1, 1]], {"matrix": [[0, -1], [1, 0]]}, "unknown"),
        ([[1, 1], [1, -1]], [[1, 1]], {"matrix": [["3/5", "4/5"], ["4/5", "-3/5"]]}, "unknown"),
        ([[1, 0], [0, 1], [1, 1]], [[1, 1, 1]], ROTATION, "unknown"),
    ],
    ids=["C0", "two outputs", "quarter turn", "reflection", "three squares"],
)
def test_the_fibre_of_sums_of_squares(rows: Any, weights: Any, generator: Any, status: str) -> None:
    """Similar to a monomial matrix: a quarter turn is, and so is every reflection."""
    squares = net((rows, None, "x^2"), (weights, None, "identity"))
    assert find_fibre(squares, action(2, len(weights), generator)).status == status


def test_c0_says_why_no_parameter_is_layerwise(tmp_path: Any) -> None:
    c0 = net(([[1, 0], [0, 1]], None, "x^2"), ([[1, 1]], None, "identity"))
    result = decided(c0, action(2, 1, ROTATION), tmp_path)
    assert "characteristic polynomial is not a product of factors" in result.explain()
