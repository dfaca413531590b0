"""The scalar grammar: what it reads, what it refuses, and that limits act in time."""

from __future__ import annotations

import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from identcert.errors import IdentcertError, InputError, UnsupportedError
from identcert.exact.field import QQ, FunctionField, NumberField
from identcert.exact.scalar import (
    AlgebraicDeclaration,
    Expression,
    evaluate,
    field_of,
    parse_scalar,
)

CUBIC = AlgebraicDeclaration("t", (-1, -2, 1, 1), (Fraction(6, 5), Fraction(13, 10)))


def read(value: object) -> str:
    """Return the text of the value of a scalar in its own smallest field."""
    expression = parse_scalar(value, "w")
    declared = CUBIC if "t" in expression.names else None
    field = field_of([expression], ["a", "b", "e"], declared)
    return field.text(evaluate(expression, field))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "3"),
        (-3, "-3"),
        (Decimal("0.10"), "1/10"),
        (Decimal("-1.5E-3"), "-3/2000"),
        (Decimal("2E+3"), "2000"),
        (Decimal("-0.0"), "0"),
        (Fraction(6, 4), "3/2"),
        ("0.1", "1/10"),
        ("1e-9", "1/1000000000"),
        ("1e-09", "1/1000000000"),
        ("1.5e3", "1500"),
        ("1e+3", "1000"),
        ("007", "7"),
        (" 1 / 2\t", "1/2"),
        ("-2^2", "-4"),
        ("(-2)^2", "4"),
        ("2^-3", "1/8"),
        ("2^- 3", "1/8"),
        ("2*-3", "-6"),
        ("0^0", "1"),
        ("1/3/2", "1/6"),
        ("1-2-3", "-4"),
        ("2*3+4*5", "26"),
        ("((((1))))", "1"),
        ("sqrt(4)", "2"),
        ("sqrt(0)", "0"),
        ("sqrt(1/2)", "1/2*sqrt(2)"),
        ("sqrt(0.5e-2 + 3/8 * 2^2 - 1.485)", "1/10*sqrt(2)"),
        ("sqrt(8) + 1", "1 + 2*sqrt(2)"),
        ("sqrt(2)*sqrt(3) + sqrt(6)/2", "3/2*sqrt(6)"),
        ("-sqrt(2)^-1", "-1/2*sqrt(2)"),
        ("t^3", "1 + 2*t - t^2"),
        ("t*sqrt(2)", "t*sqrt(2)"),
        ("(a^2 - b^2)/(a - b)/a", "(a + b)/a"),
        ("a/(2*b)", "1/2*a/b"),
        ("1/(a*b)", "1/(a*b)"),
        ("2*e", "2*e"),
        ("a + sqrt(4)", "a + 2"),
    ],
)
def test_reads(value: object, text: str) -> None:
    assert read(value) == text


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (True, "not an exact number"),
        (None, "not an exact number"),
        (0.5, "not an exact number"),
        (float("nan"), "not an exact number"),
        ([1], "not an exact number"),
        (Decimal("NaN"), "not a real number"),
        (Decimal("-Infinity"), "not a real number"),
        ("", "missing"),
        ("  ", "missing"),
        ("1 2", "unexpected '2'"),
        ("1)", "unexpected ')'"),
        ("(1", "is missing"),
        ("--3", "unexpected '-'"),
        ("+3", "unexpected '+'"),
        ("1++3", "unexpected '+'"),
        ("2**3", "unexpected '*'"),
        ("2^3^2", "unexpected '^'"),
        ("2^0.5", "exponent"),
        ("2^(3)", "exponent"),
        ("2^+3", "exponent"),
        ("2^a", "exponent"),
        (".5", "unexpected '.'"),
        ("5.", "malformed"),
        ("1E5", "malformed"),
        ("1e", "malformed"),
        ("0x10", "malformed"),
        ("1_000", "malformed"),
        ("2a", "malformed"),
        ("1,5", "unexpected ','"),
        ("1\n", "unexpected"),
        ("1\u00a0", "unexpected"),
        ("\u0663", "unexpected"),
        ("½", "unexpected"),
        ("α", "unexpected"),
        ("x", "the name 'x'"),
        ("sqrt", "missing after sqrt"),
        ("sqrt 2", "missing after sqrt"),
        ("sqrt()", "unexpected"),
        ("sqrt(-1)", "negative number"),
        ("sqrt(1/0)", "division by zero"),
        ("sqrt(a)", "inside a square root"),
        ("sqrt(1+sqrt(2))", "inside a square root"),
        ("sin(1)", "unexpected '('"),
        ("nan", "not declared"),
        ("1/0", "division by zero"),
        ("0^-1", "division by zero"),
        ("1/(sqrt(2)^2 - 2)", "division by zero"),
        ("1/(a - a)", "division by zero"),
        ("c", "not declared"),
    ],
)
def test_refuses_saying_where(value: object, reason: str) -> None:
    with pytest.raises(InputError) as refusal:
        read(value)
    assert reason in str(refusal.value)
    assert refusal.value.where == "w" and "\n" not in str(refusal.value)


