"""The door for mail providers: a signed request with the mail as it is."""

from __future__ import annotations

import json
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from bgmail.devmail import Sink
from bgmail.factory import create_app
from bgmail.inbox.accepting import LARGEST
from bgmail.inbox.hook import SIGNATURE, TIMESTAMP, sign
from bgmail.rules.side import Side
from tests.inbox.replies import Desk, address_of
from tests.notify.conftest import BASE, Clock
from tests.service.matchmaking import begin

pytestmark = pytest.mark.smtp
SECRET = "what the provider and we know"


@pytest.fixture
def hooked(desk: Desk, tmp_path: Path, sqlite_schema_url: str, clock: Clock, sink: Sink) -> Desk:
    """The same installation with a secret for a provider."""
    world = desk.world
    desk.app.extensions["bgmail"] = desk.world = replace(
        world, settings=replace(world.settings, inbound_secret=SECRET)
    )
    return desk


def post(
    desk: Desk,
    raw: bytes,
    *,
    secret: str = SECRET,
    age: int = 0,
    signature: str = "",
    path: str = "/inbound/mail",
) -> TestResponse:
    timestamp = str(int(desk.clock.now.timestamp()) - age)
    headers = {TIMESTAMP: timestamp, SIGNATURE: signature or sign(secret, timestamp, raw).decode()}
    return desk.app.test_client().post(
        path, data=raw, headers=headers, base_url=BASE, content_type="message/rfc822"
    )


def test_a_signed_mail_is_kept_and_carried_out(hooked: Desk) -> None:
    view, _ = begin(hooked.store, hooked.clock.now, (3, 1))
    answer = post(hooked, hooked.answer(hooked.letter("alice"), "8/5 6/5"))
    assert (answer.status_code, answer.text) == (202, "Kept.\n")
    assert "Set-Cookie" not in answer.headers
    assert hooked.handle() == ["acted"]
    assert hooked.view(view).match.on_turn is Side.BLACK


def test_the_same_mail_thrice_within_five_minutes_is_one_play(hooked: Desk) -> None:
    view, _ = begin(hooked.store, hooked.clock.now, (3, 1))
    raw = hooked.answer(hooked.letter("alice"), "8/5 6/5\n\nhello")
    for _ in range(3):
        assert post(hooked, raw).status_code == 202
        hooked.handle()
        hooked.clock.pass_(minutes=1)
    head = hooked.view(view).head
    assert post(hooked, raw, age=3600).status_code == 401
    assert hooked.handle() == []
    assert hooked.view(view).head == head
    assert hooked.chat(hooked.view(view)) == [("alice", "hello")]


@pytest.mark.parametrize(
    ("how", "status"),
    [
        ({"secret": "another secret of somebody"}, 401),
        ({"signature": "0" * 64}, 401),
        ({"signature": "é"}, 401),
        ({"age": 301}, 401),
        ({"age": -301}, 401),
        ({"age": 299}, 202),
        ({"age": -299}, 202),
    ],
)
def test_only_what_is_signed_and_recent_is_taken(hooked: Desk, how: dict[str, object], status: int) -> None:
    begin(hooked.store, hooked.clock.now, (3, 1))
    raw = hooked.answer(hooked.letter("alice"), "8/5 6/5")
    assert post(hooked, raw, **how).status_code == status  # type: ignore[arg-type]
    assert len(hooked.handle()) == (status == 202)


def test_a_signature_is_of_the_whole_mail_and_its_time(hooked: Desk) -> None:
    begin(hooked.store, hooked.clock.now, (3, 1))
    raw = hooked.answer(hooked.letter("alice"), "8/5 6/5")
    timestamp = str(int(hooked.clock.now.timestamp()))
    signature = sign(SECRET, timestamp, raw).decode()
    assert post(hooked, raw.replace(b"8/5", b"8/4"), signature=signature).status_code == 401
    assert post(hooked, raw, signature=signature, age=1).status_code == 401
    client = hooked.app.test_client()
    for headers in ({}, {TIMESTAMP: "soon", SIGNATURE: signature}, {TIMESTAMP: "9" * 40, SIGNATURE: "x"}):
        assert client.post("/inbound/mail", data=raw, headers=headers, base_url=BASE).status_code == 401


