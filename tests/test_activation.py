"""Every activation against its laws: exact values, balls, floats and intertwiners."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from identcert.errors import InputError, UnsupportedError
from identcert.exact.balls import precision
from identcert.exact.field import QQ, FunctionField, NumberField
from identcert.nets.activation import Activation, activation
from identcert.nets.catalogue import CATALOGUE
from identcert.nets.polynomial_text import parse_polynomial, polynomial_text

POLYNOMIALS = (
    "x^2", "x^3", "x^2 + x", "x^3 + x", "x^3 + x^2", "(x+1)^5 - 1", "(x^2+x)^2", "x^4 + x",
    "2*x^3 - 6*x^2 + 1/3", "-x^6/7", "x^5 - x^3 + x", "(x-1/2)^4 + (x-1/2)^2 + 3",
)  # fmt: skip
SLOPES = ("1/10", "-2", "3", "-1/3", "100")
AFFINE = (activation("identity"), activation("2*x - 3"), activation("x/3"), activation("5/2"))
CURVED = (
    *(activation(name) for name in CATALOGUE),
    *(activation({"leaky_relu": slope}) for slope in SLOPES),
    *(activation(text) for text in POLYNOMIALS),
)
EVERY = (*AFFINE, *CURVED)
ALPHAS = tuple(QQ(Fraction(a)) for a in ("1", "-1", "2", "-2", "1/2", "-1/3", "3", "5/2"))
SPREAD = ("0", "1/3", "-2/5", "5/4", "-7/3", "13/2", "-9", "3", "1", "-40", "50")
POINTS = tuple(QQ(Fraction(p)) for p in SPREAD)
BITS = 250

every = pytest.mark.parametrize("sigma", EVERY, ids=lambda s: s.text())
curved = pytest.mark.parametrize("sigma", CURVED, ids=lambda s: s.text())
rationals = st.fractions(-20, 20, max_denominator=50).map(QQ)


def value(sigma: Activation, z: fmpq) -> fmpq | arb:
    """σ(z), exactly where possible, else as a ball of 250 bits."""
    exact = sigma.apply(z, QQ)
    return sigma.ball(arb(z)) if exact is None else exact


def is_certainly_nonzero(x: fmpq | arb) -> bool:
    return not x.contains(0) if isinstance(x, arb) else bool(x)


def is_narrow_zero(x: fmpq | arb) -> bool:
    if isinstance(x, arb):
        return bool(x.contains(0) and x.rad() < arb(2) ** (100 - BITS))
    return not x


@every
@given(z=rationals, alpha=st.sampled_from(ALPHAS))
@settings(max_examples=12, deadline=None)
def test_admitted_scalings_pass(sigma: Activation, z: fmpq, alpha: fmpq) -> None:
    if not sigma.admits(alpha, QQ):
        with pytest.raises(InputError):
            sigma.transport(alpha, QQ)
        return
    factor, shift = sigma.transport(alpha, QQ)
    with precision(BITS):
        moved = sigma.centre + alpha * (z - sigma.centre)
        assert is_narrow_zero(value(sigma, moved) - (factor * value(sigma, z) + shift))


@curved
def test_no_other_scaling_passes(sigma: Activation) -> None:
    """σ(αz + β) is no affine function of σ(z), on a grid of (α, β), unless admitted."""
    offsets = {QQ(0), QQ(1), QQ(-3) / 2, QQ(6), *(sigma.centre * (1 - a) for a in ALPHAS)}
    with precision(BITS):
        before = [value(sigma, z) for z in POINTS]
        for alpha in ALPHAS:
            for offset in offsets:
                after = [value(sigma, alpha * z + offset) for z in POINTS]
                passes = sigma.admits(alpha, QQ) and offset == sigma.centre * (1 - alpha)
                assert passes != _is_certainly_not_affine(before, after), (alpha, offset)


def _is_certainly_not_affine(before: list, after: list) -> bool:
    return any(
        is_certainly_nonzero(
            (before[i] - before[0]) * (after[j] - after[0])
            - (before[j] - before[0]) * (after[i] - after[0])
        )
        for i in range(1, len(before))
        for j in range(i)
    )


@every
@given(z=rationals)
@settings(max_examples=12, deadline=None)
def test_exact_values_lie_in_balls(sigma: Activation, z: fmpq) -> None:
    with precision(BITS):
        ball = sigma.ball(arb(z))
        exact = sigma.apply(z, QQ)
        assert ball.is_finite()
        if exact is not None:
            assert (ball - exact).contains(0)


@every
@given(a=rationals, b=rationals)
@settings(max_examples=12, deadline=None)
def test_balls_of_intervals_contain_values_inside(sigma: Activation, a: fmpq, b: fmpq) -> None:
    with precision(60):
        image = sigma.ball(arb(a).union(arb(b)))
        assert all(image.overlaps(sigma.ball(arb(z))) for z in (a, b, (a + b) / 2, (a + 3 * b) / 4))


@every
@given(z=st.floats(-30, 30))
@settings(max_examples=12, deadline=None)
def test_floats_agree_with_balls(sigma: Activation, z: float) -> None:
    found = sigma.numpy([z])
    assert found.shape == (1,)
    with precision(BITS):
        ball = sigma.ball(arb(fmpq(*z.as_integer_ratio())))
        # Horner's rule loses digits to cancellation, in proportion to the largest term
        size = sum(abs(arb(c)) * arb(abs(z)) ** k for k, c in enumerate(sigma.coefficients or ()))
        allowed = (abs(ball) + size + arb(10) ** -300) * arb(2) ** -40
        assert abs(ball - arb(float(found[0]))) < allowed


@every
def test_spellings_round_trip(sigma: Activation) -> None:
    assert Activation.parse(sigma.encode()) == sigma
    if sigma.slope is None:
        assert activation(sigma.text()) == sigma
    assert activation(sigma) is sigma


def test_equal_functions_are_equal_and_others_are_not() -> None:
    assert len({sigma.key for sigma in EVERY}) == len(set(EVERY)) == len(EVERY)
    assert activation("(x+1)^2 - 1") == activation("x^2 + 2*x") == activation("x*(x + 4/2)")
    assert hash(activation("x^2/2")) == hash(activation("0.5*x^2"))
    assert activation("x^2") != activation("x^3")


@pytest.mark.parametrize(
    ("spelling", "name"),
    [({"leaky_relu": 1}, "identity"), ({"leaky_relu": "0"}, "relu"), ({"leaky_relu": -1}, "abs"),
     ("x", "identity"), ({"polynomial": [0, 1]}, "identity"), ("(x-1)+1", "identity"),
     ({"polynomial": ["0", "1", "0", "0"]}, "identity")],
)  # fmt: skip
def test_normal_forms(spelling: object, name: str) -> None:
    sigma = Activation.parse(spelling)
    assert (sigma.name, sigma.encode(), sigma.text()) == (name, name, name)


@pytest.mark.parametrize(
    ("text", "scalings", "centre"),
    [("x^2", "nonzero", "0"), ("x^7", "nonzero", "0"), ("x^2 + x", "nonzero", "-1/2"),
     ("(x+1)^5 - 1", "nonzero", "-1"), ("x^3 + x", "sign", "0"), ("x^3 + x^2", "sign", "-1/3"),
     ("(x^2+x)^2", "sign", "-1/2"), ("(x^2+x)^3", "sign", "-1/2"), ("x^4 + x", "one", "0"),
     ("x^4 + x^3", "one", "-1/4"), ("tanh", "sign", "0"), ("sigmoid", "sign", "0"),
     ("relu6", "sign", "3"), ("relu", "positive", "0"), ("abs", "nonzero", "0"),
     ("gelu", "one", "0"), ("elu", "one", "0"), ("sin", "sign", "0")],
)  # fmt: skip
def test_intertwiner_groups_of_the_theory(text: str, scalings: str, centre: str) -> None:
    sigma = activation(text)
    assert (sigma.scalings, sigma.centre) == (scalings, QQ(Fraction(centre)))


@pytest.mark.parametrize(
    ("text", "alpha", "expected"),
    [("sigmoid", -1, (-1, 1)), ("relu6", -1, (-1, 6)), ("tanh", -1, (-1, 0)), ("abs", -3, (3, 0)),
     ("relu", 5, (5, 0)), ("x^3", -2, (-8, 0)), ("x^2 + x", 3, (9, 2)), ("x^2 + 7", 2, (4, -21)),
     ("x^3 + x + 1", -1, (-1, 2)), ("softplus", 1, (1, 0)), ("3*x + 2", 4, (4, -6))],
)  # fmt: skip
def test_transports_of_the_theory(text: str, alpha: int, expected: tuple[int, int]) -> None:
    assert activation(text).transport(QQ(alpha), QQ) == expected


@pytest.mark.parametrize(
    ("text", "pair"),
    [("identity", (1, 0)), ("2*x - 3", (2, -3)), ("7", (0, 7)), ("relu", None), ("x^2", None)],
)
def test_affine(text: str, pair: tuple[int, int] | None) -> None:
    sigma = activation(text)
    assert sigma.affine == pair
    assert (sigma.affine is None) or (sigma.is_polynomial and sigma.is_piecewise_linear)


@pytest.mark.parametrize("sigma", [s for s in EVERY if s.is_piecewise_linear], ids=str)
def test_pieces_meet_at_the_kinks(sigma: Activation) -> None:
    assert len(sigma.pieces) == len(sigma.kinks) + 1
    for kink, ((p, q), (r, s)) in zip(sigma.kinks, pairwise(sigma.pieces), strict=True):
        assert p * kink + q == r * kink + s
        assert p != r
        assert sigma.apply(kink, QQ) == p * kink + q


@pytest.mark.parametrize("sigma", [s for s in EVERY if s.flip], ids=str)
@given(z=rationals)
@settings(max_examples=20, deadline=None)
def test_flips(sigma: Activation, z: fmpq) -> None:
    factor, slope, intercept = sigma.flip or (0, 0, 0)
    with precision(BITS):
        flipped = factor * value(sigma, z) + slope * z + intercept
        assert is_narrow_zero(value(sigma, -z) - flipped)


def test_over_a_number_field() -> None:
    field = NumberField.quadratic([2])
    root = field.radicals[2]
    assert activation("relu").transport(root - 1, field) == (root - 1, field.zero)
    assert not activation("relu").admits(1 - root, field)
    assert activation("abs").transport(1 - root, field) == (root - 1, field.zero)
    assert activation("x^2 + x").transport(root, field)[0] == 2
    assert activation("tanh").admits(-field.one, field)
    assert not activation("tanh").admits(root, field)
    assert activation("relu6").apply(10 - 2 * root, field) == 6
    assert activation("hard_tanh").apply(root - 2, field) == root - 2
    assert activation("elu").apply(root, field) == root
    assert activation("elu").apply(-root, field) is None
    assert activation("x^3 - x").apply(root, field) == root
    assert activation("sigmoid").apply(field.zero, field) == Fraction(1, 2)


def test_over_a_function_field() -> None:
    field = FunctionField(("a",))
    a = field.named["a"]
    assert activation("x^3").transport(a, field) == (a**3, field.zero)
    assert not activation("tanh").admits(a, field)
    assert activation("relu").transport(field(2), field) == (field(2), field.zero)
    for name in ("relu", "abs"):
        with pytest.raises(UnsupportedError, match="depends on parameters"):
            activation(name).transport(a, field)
    assert activation("abs").admits(a, field)
    assert activation("relu").apply(a, field) is None
    assert activation("relu").apply(field(-3), field) == field.zero
    assert activation("x^2").apply(a + 1, field) == a * a + 2 * a + 1
    assert activation("tanh").apply(a, field) is None


def test_zero_is_never_a_scaling() -> None:
    assert not any(sigma.admits(QQ(0), QQ) for sigma in EVERY)


@pytest.mark.parametrize(
    ("spelling", "what"),
    [("tahn", 'write "tanh"'), ("Tanh", 'write "tanh"'), ("ReLU", 'write "relu"'),
     ("y", "not known"),
     ("swish", 'write "silu"'), ("leaky_relu", "leaky_relu"), ("softmax", "entry by entry"),
     ("sign", "almost everywhere"), ("linear", "identity"), ("hard-tanh", "hard_tanh"),
     ("", "empty"), ("x^", "exponent is missing"), ("2x", "2\\*x"), ("x**2", "write \\^"),
     ("x^1001", "larger than 1000"), ("(x^100)^11", "degree"), ("x^-1", "divides by x"),
     ("1/x", "divides by x"), ("x/0", "divides by zero"), ("x - x", "zero polynomial"),
     ("((9^999)^999)*x", "digits"), ("(" * 51 + "x" + ")" * 51, "nested"), ("x+", "too early"),
     ("sqrt(2)*x", "the variable is x"), ("x)", "not expected"), ("(x", "closing bracket"),
     ("x²", "not expected"), ("٣*x", "not expected"), ("a*x", "the name 'a'"),
     ("--x", "not expected"), ("tanh(x)", "is not known"),
     ("x" * 10_001, "not known|characters"), ("1e2000*x", "exponent"),
     (None, "not None"), (3, "not 3"), (True, "not True"), ([], "not \\[\\]"), ({}, "not \\{\\}"),
     ({"leaky_relu": "a"}, "not a rational"), ({"leaky_relu": "sqrt(2)"}, "not a rational"),
     ({"leaky_relu": None}, "leaky_relu"), ({"leaky_relu": True}, "leaky_relu"),
     ({"leaky_relu": "1", "x": 1}, "an activation is"), ({"relu": 1}, "an activation is"),
     ({"polynomial": []}, "at least one coefficient"), ({"polynomial": ["0"]}, "zero polynomial"),
     ({"polynomial": "x^2"}, "list of coefficients"), ({"polynomial": ["1", "b"]}, "rational"),
     ({"polynomial": [1] * 1002}, "degree at most 1000")],
)  # fmt: skip
def test_refusals_say_where_and_what_to_do(spelling: object, what: str) -> None:
    with pytest.raises(InputError, match=what) as refusal:
        Activation.parse(spelling, "layers[0].activation")
    text = str(refusal.value)
    assert text.startswith("layers[0].activation")
    assert "\n" not in text
    assert len(text) < 400


def test_the_constructor_knows_the_catalogue_only() -> None:
    with pytest.raises(InputError, match="not known"):
        Activation("tahn")
    with pytest.raises(InputError, match="zero polynomial"):
        Activation.polynomial([0, 0])


leaves = st.sampled_from(["x", "1", "2", "1/3", "0.5", "3e1", "(x)"])


def _trees(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(parts, st.sampled_from("+-*"), parts).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(parts, st.integers(0, 3)).map(lambda t: f"({t[0]})^{t[1]}"),
        parts.map(lambda t: f"(-{t})"),
        parts.map(lambda t: f"({t}/7)"),
    )


@given(st.recursive(leaves, _trees, max_leaves=8), st.fractions(-3, 3, max_denominator=5))
@settings(max_examples=80, deadline=None)
def test_polynomial_text_is_what_it_spells(text: str, point: Fraction) -> None:
    import sympy

    expected = sympy.sympify(text.replace("^", "**"), rational=True).subs(
        sympy.Symbol("x"), sympy.Rational(point.numerator, point.denominator)
    )
    coefficients = parse_polynomial(text)
    found = sum((c * QQ(point) ** k for k, c in enumerate(coefficients)), QQ(0))
    assert found == QQ(Fraction(int(expected.p), int(expected.q)))
    assert parse_polynomial(polynomial_text(coefficients)) == coefficients
