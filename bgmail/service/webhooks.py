"""Webhooks of a person: where events are sent, which, in what form, with which secret, and how it goes.

Calls are made in `bgmail.notify.hooks`; what they came to is kept here.
"""

from __future__ import annotations

import base64
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Row

from bgmail.service import matches, notices, told
from bgmail.service.allowances import HOUR, Limit, take
from bgmail.service.destinations import destination
from bgmail.service.errors import NotFound, Refused
from bgmail.service.notices import Kind
from bgmail.service.terms import has_controls
from bgmail.store import errands, people, webhooks
from bgmail.store.engine import Store

CHANNEL = webhooks.CHANNEL
EVENTS: Mapping[Kind, str] = {
    Kind.YOUR_TURN: "match.turn",
    Kind.DOUBLE: "match.double",
    Kind.RESIGNATION: "match.resignation",
    Kind.REMINDER: "match.reminder",
    Kind.CLAIM: "match.claim",
    Kind.GAME_OVER: "match.game_over",
    Kind.MATCH_OVER: "match.finished",
    Kind.TIMEOUT: "match.finished",
    Kind.INVITATION: "match.invitation",
    Kind.DAY_GIVEN: "match.day_given",
    Kind.UNTIMED: "match.untimed",
    Kind.OPPONENT_AWAY: "opponent.vacation",
    Kind.TOURNAMENT_PAIRED: "tournament.paired",
    Kind.TOURNAMENT_ENTERED: "tournament.entered",
    Kind.TOURNAMENT_ROUND: "tournament.round",
    Kind.TOURNAMENT_BYE: "tournament.bye",
    Kind.TOURNAMENT_OVER: "tournament.over",
    Kind.TOURNAMENT_SAYS: "tournament.says",
    Kind.TOURNAMENT_CANCELLED: "tournament.cancelled",
    Kind.TOURNAMENT_LATE: "tournament.late",
}
"""Which event tells of which kind of notice. Names are "subject.what": other subjects join as they come."""
NAMES = tuple(dict.fromkeys(EVENTS.values()))
TEST = "webhook.test"
FIELDS = (
    *(
        "version",
        "phase",
        "on_turn",
        "you",
        "white",
        "black",
        "length",
        "games",
        "rules",
        "rule_set",
        "wager",
        "rated",
        "tournament",
        "game",
        "score",
    ),
    *(
        "crawford",
        "cube",
        "offer",
        "dice",
        "position_id",
        "gnubg_match_id",
        "xgid",
        "clocks",
        "deadline",
        "result",
    ),
)
"""What an event has of the API's state, under the same names."""
WAITS = (
    timedelta(seconds=30),
    timedelta(minutes=3),
    timedelta(minutes=15),
    timedelta(minutes=45),
    timedelta(hours=2),
    timedelta(hours=4),
    timedelta(hours=7),
    timedelta(hours=9),
)
"""Between the attempts, of which there are at most nine, in 24 hours; then an event is given up."""
MOST = 10
MOST_NAME = 40
OLD_SECRET_LASTS = timedelta(hours=24)
FAILING_FOR = timedelta(days=5)
"""A webhook that took nothing for so long, and of which something was given up since, is switched off."""
AGAIN = Limit("webhook-again/account", 60, HOUR)
CALLS_SHOWN = 20
SECRET_PREFIX = "whsec_"
SECRET_BYTES = 32


class Flavour(StrEnum):
    """The form of what is sent."""

    STANDARD = "standard"
    DISCORD = "discord"
    SLACK = "slack"


