"""Parameter values at which a network with symbolic weights may reduce otherwise.

system      == elements of Q(a, b, …) that must not vanish at the same time; for real
               parameters that is one polynomial, the sum of their squares
exceptional == polynomials such that where none of them vanishes, every weight and step
               is defined, no kept neuron is dead or constant, and no two are clones

The steps themselves are identities, so they hold wherever they are defined. What may
change is that *further* steps become possible on a set of measure zero; this set lies
inside the zeros of the polynomials listed here.

Source: theory of symbolic weights (§13).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import combinations
from typing import Any

from identcert.nets.constant import Constant
from identcert.nets.network import Layer, Network
from identcert.submodels.steps import MergeStep, Step

System = Iterable[Any]


def find_exceptional(original: Network, reduced: Network, steps: Iterable[Step]) -> tuple[Any, ...]:
    """Return polynomials outside whose zeros the reduction is as it is; () over numbers.

    Clones and dead neurons are told apart by the plain entries of their rows: entries
    with formal constants are not used.

    Examples
    --------
    >>> layers = [([["a", "b"], ["b", "a"]], [0, 0], "tanh"), ([[1, 1]], [0], "identity")]
    >>> net = Network.dense(layers, parameters=["a", "b"])
    >>> find_exceptional(net, net, ())
    (a + b, a - b)
    """
    field = original.field
    if field.kind != "parametric":
        return ()
    systems: list[System] = [[d] for d in _denominators(original, field)]
    for step in steps:
        if isinstance(step, MergeStep):
            systems += [[step.scale], [field.one / step.scale]]
    for layer, following in zip(reduced.layers, reduced.layers[1:], strict=False):
        systems.extend(_systems_of_layer(layer, following))
    return _hypersurfaces(systems, field)


def _denominators(network: Network, field: Any) -> Iterator[Any]:
    one = field.one.numerator
    for layer in network.layers:
        for entry in (*layer.bias, *(w for row in layer.weight.to_rows() for w in row)):
            if not isinstance(entry, Constant):
                yield field.quotient(entry.denominator, one)


def _systems_of_layer(layer: Layer, following: Layer) -> Iterator[System]:
    rows = [
        (*row, None if isinstance(b, Constant) else b - layer.activation.centre)
        for row, b in zip(layer.weight.to_rows(), layer.bias, strict=True)
    ]
    for index, row in enumerate(rows):
        yield row[:-1]
        yield following.weight.column(index)
    for row, other in combinations(rows, 2):
        plain = [(x, y) for x, y in zip(row, other, strict=True) if x is not None and y is not None]
        yield from _clone_conditions(plain, layer.activation.scalings)


def _clone_conditions(pairs: Sequence[tuple[Any, Any]], shape: str) -> Iterator[System]:
    """Yield systems of which one vanishes where two rows become equivalent."""
    if shape in ("one", "sign"):
        yield (x - y for x, y in pairs)
        if shape == "sign":
            yield (x + y for x, y in pairs)
    else:
        yield (x * v - y * u for (x, y), (u, v) in combinations(pairs, 2))


def _hypersurfaces(systems: Iterable[System], field: Any) -> tuple[Any, ...]:
    """Return polynomials, one of which vanishes wherever a whole system does.

    The common factor of a system is split into irreducible ones; what remains of it has
    smaller zeros and is kept as a sum of squares, unless a factor found covers it.
    """
    one = field.one.numerator

    def monic(polynomial: Any) -> Any:
        return field.quotient(polynomial / polynomial.leading_coefficient(), one)

    found: set[Any] = set()
    smaller: list[list[Any]] = []
    for system in systems:
        polynomials = _numerators(system)
        if not polynomials:
            continue
        common = reduce(lambda p, q: p.gcd(q), polynomials)
        found.update(monic(factor) for factor, _ in common.factor()[1])
        rest = [_squarefree(p / common) for p in polynomials]
        others = ([q for q in rest if q != p] for p in rest)
        if not any(map(_is_unit, map(_remainder, rest, others))):
            smaller.append(rest)
    for rest in smaller:
        if all(_remainder(element.numerator, rest) for element in found):
            found.add(sum((x * x for x in {monic(p) for p in rest}), field.zero))
    return tuple(sorted(found, key=field.text))


def _numerators(system: System) -> list[Any]:
    """Return the numerators other than 0; none if one of them never vanishes."""
    found = []
    for element in system:
        if element and element.numerator.is_constant():
            return []  # most systems end here, at their first entry
        if element:
            found.append(element.numerator)
    return found


def _is_unit(polynomial: Any) -> bool:
    return bool(polynomial) and bool(polynomial.is_constant())


def _squarefree(polynomial: Any) -> Any:
    return reduce(lambda p, factor: p * factor[0], polynomial.factor()[1], polynomial**0)


def _remainder(polynomial: Any, divisors: Sequence[Any]) -> Any:
    """Return the polynomial modulo others: 0, or a constant, where that is easy to see.

    The remainder lies in polynomial + (divisors): where they all vanish, it equals the
    polynomial.
    """
    for divisor in divisors:
        _, polynomial = divmod(polynomial, divisor)
    return polynomial
