"""Intertwiner bases: exact, complete, and equal by both methods."""

from __future__ import annotations

from typing import Any

import pytest

from identcert.errors import InputError, UnsupportedError
from identcert.exact.matrix import Matrix
from identcert.groups import intertwiner, library
from identcert.groups.families import cyclic_family, symmetric_family
from identcert.groups.intertwiner import equivariant_linear_maps, intertwiner_basis
from identcert.groups.point_groups import lattice_family, plane_family
from identcert.groups.representation import copies, trivial


def span(basis: Any, shape: tuple[int, int], field: Any) -> Matrix:
    """The reduced row echelon form of the flattened matrices: equal for equal spans."""
    rows = [[x for row in m.to_rows() for x in row] for m in basis]
    return Matrix.of(rows, field, shape[0] * shape[1]).rref()[0]


ACTIONS = {
    "C4 on four": library.cyclic(4, output="same"),
    "C4 to its sign": library.cyclic(4, output="sign"),
    "S4 on four": library.symmetric(4, output="same"),
    "S4 to its sign": library.symmetric(4, output="sign"),
    "D4 image to vectors": library.dihedral_image(1, 3, 3, output="vector"),
    "D4 image to itself": library.dihedral_image(2, 2, 2, output="same"),
    "flips": library.sign_flips(3, output="same"),
    "cube to faces": library.cube(output="permutation"),
    "tetrahedron": library.tetrahedron(2, output="permutation"),
}


@pytest.mark.parametrize("name", ACTIONS)
def test_orbits_and_null_spaces_span_the_same_maps(name: str) -> None:
    action = ACTIONS[name]
    basis = equivariant_linear_maps(action)
    sources, targets = zip(*((g.input, g.output) for g in action.generators), strict=True)
    by_equations = intertwiner._null_space(sources, targets)
    shape = action.outputs, action.inputs
    assert len(basis) == len(by_equations)
    assert span(basis, shape, action.field) == span(by_equations, shape, action.field)
    for t in basis:
        for g in action.generators:
            assert t @ g.input.matrix() == g.output.matrix() @ t


@pytest.mark.parametrize(
    ("name", "dimension"),
    [
        ("C4 on four", 4),  # circulants
        ("C4 to its sign", 1),
        ("S4 on four", 2),  # identity and all ones
        ("S4 to its sign", 0),
        ("D4 image to vectors", 2),
        ("flips", 3),  # diagonal
        ("cube to faces", 1),
        ("tetrahedron", 2),
    ],
)
def test_dimensions_are_those_of_character_theory(name: str, dimension: int) -> None:
    assert len(equivariant_linear_maps(ACTIONS[name])) == dimension


@pytest.mark.parametrize(
    ("family", "dimension"),
    [
        (plane_family(3, False), 2),  # a + b·turn
        (plane_family(8, False), 2),
        (plane_family(3, True), 1),  # irreducible over the reals
        (lattice_family(6, False), 2),
        (lattice_family(6, True), 1),
    ],
)
def test_endomorphisms_over_number_fields(family: Any, dimension: int) -> None:
    rho = copies(family.block, 2)
    basis = intertwiner_basis(rho, family.block)
    assert len(basis) == 2 * dimension
    for t in basis:
        for g, h in zip(rho.images, family.block.images, strict=True):
            assert t.shape == (2, 4) and t @ g.matrix() == h.matrix() @ t


def test_lattice_and_true_rotations_are_isomorphic() -> None:
    true = plane_family(3, True).block
    lattice = lattice_family(3, True).block.over(true.field, true.field)
    (t,) = intertwiner_basis(lattice, true)
    assert t.rank() == 2


def test_invariants_are_maps_to_the_trivial_representation() -> None:
    rho = symmetric_family(5).block
    (invariant,) = intertwiner_basis(rho, trivial(rho.group))
    assert invariant.to_rows() == ((1,) * 5,)


def test_refuses_other_groups_and_shifts() -> None:
    with pytest.raises(InputError, match="one group over one field"):
        intertwiner_basis(cyclic_family(3).block, cyclic_family(4).block)
    moved = library.custom(
        {"s": {"input": {"permutation": [0], "signs": [-1], "shift": [1]}, "output": "trivial"}},
        outputs=1,
    )
    with pytest.raises(UnsupportedError, match="without shifts"):
        equivariant_linear_maps(moved)
