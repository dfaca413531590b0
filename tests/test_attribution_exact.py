"""The exact test cases E1–E11 of attribution: directions, functionals, averages, all rational."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from identcert.attribution import lift_checker
from identcert.attribution.evidence import lift_evidence
from identcert.attribution.exact_average import (
    circle_average,
    finite_average,
    generator_direction,
    reynolds_projection,
)
from identcert.attribution.exact_lift import (
    Lift,
    Obstruction,
    decide_lift,
    least_squares,
    sensitivity_squares,
    signed_shares,
)
from identcert.attribution.generators import dilation, rotation, translation
from identcert.attribution.inner_products import (
    box_gram,
    circle_gram,
    coefficient_gram,
    normal_gram,
    point_gram,
)
from identcert.attribution.lift import LiftResult, identifiability_sentence, lift_of
from identcert.attribution.parameters import Parametrisation
from identcert.attribution.structural import structural_lift
from identcert.attribution.system import Function
from identcert.exact.field import QQ
from identcert.exact.matrix import Matrix
from identcert.exact.polynomial import PolynomialRing
from identcert.groups.action import Generator, InfinitesimalGenerator
from identcert.groups.affine import AffineMap
from identcert.nets.network import Network

RING = PolynomialRing(QQ, ("x", "y"))
X, Y = RING.generators
TURN = rotation(2, 1)


def exact(*values: Any) -> tuple[Any, ...]:
    return tuple(QQ(Fraction(v)) for v in values)


def column(*values: Any) -> Matrix:
    return Matrix.of([[v] for v in exact(*values)], QQ, 1)


def quadratic(a: int, b: int) -> Parametrisation:
    """f = ax² + by², the parameters a and b."""
    net = Network.dense([([[1, 0], [0, 1]], None, "x^2"), ([[a, b]], None, "identity")])
    return Parametrisation.of(net, frozen=["W1"])


def shallow(rows: Any, biases: Any, out: Any, activation: str = "tanh") -> Network:
    return Network.dense([(rows, biases, activation), ([out], None, "identity")])


def checked(result: LiftResult, folder: Path) -> str:
    """The words of the standard-library checker on the written evidence."""
    for name, content in lift_evidence(result).items():
        (folder / name).write_bytes(content)
    return lift_checker.check(folder)


def by_function(result: LiftResult, values: Any) -> dict[str, Any]:
    assert result.system is not None
    texts = (f.text().removesuffix(" of output 0") for f in result.system.functions)
    return {text: v for text, v in zip(texts, values, strict=True) if v}


def test_e1_lifts(tmp_path: Path) -> None:
    """f = a(2x + y + 3)² at a = 1: rank 3 of 4, and c* is the structural lift."""
    net = Network.dense([([[2, 1]], [3], "x^2"), ([[1]], [0], "identity")])
    every = Parametrisation.of(net, frozen=["b2"])
    assert every.names == ("W1[0,0]", "W1[0,1]", "b1[0]", "W2[0,0]")
    found = lift_of(every, TURN)
    assert isinstance(found.outcome, Lift) and found.system is not None
    assert found.system.jacobian.rank() == 3
    ((w1, w2, b, a),) = found.outcome.kernel
    assert (a / b, w1 / b, w2 / b) == exact("-2/3", "2/3", "1/3")
    eta = by_function(found, found.system.target.column(0))
    assert eta == {"x0": -6, "x1": 12, "x0^2": -4, "x0*x1": 6, "x1^2": 4}
    assert found.outcome.direction == exact(-1, 2, 0, 0) == structural_lift(every, TURN).direction
    # in the inner product of coefficients S_w₁ = S_w₂, so that the gauge changes nothing;
    # for normal inputs they differ, and so do the directions
    functions = found.system.functions
    for gram, is_same in ((coefficient_gram(functions), True), (normal_gram(functions, 2), False)):
        weights = sensitivity_squares(found.system.jacobian, gram)
        gauged = decide_lift(found.system.jacobian, found.system.target, weights)
        assert isinstance(gauged, Lift)
        assert (gauged.direction == found.outcome.direction) is is_same
    assert "lifts" in checked(found, tmp_path) and found.kind == "structural"


def test_e2_fails(tmp_path: Path) -> None:
    found = lift_of(quadratic(3, 1), TURN)
    assert isinstance(found.outcome, Obstruction) and found.kind == "exact"
    assert found.system is not None
    assert by_function(found, found.system.target.column(0)) == {"x0*x1": 4}
    assert by_function(found, found.outcome.functional) == {"x0*x1": QQ(Fraction(1, 4))}
    assert "does not lift" in checked(found, tmp_path)


def test_e2_at_equal_coefficients_the_direction_vanishes(tmp_path: Path) -> None:
    found = lift_of(quadratic(3, 3), TURN)
    assert found.lifts and found.direction == exact(0, 0)
    assert found.system is not None and found.system.target.is_zero()
    assert found.structural.vanishes is False and not found.structural.is_present
    assert "lifts" in checked(found, tmp_path)


@pytest.mark.parametrize("theta", [(3, 1), (1, 1), (2, -5)])
def test_e3_minimum_norm(theta: tuple[int, int]) -> None:
    """f = θ₁θ₂x scaled at the output: plain and gauged solutions in closed form."""
    first, second = theta
    net = Network.dense([([[first]], None, "identity"), ([[second]], [0], "identity")])
    scale = dilation(1, 1, degree=1)
    output_only = InfinitesimalGenerator("s", Matrix.zeros(1, 1), scale.output, *[exact(0)] * 2)
    found = lift_of(Parametrisation.of(net, frozen=["b2"]), output_only)
    factor = Fraction(first * second, first**2 + second**2)
    assert found.direction == exact(factor * second, factor * first)
    assert found.system is not None
    gram = box_gram(found.system.functions, 1)
    weights = sensitivity_squares(found.system.jacobian, gram)
    gauged = decide_lift(found.system.jacobian, found.system.target, weights)
    assert isinstance(gauged, Lift)
    assert gauged.direction == exact(Fraction(first, 2), Fraction(second, 2))


def test_e3_chain() -> None:
    """A chain of L factors: the gauge gives θ_i/L, plain (1/θ_i)/Σθ_j⁻²."""
    theta = (2, 3, 5)
    net = Network.dense(
        [([[t]], None, "identity") for t in theta[:-1]] + [([[5]], [0], "identity")]
    )
    generator = InfinitesimalGenerator("s", Matrix.zeros(1, 1), Matrix.identity(1), *[exact(0)] * 2)
    found = lift_of(Parametrisation.of(net, frozen=["b3"]), generator)
    total = sum(Fraction(1, t**2) for t in theta)
    assert found.direction == exact(*(Fraction(1, t) / total for t in theta))
    assert found.system is not None
    weights = sensitivity_squares(found.system.jacobian, coefficient_gram(found.system.functions))
    gauged = decide_lift(found.system.jacobian, found.system.target, weights)
    assert isinstance(gauged, Lift) and gauged.direction == exact(*(Fraction(t, 3) for t in theta))


def test_e4_defect_exact() -> None:
    """f = 3x² + y²: P_E f = 2(x² + y²), δ = x² − y², b* = (−1, 1) without residual."""
    f = 3 * X**2 + Y**2
    average = circle_average(f)
    assert average == 2 * X**2 + 2 * Y**2
    assert reynolds_projection((f,), [TURN]) == (average,)
    delta = f - average
    assert delta == X**2 - Y**2
    # J of a and b is the identity on (x², y²)
    found = decide_lift(Matrix.identity(2), column(-1, 1))
    assert isinstance(found, Lift) and found.direction == exact(-1, 1)


def test_e5_defect_partial(tmp_path: Path) -> None:
    net = Network.dense([([[2, 1]], None, "x^2"), ([[1]], None, "identity")])
    every = Parametrisation.of(net)
    found = lift_of(every, TURN)
    assert found.direction == exact(-1, 2) and "lifts" in checked(found, tmp_path)
    f = (2 * X + Y) ** 2
    delta = f - circle_average(f)
    assert delta == f - reynolds_projection((f,), [TURN])[0]
    terms = dict(delta.terms())
    degrees = ((2, 0), (1, 1), (0, 2))
    assert tuple(terms[e] for e in degrees) == exact("3/2", 4, "-3/2")
    functions = [Function(0, m) for m in ((("x0", 2),), (("x0", 1), ("x1", 1)), (("x1", 2),))]
    jacobian = Matrix.of([[4, 0], [2, 4], [0, 2]])
    target = column("-3/2", -4, "3/2")
    circle = circle_gram(functions)
    best = least_squares(jacobian, target, circle)
    assert best.direction == exact("-1/3", "-1/6")
    assert best.residual_square / best.target_square == QQ(Fraction(2, 3))
    assert best.target_square == QQ(Fraction(25, 8))
    eta = column(-4, 6, 4)
    (eta_poly,) = generator_direction((f,), TURN)
    assert [dict(eta_poly.terms())[e] for e in degrees] == [-4, 6, 4]
    assert (eta.T @ circle @ eta)[0, 0] == QQ(Fraction(25, 2))
    assert (eta.T @ circle @ target).is_zero()
    plain = least_squares(jacobian, target, coefficient_gram(functions))
    assert plain.direction == exact("-11/21", "-37/84")
    shares = signed_shares(jacobian, target, circle, best.direction)
    assert sum(shares, QQ(0)) == QQ(Fraction(1, 3))


def test_e6_tanh(tmp_path: Path) -> None:
    net = shallow([[3, 1], [1, -2]], [1, 0], [2, -1])
    found = lift_of(Parametrisation.of(net), TURN)
    assert found.system is not None and found.system.jacobian.shape == (8, 8)
    assert found.system.jacobian.rank() == 8 and found.is_injective
    # by unit (a, w₁, w₂, b): (0, −1, 3, 0) and (0, 2, 1, 0)
    assert found.direction == exact(-1, 3, 2, 1, 0, 0, 0, 0)
    assert found.kind == "structural" and found.rule == "dictionary"
    assert "lifts" in checked(found, tmp_path)
    sentence = identifiability_sentence(found)
    assert "J is injective" in sentence and "so f is not" in sentence


def test_e7_tanh_masked(tmp_path: Path) -> None:
    net = shallow([[3, 0], [1, -2]], [1, 0], [2, -1])
    found = lift_of(Parametrisation.of(net, frozen=["W1[0,1]"]), TURN)
    assert isinstance(found.outcome, Obstruction) and found.system is not None
    assert by_function(found, found.system.target.column(0))["s0*x1"] == 6
    assert by_function(found, found.outcome.functional) == {"s0*x1": QQ(Fraction(1, 6))}
    assert found.structural.obstacle == "W1[0,1]"
    assert "does not lift" in checked(found, tmp_path)


def test_e8_translation(tmp_path: Path) -> None:
    net = shallow([[3, 1]], [1], [2])
    shift = translation(2, 1, [1, 0])
    found = lift_of(Parametrisation.of(net, frozen=["b1"]), shift)
    assert isinstance(found.outcome, Obstruction)
    assert by_function(found, found.outcome.functional) == {"s0": QQ(Fraction(-1, 6))}
    assert "does not lift" in checked(found, tmp_path)
    free = lift_of(Parametrisation.of(net), shift)
    assert free.direction == exact(0, 0, -3, 0) and "lifts" in checked(free, tmp_path)


@pytest.mark.parametrize("theta", [0, 1, 2])
def test_e9_singular_point(theta: int, tmp_path: Path) -> None:
    """f_θ(x) = (θ³x, x) with (u, w) ↦ (u + tw, w): at θ = 0 nothing lifts, elsewhere 1/(3θ²)."""
    net = Network.dense([
        ([[theta], [1]], None, "identity"),
        ([[theta, 0], [0, 1]], None, "identity"),
        ([[theta, 0], [0, 1]], [0, 0], "identity"),
    ])  # fmt: skip
    # the one coordinate θ: its three places share a value, all others are frozen
    frozen = ["W1[1,0]", "b3"] + [
        f"W{k}[{i},{j}]" for k in (2, 3) for i, j in ((0, 1), (1, 0), (1, 1))
    ]
    theta_only = Parametrisation.of(net, frozen, ["W1[0,0] = W2[0,0] = W3[0,0]"])
    shear = InfinitesimalGenerator(
        "shear", Matrix.zeros(1, 1), Matrix.of([[0, 1], [0, 0]]), exact(0), exact(0, 0)
    )
    found = lift_of(theta_only, shear)
    assert found.system is not None
    assert found.system.target.column(0)[0] == 1
    if theta:
        assert found.direction == exact(Fraction(1, 3 * theta**2))
    else:
        assert found.lifts is False and found.system.jacobian.is_zero()
    checked(found, tmp_path)


def test_e10_linear_equivariant(tmp_path: Path) -> None:
    net = Network.dense(
        [([[2, 1], [1, 3]], None, "identity"), ([[1, 1], [0, 1]], [0, 0], "identity")]
    )
    every = Parametrisation.of(net, frozen=["b2"])
    both = rotation(2, 2, same=True)
    found = lift_of(every, both)
    # the theory lists W₂ before W₁
    second, first = [-90, 5, -5, 85], [-55, 20, -75, 55]
    assert found.direction == exact(*(Fraction(c, 61) for c in (*first, *second)))
    assert sum((c * c for c in found.direction or ()), QQ(0)) == QQ(Fraction(450, 61))
    assert found.structural.direction == exact(-1, 2, -3, 1, 0, -1, 1, 1)
    assert found.system is not None
    for c in (found.direction, found.structural.direction):
        assert found.system.jacobian @ column(*map(str, c or ())) == found.system.target
    assert sum((c * c for c in found.structural.direction or ()), QQ(0)) == 18
    assert "lifts" in checked(found, tmp_path)
    average = reynolds_projection((X + 2 * Y, 3 * X + 4 * Y), [both])
    half = QQ(Fraction(1, 2))
    assert average == ((5 * X - Y) * half, (X + 5 * Y) * half)


def test_e11_quadrature() -> None:
    f = (2 * X + Y) ** 4
    circle = circle_average(f)
    assert circle == (X * X + Y * Y) ** 2 * QQ(Fraction(75, 8))
    assert reynolds_projection((f,), [TURN]) == (circle,)
    turn, keep = AffineMap.from_permutation([1, 0], [-1, 1]), AffineMap.identity(1)
    c4 = [Generator(f"r{k}", turn**k, keep) for k in range(4)]
    assert finite_average((f,), c4) != (circle,)
    assert finite_average((X**3,), c4) == (circle_average(X**3),)


def test_more_than_one_generator() -> None:
    """SO(3) on z²: η_z = 0 and η_x ≠ 0, so that E is the intersection of the kernels."""
    ring = PolynomialRing(QQ, ("x", "y", "z"))
    x, y, z = ring.generators
    turns = [rotation(3, 1, plane) for plane in ((0, 1), (1, 2), (0, 2))]
    assert generator_direction((z * z,), turns[0]) == (ring.constant(0),)
    assert generator_direction((z * z,), turns[1]) == (-2 * y * z,)
    average = reynolds_projection((z * z,), turns)
    assert average == ((x * x + y * y + z * z) * QQ(Fraction(1, 3)),)
    assert reynolds_projection((z * z,), turns[:1]) == (z * z,)


@given(st.lists(st.integers(-5, 5), min_size=15, max_size=15))
def test_both_averages_agree(numbers: list[int]) -> None:
    """Moments of the circle and projection along the image give the same polynomial."""
    f = RING.constant(0)
    monomials = [(i, j) for i in range(5) for j in range(5 - i)]
    for c, (i, j) in zip(numbers, monomials, strict=True):
        f = f + X**i * Y**j * c
    assert reynolds_projection((f,), [TURN]) == (circle_average(f),)


@given(st.lists(st.integers(-3, 3), min_size=12, max_size=12), st.booleans())
def test_exactly_one_alternative_holds(numbers: list[int], square: bool) -> None:
    jacobian = Matrix.of([numbers[3 * i : 3 * i + 3] for i in range(3)])
    target = column(*numbers[9:])
    found = decide_lift(jacobian, target)
    if isinstance(found, Lift):
        assert jacobian @ column(*map(str, found.direction)) == target
        for k in found.kernel:
            assert sum((a * b for a, b in zip(k, found.direction, strict=True)), QQ(0)) == 0
    else:
        y = Matrix.of([list(found.functional)])
        assert (y @ jacobian).is_zero() and y @ target == Matrix.identity(1)


def test_gram_matrices_of_points_and_circle_agree_on_low_degrees() -> None:
    """The four points of C₄ average quadratic polynomials as the circle does."""
    functions = [Function(0, (("x0", 1),)), Function(0, (("x1", 1),))]
    c4 = point_gram(functions, [[1, 0], [0, 1], [-1, 0], [0, -1]])
    assert c4 == circle_gram(functions) == Matrix.identity(2).scale(QQ(Fraction(1, 2)))


@pytest.mark.parametrize("activation", ["tanh", "sigmoid", "relu", "abs"])
def test_clones_up_to_sign_share_their_functions(activation: str, tmp_path: Path) -> None:
    """z₂ = −z₁ (or a multiple, for kinks): the dictionary merges them, and rotation still lifts."""
    factor = -1 if activation in ("tanh", "sigmoid") else -3
    net = shallow([[1, 2], [factor, 2 * factor]], [1, factor], [2, 5], activation)
    found = lift_of(Parametrisation.of(net), TURN)
    assert found.lifts and found.is_injective is False
    assert "lifts" in checked(found, tmp_path)


def test_rescaling_of_relu_lifts_what_the_structural_lift_does_not(tmp_path: Path) -> None:
    """a·relu(w·x) with w₁ frozen: the kernel vector w∂w − a∂a repairs the missing entry."""
    net = shallow([[1, 2]], None, [3], "relu")
    masked = Parametrisation.of(net, frozen=["W1[0,0]"])
    found = lift_of(masked, TURN)
    assert not found.structural.is_present and found.lifts and found.kind == "exact"
    # c_struct = (−2, 1; 0); adding 2(w, −a) clears the first entry: (0, 5; −6)
    assert found.direction == exact(5, -6)
    assert "lifts" in checked(found, tmp_path)


def test_constant_neurons_live_in_q_of_t() -> None:
    """w = 0: tanh(1/2) is an element of Q(T); the outputs are scaled, and only a₂ may move."""
    net = shallow([[1, 1], [0, 0]], [0, "1/2"], [1, 3])
    scale = InfinitesimalGenerator(
        "s", Matrix.zeros(2, 2), Matrix.identity(1), exact(0, 0), exact(0)
    )
    both = lift_of(Parametrisation.of(net, frozen=["W1", "b1"]), scale)
    assert both.lifts and [str(c) for c in both.direction or ()] == ["1", "3"]
    one = lift_of(Parametrisation.of(net, frozen=["W1", "b1", "W2[0,0]"]), scale)
    assert one.lifts is False
    shifted = InfinitesimalGenerator(
        "t", Matrix.zeros(2, 2), Matrix.zeros(1, 1), exact(0, 0), exact(1)
    )
    found = lift_of(Parametrisation.of(net, frozen=["W1", "b1"]), shifted)
    assert found.lifts and found.system is not None and found.system.jacobian.field != QQ
    with pytest.raises(Exception, match="a neuron is constant"):
        lift_evidence(found)


def test_a_neuron_at_its_kink_is_refused() -> None:
    found = lift_of(Parametrisation.of(shallow([[0, 0]], None, [1], "relu"), ["W2"]), TURN)
    assert "rests at its kink" in found.why_not
