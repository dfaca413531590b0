"""One conformance suite for exact matrices, run over every kind of field."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from fractions import Fraction
from itertools import permutations
from math import prod
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from identcert.errors import InputError, SingularMatrix
from identcert.exact.field import QQ, FunctionField, NumberField
from identcert.exact.matrix import Matrix
from identcert.exact.matrix_algebraic import AlgebraicEntries
from identcert.exact.matrix_rational import RationalEntries

FIELDS = {
    "Q": QQ,
    "Q(sqrt2)": NumberField.quadratic([2]),
    "cubic": NumberField((-1, -2, 1, 1), (Fraction(6, 5), Fraction(13, 10)), "t"),
    "Q(sqrt2,sqrt3)": NumberField.quadratic([2, 3]),
    "Q(a,b)": FunctionField(("a", "b")),
}

fields = pytest.mark.parametrize("field", FIELDS.values(), ids=FIELDS.keys())
few = settings(max_examples=25, deadline=None)
sizes = st.integers(0, 3)


def generators(field: Any) -> list[Any]:
    """Return 1 and the named elements of the field, from which all others are made."""
    return [field.one, *field.named.values(), *getattr(field, "radicals", {}).values()]


@st.composite
def elements(draw: st.DrawFn, field: Any) -> Any:
    """Draw a sum of small rationals times generators, or for functions a quotient of two."""
    value = field.zero
    for generator in draw(st.lists(st.sampled_from(generators(field)), max_size=2)):
        value = value + generator * field(Fraction(draw(st.integers(-3, 3)), 2))
    if field.kind == "parametric" and draw(st.booleans()):
        value = value / (draw(st.sampled_from(generators(field))) + 1)
    return value


@st.composite
def matrices(draw: st.DrawFn, field: Any, rows: int, cols: int) -> Matrix:
    entry = st.one_of(st.just(field.zero), elements(field))
    table = [[draw(entry) for _ in range(cols)] for _ in range(rows)]
    return Matrix.of(table, field, cols=cols)


def by_definition(a: Matrix, b: Matrix) -> Matrix:
    """Return AB from the sums of products of entries."""
    return Matrix.of(
        (
            (sum((a[i, k] * b[k, j] for k in range(a.cols)), a.field.zero) for j in range(b.cols))
            for i in range(a.rows)
        ),
        a.field,
        cols=b.cols,
    )


def leibniz(a: Matrix) -> Any:
    """Return det A by the sum over permutations."""
    total = a.field.zero
    for p in permutations(range(a.rows)):
        inversions = sum(p[i] > p[j] for j in range(a.rows) for i in range(j))
        total = total + prod((a[i, p[i]] for i in range(a.rows)), start=a.field((-1) ** inversions))
    return total


@fields
@given(data=st.data(), m=sizes, n=sizes, k=sizes, q=sizes)
@few
def test_ring_laws(field: Any, data: st.DataObject, m: int, n: int, k: int, q: int) -> None:
    a, d = data.draw(matrices(field, m, n)), data.draw(matrices(field, m, n))
    b, c = data.draw(matrices(field, n, k)), data.draw(matrices(field, k, q))
    factor = data.draw(elements(field))
    assert a @ b == by_definition(a, b)
    assert (a @ b) @ c == a @ (b @ c)
    assert (a + d) @ b == a @ b + d @ b
    assert a + d == d + a and (a - d) + d == a and (-a) + a == Matrix.zeros(m, n, field)
    assert (a @ b).T == b.T @ a.T and a == a.T.T
    assert a.scale(factor) @ b == (a @ b).scale(factor)
    assert Matrix.identity(m, field) @ a == a == a @ Matrix.identity(n, field)
    assert a.apply(d.T.column(0)) == (a @ d.T).column(0) if m else True
    assert (a @ b).shape == (m, k) and (a - a).is_zero()


@fields
@given(data=st.data(), m=sizes, n=sizes)
@few
def test_equal_matrices_have_one_normal_form(
    field: Any, data: st.DataObject, m: int, n: int
) -> None:
    a, b = data.draw(matrices(field, m, n)), data.draw(matrices(field, m, n))
    same = (a + b) - b
    assert same == a and hash(same) == hash(a) and len({a, same}) == 1
    rebuilt = Matrix.of(a.to_rows(), field, cols=n)
    assert rebuilt == a and hash(rebuilt) == hash(a)
    assert (a == b) == (a.to_rows() == b.to_rows())
    assert a.is_zero() == all(x == field.zero for row in a.to_rows() for x in row)
    assert a.to_rows() is a.to_rows()


@fields
@given(data=st.data(), m=sizes, n=sizes)
@few
def test_echelon_form_and_rank(field: Any, data: st.DataObject, m: int, n: int) -> None:
    left, right = data.draw(matrices(field, m, 2)), data.draw(matrices(field, 2, n))
    a = left @ right
    form, pivots = a.rref()
    assert a.rank() == len(pivots) == a.T.rank() <= min(m, n, 2)
    assert form.shape == a.shape and list(pivots) == sorted(pivots)
    for i, j in enumerate(pivots):
        assert form.column(j) == Matrix.identity(m, field).column(i)
        assert all(x == field.zero for x in form.row(i)[:j])
    assert form.select_rows(range(len(pivots), m)).is_zero()
    assert form.rref() == (form, pivots)
    assert Matrix.vstack([a, form]).rank() == a.rank()


@fields
@given(data=st.data(), m=sizes, n=sizes)
@few
def test_nullspace(field: Any, data: st.DataObject, m: int, n: int) -> None:
    a = data.draw(matrices(field, m, n))
    basis = a.nullspace()
    assert len(basis) == n - a.rank()
    assert all(a.apply(x) == (field.zero,) * m for x in basis)
    assert Matrix.of(basis, field, cols=n).rank() == len(basis)


@fields
@given(data=st.data(), m=sizes, n=sizes, k=sizes)
@few
def test_solve(field: Any, data: st.DataObject, m: int, n: int, k: int) -> None:
    a, x = data.draw(matrices(field, m, n)), data.draw(matrices(field, n, k))
    solution = a.solve(a @ x)
    assert solution is not None and a @ solution == a @ x and solution.shape == (n, k)
    b = data.draw(matrices(field, m, k))
    other = a.solve(b)
    assert (other is not None) == (Matrix.hstack([a, b]).rank() == a.rank())
    assert other is None or a @ other == b


@fields
@given(data=st.data(), n=sizes)
@few
def test_inverse_and_determinant(field: Any, data: st.DataObject, n: int) -> None:
    a, b = data.draw(matrices(field, n, n)), data.draw(matrices(field, n, n))
    assert a.det() == leibniz(a)
    assert (a @ b).det() == a.det() * b.det()
    if a.det() == field.zero:
        assert a.rank() < n
        with pytest.raises(SingularMatrix):
            a.inverse()
    else:
        assert (a @ a.inverse()).is_identity() and (a.inverse() @ a).is_identity()


@fields
@given(data=st.data(), m=sizes, n=sizes)
@few
def test_kronecker_product(field: Any, data: st.DataObject, m: int, n: int) -> None:
    a, b = data.draw(matrices(field, m, n)), data.draw(matrices(field, n, m))
    c, d = data.draw(matrices(field, n, 2)), data.draw(matrices(field, m, 1))
    assert a.kron(b) @ c.kron(d) == (a @ c).kron(b @ d)
    assert a.kron(b).shape == (m * n, n * m)
    assert Matrix.identity(1, field).kron(a) == a == a.kron(Matrix.identity(1, field))


@fields
@given(data=st.data(), m=sizes, n=sizes)
@few
def test_moving_rows_and_columns(field: Any, data: st.DataObject, m: int, n: int) -> None:
    a = data.draw(matrices(field, m, n))
    columns = data.draw(st.lists(st.integers(0, n - 1), max_size=4)) if n else []
    signs = [data.draw(st.sampled_from((1, -1))) for _ in columns]
    rows = data.draw(st.permutations(range(m)))
    identity = Matrix.identity(n, field)
    assert a.select_columns(columns) == a @ identity.select_columns(columns)
    expected = [
        [sign * row[j] for j, sign in zip(columns, signs, strict=True)] for row in a.to_rows()
    ]
    assert a.select_columns(columns, signs) == Matrix.of(expected, field, cols=len(columns))
    assert a.T.select_rows(columns, signs) == a.select_columns(columns, signs).T
    assert a.select_rows(rows).to_rows() == tuple(a.row(i) for i in rows)
    assert Matrix.hstack([a, a]) == Matrix.vstack([a.T, a.T]).T and Matrix.hstack([a]) == a
    assert Matrix.hstack([a, a]).select_columns(range(n, 2 * n)) == a


@fields
@given(data=st.data(), m=sizes, n=sizes)
@few
def test_scaling_columns(field: Any, data: st.DataObject, m: int, n: int) -> None:
    a = data.draw(matrices(field, m, n))
    factors = [data.draw(elements(field)) for _ in range(n)]
    diagonal = [[factors[i] if i == j else 0 for j in range(n)] for i in range(n)]
    assert a.scale_columns(factors) == a @ Matrix.of(diagonal, field, cols=n)
    assert a.scale_columns([1] * n) == a


@fields
@pytest.mark.parametrize(("m", "n"), [(0, 0), (0, 3), (3, 0)])
def test_shapes_with_a_zero(field: Any, m: int, n: int) -> None:
    a = Matrix.zeros(m, n, field)
    assert a.shape == (m, n) == a.T.shape[::-1] and a.is_zero() and a.rank() == 0
    assert a == Matrix.of([()] * m, field, cols=n) and hash(a) == hash(-a.scale(2) + a)
    assert (a @ a.T) == Matrix.zeros(m, m, field) and (a.T @ a) == Matrix.zeros(n, n, field)
    assert a.rref() == (a, ()) and len(a.nullspace()) == n
    assert a.solve(Matrix.zeros(m, 2, field)) == Matrix.zeros(n, 2, field)
    assert a.kron(a).shape == (m * m, n * n)
    assert Matrix.vstack([a, a]).shape == (2 * m, n) and Matrix.hstack([a, a]).shape == (m, 2 * n)
    assert a.apply((0,) * n) == (field.zero,) * m
    assert a != Matrix.zeros(n, m, field) or m == n
    assert a.over(field, lambda x: x) == a


@fields
def test_the_empty_square_matrix_is_the_identity(field: Any) -> None:
    empty = Matrix.zeros(0, 0, field)
    assert empty.is_identity() and empty.inverse() == empty and empty.det() == field.one


@fields
def test_what_does_not_fit_is_bad_input(field: Any) -> None:
    a = Matrix.of([[1, 2, 3], [4, 5, 6]], field)
    with pytest.raises(InputError, match=r"2×3 and 2×3 do not make a product"):
        _ = a @ a
    with pytest.raises(InputError, match="do not make a sum"):
        _ = a + a.T
    with pytest.raises(InputError, match="not square"):
        a.det()
    with pytest.raises(InputError, match="not square"):
        a.inverse()
    with pytest.raises(InputError, match="does not fit"):
        a.apply([1])
    with pytest.raises(InputError, match="row 1 has 1 entries"):
        Matrix.of([[1, 2], [3]], field)
    with pytest.raises(InputError, match="number of columns"):
        Matrix.of([], field)
    with pytest.raises(InputError):
        Matrix.of([[0.5]], field)
    with pytest.raises(InputError):
        Matrix.hstack([a, a.T])
    with pytest.raises(InputError):
        a.solve(a.T)


@fields
def test_a_matrix_is_frozen(field: Any) -> None:
    a = Matrix.identity(2, field)
    with pytest.raises((FrozenInstanceError, AttributeError)):
        a.entries = a.entries  # type: ignore[misc]
    before, digest = a.to_rows(), hash(a)
    _ = (a @ a, a + a, -a, a.inverse(), a.det(), a.rref(), a.rank(), a.nullspace(), a.scale(3))
    assert a.to_rows() == before and hash(a) == digest and a.is_identity()


@given(data=st.data(), m=sizes, n=sizes)
@few
def test_both_ways_to_the_echelon_form_agree(data: st.DataObject, m: int, n: int) -> None:
    entries = data.draw(matrices(FIELDS["cubic"], m, n)).entries
    assert isinstance(entries, AlgebraicEntries)
    solved, expanded = entries._rref_by_solving(), entries._rref_by_expansion()
    assert solved is not None
    assert solved[1] == expanded[1] and solved[0].is_equal(expanded[0])


@pytest.mark.parametrize("wrong", [(), (0,), (0, 1), (0, 2), (1, 2), (0, 1, 2)])
def test_wrong_pivots_modulo_a_prime_do_no_harm(
    monkeypatch: pytest.MonkeyPatch, wrong: tuple[int, ...]
) -> None:
    t = FIELDS["cubic"].named["t"]
    a = Matrix.of([[0, t, 1], [0, t * t, t], [0, 0, t]], FIELDS["cubic"])
    expected = a.rref()
    expanded = tuple(3 * column + k for column in wrong for k in range(3))
    monkeypatch.setattr(RationalEntries, "pivots_modulo", lambda self: expanded)
    assert a.rref() == expected and expected[1] == (1, 2)


def test_integer_rows_have_the_least_common_denominator() -> None:
    a = Matrix.of([[Fraction(1, 6), 2], [Fraction(-3, 4), 0]])
    assert a.integer_rows() == (((2, 24), (-9, 0)), 12)
    assert all(type(x) is int for row in a.integer_rows()[0] for x in row)
    assert Matrix.from_integer_rows([[4, 48], [-18, 0]], 24) == a
    assert hash(Matrix.from_integer_rows([[4, 48], [-18, 0]], 24)) == hash(a)
    assert Matrix.from_integer_rows([[-4]], -2) == Matrix.of([[2]])
    assert Matrix.from_integer_rows([], 1, cols=2).shape == (0, 2)
    assert Matrix.zeros(2, 0).integer_rows() == (((), ()), 1)
    with pytest.raises(InputError):
        Matrix.from_integer_rows([[1]], 0)


def test_the_two_forms_of_a_rational_matrix_agree() -> None:
    from_rows = Matrix.of([[fmpq(1, 2), fmpq(3)]])
    from_product = Matrix.identity(1) @ Matrix.of([[fmpq(1, 2), fmpq(3)]])
    assert from_rows == from_product and from_product == from_rows
    assert hash(from_rows) == hash(from_product)
    assert from_product.to_rows() == ((fmpq(1, 2), fmpq(3)),)
    assert -from_rows == -from_product and from_rows.T == from_product.T
