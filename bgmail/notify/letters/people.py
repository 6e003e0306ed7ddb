"""Letters about an account: proof of an address, ways in, and changes that its owner must know of."""

from __future__ import annotations

from typing import Any

from bgmail.notify.letters.desk import Desk
from bgmail.phrases import lasting
from bgmail.service.addresses import shown
from bgmail.service.entrance import LINK_LIFETIME
from bgmail.service.proofs import PROOF_LIFETIME


def verify(desk: Desk) -> dict[str, Any]:
    """The link that proves an address; somebody's first one is welcomed."""
    reader = desk.occasion.reader
    url = desk.links.verify(desk.occasion.notice.data["claim"])
    is_new = reader is not None and not reader.verified
    return {"url": url, "lifetime": lasting(PROOF_LIFETIME), "address": desk.address, "is_new": is_new}


def sign_in(desk: Desk) -> dict[str, Any]:
    """The link that signs in once."""
    return {"url": desk.links.sign_in(desk.occasion.notice.data["claim"]), "lifetime": lasting(LINK_LIFETIME)}


def reset(desk: Desk) -> dict[str, Any]:
    """The link that sets a new password."""
    return {"url": desk.links.reset(desk.occasion.notice.data["claim"]), "lifetime": lasting(LINK_LIFETIME)}


def already_member(desk: Desk) -> dict[str, Any]:
    """Somebody signed up, or moved, with an address that has its account."""
    return {"tried": desk.occasion.notice.data["tried"], "url": desk.links.sign_in_form()}


def address_changed(desk: Desk) -> dict[str, Any]:
    """The old address is told that letters go elsewhere now. The new one isn't named in full."""
    new = shown(desk.occasion.notice.data["new"])
    return {"old": desk.address, "new": veiled(new)}


def veiled(address: str) -> str:
    """An address that its owner recognises and nobody else learns: "a…@example.org"."""
    local, _, domain = address.rpartition("@")
    return f"{local[:1]}…@{domain}"
