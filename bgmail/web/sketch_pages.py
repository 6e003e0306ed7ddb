"""Keeps what somebody lays out on the board, as the board's script tells it."""

from __future__ import annotations

from flask import Blueprint, g, request
from flask.typing import ResponseReturnValue

from bgmail.service import sketches
from bgmail.service.errors import Refused, Stale
from bgmail.web.match_pages import found
from bgmail.world import world

blueprint = Blueprint("sketches", __name__)


@blueprint.post("/match/<match_id>/sketch")
def keep(match_id: str) -> ResponseReturnValue:
    """Keeps a play that is laid out, or takes it back. A script asks: it needs a status, and no page."""
    if g.account is None:
        return "", 401
    here, view = world(), found(match_id)
    version, play = request.form.get("version", type=int) or 0, request.form.get("play", "")
    try:
        sketches.keep(here.store, view, g.account.id, version, play, here.now())
    except Stale:
        return "", 409
    except Refused:
        return "", 422
    return "", 204
