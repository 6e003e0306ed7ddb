"""Addresses on this site: where a person may be sent back to, and static files by their content."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote

from flask import Response, request, url_for

from bgmail.board import themes

STATIC = Path(__file__).resolve().parent / "static"
SHEET = "style.css"
FOREVER = "public, max-age=31536000, immutable"


def safe_path(value: str | None, default: str = "/") -> str:
    """A path on this site; `default` for anything that leads elsewhere, also once its %-signs are read."""
    if not value or not value.startswith("/") or not value.isprintable():
        return default
    path = unquote(re.split("[?#]", value, maxsplit=1)[0])
    return default if path.startswith("//") or "\\" in path or not path.isprintable() else value


@cache
def sheet() -> bytes:
    """The one style sheet: that of the pages and that of the boards."""
    return ((STATIC / SHEET).read_text() + themes.css()).encode()


@cache
def _version(name: str) -> str:
    content = sheet() if name == SHEET else (STATIC / name).read_bytes()
    return hashlib.sha256(content).hexdigest()[:12]


def asset(name: str) -> str:
    """The address of a static file, which changes when the file does."""
    if name == SHEET:
        return url_for("look.style", v=_version(name))
    return url_for("static", filename=name, v=_version(name))


def kept_forever(response: Response) -> Response:
    """Lets browsers keep a file whose address names its content."""
    if request.endpoint in ("static", "look.style") and request.args.get("v"):
        response.headers["Cache-Control"] = FOREVER
    return response
