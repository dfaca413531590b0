"""Words, actions and representations: homomorphisms by construction, checked on relators."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from identcert.errors import InputError, NotAHomomorphism
from identcert.exact.field import QQ, NumberField
from identcert.exact.matrix import Matrix
from identcert.groups.action import Action, ActionSource, Generator, InfinitesimalGenerator
from identcert.groups.affine import AffineMap
from identcert.groups.group import Group, cyclic_group
from identcert.groups.library import cube, dihedral_image, plane_dihedral
from identcert.groups.representation import (
    Representation,
    character,
    copies,
    determinant,
    direct_sum,
    dual,
    pair,
    permutation_of_points,
    permutation_representation,
    regular,
    tensor,
    trivial,
)
from identcert.groups.words import (
    inverse_word,
    parse_word,
    reduced_word,
    word_length,
    word_text,
)

D4 = dihedral_image(1, 2, 2, output="vector")
letters = st.tuples(st.sampled_from(["r", "s"]), st.integers(-3, 3))
words = st.lists(letters, max_size=6).map(tuple)


@given(words, words)
def test_evaluation_is_a_homomorphism(v: Any, w: Any) -> None:
    for side in (0, 1):
        assert D4.evaluate(v + w)[side] == D4.evaluate(v)[side] @ D4.evaluate(w)[side]
        assert D4.evaluate(inverse_word(v))[side] == D4.evaluate(v)[side].inverse()
        assert D4.evaluate(reduced_word(v))[side] == D4.evaluate(v)[side]


@given(words)
def test_words_read_back_as_they_are_spelled(w: Any) -> None:
    if w:
        assert parse_word(word_text(w)) == w
    assert word_length(reduced_word(w)) <= word_length(w)
    assert reduced_word(w + inverse_word(w)) == ()


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("r^4", (("r", 4),)),
        ("r s^-1 r", (("r", 1), ("s", -1), ("r", 1))),
        ("(r s)^2", (("r", 1), ("s", 1)) * 2),
        ("(r s)^-1", (("s", -1), ("r", -1))),
        ("(r^2)^3", (("r", 6),)),
        ("((a))b_1", (("a", 1), ("b_1", 1))),
        ("r^0", (("r", 0),)),
        ("(r s)^0", ()),
        ("a(b c)d", (("a", 1), ("b", 1), ("c", 1), ("d", 1))),
    ],
)
def test_the_grammar_of_words(text: str, word: Any) -> None:
    assert parse_word(text) == word


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the word is empty"),
        ("  ", "the word is empty"),
        ("r*s", "'\\*' has no place"),
        ("r^", "'\\^' has no place"),
        ("r^2.5", "'\\.' has no place"),
        ("^2", "a power without a base"),
        ("r^2^2", "a power without a base"),
        ("(r s", "unmatched '\\('"),
        ("r s)", "unmatched '\\)'"),
        ("()", "nothing between the parentheses"),
        ("r^1000000", "an exponent above 100,000"),
        ("r^" + "9" * 6000, "an exponent above 100,000"),
        ("((r s)^5000)^5000", "more than 10,000 letters"),
        ("(" * 60 + "r" + ")" * 60, "too deeply"),
        ("é", "'é' has no place"),
    ],
)
def test_refuses_what_is_no_word(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_word(text, "relators[0]")


def generator(name: str, permutation: list[int], sign: int = 1) -> Generator:
    output = AffineMap.from_permutation([0], [sign])
    return Generator(name, AffineMap.from_permutation(permutation), output)


def test_a_failing_relator_names_itself_and_the_side() -> None:
    with pytest.raises(NotAHomomorphism, match=r"r\^2 is not the identity on the inputs"):
        Action(None, QQ, (generator("r", [1, 2, 0]),), (parse_word("r^2"),))
    with pytest.raises(NotAHomomorphism, match=r"r\^3 is not the identity on the outputs"):
        Action(None, QQ, (generator("r", [1, 2, 0], -1),), (parse_word("r^3"),))


@pytest.mark.parametrize(
    ("generators", "relators", "message"),
    [
        ((), (), "generators or infinitesimal"),
        ((generator("r", [0]), generator("r", [0])), (), "two generators are called r"),
        ((generator("1r", [0]),), (), "'1r' is not a name"),
        ((generator("r", [0]), generator("s", [0, 1])), (), "it maps 2 inputs"),
        ((generator("r", [0]),), (parse_word("q"),), "there is no generator q"),
    ],
)
def test_refuses_ill_formed_actions(generators: Any, relators: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Action("C", QQ, generators, relators, source=ActionSource("name"))


def test_an_action_is_over_one_field() -> None:
    field = NumberField.quadratic([2])
    with pytest.raises(InputError, match="another field"):
        Action(None, field, (generator("r", [0]),))
    larger = D4.over(field, field)
    assert larger.field == field and larger.generator("r").input.field == field
    assert larger.evaluate(parse_word("r s"))[1].linear == D4.evaluate(parse_word("r s"))[1].linear
    with pytest.raises(InputError, match="there is no generator q"):
        D4.evaluate(parse_word("q"))


def test_infinitesimal_generators_fit_their_spaces() -> None:
    turn = Matrix.of([[0, -1], [1, 0]])
    xi = InfinitesimalGenerator("xi", turn, Matrix.zeros(1, 1), (QQ(0),) * 2, (QQ(0),))
    action = Action("SO(2)", QQ, (), infinitesimal=(xi,))
    assert (action.inputs, action.outputs, action.names) == (2, 1, ("xi",))
    with pytest.raises(InputError, match="have no relators"):
        Action(None, QQ, (), (parse_word("xi"),), infinitesimal=(xi,))
    with pytest.raises(InputError, match="not a linear vector field"):
        InfinitesimalGenerator("xi", turn, Matrix.zeros(1, 1), (QQ(0),), (QQ(0),))


def test_a_representation_keeps_its_relators() -> None:
    group = cyclic_group(4)
    with pytest.raises(NotAHomomorphism, match=r"r\^4"):
        permutation_representation(group, [1, 2, 0])
    with pytest.raises(InputError, match="one map a generator"):
        permutation_representation(group, [0], [0])
    with pytest.raises(InputError, match="unknown generator"):
        Group.of("G", "a", "b^2")


def vector() -> Representation:
    images = tuple(g.output for g in D4.generators)
    return Representation(Group("D4", D4.names, D4.relators), images)


def test_sums_copies_duals_and_tensors_are_representations() -> None:
    rho = vector()
    sign = determinant(rho)
    both = direct_sum(rho, sign, trivial(rho.group, 2))
    assert both.dim == 5 and (rho + sign).dim == 3
    assert copies(sign, 3).images[1].linear.signs == (-1, -1, -1)
    assert dual(rho) == rho  # an orthogonal representation is its own dual
    square = tensor(rho, rho)
    assert square.dim == 4
    for g, h in zip(square.images, rho.images, strict=True):
        assert g.matrix() == h.matrix().kron(h.matrix())
    action = pair(both, square)
    assert (action.inputs, action.outputs, action.label) == (5, 4, "D4")


def test_sums_and_duals_of_matrices_that_are_not_orthogonal() -> None:
    shear = Group.of("Z", "t")
    rho = Representation(shear, (AffineMap.from_matrix(Matrix.of([[1, 1], [0, 1]])),))
    assert dual(rho).images[0].matrix() == Matrix.of([[1, 0], [-1, 1]])
    total = direct_sum(rho, character(shear, [-1])).images[0].matrix()
    assert total == Matrix.of([[1, 1, 0], [0, 1, 0], [0, 0, -1]])
    assert tensor(rho, rho).images[0].matrix() == rho.images[0].matrix().kron(
        rho.images[0].matrix()
    )


def test_the_regular_representation_has_the_order_as_dimension_and_fixes_nothing() -> None:
    rho = regular(vector())
    assert rho.dim == 8
    for word in ("r", "s", "r s", "r^2"):
        linear = rho(parse_word(word)).linear
        assert all(p != i for i, p in enumerate(linear.permutation))


def test_points_are_permuted_as_the_group_moves_them() -> None:
    rho = vector()
    corners = [(1, 1), (-1, 1), (-1, -1), (1, -1)]
    tau = permutation_of_points(rho, corners)
    evaluation = Matrix.of(corners)  # x ↦ ⟨x, v_k⟩
    for g, h in zip(rho.images, tau.images, strict=True):
        assert evaluation @ g.matrix() == h.matrix() @ evaluation
    with pytest.raises(InputError, match="out of the set"):
        permutation_of_points(rho, [(1, 0)])


def test_different_groups_or_fields_do_not_pair() -> None:
    rho = vector()
    with pytest.raises(InputError, match="different groups"):
        pair(rho, trivial(cyclic_group(4)))
    with pytest.raises(InputError, match="one group"):
        direct_sum(rho, trivial(cyclic_group(4)))
    assert cube().field == QQ and plane_dihedral(3).field.kind == "algebraic"
