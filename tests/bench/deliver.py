"""`deliver`: notices a second from a fact that is owed to a letter that the mail server took, and a note of it.

The plain way sends the same letters: one after the other, a Flask-Mail message, a connection and a board drawn from
its SVG for each (by CairoSVG, which needs libcairo2). `NOTICES=10000 python -m tests.bench deliver` takes more of them.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

from flask import Flask, current_app
from flask_mail import Attachment, Mail, Message
from sqlalchemy import insert, select, update

from bgmail.board import picture, svg
from bgmail.board.view import BoardView
from bgmail.factory import create_app
from bgmail.notify import occasion as occasions
from bgmail.notify.errands import deliver_some
from bgmail.notify.links import links_of
from bgmail.notify.mail import hang_up
from bgmail.notify.message import message_id
from bgmail.notify.occasion import Notice
from bgmail.notify.render import letter
from bgmail.settings import Settings
from bgmail.store.engine import Store
from bgmail.store.matches import action, match
from bgmail.store.notices import OBSOLETE, READY, SENT, delivery, notice
from bgmail.world import World
from tests.bench.letter import NOW, owed
from tests.bench.measurement import Measurement
from tests.fixtures.mail_sink import Taken, sink

NOTICES = int(os.environ.get("NOTICES", "1000"))
PLAINLY = max(100, NOTICES // 5)
ROUNDS = 5
"""The ways take turns, so that what else the machine does is shared."""
WARM_UP = 20
LATER = NOW + timedelta(hours=1)
DOMAIN = "bench.example"

Rows = Sequence[dict[str, Any]]


def measure() -> Measurement:
    """Delivers all by our way, and fewer by the plain one, to the same server from the same database."""
    with tempfile.TemporaryDirectory(prefix="bgmail-bench-") as folder, sink(Path(folder) / "taken") as taken:
        app = installation(Path(folder), taken.port)
        world: World = app.extensions["bgmail"]
        with app.app_context():
            first = owed(world)
            for way in (ours, plainly):
                time_of(world, first, WARM_UP, taken, way)
            pairs = [
                (
                    time_of(world, first, NOTICES // ROUNDS, taken, ours),
                    time_of(world, first, PLAINLY // ROUNDS, taken, plainly),
                )
                for _ in range(ROUNDS)
            ]
            hang_up()
        world.store.close()
    spent, spent_plainly = (sum(times) for times in zip(*pairs, strict=True))
    what = (
        f"notices a second, planned, claimed, written with their boards, sent by SMTP and noted: {NOTICES} of them, "
        f"against {PLAINLY} with a Flask-Mail message, a connection and a board from SVG each"
    )
    return Measurement(NOTICES / spent, PLAINLY / spent_plainly, what)


def installation(folder: Path, port: int) -> Flask:
    """An app with a database of its own that mails to the sink, for us and for Flask-Mail alike."""
    settings = Settings(
        instance=folder,
        database_url=f"sqlite:///{folder}/bgmail.db",
        mail_server="127.0.0.1",
        mail_port=port,
        mail_default_sender=f"bgmail <letters@{DOMAIN}>",
    )
    app = create_app(settings)
    app.config.update(MAIL_SERVER="127.0.0.1", MAIL_PORT=port, MAIL_DEFAULT_SENDER=f"letters@{DOMAIN}")
    Mail(app)
    return app


def time_of(world: World, first: Notice, count: int, taken: Taken, deliver: Callable[[World], None]) -> float:
    """Seconds to deliver as many new notices; each of them must have arrived, once."""
    owe(world.store, first, count)
    before = len(taken.mails())
    start = time.perf_counter()
    deliver(world)
    spent = time.perf_counter() - start
    arrived = [own_id for own_id, _ in taken.mails()[before:]]
    if not len(arrived) == len(set(arrived)) == count:
        raise RuntimeError(f"{len(arrived)} letters arrived instead of {count}")
    return spent


def ours(world: World) -> None:
    """As the scheduler does it."""
    while deliver_some(world, LATER):
        pass


def plainly(world: World) -> None:
    """As one would begin: what the letter says is the same."""
    with world.store.read() as connection:
        rows = connection.execute(select(notice).where(notice.c.state == READY)).all()
    with patch.object(picture, "png", rasterised):
        for row in rows:
            send_plainly(world, occasions.notice_of(row))


def send_plainly(world: World, fact: Notice) -> None:
    """One letter by Flask-Mail as its manual shows it, and a note that it was sent."""
    with world.store.read() as connection:
        occasion = occasions.read(connection, fact)
        written = letter(connection, occasion, links_of(world), LATER, DOMAIN)
    message = Message(
        written.subject, [occasion.reader.email if occasion.reader else ""], written.text, written.html
    )
    message.msgId = message_id(fact, DOMAIN)
    headers = {"Content-ID": f"<board@{DOMAIN}>"}
    message.attachments.append(Attachment("board.png", "image/png", written.board, "inline", headers))
    current_app.extensions["mail"].send(message)
    with world.store.write() as connection:
        connection.execute(update(notice).where(notice.c.id == fact.id).values(state=SENT, due_at=None))
        connection.execute(insert(delivery), [note(fact, message.msgId)])


def rasterised(view: BoardView) -> bytes:
    """The board's picture without tiles."""
    import cairosvg

    drawn = svg.draw(view, standalone=True)
    done: bytes = cairosvg.svg2png(drawn.encode(), output_width=600)
    return done


def note(fact: Notice, own_id: str) -> dict[str, Any]:
    """What is written down of a letter that was sent."""
    return {"notice_id": fact.id, "channel": "mail", "address": "", "message_id": own_id, "started_at": LATER,
            "ended_at": LATER, "outcome": "sent", "error": ""}  # fmt: skip


def owe(store: Store, first: Notice, count: int) -> None:
    """As many new matches like that of the first notice, each with its log and the same fact; no other is owed."""
    with store.write() as connection:
        connection.execute(update(notice).where(notice.c.state == READY).values(state=OBSOLETE))
        done = len(connection.execute(select(match.c.id)).all())
        (row,) = connection.execute(select(match).where(match.c.id == first.match_id)).mappings()
        log = connection.execute(select(action).where(action.c.match_id == first.match_id)).mappings().all()
        (fact,) = connection.execute(select(notice).where(notice.c.id == first.id)).mappings()
        ids = [f"bench{number}" for number in range(done, done + count)]
        connection.execute(insert(match), [{**row, "id": one} for one in ids])
        connection.execute(insert(action), [{**entry, "match_id": one} for one in ids for entry in log])
        new = {key: value for key, value in fact.items() if key != "id"}
        connection.execute(insert(notice), [{**new, "match_id": one, "state": READY} for one in ids])


if __name__ == "__main__":
    print(measure().line("deliver"))
