"""Networks from ONNX: exact reading, and one plain sentence for everything else."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flint import fmpq
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from identcert.errors import InputError, UnsupportedError
from identcert.exact.field import QQ
from identcert.exact.matrix import Matrix
from identcert.nets import onnx_graph
from identcert.nets.network import Network
from identcert.nets.onnx_file import load_onnx

onnx = pytest.importorskip("onnx", reason="the library onnx is not installed")
helper, numpy_helper, TensorProto = onnx.helper, onnx.numpy_helper, onnx.TensorProto

PROJECT = Path(__file__).parents[1]
ACAS = PROJECT.parent / "shared" / "real" / "acas_test_network.onnx"
EXAMPLES = PROJECT / "examples" / "digits"

Constants = dict[str, Any]


def node(op: str, *inputs: str, out: str = "y", **attributes: Any) -> Any:
    return helper.make_node(op, list(inputs), [out], name=f"n_{out}", **attributes)


def model(
    nodes: Sequence[Any],
    constants: Constants | None = None,
    shape: Sequence[Any] = ("batch", 2),
    opset: int = 18,
    **changes: Any,
) -> Any:
    tensors = [
        numpy_helper.from_array(np.asarray(value), name)
        for name, value in (constants or {}).items()
    ]
    kind = changes.get("kind", TensorProto.FLOAT)
    inputs = [helper.make_tensor_value_info(n, kind, shape) for n in changes.get("inputs", ["x"])]
    outputs = [
        helper.make_tensor_value_info(n, TensorProto.FLOAT, ["m", "n"])
        for n in changes.get("outputs", [nodes[-1].output[0]])
    ]
    graph = helper.make_graph(list(nodes), "net", inputs, outputs, tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def load(tmp_path: Path, built: Any) -> Network:
    path = tmp_path / "net.onnx"
    path.write_bytes(built.SerializeToString())
    return load_onnx(path)


def f32(*rows: Any) -> Any:
    return np.array(rows, dtype=np.float32)


def keys(network: Network) -> list[str]:
    return [layer.activation.key for layer in network.layers]


def exact(values: Sequence[Any]) -> tuple[fmpq, ...]:
    return tuple(fmpq(Fraction(v).numerator, Fraction(v).denominator) for v in values)


def matrix(rows: Sequence[Sequence[Any]]) -> Matrix:
    return Matrix.of([[Fraction(v) for v in row] for row in rows])


def test_consecutive_affine_nodes_become_one_layer(tmp_path: Path) -> None:
    nodes = [
        node("Sub", "x", "mean", out="a"),
        node("Div", "a", "std", out="b"),
        node("MatMul", "b", "w", out="c"),
        node("Add", "bias", "c", out="d"),
        node("Relu", "d", out="e"),
        node("Gemm", "e", "v", out="f", transB=1, alpha=0.5),
    ]
    constants = {
        "mean": f32(1, 2), "std": f32(3, 7), "w": f32([1, 2, 3], [4, 5, 6]),
        "bias": f32(0, 0, 1), "v": f32([2, 4, 6]),
    }  # fmt: skip
    network = load(tmp_path, model(nodes, constants))
    first, last = network.layers
    assert first.weight == matrix([["1/3", "4/7"], ["2/3", "5/7"], [1, "6/7"]])
    assert first.bias == exact(
        [Fraction(-1, 3) - Fraction(8, 7), Fraction(-44, 21), Fraction(-12, 7)]
    )
    assert last.weight == Matrix.of([[1, 2, 3]])
    assert (first.has_bias, last.has_bias) == (True, False)
    assert keys(network) == ["relu", "identity"]
    assert network.name == "net"
    assert network.source is not None
    assert network.source.sha256 == sha256((tmp_path / "net.onnx").read_bytes()).hexdigest()


def test_float32_constants_are_their_dyadic_values(tmp_path: Path) -> None:
    tenth = np.float32(0.1)
    network = load(tmp_path, model([node("Div", "x", "c")], {"c": tenth}, shape=[1, 1]))
    assert network.layers[0].weight[0, 0] == 1 / fmpq(*float(tenth).as_integer_ratio())


W = [[1, 2], [3, 4], [5, 6]]
GEMMS = {
    "row times W transposed": (("x", "w"), {"transB": 1}, W, [1, 2], W),
    "row times W": (("x", "w"), {}, np.transpose(W).tolist(), [1, 2], W),
    "column turned to a row": (("x", "w"), {"transA": 1, "transB": 1}, W, [2, 1], W),
    "W times column": (("w", "x"), {}, W, [2, 1], W),
    "W transposed times column": (("w", "x"), {"transA": 1}, np.transpose(W).tolist(), [2, 1], W),
    "W times row turned": (("w", "x"), {"transB": 1}, W, [1, 2], W),
    "scaled": (("x", "w"), {"transB": 1, "alpha": -0.25}, W, [1, 2], (np.array(W) / -4).tolist()),
}


@pytest.mark.parametrize("case", GEMMS, ids=str)
def test_gemm_in_every_order(case: str, tmp_path: Path) -> None:
    factors, options, stored, shape, expected = GEMMS[case]
    network = load(tmp_path, model([node("Gemm", *factors, **options)], {"w": f32(*stored)}, shape))
    assert network.layers[0].weight == matrix(expected)


def test_gemm_scales_and_stretches_its_bias(tmp_path: Path) -> None:
    built = model([node("Gemm", "x", "w", "c", transB=1, beta=2.0)], {"w": f32(*W), "c": f32(3)})
    assert load(tmp_path, built).layers[0].bias == exact([6, 6, 6])


MATMULS = [
    (("x", "w"), np.transpose(W).tolist(), [1, 2]),
    (("x", "w"), np.transpose(W).tolist(), [2]),
    (("x", "w"), [np.transpose(W).tolist()], [1, 1, 2]),
    (("w", "x"), W, [2]),
    (("w", "x"), W, [2, 1]),
    (("w", "x"), W, [1, 2, 1]),
]


@pytest.mark.parametrize(("factors", "stored", "shape"), MATMULS)
def test_matmul_in_both_orders(
    factors: tuple[str, str], stored: Any, shape: list[int], tmp_path: Path
) -> None:
    network = load(tmp_path, model([node("MatMul", *factors)], {"w": f32(*stored)}, shape))
    assert network.layers[0].weight == Matrix.of(W)


MOVED = {
    "flatten": [node("Flatten", "x")],
    "reshape": [node("Reshape", "x", "flat")],
    "reshape keeping the batch": [node("Reshape", "x", "keep")],
    "squeeze": [node("Squeeze", "x", "one")],
    "squeeze all": [node("Squeeze", "x")],
    "unsqueeze": [node("Unsqueeze", "x", "one")],
    "identity and dropout": [node("Identity", "x", out="a"), node("Dropout", "a")],
    "shape computed": [
        node("Shape", "x", out="s"),
        node("Gather", "s", "zero", out="b"),
        node("Unsqueeze", "b", "front", out="b1"),
        node("Concat", "b1", "rest", out="t", axis=0),
        node("Reshape", "x", "t"),
    ],
}


@pytest.mark.parametrize("nodes", MOVED.values(), ids=MOVED)
def test_reshaping_keeps_the_entries_in_order(nodes: list[Any], tmp_path: Path) -> None:
    constants = {
        "flat": np.array([-1, 6]), "keep": np.array([0, -1]), "one": np.array([1]),
        "zero": np.array(0), "front": np.array([0]), "rest": np.array([-1]),
    }  # fmt: skip
    network = load(tmp_path, model(nodes, constants, shape=["batch", 1, 2, 3]))
    assert network.layers[0].weight.is_identity()


def test_transpose_of_the_tensor_permutes(tmp_path: Path) -> None:
    built = model([node("Transpose", "x", perm=[0, 2, 1])], shape=["batch", 2, 3])
    assert load(tmp_path, built).evaluate(exact(range(6))) == exact([0, 3, 1, 4, 2, 5])


def test_transpose_and_constant_nodes_feed_weights(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("Constant", [], ["k"], value=numpy_helper.from_array(f32(*W), "k")),
        node("Transpose", "k", out="kt"),
        node("MatMul", "x", "kt"),
    ]
    assert load(tmp_path, model(nodes)).layers[0].weight == Matrix.of(W)


ACTIVATIONS = {
    "Relu": (node("Relu", "x"), "relu"),
    "Tanh": (node("Tanh", "x"), "tanh"),
    "Sigmoid": (node("Sigmoid", "x"), "sigmoid"),
    "Abs": (node("Abs", "x"), "abs"),
    "Softplus": (node("Softplus", "x"), "softplus"),
    "Sin": (node("Sin", "x"), "sin"),
    "Erf": (node("Erf", "x"), "erf"),
    "Atan": (node("Atan", "x"), "arctan"),
    "Elu": (node("Elu", "x"), "elu"),
    "Gelu": (node("Gelu", "x"), "gelu"),
    "Clip to [-1, 1]": (node("Clip", "x", "minus", "plus"), "hard_tanh"),
    "Clip to [0, 6]": (node("Clip", "x", "zero", "six"), "relu6"),
    "Clip from 0": (node("Clip", "x", "zero"), "relu"),
    "Clip to infinity": (node("Clip", "x", "zero", "infinity"), "relu"),
    "Clip to the largest float": (node("Clip", "x", "zero", "largest"), "relu"),
}
BOUNDS = {
    "minus": f32(-1)[0], "plus": f32(1)[0], "zero": f32(0)[0], "six": f32(6)[0],
    "infinity": f32(np.inf)[0], "largest": np.finfo(np.float32).max,
}  # fmt: skip


@pytest.mark.parametrize(("built", "key"), ACTIVATIONS.values(), ids=ACTIVATIONS)
def test_activations_by_name(built: Any, key: str, tmp_path: Path) -> None:
    network = load(tmp_path, model([built], BOUNDS, opset=20))
    assert keys(network) == [key, "identity"]
    assert all(layer.weight.is_identity() for layer in network.layers)


def test_other_activations(tmp_path: Path) -> None:
    leaky = load(tmp_path, model([node("LeakyRelu", "x", alpha=0.25)]))
    assert leaky.layers[0].activation.encode() == {"leaky_relu": "1/4"}
    power = load(tmp_path, model([node("Pow", "x", "three")], {"three": f32(3)}))
    assert power.layers[0].activation.encode() == {"polynomial": ["0", "0", "0", "1"]}
    square = load(tmp_path, model([node("Mul", "x", "x")]))
    assert square.layers[0].activation.encode() == {"polynomial": ["0", "0", "1"]}
    swish = load(tmp_path, model([node("Sigmoid", "x", out="s"), node("Mul", "x", "s")]))
    assert keys(swish) == ["silu", "identity"]
    old = load(tmp_path, model([node("Clip", "x", min=0.0, max=6.0)], opset=10))
    assert keys(old) == ["relu6", "identity"]


@pytest.mark.parametrize(
    ("low", "high", "images"),
    [(-2.0, 4.0, [-2, -1, 3, 4]), (1.0, np.inf, [1, 1, 3, 8]), (-np.inf, 2.0, [-5, -1, 2, 2])],
)
def test_general_clip_is_exact(low: float, high: float, images: list[int], tmp_path: Path) -> None:
    built = model([node("Clip", "x", "low", "high")], {"low": f32(low)[0], "high": f32(high)[0]})
    network = load(tmp_path, built)
    points = [-5, -1, 3, 8]
    assert [network.evaluate(exact([p, p])) for p in points] == [exact([i, i]) for i in images]


NUMBERS = st.integers(-64, 64).map(lambda k: k / 8)
STEPS = st.lists(st.sampled_from(["Add", "Sub", "rSub", "Mul", "Div", "Neg", "MatMul", "Relu"]))


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS.filter(bool), data=st.data())
def test_reading_preserves_the_function(
    steps: list[str], data: st.DataObject, tmp_path: Path
) -> None:
    """The network agrees, over Q, with node-by-node evaluation in fractions."""
    width, nodes, constants = 2, [], {}
    value = np.array([Fraction(data.draw(NUMBERS)) for _ in range(width)], dtype=object)
    point = value
    for i, step in enumerate(steps):
        here, out, name = ("x" if i == 0 else f"t{i}"), f"t{i + 1}", f"c{i}"
        shape = (width, data.draw(st.integers(1, 3))) if step == "MatMul" else (width,)
        drawn = data.draw(st.lists(NUMBERS, min_size=prod(shape), max_size=prod(shape)))
        if step == "Div":
            drawn = [c or 1.0 for c in drawn]
        if step not in ("Neg", "Relu"):
            constants[name] = np.array(drawn, dtype=np.float32).reshape(shape)
        c = np.array([Fraction(d) for d in drawn], dtype=object).reshape(shape)
        value = {
            "Add": lambda v, c: v + c, "Sub": lambda v, c: v - c, "rSub": lambda v, c: c - v,
            "Mul": lambda v, c: v * c, "Div": lambda v, c: v / c, "Neg": lambda v, c: -v,
            "MatMul": lambda v, c: v @ c, "Relu": lambda v, c: np.maximum(v, Fraction(0)),
        }[step](value, c)  # fmt: skip
        ends = [here] if step in ("Neg", "Relu") else [here, name]
        if step == "rSub":
            ends.reverse()
        nodes.append(node(step.removeprefix("r"), *ends, out=out))
        width = len(value)
    network = load(tmp_path, model(nodes, constants, shape=["batch", 2]))
    assert network.evaluate(exact(point)) == exact(value)


ADD = node("Add", "x", "c")
TWO = {"c": f32(1, 2)}
BAD: dict[str, tuple[Any, str]] = {
    "unknown operator": (model([node("Cos", "x")]), r"node n_y \(Cos\).*identcert reads"),
    "convolution": (model([node("Conv", "x", "c")], TWO), r"\(Conv\).*dense"),
    "softmax": (model([node("Softmax", "x")]), r"\(Softmax\).*remove it"),
    "argmax": (model([node("ArgMax", "x")]), r"\(ArgMax\).*remove it"),
    "foreign domain": (model([node("Gelu", "x", domain="com.vendor")]), "com.vendor.Gelu"),
    "two inputs": (model([node("Add", "x", "z")], inputs=["x", "z"]), r"2 inputs \(x, z\)"),
    "two outputs": (model([node("Relu", "x")], outputs=["y", "x"]), "2 outputs"),
    "skip": (
        model([node("Relu", "x", out="a"), node("Add", "a", "x")]), "more than once|skip"
    ),
    "doubling": (model([node("Add", "x", "x")]), "with itself"),
    "branch of the output": (
        model([node("Relu", "x", out="a"), node("Tanh", "a", out="b"), node("Mul", "a", "b")]),
        "more than once",
    ),
    "open inner size": (model([ADD], TWO, shape=["batch", "n"]), "dimension 1 .* no fixed size"),
    "open vector": (model([ADD], TWO, shape=["n"]), "no fixed size"),
    "no shape": (model([ADD], TWO, shape=()), "no stated shape"),
    "several rows": (
        model([node("MatMul", "x", "w")], {"w": f32([1], [2])}, shape=[5, 2]), "batch 1"
    ),
    "sizes": (model([node("MatMul", "x", "w")], {"w": f32([1], [2], [3])}), "cannot be multiplied"),
    "Gemm sizes": (model([node("Gemm", "x", "w")], {"w": f32([1], [2], [3])}), "is given 2"),
    "constant too large": (model([ADD], {"c": f32([1, 2], [3, 4])}), "does not fit"),
    "constant too long": (model([ADD], {"c": f32(1, 2, 3)}), "does not fit"),
    "reshape": (model([node("Reshape", "x", "s")], {"s": np.array([3])}), "cannot be reshaped"),
    "not a number": (model([ADD], {"c": f32(1, np.nan)}), r"\(Add\), constant 'c'\[1\].* nan"),
    "infinite": (model([ADD], {"c": f32(1, np.inf)}), "entry inf"),
    "integers": (model([ADD], {"c": np.array([1, 2])}), "int64"),
    "integer input": (model([ADD], TWO, kind=TensorProto.INT64), "not a float tensor"),
    "by zero": (model([node("Div", "x", "c")], {"c": f32(1, 0)}), "zero"),
    "by the input": (model([node("Div", "c", "x")], TWO), "dividing by the input"),
    "approximate gelu": (model([node("Gelu", "x", approximate="tanh")], opset=20), "erf form"),
    "elu": (model([node("Elu", "x", alpha=0.5)]), "alpha = 1"),
    "power": (model([node("Pow", "x", "c")], {"c": f32(0.5)}), "0.5"),
    "empty clip": (
        model([node("Clip", "x", "a", "b")], {"a": f32(1)[0], "b": f32(0)[0]}), "interval"
    ),
    "training": (
        model([node("Dropout", "x", "r", "t")], {"r": f32(0.5)[0], "t": np.array(True)}), "training"
    ),
    "computed constant": (
        model([node("Mul", "c", "c", out="d"), node("Add", "x", "d")], TWO), "fold constants"
    ),
    "unused input": (model([node("Identity", "c")], TWO), "does not depend on the input"),
    "batch norm": (
        model([node("BatchNormalization", "x", "c", "c", "c", "c")], TWO), "not rational"
    ),
    "undefined name": (model([node("Relu", "w")]), "standard"),
    "wrong attribute": (model([node("Relu", "x", alpha=1.0)]), "standard"),
    "huge input": (model([ADD], TWO, shape=["batch", 10**9]), "million"),
    "old operators": (model([ADD], TWO, opset=6), "version_converter"),
}  # fmt: skip


@pytest.mark.parametrize(("built", "sentence"), BAD.values(), ids=BAD)
def test_refuses_in_one_sentence(built: Any, sentence: str, tmp_path: Path) -> None:
    with pytest.raises((InputError, UnsupportedError), match=sentence) as refusal:
        load(tmp_path, built)
    assert str(refusal.value).startswith("net.onnx")
    assert "\n" not in str(refusal.value)


def test_operators_redefined_by_the_model(tmp_path: Path) -> None:
    built = model([node("Relu", "x")])
    body = [helper.make_node("Abs", ["a"], ["b"])]
    version = [helper.make_opsetid("", 18)]
    built.functions.append(helper.make_function("", "Relu", ["a"], ["b"], body, version))
    with pytest.raises(UnsupportedError, match="not a standard ONNX operator"):
        load(tmp_path, built)


def test_damaged_files(tmp_path: Path) -> None:
    whole = (EXAMPLES / "digits.onnx").read_bytes()
    path = tmp_path / "damaged.onnx"
    pieces = [whole[: len(whole) * k // 40] for k in range(40)]
    for data in [*pieces, b"garbage", b"{}", whole[7:], whole + b"\x00"]:
        path.write_bytes(data)
        with pytest.raises(InputError, match=r"damaged\.onnx"):
            load_onnx(path)
    with pytest.raises(InputError, match="cannot be read"):
        load_onnx(tmp_path / "missing.onnx")
    with pytest.raises(InputError, match="cannot be read"):
        load_onnx(tmp_path)


def test_external_weights(tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    onnx.save_model(
        model([ADD], TWO), path, save_as_external_data=True, location="net.bin", size_threshold=0
    )
    assert load_onnx(path).layers[0].bias == exact([1, 2])
    (tmp_path / "net.bin").unlink()
    with pytest.raises(InputError, match="outside the file"):
        load_onnx(path)


def test_short_weight_data(tmp_path: Path) -> None:
    built = model([ADD], TWO)
    built.graph.initializer[0].raw_data = b"\x00" * 5
    with pytest.raises(InputError, match="'c' cannot be read"):
        load(tmp_path, built)


def test_missing_library(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(onnx_graph, "import_module", absent)
    with pytest.raises(UnsupportedError, match=r"pip install identcert\[onnx\]"):
        load_onnx(EXAMPLES / "digits.onnx")


@pytest.mark.skipif(not ACAS.exists(), reason="the real networks are not here")
def test_real_network() -> None:
    network = load_onnx(ACAS)
    assert network.widths == (5, 50, 50, 50, 50, 50, 50, 5)
    assert keys(network) == ["relu"] * 6 + ["identity"]


@pytest.mark.parametrize("name", ["digits", "digits_mirror", "digits_tied"])
def test_example_networks(name: str) -> None:
    network = load_onnx(EXAMPLES / f"{name}.onnx")
    assert network.widths == (64, 16, 16, 10)
    assert keys(network) == ["tanh", "tanh", "identity"]
    copy = PROJECT / "identcert" / "cli" / "demo" / f"{name}.onnx"
    assert copy.read_bytes() == (EXAMPLES / f"{name}.onnx").read_bytes()


def test_example_agrees_with_float_execution() -> None:
    from onnx.reference import ReferenceEvaluator

    path = EXAMPLES / "digits.onnx"
    images = np.random.default_rng(0).integers(0, 17, (5, 1, 8, 8)).astype(np.float32)
    scores = ReferenceEvaluator(onnx.load(path)).run(None, {"image": images})[0]
    exact_scores = load_onnx(path).numpy_evaluate(images.reshape(5, 64))
    assert np.abs(scores - exact_scores).max() < 1e-4


def test_tied_example_is_tied_exactly() -> None:
    """P W1 = W1 M, P W2 = W2 P, W3 = W3 P: the latent action that `certify` finds."""
    first, second, third = load_onnx(EXAMPLES / "digits_tied.onnx").layers
    mirror = [8 * (i // 8) + 7 - i % 8 for i in range(64)]
    swap = [*range(8, 16), *range(8)]
    assert first.weight.select_rows(swap) == first.weight.select_columns(mirror)
    assert second.weight.select_rows(swap) == second.weight.select_columns(swap)
    assert third.weight == third.weight.select_columns(swap)
    assert third.weight.field == QQ
