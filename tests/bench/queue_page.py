"""`queue_page`: milliseconds and queries for the queue with 60 running matches, in a database of 100,000."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from sqlalchemy import Insert, insert, or_, select

from bgmail.dice import FairChance
from bgmail.factory import create_app
from bgmail.rules.match import legal
from bgmail.service import accounts, invitations, logins, turns
from bgmail.service.terms import Handle, Terms
from bgmail.service.turns import Request
from bgmail.service.views import MatchView
from bgmail.settings import Settings
from bgmail.store.engine import Store
from bgmail.store.matches import action, match, table
from bgmail.store.tables import AccountRow
from bgmail.world import World
from tests.bench.measurement import Measurement

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
MATCHES = 100_000
PEOPLE = 5_000
MINE = 60
TURNS = 12
REQUESTS = 60
WARM_UP = 5
BATCH = 5_000
LOGGED = 3
"""Entries of the matches of others, of which no list tells."""


def measure() -> Measurement:
    """Opens the queue again and again; the pattern for all matches is a real one of several turns."""
    with tempfile.TemporaryDirectory(prefix="bgmail-bench-") as folder:
        app = create_app(
            Settings(instance=Path(folder), database_url=f"sqlite:///{folder}/bgmail.db"), clock=lambda: NOW
        )
        world: World = app.extensions["bgmail"]
        alice = fill(world.store)
        logins.open_session(world.store, alice, "bench", "secret", NOW)
        client = app.test_client()
        client.set_cookie(app.config["BGMAIL_LOGIN_COOKIE"], "secret")
        queries = count_queries(world.store, client)
        times = [open_queue(client) for _ in range(WARM_UP + REQUESTS)][WARM_UP:]
        world.store.close()
    what = (
        f"CPU ms to answer GET / with {MINE} running matches, median of {REQUESTS}, {MATCHES} matches in the "
        f"database; {queries} queries"
    )
    return Measurement(statistics.median(times) * 1000, None, what, lower_is_better=True)


def open_queue(client: FlaskClient) -> float:
    """Seconds of this process for one answer, the database in it included, whatever else the machine does."""
    start = time.process_time()
    page = client.get("/").get_data(as_text=True)
    taken = time.process_time() - start
    if page.count('class="queue-board"') != MINE:
        raise RuntimeError("the queue isn't complete")
    return taken


def count_queries(store: Store, client: FlaskClient) -> int:
    """How many statements SQLite itself runs for one answer; the ends of transactions are none."""
    seen: list[str] = []
    with store.read() as connection:
        driver: Any = connection.connection.driver_connection
    driver.set_trace_callback(seen.append)
    open_queue(client)
    driver.set_trace_callback(None)
    return sum(not statement.startswith(("BEGIN", "COMMIT", "ROLLBACK")) for statement in seen)


def fill(store: Store) -> int:
    """People and matches; the account of the one who has MINE of them. By few statements: 100,000 take seconds."""
    alice, view = pattern(store)
    with store.write() as connection:
        people = [person(number) for number in range(PEOPLE)]
        connection.execute(insert(table(AccountRow)), people)
        first = connection.scalar(
            select(table(AccountRow).c.id).where(table(AccountRow).c.handle == people[0]["handle"])
        )
        row = dict(connection.execute(select(match).where(match.c.id == view.id)).mappings().one())
        for batch in batches(row, alice, int(first or 0)):
            connection.execute(insert(match), batch)
        connection.execute(logs(view, alice))
    return alice


def logs(view: MatchView, alice: int) -> Insert:
    """The statement that gives every match the end of the pattern's log, and Alice's all of it."""
    source = action.alias("source")
    copied = [match.c.id, *(column for column in source.c if column.name != "match_id")]
    query = (
        select(*copied)
        .select_from(match.join(source, source.c.match_id == view.id))
        .where(match.c.id != view.id, or_(match.c.white_id == alice, source.c.seq > view.head - LOGGED))
    )
    return insert(action).from_select([column.name for column in action.c], query)


def batches(row: dict[str, Any], alice: int, first: int) -> Iterator[list[dict[str, Any]]]:
    """Copies of a match's row: Alice's spread over all of them, every fourth of the others finished."""
    step = (MATCHES - 1) // (MINE - 1)
    made = []
    for number in range(1, MATCHES):
        hers = number % step == 0
        white = alice if hers else first + number % (PEOPLE - 1)
        over = not hers and number % 4 == 0
        made.append(copy(row, number, white, first + PEOPLE - 1 if hers else white + 1, over))
        if len(made) == BATCH:
            yield made
            made = []
    yield made


def copy(row: dict[str, Any], number: int, white: int, black: int, over: bool) -> dict[str, Any]:
    """One more match like this one, moved on by so many minutes."""
    later = timedelta(minutes=number % 1000)
    changes = {"phase": "over", "on_turn": None, "deadline_at": None, "due_at": None} if over else {}
    return row | {
        "id": f"bench{number}",
        "white_id": white,
        "black_id": black,
        "moved_at": row["moved_at"] + later,
        "deadline_at": row["deadline_at"] + later,
        **changes,
    }


def person(number: int) -> dict[str, Any]:
    """Somebody's row."""
    handle = f"player{number}"
    return {"handle": handle, "handle_key": handle, "created_at": NOW, "email": None}


def pattern(store: Store) -> tuple[int, MatchView]:
    """Alice, and a match of hers with some turns played, in which she is on turn."""
    alice, bob = (
        accounts.create(store, name, f"{name}@bench.example", None, NOW) for name in ("alice", "bob")
    )
    chance = FairChance()
    offer = invitations.invite(store, alice.id, Terms(7), Handle("bob"), "", NOW, chance)
    view = invitations.accept(store, offer.id, bob.id, NOW, chance)
    while view.match.game == 1 and (view.head < TURNS * 3 or view.match.on_turn != 0):
        view = one_step(store, view, chance)
    return alice.id, view


def one_step(store: Store, view: MatchView, chance: FairChance) -> MatchView:
    """Rolls, or plays the first of the legal plays."""
    side = view.match.turn
    plays = legal(view.match) if view.match.dice else ()
    wish = Request("play", view.version, play=str(plays[0])) if plays else Request("roll", view.version)
    return turns.act(store, view.id, side, wish, NOW, chance).view


if __name__ == "__main__":
    print(measure().line("queue_page"))
