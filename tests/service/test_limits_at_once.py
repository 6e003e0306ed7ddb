"""How much of something a person may have, however many ask for more at once: they wait for each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

import pytest

from bgmail.dice import FairChance
from bgmail.service import accounts, inbound, logins, push, ties, webhooks
from bgmail.service.tournaments import creating, series
from bgmail.service.tournaments.creating import Draft
from bgmail.service.tournaments.series import Founding, Kind
from bgmail.store import people
from bgmail.store.engine import Store
from tests.notify.push.browser import FakeBrowser
from tests.service.at_once import Other
from tests.service.tournaments.club import ONE_POINT, ROUND_ROBIN


@pytest.fixture
def served(pg_schema_url: str) -> Iterator[Store]:
    """Where two transactions count at once."""
    opened = Store(pg_schema_url)
    yield opened
    opened.close()


def has_to_wait(store: Store, account_id: int, ask: Callable[[], object]) -> bool:
    """Whether this waits while somebody else counts what the person has; then it is carried out."""
    other = Other(ask)
    with store.write() as connection:
        people.hold(connection, account_id)
        waits = other.begin(store)
    other.end()
    return waits


@pytest.mark.pg
def test_whoever_counts_waits_for_the_other_who_does(served: Store, now: datetime) -> None:
    chance = FairChance()
    alice = accounts.create(served, "alice", "alice@play.example", None, now)
    accounts.create(served, "bob", "bob@play.example", None, now)
    session = logins.new_secret()
    logins.open_session(served, alice.id, "Firefox", session, now)
    login = logins.by_session(served, session, now)
    assert login
    league = Founding(Kind.LEAGUE, "Club", ONE_POINT)
    hook = webhooks.Wish("https://hooks.example.org/in", "standard", webhooks.NAMES)
    asked: dict[str, Callable[[], object]] = {
        "leagues": lambda: series.create(served, alice.id, league, now),
        "tournaments": lambda: creating.create(
            served, alice.id, Draft("Cup", ROUND_ROBIN, ONE_POINT), now, chance
        ),
        "tokens": lambda: logins.create_token(served, alice.id, "one", now),
        "webhooks": lambda: webhooks.add(served, alice.id, hook, webhooks.new_secret(), now),
        "browsers": lambda: push.subscribe(served, alice.id, login.login_id, FakeBrowser().wish, "", now),
        "senders": lambda: inbound.add_sender(served, alice, "other@play.example", now),
        "ties": lambda: ties.make(served, alice.id, "bob", ties.Kind.FOLLOW, now, chance),
    }
    assert [what for what, ask in asked.items() if not has_to_wait(served, alice.id, ask)] == []
    assert series.listed(served, 9)
    assert logins.tokens(served, alice.id)
    assert webhooks.mine(served, alice.id)
    assert inbound.senders(served, alice.id)
    assert ties.mine(served, alice.id)
