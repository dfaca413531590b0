"""Networks in .nnet files: ReLU networks as text, with their stored normalisation.

Glossary
--------
header : lines that start with ``//``.
sizes : number of layers, inputs, outputs, widest layer; then all widths.
stored normalisation : input (x − mean)/range, output y·range + mean.

Line order: sizes, widths, a flag without meaning, input minima, input maxima,
means and ranges (one for each input, one for all outputs), then for each layer
its weight row by row and its bias one number a line. Commas at line ends may be
left out. Numbers are decimals and are read as the rationals that they spell; the
minima and maxima are checked to be numbers and change nothing: no clamping.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import NoReturn

from flint import fmpq, fmpz

from identcert.errors import InputError
from identcert.exact.field import QQ
from identcert.exact.matrix import Matrix
from identcert.nets.activation import activation
from identcert.nets.chain import Chain
from identcert.nets.network import Network, Reading, Source

DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,6})?", re.ASCII)
WHOLE = re.compile(r"[0-9]{1,9}", re.ASCII)
LONGEST_NUMBER, LARGEST_EXPONENT = 10_000, 1_000


class NumberedLines:
    """The lines after the header, each read once, as numbers, with its place for messages."""

    def __init__(self, text: str, file: str) -> None:
        lines = text.splitlines()
        while lines and not lines[-1].strip():
            lines.pop()
        self._file, self._count = file, max(1, len(lines))
        self._lines: Iterator[tuple[int, str]] = iter(enumerate(lines, 1))
        self._header = True
        self.line = 0

    def fail(self, what: str) -> NoReturn:
        """Raise an InputError at the line read last."""
        raise InputError(what, f"{self._file}, line {self.line}")

    def words(self, count: int | None, what: str) -> list[str]:
        """Return the comma-separated words of the next line, exactly count of them."""
        for line, content in self._lines:
            self.line = line
            if self._header and content.lstrip().startswith("//"):
                continue
            self._header = False
            words = [word.strip() for word in content.strip().removesuffix(",").split(",")]
            found = 0 if words == [""] else len(words)
            if count is not None and found != count:
                self.fail(f"{what} should be {count} numbers and are {found}")
            return words
        self.line = self._count
        self.fail(f"the file ends before {what}; it may be truncated")

    def whole_numbers(self, count: int | None, what: str) -> list[int]:
        """Return the next line as positive whole numbers."""
        words = self.words(count, what)
        for word in words:
            if not WHOLE.fullmatch(word) or int(word) == 0:
                self.fail(f"{what}: {word[:40]!r} is not a positive whole number")
        return [int(word) for word in words]

    def rationals(self, count: int, what: str) -> list[fmpq]:
        """Return the next line as the exact rationals that its decimals spell."""
        words = self.words(count, what)
        return [self._rational(word, what) for word in words]

    def _rational(self, word: str, what: str) -> fmpq:
        mantissa, _, exponent = word.lower().partition("e")
        if (
            len(word) > LONGEST_NUMBER
            or not DECIMAL.fullmatch(word)
            or abs(int(exponent or 0)) > LARGEST_EXPONENT
        ):
            self.fail(f"{what}: {word[:40]!r} is not a decimal number of moderate length")
        whole, _, decimals = mantissa.partition(".")
        # fmpz reads numerals that are longer than Python's int accepts.
        digits = fmpz(whole.lstrip("+") + decimals)
        return digits * fmpq(10) ** (int(exponent or 0) - len(decimals))

    def check_ended(self) -> None:
        """Check that no line is left."""
        for line, _ in self._lines:
            self.line = line
            self.fail("the network is complete, but the file goes on; check the sizes")


def load_nnet(path: str | Path, normalise: bool = True) -> Network:
    """Return the ReLU network that a .nnet file spells, exactly.

    Parameters
    ----------
    path : the file.
    normalise : whether the stored normalisation belongs to the network, which then
        takes and returns physical quantities; if not, the bare layers are returned.

    Raises
    ------
    InputError
        If the file is missing or deviates from the format; says in which line.
    """
    path = Path(path)
    try:
        data = path.read_bytes()
        lines = NumberedLines(data.decode("utf-8"), path.name)
    except OSError as error:
        raise InputError(f"the file cannot be read ({error.strerror})", path.name) from error
    except UnicodeDecodeError as error:
        raise InputError("this is not a text file", path.name) from error
    widths = _read_widths(lines)
    chain = _read_chain(lines, widths, normalise)
    reading = Reading(decimals=sum((n + 1) * m for n, m in pairwise(widths)))
    source = Source(path.name, sha256(data).hexdigest(), "nnet")
    return Network(chain.inputs, chain.layers(), QQ, None, source, reading)


def _read_widths(lines: NumberedLines) -> list[int]:
    """Return the widths, inputs to outputs, checked against the first line."""
    depth, inputs, outputs, widest = lines.whole_numbers(4, "the sizes")
    widths = lines.whole_numbers(depth + 1, "the layer widths")
    if widths[0] != inputs or widths[-1] != outputs:
        lines.fail(f"the widths {widths} do not go from {inputs} inputs to {outputs} outputs")
    if widest != max(widths):
        lines.fail(f"the widest layer has {max(widths)} neurons, not {widest} as the sizes say")
    return widths


def _read_chain(lines: NumberedLines, widths: list[int], normalise: bool) -> Chain:
    """Return the layers of the given widths, inside the stored normalisation if asked."""
    inputs, outputs = widths[0], widths[-1]
    lines.rationals(1, "the unused flag")
    lines.rationals(inputs, "the input minima")
    lines.rationals(inputs, "the input maxima")
    means = lines.rationals(inputs + 1, "the means")
    ranges = lines.rationals(inputs + 1, "the ranges")
    if any(size == 0 for size in ranges):
        lines.fail("a range is 0, so the normalisation divides by zero")
    chain = Chain(inputs)
    if normalise:
        chain.shift([-mean for mean in means[:-1]])
        chain.scale([1 / size for size in ranges[:-1]])
    for layer, (n, m) in enumerate(pairwise(widths), 1):
        if layer > 1:
            chain.activate(activation("relu"))
        rows = [lines.rationals(n, f"weight row {i} of layer {layer}") for i in range(1, m + 1)]
        bias = [lines.rationals(1, f"bias {i} of layer {layer}")[0] for i in range(1, m + 1)]
        chain.dense(Matrix.of(rows, QQ, n), bias)
    lines.check_ended()
    if normalise:
        chain.scale([ranges[-1]] * outputs)
        chain.shift([means[-1]] * outputs)
    return chain
