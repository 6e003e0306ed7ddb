"""Sends what is owed, one notice at a time: claim, check the fact again, note the attempt, send, record.

Nothing is locked while a letter is on its way. A sender that dies in between leaves a claim that runs out and
a letter that goes out once more under the same Message-ID.
"""

from __future__ import annotations

import hashlib
import logging
from datetime import datetime, timedelta

from flask import current_app

from bgmail.notify import occasion as occasions
from bgmail.notify.links import links_of
from bgmail.notify.message import BadAddress, Envelope, compose, message_id
from bgmail.notify.occasion import Notice, Occasion
from bgmail.notify.present import obsolete, recipient
from bgmail.notify.render import letter
from bgmail.notify.smtp import Deferred, Letterbox, MailTrouble, Rejected, ServerDown
from bgmail.store import notices
from bgmail.world import World

CLAIM = timedelta(minutes=10)
"""How long a notice belongs to the sender that took it: longer than any dialogue with a mail server."""
FIRST_WAIT = timedelta(minutes=1)
LONGEST_WAIT = timedelta(hours=6)
LONGEST_WAIT_FOR_SERVER = timedelta(minutes=10)
GIVE_UP = timedelta(days=5)
"""After so long a letter that the server keeps putting off, or that can't be written, is given up."""
EXTENSION = "bgmail_letterbox"

log = logging.getLogger(__name__)


def deliver_one(world: World, now: datetime) -> str | None:
    """Takes the notice that is longest due and does what is right. Says what it did; None = nothing is due.

    Without a mail server, and for a moment after one was out of reach, everything stays queued.
    """
    if not world.settings.mail_server or letterbox(world).resting:
        return None
    with world.store.read() as connection:
        if not notices.is_any_due(connection, now):
            return None
    with world.store.write() as connection:
        row = notices.claim(connection, now, now + CLAIM)
    if row is None:
        return None
    try:
        notice = occasions.notice_of(row)
        return f"{_deliver(world, notice, now)} {notice.kind} {notice.id}"
    except Exception:
        log.exception("notice %s could not be handled and is put off", row.id)
        _put_off(world, row.id, row.attempts, row.created_at, now, LONGEST_WAIT)
        return f"failed {row.kind} {row.id}"


def letterbox(world: World) -> Letterbox:
    """The one connection of this process to its mail server."""
    found: Letterbox | None = current_app.extensions.get(EXTENSION)
    if found is None:
        found = current_app.extensions[EXTENSION] = Letterbox(world.settings)
    return found


def hang_up() -> None:
    """Says good-bye to the mail server, if this process has spoken to one."""
    found: Letterbox | None = current_app.extensions.get(EXTENSION)
    if found is not None:
        found.close()


def _deliver(world: World, notice: Notice, now: datetime) -> str:
    with world.store.read() as connection:
        occasion = occasions.read(connection, notice)
        reason = obsolete(connection, occasion, now)
    if reason:
        with world.store.write() as connection:
            notices.close(connection, notice.id, notices.OBSOLETE)
        return f"dropped ({reason})"
    return _attempt(world, occasion, now)


def _attempt(world: World, occasion: Occasion, now: datetime) -> str:
    """One attempt by mail, written down before it is made and completed after it."""
    notice, envelope = occasion.notice, _envelope(world, occasion)
    own_id = message_id(notice, envelope.domain)
    started = {
        "notice_id": notice.id,
        "channel": "mail",
        "address": envelope.address,
        "message_id": own_id,
        "started_at": now,
        "error": "",
    }
    with world.store.write() as connection:
        attempt = notices.begin_delivery(connection, started)
    try:
        _send(world, occasion, envelope, own_id, now)
    except (MailTrouble, BadAddress) as trouble:
        return _failed(world, notice, attempt, trouble, now)
    except Exception:  # a letter that can't be written is set aside alone: the others go on
        log.exception("the letter of notice %s could not be written", notice.id)
        return _failed(world, notice, attempt, Deferred("the letter could not be written"), now)
    with world.store.write() as connection:
        notices.end_delivery(connection, attempt, world.now(), "sent", "")
        notices.close(connection, notice.id, notices.SENT)
    return "sent"


def _send(world: World, occasion: Occasion, envelope: Envelope, own_id: str, now: datetime) -> None:
    with world.store.read() as connection:
        written = letter(connection, occasion, links_of(world), now, envelope.domain)
    message = compose(written, envelope, own_id, now)
    letterbox(world).send(message, envelope.sender_address, envelope.recipient)


def _envelope(world: World, occasion: Occasion) -> Envelope:
    return Envelope(world.settings.mail_default_sender, occasion.handle, recipient(occasion))


def _failed(world: World, notice: Notice, attempt: int, trouble: Exception, now: datetime) -> str:
    """Records an attempt that failed: given up for good, or tried again later."""
    final = isinstance(trouble, Rejected | BadAddress)
    with world.store.write() as connection:
        outcome = "refused" if final else "retry"
        notices.end_delivery(connection, attempt, world.now(), outcome, str(trouble)[:500])
        if final:
            notices.close(connection, notice.id, notices.FAILED)
    if final:
        return "refused"
    longest = LONGEST_WAIT_FOR_SERVER if isinstance(trouble, ServerDown) else LONGEST_WAIT
    return _put_off(world, notice.id, notice.attempts, notice.created_at, now, longest)


def _put_off(
    world: World, notice_id: int, attempts: int, created_at: datetime, now: datetime, longest: timedelta
) -> str:
    """Tries a notice again later, or gives it up after days; while the server is down nothing is given up."""
    given_up = longest is LONGEST_WAIT and now - created_at > GIVE_UP
    with world.store.write() as connection:
        if given_up:
            notices.close(connection, notice_id, notices.FAILED)
        else:
            until = now + wait(notice_id, attempts, longest)
            notices.put_off(connection, notice_id, until, attempts + 1)
    return "gave up" if given_up else "put off"


def wait(notice_id: int, attempts: int, longest: timedelta) -> timedelta:
    """How long until the next attempt: twice as long each time, spread so that not all come back at once."""
    whole: timedelta = min(longest, FIRST_WAIT * 2 ** min(attempts, 20))
    spread = hashlib.sha256(f"{notice_id}/{attempts}".encode()).digest()[0]
    return whole * (255 + spread) / 510
