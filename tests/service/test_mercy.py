"""A day more for the opponent, and a friendly match without a clock: given, limited, told, and told once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from sqlalchemy import select

from bgmail.rules.side import Side
from bgmail.service import mercy, turns
from bgmail.service.deadlines import sweep_some
from bgmail.service.errors import Refused, Stale
from bgmail.store.engine import Store
from bgmail.store.matches import table
from bgmail.store.tables import NoticeRow
from tests.service.matchmaking import act, begin
from tests.service.test_standstills import A_DAY, sound

WHITE, BLACK = Side.WHITE, Side.BLACK
DAY, HOUR = timedelta(days=1), timedelta(hours=1)


@pytest.fixture
def store(sqlite_schema_url: str) -> Iterator[Store]:
    opened = Store(sqlite_schema_url)
    yield opened
    opened.close()


def owed(store: Store, kind: str) -> list[int]:
    rows = table(NoticeRow)
    with store.read() as connection:
        found = select(rows.c.account_id).where(rows.c.kind == kind).order_by(rows.c.id)
        return list(connection.scalars(found))


def test_a_day_is_given_for_this_turn_and_counts_once_a_key(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1), (6, 5), time=A_DAY)
    assert mercy.options(view, BLACK) == ["give_day"]
    assert mercy.options(view, WHITE) == []
    given = act(store, view, BLACK, "give_day", now + HOUR, chance, key="kind")
    again = act(store, view, BLACK, "give_day", now + 2 * HOUR, chance, key="kind")
    assert (given.repeated, again.repeated) == (False, True)
    assert again.view.deadline_at == now + 2 * DAY
    assert (again.view.version, again.view.moved_at) == (view.version, view.moved_at)
    assert view.white is not None
    assert owed(store, "day_given") == [view.white.id]
    played = act(store, view, WHITE, "play", now + 40 * HOUR, chance, play="8/5 6/5").view
    assert played.deadline_at == now + 40 * HOUR + DAY
    assert mercy.days_given(played, WHITE) == 0
    sound(store)


def test_three_days_a_turn_are_the_most(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1), time=A_DAY)
    for _ in range(3):
        view = act(store, view, BLACK, "give_day", now, chance).view
    assert view.deadline_at == now + 4 * DAY
    with pytest.raises(Refused) as caught:
        act(store, view, BLACK, "give_day", now, chance)
    assert caught.value.code == "day_limit"
    assert sweep_some(store, now + 4 * DAY, chance) == [f"timeout {view.id}"]
    sound(store)


@pytest.mark.parametrize(
    ("side", "action", "terms", "code"),
    [
        (WHITE, "give_day", {}, "day_own_turn"),
        (BLACK, "give_day", {"time": "live-8-10"}, "day_live"),
        (BLACK, "give_day", {"time": "untimed"}, "no_clock"),
        (BLACK, "offer_untimed", {}, "untimed_rated"),
        (BLACK, "accept_untimed", {"rated": False}, "untimed_no_offer"),
        (BLACK, "decline_untimed", {"rated": False}, "untimed_no_offer"),
        (BLACK, "offer_untimed", {"time": "untimed", "rated": False}, "no_clock"),
    ],
)
def test_what_can_not_be_given_is_refused(
    store: Store, now: datetime, side: Side, action: str, terms: dict[str, object], code: str
) -> None:
    view, chance = begin(store, now, (3, 1), **terms)
    with pytest.raises(Refused) as caught:
        act(store, view, side, action, now, chance)
    assert caught.value.code == code
    assert turns.load(store, view.id) == view


def test_when_time_is_over_nobody_can_give_a_day_any_more(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1), time=A_DAY)
    with pytest.raises(Stale):
        act(store, view, BLACK, "give_day", now + DAY, chance)


def test_both_agree_to_play_without_a_clock(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1), (6, 5), time=A_DAY, rated=False)
    offered = act(store, view, BLACK, "offer_untimed", now + HOUR, chance).view
    assert mercy.options(offered, WHITE) == ["accept_untimed", "decline_untimed"]
    assert mercy.options(offered, BLACK) == ["give_day", "decline_untimed"]
    agreed = act(store, offered, WHITE, "accept_untimed", now + 2 * HOUR, chance).view
    assert (agreed.deadline_at, agreed.due_at, agreed.clock.control.untimed) == (None, None, True)
    assert sweep_some(store, now + 400 * DAY, chance) == []
    act(store, agreed, WHITE, "play", now + 400 * DAY, chance, play="8/5 6/5")
    assert view.white is not None
    assert view.black is not None
    assert owed(store, "untimed") == [view.white.id, view.black.id]
    sound(store)


def test_who_was_declined_can_not_ask_again_and_an_offer_can_be_taken_back(
    store: Store, now: datetime
) -> None:
    view, chance = begin(store, now, (3, 1), time=A_DAY, rated=False)
    view = act(store, view, BLACK, "offer_untimed", now, chance).view
    view = act(store, view, BLACK, "decline_untimed", now, chance).view
    view = act(store, view, BLACK, "offer_untimed", now, chance).view
    view = act(store, view, WHITE, "decline_untimed", now, chance).view
    assert mercy.why_not(view, BLACK, "offer_untimed") == "untimed_declined"
    assert "offer_untimed" in mercy.options(view, WHITE)
    sound(store)
