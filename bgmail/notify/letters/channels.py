"""Letters about the ways in which letters and their like arrive."""

from __future__ import annotations

from typing import Any

from bgmail.notify.letters.desk import Desk
from bgmail.phrases import instant, lasting, zone_name
from bgmail.service.webhooks import FAILING_FOR, State


def test(desk: Desk) -> dict[str, Any]:
    """The letter that somebody sends to themselves, to see whether letters arrive."""
    asked, zone = desk.occasion.notice.created_at, desk.occasion.zone
    return {"asked": instant(asked, zone, desk.now), "zone": zone_name(desk.now, zone)}


def webhook_off(desk: Desk) -> dict[str, Any]:
    """To the owner of a webhook that we have switched off, and why."""
    data = desk.occasion.notice.data
    return {
        "name": data["name"],
        "gone": data["state"] == State.GONE,
        "lasting": lasting(FAILING_FOR),
        "url": desk.links.webhooks(),
    }
