"""Train the three small digit classifiers of this folder and write them as ONNX.

Each is a 64-16-16-10 tanh network on the 8x8 digits of scikit-learn, pixel
values 0..16 as input (the division by 16 is part of the network), ten logits
as output. They differ in what they know of the left-right mirror M:

plain      nothing: cross-entropy alone;
mirror     a penalty on |f(x) - f(Mx)|^2, so it respects M roughly;
tied       weights tied through training: filters come in mirrored pairs, so it
           respects M exactly, layer by layer, whatever the optimiser does.

Run with torch, onnx and scikit-learn installed:

    python examples/digits/train_digits.py

The seed is fixed; another version of torch may still round differently, and
then writes other weights than the committed ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

HERE = Path(__file__).parent
WIDTH, CLASSES, STEPS = 16, 10, 1500
Weights = list[tuple[Tensor, Tensor]]


@dataclass(frozen=True)
class Digits:
    """Images as rows of 64 pixels in 0..16, split once and for all."""

    train_x: Tensor
    train_y: Tensor
    test_x: Tensor
    test_y: Tensor


def digits() -> Digits:
    bunch = load_digits()
    split = train_test_split(
        bunch.data.astype(np.float32),
        bunch.target,
        test_size=0.25,
        random_state=0,
        stratify=bunch.target,
    )
    train_x, test_x, train_y, test_y = (torch.from_numpy(part) for part in split)
    return Digits(train_x, train_y, test_x, test_y)


def mirror(rows: Tensor) -> Tensor:
    """Left-right mirror of 8x8 images, or of filters, stored as rows of 64."""
    return rows.reshape(-1, 8, 8).flip(-1).reshape(-1, 64)


def logits(weights: Weights, x: Tensor) -> Tensor:
    h = x / 16
    for weight, bias in weights[:-1]:
        h = torch.tanh(h @ weight.T + bias)
    weight, bias = weights[-1]
    return h @ weight.T + bias


class Free(nn.Module):
    """Three dense layers with nothing tied."""

    def __init__(self) -> None:
        super().__init__()
        sizes = [(64, WIDTH), (WIDTH, WIDTH), (WIDTH, CLASSES)]
        self.dense = nn.ModuleList(nn.Linear(m, n) for m, n in sizes)

    def weights(self) -> Weights:
        return [(layer.weight, layer.bias) for layer in self.dense]


class Tied(nn.Module):
    """Hidden neurons in pairs that the mirror swaps: P W1 = W1 M, P W2 = W2 P, W3 = W3 P.

    W1 = [w; wM], W2 = [[a, b], [b, a]], W3 = [v, v]: the copies are copies of
    the same numbers, so the stored float32 weights are tied bit by bit.
    """

    def __init__(self) -> None:
        super().__init__()
        half = WIDTH // 2
        self.first = nn.Linear(64, half)
        self.second = nn.Linear(WIDTH, half)
        self.third = nn.Linear(half, CLASSES)

    def weights(self) -> Weights:
        w, (a, b), v = self.first.weight, self.second.weight.chunk(2, dim=1), self.third.weight
        return [
            (torch.cat([w, mirror(w)]), torch.cat([self.first.bias] * 2)),
            (
                torch.cat([torch.cat([a, b], 1), torch.cat([b, a], 1)]),
                torch.cat([self.second.bias] * 2),
            ),
            (torch.cat([v, v], 1), self.third.bias),
        ]


def train(make: Callable[[], Free | Tied], data: Digits, penalty: float) -> Weights:
    """Full-batch Adam with a seed; penalty weighs the mean of |f(x) - f(Mx)|^2."""
    torch.manual_seed(0)
    model = make()
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=1e-4)
    for _ in range(STEPS):
        weights = model.weights()
        out = logits(weights, data.train_x)
        loss = cross_entropy(out, data.train_y)
        if penalty:
            loss = loss + penalty * (out - logits(weights, mirror(data.train_x))).square().mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return [(w.detach().clone(), b.detach().clone()) for w, b in model.weights()]


def write_onnx(weights: Weights, path: Path) -> None:
    """Write Div(16), Flatten, then Gemm and Tanh alternating, ending in Gemm."""
    nodes = [
        helper.make_node("Div", ["image", "sixteen"], ["scaled"], name="scale"),
        helper.make_node("Flatten", ["scaled"], ["h0"], name="flatten", axis=1),
    ]
    constants = [numpy_helper.from_array(np.float32(16), "sixteen")]
    for i, (weight, bias) in enumerate(weights, 1):
        constants.append(numpy_helper.from_array(weight.numpy(), f"W{i}"))
        constants.append(numpy_helper.from_array(bias.numpy(), f"b{i}"))
        last = i == len(weights)
        out = "logits" if last else f"z{i}"
        source = [f"h{i - 1}", f"W{i}", f"b{i}"]
        nodes.append(helper.make_node("Gemm", source, [out], name=f"dense{i}", transB=1))
        if not last:
            nodes.append(helper.make_node("Tanh", [out], [f"h{i}"], name=f"tanh{i}"))
    image = helper.make_tensor_value_info("image", TensorProto.FLOAT, ["batch", 1, 8, 8])
    scores = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", CLASSES])
    graph = helper.make_graph(nodes, path.stem, [image], [scores], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model, full_check=True)
    path.write_bytes(model.SerializeToString())


def describe(weights: Weights, data: Digits) -> str:
    """Accuracy in per cent, and how often the mirror image gets the same answer."""
    out = logits(weights, data.test_x)
    other = logits(weights, mirror(data.test_x))
    right = (out.argmax(1) == data.test_y).sum().item()
    same = (out.argmax(1) == other.argmax(1)).sum().item()
    gap = (out - other).abs().max().item()
    n = len(data.test_y)
    return (
        f"test accuracy {right}/{n} = {100 * right / n:.1f} %, "
        f"same answer on the mirror image {same}/{n}, largest logit difference {gap:.2g}"
    )


def main() -> None:
    torch.set_num_threads(1)
    data = digits()
    for name, make, penalty in [
        ("digits", Free, 0.0),
        ("digits_mirror", Free, 3.0),
        ("digits_tied", Tied, 0.0),
    ]:
        weights = train(make, data, penalty)
        write_onnx(weights, HERE / f"{name}.onnx")
        print(f"{name}.onnx: {describe(weights, data)}")


if __name__ == "__main__":
    main()
