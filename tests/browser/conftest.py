"""A club room for each test that plays in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.clubroom import Club, open_club
from tests.fixtures.apps import OpenApp
from tests.fixtures.browsers import NewContext


@pytest.fixture
def club(
    tmp_path: Path, sqlite_schema_url: str, new_context: NewContext, open_app: OpenApp
) -> Iterator[Club]:
    with open_club(tmp_path / "instance", sqlite_schema_url, new_context, open_app) as opened:
        yield opened
