"""The certifier on the problems that people bring: images, polynomials, symbols, roots."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from identcert import InputError, Network, UnsupportedError, actions, certify, load_action
from identcert.certify.result import Result, Verdict

Rows = list[list[Fraction]]
Permutation = tuple[int, ...]


def compose(p: Permutation, q: Permutation) -> Permutation:
    """The permutation of x ↦ p-action after q-action, for (ρx)[i] = x[p[i]]."""
    return tuple(q[i] for i in p)


def d4_elements() -> list[Permutation]:
    """D4 on a 3×3 image as permutations of the nine pixels, the identity first."""
    grid = [[3 * r + c for c in range(3)] for r in range(3)]
    turn = tuple(grid[c][2 - r] for r in range(3) for c in range(3))
    mirror = tuple(grid[r][2 - c] for r in range(3) for c in range(3))
    found, front = [tuple(range(9))], [tuple(range(9))]
    while front:
        p = front.pop()
        for g in (turn, mirror):
            q = compose(p, g)
            if q not in found:
                found.append(q)
                front.append(q)
    return found


def on_cosets(elements: list[Permutation], points: list[Any], act: Any) -> list[Permutation]:
    return [tuple(points.index(act(p, point)) for point in points) for p in elements]


def averaged(
    before: list[Permutation], after: list[Permutation], rows: int, cols: int, rng: random.Random
) -> Rows:
    """A random intertwiner of two permutation representations of the same elements."""
    total = [[Fraction(0)] * cols for _ in range(rows)]
    draw = [[Fraction(rng.randint(-9, 9), 4) for _ in range(cols)] for _ in range(rows)]
    for p, q in zip(before, after, strict=True):
        for i in range(rows):
            for j in range(cols):
                total[q[i]][p[j]] += draw[i][j]
    return total


def d4_network(seed: int) -> tuple[list[tuple[Rows, list[Fraction], str]], list[Any]]:
    """A disguised D4-equivariant 9-12-12-4 tanh network on a 3×3 image, output: corners."""
    rng = random.Random(seed)
    pixels = d4_elements()
    regular = on_cosets(pixels, pixels, lambda p, point: compose(p, point))
    # the same side of the action for pixels, corners and the regular representation
    inverse = [tuple(p.index(i) for i in range(9)) for p in pixels]
    regular = [tuple(pixels.index(compose(q, p)) for q in pixels) for p in inverse]
    corners = [0, 2, 6, 8]
    corner = [tuple(corners.index(p[c]) for c in corners) for p in pixels]
    regular = [tuple(r.index(i) for i in range(8)) for r in regular]
    hidden = [(*r, *(8 + c for c in k)) for r, k in zip(regular, corner, strict=True)]
    layers = []
    widths = [(pixels, 9), (hidden, 12), (hidden, 12), (corner, 4)]
    trivial = [(0,)] * 8
    for (before, n), (after, m) in itertools.pairwise(widths):
        weight = averaged(before, after, m, n, rng)
        bias = [row[0] for row in averaged(trivial, after, m, 1, rng)]
        layers.append((weight, bias, "tanh"))
    layers[-1] = (*layers[-1][:2], "identity")
    return disguise(layers, rng), corners


def disguise(
    layers: list[tuple[Rows, list[Fraction], str]], rng: random.Random
) -> list[tuple[Rows, list[Fraction], str]]:
    for index in range(len(layers) - 1):
        weight, bias, sigma = layers[index]
        after = layers[index + 1]
        order = list(range(len(weight)))
        rng.shuffle(order)
        signs = [rng.choice((1, -1)) for _ in order]
        layers[index] = (
            [[s * x for x in weight[i]] for s, i in zip(signs, order, strict=True)],
            [s * bias[i] for s, i in zip(signs, order, strict=True)],
            sigma,
        )
        moved = [[s * row[i] for s, i in zip(signs, order, strict=True)] for row in after[0]]
        layers[index + 1] = (moved, *after[1:])
    return layers


def d4_action(corners: list[int]) -> Any:
    def corner(p: Permutation) -> list[int]:
        return [corners.index(p[c]) for c in corners]

    grid = [[3 * r + c for c in range(3)] for r in range(3)]
    turn = tuple(grid[c][2 - r] for r in range(3) for c in range(3))
    mirror = tuple(grid[r][2 - c] for r in range(3) for c in range(3))
    generators = {
        "r": {"input": {"image": {"shape": [1, 3, 3], "transform": "rot90"}},
              "output": {"permutation": corner(turn)}},
        "s": {"input": {"image": {"shape": [1, 3, 3], "transform": "fliplr"}},
              "output": {"permutation": corner(mirror)}},
    }  # fmt: skip
    return actions.custom(generators, relators=["r^4", "s^2", "(r s)^2"], inputs=9, outputs=4)


@pytest.mark.parametrize("seed", range(4))
def test_disguised_d4_image_network(seed: int) -> None:
    layers, corners = d4_network(seed)
    result = certify(Network.dense(layers), d4_action(corners))
    assert result.verdict is Verdict.LAYERWISE
    assert (result.group.order, result.group.name) == (8, "D4")
    check_latents(result)


def check_latents(result: Result) -> None:
    """The printed latents satisfy z_i(ρ x) = α_i z_{p_i}(x) at exact rational points."""
    net = result.network
    point = [net.field(Fraction(k * k % 7 - 3, 5)) for k in range(net.inputs)]
    for generator in result.action.generators:
        moved, here = list(generator.input.apply(point)), list(point)
        layer = net.layers[0]
        for latent in (result.latents or {})[generator.name][:1]:
            z = [sum(w * x for w, x in zip(row, here, strict=True)) + b
                 for row, b in zip(layer.weight.to_rows(), layer.bias, strict=True)]  # fmt: skip
            zg = [sum(w * x for w, x in zip(row, moved, strict=True)) + b
                  for row, b in zip(layer.weight.to_rows(), layer.bias, strict=True)]  # fmt: skip
            assert zg == list(latent.apply(z))


@pytest.mark.parametrize("place", [(0, 3, 2), (1, 7, 0), (2, 1, 5)])
def test_one_weight_moved_by_a_trillionth(place: tuple[int, int, int]) -> None:
    layers, corners = d4_network(1)
    layer, row, column = place
    layers[layer][0][row][column] += Fraction(1, 10**12)
    result = certify(Network.dense(layers), d4_action(corners))
    assert result.verdict is Verdict.NOT_EQUIVARIANT
    assert result.counterexample is not None and result.counterexample.gap > 0
    assert result.diagnosis is not None and result.diagnosis.breaks[0].layer <= layer
    assert result.diagnosis.subgroup is not None
    assert result.diagnosis.subgroup.order in (1, 2)


def negation(n: int, output: Any) -> Any:
    generators = {"g": {"input": {"permutation": list(range(n)), "signs": [-1] * n},
                        "output": output}}  # fmt: skip
    return actions.custom(generators, inputs=n, outputs=1)


MINUS = {"permutation": [0], "signs": [-1]}


def test_cubic_passes_signs() -> None:
    net = Network.dense([([[1, 2], [3, -1]], [0, 0], "x^3 + x"), ([[1, 5]], [0], "identity")])
    result = certify(net, negation(2, MINUS))
    assert result.verdict is Verdict.LAYERWISE
    assert [str(a) for a in result.latents["g"][0].scale] == ["-1", "-1"]


def test_quadratic_is_fixed_by_its_own_reflection() -> None:
    """x^2 + x is unchanged under z ↦ −1 − z: the latents are trivial after the activation."""
    net = Network.dense([([[1]], [0], "x^2 + x"), ([[3]], [1], "identity")])
    generators = {"g": {"input": {"permutation": [0], "signs": [-1], "shift": [-1]},
                        "output": "trivial"}}  # fmt: skip
    action = actions.custom(generators, inputs=1, outputs=1)
    result = certify(net, action)
    assert result.verdict is Verdict.LAYERWISE
    latent = result.latents["g"][0]
    assert (str(latent.scale[0]), str(latent.shift[0])) == ("-1", "-1")


def test_shifted_power_passes_scalings_about_its_centre() -> None:
    """(x+1)^5 − 1 is homogeneous about −1, so a neuron may be scaled there."""
    net = Network.dense(
        [
            ([[1, 0], [0, 2]], [-1, -1], "(x+1)^5 - 1"),
            ([[32, 1]], [0], "identity"),
        ]
    )
    result = certify(net, actions.cyclic(2))
    assert result.verdict is Verdict.LAYERWISE
    assert sorted(str(a) for a in result.latents["r"][0].scale) == ["1/2", "2"]


def test_affine_clones_of_a_symmetric_polynomial_are_merged() -> None:
    net = Network.dense(
        [
            ([[1, 0], [-1, 0], [0, 1], [0, -1]], [0, -1, 0, -1], "(x^2 + x)^2"),
            ([[1, 2, 3, 0]], [0], "identity"),
        ]
    )
    result = certify(net, actions.cyclic(2))
    assert result.verdict is Verdict.LAYERWISE_AFTER_REDUCTION
    assert result.reduction.reduced.widths == (2, 2, 1)
    assert result.given.value is False or result.given.value is None


def test_hidden_identity_layer_is_folded() -> None:
    net = Network.dense(
        [
            ([[1, 1], [1, -1]], [0, 0], "identity"),
            ([["1/2", "1/2"], ["1/2", "-1/2"]], [1, 1], "tanh"),
            ([[2, 2]], [0], "identity"),
        ]
    )
    result = certify(net, actions.cyclic(2))
    assert result.verdict is Verdict.LAYERWISE_AFTER_REDUCTION
    assert result.reduction.reduced.widths == (2, 2, 1)
    assert [step.encode()["rule"] for step in result.reduction.steps] == ["affine"]


def test_symbolic_weights_report_the_exceptional_values() -> None:
    net = Network.dense(
        [([["a", "b"], ["b", "a"]], [0, 0], "tanh"), ([[1, 1]], [0], "identity")],
        parameters=("a", "b"),
    )
    result = certify(net, actions.cyclic(2))
    assert result.verdict is Verdict.LAYERWISE
    listed = " ".join(result.exceptional)
    assert "a - b" in listed and "a + b" in listed
    assert "a - b = 0" in result.explain()


def test_symbolic_refutation_names_parameter_values() -> None:
    net = Network.dense(
        [([["a", "b"], ["b", "a"]], [0, 0], "tanh"), ([[1, 2]], [0], "identity")],
        parameters=("a", "b"),
    )
    result = certify(net, actions.cyclic(2))
    assert result.verdict is Verdict.NOT_EQUIVARIANT
    assert {name for name, _ in result.counterexample.parameters} == {"a", "b"}


@pytest.mark.parametrize("n", [3, 6, 8, 12])
def test_true_rotations_in_the_plane(n: int) -> None:
    """x² + y² in disguise is invariant but has no latents; a tanh network is refuted."""
    square = Network.dense([([[1, 0], [0, 1]], [0, 0], "x^2"), ([[1, 1]], [0], "identity")])
    tanh = Network.dense([([[1, 0], [0, 1]], [0, 0], "tanh"), ([[1, 1]], [0], "identity")])
    action = actions.plane_rotations(n)
    result = certify(square, action)
    assert result.verdict is Verdict.END_TO_END_ONLY
    assert result.group.order == n
    assert certify(tanh, action).verdict is Verdict.NOT_EQUIVARIANT


def test_c8_orbit_of_tanh_neurons_is_layerwise() -> None:
    """Eight neurons at the 45° turns of a vector form a regular orbit over Q(√2)."""
    root = "sqrt(2)/2"
    rows: list[list[Any]] = [["1", "2"]]
    for _ in range(7):
        x, y = rows[-1]
        rows.append([f"({root})*({x}) - ({root})*({y})", f"({root})*({x}) + ({root})*({y})"])
    net = Network.dense([(rows, ["1"] * 8, "tanh"), ([["3"] * 8], [0], "identity")])
    result = certify(net, actions.plane_rotations(8))
    assert result.verdict is Verdict.LAYERWISE
    assert "regular representation" in result.explain()


@pytest.mark.parametrize("weight", [1 + Fraction(1, 2**24), Fraction(-9072, 12245)])
def test_weights_are_never_simplified(weight: Fraction) -> None:
    """A rounding tool turns 1 + 2^-24 into 1, and the verdict with it."""
    rows = [[weight, 1], [1, weight]]
    broken = [[weight, 1], [1, weight + Fraction(1, 2**60)]]
    for table, verdict in ((rows, Verdict.LAYERWISE), (broken, Verdict.NOT_EQUIVARIANT)):
        net = Network.dense([(table, [1, 1], "tanh"), ([[1, 1]], [0], "identity")])
        assert certify(net, actions.cyclic(2)).verdict is verdict
    net = Network.dense([([[weight]], [0], "tanh"), ([[1]], [0], "identity")])
    stored = net.layers[0].weight[0, 0]
    assert Fraction(int(stored.p), int(stored.q)) == weight


def test_aircraft_network_is_refuted_exactly(shared: Path) -> None:
    real = shared / "real"
    for name in ("acas_test_network.onnx", "acas_test_network.nnet"):
        result = certify(real / name, real / "acas_mirror.action.json")
        assert result.verdict is Verdict.NOT_EQUIVARIANT
        assert result.counterexample is not None and result.counterexample.is_exact


def test_clones_of_circ_1_2_3_5_are_not_claimed(shared: Path) -> None:
    """A generator has latents on the given parameter, but Z/2 does not act through K."""
    net = Network.dense(
        [
            ([[1], [1], [1], [1]], [0] * 4, "tanh"),
            ([[1, 2, 3, 5], [5, 1, 2, 3], [3, 5, 1, 2], [2, 3, 5, 1]], [0] * 4, "tanh"),
            ([[1, 0, 1, 0], [0, 1, 0, 1]], [0, 0], "identity"),
        ]
    )
    generators = {"g": {"input": "trivial", "output": {"permutation": [1, 0]}}}
    result = certify(net, actions.custom(generators, inputs=1, outputs=2))
    assert result.verdict is Verdict.LAYERWISE_AFTER_REDUCTION
    assert result.given.value is not True


def test_zero_out_neuron_with_its_own_row() -> None:
    """C4: the given parameter is not layerwise, and the forced row says so."""
    net = Network.dense([([[1, 1, 1], [1, 0, 0]], [0, 0], "tanh"), ([[1, 0]], [0], "identity")])
    result = certify(net, actions.cyclic(3))
    assert result.verdict is Verdict.LAYERWISE_AFTER_REDUCTION
    assert result.given.value is False


def test_constant_and_affine_networks() -> None:
    constant = Network.dense([([[0, 0]], [3], "tanh"), ([[2]], [1], "identity")])
    result = certify(constant, actions.cyclic(2))
    assert result.verdict is Verdict.LAYERWISE_AFTER_REDUCTION
    assert result.reduction.reduced.widths == (2, 1)
    affine = Network.dense([([[1, 1]], [1], "identity")])
    assert certify(affine, actions.cyclic(2)).verdict is Verdict.LAYERWISE
    skew = Network.dense([([[1, 2]], [1], "identity")])
    assert certify(skew, actions.cyclic(2)).verdict is Verdict.NOT_EQUIVARIANT


def test_parameter_signs_that_decide_are_refused() -> None:
    net = Network.dense(
        [([["a", "0"], ["0", "1"]], [0, 0], "relu"), ([["1/a", "1"]], [0], "identity")],
        parameters=("a",),
    )
    with pytest.raises(UnsupportedError, match="sign"):
        certify(net, actions.cyclic(2))


def test_shapes_must_fit() -> None:
    net = Network.dense([([[1, 2]], [0], "identity")])
    with pytest.raises(InputError):
        certify(net, actions.cyclic(3, outputs=1))


def test_wrong_label_is_warned_about(tmp_path: Path) -> None:
    path = tmp_path / "a.action.json"
    path.write_text(
        '{"format": "identcert.action", "version": 1, "group": "C4", "generators": '
        '{"g": {"input": {"permutation": [1, 0]}, "output": "trivial"}}}'
    )
    net = Network.dense([([[1, 1]], [0], "identity")])
    result = certify(net, load_action(path, 2, 1))
    assert any("order 4" in warning and "order 2" in warning for warning in result.warnings)
