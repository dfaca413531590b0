"""Networks from PyTorch modules."""

from __future__ import annotations

from typing import Any

import pytest
from flint import fmpq

from identcert.errors import InputError, UnsupportedError
from identcert.exact.matrix import Matrix
from identcert.nets import torch_module
from identcert.nets.torch_module import network_from_module

torch = pytest.importorskip("torch", reason="torch is not installed")
nn = torch.nn


def linear(rows: list[list[float]], bias: list[float] | None = None, **options: Any) -> Any:
    layer = nn.Linear(len(rows[0]), len(rows), bias=bias is not None, **options)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor(rows))
        if bias is not None:
            layer.bias.copy_(torch.tensor(bias))
    return layer


ONE = [[1.0]]
ACTIVATIONS = {
    "Tanh": (nn.Tanh(), "tanh"),
    "Sigmoid": (nn.Sigmoid(), "sigmoid"),
    "ReLU": (nn.ReLU(inplace=True), "relu"),
    "GELU": (nn.GELU(), "gelu"),
    "SiLU": (nn.SiLU(), "silu"),
    "Softplus": (nn.Softplus(), "softplus"),
    "ELU": (nn.ELU(), "elu"),
    "Hardtanh": (nn.Hardtanh(), "hard_tanh"),
    "ReLU6": (nn.ReLU6(), "relu6"),
}


@pytest.mark.parametrize(("module", "key"), ACTIVATIONS.values(), ids=ACTIVATIONS)
def test_activations(module: Any, key: str) -> None:
    network = network_from_module(nn.Sequential(linear(ONE), module, linear(ONE)))
    assert [layer.activation.key for layer in network.layers] == [key, "identity"]


def test_leaky_slope_is_the_stored_float() -> None:
    network = network_from_module(nn.Sequential(linear(ONE), nn.LeakyReLU(0.25)))
    assert network.layers[0].activation.encode() == {"leaky_relu": "1/4"}


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_parameters_are_dyadics(dtype: str) -> None:
    layer = linear([[0.1, -2.5]], [0.3], dtype=getattr(torch, dtype))
    network = network_from_module(layer)
    stored = [fmpq(*float(v).as_integer_ratio()) for v in layer.weight.detach().flatten()]
    assert network.layers[0].weight.to_rows() == (tuple(stored),)
    assert network.layers[0].bias == (fmpq(*float(layer.bias.detach()).as_integer_ratio()),)


def test_nested_modules_and_silent_ones() -> None:
    body = nn.Sequential(linear([[1.0, 2.0]]), nn.Dropout(0.5), nn.Tanh())
    module = nn.Sequential(nn.Flatten(), nn.Identity(), body, linear([[3.0], [4.0]], [5.0, 6.0]))
    network = network_from_module(module)
    assert network.widths == (2, 1, 2)
    assert network.layers[0].weight == Matrix.of([[1, 2]])
    assert [layer.has_bias for layer in network.layers] == [False, True]
    assert [layer.activation.key for layer in network.layers] == ["tanh", "identity"]


def test_consecutive_linear_layers_are_multiplied() -> None:
    network = network_from_module(nn.Sequential(linear([[2.0]], [1.0]), linear([[3.0]], [1.0])))
    assert len(network.layers) == 1
    assert network.evaluate((fmpq(1, 7),)) == (fmpq(6, 7) + 4,)


def test_agrees_with_torch_on_a_relu_network() -> None:
    torch.manual_seed(0)
    module = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)).double()
    point = torch.tensor([0.5, -1.25, 2.0], dtype=torch.float64)
    value = network_from_module(module).evaluate(
        tuple(fmpq(*float(v).as_integer_ratio()) for v in point)
    )
    assert value is not None
    for ours, theirs in zip(value, module(point).detach(), strict=True):
        assert abs(ours - fmpq(*float(theirs).as_integer_ratio())) < fmpq(1, 10**14)


class Square(nn.Module):
    def forward(self, x: Any) -> Any:
        return x * x


class Doubled(nn.Linear):
    def forward(self, x: Any) -> Any:
        return 2 * super().forward(x)


def hooked() -> Any:
    layer = nn.Linear(1, 1)
    layer.register_forward_hook(lambda *_: None)
    return layer


def replaced() -> Any:
    layer = nn.Linear(1, 1)
    layer.forward = lambda x: x
    return layer


def not_finite() -> Any:
    return linear([[float("nan")]])


BAD = {
    "own module": (nn.Sequential(nn.Linear(1, 1), Square()), r"\[1\] \(Square\).*not read"),
    "own linear": (nn.Sequential(nn.Linear(1, 1), Doubled(1, 1)), "Doubled"),
    "nested": (
        nn.Sequential(nn.Linear(1, 1), nn.Sequential(nn.Softmax(-1))), r"\[1\]\[0\] \(Softmax\)"
    ),
    "convolution": (nn.Sequential(nn.Conv2d(1, 1, 1), nn.Linear(1, 1)), "Conv2d"),
    "hook": (nn.Sequential(hooked()), "hooks"),
    "replaced forward": (nn.Sequential(replaced()), "hooks"),
    "weight norm": (
        nn.Sequential(nn.utils.parametrizations.weight_norm(nn.Linear(1, 1)), nn.Linear(1, 1)),
        "Parametrized",
    ),
    "tanh gelu": (nn.Sequential(nn.Linear(1, 1), nn.GELU("tanh")), "approximate='none'"),
    "elu": (nn.Sequential(nn.Linear(1, 1), nn.ELU(2.0)), "alpha=1"),
    "softplus": (nn.Sequential(nn.Linear(1, 1), nn.Softplus(2)), "beta=1"),
    "softplus threshold": (nn.Sequential(nn.Linear(1, 1), nn.Softplus(1, 2)), "threshold"),
    "part of the shape": (nn.Sequential(nn.Flatten(2), nn.Linear(1, 1)), "flattening"),
    "sizes": (nn.Sequential(nn.Linear(1, 2), nn.Linear(3, 1)), r"\[1\] \(Linear\).*is given 2"),
    "no layer": (nn.Sequential(nn.Tanh()), "no Linear"),
    "no module": ([1, 2], "not a PyTorch module"),
    "not finite": (nn.Sequential(not_finite()), r"\[0\] \(Linear\), weight"),
    "meta": (nn.Sequential(nn.Linear(1, 1, device="meta")), "not read"),
    "complex": (nn.Sequential(nn.Linear(1, 1, dtype=torch.complex64)), "complex64"),
}  # fmt: skip


@pytest.mark.parametrize(("module", "sentence"), BAD.values(), ids=BAD)
def test_refuses_in_one_sentence(module: Any, sentence: str) -> None:
    with pytest.raises((InputError, UnsupportedError), match=sentence) as refusal:
        network_from_module(module)
    assert "\n" not in str(refusal.value)


def test_missing_library(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(torch_module, "import_module", absent)
    with pytest.raises(UnsupportedError, match=r"pip install identcert\[torch\]"):
        network_from_module(None)
