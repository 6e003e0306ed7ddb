"""Our own plain player, which needs nothing installed: a few numbers set by hand, and a look at the next roll."""

from __future__ import annotations

from bgmail.engine import chances
from bgmail.engine.worth import foreseen, in_contact, racing, standing
from bgmail.rules.match import Match, legal
from bgmail.rules.play import Play
from bgmail.rules.position import Position

BEST = 5
"""Plays that are looked at more closely: the rest stand too far behind to be the best."""


class PlainPlayer:
    """Plays like a club's beginner who has read a book; the same position always gets the same answer."""

    name = "plain"

    def __init__(self, *, looks_ahead: bool = True) -> None:
        """Without looking ahead it is fifteen times faster, and careless with blots."""
        self._looks_ahead = looks_ahead

    def play(self, match: Match) -> Play:
        """Of the plays that stand best, the one that stands best after the opponent's answers."""
        if not in_contact(match.position):
            return max(legal(match), key=lambda play: (racing(play.position), play.position))
        best = sorted(legal(match), key=lambda play: (standing(play.position), play.position), reverse=True)
        if not self._looks_ahead:
            return best[0]
        return max(best[:BEST], key=lambda play: (foreseen(play.position, match.rules), play.position))

    def doubles(self, match: Match) -> bool:
        """By the chance in the game and the score; it never plays on for a gammon instead."""
        return chances.should_double(match)

    def takes(self, match: Match) -> bool:
        """By the chance in the game and the score."""
        return chances.should_take(match)

    def settles(self, match: Match) -> bool:
        """Takes what is offered unless a gammon is likelier than not."""
        offer = match.offer
        if offer is None or offer.value > 1:
            return True
        return not _gammon_is_near(match.seen_by(offer.side))


def _gammon_is_near(loser: Position) -> bool:
    """Whether the loser needs more turns to bear off one checker than the winner to bear off all."""
    if loser.off:
        return False
    own = [(point, count) for point, count in enumerate(loser.board) if count > 0]
    to_first_off = sum(max(0, point - 6) * count for point, count in own) + 3
    return to_first_off > loser.opponent_pip_count() + chances.MEAN_OF_ROLL
