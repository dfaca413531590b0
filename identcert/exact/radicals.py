"""Square roots of rationals: squarefree radicands, and the field that a root generates.

Glossary
--------
radicand == a squarefree integer d > 1, standing for √d > 0.
independent radicands == no product of some of them is a square; their roots generate degree 2^r.
Polynomials are `flint.fmpq_poly`; Q itself counts as Q[x]/(x).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import gcd
from typing import Any

import flint

from identcert.errors import UnsupportedError
from identcert.exact.rational_field import MAX_DEGREE
from identcert.exact.real_roots import root_ball

TRIAL_BOUND = 1_000
MAX_FACTOR_BITS = 150


@lru_cache(maxsize=4096)
def squarefree_root(q: Any) -> tuple[Any, int]:
    """Return (s, d) with √q = s·√d, s ≥ 0 rational and d ≥ 1 squarefree, for rational q ≥ 0.

    Raises
    ------
    UnsupportedError
        If a number has to be factored that is too large for it.

    Examples
    --------
    >>> squarefree_root(flint.fmpq(8, 9)), squarefree_root(flint.fmpq(1, 2))
    ((2/3, 2), (1/2, 2))
    """
    top, bottom = _square_times_rest(q.p), _square_times_rest(q.q)
    # √(a²b / c²d) = a/(c·d)·√(b·d), and b, d are coprime in lowest terms
    return flint.fmpq(top[0], bottom[0] * bottom[1]), int(top[1] * bottom[1])


def _square_times_rest(n: Any) -> tuple[Any, Any]:
    """Return (a, b) with n = a²·b and b squarefree, for an integer n ≥ 0."""
    if n == 0:
        return flint.fmpz(0), flint.fmpz(1)
    side, rest = flint.fmpz(1), flint.fmpz(1)
    for p in range(2, TRIAL_BOUND):
        if n == 1:
            break
        while n % (p * p) == 0:
            n, side = n // (p * p), side * p
        if n % p == 0:
            n, rest = n // p, rest * p
    root = n.isqrt()
    if root * root == n:
        return side * root, rest
    if n.bit_length() > MAX_FACTOR_BITS:
        raise UnsupportedError(
            "a square root asks for the factors of a number with more than "
            f"{MAX_FACTOR_BITS} bits; write the root with a smaller number under it"
        )
    for prime, exponent in n.factor():
        side *= prime ** (exponent // 2)
        rest *= prime ** (exponent % 2)
    return side, rest


def radicand_group(radicands: Iterable[int]) -> frozenset[int]:
    """Return the group that squarefree integers generate modulo squares; its identity is 1.

    Raises
    ------
    UnsupportedError
        If their square roots generate a field of degree more than 16.

    Examples
    --------
    >>> sorted(radicand_group([6, 10]))
    [1, 6, 10, 15]
    """
    group = {1}
    for d in sorted(radicands):
        if d not in group:
            group |= {product(d, e) for e in group}
        if len(group) > MAX_DEGREE:
            raise UnsupportedError(
                f"these square roots together generate a field of degree more than {MAX_DEGREE}"
            )
    return frozenset(group)


def independent_radicands(radicands: Iterable[int]) -> tuple[int, ...]:
    """Return the least basis of the group that squarefree integers generate modulo squares.

    Invariants: ascending, independent, and a function of the group alone (greedy choice).

    Examples
    --------
    >>> independent_radicands([6, 2]), independent_radicands([15, 10, 6])
    ((2, 3), (6, 10))
    """
    basis: list[int] = []
    span = {1}
    for d in sorted(radicand_group(radicands)):
        if d not in span:
            basis.append(d)
            span |= {product(d, e) for e in span}
    return tuple(basis)


def product(d: int, e: int) -> int:
    """Return the radicand of √d·√e, which equals gcd(d, e)·√product(d, e)."""
    common = gcd(d, e)
    return (d // common) * (e // common)


@dataclass(frozen=True, slots=True)
class SimpleExtension:
    """Q(γ) that contains Q(α) and √d: polynomials in γ for α and √d.

    ``minpoly`` is that of γ, monic; ``(low, high)`` isolates γ. If √d lies in Q(α)
    already, then γ = α.
    """

    minpoly: Any
    low: Any
    high: Any
    generator: Any
    root: Any


def adjoin_root(minpoly: Any, low: Any, high: Any, d: int) -> SimpleExtension:
    """Return Q(α, √d) as Q(γ) with γ = α + c·√d for the least c ≥ 1 that separates conjugates.

    Raises
    ------
    UnsupportedError
        If its degree is more than 16.

    Notes
    -----
    The norm N(x) = m(x − c√d)·m(x + c√d) is rational, vanishes at γ, and once it is
    squarefree it is irreducible exactly when √d ∉ Q(α) (Trager 1976).
    """
    c, norm = _squarefree_norm(minpoly, d)
    factors = [g for g, _ in norm.numer().factor()[1]]
    if len(factors) > 1:
        root = _root_inside(factors, minpoly, low, high, c, d)
        return SimpleExtension(minpoly, low, high, flint.fmpq_poly([0, 1]) % minpoly, root)
    if norm.degree() > MAX_DEGREE:
        raise UnsupportedError(
            f"these algebraic numbers together have degree more than {MAX_DEGREE}"
        )
    return _larger_field(minpoly, low, high, d, c, norm)


def find_root(minpoly: Any, low: Any, high: Any, d: int) -> Any | None:
    """Return the polynomial in α that equals √d, or None if √d ∉ Q(α)."""
    c, norm = _squarefree_norm(minpoly, d)
    factors = [g for g, _ in norm.numer().factor()[1]]
    return _root_inside(factors, minpoly, low, high, c, d) if len(factors) > 1 else None


def _root_inside(factors: list[Any], minpoly: Any, low: Any, high: Any, c: int, d: int) -> Any:
    """Return √d in Q(α) from the factor g of the norm that vanishes at γ = α + c·√d.

    With s for √d, g(α + c·s) = u(α) + v(α)·s = 0 and v(α) ≠ 0, so that √d = −u(α)/v(α).
    """
    g = _vanishing_factor(factors, minpoly, low, high, c, d)
    u, v = _at_sum(g, minpoly, c, d)
    _, inverse, _ = v.xgcd(minpoly)
    return (-u * inverse) % minpoly


def _squarefree_norm(minpoly: Any, d: int) -> tuple[int, Any]:
    """Return (c, N) with N(x) = m(x − c√d)·m(x + c√d) squarefree and monic, c ≥ 1 least."""
    c = 0
    while True:
        c += 1
        rational, irrational = flint.fmpq_poly([0]), flint.fmpq_poly([0])
        taylor, power = minpoly, flint.fmpz(1)
        # m(x − c·s) = Σ m⁽ᵏ⁾(x)/k!·(−c·s)ᵏ, split by the parity of k into A + B·s
        for k in range(minpoly.degree() + 1):
            if k % 2 == 0:
                rational += taylor * power
            else:
                irrational += taylor * (power * -c)
                power *= d * c * c
            taylor = taylor.derivative() / (k + 1)
        norm = rational * rational - irrational * irrational * d
        if norm.gcd(norm.derivative()).degree() == 0:
            return c, norm


def _larger_field(minpoly: Any, low: Any, high: Any, d: int, c: int, norm: Any) -> SimpleExtension:
    """Return Q(γ) for √d ∉ Q(α), by inverting the matrix of powers of γ over αⁱ, αⁱ√d."""
    n = minpoly.degree()
    x = flint.fmpq_poly([0, 1]) % minpoly
    powers = [(flint.fmpq_poly([1]), flint.fmpq_poly([0]))]
    for _ in range(2 * n - 1):
        u, v = powers[-1]
        powers.append(((u * x + v * (c * d)) % minpoly, (v * x + u * c) % minpoly))
    columns = [[*_padded(u, n), *_padded(v, n)] for u, v in powers]
    change = flint.fmpq_mat(columns).transpose().inv()
    # for n = 1 the generator is α = 0, else the basis vector number 1; √d is number n
    generator = [change[i, 1] if n > 1 else 0 for i in range(2 * n)]
    root = [change[i, n] for i in range(2 * n)]
    ends = _isolate_sum(norm, minpoly, low, high, c, d)
    return SimpleExtension(norm, *ends, flint.fmpq_poly(generator), flint.fmpq_poly(root))


def _padded(poly: Any, length: int) -> list[Any]:
    return [poly[i] for i in range(length)]


def _at_sum(g: Any, minpoly: Any, c: int, d: int) -> tuple[Any, Any]:
    """Return (u, v) with g(α + c·s) = u(α) + v(α)·s modulo m(α) and s² = d, by Horner."""
    x = flint.fmpq_poly([0, 1]) % minpoly
    u, v = flint.fmpq_poly([0]), flint.fmpq_poly([0])
    for coefficient in reversed(g.coeffs()):
        u, v = (u * x + v * (c * d) + coefficient) % minpoly, (v * x + u * c) % minpoly
    return u, v


def _sum_ball(minpoly: Any, low: Any, high: Any, c: int, d: int, bits: int) -> Any:
    """Return a ball around α + c·√d."""
    alpha = root_ball(minpoly, low, high, bits)
    with flint.ctx.workprec(bits):
        return alpha + c * flint.arb(d).sqrt()


def _vanishing_factor(factors: list[Any], minpoly: Any, low: Any, high: Any, c: int, d: int) -> Any:
    """Return the one factor that vanishes at α + c·√d: the others are excluded by balls."""
    bits = 64
    while len(factors) > 1:
        gamma = _sum_ball(minpoly, low, high, c, d, bits)
        with flint.ctx.workprec(bits):
            factors = [g for g in factors if g(gamma).contains(0)]
        bits *= 2
    return factors[0]


def _isolate_sum(norm: Any, minpoly: Any, low: Any, high: Any, c: int, d: int) -> tuple[Any, Any]:
    """Return rational ends around γ = α + c·√d that no other real root of the norm meets."""
    bits = 64
    while True:
        gamma = _sum_ball(minpoly, low, high, c, d, bits)
        with flint.ctx.workprec(bits):
            ends = [_dyadic(gamma.lower()), _dyadic(gamma.upper())]
            real = [root.real for root, _ in norm.numer().complex_roots() if root.imag.is_zero()]
            if ends[0] < ends[1] and sum(root.overlaps(gamma) for root in real) == 1:
                return ends[0], ends[1]
        bits *= 2


def _dyadic(exact: Any) -> Any:
    mantissa, exponent = exact.man_exp()
    power = flint.fmpz(2) ** abs(exponent)
    return flint.fmpq(mantissa * power) if exponent >= 0 else flint.fmpq(mantissa, power)
