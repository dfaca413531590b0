"""Action files ``*.action.json``: read strictly, and written in canonical form.

The format stands in the design of the files: a group by named generators with a
map on inputs and a map on outputs, or a Lie algebra by infinitesimal generators.
The canonical form of evidence folders is read as well: it states its field.
"""

from __future__ import annotations

import re
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from identcert.arguments import path_of
from identcert.errors import InputError, UnsupportedError
from identcert.exact.join import decode_field
from identcert.exact.spelling import shortened
from identcert.groups.action import Action, ActionSource, Generator, InfinitesimalGenerator
from identcert.groups.builtin import find_builtin
from identcert.groups.canonical import FORMAT, VERSION
from identcert.groups.canonical import canonical_action as canonical_action
from identcert.groups.canonical import canonical_map as canonical_map
from identcert.groups.declarations import read_algebraic, read_parameters
from identcert.groups.infinitesimal_text import read_infinitesimal
from identcert.groups.json_text import check_keys, check_repeated, parse_json, read_bytes
from identcert.groups.map_text import Space, read_map
from identcert.groups.scalar_reader import CanonicalReader, ExpressionReader, ScalarReader
from identcert.groups.words import NAME, Word, parse_word

_REQUIRED = ("format", "version")
_OPTIONAL = ("group", "generators", "infinitesimal", "relators", "parameters", "algebraic")
_CANONICAL = ("field", "group", "generators", "infinitesimal", "relators")


def load_action(source: str | Path, inputs: int, outputs: int) -> Action:
    """Return the action of a file or of a built-in name, on a network's inputs and outputs.

    Raises
    ------
    InputError
        If there is neither such a file nor such a name, or the action does not fit;
        one sentence with the place.

    Examples
    --------
    >>> load_action("image-rot90:1x2x2", 4, 1).generators[0].input.linear.permutation
    (1, 3, 0, 2)
    """
    fix = "give an Action, the path of an action file, or a built-in name"
    path = path_of(source, "action", fix)
    # no built-in name has a full stop or a slash
    if isinstance(source, str) and not re.search(r"[./\\]", source) and not path.exists():
        return find_builtin(source, inputs, outputs)
    content = read_bytes(path)
    action = parse_action(parse_json(content, str(path)), inputs, outputs, str(path))
    return replace(action, source=ActionSource(path.name, sha256(content).hexdigest()))


def parse_action(obj: Any, inputs: int, outputs: int, where: str) -> Action:
    """Return the action that a JSON value spells.

    Parameters
    ----------
    obj : the value, its numbers int or `decimal.Decimal`.
    inputs, outputs : the dimensions that the action must have.
    where : the beginning of the places in error messages.

    Raises
    ------
    InputError
        If the value is not an action of that format, naming the place.
    NotAHomomorphism
        If a relator is not the identity on inputs or outputs.
    """
    is_canonical = isinstance(obj, dict) and "field" in obj
    check_keys(obj, where, _REQUIRED, _CANONICAL if is_canonical else _OPTIONAL)
    _check_format(obj, where)
    spaces = Space(inputs, "input"), Space(outputs, "output")
    label = obj.get("group")
    if "group" in obj and not isinstance(label, str):
        raise InputError(f"{shortened(label)} is not a text", f"{where}, group")
    kind = _kind_of_generators(obj, where)
    relators = _read_relators(obj, kind, where)
    reader = _reader(obj, where)
    generators: tuple[Generator, ...] = ()
    infinitesimal: tuple[InfinitesimalGenerator, ...] = ()
    try:
        if kind == "generators":
            generators = _read_generators(obj[kind], spaces, where, reader)
        else:
            infinitesimal = read_infinitesimal(obj[kind], spaces, where, reader)
    except UnsupportedError as error:
        raise UnsupportedError(f"{where}: {error}") from None
    try:
        return Action(label, reader.field(), generators, relators, infinitesimal)
    except InputError as error:
        raise type(error)(error.what, f"{where}, {error.where or kind}", error.fix) from None


def _check_format(obj: Any, where: str) -> None:
    """Refuse another format or version."""
    if obj["format"] != FORMAT:
        fix = f'an action file begins with "format": "{FORMAT}"'
        raise InputError(f"the format is {shortened(obj['format'])}", f"{where}, format", fix)
    version = obj["version"]
    if isinstance(version, bool) or not isinstance(version, int) or version != VERSION:
        fix = f"this program reads version {VERSION}"
        raise InputError(f"version {shortened(version)} is not known", f"{where}, version", fix)


def _reader(obj: Any, where: str) -> ScalarReader:
    """Return how the scalars of a file are read."""
    if "field" in obj:
        try:
            return CanonicalReader(decode_field(obj["field"]))
        except InputError as error:
            raise InputError(error.what, f"{where}, field", error.fix) from None
    names = read_parameters(obj.get("parameters", []), f"{where}, parameters")
    place = f"{where}, algebraic"
    return ExpressionReader(
        names, read_algebraic(obj["algebraic"], place) if "algebraic" in obj else None
    )


def _kind_of_generators(obj: Any, where: str) -> str:
    """Return which of the two keys the file has; it has exactly one, with entries."""
    present = [key for key in ("generators", "infinitesimal") if key in obj]
    if len(present) == 2:
        fix = "a finite group has generators, a connected Lie group infinitesimal ones"
        raise InputError('"generators" and "infinitesimal" stand in one file', where, fix)
    if not present:
        raise InputError('the key "generators" is missing', where, "add at least one generator")
    kind = present[0]
    if not isinstance(obj[kind], dict):
        raise InputError(f"{shortened(obj[kind])} is not an object", f"{where}, {kind}")
    check_repeated(obj[kind], f"{where}, {kind}")
    if not obj[kind]:
        raise InputError("there is no generator", f"{where}, {kind}", "add at least one")
    for name in obj[kind]:
        if NAME.fullmatch(name) is None:
            fix = "use letters, digits and _, not beginning with a digit"
            raise InputError(f"{shortened(name)} is not a name", f"{where}, {kind}", fix)
    return kind


def _read_generators(
    obj: dict[str, Any], spaces: tuple[Space, Space], where: str, reader: ScalarReader
) -> tuple[Generator, ...]:
    """Return the generators; scalars of all of them are read before any has a value."""
    texts = []
    for name, sides in obj.items():
        place = f"{where}, generator {name}"
        check_keys(sides, place, ("input", "output"))
        texts.append((
            name,
            read_map(sides["input"], spaces[0], f"{place}, input", reader),
            read_map(sides["output"], spaces[1], f"{place}, output", reader),
        ))  # fmt: skip
    return tuple(Generator(name, a.over(reader), b.over(reader)) for name, a, b in texts)


def _read_relators(obj: dict[str, Any], kind: str, where: str) -> tuple[Word, ...]:
    """Return the words, whose names must be generators."""
    value = obj.get("relators", [])
    if not isinstance(value, list):
        fix = 'write a list of words such as ["r^4"]'
        raise InputError(f"{shortened(value)} is not a list", f"{where}, relators", fix)
    if value and kind == "infinitesimal":
        raise InputError("infinitesimal generators have no relators", f"{where}, relators")
    words = []
    for i, text in enumerate(value):
        place = f"{where}, relators[{i}]"
        if not isinstance(text, str):
            raise InputError(f"{shortened(text)} is not a word", place, 'write a text like "r^4"')
        words.append(parse_word(text, place))
        for name, _ in words[-1]:
            if name not in obj[kind]:
                fix = "the generators are " + ", ".join(obj[kind])
                raise InputError(f"there is no generator {name}", place, fix)
    return tuple(words)
