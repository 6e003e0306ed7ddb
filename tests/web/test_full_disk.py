"""A disk without room: what has to be stored is refused with a sentence, and goes on once there is room again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from flask import Flask
from sqlalchemy import func, select

from bgmail.ledger import check_chain
from bgmail.rules.match import Phase, legal
from bgmail.rules.side import Side
from bgmail.service import logins, matches, turns
from bgmail.service.deadlines import sweep_some
from bgmail.service.errors import StorageTrouble
from bgmail.service.outages import alive
from bgmail.store import people
from bgmail.store.engine import Store
from bgmail.store.matches import table as rows_of
from bgmail.store.tables import NoticeRow
from tests.web.conftest import Auth, Clock, Visitor
from tests.web.table import Table
from tests.web.test_feeds import addresses

SENTENCE = "The server can't store anything right now. Nothing was changed."


@contextmanager
def no_more_room(store: Store) -> Iterator[None]:
    """The database may not grow by a page, as on a disk that is full."""
    with store.read() as connection:
        most = connection.exec_driver_sql("PRAGMA max_page_count").scalar()
        connection.exec_driver_sql("PRAGMA max_page_count=1")
    yield
    with store.read() as connection:
        connection.exec_driver_sql(f"PRAGMA max_page_count={most}")


def fill(table: Table) -> None:
    """Plays on until a play or a roll doesn't fit any more."""
    for _ in range(500):
        side, wish = next_wish(table)
        try:
            table.act(side, **wish)
        except StorageTrouble:
            return
    raise AssertionError("it never becomes full")


def next_wish(table: Table) -> tuple[Side, dict[str, str]]:
    match = table.now().match
    assert match.on_turn is not None
    if match.phase is Phase.PLAY:
        return match.on_turn, {"action": "play", "play": str(legal(match)[0])}
    return match.on_turn, {"action": "roll"}


def owed_by(store: Store) -> int:
    """How many notices there are."""
    with store.read() as connection:
        return connection.scalar(select(func.count()).select_from(rows_of(NoticeRow))) or 0


def test_on_a_full_disk_nothing_is_half_done_nobody_loses_and_it_goes_on_by_itself(
    app: Flask, clock: Clock
) -> None:
    table = Table(app, (3, 1), length=25)
    store = table.world.store
    with no_more_room(store):
        fill(table)
        before, owed = table.now(), owed_by(store)
        side, wish = next_wish(table)
        visitor = table.alice if side is Side.WHITE else table.bob
        visitor.open(table.path)
        wish["version"] = str(before.version)
        answer = visitor.post(f"{table.path}/act", wish)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        assert SENTENCE in visitor.text
        link = table.link(side)
        table.stranger.open(link)
        assert table.stranger.post(link, wish).status_code == 503
        assert SENTENCE in table.stranger.text
        clock.move(days=10)
        assert sweep_some(store, clock(), table.world.chance) == [f"failed {before.id}"]
        assert table.now().match == before.match
        assert owed_by(store) == owed, "and nobody is told of anything"
        check_chain(matches.log(store, before.id))
    clock.move(days=-10)
    table.act(side, **next_wish(table)[1])
    assert turns.load(store, before.id).version > before.version


class NoDatabase:
    """Raises what a lost server or a disk without room raises."""

    def __call__(self, *_: object) -> object:
        raise StorageTrouble("UPDATE", {}, Exception("disk is full"))


def test_who_looks_needs_nothing_stored_and_who_acts_is_told(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sessions in use, visits and outages are noted when somebody looks: where that failed, the page failed."""
    table, program = Table(app, (3, 1)), app.test_client()
    alice = table.view.person(Side.WHITE)
    assert alice is not None
    alive(table.world.store, clock())
    table.alice.open(table.path)
    token = {
        "Authorization": f"Bearer {logins.create_token(table.world.store, alice.id, 'program', clock())}"
    }
    clock.move(days=5)
    with monkeypatch.context() as full:
        full.setattr(Store, "write", NoDatabase())
        for address in (table.path, "/", "/settings", f"{table.path}/log"):
            assert table.alice.get(address).status_code == 200, address
            assert "Sign out" in table.alice.text
        table.alice.get(table.path)
        play = {"action": "play", "play": "8/5 6/5", "version": str(table.view.version)}
        assert table.alice.post(f"{table.path}/act", play).status_code == 503
        assert SENTENCE in table.alice.text
        assert program.get("/api/v1/me", headers=token).status_code == 200
        wish = {**play, "version": table.view.version}
        told = program.post(f"/api/v1/matches/{table.view.id}/actions", headers=token, json=wish)
        assert (told.status_code, told.headers["Retry-After"], (told.json or {})["reason"]) == (
            503,
            "5",
            "busy",
        )
        table.alice.get(table.path)
    assert table.alice.post(f"{table.path}/act", play).status_code == 303
    assert table.now().match.on_turn is Side.BLACK, "the first who acts afterwards lost no time either"


def test_who_sits_at_a_live_board_sees_it_and_is_given_back_later_what_was_lost(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(app, (3, 1), rules="federation", length=5, time={"per_turn": 10, "bank": 300})
    table.alice.open(table.path)
    before = table.now()
    clock.move(seconds=70)
    with monkeypatch.context() as full:
        full.setattr(Store, "write", NoDatabase())
        table.alice.open(table.path)
        assert "Your turn: 3-1 to play" in table.alice.text
    assert table.now() == before
    table.alice.open(table.path)
    assert table.now().clock.banks[Side.WHITE] - before.clock.banks[Side.WHITE] == 30_000_000, (
        "half of the minute"
    )


@pytest.mark.parametrize("name", ["deadlines.ics", "turns.atom"])
def test_a_feed_is_read_all_the_same(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    table = Table(app, (3, 1))
    path = addresses(table.alice)[name]
    before = table.stranger.get(path)
    clock.move(minutes=11)
    monkeypatch.setattr(Store, "write", NoDatabase())
    answer = table.stranger.get(path)
    assert (before.status_code, answer.status_code, answer.mimetype) == (200, 200, before.mimetype)


def test_nobody_is_signed_out_because_the_database_could_not_be_asked(
    auth: Auth, visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    auth.person("Alice")
    auth.sign_in("Alice")
    with monkeypatch.context() as lost:
        lost.setattr(people, "by_digest", NoDatabase())
        answer = visitor.get("/settings")
    assert answer.status_code == 503
    assert SENTENCE in visitor.text
    assert "Set-Cookie" not in answer.headers
    assert visitor.get("/settings").status_code == 200


def test_the_page_that_says_so_asks_the_database_nothing(
    auth: Auth, visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    auth.person("Alice")
    auth.sign_in("Alice")
    monkeypatch.setattr(matches, "count_my_turn", NoDatabase())  # the frame of every page asks for it
    assert visitor.get("/settings").status_code == 503
    assert SENTENCE in visitor.text
