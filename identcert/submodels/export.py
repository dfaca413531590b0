"""Graphs of submodels as files: GraphML, DOT, JSON, and pictures in SVG.

Every format has the same nodes, edges and attributes; nodes are called by the texts of
their patterns. GraphML and JSON are those that networkx reads (`read_graphml`,
`node_link_graph` with ``edges="edges"``). Nothing is written to disk here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from xml.sax.saxutils import quoteattr

from identcert.errors import InputError
from identcert.submodels.drawing import dot_text, svg_picture
from identcert.submodels.graph import LIMIT, SubmodelGraph

FORMATS = (".graphml", ".dot", ".json", ".svg")
GRAPHML_TYPES = {bool: "boolean", int: "long", str: "string"}


def export_bytes(graph: SubmodelGraph, suffix: str, limit: int | None = LIMIT) -> bytes:
    """Return the content of a file of the kind that its suffix names.

    Raises
    ------
    InputError
        If the suffix is another one, or the graph is larger than the limit or, for a
        picture, than a person can read.

    Examples
    --------
    >>> from identcert.submodels.architecture import Architecture
    >>> content = export_bytes(SubmodelGraph(Architecture.of([1, 1, 1], "tanh")), ".json")
    >>> [node["id"] for node in json.loads(content)["nodes"]]
    ['{0}', 'x{0}']
    """
    if suffix not in FORMATS:
        raise InputError(
            f"graphs are not written as {suffix!r} files" if suffix else "the file has no type",
            fix="end its name in .graphml, .dot, .json or .svg",
        )
    if suffix == ".svg":
        return svg_picture(graph)
    graph.check_size(limit)
    if suffix == ".dot":
        return dot_text(graph).encode()
    lines = _graphml(graph) if suffix == ".graphml" else _json(graph)
    return "".join(lines).encode()


def _json(graph: SubmodelGraph) -> Iterator[str]:
    """Yield the node-link JSON, one node and edge a line."""
    header = {"directed": True, "multigraph": False, "graph": graph.description()}
    yield json.dumps(header)[:-1] + ',\n"nodes": ['
    names = []
    for number, (name, data) in enumerate(graph.nodes()):
        names.append(name)
        yield (",\n" if number else "\n") + json.dumps({"id": name, **data})
    yield '\n],\n"edges": ['
    for number, (source, target, data) in enumerate(graph.edges()):
        edge = {"source": names[source], "target": names[target], **data}
        yield (",\n" if number else "\n") + json.dumps(edge)
    yield "\n]}\n"


def _graphml(graph: SubmodelGraph) -> Iterator[str]:
    """Yield GraphML; keys are declared from the first node and the first edge."""
    description = graph.description()
    first_node = next(graph.nodes())[1]
    first_edge = next(graph.edges(), (0, 0, {"layer": 0, "move": ""}))[2]
    yield "<?xml version='1.0' encoding='utf-8'?>\n"
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    for element, data in (("graph", description), ("node", first_node), ("edge", first_edge)):
        for name, value in data.items():
            kind = GRAPHML_TYPES[type(value)]
            key = quoteattr(f"{element}-{name}")
            yield f'<key id={key} for="{element}" attr.name="{name}" attr.type="{kind}" />\n'
    yield '<graph edgedefault="directed">\n'
    yield _graphml_data("graph", description) + "\n"
    names = []
    for name, data in graph.nodes():
        names.append(quoteattr(name))
        yield f"<node id={names[-1]}>{_graphml_data('node', data)}</node>\n"
    for source, target, data in graph.edges():
        ends = f"source={names[source]} target={names[target]}"
        yield f"<edge {ends}>{_graphml_data('edge', data)}</edge>\n"
    yield "</graph>\n</graphml>\n"


def _graphml_data(element: str, data: Mapping[str, Any]) -> str:
    spelled = {name: str(v).lower() if isinstance(v, bool) else v for name, v in data.items()}
    return "".join(f'<data key="{element}-{name}">{v}</data>' for name, v in spelled.items())
