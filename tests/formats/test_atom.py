"""A feed as a file: what a feed reader makes of it, and what the format asks for."""

from __future__ import annotations

from datetime import UTC, datetime
from xml.etree import ElementTree

import feedparser

from bgmail.formats.atom import NAMESPACE, Entry, Feed, write_feed

MADE = datetime(2026, 3, 1, 8, 0, tzinfo=UTC)
NOON = datetime(2026, 3, 2, 12, 0, 5, 900_000, tzinfo=UTC)
FEED_ID, ENTRY_ID = (
    "urn:uuid:6f3c1c52-0001-5d8f-9d0c-000000000001",
    "urn:uuid:6f3c1c52-0002-5d8f-9d0c-000000000002",
)


def written(*entries: Entry) -> str:
    own = "https://bgmail.example/feed/secret/turns.atom"
    return write_feed(Feed(FEED_ID, "Turns", "https://bgmail.example/", own, "de", MADE, entries))


def entry(html: str = "<pre>a &lt; b</pre>", title: str = "Play 3-1") -> Entry:
    return Entry(ENTRY_ID, title, "https://bgmail.example/match/a1", NOON, "bob", html)


def test_a_reader_finds_what_was_written() -> None:
    read = feedparser.parse(written(entry()))
    assert not read.bozo
    assert read.version == "atom10"
    assert (read.feed.id, read.feed.title, read.feed.link) == (FEED_ID, "Turns", "https://bgmail.example/")
    assert read.feed.updated == "2026-03-02T12:00:05Z"
    found = read.entries[0]
    assert (found.id, found.title, found.link) == (ENTRY_ID, "Play 3-1", "https://bgmail.example/match/a1")
    assert (found.author, found.updated) == ("bob", "2026-03-02T12:00:05Z")
    assert (found.content[0].value, found.content[0].language) == ("<pre>a &lt; b</pre>", "de")


def test_a_feed_in_which_nothing_is_dates_from_when_it_was_made() -> None:
    read = feedparser.parse(written())
    assert not read.bozo
    assert (read.feed.updated, read.entries) == ("2026-03-01T08:00:00Z", [])


def test_feed_and_entries_have_all_that_the_format_asks_for() -> None:
    root = ElementTree.fromstring(written(entry()))  # noqa: S314 - our own text
    for element in (root, root.find(f"{{{NAMESPACE}}}entry")):
        assert element is not None
        names = [child.tag.removeprefix(f"{{{NAMESPACE}}}") for child in element]
        assert [names.count(name) for name in ("id", "title", "updated")] == [1, 1, 1]
    relations = [link.get("rel") for link in root.findall(f"{{{NAMESPACE}}}link")]
    assert relations == ["self", "alternate"]


def test_what_is_written_is_text_and_never_markup() -> None:
    read = feedparser.parse(written(entry(title="<b>&amp; </title>\x00\x08")), sanitize_html=False)
    assert not read.bozo
    assert read.entries[0].title == "<b>&amp; </title>"
