"""Architectures: the widths, activations and biases that patterns belong to.

signed   == clones may be negative: the activation admits exactly α = ±1 about its centre,
            and either there are biases or the centre is 0
scaled   == the activation admits a continuum of α: the factor between two clones is then a
            free parameter of a pattern, and its sign is part of it
stratum  == the parameters of an architecture that have a given pattern
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from identcert.errors import InputError
from identcert.nets.activation import Activation
from identcert.nets.activation import activation as activation_named


def is_signed(activation: Activation, bias: bool = True) -> bool:
    """Return whether clones of this activation carry a sign.

    Without biases, rows are reflected about 0, which must then be the centre.

    >>> [is_signed(activation_named(s)) for s in ("tanh", "relu6", "x^3+x", "relu", "gelu")]
    [True, True, True, False, False]
    >>> is_signed(activation_named("relu6"), bias=False)
    False
    """
    return activation.scalings == "sign" and _is_symmetric(activation, bias)


def is_scaled(activation: Activation, bias: bool = True) -> bool:
    """Return whether clones may differ by a factor from a continuum."""
    return activation.scalings in ("positive", "nonzero") and _is_symmetric(activation, bias)


def _is_symmetric(activation: Activation, bias: bool) -> bool:
    return bias or activation.centre == 0


@dataclass(frozen=True, slots=True)
class LayerShape:
    """What a stratum needs to know of one layer of a pattern.

    Attributes
    ----------
    width : the number of classes.
    clones : the number of further members of classes.
    constant, unread : the numbers of removed neurons of either kind.
    """

    width: int
    clones: int
    constant: int
    unread: int


@dataclass(frozen=True, slots=True)
class Architecture:
    """Dense networks of fixed widths and activations.

    Attributes
    ----------
    widths : inputs, the neurons of every hidden layer, outputs.
    activations : one for every hidden layer.
    bias : whether layers have biases.
    dead_kinds : whether patterns tell constant neurons from unread ones.

    Raises
    ------
    InputError
        If a width is negative, the activations do not fit, or one of them is affine.
    """

    widths: tuple[int, ...]
    activations: tuple[Activation, ...]
    bias: bool = True
    dead_kinds: bool = False

    @classmethod
    def of(
        cls,
        widths: Sequence[int],
        activation: str | Activation | Sequence[str | Activation],
        bias: bool = True,
        dead_kinds: bool = False,
    ) -> Architecture:
        """Return the architecture with one activation everywhere, or one for every layer.

        >>> Architecture.of([2, 3, 1], "tanh").text()
        'widths 2-3-1, tanh, biases'
        """
        given: Sequence[str | Activation]
        if not isinstance(widths, Sequence):
            raise InputError(f"{widths!r} is no list of widths", "widths", "write [2, 3, 1]")
        if isinstance(activation, str | Activation):
            given = [activation] * max(len(widths) - 2, 0)
        else:
            given = activation
        parsed = tuple(activation_named(sigma) for sigma in given)
        return cls(tuple(widths), parsed, bias, dead_kinds)

    def __post_init__(self) -> None:
        if len(self.widths) < 2:
            raise InputError(
                "an architecture has inputs and outputs, so at least two widths",
                "widths",
                "give inputs, hidden widths and outputs, such as 2,3,1",
            )
        for width in self.widths:
            if isinstance(width, bool) or not isinstance(width, int) or width < 0:
                raise InputError(f"{width} is no number of neurons", "widths")
        if len(self.activations) != len(self.hidden):
            raise InputError(
                f"{len(self.activations)} activations do not fit {len(self.hidden)} hidden layers"
            )
        for sigma in self.activations:
            if sigma.affine is not None:
                raise InputError(
                    f"the activation {sigma.text()} is affine, so its layer joins the next one",
                    fix="leave such hidden layers out",
                )

    @property
    def hidden(self) -> tuple[int, ...]:
        """The numbers of neurons of the hidden layers."""
        return self.widths[1:-1]

    @property
    def signed(self) -> tuple[bool, ...]:
        """Per hidden layer, whether clones carry signs."""
        return tuple(is_signed(sigma, self.bias) for sigma in self.activations)

    @property
    def scaled(self) -> tuple[bool, ...]:
        """Per hidden layer, whether clones may differ by a continuum of factors."""
        return tuple(is_scaled(sigma, self.bias) for sigma in self.activations)

    def text(self) -> str:
        """Return the architecture in a few words."""
        names = ", ".join(dict.fromkeys(sigma.text() for sigma in self.activations)) or "affine"
        joined = "-".join(map(str, self.widths))
        return f"widths {joined}, {names}, {'biases' if self.bias else 'no biases'}"

    def dimension(self, shapes: Sequence[LayerShape]) -> int:
        """Return the dimension of the stratum of a pattern with constant and unread neurons.

        Rows of a weight count once for every class and for every unread neuron; columns of
        unread neurons are zero, and so are rows of constant ones.
        """
        free, columns = 0, self.widths[0]
        for shape, scaled in zip(shapes, self.scaled, strict=True):
            rows = shape.width + shape.unread
            free += rows * columns
            if self.bias:
                free += rows + shape.constant
            if scaled:
                free += shape.clones
            columns = shape.width + shape.clones + shape.constant
        return free + self.widths[-1] * (columns + self.bias)

    def stratum_dimension(self, widths: Sequence[int], removed: Sequence[tuple[int, ...]]) -> int:
        """Return the dimension of the stratum of a pattern.

        Parameters
        ----------
        widths : the number of classes of every layer.
        removed : per layer the numbers (constant, unread) of removed neurons, or their
            total (z,) where kinds are not told apart: then the largest component counts.

        Notes
        -----
        The dimension is affine in the number of unread neurons of each layer, so that its
        maximum lies where all or none of the removed neurons of a layer are unread.

        >>> Architecture.of([2, 3, 1], "tanh").stratum_dimension([2], [(1,)])
        12
        """
        choices = [
            [
                LayerShape(k, m - k - sum(zeros), *kinds)
                for kinds in ([(zeros[0], 0), (0, zeros[0])] if len(zeros) == 1 else [zeros])
            ]
            for m, k, zeros in zip(self.hidden, widths, removed, strict=True)
        ]
        return max(map(self.dimension, itertools.product(*choices)))
