"""Keeps the secrets of mailed links out of access logs, whichever server writes them."""

from __future__ import annotations

import logging
import re

SECRET_PLACES = ("/r/", "/invitation/", "/verify/", "/reset/", "/sign-in-link/", "/unsubscribe/", "/feed/")
"""Where addresses are secrets: whoever knows one may act, or learn something that isn't theirs."""
ACCESS_LOGS = ("werkzeug", "granian.access", "_granian", "gunicorn.access")

_SLASH = "(?:/|%2[Ff])"
_PLACES = "|".join(place.strip("/") for place in SECRET_PLACES)
_AFTER_PLACE = re.compile(rf"({_SLASH}(?:{_PLACES}){_SLASH})[^\s?#&\"'<>]+")


def masked(text: str) -> str:
    """The text with what follows a secret place replaced by three dots."""
    return _AFTER_PLACE.sub(r"\1...", text)


class MaskSecrets(logging.Filter):
    """Masks each line before any handler sees it; lets every line through."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrites the record, told apart by its finished message."""
        message = record.getMessage()
        hidden = masked(message)
        if hidden != message:
            record.msg, record.args = hidden, None
        return True


def mask_logs(own: str) -> None:
    """Puts the mask before the access logs of the servers that we know and the app's `own` log, once."""
    for name in (*ACCESS_LOGS, own):
        log = logging.getLogger(name)
        if not any(isinstance(known, MaskSecrets) for known in log.filters):
            log.addFilter(MaskSecrets())
