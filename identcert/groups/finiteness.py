"""Exact tests that an affine map generates an infinite group.

An element of finite order in GL(n) over a subfield of R, or over Q(a, b, …), is
diagonalisable over the algebraic closure with roots of unity as eigenvalues.
Therefore its determinant is ±1, its trace t is an algebraic integer, |t| ≤ n, and
t = n only for the identity. An element of finite order in Aff(n) with identity
linear part is the identity.
"""

from __future__ import annotations

from identcert.exact.field import QQ, Element, Field, FunctionField, NumberField
from identcert.exact.matrix import Matrix
from identcert.groups.affine import AffineMap
from identcert.groups.signed import SignedPermutation


def is_of_infinite_order(g: AffineMap) -> bool:
    """Return whether some necessary condition shows that no power of g is the identity.

    True is a proof. False proves nothing: the conditions are necessary for finite
    order and not sufficient.

    Examples
    --------
    >>> is_of_infinite_order(AffineMap.from_matrix(Matrix.of([[1, 1], [0, 1]])))
    True
    >>> is_of_infinite_order(AffineMap.from_permutation([0], [-1], [5]))
    False
    """
    if isinstance(g.linear, SignedPermutation):
        return g.linear.is_identity() and not g.is_linear
    field, trace = g.field, g.trace()
    if not _is_algebraic_integer(field, trace):
        return True
    if g.det() not in (field.one, -field.one):
        return True
    # a matrix that is not a signed permutation is not the identity, so t < n is needed
    return field.sign(trace - g.dim) >= 0 or field.sign(trace + g.dim) < 0


def _is_algebraic_integer(field: Field, x: Element) -> bool:
    """Return whether x is a constant and a root of a monic polynomial with integer coefficients.

    Over Q(α) the characteristic polynomial of multiplication by x is a power of the
    minimal polynomial of x, so it is integral exactly when x is.
    """
    if isinstance(field, FunctionField):
        return bool(x.is_constant and x.constant.q == 1)
    if not isinstance(field, NumberField):
        return bool(x.q == 1)
    power, rows = field.one, []
    for _ in range(field.degree):
        rows.append((x * power).coordinates)
        power = power * field.generator
    return all(c.q == 1 for c in _characteristic_coefficients(Matrix.of(rows)))


def _characteristic_coefficients(matrix: Matrix) -> list[Element]:
    """Return the coefficients of det(tI − A) after the leading 1 (Faddeev–LeVerrier)."""
    size = matrix.rows
    identity = Matrix.identity(size)
    coefficients: list[Element] = []
    current = identity
    for k in range(1, size + 1):
        product = matrix @ current
        trace = sum((product[i, i] for i in range(size)), QQ.zero)
        coefficients.append(-trace / k)
        current = product + identity.scale(coefficients[-1])
    return coefficients
