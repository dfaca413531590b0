"""Determinant certificates: networks differ at one of N + 1 points, for any σ and depth."""

from __future__ import annotations

import random
import time
from fractions import Fraction
from typing import Any

import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from identcert import Network, actions
from identcert.certify.determinant import (
    Certificate,
    NoCertificate,
    by_determinant,
    determinant_certificate,
    separating_gap,
)
from identcert.certify.difference import difference_features, difference_network
from identcert.certify.latents import LayerTables
from identcert.certify.methods import METHODS
from identcert.certify.result import Verdict
from identcert.certify.state import Search
from identcert.errors import InputError
from identcert.submodels.reduction import reduce_network

FOREVER = float("inf")
SIGMAS = (
    "tanh", "sigmoid", "relu", {"leaky_relu": "1/3"}, "abs", "hard_tanh", "softplus", "gelu",
    "silu", "elu", "arctan", "erf", "sin", "x^2", "x^3", "x^2 + x",
)  # fmt: skip


def dense(*layers: Any, **more: Any) -> Network:
    return Network.dense(list(layers), **more)


def shallow(sigma: Any, rows: Any, bias: Any, out: Any, last: Any = None) -> Network:
    return dense((rows, bias, sigma), (out, last, "identity"))


def deep(sigma: Any, entry: int = 3) -> Network:
    return dense(
        ([[1, 2], [2, -1]], [0, 1], sigma), ([[1, -1], [1, entry]], [1, 0], sigma),
        ([[1, 2]], [1], "identity"),
    )  # fmt: skip


def values(network: Network, point: list[Fraction]) -> list[arb]:
    return list(network.ball_evaluate(point, 300))


@pytest.mark.parametrize("sigma", SIGMAS, ids=str)
def test_the_difference_is_the_difference(sigma: Any) -> None:
    left, right = deep(sigma), deep(sigma, 4)
    both = difference_network(left, right)
    stream = random.Random(0)
    for _ in range(5):
        point = [Fraction(stream.randrange(-16, 17), 8) for _ in range(2)]
        ours, theirs, gap = (values(net, point)[0] for net in (left, right, both))
        assert gap.overlaps(ours - theirs)


@pytest.mark.parametrize("sigma", SIGMAS, ids=str)
def test_different_networks_are_separated_at_one_of_the_points(sigma: Any) -> None:
    left, right = deep(sigma), deep(sigma, 4)
    found = determinant_certificate(left, right)
    assert isinstance(found, Certificate), found
    features = difference_features(left, right)
    assert len(found.points) == features.count + 1
    gap = separating_gap(left, right, found.points, FOREVER)
    assert gap is not None and gap.gap > 0 and gap.point in found.points
    ours, theirs = (values(net, list(gap.point))[gap.component] for net in (left, right))
    assert abs(ours - theirs) > arb(gap.gap.numerator) / gap.gap.denominator / 2


@pytest.mark.parametrize("sigma", ["x^2", "x^3 + x", "relu", "abs", "hard_tanh"])
def test_exact_where_values_are(sigma: str) -> None:
    found = determinant_certificate(deep(sigma), deep(sigma, 4))
    assert isinstance(found, Certificate) and found.method == "exact"


@pytest.mark.parametrize("sigma", ["tanh", "gelu", "sin"])
def test_by_balls_elsewhere(sigma: str) -> None:
    found = determinant_certificate(deep(sigma), deep(sigma, 4))
    assert isinstance(found, Certificate) and "balls" in found.method


@pytest.mark.parametrize("sigma", SIGMAS, ids=str)
def test_permuted_networks_are_equal(sigma: Any) -> None:
    left = deep(sigma)
    right = dense(
        ([[2, -1], [1, 2]], [1, 0], sigma), ([[3, 1], [-1, 1]], [0, 1], sigma),
        ([[2, 1]], [1], "identity"),
    )  # fmt: skip
    found = determinant_certificate(left, right)
    assert isinstance(found, NoCertificate) and found.is_equal


@pytest.mark.parametrize(
    "sigma", ["relu", "softplus", "gelu", "silu", {"leaky_relu": "1/10"}], ids=str
)
def test_reversed_tents_are_equal(sigma: Any) -> None:
    tent = shallow(sigma, [[1], [1], [1]], [1, 0, -1], [[1, -2, 1]])
    back = shallow(sigma, [[-1], [-1], [-1]], [1, 0, -1], [[1, -2, 1]])
    found = determinant_certificate(tent, back)
    assert isinstance(found, NoCertificate) and found.is_equal