def test_a_mail_for_nobody_here_is_told_so(hooked: Desk) -> None:
    assert post(hooked, b"To: play+abc@answers.club.example\r\n\r\ntake").status_code == 422
    assert post(hooked, b"").status_code == 422


def test_a_mail_larger_than_a_form_is_taken_up_to_the_limit(hooked: Desk) -> None:
    begin(hooked.store, hooked.clock.now, (3, 1))
    letter = hooked.letter("alice")
    raw = hooked.answer(letter, "8/5 6/5")
    assert post(hooked, raw + b"x" * 2_000_000).status_code == 202
    assert post(hooked, raw + b"x" * LARGEST).status_code == 413
    answer = hooked.app.test_client().post(
        "/inbound/mail",
        base_url=BASE,
        input_stream=BytesIO(b"x" * (LARGEST + 9)),
        environ_overrides={"wsgi.input_terminated": True},
        headers={"Transfer-Encoding": "chunked"},
    )
    assert answer.status_code == 413
    assert address_of(letter).encode() in raw


def test_without_a_secret_there_is_no_such_door(desk: Desk) -> None:
    assert post(desk, b"To: x\r\n\r\n").status_code == 404
    assert desk.app.test_client().get("/inbound/mail", base_url=BASE).status_code in (404, 405)


def test_it_is_there_for_every_app(tmp_path: Path, desk: Desk) -> None:
    app = create_app(replace(desk.world.settings, instance=tmp_path / "other"))
    assert "/inbound/mail" in {rule.rule for rule in app.url_map.iter_rules()}
    app.extensions["bgmail"].store.close()


def tell(desk: Desk, told: object, **how: Any) -> tuple[int, str]:
    """A provider reports on a letter."""
    raw = told if isinstance(told, bytes) else json.dumps(told).encode()
    answer = post(desk, raw, path="/inbound/bounces", **how)
    return answer.status_code, answer.text.strip()


def test_a_provider_reports_a_bounce_and_a_complaint_of_letters_of_ours_alone(hooked: Desk) -> None:
    begin(hooked.store, hooked.clock.now, (3, 1))
    own_id = str(hooked.letter("alice").message["Message-ID"])
    told = {"type": "bounce", "message_id": own_id, "address": "alice@play.example", "status": "5.1.1"}
    assert tell(hooked, {**told, "message_id": "<notice.99.1@club.example>"}) == (202, "unknown")
    assert tell(hooked, told, age=301)[0] == 401
    assert tell(hooked, {**told, "status": "4.4.1", "diagnostic": "late"}) == (202, "noted")
    assert tell(hooked, {**told, "message_id": own_id.strip("<>")}) == (202, "stopped")
    assert tell(hooked, told) == (202, "repeated")
    assert tell(hooked, {"type": "complaint", "message_id": own_id}) == (202, "muted")


@pytest.mark.parametrize(
    "told",
    [
        b"",
        b"\xff",
        b"[" * 5000,
        [],
        {"type": "open", "message_id": "<1@club.example>"},
        {"type": "bounce"},
        {"type": "bounce", "message_id": 7},
        {"type": "bounce", "message_id": "<1@club.example>", "status": "5.1.1\x00"},
        {"type": "bounce", "message_id": "<1@club.example>", "address": None},
    ],
)
def test_what_is_no_report_is_told_so(hooked: Desk, told: object) -> None:
    assert tell(hooked, told)[0] == 422


@pytest.mark.parametrize("timestamp", ["999999999999", "253402300800", "0"])
@pytest.mark.parametrize("path", ["/inbound/mail", "/inbound/bounces"])
def test_a_time_that_no_calendar_has_is_no_signature(hooked: Desk, timestamp: str, path: str) -> None:
    headers = {TIMESTAMP: timestamp, SIGNATURE: sign(SECRET, timestamp, b"x").decode()}
    answer = hooked.app.test_client().post(path, data=b"x", headers=headers, base_url=BASE)
    assert answer.status_code == 401
