"""Several matches given up by one page: what is ticked, once it is confirmed, and nothing else."""

from __future__ import annotations

import pytest
from flask import Flask

from bgmail.rules.score import Ending
from bgmail.rules.side import Side
from bgmail.service import accounts, invitations, resignations, turns
from bgmail.service.errors import Forbidden
from bgmail.service.terms import Handle, Terms
from bgmail.service.views import MatchView
from tests.web.table import Table
from tests.web.test_queue import statements


@pytest.fixture
def table(app: Flask) -> Table:
    return Table(app, (3, 1))


def another(table: Table) -> MatchView:
    """One more match of the same two."""
    world, (alice, bob) = table.world, (table.view.white, table.view.black)
    assert alice
    assert bob
    offered = invitations.invite(
        world.store, bob.id, Terms(3), Handle("alice"), "", world.now(), world.chance
    )
    return invitations.accept(world.store, offered.id, alice.id, world.now(), world.chance)


def test_the_ticked_matches_are_resigned_once_that_is_confirmed_and_no_other(table: Table) -> None:
    second, third = another(table), another(table)
    alice = table.alice
    alice.open("/?show=all")
    assert "/resign" in alice.page
    with statements(table.world) as seen:
        alice.get("/resign")
    assert len(seen) <= 4, seen
    assert all(f'value="{view.id}"' in alice.page for view in (table.view, second, third))
    ticked = {"match": [table.view.id, second.id]}
    assert alice.post("/resign", ticked).status_code == 422
    assert "Please say that you are sure." in alice.text
    assert alice.page.count(" checked") == 2
    assert table.now().match.result is None
    answer = alice.post("/resign", {**ticked, "sure": "1"})
    assert (answer.status_code, answer.location) == (303, "/?show=all")
    alice.open("/?show=all")
    assert "2 matches are resigned." in alice.text
    for match_id, winner in ((table.view.id, Side.BLACK), (second.id, Side.WHITE)):
        result = turns.load(table.world.store, match_id).match.result
        assert result is not None
        assert (result.winner, result.ending) == (winner, Ending.RESIGNED)
    assert turns.load(table.world.store, third.id).match.result is None


def test_the_same_form_sent_again_changes_nothing_more(table: Table) -> None:
    alice, fields = table.alice, {"match": [table.view.id], "sure": "1"}
    alice.open("/resign")
    token = alice.token
    alice.post("/resign", fields)
    entries = table.entries()
    alice.post("/resign", {**fields, "csrf_token": token}, follow_redirects=True)
    assert "One match was over already." in alice.text
    assert table.entries() == entries


def test_nobody_resigns_for_somebody_else_or_without_the_forms_token(table: Table) -> None:
    charlie = accounts.by_handle(table.world.store, "charlie")
    with pytest.raises(Forbidden):
        resignations.resign_all(
            table.world.store, charlie.id, [table.view.id], table.world.now(), table.world.chance
        )
    bare = table.alice.client.post("/resign", data={"match": table.view.id, "sure": "1"})
    assert bare.status_code in (400, 403)
    stranger = table.stranger
    assert stranger.get("/resign").location.startswith("/sign-in")
    alice = table.alice
    alice.open("/resign")
    assert alice.post("/resign", {"match": [table.view.id, "no-such-match"], "sure": "1"}).status_code == 404
    assert alice.post("/resign", {"sure": "1"}).status_code == 422
    assert "Tick the matches" in alice.text
    assert table.now().match.result is None
