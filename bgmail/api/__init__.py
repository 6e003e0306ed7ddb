"""The JSON API under /api/v1: personal tokens or the browser's session, problem details, one OpenAPI
document.
"""

from __future__ import annotations

from flask import Flask, Request, Response, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from werkzeug.exceptions import HTTPException

from bgmail.api import events, leagues, matches, me, orders, ratings, tournaments, vacations
from bgmail.api.limits import Buckets
from bgmail.api.operations import blueprint
from bgmail.api.problems import (
    NoFormToken,
    SignInNeeded,
    TooMany,
    of_database,
    of_fault,
    of_forgery,
    of_haste,
    of_http,
    of_service,
    of_sign_in,
)
from bgmail.api.stale import of_stale
from bgmail.service.errors import ServiceError, Stale, StorageTrouble

__all__ = ["events", "leagues", "matches", "me", "orders", "ratings", "register", "tournaments", "vacations"]


def register(app: Flask) -> None:
    """Adds the API to an app."""
    app.extensions["bgmail.api.buckets"] = Buckets()
    app.session_interface = Sessions()
    app.register_blueprint(blueprint)
    app.before_request(_wrong_address)


class Sessions(SecureCookieSessionInterface):
    """The form session of our pages. A program that shows a token has none, and none is opened for it."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """The session of a request."""
        if "HTTP_AUTHORIZATION" in request.environ and request.path.startswith(f"{blueprint.url_prefix}/"):
            return self.make_null_session(app)
        return super().open_session(app, request)


def _wrong_address() -> Response | None:
    """An address or method that the API doesn't have is refused in the API's own shape."""
    error = request.routing_exception
    if error is None:
        return None
    ours = request.path == blueprint.url_prefix or request.path.startswith(f"{blueprint.url_prefix}/")
    return of_http(error) if ours else None


blueprint.register_error_handler(Stale, of_stale)
blueprint.register_error_handler(ServiceError, of_service)
blueprint.register_error_handler(SignInNeeded, of_sign_in)
blueprint.register_error_handler(NoFormToken, of_forgery)
blueprint.register_error_handler(TooMany, of_haste)
blueprint.register_error_handler(StorageTrouble, of_database)
blueprint.register_error_handler(HTTPException, of_http)
blueprint.register_error_handler(Exception, of_fault)
