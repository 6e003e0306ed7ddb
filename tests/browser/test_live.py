"""A live match: both look on, the page follows, and the time is called to the second."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from sqlalchemy import update

from bgmail.service import matches
from bgmail.service.views import MatchView, cached
from bgmail.store.matches import match
from bgmail.timing import to_microseconds
from tests.browser.clubroom import Club, Side

pytestmark = pytest.mark.slow

LIVE = {"per_turn": 600, "per_answer": 600, "bank": 0, "increment": 0, "cap": None}


def runs_out(club: Club, view: MatchView, ends: datetime) -> None:
    """Has so much of the turn gone by that it ends then."""
    clock = replace(view.clock, since=ends - timedelta(seconds=view.clock.control.per_turn))
    values = {**cached(view.match, clock, view.rests), "deadline_at": ends, "due_at": ends}
    with club.world.store.write() as connection:
        connection.execute(update(match).where(match.c.id == view.id).values(**values))


def test_a_match_is_lost_on_time_while_both_look_on(club: Club) -> None:
    """No scheduler runs here: the open pages have the time called, and neither is loaded anew."""
    view = club.begin((3, 1), time=LIVE)
    alice, bob = club.open(Side.WHITE, view), club.open(Side.BLACK, view)
    for page in (alice, bob):
        page.locator(".clock[data-runs]").first.wait_for()
        page.evaluate("window.same = true")
    ends = club.now() + timedelta(seconds=1)
    runs_out(club, view, ends)
    for page in (alice, bob):
        page.get_by_text("ran out of time").first.wait_for()
        assert page.evaluate("window.same")
    [entry] = [one for one in matches.log(club.world.store, view.id) if one.kind == "timeout"]
    assert entry.via == "clock"
    assert entry.at >= to_microseconds(ends)
