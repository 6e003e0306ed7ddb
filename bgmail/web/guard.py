"""What stands before every page: the right host, who is signed in, and that a form is our own."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar
from urllib.parse import urlsplit

from flask import Flask, abort, current_app, flash, g, redirect, request, url_for
from flask import session as form_session
from flask.globals import request_ctx
from flask_wtf.csrf import CSRFError, CSRFProtect, ValidationError  # type: ignore[import-untyped]
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.wrappers import Response

from bgmail import forms
from bgmail.phrases.translate import gettext as _
from bgmail.service import allowances, logins
from bgmail.service.accounts import Account
from bgmail.settings import LOOPBACK
from bgmail.web.addresses import safe_path
from bgmail.web.browsers import browser_name
from bgmail.world import world

SAFE = ("GET", "HEAD", "OPTIONS")
OWN_PAGES = ("same-origin", "none")
"""What Sec-Fetch-Site says when the form stood on a page of ours, or when nobody's page sent it."""
ONE_CLICK = "letters.unsubscribe"
"""Mail providers press this button for their readers (RFC 8058): they know no token of ours."""
INBOUND = ("inbox.receive", "inbox.reported")
"""Mail providers hand over mail, and what became of ours: it is signed."""
WITHOUT_TOKEN = ("look.choose", "language.choose", "reply.act", "push.moved")
"""A form that nobody gains by forging (how pages look or speak), and one that names a secret of its own."""
API = "/api/"
ANY_HOST = ("/metrics",)
"""What machines beside this one ask, by whatever name."""
FILES = ("static", "look.style", "look.text", "push.worker")

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")

_forms = CSRFProtect()


def register(app: Flask) -> None:
    """Puts the guard before every view of the app."""
    settings = app.extensions["bgmail"].settings
    prefix = "__Host-" if settings.base_url.startswith("https:") else ""
    app.config.update(
        SESSION_COOKIE_NAME=f"{prefix}bgmail_form",
        BGMAIL_LOGIN_COOKIE=f"{prefix}bgmail_login",
        WTF_CSRF_CHECK_DEFAULT=False,  # asked below, where the API and one-click letters pass
        WTF_CSRF_TIME_LIMIT=None,
        WTF_CSRF_SSL_STRICT=False,  # pages under a token send no referrer
    )
    if settings.trusted_proxies:
        ours = settings.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=ours, x_proto=ours)  # type: ignore[method-assign]
    _forms.init_app(app)
    app.before_request(_know_the_host)
    app.before_request(_know_who_asks)
    app.after_request(_forget_a_dead_login)


def signed_in(view: Callable[Arguments, Answer]) -> Callable[Arguments, Answer | Response]:
    """A view for people who are signed in; others sign in first and come back."""

    @functools.wraps(view)
    def guarded(*args: Arguments.args, **values: Arguments.kwargs) -> Answer | Response:
        return view(*args, **values) if g.account else sign_in_first()

    return guarded


def sign_in_first() -> Response:
    """Sends somebody to sign in, and back afterwards to the page they were on."""
    if request.method in SAFE:
        back = request.full_path.rstrip("?")
    else:
        flash(_("Please sign in first. Nothing was changed."), "error")
        back = safe_path(urlsplit(request.referrer or "").path)
    return redirect(url_for("auth.sign_in", next=back), 303)


def client() -> str:
    """Who asks, as far as limits are concerned."""
    return allowances.network(request.remote_addr)


def let_in(response: Response, account: Account) -> Response:
    """Opens a new session for this browser; nothing from before stays, not even its form token."""
    here, secret = world(), logins.new_secret()
    sign_out_here()
    logins.open_session(here.store, account.id, browser_name(request.user_agent.string), secret, here.now())
    response.set_cookie(
        current_app.config["BGMAIL_LOGIN_COOKIE"],
        secret,
        max_age=logins.LONGEST,
        secure=current_app.config["SESSION_COOKIE_SECURE"],
        httponly=True,
        samesite="Lax",
    )
    g.dead_login = False
    return response


def sign_out_here() -> None:
    """Ends this browser's session and forgets what its pages knew."""
    secret = request.cookies.get(current_app.config["BGMAIL_LOGIN_COOKIE"])
    if secret:
        logins.sign_out(world().store, secret)
    form_session.clear()
    g.account, g.login_id, g.dead_login = None, None, True


def _know_the_host() -> Response | None:
    """Addresses in letters come from the settings; a request for another host is none of ours."""
    asked = request_ctx.request
    if asked.path in ANY_HOST:
        return None
    if request_ctx.url_adapter is None:  # no name at all: there is no address that a page could be made of
        return Response(_("This server doesn't answer under that name."), 400, mimetype="text/plain")
    settings = world().settings
    if not _answers_to(asked.host, settings.base_url, settings.production):
        abort(400, _("This server doesn't answer under that name."))
    return None


@functools.lru_cache(maxsize=64)
def _answers_to(host: str, base_url: str, production: bool) -> bool:
    try:
        asked = urlsplit(f"//{host}").hostname
    except ValueError:
        asked = None
    own = urlsplit(base_url).hostname
    return asked in ((own, *LOOPBACK) if own in LOOPBACK or not production else (own,))


def _know_who_asks() -> None:
    """A program tells by its token who it is, and the API looks at it; pages have a person and forms of our own."""
    if not _by_token():
        _know_the_person()
        _know_the_form()


def _know_the_person() -> None:
    g.account, g.login_id, g.board, g.troubled, g.dead_login = None, None, None, False, False
    if request.endpoint in FILES:
        return
    secret = request.cookies.get(current_app.config["BGMAIL_LOGIN_COOKIE"])
    if secret:
        here = world()
        entered = logins.by_session(here.store, secret, here.now())
        if entered:
            g.account, g.login_id, g.board = entered.account, entered.login_id, entered.board
            g.troubled = entered.troubled
        g.dead_login = entered is None


def _know_the_form() -> None:
    if request.method in SAFE or request.endpoint in (None, ONE_CLICK, *INBOUND):
        return
    if not _from_our_page():
        abort(403, _("That was sent from a page of another site. Nothing was changed."))
    if request.endpoint not in WITHOUT_TOKEN and not request.path.startswith(API):
        try:
            forms.check(request.form.get("csrf_token") or request.headers.get("X-CSRFToken"))
        except ValidationError as error:
            raise CSRFError(error.args[0]) from error


def _by_token() -> bool:
    """A program that calls the API. On pages such a header means nothing, so it opens no way around a form."""
    asked = request_ctx.request
    return "HTTP_AUTHORIZATION" in asked.environ and asked.path.startswith(API)


def _from_our_page() -> bool:
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in OWN_PAGES
    origin = request.headers.get("Origin")
    return origin in (None, "null") or urlsplit(origin or "").netloc == request.host


def _forget_a_dead_login(response: Response) -> Response:
    if _by_token() or request.endpoint in FILES:
        return response
    name = current_app.config["BGMAIL_LOGIN_COOKIE"]
    if name in request.cookies and g.get("dead_login"):  # not where nobody could look whether it is
        response.delete_cookie(
            name, secure=current_app.config["SESSION_COOKIE_SECURE"], httponly=True, samesite="Lax"
        )
    return response
