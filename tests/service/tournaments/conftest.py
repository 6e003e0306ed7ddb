"""A club at an instant: on the embedded database, and for what each does in its own way on both."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest

from bgmail.store.engine import Store
from tests.service.tournaments.club import Club


@pytest.fixture
def club(sqlite_schema_url: str, now: datetime) -> Iterator[Club]:
    store = Store(sqlite_schema_url)
    yield Club(store, now)
    store.close()


@pytest.fixture
def either_club(store: Store, now: datetime) -> Club:
    return Club(store, now)
