"""Before a request is answered: was the service away until now? Then nobody's time went by meanwhile."""

from __future__ import annotations

from datetime import datetime, timedelta

from flask import Flask, request

from bgmail.service import outages
from bgmail.service.errors import StorageTrouble
from bgmail.web.guard import SAFE
from bgmail.world import world

ASKED_LATELY = timedelta(minutes=1)


def register(app: Flask) -> None:
    """Lets the first request of a process look for it, and one a minute from then on: a machine can sleep, too."""
    asked: list[datetime] = []

    @app.before_request
    def look() -> None:
        here = world()
        now = here.now()
        if asked and timedelta(0) <= now - asked[0] < ASKED_LATELY:
            return
        try:
            outages.note_silence(here.store, now)
        except StorageTrouble:
            if request.method not in SAFE:  # would be judged as if time had gone by
                raise
            return
        asked[:] = [now]
