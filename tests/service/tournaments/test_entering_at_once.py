"""Somebody enters while their account is being closed: they are not left in the field."""

from __future__ import annotations

from datetime import datetime

import pytest

from bgmail.service.errors import Forbidden
from bgmail.service.tournaments import views
from bgmail.store import people
from bgmail.store.engine import Store
from tests.service.at_once import Other
from tests.service.tournaments.club import Club


@pytest.mark.pg
def test_whoever_goes_while_they_enter_is_not_in_it(pg_schema_url: str, now: datetime) -> None:
    """The departure looked for entries before there was one."""
    store = Store(pg_schema_url)
    club = Club(store, now)
    tournament, alice = club.open(), club.person("alice")
    entering = Other(lambda: club.enter(tournament, "alice"))
    with store.write() as connection:
        people.hold(connection, alice)
        assert entering.begin(store)
        people.change(connection, alice, closed_at=now)
    with pytest.raises(Forbidden, match="shut_out"):
        entering.end()
    assert views.entrants(store, tournament.id) == ()
    store.close()
