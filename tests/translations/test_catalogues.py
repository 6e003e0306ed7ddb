"""The catalogues are whole: nothing is missing, left over, uncertain, or says other values than the code."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from babel.messages.pofile import read_po

from bgmail.phrases.languages import FOLDER, catalogue, catalogue_file
from tests.translations.club import Club
from tests.translations.sayings import TRANSLATED, fits, flaws, said
from tests.translations.walk import browser, pages
from tests.translations.words import Page

LONG = 14
"""Sentences of fewer letters are too short to be looked for in a page: a name may hold them."""


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_sentence_is_translated_with_all_its_values_and_forms(code: str) -> None:
    assert sorted(map(str, flaws(code))) == []


def test_every_folder_is_a_language_that_can_be_chosen() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(TRANSLATED)


@pytest.mark.parametrize(("code", "forms"), [("de", 2), ("ru", 3)])
def test_each_language_counts_in_its_own_forms(code: str, forms: int) -> None:
    with catalogue_file(code).open("rb") as file:
        assert read_po(file, locale=code).num_plurals == forms
    many = [catalogue(code).ngettext("%(num)s point", "%(num)s points", n) for n in (1, 2, 5, 11, 21, 22)]
    assert len(set(many)) == forms
    assert many[0] == many[4] if code == "ru" else many[1] == many[4]


@pytest.mark.parametrize(
    ("english", "other"),
    [
        ("%(name)s won", "%(nane)s gewinnt"),
        ("%(name)s won", "gewonnen"),
        ("bank {span}", "Reserve"),
        ("<b>now</b>", "<b>jetzt"),
        ("25 %%", "25 %"),
    ],
)
def test_a_translation_that_loses_a_value_or_a_tag_is_found(english: str, other: str) -> None:
    assert fits(english, english)
    assert not fits(english, other)


@pytest.mark.slow
def test_no_page_and_no_letter_falls_back_to_english(open_club: Callable[[str], Club]) -> None:
    """In one language: what the other says is looked at sentence by sentence above."""
    code = "ru"
    club = open_club(code)
    english = english_of(code)
    found = set()
    for who in (club.alice, club.bob, None):
        for address, page in pages(club, browser(club, who)):
            text = "\n".join(words(page))
            found |= {(address, one) for one in english if one in text}
    for kind, letter in club.letters:
        text = "\n".join((letter.subject, letter.text, *words(Page(letter.html))))
        found |= {(kind.value, one) for one in english if one in text}
    assert found == set()


def words(page: Page) -> list[str]:
    return [page.text, *page.attributes, *page.scripts]


def english_of(code: str) -> list[str]:
    """The sentences without values that a language says in other words."""
    plain = [one for one in said() if isinstance(one, str) and len(one) >= LONG and "%" not in one]
    return [one for one in plain if "{" not in one and catalogue(code).gettext(one) != one]
