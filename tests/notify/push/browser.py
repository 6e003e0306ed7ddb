"""A browser as a push service and a server know it: an endpoint, and keys that only it can open messages with."""

from __future__ import annotations

import json
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec

from bgmail import webpush
from bgmail.service.push import Wish
from bgmail.webpush import KEY_BYTES


class FakeBrowser:
    """Subscribed at `host`, under a path of its own."""

    def __init__(self, host: str = "push", path: str = "one") -> None:
        self.key, self.auth = webpush.new_key(), webpush.new_key()[: KEY_BYTES // 2]
        self.endpoint = f"https://{host}.example.org/to/{path}"

    @property
    def wish(self) -> Wish:
        """What it says when it subscribes."""
        return Wish(self.endpoint, webpush.text(webpush.public_key(self.key)), webpush.text(self.auth))

    def read(self, sealed: bytes) -> dict[str, Any]:
        """What its worker gets to see of a message, opened by another program than ours."""
        own = ec.derive_private_key(int.from_bytes(self.key, "big"), ec.SECP256R1())
        opened = http_ece.decrypt(sealed, private_key=own, auth_secret=self.auth, version="aes128gcm")
        found: dict[str, Any] = json.loads(opened)
        return found
