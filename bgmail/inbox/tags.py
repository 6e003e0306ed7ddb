"""A page of HTML taken into tags and text, in time that grows with its length alone, however broken it is.

The standard library's parser takes minutes for half a megabyte of "<!--"; a mail may hold just that.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

MOST = 250_000
LONGEST_TAG = 4_000
_TAG = re.compile(r"<[a-zA-Z/!?]")
_NAME = re.compile(r"</?\s{0,8}([a-zA-Z][a-zA-Z0-9:-]{0,30})")
_ATTRIBUTE = re.compile(r"""([a-zA-Z-]{1,40})\s{0,8}=\s{0,8}("[^"]*"|'[^']*'|[^\s"'>]+)""")
_RAW = frozenset({"style", "script", "title"})
"""What is in them is text to the end of the element, whatever it looks like."""


@dataclass(frozen=True, slots=True)
class Text:
    """Words, with their entities in place."""

    words: str


@dataclass(frozen=True, slots=True)
class Start:
    """An element begins; `marks` are its attributes, with names in lower case."""

    name: str
    marks: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class End:
    """An element ends."""

    name: str


Token = Text | Start | End


def tokens(page: str) -> Iterator[Token]:
    """The page from its beginning, as far as MOST. Never raises."""
    page, at = page[:MOST], 0
    while at < len(page):
        begin = _TAG.search(page, at)
        opening = begin.start() if begin else len(page)
        if opening > at:
            yield Text(html.unescape(page[at:opening]))
        at = opening
        if page.startswith("<!--", at):
            at = _after(page, "-->", at + 4)
        elif begin:
            closing = _closing(page, at)
            token = _tag(page[at : min(closing, at + LONGEST_TAG)])
            at = closing
            if token:
                yield token
            if isinstance(token, Start) and token.name in _RAW:
                at = _after(page, f"</{token.name}", at)


def _after(page: str, mark: str, at: int) -> int:
    found = page.find(mark, at)
    return len(page) if found < 0 else found + (0 if mark[1] == "/" else len(mark))


def _closing(page: str, at: int) -> int:
    """Where the tag is over: after the next ">" outside of quotation marks, if that isn't far."""
    closing = page.find(">", at)
    while 0 <= closing < at + LONGEST_TAG and page.count('"', at, closing) % 2:
        closing = page.find(">", closing + 1)
    return len(page) if closing < 0 else closing + 1


def _tag(text: str) -> Token | None:
    name = _NAME.match(text)
    if name is None:
        return None
    if text[1] == "/":
        return End(name[1].lower())
    found = _ATTRIBUTE.findall(text, name.end())
    return Start(name[1].lower(), {key.lower(): html.unescape(value.strip("\"'")) for key, value in found})
