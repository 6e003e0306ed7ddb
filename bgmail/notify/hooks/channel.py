"""The channel of webhooks: which of them are told of a fact, one signed call, and what follows from its answer."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import Connection

from bgmail.notify.channel import Errand, Later, Refused, Target
from bgmail.notify.hooks.event import event_of
from bgmail.notify.hooks.flavours import body
from bgmail.notify.hooks.signature import headers
from bgmail.notify.hooks.wire import Answer, Trouble, Wire
from bgmail.notify.links import links_of
from bgmail.notify.occasion import Occasion
from bgmail.service.destinations import BadDestination
from bgmail.service.notices import Kind
from bgmail.service.webhooks import (
    CHANNEL,
    EVENTS,
    TEST,
    WAITS,
    Call,
    State,
    Webhook,
    is_gone,
    note,
    webhook_of,
)
from bgmail.store import webhooks
from bgmail.world import World

AGENT = "bgmail-webhooks/1"
MOMENT = timedelta(seconds=1)


class Webhooks:
    """Calls to the addresses that people named. `wire` makes them: another one is for tests alone."""

    name = CHANNEL
    newest_only = False
    apart = False

    def __init__(self, wire: Wire | None = None) -> None:
        self.wire = wire or Wire()

    def ready(self, world: World) -> bool:  # noqa: ARG002
        """Always: receivers fail one by one."""
        return True

    def targets(
        self,
        connection: Connection,
        occasion: Occasion,
        now: datetime,
        *,
        rescue: bool = False,  # noqa: ARG002  # where webhooks lead, others may read: only what was chosen goes there
    ) -> Sequence[Target]:
        """The webhooks of the reader that want this event, at once; a test goes to the one that it tests."""
        if occasion.reader is None or (occasion.kind is not Kind.TEST and occasion.kind not in EVENTS):
            return ()
        own = [webhook_of(row) for row in webhooks.mine(connection, occasion.reader.id)]
        if occasion.kind is Kind.TEST:
            wanted = [one for one in own if one.id == occasion.notice.data["target"]]
        else:
            wanted = [one for one in own if one.wants(occasion.kind, occasion.notice.match_id)]
        return [Target(one.id, now) for one in wanted]

    def unfit(self, occasion: Occasion, now: datetime) -> str | None:  # noqa: ARG002
        """Nothing keeps a reader's webhooks from being told: which of them are on is seen when each is called."""
        return None

    def again_at(self, occasion: Occasion, instant: datetime) -> datetime:  # noqa: ARG002
        """At any hour: programs don't sleep."""
        return instant

    def address(self, world: World, occasion: Occasion, errand: Errand) -> str:
        """The host, and the name that its owner gave it: the whole address may be a secret."""
        with world.store.read() as connection:
            webhook = _readers_own(connection, occasion, errand)
        return "" if webhook is None else webhook.shown

    def message_id(self, world: World, occasion: Occasion, errand: Errand) -> str:  # noqa: ARG002
        """The webhook-id, the same at every attempt: of this notice to this webhook."""
        microseconds = round(errand.notice.created_at.timestamp() * 1_000_000)
        return f"msg_{errand.notice.id}_{errand.target}_{microseconds:x}"

    def prepare(self, world: World, errand: Errand, occasion: Occasion, now: datetime) -> Callable[[], str]:
        """Nothing is prepared: what is told is looked up when it is told."""
        return partial(self.deliver, world, errand, occasion, now)

    def deliver(self, world: World, errand: Errand, occasion: Occasion, now: datetime) -> str:
        """Makes one signed call, and writes down how it went. Raises Later, Refused."""
        webhook, sent = self._to_send(world, errand, occasion, now)
        own_id, at = self.message_id(world, occasion, errand), world.now()
        result = self._called(webhook.url, sent, _headers(webhook, own_id, at, sent))
        call = Call(
            id=0,
            errand_id=errand.id,
            message_id=own_id,
            event=EVENTS.get(occasion.kind, TEST),
            at=at,
            seconds=result.seconds,
            outcome=_outcome(result),
            status=result.status if isinstance(result, Answer) else None,
            sent=sent.decode(),
            answered=result.text if isinstance(result, Answer) else "",
        )
        is_test = occasion.kind is Kind.TEST  # its owner is looking: it is tried once
        hopeless = is_test or call.outcome == "inside" or is_gone(webhook.flavour, call.status)
        wait = None if hopeless else wait_after(errand.attempts, errand.id)
        with world.store.write() as connection:
            state = note(connection, webhook.id, call, given_up=wait is None and not is_test)
        return _judged(result, wait if state is webhook.state else None)

    def _to_send(
        self, world: World, errand: Errand, occasion: Occasion, now: datetime
    ) -> tuple[Webhook, bytes]:
        """The webhook and what to send there: the event as things stand now, or, for an errand that its owner wants
        done once more, the same as before. Raises Refused."""
        with world.store.read() as connection:
            webhook = _readers_own(connection, occasion, errand)
            if webhook is None:
                raise Refused("the webhook was deleted")
            if webhook.state is not State.ON and not errand.asked and occasion.kind is not Kind.TEST:
                raise Refused("the webhook is switched off")
            before = webhooks.last_sent(connection, webhook.id, errand.id) if errand.asked else None
            if before is not None:
                return webhook, before.encode()
            event = event_of(connection, occasion, links_of(world), now)
        return webhook, body(event, webhook.flavour, occasion.locale)

    def _called(self, url: str, sent: bytes, headers: dict[str, str]) -> Answer | Trouble:
        try:
            return self.wire.post(url, sent, headers)
        except Trouble as trouble:
            return trouble
        except BadDestination:
            return Trouble("inside", "no address to call")


WEBHOOKS = Webhooks()


def _readers_own(connection: Connection, occasion: Occasion, errand: Errand) -> Webhook | None:
    """The webhook that an errand is for, if it is still the reader's: SQLite gives the id of a deleted one again."""
    row, reader = webhooks.one(connection, errand.target), occasion.reader
    return webhook_of(row) if row is not None and reader and row.account_id == reader.id else None


def _headers(webhook: Webhook, own_id: str, at: datetime, sent: bytes) -> dict[str, str]:
    signed = headers(webhook.secrets(at), own_id, at, sent)
    return {"Content-Type": "application/json", "User-Agent": AGENT, **signed}


def _outcome(result: Answer | Trouble) -> str:
    if isinstance(result, Trouble):
        return result.code
    if result.is_redirect:
        return "redirect"
    return "taken" if result.taken else "status"


def _judged(result: Answer | Trouble, wait: timedelta | None) -> str:
    """What is said of a call. Raises Later where another attempt follows after `wait`, Refused where none does."""
    if isinstance(result, Answer) and result.taken:
        return result.said
    said = result.said if isinstance(result, Answer) else str(result)
    if wait is None:
        raise Refused(said)
    asked = result.retry_after if isinstance(result, Answer) else None
    raise Later(said, at_least=max(wait, asked or wait), longest=MOMENT)


def wait_after(attempts: int, errand_id: int) -> timedelta | None:
    """How long until the next attempt after so many before this one, spread a little; None = that was the last."""
    if attempts >= len(WAITS):
        return None
    spread = hashlib.sha256(f"{errand_id}/{attempts}".encode()).digest()[0]
    return WAITS[attempts] * (1000 - spread / 2.55) / 1000
