"""Vacations in the matches that they hold: when time stands still, for whom, and from where it goes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from bgmail import timing
from bgmail.dice import Chance
from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service import accounts, audits, invitations, standstills, turns, vacations
from bgmail.service.accounts import Account
from bgmail.service.audits import Tally
from bgmail.service.deadlines import sweep_some
from bgmail.service.errors import Refused
from bgmail.service.terms import Handle, Terms
from bgmail.service.turns import load
from bgmail.service.vacations import Vacation, Wish
from bgmail.service.views import MatchView
from bgmail.store.engine import Store
from bgmail.store.matches import table
from bgmail.store.tables import NoticeRow
from bgmail.timing import Allowed
from tests.service.matchmaking import act, begin

WHITE, BLACK = Side.WHITE, Side.BLACK
DAY, HOUR, MINUTE, SECOND = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1)
A_DAY = {"per_turn": 86400, "per_answer": 86400, "bank": 0, "increment": 0, "cap": None}
TWO_DAYS = {**A_DAY, "per_turn": 2 * 86400}


@pytest.fixture
def store(sqlite_schema_url: str) -> Iterator[Store]:
    opened = Store(sqlite_schema_url)
    yield opened
    opened.close()


@pytest.fixture
def both(schema_url: str) -> Iterator[Store]:
    """On either database."""
    opened = Store(schema_url)
    yield opened
    opened.close()


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def alice_of(store: Store) -> Account:
    return accounts.by_handle(store, "alice")


def take(store: Store, wish: Wish, now: datetime, chance: Chance) -> Vacation:
    taken = vacations.take(store, alice_of(store), wish, now)
    standstills.spread_all(store, taken.account_id, now, chance)
    return taken


def end(store: Store, one: Vacation, now: datetime, chance: Chance) -> None:
    vacations.end(store, one.account_id, one.id, now)
    standstills.spread_all(store, one.account_id, now, chance)


def sweep(store: Store, now: datetime, chance: Chance) -> list[str]:
    """Everything that is due, as a scheduler's pass does it."""
    done: list[str] = []
    while what := [each for each in (standstills.step(store, now, chance),) if each] or sweep_some(
        store, now, chance
    ):
        done += what
    return done


def owed(store: Store, kind: str) -> list[int]:
    rows = table(NoticeRow)
    with store.read() as connection:
        found = select(rows.c.account_id).where(rows.c.kind == kind).order_by(rows.c.id)
        return list(connection.scalars(found))


def sound(store: Store) -> None:
    """What is kept beside the logs is what they add up to; the dice are those that the test wrote down."""
    said = [finding.text for finding in audits.audit(store, Tally())]
    assert [text for text in said if ": roll " not in text] == []


def one_more(store: Store, view: MatchView, now: datetime, chance: Chance, **terms: object) -> MatchView:
    """Another match of the same two; `chance` says who begins."""
    assert view.white is not None
    assert view.black is not None
    wish = Terms(5, **terms)  # type: ignore[arg-type]
    offered = invitations.invite(store, view.white.id, wish, Handle("bob"), "", now, chance)
    return invitations.accept(store, offered.id, view.black.id, now, chance)


