"""Four web workers, two schedulers and two mail workers on one database: each fact is told once.

Where some of them are killed again and again, none is lost, and what comes twice is the same message.
`NOTICES=10000` takes more of them than CI does.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
from sqlalchemy import func, select

from bgmail.notify.errands import CLAIM
from bgmail.notify.message import message_id
from bgmail.notify.occasion import notice_of
from bgmail.service import accounts
from bgmail.store.engine import Store
from bgmail.store.notices import OPEN, delivery, notice
from tests.endtoend import hand
from tests.fixtures.forks import FORKS
from tests.fixtures.mail_sink import Taken, sink

pytestmark = [pytest.mark.slow, pytest.mark.smtp]

NOTICES = int(os.environ.get("NOTICES", "160"))
HOSTS = ["alice", "charlie", "dana", "stella"]
SENDERS = ["scheduler", "scheduler", "mail", "mail"]
KILLS = 6
PATIENCE = 120.0 + NOTICES / 2  # seconds for all of them, on a machine that does much else besides
FIRST_SEED, DOMAIN = 20261130, "localhost"


class Crew:
    """The processes of an installation."""

    def __init__(self, url: str, folder: Path, taken: Taken) -> None:
        self.url, self.log, self.taken = url, folder / "crew.log", taken
        self.log.touch()
        self.ahead = 0
        self.all: list[tuple[list[str], BaseProcess]] = []

    def start(self, role: str, *words: str) -> None:
        command = (self.log, self.url, self.taken.port, self.ahead, role, *words)
        process = FORKS.Process(target=hand.work, args=command)
        process.start()
        self.all.append(([role, *words], process))

    def kill(self, number: int) -> None:
        """Kills one at once and starts it anew, at a time when what it had claimed is anybody's."""
        words, process = self.all.pop(number)
        end(process)
        self.ahead += round(CLAIM.total_seconds()) + 60
        self.start(*words)

    def makers_are_done(self) -> bool:
        codes = [process.exitcode for words, process in self.all if words[0] == "web"]
        assert not any(codes), self.said
        return None not in codes

    @property
    def senders_live(self) -> bool:
        return all(process.is_alive() for words, process in self.all if words[0] != "web")

    @property
    def said(self) -> str:
        return self.log.read_text()

    def end(self) -> None:
        for _, process in self.all:
            end(process)


def end(process: BaseProcess) -> None:
    """Kills a process as a lost machine would."""
    process.kill()
    process.join()


@pytest.fixture
def store(schema_url: str) -> Iterator[Store]:
    opened = Store(schema_url)
    yield opened
    opened.close()


@pytest.fixture
def crew(store: Store, schema_url: str, tmp_path: Path) -> Iterator[Crew]:
    """All at work, with an even share of the facts for each web worker."""
    for name in ("bob", *HOSTS):
        accounts.create(store, name, f"{name}@club.example", None, datetime.now(UTC))
    with sink(tmp_path / "taken") as taken:
        crew = Crew(schema_url, tmp_path, taken)
        for role in SENDERS:
            crew.start(role)
        for host in HOSTS:
            crew.start("web", host, str(NOTICES // len(HOSTS)))
        yield crew
        crew.end()


def until(crew: Crew, holds: Callable[[], bool]) -> None:
    """Waits until something holds, as long as is fair."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if holds():
            return
        time.sleep(0.1)
    raise AssertionError(f"not done in time; they said:\n{crew.said[-5000:]}")


def owed(store: Store) -> int:
    with store.read() as connection:
        return connection.scalar(select(func.count()).where(notice.c.state.in_(OPEN))) or 0


def facts(store: Store) -> set[str]:
    """The Message-IDs of all facts that there are."""
    with store.read() as connection:
        return {message_id(notice_of(row), DOMAIN) for row in connection.execute(select(notice))}


def outcomes(store: Store) -> dict[str | None, int]:
    with store.read() as connection:
        rows = connection.execute(select(delivery.c.outcome, func.count()).group_by(delivery.c.outcome))
        return {row[0]: row[1] for row in rows}


def test_each_of_thousands_is_told_exactly_once(store: Store, crew: Crew) -> None:
    until(crew, lambda: crew.makers_are_done() and not owed(store))
    assert crew.senders_live, crew.said
    told = crew.taken.times()
    assert len(told) == NOTICES
    assert set(told.values()) == {1}, "somebody was told twice"
    assert set(told) == facts(store)
    assert outcomes(store) == {"sent": NOTICES}
    assert "Traceback" not in crew.said


def test_killed_at_any_moment_they_lose_nothing_and_repeat_under_the_same_name(
    store: Store, crew: Crew
) -> None:
    chance = random.Random(FIRST_SEED)
    for step in range(1, KILLS + 1):
        until(crew, lambda step=step: len(crew.taken.mails()) >= NOTICES * step // (KILLS + 2))  # type: ignore[misc]
        crew.kill(chance.randrange(len(crew.all)))
    until(crew, lambda: crew.makers_are_done() and not owed(store))
    mails = crew.taken.mails()
    assert {own_id for own_id, _ in mails} == facts(store)
    assert len(facts(store)) == NOTICES
    assert {recipient for _, recipient in mails} == {"bob@club.example"}
    assert max(crew.taken.times().values()) <= 1 + KILLS, "only a death sends anything again"
