"""What a server does: what rulebooks say of clocks, connections and fair play.

In our own words, a sentence for each topic of the account.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bgmail.phrases.translate import lazy_gettext as _

SERVER: Mapping[str, Any] = {
    "server": _("The server rolls, keeps time and counts; so there is nothing to do by hand."),
    "server-records": _("Every roll and play is written down, and that log decides."),
    "legal-only": _("A play that isn’t legal is refused, with the reason."),
    "forced": _("What leaves no choice is played for you."),
    "turn-time": _("Each turn has a time of its own."),
    "then-bank": _("When that is used up, the bank runs."),
    "bank-match": _("The bank is for the whole match and isn’t filled up between games."),
    "bank-game": _("Each side has a bank of 90 s, new in every game."),
    "turn-11": _("A turn has 11 seconds of its own."),
    "time-choice": _("How much time there is depends on the time control that is chosen."),
    "timeout-match": _("Whoever exceeds the time with a play to make loses the match."),
    "timeout-claim": _("A timeout counts as a gammon, and the opponent has to claim it."),
    "answer-time": _("A double has a short time for its answer, and then the bank."),
    "answer-late": _("A double that isn’t answered in time is passed."),
    "connection": _("The clock runs whether you are connected or not."),
    "connection-advice": _("Come back in time: nothing is lost before the time is used up."),
    "given-back": _("A part of the bank used while away is given back, a few times a match; live play only."),
    "inactivity": _("Whoever stays away on turn beyond a limit loses the current game; live play only."),
    "home-side": _("On which side your home board lies is your own choice, for every board."),
    "eight-ten": _("Eight minutes for each side, and ten seconds more with every play."),
    "days": _("A turn at a time over days, or live: whoever invites chooses."),
    "watch": _("Nothing is hidden, so anyone may watch."),
    "live-delay": _("Two minutes a point and a delay for every turn: one of the live time controls."),
    "delay-first": _("The time of a turn is used before the bank; what is left of it isn’t saved."),
    "glicko": _("Two players on an eight-minute clock, rated by Glicko-2."),
    "fair-play": _(
        "No help by people or programs, no strange accounts, no arranged results: comes with fair play."
    ),
    "disputes": _("Where to turn with a doubtful result: comes with the decisions of the staff."),
    "contact": _("An address of that federation; who runs this site is said in the help."),
    "lead-in": _("Leads over to what follows, and rules nothing by itself."),
    "introduction": _("Introduces another house’s own pages; no rule."),
    "book-story": _("A story of that book’s own drafts; no rule."),
    "other-plans": _("What another site has yet to build; here these matches are played."),
}
