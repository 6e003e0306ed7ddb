"""Bearing off without contact: the play at least as likely as every other to be off within n rolls, for every n.

Chances are exact, and each is that of whoever plays on for just that n. So whatever number of turns the opponent will
have needed, no other play would have given a better chance to be off before: the race is won as often, and so is every
gammon of one's own. Of an opponent who needs some turns in any case the first n don't count, unless a gammon can
still be won: nothing is decided within them.

Only somebody who can't know how long the opponent will need, and so can't play on for just one n, could now and then
find another play better by a trifle. Up to five checkers a side nobody could; of the choices that are made with six
a side one in 18,000 loses something to perfect play, at most three races in a million.

The table has one number for each of the 54264 ways in which up to 15 checkers stand on six points, the lower the
sooner off, and half a byte for each of these and each of the 21 rolls: from which n on the play that leads to the
lowest number is at least as likely as every other to be off. `tests/rules/make_bearoff.py` makes it, in whole numbers
throughout, so that no rounding decides.
"""

from __future__ import annotations

import pkgutil
import zlib
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from math import comb
from typing import NamedTuple

from bgmail.rules.dice import ROLLS, Dice
from bgmail.rules.legal import legal_plays
from bgmail.rules.play import Play
from bgmail.rules.position import BAR, CHECKERS, Position
from bgmail.rules.ruleset import STANDARD, RuleSet

HOME_POINTS = 6
WAYS = comb(CHECKERS + HOME_POINTS, HOME_POINTS)
"""How many ways there are to have so many checkers, or fewer, on six points."""
NTH = {roll: nth for nth, roll in enumerate(ROLLS)}
FILE = "bearoff.bin"
NEVER = 15
MOST_A_TURN, MOST_PIPS_A_TURN = 4, 24
GAMMON_TURNS = 3
"""Who needs so many turns is far from winning a gammon; a first checker taken off at once keeps it there."""


class Table(NamedTuple):
    """`order`: two bytes a way, the lower first; `waits`: half a byte for each way and roll, the lower first."""

    order: bytes
    waits: bytes

    def place(self, way: int) -> int:
        """How soon a way is off, counted from the soonest."""
        return self.order[2 * way] | self.order[2 * way + 1] << 8

    def wait(self, way: int, nth: int) -> int:
        """From which number of further rolls on the play with the lowest place is at least as good as every other, for
        the nth roll of `ROLLS`: 0 = always, `NEVER` = not at all."""
        entry = way * len(ROLLS) + nth
        return self.waits[entry >> 1] >> 4 * (entry & 1) & NEVER


def in_race(position: Position) -> bool:
    """Whether the two sides have passed each other and nobody can be hit any more."""
    board = position.board
    if board[0] or board[BAR]:
        return False
    last_own = max((point for point in range(1, BAR) if board[point] > 0), default=0)
    first_other = min((point for point in range(1, BAR) if board[point] < 0), default=BAR)
    return last_own < first_other


def bearing_off(position: Position) -> bool:
    """Whether the side on roll bears off without contact: all its checkers that are left stand at home."""
    return in_race(position) and all(count <= 0 for count in position.board[HOME_POINTS + 1 :])


def sure_play(position: Position, dice: Dice, rules: RuleSet) -> Play | None:
    """Of a bear-off without contact the play that is at least as likely as every other to be off within n rolls, for
    every n that can matter; else None.

    None too while a gammon can be lost: as long as no checker is off, it is played only where the opponent is far from
    done and this very play takes the first one off. And None where the rule set forbids some of the plays that the
    table knows of.
    """
    if rules.least_waste or not bearing_off(position) or _gammon_near(position):
        return None
    table, roll = _table(), Dice(dice.high, dice.low)
    if table.wait(way_of(_home(position)), NTH[roll]) > _free_rolls(position):
        return None
    plays = legal_plays(position, dice, STANDARD)
    play = min(plays, key=lambda play: table.place(way_of(_home(play.position))))
    return play if play.position.off else None


def _gammon_near(position: Position) -> bool:
    """Whether no checker is off yet while the opponent could be done soon."""
    return not position.off and _turns_to_come(position) < GAMMON_TURNS


def _turns_to_come(position: Position) -> int:
    """So many turns at least the opponent needs to be off."""
    left = CHECKERS - position.opponent_off
    return max(-(-left // MOST_A_TURN), -(-position.opponent_pip_count() // MOST_PIPS_A_TURN))


def _free_rolls(position: Position) -> int:
    """So many further rolls come in any case before the opponent can be off; 0 as long as it can be gammoned."""
    return min(_turns_to_come(position) - 1, NEVER - 1) if position.opponent_off else 0


def way_of(counts: Sequence[int]) -> int:
    """The number, from 0, of the way in which so many checkers stand on the points 1 to 6."""
    sums = accumulate(counts)
    return sum(comb(total + nth, nth + 1) for nth, total in enumerate(sums))


def _home(position: Position) -> tuple[int, ...]:
    return tuple(max(0, count) for count in position.board[1 : HOME_POINTS + 1])


@cache
def _table() -> Table:
    data = zlib.decompress(pkgutil.get_data(__package__, FILE) or b"")
    return Table(data[: 2 * WAYS], data[2 * WAYS :])
