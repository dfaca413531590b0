"""Laws of polynomials over every kind of field, against a dictionary of coefficients."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from identcert.errors import InputError
from identcert.exact.field import QQ, FunctionField, NumberField
from identcert.exact.polynomial import Polynomial, PolynomialRing

RINGS = {
    "Q": PolynomialRing(QQ, ("x", "y")),
    "Q(sqrt2,sqrt3)": PolynomialRing(NumberField.quadratic([2, 3]), ("x", "y")),
    "cubic": PolynomialRing(
        NumberField((-1, -2, 1, 1), (Fraction(6, 5), Fraction(13, 10)), "t"), ("x", "y")
    ),
    "Q(a,x0)": PolynomialRing(FunctionField(("a", "x0")), ("x", "y")),
}

rings = pytest.mark.parametrize("ring", RINGS.values(), ids=RINGS.keys())
few = settings(max_examples=30, deadline=None)


@st.composite
def elements(draw: st.DrawFn, field: Any) -> Any:
    named = [field.one, *field.named.values(), *getattr(field, "radicals", {}).values()]
    value = field(draw(st.integers(-2, 2)))
    value = value + draw(st.sampled_from(named)) * fmpq(draw(st.integers(-3, 3)), 2)
    if field.kind == "parametric" and draw(st.booleans()):
        value = value / (draw(st.sampled_from(named)) + 1)
    return value


monomials = st.tuples(st.integers(0, 2), st.integers(0, 2))


@st.composite
def polynomials(draw: st.DrawFn, ring: PolynomialRing) -> Polynomial:
    x, y = ring.generators
    total = ring.constant(0)
    for i, j in draw(st.lists(monomials, max_size=3)):
        total = total + x**i * y**j * draw(elements(ring.field))
    return total


def product(p: Polynomial, q: Polynomial) -> dict[tuple[int, ...], Any]:
    """Return the coefficients of pq by the definition."""
    found: dict[tuple[int, ...], Any] = {}
    for m, c in p.terms():
        for n, d in q.terms():
            place = tuple(i + j for i, j in zip(m, n, strict=True))
            found[place] = found.get(place, p.ring.field.zero) + c * d
    return {m: c for m, c in found.items() if not p.ring.field.is_zero(c)}


@rings
@given(data=st.data())
@few
def test_ring_laws(ring: PolynomialRing, data: st.DataObject) -> None:
    p, q, r = (data.draw(polynomials(ring)) for _ in range(3))
    c = data.draw(elements(ring.field))
    assert dict((p * q).terms()) == product(p, q)
    assert (p * q) * r == p * (q * r) and p * q == q * p and (p + q) * r == p * r + q * r
    assert p + q == q + p and (p - q) + q == p and (p - p).is_zero() and not (p - p)
    assert p * c == ring.constant(c) * p == c * p and p + c == c + p and c - p == -(p - c)
    assert p**3 == p * p * p and p**0 == ring.constant(1) and p**1 == p


@rings
@given(data=st.data())
@few
def test_terms_are_a_normal_form(ring: PolynomialRing, data: st.DataObject) -> None:
    p, q = data.draw(polynomials(ring)), data.draw(polynomials(ring))
    terms = p.terms()
    assert all(not ring.field.is_zero(c) and c == ring.field(c) for _, c in terms)
    assert [m for m, _ in terms] == sorted((m for m, _ in terms), reverse=True)
    x, y = ring.generators
    rebuilt = sum((x**i * y**j * c for (i, j), c in terms), ring.constant(0))
    assert rebuilt == p and hash(rebuilt) == hash(p)
    assert (p == q) == (p.terms() == q.terms()) and hash((p + q) - q) == hash(p)


@rings
@given(data=st.data())
@few
def test_evaluation_is_a_ring_homomorphism(ring: PolynomialRing, data: st.DataObject) -> None:
    p, q = data.draw(polynomials(ring)), data.draw(polynomials(ring))
    point = [data.draw(elements(ring.field)) for _ in range(2)]
    u, v = p.evaluate(point), q.evaluate(point)
    assert (p + q).evaluate(point) == u + v and (p * q).evaluate(point) == u * v
    assert [g.evaluate(point) for g in ring.generators] == point
    assert ring.constant(point[0]).evaluate((0, 0)) == point[0]
    assert u == ring.field(u)


@rings
@given(data=st.data(), zeros=st.integers(0, 2))
@few
def test_horner_is_the_sum_of_powers(ring: PolynomialRing, data: st.DataObject, zeros: int) -> None:
    p = data.draw(polynomials(ring))
    coefficients = data.draw(st.lists(elements(ring.field), max_size=3))
    coefficients = [0] * zeros + coefficients + [Fraction(0)] * zeros
    expected = sum((p**k * c for k, c in enumerate(coefficients)), ring.constant(0))
    assert ring.horner(coefficients, p) == expected


def test_spelling() -> None:
    x, y = RINGS["Q"].generators
    assert repr(-(x**2) * y + x) == "-x^2*y + x"
    assert repr(x * fmpq(1, 2) - 3) == "1/2*x - 3" and repr(x - x) == "0"
    root = RINGS["Q(sqrt2,sqrt3)"].field.radicals[2]  # type: ignore[attr-defined]
    x, y = RINGS["Q(sqrt2,sqrt3)"].generators
    assert repr(x * root + y * (root + 1)) == "sqrt(2)*x + (1 + sqrt(2))*y"
    a = RINGS["Q(a,x0)"].field.named["a"]  # type: ignore[attr-defined]
    x, y = RINGS["Q(a,x0)"].generators
    assert repr(x * y * (1 / a)) == "1/a*x*y"


def test_parameters_may_bear_the_inner_names_of_variables() -> None:
    ring = RINGS["Q(a,x0)"]
    x, _ = ring.generators
    x0 = ring.field.named["x0"]  # type: ignore[attr-defined]
    assert not (x - x0).is_zero() and (x - x0).evaluate([x0, 0]) == 0


@rings
def test_bad_input(ring: PolynomialRing) -> None:
    x, _ = ring.generators
    with pytest.raises(InputError, match="negative powers"):
        _ = x**-1
    with pytest.raises(InputError, match="different rings"):
        _ = x + PolynomialRing(ring.field, ("u", "v")).generators[0]
    with pytest.raises(InputError, match="1 coordinates for 2 variables"):
        x.evaluate([1])
    with pytest.raises(InputError):
        _ = x * 0.5
    with pytest.raises(InputError):
        ring.constant(True)
    with pytest.raises(InputError, match="named twice"):
        PolynomialRing(ring.field, ("x", "x"))


@pytest.mark.parametrize("field", [ring.field for ring in RINGS.values()], ids=RINGS.keys())
def test_a_ring_without_variables_is_the_field(field: Any) -> None:
    ring = PolynomialRing(field, ())
    two = ring.constant(2)
    assert (two * two).terms() == (((), field(4)),) and two.evaluate([]) == 2
    assert ring.constant(0).terms() == () and ring.generators == ()


def test_expands_a_network_of_powers() -> None:
    ring = PolynomialRing(QQ, ("x", "y"))
    x, y = ring.generators
    hidden = [ring.horner([0, 0, 0, 1], x + y), ring.horner([0, 0, 0, 1], x - y)]
    assert hidden[0] + hidden[1] == 2 * x**3 + 6 * x * y**2
