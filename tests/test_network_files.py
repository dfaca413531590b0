"""Network files: strict reading with places, and both spellings written back."""

from __future__ import annotations

import copy
import json
import struct
from collections.abc import Callable
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from identcert.errors import InputError, UnsupportedError
from identcert.exact.field import QQ
from identcert.exact.join import join
from identcert.exact.matrix import Matrix
from identcert.nets.activation import Activation, activation
from identcert.nets.constant import constant_value
from identcert.nets.files import (
    canonical_network,
    network_bytes,
    parse_network,
    read_network,
    write_network,
)
from identcert.nets.layer import Layer
from identcert.nets.network import Network
from identcert.nets.tensors import pack_tensors, unpack_tensors
from identcert.witness.codec import canonical_bytes

CUBIC = {"symbol": "t", "minpoly": ["-1", "-2", "1", "1"], "root": ["1.2", "1.3"]}
HUMAN: dict[str, Any] = {
    "format": "identcert.network",
    "version": 1,
    "name": "two layers",
    "inputs": 2,
    "layers": [
        {"kind": "dense", "activation": "tanh", "weight": [["1", 0], ["-1/2", 3]],
         "bias": ["0", 1]},
        {"kind": "dense", "weight": [["1", 0.5]], "activation": "identity"},
    ],
}  # fmt: skip
PLAIN = Network.dense(
    [([[1, 0], ["-1/2", 3]], [0, 1], "tanh"), ([[1, "0.5"]], None, "identity")], name="two layers"
)
CANONICAL = canonical_network(PLAIN)[0]

Change = Callable[[dict[str, Any]], object]


def setter(path: str, value: Any) -> Change:
    """The change that sets one place, such as ``layers.0.bias``, to a value."""

    def change(document: dict[str, Any]) -> None:
        *parents, last = [int(k) if k.lstrip("-").isdigit() else k for k in path.split(".")]
        place: Any = document
        for key in parents:
            place = place[key]
        place[last] = value

    change.__name__ = f"{path}={value!r}"[:50]
    return change


def remover(path: str) -> Change:
    def change(document: dict[str, Any]) -> None:
        *parents, last = [int(k) if k.isdigit() else k for k in path.split(".")]
        place: Any = document
        for key in parents:
            place = place[key]
        del place[last]

    change.__name__ = f"without {path}"
    return change


