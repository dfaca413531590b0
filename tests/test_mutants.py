"""Baselines that the corpus must defeat; mutants of accepted examples, judged by the oracle.

mutant == an accepted folder with one leaf or one piece of structure changed, hashes corrected, so
          that only the mathematics can be wrong
"""

from __future__ import annotations

import ast
import copy
import functools
import hashlib
import json
import random
import shutil
import sys
import types
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import make_corpus
import oracle
import pytest
import test_checker

from identcert import checker

CORPUS = Path(__file__).resolve().parent / "corpus"
MUTANTS = 10_000  # of the slow run, spread over all accepted examples
Json = Any


def folders(*kinds: str) -> list[Path]:
    return sorted(path for kind in kinds for path in (CORPUS / kind).iterdir())


# ------------------------------------------------------------------------------------- baselines


def accepts_always(folder: Path) -> bool:
    return True


def rejects_always(folder: Path) -> bool:
    return False


def parses_only(folder: Path) -> bool:
    """Accept whatever is JSON with the right formats."""
    try:
        trees = {path.stem: json.loads(path.read_bytes()) for path in folder.glob("*.json")}
        return all(
            tree["format"].startswith("identcert.") and tree["version"] == 1
            for tree in trees.values()
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False


def compares_hashes(folder: Path) -> bool:
    """Accept a witness that names the files beside it."""
    try:
        witness = json.loads((folder / "witness.json").read_bytes())
        return all(
            hashlib.sha256(
                (folder / f"{key.removesuffix('_sha256')}.json").read_bytes()
            ).hexdigest()
            == value
            for key, value in witness.items()
            if key.endswith("_sha256")
        )
    except (OSError, ValueError, AttributeError, RecursionError):
        return False


@functools.lru_cache
def self_checker() -> types.ModuleType:
    """The checker, but every comparison of two sides compares the left one with itself."""
    tree = SelfEqual().visit(ast.parse(Path(checker.__file__).read_text(encoding="utf-8")))
    module = types.ModuleType("self_checker")
    sys.modules[module.__name__] = module
    exec(compile(ast.fix_missing_locations(tree), "self_checker", "exec"), module.__dict__)
    return module


def compares_with_itself(folder: Path) -> bool:
    """Accept what a checker accepts that compares copies of the same side."""
    try:
        self_checker().check(folder)
    except Exception:
        return False
    return True


class SelfEqual(ast.NodeTransformer):
    """Make `prove(a == b, …)` a proof of `a == a`."""

    def visit_Call(self, node: Any) -> Any:
        self.generic_visit(node)
        if ast.unparse(node.func) == "prove":
            for part in ast.walk(node.args[0]):
                if isinstance(part, ast.Compare) and isinstance(part.ops[0], ast.Eq):
                    part.comparators = [part.left]
        return node


def accepts(folder: Path) -> bool:
    try:
        checker.check(folder)
    except checker.CheckError:
        return False
    return True


BASELINES = (accepts_always, rejects_always, parses_only, compares_hashes, compares_with_itself)


@pytest.mark.parametrize("baseline", BASELINES)
def test_corpus_defeats_baselines(baseline: Callable[[Path], bool]) -> None:
    wrong = [p for p in folders("accepted") if not baseline(p)]
    fooled = [p for p in folders("rejected") if baseline(p)]
    assert wrong or fooled
    if baseline is not rejects_always:
        assert len(fooled) >= 5, "the corpus has too few claims that this baseline believes"


def test_the_checker_is_no_baseline() -> None:
    assert all(map(accepts, folders("accepted")))
    assert not any(map(accepts, folders("rejected")))


# --------------------------------------------------------------------------------------- mutants

NUMBERS = ("0", "1", "-1", "2", "1/2", "-1/2", "3", "-2", "1/1000000007")


def places(tree: Json) -> Iterator[tuple[Json, Any]]:
    """Every (container, key) of a tree."""
    for key in sorted(tree) if isinstance(tree, dict) else range(len(tree)):
        yield tree, key
        if isinstance(tree[key], dict | list):
            yield from places(tree[key])


def other_value(old: Json, rng: random.Random) -> Json:
    """A leaf of the same kind, or a list with an entry dropped, repeated, or moved."""
    if isinstance(old, bool) or old is None:
        return rng.choice([True, False, None, 1])
    if isinstance(old, int):
        return rng.choice([old + 1, old - 1, -old, rng.randint(-1, 4)])
    if isinstance(old, str):
        try:
            number = Fraction(old)
        except ValueError:
            return rng.choice(
                ["tanh", "relu", "identity", "sigmoid", "abs", "drop", "fold", "merge"]
            )
        return rng.choice([*NUMBERS, str(-number), str(number + 1), str(number / 2)])
    if isinstance(old, dict):
        new = {k: v for k, v in old.items() if rng.random() < 0.7}
        return new if rng.random() < 0.7 else dict(zip(old, reversed(old.values()), strict=True))
    new = list(old)
    match rng.randrange(4):
        case 0 if new:
            del new[rng.randrange(len(new))]
        case 1 if new:
            new.insert(rng.randrange(len(new) + 1), copy.deepcopy(rng.choice(new)))
        case 2:
            new.reverse()
        case _:
            rng.shuffle(new)
    return new


def mutant(folder: Path, rng: random.Random) -> tuple[Json, Json, Json]:
    """An accepted folder with one or two places changed."""
    files = dict(zip(("network", "other", "witness"), test_checker.parsed(folder), strict=True))
    for _ in range(rng.choice((1, 1, 1, 2))):
        file = rng.choice(("network", "network", "other", "witness", "witness"))
        tree = files[file]["evidence"] if file == "witness" else files[file]
        found = list(places(tree))
        if found:
            node, key = rng.choice(found)
            node[key] = other_value(node[key], rng)
    return files["network"], files["other"], files["witness"]


def is_true(folder: Path, trees: tuple[Json, Json, Json]) -> bool:
    """What the oracle says of the claim; of comparisons, what 60 digits say."""
    if (folder / "network2.json").exists():
        return test_checker.is_true(*trees)
    evidence = trees[2]["evidence"]
    try:
        faults = oracle.witness_faults(folder)
    except oracle.OracleError:
        faults = ["not covered"]
    if not faults:
        return True
    # Signs of parameters are not the oracle's: there only the equation is judged.
    values = {k: Fraction(v) for k, v in evidence.get("parameters", {}).items()} or None
    problem = oracle.read_problem(folder / "network.json", folder / "action.json", values)
    if problem.field.kind != "parametric" or not all("depends on parameters" in f for f in faults):
        return False
    return oracle.judge(problem).equivariant


def check_mutants(example: Path, count: int, scratch: Path, seed: str) -> int:
    """Try mutants of one example; returns how many the checker accepted, all of them true."""
    rng = random.Random(f"{example.name} {seed}")
    accepted = 0
    for number in range(count):
        folder = scratch / str(number)
        folder.mkdir()
        trees = mutant(example, rng)
        try:
            test_checker.write(folder, *trees)
        except (KeyError, TypeError, AttributeError):
            continue
        if accepts(folder):
            accepted += 1
            assert is_true(folder, trees), f"{example.name}, mutant {number} of seed {seed}"
        shutil.rmtree(folder)
    return accepted


EXAMPLES = [path for path in folders("accepted") if path.name != "tensors"]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda p: p.name)
def test_a_few_mutants(example: Path, tmp_path: Path) -> None:
    check_mutants(example, 3, tmp_path, "few")


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda p: p.name)
def test_many_mutants(example: Path, tmp_path: Path) -> None:
    check_mutants(example, -(-MUTANTS // len(EXAMPLES)), tmp_path, "many")


def test_mutants_are_numerous() -> None:
    assert len(EXAMPLES) * -(-MUTANTS // len(EXAMPLES)) >= MUTANTS
    assert make_corpus.CORPUS.keys() >= {f"accepted/{path.name}" for path in EXAMPLES}
