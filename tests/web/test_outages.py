"""After an outage: page and JSON give the same deadline, say why, and the first who asks has not lost."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask

from bgmail.service import outages
from bgmail.world import World
from tests.web.conftest import Clock
from tests.web.table import Table


def test_the_first_request_after_an_outage_is_answered_as_if_no_time_had_gone_by(
    app: Flask, world: World, clock: Clock
) -> None:
    """Before the scheduler is back, and without it."""
    table = Table(app, (3, 1))
    end = table.now().deadline_at
    assert end is not None
    outages.alive(world.store, clock())
    clock.move(days=5)
    assert table.alice.open(table.path).status_code == 200
    assert "The server was away from" in table.alice.text
    assert "that time counts for nobody" in table.alice.text
    state = table.alice.get(f"/api/v1/matches/{table.view.id}").get_json()
    assert state["deadline"] == (end + timedelta(days=5)).isoformat().replace("+00:00", "Z")
    assert state["clocks"]["white"] == {"bank": 259200, "turn_left": 86400}
    table.act(table.view.match.turn, "play", play="8/5 6/5")
    table.bob.open(table.path)
    assert "The server was away" not in table.bob.text


@pytest.mark.parametrize("hours", [0, 2])
def test_a_restored_backup_and_days_without_letters_are_told_as_such(
    app: Flask, world: World, clock: Clock, hours: int
) -> None:
    table = Table(app, (3, 1))
    clock.move(hours=1)
    if hours:
        for minutes in range(0, 60 * hours, 10):
            outages.mail_failed(world.store, clock() + timedelta(minutes=minutes))
    else:
        outages.restored(world.store, clock() - timedelta(minutes=30), clock())
    clock.move(hours=3)
    table.alice.open(table.path)
    said = "No letters could be sent from" if hours else "The server was restored from a backup"
    assert table.alice.text.count(said) == 1