def test_the_example_of_the_format(tmp_path: Path) -> None:
    path = tmp_path / "net.network.json"
    path.write_text(json.dumps(HUMAN), encoding="utf-8")
    network = Network.load(path)
    assert network == PLAIN == parse_network(HUMAN, "net")
    assert [layer.has_bias for layer in network.layers] == [True, False]
    assert network.name == "two layers"
    assert network.source is not None
    assert network.source.name == "net.network.json" and network.source.format == "json"
    assert network.source.sha256 == sha256(path.read_bytes()).hexdigest()
    reading = network.reading
    assert (reading.integers, reading.fractions, reading.decimals) == (6, 1, 1)
    assert reading.sentence() == (
        "6 integers, 1 fraction and 1 decimal, read as what its digits spell."
    )


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (setter("format", "identcert.action"), "net, format: the format is 'identcert.action'"),
        (setter("format", 1), "net, format"),
        (setter("version", 2), "net, version: version 2 .*reads version 1"),
        (setter("version", True), "net, version"),
        (setter("version", "1"), "net, version"),
        (setter("inputs", 0), "net, inputs: 0 is not a positive integer"),
        (setter("inputs", -3), "net, inputs"),
        (setter("inputs", "2"), "net, inputs"),
        (setter("inputs", True), "net, inputs"),
        (setter("inputs", 10**12), r"layers\[0\].weight\[0\]: the row has 2 numbers"),
        (setter("inputs", 3), r"layers\[0\].weight\[0\]: .* 3 arrive from the inputs"),
        (setter("name", 7), "net, name"),
        (setter("name", "a\nb"), "net, name: .*printable"),
        (setter("name", "\ud800"), "net, name"),
        (setter("extra", 1), "net: the key 'extra' is not known; the keys here are"),
        (remover("format"), 'net: the key "format" is missing'),
        (remover("version"), '"version" is missing'),
        (remover("inputs"), '"inputs" is missing'),
        (remover("layers"), '"layers" is missing'),
        (setter("layers", []), "net, layers: the network has no list of layers"),
        (setter("layers", {}), "net, layers"),
        (setter("layers.0", 3), r"net, layers\[0\]: 3 is not an object"),
        (setter("layers.0.kind", "conv2d"), r"layers\[0\].kind: the kind 'conv2d'"),
        (remover("layers.0.kind"), r'layers\[0\]: the key "kind" is missing'),
        (remover("layers.0.weight"), r'layers\[0\]: the key "weight" is missing'),
        (remover("layers.1.activation"), r'layers\[1\]: the key "activation" is missing'),
        (setter("layers.0.stride", 1), r"layers\[0\]: the key 'stride' is not known"),
        (setter("layers.0.activation", "tahn"), r'layers\[0\].activation: .*write "tanh"'),
        (setter("layers.0.activation", "y^2"), r"layers\[0\].activation: .*the name 'y'"),
        (setter("layers.0.activation", None), r"layers\[0\].activation: .*not None"),
        (setter("layers.0.weight", "1"), r"layers\[0\].weight: '1' is not a matrix"),
        (setter("layers.0.weight", []), r"layers\[0\].weight: the layer has no neurons"),
        (setter("layers.0.weight.1", "12"), r"weight\[1\]: '12' is not a row"),
        (setter("layers.0.weight.1", ["1"]), r"weight\[1\]: the row has 1 number, but 2 arrive"),
        (setter("layers.0.weight.1", ["1"] * 3), r"weight\[1\]: the row has 3 numbers"),
        (setter("layers.1.weight.0", ["1"]), r"layers\[1\].weight\[0\].*from layers\[0\]"),
        (setter("layers.0.weight.1.0", "1/0"), r"weight\[1\]\[0\]: division by zero"),
        (setter("layers.0.weight.1.0", "b"), r"weight\[1\]\[0\]: the name 'b' is not declared"),
        (setter("layers.0.weight.1.0", "x"), r"weight\[1\]\[0\]"),
        (setter("layers.0.weight.1.0", "1 2"), r"weight\[1\]\[0\]"),
        (setter("layers.0.weight.1.0", ""), r"weight\[1\]\[0\]"),
        (setter("layers.0.weight.1.0", "sqrt(-2)"), r"weight\[1\]\[0\]"),
        (setter("layers.0.weight.1.0", "sqrt(sqrt(2))"), r"weight\[1\]\[0\]"),
        (setter("layers.0.weight.1.0", "2^1001"), r"weight\[1\]\[0\]"),
        (setter("layers.0.weight.1.0", "1" * 10_001), r"weight\[1\]\[0\]"),
        (setter("layers.0.weight.1.0", "__import__('os')"), r"weight\[1\]\[0\]"),
        (setter("layers.0.weight.1.0", None), r"weight\[1\]\[0\]: null"),
        (setter("layers.0.weight.1.0", True), r"weight\[1\]\[0\]: true"),
        (setter("layers.0.weight.1.0", ["1"]), r"weight\[1\]\[0\]"),
        (setter("layers.0.weight.1.0", {}), r"weight\[1\]\[0\]"),
        (setter("layers.0.bias", ["1"]), r"layers\[0\].bias: the bias has 1 number for 2 rows"),
        (setter("layers.0.bias", None), r"layers\[0\].bias: null is not a bias"),
        (setter("layers.0.bias.1", "b"), r"layers\[0\].bias\[1\]: the name 'b'"),
        (setter("parameters", "a"), "net, parameters: 'a' is not a list"),
        (setter("parameters", ["a", "a"]), r"net, parameters\[1\]: the name 'a' is declared twice"),
        (setter("parameters", ["x"]), r"net, parameters\[0\]: 'x' cannot be a name"),
        (setter("parameters", ["sqrt"]), r"net, parameters\[0\]"),
        (setter("parameters", ["2a"]), r"net, parameters\[0\]"),
        (setter("parameters", [3]), r"net, parameters\[0\]"),
        (setter("algebraic", 3), "net, algebraic: 3 is not an object"),
        (setter("algebraic", {**CUBIC, "degree": 3}), "net, algebraic: the key 'degree'"),
        (setter("algebraic", {"symbol": "t"}), 'net, algebraic: the key "minpoly" is missing'),
        (setter("algebraic", {**CUBIC, "symbol": "x"}), "net, algebraic.symbol"),
        (setter("algebraic", {**CUBIC, "root": ["1.2"]}), "net, algebraic.root"),
        (setter("algebraic", {**CUBIC, "root": ["-2", "9"]}), "net, algebraic"),
        (setter("algebraic", {**CUBIC, "root": ["5", "6"]}), "net, algebraic"),
        (setter("algebraic", {**CUBIC, "root": 5}), "net, algebraic.root: 5 is not a list"),
        (setter("algebraic", {**CUBIC, "minpoly": ["-1", "0", "1"]}), "irreducible"),
        (setter("algebraic", {**CUBIC, "minpoly": ["1"]}), "net, algebraic"),
        (setter("algebraic", {**CUBIC, "minpoly": ["a", "1", "1"]}), r"algebraic.minpoly\[0\]"),
    ],
    ids=lambda p: getattr(p, "__name__", ""),
)
def test_faults_of_people_have_a_place(change: Change, what: str) -> None:
    document = copy.deepcopy(HUMAN)
    change(document)
    with pytest.raises(InputError, match=what) as refusal:
        parse_network(document, "net")
    text = str(refusal.value)
    assert text.startswith("net") and "\n" not in text and len(text) < 500


