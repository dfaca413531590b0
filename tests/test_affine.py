"""Laws of affine maps and of signed permutations, over every kind of field."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from identcert.errors import InputError, SingularMatrix, UnsupportedError
from identcert.exact.field import QQ, FunctionField, NumberField
from identcert.exact.matrix import Matrix
from identcert.groups.affine import AffineMap, SignedPermutation, normal_linear

ROOT_TWO = NumberField.quadratic([2])
PARAMETERS = FunctionField(("a", "b"))
FIELDS = {"Q": QQ, "Q(sqrt2)": ROOT_TWO, "Q(a,b)": PARAMETERS}
fields = st.sampled_from(list(FIELDS.values()))


def words_of(field: Any) -> list[Any]:
    return [field.one, *field.named.values(), *getattr(field, "radicals", {}).values()]


@st.composite
def elements(draw: st.DrawFn, field: Any) -> Any:
    factor = Fraction(draw(st.integers(-3, 3)), draw(st.integers(1, 2)))
    return draw(st.sampled_from(words_of(field))) * field(factor)


@st.composite
def signed(draw: st.DrawFn, dim: int) -> SignedPermutation:
    signs = draw(st.lists(st.sampled_from([1, -1]), min_size=dim, max_size=dim))
    return SignedPermutation.of(draw(st.permutations(range(dim))), signs)


@st.composite
def maps(draw: st.DrawFn, field: Any, dim: int) -> AffineMap:
    """A signed permutation, or a product of elementary matrices with one; with or without shift."""
    zero = st.just(field.zero)
    shift = [draw(st.one_of(zero, elements(field))) for _ in range(dim)]
    rho = draw(signed(dim))
    g = AffineMap.from_permutation(rho.permutation, rho.signs, shift, field)
    if dim > 1 and draw(st.booleans()):
        i, j = draw(st.permutations(range(dim)))[:2]
        table = [[field.one if r == c else field.zero for c in range(dim)] for r in range(dim)]
        table[i][j] = draw(elements(field))
        g = AffineMap.from_matrix(Matrix.of(table, field)) @ g
    return g


@st.composite
def with_maps(draw: st.DrawFn, number: int) -> tuple[Any, int, list[AffineMap]]:
    field, dim = draw(fields), draw(st.integers(1, 4))
    return field, dim, [draw(maps(field, dim)) for _ in range(number)]


@st.composite
def layers(draw: st.DrawFn, field: Any, rows: int, cols: int) -> tuple[Matrix, tuple[Any, ...]]:
    table = [[draw(elements(field)) for _ in range(cols)] for _ in range(rows)]
    return Matrix.of(table, field, cols), tuple(draw(elements(field)) for _ in range(rows))


def value(weight: Matrix, bias: tuple[Any, ...], x: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(y + b for y, b in zip(weight.apply(x), bias, strict=True))


@given(st.data(), with_maps(2))
def test_composition_is_application(data: st.DataObject, drawn: Any) -> None:
    field, dim, (a, b) = drawn
    x = tuple(data.draw(elements(field)) for _ in range(dim))
    assert (a @ b).apply(x) == a.apply(b.apply(x))
    assert (a @ b).det() == a.det() * b.det()


@given(with_maps(3))
def test_maps_form_a_group(drawn: Any) -> None:
    field, dim, (a, b, c) = drawn
    identity = AffineMap.identity(dim, field)
    assert (a @ b) @ c == a @ (b @ c)
    assert a @ identity == a == identity @ a
    assert (a @ a.inverse()).is_identity() and (a.inverse() @ a).is_identity()
    assert (a @ b).inverse() == b.inverse() @ a.inverse()


@given(with_maps(1), st.integers(-5, 5))
def test_powers_are_repeated_products(drawn: Any, exponent: int) -> None:
    field, dim, (a,) = drawn
    expected = AffineMap.identity(dim, field)
    for _ in range(abs(exponent)):
        expected = expected @ (a if exponent > 0 else a.inverse())
    assert a**exponent == expected


@given(with_maps(2))
def test_equal_maps_are_equal_values(drawn: Any) -> None:
    _, _, (a, b) = drawn
    rebuilt = AffineMap.from_matrix(a.matrix(), a.shift)
    assert rebuilt == a and hash(rebuilt) == hash(a)
    # any route to the same map arrives at the same normal form
    assert (a @ b) @ b.inverse() == a and hash((a @ b) @ b.inverse()) == hash(a)


@given(st.data(), with_maps(1))
def test_pull_back_then_evaluate_is_evaluate_after_the_map(data: st.DataObject, drawn: Any) -> None:
    field, dim, (a,) = drawn
    weight, bias = data.draw(layers(field, 3, dim))
    x = tuple(data.draw(elements(field)) for _ in range(dim))
    assert value(*a.pull_back(weight, bias), x) == value(weight, bias, a.apply(x))


@given(st.data(), with_maps(1))
def test_push_forward_then_evaluate_is_the_map_after_evaluate(
    data: st.DataObject, drawn: Any
) -> None:
    field, dim, (a,) = drawn
    weight, bias = data.draw(layers(field, dim, 2))
    x = tuple(data.draw(elements(field)) for _ in range(2))
    assert value(*a.push_forward(weight, bias), x) == a.apply(value(weight, bias, x))


@given(with_maps(2))
def test_transposes_reverse_products(drawn: Any) -> None:
    field, dim, pair = drawn
    a, b = (AffineMap.from_matrix(g.matrix()) for g in pair)
    assert (a @ b).transpose() == b.transpose() @ a.transpose()
    assert a.transpose().matrix() == a.matrix().T
    assert a.trace() == sum((a.matrix()[i, i] for i in range(dim)), field.zero)


@given(st.data(), st.integers(1, 5))
def test_a_signed_permutation_is_its_matrix(data: st.DataObject, dim: int) -> None:
    rho, tau = data.draw(signed(dim)), data.draw(signed(dim))
    a, b = (AffineMap.from_permutation(g.permutation, g.signs) for g in (rho, tau))
    assert normal_linear(a.matrix()) == rho
    assert normal_linear(a.matrix() @ b.matrix()) == rho @ tau
    assert a.matrix().det() == rho.det() and a.inverse() == a.transpose()


def test_over_a_larger_field_is_the_same_map() -> None:
    g = AffineMap.from_matrix(Matrix.of([[1, 2], [0, 1]]), [1, 0])
    larger = g.over(ROOT_TWO, ROOT_TWO)
    assert larger.field == ROOT_TWO and larger.matrix()[0, 1] == 2
    assert larger.apply((ROOT_TWO.radicals[2], ROOT_TWO(0)))[0] == ROOT_TWO.radicals[2] + 1


def test_signs_of_coordinates_follow_numpy_indexing() -> None:
    numpy = pytest.importorskip("numpy")
    rho, x = SignedPermutation((2, 0, 1), (1, -1, 1)), numpy.array([3, 5, 7])
    expected = numpy.array(rho.signs) * x[list(rho.permutation)]
    assert rho.apply(tuple(x)) == tuple(expected)


@pytest.mark.parametrize(
    ("permutation", "signs", "message"),
    [
        ((0, 0), (1, 1), "0 occurs twice"),
        ((0, 2), (1, 1), "entry 1 of the permutation is 2"),
        ((-1, 0), (1, 1), "entry 0 of the permutation is -1"),
        ((True, 0), (1, 1), "entry 0 of the permutation is not an integer"),
        ((0, 1), (1, 0), "sign 1 is 0"),
        ((0, 1), (1,), "1 signs stand beside a permutation of 2 entries"),
        ((0, 10**5000), (1, 1), "a number of many digits"),
    ],
)
def test_refuses_what_is_no_signed_permutation(permutation: Any, signs: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        SignedPermutation(permutation, signs)


def test_refuses_singular_and_ill_sized_maps() -> None:
    with pytest.raises(SingularMatrix, match="singular"):
        AffineMap.from_matrix(Matrix.of([[1, 2], [2, 4]]))
    with pytest.raises(InputError, match="2×3"):
        AffineMap.from_matrix(Matrix.of([[1, 2, 3], [0, 1, 0]]))
    with pytest.raises(InputError, match="shift of 1 entries"):
        AffineMap.from_permutation([1, 0], None, [1])
    with pytest.raises(UnsupportedError, match="no transpose"):
        AffineMap.from_permutation([0], None, [1]).transpose()
