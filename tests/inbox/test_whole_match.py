"""A one-point match from the invitation to its end, by answers to letters alone, over real SMTP both ways."""

from __future__ import annotations

import smtplib

import pytest

from bgmail.devmail import Mail
from bgmail.dice import FairChance
from bgmail.inbox.door import Door
from bgmail.rules.match import Match, Phase, legal
from bgmail.service import accounts, invitations, matches
from bgmail.service.audits import Tally, audit
from bgmail.service.terms import Handle, Terms
from bgmail.settings import Listen
from tests.inbox.replies import Desk, address_of, text_of
from tests.service.matchmaking import settle

pytestmark = [pytest.mark.smtp, pytest.mark.slow]
MOST_TURNS = 300


def send(desk: Desk, door: Door, letter: Mail, words: str) -> None:
    raw = desk.answer(letter, words)
    with smtplib.SMTP("127.0.0.1", door.place.port) as server:
        server.sendmail(letter.recipients, [address_of(letter)], raw)


def wish(match: Match) -> str:
    """What the one on turn writes: the play that comes furthest, or roll."""
    if match.phase is Phase.ROLL_OR_DOUBLE:
        return "roll"
    return str(min(legal(match), key=lambda play: play.position.pip_count()))


def test_a_whole_match_is_played_from_the_mailbox(desk: Desk) -> None:
    door = Door(desk.app, Listen("smtp", "127.0.0.1", 0))
    door.open()
    alice, bob, _ = settle(desk.store, desk.clock.now)
    accounts.set_language(desk.store, bob, "de")
    view = invitations.invite(
        desk.store, alice, Terms(1), Handle("bob"), "By mail?", desk.clock.now, FairChance()
    )
    try:
        letter = desk.letter("bob", 0)
        assert "Oder antworte auf diese Mail: Schreibe „annehmen“ oder „ablehnen“" in text_of(letter)
        send(desk, door, letter, "Annehmen!")
        assert desk.handle() == ["acted"]
        turns = 0
        while desk.view(view).match.phase is not Phase.OVER:
            turns += 1
            assert turns < MOST_TURNS
            now = desk.view(view)
            assert now.match.on_turn is not None
            person = now.person(now.match.on_turn)
            assert person is not None
            send(desk, door, desk.letter(person.handle), f"{wish(now.match)}\n\nmove {turns}")
            assert desk.handle() == ["acted"]
    finally:
        door.close()
    desk.clock.pass_(minutes=11)
    desk.deliver()
    by = {entry.via for entry in matches.log(desk.store, view.id, 2) if entry.seat}
    assert by <= {"mail", "auto"}
    assert [body for _, body in desk.chat(desk.view(view))] == [f"move {n}" for n in range(1, turns + 1)]
    for name in ("alice", "bob"):
        assert "Reply-To" not in desk.last(f"{name}@play.example").message
    assert list(audit(desk.store, Tally())) == []