@pytest.mark.parametrize("document", [None, 3, "net", [], [HUMAN], True])
def test_a_network_is_an_object(document: Any) -> None:
    with pytest.raises(InputError, match=r"net: .*is not an object"):
        parse_network(document, "net")


def with_bytes(folder: Path, content: bytes) -> Path:
    path = folder / "net.network.json"
    path.write_bytes(content)
    return path


TEXT = json.dumps(HUMAN)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "line 1, column 1: this is not valid JSON"),
        (TEXT[:-1].encode(), "not valid JSON"),
        (TEXT.encode() + b"x", "not valid JSON"),
        (b"\xff\xfe{}", "byte 0 is not valid UTF-8; save the file as UTF-8"),
        (TEXT.replace("two", "tw\xf6").encode("latin-1"), "is not valid UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (TEXT.replace("0.5", "NaN").encode(), r"layers\[1\].weight\[0\]\[1\]: NaN is not a real"),
        (TEXT.replace("0.5", "-Infinity").encode(), r"weight\[0\]\[1\]: -Infinity is not"),
        (TEXT.replace("0.5", "1e2000").encode(), r"layers\[1\].weight\[0\]\[1\]"),
        (TEXT.replace("0.5", "1e999999999999999999999").encode(), "too large"),
        (TEXT.replace("0.5", "9" * 10_001).encode(), "more than 10,?000 digits"),
        (TEXT.replace('"weight"', '"weight": [], "weight"', 1).encode(),
         r"net.network.json, layers\[0\]: the key \"weight\" is written twice"),
        (TEXT.replace('"inputs"', '"inputs": 3, "inputs"').encode(),
         r"net.network.json: the key \"inputs\" is written twice; keep one"),
        (TEXT.replace('"tanh"', '{"leaky_relu": 2, "leaky_relu": 3}').encode(),
         r"activation: the key \"leaky_relu\" is written twice"),
        (b"\x80\x02}q\x00.", "not valid UTF-8"),
    ],
    ids=range(16),
)  # fmt: skip
def test_faults_of_bytes_have_a_place(tmp_path: Path, content: bytes, what: str) -> None:
    with pytest.raises(InputError, match=what) as refusal:
        Network.load(with_bytes(tmp_path, content))
    text = str(refusal.value)
    assert text.startswith("net.network.json") and "\n" not in text and len(text) < 500


