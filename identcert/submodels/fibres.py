"""Fibres: all parameters of width m with the function of an irreducible network of width r.

target    == a neuron of the irreducible network; none is constant, no two are clones
real      == a neuron of the wide network that carries a target, with a sign
zero      == a neuron of a block whose members have one common row, up to signs, and outgoing
             weights with sum zero
constant  == a neuron with zero row and free outgoing weights
component == the parameters in which every neuron has a given role: an affine subspace, up to
             the output bias, which is then determined

The fibre of a shallow network with an identifiable activation (tanh, arctan, erf, sigmoid,
ELU) is the union of its components; none lies in another. Constants exist where w = 0 costs
nothing: with biases, or without them if σ(0) = 0.

Source: theory of fibre components (§9); Şimşek et al., ICML 2021, for T(r, m) and G(r, m).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from identcert.errors import InputError
from identcert.nets.activation import Activation, activation
from identcert.submodels.architecture import is_signed

Role = tuple[Literal["real", "zero", "constant"], int, int]
"""What a neuron does: its kind, the number of its target or block, and its sign."""

IDENTIFIABLE = ("tanh", "arctan", "erf", "sigmoid", "elu")
CONSTANT: Role = ("constant", 0, 1)


@dataclass(frozen=True, slots=True)
class FibreComponent:
    """One component of a fibre, by the roles of the m neurons.

    Attributes
    ----------
    targets : r.
    roles : per neuron its role; zero blocks are numbered by their first members, whose
        sign is +.

    Examples
    --------
    >>> component = next(fibre_components(1, 2, signed=True, constants=True))
    >>> component.text(), component.dimension(inputs=2, outputs=1, bias=True)
    ('0,1 carry target 0', 1)
    """

    targets: int
    roles: tuple[Role, ...]

    @property
    def carriers(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Per target the neurons that carry it, as pairs (neuron, sign)."""
        return self._groups("real", self.targets)

    @property
    def blocks(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Per zero block its neurons, as pairs (neuron, sign)."""
        count = len({index for kind, index, _ in self.roles if kind == "zero"})
        return self._groups("zero", count)

    @property
    def constants(self) -> tuple[int, ...]:
        """The constant neurons."""
        return tuple(i for i, (kind, _, _) in enumerate(self.roles) if kind == "constant")

    def _groups(self, wanted: str, count: int) -> tuple[tuple[tuple[int, int], ...], ...]:
        found: list[list[tuple[int, int]]] = [[] for _ in range(count)]
        for i, (kind, index, sign) in enumerate(self.roles):
            if kind == wanted:
                found[index].append((i, sign))
        return tuple(map(tuple, found))

    def dimension(self, inputs: int, outputs: int, bias: bool = True) -> int:
        """Return the dimension of the component.

        Outgoing weights of the carriers of a target have a fixed sum, those of a block have
        sum 0; a block has one free row, a constant neuron a free bias and outgoing weights.
        """
        rows = inputs + bias
        free = sum(outputs * (len(group) - 1) for group in self.carriers)
        free += sum(rows + outputs * (len(group) - 1) for group in self.blocks)
        return free + len(self.constants) * (outputs + bias)

    def text(self) -> str:
        """Return the roles in words; a neuron of sign −1 has a minus after its number."""

        def listed(group: tuple[tuple[int, int], ...]) -> str:
            return ",".join(f"{i}-" if sign < 0 else str(i) for i, sign in group)

        parts = [f"{listed(group)} carry target {t}" for t, group in enumerate(self.carriers)]
        parts += [f"{listed(group)} cancel" for group in self.blocks]
        if self.constants:
            parts.append(f"{','.join(map(str, self.constants))} constant")
        return "; ".join(parts)


def has_constants(sigma: Activation, bias: bool) -> bool:
    """Return whether neurons with w = 0 have free outgoing weights."""
    from identcert.exact.field import QQ

    return bias or sigma.apply(QQ.zero, QQ) == QQ.zero


def fibre_kind(spelling: str | Activation, bias: bool) -> tuple[bool, bool]:
    """Return (signed, constants) for the fibres of an activation.

    Raises
    ------
    InputError
        If the fibres of the activation are not unions of these components.

    Examples
    --------
    >>> fibre_kind("tanh", bias=False), fibre_kind("elu", bias=True)
    ((True, True), (False, True))
    """
    sigma = activation(spelling)
    if sigma.name not in IDENTIFIABLE:
        raise InputError(
            f"the fibres of {sigma.text()} are not unions of these components",
            fix=f"take one of {', '.join(IDENTIFIABLE)}",
        )
    return is_signed(sigma, bias), has_constants(sigma, bias)


def fibre_components(r: int, m: int, signed: bool, constants: bool) -> Iterator[FibreComponent]:
    """Yield the T(r, m) components, one at a time: nothing is stored.

    Parameters
    ----------
    r, m : widths of the irreducible network and of the wide one.
    signed, constants : see `fibre_kind`.

    Raises
    ------
    InputError
        If a width is negative.

    Examples
    --------
    >>> [component.text() for component in fibre_components(1, 2, signed=False, constants=False)]
    ['0,1 carry target 0', '0 carry target 0; 1 cancel', '1 carry target 0; 0 cancel']
    """
    if r < 0 or m < 0:
        raise InputError(f"the widths {r} and {m} are not both at least 0")
    signs = (1, -1) if signed else (1,)

    def extend(
        roles: tuple[Role, ...], missing: frozenset[int], blocks: int
    ) -> Iterator[FibreComponent]:
        left = m - len(roles)
        if left < len(missing):
            return
        if left == 0:
            yield FibreComponent(r, roles)
            return
        for target in range(r):
            for sign in signs:
                yield from extend((*roles, ("real", target, sign)), missing - {target}, blocks)
        for block in range(blocks):
            for sign in signs:
                yield from extend((*roles, ("zero", block, sign)), missing, blocks)
        yield from extend((*roles, ("zero", blocks, 1)), missing, blocks + 1)
        if constants:
            yield from extend((*roles, CONSTANT), missing, blocks)

    yield from extend((), frozenset(range(r)), 0)


def critical_subspaces(r: int, m: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the G(r, m) maps of m neurons onto r, each with its dimension m − r.

    Given a critical point of width r, neuron i is a copy of neuron t = map[i] with outgoing
    weights β_i·a_t, where the β of the copies of t add up to 1: an affine subspace of
    critical points of width m.

    >>> list(critical_subspaces(1, 2)), len(list(critical_subspaces(2, 4)))
    ([((0, 0), 1)], 14)
    """
    for component in fibre_components(r, m, signed=False, constants=False):
        if not component.blocks:
            yield tuple(index for _, index, _ in component.roles), m - r
