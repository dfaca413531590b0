"""What all tests share: the corpus beside the project, Hypothesis profiles, the slow marker."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parents[1]

QUIET = {
    "deadline": None,
    "print_blob": False,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large],
}
settings.register_profile("quiet", max_examples=50, **QUIET)
settings.register_profile("ci", max_examples=50, derandomize=True, **QUIET)
settings.register_profile("thorough", max_examples=1000, **QUIET)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if "CI" in os.environ else "quiet"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run the tests marked slow")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect slow tests unless ``--slow`` or a marker expression asks for them."""
    if config.getoption("--slow") or "slow" in config.getoption("-m"):
        return
    slow = [item for item in items if "slow" in item.keywords]
    if slow:
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if "slow" not in item.keywords]


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's root folder."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of known cases beside the project; tests that need it are skipped without it."""
    folder = ROOT.parent / "shared"
    if not (folder / "cases").is_dir():
        pytest.skip("the corpus of known cases (../shared) is not there")
    return folder
