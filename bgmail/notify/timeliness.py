"""When a notice is brought: quiet hours delay, presence delays, and neither lets a deadline pass."""

from __future__ import annotations

from datetime import datetime, timedelta

from bgmail.notify.occasion import Occasion
from bgmail.service.choices import MAIL, Mode
from bgmail.service.notices import HERE
from bgmail.timing import next_at

NEAR = timedelta(hours=12)
"""So close to a deadline, another channel is used where one fails."""
AFTERWARDS = timedelta(hours=1)
"""What somebody should have left to answer once quiet hours are over, or a digest has come."""


def deadline_of(occasion: Occasion) -> datetime | None:
    """When the reader loses the turn, the offer or the match by waiting; None where nothing is waited for."""
    view = occasion.view
    if view is None or view.deadline_at is None or occasion.side is None:
        return None
    return view.deadline_at if view.match.on_turn is occasion.side else None


def is_near(occasion: Occasion, now: datetime) -> bool:
    """Whether the reader's time is nearly over."""
    deadline = deadline_of(occasion)
    return deadline is not None and deadline - now <= NEAR


def mail_mode(occasion: Occasion, now: datetime) -> Mode:
    """How a letter is brought: what its reader chose, but a digest that would come too late is not waited for, and
    it gathers what concerns a match."""
    mode = occasion.choices.mode(occasion.kind, MAIL)
    if mode is Mode.DIGEST and occasion.view is None:
        return Mode.NOW
    if mode is not Mode.DIGEST or occasion.reader is None:
        return mode
    return Mode.NOW if _too_late(occasion, digest_at(occasion, now)) else mode


def digest_at(occasion: Occasion, now: datetime) -> datetime:
    """When the reader's next digest goes out."""
    return next_at(occasion.choices.digest_at, now, occasion.zone)


def when(occasion: Occasion, now: datetime) -> datetime:
    """When a letter, or anything that rings, may go out to the reader.

    Somebody who is here sees it on the page: it waits until ten minutes after they were last seen, never longer. Quiet
    hours put it off to their end, unless the reader's deadline comes before or soon after.
    """
    return awake(occasion, max(occasion.notice.due_at or now, now, _left(occasion)))


def awake(occasion: Occasion, instant: datetime) -> datetime:
    """The instant, or the end of the reader's quiet hours that it falls into, unless that would be too late."""
    quiet = occasion.choices.quiet
    if quiet is None:
        return instant
    over = quiet.over(instant, occasion.zone)
    return instant if _too_late(occasion, over) else over


def _left(occasion: Occasion) -> datetime:
    """When a reader who is here now is taken to have left."""
    seen, first = occasion.seen_at, occasion.notice.created_at
    return min(seen, first) + HERE if seen is not None and occasion.view is not None else first


def _too_late(occasion: Occasion, instant: datetime) -> bool:
    deadline = deadline_of(occasion)
    return deadline is not None and deadline < instant + AFTERWARDS
