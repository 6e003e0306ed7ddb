"""Notes of one's own, kept by a small form on the page of a match or a person."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from bgmail.phrases import refusal
from bgmail.service import notes
from bgmail.service.errors import Refused
from bgmail.service.notes import Notes
from bgmail.web.addresses import safe_path
from bgmail.web.reader import signed_in
from bgmail.world import world

blueprint = Blueprint("notes", __name__)

BY_SCRIPT = "note"
"""How the page's script says in X-Requested-With that it stays where it is."""


def own_notes(match_id: str = "", person_id: int | None = None) -> Notes | None:
    """What the reader noted about a match and a person; None for a stranger, who can't take notes."""
    account = signed_in()
    if account is None:
        return None
    return notes.read(world().store, account.id, match_id, person_id)


@blueprint.app_context_processor
def limits() -> dict[str, int]:
    """How long a note may be, for its form."""
    return {"most_note": notes.MOST}


@blueprint.post("/match/<match_id>/note")
def on_match(match_id: str) -> ResponseReturnValue:
    """Keeps a note on a match."""
    return _keep(notes.on_match, match_id, url_for("match.page", match_id=match_id))


@blueprint.post("/u/<handle>/note")
def on_person(handle: str) -> ResponseReturnValue:
    """Keeps a note on a person."""
    return _keep(notes.on_person, handle, url_for("people.profile", handle=handle))


def _keep(keep: Callable[..., None], about: str, home: str) -> ResponseReturnValue:
    account = signed_in()
    back, stays = (
        safe_path(request.form.get("back"), home),
        request.headers.get("X-Requested-With") == BY_SCRIPT,
    )
    if account is None:
        return ("", 401) if stays else redirect(url_for("auth.sign_in", next=back), 303)
    body, here = request.form.get("body", ""), world()
    try:
        keep(here.store, account.id, about, body, here.now())
    except Refused as error:
        again = {"body": body, "back": back, "error": refusal(error)}
        return render_template("notes/again.html", **again), 422
    return ("", 204) if stays else redirect(f"{back}#notes", 303)
