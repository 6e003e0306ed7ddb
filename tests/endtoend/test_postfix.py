"""A real mail server between us and the reader: Postfix, as Debian has it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import func, select

from bgmail.dice import FairChance
from bgmail.factory import create_app
from bgmail.notify.mail import hang_up
from bgmail.rules.match import legal
from bgmail.scheduler import run_pass
from bgmail.service import invitations, turns
from bgmail.service.terms import Handle, Terms
from bgmail.service.turns import Request
from bgmail.service.views import MatchView
from bgmail.settings import Settings
from bgmail.store.engine import Store
from bgmail.store.notices import OPEN, notice
from bgmail.world import World
from tests.fixtures.mail_sink import Taken, sink
from tests.fixtures.patience import until
from tests.fixtures.postfix import Postfix
from tests.service.matchmaking import settle

pytestmark = [pytest.mark.slow, pytest.mark.smtp, pytest.mark.postfix]

START = datetime.now(UTC)
AWAY = timedelta(hours=36)
MATCHES = 4
PATIENCE = 60.0


@pytest.fixture
def readers(tmp_path: Path) -> Iterator[Taken]:
    """Where the mail of all players arrives in the end."""
    with sink(tmp_path / "taken") as taken:
        yield taken


@pytest.fixture
def server(readers: Taken, postfix_path: Path, postfix_folder: Path) -> Iterator[Postfix]:
    """A mail server that takes our letters to them."""
    postfix = Postfix(postfix_path, postfix_folder, {"play.example": f"smtp:[127.0.0.1]:{readers.port}"})
    postfix.start()
    yield postfix
    if postfix.listens():
        postfix.stop()


@pytest.fixture
def club(server: Postfix, tmp_path: Path) -> Iterator[Flask]:
    settings = Settings(
        instance=tmp_path,
        database_url=f"sqlite:///{tmp_path}/bgmail.db",
        mail_server="127.0.0.1",
        mail_port=server.port,
        mail_default_sender="bgmail <letters@club.example>",
    )
    app = create_app(settings)
    with app.app_context():
        yield app
    app.extensions["bgmail"].store.close()


def pass_at(club: Flask, at: datetime) -> list[str]:
    """What a scheduler that has just started does at an instant."""
    club.extensions.pop("bgmail_letterbox", None)
    done = run_pass(club.extensions["bgmail"].at(at))
    hang_up()
    return done


def turn(store: Store, match: MatchView, at: datetime) -> MatchView:
    """A whole turn, whatever the dice: whoever is on turn rolls, and plays the first of the legal plays if any is."""
    side = match.match.turn
    while match.match.turn is side:
        plays = legal(match.match) if match.match.dice else ()
        wish = Request("play", match.version, play=str(plays[0])) if plays else Request("roll", match.version)
        match = turns.act(store, match.id, side, wish, at, FairChance()).view
    return match


def arrived(readers: Taken, count: int) -> list[tuple[str, str]]:
    """The mails, once as many have come as must."""
    end = time.monotonic() + PATIENCE
    while len(readers.mails()) < count and time.monotonic() < end:
        time.sleep(0.05)
    return readers.mails()


def owed(store: Store) -> int:
    with store.read() as connection:
        return connection.scalar(select(func.count()).where(notice.c.state.in_(OPEN))) or 0


def test_after_a_day_and_a_half_without_a_server_each_match_is_one_letter(
    club: Flask, server: Postfix, readers: Taken
) -> None:
    world: World = club.extensions["bgmail"]
    alice, bob, _ = settle(world.store, START)
    offers = [
        invitations.invite(world.store, alice, Terms(7), Handle("bob"), "", START, FairChance())
        for _ in range(MATCHES)
    ]
    pass_at(club, START)
    before = len(arrived(readers, MATCHES))
    assert before == MATCHES, server.log
    until(lambda: not server.has_mail(), lambda: server.log)  # one in its hands would be sent once more
    server.stop()
    matches = [invitations.accept(world.store, one.id, bob, START, FairChance()) for one in offers]
    for hour in range(1, 36, 5):
        at = START + timedelta(hours=hour)
        assert not any("sent" in line for line in pass_at(club, at))
        matches = [turn(world.store, match, at) for match in matches]
    assert owed(world.store)
    server.start()
    for hours in range(3):
        pass_at(club, START + AWAY + timedelta(hours=hours))
    assert owed(world.store) == 0
    after = arrived(readers, before + len(matches))[before:]
    assert len(after) == len(matches), server.log
    assert len({own_id for own_id, _ in after}) == len(matches)
    told = sorted(recipient for _, recipient in after)
    on_turn = sorted(
        f"{person.handle}@play.example" for match in matches if (person := match.person(match.match.turn))
    )
    assert told == on_turn
