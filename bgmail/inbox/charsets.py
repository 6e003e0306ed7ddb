"""From bytes to text, whatever the mail says its charset is: names nobody knows, and names that are wrong."""

from __future__ import annotations

import codecs
import re

_SHIFTING = re.compile(r"utf-?(7|16|32)|iso-?2022|hz|ucs", re.IGNORECASE)
"""Charsets whose bytes may look like ASCII, or like anything, and mean something else."""
_NOT_FOR_MAIL = frozenset(
    {"unicode_escape", "raw_unicode_escape", "idna", "punycode", "undefined", "mbcs", "oem"}
)
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_META = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_.:-]{1,40})""", re.IGNORECASE)
LOST = "\ufffd"
"""Stands where a sign could not be made out."""
_HALVES = re.compile("[\ud800-\udfff]")
"""Halves of signs, as UTF-7 lets them through: no database and no letter takes them."""


def text_of(raw: bytes, declared: str = "") -> str:
    """The text of these bytes. Never raises: what nothing can make out becomes LOST.

    Valid UTF-8 is UTF-8, whatever is declared: text in another charset looks like it by accident next to never.
    """
    return _HALVES.sub(LOST, _text_of(raw, declared))


def _text_of(raw: bytes, declared: str) -> str:
    for mark, name in _MARKS:
        if raw.startswith(mark):
            return raw.decode(name, "replace")
    name = known(declared)
    if name and _SHIFTING.match(name):
        return raw.decode(name, "replace")
    for guess in ("utf-8", name, "cp1252"):
        if guess and (text := _strictly(raw, guess)) is not None:
            return text
    return raw.decode("latin-1") if not name or name == "ascii" else raw.decode(name, "replace")


def known(declared: str) -> str:
    """Python's name for a charset as mails spell it; "" for one that nobody knows."""
    try:
        name = codecs.lookup(declared.strip(" \t\r\n\"'").rstrip(";")).name
        b"".decode(name)  # some codecs don't make text
    except (LookupError, ValueError):
        return ""
    return "" if name in _NOT_FOR_MAIL else name


def in_html(raw: bytes) -> str:
    """The charset that a page of HTML names itself; "" for none."""
    found = _META.search(raw[:4096])
    return found[1].decode("ascii") if found else ""


def _strictly(raw: bytes, name: str) -> str | None:
    try:
        return raw.decode(name)
    except ValueError:
        return None
