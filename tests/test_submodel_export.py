"""Files and pictures of graphs of submodels, and the command that writes them."""

from __future__ import annotations

import io
import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
import typer
from typer.testing import CliRunner

from identcert.cli import submodels
from identcert.errors import IdentcertError, InputError
from identcert.exact.field import QQ
from identcert.exact.matrix import Matrix
from identcert.nets.activation import activation
from identcert.nets.network import Layer, Network
from identcert.submodels import drawing
from identcert.submodels.architecture import Architecture
from identcert.submodels.export import export_bytes
from identcert.submodels.graph import Relabelling, SubmodelGraph, submodel_graph
from identcert.submodels.layered import layered_picture, rows_in_order
from identcert.submodels.maps import LayerFree, embed
from identcert.submodels.place import place_of
from identcert.submodels.reduction import reduce_network

CASES: list[tuple[list[int], str, Relabelling, bool]] = [
    ([2, 3, 1], "tanh", "none", False),
    ([2, 3, 2, 1], "tanh", "latent", False),
    ([2, 3, 2, 1], "tanh", "permutations", False),
    ([2, 2, 1, 1], "relu", "none", True),
    ([2, 1], "tanh", "none", False),
]


def graph_of(widths: list[int], name: str, relabelling: Relabelling, kinds: bool) -> SubmodelGraph:
    return SubmodelGraph(Architecture.of(widths, name, dead_kinds=kinds), relabelling)


def same_graph(found: nx.DiGraph, expected: nx.DiGraph) -> bool:
    return (
        dict(found.nodes(data=True)) == dict(expected.nodes(data=True))
        and {(s, t): d for s, t, d in found.edges(data=True)}
        == {(s, t): d for s, t, d in expected.edges(data=True)}
        and found.graph.items() >= expected.graph.items()
    )


@pytest.mark.parametrize("case", CASES, ids=str)
def test_networkx_reads_back_what_is_written(case: Any) -> None:
    graph = graph_of(*case)
    expected = graph.digraph()
    assert (len(expected), expected.size()) == (graph.count.nodes, graph.count.edges)
    found = nx.read_graphml(io.BytesIO(export_bytes(graph, ".graphml")))
    assert same_graph(found, expected)
    tree = json.loads(export_bytes(graph, ".json"))
    assert same_graph(nx.node_link_graph(tree, edges="edges"), expected)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_dot_files_have_every_node_and_edge(case: Any) -> None:
    graph = graph_of(*case)
    text = export_bytes(graph, ".dot").decode()
    edges = re.findall(r'^  "([^"]*)" -> "([^"]*)" \[', text, re.MULTILINE)
    nodes = re.findall(r'^  "([^"]*)" \[label=', text, re.MULTILINE)
    expected = graph.digraph()
    assert sorted(nodes) == sorted(expected) and sorted(edges) == sorted(expected.edges)


def lines_of(svg: bytes) -> set[str]:
    """The texts of a picture: matplotlib keeps them as comments beside the glyphs."""
    return {line.strip() for line in re.findall(r"<!--(.*?)-->", svg.decode(), re.DOTALL)}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_pictures_show_ranks_widths_and_moves(case: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing.shutil, "which", lambda name: None)
    graph = graph_of(*case)
    picture = export_bytes(graph, ".svg")
    assert ElementTree.fromstring(picture).tag.endswith("svg")
    text = lines_of(picture)
    assert {box.lines[1] for _, box in drawing.boxes(graph)} - {""} <= text
    assert any("rank 0" in line for line in text)
    assert {sentence for sentence, _, _ in drawing.legend(graph)} <= text
    used = {colour for _, colour, _ in drawing.legend(graph)}
    assert all(colour.lower() in picture.decode() for colour in used)


def test_equal_graphs_have_equal_pictures() -> None:
    assert layered_picture(graph_of(*CASES[4])) == layered_picture(graph_of(*CASES[4]))
    assert layered_picture(graph_of(*CASES[0])) == layered_picture(graph_of(*CASES[0]))


def test_rows_hold_the_nodes_of_one_rank() -> None:
    graph = graph_of([2, 3, 2, 1], "tanh", "latent", False)
    ranks = [data["rank"] for _, data in graph.nodes()]
    rows = rows_in_order(graph)
    assert sorted(n for row in rows for n in row) == list(range(28))
    assert all(ranks[n] == rank for rank, row in enumerate(rows) for n in row)


def test_graphviz_draws_where_it_is_installed(tmp_path: Path, monkeypatch: Any) -> None:
    program = tmp_path / "dot"
    program.write_text('#!/bin/sh\nread line\necho "<svg>$line $1</svg>"\n')
    program.chmod(0o755)
    monkeypatch.setattr(drawing.shutil, "which", lambda name: str(program))
    graph = graph_of([1, 1, 1], "tanh", "none", False)
    assert export_bytes(graph, ".svg") == b"<svg>digraph submodels { -Tsvg</svg>\n"
    program.write_text("#!/bin/sh\nexit 1\n")
    assert b"matplotlib" in export_bytes(graph, ".svg")


def test_what_cannot_be_written_is_refused() -> None:
    with pytest.raises(InputError, match=r"'\.png' files"):
        export_bytes(graph_of(*CASES[0]), ".png")
    with pytest.raises(InputError, match="a picture of 648 nodes cannot be read"):
        export_bytes(graph_of([2, 5, 1], "tanh", "none", False), ".svg")
    with pytest.raises(InputError, match="more than the limit"):
        export_bytes(graph_of([2, 9, 1], "tanh", "none", False), ".json")
    with pytest.raises(InputError, match="more than the limit of 10"):
        submodel_graph([2, 3, 1], limit=10)


