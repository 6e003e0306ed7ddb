"""Looking for people, and for matches to look at."""

from __future__ import annotations

from flask import Flask

from bgmail.service import accounts, invitations
from bgmail.service.terms import Handle, Terms
from tests.web.conftest import Auth, Visitor
from tests.web.table import Table
from tests.web.test_queue import another, statements


def test_people_are_found_by_anybody(auth: Auth, visitor: Visitor) -> None:
    for name in ("Alice", "Alina", "Bob"):
        auth.person(name)
    visitor.get("/people")
    assert "People I follow" not in visitor.text
    assert visitor.get("/people?q=A1i").status_code == 200
    assert 'href="/u/Alice"' in visitor.page
    assert 'href="/u/Alina"' in visitor.page
    assert 'href="/u/Bob"' not in visitor.page
    visitor.get("/people?q=<i>")
    assert "begins like “<i>”" in visitor.text
    assert visitor.get("/people?q=alice@example.org").status_code == 422
    assert "People are found by their handle, not by an address." in visitor.text
    assert 'href="/u/Alice"' not in visitor.page


def test_the_matches_of_people_i_follow_are_on_one_page(app: Flask) -> None:
    table = Table(app, (3, 1))
    charlie = accounts.by_handle(table.world.store, "charlie")
    visitor = Visitor(app)
    visitor.client.get("/")
    table.alice.get("/u/bob")
    table.alice.post("/u/bob/tie", {"tie": "follow"})
    here = table.world
    view = invitations.invite(here.store, charlie.id, Terms(5), Handle("bob"), "", here.now(), here.chance)
    invitations.accept(here.store, view.id, 2, here.now(), here.chance)
    with statements(here) as seen:
        table.alice.get("/people")
    assert len(seen) <= 4, seen
    assert f'href="/match/{view.id}"' in table.alice.page
    assert "People I follow" in table.alice.text
    table.bob.get("/people")
    assert f'href="/match/{view.id}"' not in table.bob.page
    assert "Nobody yet." in table.bob.text


def test_public_matches_are_listed_in_pages_by_one_query(app: Flask) -> None:
    table = Table(app, (3, 1))
    for length in [3] * 19 + [5] * 3:
        another(table, (6, 1), length=length)
    with statements(table.world) as seen:
        table.stranger.get("/matches")
    assert len(seen) == 1, seen
    assert table.stranger.page.count('class="queue-board"') == 20
    more = table.stranger.page.split('rel="next" href="')[1].split('"')[0].replace("&amp;", "&")
    table.stranger.get(more)
    assert table.stranger.page.count('class="queue-board"') == 3
    table.stranger.get("/matches?length=5&player=BOB")
    assert table.stranger.page.count('class="queue-board"') == 3
    table.stranger.get("/matches?player=charlie")
    assert "No such match is running." in table.stranger.text
    assert table.stranger.get("/matches?player=nobody").status_code == 404
    assert "There is nobody called “nobody” here." in table.stranger.text
    for nonsense in ("length=99", "length=x", "after=1", "after=99999999999999999-x", "show=none"):
        assert table.stranger.get(f"/matches?{nonsense}").status_code == 200
    table.stranger.get("/matches?show=finished")
    assert "There is no such match." in table.stranger.text


def test_anybody_watches_a_match_without_its_chat_and_notes(app: Flask) -> None:
    table = Table(app, (3, 1))
    table.alice.get(table.path)
    table.alice.post(f"{table.path}/chat", {"body": "between you and me"})
    table.alice.post(f"{table.path}/note", {"body": "only for me"})
    assert table.stranger.get(table.path).status_code == 200
    for secret in ("between you and me", "only for me"):
        assert secret in table.alice.open(table.path).get_data(as_text=True)
        assert secret not in table.stranger.page
