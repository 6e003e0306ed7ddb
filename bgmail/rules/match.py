"""The one function that moves a match on: `apply(match, action) -> match`.

The state itself is in `bgmail.rules.state`, what a side may do in `bgmail.rules.options`; both are named here
too, so that a user of the rules needs one door.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bgmail.rules.action import Action, ActionRefused, Kind
from bgmail.rules.dice import Dice
from bgmail.rules.options import certain_value, options, resignation_values, timeout_value, why_no_double
from bgmail.rules.position import Position
from bgmail.rules.ruleset import Resignation
from bgmail.rules.score import SINGLE, Cube, Ending, crawford_of_next_game, worth
from bgmail.rules.side import Side, put
from bgmail.rules.state import GameResult, Match, Offer, Phase, Result, legal, new_match

__all__ = ["GameResult", "Match", "Offer", "Phase", "Result", "apply", "legal", "new_match", "options"]


CORRECTED = (Ending.FORFEIT, Ending.ANNULLED, Ending.RESIGNED, Ending.TIMEOUT, Ending.PASS, Ending.BEAR_OFF)
"""The endings that a correction may give. A forfeit may be both sides', an annulled match has no winner."""


def apply(match: Match, action: Action) -> Match:
    """The match after `action`. Raises ActionRefused, and changes nothing, where it isn't allowed now.

    Dice come with the action: who drew them, and whether they are honest, is judged elsewhere; and so is whether
    somebody's time is over.
    """
    after = _STEPS[action.kind](match, action)
    return replace(after, late=False) if after.late and after.on_turn is not match.on_turn else after


def _accept(match: Match, action: Action) -> Match:
    _need(match, Phase.INVITED)
    if action.side is not Side.BLACK:
        raise ActionRefused("own_invitation")
    return replace(match, phase=Phase.OPENING, game=1, opening=True)


def _end_invitation(match: Match, action: Action) -> Match:
    _need(match, Phase.INVITED)
    ending = {
        Kind.DECLINE: Ending.DECLINED,
        Kind.CANCEL: Ending.CANCELLED,
        Kind.EXPIRE: Ending.EXPIRED,
    }[action.kind]
    return replace(match, phase=Phase.OVER, result=Result(None, ending))


def _opening_roll(match: Match, action: Action) -> Match:
    _need(match, Phase.OPENING)
    dice = _dice_of(action)
    if dice.is_double:
        return match
    first = Side.WHITE if dice.d1 > dice.d2 else Side.BLACK
    return replace(match, phase=Phase.PLAY, turn=first, dice=dice)


def _roll(match: Match, action: Action) -> Match:
    _need_turn(match, action, Phase.ROLL_OR_DOUBLE)
    return replace(_answered_by_playing_on(match), phase=Phase.PLAY, dice=_dice_of(action))


def _play(match: Match, action: Action) -> Match:
    _need_turn(match, action, Phase.PLAY)
    after = match.position if action.play is None else action.play.position
    plays = legal(match)
    if after not in ({play.position for play in plays} if plays else {match.position}):
        raise ActionRefused("illegal_play", play=str(action.play or ""), dice=str(match.dice))
    if after.off == 15:
        value = worth(after.mirrored(), match.rules)
        return _finish_game(replace(match, position=after), match.turn, value, Ending.BEAR_OFF)
    return replace(
        match,
        phase=Phase.ROLL_OR_DOUBLE,
        turn=match.turn.other,
        position=after.mirrored(),
        dice=None,
        opening=False,
        offer=None,
        offers=frozenset(),
    )


def _double(match: Match, action: Action) -> Match:
    side = _need_turn(match, action, Phase.ROLL_OR_DOUBLE)
    reason = why_no_double(match, side)
    if reason:
        raise ActionRefused(reason)
    return replace(_answered_by_playing_on(match), phase=Phase.TAKE_OR_PASS)


