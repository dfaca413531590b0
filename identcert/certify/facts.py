"""Facts about the tested group, and the warnings that follow from them."""

from __future__ import annotations

from typing import Any

from identcert.certify.result import GroupFacts
from identcert.groups.action import Action
from identcert.groups.closure import FiniteClosure
from identcert.groups.names import group_name, known_order
from identcert.nets.network import Network

DETERMINANT_SIZE = 64


def group_facts(action: Action, closure: FiniteClosure | None) -> GroupFacts:
    """Return order, name, faithfulness and determinants of the generated group."""
    rows = tuple(
        (g.name, _determinant(g.input, action.field), _determinant(g.output, action.field))
        for g in action.generators
    )
    if closure is None:
        return GroupFacts(None, None, None, rows)
    return GroupFacts(closure.order, group_name(closure), closure.is_input_faithful, rows)


def _determinant(affine: Any, field: Any) -> str:
    if affine.dim > DETERMINANT_SIZE and not hasattr(affine.linear, "permutation"):
        return "not computed (large matrix)"
    return str(field.text(affine.det()))


def group_warnings(action: Action, group: GroupFacts, network: Network) -> tuple[str, ...]:
    """Return sentences about what a person may not have meant."""
    sentences = []
    expected = known_order(action.label) if action.label else None
    if expected is not None and group.order is None:
        sentences.append(
            f"the label {action.label} suggests a group of order {expected}, but the maps "
            "generate a larger (perhaps infinite) group"
        )
    elif expected is not None and group.order != expected:
        sentences.append(
            f"the label {action.label} suggests a group of order {expected}, but the maps "
            f"generate a group of order {group.order}"
        )
    if group.is_faithful is False:
        sentences.append(
            "different group elements act alike on the input, so f can only be equivariant "
            "if its outputs lie in the common fixed space of the elements that fix the input"
        )
    if all(g.input.is_identity() and g.output.is_identity() for g in action.generators):
        sentences.append("every generator is the identity: any network is equivariant")
    return tuple(sentences)