def test_it_ends_by_itself_once_and_the_clock_goes_on_from_where_it_stood(both: Store) -> None:
    """Others' vacations ended only when their owner came back, and the balance stayed at six days for ever."""
    begun = at("2026-07-01 05:00")
    view, chance = begin(both, begun, (3, 1), time=A_DAY)
    alice = alice_of(both)
    past = vacations.take(both, alice, Wish(until=at("2026-02-25 00:00")), at("2026-02-01 00:00"))
    assert sweep(both, begun, chance)[-1].startswith(f"ended vacation {past.id}")
    start = at("2026-07-01 09:00")
    assert vacations.of(both, alice, start).left[0] == (2026, 6 * DAY)

    taken = take(both, Wish(), start, chance)
    assert load(both, view.id).deadline_at == at("2026-07-08 05:00")
    assert owed(both, "opponent_away") == [load(both, view.id).black.id]  # type: ignore[union-attr]
    for hour in range(6 * 24):
        assert not any("timeout" in said for said in sweep(both, start + hour * HOUR, chance))
        assert owed(both, "vacation_ended") == [alice.id]  # of the past one
    over = at("2026-07-07 09:00")
    assert sweep(both, over, chance) == [f"ended vacation {taken.id}"]
    assert sweep(both, over, chance) == []
    assert vacations.seen(both, alice.id, over) is None
    assert vacations.of(both, alice, over).left[0] == (2026, timedelta(0))
    end(both, taken, over, chance)
    assert vacations.of(both, alice, over).all[-1].end == over
    assert owed(both, "vacation_ended") == [alice.id, alice.id]
    found = load(both, view.id)
    assert found.deadline_at == at("2026-07-08 05:00")
    left = timing.left(found.clock, over, found.running_pauses)[0]
    assert left.turn == 20 * HOUR
    assert sweep(both, at("2026-07-08 04:59"), chance) == [f"reminder turn-20 {view.id}"]
    assert sweep(both, at("2026-07-08 05:00"), chance) == [f"timeout {view.id}"]
    sound(both)


def test_nothing_is_switched_on_without_its_owner_and_a_match_may_forbid_it(
    store: Store, now: datetime
) -> None:
    view, chance = begin(store, now, (3, 1), (3, 1), time=A_DAY)
    fixed = one_more(store, view, now, chance, time=TWO_DAYS, pauses=Allowed(vacation=False))
    wish = Wish(until=now + 12 * HOUR + 5 * DAY)
    one = vacations.asked_for(store, alice_of(store), wish, now + 12 * HOUR)
    assert [
        (each.view.id, each.why_not, each.before, each.after) for each in standstills.effects(store, one)
    ] == [
        (view.id, None, now + DAY, now + 6 * DAY),
        (fixed.id, "forbidden", now + 2 * DAY, now + 2 * DAY),
    ]
    assert load(store, view.id).deadline_at == now + DAY  # looking changes nothing
    take(store, wish, now + 12 * HOUR, chance)
    assert load(store, view.id).deadline_at == now + 6 * DAY
    assert sweep(store, now + 2 * DAY, chance) == [f"timeout {fixed.id}"]
    assert load(store, view.id).match.phase is not Phase.OVER
    assert not vacations.of(store, alice_of(store), now).automatic
    assert sweep(store, now + 6 * DAY, chance)[-1] == f"timeout {view.id}"
    sound(store)


def test_it_stops_the_owner_s_clock_and_nobody_else_s_and_a_paused_player_may_play(
    store: Store, now: datetime
) -> None:
    view, chance = begin(store, now, (3, 1), (6, 5), time=A_DAY)
    take(store, Wish(until=now + 10 * DAY), now + HOUR, chance)
    view = load(store, view.id)
    played = act(store, view, WHITE, "play", now + 3 * DAY, chance, play="8/5 6/5").view
    assert played.match.on_turn is BLACK
    assert played.deadline_at == now + 4 * DAY
    assert sweep(store, now + 4 * DAY, chance) == [f"timeout {view.id}"]
    sound(store)


def test_a_match_that_begins_meanwhile_is_held_too(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1), (3, 1), time=A_DAY)
    take(store, Wish(now + DAY / 2, now + 3 * DAY), now, chance)
    later = one_more(store, view, now + DAY / 4, chance, time=A_DAY)
    assert later.deadline_at == now + DAY * 1.25 + DAY * 2.5
    assert sweep(store, now + DAY / 4, chance)[0].startswith("told 0 of")
    sound(store)


