"""Which numbers of a network are parameters: all, masked, tied or frozen.

place      == one entry of (W|b): layer, row, and column, where the column after the last is b
coordinate == a direction in which θ may move: a combination of places, such as one entry, or
              several entries that share their value
frozen     == a place that no coordinate moves

Layers are numbered from 1 and entries from 0, as reports do: ``W1[0,2]``, ``b2[3]``. Over all
layers, the places stand in one order: the rows of W, then b, layer by layer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from identcert.errors import InputError
from identcert.nets.network import Network

Vector = tuple[Any, ...]

_PATTERN = re.compile(r"([Wb])([1-9][0-9]{0,3})(?:\[(:|[0-9]{1,6})(?:,(:|[0-9]{1,6}))?\])?")


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """The entry (row, column) of (W|b) in a layer, all counted from 0."""

    layer: int
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Coordinate:
    """A direction Σ c·e_place of the parameter space, with the name that reports use."""

    name: str
    terms: tuple[tuple[Place, fmpq], ...]


@dataclass(frozen=True, slots=True)
class Parametrisation:
    """The affine family θ = θ₀ + Tφ of parameters through the weights of a network.

    Attributes
    ----------
    network : the network, whose weights are θ₀.
    coordinates : the columns of T; no two share a place.
    """

    network: Network
    coordinates: tuple[Coordinate, ...]

    def __post_init__(self) -> None:
        places = [place for c in self.coordinates for place, _ in c.terms]
        if len(set(places)) < len(places):
            raise InputError("two coordinates move the same entry", "parameters")

    @classmethod
    def of(
        cls, network: Network, frozen: Iterable[str] = (), tied: Iterable[str] = ()
    ) -> Parametrisation:
        """Return the parametrisation by all entries, except frozen and tied ones.

        A bias that was not written is no parameter, nor is an identity layer that was
        appended after a last activation.

        Parameters
        ----------
        frozen : patterns such as ``W1``, ``b2``, ``W1[0,1]``, ``W1[:,1]``, ``b1[2]``.
        tied : equations such as ``W1[0,0] = W1[1,1] = -W1[0,1]``, which the weights satisfy.

        Raises
        ------
        InputError
            If a pattern names no entry, an entry is tied twice, or a tie does not hold.

        Examples
        --------
        >>> net = Network.dense([([[1, 0], [0, 1]], None, "x^2"), ([[3, 1]], None, "identity")])
        >>> Parametrisation.of(net, frozen=["W1"]).names
        ('W2[0,0]', 'W2[0,1]')
        >>> Parametrisation.of(net, ["W2"], ["W1[0,0] = W1[1,1]"]).names[0]
        'W1[0,0] = W1[1,1]'
        """
        free = dict.fromkeys(_default_places(network))
        for pattern in frozen:
            for place in matching(network, pattern):
                free.pop(place, None)
        ties: dict[Place, Coordinate] = {}
        for text in tied:
            coordinate = _read_tie(network, text)
            for place, _ in coordinate.terms:
                if place in ties or place not in free:
                    raise InputError("an entry is tied twice or is frozen", f"tie {text!r}")
                ties[place] = coordinate
        found = [
            ties.get(place, Coordinate(place_name(network, place), ((place, fmpq(1)),)))
            for place in free
        ]
        return cls(network, tuple(dict.fromkeys(found)))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the coordinates."""
        return tuple(c.name for c in self.coordinates)

    @property
    def is_selection(self) -> bool:
        """Whether every coordinate is one entry, so that T selects columns."""
        return all(len(c.terms) == 1 and c.terms[0][1] == 1 for c in self.coordinates)

    def spread(self, coordinates: Sequence[Any]) -> dict[Place, Any]:
        """Return Tφ by places, without the places that no coordinate moves."""
        pairs = zip(self.coordinates, coordinates, strict=True)
        return {place: value * c for coordinate, value in pairs for place, c in coordinate.terms}

    def find_coordinates(self, change: Mapping[Place, Any]) -> tuple[Vector | None, str]:
        """Return the φ with Tφ = change, or None and the name of an entry that stands in the way.

        Places that `change` does not name are 0.
        """
        zero = self.network.field.zero
        found: list[Any] = []
        covered: set[Place] = set()
        for coordinate in self.coordinates:
            values = [change.get(place, zero) * (1 / c) for place, c in coordinate.terms]
            if any(value != values[0] for value in values):
                return None, coordinate.name
            found.append(values[0])
            covered.update(place for place, _ in coordinate.terms)
        for place, value in change.items():
            if place not in covered and not self.network.field.is_zero(value):
                return None, place_name(self.network, place)
        return tuple(found), ""


