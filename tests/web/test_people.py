"""A person's page, and what I want of that person."""

from __future__ import annotations

from flask import Flask

from bgmail.rules.side import Side
from bgmail.service import accounts, admission, invitations, ties
from bgmail.service.terms import Handle, Terms
from bgmail.service.turns import Request, act, load
from bgmail.world import World
from tests.web.conftest import Auth, Clock, Visitor
from tests.web.table import Table
from tests.web.test_queue import statements


def test_a_profile_tells_since_when_and_what_somebody_plays(
    auth: Auth, visitor: Visitor, world: World
) -> None:
    alice, bob = auth.person("Alice"), auth.person("Bob")
    offer = invitations.invite(world.store, alice.id, Terms(3), Handle("Bob"), "", world.now(), world.chance)
    assert visitor.get("/u/alice").status_code == 200
    assert "No match has ended yet." in visitor.text
    assert "Here since 2 Mar 2026" in visitor.text
    assert "Last seen" not in visitor.text, "of somebody who was never here there is nothing to tell"
    invitations.accept(world.store, offer.id, bob.id, world.now(), world.chance)
    visitor.get("/u/Alice")
    assert "Matches 0 won, 0 lost" in visitor.text
    assert "Running: 1 Finished: 0" in visitor.text
    assert f'href="/match/{offer.id}"' in visitor.page
    assert 'href="/u/Bob"' in visitor.page
    assert "example.org" not in visitor.page
    assert "/invite" not in visitor.page
    assert "/tie" not in visitor.page


def test_finished_matches_come_in_pages_and_the_record_counts_all(app: Flask) -> None:
    table = Table(app, (3, 1))
    here, white, black = table.world, table.view.white, table.view.black
    assert white
    assert black
    for _ in range(26):
        view = invitations.invite(here.store, white.id, Terms(1), Handle("bob"), "", here.now(), here.chance)
        view = invitations.accept(here.store, view.id, black.id, here.now(), here.chance)
        act(here.store, view.id, Side.BLACK, Request("resign_match", view.version), here.now(), here.chance)
    table.bob.get("/u/alice?show=finished")
    assert "Matches 26 won, 0 lost" in table.bob.text
    assert "Against you 26 won, 0 lost" in table.bob.text
    assert table.bob.page.count('<td class="num">') == 25
    more = table.bob.page.split('rel="next" href="')[1].split('"')[0].replace("&amp;", "&")
    table.bob.get(more)
    assert table.bob.page.count('<td class="num">') == 1
    assert 'rel="next"' not in table.bob.page
    assert table.bob.get("/u/alice?show=finished&after=nonsense").status_code == 200


def test_a_profile_costs_few_queries_whatever_was_played(app: Flask) -> None:
    table = Table(app, (3, 1))
    for path in ("/u/alice", "/u/alice?show=finished"):
        with statements(table.world) as seen:
            table.stranger.get(path)
        assert len(seen) <= 6, seen  # one of them the ratings', one the tournaments'
        with statements(table.world) as seen:
            table.bob.get(path)
        assert len(seen) <= 9, seen  # two of them the frame's, one my own note


def test_somebody_else_can_be_invited_from_their_page(auth: Auth, visitor: Visitor) -> None:
    auth.person("Alice")
    auth.person("Bob")
    auth.sign_in("Alice")
    visitor.get("/u/Bob")
    assert 'href="/invite?opponent=Bob"' in visitor.page
    visitor.get("/u/Alice")
    assert "/invite?opponent" not in visitor.page


def test_somebody_is_followed_muted_and_blocked_from_their_page_and_never_knows(
    app: Flask, clock: Clock
) -> None:
    table = Table(app, (3, 1))
    alice, bob = table.alice, table.bob
    alice.get("/u/bob")
    for tie, told, button in (
        ("follow", "You follow bob.", "Stop following"),
        ("mute", "What bob says is folded for you.", "Unmute"),
        ("mute-no", "You read bob again.", "Mute"),
        ("block", "bob is blocked, and isn't told. Matches that run go on.", "Unblock"),
    ):
        assert alice.post("/u/bob/tie", {"tie": tie}).location == "/u/bob"
        alice.get("/u/bob")
        assert told in alice.text
        assert button in alice.text
    assert "/invite?opponent" not in alice.page
    bob.get("/u/alice")
    assert "/invite?opponent=alice" in bob.page
    assert "Unblock" not in bob.page
    bob.get("/invite")
    answer = bob.post("/invite", {"opponent": "alice", "length": "3", "time": "move-a-day", "rules": "club"})
    assert answer.status_code == 422
    assert "alice takes on no more matches just now." in bob.text
    alice.post("/u/bob/tie", {"tie": "block-no"})
    alice.get("/u/bob")
    assert "bob is no longer blocked." in alice.text
    assert ties.mine(table.world.store, 1) == []
    for nonsense in ("", "love", "-no"):
        alice.post("/u/bob/tie", {"tie": nonsense})
    assert [one.kind for one in ties.mine(table.world.store, 1)] == []
    assert load(table.world.store, table.view.id).match.result is None


def test_a_muted_line_of_chat_is_folded_and_opens(app: Flask) -> None:
    table = Table(app, (3, 1))
    table.bob.get(table.path)
    table.bob.post(f"{table.path}/chat", {"body": "too slow!"})
    table.alice.get("/u/bob")
    table.alice.post("/u/bob/tie", {"tie": "mute"})
    table.alice.get(table.path)
    folded = table.alice.page.split('<details class="folded">')[1].split("</details>")[0]
    assert "A line of bob, who is muted" in folded
    assert "too slow!" in folded
    table.bob.get(table.path)
    assert "folded" not in table.bob.page


def test_the_limit_of_ones_own_matches_says_where_it_is_changed(app: Flask) -> None:
    table = Table(app, (3, 1))
    admission.set_most(table.world.store, 1, "1")
    table.alice.get("/invite")
    answer = table.alice.post("/invite", {"to": "open", "length": "3", "time": "move-a-day", "rules": "club"})
    assert answer.status_code == 422
    assert "You play as many matches as you want at a time: 1, your open offers included." in table.alice.text
    assert 'href="/settings#matches"' in table.alice.page


def test_a_stranger_ties_nobody(auth: Auth, visitor: Visitor) -> None:
    auth.person("Bob")
    visitor.get("/sign-in")
    assert visitor.post("/u/Bob/tie", {"tie": "follow"}).location.startswith("/sign-in")


def test_a_closed_account_says_so_and_is_not_invited(auth: Auth, visitor: Visitor, world: World) -> None:
    auth.person("Alice")
    bob = auth.person("Bob")
    accounts.ban(world.store, bob.id, world.now())
    auth.sign_in("Alice")
    visitor.get("/u/Bob")
    assert "This account is closed." in visitor.text
    assert "/invite?opponent" not in visitor.page


def test_a_look_alike_is_not_the_person(auth: Auth, visitor: Visitor) -> None:
    auth.person("Alice")
    assert visitor.get("/u/a1ice").status_code == 404
