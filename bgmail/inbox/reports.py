"""What becomes of a mail that reports on a letter of ours: known by the signed address that the letter named for it.

A Message-ID alone is believed of nobody: who guesses one could have somebody's letters stopped.
"""

from __future__ import annotations

from datetime import datetime

from bgmail.inbox.reading import Bounce, Reading, Sort
from bgmail.service import bounces
from bgmail.service.bounces import Report
from bgmail.tokens import BadToken
from bgmail.world import World

MAILBOX = "bounce"
"""How the addresses begin that reports come to. By itself it takes complaints: they hold the letter."""


def is_for_reports(token: str) -> bool:
    """Whether a mail was kept as one for reports: by the whole local part of its address."""
    return token.partition("+")[0] == MAILBOX


def take_report(world: World, reading: Reading, now: datetime, came_to: str = "") -> str:
    """Does what a report calls for, and says what that was. `came_to` is the local part of the address it came to."""
    told = reading.bounce
    if told is None:
        return "says nothing"
    try:
        errand_id = world.signer.read_number(_token(came_to) or _token(told.returns_to))
    except BadToken:
        return "unknown"
    report = Report(_sort(reading.sort, told), told.message_id, told.recipient, told.status, told.said)
    return bounces.take(world.store, report, now, errand_id)


def _sort(sort: Sort, told: Bounce) -> bounces.Sort:
    if sort is Sort.COMPLAINT:
        return bounces.Sort.COMPLAINT
    return bounces.Sort.FAILED if told.failed else bounces.Sort.DELAYED


def _token(address: str) -> str:
    mailbox, _, token = address.partition("@")[0].lower().partition("+")
    return token if mailbox == MAILBOX else ""
