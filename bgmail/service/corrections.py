"""A result that somebody else gives a match: whoever runs its tournament. It is one more entry of the log; what was
played stays as it is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bgmail.dice import Chance
from bgmail.rules.action import ActionRefused
from bgmail.rules.match import Phase
from bgmail.rules.score import Ending
from bgmail.rules.side import Side
from bgmail.service.errors import Refused, Stale
from bgmail.service.turns import MOST_TRIES, commit, load, load_draft
from bgmail.service.views import MatchView
from bgmail.store.engine import Store


@dataclass(frozen=True, slots=True)
class Verdict:
    """A result and why: `winner` None = nobody's. `author` is an account and `reason` that person's words; where
    the server decides by itself they are None and "", and `why` is a word of `bgmail.phrases.corrections`."""

    winner: Side | None
    ending: Ending
    author: int | None = None
    reason: str = ""
    why: str = ""

    @property
    def said(self) -> dict[str, Any]:
        """What the log's entry says beside the result."""
        said = {"author": self.author, "reason": self.reason}
        return {**said, "why": self.why} if self.why else said


def end(store: Store, match_id: str, verdict: Verdict, now: datetime, chance: Chance) -> MatchView:
    """Ends a running match; one that is over already stays as it is. Raises NotFound, Refused, Stale."""
    return _corrected(store, match_id, verdict, now, chance, again=False)


def correct(store: Store, match_id: str, verdict: Verdict, now: datetime, chance: Chance) -> MatchView:
    """Ends a running match, or gives one that is over another result; the same result again changes nothing.

    Raises NotFound, Refused (no such result), Stale where it kept moving.
    """
    return _corrected(store, match_id, verdict, now, chance, again=True)


def _corrected(
    store: Store, match_id: str, verdict: Verdict, now: datetime, chance: Chance, *, again: bool
) -> MatchView:
    for _ in range(MOST_TRIES):
        draft = load_draft(store, match_id, now, chance)
        result = draft.match.result
        is_over = draft.match.phase is Phase.OVER
        same = result is not None and (result.winner, result.ending) == (verdict.winner, verdict.ending)
        if is_over and (same or not again):
            return draft.view
        try:
            draft.correct(verdict.winner, verdict.ending, verdict.said)
        except ActionRefused as error:
            raise Refused(error.code, **error.values) from error
        view = commit(store, draft, actor=None)
        if view is not None:
            return view
    raise Stale(load(store, match_id))
