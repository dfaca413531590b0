"""Networks from .nnet: decimals as decimals, normalisation folded in, errors with lines."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from flint import fmpq

from identcert.errors import InputError
from identcert.exact.matrix import Matrix
from identcert.nets.nnet_file import load_nnet

REAL = Path(__file__).parents[2] / "shared" / "real"
needs_real = pytest.mark.skipif(
    not (REAL / "acas_test_network.nnet").exists(), reason="the real networks are not here"
)

LINES = [
    "// a network by hand",
    "// of two layers",
    "2,2,1,3,",
    "2,3,1,",
    "0,",
    "-1.0,-1.0,",
    "1.0,1.0,",
    "0.5,1e-1,10,",
    "2,3,7.5,",
    "1.0,2.0,",
    "-3,.5,",
    "0,1e1,",
    "0.1,",
    "0,",
    "-0.25,",
    "1,1,-1,",
    "4,",
]


def write(tmp_path: Path, lines: list[str]) -> Path:
    path = tmp_path / "net.nnet"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_bare_layers(tmp_path: Path) -> None:
    network = load_nnet(write(tmp_path, LINES), normalise=False)
    first, last = network.layers
    assert first.weight == Matrix.of([[1, 2], [-3, Fraction(1, 2)], [0, 10]])
    assert first.bias == (fmpq(1, 10), fmpq(0), fmpq(-1, 4))
    assert last.weight == Matrix.of([[1, 1, -1]])
    assert [layer.activation.key for layer in network.layers] == ["relu", "identity"]
    assert last.bias == (fmpq(4),)


def test_normalisation_is_folded_exactly(tmp_path: Path) -> None:
    path = write(tmp_path, LINES)
    whole, bare = load_nnet(path), load_nnet(path, normalise=False)
    assert len(whole.layers) == 2
    for x in [(fmpq(0), fmpq(0)), (fmpq(3), fmpq(-2)), (fmpq(1, 3), fmpq(22, 7))]:
        inside = ((x[0] - fmpq(1, 2)) / 2, (x[1] - fmpq(1, 10)) / 3)
        bare_value = bare.evaluate(inside)
        assert bare_value is not None
        assert whole.evaluate(x) == (bare_value[0] * fmpq(15, 2) + 10,)


def test_trailing_commas_and_blank_end_do_not_matter(tmp_path: Path) -> None:
    plain = [line.rstrip(",") for line in LINES]
    network = load_nnet(write(tmp_path, [*plain, "", "  "]))
    assert network.layers == load_nnet(write(tmp_path, LINES)).layers


def changed(line: int, text: str) -> list[str]:
    return [*LINES[: line - 1], text, *LINES[line:]]


BAD = {
    "too few sizes": (changed(3, "2,2,1,"), 3, "4 numbers and are 3"),
    "sizes not whole": (changed(3, "2,2.0,1,3,"), 3, "'2.0' is not a positive whole number"),
    "zero width": (changed(4, "2,0,1,"), 4, "positive"),
    "too few widths": (changed(4, "2,1,"), 4, "layer widths should be 3 numbers and are 2"),
    "widths against sizes": (changed(4, "3,3,1,"), 4, "do not go from 2 inputs to 1 outputs"),
    "widest layer": (changed(3, "2,2,1,4,"), 4, "not 4"),
    "short minima": (changed(6, "1,"), 6, "the input minima"),
    "means without output": (changed(8, "0.5,1e-1,"), 8, "the means should be 3"),
    "zero range": (changed(9, "2,0.0,1,"), 9, "divides by zero"),
    "short row": (changed(11, "-3,"), 11, "weight row 2 of layer 1 should be 2 numbers and are 1"),
    "not a number": (changed(12, "nan,1,"), 12, "'nan' is not a decimal"),
    "infinite": (changed(12, "0,inf,"), 12, "'inf'"),
    "hexadecimal": (changed(12, "0x1p3,1,"), 12, "'0x1p3'"),
    "underscore": (changed(12, "1_0,1,"), 12, "'1_0'"),
    "fraction": (changed(12, "1/2,1,"), 12, "'1/2'"),
    "other digits": (changed(12, "٣,1,"), 12, "not a decimal"),
    "double comma": (changed(12, "1,,"), 12, "''"),
    "huge exponent": (changed(12, "1e2000,1,"), 12, "moderate length"),
    "absurd exponent": (changed(12, "1e" + "9" * 5000 + ",1,"), 12, "moderate length"),
    "too many digits": (changed(12, "1" * 10_001 + ",1,"), 12, "moderate length"),
    "blank line": (changed(13, ""), 13, "bias 1 of layer 1 should be 1 numbers and are 0"),
    "comment inside": (changed(13, "// no"), 13, "not a decimal"),
    "long bias": (changed(13, "1,2,"), 13, "bias 1 of layer 1"),
    "truncated": (LINES[:-1], 16, "ends before bias 1 of layer 2"),
    "goes on": ([*LINES, "1,"], 18, "goes on"),
    "only comments": (LINES[:2], 2, "ends before the sizes"),
    "empty": ([], 1, "ends before the sizes"),
}


@pytest.mark.parametrize(("lines", "line", "sentence"), BAD.values(), ids=BAD)
def test_errors_say_the_line(lines: list[str], line: int, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refusal:
        load_nnet(write(tmp_path, lines))
    assert f"net.nnet, line {line}: " in str(refusal.value)
    assert sentence in str(refusal.value)
    assert len(str(refusal.value)) < 200


def test_long_decimals_are_read(tmp_path: Path) -> None:
    network = load_nnet(write(tmp_path, changed(13, "0." + "3" * 6000)), normalise=False)
    assert network.layers[0].bias[0] == (1 - fmpq(10) ** -6000) / 3


def test_files_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "net.nnet"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not a text file"):
        load_nnet(path)
    with pytest.raises(InputError, match="cannot be read"):
        load_nnet(tmp_path / "missing.nnet")


@needs_real
def test_real_network_has_decimal_weights() -> None:
    network = load_nnet(REAL / "acas_test_network.nnet", normalise=False)
    assert network.widths == (5, 50, 50, 50, 50, 50, 50, 5)
    assert network.layers[0].weight[0, 0] == fmpq(540062, 10**7)


ROUNDING = fmpq(1, 2**24)
"""The largest relative error of a float32 that is nearest to a number."""


@needs_real
def test_onnx_of_the_real_network_is_the_rounded_fold() -> None:
    """The .onnx takes raw inputs and gives raw outputs: the folded .nnet, rounded to float32.

    Every weight and bias of the two agrees within the relative error 2^-24 of one
    rounding; without the normalisation they are far apart.
    """
    pytest.importorskip("onnx", reason="the library onnx is not installed")
    from identcert.nets.onnx_file import load_onnx

    rounded = load_onnx(REAL / "acas_test_network.onnx")
    folded = load_nnet(REAL / "acas_test_network.nnet")
    pairs = [
        (exact, stored)
        for ours, theirs in zip(folded.layers, rounded.layers, strict=True)
        for row, mate in zip(
            [*ours.weight.to_rows(), ours.bias], [*theirs.weight.to_rows(), theirs.bias],
            strict=True,
        )
        for exact, stored in zip(row, mate, strict=True)
    ]  # fmt: skip
    assert len(pairs) == folded.reading.total == rounded.reading.total
    assert all(abs(stored - exact) <= ROUNDING * abs(exact) for exact, stored in pairs)
    bare = load_nnet(REAL / "acas_test_network.nnet", normalise=False)
    assert abs(bare.layers[-1].bias[0] - rounded.layers[-1].bias[0]) > 1

    corners = [(0, 3, 3, 100, 0), (60760, -3, 3, 1200, 1200), (20000, 0, 0, 650, 600)]
    for corner in corners:
        point = tuple(fmpq(x) for x in corner)
        exact, stored = folded.evaluate(point), rounded.evaluate(point)
        assert exact is not None and stored is not None
        size = max(map(abs, exact))
        assert all(abs(a - b) <= 16 * ROUNDING * size for a, b in zip(exact, stored, strict=True))
