"""The brackets of a tournament with their people, for whoever draws them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bgmail.pairing.elimination import Elimination
from bgmail.pairing.plan import Plan
from bgmail.pairing.progress import Progress
from bgmail.pairing.stages import Stages, begun, prefix, rounds_before
from bgmail.service.tournaments import views
from bgmail.service.tournaments.field import field_shown


@dataclass(frozen=True, slots=True)
class StageBracket:
    """The bracket of one stage (counted from 0). Its keys and rounds are its own: `prefix` and `shift` make those of
    the tournament of them."""

    stage: int
    progress: Progress
    prefix: str
    shift: int

    def key(self, key: str) -> str:
        """The key of the tournament's pairing."""
        return f"{self.prefix}{key}"


def brackets(
    plan: Plan, entrants: Sequence[views.Entrant], pairings: Sequence[views.Pairing]
) -> tuple[StageBracket, ...]:
    """The brackets of the stages that have begun, the first stage first. No statement is sent."""
    field = field_shown(entrants, pairings, lot="")
    format_ = plan.format()
    if isinstance(format_, Elimination):
        return (StageBracket(0, format_.progress(field), "", 0),) if field.pairings else ()
    if not isinstance(format_, Stages):
        return ()
    found = []
    for number, one in enumerate(format_.formats[: begun(field) + 1]):
        inside = format_.inside(field, number)
        if isinstance(one, Elimination) and inside.pairings:
            found.append(
                StageBracket(number, one.progress(inside), prefix(number), rounds_before(field, number))
            )
    return tuple(found)
