"""What comes back of letters: an address that fails gets no more, a kind that is complained about is switched off.

Only attempts that were made here count, and only for the very address that they went to. Letters that somebody asks for
are sent all the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Row

from bgmail.service import addresses
from bgmail.service.accounts import Account
from bgmail.service.choices import MAIL, Mode, read
from bgmail.service.notices import Kind
from bgmail.service.told import test
from bgmail.store import bounces, choices, people
from bgmail.store.engine import Store

ASKED_FOR = frozenset(
    {
        *(Kind.VERIFY, Kind.SIGN_IN, Kind.RESET, Kind.ALREADY_MEMBER, Kind.ADDRESS_CHANGED),
        *(Kind.CONFIRM, Kind.HELP, Kind.ANSWER, Kind.TEST),
    }
)
"""Letters that somebody asked for just now, or that keep an account safe: nothing stops them."""
MOST_SAID = 500
_OURS = re.compile(r"<notice\.(\d{1,18})\.[0-9a-f]{1,20}@[^<>\s@]{1,255}>")
_BIGGEST = 2**31 - 1


class Sort(StrEnum):
    """What a report says: the letter will never arrive, it is late, or its reader calls it junk."""

    FAILED = "failed"
    DELAYED = "delayed"
    COMPLAINT = "complaint"


@dataclass(frozen=True, slots=True)
class Report:
    """What a mail server or provider tells of one letter.

    `address` is the recipient that it names, `status` figures like "5.1.1", `said` the other server's words; each is ""
    where it isn't told. `message_id` is the letter's own.
    """

    sort: Sort
    message_id: str = ""
    address: str = ""
    status: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why letters don't reach somebody. `about` is the kind that was complained about, "" for all that come back."""

    about: str
    address: str
    said: str
    since: datetime


def take(store: Store, report: Report, now: datetime, errand_id: int | None = None) -> str:
    """Does what a report calls for. What that was: "unknown", "repeated", "noted", "stopped", "muted".

    `errand_id` says by a signed address which errand it is about; a report that names another letter is unknown.
    """
    with store.write() as connection:
        attempts = _attempts(connection, report, errand_id)
        attempt = _meant(attempts, report.address)
        if attempt is None:
            return "unknown"
        theirs = not report.address or _same(attempt.address, report.address)
        kept = {"status": report.status[:20], "said": report.said[:MOST_SAID]}
        if not bounces.note(connection, {"delivery_id": attempt.id, "sort": report.sort, "at": now, **kept}):
            return "repeated"
        if report.sort is Sort.COMPLAINT:
            return _complain(connection, attempt, now)
        if report.sort is Sort.FAILED and theirs:
            return _come_back(connection, attempt, kept, now)
        return "noted"


def refuse(store: Store, address: str, said: str, now: datetime) -> None:
    """A mail server refuses all letters to an address while we talk to it."""
    with store.write() as connection:
        _stop(connection, address, bounces.ALL, {"status": "", "said": said[:MOST_SAID]}, now)


def is_stopped(connection: Connection, address: str) -> bool:
    """Whether letters to an address are known to come back."""
    return bounces.is_stopped(connection, addresses.key(address))


def of(store: Store, account: Account) -> list[Trouble]:
    """What keeps letters from somebody's present address, or from the one that is still to be proven."""
    address = account.email or account.new_email
    if address is None:
        return []
    with store.read() as connection:
        rows = bounces.stopped(connection, addresses.key(address))
    return [Trouble(row.about, row.address, row.said, row.stopped_at) for row in rows]


def try_again(store: Store, account: Account, now: datetime) -> None:
    """Letters go to somebody's address again, and a test at once. Raises TooOften."""
    if account.email is None:
        return
    test(store, account.id, MAIL, 0, now)
    with store.write() as connection:
        bounces.start(connection, addresses.key(account.email), bounces.ALL, now)


