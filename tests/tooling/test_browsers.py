"""Chromium as the tests use it."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.fixtures.browsers import NewContext
from tests.fixtures.servers import StartServer

SERVE = ["python3", "-m", "http.server", "{port}", "--bind", "127.0.0.1"]


def test_a_page_of_our_own_server_is_shown(page: Page, start_server: StartServer) -> None:
    server = start_server(command=SERVE)
    page.goto(f"{server.url}/README.md")
    expect(page.locator("body")).to_contain_text("bgmail")


def test_two_people_have_browsers_of_their_own(new_context: NewContext, start_server: StartServer) -> None:
    server = start_server(command=SERVE)
    alice, bob = new_context(), new_context()
    alice.add_cookies([{"name": "who", "value": "alice", "url": server.url}])
    assert [cookie["value"] for cookie in alice.cookies()] == ["alice"]
    assert bob.cookies() == []
