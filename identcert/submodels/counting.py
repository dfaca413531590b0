"""Closed formulas for patterns, their orbits, and the components of fibres.

Per layer of m neurons two numbers decide everything but m: g, the number of signs of a
clone (2 signed, 1 unsigned), and d, the number of kinds of removed neurons (2 where unread
and constant ones are told apart, 1 otherwise).

W(m, k)   == the number of patterns of width k: Stirling numbers S(m+1, k+1) for g = d = 1,
             Whitney numbers of the Dowling lattice for g = 2, d = 1
cover     == one merge (g for every two classes) or one removal (d for every class)
G(r, m)   == r!·S(m, r), the number of maps of m neurons onto r
T(r, m)   == the number of components of the width-m parameters of an irreducible function
             of width r
Polynomials are tuples of coefficients, ascending.

Source: theory of counting degenerate configurations (§9); W satisfies
W(m+1, k) = W(m, k−1) + (d + gk)·W(m, k), since one more neuron is removed, joins a class,
or is a class of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import accumulate
from math import comb, factorial

from identcert.errors import InputError

Polynomial = tuple[int, ...]
MAX_NEURONS, MAX_TYPED = 1_000, 300


def pattern_numbers(neurons: int, signed: bool, dead_kinds: bool = False) -> Polynomial:
    """Return W(m, 0), …, W(m, m): the numbers of patterns by their widths.

    Examples
    --------
    >>> pattern_numbers(3, signed=False), sum(pattern_numbers(7, signed=True))
    ((1, 7, 6, 1), 28640)
    """
    check_size(neurons)
    signs, kinds = 1 + signed, 1 + dead_kinds
    row = [1]
    for _ in range(neurons):
        stay = [(kinds + signs * k) * count for k, count in enumerate(row)]
        row = [a + b for a, b in zip([*stay, 0], [0, *row], strict=True)]
    return tuple(row)


def stirling(n: int, k: int) -> int:
    """Return S(n, k), the number of partitions of n things into k blocks."""
    if n == 0 or k == 0:
        return int(n == k)
    numbers = pattern_numbers(n - 1, signed=False)
    return numbers[k - 1] if k <= n else 0


def bell(n: int) -> int:
    """Return the number of partitions of n things.

    >>> [bell(n) for n in range(7)]
    [1, 1, 2, 5, 15, 52, 203]
    """
    return 1 if n == 0 else sum(pattern_numbers(n - 1, signed=False))


def dowling(n: int) -> int:
    """Return the number of signed patterns of n neurons.

    >>> [dowling(n) for n in range(6)]
    [1, 2, 6, 24, 116, 648]
    """
    return sum(pattern_numbers(n, signed=True))


def cover_number(neurons: int, signed: bool, dead_kinds: bool = False) -> int:
    """Return the number of covers: Σ_k W(m, k)·(g·C(k, 2) + d·k).

    >>> cover_number(7, signed=True), cover_number(8, signed=False)
    (252456, 175896)
    """
    numbers = pattern_numbers(neurons, signed, dead_kinds)
    signs, kinds = 1 + signed, 1 + dead_kinds
    return sum(w * (signs * comb(k, 2) + kinds * k) for k, w in enumerate(numbers))


def characteristic_polynomial(neurons: int, signed: bool, dead_kinds: bool = False) -> Polynomial:
    """Return Σ μ(0, x)·t^width(x) over all patterns x, as a polynomial in t.

    That is (t−1)(t−2)…(t−m) unsigned and (t−1)(t−3)…(t−2m+1) signed; with dead kinds every
    root grows by 1.

    >>> characteristic_polynomial(2, signed=True)
    (3, -4, 1)
    """
    check_size(neurons)
    roots = (1 + dead_kinds + (1 + signed) * j for j in range(neurons))
    return reduce(multiply, ((-root, 1) for root in roots), (1,))


def moebius(sizes: Iterable[int], zeros: Iterable[int], signed: bool) -> int:
    """Return μ(0, x) of a pattern: a product over its classes and its removed neurons.

    Parameters
    ----------
    sizes : the sizes of the classes: (−1)^(s−1)·(s−1)! each, since the signs of a class
        decide those of its parts.
    zeros : the numbers of removed neurons of every kind: (−1)^z·z! or (−1)^z·(2z−1)!!.

    >>> moebius([], [4], signed=True), moebius([3, 1], [0], signed=False)
    (105, 2)
    """
    value = 1
    for size in sizes:
        value *= (-1) ** (size - 1) * factorial(size - 1)
    for z in zeros:
        value *= reduce(lambda x, j: -x * (j + j * signed - signed), range(1, z + 1), 1)
    return value


def orbit_number(neurons: int, signed_types: bool = False, dead_kinds: bool = False) -> int:
    """Return the number of orbits of patterns under relabelling.

    Parameters
    ----------
    signed_types : whether signs are kept apart: orbits of signed patterns under S_m, where
        a class of s clones has ⌊s/2⌋ + 1 types. Otherwise orbits under the latent group.

    >>> [orbit_number(8), orbit_number(8, signed_types=True)]
    [67, 233]
    """
    series = _orbit_series(neurons, signed_types, dead_kinds)
    return series[neurons]


def orbit_cover_number(neurons: int, signed_types: bool = False, dead_kinds: bool = False) -> int:
    """Return the number of covers of the poset of orbits.

    Notes
    -----
    A cover of an orbit is a removable type of class, or two types that merge; two classes
    that both have clones of both signs merge in two ways. With A(x) = Σ x^size over all
    types and B(x) over those whose two signs differ in number, that is the series
    d·A + (A(x)² + A(x²))/2 + (B(x)² + B(x²))/2 times the one that counts orbits; without
    signed types the last term is left out.

    >>> [orbit_cover_number(8), orbit_cover_number(8, signed_types=True)]
    [229, 1218]
    """
    m = neurons
    types = [0] + [s // 2 + 1 if signed_types else 1 for s in range(1, m + 1)]
    moves = [(1 + dead_kinds) * a + b for a, b in zip(types, _pairs(types), strict=True)]
    if signed_types:
        uneven = [0] + [(s + 1) // 2 for s in range(1, m + 1)]
        moves = [a + b for a, b in zip(moves, _pairs(uneven), strict=True)]
    series = _orbit_series(m, signed_types, dead_kinds)
    return sum(moves[n] * series[m - n] for n in range(m + 1))


def orbit_numbers(
    neurons: int, signed_types: bool = False, dead_kinds: bool = False
) -> Polynomial:  # fmt: skip
    """Return the numbers of orbits by width, 0 to m.

    >>> orbit_numbers(3), orbit_numbers(3, signed_types=True)
    ((1, 3, 2, 1), (1, 5, 3, 1))
    """
    m = neurons
    check_size(m, MAX_TYPED if signed_types else MAX_NEURONS)
    # table[n][k]: multisets of k classes with n members in all; large classes come first,
    # so that k stays small
    table = [[int(n == k == 0) for k in range(m + 1)] for n in range(m + 1)]
    for size in range(m, 0, -1):
        for _ in range(size // 2 + 1 if signed_types else 1):
            for n in range(size, m + 1):
                smaller, row = table[n - size], table[n]
                for k in range(1, n // size + 1):
                    row[k] += smaller[k - 1]
    weights = [m - n + 1 if dead_kinds else 1 for n in range(m + 1)]
    return tuple(
        sum(weight * row[k] for weight, row in zip(weights, table, strict=True))
        for k in range(m + 1)
    )


def _orbit_series(neurons: int, signed_types: bool, dead_kinds: bool) -> list[int]:
    """Return (1−x)^−d Π_s (1−x^s)^−c_s up to x^m, with c_s types of classes of size s."""
    check_size(neurons)
    powers = [0] * (neurons + 1)
    for size in range(1, neurons + 1):
        types = size // 2 + 1 if signed_types else 1
        for multiple in range(size, neurons + 1, size):
            powers[multiple] += size * types
    series = [1]
    for n in range(1, neurons + 1):
        series.append(sum(powers[k] * series[n - k] for k in range(1, n + 1)) // n)
    for _ in range(1 + dead_kinds):
        series = list(accumulate(series))
    return series


def _pairs(series: Sequence[int]) -> list[int]:
    """Return (A(x)² + A(x²))/2 up to the length of A: unordered pairs of types by size."""
    square = multiply(tuple(series), tuple(series))
    return [(square[n] + (series[n // 2] if n % 2 == 0 else 0)) // 2 for n in range(len(series))]


def onto_number(r: int, m: int) -> int:
    """Return G(r, m) = r!·S(m, r): maps of m neurons onto r, and critical subspaces.

    >>> onto_number(3, 5)
    150
    """
    return factorial(r) * stirling(m, r)


def fibre_number(r: int, m: int, signed: bool, constants: bool) -> int:
    """Return T(r, m), the number of components of a fibre.

    Parameters
    ----------
    signed : whether the activation has the sign symmetry.
    constants : whether neurons with w = 0 have free outgoing weights: σ(0) = 0 without
        biases, or an output bias that takes up what they add.

    Notes
    -----
    Σ_u C(m, u)·g^(m−u)·G(r, m−u)·R(u), where R(u) counts how the u neurons that carry no
    target form blocks, one of which may be the constants: B(u) or B(u+1) unsigned; signed
    it is the Dowling number of u with constants.

    >>> fibre_number(2, 4, signed=False, constants=False)
    62
    >>> fibre_number(1, 5, signed=True, constants=True)
    2792
    """
    signs = 1 + signed
    total = 0
    for u in range(m - r + 1):
        free = _block_number(u, signed, constants)
        total += comb(m, u) * signs ** (m - u) * onto_number(r, m - u) * free
    return total


def _block_number(u: int, signed: bool, constants: bool) -> int:
    """Return the number of (signed) partitions of u neurons, one block perhaps constant."""
    if signed:
        counted = sum(2 ** (u - k) * stirling(u, k) for k in range(u + 1))
        return dowling(u) if constants else counted
    return bell(u + 1) if constants else bell(u)


def check_size(neurons: int, limit: int = MAX_NEURONS) -> None:
    """Refuse numbers of neurons whose counts would take long.

    Raises
    ------
    InputError
        If there are more than the limit.
    """
    if neurons > limit:
        raise InputError(
            f"{neurons} hidden neurons are too many to count",
            fix=f"give at most {limit} in all",
        )


def multiply(p: Polynomial, q: Polynomial) -> Polynomial:
    """Return the product of two polynomials.

    >>> multiply((-1, 1), (-2, 1))
    (2, -3, 1)
    """
    total = [0] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            total[i + j] += a * b
    return tuple(total)
