"""A vacation ends or an outage is noted while somebody else is at it: nobody waits for ever, and logs stay true."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import pytest
from sqlalchemy import Connection

from bgmail.dice import FairChance
from bgmail.rules.match import legal
from bgmail.service import accounts, outages, respites, vacations
from bgmail.service.audits import Tally, audit
from bgmail.service.turns import load
from bgmail.service.vacations import Wish
from bgmail.store import outages as outage_rows
from bgmail.store import people
from bgmail.store.engine import Store
from bgmail.timing.outages import Outage
from tests.service.at_once import Other
from tests.service.matchmaking import act, begin, settle

DAY, HOUR, SECOND = timedelta(days=1), timedelta(hours=1), timedelta(seconds=1)
SHORT = {"per_turn": 3600, "per_answer": 3600, "bank": 7200, "increment": 0, "cap": None}


@pytest.fixture
def served(pg_schema_url: str) -> Iterator[Store]:
    """Where two transactions can wait for each other."""
    opened = Store(pg_schema_url)
    yield opened
    opened.close()


def both(
    store: Store,
    first: Callable[[Connection], object],
    other: Callable[[], object],
    then: Callable[[Connection], object],
) -> None:
    """A transaction does `first` and goes on with `then` once `other` waits for it. Raises what `other` raised."""
    meanwhile = Other(other)
    try:
        with store.write() as connection:
            first(connection)
            meanwhile.begin(store)
            then(connection)
    finally:
        meanwhile.end()


@pytest.mark.pg
@pytest.mark.parametrize("other", ["runs out", "is played in"])
def test_a_vacation_goes_on_while_it_ends(served: Store, now: datetime, other: str) -> None:
    """The one held the account and wanted the vacation, the other held the vacation and wanted the account."""
    settle(served, now)
    alice = accounts.by_handle(served, "alice")
    one = vacations.take(served, alice, Wish(until=now + DAY), now)

    def end() -> None:
        if other == "runs out":
            respites.run_out(served, one, one.end)
            return
        with served.write() as connection:
            vacations.stop(connection, one, now + HOUR, now + HOUR)

    both(
        served,
        lambda connection: people.hold(connection, alice.id),
        end,
        lambda connection: vacations.lengthen(connection, one, one.end + HOUR),
    )
    ended = vacations.of(served, alice, now).all[0]
    assert ended.end == (one.end + HOUR if other == "runs out" else now + HOUR)


@pytest.mark.pg
def test_an_outage_is_noted_again_while_deadlines_are_renewed_after_it(served: Store, now: datetime) -> None:
    begin(served, now, (3, 1), time=SHORT)
    down = Outage(now, now + HOUR, now + HOUR, "down")
    with served.write() as connection:
        outage_rows.add(connection, down)
    both(
        served,
        lambda connection: outage_rows.add(connection, Outage(now, now + HOUR, now + HOUR, "mail")),
        lambda: outages.renew_some(served, now + HOUR),
        lambda connection: outage_rows.add(connection, down),
    )
    assert {each.why for each in outages.latest(served, 9)} == {"down", "mail"}


def test_a_play_that_saw_a_vacation_running_does_not_make_one_longer_that_was_ended(
    store: Store, now: datetime
) -> None:
    settle(store, now)
    alice = accounts.by_handle(store, "alice")
    seen = vacations.take(store, alice, Wish(with_play=True), now)
    ended = vacations.end(store, alice.id, seen.id, now + HOUR)
    with store.write() as connection:
        vacations.stop(connection, seen, now + 3 * HOUR, now + 3 * HOUR)
    kept = vacations.of(store, alice, now).all[0]
    assert (kept.end, kept.ended_at) == (ended.end, ended.ended_at) == (now + HOUR, now + HOUR)


@pytest.mark.parametrize("later", [timedelta(0), SECOND])
def test_a_play_that_was_written_before_an_outage_was_is_charged_as_the_log_will_say(
    store: Store, now: datetime, later: timedelta
) -> None:
    """Whoever notes it may have looked at the clock before the player did, and have waited for its turn to write."""
    view, chance = begin(store, now, (3, 1), time=SHORT)
    woken = now + 2 * HOUR
    view = act(
        store, view, view.match.turn, "play", woken + later, chance, play=str(legal(view.match)[0])
    ).view
    with store.write() as connection:
        outage_rows.add(connection, Outage(now + SECOND, woken, woken, "down"))
    assert load(store, view.id).clock.banks[view.match.turn.other] == 7_200_000_000 - _overrun(later)
    assert list(audit(store, Tally())) == []
    act(store, load(store, view.id), view.match.turn, "roll", woken + HOUR, FairChance())
    assert list(audit(store, Tally())) == []


def _overrun(later: timedelta) -> int:
    """Microseconds past the hour of the turn."""
    return (HOUR + later) // timedelta(microseconds=1)
