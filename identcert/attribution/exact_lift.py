"""Whether η lies in Im J, decided exactly: a solution, or a functional that excludes one.

J        == the coordinates of the sensitivities ∂f/∂θ_i in linearly independent functions
η        == the coordinates of the generator direction in the same functions
lift     == a c with Jc = η
obstruction == a y with yᵀJ = 0 and yᵀη = 1: it kills every sensitivity and not η

Exactly one of the two exists (Fredholm's alternative), and one product checks either.
Source: theory of attribution §6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from identcert.errors import InputError
from identcert.exact.matrix import Matrix

Vector = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Lift:
    """A direction c with Jc = η.

    Attributes
    ----------
    direction : the c of least norm Σ s_i c_i², for the weights s that were asked for.
    kernel : a basis of ker J; () exactly if J is injective.
    """

    direction: Vector
    kernel: tuple[Vector, ...]


@dataclass(frozen=True, slots=True)
class Obstruction:
    """A functional y with yᵀJ = 0 and yᵀη = 1.

    Attributes
    ----------
    functional : y, one number a function.
    kernel : a basis of ker J.
    """

    functional: Vector
    kernel: tuple[Vector, ...]


@dataclass(frozen=True, slots=True)
class LeastSquares:
    """The c of least norm among those that minimise ‖Jc − η‖ in an inner product.

    Attributes
    ----------
    direction : c.
    residual : Jc − η, in the functions of J.
    residual_square, target_square : ‖Jc − η‖² and ‖η‖².
    """

    direction: Vector
    residual: Vector
    residual_square: Any
    target_square: Any


def decide_lift(
    jacobian: Matrix, target: Matrix, weights: Sequence[object] | None = None
) -> Lift | Obstruction:
    """Return the lift of least norm, or the sparsest obstruction of a basis.

    Parameters
    ----------
    jacobian : J of shape (functions, parameters).
    target : η of shape (functions, 1).
    weights : s_i ≥ 0 of the norm Σ s_i c_i²; 1 if left out. The sensitivity-normalised
        gauge takes s_i = S_i².

    Examples
    --------
    >>> decide_lift(Matrix.of([[1, 2]]), Matrix.of([[5]])).direction
    (1, 2)
    >>> decide_lift(Matrix.of([[1], [0]]), Matrix.of([[1], [4]])).functional
    (0, 1/4)
    """
    kernel = jacobian.nullspace()
    solution = jacobian.solve(target)
    if solution is None:
        return Obstruction(find_obstruction(jacobian, target), kernel)
    return Lift(shortest(solution.column(0), kernel, jacobian, weights), kernel)


def find_obstruction(jacobian: Matrix, target: Matrix) -> Vector:
    """Return a y with yᵀJ = 0, yᵀη = 1, of fewest entries among a basis of the null space.

    Raises
    ------
    InputError
        If there is none: then η lies in Im J.
    """
    field, eta = jacobian.field, target.column(0)
    best: Vector | None = None
    for y in jacobian.T.nullspace():
        value = _dot(y, eta, field.zero)
        if field.is_zero(value):
            continue
        if best is None or _size(y, field) < _size(best, field):
            best = tuple(entry / value for entry in y)
    if best is None:
        raise InputError("the direction lies in the image, so that nothing obstructs it")
    return best


def shortest(
    solution: Vector,
    kernel: Sequence[Vector],
    jacobian: Matrix,
    weights: Sequence[object] | None = None,
) -> Vector:
    """Return the c in solution + ker J of least Σ s_i c_i².

    c = c₀ − N(NᵀSN)⁻¹NᵀSc₀ for a basis N of the kernel. Kernel vectors inside the
    directions of weight 0 do not change the norm; there the first solution stays.

    >>> shortest((1, 0), ((1, 1),), Matrix.of([[1, -1]]))
    (1/2, -1/2)
    """
    if not kernel:
        return solution
    field = jacobian.field
    scales = [field(1 if weights is None else weights[i]) for i in range(jacobian.cols)]
    basis = Matrix.of(kernel, field, jacobian.cols)
    weighted = basis.scale_columns(scales)
    start = Matrix.of([[x] for x in solution], field, 1)
    step = (weighted @ basis.T).solve(weighted @ start)
    if step is None:
        raise InputError("the weights of a norm are negative")
    return (start - basis.T @ step).column(0)


def least_squares(
    jacobian: Matrix, target: Matrix, gram: Matrix, weights: Sequence[object] | None = None
) -> LeastSquares:
    """Return the minimiser of (Jc − η)ᵀG(Jc − η) of least norm, by the normal equations.

    Parameters
    ----------
    gram : G of shape (functions, functions), symmetric and positive definite.

    Examples
    --------
    >>> found = least_squares(Matrix.of([[1], [1]]), Matrix.of([[1], [0]]), Matrix.identity(2))
    >>> found.direction, found.residual_square
    ((1/2,), 1/2)
    """
    normal = jacobian.T @ gram @ jacobian
    solution = normal.solve(jacobian.T @ gram @ target)
    if solution is None:
        raise InputError("the inner product is not positive definite")
    direction = shortest(solution.column(0), normal.nullspace(), jacobian, weights)
    residual = jacobian @ Matrix.of([[c] for c in direction], jacobian.field, 1) - target
    return LeastSquares(
        direction,
        residual.column(0),
        (residual.T @ gram @ residual)[0, 0],
        (target.T @ gram @ target)[0, 0],
    )


def sensitivity_squares(jacobian: Matrix, gram: Matrix) -> Vector:
    """Return S_i², the squared norms of the sensitivities in an inner product."""
    return tuple(
        _dot(row, column, jacobian.field.zero)
        for row, column in zip((jacobian.T @ gram).to_rows(), jacobian.T.to_rows(), strict=True)
    )


def signed_shares(jacobian: Matrix, target: Matrix, gram: Matrix, direction: Vector) -> Vector:
    """Return a_i = c_i(JᵀGη)_i / ‖η‖²; of a least-squares c they sum to R².

    Source: theory of attribution §2, the completeness axiom.
    """
    moved = (jacobian.T @ gram @ target).column(0)
    total = (target.T @ gram @ target)[0, 0]
    return tuple(c * m / total for c, m in zip(direction, moved, strict=True))


def _dot(left: Sequence[Any], right: Sequence[Any], zero: Any) -> Any:
    return sum((a * b for a, b in zip(left, right, strict=True)), zero)


def _size(vector: Vector, field: Any) -> int:
    return sum(not field.is_zero(x) for x in vector)
