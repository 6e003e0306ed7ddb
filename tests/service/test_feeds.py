"""The secret address of a person's feeds: one is valid at a time, and it lets nobody do anything but read."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from sqlalchemy import select

from bgmail.dice import FairChance
from bgmail.rules.side import Side
from bgmail.service import accounts, departures, feeds, logins
from bgmail.service.allowances import TooOften
from bgmail.service.errors import NotFound
from bgmail.service.feeds import Feed
from bgmail.store.engine import Store
from bgmail.store.matches import table
from bgmail.store.tables import AccountRow
from tests.service.matchmaking import act, begin, settle


@pytest.fixture
def alice(store: Store, now: datetime) -> int:
    return settle(store, now)[0]


def made(store: Store, account_id: int, now: datetime) -> Feed:
    feeds.renew(store, account_id, now)
    found = feeds.of(store, account_id)
    assert found
    return found


def is_dead(store: Store, feed: Feed, now: datetime) -> bool:
    with pytest.raises(NotFound, match="no_feed"):
        feeds.enter(store, feed.account_id, feed.mark, now)
    return True


def test_nobody_has_one_unasked(store: Store, alice: int, now: datetime) -> None:
    assert feeds.of(store, alice) is None
    assert is_dead(store, Feed(alice, "", now, None), now)


def test_whoever_knows_the_address_reads_for_its_owner(store: Store, alice: int, now: datetime) -> None:
    feed = made(store, alice, now)
    owner, found = feeds.enter(store, alice, feed.mark, now)
    assert (owner.handle, found) == ("alice", feed)


def test_renewed_the_old_address_is_dead_at_once(store: Store, alice: int, now: datetime) -> None:
    old = made(store, alice, now)
    new = made(store, alice, now)
    assert old.mark != new.mark
    assert is_dead(store, old, now)
    assert feeds.enter(store, alice, new.mark, now)


def test_somebody_elses_mark_opens_nothing(store: Store, alice: int, now: datetime) -> None:
    bob = accounts.by_handle(store, "bob").id
    feed = made(store, alice, now)
    made(store, bob, now)
    assert is_dead(store, Feed(bob, feed.mark, now, None), now)
    assert is_dead(store, Feed(alice, "\udcff", now, None), now)


def test_it_ends_by_wish_by_signing_out_everywhere_and_with_the_account(
    store: Store, alice: int, now: datetime
) -> None:
    feed = made(store, alice, now)
    feeds.stop(store, alice)
    assert is_dead(store, feed, now)
    feed = made(store, alice, now)
    logins.sign_out_everywhere(store, alice)
    assert is_dead(store, feed, now)
    feed = made(store, alice, now)
    departures.close(store, alice, now, FairChance())
    assert is_dead(store, feed, now)
    assert feeds.of(store, alice) is None


def test_somebody_shut_out_has_none(store: Store, alice: int, now: datetime) -> None:
    feed = made(store, alice, now)
    accounts.ban(store, alice, now)
    assert is_dead(store, feed, now)


def test_a_reading_is_noted_every_ten_minutes_and_says_nothing_of_its_owner(
    store: Store, alice: int, now: datetime
) -> None:
    feed = made(store, alice, now)
    for minutes, noted in ((0, 0), (9, 0), (10, 10), (11, 10)):
        feeds.enter(store, alice, feed.mark, now + timedelta(minutes=minutes))
        found = feeds.of(store, alice)
        assert found
        assert found.read_at == now + timedelta(minutes=noted)
    account = table(AccountRow)
    with store.read() as connection:
        assert connection.scalar(select(account.c.seen_at).where(account.c.id == alice)) is None


def test_a_program_that_reads_without_pause_has_to_wait(store: Store, alice: int, now: datetime) -> None:
    feed = made(store, alice, now)
    for _ in range(feeds.READINGS.most):
        feeds.enter(store, alice, feed.mark, now)
    with pytest.raises(TooOften):
        feeds.enter(store, alice, feed.mark, now)
    assert feeds.enter(store, alice, feed.mark, now + timedelta(hours=1))


def test_the_turns_are_those_that_wait_for_oneself(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1), (6, 5))
    alice, bob = (accounts.by_handle(store, name).id for name in ("alice", "bob"))
    assert [[one.id for one in feeds.turns(store, who)] for who in (alice, bob)] == [[view.id], []]
    act(store, view, Side.WHITE, "play", now, chance, play="8/5 6/5")
    assert [[one.id for one in feeds.turns(store, who)] for who in (alice, bob)] == [[], [view.id]]
