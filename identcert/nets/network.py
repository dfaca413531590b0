"""Networks: compositions of dense layers over one exact field.

network == the function f = (W_L, b_L)∘σ_{L−1}∘…∘σ_1∘(W_1, b_1) over the real numbers
widths  == its inputs, the neurons of each layer, its outputs

What is certified is this function, not its execution in floats.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from flint import arb

from identcert.arguments import check_integer, path_of
from identcert.errors import InputError
from identcert.exact.balls import precision
from identcert.exact.field import Element, Field
from identcert.nets import evaluation
from identcert.nets.layer import IDENTITY
from identcert.nets.layer import Layer as Layer
from identcert.nets.reading import Reading as Reading
from identcert.nets.reading import Source as Source

READERS = {
    ".onnx": ("identcert.nets.onnx_file", "load_onnx"),
    ".nnet": ("identcert.nets.nnet_file", "load_nnet"),
    ".json": ("identcert.nets.files", "read_network"),
}
"""Which function reads which kind of file; its module is imported when it is needed."""


@dataclass(frozen=True, slots=True, repr=False)
class Network:
    """A dense network over an exact field; equal networks have equal layers.

    Attributes
    ----------
    inputs : dimension of the source space.
    layers : the layers; the last one has the identity as activation.
    field : Q, Q(α) or Q(a, b, …).
    name, source, reading : for people; not part of equality.

    Raises
    ------
    InputError
        If the shapes do not compose, the fields differ, or the last σ is not the identity.

    Examples
    --------
    >>> f = Network.dense([([[1], ["-1"]], [0, "1/2"], "relu"), ([[2, 3]], None, "identity")])
    >>> f, f.evaluate([2]), f.widths
    (Network(1 → 2 → 1, relu), (4,), (1, 2, 1))
    """

    inputs: int
    layers: tuple[Layer, ...]
    field: Field
    name: str | None = dataclasses.field(default=None, compare=False)
    source: Source | None = dataclasses.field(default=None, compare=False)
    reading: Reading = dataclasses.field(default=Reading(), compare=False)
    _cache: dict[str, Any] = dataclasses.field(default_factory=dict, init=False, compare=False)

    def __post_init__(self) -> None:
        if not self.layers:
            raise InputError("a network has at least one layer")
        check_integer(self.inputs, "inputs", 1)
        if self.name is not None and not isinstance(self.name, str):
            raise InputError(f"{self.name!r} is no name", "name", "give text, or None")
        reached = self.inputs
        for index, layer in enumerate(self.layers):
            if layer.inputs != reached:
                what = f"the weight takes vectors of length {layer.inputs}, not {reached}"
                raise InputError(what, f"layers[{index}]")
            if layer.field != self.field:
                raise InputError("the layer lies over another field", f"layers[{index}]")
            reached = layer.outputs
        if self.layers[-1].activation != IDENTITY:
            fix = "append an identity layer"
            raise InputError("the last layer has another activation than identity", fix=fix)

    def __repr__(self) -> str:
        widths = " → ".join(map(str, self.widths))
        return ", ".join([f"Network({widths}", *self.activation_names]) + ")"

    @classmethod
    def load(cls, path: str | Path) -> Network:
        """Return the network of a ``.network.json``, ``.onnx`` or ``.nnet`` file.

        Raises
        ------
        InputError
            If the file is of another kind, is missing or is malformed.
        UnsupportedError
            If the file holds a network that identcert does not read.
        """
        path = path_of(path, "network", "give a Network, or the path of a network file")
        suffix = path.suffix.lower()
        if suffix not in READERS:
            what = f"files of type {suffix!r} are not read" if suffix else "the file has no type"
            fix = "give a .network.json, .onnx or .nnet file"
            raise InputError(what, str(path), fix)
        module, function = READERS[suffix]
        network: Network = getattr(import_module(module), function)(path)
        return network

    @classmethod
    def from_torch(cls, module: Any) -> Network:
        """Return the network of a `torch.nn.Sequential`, each float read exactly.

        Raises
        ------
        InputError, UnsupportedError
            If the module is not a chain of dense layers and entrywise activations.
        """
        reader = import_module("identcert.nets.torch_module")
        network: Network = reader.network_from_module(module)
        return network

    @classmethod
    def dense(
        cls,
        layers: Sequence[tuple[Any, Any, Any]],
        inputs: int | None = None,
        parameters: Sequence[str] = (),
        algebraic: Mapping[str, Any] | None = None,
        name: str | None = None,
    ) -> Network:
        """Return the network with the given (weight, bias, activation) triples.

        Parameters
        ----------
        layers : weights as nested lists, biases as lists or None, activations as names,
            polynomials in x, or `Activation` values. Numbers are ints, Fractions,
            Decimals, strings of the scalar grammar, or floats; a float is the dyadic
            rational that it stores.
        inputs : dimension of the source space, if the first weight has no rows.
        parameters, algebraic : declared names, as in a network file.

        Raises
        ------
        InputError
            If a number, a shape or an activation is wrong; it names the place.
        UnsupportedError
            If there are both parameters and algebraic numbers.
        """
        builder = import_module("identcert.nets.dense")
        network: Network = builder.dense_network(layers, inputs, parameters, algebraic, name)
        return network

    @property
    def outputs(self) -> int:
        """Dimension of the target space."""
        return self.layers[-1].outputs

    @property
    def widths(self) -> tuple[int, ...]:
        """Inputs, neurons of every layer, outputs."""
        return (self.inputs, *(layer.outputs for layer in self.layers))

    @property
    def activation_names(self) -> tuple[str, ...]:
        """The distinct hidden activations as text, in order of appearance."""
        return tuple(dict.fromkeys(layer.activation.text() for layer in self.layers[:-1]))

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the symbolic parameters; empty over ordered fields."""
        return () if self.field.is_ordered else tuple(self.field.named)

    @property
    def parameter_count(self) -> int:
        """The number of weights and of written biases."""
        return sum(layer.outputs * (layer.inputs + int(layer.has_bias)) for layer in self.layers)

    def over(self, field: Field, embed: Callable[[Element], Element]) -> Network:
        """Return the image under a map of fields, such as an embedding."""
        layers = tuple([layer.over(field, embed) for layer in self.layers])
        return Network(self.inputs, layers, field, self.name, self.source, self.reading)

    def evaluate(self, x: Sequence[Any]) -> tuple[Element, ...] | None:
        """Return f(x) over the field, or None where an activation leaves it.

        Raises
        ------
        InputError
            If x does not have one exact number an input.
        """
        evaluation.check_length(x, self.inputs)
        return evaluation.exact_values(self.layers, x, self.field)

    def ball_evaluate(self, x: Sequence[Any], bits: int) -> tuple[arb, ...]:
        """Return balls that contain f(x), computed with ``bits`` bits.

        Parameters
        ----------
        x : exact numbers, or `arb` balls of points.

        Raises
        ------
        InputError
            If x does not have one number an input.
        UnsupportedError
            If the weights depend on parameters.
        """
        evaluation.check_length(x, self.inputs)
        check_integer(bits, "bits", 2)
        with precision(bits):
            known = self._cache.get("balls")
            if known is None or known[0] != bits:
                # one precision at a time: a search raises it and does not come back
                known = (bits, evaluation.ball_layers(self.layers, self.field, bits))
                self._cache["balls"] = known
            point = [v if isinstance(v, arb) else self.field.ball(self.field(v), bits) for v in x]
            return evaluation.ball_values(self.layers, known[1], point)

    def numpy_evaluate(self, points: Any) -> Any:
        """Return f of points of shape (…, n) in float64, of shape (…, m); it decides nothing.

        Raises
        ------
        UnsupportedError
            If the weights depend on parameters.
        """
        import numpy as np

        array = np.asarray(points, dtype=np.float64)
        if array.ndim == 0 or array.shape[-1] != self.inputs:
            raise InputError(
                f"the network takes vectors of length {self.inputs}, not shape {array.shape}"
            )
        if "floats" not in self._cache:
            self._cache["floats"] = evaluation.float_layers(self.layers, self.field)
        return evaluation.float_values(self.layers, self._cache["floats"], array)
