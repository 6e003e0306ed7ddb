"""Signatures: the specification's own library believes ours, and nothing that was changed on the way."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import time_machine
from standardwebhooks import Webhook, WebhookVerificationError

from bgmail.notify.hooks.signature import headers, sign

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
BODY = '{"type":"match.turn","data":{"name":"Änne – Bob"}}'.encode()


def test_a_signature_is_the_one_of_the_specifications_example() -> None:
    signed = sign(SECRET, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", b'{"test": 2432232314}')
    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


@time_machine.travel(NOW)
def test_the_library_of_the_specification_believes_ours() -> None:
    assert Webhook(SECRET).verify(BODY, headers([SECRET], "msg_1", NOW, BODY))["type"] == "match.turn"


@time_machine.travel(NOW)
def test_while_a_secret_is_renewed_both_sign() -> None:
    both = headers([SECRET, OTHER], "msg_1", NOW, BODY)
    assert Webhook(SECRET).verify(BODY, both) == Webhook(OTHER).verify(BODY, both)


@time_machine.travel(NOW)
@pytest.mark.parametrize(
    ("changed", "body"),
    [
        ({"webhook-id": "msg_2"}, BODY),
        ({"webhook-timestamp": str(int(NOW.timestamp()) + 1)}, BODY),
        ({}, BODY.replace(b"Bob", b"Eve")),
    ],
)
def test_nothing_that_was_changed_on_the_way_is_believed(changed: dict[str, str], body: bytes) -> None:
    signed = headers([SECRET], "msg_1", NOW, BODY) | changed
    with pytest.raises(WebhookVerificationError):
        Webhook(SECRET).verify(body, signed)
