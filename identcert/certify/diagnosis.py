"""Why a network is not equivariant: where it breaks, and what would hold instead.

break       == the first layer with rows that no admissible scaling of a row equals
alternative == another output map for the same generator
subgroup    == the elements of the generated group for which equivariance does hold

Everything here is exact: "holds" has latents or a polynomial identity behind it, "fails"
a counterexample, and what is neither is called "not decided".
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from identcert.certify.counterexample import candidate_points, find_counterexample
from identcert.certify.distance import NearestPartner, nearest_partner
from identcert.certify.identity import is_identity, is_polynomial, term_bound
from identcert.certify.latents import (
    LayerTables,
    Obstruction,
    find_latents,
    transport,
)
from identcert.errors import IdentcertError, OutOfBudget, UnsupportedError
from identcert.groups.action import Action, Generator
from identcert.groups.affine import AffineMap
from identcert.groups.closure import FiniteClosure
from identcert.groups.names import group_name
from identcert.groups.words import word_text
from identcert.nets.network import Network

ROWS_SHOWN = 6
ELEMENTS_TESTED = 128
TRIAL_POINTS = 6
SMALL_EXPANSION = 5_000


@dataclass(frozen=True, slots=True)
class Break:
    """The first layer at which the rows of one generator find no partners.

    Attributes
    ----------
    generator : name of the generator.
    layer : index of the layer; ``is_output`` tells whether it is the output equation.
    rows : indices of the rows without partner, the first few.
    count : how many there are.
    nearest : for those rows, the nearest admissible partner and its exact distance.
    is_output : whether the rows are outputs.
    """

    generator: str
    layer: int
    rows: tuple[int, ...]
    count: int
    nearest: tuple[NearestPartner, ...]
    is_output: bool


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another output map for a generator, and what is known of it.

    Attributes
    ----------
    generator : name of the generator.
    output : which map: ``inverse``, ``transpose``, ``trivial``, ``signed permutation``.
    outcome : ``holds``, ``fails`` or ``not decided``.
    permutation, signs : the map itself, for a signed permutation that was found.
    """

    generator: str
    output: str
    outcome: str
    permutation: tuple[int, ...] | None = None
    signs: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Subgroup:
    """The elements of the generated group for which the network is equivariant.

    Attributes
    ----------
    order : how many elements hold (they form a subgroup).
    undecided : how many elements are neither proved nor refuted.
    name : a name for people, or None.
    words : words of the elements that hold, the identity left out, shortest first.
    """

    order: int
    undecided: int
    name: str | None
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Why a network is not equivariant, and what would hold instead.

    Attributes
    ----------
    breaks : one entry for each generator that fails.
    holding : names of the generators for which equivariance holds.
    alternatives : other output maps for the failing generators.
    subgroup : the part of the group that does hold; None where the group is too large.
    """

    breaks: tuple[Break, ...]
    holding: tuple[str, ...]
    alternatives: tuple[Alternative, ...]
    subgroup: Subgroup | None


def outcome_of(
    network: Network, tables: LayerTables, generator: Generator, deadline: float, seed: int = 0
) -> str:
    """Return ``holds``, ``fails`` or ``not decided`` for one pair (ρ_in, ρ_out)."""
    if not isinstance(find_latents(tables, generator), Obstruction):
        return "holds"
    points = candidate_points(network, seed, TRIAL_POINTS)
    if find_counterexample(network, generator, points, seed=seed) is not None:
        return "fails"
    if is_polynomial(network) and term_bound(network) <= SMALL_EXPANSION:
        try:
            return "holds" if is_identity(network, generator, deadline) else "fails"
        except (OutOfBudget, UnsupportedError):
            return "not decided"
    return "not decided"


def diagnose(
    network: Network,
    tables: LayerTables,
    action: Action,
    closure: FiniteClosure | None,
    refuted: str,
    deadline: float,
) -> Diagnosis:
    """Explain a refutation: breaks, alternatives, the subgroup that does hold.

    ``tables`` are those of the reduced network; ``network`` is the given one, used for
    counterexamples; ``refuted`` names the generator that has one already.
    """
    outcomes = {
        g.name: "fails" if g.name == refuted else outcome_of(network, tables, g, deadline)
        for g in action.generators
    }
    failing = [g for g in action.generators if outcomes[g.name] != "holds"]
    breaks = tuple(b for b in (find_break(tables, g) for g in failing) if b is not None)
    alternatives = tuple(
        alternative
        for generator in failing
        for alternative in find_alternatives(network, tables, generator, deadline)
    )
    holding = tuple(name for name, outcome in outcomes.items() if outcome == "holds")
    subgroup = None
    if closure is not None and closure.order <= ELEMENTS_TESTED:
        known = next(g for g in action.generators if g.name == refuted)
        subgroup = holding_subgroup(network, tables, closure, deadline, known)
    return Diagnosis(breaks, holding, alternatives, subgroup)


def find_break(tables: LayerTables, generator: Generator) -> Break | None:
    """Return the first layer whose rows find no partners, with the nearest partners."""
    obstruction = find_latents(tables, generator)
    if not isinstance(obstruction, Obstruction):
        return None
    network, index = tables.network, obstruction.layer
    carried: Any = generator.input
    for layer, latent in zip(network.layers, obstruction.latents, strict=False):
        carried = transport(layer, latent)
    layer = network.layers[index]
    weight, bias = carried.pull_back(layer.weight, layer.bias)
    is_output = index == len(network.layers) - 1
    if is_output:
        wanted, wanted_bias = generator.output.push_forward(layer.weight, layer.bias)
        rows = [
            r for r in range(weight.rows)
            if weight.row(r) != wanted.row(r) or bias[r] != wanted_bias[r]
        ]  # fmt: skip
    else:
        table = tables.tables[index]
        rows = [r for r, (number, _) in enumerate(table.place(weight, bias)) if number < 0]
        rows = rows or [obstruction.row]
    shown = tuple(rows[:ROWS_SHOWN])
    nearest: tuple[NearestPartner, ...] = ()
    if network.field.is_ordered:
        target = (wanted, wanted_bias) if is_output else None
        nearest = tuple(
            found
            for found in (nearest_partner(layer, weight, bias, r, network.field, target)
                          for r in shown)
            if found is not None
        )  # fmt: skip
    return Break(generator.name, index, shown, len(rows), nearest, is_output)


def find_alternatives(
    network: Network, tables: LayerTables, generator: Generator, deadline: float
) -> Iterable[Alternative]:
    """Yield other output maps for one generator, with their outcomes."""
    stated = generator.output
    identity = AffineMap.identity(stated.dim, stated.field)
    candidates = [("inverse", stated.inverse()), ("trivial", identity)]
    if stated.is_linear:
        candidates.insert(1, ("transpose", stated.transpose()))
    tested: list[AffineMap] = [stated]
    for name, candidate in candidates:
        if candidate in tested or time.monotonic() > deadline:
            continue
        tested.append(candidate)
        trial = Generator(generator.name, generator.input, candidate)
        outcome = outcome_of(network, tables, trial, deadline)
        yield Alternative(generator.name, name, outcome)
    other = find_signed_permutation_output(tables, generator)
    if other is not None and other not in tested:
        linear: Any = other.linear
        yield Alternative(
            generator.name, "signed permutation", "holds", linear.permutation, linear.signs
        )


def find_signed_permutation_output(tables: LayerTables, generator: Generator) -> AffineMap | None:
    """Return a signed-permutation output map that makes one generator equivariant.

    It is read off the rows of the output layer under the latents of the layers below,
    so None only means that none is found this way.
    """
    network = tables.network
    obstruction = find_latents(tables, generator)
    last = len(network.layers) - 1
    if not isinstance(obstruction, Obstruction) or obstruction.layer != last:
        return None
    carried: Any = generator.input
    for layer, latent in zip(network.layers, obstruction.latents, strict=False):
        carried = transport(layer, latent)
    layer = network.layers[last]
    weight, bias = carried.pull_back(layer.weight, layer.bias)
    waiting: dict[Any, list[int]] = {}
    for r in range(layer.weight.rows - 1, -1, -1):
        waiting.setdefault((layer.weight.row(r), layer.bias[r]), []).append(r)
    permutation, signs = [], []
    for r in range(weight.rows):
        row, shift = weight.row(r), bias[r]
        for sign in (1, -1):
            key = (row, shift) if sign == 1 else (tuple(-x for x in row), -shift)
            if waiting.get(key):
                permutation.append(waiting[key].pop())
                signs.append(sign)
                break
        else:
            return None
    return AffineMap.from_permutation(tuple(permutation), tuple(signs), field=network.field)


def holding_subgroup(
    network: Network,
    tables: LayerTables,
    closure: FiniteClosure,
    deadline: float,
    refuted: Generator,
) -> Subgroup | None:
    """Return the subgroup of elements that hold, by testing each; None out of time.

    ``refuted`` is known to fail, and so does its inverse.
    """
    holds, undecided, words = set(), 0, []
    failing = [(refuted.input, refuted.output)]
    failing.append((refuted.input.inverse(), refuted.output.inverse()))
    for index in range(closure.order):
        if time.monotonic() > deadline:
            return None
        source, target = closure.elements[index]
        if (source, target) in failing:
            continue
        word = word_text(closure.words[index])
        try:
            outcome = outcome_of(network, tables, Generator(word, source, target), deadline)
        except IdentcertError:
            outcome = "not decided"
        undecided += outcome == "not decided"
        if outcome == "holds":
            holds.add(index)
            if index:
                words.append(word)
    name = None if undecided else group_name(closure, frozenset(holds))
    return Subgroup(len(holds), undecided, name, tuple(sorted(words, key=lambda w: (len(w), w))))
