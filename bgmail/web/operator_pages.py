"""What staff sees of the installation: what waits, fails and came back. For everybody else the page isn't there."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from flask import Blueprint, abort, g, render_template

from bgmail.phrases import instant
from bgmail.phrases.channels import channel_name
from bgmail.phrases.outages import outage_line
from bgmail.service.operations import Overview, overview
from bgmail.world import world

blueprint = Blueprint("operator", __name__)


@blueprint.get("/operator")
def index() -> str:
    """The figures of the last hour and day."""
    if g.account is None or not g.account.is_staff:
        abort(404)
    here = world()
    now, zone = here.now(), ZoneInfo(g.account.time_zone)
    found = overview(here.store, now)

    def when(at: datetime) -> str:
        return instant(at, zone, now)

    away = [outage_line(outage, zone, now) for outage in found.outages]
    return render_template(
        "operator.html", found=found, channels=_channels(found), name=channel_name, when=when, outages=away
    )


def _channels(found: Overview) -> list[str]:
    """All channels that have something to show, letters first."""
    names = {*found.channels, *found.day}
    return sorted(names, key=lambda name: (name != "mail", name))
