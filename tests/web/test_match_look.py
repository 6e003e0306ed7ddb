"""Light or dark, boards turned: kept in cookies, without a script and without an account."""

from __future__ import annotations

import gzip
import re
from dataclasses import replace

import pytest
from flask import Flask

from bgmail.service.board_preferences import DEFAULT
from bgmail.web.addresses import STATIC, board_sheet
from bgmail.web.boards import remembered, spelled
from tests.web.conftest import Auth, Visitor


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


def test_a_visitors_boards_are_kept_by_the_browser(visitor: Visitor) -> None:
    visitor.open("/look?back=/lobby")
    wish = {
        "whole": "yes",
        "home": "top-left",
        "theme": "green",
        "pips": "yes",
        "motion": "yes",
        "back": "/lobby",
    }
    answer = visitor.post("/look/board", wish)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/lobby")
    page = visitor.open("/look").text
    assert checked(page) >= {"home=top-left", "theme=green", "pips=yes", "motion=yes", "click=mouse"}
    assert "numbers=yes" not in checked(page)
    assert 'class="bd bd-green bd-up"' in page
    assert "bd-num" not in page


def checked(page: str) -> set[str]:
    """What is chosen in the form, name=value."""
    return {f"{name}={value}" for name, value in re.findall(r'name="(\w+)" value="([\w-]+)" checked', page)}


def test_all_that_was_chosen_can_be_given_up_again(visitor: Visitor) -> None:
    visitor.client.set_cookie("bgmail_board", spelled(replace(DEFAULT, theme="print", ask_take=False)))
    visitor.open("/look")
    switches = ("numbers", "pips", "motion", "ask_double", "ask_take", "ask_pass")
    everything = dict.fromkeys(switches, "yes")
    visitor.post("/look/board", {"whole": "yes", "theme": "auto", **everything})
    assert visitor.client.get_cookie("bgmail_board") is None


def test_one_choice_leaves_the_others_alone(visitor: Visitor) -> None:
    visitor.client.set_cookie("bgmail_board", "theme:print.no_pips")
    visitor.open("/look")
    visitor.post("/look/board", {"numbers": "no"})
    cookie = visitor.client.get_cookie("bgmail_board")
    assert cookie
    assert cookie.value == "theme:print.no_numbers.no_pips"


@pytest.mark.parametrize(
    ("name", "value"),
    [("theme", "neon"), ("home", "middle"), ("click", ""), ("upright", "<b>"), ("checkers", "Λ")],
)
def test_a_choice_that_isnt_one_is_refused_with_a_sentence_and_nothing_kept(
    visitor: Visitor, name: str, value: str
) -> None:
    visitor.open("/look")
    answer = visitor.post("/look/board", {name: value, "numbers": "no"})
    assert answer.status_code == 422
    assert "There is no such choice" in answer.text
    assert visitor.client.get_cookie("bgmail_board") is None
    assert visitor.get(f"/look/board?{name}={value}").status_code == 422


@pytest.mark.parametrize(
    "cookie", ["", "neon", "theme:neon.no_pips.x:y", "no_theme.no_pips", "ask_.no_pips..", "a" * 4000]
)
def test_a_cookie_that_means_nothing_is_passed_over(cookie: str) -> None:
    assert remembered(cookie) == replace(DEFAULT, pips="no_pips" not in cookie.split("."))


def test_a_cookie_says_every_choice_and_only_those() -> None:
    assert spelled(DEFAULT) == ""
    for change in (
        {"theme": "green"},
        {"home_left": True, "home_top": True},
        {"checkers": "dark", "upright": "never", "click": "choose"},
        {"numbers": False, "ask_pass": False, "motion": False},
    ):
        chosen = replace(DEFAULT, **change)
        assert remembered(spelled(chosen)) == chosen


def test_the_form_shows_a_choice_before_it_is_kept(visitor: Visitor) -> None:
    answer = visitor.get("/look/board?theme=print&home=bottom-left&upright=always&whole=yes")
    assert answer.text.startswith("<svg")
    assert 'class="bd bd-print bd-tall bd-anti"' in answer.text
    assert visitor.client.get_cookie("bgmail_board") is None


def test_an_account_takes_its_boards_along_to_another_browser(
    app: Flask, auth: Auth, visitor: Visitor
) -> None:
    auth.person("Alice")
    auth.sign_in("Alice")
    visitor.client.set_cookie("bgmail_board", "theme:dark")
    visitor.open("/settings")
    assert "theme=dark" in checked(visitor.page), "chosen before, by the browser"
    wish = {"whole": "yes", "theme": "print", "numbers": "yes", "back": "/settings#board"}
    answer = visitor.post("/look/board", wish)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/settings#board")
    assert "Saved: your boards look like this from now on." in visitor.open("/settings").text
    elsewhere = Visitor(app)
    Auth(app, elsewhere).sign_in("Alice")
    assert "theme=print" in checked(elsewhere.open("/settings").text)


def test_sheets_of_less_than_25_and_10_kilobytes_are_kept_for_ever(visitor: Visitor) -> None:
    page = visitor.open("/sign-in").text
    pages, boards = [part.split('"')[0] for part in page.split('rel="stylesheet" href="')[1:]]
    for address, most in ((pages, 25_000), (boards, 10_000)):
        answer = visitor.get(address)
        assert len(answer.data) < most
        assert answer.mimetype == "text/css"
        assert "immutable" in answer.headers["Cache-Control"]
        answer.close()
    assert visitor.get(boards).data == board_sheet()


@pytest.mark.parametrize(
    "name", sorted(file.name for kind in ("js", "css") for file in STATIC.glob(f"*.{kind}"))
)
def test_scripts_and_sheets_go_packed_over_the_line_and_are_known_again(visitor: Visitor, name: str) -> None:
    plain = visitor.get(f"/static/{name}")
    assert re.sub(r"\?v=[0-9a-f]{12}'", "'", plain.text) == (STATIC / name).read_text()
    packed = visitor.get(f"/static/{name}", headers={"Accept-Encoding": "gzip, br"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert packed.headers["Vary"] == "Accept-Encoding"
    assert gzip.decompress(packed.data) == plain.data
    assert packed.headers["ETag"] != plain.headers["ETag"]
    again = visitor.get(
        f"/static/{name}", headers={"If-None-Match": packed.headers["ETag"], "Accept-Encoding": "gzip"}
    )
    assert (again.status_code, again.data) == (304, b"")
    assert "immutable" in visitor.get(f"/static/{name}?v=1").headers["Cache-Control"]


def test_a_script_names_what_it_imports_by_its_content(visitor: Visitor) -> None:
    imported = re.search(r"'\./(drawing\.js\?v=[0-9a-f]{12})'", visitor.get("/static/board.js").text)
    assert imported
    assert "immutable" in visitor.get(f"/static/{imported[1]}").headers["Cache-Control"]


def test_pages_are_not_packed(visitor: Visitor) -> None:
    assert "Content-Encoding" not in visitor.get("/sign-in", headers={"Accept-Encoding": "gzip"}).headers


def test_a_script_that_isnt_there_is_not_found(visitor: Visitor) -> None:
    assert visitor.get("/static/nothing.js").status_code == 404
    assert visitor.get("/static/...js").status_code == 404
