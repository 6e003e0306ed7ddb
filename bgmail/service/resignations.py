"""Several matches given up in one go, each through the usual door."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from bgmail.dice import Chance
from bgmail.rules.action import Kind
from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service import turns
from bgmail.service.errors import Refused, Stale
from bgmail.service.turns import Request
from bgmail.service.views import MatchView
from bgmail.store.engine import Store

MOST = 300
"""Matches that may be given up at once."""


@dataclass(frozen=True, slots=True)
class Done:
    """How many matches were resigned just now, how many were over before, and how many can't be resigned yet."""

    resigned: int = 0
    over: int = 0
    left: int = 0


def resign_all(
    store: Store, account_id: int, match_ids: Iterable[str], now: datetime, chance: Chance
) -> Done:
    """Resigns each of the matches in which a person sits. Safe to repeat: what is over stays as it ended.

    Raises NotFound or Forbidden where one of them isn't theirs, and Refused for none or too many; nothing is changed
    then. A match that somebody else moves at that instant is resigned as it stands after that.
    """
    views = [turns.load(store, match_id) for match_id in dict.fromkeys(match_ids)]
    if not 0 < len(views) <= MOST:
        raise Refused("no_match_chosen" if not views else "too_many_matches", most=MOST)
    seats = [(view, turns.seat(view, account_id)) for view in views]
    found = [_resigns(store, view, side, now, chance) for view, side in seats]
    return Done(*(found.count(word) for word in ("resigned", "over", "left")))


def _resigns(store: Store, view: MatchView, side: Side, now: datetime, chance: Chance) -> str:
    def ask(seen: MatchView) -> tuple[Side, Request]:
        return side, Request(Kind.RESIGN_MATCH, seen.version, via="page")

    if view.match.phase is Phase.OVER:
        return "over"
    try:
        turns.act_on_sight(store, view.id, ask, now, chance)
    except Refused as error:
        return "over" if error.code == "match_over" else "left"
    except Stale:
        return "left"
    return "resigned"
