"""Reynolds averages of polynomial maps, exactly over Q.

P_E f   == ∫ρ(g)⁻¹ f(τ_g x) dμ(g), the average of a map over a compact group
dΠ(ξ)f  == Bf + b − Df·(Ax + a); E = ⋂ ker dΠ(ξ) over generators ξ of a connected group
moments == m_ij, the mean of cos^i·sin^j over the circle

Two independent ways. For SO(2) on R² and scalar polynomials, x^i y^j ↦ m_ij (x²+y²)^{(i+j)/2}.
For any generators by skew matrices, the group is compact, so polynomials of bounded degree split
into E ⊕ Σ_ξ Im dΠ(ξ), and P_E is the projection: the one solution of f = k + Σ dΠ(ξ)u_ξ with
dΠ(ξ)k = 0. Source: theory of attribution §2 and §6.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import comb
from typing import Any

from flint import fmpq

from identcert.attribution.polynomial_system import affine_image
from identcert.errors import InputError, UnsupportedError
from identcert.exact.matrix import Matrix
from identcert.exact.polynomial import Polynomial, PolynomialRing
from identcert.groups.action import Generator, InfinitesimalGenerator

Map = tuple[Any, ...]
"""The components of a polynomial map, in one ring."""


def circle_moment(i: int, j: int) -> fmpq:
    """Return the mean of cos^i·sin^j over the circle: (i−1)!!(j−1)!!/(i+j)!!, 0 if one is odd.

    >>> circle_moment(4, 0), circle_moment(2, 2), circle_moment(1, 2)
    (3/8, 1/8, 0)
    """
    if i % 2 or j % 2:
        return fmpq(0)
    return fmpq(_odd_factorial(i) * _odd_factorial(j), _even_factorial(i + j))


def _odd_factorial(n: int) -> int:
    return 1 if n < 2 else (n - 1) * _odd_factorial(n - 2)


def _even_factorial(n: int) -> int:
    return 1 if n < 2 else n * _even_factorial(n - 2)


def circle_average(f: Polynomial) -> Polynomial:
    """Return the SO(2) average of a scalar polynomial in two variables, by moments.

    Raises
    ------
    InputError
        If the ring has another number of variables.

    Examples
    --------
    >>> from identcert.exact.field import QQ
    >>> x, y = PolynomialRing(QQ, ("x", "y")).generators
    >>> circle_average((2 * x + y) ** 4)
    75/8*x^4 + 75/4*x^2*y^2 + 75/8*y^4
    """
    if len(f.ring.names) != 2:
        raise InputError("the circle turns polynomials in two variables")
    x, y = f.ring.generators
    square, total = x * x + y * y, f.ring.constant(0)
    for (i, j), coefficient in f.terms():
        moment = circle_moment(i, j)
        if moment:
            total = total + square ** ((i + j) // 2) * (coefficient * moment)
    return total


def finite_average(f: Map, elements: Sequence[Generator]) -> Map:
    """Return (1/|G|)Σ ρ_out(g)⁻¹ f(ρ_in(g)x) over all elements of a finite group.

    Examples
    --------
    >>> from identcert.exact.field import QQ
    >>> from identcert.groups.affine import AffineMap
    >>> swap, keep = AffineMap.from_permutation([1, 0]), AffineMap.identity(1)
    >>> group = [Generator("e", swap @ swap, keep), Generator("s", swap, keep)]
    >>> x, y = PolynomialRing(QQ, ("x", "y")).generators
    >>> finite_average((x * x,), group)
    (1/2*x^2 + 1/2*y^2,)
    """
    ring = f[0].ring
    total = [ring.constant(0)] * len(f)
    for g in elements:
        point = affine_image(g.input.matrix().to_rows(), g.input.shift, ring.generators, ring)
        back = g.output.inverse()
        moved = tuple(substitute(component, point) for component in f)
        image = affine_image(back.matrix().to_rows(), back.shift, moved, ring)
        total = [a + b for a, b in zip(total, image, strict=True)]
    return tuple(component * fmpq(1, len(elements)) for component in total)


def substitute(f: Polynomial, point: Sequence[Polynomial]) -> Polynomial:
    """Return f with polynomials in place of its variables."""
    total = f.ring.constant(0)
    for exponents, coefficient in f.terms():
        term = f.ring.constant(coefficient)
        for value, e in zip(point, exponents, strict=True):
            if e:
                term = term * value**e
        total = total + term
    return total


def derivative(f: Polynomial, k: int) -> Polynomial:
    """Return ∂f/∂x_k."""
    total = f.ring.constant(0)
    for exponents, coefficient in f.terms():
        if exponents[k]:
            term = f.ring.constant(coefficient * exponents[k])
            for j, (variable, e) in enumerate(zip(f.ring.generators, exponents, strict=True)):
                power = e - int(j == k)
                term = term * variable**power if power else term
            total = total + term
    return total


def generator_direction(f: Map, generator: InfinitesimalGenerator) -> Map:
    """Return η = Bf + b − Df·(Ax + a) of a polynomial map.

    >>> from identcert.attribution.generators import rotation
    >>> from identcert.exact.field import QQ
    >>> x, y = PolynomialRing(QQ, ("x", "y")).generators
    >>> generator_direction((3 * x * x + y * y,), rotation(2, 1))
    (4*x*y,)
    """
    ring = f[0].ring
    rows, shift = generator.input.to_rows(), generator.input_shift
    velocity = affine_image(rows, shift, ring.generators, ring)
    carried = affine_image(generator.output.to_rows(), generator.output_shift, f, ring)
    found = []
    for component, total in zip(f, carried, strict=True):
        for k, v in enumerate(velocity):
            if v:
                total = total - derivative(component, k) * v
        found.append(total)
    return tuple(found)


def reynolds_projection(f: Map, generators: Sequence[InfinitesimalGenerator]) -> Map:
    """Return P_E f for the compact connected group of skew generators, exactly.

    Raises
    ------
    UnsupportedError
        If a generator is not linear and skew on both sides: then nothing here says that
        its group is compact.

    Examples
    --------
    >>> from identcert.attribution.generators import rotation
    >>> from identcert.exact.field import QQ
    >>> x, y = PolynomialRing(QQ, ("x", "y")).generators
    >>> reynolds_projection((x + 2 * y, 3 * x + 4 * y), [rotation(2, 2, same=True)])
    (5/2*x - 1/2*y, 1/2*x + 5/2*y)
    """
    for g in generators:
        shifts = (*g.input_shift, *g.output_shift)
        if g.input + g.input.T != g.input - g.input or any(shifts) or g.output != -g.output.T:
            raise UnsupportedError(f"generator {g.name} is not linear and skew on both sides")
    ring = f[0].ring
    basis = _monomial_maps(f)
    index = {key: position for position, key in enumerate(basis)}
    matrices = [_operator(basis, index, ring, len(f), g) for g in generators]
    vector = Matrix.of([[c] for c in _coefficients(f, index)], ring.field, 1)
    images = Matrix.hstack(matrices)
    conditions = Matrix.vstack(matrices)
    preimage = (conditions @ images).solve(conditions @ vector)
    if preimage is None:
        raise UnsupportedError("the polynomials do not split; the group is not compact")
    kept = (vector - images @ preimage).column(0)
    return _assembled(kept, basis, ring, len(f))


Key = tuple[int, tuple[int, ...]]


def _monomial_maps(f: Map) -> list[Key]:
    """Return all (output, exponents) of the degrees that occur; linear actions keep degrees."""
    variables = len(f[0].ring.names)
    degrees = {sum(exponents) for component in f for exponents, _ in component.terms()}
    largest = max(degrees, default=0)
    if comb(variables + largest, variables) > 5000:
        raise UnsupportedError("the polynomials of that degree are too many to average exactly")
    exponents = [e for e in product(range(largest + 1), repeat=variables) if sum(e) in degrees]
    return [(output, e) for output in range(len(f)) for e in exponents]


def _operator(
    basis: list[Key],
    index: dict[Key, int],
    ring: PolynomialRing,
    outputs: int,
    generator: InfinitesimalGenerator,
) -> Matrix:
    """Return the matrix of dΠ(ξ) on the span of the basis."""
    one, zero = ring.field.one, ring.field.zero
    columns = []
    for position in range(len(basis)):
        unit = tuple(one if i == position else zero for i in range(len(basis)))
        image = generator_direction(_assembled(unit, basis, ring, outputs), generator)
        columns.append(_coefficients(image, index))
    return Matrix.of(columns, ring.field, len(basis)).T


def _coefficients(f: Map, index: dict[Key, int]) -> list[Any]:
    found = [f[0].ring.field.zero] * len(index)
    for output, component in enumerate(f):
        for exponents, coefficient in component.terms():
            found[index[output, exponents]] = coefficient
    return found


def _assembled(
    coefficients: Sequence[Any], basis: list[Key], ring: PolynomialRing, outputs: int
) -> Map:
    components = [ring.constant(0)] * outputs
    for (output, exponents), c in zip(basis, coefficients, strict=True):
        if not ring.field.is_zero(c):
            term = ring.constant(c)
            for variable, e in zip(ring.generators, exponents, strict=True):
                term = term * variable**e if e else term
            components[output] = components[output] + term
    return tuple(components)
