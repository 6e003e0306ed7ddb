"""What becomes of a mail that was accepted: it acts, or its writer is asked or told, or it is let lie.

A worker may die at any point: what was done is known by its key, and what is answered is written with the mail's end.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import parseaddr
from typing import Any

from bgmail.inbox.accepting import MAILBOX
from bgmail.inbox.acting import Done, Task, carry_out, done_before
from bgmail.inbox.reader import read
from bgmail.inbox.reading import Reading, Sort
from bgmail.inbox.reports import MAILBOX as REPORTS
from bgmail.inbox.reports import is_for_reports, take_report
from bgmail.inbox.verdicts import vouched
from bgmail.inbox.wishes import Understood, understand
from bgmail.ledger.entry import Entry
from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service import accounts, addresses, inbound, matches, turns
from bgmail.service.accounts import Account
from bgmail.service.errors import NotFound, Refused, Stale
from bgmail.service.inbound import Inbound, Line
from bgmail.service.notices import Kind, fact
from bgmail.service.views import MatchView
from bgmail.tokens import BadToken, MatchClaim
from bgmail.world import World

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Case:
    """A letter by a person: the mail, what its address claims, the match as it stands, and who sits at that side.

    `later` are the entries of the log from the one on that the address names.
    """

    mail: Inbound
    reading: Reading
    claim: MatchClaim
    view: MatchView
    account: Account
    later: Sequence[Entry]

    @property
    def side(self) -> Side:
        return Side(self.claim.side)

    @property
    def fingerprint(self) -> str:
        """Of the mail as its writer made it, sent to this very address: no two copies act."""
        return hashlib.sha256(f"{self.reading.fingerprint} {self.mail.token}".encode()).hexdigest()


def handle_one(world: World, now: datetime) -> str | None:
    """Handles the mail that waits longest. Says what came of it; None = there is none."""
    mail = inbound.claim(world.store, now)
    if mail is None:
        return None
    if mail.attempts > inbound.MOST_ATTEMPTS:  # its workers died of it, and said nothing
        inbound.fail(world.store, mail, now)
        return f"gave up {mail.id}"
    try:
        return f"{_handle(world, mail, now)} {mail.id}"
    except Exception:
        log.exception("mail %s could not be handled", mail.id)
        return f"{'gave up' if inbound.fail(world.store, mail, now) else 'put off'} {mail.id}"


def _handle(world: World, mail: Inbound, now: datetime) -> str:
    reading = read(mail.raw, mail.sender)
    if is_for_reports(mail.token):
        return _let_lie(world, mail, take_report(world, reading, now, mail.token), now)
    if reading.sort is not Sort.LETTER or _is_our_own(world, reading):
        return _let_lie(world, mail, str(reading.sort) if reading.sort is not Sort.LETTER else "our own", now)
    case = _case(world, mail, reading)
    if case is None or inbound.repeated(world.store, case.fingerprint):
        return _let_lie(world, mail, "repeated" if case else "nobody", now)
    return _decide(world, case, now)


def _decide(world: World, case: Case, now: datetime) -> str:
    if done := _done_before(world, case):
        return _conclude(world, case, done, now)
    if not _stands(case):
        return _answer_late(world, case, now)
    wanted = understand(case.view.match, case.side, case.reading)
    if wanted.trouble:
        return _help(world, case, wanted, now)
    return _act(world, case, wanted, now) if _is_proven(world, case) else _ask(world, case, wanted, now)


def _case(world: World, mail: Inbound, reading: Reading) -> Case | None:
    """Whom the mail's address belongs to; None where nobody may act by it any more."""
    try:
        claim = world.signer.read_address(mail.token)
        view = turns.load(world.store, claim.match)
        person = view.person(Side(claim.side))
        account = accounts.by_id(world.store, person.id) if person else None
    except (BadToken, NotFound):
        return None
    if account is None or not account.active or account.is_bot or not account.email:
        return None
    later = matches.log(world.store, view.id, claim.version - 1)
    return Case(mail, reading, claim, view, account, later)


def _stands(case: Case) -> bool:
    """Whether the match still stands where it stood when the letter was written that is answered."""
    made_by = case.later[0].hash if case.later else ""
    same = made_by.startswith(case.claim.hash_prefix) and case.view.version == case.claim.version
    return same and case.view.match.phase is not Phase.OVER


def _done_before(world: World, case: Case) -> Done | None:
    """What this very mail did before a worker of ours died, or beside us; None where it did nothing yet."""
    entries = matches.log(world.store, case.view.id, case.claim.version)
    count = done_before(case.fingerprint, entries)
    if not count:
        return None
    left = case.reading.commands[count:]
    return Done(turns.load(world.store, case.view.id), tuple(command.text for command in left))


def _is_proven(world: World, case: Case) -> bool:
    """Whether our own relay vouches for a sender that is this person."""
    relay, sender = world.settings.inbound_authserv_id, case.reading.sender
    if not relay or not vouched(case.reading.relays, relay, sender):
        return False
    return inbound.is_theirs(world.store, case.account.id, case.account.email, sender)