def test_remainders_become_linear_features() -> None:
    # 5|x| against 5|x| − x: no σ is left, and the linear form tells them apart
    left = shallow("gelu", [[1], [-1]], [1, -1], [[5, 5]])
    right = shallow("gelu", [[1], [-1]], [1, -1], [[4, 6]])
    features = difference_features(left, right)
    assert (features.count, features.nonlinear) == (1, 0)
    found = determinant_certificate(left, right)
    assert isinstance(found, Certificate) and len(found.points) == 2


def test_constants() -> None:
    left, right = shallow("gelu", [[1]], [1], [[5]]), shallow("gelu", [[1]], [1], [[5]], [1])
    found = determinant_certificate(left, right)
    assert isinstance(found, Certificate) and found.points == ((Fraction(0),),)
    # tanh(1/2) folded on one side, a rational close to it on the other
    atom = shallow("tanh", [[1], [0]], [0, "1/2"], [[1, 1]], [0])
    plain = shallow("tanh", [[1], [0]], [0, 0], [[1, 1]], ["0.4621171572600097585"])
    assert isinstance(determinant_certificate(atom, plain), Certificate)


def test_affine_networks() -> None:
    left, right = dense(([[1, 2]], [0], "identity")), dense(([[1, 3]], [0], "identity"))
    found = determinant_certificate(left, right)
    assert isinstance(found, Certificate)
    assert separating_gap(left, right, found.points, FOREVER) is not None


def test_dependent_features_give_no_certificate() -> None:
    # f = g, by four squares in dimension 3: no determinant is invertible, nothing is claimed
    rows = [[1, 0], [0, 1], [1, 1], [1, -1]]
    left = shallow("x^2", rows, None, [[1, 2, 3, 4]])
    right = shallow("x^2", rows, None, [[3, 4, 2, 3]])
    found = determinant_certificate(left, right)
    assert isinstance(found, NoCertificate)
    assert not found.is_equal and "dependent" in found.reason


def test_refusals() -> None:
    symbolic = dense(([["a"]], [0], "tanh"), ([[1]], None, "identity"), parameters=["a"])
    found = determinant_certificate(symbolic, symbolic)
    assert isinstance(found, NoCertificate) and "parameters" in found.reason
    with pytest.raises(InputError):
        difference_network(deep("tanh"), shallow("tanh", [[1, 2]], [0], [[1]]))
    assert isinstance(
        determinant_certificate(deep("tanh"), shallow("tanh", [[1, 2]], [0], [[1]])), NoCertificate
    )
    late = determinant_certificate(deep("gelu"), deep("gelu", 4), deadline=time.monotonic() - 1)
    assert isinstance(late, NoCertificate) and "time" in late.reason


def search_for(network: Network, action: Any) -> Search:
    reduction = reduce_network(network)
    return Search(
        network, action, FOREVER, 0, lambda phrase: None, reduction,
        LayerTables(reduction.reduced), [],
    )  # fmt: skip


@pytest.mark.parametrize("sigma", ["gelu", "sin", "relu", "x^3"])
def test_method_of_certify(sigma: str) -> None:
    assert by_determinant in METHODS
    search = search_for(deep(sigma), actions.cyclic(2))
    found = by_determinant(search, [])
    assert found is not None and found.verdict is Verdict.NOT_EQUIVARIANT
    assert found.counterexample is not None
    assert found.counterexample.generator == search.action.generators[0].name
    invariant = dense(
        ([[1, 2], [2, 1]], [1, 1], sigma), ([[1, 1]], [1], sigma), ([[2]], [1], "identity")
    )
    search = search_for(invariant, actions.cyclic(2))
    assert by_determinant(search, []) is None
    assert "equal" in search.tried[0]


small = st.integers(-2, 2)


@st.composite
def pairs(draw: Any) -> tuple[Network, Network]:
    sigma, width = draw(st.sampled_from(SIGMAS)), draw(st.integers(1, 3))

    def network() -> Network:
        rows = [[draw(small)] for _ in range(width)]
        bias = [draw(small) for _ in range(width)]
        return shallow(sigma, rows, bias, [[draw(small) for _ in range(width)]], [draw(small)])

    return network(), network()


@settings(max_examples=100)
@given(pairs())
def test_certificates_are_right(pair: tuple[Network, Network]) -> None:
    left, right = pair
    found = determinant_certificate(left, right)
    if isinstance(found, Certificate):
        assert separating_gap(left, right, found.points, FOREVER) is not None
    elif found.is_equal:
        for x in range(-4, 5):
            ours, theirs = (values(net, [Fraction(x, 2)])[0] for net in pair)
            assert ours.overlaps(theirs)
