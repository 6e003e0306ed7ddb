"""E-mail addresses: which can be written to, and when two are the same mailbox. Asks no name server."""

from __future__ import annotations

import email_validator
from email_validator import EmailNotValidError, validate_email

from bgmail.service.errors import Refused

MOST = 254

_HOME_DOMAINS = ("local", "localhost", "test")
for _domain in _HOME_DOMAINS:  # a club's own network may well use them
    if _domain in email_validator.SPECIAL_USE_DOMAIN_NAMES:
        email_validator.SPECIAL_USE_DOMAIN_NAMES.remove(_domain)


def clean(text: str) -> str:
    """The address as mail servers spell it: the domain in ASCII (xn--). Raises Refused with the reason.

    Blanks around it go. A local part outside ASCII is refused: many relays can't carry it.
    """
    typed = text.strip()
    if len(typed) > MOST:
        raise Refused("email_long", most=MOST)
    local, at, domain = typed.rpartition("@")
    if at and domain and not local.isascii():
        raise Refused("email_not_ascii", local=local)
    try:
        found = validate_email(
            typed, allow_smtputf8=False, check_deliverability=False, globally_deliverable=False, strict=True
        )
    except EmailNotValidError as error:
        raise Refused("email_malformed") from error
    if found.ascii_email is None or ("." not in found.ascii_domain and found.ascii_domain != "localhost"):
        raise Refused("email_malformed")
    return found.ascii_email


def key(address: str) -> str:
    """Two addresses with one key are the same mailbox: no provider tells them apart by case."""
    return address.casefold()


def shown(address: str) -> str:
    """The address as people write it, the domain in its own letters."""
    local, _, domain = address.rpartition("@")
    try:
        return f"{local}@{domain.encode('ascii').decode('idna')}"
    except UnicodeError:
        return address
