"""Networks from PyTorch: `torch.nn.Sequential` of dense layers and entrywise activations.

The network is the function over the real numbers that the stored parameters
define, in inference: dropout is the identity. A parameter is the dyadic number
that its float stores; `Softplus` is log(1 + eᶻ), of which torch's linear branch
above the threshold is a float rounding.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from flint import fmpq

from identcert.errors import InputError, UnsupportedError
from identcert.exact.dyadic import exact_dyadic
from identcert.exact.field import QQ
from identcert.exact.matrix import Matrix
from identcert.nets.activation import Activation, activation
from identcert.nets.chain import Chain
from identcert.nets.network import Network, Reading, Source

SMALLEST_THRESHOLD = 20
FLOAT_NAMES = {"torch.float16", "torch.bfloat16", "torch.float32", "torch.float64"}


def network_from_module(module: Any) -> Network:
    """Return the network that a PyTorch module computes in inference, exactly.

    Parameters
    ----------
    module : `Sequential`, nested at will, of Linear, Flatten, Identity, Dropout, Tanh,
        Sigmoid, ReLU, LeakyReLU, GELU (erf form), SiLU, Softplus (β = 1), ELU (α = 1),
        Hardtanh and ReLU6; its first size is that of the first Linear.

    Raises
    ------
    InputError
        If there is no Linear, sizes do not compose, or a parameter is not finite.
    UnsupportedError
        If torch is missing or a module is of another kind; the sentence names it.
    """
    try:
        nn = import_module("torch").nn
    except ImportError as missing:
        raise UnsupportedError(
            "reading PyTorch modules needs torch; install it with: pip install identcert[torch]"
        ) from missing
    leaves = list(_leaves(module, nn, ""))
    first = next((leaf for _, leaf in leaves if type(leaf) is nn.Linear), None)
    if first is None:
        raise InputError("the module has no Linear layer, so its input size is not known")
    chain, counts = Chain(int(first.in_features)), Counter[str]()
    for place, leaf in leaves:
        _take(chain, counts, leaf, place, nn)
    reading = Reading.of_counts(counts)
    source = Source(type(module).__name__, None, "torch")
    return Network(chain.inputs, chain.layers(), QQ, None, source, reading)


def _leaves(module: Any, nn: Any, place: str) -> Iterator[tuple[str, Any]]:
    """Yield the modules that are no Sequential, in order, with their places."""
    name = f"{place or 'module'} ({type(module).__name__})"
    if not isinstance(module, nn.Module):
        raise InputError(f"this is a {type(module).__name__}, not a PyTorch module", place or None)
    if module._forward_pre_hooks or module._forward_hooks or "forward" in vars(module):
        raise UnsupportedError(f"{name}: hooks change what the module computes; remove them")
    if type(module) is nn.Sequential:
        for key, child in module._modules.items():
            yield from _leaves(child, nn, f"{place}[{key}]")
    else:
        yield name, module


def _take(chain: Chain, counts: Counter[str], leaf: Any, place: str, nn: Any) -> None:
    """Extend the chain by one leaf module."""
    if type(leaf) is nn.Linear:
        weight = _numbers(leaf.weight, f"{place}, weight", counts)
        m, n = leaf.weight.shape
        if n != chain.outputs:
            raise InputError(f"a layer for {n} numbers is given {chain.outputs}", place)
        bias = None if leaf.bias is None else _numbers(leaf.bias, f"{place}, bias", counts)
        rows = (weight[i * n : (i + 1) * n] for i in range(m))
        chain.dense(Matrix.of(rows, QQ, n), bias)
    elif type(leaf) is nn.Flatten:
        if leaf.start_dim not in (0, 1) or leaf.end_dim != -1:
            raise UnsupportedError(f"{place}: only a flattening of all dimensions is read")
    elif type(leaf) in (nn.Hardtanh, nn.ReLU6):
        low, high = (_attribute(leaf, key, place) for key in ("min_val", "max_val"))
        chain.clip(low, high)
    elif type(leaf) not in (nn.Identity, nn.Dropout):
        chain.activate(_entrywise(leaf, place, nn))


def _entrywise(leaf: Any, place: str, nn: Any) -> Activation:
    """Return the activation of a leaf module."""
    readers: dict[Any, Callable[[], Activation | str]] = {
        nn.Tanh: lambda: activation("tanh"),
        nn.Sigmoid: lambda: activation("sigmoid"),
        nn.ReLU: lambda: activation("relu"),
        nn.SiLU: lambda: activation("silu"),
        nn.LeakyReLU: lambda: Activation.leaky_relu(_attribute(leaf, "negative_slope", place)),
        nn.GELU: lambda: (
            activation("gelu") if leaf.approximate == "none" else "only approximate='none' is read"
        ),
        nn.ELU: lambda: activation("elu") if leaf.alpha == 1 else "only alpha=1 is read",
        nn.Softplus: lambda: (
            activation("softplus")
            if leaf.beta == 1 and leaf.threshold >= SMALLEST_THRESHOLD
            else f"only beta=1 with a threshold of at least {SMALLEST_THRESHOLD} is read"
        ),
    }
    if type(leaf) not in readers:
        known = ", ".join(sorted(kind.__name__ for kind in readers))
        raise UnsupportedError(
            f"{place}: this kind of module is not read; use Sequential with Linear, Flatten, "
            f"Identity, Dropout, Hardtanh, ReLU6, {known}"
        )
    found = readers[type(leaf)]()
    if isinstance(found, str):
        raise UnsupportedError(f"{place}: {found}")
    return found


def _attribute(leaf: Any, key: str, place: str) -> fmpq:
    """Return a float attribute as the exact dyadic number that Python stores."""
    value = float(getattr(leaf, key))
    if value - value != 0:
        raise InputError(f"{key} is {value}", place)
    return fmpq(*value.as_integer_ratio())


def _numbers(tensor: Any, place: str, counts: Counter[str]) -> list[fmpq]:
    """Return a parameter as exact dyadic numbers, row-major, and count them by type."""
    dtype = str(tensor.dtype)
    if dtype not in FLOAT_NAMES or tensor.is_meta or str(tensor.layout) != "torch.strided":
        raise UnsupportedError(
            f"{place}: parameters of type {dtype} on {tensor.device}, stored as {tensor.layout}, "
            "are not read; use dense floats"
        )
    stored = tensor.detach().cpu()
    # NumPy has no bfloat16; float32 holds each of its values.
    array = (stored.float() if dtype == "torch.bfloat16" else stored).numpy()
    counts[dtype.removeprefix("torch.")] += array.size
    return exact_dyadic(array, place)
