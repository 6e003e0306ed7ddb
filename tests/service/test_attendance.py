"""Live matches: time given back to whoever was cut off, and the game lost by staying away from the board."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from bgmail.rules.ruledata import to_data
from bgmail.rules.ruleset import CLUB
from bgmail.rules.score import Ending
from bgmail.rules.side import Side
from bgmail.service import matches
from bgmail.service.attendance import forget_past, here, leave_some
from bgmail.service.audits import Tally, audit
from bgmail.service.turns import load
from bgmail.service.views import MatchView
from bgmail.store.engine import Store
from tests.service.matchmaking import ScriptedChance, act, begin
from tests.service.test_deadlines import sweep

WHITE, BLACK = Side.WHITE, Side.BLACK
SECOND = timedelta(seconds=1)
LIVE = {"per_turn": 10, "bank": 300}
SLOW = {"per_turn": 3 * 86_400, "bank": 0}


def own(**values: Any) -> dict[str, Any]:
    return to_data(replace(CLUB, name="Ours", **values))


def begun(
    store: Store, now: datetime, rules: str | dict[str, Any], time: Any = None
) -> tuple[MatchView, ScriptedChance]:
    """Alice, who won the opening, and Bob, both of them at the board."""
    view, chance = begin(store, now, (3, 1), (6, 4), length=5, rules=rules, time=time or LIVE)
    for side in Side:
        here(store, view, side, now, chance)
    return view, chance


def bank(view: MatchView, side: Side) -> float:
    return view.clock.banks[side] / 1_000_000


def gone(store: Store, now: datetime, chance: ScriptedChance) -> list[str]:
    return [said.split(" ")[0] for said in leave_some(store, now, chance)]


def test_half_of_the_bank_lost_while_cut_off_is_given_back_and_the_log_says_so(
    store: Store, now: datetime
) -> None:
    view, chance = begun(store, now, "federation")
    back = here(store, view, WHITE, now + 70 * SECOND, chance)
    assert bank(back, WHITE) == 300 + 30  # ten seconds were the turn's own, sixty the bank's
    assert (back.version, back.deadline_at) == (view.version, now + 340 * SECOND)
    last = matches.log(store, view.id)[-1]
    assert (last.kind, last.data) == ("pause", {"side": "white", "why": "connection", "seconds": 30})
    played = act(store, back, WHITE, "play", now + 70 * SECOND, chance, play="8/5 6/5").view
    assert bank(played, WHITE) == 270
    assert list(audit(store, Tally())) == []


def test_it_is_given_back_a_limited_number_of_times(store: Store, now: datetime) -> None:
    view, chance = begun(store, now, own(given_back=2, given_back_percent=100))
    for count, banks in ((1, 325), (2, 360), (3, 360)):
        view = here(store, load(store, view.id), WHITE, now + count * 35 * SECOND, chance)
        assert bank(view, WHITE) == banks


@pytest.mark.parametrize(
    ("rules", "time", "side", "away"),
    [
        ("federation", LIVE, WHITE, 20),  # a page that asks again a little late was not cut off
        ("federation", LIVE, BLACK, 70),  # it isn't Bob's time that ran
        ("federation", SLOW, WHITE, 70),
        ("club", LIVE, WHITE, 70),
        ("federation", LIVE, WHITE, 310),  # the time was over before
    ],
    ids=["not away", "off turn", "slow", "other rules", "too late"],
)
def test_nothing_is_given_back(
    store: Store, now: datetime, rules: str, time: Any, side: Side, away: int
) -> None:
    view, chance = begun(store, now, rules, time)
    here(store, view, side, now + away * SECOND, chance)
    assert load(store, view.id) == view


def test_whoever_stays_away_for_too_long_loses_the_game_and_the_match_goes_on(
    store: Store, now: datetime
) -> None:
    view, chance = begun(store, now, own(inactivity=60))
    here(store, view, WHITE, now + 30 * SECOND, chance)
    assert gone(store, now + 89 * SECOND, chance) == []
    assert gone(store, now + 90 * SECOND, chance) == ["inactive"]
    after = load(store, view.id).match
    assert (after.score, after.game) == ((0, 1), 2)
    assert after.last_game is not None
    assert after.last_game.ending is Ending.TIMEOUT
    assert "inactivity" in [entry.kind for entry in matches.log(store, view.id)]
    assert [found.text for found in audit(store, Tally()) if " should be " not in found.text] == []


def test_absence_counts_from_the_beginning_of_the_own_turn(store: Store, now: datetime) -> None:
    view, chance = begun(store, now, own(inactivity=60))
    act(store, view, WHITE, "play", now + 50 * SECOND, chance, play="8/5 6/5")
    assert gone(store, now + 61 * SECOND, chance) == ["looked"]
    assert gone(store, now + 109 * SECOND, chance) == []
    assert gone(store, now + 110 * SECOND, chance) == ["inactive"]
    assert load(store, view.id).match.score == (1, 0)


def test_nobody_is_missed_in_a_slow_match_or_before_they_came(store: Store, now: datetime) -> None:
    slow, chance = begun(store, now, own(inactivity=60), SLOW)
    assert gone(store, now + 3600 * SECOND, chance) == []
    assert load(store, slow.id) == slow


def test_what_is_known_of_a_match_is_forgotten_with_its_end(store: Store, now: datetime) -> None:
    view, chance = begun(store, now, own(inactivity=60))
    assert forget_past(store) == 0
    act(store, view, WHITE, "resign_match", now, chance)
    assert forget_past(store) == 2
    assert gone(store, now + 3600 * SECOND, chance) == []


def test_the_clock_has_the_last_word_over_an_absence(store: Store, now: datetime) -> None:
    view, chance = begun(store, now, own(inactivity=600), {"per_turn": 10, "bank": 20})
    assert sweep(store, now + 30 * SECOND, chance) == ["timeout"]
    assert load(store, view.id).match.result is not None
