"""What staff sees of the installation, what machines read of it, and that nobody else does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from flask import Flask

from bgmail.notify.planning import plan_all
from bgmail.service import accounts, bounces
from bgmail.service.outages import alive
from bgmail.world import World
from tests.web.conftest import Auth, Clock, Visitor
from tests.web.table import Table
from tests.web.test_queue import statements

TOKEN = "what only the scraper knows"


@pytest.fixture
def stella(auth: Auth, visitor: Visitor, world: World) -> accounts.Account:
    person = auth.person("Stella")
    accounts.set_staff(world.store, person.id, is_staff=True)
    auth.sign_in("Stella")
    return person


def test_the_page_is_there_for_staff_alone(
    stella: accounts.Account, visitor: Visitor, other: Visitor, auth: Auth, world: World
) -> None:
    assert visitor.open("/operator").status_code == 200
    assert "The scheduler has never run" in visitor.text
    auth.person("Alice")
    assert other.get("/operator").status_code == 404
    auth.sign_in("Alice", visitor=other)
    assert other.get("/operator").status_code == 404
    accounts.set_staff(world.store, stella.id, is_staff=False)
    assert visitor.get("/operator").status_code == 404


def test_it_shows_what_waits_and_what_came_back_by_a_fixed_number_of_queries(
    stella: accounts.Account, visitor: Visitor, app: Flask, world: World, clock: Clock
) -> None:
    Table(app, (3, 1))
    with app.app_context():
        plan_all(world, clock())
    bounces.refuse(world.store, "alice@play.example", "550 no such person", clock())
    alive(world.store, clock() - timedelta(hours=2))
    alive(world.store, clock())
    with statements(world) as seen:
        visitor.open("/operator")
    assert len(seen) <= 11, seen
    assert "The server was away from" in visitor.text
    assert "Waiting 2" in visitor.text
    assert "Addresses that get no letters, or not all 1" in visitor.text
    assert "The scheduler was last alive" in visitor.text


def test_without_a_token_there_are_no_metrics(visitor: Visitor) -> None:
    assert visitor.client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


def test_metrics_are_for_who_shows_the_token(make_app: Callable[..., Flask], clock: Clock) -> None:
    app = make_app(metrics_token=TOKEN)
    Table(app, (3, 1))
    with app.app_context():
        plan_all(app.extensions["bgmail"], clock())
    clock.move(minutes=5)
    client = app.test_client()
    for shown in ("", "Bearer", f"Bearer {TOKEN}x", "Bearer é", f"Basic {TOKEN}"):
        assert client.get("/metrics", headers={"Authorization": shown}).status_code == 401
    answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}", "Host": "10.0.0.7:8000"})
    assert (answer.status_code, answer.content_type) == (200, "text/plain; version=0.0.4; charset=utf-8")
    lines = answer.text.splitlines()
    assert 'bgmail_errands_waiting{channel="mail"} 2' in lines
    assert 'bgmail_errands_oldest_seconds{channel="mail"} 300' in lines
    assert "bgmail_addresses_stopped 0" in lines
    assert all(line.startswith(("# HELP bgmail_", "# TYPE bgmail_", "bgmail_")) for line in lines)
