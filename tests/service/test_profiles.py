"""A record over all finished matches, and how soon somebody replies."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from bgmail.dice import FairChance
from bgmail.rules.match import legal
from bgmail.rules.side import Side
from bgmail.service import accounts, invitations, profiles
from bgmail.service.deadlines import sweep_some
from bgmail.service.errors import NotFound
from bgmail.service.profiles import Record
from bgmail.service.terms import Handle, Terms
from bgmail.service.turns import Request, act, load
from bgmail.store.engine import Store
from tests.service import matchmaking
from tests.service.matchmaking import begin, settle

CHANCE = FairChance()


def played(store: Store, white: int, black: int, now: datetime, loser: Side | None = None) -> str:
    """A match that `loser` gave up, or (None) one that runs."""
    to = Handle(accounts.by_id(store, black).handle)
    view = invitations.invite(store, white, Terms(3), to, "", now, CHANCE)
    view = invitations.accept(store, view.id, black, now, CHANCE)
    if loser is not None:
        act(store, view.id, loser, Request("resign_match", view.version), now, CHANCE)
    return view.id


def test_the_record_counts_all_finished_matches_and_not_only_the_latest(store: Store, now: datetime) -> None:
    """Elsewhere it was counted on one page of fifty."""
    alice, bob, charlie = settle(store, now)
    for number in range(53):
        white, black = (alice, bob) if number % 2 else (bob, alice)
        played(store, white, black, now, Side.BLACK if number % 2 else Side.WHITE)  # always Bob
    played(store, alice, charlie, now, Side.WHITE)
    played(store, charlie, alice, now)
    refused = invitations.invite(store, bob, Terms(3), Handle("alice"), "", now, CHANCE)
    invitations.decline(store, refused.id, alice, now, CHANCE)
    seen = profiles.profile(store, "ALICE", now, bob)
    assert seen.people == Record(won=53, lost=1, on_time=0, running=1)
    assert (seen.between.won, seen.between.lost) == (53, 0)
    assert seen.machines == Record()
    assert profiles.profile(store, "alice", now).between == Record()
    with pytest.raises(NotFound):
        profiles.profile(store, "a1ice", now)


def test_what_is_lost_on_time_and_against_machines_is_told_apart(store: Store, now: datetime) -> None:
    alice, bob, _ = settle(store, now)
    engine = accounts.create(store, "engine", None, None, now, is_bot=True).id
    played(store, engine, alice, now, Side.BLACK)
    match_id = played(store, alice, bob, now)
    view = load(store, match_id)
    assert view.deadline_at
    while sweep_some(store, view.deadline_at, CHANCE):
        pass
    late = "alice" if view.match.on_turn is Side.WHITE else "bob"
    seen = profiles.profile(store, late, now)
    assert seen.people == Record(won=0, lost=1, on_time=1, running=0)
    assert profiles.profile(store, "alice", now).machines == Record(lost=1)


def test_the_usual_reply_is_the_median_of_the_latest_turns(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1), *[(2, 1)] * 20, length=7)
    hours = [1, 5, 2, 50, 3, 4]
    at, done = now, 0
    while done < len(hours) * 2:
        view = load(store, view.id)
        side = view.match.on_turn
        assert side is not None
        if side is Side.WHITE:
            at += timedelta(hours=hours[done // 2])
        if view.match.dice is None:
            matchmaking.act(store, view, side, "roll", at, chance)
            view = load(store, view.id)
        matchmaking.act(store, view, side, "play", at, chance, play=str(legal(view.match)[0]))
        done += 1
    white, black = view.white, view.black
    assert white
    assert black
    assert profiles.reply_time(store, white.id, at) == timedelta(hours=3.5)
    assert profiles.reply_time(store, black.id, at) == timedelta(0)
    assert profiles.reply_time(store, white.id, at + timedelta(days=120)) is None
