"""The channel of push: which browsers are told of a fact, one sealed message to a push service, and what follows."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from email.utils import parseaddr
from functools import partial

from sqlalchemy import Connection

from bgmail import webpush
from bgmail.notify.channel import Errand, Later, Refused, Target
from bgmail.notify.hooks.wire import Answer, Trouble, Wire
from bgmail.notify.links import links_of
from bgmail.notify.occasion import Occasion
from bgmail.notify.push.message import message_of
from bgmail.notify.timeliness import awake, deadline_of, is_near, when
from bgmail.service import lately, push
from bgmail.service.choices import PUSH, Mode
from bgmail.service.destinations import BadDestination, destination
from bgmail.service.errors import NotFound
from bgmail.service.notices import Kind
from bgmail.service.push import KINDS, Subscriber
from bgmail.settings import Settings
from bgmail.world import World

SECONDS = 5.0
"""How long a push service may take: they are quick, and others wait."""
CREDENTIALS_LAST = timedelta(hours=12)
SHORTEST, LONGEST = timedelta(minutes=1), timedelta(days=28)
"""How long a push service keeps a message for a browser that is switched off: until the deadline, within these."""
ENDED = (404, 410)
BUSY = (408, 425, 429)


class Push:
    """Messages to browsers. `wire` makes the calls: another one is for tests alone."""

    name = PUSH
    newest_only = True
    apart = False

    def __init__(self, wire: Wire | None = None) -> None:
        self.wire = wire or Wire(seconds=SECONDS)

    def ready(self, world: World) -> bool:  # noqa: ARG002
        """Always: push services fail one by one."""
        return True

    def targets(
        self, connection: Connection, occasion: Occasion, now: datetime, *, rescue: bool = False
    ) -> Sequence[Target]:
        """The reader's browsers, when the reader's hours allow it; a test goes at once to the one that it tests."""
        reader = occasion.reader
        if reader is None or (occasion.kind is not Kind.TEST and occasion.kind not in KINDS):
            return ()
        browsers = push.alive(connection, reader.id, now)
        if occasion.kind is Kind.TEST:
            return [Target(one.id, now) for one in browsers if one.id == occasion.notice.data["target"]]
        if occasion.choices.mode(occasion.kind, PUSH) is Mode.OFF and not rescue:
            return ()
        due = now if rescue else when(occasion, now)
        return [Target(one.id, due) for one in browsers]

    def unfit(self, occasion: Occasion, now: datetime) -> str | None:
        """A kind may have been switched off since it was planned; near a deadline it goes out all the same."""
        off = occasion.kind is not Kind.TEST and occasion.choices.mode(occasion.kind, PUSH) is Mode.OFF
        return "muted" if off and not is_near(occasion, now) else None

    def again_at(self, occasion: Occasion, instant: datetime) -> datetime:
        """Not in quiet hours, but for a test, whose reader waits for it."""
        return instant if occasion.kind is Kind.TEST else awake(occasion, instant)

    def address(self, world: World, occasion: Occasion, errand: Errand) -> str:
        """The browser, as its owner knows it."""
        found = _browser(world, occasion, errand)
        return found.name if found else ""

    def message_id(self, world: World, occasion: Occasion, errand: Errand) -> str:  # noqa: ARG002
        """Of this notice to this browser, the same at every attempt."""
        return f"push-{errand.notice.id}-{errand.target}"

    def prepare(self, world: World, errand: Errand, occasion: Occasion, now: datetime) -> Callable[[], str]:
        """Nothing is prepared: what is told is looked up when it is told."""
        return partial(self.deliver, world, errand, occasion, now)

    def deliver(self, world: World, errand: Errand, occasion: Occasion, now: datetime) -> str:
        """Hands one sealed message to the browser's push service. Raises Later, Refused."""
        browser = _browser(world, occasion, errand)
        if browser is None:
            raise Refused("the browser was signed out, or removed")
        if browser.rests_until and now < browser.rests_until:
            raise Later("its push service gave no answer a moment ago", at_least=browser.rests_until - now)
        match_id = occasion.notice.match_id
        acts = lately.acts(world.store, [match_id] if match_id else []).get(match_id, [])
        message = message_of(occasion, links_of(world), acts, now).packed()
        sealed = webpush.seal(
            message, browser.keys, webpush.new_key(), secrets.token_bytes(webpush.SALT_BYTES)
        )
        try:
            answer = self.wire.post(browser.endpoint, sealed, _headers(world, browser, occasion, now))
        except BadDestination as error:
            raise _ended(world, browser, "its address leads inside a network") from error
        except Trouble as trouble:
            raise _unanswered(world, browser, trouble, now) from trouble
        return _judged(world, browser, answer, now)


PUSHES = Push()


def _browser(world: World, occasion: Occasion, errand: Errand) -> Subscriber | None:
    """The browser that an errand is for, if it is still the reader's."""
    if occasion.reader is None:
        return None
    try:
        return push.find(world.store, occasion.reader.id, errand.target)
    except NotFound:
        return None


def _headers(world: World, browser: Subscriber, occasion: Occasion, now: datetime) -> dict[str, str]:
    """What the push service is told: who sends, how long to keep it, how much it hurries, and which it replaces."""
    hurries = occasion.kind in (Kind.REMINDER, Kind.TEST) or is_near(occasion, now)
    audience = f"https://{destination(browser.endpoint).authority}"
    key = push.own_key(world.store, now)
    headers = {
        "Authorization": webpush.credentials(key, audience, _contact(world.settings), now + CREDENTIALS_LAST),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(int(_kept(occasion, now).total_seconds())),
        "Urgency": "high" if hurries else "normal",
    }
    return headers | ({"Topic": occasion.notice.match_id} if occasion.notice.match_id else {})


def _contact(settings: Settings) -> str:
    """Whom a push service may write to if our messages are a nuisance."""
    return f"mailto:{settings.operator_email or parseaddr(settings.mail_default_sender)[1]}"


def _kept(occasion: Occasion, now: datetime) -> timedelta:
    deadline = deadline_of(occasion)
    return LONGEST if deadline is None else min(max(SHORTEST, deadline - now), LONGEST)


def _judged(world: World, browser: Subscriber, answer: Answer, now: datetime) -> str:
    """Notes what the push service answered; what is said of it. Raises Later, Refused."""
    if answer.taken:
        push.took(world.store, browser.id, now)
        return answer.said
    if answer.status in ENDED:
        raise _ended(world, browser, answer.said)
    is_kept = push.failed(world.store, browser, answer.said, now, rests=answer.status in BUSY)
    if is_kept and (answer.status in BUSY or answer.status >= 500):
        raise Later(answer.said, at_least=answer.retry_after or timedelta(0))
    raise Refused(answer.said)


def _ended(world: World, browser: Subscriber, said: str) -> Refused:
    push.forget(world.store, browser.id)
    return Refused(f"{said}: the browser is told nothing any more")


def _unanswered(world: World, browser: Subscriber, trouble: Trouble, now: datetime) -> Exception:
    if trouble.code == "inside":
        return _ended(world, browser, str(trouble))
    is_kept = push.failed(world.store, browser, str(trouble), now, rests=True)
    return Later(str(trouble)) if is_kept else Refused(str(trouble))
