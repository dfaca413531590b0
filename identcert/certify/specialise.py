"""Symbolic weights at rational parameter values.

specialise == the ring map Q[a, b, …] → Q that sends every parameter to its value
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from identcert.exact.field import QQ
from identcert.groups.action import Generator
from identcert.nets.network import Network


def specialise_network(network: Network, values: Mapping[str, Fraction]) -> Network:
    """Return the network over Q at the given parameter values.

    Raises
    ------
    ZeroDivisionError
        If a denominator vanishes there.
    """
    return network.over(QQ, _evaluation(values))


def specialise_generator(generator: Generator, values: Mapping[str, Fraction]) -> Generator:
    """Return the generator over Q at the given parameter values.

    Raises
    ------
    ZeroDivisionError
        If a denominator vanishes there.
    """
    at_values = _evaluation(values)
    return Generator(
        generator.name, generator.input.over(QQ, at_values), generator.output.over(QQ, at_values)
    )


def _evaluation(values: Mapping[str, Fraction]) -> Callable[[Any], Any]:
    def at_values(element: Any) -> Any:
        value = element.at(values)
        if value is None:
            raise ZeroDivisionError("a denominator vanishes at these parameter values")
        return value

    return at_values
