"""The app of the letters with webhooks beside: receivers on this machine, and a crew that calls them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from bgmail.notify.hooks.channel import Webhooks
from bgmail.notify.hooks.crew import Crew
from bgmail.service import webhooks
from bgmail.service.webhooks import NAMES, Webhook, Wish
from tests.notify.conftest import Post, clock, open_post, post, settings_for, sink
from tests.notify.hooks.receivers import Call, Receiver, Streets

__all__ = ["clock", "open_post", "post", "settings_for", "sink"]

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


class Hooks:
    """Webhooks of people of one app, led to receivers by name."""

    def __init__(self, post: Post) -> None:
        self.post, self.streets = post, Streets()
        self.channel = Webhooks(self.streets.wire())
        self.crew = Crew(post.app, self.channel)

    def add(self, account_id: int, door: Receiver, name: str = "hooks", **wish: Any) -> Webhook:
        """A webhook of somebody that leads to a receiver."""
        self.streets.doors[f"{name}.example.org"] = door.port
        wanted = Wish(
            **{"url": f"https://{name}.example.org/in", "flavour": "standard", "events": NAMES} | wish
        )
        return webhooks.add(self.post.store, account_id, wanted, SECRET, self.post.clock.now)

    def work(self) -> list[str]:
        """Makes all calls that are due now; what was done."""
        with self.post.app.app_context():
            return self.crew.work(self.post.world)

    def now(self, webhook: Webhook) -> Webhook:
        """The webhook as it stands."""
        return webhooks.one(self.post.store, webhook.account_id, webhook.id)

    def calls(self, webhook: Webhook) -> list[webhooks.Call]:
        """What its owner sees of the calls, the newest first."""
        return webhooks.calls(self.post.store, webhook.account_id, webhook.id)


@pytest.fixture
def hooks(post: Post) -> Iterator[Hooks]:
    made = Hooks(post)
    yield made
    made.crew.leave()


def told(call: Call) -> Any:
    """What a call said, read from its JSON."""
    return json.loads(call.body)
