"""The data that the rules are proved by: the whole files beside the project, else the sample in it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).parents[2]
DATA = PROJECT / "tests" / "data"
WHOLE = PROJECT.parent / "shared" / "data" / "plays_public.jsonl.gz"


def rows(file: Path) -> list[dict[str, Any]]:
    with gzip.open(file, "rt") as lines:
        return [json.loads(line) for line in lines]


@pytest.fixture(scope="session")
def sample() -> list[dict[str, Any]]:
    """2,000 positions and rolls with all their results, every kind among them."""
    return rows(DATA / "plays_sample.jsonl.gz")


@pytest.fixture(scope="session")
def plays_file() -> Path:
    """The file of all known positions where it lies beside the project, else the sample."""
    return WHOLE if WHOLE.exists() else DATA / "plays_sample.jsonl.gz"


@pytest.fixture(scope="session")
def edge_cases() -> dict[str, Any]:
    return json.loads((DATA / "edge_cases.json").read_text())  # type: ignore[no-any-return]


@pytest.fixture(scope="session")
def perft() -> dict[str, Any]:
    """Known counts of distinct results from the opening position, by depth and first roll."""
    return json.loads((DATA / "perft.json").read_text())  # type: ignore[no-any-return]
