"""The library of actions: what NumPy does, what the names say, and what fits."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from identcert.errors import InputError
from identcert.exact.field import QQ
from identcert.exact.matrix import Matrix
from identcert.groups import library
from identcert.groups.action import Action
from identcert.groups.builtin import builtin_actions, find_builtin
from identcert.groups.closure import close
from identcert.groups.files import load_action
from identcert.groups.images import TRANSFORMS, image_permutation, shift_permutation
from identcert.groups.names import group_name
from identcert.groups.point_groups import plane_family
from identcert.groups.words import parse_word

NUMPY: dict[str, Any] = {
    "rot90": lambda image: np.rot90(image, axes=(-2, -1)),
    "rot180": lambda image: np.rot90(image, 2, axes=(-2, -1)),
    "fliplr": lambda image: image[..., ::-1],
    "flipud": lambda image: image[..., ::-1, :],
    "transpose": lambda image: np.swapaxes(image, -2, -1),
}
sides = st.integers(1, 5)


@given(st.sampled_from(sorted(TRANSFORMS)), st.integers(1, 3), sides, sides)
def test_image_transforms_are_those_of_numpy(kind: str, c: int, h: int, w: int) -> None:
    if TRANSFORMS[kind].needs_square:
        w = h
    image = np.arange(c * h * w).reshape(c, h, w)
    assert image_permutation((c, h, w), kind) == tuple(NUMPY[kind](image).ravel())


@given(st.integers(1, 3), sides, sides, st.integers(-6, 6), st.integers(-6, 6))
def test_shifts_are_those_of_numpy(c: int, h: int, w: int, down: int, right: int) -> None:
    image = np.arange(c * h * w).reshape(c, h, w)
    rolled = np.roll(image, (down, right), axis=(-2, -1))
    assert shift_permutation((c, h, w), down, right) == tuple(rolled.ravel())


@pytest.mark.parametrize("kind", [k for k, t in TRANSFORMS.items() if t.needs_square])
def test_transforms_that_change_the_shape_are_refused(kind: str) -> None:
    with pytest.raises(InputError, match=f"{kind} turns a 2×3 image into a 3×2 one"):
        image_permutation((1, 2, 3), kind)


@pytest.mark.parametrize("kind", TRANSFORMS)
def test_directions_turn_with_images(kind: str) -> None:
    """A horizontal and a vertical ramp are moved as the vector representation says."""
    n = 3
    x = np.array([[j - 1 for j in range(n)] for i in range(n)])
    y = np.array([[1 - i for j in range(n)] for i in range(n)])
    for a, b in ((1, 0), (0, 1), (2, 5)):
        (p, q), (r, s) = TRANSFORMS[kind].vector
        moved = NUMPY[kind](a * x + b * y)
        assert (moved == (p * a + q * b) * x + (r * a + s * b) * y).all()


# a small name of each row, the number of its inputs, and of one copy of each output choice
SMALL: dict[str, tuple[str, int, dict[str, int]]] = {
    "image-rot90": ("image-rot90:2x3x3", 18, {"permutation": 4, "vector": 2, "regular": 4}),
    "image-rot180": ("image-rot180:1x2x3", 6, {"permutation": 2, "vector": 2, "regular": 2}),
    "image-fliplr": ("image-fliplr:1x2x3", 6, {"permutation": 2, "vector": 2, "regular": 2}),
    "image-flipud": ("image-flipud:1x2x3", 6, {"permutation": 2, "vector": 2, "regular": 2}),
    "image-transpose": ("image-transpose:1x3x3", 9, {"permutation": 2, "vector": 2, "regular": 2}),
    "image-flips": ("image-flips:1x2x3", 6, {"permutation": 4, "vector": 2, "regular": 4}),
    "image-d4": ("image-d4:1x3x3", 9, {"permutation": 4, "vector": 2, "regular": 8}),
    "image-shifts": ("image-shifts:1x2x3", 6, {"regular": 6}),
    "cyclic": ("cyclic:2x4", 8, {"permutation": 4, "regular": 4}),
    "symmetric": ("symmetric:3", 3, {"permutation": 3, "regular": 6}),
    "sign-flips": ("sign-flips", 3, {"permutation": 6, "regular": 8}),
    "hyperoctahedral": ("hyperoctahedral:2x2", 4, {"permutation": 4, "regular": 8}),
    "negation": ("negation", 3, {"permutation": 2, "regular": 2}),
    "plane-cN": ("plane-c8:3", 6, {"permutation": 8, "regular": 8}),
    "plane-dN": ("plane-d6", 4, {"permutation": 6, "regular": 12}),
    "lattice-cN": ("lattice-c6", 2, {"permutation": 6, "regular": 6}),
    "lattice-dN": ("lattice-d3:2", 4, {"permutation": 3, "regular": 6}),
    "cube-rotations": ("cube-rotations:2", 6, {"permutation": 6, "regular": 24}),
    "cube": ("cube", 3, {"permutation": 6, "regular": 48}),
    "tetrahedron-rotations": ("tetrahedron-rotations", 3, {"permutation": 4, "regular": 12}),
    "tetrahedron": ("tetrahedron", 3, {"permutation": 4, "regular": 24}),
}


@pytest.mark.parametrize("row", builtin_actions(), ids=lambda row: row.example)
def test_every_row_of_the_list_works_with_all_its_outputs(row: Any) -> None:
    name, inputs, dimensions = SMALL[re.split(r"[:\[]", row.pattern)[0]]
    for output in row.outputs:
        one = dimensions.get(output, inputs if output == "same" else 1)
        for outputs in (one, 2 * one):
            action = find_builtin(f"{name}:{output}", inputs, outputs)
            assert (action.inputs, action.outputs) == (inputs, outputs)
            assert action.source is not None and action.source.sha256 is None
            assert action.relators
        if one > 1 and output != "same":
            with pytest.raises(InputError, match=f"not a multiple of {one}"):
                find_builtin(f"{name}:{output}", inputs, one + 1)


@pytest.mark.parametrize(
    ("example", "inputs", "outputs"),
    [(row.example, inputs, outputs) for row, inputs, outputs in zip(
        builtin_actions(),
        (784, 960, 3072, 64, 64, 24, 3072, 24, 4, 10, 3, 3, 7, 6, 2, 2, 4, 6, 3, 3, 3),
        (10, 1, 2, 1, 64, 3, 10, 1, 4, 5, 1, 1, 1, 1, 2, 1, 1, 1, 3, 1, 4),
        strict=True,
    )],
)  # fmt: skip
def test_the_examples_of_the_list_load(example: str, inputs: int, outputs: int) -> None:
    action = load_action(example, inputs, outputs)
    assert (action.inputs, action.outputs) == (inputs, outputs)


@pytest.mark.parametrize(
    ("action", "order"),
    [
        (library.rot90_image(2, 3, 3), 4),
        (library.fliplr_image(1, 2, 3), 2),
        (library.transpose_image(1, 3, 3), 2),
        (library.dihedral_image(1, 4, 4), 8),
        (library.shifts_image(2, 3, 4), 12),
        (library.cyclic(7), 7),
        (library.cyclic(1), 1),
        (library.symmetric(4, channels=2), 24),
        (library.symmetric(6), 720),
        (library.sign_flips(4), 16),
        (library.hyperoctahedral(1), 2),
        (library.hyperoctahedral(2), 8),
        (library.hyperoctahedral(3), 48),
        (library.negation(5), 2),
        *((library.plane_rotations(n), n) for n in (2, 3, 4, 6, 8, 12)),
        *((library.plane_dihedral(n), 2 * n) for n in (2, 3, 4, 6, 8, 12)),
        *((library.lattice_rotations(n), n) for n in (3, 6)),
        *((library.lattice_dihedral(n), 2 * n) for n in (3, 6)),
        (library.cube_rotations(), 24),
        (library.cube(), 48),
        (library.tetrahedron_rotations(), 12),
        (library.tetrahedron(), 24),
    ],
    ids=lambda value: value.label if isinstance(value, Action) else str(value),
)
def test_library_groups_have_their_orders(action: Action, order: int) -> None:
    group = close(action)
    assert group is not None and group.order == order


@pytest.mark.parametrize("n", [2, 3, 4, 6, 8, 12])
def test_true_rotations_are_orthogonal_and_the_polygon_goes_along(n: int) -> None:
    family = plane_family(n, True)
    r = family.block.images[0].matrix()
    assert (r @ r.T).is_identity() and r.det() == 1
    corner = Matrix.of([[1], [0]], r.field)
    corners = []
    for _ in range(n):
        corners.append(corner.column(0))
        corner = r @ corner
    evaluation = Matrix.of(corners, r.field)
    tau = family.output("permutation")
    for g, h in zip(family.block.images, tau.images, strict=True):
        assert evaluation @ g.matrix() == h.matrix() @ evaluation


@pytest.mark.parametrize(
    ("name", "inputs", "outputs", "message"),
    [
        ("image-d5:1x2x2", 4, 1, "neither a file nor a built-in action.*did you mean image-d4"),
        ("nonsense", 4, 1, "neither a file nor a built-in action.*identcert actions"),
        ("image-d4", 4, 1, "the shape is missing"),
        ("image-d4:2x2", 4, 1, "a shape of 2 numbers does not fit"),
        ("image-d4:1x2x3", 6, 1, "rot90 turns a 2×3 image"),
        ("image-d4:1x3x3", 4, 1, "acts on 9 inputs and the network has 4"),
        ("image-d4:1x2x2:vector", 4, 3, "3 outputs are not a multiple of 2"),
        ("image-d4:1x2x2:faces", 4, 3, "no output choice 'faces'.*vector"),
        ("cyclic:5:sign", 5, 1, "no output choice 'sign'"),
        ("cyclic:4", 6, 1, "acts on 4 inputs and the network has 6"),
        ("cyclic:1x2x3", 6, 1, "a shape of 3 numbers does not fit"),
        ("symmetric", 1, 1, "acts on at least 2 numbers"),
        ("plane-c5", 2, 1, "neither a file"),
        ("plane-c4", 3, 1, "acts on 2 inputs and the network has 3"),
        ("tetrahedron-rotations:sign", 3, 1, "no output choice 'sign'"),
        ("sign-flips", 40, 1, "built in up to 32"),
        ("missing.action.json", 4, 1, "missing.action.json: there is no such file"),
    ],
)
def test_names_that_do_not_fit_say_why(name: str, inputs: int, outputs: int, message: str) -> None:
    with pytest.raises(InputError, match=message) as refusal:
        load_action(name, inputs, outputs)
    assert "\n" not in str(refusal.value)


def test_names_and_functions_agree() -> None:
    for name, action in {
        "image-d4:1x3x3:vector": library.dihedral_image(1, 3, 3, output="vector"),
        "image-d4:1x3x3->vector": library.dihedral_image(1, 3, 3, output="vector"),
        "cyclic:2x3:same": library.cyclic(3, channels=2, output="same"),
        "symmetric:same": library.symmetric(4, output="same"),
        "negation->sign": library.negation(3, output="sign"),
        "plane-d3:2": library.plane_dihedral(3, points=2),
        "cube:permutation": library.cube(output="permutation"),
    }.items():
        named = load_action(name, action.inputs, action.outputs)
        assert named.generators == action.generators and named.relators == action.relators
        assert named.source is not None and named.source.name == name


def test_inputs_of_several_channels_carry_copies() -> None:
    action = library.rot90_image(3, 2, 2, output="sign", outputs=2)
    image = np.arange(12).reshape(3, 2, 2)
    turned = action.generators[0].input.apply(list(image.ravel()))
    assert list(turned) == list(np.rot90(image, axes=(-2, -1)).ravel())
    assert action.generators[0].output.linear.signs == (-1, -1)
    same = library.rot90_image(3, 2, 2, output="same", outputs=8)
    assert same.outputs == 8


def test_outputs_may_be_any_representation() -> None:
    turn = library.permutation_representation(
        library.cyclic(4).generators and library.families.cyclic_group(4), [1, 0]
    )
    action = library.cyclic(4, output=turn, outputs=4)
    assert action.generators[0].output.linear.permutation == (1, 0, 3, 2)
    with pytest.raises(InputError, match="different groups"):
        library.cyclic(3, output=turn)


def test_custom_actions_read_python_numbers() -> None:
    action = library.custom(
        {
            "g": {
                "input": {"matrix": np.array([[0, 1], [1, 0]])},
                "output": {"matrix": [[QQ(-1)]], "shift": [Fraction(1, 2)]},
            }
        },
        relators=["g^2"],
        label="C2",
    )
    group = close(action)
    assert group is not None and group_name(group) == "C2"
    assert action.evaluate(parse_word("g"))[1].apply((QQ(0),)) == (QQ(1) / 2,)
    symbolic = library.custom(
        {"g": {"input": {"matrix": [["0", "a"], ["1/a", "0"]]}, "output": "trivial"}},
        outputs=1,
        parameters=["a"],
    )
    assert symbolic.field.kind == "parametric"
    image = {"image": {"shape": [1, 2, 2], "transform": "rot90"}}
    assert library.custom({"r": {"input": image, "output": "trivial"}}, outputs=3).inputs == 4


@pytest.mark.parametrize(
    ("generators", "arguments", "message"),
    [
        ({"g": {"input": "trivial", "output": "trivial"}}, {}, "pass inputs=…"),
        ({"g": {"input": {"permutation": [1, 0]}, "output": "trivial"}}, {}, "pass outputs=…"),
        ({}, {"inputs": 1, "outputs": 1}, "there is no generator"),
        ([], {"inputs": 1, "outputs": 1}, "is not an object"),
        ({"g": {"input": {"matrix": [[0.5]]}, "output": "trivial"}}, {"outputs": 1}, "0.5"),
        ({"g": {"input": {"matrix": [[True]]}, "output": "trivial"}}, {"outputs": 1}, "true"),
        ({"g": 3}, {"inputs": 1, "outputs": 1}, "3 is not an object"),
    ],
)
def test_custom_actions_say_what_is_wrong(generators: Any, arguments: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        library.custom(generators, **arguments)


@pytest.mark.parametrize("n", [0, -1, 2.0, True, "3"])
def test_sizes_are_positive_integers(n: Any) -> None:
    for family in (library.cyclic, library.symmetric, library.negation, library.hyperoctahedral):
        with pytest.raises(InputError, match="at least"):
            family(n)


def test_a_file_goes_before_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("negation").write_text("not an action")
    with pytest.raises(InputError, match="not valid JSON"):
        load_action("negation", 2, 2)
