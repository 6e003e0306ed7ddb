"""What a clock on the page shows, and the two moments at which time runs into the bank and out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bgmail import timing
from bgmail.phrases import moment, span
from bgmail.phrases.outages import outage_line
from bgmail.phrases.rests import until
from bgmail.phrases.translate import gettext as _
from bgmail.rules.side import Side
from bgmail.service.views import MatchView
from bgmail.timing.outages import touching

SOON = timedelta(hours=6)
LAST_PART = 0.2
MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class ClockFace:
    """One side's clock, and for the script where time runs: `turn` and `bank` are what is left, in milliseconds.

    It counts down from the instant `runs` on, which is to come where the clock `rests`, up to `stops`, where the next
    pause begins (None = not before time is over); both are milliseconds since 1970. `low` is in seconds.
    """

    text: str
    behind: str = ""
    on: bool = False
    is_low: bool = False
    rests: bool = False
    turn: int = 0
    bank: int = 0
    runs: int = 0
    stops: int | None = None
    low: int = 0


@dataclass(frozen=True, slots=True)
class Moment:
    """An instant with its words in the reader's zone; it may be the end of a pause."""

    label: str
    words: str
    at: datetime
    is_low: bool = False
    rests: bool = False


def face(view: MatchView, side: Side, now: datetime) -> ClockFace | None:
    """The clock of a side in a running match; None in an untimed one, and before and after the match."""
    clock = view.clock
    if clock.control.untimed or clock.on is None:
        return None
    left = timing.left(clock, now, view.running_pauses)[side]
    if side != clock.on:
        return ClockFace(_standing(view, left))
    return _running(view, left, now)


def _standing(view: MatchView, left: timing.TimeLeft) -> str:
    if left.bank:
        return _("bank %(span)s", span=span(left.bank))
    return _("%(span)s a move", span=span(timedelta(seconds=view.clock.control.per_turn)))


def _running(view: MatchView, left: timing.TimeLeft, now: datetime) -> ClockFace:
    turn, bank, low = left.turn or timedelta(), left.bank or timedelta(), low_mark(view)
    pauses, rest = view.running_pauses, timing.paused(view.clock, now, view.running_pauses)
    runs = rest.until if rest else now
    stops = pauses.first(runs, runs + turn + bank)
    return ClockFace(
        text=span(turn) if turn else _("bank %(span)s", span=span(bank)),
        behind=_(", then bank") if turn and bank else "",
        on=True,
        is_low=turn + bank < low,
        rests=rest is not None,
        turn=turn // MILLISECOND,
        bank=bank // MILLISECOND,
        runs=_millis(runs),
        stops=None if stops is None else _millis(stops),
        low=int(low.total_seconds()),
    )


def low_mark(view: MatchView) -> timedelta:
    """From how little on time is running out: six hours, or a fifth of all there was in faster games."""
    control = view.clock.control
    return min(SOON, timedelta(seconds=LAST_PART * (control.per_turn + control.bank + control.increment)))


def _millis(at: datetime) -> int:
    return int(at.timestamp() * 1000)


def moments(view: MatchView, now: datetime, zone: ZoneInfo) -> list[Moment]:
    """When the bank starts and when the match is lost, for the side whose time runs; first, until when it rests."""
    pauses = view.running_pauses
    bank, end = timing.bank_starts(view.clock, pauses), timing.deadline(view.clock, pauses)
    rest, found = timing.paused(view.clock, now, pauses), []
    if rest:
        found.append(Moment(_("Paused until"), until(rest, zone, now), rest.until, rests=True))
    if bank and end and bank < end:
        label = _("Bank starts") if bank > now else _("Bank started")
        found.append(Moment(label, moment(bank, zone, now), bank))
    if end:
        label = _("May be claimed from") if view.match.rules.claimed else _("Lost on time")
        found.append(Moment(label, moment(end, zone, now), end, end - now < low_mark(view)))
    return found


def away(view: MatchView, now: datetime, zone: ZoneInfo) -> list[str]:
    """The times since the running clock was set going in which the server was away, a sentence each."""
    clock = view.clock
    if clock.since is None or clock.control.untimed:
        return []
    return [outage_line(one, zone, now) for one in touching(view.outages, clock.since, now)]
