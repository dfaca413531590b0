"""The structural lift: a full first and last layer carry every linear action, exactly.

β_g: W_1 ↦ W_1 τ_{g⁻¹}, W_L ↦ ρ(g)W_L, b_L ↦ ρ(g)b_L is a smooth global action on parameters
c_struct = (−W_1 A, −W_1 a, 0, …, B W_L, B b_L + b) is its generator, for the vector fields
           x ↦ Ax + a on inputs and y ↦ By + b on outputs

It needs no solving and no hypothesis on activations or depth; it exists unless an entry that
it moves is frozen, tied otherwise or absent. Source: theory of attribution §3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from identcert.attribution.parameters import Parametrisation, Place, place_name
from identcert.groups.action import InfinitesimalGenerator
from identcert.nets.network import Network


@dataclass(frozen=True, slots=True)
class StructuralLift:
    """The structural lift of a generator in the coordinates of a parametrisation.

    Attributes
    ----------
    change : c_struct by place, without zeros.
    direction : its coordinates φ with Tφ = c_struct, or None if there are none.
    obstacle : an entry that c_struct moves and the parametrisation does not; else "".
    """

    change: dict[Place, Any]
    direction: tuple[Any, ...] | None
    obstacle: str

    @property
    def is_present(self) -> bool:
        """Whether the parametrisation contains c_struct."""
        return self.direction is not None

    @property
    def vanishes(self) -> bool:
        """Whether c_struct = 0: then the group acts trivially on what the network sees."""
        return not self.change


def structural_lift(
    parametrisation: Parametrisation, generator: InfinitesimalGenerator
) -> StructuralLift:
    """Return c_struct and, if the parametrisation contains it, its coordinates.

    Examples
    --------
    >>> from identcert.attribution.generators import rotation
    >>> net = Network.dense([([[1, 2]], [3], "x^2"), ([[1]], None, "identity")])
    >>> structural_lift(Parametrisation.of(net), rotation(2, 1)).direction
    (-2, 1, 0)
    >>> structural_lift(Parametrisation.of(net, ["W1[0,1]"]), rotation(2, 1)).obstacle
    'W1[0,1]'
    """
    network = parametrisation.network
    change = structural_change(network, generator)
    direction, obstacle = parametrisation.find_coordinates(change)
    return StructuralLift(change, direction, obstacle)


def structural_change(network: Network, generator: InfinitesimalGenerator) -> dict[Place, Any]:
    """Return c_struct by place, without zeros; one layer carries both sides."""
    field, last = network.field, len(network.layers) - 1
    first_layer, last_layer = network.layers[0], network.layers[last]
    change: dict[Place, Any] = {}

    def add(layer: int, row: int, column: int, value: Any) -> None:
        place = Place(layer, row, column)
        change[place] = change.get(place, field.zero) + value

    turned = (first_layer.weight @ generator.input).to_rows()
    shifted = first_layer.weight.apply(generator.input_shift)
    for i, (row, shift) in enumerate(zip(turned, shifted, strict=True)):
        for j, entry in enumerate((*row, shift)):
            add(0, i, j, -entry)
    carried = (generator.output @ last_layer.weight).to_rows()
    # a bias with folded constants such as tanh(1/2) would leave the field: refused by its type
    bias = generator.output.apply(last_layer.bias)
    for i, (row, b, c) in enumerate(zip(carried, bias, generator.output_shift, strict=True)):
        for j, entry in enumerate((*row, b + c)):
            add(last, i, j, entry)
    return {place: value for place, value in change.items() if not field.is_zero(value)}


def moved_entries(network: Network, lift: StructuralLift) -> tuple[str, ...]:
    """Return the names of the entries that c_struct moves, in the network's order."""
    return tuple(place_name(network, place) for place in sorted(lift.change))
