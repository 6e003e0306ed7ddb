"""A store with the whole schema, on SQLite and on PostgreSQL, and an instant to begin at."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from bgmail.store.engine import Store


@pytest.fixture
def store(schema_url: str) -> Iterator[Store]:
    opened = Store(schema_url)
    yield opened
    opened.close()


@pytest.fixture
def now() -> datetime:
    return datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
