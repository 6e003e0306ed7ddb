"""The sweep: reminders, forfeits and expiry, each once, at its time and not before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from bgmail.dice import Chance
from bgmail.rules.match import Phase
from bgmail.rules.score import Ending
from bgmail.rules.side import Side
from bgmail.service import deadlines, invitations, matches
from bgmail.service.deadlines import sweep_match, sweep_some
from bgmail.service.errors import Refused, Stale
from bgmail.service.terms import Handle, Terms
from bgmail.service.turns import load
from bgmail.service.views import MatchView
from bgmail.store import matches as store_matches
from bgmail.store.engine import Store
from bgmail.store.matches import table
from bgmail.store.tables import ActionRow, MatchRow, NoticeRow
from tests.service.matchmaking import ScriptedChance, act, begin, settle

WHITE, BLACK = Side.WHITE, Side.BLACK
_action = table(ActionRow)
DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)


def sweep(store: Store, now: datetime, chance: Chance) -> list[str]:
    """Everything that is due, as a scheduler's pass does it."""
    done = []
    while what := sweep_some(store, now, chance):
        done.extend(one.rsplit(" ", 1)[0] for one in what)
    return done


def owed(store: Store, kind: str) -> list[tuple[int | None, str]]:
    rows = table(NoticeRow)
    with store.read() as connection:
        found = select(rows.c.account_id, rows.c.which).where(rows.c.kind == kind).order_by(rows.c.id)
        return [(row.account_id, row.which) for row in connection.execute(found)]


def test_nothing_is_due_in_a_fresh_match(store: Store, now: datetime) -> None:
    _, chance = begin(store, now, (3, 1))
    assert sweep(store, now + HOUR, chance) == []


def test_a_player_who_does_nothing_is_reminded_then_loses_once(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1))
    assert view.deadline_at == now + 4 * DAY
    assert sweep(store, now + DAY - 5 * HOUR, chance) == []
    assert sweep(store, now + DAY - 4 * HOUR, chance) == ["reminder turn-20"]
    assert sweep(store, now + 4 * DAY - 6 * HOUR, chance)[-1] == "reminder left-21600"
    assert sweep(store, now + 4 * DAY - MINUTE, chance) == []
    assert sweep(store, now + 4 * DAY, chance) == ["timeout"]
    assert sweep(store, now + 5 * DAY, chance) == []
    over = load(store, view.id).match
    assert over.result is not None
    assert (over.result.winner, over.result.ending, over.result.awarded) == (BLACK, Ending.TIMEOUT, (0, 7))
    assert over.score == (0, 0)
    assert len(owed(store, "timeout")) == 2
    assert len(owed(store, "reminder")) == len(set(owed(store, "reminder")))


def meanwhile(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], object]) -> None:
    """Lets something happen once, after the sweep has read what is due and before it writes."""
    read = store_matches.due

    def due(*asked: Any) -> list[store_matches.Found]:
        found = read(*asked)
        monkeypatch.setattr(store_matches, "due", read)
        happens()
        return found

    monkeypatch.setattr(store_matches, "due", due)


@pytest.mark.parametrize(
    ("passed", "said", "kind"),
    [(DAY - HOUR, "reminder turn-20", "reminder"), (4 * DAY, "timeout", "timeout")],
)
def test_two_sweeps_at_once_do_it_once(
    store: Store, now: datetime, monkeypatch: pytest.MonkeyPatch, passed: timedelta, said: str, kind: str
) -> None:
    view, chance = begin(store, now, (3, 1))
    faster: list[str] = []
    meanwhile(monkeypatch, lambda: faster.extend(sweep(store, now + passed, chance)))
    assert sweep_some(store, now + passed, chance) == [f"moved {view.id}"]
    assert faster == [said]
    assert sweep(store, now + passed, chance) == []
    assert len(owed(store, kind)) == (1 if kind == "reminder" else 2)
    assert [entry.seq for entry in matches.log(store, view.id)] == list(
        range(1, load(store, view.id).head + 1)
    )


def another(store: Store, view: MatchView, now: datetime, chance: Chance) -> MatchView:
    """One more match of the same two."""
    assert view.white is not None
    assert view.black is not None
    offer = invitations.invite(store, view.white.id, Terms(5), Handle("bob"), "", now, chance)
    return invitations.accept(store, offer.id, view.black.id, now, chance)


