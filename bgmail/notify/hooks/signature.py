"""Signatures by the Standard Webhooks specification: who receives a call can tell that it is ours, and fresh."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Sequence
from datetime import datetime

PREFIX = "whsec_"


def headers(secrets: Sequence[str], message_id: str, at: datetime, body: bytes) -> dict[str, str]:
    """The three headers of a call made at `at`: its id, the time in seconds, and a signature by each secret."""
    seconds = str(int(at.timestamp()))
    signatures = " ".join(sign(secret, message_id, seconds, body) for secret in secrets)
    return {"webhook-id": message_id, "webhook-timestamp": seconds, "webhook-signature": signatures}


def sign(secret: str, message_id: str, seconds: str, body: bytes) -> str:
    """One signature: "v1," and the HMAC-SHA256 of "id.seconds.body" in base64.

    `secret` is "whsec_" and the key in base64.
    """
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = f"{message_id}.{seconds}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
