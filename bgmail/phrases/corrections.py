"""Words about results that somebody else gave a match: whoever runs its tournament, or the server in their place."""

from __future__ import annotations

from collections.abc import Mapping

from bgmail.phrases.translate import gettext, lazy_gettext
from bgmail.phrases.words import Names

WHY = {
    "left": lazy_gettext("a player left the tournament"),
    "late": lazy_gettext("the time of the round was over"),
    "replaced": lazy_gettext("somebody else has the place in the tournament"),
    "cancelled": lazy_gettext("the tournament was cancelled"),
}
"""Why the server corrected a match by itself; the words stand in the log."""


NAMED, ORGANISER, SERVER = "named", "organiser", "server"
_LOGGED = {
    ("won", NAMED): lazy_gettext("won by the decision of %(author)s: %(reason)s"),
    ("won", SERVER): lazy_gettext("won by forfeit: %(reason)s"),
    ("won", ORGANISER): lazy_gettext("won by an organiser’s decision: %(reason)s"),
    ("annulled", NAMED): lazy_gettext("%(author)s annulled the match: %(reason)s"),
    ("annulled", SERVER): lazy_gettext("The match was annulled: %(reason)s"),
    ("annulled", ORGANISER): lazy_gettext("An organiser annulled the match: %(reason)s"),
    ("forfeit", NAMED): lazy_gettext("%(author)s decided that both forfeit: %(reason)s"),
    ("forfeit", SERVER): lazy_gettext("Both forfeit: %(reason)s"),
    ("forfeit", ORGANISER): lazy_gettext("An organiser decided that both forfeit: %(reason)s"),
}


def logged(data: Mapping[str, object], names: Names) -> str:
    """What a `correction` entry says, after the winner's name where there is a winner."""
    author = data.get("author")
    by = names.author(author) if author and isinstance(author, int | str) else None
    who = NAMED if by else ORGANISER if author else SERVER
    said = {"author": by, "reason": said_why(data)}
    if "ending" not in data:
        return gettext("Corrected: %(reason)s", reason=said["reason"])
    sort = "won" if data["winner"] else "annulled" if data["ending"] == "annulled" else "forfeit"
    return str(_LOGGED[sort, who]) % said


def said_why(data: Mapping[str, object]) -> str:
    """The reason in the reader's words where the server gave it, else as its author wrote it."""
    why = WHY.get(str(data.get("why", "")))
    return str(why) if why else str(data.get("reason", ""))
