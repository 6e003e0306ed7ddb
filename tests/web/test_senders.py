"""The page of the addresses that somebody answers from."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.web.table import Table
from tests.web.test_queue import statements

PAGE = "/settings/senders"


@pytest.fixture
def table(app: Flask) -> Table:
    """Alice has 3-1 to play."""
    return Table(app, (3, 1), (6, 5))


def test_an_address_is_added_and_removed(table: Table) -> None:
    table.alice.open(PAGE)
    table.alice.post(PAGE, {"email": "Alice@Work.example"}, follow_redirects=True)
    assert "alice@work.example" in table.alice.page
    assert "Saved. What you write from there counts as yours." in table.alice.text
    table.alice.post(f"{PAGE}/drop", {"address": "alice@work.example"}, follow_redirects=True)
    assert "alice@work.example" not in table.alice.page


def test_what_is_no_address_is_said_beside_its_field(table: Table) -> None:
    table.alice.open(PAGE)
    assert table.alice.post(PAGE, {"email": "nobody"}).status_code == 422
    assert 'aria-invalid="true"' in table.alice.page


def test_nobody_sees_or_removes_those_of_others(table: Table) -> None:
    table.alice.open(PAGE)
    table.alice.post(PAGE, {"email": "alice@work.example"})
    table.bob.open(PAGE)
    assert "alice@work.example" not in table.bob.page
    table.bob.post(f"{PAGE}/drop", {"address": "alice@work.example"})
    table.alice.open(PAGE)
    assert "alice@work.example" in table.alice.page
    assert table.stranger.get(PAGE).location.startswith("/sign-in")


def test_the_list_asks_the_database_few_times(table: Table, app: Flask) -> None:
    with statements(app.extensions["bgmail"]) as asked:
        table.alice.open(PAGE)
    assert len(asked) <= 4
