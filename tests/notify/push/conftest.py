"""A match between Alice and Bob, browsers of theirs, and a push service of this machine that takes their messages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from flask import Flask

from bgmail.notify.planning import plan_all
from bgmail.notify.push.channel import Push
from bgmail.notify.push.hands import EXTENSION, push_some
from bgmail.rules.side import Side
from bgmail.service import accounts, logins, push, told
from bgmail.service.told import Told
from bgmail.service.turns import Request, act, load
from bgmail.service.views import MatchView
from tests.fixtures.patience import PATIENCE
from tests.notify.conftest import Clock, Post
from tests.notify.hooks.receivers import Call, Manners, Receiver, Streets, receiver, status
from tests.notify.push.browser import FakeBrowser
from tests.service.matchmaking import begin

CREATED = status(201)


class Ringing:
    """What there is to ring with. `answers` are the manners of push services by the name of their host."""

    def __init__(self, post: Post, stack: ExitStack) -> None:
        self.post, self.store, self.clock = post, post.store, post.clock
        self._stack, self._services = stack, dict[str, Receiver]()
        self.view, self.chance = begin(self.store, self.clock.now, (3, 1), (6, 5), (4, 2))
        self.channel = Push()
        self.answer(push=CREATED)

    def answer(self, seconds: float = PATIENCE, **manners: Manners) -> None:
        """From here on these hosts answer so; `seconds` is how long each call may take."""
        for name, manner in manners.items():
            self._services[name] = self._stack.enter_context(receiver(manner))
        self.channel.wire = Streets(**self._services).wire(seconds)

    def calls(self, host: str = "push") -> list[Call]:
        """What arrived at a push service."""
        return self._services[host].calls

    def subscribe(self, handle: str, browser: FakeBrowser | None = None) -> FakeBrowser:
        """Somebody's browser, signed in and told from now on."""
        browser = browser or FakeBrowser()
        account_id, secret = self.id_of(handle), logins.new_secret()
        logins.open_session(self.store, account_id, "Firefox, Linux", secret, self.clock.now)
        entered = logins.by_session(self.store, secret, self.clock.now)
        assert entered
        push.subscribe(
            self.store, account_id, entered.login_id, browser.wish, "Firefox, Linux", self.clock.now
        )
        return browser

    def id_of(self, handle: str) -> int:
        return accounts.by_handle(self.store, handle).id

    def browsers(self, handle: str) -> list[push.Subscriber]:
        return push.browsers(self.store, self.id_of(handle), self.clock.now)

    def act(self, side: Side, action: str, **wish: Any) -> MatchView:
        request = Request(action, load(self.store, self.view.id).version, **wish)
        return act(self.store, self.view.id, side, request, self.clock.now, self.chance).view

    def ring(self) -> list[str]:
        """Sends all that is due now; what was done."""
        done: list[str] = []
        with self.app.app_context():
            plan_all(self.post.world, self.clock.now)
            while some := push_some(self.post.world, self.clock.now, self.channel):
                done.extend(some)
        return [one.rpartition(" ")[0] for one in done]

    def log(self, handle: str) -> list[Told]:
        """What was sent to somebody, the newest first."""
        return told.page(self.store, self.id_of(handle))[0]

    @property
    def app(self) -> Flask:
        return self.post.app


def _opened(post: Post) -> Iterator[Ringing]:
    with ExitStack() as stack:
        yield Ringing(post, stack)
        hands = post.app.extensions.get(EXTENSION)
        if hands:
            hands.shutdown()


@pytest.fixture
def ringing(post: Post) -> Iterator[Ringing]:
    """On SQLite."""
    yield from _opened(post)


@pytest.fixture
def everywhere(both: Post) -> Iterator[Ringing]:
    """Once on SQLite, once on PostgreSQL."""
    yield from _opened(both)


@pytest.fixture
def move_on(clock: Clock) -> Callable[..., Any]:
    return clock.pass_
