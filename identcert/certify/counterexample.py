"""Refutation: rational points at which f(ρ_in x) ≠ ρ_out f(x), with a rigorous gap.

defect at x    == f(ρ_in x) − ρ_out f(x)
counterexample == a rational point with a component of the defect bounded away from 0

Exact where the network's values stay in the field (polynomial and piecewise-linear
activations), by balls of growing precision otherwise. Small points come first, since
bounded activations hide a defect in their saturated tails.

Source: theory of Prop. 5; a defect of an analytic network vanishes only on a null set.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq

from identcert.certify.specialise import specialise_generator, specialise_network
from identcert.exact.balls import lower_bound_abs, precision, upper_bound_abs
from identcert.exact.field import FunctionField
from identcert.groups.action import Generator
from identcert.nets.network import Network

QUICK_BITS = 128
GAP_DIGITS = 2_000


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A rational point x with |f(ρ_in x) − ρ_out f(x)| ≥ gap > 0 in one component.

    Attributes
    ----------
    generator : name of the generator.
    point : rational coordinates of x.
    component : index of the output component.
    gap : exact rational lower bound of the defect's modulus.
    is_exact : whether the gap is the modulus itself.
    left, right : both sides in that component, as text for people.
    parameters : values of the symbolic weights, by name (empty without symbols).
    bits : precision that suffices for analytic activations, else None.
    """

    generator: str
    point: tuple[Fraction, ...]
    component: int
    gap: Fraction
    is_exact: bool
    left: str
    right: str
    parameters: tuple[tuple[str, Fraction], ...] = ()
    bits: int | None = None

    def encode(self) -> dict[str, Any]:
        """Return the evidence of ``not_equivariant`` as canonical JSON."""
        tree: dict[str, Any] = {
            "generator": self.generator,
            "point": [str(x) for x in self.point],
            "component": self.component,
            "gap": str(self.gap),
        }
        if self.parameters:
            tree["parameters"] = {name: str(value) for name, value in self.parameters}
        if self.bits is not None:
            tree["bits"] = self.bits
        return tree


def candidate_points(network: Network, seed: int, count: int) -> Iterator[tuple[Fraction, ...]]:
    """Yield small rational points, then larger ones; equal seeds give equal points.

    The scale of the first points brings first-layer pre-activations near 1, so that
    bounded activations are not saturated there.
    """
    stream = random.Random(seed)
    scale = _first_scale(network)
    scales = (scale, scale * 8, Fraction(1), scale * 64, scale / 8, Fraction(16))
    for index in range(count):
        unit = scales[index % len(scales)] if index else scale
        yield tuple(unit * Fraction(_odd(stream), 16) for _ in range(network.inputs))


def _odd(stream: random.Random) -> int:
    return stream.choice((-1, 1)) * (2 * stream.randrange(0, 12) + 1)


def _first_scale(network: Network) -> Fraction:
    """Return a power of two near 1/‖W_1‖ (a guide for the search; nothing rests on it)."""
    if network.field.kind == "parametric":
        return Fraction(1)
    weight = network.layers[0].weight
    if network.field.kind == "rational":
        rows, denominator = weight.integer_rows()
        largest = max((sum(map(abs, row)) for row in rows), default=0) // denominator
    else:
        sizes = [
            [upper_bound_abs(network.field.ball(w, 64)) for w in row] for row in weight.to_rows()
        ]
        largest = int(max((sum(row, Fraction(0)) for row in sizes), default=Fraction(0)))
    return Fraction(1, 1 << max(0, largest.bit_length() - 1))


def find_counterexample(
    network: Network,
    generator: Generator,
    points: Sequence[tuple[Fraction, ...]] | Iterator[tuple[Fraction, ...]],
    bits: int = QUICK_BITS,
    seed: int = 0,
) -> Counterexample | None:
    """Return a counterexample among the given points, or None if none shows there.

    Symbolic weights get small rational values first, drawn from the seed.
    """
    for number, point in enumerate(points):
        values: tuple[tuple[str, Fraction], ...] = ()
        net, gen = network, generator
        if network.field.kind == "parametric":
            specialised = _specialise(network, generator, seed + number)
            if specialised is None:
                continue
            net, gen, values = specialised
        found = defect_at(net, gen, point, bits)
        if found is not None:
            return _with_parameters(found, values)
    return None


def _with_parameters(
    found: Counterexample, values: tuple[tuple[str, Fraction], ...]
) -> Counterexample:
    return Counterexample(
        found.generator, found.point, found.component, found.gap, found.is_exact,
        found.left, found.right, values, found.bits,
    )  # fmt: skip


