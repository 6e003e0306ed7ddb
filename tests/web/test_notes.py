"""Notes of one's own on the pages: a small form, and no way to those of somebody else."""

from __future__ import annotations

import json

import pytest
from flask import Flask

from bgmail.rules.side import Side
from bgmail.service import accounts, logins, notes
from tests.web.conftest import Visitor
from tests.web.table import Table

SECRET = "Bob always runs with 6-5."
PERSONAL = "Bob hates prime against prime."


@pytest.fixture
def table(app: Flask) -> Table:
    """31: 8/5 6/5, and Alice's notes on the match and on Bob."""
    made = Table(app, (3, 1), (4, 2))
    made.act(Side.WHITE, "play", play="8/5 6/5")
    keep(made, made.alice, made.path, SECRET)
    keep(made, made.alice, "/u/bob", PERSONAL)
    return made


def keep(table: Table, visitor: Visitor, page: str, body: str, **fields: str) -> tuple[int, str]:
    """Sends the form for a note that stands on the page; the answer's status and where it leads."""
    visitor.open(page)
    answer = visitor.post(f"{page}/note", {"body": body, "back": page, **fields})
    return answer.status_code, answer.headers.get("Location", "")


def enter(table: Table, handle: str) -> Visitor:
    visitor = Visitor(table.app)
    person, secret = accounts.by_handle(table.world.store, handle), logins.new_secret()
    logins.open_session(table.world.store, person.id, "test", secret, table.world.now())
    visitor.client.set_cookie(table.app.config["BGMAIL_LOGIN_COOKIE"], secret)
    return visitor


def test_kept_by_a_form_and_shown_to_their_writer(table: Table) -> None:
    assert keep(table, table.alice, table.path, SECRET) == (303, f"{table.path}#notes")
    table.alice.open(table.path)
    assert SECRET in table.alice.text
    assert PERSONAL in table.alice.text
    table.alice.open("/u/bob")
    assert PERSONAL in table.alice.text
    assert SECRET not in table.alice.page


def test_nobody_else_sees_them_anywhere(table: Table) -> None:
    visitors = [table.bob, enter(table, "charlie"), table.stranger]
    paths = ["", "/log", "/log/5", "/replay", "/film", "/boards", "/dice", "/export.json", "/export.mat"]
    pages = [f"{table.path}{path}" for path in paths] + ["/u/bob", "/u/alice", "/", "/settings"]
    api = [f"/api/v1/matches/{table.view.id}{end}" for end in ("", "/log", "/export?format=json")]
    for visitor in visitors:
        for path in pages + api:
            page = visitor.open(path).get_data(as_text=True)
            assert SECRET not in page, path
            assert PERSONAL not in page, path
    alice = [table.alice.open(path).get_data(as_text=True) for path in [*api, f"{table.path}/export.json"]]
    assert not any(json.dumps(SECRET)[1:-1] in answer for answer in alice), (
        "not even their writer's API answers"
    )


def test_a_stranger_has_no_form_and_is_sent_to_sign_in(table: Table) -> None:
    table.stranger.open(table.path)
    assert "/note" not in table.stranger.page
    table.stranger.open("/sign-in")
    answer = table.stranger.post(f"{table.path}/note", {"body": "x", "back": table.path})
    assert answer.status_code == 303
    assert "/sign-in" in answer.headers["Location"]


def test_without_the_forms_token_nothing_is_kept(table: Table) -> None:
    answer = table.alice.client.post(f"{table.path}/note", data={"body": "forged"})
    assert answer.status_code in (400, 403)
    account = accounts.by_handle(table.world.store, "alice")
    assert notes.read(table.world.store, account.id, table.view.id).match == SECRET


def test_what_is_too_long_is_shown_again_and_changes_nothing(table: Table) -> None:
    status, _ = keep(table, table.alice, table.path, "<b>" + "x" * 2000)
    assert status == 422
    assert "A note has at most 2000 plain characters." in table.alice.text
    assert "&lt;b&gt;" + "x" * 2000 in table.alice.page
    table.alice.open(table.path)
    assert SECRET in table.alice.page


def test_a_note_leads_back_to_this_site_alone(table: Table) -> None:
    table.alice.open(table.path)
    answer = table.alice.post(f"{table.path}/note", {"body": "x", "back": "https://elsewhere.example/"})
    assert answer.headers["Location"] == f"{table.path}#notes"


def test_the_pages_script_stays_where_it_is(table: Table) -> None:
    table.alice.open(table.path)
    by_script = {"X-Requested-With": "note"}
    kept = table.alice.post(f"{table.path}/note", {"body": "kept"}, headers=by_script)
    assert (kept.status_code, kept.data) == (204, b"")
    table.stranger.open("/sign-in")
    refused = table.stranger.post(f"{table.path}/note", {"body": "x"}, headers=by_script)
    assert refused.status_code == 401


def test_there_is_no_note_on_oneself(table: Table) -> None:
    table.alice.open("/u/alice")
    assert "/note" not in table.alice.page
    table.alice.open("/u/bob")
    assert table.alice.post("/u/alice/note", {"body": "me"}).status_code == 422
