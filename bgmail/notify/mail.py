"""The letters: to the one proven address of a person, over the one connection that this process keeps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial

from flask import current_app
from sqlalchemy import Connection

from bgmail.notify.channel import Errand, Later, Refused, Target
from bgmail.notify.links import links_of
from bgmail.notify.message import BadAddress, Envelope, compose, message_id
from bgmail.notify.occasion import Occasion
from bgmail.notify.present import ACCOUNT_KINDS, ANSWERS
from bgmail.notify.render import letter
from bgmail.notify.smtp import Letterbox, MailTrouble, Rejected, ServerDown
from bgmail.notify.timeliness import awake, digest_at, is_near, mail_mode, when
from bgmail.service import outages
from bgmail.service.choices import MAIL, Mode
from bgmail.service.notices import Kind
from bgmail.store import absences
from bgmail.world import World

LONGEST_WAIT_FOR_SERVER = timedelta(minutes=10)
RETURNED = "letters come back"
EXTENSION = "bgmail_letterbox"
DIGEST = "digest"
PLAIN = frozenset({*ACCOUNT_KINDS, *ANSWERS, Kind.DIGEST, Kind.TEST})
"""Letters that somebody asked for, and so get at once."""


class Mail:
    """Letters by SMTP."""

    name = MAIL
    newest_only = True
    apart = True

    def ready(self, world: World) -> bool:
        """Not without a mail server, nor for a moment after it was out of reach: everything stays queued."""
        return bool(world.settings.mail_server) and not letterbox(world).resting

    def targets(
        self, connection: Connection, occasion: Occasion, now: datetime, *, rescue: bool = False
    ) -> Sequence[Target]:
        """The one mailbox, at once or when the reader's hours allow it; not what goes into a digest, or is muted."""
        if not self.reaches(occasion):
            return ()
        if occasion.kind in PLAIN or rescue:
            return (Target(0, now),)
        mode = mail_mode(occasion, now)
        if mode is Mode.OFF or mode is Mode.DIGEST or self._is_enough(connection, occasion, mode, now):
            return ()
        return (Target(0, when(occasion, now)),)

    def unfit(self, occasion: Occasion, now: datetime) -> str | None:
        """A kind may have been muted since it was planned; near a deadline it goes out all the same."""
        if not self.reaches(occasion):
            return RETURNED if occasion.returned else "no address"
        muted = occasion.choices.mode(occasion.kind, MAIL) is Mode.OFF and occasion.kind not in PLAIN
        return "muted" if muted and not is_near(occasion, now) else None

    def again_at(self, occasion: Occasion, instant: datetime) -> datetime:
        """Not in quiet hours, unless somebody asked for the letter and waits for it."""
        return instant if occasion.kind in PLAIN else awake(occasion, instant)

    def address(self, world: World, occasion: Occasion, errand: Errand) -> str:  # noqa: ARG002
        """The mailbox."""
        return recipient(occasion)

    def message_id(self, world: World, occasion: Occasion, errand: Errand) -> str:
        """The letter's Message-ID."""
        return message_id(errand.notice, _envelope(world, occasion).domain)

    def prepare(self, world: World, errand: Errand, occasion: Occasion, now: datetime) -> Callable[[], str]:
        """Writes the letter as things stand now; the call hands it to the mail server."""
        envelope = _envelope(world, occasion)
        own_id = message_id(errand.notice, envelope.domain)
        with world.store.read() as connection:
            written = letter(connection, occasion, links_of(world), now, envelope.domain)
        try:
            message = compose(written, envelope, own_id, now)
            sender, recipient = _return_address(world, errand, envelope), envelope.recipient
        except BadAddress as trouble:
            raise Refused(str(trouble), address=envelope.address) from trouble
        box = letterbox(world)
        return lambda: _hand_over(box, message, sender, recipient, envelope)

    def reaches(self, occasion: Occasion) -> bool:
        """Whether the reader has a mailbox that letters don't come back from, and eyes."""
        is_machine = occasion.reader is not None and occasion.reader.is_bot
        return not is_machine and not occasion.returned and bool(recipient(occasion))

    def _is_enough(self, connection: Connection, occasion: Occasion, mode: Mode, now: datetime) -> bool:
        """Whether a letter has called already and its reader hasn't come since; near a deadline none is enough."""
        if mode is not Mode.ABSENCE or occasion.reader is None or is_near(occasion, now):
            return False
        return absences.was_called(connection, occasion.reader.id, occasion.choices.kinds(MAIL, Mode.ABSENCE))


LETTERS = Mail()


def _hand_over(box: Letterbox, message: bytes, sender: str, recipient: str, envelope: Envelope) -> str:
    try:
        box.send(message, sender, recipient)
    except Rejected as trouble:
        raise Refused(str(trouble), address=envelope.address) from trouble
    except ServerDown as trouble:
        raise Later(str(trouble), longest=LONGEST_WAIT_FOR_SERVER, for_ever=True) from trouble
    except MailTrouble as trouble:
        raise Later(str(trouble)) from trouble
    return ""


class Digest:
    """Waits for the hour at which all that came together is told by one letter: see `bgmail.notify.digests`."""

    name = DIGEST

    def targets(
        self,
        connection: Connection,  # noqa: ARG002
        occasion: Occasion,
        now: datetime,
        *,
        rescue: bool = False,
    ) -> Sequence[Target]:
        """The next digest of the reader, for the kinds that they want to read there."""
        if occasion.kind in PLAIN or rescue or occasion.reader is None or not LETTERS.reaches(occasion):
            return ()
        wanted = mail_mode(occasion, now) is Mode.DIGEST
        return (Target(0, digest_at(occasion, now)),) if wanted else ()


def recipient(occasion: Occasion) -> str:
    """The one address that the letter may go to; "" when there is none.

    A letter about a match goes to the proven address of an account, or to the address that was invited.
    """
    named = occasion.kind in ACCOUNT_KINDS and occasion.kind is not Kind.ALREADY_MEMBER
    if named or occasion.notice.account_id is None:
        return occasion.notice.address
    return (occasion.reader.email if occasion.reader else None) or ""


def letterbox(world: World) -> Letterbox:
    """The one connection of this process to its mail server."""
    found: Letterbox | None = current_app.extensions.get(EXTENSION)
    if found is None:
        found = current_app.extensions[EXTENSION] = Letterbox(world.settings, heard=partial(_heard, world))
    return found


def _heard(world: World, greeted: bool) -> None:
    """Tells how the mail server fares. Not where time is only travelled: the times between are served."""
    if not world.travels:
        (outages.mail_greeted if greeted else outages.mail_failed)(world.store, world.now())


def hang_up() -> None:
    """Says good-bye to the mail server, if this process has spoken to one."""
    found: Letterbox | None = current_app.extensions.get(EXTENSION)
    if found is not None:
        found.close()


def _return_address(world: World, errand: Errand, envelope: Envelope) -> str:
    """Where a report comes if the letter can't be brought: to our inbox, by an address that says which it was."""
    domain = world.settings.inbound_domain
    return f"bounce+{world.signer.sign_number(errand.id)}@{domain}" if domain else envelope.sender_address


def _envelope(world: World, occasion: Occasion) -> Envelope:
    return Envelope(world.settings.mail_default_sender, occasion.handle, recipient(occasion))
