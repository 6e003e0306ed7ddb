"""Standing orders: obeyed at the next hand-over, named in the log, limited by the day, and nobody else's business."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType

import pytest

from bgmail.dice import verify
from bgmail.ledger import check_chain, replay
from bgmail.rules.action import Kind
from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service import departures, matches, orders
from bgmail.service.audits import Tally, audit
from bgmail.service.deadlines import sweep_some
from bgmail.service.errors import Forbidden, Refused
from bgmail.service.orders import NOTHING, Chosen
from bgmail.service.states import state
from bgmail.service.turns import load
from bgmail.service.views import MatchView
from bgmail.store.engine import Store
from tests.service.matchmaking import ScriptedChance, act, begin, position, stage

WHITE, BLACK = Side.WHITE, Side.BLACK
DAY = timedelta(days=1)
SHUT = {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2}
"""The home of a side whose opponent can't enter."""


@pytest.fixture
def store(sqlite_schema_url: str) -> Iterator[Store]:
    opened = Store(sqlite_schema_url)
    yield opened
    opened.close()


def ids(view: MatchView) -> tuple[int, int]:
    assert view.white is not None
    assert view.black is not None
    return view.white.id, view.black.id


def lately(store: Store, view: MatchView, count: int) -> list[tuple[str, str | None, str, object]]:
    """The newest entries: kind, seat, way, and by whose wish."""
    return [(one.kind, one.seat, one.via, one.data.get("by")) for one in matches.log(store, view.id)[-count:]]


def bob_on_turn(store: Store, now: datetime, *dice: tuple[int, int]) -> tuple[MatchView, ScriptedChance]:
    """Alice has opened with 3-1, and Bob may roll or double."""
    view, chance = begin(store, now, (3, 1), *dice)
    return act(store, view, WHITE, "play", now, chance, play="8/5 6/5").view, chance


def test_auto_roll_rolls_without_a_double_until_it_is_switched_off(store: Store, now: datetime) -> None:
    view, chance = bob_on_turn(store, now, (6, 4), (5, 2), (2, 1))
    alice, _ = ids(view)
    orders.order_for_match(store, view, alice, Chosen(auto_roll=True))
    view = act(store, load(store, view.id), BLACK, "roll", now, chance).view
    view = act(store, view, BLACK, "play", now, chance, play="24/14").view
    assert lately(store, view, 2) == [("play", "black", "api", None), ("roll", "white", "auto", "auto_roll")]
    assert (view.match.on_turn, view.match.phase, str(view.match.dice)) == (WHITE, Phase.PLAY, "5-2")
    orders.order_for_match(store, view, alice, Chosen(auto_roll=False))
    view = act(store, view, WHITE, "play", now, chance, play="13/8 13/11").view
    assert view.match.phase is Phase.ROLL_OR_DOUBLE, "Bob ordered nothing"


def test_orders_for_all_matches_hold_unless_a_match_has_its_own(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1), (6, 4))
    _, bob = ids(view)
    orders.order_for_all(store, bob, Chosen(auto_roll=True, most_a_day=7))
    assert orders.for_all(store, bob) == Chosen(auto_roll=True, most_a_day=7)
    view = act(store, load(store, view.id), WHITE, "play", now, chance, play="8/5 6/5").view
    assert (view.match.phase, view.match.on_turn) == (Phase.PLAY, BLACK)
    common = Chosen(auto_roll=True, shut_out=False, most_a_day=7)
    assert orders.effective(common, NOTHING).auto_roll
    assert not orders.effective(common, Chosen(auto_roll=False)).auto_roll
    assert orders.effective(common, NOTHING).shut_out is False
    assert orders.effective(NOTHING, NOTHING) == orders.Orders()
    assert orders.effective(common, NOTHING).most_a_day == 7
    assert orders.effective(common, Chosen(most_a_day=0)).most_a_day is None


@pytest.mark.parametrize("answer", ["take", "pass"])
def test_the_next_double_is_answered_as_ordered_once(store: Store, now: datetime, answer: str) -> None:
    view, chance = bob_on_turn(store, now, (6, 4), (5, 2))
    alice, _ = ids(view)
    orders.order_for_match(store, view, alice, Chosen(answer=answer))
    view = act(store, load(store, view.id), BLACK, "double", now, chance).view
    assert ("double", "black", "api", None) in lately(store, view, 8)
    assert (answer, "white", "auto", f"{answer}_next") in lately(store, view, 8)
    assert orders.for_match(store, view, alice).answer is None
    if answer == "take":
        assert (view.match.cube.value, view.match.cube.owner) == (2, WHITE)
        assert (view.match.on_turn, view.match.phase) == (BLACK, Phase.PLAY), (
            "the doubler's roll is automatic"
        )
    else:
        assert view.match.score == (0, 1)


