"""Vacation as its owner takes it: what can be had, when it ends, and what is left of the year."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from bgmail.service import accounts, vacations
from bgmail.service.accounts import Account
from bgmail.service.errors import KeyReused, NotFound, Refused
from bgmail.service.vacations import Wish
from bgmail.store.engine import Store
from tests.service.matchmaking import settle

DAY, HOUR = timedelta(days=1), timedelta(hours=1)


@pytest.fixture
def alice(store: Store, now: datetime) -> Account:
    """It is Monday, 2 March 2026, 12:00 UTC."""
    settle(store, now)
    return accounts.by_handle(store, "alice")


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as caught:
        act()
    return caught.value.code


def left(store: Store, account: Account, now: datetime) -> timedelta:
    return vacations.of(store, account, now).left[0][1]


def test_without_an_end_it_lasts_for_all_the_days_of_the_year(
    store: Store, alice: Account, now: datetime
) -> None:
    taken = vacations.take(store, alice, Wish(), now)
    assert (taken.start, taken.end, taken.wished) == (now, now + 30 * DAY, None)
    assert left(store, alice, now) == timedelta(0)
    assert vacations.seen(store, alice.id, now) == taken
    assert vacations.seen(store, alice.id, now + 30 * DAY) is None
    assert refused(lambda: vacations.take(store, alice, Wish(), now + 30 * DAY)) == "vacation_used_up"


def test_ended_early_it_costs_what_was_used_and_ending_again_changes_nothing(
    store: Store, alice: Account, now: datetime
) -> None:
    taken = vacations.take(store, alice, Wish(), now)
    over = vacations.end(store, alice.id, taken.id, now + 6 * HOUR)
    assert (over.end, over.ended_at) == (now + 6 * HOUR, now + 6 * HOUR)
    assert vacations.end(store, alice.id, taken.id, now + 8 * HOUR) == over
    assert left(store, alice, now) == 30 * DAY - 6 * HOUR
    assert vacations.seen(store, alice.id, now + 6 * HOUR) is None


def test_a_new_year_has_new_days(store: Store, alice: Account) -> None:
    december = datetime(2026, 12, 20, tzinfo=UTC)
    taken = vacations.take(store, alice, Wish(), december)
    assert taken.end == datetime(2027, 1, 31, tzinfo=UTC)
    assert vacations.of(store, alice, december).left == ((2026, 18 * DAY), (2027, timedelta(0)))
    assert vacations.of(store, alice, taken.end + 365 * DAY).left[0] == (2028, 30 * DAY)


def test_one_that_is_planned_is_reserved_until_it_is_taken_back(
    store: Store, alice: Account, now: datetime
) -> None:
    plan = vacations.take(store, alice, Wish(now + 10 * DAY, now + 20 * DAY), now)
    assert vacations.of(store, alice, now).planned(now) == [plan]
    assert left(store, alice, now) == 20 * DAY
    assert vacations.take(store, alice, Wish(), now).end == now + 10 * DAY  # up to the planned one
    back = vacations.end(store, alice.id, plan.id, now + DAY)
    assert (back.start, back.end) == (plan.start, plan.start)
    assert vacations.of(store, alice, now + DAY).planned(now + DAY) == []
    assert left(store, alice, now) == 20 * DAY


def test_its_end_can_be_put_off_or_brought_forward(store: Store, alice: Account, now: datetime) -> None:
    taken = vacations.take(store, alice, Wish(until=now + 3 * DAY), now)
    later = vacations.change(store, alice, taken.id, now + 5 * DAY, now + DAY)
    assert (later.start, later.end) == (now, now + 5 * DAY)
    assert vacations.change(store, alice, taken.id, None, now + DAY).end == now + 30 * DAY
    assert vacations.change(store, alice, taken.id, now + 2 * DAY, now + DAY).end == now + 2 * DAY
    assert left(store, alice, now) == 28 * DAY
    code = refused(lambda: vacations.change(store, alice, taken.id, now + 9 * DAY, now + 2 * DAY))
    assert code == "vacation_over"


@pytest.mark.parametrize(
    ("start", "until", "code"),
    [
        (-HOUR, None, "vacation_past"),
        (367 * DAY, None, "vacation_far"),
        (DAY, DAY, "vacation_backwards"),
        (None, -HOUR, "vacation_backwards"),
        (None, 30 * DAY + HOUR, "vacation_too_long"),
        (50 * DAY, 53 * DAY, "vacation_overlaps"),
        (42 * DAY, 48 * DAY, "vacation_overlaps"),
        (45 * DAY, None, "vacation_overlaps"),
    ],
)
def test_what_can_not_be_had_is_refused_and_changes_nothing(
    store: Store,
    alice: Account,
    now: datetime,
    start: timedelta | None,
    until: timedelta | None,
    code: str,
) -> None:
    planned = {"vacation_overlaps"}
    if code in planned:
        vacations.take(store, alice, Wish(now + 45 * DAY, now + 52 * DAY), now)
    before = vacations.of(store, alice, now)
    wish = Wish(None if start is None else now + start, None if until is None else now + until)
    assert refused(lambda: vacations.take(store, alice, wish, now)) == code
    assert refused(lambda: vacations.asked_for(store, alice, wish, now)) == code
    assert vacations.of(store, alice, now) == before


def test_the_same_wish_under_one_key_is_one_vacation(store: Store, alice: Account, now: datetime) -> None:
    wish = Wish(now + DAY, now + 3 * DAY)
    first = vacations.take(store, alice, wish, now, key="summer")
    assert vacations.take(store, alice, wish, now + HOUR, key="summer") == first
    with pytest.raises(KeyReused):
        vacations.take(store, alice, Wish(now + 5 * DAY), now, key="summer")
    assert len(vacations.of(store, alice, now).all) == 1


def test_nobody_ends_or_changes_the_vacation_of_another(store: Store, alice: Account, now: datetime) -> None:
    taken = vacations.take(store, alice, Wish(), now)
    bob = accounts.by_handle(store, "bob")
    with pytest.raises(NotFound):
        vacations.end(store, bob.id, taken.id, now)
    with pytest.raises(NotFound):
        vacations.change(store, bob, taken.id, now + DAY, now)
    assert vacations.seen(store, alice.id, now) == taken


def test_it_begins_by_itself_only_for_who_wants_that(store: Store, alice: Account, now: datetime) -> None:
    assert not vacations.of(store, alice, now).automatic
    vacations.set_automatic(store, alice.id, on=True)
    assert vacations.of(store, alice, now).automatic
    vacations.set_automatic(store, alice.id, on=False)
    assert not vacations.of(store, alice, now).automatic
