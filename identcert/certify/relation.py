"""Whether two parameters of one architecture are related by latent symmetries, disproved.

related   == there are maps K_i of the hidden spaces, from the full intertwiner groups of
             the activations, with (W'_i, b'_i)∘R_{i−1} = K_i∘(W_i, b_i), R transported
invariant == the numbers of zero rows and zero columns of a layer: monomial maps keep them
forced    == where the rows of a layer are non-zero and pairwise inequivalent, K_i is
             unique if it exists; so a row without a partner excludes all of them

Source: theory of forced matchings (Prop. 3), for two parameters instead of one and its
transport.
"""

from __future__ import annotations

from identcert.certify.latents import LayerTables
from identcert.certify.matching import Mismatch, match_networks
from identcert.nets.network import Network
from identcert.submodels.rows import zero_rows


def unrelated_because(left: Network, right: Network) -> str | None:
    """Return why no latent symmetries carry ``left`` to ``right``, or None.

    None says nothing: they may be related, or nothing was forced. Both networks have the
    same widths and activations, lie over one field, and no hidden σ is affine.

    Examples
    --------
    >>> tent = [([[1], [1], [1]], [1, 0, -1], "relu"), ([[1, -2, 1]], None, "identity")]
    >>> back = [([[-1], [-1], [-1]], [1, 0, -1], "relu"), ([[1, -2, 1]], None, "identity")]
    >>> unrelated_because(Network.dense(tent), Network.dense(back))
    'row 0 of hidden layer 1 is no admissible multiple of a row of the given parameter'
    """
    return _by_zeros(left, right) or _by_forced_rows(left, right)


def _by_zeros(left: Network, right: Network) -> str | None:
    """Return an invariant in which they differ."""
    hidden = len(left.layers) - 1
    for index in range(hidden):
        for noun, matrices in (
            ("incoming rows", (left.layers[index].weight, right.layers[index].weight)),
            (
                "outgoing columns",
                (left.layers[index + 1].weight.T, right.layers[index + 1].weight.T),
            ),
        ):
            counts = [len(zero_rows(matrix)) for matrix in matrices]
            if counts[0] != counts[1]:
                return (
                    f"hidden layer {index + 1} has {counts[1]} zero {noun} instead of "
                    f"{counts[0]}, and latent symmetries keep that number"
                )
    return None


def _by_forced_rows(left: Network, right: Network) -> str | None:
    """Return the first equation that the forced maps do not satisfy."""
    if not all(layer.has_plain_bias for net in (left, right) for layer in net.layers):
        return None
    tables, last = LayerTables(left), len(left.layers) - 1
    found = match_networks(tables, right)
    if not isinstance(found, Mismatch) or found.layer is None:
        return None
    if not tables.is_forced(min(found.layer + 1, last)):
        return None
    if found.layer == last:
        return "the only maps that fit the hidden layers do not fit the output layer"
    return (
        f"row {found.row} of hidden layer {found.layer + 1} is no admissible multiple of a row of "
        "the given parameter"
    )
