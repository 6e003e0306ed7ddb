"""The page of browsers that are told, and the worker that shows it there."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from bgmail.rules.side import Side
from bgmail.service import accounts, choices, push
from bgmail.service.choices import PUSH, Mode
from bgmail.service.notices import Kind
from bgmail.service.push import Subscriber
from tests.notify.push.browser import FakeBrowser
from tests.web.conftest import Clock, Visitor
from tests.web.table import Table
from tests.web.test_queue import statements

PAGE = "/settings/push"
LINUX = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"}


@pytest.fixture
def table(app: Flask) -> Table:
    return Table(app, (3, 1))


def fields(browser: FakeBrowser, **more: str) -> dict[str, str]:
    wish = browser.wish
    return {"endpoint": wish.endpoint, "p256dh": wish.p256dh, "auth": wish.auth} | more


def subscribe(visitor: Visitor, browser: FakeBrowser) -> TestResponse:
    """What the page's script sends once the browser has subscribed."""
    visitor.open(PAGE)
    return visitor.post(PAGE, fields(browser), headers=LINUX)


def browsers(table: Table, handle: str = "alice") -> list[Subscriber]:
    account = accounts.by_handle(table.world.store, handle)
    return push.browsers(table.world.store, account.id, table.world.now())


def test_the_worker_stands_at_the_root_and_is_looked_for_each_time(table: Table) -> None:
    answer = table.stranger.client.get("/sw.js")
    assert (answer.status_code, answer.mimetype) == (200, "text/javascript")
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "connect-src 'self'" in answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "Set-Cookie" not in answer.headers
    assert "showNotification" in answer.get_data(as_text=True)
    known = {"If-None-Match": answer.headers["ETag"]}
    assert table.stranger.client.get("/sw.js", headers=known).status_code == 304


def test_a_browser_that_has_subscribed_is_in_the_list(table: Table, clock: Clock) -> None:
    table.alice.open(PAGE)
    assert "None is told." in table.alice.text
    assert subscribe(table.alice, FakeBrowser()).status_code == 204
    table.alice.open(PAGE)
    assert "This browser is told of your turns from now on." in table.alice.text
    assert "Firefox, Linux this one nothing to tell yet" in table.alice.text
    assert f'data-endpoint="{FakeBrowser().endpoint}"' in table.alice.page
    other = table.enter(Side.WHITE)
    other.open(PAGE)
    assert "this one" not in other.text
    assert 'data-endpoint=""' in other.page
    found = browsers(table)[0]
    push.took(table.world.store, found.id, clock())
    table.alice.open(PAGE)
    assert "last told Mon 2 Mar 12:00" in table.alice.text
    push.failed(table.world.store, found, "503 in 0.1 s", clock(), rests=False)
    table.alice.open(PAGE)
    assert "not reached since Mon 2 Mar 12:00: 503 in 0.1 s" in table.alice.text


def test_the_page_names_the_same_key_each_time_and_to_everybody(table: Table) -> None:
    found = set()
    for visitor in (table.alice, table.alice, table.bob):
        visitor.open(PAGE)
        found |= set(re.findall(r'data-key="([\w-]{87})"', visitor.page))
    assert len(found) == 1


def test_what_no_browser_says_is_refused_with_a_sentence(table: Table) -> None:
    table.alice.open(PAGE)
    for wrong, sentence in (
        (
            {"endpoint": "https://10.0.0.1/x"},
            "Your browser names a push service that this server doesn't call.",
        ),
        ({"p256dh": "x"}, "Your browser's answer could not be read. Nothing was switched on."),
        ({"auth": ""}, "Your browser's answer could not be read. Nothing was switched on."),
    ):
        answer = table.alice.post(PAGE, fields(FakeBrowser(), **wrong))
        assert (answer.status_code, answer.mimetype) == (422, "text/plain")
        assert answer.get_data(as_text=True) == sentence
    assert browsers(table) == []


def test_only_a_page_of_ours_subscribes(table: Table) -> None:
    answer = table.alice.client.post(PAGE, data=fields(FakeBrowser()))
    assert answer.status_code == 400
    table.alice.open(PAGE)
    forged = table.alice.post(PAGE, fields(FakeBrowser()), headers={"Sec-Fetch-Site": "cross-site"})
    assert forged.status_code == 403
    assert browsers(table) == []


