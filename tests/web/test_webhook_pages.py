"""My webhooks on the pages of my settings: made, looked at, tried, mended and deleted, by nobody but me."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient

from bgmail.notify.hooks.signature import headers
from bgmail.service import webhooks
from bgmail.service.notices import Kind
from bgmail.service.webhooks import NAMES, Call, State, Webhook
from tests.web.conftest import Outbox
from tests.web.table import Table
from tests.web.test_queue import another, statements

HOME = "/settings/webhooks"
FORM = {
    "url": "https://hooks.example.org/private/path",
    "flavour": "standard",
    "events": ["match.turn", "match.finished"],
    "match": "",
    "name": "my program",
}


@pytest.fixture
def table(app: Flask) -> Table:
    """Alice has 5-2 to play."""
    return Table(app, (5, 2))


def mine(table: Table) -> list[Webhook]:
    alice = table.view.white
    assert alice
    return webhooks.mine(table.world.store, alice.id)


def add(table: Table, **fields: object) -> Webhook:
    """Alice adds one by the form."""
    table.alice.open(HOME)
    table.alice.post(HOME, {**FORM, **fields}, follow_redirects=True)
    return mine(table)[-1]


def note(table: Table, webhook: Webhook, outcome: str, status: int | None, answered: str = "") -> None:
    call = Call(
        0, 1, "msg_7_1_ab", "match.turn", table.world.now(), 0.25, outcome, status, '{"a":1}', answered
    )
    with table.world.store.write() as connection:
        webhooks.note(connection, webhook.id, call, given_up=False)


def test_a_webhook_is_made_by_the_form_and_stands_in_the_list(table: Table) -> None:
    added = add(table)
    assert added.events == ("match.turn", "match.finished")
    assert "The webhook is there." in table.alice.text
    assert "my program" in table.alice.text
    table.alice.open(HOME)
    assert "my program" in table.alice.text
    assert "On. Nothing was sent yet." in table.alice.text
    assert "private/path" not in table.alice.text


@pytest.mark.parametrize(
    "url",
    [
        *(
            "http://127.0.0.1:5000",
            "https://[::1]/",
            "https://[::ffff:169.254.169.254]/",
            "https://169.254.169.254/",
        ),
        *(
            "https://10.0.0.5/",
            "https://100.64.0.1/",
            "https://0.0.0.0/",
            "https://2130706433/",
            "https://0x7f.1/",
        ),
        *(
            "https://localhost./",
            "https://user:pw@example.org/",
            "ftp://example.org",
            "file:///etc/passwd",
            "",
        ),
    ],
)
def test_no_address_inside_a_network_is_saved(table: Table, url: str) -> None:
    table.alice.open(HOME)
    answer = table.alice.post(HOME, {**FORM, "url": url})
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.get_data(as_text=True)
    assert mine(table) == []


def test_a_refused_form_keeps_what_was_typed(table: Table) -> None:
    table.alice.open(HOME)
    answer = table.alice.post(HOME, {**FORM, "events": [], "flavour": "slack"})
    page = answer.get_data(as_text=True)
    assert answer.status_code == 422
    assert "Choose at least one event." in page
    assert FORM["url"] in page
    assert re.search(r'value="slack" checked', page)
    assert not re.search(r'name="events" value="[^"]+" checked', page)


def test_the_secret_is_shown_when_asked_for_and_not_before(table: Table) -> None:
    added = add(table)
    path = f"{HOME}/{added.id}"
    table.alice.open(path)
    assert added.secret not in table.alice.page
    shown = table.alice.post(f"{path}/secret", {"answer": "show"})
    assert added.secret in unescape(shown.get_data(as_text=True))
    assert shown.headers["Cache-Control"] == "no-store"
    renewed = table.alice.post(f"{path}/secret", {"answer": "renew"}).get_data(as_text=True)
    fresh = mine(table)[0].secret
    assert fresh != added.secret
    assert fresh in unescape(renewed)
    assert "with the secret before as well" in renewed


def test_the_log_shows_what_was_sent_and_answered_without_believing_it(table: Table) -> None:
    added = add(table)
    note(table, added, "status", 500, "<script>alert(1)</script>")
    note(table, added, "timeout", None)
    table.alice.open(f"{HOME}/{added.id}")
    assert ": refused (500)" in table.alice.text
    assert ": timed out: it may have arrived" in table.alice.text
    assert "msg_7_1_ab" in table.alice.text
    assert "<script>alert" not in table.alice.page
    assert "&lt;script&gt;alert(1)" in table.alice.page
    assert "On, but the last calls failed." in table.alice.text


def test_older_calls_are_a_page_further(table: Table) -> None:
    added = add(table)
    for _ in range(webhooks.CALLS_SHOWN + 1):
        note(table, added, "taken", 200)
    path = f"{HOME}/{added.id}"
    table.alice.open(path)
    assert table.alice.text.count("What was sent and answered") == webhooks.CALLS_SHOWN
    (older,) = re.findall(r'href="([^"]+before=\d+)#calls"', table.alice.page)
    table.alice.open(older)
    assert table.alice.text.count("What was sent and answered") == 1
    for strange in ("0", "-1", "x", "99999999999999"):
        assert table.alice.get(f"{path}?before={strange}").status_code == 200


def test_a_test_goes_out_and_is_limited(table: Table, outbox: Outbox) -> None:
    added = add(table)
    table.alice.post(f"{HOME}/{added.id}/test", follow_redirects=True)
    assert "A test is on its way." in table.alice.text
    assert outbox.last().data == {"channel": "webhook", "target": added.id}
    codes = {table.alice.post(f"{HOME}/{added.id}/test").status_code for _ in range(12)}
    assert codes == {303, 429}


def test_a_webhook_is_switched_off_on_and_deleted(table: Table) -> None:
    added = add(table)
    path = f"{HOME}/{added.id}"
    table.alice.post(f"{path}/pause", follow_redirects=True)
    assert mine(table)[0].state is State.PAUSED
    table.alice.open(HOME)
    assert "Switched off by you." in table.alice.text
    table.alice.post(f"{path}/resume", follow_redirects=True)
    assert mine(table)[0].state is State.ON
    table.alice.post(path, {**FORM, "name": "another", "match": table.view.id}, follow_redirects=True)
    assert (mine(table)[0].name, mine(table)[0].match_id) == ("another", table.view.id)
    table.alice.post(f"{path}/delete", follow_redirects=True)
    assert mine(table) == []
    assert table.alice.get(path).status_code == 404


def test_a_call_can_be_sent_again(table: Table) -> None:
    added = add(table)
    note(table, added, "taken", 200)
    (call,) = webhooks.calls(table.world.store, added.account_id, added.id)
    table.alice.open(f"{HOME}/{added.id}")
    assert table.alice.post(f"{HOME}/{added.id}/calls/{call.id}/again").status_code == 303
    assert table.alice.post(f"{HOME}/{added.id}/calls/{call.id + 1}/again").status_code == 404


def test_nobody_but_its_owner_sees_or_touches_a_webhook(table: Table) -> None:
    path = f"{HOME}/{add(table).id}"
    for visitor, status in ((table.bob, 404), (table.stranger, 303)):
        assert visitor.get(path).status_code == status
    table.bob.open("/settings")
    for act in ("", "/test", "/pause", "/resume", "/secret", "/delete", "/calls/1/again"):
        assert table.bob.post(f"{path}{act}", FORM).status_code in (404, 422)
    assert mine(table)[0].state is State.ON


def test_the_owner_is_told_by_letter_when_a_webhook_is_gone(table: Table, outbox: Outbox) -> None:
    added = add(table)
    note(table, added, "status", 410)
    assert outbox.last().kind == Kind.WEBHOOK_OFF
    assert mine(table)[0].state is State.GONE
    table.alice.open(HOME)
    assert "Switched off: the receiver said that it is gone for good." in table.alice.text


@pytest.mark.parametrize("path", [HOME, f"{HOME}/1"])
def test_however_much_there_is_the_queries_are_as_few(table: Table, path: str) -> None:
    for _ in range(5):
        note(table, add(table), "taken", 200)
        another(table, (5, 2))
    table.alice.open(path)
    with statements(table.world) as seen:
        table.alice.open(path)
    assert len(seen) <= 6, seen


@pytest.fixture
def check(client: FlaskClient) -> str:
    """The program that the help page gives to check a signature."""
    page = client.get("/help").get_data(as_text=True)
    return unescape(page.split('<code id="check">')[1].split("</code>")[0])


def test_the_program_on_the_help_page_tells_our_calls_from_others(check: str) -> None:
    given: dict[str, object] = {}
    exec(check, given)  # noqa: S102  # it is ours
    is_ours = given["is_ours"]
    assert callable(is_ours)
    secret, other, body = webhooks.new_secret(), webhooks.new_secret(), b'{"type":"webhook.test"}'
    now = datetime.now(UTC)
    signed = headers([other, secret], "msg_1", now, body)
    assert is_ours(secret, signed, body)
    assert not is_ours(secret, signed, body + b" ")
    assert not is_ours(webhooks.new_secret(), signed, body)
    assert not is_ours(secret, headers([secret], "msg_1", now.replace(year=2020), body), body)


def test_the_help_page_names_every_event_and_every_field(client: FlaskClient) -> None:
    page = client.get("/help").get_data(as_text=True)
    for name in (*NAMES, webhooks.TEST, *webhooks.FIELDS):
        assert f"<code>{name}</code>" in page
    for says in (
        "at most 9 times in all within 24 hours",
        "within 10 seconds",
        "nothing for 5 days",
        "for 24 hours",
    ):
        assert says in page
