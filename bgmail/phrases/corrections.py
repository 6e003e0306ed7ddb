"""Words about results that somebody else gave a match: whoever runs its tournament, or the server in their place."""

from __future__ import annotations

from collections.abc import Mapping

from bgmail.phrases.translate import gettext, lazy_gettext

WHY = {
    "left": lazy_gettext("a player left the tournament"),
    "late": lazy_gettext("the time of the round was over"),
    "replaced": lazy_gettext("somebody else has the place in the tournament"),
    "cancelled": lazy_gettext("the tournament was cancelled"),
}
"""Why the server corrected a match by itself; the words stand in the log."""


_LOGGED = {
    ("won", True): lazy_gettext("won by the decision of %(author)s: %(reason)s"),
    ("won", False): lazy_gettext("won by forfeit: %(reason)s"),
    ("annulled", True): lazy_gettext("%(author)s annulled the match: %(reason)s"),
    ("annulled", False): lazy_gettext("The match was annulled: %(reason)s"),
    ("forfeit", True): lazy_gettext("%(author)s decided that both forfeit: %(reason)s"),
    ("forfeit", False): lazy_gettext("Both forfeit: %(reason)s"),
}


def logged(data: Mapping[str, object]) -> str:
    """What a `correction` entry says, after the winner's name where there is a winner."""
    said = {"author": str(data.get("author") or ""), "reason": said_why(data)}
    if "ending" not in data:
        return gettext("Corrected: %(reason)s", reason=said["reason"])
    sort = "won" if data["winner"] else "annulled" if data["ending"] == "annulled" else "forfeit"
    return str(_LOGGED[sort, bool(said["author"])]) % said


def said_why(data: Mapping[str, object]) -> str:
    """The reason in the reader's words where the server gave it, else as its author wrote it."""
    why = WHY.get(str(data.get("why", "")))
    return str(why) if why else str(data.get("reason", ""))
