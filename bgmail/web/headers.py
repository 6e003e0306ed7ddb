"""The headers of every answer: what a page may load, who may frame, keep or refer to it."""

from __future__ import annotations

import secrets
from functools import lru_cache

from flask import Flask, Response, g, request
from flask.globals import request_ctx

from bgmail.web.guard import FILES
from bgmail.web.masks import SECRET_PLACES, mask_logs

YEAR = 365 * 86_400


def register(app: Flask, *, secure: bool) -> None:
    """Adds the headers to all that the app answers. `secure` = people reach it by https."""
    mask_logs(app.logger.name)

    @app.after_request
    def add(response: Response) -> Response:
        _add(response)
        if secure:
            response.headers.setdefault("Strict-Transport-Security", f"max-age={YEAR}")
        return response

    @app.context_processor
    def known() -> dict[str, object]:
        return {"csp_nonce": nonce, "secret_address": secret_address()}


def nonce() -> str:
    """What a script or style of our own carries on this page, and nobody else's can."""
    if "csp_nonce" not in g:
        g.csp_nonce = secrets.token_urlsafe(16)
    value: str = g.csp_nonce
    return value


def secret_address() -> bool:
    """Whether this page's address is a secret: a mailed link."""
    return request.path.startswith(SECRET_PLACES)


def policy(ours: str = "'none'") -> str:
    """The content security policy. `ours` is who may frame the page."""
    own = g.get("csp_nonce")
    return _policy(f"'self' 'nonce-{own}'" if own else "'self'", ours)


@lru_cache(maxsize=16)
def _policy(own: str, ours: str) -> str:
    """Most answers carry no nonce, and so the same policy."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {own}",
            f"style-src {own}",
            "img-src 'self' data:",
            "font-src 'self'",
            "connect-src 'self'",
            "manifest-src 'self'",
            "worker-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            f"frame-ancestors {ours}",
        )
    )


_EVERYWHERE = (
    ("X-Content-Type-Options", "nosniff"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Referrer-Policy", "same-origin"),
)


def _add(response: Response) -> None:
    asked, headers = request_ctx.request, response.headers
    if asked.path.startswith(SECRET_PLACES):
        headers["Referrer-Policy"] = "no-referrer"
        headers.setdefault("Cache-Control", "no-store")
    wanted = [*_EVERYWHERE, ("Content-Security-Policy", policy())]
    if asked.endpoint not in FILES:
        wanted.append(("Cache-Control", "no-store"))
    there = {name.lower() for name, _ in headers}
    for name, value in wanted:
        if name.lower() not in there:
            headers.add(name, value)
