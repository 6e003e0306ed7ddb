"""All my data as a file, and closing the account: only by somebody who shows that it is theirs."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import UTC, datetime

from bgmail.phrases.people import CLOSED, called
from bgmail.service import accounts, departures, invitations, matches
from bgmail.service.belongings import File
from bgmail.service.terms import Handle, Terms
from bgmail.service.turns import load
from bgmail.web import zips
from bgmail.world import World
from tests.web.conftest import PASSWORD, Auth, Clock, Outbox, Visitor


def test_an_archive_is_sent_in_pieces_and_opens_anywhere() -> None:
    line = "0123456789" * 100_000
    pieces = list(
        zips.stream([File("a.txt", ["ä\n"]), File("b/c.txt", [line] * 20)], datetime(2026, 3, 2, tzinfo=UTC))
    )
    with zipfile.ZipFile(io.BytesIO(b"".join(pieces))) as archive:
        assert archive.testzip() is None
        assert archive.read("a.txt").decode() == "ä\n"
        assert archive.read("b/c.txt").decode() == line * 20


def test_more_than_a_piece_is_never_held() -> None:
    noise = [hex(number**40) for number in range(1, 20_000)]
    sizes = [len(piece) for piece in zips.stream([File("n", noise)], datetime(2026, 3, 2, tzinfo=UTC))]
    assert len(sizes) > 3
    assert max(sizes) < 2 * zips.FULL


def test_who_knows_the_password_gets_the_file(auth: Auth, visitor: Visitor, world: World) -> None:
    alice, bob = auth.person("Alice"), auth.person("Bob")
    view = invitations.invite(world.store, alice.id, Terms(3), Handle("Bob"), "", world.now(), world.chance)
    invitations.accept(world.store, view.id, bob.id, world.now(), world.chance)
    assert visitor.get("/settings/export").location.startswith("/sign-in")
    auth.sign_in("Alice")
    visitor.get("/settings/export")
    assert visitor.post("/settings/export", {"old": "wrong one"}).status_code == 422
    assert "That isn't your present password." in visitor.text
    answer = visitor.post("/settings/export", {"old": PASSWORD})
    assert (answer.status_code, answer.mimetype) == (200, "application/zip")
    assert answer.headers["Content-Disposition"] == "attachment; filename=bgmail-Alice.zip"
    assert answer.headers["Cache-Control"] == "no-store"
    with zipfile.ZipFile(io.BytesIO(answer.data)) as archive:
        assert json.loads(archive.read("account.json"))["handle"] == "Alice"
        assert f"matches/{view.id}.mat" in archive.namelist()
        assert archive.read("README.txt").decode().startswith("Everything that bgmail keeps about you.")
    for _ in range(9):
        visitor.post("/settings/export", {"old": PASSWORD})
    assert visitor.post("/settings/export", {"old": PASSWORD}).status_code == 429


def test_an_account_is_closed_by_its_owner_who_says_so_twice(
    auth: Auth, visitor: Visitor, other: Visitor, world: World, outbox: Outbox
) -> None:
    alice, bob = auth.person("Alice"), auth.person("Bob")
    view = invitations.invite(world.store, alice.id, Terms(3), Handle("Bob"), "", world.now(), world.chance)
    view = invitations.accept(world.store, view.id, bob.id, world.now(), world.chance)
    matches.say(world.store, view, alice.id, "bye", world.now())
    auth.sign_in("Alice")
    visitor.get("/settings/close")
    assert "Nobody else can take the handle Alice" in visitor.text
    assert visitor.post("/settings/close", {"old": PASSWORD}).status_code == 422
    assert "Please say that you are sure." in visitor.text
    assert visitor.post("/settings/close", {"sure": "yes", "old": "wrong"}).status_code == 422
    assert load(world.store, view.id).match.result is None
    assert visitor.post("/settings/close", {"sure": "yes", "old": PASSWORD}).location == "/"
    visitor.open("/")
    assert "Your account is closed. Thank you for playing. One running match was resigned." in visitor.text
    assert "Sign in" in visitor.text
    assert auth.sign_in("Alice").status_code == 422
    assert outbox.last().kind == "match_over"
    assert outbox.last().account_id == bob.id
    auth.sign_in("Bob", visitor=other)
    other.open(f"/match/{view.id}")
    assert "closed account" in other.text
    assert "bye" in other.text
    assert "Alice" not in other.page
    other.post(f"/match/{view.id}/rematch", follow_redirects=True)
    assert "Your opponent has closed their account." in other.text
    assert other.get("/u/closed%20account").status_code == 200
    assert "has closed their account" in other.text
    assert other.get("/u/Alice").status_code == 404
    assert other.open("/u/Bob?show=finished").status_code == 200
    for path in (
        "/",
        "/?show=all",
        f"/match/{view.id}/log",
        f"/match/{view.id}/dice",
        "/matches?show=finished",
    ):
        assert other.open(path).status_code == 200


def test_a_closed_account_is_called_so_in_the_readers_language(
    auth: Auth, visitor: Visitor, world: World
) -> None:
    alice, bob = auth.person("Alice"), auth.person("Bob")
    view = invitations.invite(world.store, alice.id, Terms(3), Handle("Bob"), "", world.now(), world.chance)
    invitations.accept(world.store, view.id, bob.id, world.now(), world.chance)
    departures.close(world.store, alice.id, world.now(), world.chance)
    german = {"Accept-Language": "de"}
    visitor.get(f"/match/{view.id}", headers=german)
    named = called(CLOSED)
    assert named == CLOSED  # outside of a request
    link = visitor.page.split('class="name"><a href="')[1].split('"')[0]
    assert visitor.get(link, headers=german).status_code == 200


def test_without_a_password_a_link_in_a_letter_shows_who_it_is(
    auth: Auth, visitor: Visitor, world: World, outbox: Outbox, clock: Clock
) -> None:
    alice = auth.person("Alice", password=None)
    visitor.get("/sign-in-link")
    visitor.post("/sign-in-link", {"email": "alice@example.org"})
    url = outbox.last().url
    assert url
    visitor.get(url)
    visitor.post(url)
    clock.move(minutes=31)
    visitor.get("/settings/close")
    assert 'name="sure"' not in visitor.page
    assert visitor.post("/settings/close", {"sure": "yes"}).status_code == 422
    assert "Come in by a link in a letter first" in visitor.text
    assert visitor.post("/settings/export").status_code == 422
    assert visitor.post("/settings/link", {"page": "close"}).location == "/settings/close"
    url = outbox.last().url
    assert url
    visitor.get(url)
    visitor.post(url)
    assert visitor.get("/settings/export").status_code == 200
    assert visitor.post("/settings/export").status_code == 200
    visitor.get("/settings/close")
    assert visitor.post("/settings/close", {"sure": "yes"}).location == "/"
    assert not accounts.by_id(world.store, alice.id).active
