"""What goes wrong, as RFC 9457 problem details: one shape for every refusal of the API."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

from flask import Response, current_app, url_for
from werkzeug.exceptions import HTTPException

from bgmail import phrases
from bgmail.phrases.anchors import explained_at
from bgmail.service.allowances import TooOften
from bgmail.service.errors import (
    BUSY_SECONDS,
    Forbidden,
    NotFound,
    Refused,
    ServiceError,
    Stale,
    StorageTrouble,
)

MEDIA_TYPE = "application/problem+json"

logger = logging.getLogger(__name__)


class Malformed(Refused):
    """A request that is JSON, but not one that this API understands; `detail` says where."""

    def __init__(self, detail: str) -> None:
        self.detail = detail
        super().__init__("malformed")


class SignInNeeded(Exception):
    """Nobody has shown who they are. `reason` is a word for programs."""

    def __init__(self, reason: str, detail: str) -> None:
        self.reason = reason
        self.detail = detail
        super().__init__(detail)


class NoFormToken(Exception):
    """A browser's session alone is not enough to act: any site could send that."""


class TooMany(Exception):
    """More requests than a token may make; worth another try after so many whole seconds."""

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        super().__init__(seconds)


def problem(status: int, detail: str, reason: str | None = None, **members: Any) -> Response:
    """A problem document with its status. `members` are added as they are."""
    body: dict[str, Any] = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status}
    body["detail"] = detail
    if reason is not None:
        body["reason"] = reason
    text = current_app.json.dumps({**body, **members})
    response: Response = current_app.response_class(text, status=status, content_type=MEDIA_TYPE)
    response.headers["Cache-Control"] = "no-store"
    return response


def of_service(error: ServiceError, state: dict[str, Any] | None = None) -> Response:
    """The problem of what the service refused; `state` is the match as it stands, where it moved on."""
    if isinstance(error, Malformed):
        return problem(422, error.detail, error.code)
    if isinstance(error, TooOften):
        return of_haste(TooMany(error.seconds))
    status = next((code for kind, code in _STATUS if isinstance(error, kind)), 422)
    members: dict[str, Any] = {} if state is None else {"state": state}
    where = explained_at(error)
    if where:
        members["guide"] = url_for(f"guide.{where.page}", _anchor=where.anchor)
    return problem(status, phrases.refusal(error), error.code, **members)


_STATUS: tuple[tuple[type[ServiceError], int], ...] = (
    (NotFound, 404),
    (Forbidden, 403),
    (Stale, 409),
    (Refused, 422),
)


def of_sign_in(error: SignInNeeded) -> Response:
    """401, and how to do better."""
    response = problem(401, error.detail, error.reason)
    response.headers["WWW-Authenticate"] = 'Bearer realm="bgmail"'
    return response


def of_forgery(_: NoFormToken) -> Response:
    """403: a session may act only with what our own page knows."""
    return problem(403, "Send the form token of the page in X-CSRFToken, or use a personal token.", "csrf")


def of_haste(error: TooMany) -> Response:
    """429, and when to come back."""
    response = problem(429, "Too many requests with this token: wait a moment.", "too_many")
    response.headers["Retry-After"] = str(error.seconds)
    return response


def of_http(error: HTTPException) -> Response:
    """What the web framework refuses by itself: no such address, wrong method, body too long or no JSON."""
    status = error.code or 500
    response = problem(status, error.description or HTTPStatus(status).phrase, _REASONS.get(status))
    for name, value in error.get_headers():
        if name in ("Allow", "Retry-After"):
            response.headers[name] = value
    return response


_REASONS = {400: "not_json", 404: "not_found", 405: "method", 413: "too_long"}


def of_database(error: StorageTrouble) -> Response:
    """A database that can't write now (a full disk, a lost server): nothing was stored, and it may pass."""
    logger.error("the database refuses to work: %s", error.orig)
    response = problem(
        503, "The server can't store anything right now. Nothing was changed; try again.", "busy"
    )
    response.headers["Retry-After"] = str(BUSY_SECONDS)
    return response


def of_fault(error: Exception) -> Response:
    """Our own fault: logged with its story, told without it."""
    logger.error("a request failed", exc_info=error)
    return problem(500, "Something went wrong on our side. Nothing was changed.", "fault")
