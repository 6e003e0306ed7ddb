"""How the entries of a log move the clock: the same for a play just made and for a log read again."""

from __future__ import annotations

from datetime import datetime, timedelta

from bgmail import timing
from bgmail.rules.action import Kind
from bgmail.rules.match import Match, Phase
from bgmail.rules.ruleset import CLAIM_DAYS
from bgmail.timing.pauses import NO_PAUSES, Pauses

ENDED = (Phase.OPENING, Phase.OVER)
CLAIM_LASTS = timedelta(days=CLAIM_DAYS)
"""What may be claimed and isn't happens by itself then."""


def clock_after(
    clock: timing.Clock,
    kind: Kind,
    before: Match,
    after: Match,
    at: datetime,
    via: str,
    pauses: Pauses = NO_PAUSES,
) -> timing.Clock:
    """The clock once an action moved the match from `before` to `after` at an instant.

    What came by "auto" earns no increment; what came by "clock" or was claimed is a lapse. `pauses` are those of
    the side whose segment ends. Between games the banks are filled where the rules say so.
    """
    moved = _moved(clock, kind, before, after, at, via, pauses)
    fills = after.rules.bank_per_game and after.phase is Phase.OPENING and before.phase is not Phase.OPENING
    return moved.refill() if fills else moved


def _moved(
    clock: timing.Clock, kind: Kind, before: Match, after: Match, at: datetime, via: str, pauses: Pauses
) -> timing.Clock:
    if kind is Kind.OPENING_ROLL:
        return clock.start_turn(_side(after), at) if after.phase is Phase.PLAY else clock
    if kind is Kind.PLAY:
        ended = clock.end_turn(at, pauses, earned=via != "auto")
        return ended if after.phase in ENDED else ended.start_turn(_side(after), at)
    if before.phase in ENDED or before.phase is Phase.INVITED:
        return clock
    if after.phase in ENDED:
        lapsed = via == "clock" or kind is Kind.CLAIM_TIMEOUT
        return clock.lapse(at, pauses) if lapsed else clock.stop(at, pauses)
    if before.on_turn is after.on_turn:
        return clock
    return clock.ask(at, pauses) if before.on_turn is before.turn else clock.answered(at, pauses)


def begins_turn(kind: Kind, after: timing.Clock) -> bool:
    """Whether a turn began with an action that left the clock like this."""
    return kind in (Kind.OPENING_ROLL, Kind.PLAY) and after.on is not None


def called_at(match: Match, deadline: datetime) -> datetime:
    """When the server itself has to act on a side whose time is over at `deadline`."""
    return deadline + CLAIM_LASTS if match.late else deadline


def closed_at(match: Match, deadline: datetime) -> datetime:
    """From when on the side whose time is over at `deadline` can do nothing more: what has to be claimed leaves it
    some time."""
    return deadline + CLAIM_LASTS if match.rules.claimed and match.on_turn is not None else deadline


def _side(match: Match) -> timing.Side:
    return 0 if match.turn == 0 else 1
