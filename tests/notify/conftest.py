"""The whole app with a clock the test turns, real SMTP to a sink, and people who play."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from flask import Flask

from bgmail.devmail import Mail, Sink
from bgmail.notify.digests import gather_one
from bgmail.notify.errands import deliver_some
from bgmail.notify.mail import letterbox
from bgmail.settings import Settings
from bgmail.world import World
from tests.fixtures.apps import OpenApp

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
BASE = "https://club.example"


class Clock:
    """Time stands still until the test moves it."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def pass_(self, **span: float) -> datetime:
        self.now += timedelta(**span)
        return self.now


class Post:
    """The app with its outbox and the sink that its letters arrive at."""

    def __init__(self, app: Flask, clock: Clock, sink: Sink) -> None:
        self.app, self.clock, self.sink = app, clock, sink
        self.world: World = app.extensions["bgmail"]
        self.store = self.world.store

    def deliver(self) -> list[str]:
        """Sends all that is due now; what was done, in order."""
        done: list[str] = []
        with self.app.app_context():
            while (what := gather_one(self.store, self.clock.now)) is not None:
                done.append(what)
            while some := deliver_some(self.world, self.clock.now):
                done.extend(some)
        return done

    def hang_up(self) -> None:
        with self.app.app_context():
            letterbox(self.world).close()

    def mails(self, to: str = "") -> list[Mail]:
        """The letters that arrived for an address, oldest first."""
        box = self.sink.mailbox
        found = [mail for number in reversed(box.numbers()) if (mail := box.read(number))]
        return [mail for mail in found if mail.recipients == to or not to]

    def last(self, to: str) -> Mail:
        return self.mails(to)[-1]


def settings_for(tmp_path: Path, url: str, port: int) -> Settings:
    return Settings(
        instance=tmp_path / "instance",
        database_url=url,
        secret_key="a key for tests that nobody else has",
        base_url=BASE,
        mail_server="127.0.0.1",
        mail_port=port,
        mail_default_sender="bgmail <letters@club.example>",
    )


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sink(tmp_path: Path) -> Iterator[Sink]:
    started = Sink.start(tmp_path / "mail")
    yield started
    started.stop()


def open_post(open_app: OpenApp, tmp_path: Path, url: str, clock: Clock, sink: Sink) -> Iterator[Post]:
    post = Post(open_app(settings_for(tmp_path, url, sink.port), clock=clock), clock, sink)
    yield post
    post.hang_up()
    post.store.close()


@pytest.fixture
def post(
    open_app: OpenApp, tmp_path: Path, sqlite_schema_url: str, clock: Clock, sink: Sink
) -> Iterator[Post]:
    """On SQLite."""
    yield from open_post(open_app, tmp_path, sqlite_schema_url, clock, sink)


@pytest.fixture
def both(open_app: OpenApp, tmp_path: Path, schema_url: str, clock: Clock, sink: Sink) -> Iterator[Post]:
    """Once on SQLite, once on PostgreSQL."""
    yield from open_post(open_app, tmp_path, schema_url, clock, sink)
