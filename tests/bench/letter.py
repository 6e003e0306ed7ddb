"""`letter`: milliseconds from a fact that is owed to the bytes of its letter, board picture and style included."""

from __future__ import annotations

import statistics
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from bgmail.dice import FairChance
from bgmail.factory import create_app
from bgmail.notify import occasion as occasions
from bgmail.notify.links import links_of
from bgmail.notify.message import Envelope, compose, message_id
from bgmail.notify.render import letter
from bgmail.service import accounts, invitations
from bgmail.service.terms import Handle, Terms
from bgmail.settings import Settings
from bgmail.store import notices
from bgmail.world import World
from tests.bench.measurement import Measurement

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
LETTERS = 300
WARM_UP = 20


def measure() -> Measurement:
    """Writes the same turn letter again and again; nothing is kept from one to the next but code and tiles."""
    with tempfile.TemporaryDirectory(prefix="bgmail-bench-") as folder:
        app = create_app(Settings(instance=Path(folder), database_url=f"sqlite:///{folder}/bgmail.db"))
        world: World = app.extensions["bgmail"]
        notice = owed(world)
        with app.app_context():
            times = [write(world, notice) for _ in range(WARM_UP + LETTERS)][WARM_UP:]
        world.store.close()
    what = f"CPU ms a letter about a turn, median of {LETTERS}: facts, text, HTML, PNG, MIME"
    return Measurement(statistics.median(times) * 1000, None, what, lower_is_better=True)


def owed(world: World) -> occasions.Notice:
    """Two people in the first turn of a match, and the notice to whoever opens it."""
    alice, _ = (
        accounts.create(world.store, name, f"{name}@bench.example", None, NOW) for name in ("alice", "bob")
    )
    chance = FairChance()
    offer = invitations.invite(world.store, alice.id, Terms(7), Handle("bob"), "", NOW, chance)
    bob = accounts.by_handle(world.store, "bob").id
    view = invitations.accept(world.store, offer.id, bob, NOW, chance)
    reader = view.person(view.match.turn)
    with world.store.read() as connection:
        rows = notices.unplanned(connection, NOW, 10)
        theirs = (row for row in rows if row.kind == "your_turn" and reader and row.account_id == reader.id)
        return occasions.notice_of(next(theirs))


def write(world: World, notice: occasions.Notice) -> float:
    """Seconds of this process for one letter, whatever else the machine does."""
    start = time.process_time()
    with world.store.read() as connection:
        occasion = occasions.read(connection, notice)
        written = letter(connection, occasion, links_of(world), NOW, "bench.example")
    envelope = Envelope("bgmail <letters@bench.example>", "alice", "alice@bench.example")
    compose(written, envelope, message_id(notice, envelope.domain), NOW)
    return time.process_time() - start


if __name__ == "__main__":
    print(measure().line("letter"))