def test_numbers_of_many_digits_are_read(tmp_path: Path) -> None:
    content = TEXT.replace("0.5", "9" * 9_000).replace('"-1/2"', '"' + "8" * 9_000 + '"').encode()
    network = read_network(with_bytes(tmp_path, content))
    assert network.layers[1].weight[0, 1] == 10**9_000 - 1


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    assert read_network(with_bytes(tmp_path, b"\xef\xbb\xbf" + TEXT.encode())) == PLAIN


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    for path in (tmp_path / "none.network.json", tmp_path / "no" / "net.json", Path("a\0b.json")):
        with pytest.raises(InputError):
            Network.load(path)
    folder = tmp_path / "folder.json"
    folder.mkdir()
    with pytest.raises(InputError, match="folder"):
        Network.load(folder)
    with pytest.raises(InputError, match="cannot be written"):
        write_network(PLAIN, tmp_path / "no" / "such" / "folder.network.json")


def test_parameters_and_algebraic_numbers_are_refused(tmp_path: Path) -> None:
    document = {**HUMAN, "parameters": ["a"], "algebraic": CUBIC}
    with pytest.raises(UnsupportedError, match="net: parameters and algebraic"):
        parse_network(document, "net")
    roots = [[f"sqrt({p})" for p in (2, 3, 5, 7, 11)]]
    layer = {"kind": "dense", "weight": roots, "activation": "identity"}
    with pytest.raises(UnsupportedError, match="net: "):
        parse_network({**HUMAN, "inputs": 5, "layers": [layer]}, "net")


small = st.fractions(-9, 9, max_denominator=6).map(str)
SIGMAS: list[Any] = ["tanh", "relu6", "x^2 - 1/2*x", {"leaky_relu": "-1/10"}, "3", "identity"]


@st.composite
def networks(draw: st.DrawFn) -> Network:
    kind = draw(st.sampled_from(["rational", "roots", "declared", "parametric"]))
    words = {
        "rational": ["1"], "roots": ["sqrt(2)", "sqrt(3)", "1"],
        "declared": ["t", "t^2", "sqrt(2)"],
        "parametric": ["a", "b/(a+1)", "1/(a*b)", "a^2-b"],
    }[kind]  # fmt: skip
    number = st.tuples(small, st.sampled_from(words)).map(lambda t: f"({t[0]})*({t[1]})")
    widths = draw(st.lists(st.integers(1, 3), min_size=2, max_size=3))
    layers = [
        (
            [[draw(number | small) for _ in range(n)] for _ in range(m)],
            draw(st.none() | st.lists(number, min_size=m, max_size=m)),
            draw(st.sampled_from(SIGMAS)),
        )
        for n, m in pairwise(widths)
    ]
    names = ["a", "b"] if kind == "parametric" else []
    return Network.dense(layers, None, names, CUBIC if kind == "declared" else None, "α & β")


@given(networks())
@settings(max_examples=40)
def test_both_spellings_read_back(network: Network) -> None:
    human = parse_network(json.loads(network_bytes(network)), "net")
    # the smallest field may have lost a root that only a term like 0*sqrt(2) had named
    field, embed_human, embed = join(human.field, network.field)
    assert human.over(field, embed_human) == network.over(field, embed)
    assert field == network.field
    tree, tensors = canonical_network(network)
    content = canonical_bytes(tree)
    assert tensors is None
    again = parse_network(json.loads(content), "net")
    assert again == network and again.field == network.field and again.name == network.name
    assert canonical_bytes(canonical_network(again)[0]) == content


