"""What went wrong, as a page in the site's look: one clear sentence and a way on."""

from __future__ import annotations

import logging
from http import HTTPStatus

from flask import Flask, g, render_template
from flask_wtf.csrf import CSRFError  # type: ignore[import-untyped]
from werkzeug.exceptions import HTTPException

from bgmail.phrases import refusal
from bgmail.phrases.translate import gettext as _
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
from bgmail.web.explained import explained

Page = tuple[str, int, dict[str, str]]
log = logging.getLogger(__name__)

_STATUS: tuple[tuple[type[ServiceError], int], ...] = (
    (NotFound, 404),
    (Forbidden, 403),
    (Stale, 409),
    (TooOften, 429),
    (Refused, 422),
)


def register(app: Flask) -> None:
    """Makes these pages the app's answer to errors."""
    app.register_error_handler(ServiceError, of_service)
    app.register_error_handler(CSRFError, of_form)
    app.register_error_handler(HTTPException, of_http)
    app.register_error_handler(StorageTrouble, of_database)
    app.register_error_handler(500, of_fault)


def of_service(error: ServiceError) -> Page:
    """What a service refused."""
    status = next((code for kind, code in _STATUS if isinstance(error, kind)), 422)
    headers = {"Retry-After": str(error.seconds)} if isinstance(error, TooOften) else {}
    return _page(status, refusal(error), headers, explained(error))


def of_form(_error: CSRFError) -> Page:
    """A form that isn't from a page of ours, or from one that was open too long."""
    sentence = _("This page was open for too long, or its form came from elsewhere. Nothing was changed.")
    return _page(400, f"{sentence} {_('Go back, reload the page and try again.')}")


def of_http(error: HTTPException) -> Page:
    """What the framework refuses, in our words; a sentence that one of our own views gave stays."""
    status = error.code or 500
    own = error.description != type(error).description
    sentence = error.description if own and error.description else _sentence(status)
    kept = {name: value for name, value in error.get_headers() if name in ("Allow", "Retry-After")}
    return _page(status, sentence, kept)


def of_database(error: StorageTrouble) -> Page:
    """A database that can't write now (a full disk, a lost server): nothing was stored, and it may pass."""
    log.error("the database refuses to work: %s", error.orig)
    g.setdefault("my_turn", 0)  # the frame would count by a database that may not answer
    return _page(503, _sentence(503), {"Retry-After": str(BUSY_SECONDS)})


def of_fault(_error: Exception) -> Page:
    """Our own fault: the framework writes its story into the log, the page doesn't tell it."""
    return _page(500, _sentence(500))


def _page(
    status: int, sentence: str, headers: dict[str, str] | None = None, guide: str | None = None
) -> Page:
    page = render_template("error.html", title=_title(status), sentence=sentence, guide=guide)
    return page, status, headers or {}


def _title(status: int) -> str:
    titles = {
        400: _("That can't be read"),
        403: _("Not yours to do"),
        404: _("Nothing here"),
        405: _("Not in this way"),
        409: _("The match has moved on"),
        413: _("Too much at once"),
        422: _("Not possible"),
        429: _("Too often"),
        500: _("Something broke"),
        503: _("Not at the moment"),
    }
    return titles.get(status) or HTTPStatus(status).phrase


def _sentence(status: int) -> str:
    sentences = {
        400: _("The server could not read this request. Nothing was changed."),
        403: _("You may not do that. Nothing was changed."),
        404: _("There is nothing at this address. Perhaps the end of the link got lost?"),
        405: _("This address can't be used in this way. Nothing was changed."),
        409: _("The match has moved on since you looked. Nothing was changed."),
        413: _("That is more than this server takes at once. Nothing was changed."),
        415: _("The server can't read data of this kind. Nothing was changed."),
        429: _("That was too much in too short a time. Please wait a little."),
        500: _("Something went wrong on our side. Please try again in a moment."),
        503: _(
            "The server can't store anything right now. Nothing was changed. Please try again in a moment."
        ),
    }
    return sentences.get(status) or _("That didn't work (%(status)s). Nothing was changed.", status=status)