@pytest.mark.parametrize(
    ("widths", "name", "sentence"),
    [
        ([3], "tanh", "at least two widths"),
        ([2, -1, 1], "tanh", "-1 is no number of neurons"),
        ([2, 3, 1], "identity", "is affine"),
        ([2, 3, 1], ["tanh", "tanh"], "2 activations do not fit 1 hidden layers"),
    ],
)
def test_architectures_that_are_none_are_refused(widths: Any, name: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        submodel_graph(widths, name)


def run(*arguments: str) -> Any:
    app = typer.Typer(pretty_exceptions_enable=False)
    submodels.register(app)
    return CliRunner().invoke(app, list(arguments))


def test_the_command_counts_as_json() -> None:
    tree = json.loads(run("--widths", "2,7,1", "--activation", "tanh", "--count", "--json").stdout)
    assert (tree["nodes"], tree["edges"]) == (28640, 252456)
    assert tree["ranks"][:2] == [1, 49] and tree["characteristic_polynomial"][-1] == 1
    relabelled = run("--widths", "2,8,1", "--up-to-relabelling", "--unsigned", "--json").stdout
    assert (json.loads(relabelled)["nodes"], json.loads(relabelled)["edges"]) == (233, 1218)


def test_the_command_lists_and_writes(tmp_path: Path) -> None:
    listed = run("--widths", "2,3,1").stdout
    assert "24 patterns, 58 moves" in listed and "{0,-2} x{1}" in listed
    target = tmp_path / "folder" / "graph.graphml"
    written = run("--widths", "2,3,2,1", "--no-bias", "-o", str(target))
    assert written.exit_code == 0 and f"Written: {target}" in written.stdout
    assert len(nx.read_graphml(target)) == 144
    leaky = run("--widths", "2,3,1", "--activation", '{"leaky_relu": "1/10"}', "--json")
    assert json.loads(leaky.stdout)["nodes"] == 15
    mixed = run("--widths", "2,3,2,1", "--activation", "tanh,relu", "--count", "--json")
    assert json.loads(mixed.stdout)["nodes"] == 24 * 5


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--widths", "2,0,1"], "does not spell widths"),
        (["--widths", "two"], "does not spell widths"),
        (["--widths", "2,3,1", "--activation", "identity"], "is affine"),
        (["--widths", "2,3,1", "--activation", "{"], "is no JSON object"),
        (["--widths", "2,3,1", "--activation", "foo"], "is not known"),
        (["--widths", "2,3,1", "--count", "-o", "x.svg"], "--count builds no graph"),
        (["--widths", "2,3,1", "-o", "x.png"], "are not written as"),
        (["--widths", "2,2000,1", "--count"], "too many to count"),
    ],
)
def test_the_command_refuses_with_one_sentence(arguments: list[str], sentence: str) -> None:
    outcome = run(*arguments)
    assert isinstance(outcome.exception, IdentcertError)
    assert sentence in str(outcome.exception) and "\n" not in str(outcome.exception)


def test_the_place_of_a_network_is_its_node() -> None:
    rows = [[1, 2], [-1, -2], [0, 0], [3, 1]]
    net = Network.dense([(rows, [1, -1, 2, 0], "tanh"), ([[5, 1, 2, 0]], [0], "identity")])
    place = place_of(reduce_network(net))
    graph = submodel_graph([2, 4, 1], "tanh")
    name = place.pattern.text()
    data = graph.nodes[name]
    assert (place.orbit, place.dimension) == (data["orbit"], data["dimension"])
    assert place.moebius == data["moebius"]
    assert (place.up, place.down) == (graph.out_degree(name), graph.in_degree(name))
    assert "rank 3 of 4" in " ".join(place.sentences())
    assert place.to_json()["nodes"] == len(graph)


@pytest.mark.parametrize("name", ["tanh", "relu"])
def test_moves_around_every_place_are_the_degrees_of_the_graph(name: str) -> None:
    graph = SubmodelGraph(Architecture.of([2, 3, 1], name))
    built = graph.digraph()
    for pattern in graph.patterns():
        (own,) = pattern.layers
        rows = Matrix.of([[1, k] for k in range(own.width)], cols=2)
        hidden = Layer(rows, tuple(range(own.width)), activation(name))
        small = Network(2, (hidden, Layer(Matrix.of([[1] * own.width]), (0,))), QQ)
        columns = {j: [3] for members in own.classes for j, _ in members[1:]}
        place = place_of(reduce_network(embed(small, pattern, [LayerFree(columns=columns)])))
        assert place.pattern == pattern
        text = pattern.text()
        assert (place.up, place.down) == (built.out_degree(text), built.in_degree(text))


def test_places_of_wide_and_of_constant_networks() -> None:
    wide = Network.dense(
        [([[k] for k in range(400)], None, "tanh"), ([[1] * 400], None, "identity")]
    )
    place = place_of(reduce_network(wide))
    assert place.graph is None and place.to_json()["nodes"] is None
    assert "more than 2^" in "".join(place_of(reduce_network(shallow(60))).sentences())
    constant = Network.dense([([[0, 0]], [2], "tanh"), ([[3]], [0], "identity")])
    assert place_of(reduce_network(constant)).widths == (2, 0, 1)
    affine = Network.dense([([[1, 2]], [0], "identity")])
    assert "no layer, rank 0 of 0" in next(place_of(reduce_network(affine)).sentences())


def shallow(width: int) -> Network:
    rows = [[k + 1] for k in range(width)]
    return Network.dense([(rows, None, "tanh"), ([[1] * width], None, "identity")])