def settle(store: Store, account: Account, about: str, now: datetime, *, wanted: bool) -> None:
    """Somebody has seen that a kind was switched off, and wants its letters again, or not. Nothing else is touched."""
    if account.email is None or about not in set(Kind):
        return
    key = addresses.key(account.email)
    with store.write() as connection:
        if bounces.found(connection, key, about) is None:
            return
        bounces.start(connection, key, about, now)
        if wanted and read(connection, account.id).mode(Kind(about), MAIL) is Mode.OFF:
            choices.choose(connection, account.id, about, MAIL, None)


def start(store: Store, address: str, now: datetime) -> bool:
    """Letters go to an address again, on an operator's word; False when they weren't stopped."""
    key = addresses.key(address)
    with store.write() as connection:
        was = bounces.is_stopped(connection, key)
        bounces.start(connection, key, bounces.ALL, now)
    return was


def start_all(store: Store, now: datetime) -> int:
    """The same for every address: a relay that refused everybody has been mended. How many those were."""
    with store.write() as connection:
        return bounces.start_all(connection, now)


def _attempts(connection: Connection, report: Report, errand_id: int | None) -> Sequence[Row[Any]]:
    """The attempts that a report may be about, the latest first; none where it isn't about a letter of ours."""
    if errand_id is not None:
        made = bounces.attempts_of(connection, errand_id)
        return [one for one in made if not report.message_id or one.message_id == report.message_id]
    ours = _OURS.fullmatch(report.message_id)
    if ours is None or int(ours[1]) > _BIGGEST:
        return []
    return bounces.attempts_named(connection, int(ours[1]), report.message_id)


def _meant(attempts: Sequence[Row[Any]], address: str) -> Row[Any] | None:
    """The latest attempt at the address; where none went there, somebody's mailbox passes letters on."""
    return next((one for one in attempts if _same(one.address, address)), attempts[0] if attempts else None)


def _same(one: str, other: str) -> bool:
    return addresses.key(one) == addresses.key(other)


def _come_back(connection: Connection, attempt: Row[Any], kept: dict[str, str], now: datetime) -> str:
    """A letter failed for good: it counts as failed, other ways are looked for, and the address is stopped."""
    bounces.send_back(connection, attempt, kept["said"], replan=attempt.kind not in ASKED_FOR)
    known = bounces.found(connection, addresses.key(attempt.address), bounces.ALL)
    if known and known.again_at and attempt.started_at < known.again_at:
        return "noted"
    _stop(connection, attempt.address, bounces.ALL, kept, now)
    return "stopped"


def _complain(connection: Connection, attempt: Row[Any], now: datetime) -> str:
    """The kind is switched off; who has no account here is written to no more."""
    if attempt.account_id is None:
        _stop(connection, attempt.address, bounces.ALL, {}, now)
        return "stopped"
    if attempt.kind in ASKED_FOR or not _is_present(connection, attempt):
        return "noted"
    for kind in _told_by(connection, attempt):
        choices.choose(connection, attempt.account_id, kind, MAIL, Mode.OFF.value)
        _stop(connection, attempt.address, kind, {}, now)
    return "muted"


def _is_present(connection: Connection, attempt: Row[Any]) -> bool:
    """Whether its reader still gets letters at the address that the attempt went to."""
    reader = people.by_id(connection, attempt.account_id)
    return reader is not None and reader.email_key == addresses.key(attempt.address)


def _told_by(connection: Connection, attempt: Row[Any]) -> list[str]:
    """The kinds that a letter brings: a digest stands for all that its reader gathers there."""
    if attempt.kind != Kind.DIGEST:
        return [attempt.kind]
    modes = choices.modes(connection, attempt.account_id)
    return [kind for (kind, channel), mode in modes.items() if channel == MAIL and mode == Mode.DIGEST]


def _stop(connection: Connection, address: str, about: str, kept: dict[str, str], now: datetime) -> None:
    known = bounces.found(connection, addresses.key(address), about)
    since = known.stopped_at if known and known.stopped_at else now
    key = {"address_key": addresses.key(address), "about": about, "address": address}
    bounces.stop(connection, {**key, "status": "", "said": "", **kept, "stopped_at": since})