LONG = "7" * 10_000
BEYOND_LIMITS = {
    "digits of an integer": "7" * 10_001,
    "digits of a million": "7" * 10**6,
    "a long int": 10**10_010,
    "a long Decimal": Decimal("7" * 10**6),
    "a large exponent": Decimal("1e1001"),
    "a huge exponent": Decimal("1e999999999"),
    "a tiny Decimal": Decimal("1e-999999999"),
    "exponent in text": "1e1001",
    "exponent of many digits": "1e" + "9" * 90_000,
    "power": "2^1001",
    "power of many digits": "2^-" + "9" * 90_000,
    "digits by exponent": "7" * 9_500 + "e1000",
    "tower": "((9^1000)^1000)^1000",
    "tower of roots": "((1 + sqrt(2))^1000)^1000",
    "tower of parameters": "((a^1000)^1000)^1000",
    "terms": "(a + b + e + 1)^1000",
    "coefficients": "((9^1000*a + 1)^1000)",
    "long product": "*".join(["9^1000"] * 12_000),
    "nesting": "(" * 51 + "1" + ")" * 51,
    "deep nesting": "(" * 99_999,
    "text": "1" + "+1" * 50_000,
    "root of a long number": f"sqrt({'7' * 9_999}^2)",
}


@pytest.mark.parametrize("case", BEYOND_LIMITS)
def test_limits_act_before_arithmetic(case: str) -> None:
    with pytest.raises(InputError) as refusal:
        read(BEYOND_LIMITS[case])
    assert len(str(refusal.value)) < 300


WITHIN_LIMITS = {
    "integer": LONG,
    "fraction": f"1/{LONG}",
    "int": 10**7_999,
    "nesting": "(" * 50 + "1" + ")" * 50,
}


@pytest.mark.parametrize("case", WITHIN_LIMITS)
def test_what_is_within_the_limits_is_read(case: str) -> None:
    limit = sys.get_int_max_str_digits()
    assert read(WITHIN_LIMITS[case])
    assert sys.get_int_max_str_digits() == limit


def test_a_square_root_of_a_hard_number_is_refused_quickly() -> None:
    with pytest.raises(UnsupportedError, match=r"w: .*factors"):
        read(f"sqrt({LONG})")


def trees(depth: int) -> st.SearchStrategy[tuple[str, Fraction | None]]:
    """Return pairs of a text and its value, None where it divides by zero."""
    leaves = st.one_of(
        st.integers(0, 99).map(lambda n: (str(n), Fraction(n))),
        st.decimals(0, 9, places=2).map(lambda d: (f"{d:f}", Fraction(d))),
    )
    if depth == 0:
        return leaves
    part = trees(depth - 1)
    return st.one_of(
        leaves,
        st.tuples(part, st.sampled_from("+-*/"), part).map(lambda t: combined(*t)),
        st.tuples(part, st.integers(-3, 3)).map(lambda t: powered(*t)),
        part.map(lambda t: (f"(-({t[0]}))", None if t[1] is None else -t[1])),
    )


