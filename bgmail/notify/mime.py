"""A message as bytes, put together without the parsing that the email package does at every header and part.

Every line is short and in ASCII, so that no relay on the way has to change a byte.
"""

from __future__ import annotations

import re
from binascii import b2a_base64, b2a_qp
from collections.abc import Mapping, Sequence
from email.headerregistry import HeaderRegistry
from email.policy import SMTP
from functools import cache

CRLF = b"\r\n"
LINE, CODE_LINE = 78, 76
BASE64_GROWS = 4 / 3 * (CODE_LINE + len(CRLF)) / CODE_LINE
UNFOLDED = frozenset({"Message-ID", "In-Reply-To", "References", "List-Unsubscribe", "Subject"})
"""Ids, links and plain subjects stay in one piece: the email package would fold a long id into encoded words, and push
a subject that just doesn't fit behind an empty first line."""
LONGEST_LINE = 400
BOUNDARY = "=_"
"""What boundaries begin with: neither of the encodings in use can ever write it."""
_LINE_BREAK = re.compile(r"\r\n?")

_kind = cache(HeaderRegistry().__getitem__)


def header(name: str, value: str) -> bytes:
    """One header, in encoded words where it isn't ASCII. ValueError for a value with a line break in it."""
    if "\n" in value or "\r" in value:
        raise ValueError(f"a line break in the {name} of a letter")
    room = LONGEST_LINE if name in UNFOLDED else LINE - len(name) - len(": ")
    if value.isascii() and len(value) <= room:
        return f"{name}: {value}\r\n".encode()
    return _kind(name)(name, value).fold(policy=SMTP).encode("ascii")


def headers(values: Mapping[str, str]) -> bytes:
    """Headers in their order."""
    return b"".join(header(name, value) for name, value in values.items())


def text(subtype: str, content: str) -> bytes:
    """A part of plain text or HTML, in whichever encoding is shorter."""
    lines = _LINE_BREAK.sub("\n", content).replace("\n", "\r\n").encode()
    kind = {"Content-Type": f'text/{subtype}; charset="utf-8"'}
    quoted = CRLF.join(b2a_qp(line).replace(b"\n", CRLF) for line in lines.split(CRLF))
    if len(quoted) <= len(lines) * BASE64_GROWS:
        return _part(kind, "quoted-printable", quoted)
    return _part(kind, "base64", _base64(lines))


def picture(content: bytes, cid: str, filename: str) -> bytes:
    """A PNG that the HTML beside it shows."""
    values = {
        "Content-Type": "image/png",
        "Content-ID": f"<{cid}>",
        "Content-Disposition": f'inline; filename="{filename}"',
    }
    return _part(values, "base64", _base64(content))


def multipart(subtype: str, parts: Sequence[bytes]) -> bytes:
    """Several parts as one; within another it must be of another subtype, which is what its boundary is called."""
    boundary = f"{BOUNDARY}{subtype}"
    mark = f"--{boundary}".encode()
    between = CRLF + mark + CRLF
    kind = header("Content-Type", f'multipart/{subtype}; boundary="{boundary}"')
    return b"".join((kind, between, between.join(parts), CRLF, mark, b"--", CRLF))


def _part(values: Mapping[str, str], encoding: str, content: bytes) -> bytes:
    return headers({**values, "Content-Transfer-Encoding": encoding}) + CRLF + content


def _base64(content: bytes) -> bytes:
    code = b2a_base64(content, newline=False)
    return b"".join(code[start : start + CODE_LINE] + CRLF for start in range(0, len(code), CODE_LINE))
