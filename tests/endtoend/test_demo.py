"""The demo still shows what it is for after the scheduler has looked at it, whatever its dice were."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bgmail.demo.people import is_unfinished, settle
from bgmail.dice import FairChance
from bgmail.factory import create_app
from bgmail.rules.dice import Dice
from bgmail.rules.match import Phase
from bgmail.rules.position import BAR
from bgmail.rules.score import Crawford
from bgmail.rules.side import Side
from bgmail.scheduler import run_pass
from bgmail.service import accounts, matches, told
from bgmail.service.audits import Tally, audit
from bgmail.service.ratings import reading
from bgmail.service.tournaments import series, views
from bgmail.service.tournaments.entering import Entering, enter
from bgmail.service.tournaments.views import State
from bgmail.settings import from_environment
from bgmail.world import World

pytestmark = pytest.mark.slow

PATIENCE = 170
"""Rolls until somebody presses Ctrl-C: in a season, in the cup, and while the matches with Bob are played."""


class Impatient(FairChance):
    """Somebody presses Ctrl-C in the middle of a match."""

    def __init__(self) -> None:
        self.left = PATIENCE

    def draw(self, secret: bytes, match: str, game: int, roll: int, nonces: str) -> Dice:
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt
        return super().draw(secret, match, game, roll, nonces)


@pytest.fixture
def here(tmp_path: Path) -> Iterator[World]:
    app = create_app(from_environment({}, tmp_path))
    found: World = app.extensions["bgmail"]
    with app.app_context():
        yield found
    found.store.close()


def settled(here: World, now: datetime) -> int:
    """Settles the demo, however often that is interrupted; how often it was."""
    for times in range(100):
        try:
            settle(replace(here, chance=Impatient()), now)
        except KeyboardInterrupt:
            assert is_unfinished(here.store)
        else:
            return times
    raise AssertionError("it doesn't come to its end")


def test_the_demo_shows_all_that_it_is_for_however_often_it_was_interrupted(here: World) -> None:
    now = here.now()
    assert not is_unfinished(here.store)
    assert settled(here, now) > 5
    assert not is_unfinished(here.store)
    run_pass(here.at(now))
    alice = accounts.by_handle(here.store, "alice").id
    check_what_waits(here, alice, now)
    check_the_tournaments(here, alice, now)
    check_ratings_and_letters(here, alice, now)
    tally = Tally()
    assert list(audit(here.store, tally)) == []


def check_what_waits(here: World, alice: int, now: datetime) -> None:
    """The five situations, and the cup."""
    waiting = matches.mine(here.store, alice, "my_turn", limit=50)
    own = [view for view in waiting if view.tournament is None]
    assert (len(own), len(waiting)) == (5, 6)
    assert any(view.match.phase is Phase.TAKE_OR_PASS for view in own)
    assert any(view.match.seen_by(Side.WHITE).board[BAR] for view in own)
    assert any(all(view.match.seen_by(side).off for side in Side) for view in own)
    assert any(view.match.crawford is Crawford.ACTIVE for view in own)
    left = sorted(view.deadline_at - now for view in waiting if view.deadline_at)
    assert timedelta(minutes=50) < left[0] < timedelta(minutes=65)
    assert left[1] > timedelta(days=1)


def check_the_tournaments(here: World, alice: int, now: datetime) -> None:
    """A cup in its second round, one to enter, and a league in its third season, all of Dana's."""
    cups = [one for one in views.listed(here.store, [State.RUNNING]) if one.series_id is None]
    (cup,) = cups
    pairings = views.pairings(here.store, cup.id)
    assert (cup.creator, sum(one.how is not None for one in pairings)) == ("dana", 5)
    assert any(one.match_id and one.how is None for one in pairings)
    (swiss,) = views.listed(here.store, [State.OPEN])
    entered = enter(here.store, swiss.id, alice, Entering(swiss.digest, fair_play=True), now, here.chance)
    assert entered.entered == swiss.entered + 1
    (league,) = series.listed(here.store, 10)
    states = [held.state for held in series.held(here.store, league.id)]
    assert (league.season, states) == (3, [State.RUNNING] * 2 + [State.OVER] * 4)


def check_ratings_and_letters(here: World, alice: int, now: datetime) -> None:
    """A history of weeks, of which nobody is written to today, but Alice hears that the cup waits for her."""
    history = reading.history(here.store, alice, "correspondence", None, 100)
    assert min(one.at for one in history) < now - timedelta(days=30)
    notices = list(everything_told(here, alice))
    before = [notice for notice in notices if notice.at < now - timedelta(days=13)]
    assert before
    assert not any(notice.ways for notice in before)
    waiting = matches.mine(here.store, alice, "my_turn", limit=50)
    (cup,) = [view.id for view in waiting if view.tournament]
    assert any(notice.ways for notice in notices if (notice.match_id, notice.kind) == (cup, "your_turn"))


def everything_told(here: World, account_id: int) -> Iterator[told.Told]:
    before = None
    while True:
        page, before = told.page(here.store, account_id, before)
        yield from page
        if before is None:
            return
