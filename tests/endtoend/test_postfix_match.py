"""A match from the invitation to its end by replies alone, with Postfix on the way out and on the way in."""

from __future__ import annotations

import smtplib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bgmail.devmail import Mail, Mailbox, Sink
from bgmail.dice import FairChance
from bgmail.inbox.door import Door
from bgmail.rules.match import Match, Phase, legal
from bgmail.rules.score import Ending
from bgmail.service import invitations, matches
from bgmail.service.terms import Handle, Terms
from bgmail.settings import Listen
from tests.fixtures.apps import OpenApp
from tests.fixtures.postfix import Postfix
from tests.fixtures.servers import free_port
from tests.inbox.replies import DOMAIN, RELAY, Desk, address_of
from tests.notify.conftest import Clock, clock
from tests.service.matchmaking import settle

__all__ = ["clock"]

pytestmark = [pytest.mark.slow, pytest.mark.smtp, pytest.mark.postfix]

REPLIES = 24
"""So many are rolls and plays; then the one on turn gives the match up."""
PATIENCE = 60.0


@dataclass
class Way:
    """Where the club sends its letters, and where they arrive in the end."""

    port: int
    mailbox: Mailbox


class Relayed(Desk):
    """The club behind a mail server: what was sent, or answered, is on its way for a moment."""

    server: Postfix
    sent = 0

    def deliver(self) -> list[str]:
        done = super().deliver()
        self.sent += sum(line.startswith("sent") for line in done)
        self.wait(lambda: len(self.mails()) >= self.sent)
        return done

    def answer_by_mail(self, letter: Mail, words: str) -> None:
        raw = self.answer(letter, words, verdict=None)
        with smtplib.SMTP("127.0.0.1", self.server.port) as server:
            server.sendmail(letter.recipients, [address_of(letter)], raw)
        came_of_it: list[str] = []
        self.wait(lambda: bool(came_of_it.extend(self.handle()) or came_of_it))
        assert came_of_it == ["acted"]

    def wait(self, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < end, self.server.log
            time.sleep(0.02)


@pytest.fixture
def club(
    open_app: OpenApp,
    tmp_path: Path,
    sqlite_schema_url: str,
    clock: Clock,
    postfix_path: Path,
    postfix_folder: Path,
) -> Iterator[Relayed]:
    sink, own_port = Sink.start(tmp_path / "mailbox"), free_port()
    routes = {"play.example": f"smtp:[127.0.0.1]:{sink.port}", DOMAIN: f"lmtp:inet:127.0.0.1:{own_port}"}
    stamp = f"Authentication-Results: {RELAY}; dmarc=pass header.from=play.example"
    server = Postfix(postfix_path, postfix_folder, routes, {DOMAIN: stamp})
    desk = Relayed(open_app, tmp_path, sqlite_schema_url, clock, Way(server.port, sink.mailbox))  # type: ignore[arg-type]
    desk.server = server
    door = Door(desk.app, Listen("lmtp", "127.0.0.1", own_port))
    door.open()
    server.start()
    yield desk
    server.stop()
    door.close()
    desk.hang_up()
    desk.store.close()
    sink.stop()


def wish(match: Match) -> str:
    """What the one on turn writes: the play that comes furthest, or roll."""
    if match.phase is Phase.ROLL_OR_DOUBLE:
        return "roll"
    return str(min(legal(match), key=lambda play: play.position.pip_count()))


def test_a_match_is_played_through_postfix_from_the_invitation_to_its_end(club: Relayed) -> None:
    alice, _, _ = settle(club.store, club.clock.now)
    view = invitations.invite(club.store, alice, Terms(1), Handle("bob"), "", club.clock.now, FairChance())
    club.answer_by_mail(club.letter("bob", 0), "accept")

    def on_turn() -> str:
        side = (now := club.view(view)).match.on_turn
        assert side is not None
        person = now.person(side)
        assert person is not None
        return person.handle

    for _ in range(REPLIES):
        club.answer_by_mail(club.letter(on_turn()), wish(club.view(view).match))
    club.answer_by_mail(club.letter(on_turn()), "resign")
    club.answer_by_mail(club.letter(on_turn()), "accept")
    result = club.view(view).match.result
    assert result is not None
    assert result.ending is Ending.RESIGNED
    by = {entry.via for entry in matches.log(club.store, view.id, alice) if entry.seat}
    assert by <= {"mail", "auto"}
    assert len({mail.message["Message-ID"] for mail in club.mails()}) == len(club.mails())
