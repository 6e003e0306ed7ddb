"""Rows of one instant come in one order, wherever the database keeps them: PostgreSQL puts a changed row behind the
others, and where nothing else is said reads them as they lie."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, insert, select, update

from bgmail import house
from bgmail.service import inbound, invitations, movements, offers, operations, rematches, vacations
from bgmail.service.accounts import by_id
from bgmail.service.bounces import Sort
from bgmail.service.notices import Kind, fact, owe
from bgmail.service.ratings.check import findings, state_of
from bgmail.service.ratings.verdicts import Reason
from bgmail.service.terms import Handle, Terms
from bgmail.service.tournaments import creating
from bgmail.service.vacations import Wish
from bgmail.store import errands, machines, profiles, ratings, tournaments
from bgmail.store import inbound as inbound_rows
from bgmail.store import vacations as vacation_rows
from bgmail.store.bounces import report
from bgmail.store.engine import Store
from bgmail.store.errands import errand
from bgmail.store.matches import match
from bgmail.store.notices import READY, delivery
from tests.service.matchmaking import ScriptedChance, settle
from tests.service.rated import CHANCE, beats, club
from tests.service.tournaments.club import ONE_POINT, ROUND_ROBIN

SEVERAL = 6
MINUTE = timedelta(minutes=1)


def offered(store: Store, inviter: int, to: str, now: datetime) -> list[str]:
    """Several offers of one instant, by their ids."""
    made = [invitations.invite(store, inviter, Terms(7), Handle(to), "", now, CHANCE) for _ in range(SEVERAL)]
    return sorted(view.id for view in made)


def begun(
    store: Store, white: int, black: int, now: datetime, count: int = SEVERAL, *, rated: bool = True
) -> list[str]:
    """Several matches that began in one instant with White on turn, by their ids."""
    made = []
    for _ in range(count):
        chance = ScriptedChance([(5, 2)])
        view = invitations.invite(
            store, white, Terms(7, rated=rated), Handle(by_id(store, black).handle), "", now, chance
        )
        made.append(invitations.accept(store, view.id, black, now, chance).id)
    return sorted(made)


def put_behind(store: Store, at: Any, key: Any, *keys: Any) -> None:
    """The rows of these keys are changed one after the other, `at` to another instant and back: they lie in this order
    behind the others, and the index of that column finds them in it."""
    with store.write() as connection:
        for one in keys:
            row = update(at.table).where(key == one)
            was = connection.scalar(select(at).where(key == one))
            connection.execute(row.values({at.name: was + MINUTE}))
            connection.execute(row.values({at.name: was}))


def asked(store: Store, ask: Callable[..., Any], *about: Any) -> Any:
    with store.read() as connection:
        return ask(connection, *about)


def test_offers_of_one_instant_are_listed_by_their_ids(store: Store, now: datetime) -> None:
    alice, bob, _ = settle(store, now)
    ids = offered(store, alice, "bob", now)
    assert [one.view.id for one in offers.sent(store, alice)] == ids[::-1]
    assert [one.view.id for one in offers.received(store, bob)] == ids[::-1]


def test_of_two_offers_to_play_again_the_first_is_taken_up(store: Store, now: datetime) -> None:
    people = club(store, now, 2)
    over = beats(store, people, "alice", "bob", now)
    made = [
        invitations.invite(
            store, people[who], Terms(7), Handle(to), "", now + nth * MINUTE, CHANCE, key=f"rematch {over} 0"
        ).id
        for nth, (who, to) in enumerate((("bob", "alice"), ("alice", "bob")), 1)
    ]
    put_behind(store, match.c.moved_at, match.c.id, made[0])
    for who in people.values():
        assert rematches.rematch(store, over, who, now + timedelta(hours=1), CHANCE).id == made[0]


def test_programs_are_told_of_matches_that_moved_in_one_instant_by_their_ids(
    store: Store, now: datetime
) -> None:
    alice, bob, _ = settle(store, now)
    ids = begun(store, alice, bob, now)
    assert [one.id for one in movements.moved_since(store, alice, now - MINUTE)] == ids


def test_reply_times_are_read_from_the_same_matches_each_time(store: Store, now: datetime) -> None:
    alice, bob, _ = settle(store, now)
    ids = begun(store, alice, bob, now, profiles.MATCHES + 3)
    found = asked(store, profiles.turns, alice, now - timedelta(days=1))
    assert list(dict.fromkeys(row.match_id for row in found)) == ids[: profiles.MATCHES]


def test_mails_of_one_instant_are_handled_as_they_came(store: Store, now: datetime) -> None:
    inbound.keep(store, b"", dict.fromkeys("abc", ""), now)
    mail = inbound_rows.inbound.c
    put_behind(store, mail.due_at, mail.token, "b", "a")
    claimed = [inbound.claim(store, now) for _ in "abc"]
    assert [one.token for one in claimed if one] == ["a", "b", "c"]


def test_digests_of_one_hour_go_out_in_the_order_in_which_they_were_planned(
    store: Store, now: datetime
) -> None:
    alice, bob, _ = settle(store, now)
    with store.write() as connection:
        owe(connection, [fact(Kind.TEST, now, account_id=one) for one in (bob, alice)])
        for notice_id in (1, 2):
            row = {"notice_id": notice_id, "channel": "digest", "target": 0, "state": READY}
            connection.execute(
                insert(errand).values(**row, attempts=0, asked=False, created_at=now, due_at=now)
            )
    put_behind(store, errand.c.due_at, errand.c.id, 1)
    assert asked(store, errands.whose_is_due, "digest", now) == bob


def test_vacations_that_end_in_one_instant_end_in_the_order_in_which_they_were_taken(
    store: Store, now: datetime
) -> None:
    until = now + timedelta(days=2)
    first, second = (
        vacations.take(store, by_id(store, one), Wish(None, until), now).id for one in settle(store, now)[:2]
    )
    ends = vacation_rows.vacation.c.until_at
    put_behind(store, ends, vacation_rows.vacation.c.id, first)
    assert asked(store, vacation_rows.over, until).id == first < second


def test_tournaments_that_wait_since_one_instant_are_looked_at_by_their_ids(
    store: Store, now: datetime
) -> None:
    alice, _, _ = settle(store, now)
    made = [
        creating.create(store, alice, creating.Draft(f"Cup {nth}", ROUND_ROBIN, ONE_POINT), now, CHANCE).id
        for nth in range(SEVERAL - 1)
    ]
    with store.write() as connection:
        tournaments.wake(connection, made, now)
    rows = tournaments.tournament.c
    put_behind(store, rows.due_at, rows.id, *sorted(made, reverse=True))
    assert asked(store, tournaments.due, now) == min(made)


def test_the_house_plays_and_answers_by_ids_what_came_in_one_instant(store: Store, now: datetime) -> None:
    alice, _, _ = settle(store, now)
    its = house.account(store, now)
    ids = offered(store, alice, its.handle, now)
    put_behind(store, match.c.created_at, match.c.id, *ids[::-1])
    assert asked(store, machines.offered, its.id, now) == ids[0]
    ids = begun(store, its.id, alice, now, rated=False)
    put_behind(store, match.c.moved_at, match.c.id, *ids[::-1])
    assert asked(store, machines.on_turn, its.id, now) == ids[0]


def test_matches_with_a_trouble_about_ratings_are_named_in_one_order(store: Store, now: datetime) -> None:
    people = club(store, now, 2)
    ids = sorted(beats(store, people, "alice", "bob", now) for _ in range(SEVERAL))
    with store.write() as connection:
        for match_id in ids[::-1]:
            ratings.fail(connection, match_id, Reason.FAILED.value)
    assert list(state_of(store).failed) == ids
    with store.write() as connection:
        connection.execute(delete(ratings.change))
    put_behind(store, match.c.moved_at, match.c.id, *ids[::-1])
    assert [match_id for match_id, _ in findings(store)] == ids


def test_what_was_tried_and_what_came_back_is_counted_in_one_order(store: Store, now: datetime) -> None:
    with store.write() as connection:
        owe(connection, [fact(Kind.TEST, now, address="a@b.example")])
        tried = {"notice_id": 1, "address": "a@b.example", "message_id": "<1@b.example>", "started_at": now}
        for nth, outcome in enumerate(("sent", "retry", "refused", "returned", "lost"), 1):
            for channel in ("webhook", "push", "mail"):
                row = {**tried, "channel": channel, "outcome": outcome, "error": ""}
                connection.execute(insert(delivery).values(**row))
            row = {"delivery_id": nth, "status": "", "said": "", "at": now}
            if nth <= len(Sort):
                connection.execute(insert(report).values(**row, sort=[*Sort][nth - 1]))
    found = operations.overview(store, now)
    assert list(found.outcomes) == sorted(found.outcomes)
    assert list(found.reports) == sorted(found.reports)
