"""Finite closures, their subgroups, names and presentations."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from identcert.errors import OutOfBudget
from identcert.exact.field import QQ, FunctionField, NumberField
from identcert.exact.matrix import Matrix
from identcert.groups import library
from identcert.groups.action import Action, Generator
from identcert.groups.affine import AffineMap
from identcert.groups.closure import FiniteClosure, close
from identcert.groups.finiteness import is_of_infinite_order
from identcert.groups.group import Group
from identcert.groups.names import group_name, known_order
from identcert.groups.presentation import find_broken_relator, presenting_relators
from identcert.groups.representation import permutation_representation
from identcert.groups.subgroup import (
    all_subgroups,
    are_conjugate,
    conjugacy_classes,
    cyclic_subgroups,
    generating_set,
    is_normal,
    is_subgroup,
    largest_subgroups,
    subgroup_generated,
    subgroups_up_to_conjugacy,
)
from identcert.groups.words import parse_word

# name: action, order, name, numbers of subgroups, of subgroups up to conjugacy, of classes
GROUPS: dict[str, tuple[Any, int, str, int, int, int]] = {
    "C2": (library.negation(3), 2, "C2", 2, 2, 2),
    "C4": (library.rot90_image(1, 3, 3), 4, "C4", 3, 3, 4),
    "V4": (library.image("flips", 1, 2, 3), 4, "V4", 5, 5, 4),
    "S3": (library.symmetric(3), 6, "S3", 6, 4, 3),
    "D4": (library.dihedral_image(1, 3, 3), 8, "D4", 10, 8, 5),
    "C8": (library.plane_rotations(8), 8, "C8", 4, 4, 8),
    "C2^3": (library.sign_flips(3), 8, "C2 × C2 × C2", 16, 16, 8),
    "C2xC4": (library.shifts_image(1, 2, 4), 8, "C2 × C4", 8, 8, 8),
    "A4": (library.tetrahedron_rotations(), 12, "A4", 10, 5, 4),
    "D6": (library.lattice_dihedral(6), 12, "D6", 16, 10, 6),
    "S4": (library.cube_rotations(), 24, "S4", 30, 11, 5),
    "Td": (library.tetrahedron(), 24, "S4", 30, 11, 5),
    "D12": (library.plane_dihedral(12), 24, "D12", 34, 16, 9),
    "Oh": (library.cube(), 48, "S4 × C2", 98, 33, 10),
}


@lru_cache
def closure_of(name: str) -> FiniteClosure:
    found = close(GROUPS[name][0])
    assert found is not None
    return found


groups = pytest.mark.parametrize("name", GROUPS)
drawn = st.sampled_from(list(GROUPS)).flatmap(
    lambda name: st.tuples(st.just(name), *(st.integers(0, GROUPS[name][1] - 1) for _ in range(3)))
)


@groups
def test_orders_names_and_numbers_of_subgroups(name: str) -> None:
    _, order, known, subgroups, up_to_conjugacy, classes = GROUPS[name]
    group = closure_of(name)
    assert group.order == order and group_name(group) == known
    assert len(all_subgroups(group)) == subgroups
    assert len(subgroups_up_to_conjugacy(group)) == up_to_conjugacy
    assert len(conjugacy_classes(group)) == classes
    assert group.is_input_faithful and group.is_output_faithful == (order == 1)


@groups
def test_elements_are_what_their_shortest_words_evaluate_to(name: str) -> None:
    action, group = GROUPS[name][0], closure_of(name)
    assert len(set(group.elements)) == group.order
    assert group.words[0] == () and group.elements[0][0].is_identity()
    for i, (word, maps) in enumerate(zip(group.words, group.elements, strict=True)):
        assert action.evaluate(word) == maps and group.find(word) == i
    lengths = [sum(abs(e) for _, e in word) for word in group.words]
    assert lengths == sorted(lengths)


@given(drawn)
def test_the_closure_is_closed_and_multiplies_as_its_maps(numbers: Any) -> None:
    name, i, j, k = numbers
    group = closure_of(name)
    product = group.product(i, j)
    assert group.elements[product][0] == group.elements[i][0] @ group.elements[j][0]
    assert group.product(product, k) == group.product(i, group.product(j, k))
    assert group.product(i, group.inverse(i)) == 0 == group.product(group.inverse(i), i)
    assert group.right_translation(j)[i] == product == group.left_translation(i)[j]


@given(drawn)
def test_lagrange(numbers: Any) -> None:
    name, i, j, _ = numbers
    group = closure_of(name)
    subgroup = subgroup_generated(group, [i, j])
    assert group.order % len(subgroup) == 0 and len(subgroup) % group.element_order(i) == 0
    assert is_subgroup(group, subgroup)
    assert subgroup_generated(group, generating_set(group, subgroup)) == subgroup


@groups
def test_classes_and_orbits_count_the_group(name: str) -> None:
    group = closure_of(name)
    classes = conjugacy_classes(group)
    assert sorted(i for c in classes for i in c) == list(range(group.order))
    assert all(group.order % len(c) == 0 for c in classes)
    assert group.is_abelian == (len(classes) == group.order)
    field = group.elements[0][0].field
    point = tuple(field(n * n + 1) for n in range(group.elements[0][0].dim))
    assert len(group.stabiliser(point)) * len(group.orbit(point)) == group.order
    assert is_subgroup(group, group.stabiliser(point))


@groups
def test_a_presentation_presents_the_group(name: str) -> None:
    """Coset enumeration by SymPy, a different method, finds the order again."""
    free_group = pytest.importorskip("sympy.combinatorics.free_groups").free_group
    fp_group = pytest.importorskip("sympy.combinatorics.fp_groups").FpGroup
    action, group = GROUPS[name][0], closure_of(name)
    for relators in (presenting_relators(group), presenting_relators(group, action.relators)):
        free, *letters = free_group(" ".join(group.generators))
        images = dict(zip(group.generators, letters, strict=True))
        words = []
        for relator in relators:
            word = free.identity
            for letter, exponent in relator:
                word = word * images[letter] ** exponent
            words.append(word)
        assert fp_group(free, words).order() == group.order


@groups
def test_the_library_states_relators_that_present(name: str) -> None:
    """The group that the library's own relators define is no larger than the one that acts."""
    free_group = pytest.importorskip("sympy.combinatorics.free_groups").free_group
    fp_group = pytest.importorskip("sympy.combinatorics.fp_groups").FpGroup
    action = GROUPS[name][0]
    free, *letters = free_group(" ".join(action.names))
    images = dict(zip(action.names, letters, strict=True))
    words = []
    for relator in action.relators:
        word = free.identity
        for letter, exponent in relator:
            word = word * images[letter] ** exponent
        words.append(word)
    assert fp_group(free, words).order() == GROUPS[name][1]


