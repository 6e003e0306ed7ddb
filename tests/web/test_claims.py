"""Time that is over and has to be claimed: on the page of the match and behind a letter's link."""

from __future__ import annotations

import pytest
from flask import Flask

from bgmail.rules.side import Side
from bgmail.service.deadlines import sweep_some
from tests.web.conftest import Clock
from tests.web.table import Table

WHITE, BLACK = Side.WHITE, Side.BLACK
DURATIONS = {"per_turn": 3600, "bank": 3600}


@pytest.fixture
def table(app: Flask, clock: Clock) -> Table:
    """Alice's time is over, by rules that want that claimed."""
    made = Table(app, (3, 1), (6, 4), length=5, rules="claim", time=DURATIONS)
    clock.move(hours=2)
    return made


def test_the_page_says_to_both_what_may_be_claimed_and_its_button_does_it(table: Table) -> None:
    table.alice.open(table.path)
    assert (
        "A claim wins bob a gammon: 2 points. Whatever you do before that still counts." in table.alice.text
    )
    assert 'value="play"' in table.alice.page
    table.bob.open(table.path)
    assert "alice's time is over: you may claim it" in table.bob.text
    assert "A claim wins you a gammon: 2 points." in table.bob.text
    assert "after 14 days it happens by itself" in table.bob.text
    table.send(table.bob, "claim_timeout")
    assert table.now().match.score == (0, 2)
    table.bob.open(f"{table.path}/log")
    assert "claimed it: the time was over" in table.bob.text


def test_a_link_of_a_letter_claims_by_its_button_only(table: Table) -> None:
    sweep_some(table.world.store, table.world.now(), table.world.chance)
    link = table.link(BLACK, "claim_timeout")
    table.stranger.open(link)
    assert "Claim it" in table.stranger.text
    assert table.now().match.score == (0, 0)
    table.stranger.post(link, {"action": "claim_timeout"}, follow_redirects=True)
    assert table.now().match.score == (0, 2)


def test_a_link_to_play_is_good_until_the_claim(table: Table) -> None:
    link = table.link(WHITE)
    table.stranger.open(link)
    table.stranger.post(link, {"action": "play", "play": "8/5 6/5"}, follow_redirects=True)
    assert table.now().match.on_turn is BLACK
    assert not table.now().match.late
