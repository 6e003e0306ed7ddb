"""The token in forms of ours, by which only our own pages act: signed with the key of today, or with one of before."""

from __future__ import annotations

from flask import current_app
from flask_wtf.csrf import ValidationError, validate_csrf  # type: ignore[import-untyped]


def check(token: str | None) -> None:
    """Raises ValidationError for a token that no page of this browser has."""
    keys = [current_app.secret_key, *current_app.config["SECRET_KEY_FALLBACKS"]]
    fault = None
    for key in keys:
        try:
            validate_csrf(token, secret_key=key)
        except ValidationError as error:
            fault = fault or error
        else:
            return
    raise fault or ValidationError("There is no key.")
