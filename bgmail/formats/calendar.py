"""A calendar as a file (iCalendar, RFC 5545): events with their alarms, escaped, folded and ended as it wants."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

MEDIA_TYPE = "text/calendar"
PRODUCT = "-//bgmail//bgmail//EN"
LONGEST = 75
"""So many octets a line has at most, without its end."""
_UNWRITABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_ESCAPES = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"})


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happens at one instant and takes no time.

    `uid` stays the same while the event changes, and `sequence` grows with each change. `alarms` are instants.
    """

    uid: str
    sequence: int
    at: datetime
    changed_at: datetime
    summary: str
    description: str
    url: str
    alarms: tuple[datetime, ...] = ()


def write_calendar(name: str, events: Iterable[Event], refresh: timedelta) -> str:
    """The calendar called `name`; programs are asked to look again after `refresh` (whole minutes)."""
    wait = f"PT{refresh // timedelta(minutes=1)}M"
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:{PRODUCT}",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        f"NAME:{_text(name)}",
        f"X-WR-CALNAME:{_text(name)}",
        f"REFRESH-INTERVAL;VALUE=DURATION:{wait}",
        f"X-PUBLISHED-TTL:{wait}",
        *(line for event in events for line in _event(event)),
        "END:VCALENDAR",
    ]
    return "".join(f"{folded}\r\n" for line in lines for folded in fold(line))


def fold(line: str) -> Iterator[str]:
    """The line in pieces of at most LONGEST octets; each but the first begins with a blank, no sign is cut."""
    piece, size = "", 0
    for sign in line:
        octets = len(sign.encode())
        if size + octets > LONGEST:
            yield piece
            piece, size = " ", 1
        piece, size = piece + sign, size + octets
    yield piece


def _event(event: Event) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{_text(event.uid)}"
    yield f"SEQUENCE:{event.sequence}"
    yield f"DTSTAMP:{_instant(event.changed_at)}"
    yield f"LAST-MODIFIED:{_instant(event.changed_at)}"
    yield f"DTSTART:{_instant(event.at)}"
    yield f"SUMMARY:{_text(event.summary)}"
    yield f"DESCRIPTION:{_text(event.description)}"
    yield f"URL:{event.url}"
    yield "TRANSP:TRANSPARENT"
    for alarm in event.alarms:
        yield "BEGIN:VALARM"
        yield "ACTION:DISPLAY"
        yield f"DESCRIPTION:{_text(event.summary)}"
        yield f"TRIGGER;VALUE=DATE-TIME:{_instant(alarm)}"
        yield "END:VALARM"
    yield "END:VEVENT"


def _text(text: str) -> str:
    """A text value; signs that no calendar may carry are left out."""
    return _UNWRITABLE.sub("", text.replace("\r\n", "\n")).translate(_ESCAPES)


def _instant(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
