"""What people read of an answer: its text, the words of its attributes, and those that its script will say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html.parser import HTMLParser

OPEN, SHUT = "⟦", "⟧"
SPOKEN = {"aria-label", "aria-description", "alt", "title", "placeholder", "content", "label"}
SILENT = {"style", "script", "code", "pre", "kbd", "samp"}
CODES = {"viewport", "color-scheme", "supported-color-schemes", "referrer", "robots", "csrf-token"}


class Page(HTMLParser):
    """A page or the HTML of a letter. `texts` are its runs of text, `attributes` the words in its tags."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.attributes: list[str] = []
        self.scripts: list[str] = []
        self.links: list[str] = []
        self._silent: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag == "a":
            self.links.append(found.get("href", ""))
        foreign = tag != "html" and "lang" in found
        if (self._silent and tag == self._silent[-1]) or (not self._silent and (tag in SILENT or foreign)):
            self._silent.append(tag)
            self._data = found.get("type") == "application/json"
        if tag != "meta" or found.get("name") not in CODES:
            self.attributes += [value for name, value in found.items() if name in SPOKEN]
        self.text += "\n"

    def handle_endtag(self, tag: str) -> None:
        if self._silent and self._silent[-1] == tag:
            self._silent.pop()
        self.text += "\n"

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.text += data
        elif self._silent == ["script"] and self._data:
            self.scripts += list(strings(json.loads(data)))


def strings(value: object) -> Iterator[str]:
    """The texts somewhere in a JSON value that look like words for people: those with a blank or a mark."""
    match value:
        case dict():
            for inner in value.values():
                yield from strings(inner)
        case list():
            for inner in value:
                yield from strings(inner)
        case str() if " " in value or OPEN in value:
            yield value


def unmarked(text: str) -> str:
    """What stands outside all marks. Raises ValueError where they don't close."""
    depth, left = 0, ""
    for sign in text:
        depth += (sign == OPEN) - (sign == SHUT)
        if depth < 0:
            raise ValueError(f"marks don't match in {text[:200]!r}")
        left += sign if not depth and sign != SHUT else " " if sign == OPEN else ""
    if depth:
        raise ValueError(f"a mark stays open in {text[:200]!r}")
    return left
