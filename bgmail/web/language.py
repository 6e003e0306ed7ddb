"""Which language a page speaks, and the choice: a person's own, else this browser's, else what it asks for.

Only pages are translated. The API, exports, logs and commands speak English to whoever reads them.
"""

from __future__ import annotations

from flask import Blueprint, Flask, Response, g, has_request_context, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from bgmail.phrases.languages import ENGLISH, LANGUAGES
from bgmail.phrases.translate import look_again
from bgmail.service import accounts
from bgmail.service.accounts import Account
from bgmail.service.errors import Refused
from bgmail.web.addresses import safe_path
from bgmail.web.guard import API
from bgmail.world import world

blueprint = Blueprint("language", __name__)

COOKIE = "bgmail_language"
YEAR = 365 * 86_400


def register(app: Flask) -> None:
    """Gives pages their languages."""
    app.context_processor(lambda: {"languages": LANGUAGES})
    app.after_request(_depends_on_reader)


@blueprint.post("/language")
def choose() -> AnyResponse:
    """Keeps a choice, for a person also in the letters, and goes back to where it was made."""
    code = request.form.get("language", "")
    if code not in LANGUAGES:
        raise Refused("language", language=code)
    if g.account:
        accounts.set_language(world().store, g.account.id, code)
    response = redirect(safe_path(request.form.get("back")), 303)
    response.set_cookie(COOKIE, code, max_age=YEAR, samesite="Lax", secure=request.is_secure, path="/")
    return response


def spoken() -> str:
    """The language of this answer; English outside a request."""
    if not has_request_context() or request.path.startswith(API):
        return ENGLISH
    asked: tuple[str | None, ...] = (g.get("language"), _own(), request.cookies.get(COOKIE))
    known = next((code for code in asked if code in LANGUAGES), None)
    return known or request.accept_languages.best_match(LANGUAGES, ENGLISH)


def speak_to(account: Account) -> Account:
    """From here on this answer is in the language of a person who isn't signed in: the reader of a letter."""
    g.language = account.locale
    look_again()
    return account


def _own() -> str | None:
    account: Account | None = g.get("account")
    return account.locale if account else None


def _depends_on_reader(response: Response) -> Response:
    """Tells caches that the same address speaks several languages."""
    if response.headers.get("Content-Type", "").startswith("text/html"):
        response.vary.update(("Accept-Language", "Cookie"))
    return response
