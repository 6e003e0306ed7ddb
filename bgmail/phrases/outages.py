"""What people are told of times in which the service was away."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from bgmail.phrases.times import moment
from bgmail.phrases.translate import gettext
from bgmail.timing.outages import Outage


def outage_line(outage: Outage, zone: ZoneInfo, now: datetime) -> str:
    """One outage in a sentence, in the reader's zone."""
    start, end = moment(outage.start, zone, now), moment(outage.end, zone, now)
    if outage.why == "mail":
        return gettext(
            "No letters could be sent from %(start)s to %(end)s: that time counts for nobody.",
            start=start,
            end=end,
        )
    if outage.why == "restored":
        return gettext(
            "The server was restored from a backup: the time from %(start)s to %(end)s counts for nobody.",
            start=start,
            end=end,
        )
    return gettext(
        "The server was away from %(start)s to %(end)s: that time counts for nobody.", start=start, end=end
    )
