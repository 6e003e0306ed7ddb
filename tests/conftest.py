"""Fixtures that every test may ask for."""

from __future__ import annotations

pytest_plugins = [
    "tests.fixtures.run",
    "tests.fixtures.luck",
    "tests.fixtures.examples",
    "tests.fixtures.programs",
    "tests.fixtures.network",
    "tests.fixtures.stores",
    "tests.fixtures.hashes",
    "tests.fixtures.databases",
    "tests.fixtures.apps",
    "tests.fixtures.browsers",
    "tests.fixtures.servers",
    "tests.fixtures.postfix",
]
