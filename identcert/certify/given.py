"""Whether G acts through the intertwiner groups on the *given* parameter.

A reduced parameter forces its latents, and they form an action. A degenerate one
does not: each generator may have several latents, and no choice may satisfy the
relations of the group. So "true" asks for latents whose products depend on the group
element alone, and "false" for an equation that forced latents cannot satisfy.

Source: theory of edge cases (§13), Prop. 3; the answer ``None`` means "not decided".
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from identcert.certify.collision import Collision
from identcert.certify.latents import (
    Latents,
    LayerTables,
    Obstruction,
    find_latents,
    monomial,
    output_mismatch,
    transport,
    unmatched_row,
)
from identcert.groups.action import Action, Generator
from identcert.nets.network import Network
from identcert.submodels.rows import KeyedRows

CHOICES = 48
COMBINATIONS = 400
GROUP_LIMIT = 2_000


@dataclass(frozen=True, slots=True)
class GivenParameter:
    """Whether G acts through K on the given parameter, with the evidence.

    Attributes
    ----------
    value : true, false, or None for "not decided".
    latents : for true, per generator name the latents.
    obstruction, collision : for false, the failing equation, or two points that no action
        on a layer can move.
    """

    value: bool | None
    latents: dict[str, Latents] | None = None
    obstruction: Obstruction | None = None
    collision: Collision | None = None

    def encode(self) -> dict[str, Any] | None:
        """Return the canonical JSON of the evidence, or None where nothing is claimed."""
        if self.latents is not None:
            return {"value": True, "latents": encode_latents(self.latents)}
        if self.obstruction is not None:
            return {"value": False, "obstruction": self.obstruction.encode()}
        if self.collision is not None:
            return {"value": False, "collision": self.collision.encode()}
        return None


def encode_latents(latents: dict[str, Latents]) -> list[dict[str, Any]]:
    """Return latents as the witness spells them: one entry a hidden layer."""
    depth = max((len(chain) for chain in latents.values()), default=0)
    return [
        {name: chain[layer].encode() for name, chain in latents.items()} for layer in range(depth)
    ]


def judge_given_parameter(network: Network, action: Action) -> GivenParameter:
    """Decide whether G acts through K on this very parameter, as far as it is forced."""
    tables = LayerTables(network)
    choices: list[list[Latents]] = []
    for generator in action.generators:
        greedy = find_latents(tables, generator)
        if isinstance(greedy, Obstruction) and greedy.is_forced:
            return GivenParameter(False, obstruction=greedy)
        options = list(itertools.islice(_all_latents(tables, generator), CHOICES))
        if not options:
            return GivenParameter(None)
        choices.append(options)
    names = [generator.name for generator in action.generators]
    for combination in itertools.islice(itertools.product(*choices), COMBINATIONS):
        latents = dict(zip(names, combination, strict=True))
        if is_action(action, latents):
            return GivenParameter(True, latents=latents)
    return GivenParameter(None)


def _all_latents(tables: LayerTables, generator: Generator) -> Iterator[Latents]:
    """Yield latents of one generator: all matchings inside the classes of clones.

    Scalings of a zero row about the centre are taken as 1; so an exhausted iterator
    decides nothing.
    """

    def descend(index: int, carried: Any, chain: Latents) -> Iterator[Latents]:
        network = tables.network
        if index == len(network.layers) - 1:
            if output_mismatch(network, carried, generator) is None:
                yield chain
            return
        layer, table = network.layers[index], tables.tables[index]
        placed = table.place(*carried.pull_back(layer.weight, layer.bias))
        if layer.activation.affine is not None or unmatched_row(table, placed) is not None:
            return
        for permutation in _matchings(table, placed):
            scale = [a / table.scales[p] for (_, a), p in zip(placed, permutation, strict=True)]
            latent = monomial(layer, permutation, scale, network.field)
            yield from descend(index + 1, transport(layer, latent), (*chain, latent))

    yield from descend(0, generator.input, ())


def _matchings(table: KeyedRows, placed: list[tuple[Any, Any]]) -> Iterator[list[int]]:
    """Yield every bijection of transformed rows to rows of the same class, lazily."""
    arriving: dict[int, list[int]] = {}
    for row, (number, _) in enumerate(placed):
        arriving.setdefault(number, []).append(row)
    classes = [(rows, table.members[number]) for number, rows in arriving.items()]

    def extend(depth: int, permutation: list[int]) -> Iterator[list[int]]:
        if depth == len(classes):
            yield list(permutation)
            return
        rows, partners = classes[depth]
        for order in itertools.permutations(partners):
            for row, partner in zip(rows, order, strict=True):
                permutation[row] = partner
            yield from extend(depth + 1, permutation)

    yield from extend(0, [0] * len(placed))


def is_action(action: Action, latents: dict[str, Latents]) -> bool:
    """Return whether products of latents depend only on the pair (ρ_in, ρ_out).

    Closes the group of pairs breadth first and carries the latents along; every edge of
    the Cayley graph must lead to latents already seen there. False also when the group
    has more elements than the limit.
    """
    first = action.generators[0]
    start = (first.input.identity(first.input.dim, action.field),
             first.output.identity(first.output.dim, action.field))  # fmt: skip
    unit = tuple(latent.identity(latent.dim, action.field) for latent in latents[first.name])
    seen, frontier = {start: unit}, [start]
    while frontier:
        pair = frontier.pop()
        for generator in action.generators:
            after = (pair[0] @ generator.input, pair[1] @ generator.output)
            carried = tuple(
                k @ own for k, own in zip(seen[pair], latents[generator.name], strict=True)
            )
            if after not in seen:
                if len(seen) >= GROUP_LIMIT:
                    return False
                seen[after] = carried
                frontier.append(after)
            elif seen[after] != carried:
                return False
    return True
