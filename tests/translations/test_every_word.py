"""No word reaches people past the translators: in a made-up language every sentence they know is marked."""

from __future__ import annotations

import re
from collections.abc import Callable
from gettext import NullTranslations

import pytest
from babel.dates import get_day_names

from bgmail.phrases import languages
from bgmail.service.notices import Kind
from tests.translations.club import Club, phases
from tests.translations.conftest import BASE_URL
from tests.translations.walk import browser, pages
from tests.translations.words import OPEN, SHUT, Page, unmarked

pytestmark = pytest.mark.slow

WORD = re.compile(r"[^\W\d_]{2,}")
NO_WORDS = re.compile(
    r"https?://\S+|\S+@\S+"  # addresses
    r"|\b(?:bar|\d+)/(?:\d+|off)\S*"  # plays as people and programs write them
    r"|\b[A-Z][\w+]+/[\w+/-]+(?: \(UTC[+-][\d:]+\))?|\bUTC\b"  # time zones
    r"|\b[0-9a-f]{32,}\b"  # fingerprints, nonces
    r"|#[a-z0-9]{12}\b"  # matches
    r"|XGID(?:=\S+)?"
    r"|-BAR\+"  # the board in characters is the same everywhere
)
OWN = re.compile(re.escape(BASE_URL) + r"(/\S*)")
DAYS = set(
    get_day_names("wide", context="stand-alone", locale="de").values()
)  # Babel knows them in every language
NAMES = {
    "alice",
    "bob",
    "charlie",
    "dana",
    "eve",
    "house",
    "bgmail",
    "test",
    "Alice",
    "Bob",
    "Autumn",
    "Winter",
    "Spring",
    *DAYS,
}


class Marked(NullTranslations):
    """A language that says what the code says, between marks."""

    def gettext(self, message: str) -> str:
        return f"{OPEN}{message}{SHUT}"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"{OPEN}{msgid1 if n == 1 else msgid2}{SHUT}"

    ugettext, ungettext = gettext, ngettext


@pytest.fixture
def club(open_club: Callable[[str], Club], monkeypatch: pytest.MonkeyPatch) -> Club:
    monkeypatch.setattr(languages, "catalogue", lambda _code: Marked())
    return open_club("de")


def strays(text: str) -> set[str]:
    """Words that no translator has seen."""
    return set(WORD.findall(NO_WORDS.sub(" ", unmarked(text)))) - NAMES


def strays_of(page: Page) -> set[str]:
    return strays(page.text).union(*map(strays, page.attributes + page.scripts))


def test_no_page_and_no_letter_says_a_word_that_translators_have_not_seen(club: Club) -> None:
    assert len(phases(club)) == 4
    assert {kind for kind, _ in club.letters} == set(Kind)
    mailed = [url for _, letter in club.letters for url in OWN.findall(letter.text)]
    found = {
        address: words
        for who in (club.alice, club.bob, None)
        for address, page in pages(club, browser(club, who), *mailed)
        if (words := strays_of(page))
    }
    for kind, letter in club.letters:
        words = strays(letter.subject) | strays(letter.text) | strays_of(Page(letter.html))
        if words:
            found[kind.value] = words
    assert found == {}


def test_a_word_outside_the_marks_is_found() -> None:
    page = Page(
        f"<p>{OPEN}Roll{SHUT} now</p><img alt='board'><button lang=de>Deutsch</button><code>x y</code>"
    )
    assert strays_of(page) == {"now", "board"}
    assert strays(f"{OPEN}alice plays {OPEN}bar/22{SHUT}{SHUT} 13/7*/5, Europe/Berlin (UTC+1)") == set()
    with pytest.raises(ValueError, match="stays open"):
        unmarked(f"{OPEN}never closed")
