"""Letters are planned while others hold the people they are for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bgmail.devmail import Sink
from bgmail.notify.planning import plan_all
from bgmail.service import choices, invitations
from bgmail.service.choices import MAIL, Mode
from bgmail.service.notices import Kind
from bgmail.service.terms import Handle, Terms
from bgmail.store import people
from tests.fixtures.apps import OpenApp
from tests.notify.conftest import Clock, Post, open_post
from tests.notify.records import states
from tests.service.at_once import Other
from tests.service.matchmaking import ScriptedChance, settle


@pytest.fixture
def served(open_app: OpenApp, tmp_path: Path, pg_schema_url: str, clock: Clock, sink: Sink) -> Iterator[Post]:
    """On PostgreSQL, where two transactions are under way at once."""
    yield from open_post(open_app, tmp_path, pg_schema_url, clock, sink)


@pytest.mark.pg
@pytest.mark.smtp
def test_who_plans_for_several_and_who_begins_their_match_never_wait_for_each_other(served: Post) -> None:
    """Each had one of the two and waited for the other one's: the database put an end to it with an error."""
    alice, bob, _ = settle(served.store, served.clock.now)
    for account_id in (alice, bob):
        choices.choose(served.store, account_id, {(Kind.YOUR_TURN, MAIL): Mode.ABSENCE})
    for opening in ((2, 5), (5, 2)):  # Bob is told first, then Alice
        chance = ScriptedChance([opening])
        offer = invitations.invite(served.store, alice, Terms(7), Handle("bob"), "", served.clock.now, chance)
        invitations.accept(served.store, offer.id, bob, served.clock.now, chance)

    def plan() -> None:
        with served.app.app_context():
            plan_all(served.world, served.clock.now)

    planning = Other(plan)
    with served.store.write() as connection:
        people.hold(connection, alice)
        assert planning.begin(served.store)
        people.hold(connection, bob)
    planning.end()
    assert [state for kind, state in states(served) if kind == Kind.YOUR_TURN] == ["planned"] * 2
