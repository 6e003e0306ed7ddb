"""Whose token it is, and the document that describes this API."""

from __future__ import annotations

from typing import Any

from flask import Response, current_app

from bgmail.api.auth import Caller
from bgmail.api.models import Me
from bgmail.api.openapi import document
from bgmail.api.operations import Operation, blueprint, offer


@offer(Operation("GET", "/me", "me", "Who you are", Me))
def me(caller: Caller) -> dict[str, Any]:
    """The account behind the token or session."""
    account = caller.account
    return {"handle": account.handle, "bot": account.is_bot, "time_zone": account.time_zone}


@blueprint.get("/openapi.json")
def openapi() -> Response:
    """For everybody: it tells nothing of anybody."""
    response: Response = current_app.response_class(
        current_app.json.dumps(document()), content_type="application/json"
    )
    return response