def test_what_was_cut_short_is_finished_by_the_job_and_nobody_loses_meanwhile(
    store: Store, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixty matches; the process dies when it has written to the first twenty of them."""
    view, chance = begin(store, now, *[(3, 1)] * 60, time=A_DAY)
    every = [view, *(one_more(store, view, now, chance, time=A_DAY) for _ in range(59))]
    honest, batches = standstills._write, []

    def dying(*arguments: object) -> int:
        if batches:
            raise KeyboardInterrupt
        batches.append(1)
        return honest(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(standstills, "_write", dying)
    with pytest.raises(KeyboardInterrupt):
        take(store, Wish(until=now + 2 * DAY), now + HOUR, chance)
    monkeypatch.undo()
    moved = [load(store, each.id).deadline_at == now + DAY + 2 * DAY - HOUR for each in every]
    assert sum(moved) == standstills.AT_ONCE
    assert not any("timeout" in said for said in sweep_some(store, now + DAY + MINUTE, chance))
    sweep(store, now + DAY + MINUTE, chance)
    assert {load(store, each.id).deadline_at for each in every} == {now + 3 * DAY - HOUR}
    assert len(owed(store, "opponent_away")) == 1
    sound(store)


def test_one_that_ends_with_a_play_ends_with_the_play_in_every_match(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1), (3, 1), (6, 5), time=A_DAY)
    other = one_more(store, view, now, chance, time=TWO_DAYS)
    take(store, Wish(with_play=True), now + HOUR, chance)
    back = now + 4 * DAY
    act(store, load(store, view.id), WHITE, "play", back, chance, play="8/5 6/5")
    assert vacations.seen(store, alice_of(store).id, back) is None
    assert sweep(store, back, chance)[0].startswith("told 1 of")
    assert load(store, other.id).deadline_at == back + 47 * HOUR
    assert vacations.of(store, alice_of(store), back).left[0] == (2026, 26 * DAY + HOUR)
    assert owed(store, "vacation_ended") == []
    sound(store)


def test_by_itself_it_begins_at_the_first_deadline_goes_on_a_day_at_a_time_and_ends_with_a_play(
    store: Store, now: datetime
) -> None:
    view, chance = begin(store, now, (3, 1), (3, 1), (6, 5), (6, 5), time=A_DAY)
    other = one_more(store, view, now, chance, time=TWO_DAYS)
    alice = alice_of(store)
    vacations.set_automatic(store, alice.id, on=True)
    assert not [said for said in sweep(store, now + DAY - MINUTE, chance) if "remind" not in said]
    first = now + DAY
    assert sweep(store, first + MINUTE, chance)[0] == f"held {view.id}"
    (one,) = vacations.of(store, alice, first).all
    assert (one.start, one.end, one.automatic) == (first - SECOND, first - SECOND + DAY, True)
    assert owed(store, "vacation_begun") == [alice.id]
    assert load(store, view.id).deadline_at == first + DAY
    assert load(store, other.id).deadline_at == now + 3 * DAY  # it holds that one as well
    assert any("one day more" in said for said in sweep(store, first + DAY, chance))
    back = first + DAY + 6 * HOUR
    act(store, load(store, view.id), WHITE, "play", back, chance, play="8/5 6/5")
    sweep(store, back, chance)
    (one,) = vacations.of(store, alice, back).all
    assert one.end == back
    assert load(store, other.id).deadline_at == back + DAY + SECOND
    assert owed(store, "vacation_begun") == [alice.id]
    assert owed(store, "vacation_ended") == []
    sound(store)


@pytest.mark.parametrize("late", [timedelta(0), 3 * DAY])
def test_by_itself_it_goes_on_until_the_days_are_used_up_and_then_time_is_over(
    store: Store, now: datetime, late: timedelta
) -> None:
    """Whether the sweep comes every day or sleeps for three of them."""
    view, chance = begin(store, now, (3, 1), time=A_DAY)
    alice = alice_of(store)
    vacations.take(store, alice, Wish(until=now - 20 * DAY), now - 40 * DAY)
    vacations.set_automatic(store, alice.id, on=True)
    said = []
    for days in range(1, 13):
        if not late or days % 4 == 0:
            said += sweep(store, now + days * DAY, chance)
    assert f"timeout {view.id}" in said
    assert load(store, view.id).finished_at == now + (11 if not late else 12) * DAY
    assert vacations.of(store, alice, now + 12 * DAY).left[0] == (2026, timedelta(0))
    sound(store)


def test_it_never_begins_by_itself_where_a_match_forbids_it_or_no_days_are_left(
    store: Store, now: datetime
) -> None:
    view, chance = begin(store, now, (3, 1), (3, 1), time=A_DAY, pauses=Allowed(vacation=False))
    vacations.set_automatic(store, alice_of(store).id, on=True)
    assert sweep(store, now + DAY, chance)[-1] == f"timeout {view.id}"
    assert vacations.of(store, alice_of(store), now).all == []


WISHES = st.lists(
    st.tuples(
        st.sampled_from(["take", "plan", "end", "longer", "sweep", "sweep", "dead sweep"]),
        st.integers(1, 90),
        st.integers(1, 200),
    ),
    max_size=12,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(wishes=WISHES)
def test_in_whatever_order_it_is_taken_and_ended_time_stands_still_as_long_as_it_did_and_no_longer(
    sqlite_schema_url: str, tmp_path_factory: pytest.TempPathFactory, wishes: list[tuple[str, int, int]]
) -> None:
    """The clock of who never plays: what it used and what was frozen are the time that passed."""
    store = copy_of(sqlite_schema_url, tmp_path_factory)
    now = start = at("2026-11-20 08:00")
    long = {**A_DAY, "per_turn": 60 * 86400}
    view, chance = begin(store, now, (3, 1), time=long)
    alice = alice_of(store)
    for what, pause, length in wishes:
        now += pause * HOUR / 3
        mine = [one for one in vacations.of(store, alice, now).all if one.end > now]
        with suppress(Refused):
            change(store, alice, what, mine, now, length * HOUR)
        if what != "dead sweep":
            sweep(store, now, chance)
        check_frozen(store, view.id, alice, start, now, told=what != "dead sweep")
    sweep(store, now, chance)
    check_frozen(store, view.id, alice, start, now, told=True)
    sound(store)
    store.close()


def copy_of(url: str, factory: pytest.TempPathFactory) -> Store:
    """A database of its own with the whole schema."""
    path = factory.mktemp("frozen") / "bgmail.db"
    path.write_bytes(Path(url.removeprefix("sqlite:///")).read_bytes())
    return Store(f"sqlite:///{path}")


def change(
    store: Store, alice: Account, what: str, mine: list[Vacation], now: datetime, length: timedelta
) -> None:
    if what == "take":
        vacations.take(store, alice, Wish(until=now + length), now)
    elif what == "plan":
        vacations.take(store, alice, Wish(now + length), now)
    elif what == "end" and mine:
        vacations.end(store, alice.id, mine[0].id, now)
    elif what == "longer" and mine:
        vacations.change(store, alice, mine[-1].id, max(now, mine[-1].start) + length, now)


def check_frozen(
    store: Store, match_id: str, alice: Account, start: datetime, now: datetime, *, told: bool
) -> None:
    """Whether clock and rows agree on what was frozen, instant by instant."""
    mine = vacations.of(store, alice, now).all
    for year in (2026, 2027):
        assert sum((one.taken.in_year(year) for one in mine), timedelta(0)) <= 30 * DAY
    if not told:
        return
    found = load(store, match_id)
    frozen = sum((max(min(one.end, now) - max(one.start, start), timedelta(0)) for one in mine), timedelta(0))
    if found.match.phase is not Phase.OVER:
        left = timing.left(found.clock, now, found.running_pauses)[0]
        assert left.turn == 60 * DAY - (now - start - frozen)
    assert turns.load(store, match_id).deadline_at == found.deadline_at
