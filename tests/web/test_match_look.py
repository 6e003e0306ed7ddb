"""Light or dark, boards turned: kept in cookies, without a script and without an account."""

from __future__ import annotations

import pytest

from bgmail.web.addresses import sheet
from tests.web.conftest import Visitor


def test_a_theme_is_kept_and_given_up_again(visitor: Visitor) -> None:
    visitor.open("/sign-in")
    answer = visitor.post("/look", {"theme": "dark", "back": "/sign-in"})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/sign-in")
    assert '<html lang="en" data-theme="dark">' in visitor.open("/sign-in").text
    visitor.post("/look", {"theme": "", "back": "/sign-in"})
    assert "data-theme=" not in visitor.open("/sign-in").text


@pytest.mark.parametrize(
    "back", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "", "/a\nb"]
)
def test_a_choice_leads_back_to_this_site_alone(visitor: Visitor, back: str) -> None:
    assert visitor.post("/look", {"theme": "dark", "back": back}).headers["Location"] == "/"


def test_a_theme_that_isnt_one_is_forgotten(visitor: Visitor) -> None:
    visitor.post("/look", {"theme": '"><script>'})
    assert "data-theme=" not in visitor.open("/sign-in").text
    visitor.client.set_cookie("bgmail_theme", "neon")
    assert "data-theme=" not in visitor.open("/sign-in").text


def test_boards_are_turned_for_all_matches(visitor: Visitor) -> None:
    visitor.open("/look?back=/lobby")
    visitor.post("/look", {"board": "yes", "left": "yes", "click": "yes", "back": "/lobby"})
    page = visitor.open("/look").text
    assert page.count(" checked") == 2


def test_one_sheet_of_less_than_25_kilobytes_is_kept_for_ever(visitor: Visitor) -> None:
    page = visitor.open("/sign-in").text
    address = page.split('rel="stylesheet" href="')[1].split('"')[0]
    answer = visitor.get(address)
    assert answer.data == sheet()
    assert len(answer.data) < 25_000
    assert "immutable" in answer.headers["Cache-Control"]