def test_an_answer_to_the_next_double_ends_with_the_own_next_roll(store: Store, now: datetime) -> None:
    view, chance = bob_on_turn(store, now, (6, 4), (5, 2), (2, 1))
    alice, _ = ids(view)
    orders.order_for_match(store, view, alice, Chosen(answer="pass"))
    view = act(store, load(store, view.id), BLACK, "roll", now, chance).view
    view = act(store, view, BLACK, "play", now, chance, play="24/14").view
    assert orders.for_match(store, view, alice).answer == "pass"
    view = act(store, view, WHITE, "roll", now, chance).view
    assert orders.for_match(store, view, alice).answer is None
    view = act(store, view, WHITE, "play", now, chance, play="13/8 13/11").view
    view = act(store, view, BLACK, "double", now, chance).view
    assert (view.match.phase, view.match.on_turn) == (Phase.TAKE_OR_PASS, WHITE), "Alice is asked"


def test_a_double_follows_the_opponents_dance_at_once_and_only_once(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1))
    alice, _ = ids(view)
    five = {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 8: 2, 9: 2, 10: 1}
    view = stage(store, view, WHITE, position(five, {0: 1, 19: 14}), dice=(2, 1))
    orders.order_for_match(store, view, alice, Chosen(double_on_dance=True, auto_roll=True))
    view = load(store, view.id)
    view = act(store, view, WHITE, "play", now, chance, play="10/8 9/8").view
    chance.script = [(6, 5), (3, 2)]
    view = act(store, view, BLACK, "roll", now, chance).view
    assert lately(store, view, 3) == [
        ("roll", "black", "api", None),
        ("play", "black", "auto", None),
        ("double", "white", "auto", "double_on_dance"),
    ]
    assert view.match.phase is Phase.TAKE_OR_PASS
    assert orders.for_match(store, view, alice) == Chosen(auto_roll=True)


def test_a_shut_out_player_who_wants_to_be_asked_is_asked_and_loses_no_time_by_it(
    store: Store, now: datetime
) -> None:
    view, chance = begin(store, now, (3, 1), time="move-a-day")
    _, bob = ids(view)
    orders.order_for_all(store, bob, Chosen(shut_out=False))
    seen = position({**SHUT, 8: 2, 9: 1}, {0: 1, 19: 14})
    view = stage(store, view, WHITE, seen, dice=(2, 1))
    view = act(store, view, WHITE, "play", now, chance, play="9/8 8/6").view
    assert (view.match.on_turn, view.match.phase) == (BLACK, Phase.ROLL_OR_DOUBLE)
    late = now + 30 * DAY
    assert sweep_some(store, late, chance)
    view = load(store, view.id)
    assert view.match.phase is not Phase.OVER
    assert [entry[:3] for entry in lately(store, view, 2)] == [
        ("roll", "black", "auto"),
        ("play", "black", "auto"),
    ]
    assert view.match.on_turn is WHITE


def race(
    store: Store, now: datetime, *, off: int = 1, rival: Mapping[int, int] = MappingProxyType({24: 8, 22: 5})
) -> tuple[MatchView, ScriptedChance]:
    """Alice rolls, both sides bear off; `off` of Alice's checkers are off already. The cube is dead."""
    view, chance = begin(store, now, (3, 1), length=1)
    own = {1: 2, 2: 2, 6: 2, 5: 1}
    left = {6: 15 - off - sum(own.values())} if off < 8 else {}
    counts = {**own, 6: own[6] + left.get(6, 0)}
    return stage(store, view, WHITE, position(counts, dict(rival))), chance


def test_a_bear_off_that_cant_be_worse_is_played_and_named(store: Store, now: datetime) -> None:
    view, chance = race(store, now, off=8)
    alice, _ = ids(view)
    orders.order_for_match(store, view, alice, Chosen(bear_off=True))
    chance.script = [(6, 5), (6, 6)]
    view = act(store, load(store, view.id), WHITE, "roll", now, chance).view
    found = matches.log(store, view.id)
    own = [one for one in found if one.kind == "play" and one.data.get("by")]
    assert (own[0].data["play"], own[0].data["by"], own[0].via) == ("6/off 5/off", "bear_off", "auto")


