"""How soon the other one usually replies: beside the name in a match, and where an invitation is to be answered."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask

from bgmail.rules.match import legal
from bgmail.rules.side import Side
from bgmail.service import invitations
from bgmail.service.terms import Handle, Terms
from tests.web.conftest import Clock
from tests.web.table import Table
from tests.web.test_queue import statements

HOURS = timedelta(hours=7)


def play_on(table: Table, clock: Clock, turns: int) -> None:
    """White answers within a minute, Black after seven hours."""
    done = dict.fromkeys(Side, 0)
    while min(done.values()) < turns:
        view = table.now()
        side = view.match.on_turn
        assert side is not None
        if view.match.dice is None:
            clock.instant += timedelta(minutes=1) if side is Side.WHITE else HOURS
            table.act(side, "roll")
        else:
            table.act(side, "play", play=str(legal(view.match)[0]))
            done[side] += 1


@pytest.fixture
def table(app: Flask) -> Table:
    return Table(app, (3, 1), length=25, time="three-days")


def test_each_is_told_of_the_other_and_a_watcher_of_both(table: Table, clock: Clock) -> None:
    play_on(table, clock, 2)
    assert "replies in" not in table.alice.open(table.path).text
    play_on(table, clock, 6)
    assert "replies in about 7 hours" in table.alice.open(table.path).text
    assert "replies within an hour" not in table.alice.text, "of oneself one knows"
    assert "replies within an hour" in table.bob.open(table.path).text
    watched = table.stranger.open(table.path).text
    assert "replies in about 7 hours" in watched
    assert "replies within an hour" in watched


def test_it_costs_the_page_no_statement(table: Table, clock: Clock) -> None:
    with statements(table.world) as before:
        table.alice.open(table.path)
    play_on(table, clock, 6)
    table.alice.open(table.path)
    with statements(table.world) as after:
        table.alice.open(table.path)
    assert "replies in about" in table.alice.text
    assert len(after) <= len(before)


def test_who_is_invited_is_told_before_answering(table: Table, clock: Clock) -> None:
    play_on(table, clock, 6)
    here, bob, alice = table.world, table.view.black, table.view.white
    assert bob
    assert alice
    offer = invitations.invite(here.store, bob.id, Terms(3), Handle("alice"), "", here.now(), here.chance)
    for visitor in (table.alice, table.bob):
        visitor.open(f"/match/{offer.id}")
    assert "Usual reply about 7 hours" in table.alice.text
    assert "Usual reply" not in table.bob.text