def _specialise(
    network: Network, generator: Generator, seed: int
) -> tuple[Network, Generator, tuple[tuple[str, Fraction], ...]] | None:
    stream, field = random.Random(seed), network.field
    names = field.names if isinstance(field, FunctionField) else ()
    values = {n: Fraction(_odd(stream), stream.choice((2, 3, 5))) for n in names}
    try:
        net = specialise_network(network, values)
        gen = specialise_generator(generator, values)
    except ZeroDivisionError:
        return None
    return net, gen, tuple(sorted(values.items()))


def defect_at(
    network: Network, generator: Generator, point: Sequence[Fraction], bits: int
) -> Counterexample | None:
    """Return the defect at one point as a counterexample, or None if 0 is not excluded."""
    field = network.field
    start = tuple(field(x) for x in point)
    moved = generator.input.apply(start)
    left, here = network.evaluate(moved), network.evaluate(start)
    if left is not None and here is not None:
        return _exact_defect(network, generator, point, left, generator.output.apply(here))
    return _ball_defect(network, generator, point, start, moved, bits)


def _exact_defect(
    network: Network,
    generator: Generator,
    point: Sequence[Fraction],
    left: tuple[Any, ...],
    right: tuple[Any, ...],
) -> Counterexample | None:
    field = network.field
    best: tuple[Fraction, int, bool] | None = None
    for j, (a, b) in enumerate(zip(left, right, strict=True)):
        gap = a - b
        if field.is_zero(gap):
            continue
        size, is_exact = modulus(field, gap)
        if best is None or size > best[0]:
            best = (size, j, is_exact)
    if best is None:
        return None
    size, j, is_exact = best
    bits = needed_bits(network)
    if bits is not None:  # the checker encloses, so the gap needs room
        size, is_exact = shorten_down(size / 2), False
    texts = field.text(left[j]), field.text(right[j])
    return Counterexample(
        generator.name, tuple(point), j, size, is_exact, texts[0], texts[1], (), bits
    )


def needed_bits(*networks: Network) -> int | None:
    """Return a precision for the checker where it must enclose values, else None.

    An analytic activation may have an exact value at this point; the checker encloses
    it all the same.
    """
    is_exact = all(
        layer.activation.is_polynomial or layer.activation.is_piecewise_linear
        for network in networks
        for layer in network.layers
    )
    rational = all(network.field.kind == "rational" for network in networks)
    return None if is_exact and rational else 2 * QUICK_BITS


def modulus(field: Any, gap: Any) -> tuple[Fraction, bool]:
    """Return a positive lower bound of |gap| of readable size, and whether it is |gap|."""
    if field.kind == "rational":
        size = abs(Fraction(int(gap.p), int(gap.q)))
        if size.denominator.bit_length() + size.numerator.bit_length() < 3 * GAP_DIGITS:
            return size, True
        return shorten_down(size), False
    bits = 64
    while True:  # a non-zero element of Q(α) is a non-zero real number, so this ends
        with precision(bits):
            size = lower_bound_abs(field.ball(gap, bits))
        if size > 0:
            return shorten_down(size), False
        bits *= 2


def _ball_defect(
    network: Network,
    generator: Generator,
    point: Sequence[Fraction],
    start: tuple[Any, ...],
    moved: tuple[Any, ...],
    bits: int,
) -> Counterexample | None:
    field = network.field
    with precision(bits):
        left = network.ball_evaluate(moved, bits)
        here = network.ball_evaluate(start, bits)
        matrix, shift = generator.output.matrix().to_rows(), generator.output.shift
        right = [
            sum((field.ball(c, bits) * y for c, y in zip(row, here, strict=True) if c), start=0)
            + field.ball(s, bits)
            for row, s in zip(matrix, shift, strict=True)
        ]
        sizes = [lower_bound_abs(a - b) for a, b in zip(left, right, strict=True)]
        j = max(range(len(sizes)), key=sizes.__getitem__)
        if sizes[j] <= 0:
            return None
        texts = left[j].str(20, radius=False), right[j].str(20, radius=False)
    gap = shorten_down(sizes[j] / 2)
    return Counterexample(
        generator.name, tuple(point), j, gap, False, texts[0], texts[1], (), 2 * bits
    )


def shorten_down(size: Fraction) -> Fraction:
    """Return a rational with a short spelling in (0, size], at least 63/64 of it.

    Examples
    --------
    >>> shorten_down(Fraction(10**30 + 1, 3 * 10**30))
    Fraction(85, 256)
    """
    if size.denominator < 10_000 and size.numerator < 10_000:
        return size
    exponent = size.denominator.bit_length() - size.numerator.bit_length() + 7
    unit = Fraction(1, 1 << exponent) if exponent >= 0 else Fraction(1 << -exponent)
    return (size // unit) * unit


def as_fraction(element: fmpq) -> Fraction:
    """Return a FLINT rational as a Python fraction."""
    return Fraction(int(element.p), int(element.q))