def test_the_canonical_tree() -> None:
    assert CANONICAL == {
        "field": {"kind": "rational"},
        "format": "identcert.network",
        "inputs": 2,
        "name": "two layers",
        "version": 1,
        "layers": [
            {"activation": "tanh", "bias": ["0", "1"], "kind": "dense",
             "weight": [["1", "0"], ["-1/2", "3"]]},
            {"activation": "identity", "bias": ["0"], "kind": "dense", "weight": [["1", "1/2"]]},
        ],
    }  # fmt: skip
    roots = Network.dense([([["1 - sqrt(2)/2"]], None, {"leaky_relu": "0.1"})])
    tree = canonical_network(roots)[0]
    assert tree["field"]["kind"] == "algebraic" and tree["field"]["minpoly"] == ["-2", "0", "1"]
    assert tree["layers"][0]["weight"] == [[["1", "-1/2"]]]
    assert tree["layers"][0]["activation"] == {"leaky_relu": "1/10"}
    symbols = Network.dense([([["a/b"]], None, "(x+1)^2")], parameters=["b", "a"])
    tree = canonical_network(symbols)[0]
    assert tree["field"] == {"kind": "parametric", "names": ["a", "b"]}
    assert tree["layers"][0]["weight"] == [
        [{"den": [[[0, 1], "1"]], "num": [[[1, 0], "1"]]}]
    ]  # fmt: skip
    assert tree["layers"][0]["activation"] == {"polynomial": ["1", "2", "1"]}


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (setter("field", {"kind": "real"}), "net, field"),
        (setter("field", 3), "net, field"),
        (setter("field", {"kind": "rational", "x": 1}), "net, field"),
        (setter("field", {"kind": "algebraic", "minpoly": ["-2", "0", "1"]}), "net, field"),
        (setter("parameters", ["a"]), "the key 'parameters' is not known"),
        (remover("layers.1.bias"), r'layers\[1\]: the key "bias" is missing'),
        (setter("layers.0.weight.1.0", "2/4"), r"weight\[1\]\[0\]: .*lowest terms"),
        (setter("layers.0.weight.1.0", 1), r"weight\[1\]\[0\]"),
        (setter("layers.0.weight.1.0", "0.5"), r"weight\[1\]\[0\]"),
        (setter("layers.0.weight.1.0", "+1"), r"weight\[1\]\[0\]"),
        (setter("layers.0.weight.1.0", ["1"]), r"weight\[1\]\[0\]"),
        (setter("layers.0.weight", {"tensor": "layers.0.weight"}), r"layers\[0\].weight"),
        (setter("tensors", {"file": "weights.safetensors"}), 'net, tensors: the key "sha256"'),
        (setter("tensors", {"file": "../w", "sha256": "0"}), "net, tensors.file"),
        (setter("tensors", {"file": "weights.safetensors", "sha256": "0"}), "net, tensors.file"),
    ],
    ids=lambda p: getattr(p, "__name__", ""),
)
def test_faults_of_canonical_files_have_a_place(change: Change, what: str) -> None:
    document = copy.deepcopy(CANONICAL)
    change(document)
    with pytest.raises(InputError, match=what):
        parse_network(document, "net")


def test_people_can_read_what_is_written(tmp_path: Path) -> None:
    path = tmp_path / "out.network.json"
    write_network(Network.dense([([["a", "-1"]], ["1/3"], "x^3")], parameters=["a"]), path)
    text = path.read_text(encoding="ascii")
    assert '"parameters": ["a"]' in text
    assert '"weight": [["a", "-1"]]' in text and '"activation": "x^3"' in text
    assert network_bytes(Network.load(path)) == path.read_bytes()


