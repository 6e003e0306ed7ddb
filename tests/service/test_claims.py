"""What a lapse costs by the rule set, and time that the opponent has to claim."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from bgmail.rules.match import Phase
from bgmail.rules.ruledata import to_data
from bgmail.rules.ruleset import CLUB, Timeout
from bgmail.rules.score import Ending
from bgmail.rules.side import Side
from bgmail.service import matches
from bgmail.service.audits import Tally, audit
from bgmail.service.clocks import CLAIM_LASTS
from bgmail.service.errors import Refused, Stale
from bgmail.service.states import state
from bgmail.service.turns import load
from bgmail.store.engine import Store
from tests.service.matchmaking import act, begin, position, stage
from tests.service.test_deadlines import owed, sweep

WHITE, BLACK = Side.WHITE, Side.BLACK
SECOND, MINUTE, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(days=1)
SHORT = {"per_turn": 60, "bank": 30}
"""A turn of a minute and a bank of half a minute."""
LAPSE = 90 * SECOND


def own(name: str, **values: Any) -> dict[str, Any]:
    """Rules like the club's but for some values, as somebody made them up."""
    return to_data(replace(CLUB, name=name, **values))


def kinds(store: Store, match_id: str) -> list[str]:
    return [entry.kind for entry in matches.log(store, match_id)]


def clean(store: Store) -> list[str]:
    """Where a match doesn't add up to its log; that scripted dice can't be verified is no wonder."""
    return [found.text for found in audit(store, Tally()) if " should be " not in found.text]


def test_a_lapse_under_claimed_rules_opens_the_claim_once_and_tells_both(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1), length=5, rules="claim", time=SHORT)
    assert sweep(store, now + LAPSE - SECOND, chance) == []
    assert sweep(store, now + LAPSE, chance) == ["timeout"]
    assert sweep(store, now + LAPSE + DAY, chance) == []
    after = load(store, view.id)
    assert (after.match.late, after.match.on_turn, after.version) == (True, WHITE, view.version)
    assert sorted(owed(store, "claim")) == [(after.white.id, ""), (after.black.id, "")]  # type: ignore[union-attr]
    assert "claim_timeout" in state(after, BLACK, now + LAPSE)["options"]
    assert "play" in state(after, WHITE, now + LAPSE)["options"]
    assert clean(store) == []


def test_a_claim_wins_two_and_the_next_game_begins_with_full_banks(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1), (6, 4), length=5, rules="claim", time=SHORT)
    sweep(store, now + LAPSE, chance)
    done = act(store, view, BLACK, "claim_timeout", now + 2 * MINUTE, chance).view
    assert (done.match.score, done.match.game) == ((0, 2), 2)
    assert done.match.last_game is not None
    assert (done.match.last_game.ending, done.match.last_game.worth) == (Ending.TIMEOUT, 2)
    assert done.clock.banks == (30_000_000, 30_000_000)
    assert kinds(store, view.id)[-6:] == [
        "late",
        "claim_timeout",
        "game_over",
        "reveal",
        "commit",
        "opening_roll",
    ]
    assert clean(store) == []


def test_a_claim_before_the_sweep_came_by_is_a_claim_too(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1), length=1, rules="claim", time=SHORT)
    assert "claim_timeout" in state(view, BLACK, now + LAPSE)["options"]
    done = act(store, view, BLACK, "claim_timeout", now + LAPSE, chance).view
    assert done.match.result is not None
    assert (done.match.result.winner, done.match.result.ending) == (BLACK, Ending.TIMEOUT)
    assert done.match.score == (0, 2)


@pytest.mark.parametrize("when", [LAPSE - SECOND, timedelta(0)], ids=["in time", "at once"])
def test_there_is_nothing_to_claim_before_the_time_is_over(
    store: Store, now: datetime, when: timedelta
) -> None:
    view, chance = begin(store, now, (3, 1), length=5, rules="claim", time=SHORT)
    with pytest.raises(Refused) as refused:
        act(store, view, BLACK, "claim_timeout", now + when, chance)
    assert refused.value.code == "claim_timeout"
    assert load(store, view.id) == view


def test_nobody_claims_their_own_time(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1), length=5, rules="claim", time=SHORT)
    with pytest.raises(Refused) as refused:
        act(store, view, WHITE, "claim_timeout", now + LAPSE, chance)
    assert refused.value.code == "claim_timeout"


