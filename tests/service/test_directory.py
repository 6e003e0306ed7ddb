"""People are found by how their handle begins, and matches by who plays and how long."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest

from bgmail.dice import FairChance
from bgmail.rules.side import Side
from bgmail.service import accounts, directory, invitations
from bgmail.service.errors import Refused
from bgmail.service.terms import Handle, Open, Terms
from bgmail.service.turns import Request, act, load
from bgmail.store.engine import Store
from tests.service.matchmaking import settle

CHANCE = FairChance()


def found(store: Store, typed: str) -> list[str]:
    return [one.handle for one in directory.search(store, typed)]


def test_people_are_found_by_the_beginning_of_their_handle_and_by_what_looks_like_it(
    store: Store, now: datetime
) -> None:
    for name in ("Arnold", "Ar_thur", "Alice", "Bob", "Olga", "Ольга"):
        accounts.create(store, name, f"{name.lower()}@play.example" if name.isascii() else None, None, now)
    assert found(store, "ar") == ["Arnold", "Ar_thur"]
    assert found(store, "ARN") == ["Arnold"]
    assert found(store, "a1i") == ["Alice"]
    assert found(store, "0L") == ["Olga"]
    assert found(store, "оль") == ["Ольга"]
    assert found(store, "lice") == []
    assert found(store, "%") == found(store, "a%") == found(store, "") == found(store, "  ") == []
    assert found(store, "ar-") == ["Ar_thur"]


def test_nobody_is_found_by_an_address_nor_once_they_have_gone(store: Store, now: datetime) -> None:
    alice, _, _ = settle(store, now)
    with pytest.raises(Refused, match="search_address"):
        directory.search(store, "alice@play.example")
    assert found(store, "alice") == ["alice"]
    accounts.ban(store, alice, now)
    assert found(store, "alice") == []


def test_at_most_one_more_than_is_shown_is_fetched(store: Store, now: datetime) -> None:
    for number in range(30):
        accounts.create(store, f"player-{number}", None, None, now)
    assert len(found(store, "play")) == directory.MOST_FOUND + 1


def test_matches_to_watch_come_newest_move_first_in_pages_and_invitations_never(
    store: Store, now: datetime
) -> None:
    alice, bob, charlie = settle(store, now)
    made: list[str] = []
    for number, (white, black) in enumerate(
        [(alice, "bob"), (bob, "charlie"), (charlie, "alice"), (alice, "bob")]
    ):
        at = now + timedelta(minutes=number // 2)  # two pairs that moved at one moment
        view = invitations.invite(store, white, Terms((3, 7)[number % 2]), Handle(black), "", at, CHANCE)
        invitations.accept(store, view.id, accounts.by_handle(store, black).id, at, CHANCE)
        made.append(view.id)
    invitations.invite(store, alice, Terms(3), Open(), "", now, CHANCE)
    every = directory.watch(store, "running")
    assert {view.id for view in every[:2]} == set(made[2:])
    assert {view.id for view in every[2:]} == set(made[:2])
    page = directory.watch(store, "running", limit=3)
    rest = directory.watch(store, "running", after=(page[-1].moved_at, page[-1].id))
    assert [view.id for view in page + rest] == [view.id for view in every]
    assert {view.id for view in directory.watch(store, "running", player_id=charlie)} == set(made[1:3])
    assert {view.id for view in directory.watch(store, "running", length=7)} == {made[1], made[3]}
    version = load(store, made[0]).version
    act(store, made[0], Side.WHITE, Request("resign_match", version), now, CHANCE)
    assert [view.id for view in directory.watch(store, "finished")] == [made[0]]
    assert {view.id for view in directory.running_of(store, [charlie])} == set(made[1:3])
    assert directory.running_of(store, []) == []


@pytest.mark.parametrize("which", directory.LISTS)
@pytest.mark.parametrize("length", [None, 7])
def test_the_list_reads_its_index_in_order_whatever_exists(
    sqlite_schema_url: str, which: str, length: int | None
) -> None:
    store = Store(sqlite_schema_url)
    with store.read() as connection:
        driver = connection.connection.driver_connection
    assert driver
    ran: list[str] = []
    driver.set_trace_callback(ran.append)
    directory.watch(store, which, length=length)
    driver.set_trace_callback(None)
    (query,) = (statement for statement in ran if statement.startswith("SELECT"))
    with store.read() as connection:
        plans = [str(row) for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}")]
    store.close()
    index = f"ix_match_{which}{'_length' if length else ''}"
    assert any(index in re.findall(r"\w+", plan) for plan in plans), plans
    assert not any("TEMP B-TREE" in plan for plan in plans), plans
