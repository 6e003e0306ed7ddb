"""What is at stake: what rulebooks say of worth, cube, match and giving up.

In our own words, a sentence for each topic of the account.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bgmail.phrases.translate import lazy_gettext as _

STAKES: Mapping[str, Any] = {
    "worth-start": _("A game counts one point to begin with."),
    "worth-cube": _("What a game counts is multiplied by the cube."),
    "worth": _("A game counts more the less far the loser has come."),
    "single": _("A single game: the loser has a checker off."),
    "gammon": _("A gammon counts two: the loser has none off."),
    "backgammon": _("A backgammon counts three: none off, and one still on the bar or in the winner’s home."),
    "gammon-wager": _("The stake of a game is agreed on in points; a gammon doubles it."),
    "backgammon-wager": _("A backgammon triples the stake of a game."),
    "cube-option": _("A doubling cube may raise what is at stake."),
    "cube-values": _("The cube shows what the game is worth, in steps from 2 to 64."),
    "cube-limit": _("Above 64 nobody can double."),
    "cube-centre": _("Every game starts with the cube at 1 in the middle, for either side."),
    "double": _("Before your own roll you may offer to double."),
    "double-opening": _("Nobody can double before the opening roll has been played."),
    "take": _("Whoever takes plays on for twice the points."),
    "cube-owner": _("After a take the cube belongs to the taker, and nobody else can double."),
    "pass": _("Whoever passes loses the game at its worth before the double."),
    "take-or-pass": _("A double is taken or passed; there is no third answer."),
    "redouble": _("The owner may redouble before any own roll."),
    "redouble-silent": _(
        "When to redouble is left open there; here, as by club rules: before your own roll."
    ),
    "match-length": _("A match is played to a number of points agreed on before."),
    "lengths": _("Which lengths there are: the odd ones from 1 to 15."),
    "length-five": _("All matches go to five points."),
    "matches-usual": _("Games can be strung into a match, or played as a number of games."),
    "match-score": _("The points of the games add up for the side that wins them."),
    "match-won": _("The first side to reach the length has won the match."),
    "surplus": _("Points beyond the length change nothing; they are shown all the same."),
    "match-ends": _("A match ends at its length, by resigning it, or on time."),
    "crawford": _("The first game in which a side needs a single point has no cube."),
    "crawford-after": _("After the Crawford game doubling is allowed again."),
    "to-the-end": _("A game ends by bearing off, a pass, a resignation or the clock, and in no other way."),
    "no-agreement": _("No game is called off, repeated or settled between the players."),
    "settlements": _("No settlements: a game is never ended for a fraction of its points."),
    "jacoby": _("No Jacoby rule: gammons count with the cube in the middle, too."),
    "beavers": _("No beavers or raccoons: whoever takes can’t redouble at once."),
    "automatic-doubles": _("No automatic doubles: a tie in the opening roll leaves the cube at 1."),
    "not-played": _("Customs of play for money that are left out here on purpose."),
    "resign": _("A game can be given up."),
    "resign-position": _(
        "It is lost at what the position is worth: single, gammon or backgammon, times the cube."
    ),
    "resign-none-off": _("Resigning costs two with no checker off, else one."),
    "resign-match": _("The whole match can be resigned."),
    "awarded": _("The winner is awarded the points that are missing; the score stays as played."),
    "double-advice": _("Advice about the cube; ours is on the strategy page."),
    "blot-advice": _("Advice about blots; ours is on the strategy page."),
    "race-advice": _("What the game is about; the strategy page says it in our way."),
    "gammon-advice": _("What a gammon means for both sides; the strategy page says more."),
    "why-crawford": _(
        "Why there is a Crawford game: else whoever is behind would double at once, every time."
    ),
    "why-dance": _("How much a lost turn can decide."),
}
