"""Actions written out in Python, in the spelling of action files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from math import prod
from typing import Any

from identcert.errors import InputError
from identcert.groups.action import Action
from identcert.groups.canonical import FORMAT, VERSION
from identcert.groups.files import parse_action


def custom(
    generators: Mapping[str, Any],
    relators: Iterable[str] = (),
    label: str | None = None,
    inputs: int | None = None,
    outputs: int | None = None,
    parameters: Iterable[str] = (),
    algebraic: Mapping[str, Any] | None = None,
) -> Action:
    """Return the action with the given generators, spelled as in action files.

    Parameters
    ----------
    generators : name ↦ ``{"input": map, "output": map}``; a map is ``"trivial"``,
        ``{"permutation": …, "signs": …}``, ``{"matrix": …}`` or ``{"image": …}``, the first
        two with ``"shift"`` if wanted. Scalars are integers, fractions or texts.
    relators : words that have to be the identity, such as ``"r^4"``.
    label : what to call the group.
    inputs, outputs : the dimensions; needed only where every map of a side is ``"trivial"``.
    parameters, algebraic : declared names, as in files.

    Raises
    ------
    InputError
        If a map is wrong or a dimension cannot be told; with the place.

    Examples
    --------
    >>> action = custom({"s": {"input": {"permutation": [1, 0]}, "output": "trivial"}}, outputs=1)
    >>> action.inputs, action.outputs
    (2, 1)
    """
    tree: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "generators": _plain(generators),
        "relators": list(relators),
        "parameters": list(parameters),
    }
    if label is not None:
        tree["group"] = label
    if algebraic is not None:
        tree["algebraic"] = _plain(algebraic)
    sizes = {
        side: _declared_size(tree["generators"], side) if size is None else size
        for side, size in (("input", inputs), ("output", outputs))
    }
    return parse_action(tree, sizes["input"], sizes["output"], "action")


def _plain(value: Any) -> Any:
    """Return a value as JSON would hold it: lists, objects, integers and texts."""
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, bool | str | Decimal):
        return value
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, int):
        return int(value)
    if hasattr(value, "tolist") and hasattr(value, "dtype"):
        return _plain(value.tolist())
    if hasattr(value, "p") and hasattr(value, "q"):
        return str(value)
    return value


def _declared_size(generators: Any, side: str) -> int:
    """Return the dimension that the first map which tells one has on a side."""
    for sides in generators.values() if isinstance(generators, dict) else ():
        size = _size(sides.get(side)) if isinstance(sides, dict) else None
        if size is not None:
            return size
    raise InputError(
        f"the maps do not tell how many {side}s there are",
        "action",
        f"pass {side}s=…",
    )


def _size(value: Any) -> int | None:
    """Return the dimension that the spelling of a map tells, if any."""
    match value:
        case {"permutation": list(entries)} | {"matrix": list(entries)}:
            return len(entries)
        case {"image": {"shape": list(shape)}} if all(type(n) is int for n in shape):
            return prod(shape)
    return None
