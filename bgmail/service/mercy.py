"""Mercy: a day more for the opponent's present turn, and a friendly match that both agree to play without a clock.

Each is an action like any other, through the one door of `bgmail.service.turns`, but moves neither game nor version.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service.draft import Draft
from bgmail.service.errors import Refused
from bgmail.service.views import MatchView
from bgmail.timing import SECOND

GIVE_DAY, OFFER_UNTIMED = "give_day", "offer_untimed"
ACCEPT_UNTIMED, DECLINE_UNTIMED = "accept_untimed", "decline_untimed"
A_DAY = 86_400
MOST_DAYS = 3
"""Days that one side may give the other in a turn."""


def judge(draft: Draft, side: Side, action: str, via: str) -> int:
    """Adds what an act of mercy comes to; the version, which stays. Raises Refused."""
    why = why_not(draft.view, side, action)
    if why:
        raise Refused(why, most=MOST_DAYS)
    entry = draft.pause(_DATA[action](draft.view, side), side.word, via)
    return entry.version


def why_not(view: MatchView, side: Side, action: str) -> str | None:
    """Why a side can't do this now; None: it can."""
    if view.match.phase is Phase.OVER:
        return "match_over"
    if view.match.phase is Phase.INVITED:
        return "wrong_phase"
    if view.clock.control.untimed:
        return "no_clock"
    return _WHY_NOT[action](view, side)


def options(view: MatchView, side: Side | None) -> list[str]:
    """The acts of mercy that a side may do now."""
    return [] if side is None else [action for action in ACTIONS if why_not(view, side, action) is None]


def days_given(view: MatchView, side: Side) -> int:
    """How many days a side was given for its present turn or answer."""
    return view.clock.gifts[side] // (A_DAY * SECOND)


def _no_day(view: MatchView, side: Side) -> str | None:
    other = side.other
    if view.clock.control.pace == "live":
        return "day_live"
    if view.clock.on is None or view.clock.on != other:
        return "day_own_turn"
    return "day_limit" if days_given(view, other) >= MOST_DAYS else None


def _no_offer(view: MatchView, side: Side) -> str | None:
    opponent, untimed = view.person(side.other), view.rests.untimed
    if view.tournament:
        return "untimed_tournament"
    if view.rated:
        return "untimed_rated"
    if opponent is None or opponent.is_bot:
        return "untimed_machine"
    if untimed.offer is not None:
        return "untimed_offered"
    return "untimed_declined" if untimed.declined[side] else None


def _no_acceptance(view: MatchView, side: Side) -> str | None:
    return None if view.rests.untimed.offer == side.other else "untimed_no_offer"


def _no_refusal(view: MatchView, _side: Side) -> str | None:
    """Whoever made the offer may take it back by the same word."""
    return None if view.rests.untimed.offer is not None else "untimed_no_offer"


_WHY_NOT: Mapping[str, Callable[[MatchView, Side], str | None]] = {
    GIVE_DAY: _no_day,
    OFFER_UNTIMED: _no_offer,
    ACCEPT_UNTIMED: _no_acceptance,
    DECLINE_UNTIMED: _no_refusal,
}
ACTIONS = tuple(_WHY_NOT)


def _gift(_view: MatchView, side: Side) -> dict[str, object]:
    return {"side": side.other.word, "why": "gift", "seconds": A_DAY}


def _word(word: str) -> Callable[[MatchView, Side], dict[str, object]]:
    return lambda _view, side: {"side": side.word, "why": "untimed", "agreed": word == "accept", "word": word}


def _refusal(view: MatchView, side: Side) -> dict[str, object]:
    return _word("withdraw" if view.rests.untimed.offer == side else "decline")(view, side)


_DATA: Mapping[str, Callable[[MatchView, Side], dict[str, object]]] = {
    GIVE_DAY: _gift,
    OFFER_UNTIMED: _word("offer"),
    ACCEPT_UNTIMED: _word("accept"),
    DECLINE_UNTIMED: _refusal,
}
