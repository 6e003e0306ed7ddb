"""Whether anything is still to come for somebody: who has been eliminated, or has played all, has nothing to leave."""

from __future__ import annotations

from collections.abc import Sequence

from bgmail.pairing.elimination import Elimination
from bgmail.pairing.field import Field, Format, How, Pairing, Result
from bgmail.pairing.record import entries_by_id
from bgmail.pairing.rounds import last_round
from bgmail.pairing.stages import Stages, begun
from bgmail.pairing.swiss import Swiss, SwissElimination


def has_more(format_: Format, field: Field, entry: int) -> bool:
    """Whether an entry still has a match, or may get one as things stand; before the last stage has begun, everybody
    may be among those who go on. A correction or a disqualification can still bring back who has nothing more.

    Raises KeyError for an unknown entry.
    """
    if not field.entry(entry).plays:
        return False
    if not isinstance(format_, Stages):
        return _in_stage(format_, field, entry)
    number = begun(field)
    inside, is_last = format_.inside(field, number), number == len(format_.formats) - 1
    if entry not in entries_by_id(inside):
        return False
    return _in_stage(format_.formats[number], inside, entry) if is_last else not format_.finished(field)


def _in_stage(format_: Format, field: Field, entry: int) -> bool:
    own = [pairing for pairing in field.pairings if pairing.has(entry)]
    if not field.pairings or _is_open(field, own, entry):
        return True
    if isinstance(format_, Elimination):
        return any(
            not met.over and any(side.entry == entry for side in met.sides)
            for met in format_.progress(field).filled.values()
        )
    if isinstance(format_, Swiss):
        return _has_rounds(format_, field, own)
    if isinstance(format_, SwissElimination):
        return entry not in format_.out(field) and not format_.finished(field)
    return False


def _is_open(field: Field, own: Sequence[Pairing], entry: int) -> bool:
    """Whether one of its pairings is not over. A win without play isn't either while its round goes on: both forfeit if
    the winner leaves too."""
    running = {pairing.round for pairing in field.pairings if pairing.result is None}
    given = Result(entry, How.FORFEIT)
    return any(one.result is None or (one.result == given and one.round in running) for one in own)


def _has_rounds(format_: Swiss, field: Field, own: Sequence[Pairing]) -> bool:
    """In the last round, who has no pairing yet may get one, and a bye may become one: somebody else may leave."""
    last = last_round(field)
    behind = [one for one in own if one.round == last and not (one.result and one.result.how is How.BYE)]
    return not format_.finished(field) and (last < format_.rounds or not behind)
