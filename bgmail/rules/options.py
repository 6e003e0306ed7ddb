"""What a side may do now: the one place that page, API, mail and automation ask."""

from __future__ import annotations

from bgmail.rules.action import Kind
from bgmail.rules.certain import certain_loss
from bgmail.rules.ruleset import Resignation, Timeout
from bgmail.rules.score import BACKGAMMON, GAMMON, SINGLE, Crawford, worth
from bgmail.rules.side import Side
from bgmail.rules.state import Match, Phase


def options(match: Match, side: Side) -> tuple[Kind, ...]:
    """The actions that `side` may take now, most usual first; () when there is nothing to do but wait."""
    if match.phase in (Phase.OVER, Phase.OPENING):
        return ()
    if match.phase is Phase.INVITED:
        return (Kind.ACCEPT, Kind.DECLINE) if side is Side.BLACK else (Kind.CANCEL,)
    found: list[Kind] = []
    if match.late and side is not match.on_turn:
        found.append(Kind.CLAIM_TIMEOUT)
    if side is match.on_turn:
        found += _of_the_turn(match, side)
    if match.offer and match.offer.side is not side:
        found += [Kind.ACCEPT_RESIGNATION, Kind.DECLINE_RESIGNATION]
    if resignation_values(match, side):
        found.append(Kind.RESIGN)
    return (*found, Kind.RESIGN_MATCH)


def _of_the_turn(match: Match, side: Side) -> list[Kind]:
    if match.phase is Phase.ROLL_OR_DOUBLE:
        return [Kind.ROLL] if why_no_double(match, side) else [Kind.ROLL, Kind.DOUBLE]
    if match.phase is Phase.PLAY:
        return [Kind.PLAY]
    return [Kind.TAKE, Kind.PASS] if match.phase is Phase.TAKE_OR_PASS else []


def cube_in_play(match: Match) -> bool:
    """Whether the present game has a doubling cube."""
    return match.rules.cube and match.length != 1 and match.crawford is not Crawford.ACTIVE


def why_no_double(match: Match, side: Side) -> str | None:
    """The reason why `side`, about to roll, may not double, as a code; None when it may.

    Before the opening turn is over there is no roll to come and so nothing to ask here.
    """
    rules, cube = match.rules, match.cube
    if not rules.cube or match.length == 1:
        return "no_cube"
    if match.crawford is Crawford.ACTIVE:
        return "crawford_game"
    if cube.owner not in (None, side):
        return "cube_not_yours"
    if cube.value * 2 > rules.cube_limit:
        return "cube_at_limit"
    if rules.dead_cube_refused and match.length and match.score[side] + match.stake >= match.length:
        return "dead_cube"
    return None


def certain_value(match: Match, side: Side) -> int:
    """1, 2 or 3: what the game on the board costs `side` at least, if it loses it."""
    return certain_loss(match.seen_by(side), match.rules, loser_on_roll=side is match.turn)


def timeout_value(match: Match, side: Side) -> int | None:
    """1, 2 or 3: as what the game counts if the time of `side` is over; None where that costs the match.

    Where more is already certain, more it is.
    """
    if match.rules.timeout is Timeout.MATCH:
        return None
    least = GAMMON if match.rules.timeout is Timeout.GAMMON else SINGLE
    return max(least, certain_value(match, side))


def resignation_values(match: Match, side: Side) -> tuple[int, ...]:
    """What `side` may give the game up for now: 1, 2, 3; () when it may not resign the game.

    By offer: never less than is already certain, never a gammon once a checker is off, once a turn, and not
    while a double or an offer is open. By position: exactly what the game would cost if it ended now.
    """
    if match.phase not in (Phase.OPENING, Phase.ROLL_OR_DOUBLE, Phase.PLAY) or match.offer:
        return ()
    mine = match.seen_by(side)
    if match.rules.resignation is Resignation.POSITION:
        return (worth(mine, match.rules),)
    if side in match.offers:
        return ()
    most = SINGLE if mine.off else BACKGAMMON if match.rules.triple else GAMMON
    return tuple(range(certain_value(match, side), most + 1))


def resignation_choices(match: Match, side: Side) -> tuple[int, ...]:
    """Those of `resignation_values` that make a difference, to choose from: none above the least that loses the match.

    Whoever wants to resign more than that still may.
    """
    values = resignation_values(match, side)
    missing = match.length - match.score[side.other]
    losing = [value for value in values if match.length and value * match.stake >= missing]
    return values[: len(values) - len(losing) + 1]
