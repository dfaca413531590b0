"""Exact inner products of functions in monomials, as rational Gram matrices.

gram == G with ⟨p, q⟩ = Σ G_kl p_k q_l for the coefficients of p and q; the mean over outputs
        is left out, as it scales every square alike

circle : the mean over the unit circle (two inputs)
box    : the mean over [−r, r]^n
normal : the mean over independent standard normal inputs
points : the mean over finitely many rational points (semidefinite if they are few)
coefficients : the plain sum of products of coefficients

Source: theory of attribution §6, "b* and non-lifting least squares need a Gram matrix".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from flint import fmpq

from identcert.attribution.exact_average import circle_moment
from identcert.attribution.system import Function
from identcert.errors import InputError
from identcert.exact.field import QQ
from identcert.exact.matrix import Matrix

Exponents = tuple[int, ...]


def circle_gram(functions: Sequence[Function]) -> Matrix:
    """Return the Gram matrix of L²(circle), for polynomials in two inputs.

    Distinct polynomials may agree on the circle; then the matrix is singular.

    >>> circle_gram([Function(0, (("x0", 2),)), Function(0, (("x1", 2),))])
    Matrix.of([[3/8, 1/8], [1/8, 3/8]])
    """
    return _gram(functions, 2, lambda e: circle_moment(*e))


def box_gram(functions: Sequence[Function], inputs: int, radius: object = 1) -> Matrix:
    """Return the Gram matrix of the mean over the box [−r, r]^n.

    >>> box_gram([Function(0, (("x0", 1),))], 1, 2)
    Matrix.of([[4/3]])
    """
    r = QQ(radius)
    return _gram(
        functions, inputs, lambda e: prod((_even(k, r**k / (k + 1)) for k in e), start=fmpq(1))
    )


def normal_gram(functions: Sequence[Function], inputs: int) -> Matrix:
    """Return the Gram matrix of the mean over independent standard normal inputs.

    >>> normal_gram([Function(0, (("x0", 2),))], 1)
    Matrix.of([[3]])
    """
    return _gram(
        functions, inputs, lambda e: prod((_even(k, _odd_factorial(k)) for k in e), start=fmpq(1))
    )


def point_gram(functions: Sequence[Function], points: Sequence[Sequence[object]]) -> Matrix:
    """Return the Gram matrix of the mean over rational points.

    >>> point_gram([Function(0, (("x0", 1),))], [[1], [2]])
    Matrix.of([[5/2]])
    """
    if not points:
        raise InputError("a mean is over at least one point", "probe")
    rational = [[QQ(x) for x in point] for point in points]
    inputs = len(points[0])

    def mean(e: Exponents) -> Any:
        values = (prod((x**k for x, k in zip(p, e, strict=True) if k), start=fmpq(1))
                  for p in rational)  # fmt: skip
        return sum(values, fmpq(0)) / len(rational)

    return _gram(functions, inputs, mean)


def coefficient_gram(functions: Sequence[Function]) -> Matrix:
    """Return the identity: coefficients as an orthonormal system."""
    return Matrix.identity(len(functions))


def _gram(functions: Sequence[Function], inputs: int, moment: Callable[[Exponents], Any]) -> Matrix:
    exponents = [_exponents(f, inputs) for f in functions]
    known: dict[Exponents, Any] = {}

    def entry(i: int, j: int) -> Any:
        if functions[i].output != functions[j].output:
            return fmpq(0)
        total = tuple(a + b for a, b in zip(exponents[i], exponents[j], strict=True))
        if total not in known:
            known[total] = moment(total)
        return known[total]

    size = len(functions)
    return Matrix.of([[entry(i, j) for j in range(size)] for i in range(size)], QQ, size)


def _exponents(function: Function, inputs: int) -> Exponents:
    powers = dict(function.monomial)
    names = [f"x{k}" for k in range(inputs)]
    if set(powers) - set(names):
        raise InputError(f"{function.text()} is no polynomial in {inputs} inputs", "inner product")
    return tuple(powers.get(name, 0) for name in names)


def _even(k: int, value: Any) -> Any:
    return fmpq(0) if k % 2 else fmpq(value)


def _odd_factorial(k: int) -> int:
    return prod(range(k - 1, 0, -2))
