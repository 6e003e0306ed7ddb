"""Weekends and nights in a match: taken over when a turn begins, told by the log, and counted the same everywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import update

from bgmail import dice, timing
from bgmail.ledger.entry import Entry
from bgmail.rules.match import Phase, legal
from bgmail.rules.side import Side
from bgmail.service import invitations, matches, rematches, turns, weekly
from bgmail.service.audits import Tally, audit
from bgmail.service.deadlines import sweep_some
from bgmail.service.errors import Refused
from bgmail.service.retellings import retell
from bgmail.service.states import state
from bgmail.service.terms import Handle, Terms
from bgmail.service.views import MatchView, cached, clock_data
from bgmail.store.engine import Store
from bgmail.timing import Allowed, Calendar
from tests.service.matchmaking import ScriptedChance, act, begin, settle

WHITE, BLACK = Side.WHITE, Side.BLACK
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
WEEKEND = Calendar("Europe/Berlin", frozenset({5, 6}))
NIGHTS = Calendar("Europe/Berlin", frozenset({5, 6}), (22 * 60, 8 * 60))
THURSDAY = datetime(2026, 6, 11, 12, tzinfo=UTC)
MONDAY = datetime(2026, 6, 14, 22, tzinfo=UTC)
"""When the weekend is over in Berlin."""


@pytest.fixture
def store(sqlite_schema_url: str) -> Iterator[Store]:
    opened = Store(sqlite_schema_url)
    yield opened
    opened.close()


def opened(
    store: Store,
    now: datetime,
    calendar: Calendar = WEEKEND,
    dice: Sequence[tuple[int, int]] = ((3, 1),),
    **terms: Any,
) -> tuple[MatchView, ScriptedChance]:
    """Alice, who rests on the weekend, has to play 3-1 against Bob, who doesn't. No `dice`: honest ones."""
    alice, bob, _ = settle(store, now)
    weekly.choose(store, alice, calendar, now - 5 * DAY)
    chance = ScriptedChance(dice)
    view = invitations.invite(store, alice, Terms(7, **terms), Handle("bob"), "", now, chance)
    return invitations.accept(store, view.id, bob, now, chance), chance


def pauses(store: Store, view: MatchView) -> list[Entry]:
    return [entry for entry in matches.log(store, view.id) if entry.kind == "pause"]


def play(store: Store, view: MatchView, now: datetime, chance: ScriptedChance) -> MatchView:
    """The next step of whoever is on turn."""
    side = view.match.on_turn
    assert side is not None
    if view.match.dice:
        return act(store, view, side, "play", now, chance, play=str(legal(view.match)[0])).view
    return act(store, view, side, "roll", now, chance).view


def play_until(store: Store, view: MatchView, side: Side, now: datetime, chance: ScriptedChance) -> MatchView:
    """On until a side has to come, the other's turn played."""
    view = play(store, view, now, chance)
    while view.match.on_turn is not side or view.match.turn is not side:
        view = play(store, view, now, chance)
    return view


def test_the_weekend_of_the_side_on_turn_is_logged_when_its_turn_begins(store: Store) -> None:
    view, _ = opened(store, THURSDAY)
    (entry,) = pauses(store, view)
    assert entry.data == {
        "side": "white", "why": "calendar", "zone": "Europe/Berlin", "weekend": [5, 6], "night": None,
    }  # fmt: skip
    assert (entry.seat, entry.via, entry.nonce) == (None, "server", None)
    assert entry.version == view.version == entry.seq - 1, "it leaves links and clients' views as they are"
    assert view.head == entry.seq
    assert view.deadline_at == THURSDAY + 6 * DAY
    assert view.pauses(WHITE).at(MONDAY - HOUR) == ("weekend", MONDAY)
    assert view.pauses(BLACK).at(MONDAY - HOUR) is None


def test_who_rests_never_leaves_no_entry_in_the_log(store: Store) -> None:
    view, chance = opened(store, THURSDAY, calendar=timing.NO_CALENDAR)
    view = play(store, view, THURSDAY + HOUR, chance)
    assert pauses(store, view) == []
    assert view.deadline_at == THURSDAY + HOUR + 4 * DAY


def test_the_weekend_of_one_side_is_not_the_other_sides(store: Store) -> None:
    view, chance = opened(store, THURSDAY)
    friday = THURSDAY + DAY
    view = play(store, view, friday, chance)
    assert view.match.on_turn is BLACK
    assert view.deadline_at == friday + 4 * DAY


