"""What a client is told when the match moved on before its request came."""

from __future__ import annotations

from flask import Response

from bgmail.api.auth import caller
from bgmail.api.problems import of_service
from bgmail.service.errors import Stale
from bgmail.service.states import state
from bgmail.world import world


def of_stale(error: Stale) -> Response:
    """409 with the match as it stands for the one who asked."""
    view = error.view
    return of_service(error, state(view, view.side_of(caller().account_id), world().now()))