def _take(match: Match, action: Action) -> Match:
    side = _need_turn(match, action, Phase.TAKE_OR_PASS)
    return replace(match, phase=Phase.ROLL_OR_DOUBLE, cube=Cube(match.cube.value * 2, side))


def _pass(match: Match, action: Action) -> Match:
    side = _need_turn(match, action, Phase.TAKE_OR_PASS)
    return _finish_game(match, side.other, SINGLE, Ending.PASS)


def _resign(match: Match, action: Action) -> Match:
    side = _need_side(match, action, opening=True)
    allowed = resignation_values(match, side)
    value = action.value
    if match.rules.resignation is Resignation.POSITION and value is None and allowed:
        value = allowed[0]
    if not allowed:
        raise ActionRefused("resign_not_now")
    if value not in allowed:
        raise ActionRefused("resign_value", value=value, allowed=allowed)
    if match.rules.resignation is Resignation.POSITION:
        return _finish_game(match, side.other, value, Ending.RESIGNED)
    offered = replace(match, offer=Offer(side, value), offers=match.offers | {side})
    return replace(offered, phase=Phase.ANSWER_RESIGNATION) if side is match.turn else offered


def _accept_resignation(match: Match, action: Action) -> Match:
    offer = _offer_to(match, action)
    return _finish_game(match, offer.side.other, offer.value, Ending.RESIGNED)


def _decline_resignation(match: Match, action: Action) -> Match:
    offer = _offer_to(match, action)
    if offer.side is not match.turn:
        return replace(match, offer=None)
    waiting = Phase.OPENING if match.opening else Phase.ROLL_OR_DOUBLE
    return replace(match, offer=None, phase=Phase.PLAY if match.dice else waiting)


def _resign_match(match: Match, action: Action) -> Match:
    return _lose_match(match, _need_side(match, action, opening=True), Ending.RESIGNED)


def _late(match: Match, action: Action) -> Match:
    side = _need_side(match, action)
    if not match.rules.claimed or match.late or side is not match.on_turn:
        raise ActionRefused("claim_timeout")
    return replace(match, late=True)


def _claim_timeout(match: Match, action: Action) -> Match:
    side = _need_side(match, action)
    if not match.late or side is match.on_turn:
        raise ActionRefused("claim_timeout")
    if match.phase is Phase.TAKE_OR_PASS:
        return _finish_game(match, side, SINGLE, Ending.PASS)
    if match.phase is Phase.ANSWER_RESIGNATION and match.offer:
        return _finish_game(match, side.other, match.offer.value, Ending.RESIGNED)
    return _lost_on_time(match, side.other)


def _timeout(match: Match, action: Action) -> Match:
    return _lost_on_time(match, _need_side(match, action, opening=True))


def _inactivity(match: Match, action: Action) -> Match:
    side = _need_side(match, action)
    if not match.rules.inactivity:
        raise ActionRefused("wrong_phase", phase=match.phase.value)
    return _finish_game(match, side.other, certain_value(match, side), Ending.TIMEOUT)


def _correct(match: Match, action: Action) -> Match:
    """Whoever runs the event ends a match, or gives one that is over another result. The score stays as played."""
    if not match.game or match.phase is Phase.OPENING:
        raise ActionRefused("wrong_phase", phase=match.phase.value)
    winner, ending = action.winner, action.ending
    fits = ending in CORRECTED and (winner is None) == (ending is Ending.ANNULLED)
    if ending is None or not (fits or ending is Ending.FORFEIT):
        raise ActionRefused("bad_correction")
    missing = match.away(winner) if winner is not None else 0
    awarded = put((0, 0), winner, missing) if winner is not None and missing else None
    return _over(match, Result(winner, ending, awarded))


def _lost_on_time(match: Match, side: Side) -> Match:
    value = timeout_value(match, side)
    if value is None:
        return _lose_match(match, side, Ending.TIMEOUT)
    return _finish_game(match, side.other, value, Ending.TIMEOUT)


