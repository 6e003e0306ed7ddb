"""Letters about a match that has begun: each shows the board, and says what to decide and until when."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from bgmail import timing
from bgmail.notify.letters import tournaments
from bgmail.notify.letters.desk import Desk
from bgmail.phrases import award_line, game_result, lasting, outcome, span
from bgmail.phrases.claims import claim_title, claim_words
from bgmail.phrases.tasks import offer_line


def accepted(desk: Desk) -> dict[str, Any]:
    """To the inviter, when the other one opens the match."""
    return {"situation": desk.situation()}


def your_turn(desk: Desk) -> dict[str, Any]:
    """The reader is to roll, to double or to play; with the result of the game before, if it just ended."""
    return {"situation": desk.situation()}


def double(desk: Desk) -> dict[str, Any]:
    """The reader is doubled."""
    cube = desk.occasion.match.match.cube.value * 2
    return {"situation": desk.situation(), "value": cube}


def resignation(desk: Desk) -> dict[str, Any]:
    """The reader is offered a resignation, on turn or off."""
    return {
        "situation": desk.situation(),
        "offer": offer_line(desk.occasion.match.match, desk.occasion.names()),
    }


def game_over(desk: Desk) -> dict[str, Any]:
    """A game ended, the next one has begun, and the opponent is on turn."""
    last = desk.occasion.match.match.last_game
    result = game_result(last, desk.occasion.names()) if last else ""
    return {"situation": desk.situation(), "title": result}


def match_over(desk: Desk) -> dict[str, Any]:
    """The match ended over the board, by a resignation, or by staff."""
    return _ended(desk)


def timeout(desk: Desk) -> dict[str, Any]:
    """The match was lost on time; both are told."""
    return _ended(desk)


def reminder(desk: Desk) -> dict[str, Any]:
    """Time is running out for the reader: told is what counts, not what passes while the clock rests."""
    view = desk.occasion.match
    left = timing.left(view.clock, desk.now, view.running_pauses)[desk.occasion.seat]
    turn, bank = left.turn or timedelta(), left.bank or timedelta()
    return {
        "situation": desk.situation(),
        "left": span(turn + bank),
        "to_bank": span(turn) if turn and bank else "",
        "spelled": lasting(turn if turn and bank else turn + bank),
    }


def claim(desk: Desk) -> dict[str, Any]:
    """Somebody's time is over, which the opponent has to claim; both are told."""
    match, names = desk.occasion.match.match, desk.occasion.names()
    return {
        "situation": desk.situation(),
        "title": claim_title(match, names),
        "words": claim_words(match, names),
    }


def day_given(desk: Desk) -> dict[str, Any]:
    """The opponent gives the reader a day more for this turn."""
    return {"situation": desk.situation()}


def untimed(desk: Desk) -> dict[str, Any]:
    """The opponent offers to play on without a clock, or has agreed to."""
    return {"situation": desk.situation(), "agreed": desk.occasion.match.clock.control.untimed}


def _ended(desk: Desk) -> dict[str, Any]:
    match = desk.occasion.match.match
    title, award = outcome(match, desk.occasion.names()), award_line(match)
    means = tournaments.means(desk.connection, desk.occasion)
    return {"situation": desk.situation(), "title": title, "award": award, "means": means}
