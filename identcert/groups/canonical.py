"""The canonical JSON of actions in evidence folders.

Signed permutations are always written as such and the identity as ``"trivial"``, so
that equal actions have equal bytes. The problem's field stands beside them.
"""

from __future__ import annotations

from typing import Any

from identcert.exact.field import Element, Field
from identcert.exact.matrix import Matrix
from identcert.groups.action import Action
from identcert.groups.affine import AffineMap
from identcert.groups.signed import SignedPermutation
from identcert.groups.words import word_text

FORMAT = "identcert.action"
VERSION = 1


def canonical_action(action: Action) -> dict[str, Any]:
    """Return the JSON tree of an action in the canonical form of evidence folders."""
    tree: dict[str, Any] = {
        "field": action.field.describe(),
        "format": FORMAT,
        "version": VERSION,
    }
    if action.label is not None:
        tree["group"] = action.label
    if action.generators:
        tree["generators"] = {
            g.name: {"input": canonical_map(g.input), "output": canonical_map(g.output)}
            for g in action.generators
        }
    else:
        tree["infinitesimal"] = {
            g.name: {
                "input": _canonical_vector_field(g.input, g.input_shift, action.field),
                "output": _canonical_vector_field(g.output, g.output_shift, action.field),
            }
            for g in action.infinitesimal
        }
    relators = [word_text(word) for word in action.relators if word]
    if relators:
        tree["relators"] = relators
    return tree


def canonical_map(g: AffineMap) -> Any:
    """Return the canonical spelling of an invertible affine map.

    Over other fields than Q the inverse of a matrix stands beside it, so that
    whoever reads the evidence checks invertibility by one product.
    """
    if g.is_identity():
        return "trivial"
    tree: dict[str, Any] = {}
    if isinstance(g.linear, SignedPermutation):
        tree["permutation"] = list(g.linear.permutation)
        if not g.linear.is_permutation():
            tree["signs"] = list(g.linear.signs)
    else:
        tree["matrix"] = _encoded(g.linear)
        if g.field.kind != "rational":
            tree["inverse"] = _encoded(g.linear.inverse())
    if not g.is_linear:
        tree["shift"] = [g.field.encode(x) for x in g.shift]
    return tree


def _encoded(matrix: Matrix) -> list[list[Any]]:
    """Return the rows of a matrix in canonical spelling."""
    return [[matrix.field.encode(x) for x in row] for row in matrix.to_rows()]


def _canonical_vector_field(matrix: Matrix, shift: tuple[Element, ...], field: Field) -> Any:
    """Return the canonical spelling of x ↦ Ax + a."""
    is_linear = all(map(field.is_zero, shift))
    if matrix.is_zero() and is_linear:
        return "trivial"
    tree: dict[str, Any] = {"matrix": _encoded(matrix)}
    if not is_linear:
        tree["shift"] = [field.encode(x) for x in shift]
    return tree