def test_a_turn_that_ends_in_the_weekend_is_charged_up_to_its_beginning(store: Store) -> None:
    """Alice plays on Sunday, 34 hours of her time after Thursday noon: 10 of them come from the bank."""
    view, chance = opened(store, THURSDAY)
    view = play(store, view, datetime(2026, 6, 14, 18, tzinfo=UTC), chance)
    assert view.clock.banks[WHITE] == 62 * 3600 * timing.SECOND


@pytest.mark.parametrize(
    ("allowed", "ends"),
    [
        (Allowed(), THURSDAY + 4 * DAY),
        (Allowed(vacation=True), THURSDAY + 4 * DAY),
        (Allowed(weekends=True), THURSDAY + 6 * DAY),
        # 06:00 to 20:00 UTC counts: 8 hours on Thursday, 14 on each day after it, 4 on the last
        (Allowed(nights=True), datetime(2026, 6, 18, 10, tzinfo=UTC)),
        (Allowed(weekends=True, nights=True), datetime(2026, 6, 22, 10, tzinfo=UTC)),
    ],
)
def test_a_match_takes_over_what_it_allows(store: Store, allowed: Allowed, ends: datetime) -> None:
    view, _ = opened(store, THURSDAY, calendar=NIGHTS, pauses=allowed)
    assert view.rests.allowed == allowed
    assert view.deadline_at == ends


@pytest.mark.parametrize("time", ["live-8-10", "live-delay", "live-11-90", "untimed"])
def test_nothing_rests_in_live_pace_or_without_a_clock(store: Store, time: str) -> None:
    view, _ = opened(store, MONDAY - DAY, time=time, pauses=Allowed(True, True, True))
    assert view.rests.allowed == Allowed()
    assert pauses(store, view) == []
    assert state(view, WHITE, MONDAY - DAY)["clocks"]["paused"] is None


def test_a_new_weekend_counts_from_the_next_turn(store: Store) -> None:
    view, chance = opened(store, THURSDAY)
    assert view.white
    saturday, new = THURSDAY + 2 * DAY, Calendar("UTC", frozenset({0, 1}))
    weekly.choose(store, view.white.id, new, saturday)
    assert turns.load(store, view.id).deadline_at == view.deadline_at
    view = play_until(store, view, WHITE, saturday, chance)
    assert view.rests.sides[WHITE].calendar == new
    assert [entry.data["weekend"] for entry in pauses(store, view)] == [[5, 6], [0, 1]]
    # 34 hours were used, so 24 and 62 are left: 36 of them by Sunday night, the others from Wednesday on
    assert view.deadline_at == datetime(2026, 6, 19, 2, tzinfo=UTC)


def test_a_weekend_can_be_changed_once_in_seven_days(store: Store) -> None:
    alice, _, _ = settle(store, THURSDAY)
    weekly.choose(store, alice, WEEKEND, THURSDAY)
    other = Calendar("Europe/Berlin", frozenset({4, 5}))
    with pytest.raises(Refused, match="calendar_soon") as refused:
        weekly.choose(store, alice, other, THURSDAY + 7 * DAY - timedelta(seconds=1))
    assert refused.value.values == {"at": THURSDAY + 7 * DAY}
    assert weekly.of(store, alice).calendar == WEEKEND
    weekly.choose(store, alice, other, THURSDAY + 7 * DAY)
    assert weekly.of(store, alice) == weekly.Weekly(other, THURSDAY + 7 * DAY)


def test_the_same_weekend_again_is_no_change(store: Store) -> None:
    alice, _, _ = settle(store, THURSDAY)
    weekly.choose(store, alice, WEEKEND, THURSDAY)
    weekly.choose(store, alice, WEEKEND, THURSDAY + DAY)
    assert weekly.of(store, alice).changes_at(THURSDAY + DAY) == THURSDAY + 7 * DAY
    weekly.choose(store, alice, timing.NO_CALENDAR, THURSDAY + 7 * DAY)
    assert weekly.of(store, alice) == weekly.Weekly(timing.NO_CALENDAR, THURSDAY + 7 * DAY)


def test_resting_no_more_is_logged_as_well(store: Store) -> None:
    view, chance = opened(store, THURSDAY)
    assert view.white
    weekly.choose(store, view.white.id, timing.NO_CALENDAR, THURSDAY + 2 * DAY)
    view = play_until(store, view, WHITE, THURSDAY + 2 * DAY, chance)
    assert view.rests.sides[WHITE].calendar == timing.NO_CALENDAR
    assert pauses(store, view)[-1].data["weekend"] == []