def all_places(network: Network) -> tuple[Place, ...]:
    """Return all places of a network in their order: W row by row, then b, layer by layer."""
    return tuple(
        place
        for index, layer in enumerate(network.layers)
        for place in (
            *(Place(index, i, j) for i in range(layer.outputs) for j in range(layer.inputs)),
            *(Place(index, i, layer.inputs) for i in range(layer.outputs)),
        )
    )


def place_name(network: Network, place: Place) -> str:
    """Return the name of a place, such as ``W1[0,2]`` or ``b1[0]``."""
    if place.column == network.layers[place.layer].inputs:
        return f"b{place.layer + 1}[{place.row}]"
    return f"W{place.layer + 1}[{place.row},{place.column}]"


def value_at(network: Network, place: Place) -> Any:
    """Return the weight or bias at a place."""
    layer = network.layers[place.layer]
    if place.column == layer.inputs:
        return layer.bias[place.row]
    return layer.weight[place.row, place.column]


def matching(network: Network, pattern: str) -> tuple[Place, ...]:
    """Return the places that a pattern such as ``W1[:,0]`` names.

    Raises
    ------
    InputError
        If the pattern is malformed or names nothing.
    """
    match = _PATTERN.fullmatch(pattern.replace(" ", ""))
    fix = "write W1, b1, W1[0,2], W1[:,2] or b1[0]: layers from 1, entries from 0"
    if match is None or (match[1] == "b" and match[4] is not None):
        raise InputError("the name of a parameter is malformed", repr(pattern), fix)
    if match[1] == "W" and match[3] is not None and match[4] is None:
        raise InputError("an entry of a weight has two indices", repr(pattern), fix)
    index = int(match[2]) - 1
    found: list[Place] = []
    if index < len(network.layers):
        layer = network.layers[index]
        columns = [layer.inputs] if match[1] == "b" else _range(match[4], layer.inputs)
        rows = _range(match[3], layer.outputs)
        found = [Place(index, i, j) for i in rows for j in columns]
    if not found:
        raise InputError("the network has no such parameter", repr(pattern), fix)
    return tuple(found)


def _range(text: str | None, size: int) -> list[int]:
    if text is None or text == ":":
        return list(range(size))
    return [int(text)] if int(text) < size else []


def _default_places(network: Network) -> Iterable[Place]:
    layers = network.layers
    for place in all_places(network):
        layer = layers[place.layer]
        if place.column == layer.inputs and not layer.has_bias:
            continue
        if place.layer == len(layers) - 1 > 0 and not layer.has_bias and is_appended(network):
            continue
        yield place


def is_appended(network: Network) -> bool:
    """Whether the last layer is the bare identity, as reading appends it to an activation."""
    last = network.layers[-1]
    return len(network.layers) > 1 and not last.has_bias and last.weight.is_identity()


def _read_tie(network: Network, text: str) -> Coordinate:
    """Return the coordinate that moves several entries together."""
    terms: list[tuple[Place, fmpq]] = []
    for part in text.replace(" ", "").split("="):
        places = matching(network, part.removeprefix("-"))
        if len(places) != 1:
            raise InputError("a tie is between single entries", f"tie {text!r}")
        terms.append((places[0], fmpq(-1 if part.startswith("-") else 1)))
    values = [value_at(network, place) * sign for place, sign in terms]
    if len(terms) < 2 or any(value != values[0] for value in values):
        raise InputError("the weights do not satisfy the tie", f"tie {text!r}")
    names = (f"{'-' * (s < 0)}{place_name(network, place)}" for place, s in terms)
    return Coordinate(" = ".join(names), tuple(terms))
