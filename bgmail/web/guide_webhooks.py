"""What the help page says of webhooks, from the code that it is about."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from bgmail.phrases.webhooks import event_name
from bgmail.service import destinations, webhooks

HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Facts:
    """How many, how long and how often; `events` as (name, when it is sent), `fields` those of the API's state."""

    most: int
    events: list[tuple[str, str]]
    fields: tuple[str, ...]
    seconds: int
    times: int
    hours: int
    days: int
    old_hours: int


def facts() -> Facts:
    """The facts as they are, in the reader's language."""
    return Facts(
        most=webhooks.MOST,
        events=[(name, event_name(name)) for name in (*webhooks.NAMES, webhooks.TEST)],
        fields=webhooks.FIELDS,
        seconds=destinations.SECONDS,
        times=len(webhooks.WAITS) + 1,
        hours=-(-sum(webhooks.WAITS, timedelta()) // HOUR),
        days=webhooks.FAILING_FOR.days,
        old_hours=webhooks.OLD_SECRET_LASTS // HOUR,
    )