def _lose_match(match: Match, side: Side, ending: Ending) -> Match:
    winner = side.other
    awarded = put((0, 0), winner, match.away(winner)) if match.length else None
    return _over(match, Result(winner, ending, awarded))


_STEPS: dict[Kind, Callable[[Match, Action], Match]] = {
    Kind.ACCEPT: _accept,
    Kind.DECLINE: _end_invitation,
    Kind.CANCEL: _end_invitation,
    Kind.EXPIRE: _end_invitation,
    Kind.OPENING_ROLL: _opening_roll,
    Kind.ROLL: _roll,
    Kind.PLAY: _play,
    Kind.DOUBLE: _double,
    Kind.TAKE: _take,
    Kind.PASS: _pass,
    Kind.RESIGN: _resign,
    Kind.ACCEPT_RESIGNATION: _accept_resignation,
    Kind.DECLINE_RESIGNATION: _decline_resignation,
    Kind.RESIGN_MATCH: _resign_match,
    Kind.LATE: _late,
    Kind.CLAIM_TIMEOUT: _claim_timeout,
    Kind.TIMEOUT: _timeout,
    Kind.INACTIVITY: _inactivity,
    Kind.CORRECTION: _correct,
}


def _need(match: Match, phase: Phase) -> None:
    if match.phase is not phase:
        raise ActionRefused(
            "match_over" if match.phase is Phase.OVER else "wrong_phase", phase=match.phase.value
        )


def _need_side(match: Match, action: Action, *, opening: bool = False) -> Side:
    """The side that acts in a match that is being played; before a game's first roll it can only give up."""
    if match.phase is Phase.INVITED or (match.phase is Phase.OPENING and not opening):
        raise ActionRefused("wrong_phase", phase=match.phase.value)
    if match.phase is Phase.OVER:
        raise ActionRefused("match_over")
    if action.side is None:
        raise ActionRefused("no_side")
    return action.side


def _need_turn(match: Match, action: Action, phase: Phase) -> Side:
    side = _need_side(match, action)
    if side is not match.on_turn:
        raise ActionRefused("not_your_turn")
    _need(match, phase)
    return side


def _dice_of(action: Action) -> Dice:
    if action.dice is None:
        raise ActionRefused("no_dice")
    return action.dice


def _offer_to(match: Match, action: Action) -> Offer:
    side = _need_side(match, action, opening=True)
    if match.offer is None or match.offer.side is side:
        raise ActionRefused("no_offer")
    return match.offer


def _answered_by_playing_on(match: Match) -> Match:
    """Playing on declines what the opponent offered."""
    return match if match.offer is None else replace(match, offer=None)


def _finish_game(match: Match, winner: Side, value: int, ending: Ending) -> Match:
    """The one way a game ends: the points are scored, and the match is over or the next game opens."""
    points = value * match.stake
    score = put(match.score, winner, match.score[winner] + points)
    scored = replace(
        match,
        score=score,
        last_game=GameResult(match.game, winner, points, ending, value),
        offer=None,
        offers=frozenset(),
    )
    if _decided(scored):
        return _over(scored, Result(_leader(scored), ending))
    return replace(
        scored,
        phase=Phase.OPENING,
        game=match.game + 1,
        turn=Side.WHITE,
        position=Position.start(),
        dice=None,
        opening=True,
        cube=Cube(),
        crawford=crawford_of_next_game(match.crawford, score, match.length, match.wager),
    )


def _decided(match: Match) -> bool:
    return max(match.score) >= match.length if match.length else match.game >= match.games


def _leader(match: Match) -> Side | None:
    white, black = match.score
    return None if white == black else Side.WHITE if white > black else Side.BLACK


def _over(match: Match, result: Result) -> Match:
    return replace(match, phase=Phase.OVER, offer=None, offers=frozenset(), result=result)
