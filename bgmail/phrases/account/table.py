"""The real table: what rulebooks say of hands, dice cups and judges.

In our own words, a sentence for each topic of the account.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bgmail.phrases.translate import lazy_gettext as _

TABLE: Mapping[str, Any] = {
    "otb-scope": _("When the rules of a real table apply at all."),
    "otb-judges": _("Judges watch, decide, and can be appealed against."),
    "otb-arrive": _("Being in time at the table, and what comes before the first roll."),
    "otb-seats": _("A die decides who chooses seat, direction and colour."),
    "otb-late": _("The clock of whoever is late runs, down to the loss of the match."),
    "otb-clock": _("A clock with two faces on the table."),
    "otb-control": _("The event says which time control is played."),
    "otb-blitz": _("Shorter clocks for blitz."),
    "otb-extra": _("Some minutes more in long matches without breaks."),
    "otb-press": _("How and when the clock is pressed."),
    "otb-flag": _("Who may say that time is up, and until when one may complain."),
    "otb-time-lost": _("On the table, too, the match is lost with the time."),
    "otb-stop": _("When the clock may be stopped, and what it costs otherwise."),
    "otb-dice-supplied": _("Whose dice are used, how they are thrown, and when they are changed."),
    "otb-shake": _("Real dice are shaken and thrown so that they bounce."),
    "otb-cocked": _("Where dice have to lie, and what happens to cocked ones."),
    "otb-early-roll": _("Rolling before the other side has finished."),
    "otb-disturb-roll": _("Keeping one’s hands off the roll of the other side."),
    "otb-hands": _("How checkers are touched and where those borne off are kept."),
    "otb-cube": _("How the cube is turned, taken and passed by hand."),
    "otb-cube-seen": _("The cube lies where all can see it, and decides a dispute."),
    "otb-illegal": _("What becomes of a wrong play that somebody made by hand."),
    "otb-setup": _("A wrongly set up board: until when the game begins again."),
    "otb-breaks": _("How many breaks a match has, and how long they last."),
    "otb-conduct": _("How players behave in the hall, and what they leave alone."),
    "otb-take-back": _("No play is taken back once it is finished."),
    "otb-results": _("How results are written down and mistakes corrected."),
    "otb-penalties": _("What judges may impose for which breach."),
    "table-cup": _("At a table the dice come out of a cup."),
    "table-draw": _("At a table a first roll settles colour, seat, dice and who begins."),
    "table-mix": _("At a table either player may have the dice mixed."),
    "table-touch": _("At a table nobody touches or throws dice out of time."),
    "table-pick-up": _("At a table picking up the dice ends the turn; the server ends it with the play."),
    "table-errors": _("At a table errors are put right before the next roll; here they can’t happen."),
}
