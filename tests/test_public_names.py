"""Public names exist, are the documented objects, and are not shadowed by modules."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

import identcert
from identcert import attribution, submodels

PUBLIC = [(package, name) for package in (attribution, submodels) for name in package.__all__]


@pytest.mark.parametrize(("package", "name"), PUBLIC, ids=[f"{p.__name__}.{n}" for p, n in PUBLIC])
def test_packages_offer_what_they_list(package: Any, name: str) -> None:
    found = getattr(package, name)
    assert not isinstance(found, ModuleType) and found.__name__ == name and found.__doc__
    assert name in dir(package)


@pytest.mark.parametrize("name", identcert.__all__)
def test_names_of_the_package(name: str) -> None:
    assert getattr(identcert, name).__doc__


@pytest.mark.parametrize("package", [identcert, attribution, submodels])
def test_other_names_are_refused(package: Any) -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        package.nonsense  # noqa: B018
