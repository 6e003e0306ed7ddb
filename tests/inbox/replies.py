"""The whole app with its outbox and inbox, and people who answer letters by mail."""

from __future__ import annotations

import re
from dataclasses import replace
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import parseaddr
from pathlib import Path

from bgmail.devmail import Mail, Sink
from bgmail.inbox.accepting import accept
from bgmail.inbox.handling import handle_one
from bgmail.service import accounts, invitations, matches, turns
from bgmail.service.terms import Handle, Terms
from bgmail.service.views import MatchView
from bgmail.store.matches import table
from bgmail.store.tables import InboundRow
from tests.fixtures.apps import OpenApp
from tests.notify.conftest import Clock, Post, settings_for
from tests.service.matchmaking import ScriptedChance

DOMAIN = "answers.club.example"
RELAY = "mx.club.example"
_inbound = table(InboundRow)
LINK = re.compile(r"https://club\.example(/(?:r|match)/[\w.-]+)")


class Desk(Post):
    """Letters go out to a sink; answers come in as a relay of ours would hand them over."""

    def __init__(
        self,
        open_app: OpenApp,
        tmp_path: Path,
        url: str,
        clock: Clock,
        sink: Sink,
        relay: str | None = RELAY,
    ) -> None:
        settings = replace(
            settings_for(tmp_path, url, sink.port), inbound_domain=DOMAIN, inbound_authserv_id=relay
        )
        super().__init__(open_app(settings, clock=clock), clock, sink)
        self.count = 0

    def outcomes(self) -> list[str]:
        """What became of each mail that came in, in order."""
        with self.store.read() as connection:
            return [row.outcome for row in connection.execute(_inbound.select().order_by(_inbound.c.id))]

    def view(self, view: MatchView) -> MatchView:
        return turns.load(self.store, view.id)

    def answer(
        self,
        mail: Mail,
        text: str,
        *,
        sender: str = "",
        verdict: str | None = "pass",
        subject: str = "Re: your turn",
        message_id: str = "",
        **headers: str,
    ) -> bytes:
        """A reply to a letter, as its reader's program writes it and our relay stamps it (None = it doesn't)."""
        self.count += 1
        sender = sender or mail.recipients
        reply = EmailMessage(policy=SMTP)
        if verdict is not None:
            domain = parseaddr(sender)[1].rpartition("@")[2]
            reply["Authentication-Results"] = f"{RELAY}; dmarc={verdict} header.from={domain}"
        reply["From"] = sender
        reply["To"] = mail.message["Reply-To"]
        reply["Subject"] = subject
        reply["Date"] = "Tue, 01 Dec 2026 13:00:00 +0100"
        reply["Message-ID"] = message_id or f"<{self.count}@play.example>"
        for name, value in headers.items():
            reply[name.replace("_", "-")] = value
        reply.set_content(
            f"{text}\n\nOn Tue, Dec 1, 2026 at 12:11, bgmail <letters@club.example> wrote:\n\n> x\n"
        )
        return reply.as_bytes()

    def receive(self, raw: bytes, to: str) -> int:
        """Accepts a mail at the present instant."""
        return accept(self.world, raw, [to], self.clock.now)

    def handle(self) -> list[str]:
        """Handles all that was accepted; what came of it, without the numbers."""
        done = []
        with self.app.app_context():
            while (what := handle_one(self.world, self.clock.now)) is not None:
                done.append(what.rpartition(" ")[0])
        return done

    def reply(self, mail: Mail, text: str, **how: str | None) -> list[str]:
        """Answers a letter; what came of it."""
        self.receive(self.answer(mail, text, **how), address_of(mail))  # type: ignore[arg-type]
        return self.handle()

    def letter(self, name: str, minutes: float = 11) -> Mail:
        """The newest letter to somebody, after a while."""
        self.clock.pass_(minutes=minutes)
        self.deliver()
        return self.last(f"{name}@play.example")

    def chat(self, view: MatchView) -> list[tuple[str, str]]:
        seat = view.white.id if view.white else 0
        return [(line.author.handle, line.body) for line in matches.chat(self.store, view, seat)]


def address_of(mail: Mail) -> str:
    """The address that an answer to the letter goes to."""
    return str(mail.message["Reply-To"].addresses[0].addr_spec)


def another(desk: Desk, opening: tuple[int, int]) -> MatchView:
    """One more match of Alice, who is White, against Bob."""
    alice, bob = (accounts.by_handle(desk.store, name).id for name in ("alice", "bob"))
    chance = ScriptedChance([opening])
    offer = invitations.invite(desk.store, alice, Terms(7), Handle("bob"), "", desk.clock.now, chance)
    return invitations.accept(desk.store, offer.id, bob, desk.clock.now, chance)


def text_of(mail: Mail) -> str:
    """The plain text of a letter, with the line ends of this machine."""
    return mail.text().replace("\r\n", "\n")