def test_a_presentation_decides_homomorphisms() -> None:
    group = closure_of("D4")
    relators = presenting_relators(group)
    flip, keep = AffineMap.from_permutation([0], [-1]), AffineMap.identity(1)
    turn = AffineMap.from_permutation([1, 2, 0])
    assert find_broken_relator(relators, {"r": flip, "s": keep}, keep) is None
    broken = find_broken_relator(relators, {"r": turn, "s": turn}, AffineMap.identity(3))
    assert broken == parse_word("r^4")


def test_the_clone_network_of_the_theory_has_no_involution() -> None:
    """Latents of a generator need not be an action: the relator of Z/2 finds it out."""
    group = close(library.custom({"g": {"input": "trivial", "output": {"permutation": [1, 0]}}},
                                 inputs=1))  # fmt: skip
    assert group is not None
    four_cycle = AffineMap.from_permutation([1, 2, 3, 0])
    images = {"g": four_cycle}
    relators = presenting_relators(group)
    assert find_broken_relator(relators, images, AffineMap.identity(4)) == parse_word("g^2")


@pytest.mark.parametrize(("n", "order"), [(4, 384), (5, 3840)])
def test_hyperoctahedral_groups_close_quickly(n: int, order: int) -> None:
    group = close(library.hyperoctahedral(n))
    assert group is not None and group.order == order
    assert {int(d) for row in group.determinants() for d in row} == {1, -1}


def test_large_images_close() -> None:
    group = close(library.dihedral_image(3, 28, 28, output="vector"))
    assert group is not None and group_name(group) == "D4" and group.is_output_faithful


def test_the_group_is_that_of_the_pairs() -> None:
    """Inputs are flipped, outputs turned by thirds: together a group of order six."""
    maps = {"g": {"input": {"permutation": [1, 0]}, "output": {"permutation": [1, 2, 0]}}}
    group = close(library.custom(maps))
    assert group is not None and group.order == 6
    assert not group.is_input_faithful and not group.is_output_faithful


def matrix_action(*rows: Any, field: Any = QQ, shift: Any = None) -> Action:
    g = AffineMap.from_matrix(Matrix.of(rows, field), shift)
    return Action(None, field, (Generator("g", g, AffineMap.identity(1, field)),))


ROOT_TWO = NumberField.quadratic([2])
PARAMETERS = FunctionField(("a",))
INFINITE = {
    "shear": matrix_action([1, 1], [0, 1]),
    "scaling": matrix_action([2]),
    "translation": matrix_action([1], shift=[1]),
    "symbolic scaling": matrix_action([PARAMETERS.named["a"]], field=PARAMETERS),
    "symbolic shear": matrix_action([1, PARAMETERS.named["a"]], [0, 1], field=PARAMETERS),
    "unit": matrix_action([1 + ROOT_TWO.radicals[2]], field=ROOT_TWO),
}


@pytest.mark.parametrize("name", INFINITE)
def test_infinite_groups_are_recognised_at_their_generator(name: str) -> None:
    action = INFINITE[name]
    assert is_of_infinite_order(action.generators[0].input)
    assert close(action, limit=10**9) is None


