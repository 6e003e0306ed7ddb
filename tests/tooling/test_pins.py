"""Every package is pinned, and what is installed here is what the pins say."""

from __future__ import annotations

import re
from importlib.metadata import distributions

import pytest

from tests.fixtures.programs import PROJECT

FILES = [
    "requirements.txt",
    "requirements-dev.txt",
    "requirements-engine.txt",
    ".ci/bench.txt",
    ".ci/constraints.txt",
]


def lines(name: str) -> list[str]:
    return (PROJECT / name).read_text().splitlines()


def pins(name: str) -> dict[str, str]:
    found = [line.partition("==") for line in lines(name) if not line.startswith("-")]
    return {canonical(package): version for package, _, version in found}


def canonical(package: str) -> str:
    return re.sub(r"[-_.]+", "-", package.partition("[")[0]).lower()


@pytest.mark.parametrize("name", FILES)
def test_every_line_names_one_version(name: str) -> None:
    loose = [line for line in lines(name) if not re.fullmatch(r"-[cr] \S+|[\w.-]+(\[\w+\])?==[\w.+!]+", line)]
    assert not loose


def test_what_is_asked_for_and_what_it_needs_agree() -> None:
    asked = {**pins("requirements.txt"), **pins("requirements-dev.txt")}
    locked = pins(".ci/constraints.txt")
    assert asked == {package: locked.get(package) for package in asked}, "run `make lock`"


def test_the_engine_is_the_one_that_figures_are_compared_with() -> None:
    assert pins("requirements-engine.txt").items() <= pins(".ci/bench.txt").items()


def test_what_is_installed_is_what_is_pinned() -> None:
    pinned = {**pins(".ci/constraints.txt"), **pins(".ci/bench.txt")}
    installed = {canonical(found.metadata["Name"]): found.version for found in distributions()}
    unpinned = {name: version for name, version in installed.items() if pinned.get(name, version) != version}
    assert not unpinned
    assert pins(".ci/constraints.txt").keys() <= installed.keys()