class State(StrEnum):
    """Whether events are sent: ON, PAUSED by the owner, or switched off by us, as GONE or FAILING."""

    ON = "on"
    PAUSED = "paused"
    GONE = "gone"
    FAILING = "failing"


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person wants of a webhook, as typed. `match_id` "" = all matches."""

    url: str
    flavour: str
    events: Sequence[str]
    match_id: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Webhook:
    """One webhook. `failing_since`: the first failure since a call was taken; `taken_at`: when one last was."""

    id: int
    account_id: int
    name: str
    url: str
    host: str
    flavour: Flavour
    events: tuple[str, ...]
    match_id: str | None
    secret: str
    old_secret: str | None
    old_until: datetime | None
    state: State
    created_at: datetime
    failing_since: datetime | None
    given_up: int
    last_at: datetime | None
    taken_at: datetime | None

    def secrets(self, now: datetime) -> list[str]:
        """The secrets that sign a call: the present one, and for a day the one before."""
        old = [self.old_secret] if self.old_secret and self.old_until and now < self.old_until else []
        return [self.secret, *old]

    def wants(self, kind: Kind, match_id: str) -> bool:
        """Whether a fact is to be sent there."""
        return (
            self.state is State.ON and EVENTS.get(kind) in self.events and self.match_id in (None, match_id)
        )

    @property
    def shown(self) -> str:
        """Where it leads, without what only its owner may know: addresses of chats are secrets themselves."""
        return f"https://{self.host}/…"


@dataclass(frozen=True, slots=True)
class Call:
    """One call. `outcome` is "taken", "status" (another one), "redirect", "timeout", "name", "connection", "garbled"
    or "inside"; `status` and `answered` are what came back."""

    id: int
    errand_id: int
    message_id: str
    event: str
    at: datetime
    seconds: float
    outcome: str
    status: int | None
    sent: str
    answered: str

    @property
    def taken(self) -> bool:
        return self.outcome == "taken"


def new_secret() -> str:
    """A secret as the Standard Webhooks specification wants it: "whsec_" and 256 bits in base64."""
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def mine(store: Store, account_id: int) -> list[Webhook]:
    """The webhooks of a person, the oldest first."""
    with store.read() as connection:
        return [webhook_of(row) for row in webhooks.mine(connection, account_id)]


def one(store: Store, account_id: int, webhook_id: int) -> Webhook:
    """One webhook of this person. Raises NotFound."""
    with store.read() as connection:
        return _own(connection, account_id, webhook_id)


def add(store: Store, account_id: int, wish: Wish, secret: str, now: datetime) -> Webhook:
    """A new webhook, switched on. Raises Refused (address, events, form, name, too many), NotFound (match)."""
    values = _checked(store, account_id, wish)
    with store.write() as connection:
        people.hold(connection, account_id)
        if webhooks.count(connection, account_id) >= MOST:
            raise Refused("too_many_webhooks", most=MOST)
        webhook_id = webhooks.add(
            connection,
            values | {"account_id": account_id, "secret": secret, "state": State.ON, "created_at": now},
        )
        return _own(connection, account_id, webhook_id)


def change(store: Store, account_id: int, webhook_id: int, wish: Wish) -> None:
    """Other wishes for a webhook. Raises as `add` does. A new address begins with a clean slate."""
    values = _checked(store, account_id, wish)
    with store.write() as connection:
        if values["url"] != _own(connection, account_id, webhook_id).url:
            values |= {"failing_since": None, "given_up": 0}
        webhooks.change(connection, webhook_id, **values)


def renew_secret(store: Store, account_id: int, webhook_id: int, secret: str, now: datetime) -> None:
    """A new secret; the one before signs as well for another day. Raises NotFound."""
    with store.write() as connection:
        before = _own(connection, account_id, webhook_id)
        webhooks.change(
            connection, webhook_id, secret=secret, old_secret=before.secret, old_until=now + OLD_SECRET_LASTS
        )


def pause(store: Store, account_id: int, webhook_id: int) -> None:
    """Nothing is sent there until it is switched on. Raises NotFound."""
    with store.write() as connection:
        _own(connection, account_id, webhook_id)
        webhooks.change(connection, webhook_id, state=State.PAUSED)


def resume(store: Store, account_id: int, webhook_id: int) -> None:
    """Switched on, whoever switched it off; failures of the past are forgotten. Raises NotFound."""
    with store.write() as connection:
        _own(connection, account_id, webhook_id)
        webhooks.change(connection, webhook_id, state=State.ON, failing_since=None, given_up=0)


def delete(store: Store, account_id: int, webhook_id: int) -> None:
    """Deletes a webhook and what is known of its calls. Raises NotFound."""
    with store.write() as connection:
        _own(connection, account_id, webhook_id)
        webhooks.remove(connection, webhook_id)


def calls(store: Store, account_id: int, webhook_id: int, before: int | None = None) -> list[Call]:
    """The latest calls of a webhook, or those before the call `before`, the newest first. Raises NotFound."""
    with store.read() as connection:
        _own(connection, account_id, webhook_id)
        return [_call_of(row) for row in webhooks.calls(connection, webhook_id, before, CALLS_SHOWN)]


def test(store: Store, account_id: int, webhook_id: int, now: datetime) -> None:
    """A test event goes out there, also where it is paused. Raises NotFound, TooOften."""
    one(store, account_id, webhook_id)
    told.test(store, account_id, CHANNEL, webhook_id, now)


def send_again(store: Store, account_id: int, webhook_id: int, call_id: int, now: datetime) -> None:
    """What a call told is sent once more, under the same id. Raises NotFound, TooOften."""
    with store.read() as connection:
        _own(connection, account_id, webhook_id)
        row = webhooks.one_call(connection, webhook_id, call_id)
    if row is None:
        raise NotFound("no_call")
    take(store, [(AGAIN, str(account_id))], now)
    with store.write() as connection:
        errands.again(connection, row.errand_id, now)


def note(connection: Connection, webhook_id: int, call: Call, *, given_up: bool) -> State:
    """Writes down a call that was made, and what follows for its webhook; the state it is in then.

    No call is under way there any more. `given_up`: what it told is not going to be tried again.
    The owner is told once when a webhook is switched off by us; what they did meanwhile stands.
    """
    row = webhooks.locked(connection, webhook_id)
    if row is None:  # deleted while it was called
        return State.PAUSED
    webhook = webhook_of(row)
    webhooks.note(connection, _row_of(webhook, call))
    since, lost = webhook.failing_since or call.at, webhook.given_up + given_up
    state = webhook.state if call.taken else _state_after(webhook, call, since, lost)
    fares = (
        {"taken_at": call.at, "failing_since": None, "given_up": 0}
        if call.taken
        else {"failing_since": since, "given_up": lost}
    )
    webhooks.change(connection, webhook.id, last_at=call.at, state=state, busy_until=None, **fares)
    if state is not webhook.state:
        _tell_owner(connection, webhook, state, call.at)
    return state


def is_gone(flavour: Flavour, status: int | None) -> bool:
    """Whether an answer says that there is nobody any more: 410, and 404 of the chats for a channel's address that
    was withdrawn."""
    return status == 410 or (status == 404 and flavour is not Flavour.STANDARD)


def webhook_of(row: Row[Any]) -> Webhook:
    """The webhook of a row of `bgmail.store.webhooks`."""
    values = {name: getattr(row, name) for name in Webhook.__slots__}
    chosen = {"flavour": Flavour(row.flavour), "state": State(row.state), "events": tuple(row.events.split())}
    return Webhook(**values | chosen)


def _state_after(webhook: Webhook, call: Call, since: datetime, lost: int) -> State:
    if webhook.state is not State.ON:
        return webhook.state
    if is_gone(webhook.flavour, call.status):
        return State.GONE
    lasting = lost > 0 and call.at - since >= FAILING_FOR
    return State.FAILING if lasting else State.ON


def _tell_owner(connection: Connection, webhook: Webhook, state: State, now: datetime) -> None:
    owner = people.by_id(connection, webhook.account_id)
    if owner is None or not owner.email:
        return  # there is no mailbox: the page tells
    fact = notices.fact(
        Kind.WEBHOOK_OFF,
        now,
        account_id=webhook.account_id,
        address=owner.email,
        which=f"{webhook.id}-{now.timestamp():.6f}",
        data={"webhook": webhook.id, "name": webhook.name or webhook.host, "state": state.value},
    )
    notices.owe(connection, [fact])


def _own(connection: Connection, account_id: int, webhook_id: int) -> Webhook:
    row = webhooks.one(connection, webhook_id)
    if row is None or row.account_id != account_id:
        raise NotFound("no_webhook")
    return webhook_of(row)


def _checked(store: Store, account_id: int, wish: Wish) -> dict[str, Any]:
    """A wish as the columns of a row. Raises Refused, NotFound."""
    name = " ".join(wish.name.split())
    if len(name) > MOST_NAME or has_controls(name):
        raise Refused("webhook_name", most=MOST_NAME)
    url = wish.url.strip()
    place = destination(url)
    events = [event for event in NAMES if event in wish.events]
    if not events or set(wish.events) - set(NAMES):
        raise Refused("webhook_events")
    if wish.flavour not in list(Flavour):
        raise Refused("webhook_flavour")
    return {
        "name": name,
        "url": url,
        "host": place.host,
        "flavour": wish.flavour,
        "events": " ".join(events),
        "match_id": _own_match(store, account_id, wish.match_id) if wish.match_id else None,
    }


def _own_match(store: Store, account_id: int, match_id: str) -> str:
    view = matches.visible(store, match_id, account_id)
    if view.side_of(account_id) is None:
        raise NotFound("no_match")
    return view.id


def _call_of(row: Row[Any]) -> Call:
    return Call(**{name: getattr(row, name) for name in Call.__slots__})


def _row_of(webhook: Webhook, call: Call) -> dict[str, Any]:
    values = {name: getattr(call, name) for name in Call.__slots__ if name != "id"}
    return values | {"webhook_id": webhook.id}
