"""The account of the rulebooks: a row for every sentence, and each row says what is there."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import fields
from itertools import pairwise

import pytest
from flask import Flask
from flask.testing import FlaskClient

from bgmail.phrases.account import BOOKS, FOLDER, STATUS, TOPICS, Row, Status, account, rulings, summary
from bgmail.rules.ruleset import CLUB, PRESETS, RuleSet
from tests.web.rulebooks import bare, book, digest, taken_apart
from tests.web.test_guide import ids

PAGES = {
    "rules": "/rules/",
    "help": "/help",
    "tournaments": "/help/tournaments",
    "strategy": "/strategy",
    "glossary": "/glossary",
}


def numbers(row: Row) -> tuple[str, str, int, int]:
    """Book, section, paragraph and sentence of an id."""
    parts = re.fullmatch(r"([a-z-]+)-(\d+[a-z]?)\.(\d+)\.(\d+)", row.id)
    assert parts, row.id
    return parts[1], parts[2], int(parts[3]), int(parts[4])


def section_key(section: str) -> tuple[int, str]:
    return int(re.sub(r"\D", "", section)), re.sub(r"\d", "", section)


@pytest.mark.parametrize("name", BOOKS)
def test_every_sentence_and_bullet_of_a_rulebook_has_its_row(name: str) -> None:
    """Where the books lie beside the project they are read again; everywhere the counts have to agree."""
    rows, head = account(name), json.loads((FOLDER / f"{name}.json").read_text())
    assert head["rulebook"] == name
    assert (len(rows), sum(row.words for row in rows)) == (head["sentences"], head["words"])
    assert hashlib.sha256("".join(row.digest for row in rows).encode()).hexdigest() == head["digest"]
    text = book(name)
    if text is None:
        return
    parts = list(taken_apart(name, text))
    assert " ".join(words for _, words in parts).split() == bare(text)
    assert [(row.id, row.words, row.digest) for row in rows] == [
        (mark, len(words.split()), digest(words)) for mark, words in parts if mark
    ]
    assert head["headings"] == sum(len(words.split()) for mark, words in parts if not mark)


@pytest.mark.parametrize("name", BOOKS)
def test_ids_are_numbered_without_a_gap(name: str) -> None:
    found = [numbers(row) for row in account(name)]
    assert {one[0] for one in found} == {name}
    assert found[0][1:] == ("1", 1, 1)
    for (_, section, paragraph, sentence), (_, later, next_paragraph, next_sentence) in pairwise(found):
        if later != section:
            assert section_key(later) > section_key(section)
            assert (next_paragraph, next_sentence) == (1, 1)
        elif next_paragraph == paragraph:
            assert next_sentence == sentence + 1
        else:
            assert (next_paragraph, next_sentence) == (paragraph + 1, 1)


def test_a_book_is_taken_apart_as_people_read_it() -> None:
    begin = "Game\n\n1. One\n\nDoubles. If so, play four. Then stop.\n• a bullet;\n"
    text = begin + "\nBefore\n\nWait. Go.\n| A | B |\n|---|---|\n| 1 | 2 |"
    assert list(taken_apart("federation", text)) == [
        (None, "Game"),
        (None, "1. One"),
        ("federation-1.1.1", "Doubles. If so, play four."),
        ("federation-1.1.2", "Then stop."),
        ("federation-1.2.1", "a bullet;"),
        (None, "Before"),
        ("federation-1a.1.1", "Wait."),
        ("federation-1a.1.2", "Go."),
        (None, "| A | B |"),
        (None, "|---|---|"),
        ("federation-1a.2.1", "| 1 | 2 |"),
    ]


def test_the_books_are_those_of_the_rule_sets() -> None:
    assert set(BOOKS) == set(PRESETS) - {"club"}
    assert account("club") == ()


@pytest.fixture
def places(client: FlaskClient) -> dict[str, set[str]]:
    """The ids on every page that a row may lead to."""
    addresses = PAGES | {f"set {name}": f"/rules/{name}" for name in BOOKS}
    return {page: ids(client.get(url).get_data(as_text=True)) for page, url in addresses.items()}


def test_every_row_leads_to_what_shows_or_plays_it(places: dict[str, set[str]]) -> None:
    known = {field.name for field in fields(RuleSet)} - {"name"}
    for name in BOOKS:
        for row in account(name):
            if row.field is not None:
                assert row.field in known, row.id
            if row.where is not None:
                page, anchor = row.where.split("#")
                assert anchor in places[f"set {name}" if page == "set" else page], row.id
            assert (row.where is not None) == (row.status in (Status.PLAYABLE, Status.SHOWN)), row.id


def test_a_preset_differs_from_the_club_in_what_its_book_says() -> None:
    """The rest follows from silence: books that know no cube, no Crawford game, no triple game, no dead cube."""
    silent = {
        "federation": {"dead_cube_refused"},
        "five-point": set(),
        "claim": {"cube", "crawford", "triple", "timeout"},
        "house": {"crawford"},
    }
    for name in BOOKS:
        values = {field.name for field in fields(RuleSet)} - {"name"}
        changed = {one for one in values if getattr(PRESETS[name], one) != getattr(CLUB, one)}
        assert changed - {row.field for row in account(name)} == silent[name], name


def test_every_topic_is_used_and_said_in_our_own_words(app: Flask) -> None:
    used = {row.topic for name in BOOKS for row in account(name)}
    assert used == set(TOPICS)
    assert set(STATUS) == set(Status)
    with app.test_request_context():
        said = {name: str(TOPICS[name]) for name in TOPICS}
    assert len(set(said.values())) == len(said)
    for name in BOOKS:
        text = book(name)
        if text is not None:
            words = " ".join(text.lower().split())
            assert [one for one in said.values() if one.lower().rstrip(".") in words] == []


def test_the_account_stands_at_the_foot_of_the_page(client: FlaskClient, app: Flask) -> None:
    for name in BOOKS:
        the_foot_holds_the_account(client, app, name)


def the_foot_holds_the_account(client: FlaskClient, app: Flask, name: str) -> None:
    page = client.get(f"/rules/{name}").get_data(as_text=True)
    foot = page.split('<section class="card prose" id="account">')[1].split("</section>")[0]
    assert "<details" in foot
    assert "<section" not in page.split('id="account"')[1].replace("</section>", "", 1)
    assert ids(foot) == {row.id for row in account(name)}
    with app.test_request_context():
        assert sum(number for _, number in summary(name)) == len(account(name))
        assert len(rulings(name)) == foot.count("<li>")
        assert all(f"{number} {word}" in foot for word, number in summary(name))


def test_what_comes_later_stays_open() -> None:
    """Staff decisions, fair play and the real table of the federation; nothing else is owed."""
    opened = [row for name in BOOKS for row in account(name) if row.status is Status.OPEN]
    others = {row.topic for row in opened if not re.match(r"federation-11[a-j]?\.", row.id)}
    assert others == {"fair-play", "disputes"}


def rows_of(topic: str) -> Iterator[Row]:
    return (row for name in BOOKS for row in account(name) if row.topic == topic)


def test_ids_are_stable() -> None:
    """They are quoted elsewhere: a few of them as a reader finds them in the books."""
    assert {row.id for row in rows_of("larger-die")} == {
        "federation-3.4.3",
        "five-point-9.5.1",
        "claim-9.1.1",
    }
    assert {row.id for row in rows_of("timeout-claim")} == {"claim-12.4.1", "claim-13.4.1"}
    assert {row.id for row in rows_of("backgammon-wager")} == {"house-6.3.1"}
    assert {row.id for row in rows_of("inactivity")} == {"federation-9.6.5", "federation-9.6.6"}
