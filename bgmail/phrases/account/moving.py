"""How checkers move: what rulebooks say of board, dice, hits and bearing off.

In our own words, a sentence for each topic of the account.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bgmail.phrases.translate import lazy_gettext as _

MOVING: Mapping[str, Any] = {
    "goal": _("Whoever has taken all fifteen checkers off first wins the game."),
    "two-sides": _("Two sides, fifteen checkers each; one is light, the other dark."),
    "board": _("A board of 24 points in four quarters, with the bar between its halves."),
    "numbering": _("Points are counted from your own side; your 24 is the 1 of your opponent."),
    "quarters": _("The four quarters: your home board, your outer board, and the same two of your opponent."),
    "direction": _("You go from high points to low ones, your opponent against you."),
    "home": _("The points 6 to 1 are the home board, where all checkers have to arrive."),
    "pips": _("Distances are counted in pips, one for each point travelled."),
    "bar-place": _("The bar is no point: checkers that were hit wait on it, behind your 24."),
    "start": _("Each side starts with two on 24, five on 13, three on 8 and five on 6."),
    "start-pips": _("The start has 167 pips to go for each side, counted by the program itself."),
    "opening-roll": _("Each side rolls one die to open; the higher one starts with both numbers."),
    "opening-tie": _("A tie in the opening roll is rolled again."),
    "each-game": _("Every game of a match has an opening roll of its own."),
    "turns": _("The sides take turns, with a roll of two dice each time."),
    "dice": _("Each die moves one checker by its number, and is used once."),
    "one-or-two": _("Two checkers by a die each, or one by both, in either order."),
    "stop-between": _("A checker moving by both dice has to be able to stand in between."),
    "open-point": _("A checker may land where fewer than two of the other side stand."),
    "blocked": _("Two or more checkers of one side close a point to the other."),
    "pass-over": _("A closed point can be passed over, but not landed on."),
    "stack": _("As many of your own as you like may share a point."),
    "blot": _("A checker alone on its point is a blot and can be hit."),
    "hit": _("Landing on a blot sends it to the bar, and its way begins again."),
    "several-hits": _("One turn may hit several blots, also with one checker."),
    "doubles": _("Two equal dice are played four times."),
    "doubles-most": _("Of four equal numbers as many have to be played as is possible."),
    "both-dice": _("If there is a way to play both dice, one such way has to be found, even to your harm."),
    "larger-die": _("Where either die can be played but not both, it is the larger one."),
    "one-die": _("Where one number alone can be played, it has to be."),
    "dance": _("Where nothing can move, the roll is lost and the turn passes by itself."),
    "closed-board": _("Against six closed points nothing enters until one of them opens."),
    "bar-first": _("While a checker is on the bar, nothing else of yours may move."),
    "enter": _("It enters the opponent’s home board at the number of a die: a 1 on 24, a 6 on 19."),
    "enter-open": _("Entering needs an open point."),
    "enter-none": _("If neither die enters, the whole roll is lost."),
    "enter-many": _("With several on the bar, all that can do enter; the rest of the roll is lost."),
    "enter-then": _("Once the bar is empty, the dice that are left are played as always."),
    "bear-off-when": _("Bearing off begins when all fifteen are home or off."),
    "bear-off-exact": _("A die takes a checker off the point of its number."),
    "bear-off-higher": _("If nobody stands there, a checker from a higher point has to move."),
    "bear-off-highest": _("With nobody higher, the die takes off the highest there is."),
    "bear-off-choice": _("Instead of bearing off you may move inside, if that is legal."),
    "bear-off-hit": _("A checker that is hit meanwhile has to come home before any other leaves."),
    "least-waste": _("Of the plays that use all dice, one that wastes the fewest pips has to be made."),
    "waste": _("Bearing off with too high a die wastes the difference."),
}
