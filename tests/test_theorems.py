"""The catalogue of theorems, and the exact evidence of their hypotheses."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from identcert import Matrix, Network, reduce_network
from identcert.certify.hypotheses import (
    Evidence,
    columns_nonzero,
    no_biases,
    rows_distinct_up_to_sign,
    rows_inequivalent,
    rows_nonzero,
    rows_not_proportional,
    rows_unequal,
)
from identcert.certify.hypotheses_fefferman import biases_generic, ratios_generic, weights_nonzero
from identcert.certify.hypotheses_polynomial import (
    degree_exceeds_uniform_bound,
    degrees_exceed_layer_bounds,
    kruskal_condition,
    power_exceeds_bound,
    shifted_power_reaches_bound,
)
from identcert.certify.hypotheses_shallow import (
    find_cancelling_set,
    frequencies_distinct,
    hyperplanes_distinct,
    jumps_distinct,
    no_cancelling_set,
    remainder,
)
from identcert.certify.polynomial_shapes import perfect_power, shifted_power
from identcert.certify.strong_square import is_strong_submodel
from identcert.certify.theorems import catalogue, context_theorems, try_theorems
from identcert.exact.field import QQ
from identcert.exact.kruskal import kruskal_rank
from identcert.nets.activation import activation

ATLEAST = {
    "sussmann", "albertini-sontag-maillot", "theorem-1", "theorem-2-reversal",
    "vlacic-bolcskei-2021", "fefferman", "usevich-35", "theorem-3", "theorem-3-biased",
    "kohn-powers", "kohn-shifted", "kohn-chain", "newman-slater", "phuong-lampert",
    "rolnick-kording", "grillo-montufar",
}  # fmt: skip


def dense(*layers: Any) -> Network:
    return Network.dense(list(layers))


def shallow(sigma: Any, rows: Any, bias: Any, out: Any, last: Any = None) -> Network:
    return dense((rows, bias, sigma), (out, last, "identity"))


def test_every_theorem_is_complete_data() -> None:
    theorems = catalogue()
    keys = [t.key for t in theorems]
    assert len(set(keys)) == len(keys)
    assert set(keys) >= ATLEAST
    for theorem in theorems:
        assert theorem.name and theorem.reference and theorem.activations and theorem.conclusion
        assert theorem.status in ("proved", "preprint", "conjectural")
        assert bool(theorem.hypotheses) is not theorem.is_context, theorem.key
        assert theorem.name in theorem.text()


def test_memories_are_marked_to_be_confirmed() -> None:
    marked = {t.key for t in catalogue() if t.to_confirm}
    assert marked >= {"fefferman", "vlacic-bolcskei-2021", "kurkova-kainen"}
    fefferman = next(t for t in catalogue() if t.key == "fefferman")
    assert "to be confirmed" in fefferman.text()
    preprint = next(t for t in catalogue() if t.key == "kohn-powers")
    assert "preprint" in preprint.text()


def test_generic_theorems_are_context_only() -> None:
    relu = dense(
        ([[1, 2], [3, 5]], [1, 2], "relu"), ([[1, 1], [2, 3]], [1, 1], "relu"),
        ([[1, 1]], [0], "identity"),
    )  # fmt: skip
    assert try_theorems(relu) == ()
    assert {"phuong-lampert", "grillo-montufar"} <= {t.key for t in context_theorems(relu)}


@pytest.mark.parametrize(
    ("predicate", "network", "holds"),
    [
        (rows_nonzero, shallow("tanh", [[1], [0]], [0, 1], [[1, 1]]), False),
        (columns_nonzero, shallow("tanh", [[1], [2]], [0, 1], [[1, 0]]), False),
        (columns_nonzero, shallow("tanh", [[1], [2]], [0, 1], [[1, 0], [0, 1]]), True),
        (rows_distinct_up_to_sign, shallow("tanh", [[1], [-1]], [2, -2], [[1, 1]]), False),
        (rows_distinct_up_to_sign, shallow("tanh", [[1], [-1]], [2, 2], [[1, 1]]), True),
        (rows_not_proportional, shallow("x^3", [[1], [2]], [2, 4], [[1, 1]]), False),
        (rows_not_proportional, shallow("x^3", [[1], [2]], [2, 5], [[1, 1]]), True),
        (rows_unequal, shallow("x^2 + x", [[1], [1]], None, [[1, 1]]), False),
        (rows_unequal, shallow("x^2 + x", [[1], [-1]], None, [[1, 1]]), True),
        # x² + x has its centre at −1/2: (w, b) and (−w, −1 − b) are clones
        (rows_inequivalent, shallow("x^2 + x", [[1], [-1]], [1, -2], [[1, 1]]), False),
        (rows_inequivalent, shallow("x^2 + x", [[1], [-1]], [1, -1], [[1, 1]]), True),
        (rows_inequivalent, shallow("relu", [[1], [-1]], [1, -1], [[1, 1]]), True),
        (rows_inequivalent, shallow("relu", [[1], [2]], [1, 2], [[1, 1]]), False),
        (no_biases, shallow("x^3", [[1]], None, [[1]]), True),
        (no_biases, shallow("x^3", [[1]], [0], [[1]]), True),
        (no_biases, shallow("x^3", [[1]], [0], [[1]], [2]), False),
        (frequencies_distinct, shallow("sin", [[1], [-1]], [0, 1], [[1, 1]]), False),
        (hyperplanes_distinct, shallow("hard_tanh", [[2], [2]], [-1, -3], [[1, 1]]), False),
        (hyperplanes_distinct, shallow("hard_tanh", [[2], [2]], [-1, -4], [[1, 1]]), True),
        (jumps_distinct, shallow("hard_tanh", [[2], [-1]], [-1, -4], [[1, 2]]), False),
        (jumps_distinct, shallow("hard_tanh", [[2], [-1]], [-1, -4], [[1, 3]]), True),
    ],
)
def test_predicates(predicate: Any, network: Network, holds: bool) -> None:
    evidence = predicate(network)
    assert evidence.holds is holds, evidence.text
    assert evidence.text


def test_evidence_names_the_place() -> None:
    evidence = rows_distinct_up_to_sign(shallow("tanh", [[1], [2], [-1]], [2, 0, -2], [[1, 1, 1]]))
    assert evidence.text == "neurons 0 and 2 of hidden layer 1 are equal up to sign"
    assert dict(evidence.data) == {"layer": 1, "neurons": [0, 2]}
    assert (Evidence(True, "").mark, Evidence(None, "").mark) == ("✓", "?")


def test_formal_biases_are_told_apart_by_balls() -> None:
    def folded(first: Any, second: Any) -> Network:
        net = dense(
            ([[1], [0], [0]], [0, "1/2", "1/3"], "tanh"),
            ([[1, first, 0], [1, 0, second]], [0, 0], "tanh"), ([[1, 1]], [0], "identity"),
        )  # fmt: skip
        return reduce_network(net).reduced

    assert rows_distinct_up_to_sign(folded(1, 2)).holds is True


def test_equal_numbers_spelled_differently_stay_undecided() -> None:
    # arctan 1/2 + arctan 1/3 = arctan 1, which no ball can show
    rows, bias = [[1], [0], [0], [0]], [0, "1/2", "1/3", 1]
    above = [[1, 1, 1, 0], [1, 0, 0, 1]]
    net = dense((rows, bias, "arctan"), (above, [0, 0], "arctan"), ([[1, 1]], [0], "identity"))
    evidence = rows_distinct_up_to_sign(reduce_network(net).reduced)
    assert evidence.holds is None
    assert "no ball" in evidence.text


@pytest.mark.parametrize(
    ("degree", "biased", "holds"),
    [(8, False, False), (9, False, True), (15, True, False), (16, True, True)],
)
def test_both_sides_of_theorem_3(degree: int, biased: bool, holds: bool) -> None:
    bias = [1, 2] if biased else None
    net = dense(
        ([[1, 2], [3, 1]], bias, f"x^{degree}"), ([[1, 1], [1, 2]], bias, f"x^{degree}"),
        ([[1, 1]], None, "identity"),
    )  # fmt: skip
    assert degree_exceeds_uniform_bound(biased)(net).holds is holds
    assert degrees_exceed_layer_bounds(biased)(net).holds is holds


@pytest.mark.parametrize(
    ("first", "second", "biased", "holds"),
    [(3, 9, False, True), (2, 9, False, False), (3, 8, False, False), (4, 16, True, True),
     (3, 16, True, False), (4, 15, True, False)],
)  # fmt: skip
def test_layer_bounds_differ_by_layer(first: int, second: int, biased: bool, holds: bool) -> None:
    net = dense(
        ([[1, 2], [3, 1]], None, f"x^{first}"), ([[1, 1], [1, 2]], None, f"x^{second}"),
        ([[1, 1]], None, "identity"),
    )  # fmt: skip
    assert degrees_exceed_layer_bounds(biased)(net).holds is holds


@pytest.mark.parametrize(("exponent", "holds"), [(8, False), (9, True)])
def test_both_sides_of_the_bound_for_powers(exponent: int, holds: bool) -> None:
    net = shallow(f"(x^2+x)^{exponent}", [[1, 2], [3, 1]], None, [[1, 1]])
    assert power_exceeds_bound(net).holds is holds


@pytest.mark.parametrize(("degree", "holds"), [(14, False), (15, True)])
def test_both_sides_of_the_bound_for_shifted_powers(degree: int, holds: bool) -> None:
    net = shallow(f"(x+1)^{degree} - 1", [[1, 2], [3, 1]], None, [[1, 1]])
    assert shifted_power_reaches_bound(net).holds is holds
    assert not shifted_power_reaches_bound(shallow("x^15", [[1]], None, [[1]])).holds


def test_kruskal_condition() -> None:
    square = [[1, 0], [0, 1]]
    assert not kruskal_condition(False)(shallow("x^2", square, None, [[1, 1]])).holds
    assert kruskal_condition(False)(shallow("x^2", square, None, [[1, 1], [1, 2]])).holds
    assert kruskal_condition(False)(shallow("x^3", square, None, [[1, 1]])).holds
    assert not kruskal_condition(False)(shallow("x^3", [[1, 2], [2, 4]], None, [[1, 1]])).holds
    assert kruskal_condition(True)(shallow("x^3", square, [1, 2], [[1, 1]])).holds


def test_shapes_of_polynomials() -> None:
    assert perfect_power(activation("4*(x^2+x)^6").coefficients or ()).exponent == 6
    assert perfect_power(activation("(x^2+x)^6 + 1").coefficients or ()).exponent == 1
    shape = shifted_power(activation("2*(x+1)^5 - 2"))
    assert shape is not None and (shape.lead, shape.centre, shape.degree, shape.offset) == (
        2,
        -1,
        5,
        -2,
    )
    assert shifted_power(activation("tanh")) is None
    assert shifted_power(activation("2*x + 1")) is None


def test_fefferman_conditions() -> None:
    good = [["1.23456789012345", "3.000000000007"], ["0.87654321098769", "1.00000000000001"]]
    net = dense((good, [1, 2], "tanh"), ([["0.3333333", "7.1"]], [1], "identity"))
    assert weights_nonzero(net).holds and biases_generic(net).holds and ratios_generic(net).holds
    plain = dense(([[1, 3], [2, 1]], [1, -1], "tanh"), ([[1, 0]], [0], "identity"))
    assert not weights_nonzero(plain).holds
    assert biases_generic(plain).holds is False
    assert ratios_generic(plain).holds is False
    irrational = dense(([["sqrt(2)"], [1]], [1, 2], "tanh"), ([[1, 1]], [3], "identity"))
    assert ratios_generic(irrational).holds is True


matrices = st.integers(1, 3).flatmap(
    lambda rows: st.integers(1, 4).flatmap(
        lambda cols: st.lists(
            st.lists(st.integers(-2, 2), min_size=cols, max_size=cols), min_size=rows, max_size=rows
        )
    )
)


@given(matrices)
def test_kruskal_rank_is_the_definition(rows: list[list[int]]) -> None:
    matrix = Matrix.of(rows)

    def independent(size: int) -> bool:
        return all(
            matrix.select_columns(c).rank() == size for c in combinations(range(matrix.cols), size)
        )

    found = kruskal_rank(matrix)
    assert found.is_exact
    assert all(map(independent, range(1, found.value + 1)))
    if found.value < matrix.cols:
        assert not independent(found.value + 1)
        assert found.dependent is not None
        assert matrix.select_columns(found.dependent).rank() == found.value


def test_kruskal_rank_within_its_limit() -> None:
    matrix = Matrix.of([[1, 0, 1, 1], [0, 1, 1, 2]])
    bound = kruskal_rank(matrix, limit=5)
    assert (bound.value, bound.is_exact) == (1, False)
    assert kruskal_rank(matrix).value == 2


@given(st.lists(st.lists(st.integers(-2, 2), min_size=2, max_size=2), min_size=1, max_size=6))
def test_cancelling_sets_by_exhaustion(columns: list[list[int]]) -> None:
    vectors = Matrix.of(columns).T
    found = find_cancelling_set(vectors)
    sums = {
        chosen
        for size in range(1, len(columns) + 1)
        for chosen in combinations(range(len(columns)), size)
        if not any(sum(columns[j][k] for j in chosen) for k in range(2))
    }
    assert (found in sums) if isinstance(found, tuple) else (found is None and not sums)


def test_remainders_are_those_of_the_activation() -> None:
    for name in ("relu", {"leaky_relu": "1/10"}, {"leaky_relu": "-3"}):
        sigma = activation(name)
        m = remainder(sigma)
        for z in (-3, 2):
            x = QQ(z)
            assert sigma.apply(-x, QQ) == sigma.apply(x, QQ) + m * x
    assert [remainder(activation(s)) for s in ("tanh", "abs", "x^2", "hard_tanh")] == [None] * 4


def test_reversal_hypothesis() -> None:
    tent = shallow("relu", [[1], [1], [1]], [1, 0, -1], [[1, -2, 1]])
    assert no_cancelling_set(tent).holds is False
    # without an output bias the constants have to cancel as well
    lifted = shallow("relu", [[1], [1], [1]], [1, 0, -2], [[1, -2, 1]])
    assert no_cancelling_set(lifted).holds is True
    assert (
        no_cancelling_set(shallow("relu", [[1], [1], [1]], [1, 0, -2], [[1, -2, 1]], [0])).holds
        is False
    )


@pytest.mark.parametrize(
    ("network", "holds"),
    [
        (shallow("tanh", [[1], [1]], [0, 0], [[1, 2]]), True),
        (shallow("sigmoid", [[1], [-1]], [1, -1], [[1, 2]], [0]), True),
        # C3: the columns of the clones leave the merged image
        (shallow("tanh", [[1], [1]], None, [[1, 0], [1, -1], [0, 0]]), False),
        # C4: nobody reads a neuron that has a row of its own
        (shallow("tanh", [[1, 1, 1], [1, 0, 0]], None, [[1, 0]]), False),
        # nobody reads a clone: it follows the pattern
        (shallow("tanh", [[1], [1]], None, [[1, 0]]), True),
        (shallow("tanh", [[1], [0]], [0, 1], [[1, 1]], [0]), True),
        (shallow("tanh", [[0], [0]], [0, 1], [[0, 0]], [0]), True),
        (shallow("tanh", [[0], [0]], [0, 1], [[1, 0]], [0]), False),
    ],
)
def test_strong_submodels(network: Network, holds: bool) -> None:
    assert is_strong_submodel(reduce_network(network)).holds is holds
