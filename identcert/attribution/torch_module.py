"""PyTorch modules with the interface of the other models, by `torch.func` (numeric).

readout == how outputs come from the module: the module itself, or a function of it such as the
           force −∇V of a potential

Parameters are flattened in the order of ``named_parameters``; those with ``requires_grad`` off
are frozen. Everything runs in float64 on the CPU.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from identcert.errors import UnsupportedError

Array = NDArray[np.float64]
Readout = Callable[[Callable[[Any], Any], Any], Any]


def call_module(module: Callable[[Any], Any], x: Any) -> Any:
    """Return module(x): the readout of an ordinary network."""
    return module(x)


def minus_gradient(position: int) -> Readout:
    """Return the readout F = −∇_q V over the first inputs, for a module with one output."""

    def force(module: Callable[[Any], Any], x: Any) -> Any:
        gradient = import_module("torch").func.grad(lambda y: module(y).squeeze())
        return -gradient(x)[:position]

    return force


@dataclass(frozen=True, slots=True, eq=False)
class TorchModel:
    """A PyTorch module as a function of its trainable parameters.

    Attributes
    ----------
    module : it takes one point of shape (n,), as `Linear` does, and returns shape (m,).
    outputs : m.
    readout : how outputs come from the module.
    theta, names, groups : the flattened parameters, their names and their tensors.

    Raises
    ------
    UnsupportedError
        If torch is missing or the module has no trainable parameter.
    """

    module: Any
    outputs: int
    readout: Readout = call_module
    theta: Array = field(init=False)
    names: tuple[str, ...] = field(init=False)
    groups: tuple[str, ...] = field(init=False)
    _shapes: tuple[tuple[str, Any], ...] = field(init=False, repr=False)
    _frozen: dict[str, Any] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        try:
            torch = import_module("torch")
        except ImportError as missing:
            fix = "install it with: pip install identcert[torch]"
            raise UnsupportedError(f"PyTorch modules need torch; {fix}") from missing
        tensors = {k: v.detach().to(torch.float64) for k, v in self.module.named_parameters()}
        free = {k for k, v in self.module.named_parameters() if v.requires_grad}
        if not free:
            raise UnsupportedError("the module has no trainable parameter")
        buffers = {k: _as_float(v, torch) for k, v in self.module.named_buffers()}
        values = [(k, v) for k, v in tensors.items() if k in free]
        names = [f"{k}[{','.join(map(str, i))}]" for k, v in values for i in np.ndindex(*v.shape)]
        groups = [k.rpartition(".")[0] or k for k, v in values for _ in range(v.numel())]
        set_ = object.__setattr__
        set_(self, "theta", np.concatenate([v.numpy().ravel() for _, v in values]))
        set_(self, "names", tuple(names))
        set_(self, "groups", tuple(groups))
        set_(self, "_shapes", tuple((k, v.shape) for k, v in values))
        frozen = {k: v for k, v in tensors.items() if k not in free}
        set_(self, "_frozen", frozen | buffers)

    def function(self, flat: Any, x: Any) -> Any:
        """Return the outputs at one point, as a function of flat parameters, for `torch.func`."""
        torch = import_module("torch")
        parameters, start = dict(self._frozen), 0
        for name, shape in self._shapes:
            size = shape.numel()
            parameters[name] = flat[start : start + size].reshape(shape)
            start += size

        def module(point: Any) -> Any:
            return torch.func.functional_call(self.module, parameters, (point,))

        return self.readout(module, x).reshape(self.outputs)

    def values(self, theta: Array, points: Array) -> Array:
        """Return f_θ of points of shape (N, n), of shape (N, m)."""
        torch = import_module("torch")
        flat, x = torch.from_numpy(theta), torch.from_numpy(points)
        with torch.no_grad():
            return np.asarray(torch.func.vmap(lambda p: self.function(flat, p))(x).numpy())

    def jacobian(self, theta: Array, points: Array) -> Array:
        """Return S* of shape (N, m, p), by reverse mode over the batch."""
        torch = import_module("torch")
        flat, x = torch.from_numpy(theta), torch.from_numpy(points)
        derivative = torch.func.jacrev(self.function)
        found = torch.func.vmap(lambda p: derivative(flat, p))(x)
        return np.array(found.detach().numpy())

    def push(self, theta: Array, points: Array, velocity: Array) -> Array:
        """Return Df(x)·v, of shape (N, m), by forward mode."""
        torch = import_module("torch")
        flat, x, v = (torch.from_numpy(a) for a in (theta, points, velocity))

        def along(point: Any, direction: Any) -> Any:
            return torch.func.jvp(lambda p: self.function(flat, p), (point,), (direction,))[1]

        return np.asarray(torch.func.vmap(along)(x, v).detach().numpy())


def _as_float(tensor: Any, torch: Any) -> Any:
    return tensor.to(torch.float64) if tensor.is_floating_point() else tensor
