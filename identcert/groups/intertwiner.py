"""Intertwiners: the linear maps that commute with a group.

Hom_G(V, W) == {T : T ρ(g) = τ(g) T for every g}, decided on generators
orbit       == a class of matrix entries that the equation makes equal up to sign
"""

from __future__ import annotations

from collections.abc import Sequence

from identcert.errors import InputError, UnsupportedError
from identcert.exact.matrix import Matrix
from identcert.groups.action import Action
from identcert.groups.affine import AffineMap
from identcert.groups.representation import Representation
from identcert.groups.signed import SignedPermutation

Signed = tuple[SignedPermutation, SignedPermutation]


def intertwiner_basis(rho: Representation, tau: Representation) -> tuple[Matrix, ...]:
    """Basis of Hom_G(V, W): the T with T ρ(s) = τ(s) T for every generator s.

    Returns
    -------
    Matrices of shape (dim W, dim V); () if only T = 0 intertwines.

    Raises
    ------
    InputError
        If ρ and τ represent different groups or have different fields.
    UnsupportedError
        If a map has a shift.

    Notes
    -----
    With row-major vec, vec(τT − Tρ) = (τ ⊗ I − I ⊗ ρᵀ) vec T. The basis is a null space
    over the field, so its size is exact: there is no tolerance to choose. Between
    signed permutations it is read off orbits of matrix entries instead, which takes
    time linear in dim V · dim W.

    Examples
    --------
    >>> from identcert.groups.families import symmetric_family
    >>> rho = symmetric_family(3).block
    >>> intertwiner_basis(rho, rho)
    (Matrix.of([[1, 0, 0], [0, 1, 0], [0, 0, 1]]), Matrix.of([[0, 1, 1], [1, 0, 1], [1, 1, 0]]))
    """
    if rho.group != tau.group or rho.field != tau.field:
        raise InputError("intertwiners go between representations of one group over one field")
    return _basis(rho.images, tau.images)


def equivariant_linear_maps(action: Action) -> tuple[Matrix, ...]:
    """Basis of the linear maps T with T ρ_in(g) = ρ_out(g) T for every generator g.

    Shapes: (outputs, inputs).
    """
    return _basis(
        tuple(g.input for g in action.generators), tuple(g.output for g in action.generators)
    )


def _basis(sources: Sequence[AffineMap], targets: Sequence[AffineMap]) -> tuple[Matrix, ...]:
    """Return a basis of the T with Tρ = τT for all pairs of linear maps."""
    if not all(g.is_linear for g in (*sources, *targets)):
        raise UnsupportedError("intertwiners are computed for linear actions, without shifts")
    pairs: list[Signed] = []
    for a, b in zip(sources, targets, strict=True):
        if isinstance(a.linear, SignedPermutation) and isinstance(b.linear, SignedPermutation):
            pairs.append((a.linear, b.linear))
    if len(pairs) < len(sources):
        return _null_space(sources, targets)
    return _signed_orbits(sources[0], targets[0], pairs)


def _null_space(sources: Sequence[AffineMap], targets: Sequence[AffineMap]) -> tuple[Matrix, ...]:
    """Return the basis as the null space of the linear equations in vec T."""
    m, n, field = targets[0].dim, sources[0].dim, sources[0].field
    left, right = Matrix.identity(m, field), Matrix.identity(n, field)
    constraint = Matrix.vstack(
        b.matrix().kron(right) - left.kron(a.matrix().T)
        for a, b in zip(sources, targets, strict=True)
    )
    return tuple(
        Matrix.of((v[i * n : (i + 1) * n] for i in range(m)), field, n)
        for v in constraint.nullspace()
    )


def _signed_orbits(source: AffineMap, target: AffineMap, pairs: list[Signed]) -> tuple[Matrix, ...]:
    """Return one matrix for each orbit of entries on which signs agree.

    T ρ = τ T says t[q_i, p_k] = s_k·t_i·T[i, k] for ρ = (p, s) and τ = (q, t): each
    generator permutes the places (i, k) up to sign. An orbit that returns to a place
    with sign −1 forces its entries to be 0.
    """
    m, n, field = target.dim, source.dim, source.field
    done: set[tuple[int, int]] = set()
    basis = []
    for start in ((i, k) for i in range(m) for k in range(n)):
        if start in done:
            continue
        signs, is_consistent = {start: 1}, True
        queue = [start]
        for i, k in queue:
            for rho, tau in pairs:
                place = tau.permutation[i], rho.permutation[k]
                sign = signs[i, k] * tau.signs[i] * rho.signs[k]
                if place not in signs:
                    signs[place] = sign
                    queue.append(place)
                is_consistent = is_consistent and signs[place] == sign
        done.update(signs)
        if is_consistent:
            rows = [[signs.get((i, k), 0) for k in range(n)] for i in range(m)]
            basis.append(Matrix.of(rows, field, n))
    return tuple(basis)
