"""A feed as a file (Atom, RFC 4287): what is new, each with an id that stays and a text in HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from xml.etree import ElementTree

MEDIA_TYPE = "application/atom+xml"
NAMESPACE = "http://www.w3.org/2005/Atom"
_UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that is new. `id` is an IRI that stays for ever; `html` is the whole text."""

    id: str
    title: str
    url: str
    updated_at: datetime
    author: str
    html: str


@dataclass(frozen=True, slots=True)
class Feed:
    """The feed about its entries: `url` is the page for people, `own` the address of the feed itself.

    `made_at` is the age of a feed in which nothing is.
    """

    id: str
    title: str
    url: str
    own: str
    language: str
    made_at: datetime
    entries: Sequence[Entry]


def write_feed(feed: Feed) -> str:
    """The feed as an XML document."""
    root = ElementTree.Element("feed", {"xmlns": NAMESPACE, "xml:lang": feed.language})
    updated = max((entry.updated_at for entry in feed.entries), default=feed.made_at)
    _head(root, feed.id, feed.title, updated)
    ElementTree.SubElement(root, "link", {"rel": "self", "type": MEDIA_TYPE, "href": feed.own})
    ElementTree.SubElement(root, "link", {"rel": "alternate", "type": "text/html", "href": feed.url})
    for entry in feed.entries:
        _entry(ElementTree.SubElement(root, "entry"), entry)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _entry(element: ElementTree.Element, entry: Entry) -> None:
    _head(element, entry.id, entry.title, entry.updated_at)
    ElementTree.SubElement(element, "link", {"rel": "alternate", "type": "text/html", "href": entry.url})
    _add(ElementTree.SubElement(element, "author"), "name", entry.author)
    _add(element, "content", entry.html, type="html")


def _head(element: ElementTree.Element, iri: str, title: str, updated_at: datetime) -> None:
    _add(element, "id", iri)
    _add(element, "title", title)
    _add(element, "updated", updated_at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"))


def _add(parent: ElementTree.Element, name: str, text: str, **attributes: str) -> None:
    """An element with a text; signs that no XML may carry are left out."""
    ElementTree.SubElement(parent, name, attributes).text = _UNWRITABLE.sub("", text)
