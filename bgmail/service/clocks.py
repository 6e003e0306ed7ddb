"""How the entries of a log move the clock: the same for a play just made and for a log read again."""

from __future__ import annotations

from datetime import datetime

from bgmail import timing
from bgmail.rules.action import Kind
from bgmail.rules.match import Match, Phase
from bgmail.timing.pauses import NO_PAUSES, Pauses

ENDED = (Phase.OPENING, Phase.OVER)


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

    What came by "auto" earns no increment; what came by "clock" is a lapse. `pauses` are those of the side
    whose segment ends.
    """
    if kind is Kind.OPENING_ROLL:
        return clock.start_turn(_side(after), at) if after.phase is Phase.PLAY else clock
    if kind is Kind.PLAY:
        ended = clock.end_turn(at, pauses, earned=via != "auto")
        return ended if after.phase in ENDED else ended.start_turn(_side(after), at)
    if before.phase in ENDED or before.phase is Phase.INVITED:
        return clock
    if after.phase in ENDED:
        return clock.lapse(at, pauses) if via == "clock" else clock.stop(at, pauses)
    if before.on_turn is after.on_turn:
        return clock
    return clock.ask(at, pauses) if before.on_turn is before.turn else clock.answered(at, pauses)


def begins_turn(kind: Kind, after: timing.Clock) -> bool:
    """Whether a turn began with an action that left the clock like this."""
    return kind in (Kind.OPENING_ROLL, Kind.PLAY) and after.on is not None


def _side(match: Match) -> timing.Side:
    return 0 if match.turn == 0 else 1
