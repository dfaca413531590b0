"""Symbolic weights at rational parameter values.

specialise == the ring map Q[a, b, …] → Q that sends every parameter to its value
"""

from __future__ import annotations

from collections.abc import Mapping
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
    return network.over(QQ, _evaluation(network.field, values))


def specialise_generator(generator: Generator, values: Mapping[str, Fraction]) -> Generator:
    """Return the generator over Q at the given parameter values.

    Raises
    ------
    ZeroDivisionError
        If a denominator vanishes there.
    """
    at_values = _evaluation(generator.input.field, values)
    return Generator(
        generator.name, generator.input.over(QQ, at_values), generator.output.over(QQ, at_values)
    )


def _evaluation(field: Any, values: Mapping[str, Fraction]) -> Any:
    return lambda element: field.evaluate(element, values)
