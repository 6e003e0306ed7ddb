"""The pages of standing orders and prepared replies, without scripts: kept, and shown to their owner alone."""

from __future__ import annotations

import pytest
from flask import Flask

from bgmail.rules.score import Crawford
from bgmail.rules.side import Side
from bgmail.service import orders, prepared
from bgmail.service.orders import Chosen
from tests.web.conftest import Visitor
from tests.web.table import Table


@pytest.fixture
def table(app: Flask) -> Table:
    """Alice has played her 3-1, and Bob may roll or double."""
    table = Table(app, (3, 1), (6, 4), (2, 1))
    table.act(Side.WHITE, "play", play="8/5 6/5")
    return table


def account(table: Table, side: Side) -> int:
    person = table.view.person(side)
    assert person is not None
    return person.id


def test_orders_for_all_matches_are_saved_and_shown_again(table: Table) -> None:
    table.alice.open("/settings/orders")
    table.alice.post("/settings/orders", {"auto_roll": "yes", "shut_out": "yes", "most_a_day": "12"})
    chosen = orders.for_all(table.world.store, account(table, Side.WHITE))
    assert chosen == Chosen(auto_roll=True, bear_off=False, shut_out=True, most_a_day=12)
    table.alice.open("/settings/orders")
    assert 'value="12"' in table.alice.page
    assert 'name="auto_roll" value="yes" checked' in table.alice.page
    for typed in ("101", "-1", "many", "1.5", "²"):
        table.alice.post("/settings/orders", {"most_a_day": typed})
    assert orders.for_all(table.world.store, account(table, Side.WHITE)) == chosen


def test_orders_for_one_match_are_saved_and_shown_to_their_owner_alone(table: Table) -> None:
    path = f"{table.path}/orders"
    for _ in range(2):  # what he sees for the first time is new to him
        table.bob.open(table.path)
    before = table.bob.page
    table.alice.open(path)
    table.alice.post(path, {"answer": "take", "bear_off": "yes", "shut_out": "no", "double_on_dance": "yes"})
    alice = account(table, Side.WHITE)
    chosen = orders.for_match(table.world.store, table.now(), alice)
    assert chosen == Chosen(bear_off=True, shut_out=False, answer="take", double_on_dance=True)
    table.bob.open(table.path)
    assert words(table.bob.page) == words(before)
    table.bob.open(path)
    assert "selected>ask me" in table.bob.page
    assert table.stranger.get(path).status_code == 303


def test_orders_about_the_cube_are_offered_only_while_there_is_one(app: Flask) -> None:
    table = Table(app, (3, 1), (6, 2), length=2)
    table.alice.open(f"{table.path}/orders")
    assert 'name="answer"' in table.alice.page
    table.act(Side.WHITE, "resign", value=1)
    table.act(Side.BLACK, "accept_resignation")
    assert table.now().match.crawford is Crawford.ACTIVE
    table.alice.open(f"{table.path}/orders")
    assert 'name="answer"' not in table.alice.page
    assert 'name="double_on_dance"' not in table.alice.page
    assert "This is the Crawford game: nobody may double. Orders about the cube can be" in table.alice.text
    table.alice.post(f"{table.path}/orders", {"bear_off": "yes"}, follow_redirects=True)
    assert "Saved." in table.alice.text


def words(page: str) -> list[str]:
    """A page without what is new in each: tokens of forms."""
    return [line for line in page.splitlines() if "csrf" not in line and "nonce" not in line]


def test_a_reply_is_prepared_step_by_step_and_made(table: Table) -> None:
    path, alice = f"{table.path}/prepare", table.alice
    alice.open(path)
    assert "step=roll+6-4" in alice.page
    assert "step=double" in alice.page
    alice.open(f"{path}?step=roll+6-4")
    assert "step=roll+6-4&amp;step=play+24/14" in alice.page.replace("%2F", "/")
    assert "The numbers are those of bob: 24 there is 1 on your board." in alice.page
    alice.open(f"{path}?step=roll+6-4&step=play+24/14")
    assert 'value="double"' in alice.page
    alice.open(f"{path}?step=roll+6-4&step=play+24/14&step=roll+2-1")
    assert '<option value="play 24/22 6/5">' in alice.page
    version = str(table.now().version)
    steps = ["roll 6-4", "play 24/14", "roll 2-1"]
    alice.post(path, {"version": version, "step": steps, "then": "play 24/22 6/5"})
    alice.open(f"{table.path}/orders")
    assert "bob rolls 6-4, bob plays 24/14, you roll 2-1" in alice.page
    table.act(Side.BLACK, "roll")
    view = table.act(Side.BLACK, "play", play="24/14")
    assert view.match.on_turn is Side.BLACK
    alice.open(table.path)
    assert "as you had prepared" in alice.page
    table.bob.open(table.path)
    assert "prepared beforehand" in table.bob.page


def test_the_match_page_says_that_nothing_prepared_fitted(table: Table) -> None:
    keep(table, ["roll 6-4", "play 24/14"], "double")
    table.act(Side.BLACK, "roll")
    table.act(Side.BLACK, "play", play="24/18 13/9")
    table.alice.open(table.path)
    assert "doesn’t fit what bob did" in table.alice.page
    table.bob.open(table.path)
    assert "doesn’t fit" not in table.bob.page


def keep(table: Table, when: list[str], then: str) -> None:
    view = table.now()
    prepared.prepare(
        table.world.store, view, account(table, Side.WHITE), view.version, when, then, table.world.now()
    )


def test_replies_are_forgotten_by_a_button(table: Table) -> None:
    keep(table, ["double"], "take")
    alice = account(table, Side.WHITE)
    kept = prepared.mine(table.world.store, table.now(), alice)
    table.alice.open(f"{table.path}/orders")
    table.alice.post(f"{table.path}/prepared/forget", {"reply": str(kept[0].id)})
    assert prepared.mine(table.world.store, table.now(), alice) == []


def test_steps_that_lead_nowhere_end_at_the_list_with_a_sentence(table: Table) -> None:
    for query in ("step=beaver", "step=roll+9-9", "step=play+1/2", "step=%00", "step=double&step=pass"):
        assert table.alice.get(f"{table.path}/prepare?{query}").status_code == 303
    table.alice.open(f"{table.path}/orders")
    assert "can&#39;t be read" in table.alice.page or "can't be read" in table.alice.page
    refused: list[tuple[Visitor, int]] = [(table.bob, 303), (table.stranger, 303)]
    for visitor, status in refused:
        assert visitor.get(f"{table.path}/prepare").status_code == status
