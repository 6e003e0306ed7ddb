"""A play that is laid out and not submitted: kept for its owner's next look, at that version alone."""

from __future__ import annotations

import json

import pytest
from flask import Flask

from bgmail.rules.side import Side
from bgmail.service import sketches, turns
from tests.web.conftest import Visitor
from tests.web.table import Table

PLAY = "8/5 6/5"


@pytest.fixture
def table(app: Flask) -> Table:
    """31 is Alice's to play."""
    return Table(app, (3, 1), (4, 2))


def lay(table: Table, visitor: Visitor, play: str, version: int | None = None) -> int:
    visitor.open(table.path)
    at = str(table.view.version if version is None else version)
    return visitor.post(f"{table.path}/sketch", {"version": at, "play": play}).status_code


def laid(visitor: Visitor, table: Table) -> str | None:
    """The play that the board's script is given."""
    visitor.open(table.path)
    data = visitor.page.partition('id="board-data"')[2].partition(">")[2].partition("</script>")[0]
    found: str | None = json.loads(data).get("laid")
    return found


def test_it_waits_on_the_board_until_it_is_taken_back(table: Table) -> None:
    assert lay(table, table.alice, PLAY) == 204
    assert laid(table.alice, table) == PLAY
    assert lay(table, table.alice, "24/23 13/10") == 204
    assert laid(table.alice, table) == "24/23 13/10"
    assert lay(table, table.alice, "") == 204
    assert laid(table.alice, table) is None


def test_nothing_is_played_by_it_and_nobody_else_sees_it(table: Table) -> None:
    before = turns.load(table.world.store, table.view.id)
    lay(table, table.alice, PLAY)
    assert turns.load(table.world.store, table.view.id) == before
    for visitor in (table.bob, table.stranger):
        visitor.open(table.path)
        assert PLAY not in visitor.page


def test_it_is_gone_with_its_turn(table: Table) -> None:
    lay(table, table.alice, PLAY)
    table.act(Side.WHITE, "play", play="13/10 6/5")
    bob = turns.load(table.world.store, table.view.id)
    alice = bob.white
    assert alice is not None
    assert sketches.find(table.world.store, bob, alice.id) == ""


@pytest.mark.parametrize("play", ["8/5 8/5", "nonsense", "6/5 8/5", "13/7", "8/5 6/5 " * 50])
def test_what_is_no_legal_play_is_refused(table: Table, play: str) -> None:
    assert lay(table, table.alice, play) == 422
    assert laid(table.alice, table) is None


def test_only_whose_turn_it_is_lays_out(table: Table) -> None:
    assert lay(table, table.bob, PLAY) == 422
    assert lay(table, table.alice, PLAY, version=1) == 409
    assert lay(table, table.stranger, PLAY) in (400, 401)
