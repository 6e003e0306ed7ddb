"""One process of an installation with many of them, as the target of a process that is forked.

Its role is "web" (with a host and a count: makes facts, as a web worker does for a busy person), "mail" (delivers), or
"scheduler" (every job). Its clock is some seconds ahead of this machine's, and what it says stands in a log.
"""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import func, select

from bgmail.dice import FairChance
from bgmail.factory import create_app
from bgmail.scheduler import JOBS
from bgmail.service import accounts, invitations
from bgmail.service.terms import Handle, Terms
from bgmail.settings import Settings
from bgmail.store.matches import match
from bgmail.world import World

EVERY_JOB = frozenset(job.name for job in JOBS)
IDLE = 0.02  # seconds without work before it looks again


def web(world: World, host: str, count: int) -> None:
    """Invites Bob until as many matches are offered; goes on where one that died has stopped."""
    mine = accounts.by_handle(world.store, host).id
    for _ in range(count - offered(world, mine)):
        invitations.invite(world.store, mine, Terms(3), Handle("bob"), "", world.now(), FairChance())


def offered(world: World, host: int) -> int:
    """How many matches somebody has offered."""
    with world.store.read() as connection:
        return connection.scalar(select(func.count()).where(match.c.white_id == host)) or 0


def look_after(world: World, names: frozenset[str]) -> None:
    """Does some jobs for ever."""
    jobs = [job for job in JOBS if job.name in names]
    while True:
        if not any(job.step(world, world.now()) for job in jobs):
            time.sleep(IDLE)


def work(log: Path, url: str, port: int, ahead: int, role: str, *rest: str) -> None:
    """Does what the role asks for."""
    with log.open("ab") as said:
        os.dup2(said.fileno(), 1)
        os.dup2(said.fileno(), 2)
    settings = Settings(instance=log.parent, database_url=url, mail_server="127.0.0.1", mail_port=port)
    later = timedelta(seconds=ahead)
    app = create_app(settings, clock=lambda: datetime.now(UTC) + later)
    with app.app_context():
        world: World = app.extensions["bgmail"]
        if role == "web":
            web(world, rest[0], int(rest[1]))
            world.store.close()
        else:
            look_after(world, frozenset({"deliver"}) if role == "mail" else EVERY_JOB)