def test_files_spell_no_folded_constants_and_no_empty_layers() -> None:
    constant = constant_value(activation("tanh"), QQ(1), QQ)
    folded = Network(1, (Layer(Matrix.of([[1]]), (constant,)),), QQ)
    hidden = Layer(Matrix.zeros(0, 1), (), Activation("tanh"))
    empty = Network(1, (hidden, Layer(Matrix.zeros(1, 0), (3,))), QQ)
    for network in (folded, empty):
        for spell in (network_bytes, canonical_network):
            with pytest.raises(UnsupportedError, match=r"layers\[0\].*cannot spell"):
                spell(network)


def large(dtype: str, scale: float = 1.0) -> Network:
    rng = np.random.default_rng(0)
    wide = (scale * rng.normal(size=(100, 99))).astype(dtype)
    wide[0, 0] = -0.0
    return Network.dense([(wide, rng.normal(size=100).astype(dtype), "relu"),
                          (np.ones((2, 100)), None, "identity")])  # fmt: skip


def evidence(folder: Path, network: Network) -> Path:
    tree, tensors = canonical_network(network)
    assert tensors is not None
    (folder / "weights.safetensors").write_bytes(tensors)
    (folder / "network.json").write_bytes(canonical_bytes(tree))
    return folder / "network.json"


@pytest.mark.parametrize(
    ("dtype", "scale", "stored"),
    [("float32", 1.0, "F32"), ("float64", 1.0, "F64"), ("float32", 1e-42, "F32"),
     ("float64", 1e300, "F64"), ("float64", 5e-324, "F64")],
)  # fmt: skip
def test_large_float_networks_have_tensors(
    tmp_path: Path, dtype: str, scale: float, stored: str
) -> None:
    network = large(dtype, scale)
    path = evidence(tmp_path, network)
    tree = json.loads(path.read_bytes())
    content = (tmp_path / "weights.safetensors").read_bytes()
    assert tree["tensors"] == {"file": "weights.safetensors", "sha256": sha256(content).hexdigest()}
    assert tree["layers"][0]["weight"] == {"tensor": "layers.0.weight"}
    tensors = unpack_tensors(content, "file")
    assert {t.dtype for t in tensors.values()} == {stored}
    assert tensors["layers.0.weight"].shape == (100, 99)
    again = Network.load(path)
    assert again == network
    assert again.reading.dyadic == (({"F32": "float32", "F64": "float64"}[stored], 10_202),)
    assert canonical_network(again) == canonical_network(network)


def test_the_safetensors_library_reads_the_same(tmp_path: Path) -> None:
    numpy_reader = pytest.importorskip("safetensors.numpy")
    network = large("float32")
    content = canonical_network(network)[1]
    found = numpy_reader.load(content)
    assert sorted(found) == [
        "layers.0.bias", "layers.0.weight", "layers.1.bias", "layers.1.weight",
    ]  # fmt: skip
    again = Network.dense(
        [(found["layers.0.weight"], found["layers.0.bias"], "relu"),
         (found["layers.1.weight"], found["layers.1.bias"], "identity")]
    )  # fmt: skip
    assert again == network


def test_one_number_that_is_no_float_forbids_tensors() -> None:
    rows = [[1] * 100 for _ in range(100)]
    assert canonical_network(Network.dense([(rows, None, "identity")]))[1] is not None
    rows[3] = ["1/3", *rows[3][1:]]
    tree, tensors = canonical_network(Network.dense([(rows, None, "identity")]))
    assert tensors is None and tree["layers"][0]["weight"][3][0] == "1/3"
    assert canonical_network(Network.dense([([[1] * 100], None, "identity")]))[1] is None


def tensor_file(header: dict[str, Any] | bytes, data: bytes) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


ENTRY = {"dtype": "F64", "shape": [2], "data_offsets": [0, 16]}
DATA = struct.pack("<dd", 0.5, -2.0)


