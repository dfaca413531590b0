"""Weak identifiability: the strong square, and latent actions lifted along it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from degenerate import ACTIVATIONS
from embedded import embeddings, free_values, is_reduced, layer_pattern
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from identcert import actions
from identcert.certify.latents import LayerTables, Obstruction, find_latents
from identcert.errors import InputError
from identcert.exact.field import QQ
from identcert.exact.matrix import Matrix
from identcert.groups.action import Action, Generator, parse_word
from identcert.groups.affine import AffineMap
from identcert.groups.monomial import MonomialMap
from identcert.nets.activation import Activation
from identcert.nets.network import Network
from identcert.submodels.alpha import check_strong_square, mean_maps, plus, times
from identcert.submodels.architecture import is_signed
from identcert.submodels.maps import LayerFree, embed, even_split
from identcert.submodels.patterns import Pattern
from identcert.submodels.reduction import reduce_network
from identcert.submodels.square import strong_square
from identcert.submodels.weak import Latents, Lift, WeakChain, weak_chain


def tanh(*layers: Any) -> Network:
    """A network without biases, tanh between the given weights."""
    triples = [(weight, None, "tanh") for weight in layers[:-1]]
    return Network.dense([*triples, (layers[-1], None, "identity")])


C3 = tanh([[1], [1]], [[1, 0], [1, -1], [0, 0]])
C4 = tanh([[1, 1, 1], [1, 0, 0]], [[1, 0]])


@pytest.mark.parametrize(
    ("net", "layer", "neurons", "reason"),
    [
        (C3, 0, (0, 1), "the outgoing weights of clones 0 and 1 leave the image"),
        (C4, 0, (1,), "neuron 1 is unread and has an incoming row of its own"),
        (
            tanh([[1], [2]], [[1, 2], [1, 2]], [[1, 0], [1, -1]]),
            1,
            (0, 1),
            "the outgoing weights of clones 0 and 1 leave the image",
        ),
        (
            tanh([[1], [1]], [[1, 2], [2, 1]], [[1, 1]]),
            1,
            (0, 1),
            "neurons 0 and 1 become clones only when the layer below is reduced",
        ),
        (
            tanh([[1], [0]], [[1, 0], [0, 1]], [[1, 1]]),
            1,
            (1,),
            "neuron 1 becomes constant only when the layer below is reduced",
        ),
        (tanh([[1], [2], [2]], [[1, 3, -3]]), 0, (1,), "neuron 1 is unread and has"),
    ],
)
def test_where_the_strong_square_fails(
    net: Network, layer: int, neurons: tuple[int, ...], reason: str
) -> None:
    square = strong_square(net)
    assert not square.holds
    assert (square.layer, square.neurons) == (layer, neurons)
    assert square.reason.startswith(reason)
    assert square.sentence().startswith(f"the strong square fails in hidden layer {layer + 1}: ")


@pytest.mark.parametrize(
    "net",
    [
        tanh([[1], [2]], [[1, 1]]),  # reduced: α is the identity
        tanh([[1], [1]], [[1, 3], [2, 6]]),  # columns in the image of their sum
        tanh([[1], [-1], [1]], [[1, 3, 0]]),  # a clone that nobody reads
        tanh([[0], [1]], [[2, 2]]),  # a constant neuron
        tanh([[1], [1]], [[1, 2], [1, 2]], [[1, 1]]),
        tanh([[0], [0]], [[0, 0]]),
        Network.dense([([[1], [-1], [0]], [1, -1, 2], "sigmoid"), ([[1, 3, 7]], [5], "identity")]),
        Network.dense([([[1], [0]], [1, 2], "softplus"), ([[1, 3]], [5], "identity")]),
    ],
)
def test_where_the_strong_square_holds(net: Network) -> None:
    square = strong_square(net)
    assert square.holds and square.sentence().startswith("the strong square holds")
    assert square.maps is not None
    check_strong_square(net, square.submodel, square.maps)


@given(embeddings())
def test_even_splits_satisfy_the_strong_square(drawn: Any) -> None:
    submodel, pattern, _, _ = drawn
    wide = embed(submodel, pattern, even_split(submodel, pattern))
    check_strong_square(wide, submodel, mean_maps(submodel, pattern))
    assume(is_reduced(submodel) and all(pattern.widths))
    assert strong_square(wide).holds


@given(embeddings())
def test_the_strong_square_is_the_condition_on_rows_and_images(drawn: Any) -> None:
    """By ranks: no unread row of its own, and im W = im (W α) for every next layer."""
    submodel, pattern, free, _ = drawn
    assume(is_reduced(submodel) and all(pattern.widths))
    wide = embed(submodel, pattern, free)
    expected = True
    for number, (own, small) in enumerate(zip(pattern.layers, submodel.layers[1:], strict=True)):
        layer, given_values = wide.layers[number], free[number]
        for j in own.removed:
            rows = [own_row(layer, members[0][0]) for members in own.classes]
            if j not in given_values.columns and any(layer.weight.row(j)):
                assume(not any(is_multiple(own_row(layer, j), row) for row in rows))
                expected = False
        upper = pattern.layers[number + 1].classes if number + 1 < len(pattern.layers) else None
        leaders = range(wide.outputs) if upper is None else [members[0][0] for members in upper]
        columns = wide.layers[number + 1].weight.select_rows(list(leaders))
        both = Matrix.hstack([small.weight, columns])
        expected = expected and both.rank() == small.weight.rank()
    for own, following in zip(pattern.layers, wide.layers[1:], strict=True):
        assume(all(any(following.weight.column(j)) for j, label in enumerate(own.labels) if label))
    assert strong_square(wide).holds == expected


def own_row(layer: Any, neuron: int) -> tuple[Any, ...]:
    centre = layer.activation.centre
    return (*layer.weight.row(neuron), layer.bias[neuron] - centre)


def is_multiple(row: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return Matrix.of([row, other]).rank() < 2 if all(map(is_plain, row + other)) else False


def is_plain(entry: Any) -> bool:
    return not hasattr(entry, "terms")


def circulant(first: list[Any]) -> list[list[Any]]:
    return [first[-k:] + first[:-k] for k in range(len(first))]


def equivariant(sigma: Activation) -> Network:
    """Cyclic shifts of three inputs: two circulant hidden layers, an invariant output."""
    first, second = [1, 2, 5], [3, -1, 1]
    return Network.dense(
        [
            (circulant(first), [1, 1, 1], sigma.encode()),
            (circulant(second), [2, 2, 2], sigma.encode()),
            ([[4, 4, 4]], [7], "identity"),
        ]
    )


def chain_of(wide: Network, action: Action) -> WeakChain:
    reduction = reduce_network(wide)
    tables = LayerTables(reduction.reduced)
    latents: dict[str, Latents] = {}
    for generator in action.generators:
        found = find_latents(tables, generator)
        assert not isinstance(found, Obstruction)
        latents[generator.name] = found
    return weak_chain(reduction, action, latents)


def assert_layers_commute(net: Network, chain: tuple[Lift, ...], action: Action) -> None:
    """f_i(ρ y) = ρ f_i(y) at points of every hidden space, with exact values."""
    generator = action.generators[0]
    lifts: list[Any] = [lambda y: generator.input.apply(y)]
    lifts += [lambda y, own=own: plus(times(own.linear, y), own.shift) for own in chain]
    lifts.append(lambda y: generator.output.apply(y))
    for layer, before, after in zip(net.layers, lifts, lifts[1:], strict=False):
        for seed in range(3):
            point = [QQ((7 * seed + 3 * k + 1) % 11 - 5) for k in range(layer.inputs)]
            left, right = value(layer, before(point)), value(layer, point)
            if left is not None and right is not None:
                assert left == tuple(after(right))


def value(layer: Any, point: Any) -> tuple[Any, ...] | None:
    """σ(Wy + b), or None where it is no rational vector."""
    entries = plus(times(layer.weight, point), layer.bias)
    if not all(map(is_plain, entries)):
        return None
    values = [layer.activation.apply(z, QQ) for z in entries]
    return None if None in values else tuple(values)


@pytest.mark.parametrize("sigma", ACTIVATIONS, ids=Activation.text)
@settings(max_examples=5)
@given(data=st.data())
def test_lifted_actions_make_every_layer_equivariant(sigma: Activation, data: Any) -> None:
    submodel, action = equivariant(sigma), actions.cyclic(3)
    layers = []
    for _ in range(2):
        own = data.draw(layer_pattern(data.draw(st.integers(0, 3)), is_signed(sigma), False))
        kept = [abs(label) for label in own.labels]
        labels = [0 if label > 3 else label for label in kept]
        layers.append(Pattern.parse(text_of(labels)).layers[0])
    pattern = Pattern(tuple(layers))
    wide = embed(submodel, pattern, data.draw(free_values(submodel, pattern, True)))
    chain = chain_of(wide, action)
    assert chain.lifts is not None
    name = action.generators[0].name
    for lift in chain.lifts[name]:
        assert (lift @ lift @ lift).is_identity() and (lift @ lift.inverse()).is_identity()
    assert_layers_commute(chain.embedded, chain.lifts[name], action)
    assert (chain.given_lifts is not None) == chain.square.holds
    if chain.given_lifts is not None:
        assert_layers_commute(wide, chain.given_lifts[name], action)


def text_of(extra: list[int]) -> str:
    """Three classes, with further members and removed neurons as labels say."""
    groups: dict[int, list[int]] = {1: [0], 2: [1], 3: [2], 0: []}
    for number, label in enumerate(extra, start=3):
        groups[label].append(number)
    parts = ["{" + ",".join(map(str, groups[k])) + "}" for k in (1, 2, 3)]
    removed = groups[0]
    return "".join(parts) + (" x{" + ",".join(map(str, removed)) + "}" if removed else "")


def test_the_given_parameter_has_its_own_lifts_where_the_square_holds() -> None:
    """An uneven split in the image: α* is not the mean, and ρ is another one."""
    net = tanh([[1, 0], [0, 1], [1, 0]], [[1, 3, 2]])
    chain = chain_of(net, actions.cyclic(2))
    assert chain.lifts is not None and chain.given_lifts is not None
    name = actions.cyclic(2).generators[0].name
    assert chain.lifts[name][0].linear[0, 2] == QQ(-1) / 2
    assert chain.given_lifts[name] != chain.lifts[name]
    sentences = " ".join(chain.sentences("is identifiable"))
    assert "The submodel is identifiable." in sentences
    assert "so the same holds for the given parameter" in sentences


def test_c3_and_c4_have_a_lift_only_after_they_are_embedded_again() -> None:
    chain = chain_of(C4, actions.cyclic(3))
    assert chain.lifts is not None and chain.given_lifts is None
    assert chain.embedded.layers[0].weight == Matrix.of([[1, 1, 1], [0, 0, 0]])
    swap = Generator("s", AffineMap.identity(1), AffineMap.from_permutation([0, 2, 1]))
    chain = chain_of(C3, Action("C2", QQ, (swap,), (parse_word("s^2"),)))
    assert chain.lifts is not None and chain.given_lifts is None
    half = Fraction(1, 2)
    assert chain.embedded.layers[1].weight == Matrix.of([[half, half], [0, 0], [0, 0]])


def test_constant_functions_have_trivial_lifts() -> None:
    net = tanh([[0, 0], [1, 1]], [[1, 0]], [[5]])
    chain = chain_of(net, actions.cyclic(2))
    assert chain.submodel.widths == (2, 0, 0, 1)
    assert chain.lifts is not None
    assert all(lift.is_identity() for lift in chain.lifts[actions.cyclic(2).generators[0].name])


def test_latents_that_are_none_are_refused() -> None:
    net = tanh([[1, 0], [0, 1], [1, 0]], [[1, 3, 2]])
    keep = MonomialMap.identity(2, QQ)
    name = actions.cyclic(2).generators[0].name
    with pytest.raises(InputError, match="does not commute with the layer"):
        weak_chain(net, actions.cyclic(2), {name: (keep,)})
    with pytest.raises(InputError, match="0 latents"):
        weak_chain(tanh([[1, 1]], [[1]]), actions.cyclic(2), {name: ()})


def test_maps_that_do_not_satisfy_the_strong_square_are_refused() -> None:
    small = tanh([[1]], [[6]])
    pattern = Pattern.parse("{0,-1} x{2}")
    maps = mean_maps(small, pattern)
    wide = embed(small, pattern, even_split(small, pattern))
    check_strong_square(wide, small, maps)
    other = embed(small, pattern, [LayerFree(columns={1: [1]})])
    with pytest.raises(InputError, match="layer 2: the layer is not that of the submodel"):
        check_strong_square(other, small, maps)