def _act(world: World, case: Case, wanted: Understood, now: datetime) -> str:
    task = Task(case.view, case.side, case.account.id, case.fingerprint, case.mail.received_at)
    try:
        done = carry_out(world, task, wanted.wishes[0], case.reading.commands[1:])
    except Stale:
        found = _done_before(world, case)
        return _conclude(world, case, found, now) if found else _answer_late(world, case, now)
    except Refused as error:
        values = {"code": error.code, **error.values}
        return _help(world, case, Understood(wanted.wishes, "refused", wanted.said, values), now)
    return _conclude(world, case, done, now)


def _conclude(world: World, case: Case, done: Done, now: datetime) -> str:
    """The mail has acted: its words go into the chat, and its writer hears of what is still to do."""
    said, made = _line(case, done.view), case.fingerprint
    facts = [_answer(case, done, said, now)] if _wants_answer(case, done, said) else []
    inbound.close(world.store, case.mail, "acted", now, fingerprint=made, facts=facts, line=said)
    return "acted"


def _line(case: Case, view: MatchView) -> Line | None:
    """What the mail says to the opponent; None where it says nothing, or more than the chat takes."""
    if not matches.fits_chat(case.reading.chat):
        return None
    return Line(view, case.account.id, case.reading.chat)


def _wants_answer(case: Case, done: Done, said: Line | None) -> bool:
    """Whether there is more to do for the writer, or something that was not done."""
    goes_on = done.view.match.on_turn is case.side and done.view.match.phase is not Phase.OVER
    began = case.view.match.phase is Phase.INVITED and done.view.match.phase is not Phase.OVER
    return goes_on or began or bool(done.left) or (bool(case.reading.chat) and said is None)


def _answer(case: Case, done: Done, said: Line | None, now: datetime) -> dict[str, Any]:
    lost = bool(case.reading.chat) and said is None
    data = {"what": "done", "said": case.reading.commands[0].text, "left": list(done.left), "chat_lost": lost}
    return _fact(case, Kind.ANSWER, done.view.version, data, now)


def _answer_late(world: World, case: Case, now: datetime) -> str:
    said = case.reading.commands[0].text if case.reading.commands else ""
    data = {"what": "late", "said": said, "left": [], "chat_lost": False}
    return _reply(world, case, _fact(case, Kind.ANSWER, case.view.version, data, now), "too late", now)


def _help(world: World, case: Case, wanted: Understood, now: datetime) -> str:
    data = {
        "why": wanted.trouble,
        "said": wanted.said,
        "values": dict(wanted.values),
        "wishes": [wish.plain() for wish in wanted.wishes],
    }
    notice = _fact(case, Kind.HELP, case.claim.version, data, now)
    return _reply(world, case, notice, f"helped ({wanted.trouble})", now)


def _ask(world: World, case: Case, wanted: Understood, now: datetime) -> str:
    sender = case.reading.sender
    data = {
        "said": wanted.said,
        "sender": sender,
        "wishes": [wish.plain() for wish in wanted.wishes],
        "stranger": bool(sender)
        and not inbound.is_theirs(world.store, case.account.id, case.account.email, sender),
    }
    return _reply(world, case, _fact(case, Kind.CONFIRM, case.claim.version, data, now), "asked", now)


def _reply(world: World, case: Case, notice: dict[str, Any], outcome: str, now: datetime) -> str:
    """Answers by a letter to the registered address, unless that address of ours has been answered often enough."""
    if not inbound.may_help(world.store, case.mail.token, case.account.id, case.view.id, now):
        log.warning("mail for match %s is not answered any more today", case.view.id)
        return _let_lie(world, case.mail, "silent", now, case.fingerprint)
    inbound.close(world.store, case.mail, outcome, now, fingerprint=case.fingerprint, facts=[notice])
    return outcome


def _let_lie(world: World, mail: Inbound, outcome: str, now: datetime, fingerprint: str | None = None) -> str:
    inbound.close(world.store, mail, outcome, now, fingerprint=fingerprint)
    return outcome


def _fact(case: Case, kind: Kind, version: int, data: dict[str, Any], now: datetime) -> dict[str, Any]:
    return fact(
        kind,
        now,
        account_id=case.account.id,
        match_id=case.view.id,
        version=version,
        which=f"mail-{case.mail.id}",
        data=data,
    )


def _is_our_own(world: World, reading: Reading) -> bool:
    """Whether the mail says to come from us: a letter of ours that somebody's program sends back.

    People may well have their own mailboxes at the domain that answers go to.
    """
    sender = addresses.key(reading.sender)
    ours = addresses.key(parseaddr(world.settings.mail_default_sender)[1])
    local, _, domain = sender.rpartition("@")
    is_inbox = domain == world.settings.inbound_domain and local.partition("+")[0] in (MAILBOX, REPORTS)
    return bool(sender) and (sender == ours or is_inbox)