def test_a_paused_player_may_play_and_the_other_side_gets_its_fresh_allowance(store: Store) -> None:
    view, chance = opened(store, THURSDAY)
    saturday = datetime(2026, 6, 13, 12, tzinfo=UTC)
    view = play(store, view, saturday, chance)
    assert (view.match.on_turn, view.deadline_at) == (BLACK, saturday + 4 * DAY)


def test_the_sweep_reminds_and_ends_by_the_time_that_counts(store: Store) -> None:
    """Five days of 24 hours, whatever lies between."""
    view, chance = opened(store, THURSDAY)

    def sweep(at: datetime) -> list[str]:
        done = []
        while found := sweep_some(store, at, chance):
            done += [what.split()[0] for what in found]
        return done

    # four fifths of the own day are over on Friday morning; four fifths of the bank come after the weekend
    assert sweep(datetime(2026, 6, 12, 7, 11, tzinfo=UTC)) == []
    assert sweep(datetime(2026, 6, 12, 7, 12, tzinfo=UTC)) == ["reminder"]
    assert sweep(MONDAY) == []
    assert sweep(view.deadline_at - HOUR) == ["reminder"]  # type: ignore[operator]
    assert sweep(THURSDAY + 6 * DAY - timedelta(seconds=1)) == []
    assert sweep(THURSDAY + 6 * DAY) == ["timeout"]


def test_the_log_with_its_pauses_adds_up_to_the_row_and_its_dice_verify(store: Store) -> None:
    view, chance = opened(store, THURSDAY, NIGHTS, dice=(), pauses=Allowed(True, True, True))
    assert view.white
    at = THURSDAY
    for step in range(14):
        at += 9 * HOUR
        if step == 9:
            weekly.choose(store, view.white.id, WEEKEND, at)
        view = play(store, view, at, chance)
        if view.match.on_turn is None:
            break
    assert len(pauses(store, view)) == 2
    assert dice.verify(matches.log(store, view.id)).faults == []
    assert list(audit(store, Tally())) == []


def test_a_game_that_opens_by_the_clock_is_guarded_by_those_who_acted_before_it(store: Store) -> None:
    """Pauses in the log leave the head past the version, as a restore does: that says nothing about nonces."""
    view, chance = opened(store, THURSDAY, dice=())
    for _ in range(2):
        view = play(store, view, THURSDAY + HOUR, chance)
        if view.match.phase is Phase.ROLL_OR_DOUBLE:
            break
    assert view.match.on_turn is not None
    view = act(store, view, view.match.on_turn, "double", THURSDAY + HOUR, chance).view
    assert pauses(store, view)
    assert sweep_some(store, view.deadline_at or THURSDAY, chance) == [f"timeout {view.id}"]
    assert turns.load(store, view.id).match.game == 2
    verdict = dice.verify(matches.log(store, view.id))
    assert (verdict.faults, verdict.unguarded) == ([], [])
    assert list(audit(store, Tally())) == []


def test_a_calendar_that_the_log_knows_otherwise_is_found(store: Store) -> None:
    view, _ = opened(store, THURSDAY, dice=())
    rests = view.rests.with_calendar(WHITE, NIGHTS)
    row = matches.matches.match
    with store.write() as connection:
        connection.execute(
            update(row).where(row.c.id == view.id).values(**cached(view.match, view.clock, rests))
        )
    (finding,) = audit(store, Tally())
    assert finding.text.startswith("clock.rests is ")


def test_a_log_older_than_pauses_allows_none_of_them(store: Store) -> None:
    view, _ = begin(store, THURSDAY)
    entries = matches.log(store, view.id)
    assert entries[0].data["pauses"] == {"weekends": True, "nights": False, "vacation": True}
    old = {name: value for name, value in entries[0].data.items() if name != "pauses"}
    told = retell([replace(entries[0], data=old)])
    assert told.rests == timing.NO_RESTS
    assert "rests" not in clock_data(told.clock, told.rests)


def test_a_rematch_is_offered_with_the_same_pauses(store: Store) -> None:
    view, chance = opened(store, THURSDAY, pauses=Allowed(nights=True))
    view = act(store, view, WHITE, "resign_match", THURSDAY, chance).view
    assert view.white
    again = rematches.rematch(store, view.id, view.white.id, THURSDAY, chance)
    assert again.rests.allowed == Allowed(nights=True)
