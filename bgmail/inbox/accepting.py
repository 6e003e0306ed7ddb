"""Which mail is for us, and keeping it: the one step after which it can't be lost. All ways in come through here."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from email import message_from_bytes, policy

from bgmail.inbox.headers import addresses
from bgmail.service import inbound
from bgmail.tokens import BadToken
from bgmail.world import World

MAILBOX = "play"
LARGEST = 10 * 1024 * 1024
"""Bytes of a mail: a reply with its quotation and a picture or two."""
_ENVELOPE = ("x-envelope-to", "delivered-to", "x-original-to", "envelope-to", "to", "cc")
"""Headers that may say where a mail was sent to, for ways in that don't tell."""


class NotForUs(ValueError):
    """No address of ours is among the recipients."""


def token_of(world: World, address: str) -> str | None:
    """The token of an address that answers go to; None for every other address."""
    local, _, domain = address.strip("<> ").rpartition("@")
    mailbox, plus, token = local.lower().partition("+")
    if domain.lower() != world.settings.inbound_domain or (mailbox, plus) != (MAILBOX, "+"):
        return None
    try:
        world.signer.read_address(token)
    except BadToken:
        return None
    return token


def accept(
    world: World, raw: bytes, recipients: Iterable[str], now: datetime, sender: str | None = None
) -> int:
    """Keeps a mail for every recipient that is ours, on the disk when this returns; how many were new.

    `now` is when we take it upon us: it counts as the moment of the answer. Raises NotForUs.
    """
    tokens = {token for address in recipients if (token := token_of(world, address))}
    if not tokens:
        raise NotForUs("no address of ours is among the recipients")
    matches = {token: world.signer.read_address(token).match for token in sorted(tokens)}
    return inbound.keep(world.store, raw, matches, now, sender)


def recipients_in(raw: bytes) -> list[str]:
    """The addresses that a mail says to be sent to, for ways in where nobody tells more."""
    return addresses(message_from_bytes(raw, policy=policy.compat32), *_ENVELOPE)
