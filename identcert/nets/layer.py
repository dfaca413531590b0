"""Dense layers h ↦ σ(Wh + b) over an exact field."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from identcert.errors import InputError
from identcert.exact.field import Element, Field
from identcert.exact.matrix import Matrix
from identcert.nets.activation import Activation
from identcert.nets.constant import Constant, entry_over

IDENTITY = Activation("identity")


@dataclass(frozen=True, slots=True)
class Layer:
    """The map h ↦ σ(Wh + b), with σ entry by entry.

    Attributes
    ----------
    weight : W of shape (m, n).
    bias : b, m elements of the field of W; a `Constant` only where atoms are present.
    activation : σ.
    has_bias : whether a bias was written; without one, b = 0. Not part of equality,
        which is equality of W, b and σ.

    Raises
    ------
    InputError
        If b does not have m entries of the field of W.
    """

    weight: Matrix
    bias: tuple[Any, ...]
    activation: Activation = IDENTITY
    has_bias: bool = field(default=True, compare=False)

    def __post_init__(self) -> None:
        if len(self.bias) != self.weight.rows:
            rows = self.weight.rows
            raise InputError(f"a bias of {len(self.bias)} numbers does not fit {rows} rows")
        entries = tuple([_entry(b, self.weight.field) for b in self.bias])
        object.__setattr__(self, "bias", entries)

    @property
    def field(self) -> Field:
        """The coefficient field."""
        return self.weight.field

    @property
    def inputs(self) -> int:
        """The number n of columns of W."""
        return self.weight.cols

    @property
    def outputs(self) -> int:
        """The number m of neurons."""
        return self.weight.rows

    @property
    def has_plain_bias(self) -> bool:
        """Whether every bias is an element of the field, without atoms."""
        return not any(isinstance(b, Constant) for b in self.bias)

    def over(self, field: Field, embed: Callable[[Element], Element]) -> Layer:
        """Return the image under an embedding of fields."""
        bias = tuple([entry_over(b, field, embed) for b in self.bias])
        return Layer(self.weight.over(field, embed), bias, self.activation, self.has_bias)


def _entry(entry: Any, field: Field) -> Any:
    if not isinstance(entry, Constant):
        return field(entry)
    if entry.field != field:
        raise InputError("a bias lies in another field than the weights")
    return entry.value if entry.is_plain else entry


def closed_by_identity(layers: Iterable[Layer]) -> tuple[Layer, ...]:
    """Return the layers, with an identity layer appended if the last one has another σ.

    Examples
    --------
    >>> layer = Layer(Matrix.of([[1, 2]]), (0,), Activation("tanh"))
    >>> [each.activation.name for each in closed_by_identity([layer])]
    ['tanh', 'identity']
    """
    layers = tuple(layers)
    if not layers or layers[-1].activation == IDENTITY:
        return layers
    m, field = layers[-1].outputs, layers[-1].field
    last = Layer(Matrix.identity(m, field), (field.zero,) * m, IDENTITY, has_bias=False)
    return (*layers, last)
