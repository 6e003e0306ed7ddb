"""Times in which the service was away: noted once, counted for nobody, the same in page, log and stored deadline."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from bgmail import timing
from bgmail.dice import FairChance
from bgmail.rules.match import Phase, legal
from bgmail.service import outages
from bgmail.service.audits import Tally, audit
from bgmail.service.deadlines import sweep_some
from bgmail.service.pulses import last_beat
from bgmail.service.turns import load
from bgmail.service.views import MatchView
from bgmail.store import matches as store_matches
from bgmail.store import outages as rows
from bgmail.store.engine import Store
from bgmail.store.matches import match
from bgmail.timing.outages import Outage, touching
from tests.service.matchmaking import act, begin

HOUR, MINUTE, SECOND = timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1)
SHORT = {"per_turn": 3600, "per_answer": 3600, "bank": 7200, "increment": 0, "cap": None}
"""An hour a turn and two in the bank."""


@pytest.fixture
def small(sqlite_schema_url: str) -> Iterator[Store]:
    """Where no SQL differs."""
    opened = Store(sqlite_schema_url)
    yield opened
    opened.close()


def spans(store: Store) -> list[tuple[str, datetime, datetime]]:
    """All outages, oldest first."""
    return [(each.why, each.start, each.end) for each in reversed(outages.latest(store, 100))]


def stored(store: Store, view: MatchView) -> tuple[datetime | None, datetime | None]:
    """The instants in the row, right or not."""
    with store.read() as connection:
        row = connection.execute(
            select(match.c.deadline_at, match.c.due_at).where(match.c.id == view.id)
        ).one()
    return row.deadline_at, row.due_at


def test_a_silence_is_noted_once_by_whoever_wakes_up_first(store: Store, now: datetime) -> None:
    assert not outages.note_silence(store, now)  # nobody knows of anything before the first heartbeat
    outages.alive(store, now)
    assert not outages.note_silence(store, now + 5 * MINUTE)
    assert outages.note_silence(store, now + HOUR)
    assert not outages.note_silence(store, now + HOUR + SECOND)
    assert not outages.note_silence(store, now + 9 * HOUR)  # one wakes up while the heart still stands
    assert spans(store) == [("down", now, now + HOUR)]
    assert not outages.alive(store, now + HOUR + MINUTE)
    assert not outages.alive(store, now + HOUR + 2 * MINUTE)
    assert spans(store) == [("down", now, now + HOUR)]
    assert last_beat(store) == now + HOUR + 2 * MINUTE


def test_a_heart_that_starts_late_tells_what_nobody_has_told_yet(small: Store, now: datetime) -> None:
    outages.alive(small, now)
    outages.note_silence(small, now + HOUR)
    assert outages.alive(small, now + 2 * HOUR)
    assert spans(small) == [("down", now, now + HOUR), ("down", now + HOUR, now + 2 * HOUR)]
    assert [(one.start, one.end) for one in touching(outages.latest(small, 9), now, now + 9 * HOUR)] == [
        (now, now + 2 * HOUR)
    ]


def test_a_host_that_wakes_up_in_1970_hides_no_silence_and_makes_none_up(small: Store, now: datetime) -> None:
    outages.alive(small, now)
    outages.alive(small, datetime(1970, 1, 1, tzinfo=UTC))
    outages.note_silence(small, datetime(1970, 1, 1, 0, 10, tzinfo=UTC))
    assert spans(small) == []
    outages.alive(small, now + HOUR)
    assert spans(small) == [("down", now, now + HOUR)]


def test_a_deadline_that_passed_while_the_server_was_away_has_not_passed(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, time=SHORT)
    down, up = now + 2 * HOUR, now + 5 * HOUR
    outages.alive(store, down)
    outages.alive(store, up)
    assert stored(store, view)[0] == now + 3 * HOUR
    assert load(store, view.id).deadline_at == now + 6 * HOUR
    assert sweep_some(store, up, chance) == [f"looked {view.id}"]
    assert list(audit(store, Tally())) == []
    assert (outages.renew_some(store, up), outages.renew_some(store, up)) == (
        f"renewed deadlines up to {view.id}",
        "renewed all deadlines",
    )
    assert outages.renew_some(store, up) is None
    assert stored(store, view) == (now + 6 * HOUR, now + 6 * HOUR)
    assert list(audit(store, Tally())) == []
    assert sweep_some(store, now + 6 * HOUR - SECOND, chance) == []
    assert sweep_some(store, now + 6 * HOUR, chance) == [f"timeout {view.id}"]
    assert list(audit(store, Tally())) == []


def test_a_play_after_an_outage_is_charged_without_it_and_the_log_says_the_same(
    small: Store, now: datetime
) -> None:
    view, chance = begin(small, now, time=SHORT)
    outages.alive(small, now + HOUR + 30 * MINUTE)
    outages.alive(small, now + 11 * HOUR + 30 * MINUTE)
    at = now + 11 * HOUR + 45 * MINUTE
    mover = view.match.turn
    view = played(small, view, at, chance)
    assert view.clock.banks[mover] == (2 * HOUR - 45 * MINUTE) // timedelta(microseconds=1)
    assert view.deadline_at == at + 3 * HOUR  # the one who is on turn now wasn't kept waiting by it
    assert list(audit(small, Tally())) == []


def test_what_was_played_before_an_outage_was_noted_is_not_charged_anew(small: Store, now: datetime) -> None:
    view, chance = begin(small, now, time=SHORT)
    outages.alive(small, now + 30 * MINUTE)
    mover = view.match.turn
    view = played(small, view, now + 90 * MINUTE, chance)
    assert view.clock.banks[mover] == 90 * 60 * 1_000_000
    outages.alive(small, now + 2 * HOUR)
    again = load(small, view.id)
    assert (again.clock, again.deadline_at) == (view.clock, now + 5 * HOUR)
    assert list(audit(small, Tally())) == []


def played(store: Store, view: MatchView, at: datetime, chance: FairChance) -> MatchView:
    """The match after some play of the side on turn: its dice are honest ones, so that the log can be audited."""
    side = view.match.on_turn
    assert side is not None
    return act(store, view, side, "play", at, chance, play=str(legal(view.match)[0])).view


def meanwhile(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], object]) -> None:
    """Lets something happen once, after a match was read for an action and before that is written."""
    read = store_matches.view_with_secrets

    def view_with_secrets(*asked: object) -> object:
        found = read(*asked)  # type: ignore[arg-type]
        monkeypatch.setattr(store_matches, "view_with_secrets", read)
        happens()
        return found

    monkeypatch.setattr(store_matches, "view_with_secrets", view_with_secrets)


@pytest.mark.parametrize("written", ["before it came", "while it is judged", "after it was written"])
@pytest.mark.parametrize("noted", [timedelta(0), 9 * HOUR])
@pytest.mark.parametrize("at", [50 * MINUTE, 2 * HOUR, 4 * HOUR])
def test_an_outage_is_charged_to_nobody_whose_play_is_written_after_it(
    small: Store,
    now: datetime,
    monkeypatch: pytest.MonkeyPatch,
    at: timedelta,
    noted: timedelta,
    written: str,
) -> None:
    """A request may be slow: it counts from when it came, before, in or after a time that others note meanwhile, on
    hosts whose clocks differ. What was written before stays as it is, and no log says anything else."""
    view, chance = begin(small, now, time={**SHORT, "bank": 10 * 3600})
    start, end, mover = HOUR, 3 * HOUR, view.match.turn

    def note() -> None:
        with small.write() as connection:
            rows.add(connection, Outage(now + start, now + end, now + end + noted, "down"))
        if noted:
            assert "timeout" not in str(sweep_some(small, now + 12 * HOUR, FairChance()))

    if written == "before it came":
        note()
    elif written == "while it is judged":
        meanwhile(monkeypatch, note)
    view = played(small, view, now + at, chance)
    if written == "after it was written":
        note()
    away = timedelta(0) if written == "after it was written" else max(timedelta(0), min(at, end) - start)
    overrun = max(timedelta(0), at - away - HOUR)
    view = load(small, view.id)
    assert view.clock.banks[mover] == (10 * HOUR - overrun) // timedelta(microseconds=1)
    assert view.deadline_at == now + at + 11 * HOUR + max(timedelta(0), end - max(at, start))
    assert list(audit(small, Tally())) == []
    later = Outage(now + 20 * HOUR, now + 21 * HOUR, now + end, "down")  # by a host whose clock is slow
    with small.write() as connection:
        rows.add(connection, later)
    assert list(audit(small, Tally())) == []
    assert load(small, view.id).clock == view.clock


def test_an_hour_without_a_greeting_is_an_outage_and_goes_on_until_there_is_one(
    store: Store, now: datetime
) -> None:
    for minutes in range(0, 130, 10):
        outages.mail_failed(store, now + minutes * MINUTE)
    assert spans(store) == [
        ("mail", now, now + HOUR),
        ("mail", now + HOUR, now + 2 * HOUR),
    ]  # a deadline that is an hour off or more never passes meanwhile
    outages.mail_greeted(store, now + 150 * MINUTE)
    outages.mail_greeted(store, now + 9 * HOUR)
    assert spans(store)[2:] == [("mail", now + 2 * HOUR, now + 150 * MINUTE)]


def test_a_mail_server_that_hesitates_or_that_nobody_asks_is_not_away(small: Store, now: datetime) -> None:
    outages.mail_failed(small, now)
    outages.mail_failed(small, now + 20 * MINUTE)
    outages.mail_greeted(small, now + 59 * MINUTE)
    outages.mail_failed(small, now + 2 * HOUR)
    outages.mail_failed(small, now + 8 * HOUR)  # no letter was waiting in between
    outages.mail_failed(small, now + 8 * HOUR + 30 * MINUTE)
    outages.mail_greeted(small, now + 20 * HOUR)
    assert spans(small) == []


def test_stopping_and_starting_at_any_time_gives_exactly_the_time_that_was_away(
    small: Store, now: datetime
) -> None:
    """Heartbeats and silences of any length, and a match all through them."""
    view, chance = begin(small, now, time={**SHORT, "per_turn": 40 * 3600, "bank": 0})
    drawn, at, away = random.Random(7), now, timedelta(0)
    outages.alive(small, at)
    for _ in range(40):
        silence = timedelta(seconds=drawn.choice([30, 290, 300, 301, 900, 5000]))
        at += silence
        away += silence if silence > outages.LONGEST_SILENCE else timedelta(0)
        for _ in range(drawn.randrange(3)):
            outages.note_silence(small, at)
        outages.alive(small, at)
        if drawn.random() < 0.3:
            outages.renew_some(small, at)
        assert load(small, view.id).deadline_at == now + 40 * HOUR + away
    while outages.renew_some(small, at):
        pass
    assert stored(small, view)[0] == now + 40 * HOUR + away
    assert sweep_some(small, now + 40 * HOUR + away, FairChance()) == [f"timeout {view.id}"]
    assert load(small, view.id).match.phase is Phase.OVER
    assert chance is not None


def test_an_outage_survives_its_text() -> None:
    start = datetime(2026, 3, 2, 12, 0, 0, 5, tzinfo=UTC)
    one, two = Outage(start, start + HOUR, start + HOUR, "down"), Outage(start - HOUR, start, start, "mail")
    assert timing.outages.parsed(f"{one.text};{two.text}") == (two, one)
    assert timing.outages.parsed(None) == ()
