"""The notation of a whole list of plays is written sooner than by looking for each play's moves, and is the same."""

from __future__ import annotations

import random

from bgmail.rules import STANDARD, Dice, Position, legal_plays
from bgmail.rules.spelling import spell
from bgmail.rules.written import write


def test_what_is_written_from_two_positions_is_what_the_moves_spell() -> None:
    chooser = random.Random(11)
    position, told_by_moves = Position.start(), 0
    for _ in range(400):
        dice = Dice(chooser.randint(1, 6), chooser.randint(1, 6))
        plays = legal_plays(position, dice, STANDARD)
        for play in plays:
            text = write(position, dice, play.position)
            told_by_moves += text is None
            assert text in (None, spell(position, dice, play.moves)), f"{dice} in {position.id}"
        after = chooser.choice(plays).position if plays else position
        position = Position.start() if after.off == 15 else after.mirrored()
    assert told_by_moves < 40, "only bearing off with a single checker needs the moves"


def test_a_checker_that_hits_on_its_way_names_the_stop() -> None:
    before = Position.from_id("knPwASEm18EBMA")
    written = {write(before, Dice(4, 1), play.position) for play in legal_plays(before, Dice(4, 1), STANDARD)}
    assert "6/5*/1*" in written


def test_a_double_joins_hops_and_puts_the_longest_way_first() -> None:
    before = Position.from_id("wnPwATDg88gBMA")
    written = {write(before, Dice(4, 4), play.position) for play in legal_plays(before, Dice(4, 4), STANDARD)}
    assert "24/16 24/20 13/9" in written
