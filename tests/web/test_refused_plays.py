"""A written play that was refused: the page that comes back still has it in its field."""

from __future__ import annotations

import re

from flask import Flask

from bgmail.rules.side import Side
from tests.web.conftest import Visitor
from tests.web.table import Table

FIELD = re.compile(r'<input id="written"[^>]* value="([^"]*)"')


def written(visitor: Visitor) -> str:
    found = FIELD.search(visitor.page)
    assert found, "there is a field for a written play"
    return found[1]


def test_what_was_refused_stands_in_its_field_once(app: Flask) -> None:
    table = Table(app, (3, 1))
    assert "No die of 3-1 fits that." in table.send(table.alice, "play", play="24/15")
    assert written(table.alice) == "24/15"
    assert 'class="byhand open"' in table.alice.page
    table.alice.open(table.path)
    assert written(table.alice) == ""
    assert 'class="byhand"' in table.alice.page
    assert "can't be read" in table.send(table.alice, "play", play='6/5 "<b>')
    assert written(table.alice) == "6/5 &#34;&lt;b&gt;"


def test_it_is_kept_for_its_own_match_alone_and_cut_to_what_the_field_takes(app: Flask) -> None:
    table = Table(app, (3, 1))
    other = table.act(Side.WHITE, "play", play="8/5 6/5")
    table.alice.open(table.path)
    refused = {"action": "play", "play": "6/5\x00" + "x" * 100, "version": other.version}
    table.alice.post(f"{table.path}/act", refused)
    with table.alice.client.session_transaction() as kept:
        assert kept["wrote"] == [table.view.id, "6/5" + "x" * 76]
        kept["wrote"] = ["another", "6/5"]
    table.act(Side.BLACK, "roll")
    table.bob.open(table.path)
    table.alice.open(table.path)
    with table.alice.client.session_transaction() as kept:
        assert "wrote" not in kept


def test_behind_a_link_in_a_letter_it_is_kept_too(app: Flask) -> None:
    table = Table(app, (3, 1))
    link = table.link(Side.WHITE)
    table.stranger.open(link)
    assert written(table.stranger) == ""
    table.stranger.post(link, {"action": "play", "play": "24/15"})
    assert "No die of 3-1 fits that." in table.stranger.text
    assert written(table.stranger) == "24/15"
