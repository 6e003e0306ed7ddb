"""What a game is already certain to cost its loser: a bound that is never wrong, though not always sharp."""

from __future__ import annotations

from bgmail.rules.position import Position
from bgmail.rules.ruleset import RuleSet
from bgmail.rules.score import BACKGAMMON, GAMMON, SINGLE

MOST_PIPS_A_TURN = 24
LEAST_PIPS_A_TURN = 2


def certain_loss(loser: Position, rules: RuleSet, *, loser_on_roll: bool) -> int:
    """The least that the side on roll in `loser` can lose if it loses this game: 1, 2 or 3.

    Without contact the winner needs at most half its pips in turns (each of two dice moves at least a pip or
    takes a checker off), and the loser needs at least a 24th of the pips before it in turns. Where the first
    number is no more than the turns the loser still gets, the loss is certain.
    """
    if loser.off or _contact(loser):
        return SINGLE
    turns = -(-loser.opponent_pip_count() // LEAST_PIPS_A_TURN) - (0 if loser_on_roll else 1)
    reach = turns * MOST_PIPS_A_TURN
    if rules.triple and _pips_out_of_winners_home(loser) > reach:
        return BACKGAMMON
    return GAMMON if _pips_to_first_off(loser) > reach else SINGLE


def _contact(loser: Position) -> bool:
    board = loser.board
    if board[0] or board[25]:
        return True
    last_own = max((point for point in range(1, 25) if board[point] > 0), default=0)
    first_other = min((point for point in range(1, 25) if board[point] < 0), default=25)
    return last_own > first_other


def _pips_out_of_winners_home(loser: Position) -> int:
    return sum(max(0, point - 18) * loser.board[point] for point in range(19, 25) if loser.board[point] > 0)


def _pips_to_first_off(loser: Position) -> int:
    own = [(point, count) for point, count in enumerate(loser.board[1:25], 1) if count > 0]
    home = sum(max(0, point - 6) * count for point, count in own)
    return home + min(min(point, 6) for point, _ in own)