def test_a_turn_by_an_irrational_angle_has_infinite_order() -> None:
    """Rotation with cosine 3/5, and with cosine √2/3: not algebraic integers."""
    turn = library.custom(
        {"g": {"input": {"matrix": [["3/5", "-4/5"], ["4/5", "3/5"]]}, "output": "trivial"}},
        outputs=1,
    )
    assert close(turn, limit=10**9) is None
    entries = [["sqrt(2)/3", "-sqrt(7)/3"], ["sqrt(7)/3", "sqrt(2)/3"]]
    turn = library.custom({"g": {"input": {"matrix": entries}, "output": "trivial"}}, outputs=1)
    assert close(turn, limit=10**9) is None


def test_symbolic_conjugates_of_finite_groups_close() -> None:
    a = PARAMETERS.named["a"]
    group = close(matrix_action([0, a], [1 / a, 0], field=PARAMETERS))
    assert group is not None and group.order == 2


def test_the_limit_stops_the_search() -> None:
    assert close(library.symmetric(5), limit=119) is None
    found = close(library.symmetric(5), limit=120)
    assert found is not None and group_name(found) == "S5"


def test_largest_subgroups_inside_a_set() -> None:
    group = closure_of("D4")
    subgroups = all_subgroups(group)
    for subgroup in subgroups:
        assert largest_subgroups(group, subgroup) == (subgroup,)
    holds = frozenset(range(8)) - {group.find(parse_word("r"))}
    expected = [h for h in subgroups if h <= holds]
    maximal = {h for h in expected if not any(h < k for k in expected)}
    assert set(largest_subgroups(group, holds)) == maximal
    assert largest_subgroups(group, []) == (frozenset({0}),)


@settings(max_examples=25)
@given(st.sampled_from(["S3", "D4", "A4", "C2^3", "S4"]), st.data())
def test_largest_subgroups_agree_with_all_subgroups(name: str, data: st.DataObject) -> None:
    group = closure_of(name)
    holds = data.draw(st.sets(st.integers(0, group.order - 1)))
    inside = [h for h in all_subgroups(group) if h <= holds | {0}]
    maximal = {h for h in inside if not any(h < k for k in inside)}
    assert set(largest_subgroups(group, holds)) == maximal


def test_conjugacy_and_normality() -> None:
    group = closure_of("S3")
    swaps = [h for h in cyclic_subgroups(group) if len(h) == 2]
    assert len(swaps) == 3 and all(are_conjugate(group, swaps[0], h) for h in swaps)
    assert not is_normal(group, swaps[0])
    assert is_normal(group, subgroup_generated(group, [group.find(parse_word("c"))]))
    assert group_name(group, swaps[0]) == "C2"


def test_all_subgroups_refuse_large_groups() -> None:
    group = close(library.symmetric(5))
    assert group is not None
    with pytest.raises(OutOfBudget, match="order 120"):
        all_subgroups(group)
    assert len(cyclic_subgroups(group)) == 67


def test_a_set_closed_in_a_large_group_is_its_own_largest_subgroup() -> None:
    group = close(library.hyperoctahedral(4))
    assert group is not None
    even = [i for i, row in enumerate(group.determinants()) if row[0] == 1]
    assert largest_subgroups(group, even) == (frozenset(even),)


def test_quaternions_and_alternating_groups_have_names() -> None:
    i = [2, 3, 1, 0, 6, 7, 5, 4]
    j = [4, 5, 7, 6, 1, 0, 2, 3]
    quaternions = Group.of("Q8", "i j", "i^4", "i^2 j^-2", "i j i j^-1")
    rho = permutation_representation(quaternions, i, j)
    group = close(library.pair(rho, rho))
    assert group is not None and group_name(group) == "Q8"
    a5 = {"a": {"input": {"permutation": [1, 2, 3, 4, 0]}, "output": "trivial"},
          "b": {"input": {"permutation": [1, 2, 0, 3, 4]}, "output": "trivial"}}  # fmt: skip
    group = close(library.custom(a5, outputs=1))
    assert group is not None and group_name(group) == "A5"
    frobenius = {"a": {"input": {"permutation": [1, 2, 3, 4, 0]}, "output": "trivial"},
                 "b": {"input": {"permutation": [0, 2, 4, 1, 3]}, "output": "trivial"}}  # fmt: skip
    group = close(library.custom(frobenius, outputs=1))
    assert group is not None and group_name(group) == "group of order 20"


@pytest.mark.parametrize(
    ("label", "order"),
    [
        ("C4", 4), ("Z4", 4), ("Z_4", 4), ("Z/4", 4), ("Z/4Z", 4), ("Z/(4)", 4), ("D4", 8),
        ("D1", 2), ("S3", 6), ("S_5", 120), ("A4", 12), ("A1", 1), ("V4", 4), ("Q8", 8),
        ("B3", 48), ("O", 24), ("Oh", 48), ("T", 12), ("Td", 24), ("Ih", 120), ("C2xC2", 4),
        ("C2 × S3", 12), ("C2^3", 8), ("trivial", 1), ("C2neg", None), ("hand", None),
        ("SO(2)", None), ("", None), ("x", None), ("C0", None), ("C2^", None), ("mirror", None),
    ],
)  # fmt: skip
def test_labels_name_orders(label: str, order: int | None) -> None:
    assert known_order(label) == order
