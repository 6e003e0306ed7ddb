"""Addresses on this site: where a person may be sent back to, and static files by their content."""

from __future__ import annotations

import gzip
import hashlib
import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote

from flask import Response, request, url_for

from bgmail.board import themes

STATIC = Path(__file__).resolve().parent / "static"
BOARDS = "boards.css"
"""The style sheet of boards: no folder holds it, it is made of their themes."""
_IMPORTED = re.compile(r"'\./(\w+\.js)'")
FOREVER = "public, max-age=31536000, immutable"


def safe_path(value: str | None, default: str = "/") -> str:
    """A path on this site; `default` for anything that leads elsewhere, also once its %-signs are read."""
    if not value or not value.startswith("/") or not value.isprintable():
        return default
    path = unquote(re.split("[?#]", value, maxsplit=1)[0])
    return default if path.startswith("//") or "\\" in path or not path.isprintable() else value


@cache
def board_sheet() -> bytes:
    """The style sheet of boards."""
    return themes.css().encode()


@cache
def text(name: str) -> bytes | None:
    """A script or style sheet as it is sent; None where there is no such file.

    A script names the scripts that it imports by their content.
    """
    file = STATIC / name
    if name == BOARDS:
        return board_sheet()
    if not file.is_file():
        return None
    return _IMPORTED.sub(lambda found: f"'./{found[1]}?v={_version(found[1])}'", file.read_text()).encode()


@cache
def packed(name: str) -> bytes:
    """The same in the bytes that go over the line to a browser that unpacks them: less than a third."""
    return gzip.compress(text(name) or b"", mtime=0)


@cache
def _version(name: str) -> str:
    return hashlib.sha256(text(name) or b"").hexdigest()[:12]


def asset(name: str) -> str:
    """The address of a static file, which changes when the file does."""
    if name == BOARDS:
        return url_for("look.style", v=_version(name))
    return url_for("static", filename=name, v=_version(name))


def kept_forever(response: Response) -> Response:
    """Lets browsers keep a file whose address names its content."""
    if request.endpoint in ("static", "look.style", "look.text") and request.args.get("v"):
        response.headers["Cache-Control"] = FOREVER
    return response