def test_tensor_files_are_read() -> None:
    tensor = unpack_tensors(tensor_file({"w": ENTRY}, DATA), "file")["w"]
    assert (tensor.shape, tensor.dtype, list(tensor.values)) == ((2,), "F64", [QQ(1) / 2, QQ(-2)])
    packed = pack_tensors({"b": ((1,), [QQ(1)]), "a": ((0, 3), [])})
    assert packed is not None and list(unpack_tensors(packed, "file")) == ["a", "b"]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "no safetensors file"),
        (b"\xff" * 8, "no safetensors file"),
        (tensor_file({"w": ENTRY}, DATA)[:20], "no safetensors file"),
        (tensor_file(b"{", DATA), "not valid JSON"),
        (tensor_file(b"[]", DATA), "not an object"),
        (tensor_file({"w": {**ENTRY, "dtype": "I64"}}, DATA), "tensor 'w': .*neither F32 nor F64"),
        (tensor_file({"w": {**ENTRY, "dtype": []}}, DATA), "neither F32 nor F64"),
        (tensor_file({"w": {**ENTRY, "shape": [3]}}, DATA), "tensor 'w'"),
        (tensor_file({"w": {**ENTRY, "shape": 2}}, DATA), "not a list of sizes"),
        (tensor_file({"w": {**ENTRY, "shape": [-2]}}, DATA), "not a list of sizes"),
        (tensor_file({"w": {**ENTRY, "data_offsets": [8, 24]}}, DATA), "do not follow"),
        (tensor_file({"w": ENTRY}, DATA[:8]), "do not follow"),
        (tensor_file({"w": ENTRY}, DATA + b"\0"), "bytes at the end"),
        (tensor_file({"w": ENTRY, "v": ENTRY}, DATA), "tensor 'v'"),
        (tensor_file({"w": {"dtype": "F64"}}, DATA), "is missing"),
        (tensor_file({"__metadata__": {"a": "b"}, "w": ENTRY}, DATA), "__metadata__"),
        (tensor_file({"w": ENTRY}, struct.pack("<dd", 0.5, float("nan"))), "nan is not a real"),
        (tensor_file({"w": ENTRY}, struct.pack("<dd", float("inf"), 1)), "inf is not a real"),
    ],
    ids=range(18),
)
def test_faults_of_tensor_files(content: bytes, what: str) -> None:
    with pytest.raises(InputError, match=what) as refusal:
        unpack_tensors(content, "file")
    assert str(refusal.value).startswith("file")


def test_evidence_folders_must_fit_together(tmp_path: Path) -> None:
    path = evidence(tmp_path, large("float32"))
    tree = json.loads(path.read_bytes())
    for change, what in (
        (setter("layers.0.bias", {"tensor": "layers.0.weight"}), r"layers\[0\].bias"),
        (setter("layers.1.bias", {"tensor": "layers.0.bias"}), r"layers\[1\].bias"),
        (setter("layers.1.bias", ["0", "0"]), r"layers\[1\].bias: .*is not an object"),
        (setter("layers.1.weight", {"tensor": 3}), r"layers\[1\].weight"),
        (setter("inputs", 98), r"layers\[0\].weight: the tensor has shape"),
        (setter("tensors.sha256", "0" * 64), "another SHA-256"),
        (setter("field", {"kind": "parametric", "names": ["a"]}), "only a network over the rat"),
        (lambda tree: tree["layers"].pop(), "tensor 'layers.1.bias' belongs to no layer"),
    ):
        changed = copy.deepcopy(tree)
        change(changed)
        path.write_bytes(canonical_bytes(changed))
        with pytest.raises(InputError, match=what):
            Network.load(path)
    path.write_bytes(canonical_bytes(tree))
    (tmp_path / "weights.safetensors").unlink()
    with pytest.raises(InputError, match="there is no such file"):
        Network.load(path)