def combined(left: Any, operator: str, right: Any) -> tuple[str, Fraction | None]:
    text = f"({left[0]}){operator} ({right[0]})"
    if left[1] is None or right[1] is None or (operator == "/" and right[1] == 0):
        return text, None
    operations = {"+": Fraction.__add__, "-": Fraction.__sub__, "*": Fraction.__mul__}
    return text, operations.get(operator, Fraction.__truediv__)(left[1], right[1])


def powered(base: Any, exponent: int) -> tuple[str, Fraction | None]:
    text = f"({base[0]})^{exponent}"
    if base[1] is None or (exponent < 0 and base[1] == 0):
        return text, None
    return text, base[1] ** exponent


@settings(max_examples=150, deadline=None)
@given(trees(4))
def test_values_agree_with_fractions(case: tuple[str, Fraction | None]) -> None:
    text, expected = case
    expression = parse_scalar(text, "w")
    if expected is None:
        with pytest.raises(InputError, match="division by zero"):
            evaluate(expression, QQ)
    else:
        assert evaluate(expression, QQ) == QQ(expected)


@settings(max_examples=300, deadline=None)
@given(st.text("0123456789.e+-*/^() xabsqrt_", max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read(text)
    except IdentcertError as error:
        assert str(error)


def test_names_and_radicands_are_reported() -> None:
    expression = parse_scalar("sqrt(1/2)*a + b^-2*(a - sqrt(8))", "w")
    assert expression.names == {"a", "b"}
    assert expression.radicands == {Fraction(1, 2), Fraction(8)}
    assert parse_scalar("sqrt(8)", "w") == parse_scalar(" sqrt(2*4) ", "w")
    assert hash(parse_scalar("a", "w")) == hash(parse_scalar("a", "w"))


def expressions(*texts: str) -> list[Expression]:
    return [parse_scalar(text, f"w[{i}]") for i, text in enumerate(texts)]


def test_the_smallest_field_is_found() -> None:
    assert field_of([], ["a"], CUBIC) == QQ
    assert field_of(expressions("1", "sqrt(4)"), ["a"], CUBIC) == QQ
    assert field_of(expressions("1", "b"), ["b", "a"]) == FunctionField(("b",))
    assert field_of(expressions("sqrt(2)", "sqrt(1/8)")) == NumberField.quadratic([2])
    assert field_of(expressions("sqrt(6)", "sqrt(2)")) == NumberField.quadratic([2, 3])
    assert field_of(expressions("sqrt(6)"), [], CUBIC) == NumberField.quadratic([6])
    assert field_of(expressions("t"), ["a"], CUBIC) == CUBIC.field()
    assert field_of(expressions("t", "sqrt(2)"), [], CUBIC).degree == 6


@pytest.mark.parametrize(
    ("texts", "parameters", "error"),
    [
        (["a", "sqrt(2)"], ["a"], UnsupportedError),
        (["a", "t"], ["a"], UnsupportedError),
        (["sqrt(2)", "sqrt(3)", "sqrt(5)", "sqrt(7)", "sqrt(11)"], [], UnsupportedError),
        (["t", "sqrt(2)", "sqrt(3)", "sqrt(5)"], [], UnsupportedError),
        (["a"], [], InputError),
        (["1"], ["x"], InputError),
        (["1"], ["a", "a"], InputError),
        (["1"], ["t"], InputError),
    ],
)
def test_fields_that_are_refused(texts: list[str], parameters: list[str], error: Any) -> None:
    with pytest.raises(error):
        field_of(expressions(*texts), parameters, CUBIC)


def test_names_may_stand_for_elements_of_another_field() -> None:
    (expression,) = expressions("a^2 + 1")
    root = NumberField.quadratic([2])
    assert evaluate(expression, root, {"a": root.radicals[2]}) == 3
    with pytest.raises(InputError, match="w\\[0\\]: the name 'a'"):
        evaluate(expression, QQ)
    with pytest.raises(InputError, match="does not lie in the field"):
        evaluate(parse_scalar("sqrt(3)", "w"), root)
