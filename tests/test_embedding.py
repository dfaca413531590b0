from __future__ import annotations

from degenerate import agree, degenerate_networks
from hypothesis import given

from identcert.exact.field import QQ
from identcert.groups.monomial import MonomialMap
from identcert.nets.network import Network
from identcert.submodels.embedding import embed, extend_monomial
from identcert.submodels.reduction import reduce_network


@given(degenerate_networks())
def test_padded_network_has_the_old_widths_and_the_same_function(network: Network) -> None:
    reduction = reduce_network(network)
    embedding = embed(reduction)
    if embedding is None:
        assert reduction.is_collapsed
        return
    assert embedding.network.widths == reduction.folded.widths
    assert agree(network, embedding.network)
    assert embedding.encode() == {"positions": [list(kept) for kept in reduction.kept]}
    again = reduce_network(embedding.network)
    assert again.reduced == reduction.reduced and again.kept == reduction.kept


def test_extended_latents_satisfy_the_layer_equations() -> None:
    network = Network.dense(
        [
            ([[0, 0], [1, 2], [1, 2], [2, 1]], [1, 0, 0, 0], "relu"),
            ([[1, 1, 2, 3]], [0], "identity"),
        ]
    )
    reduction = reduce_network(network)
    embedding = embed(reduction)
    assert embedding is not None and embedding.positions == ((1, 3),)
    swap = MonomialMap(QQ, (1, 0), (QQ(1),) * 2, (QQ(0),) * 2)
    (extended,) = embedding.extend([swap])
    assert extended.permutation == (0, 3, 2, 1)
    first, last = embedding.network.layers
    moved, _ = swap.pull_back(first.weight, first.bias)
    assert moved == first.weight.select_rows(extended.permutation)
    assert extended.pull_back(last.weight, last.bias) == (last.weight, last.bias)


def test_extended_monomials_act_as_identity_on_padding() -> None:
    latent = MonomialMap(QQ, (1, 0), (QQ(2), QQ(-1)), (QQ(0), QQ(6)))
    wide = extend_monomial(latent, (0, 2), 4)
    assert wide.apply([QQ(1), QQ(5), QQ(3), QQ(7)]) == (6, 5, 5, 7)
    assert extend_monomial(MonomialMap.identity(0, QQ), (), 2) == MonomialMap.identity(2, QQ)