def test_who_plays_while_a_sweep_is_under_way_loses_nothing(
    store: Store, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the sweep had judged of that match is dropped; the others of the same transaction are done."""
    view, chance = begin(store, now, (3, 1), (6, 4), (6, 4))
    others = [another(store, view, now, chance) for _ in range(2)]
    late = now + 4 * DAY
    last = late - timedelta(microseconds=1)
    meanwhile(monkeypatch, lambda: act(store, view, WHITE, "play", last, chance, play="8/5 6/5"))
    done = sweep_some(store, late, chance)
    assert sorted(done) == sorted([f"moved {view.id}", *(f"timeout {other.id}" for other in others)])
    assert load(store, view.id).match.on_turn is BLACK
    assert [entry.kind for entry in matches.log(store, view.id)].count("play") == 1
    assert sweep(store, late, chance) == []


def test_a_batch_takes_those_longest_overdue(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1))
    later = [another(store, view, now + minute * MINUTE, chance) for minute in (2, 1)]
    late = now + 4 * DAY + HOUR
    sweep(store, now + 4 * DAY - HOUR, chance)  # no reminder is left
    done = [sweep_some(store, late, chance, most=2) for _ in range(3)]
    assert [sorted(batch) for batch in done] == [
        sorted([f"timeout {view.id}", f"timeout {later[1].id}"]),
        [f"timeout {later[0].id}"],
        [],
    ]


def test_one_match_that_is_watched_is_swept_alone(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1))
    other = another(store, view, now, chance)
    late = now + 4 * DAY
    assert sweep_match(store, view.id, now + HOUR, chance) == []
    assert sweep_match(store, view.id, late, chance) == [f"timeout {view.id}"]
    assert sweep_match(store, view.id, late, chance) == []
    assert sweep_match(store, "zzzzzzzzzzzz", late, chance) == []
    assert load(store, other.id) == other


def test_a_clock_that_steps_back_reminds_nobody_twice(store: Store, now: datetime) -> None:
    """The host's clock was set back two seconds after a pass."""
    _, chance = begin(store, now, (3, 1))
    at = now + DAY - HOUR
    assert sweep(store, at, chance) == ["reminder turn-20"]
    assert sweep(store, at - timedelta(seconds=2), chance) == []
    assert sweep(store, at + timedelta(seconds=1), chance) == []
    assert len(owed(store, "reminder")) == 1


def test_a_match_that_cannot_be_written_is_put_off_alone(
    store: Store, now: datetime, caplog: pytest.LogCaptureFixture
) -> None:
    """The whole transaction failed with it: then each is written by itself."""
    view, chance = begin(store, now, (3, 1))
    other = another(store, view, now, chance)
    with store.write() as connection:
        last = connection.execute(select(_action).where(_action.c.match_id == view.id)).mappings().all()[-1]
        connection.execute(insert(_action), {**last, "seq": view.head + 1})
    late = now + 4 * DAY
    assert sorted(sweep_some(store, late, chance)) == sorted([f"failed {view.id}", f"timeout {other.id}"])
    assert view.id in caplog.text
    assert load(store, view.id) == replace(view, due_at=late + deadlines.PUT_OFF)
    assert sweep_some(store, late, chance) == []


def test_no_reminder_for_a_turn_that_was_played(store: Store, now: datetime) -> None:
    """'No time left' was sent with some 21 hours on the clock."""
    view, chance = begin(store, now, (3, 1), (6, 4))
    view = act(store, view, WHITE, "play", now + 20 * HOUR - MINUTE, chance, play="8/5 6/5").view
    assert sweep(store, now + 21 * HOUR, chance) == []
    assert owed(store, "reminder") == []


def test_a_play_after_the_deadline_loses_even_before_the_sweep(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1))
    with pytest.raises(Stale) as stale:
        act(store, view, WHITE, "play", now + 4 * DAY, chance, play="8/5 6/5")
    assert stale.value.view.match.phase is Phase.OVER
    assert sweep(store, now + 4 * DAY, chance) == []
    assert len(owed(store, "timeout")) == 2