def test_strangers_sign_in_first(table: Table) -> None:
    assert table.stranger.get(PAGE).location.startswith("/sign-in")
    table.stranger.open("/sign-in")
    for path in (PAGE, f"{PAGE}/1/test", f"{PAGE}/1/remove"):
        assert table.stranger.post(path, fields(FakeBrowser())).location.startswith("/sign-in")
    assert table.stranger.post(f"{PAGE}/moved", fields(FakeBrowser(), before="x")).status_code == 401


def test_the_worker_says_that_the_browser_has_moved(table: Table) -> None:
    old, new = FakeBrowser(path="old"), FakeBrowser(path="new")
    subscribe(table.alice, old)
    guess = table.alice.client.post(f"{PAGE}/moved", data=fields(new, before="https://push.example.org/x"))
    assert guess.status_code == 422
    moved = fields(new, before=old.endpoint)
    for who, status in ((table.bob, 422), (table.stranger, 401), (table.alice, 204)):
        assert who.client.post(f"{PAGE}/moved", data=moved).status_code == status
    from_elsewhere = table.alice.client.post(
        f"{PAGE}/moved", data=fields(old, before=new.endpoint), headers={"Sec-Fetch-Site": "cross-site"}
    )
    assert from_elsewhere.status_code == 403
    assert [one.endpoint for one in browsers(table)] == [new.endpoint]


def test_a_test_is_owed_and_a_browser_removed_by_its_owner_alone(table: Table) -> None:
    subscribe(table.alice, FakeBrowser())
    found = browsers(table)[0]
    table.bob.open(PAGE)
    for act in ("test", "remove"):
        assert table.bob.post(f"{PAGE}/{found.id}/{act}").status_code == 422
        assert "That browser is told nothing already." in table.bob.text
    table.alice.open(PAGE)
    table.alice.post(f"{PAGE}/{found.id}/test", follow_redirects=True)
    assert "A test is on its way: it should appear within seconds." in table.alice.text
    table.alice.post(f"{PAGE}/{found.id}/remove", follow_redirects=True)
    assert "That browser is told nothing any more." in table.alice.text
    assert browsers(table) == []


def test_tests_have_a_limit(table: Table) -> None:
    subscribe(table.alice, FakeBrowser())
    found = browsers(table)[0]
    table.alice.open(PAGE)
    answers = [table.alice.post(f"{PAGE}/{found.id}/test").status_code for _ in range(11)]
    assert answers == [303] * 10 + [429]


def test_signing_out_ends_it(table: Table) -> None:
    subscribe(table.alice, FakeBrowser())
    table.alice.open("/")
    table.alice.post("/sign-out")
    assert browsers(table) == []


def test_the_page_costs_few_queries_whatever_browsers_there_are(table: Table) -> None:
    for number in range(5):
        subscribe(table.enter(Side.WHITE), FakeBrowser(path=str(number)))
    table.alice.open(PAGE)
    with statements(table.world) as seen:
        table.alice.open(PAGE)
    assert table.alice.page.count(">Remove<") == 5
    assert len(seen) <= 4, seen


def test_the_page_of_notices_offers_the_choice_once_a_browser_is_told(table: Table) -> None:
    table.alice.open("/settings/notices")
    assert "Your browser can tell you of your turns" in table.alice.text
    assert 'name="push.your_turn"' not in table.alice.page
    subscribe(table.alice, FakeBrowser())
    table.alice.open("/settings/notices")
    assert "1 browser of yours is told when:" in table.alice.text
    assert table.alice.page.count('name="push.') == len(push.KINDS)
    table.alice.post("/settings/notices", {"part": "push", "push.double": "off"}, follow_redirects=True)
    account = accounts.by_handle(table.world.store, "alice")
    chosen = choices.of(table.world.store, account.id)
    assert chosen.mode(Kind.DOUBLE, PUSH) is Mode.OFF
    assert chosen.mode(Kind.YOUR_TURN, PUSH) is Mode.NOW
    answer = table.alice.post("/settings/notices", {"part": "push", "push.double": "digest"})
    assert answer.status_code == 422
