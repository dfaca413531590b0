"""Formal constants: their normal form against their values as balls."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from identcert.errors import UnsupportedError
from identcert.exact.balls import precision
from identcert.exact.field import QQ, FunctionField, NumberField
from identcert.nets.activation import activation
from identcert.nets.constant import Atom, Constant, constant_value, entry_ball

TRANSCENDENTAL = (
    "tanh", "sigmoid", "arctan", "erf", "sin", "softplus", "silu", "gelu", "elu",
)  # fmt: skip
names = st.sampled_from(TRANSCENDENTAL)
rationals = st.fractions(-4, 4, max_denominator=6).map(QQ)
BITS = 200


def atom(name: str, argument: Any, field: Any = QQ) -> Any:
    return constant_value(activation(name), field(argument), field)


@st.composite
def constants(draw: st.DrawFn, depth: int = 2) -> Any:
    """A random element of Q, or sums of multiples of atoms, nested to the given depth."""
    total: Any = draw(rationals)
    for _ in range(draw(st.integers(0, 3)) if depth else 0):
        argument = draw(constants(depth=depth - 1))
        total = total + draw(rationals) * constant_value(activation(draw(names)), argument, QQ)
    return total


def agrees(entry: Any, other: Any) -> bool:
    return bool(entry_ball(entry, QQ, BITS).overlaps(entry_ball(other, QQ, BITS)))


@given(constants(), names)
def test_values_are_those_of_the_activation(entry: Any, name: str) -> None:
    sigma = activation(name)
    found = constant_value(sigma, entry, QQ)
    assert entry_ball(found, QQ, BITS).overlaps(sigma.ball(entry_ball(entry, QQ, BITS)))


@given(constants(), constants(), rationals)
def test_constants_form_a_module(a: Any, b: Any, c: fmpq) -> None:
    assert a + b == b + a
    assert (a + b) - b == a
    assert c * (a + b) == a * c + c * b
    assert a - a == 0
    assert 0 - (-a) == a
    assert 0 + a == a and hash(0 + a) == hash(a)
    assert entry_ball(a + b, QQ, BITS).overlaps(entry_ball(a, QQ, BITS) + entry_ball(b, QQ, BITS))


@given(constants())
def test_plain_constants_are_elements(a: Any) -> None:
    assert not isinstance(a, Constant) or not a.is_plain
    zero = a - a
    assert isinstance(zero, fmpq)
    plain = Constant(QQ, QQ(3))
    assert plain == 3 and hash(plain) == hash(QQ(3)) and plain.is_plain


@given(constants())
def test_terms_are_distinct_sorted_and_not_zero(a: Any) -> None:
    if isinstance(a, Constant):
        atoms = [term for _, term in a.terms]
        assert len(set(atoms)) == len(atoms)
        assert all(c for c, _ in a.terms)
        shuffled = Constant(QQ, a.value, tuple(reversed(a.terms)))
        assert shuffled == a and shuffled.encode() == a.encode() and hash(shuffled) == hash(a)
        assert bool(a)


@given(names, rationals)
def test_signs_move_out_of_the_argument(name: str, b: fmpq) -> None:
    flip = activation(name).flip
    if flip is None:
        return
    factor, slope, intercept = flip
    assert atom(name, -b) == factor * atom(name, b) + slope * b + intercept


@pytest.mark.parametrize(
    ("name", "argument", "value"),
    [("tanh", 0, 0), ("sigmoid", 0, Fraction(1, 2)), ("silu", 0, 0), ("gelu", 0, 0), ("sin", 0, 0),
     ("relu", -3, 0), ("abs", -3, 3), ("relu6", 9, 6), ("x^2 + 1", 3, 10), ("elu", 5, 5),
     ("hard_tanh", -7, -1), ("arctan", 0, 0), ("erf", 0, 0)],
)  # fmt: skip
def test_exact_values_are_elements(name: str, argument: int, value: Any) -> None:
    assert isinstance(atom(name, argument), fmpq)
    assert atom(name, argument) == QQ(value)


@pytest.mark.parametrize(
    ("entry", "text"),
    [(atom("tanh", Fraction(-1, 2)), "-tanh(1/2)"),
     (atom("sigmoid", -2), "1 - sigmoid(2)"),
     (3 * atom("silu", -1) + 1, "-2 + 3*silu(1)"),
     (atom("softplus", 0), "softplus(0)"),
     (atom("tanh", 1) * QQ(Fraction(-1, 3)), "-1/3*tanh(1)"),
     (constant_value(activation("tanh"), atom("sin", 1) + 1, QQ), "tanh(1 + sin(1))"),
     (constant_value(activation("x^2"), atom("sin", 1), QQ), "(x^2)(sin(1))"),
     (constant_value(activation("2*x - 1"), atom("sin", 1), QQ), "-1 + 2*sin(1)")],
)  # fmt: skip
def test_texts(entry: Constant, text: str) -> None:
    assert entry.text() == text
    assert repr(entry) == f"Constant({text!r})"


def test_sigmoid_reflections_cancel() -> None:
    assert atom("sigmoid", 3) + atom("sigmoid", -3) == 1
    assert atom("tanh", 3) + atom("tanh", -3) == 0
    assert atom("silu", 3) - atom("silu", -3) == 3
    nested = atom("tanh", 1) + 2
    moved = constant_value(activation("sigmoid"), -nested, QQ)
    assert moved + constant_value(activation("sigmoid"), nested, QQ) == 1


def test_number_fields() -> None:
    field = NumberField.quadratic([2, 3])
    root, other = field.radicals[2], field.radicals[3]
    entry = constant_value(activation("tanh"), root - other, field) * (1 + root)
    assert isinstance(entry, Constant)
    assert entry + constant_value(activation("tanh"), other - root, field) * (1 + root) == 0
    expected = activation("tanh").ball(field.ball(root - other, BITS)) * field.ball(1 + root, BITS)
    assert entry.ball(BITS).overlaps(expected)
    assert entry.text() in (
        "(-1 - sqrt(2))*tanh(-sqrt(2) + sqrt(3))",
        "(1 + sqrt(2))*tanh(sqrt(2) - sqrt(3))",
    )
    assert entry.over(field, lambda x: x) == entry


def test_parameters() -> None:
    field = FunctionField(("a", "b"))
    a, b = field.named["a"], field.named["b"]
    entry = constant_value(activation("tanh"), a - b, field) + a
    assert entry + constant_value(activation("tanh"), b - a, field) == a
    with pytest.raises(UnsupportedError, match="depends on parameters"):
        entry.ball(BITS)
    at_zero = entry.over(QQ, lambda x: QQ(0))
    assert at_zero == 0 and isinstance(at_zero, fmpq)
    assert constant_value(activation("relu"), a, field).terms[0][1] == Atom(activation("relu"), a)


def test_no_arithmetic_across_types_and_fields() -> None:
    entry = atom("tanh", 1)
    for other in (1.5, "1", None):
        with pytest.raises(TypeError):
            entry + other
        with pytest.raises(TypeError):
            entry * other
        assert entry != other
    with pytest.raises(TypeError):
        entry * entry
    with pytest.raises(TypeError):
        entry + constant_value(activation("tanh"), FunctionField(("a",))(1), FunctionField(("a",)))


@pytest.mark.parametrize("sigma", ["relu", "abs", "hard_tanh", "relu6", "elu"])
@pytest.mark.parametrize("shift", ["-7", "-3/4", "0", "1/2", "5"])
@pytest.mark.parametrize("factor", ["2", "-2", "1/3"])
def test_pieces_are_chosen_where_signs_are_certain(sigma: str, shift: str, factor: str) -> None:
    """σ(c·tanh(1) + s) is the value of its piece, which balls confirm."""
    entry = constant_value(activation("tanh"), QQ(1), QQ) * fmpq(*map(int, _pair(factor)))
    entry = entry + fmpq(*map(int, _pair(shift)))
    value = constant_value(activation(sigma), entry, QQ)
    with precision(BITS):
        expected = activation(sigma).ball(entry.ball(BITS))
    assert entry_ball(value, QQ, BITS).overlaps(expected)
    if sigma != "elu" or entry.ball(BITS) > 0:
        atoms = [atom for _, atom in value.terms] if isinstance(value, Constant) else []
        assert all(atom.activation.name == "tanh" for atom in atoms)


def test_positive_factors_pass_relu_of_a_constant() -> None:
    """relu(2·tanh(1)) = 2·relu(tanh(1)), which two formal numbers would not show."""
    tanh, relu = activation("tanh"), activation("relu")
    one = constant_value(tanh, QQ(1), QQ)
    assert constant_value(relu, one * 2, QQ) == constant_value(relu, one, QQ) * 2


FIELDS = {
    "Q": QQ,
    "Q(√2)": NumberField.quadratic([2]),
    "Q(a)": FunctionField(("a",)),
}


@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.parametrize("factor", ["2", "-3/2"])
@pytest.mark.parametrize("sigma", ["x^2", "(x+1)^3", "2*x^4 - 1", "abs", "relu"])
def test_rational_factors_leave_the_argument(name: str, factor: str, sigma: str) -> None:
    """σ(c + α(b − c)) = λσ(b) + ν as formal numbers, for α that σ passes."""
    field, outer = FIELDS[name], activation(sigma)
    generator = {"Q": QQ(1), "Q(√2)": getattr(field, "radicals", {}).get(2)}.get(name)
    if generator is None:
        generator = field.generators[0]
    b = atom("tanh", generator, field) * generator + atom("sin", field(1), field)
    alpha = fmpq(*map(int, _pair(factor)))
    alpha = abs(alpha) if sigma == "relu" else alpha
    lam, nu = outer.transport(field(alpha), field)
    moved = (b - outer.centre) * alpha + outer.centre
    expected = constant_value(outer, b, field) * lam + nu
    assert constant_value(outer, moved, field) == expected


def test_a_side_that_no_ball_shows_stays_formal() -> None:
    """arctan(1/2) + arctan(1/3) = arctan(1), which neither normal forms nor balls prove."""
    zero = atom("arctan", QQ(1) / 2) + atom("arctan", QQ(1) / 3) - atom("arctan", QQ(1))
    value = constant_value(activation("relu"), zero, QQ)
    assert zero != 0 and isinstance(value, Constant) and "relu" in value.text()


def test_parameters_leave_pieces_open() -> None:
    field = FunctionField(("a",))
    entry = constant_value(activation("tanh"), field.generators[0], field)
    value = constant_value(activation("relu"), entry, field)
    assert isinstance(value, Constant) and "relu" in value.text()


def _pair(text: str) -> tuple[str, str]:
    top, _, bottom = text.partition("/")
    return top, bottom or "1"
