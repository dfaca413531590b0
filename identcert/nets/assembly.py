"""From spelled numbers to layers over the smallest field that contains them.

number == a rational, or an expression whose value waits until the field is known

Reading goes twice over a network: once to see which names and square roots occur,
which gives the field, and once to evaluate.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from flint import fmpq

from identcert.errors import InputError
from identcert.exact.field import QQ, Element, Field
from identcert.exact.matrix import Matrix
from identcert.exact.scalar import (
    AlgebraicDeclaration,
    Expression,
    evaluate,
    field_of,
    parse_scalar,
)
from identcert.exact.spelling import shortened
from identcert.nets.activation import Activation
from identcert.nets.layer import Layer, closed_by_identity
from identcert.nets.network import Network
from identcert.nets.reading import Reading, Source

Number = Any
"""A `fmpq`, an `Expression`, or an element of a field that is known from the start."""

Rows = Sequence[Sequence[Number]]

_FRACTION = re.compile(r"(?:-?[1-9][0-9]{0,999}|0)(/[1-9][0-9]{0,999})?", re.ASCII)
_DECIMAL = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?", re.ASCII)

ROWS_FIX = 'write a list of rows, such as [["1", "0"], ["-1/2", "3"]]'


@dataclass(frozen=True, slots=True)
class SpelledLayer:
    """One layer whose numbers wait for the field; ``bias`` is None if it was left out."""

    weight: Rows
    cols: int
    bias: Sequence[Number] | None
    activation: Activation


class NumberReader:
    """Reads the numbers of one network, counts how they are spelled, finds their field.

    Parameters
    ----------
    parameters : the declared parameters.
    algebraic : the declared algebraic number, or None.
    """

    def __init__(
        self, parameters: Sequence[str] = (), algebraic: AlgebraicDeclaration | None = None
    ) -> None:
        self._parameters, self._algebraic = tuple(parameters), algebraic
        self._declared = {*parameters, *([algebraic.symbol] if algebraic else [])}
        # what is declared counts as used: a file says over which field it wants to be read
        self._expressions = [parse_scalar(name, "declarations") for name in self._declared]
        self.counts: Counter[str] = Counter()

    def read(self, value: object, where: str) -> Number:
        """Return the number that an int, a float, a Decimal, a Fraction or a text spells.

        Raises
        ------
        InputError
            If it spells none, or a name in it is not declared.
        """
        if type(value) is int:
            self.counts["integers"] += 1
            return fmpq(value)
        if isinstance(value, str):
            return self._read_text(value, where)
        if isinstance(value, Fraction | fmpq):
            number: fmpq = QQ(value)
            self.counts["integers" if number.q == 1 else "fractions"] += 1
            return number
        if isinstance(value, float) or hasattr(value, "dtype"):
            return self._read_machine_number(value, where)
        number = evaluate(parse_scalar(value, where), QQ)
        self.counts["decimals" if isinstance(value, Decimal) else "integers"] += 1
        return number

    def _read_text(self, text: str, where: str) -> Number:
        match = _FRACTION.fullmatch(text)
        if match is not None:
            self.counts["fractions" if match[1] else "integers"] += 1
            return fmpq(text)
        expression = parse_scalar(text, where)
        unknown = sorted(expression.names - self._declared)
        if unknown:
            fix = 'add it to "parameters", or declare it under "algebraic"'
            raise InputError(f"the name {unknown[0]!r} is not declared", where, fix)
        self.counts["decimals" if _DECIMAL.fullmatch(text) else "expressions"] += 1
        self._expressions.append(expression)
        return expression

    def _read_machine_number(self, value: Any, where: str) -> fmpq:
        """Return a Python float or a NumPy scalar as the rational that it stores."""
        plain = value if isinstance(value, float) else value.item()
        if type(plain) is int:
            self.counts["integers"] += 1
            return fmpq(plain)
        if not isinstance(plain, float) or not math.isfinite(plain):
            raise InputError(f"{shortened(plain)} is not a real number", where)
        self.counts[value.dtype.name if hasattr(value, "dtype") else "float64"] += 1
        return fmpq(*plain.as_integer_ratio())

    def find_field(self) -> Field:
        """Return the smallest field of everything read and declared.

        Raises
        ------
        UnsupportedError
            If there are both parameters and algebraic numbers, or the degree exceeds 16.
        """
        return field_of(self._expressions, self._parameters, self._algebraic)

    def rows(self, value: Any, arriving: int, source: str, where: str) -> Rows:
        """Return the numbers of a weight with ``arriving`` columns and at least one row.

        Raises
        ------
        InputError
            If it is no list of rows of that length.
        """
        if not isinstance(value, list | tuple):
            raise InputError(f"{shortened(value)} is not a matrix", where, ROWS_FIX)
        if not value:
            raise InputError("the layer has no neurons", where, "give it at least one row")
        table = []
        for i, row in enumerate(value):
            if not isinstance(row, list | tuple):
                raise InputError(f"{shortened(row)} is not a row", f"{where}[{i}]", ROWS_FIX)
            if len(row) != arriving:
                what = f"the row has {_counted(len(row))}, but {arriving} arrive from {source}"
                fix = "give every row one number for each of them"
                raise InputError(what, f"{where}[{i}]", fix)
            table.append([self.read(entry, f"{where}[{i}][{j}]") for j, entry in enumerate(row)])
        return table

    def bias(self, value: Any, neurons: int, where: str) -> Sequence[Number]:
        """Return the numbers of a bias, one a neuron.

        Raises
        ------
        InputError
            If it is no list of that length.
        """
        if not isinstance(value, list | tuple):
            fix = 'write a list such as ["0", "1"], or leave the bias out'
            raise InputError(f"{shortened(value)} is not a bias", where, fix)
        if len(value) != neurons:
            what = f"the bias has {_counted(len(value))} for {neurons} rows of the weight"
            raise InputError(what, where, "give one number a row")
        return [self.read(entry, f"{where}[{i}]") for i, entry in enumerate(value)]

    def check_complete(self, where: str) -> None:
        """Check that nothing of the file was left unread; here nothing can be."""


def assembled(
    inputs: int,
    spelled: Sequence[SpelledLayer],
    reader: NumberReader,
    name: str | None,
    source: Source | None,
) -> Network:
    """Return the network over the smallest field, closed by an identity layer.

    Raises
    ------
    InputError
        If an expression has no value, such as 1/0; it names the place.
    UnsupportedError
        If no supported field contains the numbers.
    """
    field = reader.find_field()
    layers = closed_by_identity(_layer(each, field) for each in spelled)
    return Network(inputs, layers, field, name, source, Reading.of_counts(reader.counts))


def _layer(spelled: SpelledLayer, field: Field) -> Layer:
    rows = [[_value(number, field) for number in row] for row in spelled.weight]
    has_bias = spelled.bias is not None
    bias = spelled.bias if spelled.bias is not None else (fmpq(0),) * len(rows)
    entries = tuple([_value(number, field) for number in bias])
    weight = Matrix.of(rows, field, cols=spelled.cols)
    return Layer(weight, entries, spelled.activation, has_bias)


def _value(number: Number, field: Field) -> Element:
    return evaluate(number, field) if isinstance(number, Expression) else number


def _counted(number: int) -> str:
    return "1 number" if number == 1 else f"{number} numbers"
