"""Which language somebody reads: their own choice, else this browser's, else what the browser asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from bgmail.service import accounts
from bgmail.tokens import Purpose
from bgmail.world import World
from tests.web.conftest import Auth, Outbox, Visitor
from tests.web.table import Table

GERMAN, RUSSIAN = {"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}, {"Accept-Language": "ru"}


def language(visitor: Visitor, path: str = "/", **arguments: object) -> str:
    page = visitor.open(path, **arguments).get_data(as_text=True)
    return page.split('<html lang="', 1)[1].split('"', 1)[0]


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("de-AT,de;q=0.9,en;q=0.5", "de"),
        ("ru-RU", "ru"),
        ("fr,en;q=0.8,de;q=0.4", "en"),
        ("fr", "en"),
        ("nonsense;;", "en"),
        ("", "en"),
    ],
)
def test_a_stranger_reads_the_language_that_the_browser_asks_for(
    visitor: Visitor, asked: str, answered: str
) -> None:
    assert language(visitor, headers={"Accept-Language": asked}) == answered


def test_a_stranger_chooses_in_the_footer_and_stays_on_the_page(visitor: Visitor) -> None:
    visitor.get("/rules/")
    response = visitor.client.post("/language", data={"language": "ru", "back": "/rules/"})
    assert (response.status_code, response.location) == (303, "/rules/")
    assert language(visitor, headers=GERMAN) == "ru"
    assert '<button name="language" value="ru" lang="ru" aria-pressed="true">Русский</button>' in visitor.page


def test_a_choice_leads_nowhere_else_and_knows_only_our_languages(visitor: Visitor) -> None:
    gone = visitor.client.post("/language", data={"language": "de", "back": "//evil.example/"})
    assert gone.location == "/"
    refused = visitor.client.post("/language", data={"language": "xx"})
    assert refused.status_code == 422
    assert "xx" in refused.get_data(as_text=True)
    forged = visitor.client.post(
        "/language", data={"language": "ru"}, headers={"Origin": "https://evil.example"}
    )
    assert forged.status_code == 403
    assert language(visitor) == "de"


def test_a_cookie_that_names_no_language_counts_for_nothing(visitor: Visitor) -> None:
    visitor.client.set_cookie("bgmail_language", "../../etc")
    assert language(visitor, headers=RUSSIAN) == "ru"


def test_a_person_chooses_for_every_browser_and_for_letters(
    auth: Auth, visitor: Visitor, other: Visitor, world: World
) -> None:
    alice = auth.person("Alice")
    auth.sign_in()
    visitor.open("/settings")
    kept = visitor.post("/language", {"language": "de", "back": "/settings#language"})
    assert kept.location == "/settings#language"
    assert accounts.by_id(world.store, alice.id).locale == "de"
    assert language(other) == "en"
    auth.sign_in(visitor=other)
    assert language(other, headers=RUSSIAN) == "de"


def test_whoever_signs_up_keeps_the_language_of_that_page(auth: Auth, visitor: Visitor, world: World) -> None:
    visitor.client.set_cookie("bgmail_language", "ru")
    auth.sign_up("Alice")
    assert accounts.by_handle(world.store, "Alice").locale == "ru"


def test_whoever_joins_by_an_invitation_keeps_the_language_of_that_page(
    auth: Auth, visitor: Visitor, other: Visitor, outbox: Outbox, world: World
) -> None:
    auth.person("Alice")
    auth.sign_in()
    visitor.open("/invite")
    wish = {
        "to": "person",
        "opponent": "bob@example.org",
        "length": "7",
        "rules": "club",
        "time": "move-a-day",
    }
    visitor.post("/invite", wish)
    url = outbox.of("invitation")[0].url
    assert url
    other.client.set_cookie("bgmail_language", "de")
    other.open(url)
    other.post(url, {"answer": "accept", "handle": "Bob"})
    assert accounts.by_handle(world.store, "Bob").locale == "de"


def test_a_reply_link_speaks_its_persons_language_in_anybodys_browser(app: Flask, world: World) -> None:
    table = Table(app, (3, 1))
    side = table.view.match.on_turn
    person = table.view.person(side)
    accounts.set_language(world.store, person.id, "ru")
    link = table.link(side)
    assert language(table.stranger, link, headers=GERMAN) == "ru"
    table.stranger.post(link, {"action": "play", "play": "8/5 6/5"})
    assert language(table.stranger, "/r/done", headers=GERMAN) == "ru"
    assert language(table.stranger, link, headers=GERMAN) == "ru"
    assert language(table.stranger, "/", headers=GERMAN) == "de"


@pytest.mark.parametrize(
    ("path", "purpose", "claim"),
    [
        ("/sign-in-link/", Purpose.SIGN_IN, lambda account: [account.id, account.epoch]),
        ("/reset/", Purpose.RESET, lambda account: [account.id, account.epoch]),
        ("/unsubscribe/", Purpose.UNSUBSCRIBE, lambda account: [account.id, "your_turn"]),
    ],
)
def test_other_links_of_letters_speak_their_readers_language_too(
    auth: Auth,
    visitor: Visitor,
    world: World,
    sign: Callable[[Purpose, Any], str],
    path: str,
    purpose: Purpose,
    claim: Callable[[accounts.Account], Any],
) -> None:
    alice = auth.person("Alice")
    accounts.set_language(world.store, alice.id, "ru")
    assert language(visitor, path + sign(purpose, claim(alice)), headers=GERMAN) == "ru"
    assert visitor.get("/sign-in", headers=GERMAN).status_code == 200
    assert language(visitor, "/sign-in", headers=GERMAN) == "de"


def test_caches_are_told_what_a_page_depends_on(visitor: Visitor) -> None:
    assert {"accept-language", "cookie"} <= set(map(str.lower, visitor.get("/").vary))
    assert "Accept-Language" not in visitor.get("/boards.css").vary


def test_the_api_and_exports_are_english_whoever_asks(app: Flask, world: World) -> None:
    table = Table(app, (3, 1))
    side = table.view.match.on_turn
    accounts.set_language(world.store, table.view.person(side).id, "ru")
    visitor = {table.view.white: table.alice, table.view.black: table.bob}[table.view.person(side)]
    visitor.client.set_cookie("bgmail_language", "de")
    visitor.open(table.path)
    token = {"X-CSRFToken": visitor.token, **GERMAN}
    wish = {"version": table.now().version, "action": "play", "play": "24/15"}
    problem = visitor.client.post(f"/api/v1/matches/{table.view.id}/actions", json=wish, headers=token)
    assert problem.status_code == 422
    assert problem.json["detail"].isascii()
    assert problem.json["detail"].startswith("No die of 3-1 fits that.")
    nowhere = visitor.client.get("/api/v1/nothing", headers=GERMAN)
    assert nowhere.json["detail"].startswith("The requested URL was not found")
    plain = table.stranger.get(f"{table.path}/export.mat").get_data()
    assert visitor.get(f"{table.path}/export.mat", headers=GERMAN).get_data() == plain
