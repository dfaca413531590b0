"""One suite of laws over every implementer of the field interface, and tables for each."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import flint
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from identcert.errors import InputError, UnsupportedError
from identcert.exact.field import QQ, Field, FunctionField, NumberField
from identcert.exact.join import decode_field, embedding, join
from identcert.exact.radicals import independent_radicands, squarefree_root
from identcert.exact.rational_field import as_rational, decode_rational
from identcert.exact.scalar import evaluate, parse_scalar

CUBIC = NumberField((-1, -2, 1, 1), (Fraction(6, 5), Fraction(13, 10)), "t")
FIELDS: dict[str, Field] = {
    "Q": QQ,
    "Q(sqrt2)": NumberField.quadratic([2]),
    "cubic": CUBIC,
    "Q(sqrt2,sqrt3)": NumberField.quadratic([2, 3]),
    "cubic with sqrt2": CUBIC.with_roots([2]),
    "Q(a,b)": FunctionField(("a", "b")),
}
ORDERED = [name for name, field in FIELDS.items() if field.is_ordered]
RATIONALS = st.fractions(min_value=-9, max_value=9, max_denominator=12)


def polynomials(names: int) -> st.SearchStrategy[list[Any]]:
    exponents = st.tuples(*[st.integers(0, 2)] * names)
    coefficients = RATIONALS.filter(bool).map(lambda q: QQ.encode(QQ(q)))
    terms = st.dictionaries(exponents, coefficients, max_size=3)
    return terms.map(lambda d: [[list(e), c] for e, c in sorted(d.items())])


def elements(field: Field) -> st.SearchStrategy[Any]:
    if isinstance(field, NumberField):
        coordinates = st.lists(RATIONALS, min_size=field.degree, max_size=field.degree)
        return coordinates.map(lambda c: field.decode([QQ.encode(QQ(q)) for q in c]))
    if isinstance(field, FunctionField):
        parts = polynomials(len(field.names))
        pairs = st.tuples(parts, parts.filter(bool))
        return pairs.map(lambda p: field.decode({"num": p[0], "den": p[1]}))
    return RATIONALS.map(field)


def several(name: str, count: int, data: st.DataObject) -> list[Any]:
    return [data.draw(elements(FIELDS[name])) for _ in range(count)]


over_fields = pytest.mark.parametrize("name", FIELDS)
over_ordered_fields = pytest.mark.parametrize("name", ORDERED)
quick = settings(max_examples=25, deadline=None)


@over_fields
@quick
@given(st.data())
def test_field_axioms(name: str, data: st.DataObject) -> None:
    field = FIELDS[name]
    x, y, z = several(name, 3, data)
    assert x + y == y + x and x * y == y * x
    assert (x + y) + z == x + (y + z) and (x * y) * z == x * (y * z)
    assert x * (y + z) == x * y + x * z
    assert x + field.zero == x and x * field.one == x and x - x == field.zero
    assert -x == field.zero - x and x - y == -(y - x)
    if not field.is_zero(x):
        assert x * (1 / x) == field.one and (y / x) * x == y
        assert x**-2 * x**2 == field.one and x**0 == field.one
    assert x**3 == x * x * x


@over_fields
@quick
@given(st.data())
def test_equality_is_by_normal_form(name: str, data: st.DataObject) -> None:
    field = FIELDS[name]
    x, y = several(name, 2, data)
    again = (x + y) - y
    assert again == x and hash(again) == hash(x) and field.encode(again) == field.encode(x)
    assert (x == y) == field.is_zero(x - y) == (field.encode(x) == field.encode(y))
    if not field.is_zero(y):
        assert hash((x * y) / y) == hash(x)


@over_fields
@quick
@given(st.data())
def test_encoding_reads_back(name: str, data: st.DataObject) -> None:
    field = FIELDS[name]
    (x,) = several(name, 1, data)
    assert field.decode(json.loads(json.dumps(field.encode(x)))) == x


@over_fields
@quick
@given(st.data())
def test_text_reads_back(name: str, data: st.DataObject) -> None:
    field = FIELDS[name]
    (x,) = several(name, 1, data)
    assert evaluate(parse_scalar(field.text(x), "text"), field) == x


@over_fields
@given(RATIONALS, RATIONALS)
@quick
def test_rationals_lie_in_every_field(name: str, p: Fraction, q: Fraction) -> None:
    field = FIELDS[name]
    x = field(p)
    assert x == field(QQ(p)) == field(x) and hash(x) == hash(QQ(p)) and (x == QQ(p))
    assert x + QQ(q) == QQ(q) + x == field(p + q) and x * QQ(q) == field(p * q)
    assert field.text(x) == str(p) and field.sign(x) == (p > 0) - (p < 0)
    if name != "Q":  # flint's rationals do not mix with Fraction
        assert x + q == q + x and x - q == -(q - x) and (x * 2) / 2 == x
    if q:
        assert x / QQ(q) == field(p / q)
    assert field.ball(x, 64).overlaps(QQ.ball(QQ(p), 64))


@over_ordered_fields
@quick
@given(st.data())
def test_sign_agrees_with_balls_and_products(name: str, data: st.DataObject) -> None:
    field = FIELDS[name]
    x, y = several(name, 2, data)
    assert field.sign(x * y) == field.sign(x) * field.sign(y)
    assert field.sign(-x) == -field.sign(x)
    ball = field.ball(x, 100)
    expected = {1: ball > 0, -1: ball < 0, 0: ball.is_zero()}
    assert expected[field.sign(x)]
    with flint.ctx.workprec(100):
        assert field.ball(x + y, 100).overlaps(ball + field.ball(y, 100))
        assert field.ball(x * y, 100).overlaps(ball * field.ball(y, 100))


@over_fields
def test_a_field_reads_back_from_its_description(name: str) -> None:
    field = FIELDS[name]
    again = decode_field(json.loads(json.dumps(field.describe())))
    assert again == field and hash(again) == hash(field) and again.kind == field.kind


@over_fields
@pytest.mark.parametrize("value", [0.5, "1", True, None, 1j, flint.arb(1)])
def test_foreign_values_are_refused(name: str, value: object) -> None:
    with pytest.raises(InputError):
        FIELDS[name](value)


@over_fields
def test_division_by_zero(name: str) -> None:
    with pytest.raises(ZeroDivisionError):
        FIELDS[name].one / FIELDS[name].zero


@pytest.mark.parametrize(
    "text", ["", "+1", "01", "-0", "1/0", "2/4", "1/1", "1.0", " 1", "1\n", "١", 1]
)
def test_only_canonical_rationals_are_decoded(text: object) -> None:
    with pytest.raises(InputError):
        decode_rational(text)


def test_long_rationals_pass_python_limit() -> None:
    text = "7" * 9_999 + "1"
    assert QQ.encode(decode_rational(text)) == QQ.text(decode_rational(text)) == text


# Number fields


@pytest.mark.parametrize(
    ("minpoly", "root", "reason"),
    [
        ((1, 2), (-1, 1), "degree"),
        ((-2,) + (0,) * 16 + (1,), (1, 2), "degree"),
        ((-2, 0, 0), (1, 2), "last coefficient"),
        ((-4, 0, 1), (1, 3), "not irreducible"),
        ((4, 0, -4, 0, 1), (1, 2), "not irreducible"),
        ((2, 0, 1), (0, 2), "holds 0"),
        ((-2, 0, 1), (-2, 2), "holds 2"),
        ((-2, 0, 1), (2, 1), "low < high"),
        ((-(10**400), 0, 1), (0, 10**400), "longer"),
    ],
)
def test_unfit_number_fields_are_refused(minpoly: Any, root: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        NumberField(minpoly, root, "t")


@pytest.mark.parametrize("symbol", ["x", "sqrt", "", "2t", "α", "a b"])
def test_unfit_names_are_refused(symbol: str) -> None:
    with pytest.raises(InputError):
        NumberField((-2, 0, 1), (1, 2), symbol)
    with pytest.raises(InputError):
        FunctionField((symbol,))


def test_the_root_decides_equality_of_fields() -> None:
    wide = NumberField((-2, 0, 1), (Fraction(1, 3), 100), "t")
    narrow = NumberField((-4, 0, 2), (Fraction(141421, 100000), Fraction(3, 2)), "t")
    negative = NumberField((-2, 0, 1), (-9, 0), "t")
    assert wide == narrow and hash(wide) == hash(narrow) and wide.root == (1, 2)
    assert negative != wide and negative.root == (-2, -1)
    assert negative.sign(negative.generator) == -1


def test_close_roots_are_told_apart() -> None:
    # x⁴ − (10⁶x − 1)²·2 has two roots about 10⁻⁶ ± 10⁻¹⁸ (Mignotte)
    big = 10**6
    minpoly = (-2, 4 * big, -2 * big**2, 0, 1)
    middle = Fraction(1, big)
    low = NumberField(minpoly, (Fraction(0), middle), "t")
    high = NumberField(minpoly, (middle, Fraction(2, big)), "t")
    assert low != high
    assert low.sign(low.generator - middle) == -1 and high.sign(high.generator - middle) == 1


def test_sign_of_convergents_of_sqrt2() -> None:
    field = NumberField.quadratic([2])
    p, q = 1, 1
    for n in range(400):
        assert field.sign(field.radicals[2] - QQ(Fraction(p, q))) == (1 if n % 2 == 0 else -1)
        p, q = p + 2 * q, p + q


@pytest.mark.parametrize(
    ("radicands", "degree", "known"),
    [
        ([2], 2, [2]),
        ([8, 18], 2, [2]),
        ([2, 3], 4, [2, 3, 6]),
        ([6, 10, 15], 4, [6, 10, 15]),
        ([2, 3, 5, 7, 210], 16, None),
    ],
)
def test_quadratic_fields(radicands: list[int], degree: int, known: list[int] | None) -> None:
    field = NumberField.quadratic(radicands)
    assert field.degree == degree
    assert field == NumberField.quadratic(reversed(radicands))
    assert known is None or sorted(field.radicals) == known
    for d, root in field.radicals.items():
        assert root * root == d and field.sign(root) == 1 and field.text(root) == f"sqrt({d})"
    for d in range(12):
        found = field.find_sqrt(Fraction(d, 12))
        assert found is None or (found**2 == QQ(Fraction(d, 12)) and field.sign(found) >= 0)


def test_quadratic_limits() -> None:
    with pytest.raises(UnsupportedError, match="degree more than 16"):
        NumberField.quadratic([2, 3, 5, 7, 11])
    with pytest.raises(InputError):
        NumberField.quadratic([4, 9])
    with pytest.raises(InputError):
        NumberField.quadratic([-2])


@given(st.lists(st.sampled_from([2, 3, 5, 6, 10, 15, 30]), max_size=5), st.randoms())
def test_basis_of_radicands_depends_on_the_group_only(radicands: list[int], rng: Any) -> None:
    basis = independent_radicands(radicands)
    shuffled = list(radicands)
    rng.shuffle(shuffled)
    assert independent_radicands([*shuffled, *basis]) == basis


@given(st.fractions(min_value=0, max_value=10**9))
def test_squarefree_root(q: Fraction) -> None:
    scale, d = squarefree_root(QQ(q))
    assert scale >= 0 and scale * scale * d == QQ(q)
    assert all(d % (p * p) for p in range(2, 1_000))


def test_square_root_of_a_hard_number_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="factors"):
        squarefree_root(as_rational(10**200 + 357))
    assert squarefree_root(as_rational((10**200 + 357) ** 2)) == (10**200 + 357, 1)


def test_a_root_that_already_lies_in_the_declared_field() -> None:
    field = NumberField((5, 0, -5, 0, 1), (1, Fraction(3, 2)), "t")
    assert field.with_roots([5]) == field and field.degree == 4
    root = field.with_roots([5]).radicals[5]
    assert root**2 == 5 and field.sign(root) == 1 and field.find_sqrt(5) == root
    assert field.find_sqrt(2) is None and field.find_sqrt(-1) is None


# Rational functions


def test_names_are_kept_sorted() -> None:
    assert FunctionField(("b", "a")) == FunctionField(("a", "b"))
    with pytest.raises(InputError):
        FunctionField(())
    with pytest.raises(InputError):
        FunctionField(("a", "a"))


def test_the_sign_of_a_parameter_is_refused() -> None:
    field = FunctionField(("a",))
    assert field.sign(field(-3)) == -1
    with pytest.raises(UnsupportedError, match="depends on parameters"):
        field.sign(field.named["a"])
    with pytest.raises(UnsupportedError):
        field.ball(field.named["a"], 53)


@quick
@given(st.data(), RATIONALS, RATIONALS)
def test_values_are_taken_pointwise(data: st.DataObject, p: Fraction, q: Fraction) -> None:
    x, y = several("Q(a,b)", 2, data)
    point = {"a": p, "b": q}
    left, right = x.at(point), y.at(point)
    if left is not None and right is not None:
        assert (x + y).at(point) == left + right and (x * y).at(point) == left * right


@pytest.mark.parametrize(
    "obj",
    [
        {"num": [], "den": []},
        {"num": [[[0, 0], "0"]], "den": [[[0, 0], "1"]]},
        {"num": [[[1, 0], "1"], [[0, 0], "1"]], "den": [[[0, 0], "1"]]},
        {"num": [[[0], "1"]], "den": [[[0, 0], "1"]]},
        {"num": [[[0, -1], "1"]], "den": [[[0, 0], "1"]]},
        {"num": [[[0, True], "1"]], "den": [[[0, 0], "1"]]},
        {"num": [], "den": [[[0, 0], "1"]], "more": 1},
        "1",
    ],
)
def test_malformed_rational_functions_are_refused(obj: object) -> None:
    with pytest.raises(InputError):
        FunctionField(("a", "b")).decode(obj)


# Joins


JOINS = [
    ("Q", "Q", "rational", 1),
    ("Q", "Q(a,b)", "parametric", 0),
    ("Q(sqrt2)", "Q", "algebraic", 2),
    ("Q(sqrt2)", "Q(sqrt2,sqrt3)", "algebraic", 4),
    ("cubic", "Q(sqrt2)", "algebraic", 6),
    ("cubic", "cubic with sqrt2", "algebraic", 6),
    ("cubic with sqrt2", "Q(sqrt2,sqrt3)", "algebraic", 12),
    ("Q(a,b)", "Q(a,b)", "parametric", 0),
]


@pytest.mark.parametrize(("first", "second", "kind", "degree"), JOINS)
@settings(max_examples=8, deadline=None)
@given(st.data())
def test_join_embeds_both(
    first: str, second: str, kind: str, degree: int, data: st.DataObject
) -> None:
    common, left, right = join(FIELDS[first], FIELDS[second])
    assert (common.kind, common.degree) == (kind, degree)
    assert join(FIELDS[second], FIELDS[first])[0] == common
    for name, embed in ((first, left), (second, right)):
        x, y = several(name, 2, data)
        assert embed(x + y) == embed(x) + embed(y) and embed(x * y) == embed(x) * embed(y)
        assert common.text(embed(x)) == FIELDS[name].text(x)
        if common.is_ordered:
            assert common.ball(embed(x), 90).overlaps(FIELDS[name].ball(x, 90))


def test_join_of_parameters_sorts_them_anew() -> None:
    first, second = FunctionField(("b",)), FunctionField(("a",))
    common, left, right = join(first, second)
    (b,), (a,) = first.generators, second.generators
    assert common == FunctionField(("a", "b"))
    assert left(1 / (2 * b - 1)) * right(a) == common.named["a"] / (2 * common.named["b"] - 1)


def test_join_of_declared_quadratic_numbers() -> None:
    golden = NumberField((-1, -1, 1), (1, 2), "phi")
    other = NumberField((-5, 0, 1), (-3, -2), "s")
    for first, second in ((golden, other), (other, golden), (golden, CUBIC), (CUBIC, golden)):
        common, left, right = join(first, second)
        for field, embed in ((first, left), (second, right)):
            image = embed(field.generator)
            assert common.ball(image, 90).overlaps(field.ball(field.generator, 90))
            assert sum(c * image**k for k, c in enumerate(field.minpoly)) == 0


def test_joins_that_are_refused() -> None:
    other = NumberField((-2, 0, 0, 1), (1, 2), "u")
    for first, second in (
        (FIELDS["Q(a,b)"], CUBIC),
        (CUBIC, other),
        (FIELDS["Q(a,b)"], FIELDS["Q(sqrt2)"]),
        (CUBIC.with_roots([2]), NumberField.quadratic([3, 5, 7])),
    ):
        with pytest.raises(UnsupportedError):
            join(first, second)
        with pytest.raises(UnsupportedError):
            embedding(first, second)


def test_elements_of_different_fields_do_not_mix() -> None:
    two, three = NumberField.quadratic([2]), NumberField.quadratic([3])
    with pytest.raises(TypeError):
        two.radicals[2] + three.radicals[3]
    with pytest.raises(InputError):
        two(three.radicals[3])
    assert two.radicals[2] != three.radicals[3]


@pytest.mark.parametrize(
    "obj",
    [
        None,
        {},
        {"kind": "real"},
        {"kind": "rational", "more": 1},
        {"kind": "parametric", "names": ["b", "a"]},
        {"kind": "parametric", "names": [1]},
        {"kind": "algebraic", "minpoly": ["-2", "0", "1"], "root": ["1"], "symbol": "t"},
        {"kind": "algebraic", "minpoly": ["-2", "0", "1"], "root": ["1", "2"], "symbol": 1},
        {"kind": "algebraic", "minpoly": [-2, 0, 1], "root": ["1", "2"], "symbol": "t"},
    ],
)
def test_malformed_field_descriptions_are_refused(obj: object) -> None:
    with pytest.raises(InputError):
        decode_field(obj)