def test_a_late_play_before_the_claim_stands_and_ends_it(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1), (6, 4), length=5, rules="claim", time=SHORT)
    sweep(store, now + LAPSE, chance)
    played = act(store, view, WHITE, "play", now + 9 * MINUTE, chance, play="8/5 6/5").view
    assert (played.match.late, played.match.on_turn) == (False, BLACK)
    assert played.clock.banks == (0, 30_000_000)
    with pytest.raises(Stale):
        act(store, view, BLACK, "claim_timeout", now + 9 * MINUTE, chance)
    assert clean(store) == []


def test_unclaimed_for_fourteen_days_it_happens_by_itself(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1), length=1, rules="claim", time=SHORT)
    sweep(store, now + LAPSE, chance)
    assert sweep(store, now + LAPSE + CLAIM_LASTS - SECOND, chance) == []
    assert sweep(store, now + LAPSE + CLAIM_LASTS, chance) == ["timeout"]
    over = load(store, view.id).match
    assert over.result is not None
    assert (over.result.winner, over.result.ending, over.score) == (BLACK, Ending.TIMEOUT, (0, 2))
    assert len(owed(store, "timeout")) == 2
    assert clean(store) == []


def test_of_a_claim_that_nobody_saw_for_weeks_the_sweep_makes_an_end_in_one_go(
    store: Store, now: datetime
) -> None:
    view, chance = begin(store, now, (3, 1), length=1, rules="claim", time=SHORT)
    assert sweep(store, now + 30 * DAY, chance) == ["timeout", "timeout"]
    assert load(store, view.id).match.phase is Phase.OVER


@pytest.mark.parametrize(
    ("timeout", "score", "over"),
    [(Timeout.MATCH, (0, 0), True), (Timeout.GAME, (0, 1), False), (Timeout.GAMMON, (0, 2), False)],
)
def test_a_lapse_costs_what_the_rules_say(
    store: Store, now: datetime, timeout: Timeout, score: tuple[int, int], over: bool
) -> None:
    view, chance = begin(store, now, (3, 1), length=7, rules=own("Ours", timeout=timeout), time=SHORT)
    assert sweep(store, now + LAPSE, chance) == ["timeout"]
    after = load(store, view.id)
    assert (after.match.score, after.match.phase is Phase.OVER) == (score, over)
    if not over:
        assert after.match.game == 2
        assert [account for account, _ in owed(store, "your_turn") + owed(store, "game_over")]
    assert after.match.rules.name == "Ours"
    assert clean(store) == []


def test_a_game_lost_on_time_costs_what_is_certain_by_then(store: Store, now: datetime) -> None:
    """White's fifteen checkers are still in Black's home, with no contact: a backgammon is certain."""
    view, chance = begin(store, now, (3, 1), length=7, rules=own("Ours", timeout=Timeout.GAME), time=SHORT)
    stage(store, view, WHITE, position({20: 15}, {24: 2}))
    sweep(store, now + LAPSE, chance)
    assert load(store, view.id).match.score == (0, 3)


def test_a_double_is_passed_by_a_claim_and_the_stake_is_that_before_it(store: Store, now: datetime) -> None:
    view, chance = begin(
        store,
        now,
        (3, 1),
        (6, 4),
        length=7,
        rules=own("Ours", claimed=True, timeout=Timeout.GAMMON),
        time=SHORT,
    )
    view = act(store, view, WHITE, "play", now, chance, play="8/5 6/5").view
    view = act(store, view, BLACK, "double", now, chance).view
    done = act(store, view, BLACK, "claim_timeout", now + LAPSE, chance).view
    assert done.match.score == (0, 1)
    assert done.match.last_game is not None
    assert done.match.last_game.ending is Ending.PASS


def test_a_wager_multiplies_cube_and_gammon_and_stands_in_the_log(store: Store, now: datetime) -> None:
    view, chance = begin(
        store, now, (3, 1), (6, 4), length=0, games=2, rules="house", wager=5, time="three-days"
    )
    view = act(store, view, WHITE, "play", now, chance, play="8/5 6/5").view
    view = act(store, view, BLACK, "double", now, chance).view
    view = act(store, view, WHITE, "take", now, chance).view
    assert view.match.stake == 10
    offered = act(store, view, WHITE, "resign", now, chance, value=2).view
    done = act(store, offered, BLACK, "accept_resignation", now, chance).view
    assert done.match.score == (0, 20)
    assert matches.log(store, view.id)[0].data["wager"] == 5
    assert state(done, WHITE, now)["gnubg_match_id"]
    assert clean(store) == []
