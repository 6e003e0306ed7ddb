"""Events: what rulebooks say of formats and standings.

In our own words, a sentence for each topic of the account.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bgmail.phrases.translate import lazy_gettext as _

EVENTS: Mapping[str, Any] = {
    "standings-points": _("In standings a match won counts one, a match lost nothing."),
    "standings-forfeit": _("A match given without play is marked + and − in the standings."),
    "ev-format": _("The organiser picks the format of an event and shows it."),
    "ev-round-robin": _("Everybody against everybody, perhaps in groups."),
    "ev-swiss": _("A number of rounds, equals against equals, nobody twice, a bye for an odd one."),
    "ev-swiss-out": _("Swiss rounds in which a number of losses puts you out."),
    "ev-knockout": _("A bracket in which the loser is out, with byes and perhaps a match for third place."),
    "ev-double": _("A second bracket for those who lost once; two losses are the end."),
    "ev-re-entry": _("Whoever is out early may take a free place again."),
    "ev-mixed": _("Stages of different kinds, one after the other."),
    "ev-standings": _("Ranked by matches won, equals parted by criteria in a stated order."),
    "ev-withdrawal": _("What becomes of the results of whoever leaves an event."),
    "ev-fixing": _("Whoever arranges a result is out, and the results are annulled."),
}