def test_a_play_in_the_last_second_stands(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1))
    last = now + 4 * DAY - timedelta(microseconds=1)
    assert act(store, view, WHITE, "play", last, chance, play="8/5 6/5").view.match.on_turn is BLACK
    assert sweep(store, now + 4 * DAY, chance) == []


def doubled(store: Store, now: datetime) -> tuple[MatchView, ScriptedChance]:
    view, chance = begin(store, now, (3, 1))
    view = act(store, view, WHITE, "play", now, chance, play="8/5 6/5").view
    return act(store, view, BLACK, "double", now, chance).view, chance


def test_a_double_unanswered_in_time_is_passed_and_the_match_goes_on(store: Store, now: datetime) -> None:
    view, chance = doubled(store, now)
    assert sweep(store, now + 4 * DAY, chance)[-1] == "timeout"
    after = load(store, view.id)
    assert (after.match.score, after.match.game, after.match.phase) == ((0, 1), 2, Phase.PLAY)
    entry = next(entry for entry in matches.log(store, view.id) if entry.kind == "pass")
    assert (entry.seat, entry.via, entry.nonce) == ("white", "clock", None)
    assert after.deadline_at is not None
    assert after.deadline_at > now + 4 * DAY


def test_a_resignation_unanswered_in_time_counts_as_accepted(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1))
    act(store, view, WHITE, "resign", now, chance, value=2)
    sweep(store, now + 4 * DAY, chance)
    assert load(store, view.id).match.score == (0, 2)


def test_a_sweep_while_the_clock_is_in_the_bank_charges_the_bank(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1), (6, 5))
    played = act(store, view, WHITE, "play", now + 2 * DAY, chance, play="8/5 6/5").view
    bank = played.clock.banks[WHITE]
    assert bank == int((3 * DAY - DAY).total_seconds()) * 1_000_000


def test_an_untimed_match_is_never_due(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1), time="untimed")
    assert (view.deadline_at, view.due_at, view.rated) == (None, None, False)
    assert sweep(store, now + 1000 * DAY, chance) == []


def test_an_invitation_expires_after_14_days_and_the_inviter_is_told(store: Store, now: datetime) -> None:
    alice, bob, _ = settle(store, now)
    chance = ScriptedChance([])
    view = invitations.invite(store, alice, Terms(7), Handle("bob"), "", now, chance)
    assert sweep(store, now + 14 * DAY - MINUTE, chance) == []
    with pytest.raises(Refused):
        invitations.accept(store, view.id, bob, now + 14 * DAY, chance)
    assert sweep(store, now + 14 * DAY, chance) == ["expired"]
    assert owed(store, "expired") == [(alice, "")]
    assert invitations.sent(store, alice) == []
    result = load(store, view.id).match.result
    assert result is not None
    assert result.ending is Ending.EXPIRED


def test_a_started_match_is_not_cleaned_up_as_an_old_invitation(store: Store, now: datetime) -> None:
    """A seven-day game was purged after a day because its first move was missing."""
    view, chance = begin(store, now, (3, 1), time={"per_turn": 7 * 86400, "per_answer": 7 * 86400, "bank": 0,
                                                     "increment": 0, "cap": None})  # fmt: skip
    assert sweep(store, now + 26 * HOUR, chance) == []
    assert load(store, view.id).deadline_at == now + 7 * DAY


def test_a_match_that_fails_is_put_off_alone(
    store: Store, now: datetime, caplog: pytest.LogCaptureFixture
) -> None:
    view, chance = begin(store, now, (3, 1))
    other = another(store, view, now + MINUTE, chance)
    rows = table(MatchRow)
    with store.write() as connection:
        connection.execute(update(rows).where(rows.c.id == view.id).values(state="{}"))
    done = sweep(store, now + 4 * DAY + MINUTE, chance)
    assert sorted(done) == ["failed", "timeout"]
    assert view.id in caplog.text
    assert load(store, other.id).match.phase is Phase.OVER


def test_after_the_end_nothing_runs(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1))
    view = act(store, view, WHITE, "resign_match", now + 5 * HOUR, chance).view
    assert (view.deadline_at, view.due_at, view.clock.on) == (None, None, None)
    assert sweep(store, now + 40 * DAY, chance) == []
    assert load(store, view.id) == view
