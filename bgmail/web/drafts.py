"""A written play that was refused, kept until the page asks for it again: nobody types it twice."""

from __future__ import annotations

from flask import request, session

MOST = 80
"""So much a written play may be, as its field says."""
_KEY = "wrote"


def keep(match_id: str) -> None:
    """Keeps what was just written into the form of a match, in this browser's own cookie."""
    wrote = written()
    if wrote:
        session[_KEY] = [match_id, wrote]


def take(match_id: str) -> str:
    """What was kept for this match, once; else ""."""
    if _KEY not in session:
        return ""
    kept_for, wrote = session.pop(_KEY)
    return str(wrote) if kept_for == match_id else ""


def written() -> str:
    """The play as the form that was sent has it; "" where it has none."""
    if request.form.get("action") != "play":
        return ""
    play = request.form.get("play", "").strip()[:MOST]
    return "".join(sign for sign in play if sign.isprintable())
