"""What people send: broken, too much, strange, or script. It is refused with a sentence or shown as written."""

from __future__ import annotations

import re

import pytest
from flask import Flask, Response
from sqlalchemy import update

from bgmail.service import accounts, invitations, logins, matches
from bgmail.service.errors import Refused
from bgmail.service.terms import Handle, Terms
from bgmail.service.tournaments import views
from bgmail.store.matches import table
from bgmail.store.tables import AccountRow
from bgmail.world import World
from tests.service.tournaments.club import Club
from tests.web.conftest import Auth, Visitor
from tests.web.test_tournament_pages import KNOCKOUT, browser_of
from tests.web.test_tournament_pages import path as place_of

HOSTILE = ["<img src=x onerror=alert(1)>", '"><svg onload=alert(1)>', "{{7*7}}", "javascript:alert(1)"]


def test_errors_are_pages_with_a_sentence(
    app: Flask, visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> Response:
        raise RuntimeError("a secret story")

    monkeypatch.setitem(app.view_functions, "guide.help", broken)
    for path, status, words in (
        ("/nothing-here", 404, "There is nothing at this address."),
        ("/sign-out", 405, "This address can't be used in this way."),
        ("/help", 500, "Something went wrong on our side."),
        ("/match/nonsense", 404, "There is no such match."),
        ("/u/Nobody", 404, "There is nobody called “Nobody” here."),
    ):
        answer = visitor.get(path)
        assert answer.status_code == status, path
        assert words in visitor.text
        assert "secret story" not in visitor.page
        assert "Traceback" not in visitor.page


def test_more_than_a_megabyte_is_refused(visitor: Visitor) -> None:
    visitor.get("/sign-in")
    assert visitor.post("/sign-in", {"name": "x" * 1_100_000}).status_code == 413
    assert "That is more than this server takes at once." in visitor.text


@pytest.mark.parametrize("body", [b"\xff\xfe=\xff", b"name=%FF%FE&password=%00", b"&&&===;;;", b"name=%"])
def test_broken_encodings_change_nothing(visitor: Visitor, body: bytes) -> None:
    visitor.get("/sign-in")
    sent = f"csrf_token={visitor.token}&".encode() + body
    answer = visitor.client.post("/sign-in", data=sent, content_type="application/x-www-form-urlencoded")
    assert answer.status_code in (400, 422)


@pytest.mark.parametrize(
    "path", ["/u/%00", "/u/%FF", "/u/..%2f..%2fetc", "/u/" + "a" * 2000, "/%00", "/u/%F0%9F%92%A9"]
)
def test_strange_addresses_are_nowhere(visitor: Visitor, path: str) -> None:
    assert visitor.get(path).status_code == 404


@pytest.mark.parametrize("text", HOSTILE)
def test_script_is_no_handle_and_elsewhere_it_is_shown_as_written(
    auth: Auth, visitor: Visitor, text: str, world: World
) -> None:
    assert auth.sign_up(text[:20]).status_code == 422
    alice = auth.person("Alice")
    logins.open_session(world.store, alice.id, text, "a visitor", world.now())
    logins.create_token(world.store, alice.id, text, world.now())
    auth.sign_in("Alice")
    pages = []
    for path in ("/settings", f"/u/{text}", f"/sign-in?next={text}", f"/{text}"):
        visitor.open(path)
        pages.append(visitor.page)
    visitor.post("/settings/time-zone", {"time_zone": text})
    for page in [*pages, visitor.page]:
        assert "<img src=x" not in page
        assert "<svg onload" not in page
        drawn = r"<svg.*?</svg>"  # has numbers of its own
        assert "49" not in re.sub(rf'{drawn}|(nonce|value|content)="[^"]*"|\?v=\w+', "", page)
        assert 'href="javascript:' not in page


@pytest.fixture
def match_id(auth: Auth, world: World) -> str:
    """A match of Alice and Bob."""
    alice, bob = auth.person("Alice"), auth.person("Bob")
    offer = invitations.invite(world.store, alice.id, Terms(3), Handle("Bob"), "", world.now(), world.chance)
    return invitations.accept(world.store, offer.id, bob.id, world.now(), world.chance).id


def test_a_line_of_chat_is_said_by_who_is_signed_in_whatever_the_form_says(
    auth: Auth, visitor: Visitor, other: Visitor, match_id: str, world: World
) -> None:
    bob = accounts.by_handle(world.store, "Bob")
    auth.sign_in("Alice")
    visitor.open(f"/match/{match_id}")
    line = {"body": "Good luck!", "sender_id": str(bob.id), "author_id": str(bob.id), "sender_name": "Bob"}
    assert visitor.post(f"/match/{match_id}/chat", line).status_code == 303
    view = matches.load(world.store, match_id)
    (said,) = matches.chat(world.store, view, bob.id)
    assert (said.author.handle, said.body) == ("Alice", "Good luck!")
    auth.person("Charlie")
    auth.sign_in("Charlie", visitor=other)
    other.open("/settings")
    assert other.post(f"/match/{match_id}/chat", line).status_code == 403
    assert len(matches.chat(world.store, view, bob.id)) == 1


@pytest.mark.parametrize("text", HOSTILE)
def test_script_in_chat_is_shown_as_written(auth: Auth, visitor: Visitor, match_id: str, text: str) -> None:
    auth.sign_in("Alice")
    visitor.open(f"/match/{match_id}")
    visitor.post(f"/match/{match_id}/chat", {"body": text})
    visitor.open(f"/match/{match_id}")
    assert text in visitor.text
    assert "<img src=x" not in visitor.page
    assert "<svg onload" not in visitor.page


def test_script_in_names_of_tournaments_and_players_is_shown_as_written(app: Flask, club: Club) -> None:
    """Handles like these can't be had any more; an old row may have one."""
    text = " ".join(HOSTILE[:3])
    words: dict[str, object] = {"length": 1, "text": text}
    tournament = club.open(KNOCKOUT, words, name=text)
    club.enter(tournament, "Alice", "Bob", "Eve", "Finn")
    club.say(tournament, "announce", text=text)
    club.say(tournament, "start")
    club.job()
    account = table(AccountRow)
    with club.store.write() as connection:
        connection.execute(
            update(account).where(account.c.id == club.person("Alice")).values(handle=HOSTILE[0])
        )
    number = next(one.number for one in views.entrants(club.store, tournament.id) if one.handle == HOSTILE[0])
    alices = next(one for one in club.pairings(tournament).values() if one.has(number))
    finn = browser_of(app, club, "Finn")
    organised = [
        place_of(tournament, page) for page in ("", "/pairings", "/standings", "/bracket", "/players")
    ]
    club.say(tournament, "add_organiser", handle="finn")
    pages = [*organised, place_of(tournament, "/organise"), "/tournaments"]
    played = [f"/match/{alices.match_id}{page}" for page in ("", "/log", "/print")]
    for address, shown in [*((one, text) for one in pages), *((one, HOSTILE[0]) for one in played)]:
        assert finn.get(address).status_code == 200, address
        assert shown in finn.text, address
        assert "<img src=x" not in finn.page, address
        assert "<svg onload" not in finn.page, address
    export = finn.client.get(place_of(tournament, "/export.json"))
    assert (export.json or {})["name"] == text
    assert export.headers["X-Content-Type-Options"] == "nosniff"
    assert export.content_type == "application/json"


def test_a_line_break_in_the_name_of_a_tournament_is_a_blank(club: Club) -> None:
    """Names stand in the subjects of letters."""
    for break_ in ("\r\n", "\n", "\u2028"):
        assert club.open(name=f"X{break_}Bcc: victim@example.org").name == "X Bcc: victim@example.org"
    with pytest.raises(Refused):
        club.open(name="X\x00Bcc: victim@example.org")