def test_nothing_is_borne_off_by_itself_while_a_gammon_can_be_lost(store: Store, now: datetime) -> None:
    view, chance = race(store, now, off=0, rival={24: 5, 22: 3})
    alice, _ = ids(view)
    orders.order_for_match(store, view, alice, Chosen(bear_off=True))
    chance.script = [(6, 5)]
    view = act(store, load(store, view.id), WHITE, "roll", now, chance).view
    assert (view.match.on_turn, view.match.phase) == (WHITE, Phase.PLAY)


def test_after_so_many_turns_a_day_the_server_asks_until_tomorrow(store: Store, now: datetime) -> None:
    view, chance = race(store, now, off=8)
    alice, _ = ids(view)
    orders.order_for_match(store, view, alice, Chosen(bear_off=True, most_a_day=1))
    chance.script = [(6, 5), (2, 1), (2, 1), (2, 1), (6, 5)]
    view = act(store, load(store, view.id), WHITE, "roll", now, chance).view
    view = act(store, view, BLACK, "play", now, chance, play=_first(view)).view
    assert (view.match.on_turn, view.match.phase) == (WHITE, Phase.PLAY), "one turn was played already today"
    view = act(store, view, WHITE, "play", now, chance, play="2/off 1/off").view
    view = act(store, view, BLACK, "play", now + DAY, chance, play=_first(view)).view
    assert any(entry[3] == "bear_off" for entry in lately(store, view, 4)), "another day, another turn"


def _first(view: MatchView) -> str:
    return str(state(view, view.match.turn, view.moved_at)["legal"][0]["play"])


def test_orders_leave_no_trace_before_they_are_obeyed(store: Store, now: datetime) -> None:
    view, _ = bob_on_turn(store, now)
    alice, bob = ids(view)
    seen = state(view, BLACK, now), matches.log(store, view.id), matches.pulse(store, view.id, with_chat=True)
    orders.order_for_match(
        store, view, alice, Chosen(auto_roll=True, answer="pass", double_on_dance=True, most_a_day=3)
    )
    after = load(store, view.id)
    now_seen = (
        state(after, BLACK, now),
        matches.log(store, view.id),
        matches.pulse(store, view.id, with_chat=True),
    )
    assert now_seen == seen
    assert (after.version, after.moved_at, after.due_at) == (view.version, view.moved_at, view.due_at)
    assert orders.for_match(store, after, bob) == NOTHING


def test_what_was_ordered_stays_in_the_log_and_the_log_stays_sound(store: Store, now: datetime) -> None:
    view, chance = bob_on_turn(store, now, (6, 4))
    alice, _ = ids(view)
    orders.order_for_match(store, view, alice, Chosen(answer="take", auto_roll=True))
    view = act(store, load(store, view.id), BLACK, "double", now, chance).view
    log = matches.log(store, view.id)
    check_chain(log)
    assert replay(log) == view.match
    assert not verify(log).faults
    assert list(audit(store, Tally())) == []


def test_bad_orders_and_orders_of_others_change_nothing(store: Store, now: datetime) -> None:
    view, chance = bob_on_turn(store, now)
    alice, bob = ids(view)
    for most in (-1, 101):
        with pytest.raises(Refused, match="most_a_day"):
            orders.order_for_all(store, alice, Chosen(most_a_day=most))
    with pytest.raises(Refused, match="order_answer"):
        orders.order_for_match(store, view, alice, Chosen(answer="beaver"))
    with pytest.raises(Forbidden):
        orders.order_for_match(store, view, bob + 1, Chosen(auto_roll=True))
    assert not load(store, view.id).has_orders
    view = act(store, view, WHITE, Kind.RESIGN_MATCH, now, chance).view
    with pytest.raises(Refused, match="match_over"):
        orders.order_for_match(store, view, alice, Chosen(auto_roll=True))


def test_a_closed_account_leaves_no_orders(store: Store, now: datetime) -> None:
    view, chance = bob_on_turn(store, now)
    alice, _ = ids(view)
    orders.order_for_all(store, alice, Chosen(auto_roll=True))
    orders.order_for_match(store, view, alice, Chosen(answer="take"))
    departures.close(store, alice, now, chance)
    assert orders.for_all(store, alice) == NOTHING
    assert orders.for_match(store, load(store, view.id), alice) == NOTHING
    orders.order_for_all(store, alice, Chosen(auto_roll=True))
    assert orders.for_all(store, alice) == NOTHING, "nobody orders for an account that is closed"
