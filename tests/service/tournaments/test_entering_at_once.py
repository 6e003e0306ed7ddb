"""Somebody enters while their account is being closed: they are not left in the field."""

from __future__ import annotations

import threading
from datetime import datetime

import pytest

from bgmail.service.errors import Forbidden
from bgmail.service.tournaments import views
from bgmail.store import people
from bgmail.store.engine import Store
from tests.service.test_pauses_at_once import WAITING
from tests.service.tournaments.club import Club


@pytest.mark.pg
def test_whoever_goes_while_they_enter_is_not_in_it(pg_schema_url: str, now: datetime) -> None:
    """The departure looked for entries before there was one."""
    store, faults = Store(pg_schema_url), list[Exception]()
    club = Club(store, now)
    tournament, alice = club.open(), club.person("alice")

    def enter() -> None:
        try:
            club.enter(tournament, "alice")
        except Forbidden as error:
            faults.append(error)

    entering, waits = threading.Thread(target=enter), 0
    with store.write() as connection:
        people.hold(connection, alice)
        entering.start()
        while entering.is_alive() and not waits:
            with store.read() as watching:
                waits = watching.scalar(WAITING) or 0
        people.change(connection, alice, closed_at=now)
    entering.join()
    assert [str(fault) for fault in faults] == [str(Forbidden("shut_out"))]
    assert views.entrants(store, tournament.id) == ()
    store.close()
