"""A tournament comes about: with a plan, conditions, and a secret that is committed to before anybody enters."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import orjson
from sqlalchemy.exc import IntegrityError

from bgmail.dice import Chance, commitment
from bgmail.ledger.entry import canonical
from bgmail.pairing.plan import BadPlan, Plan
from bgmail.service import accounts
from bgmail.service.errors import KeyReused, Refused
from bgmail.service.ids import ALPHABET, LENGTH, new_id
from bgmail.service.keys import check_key
from bgmail.service.terms import has_controls
from bgmail.service.tournaments.conditions import Conditions, digest_of
from bgmail.service.tournaments.desk import Desk, Wish
from bgmail.service.tournaments.views import Tournament, load
from bgmail.store import people
from bgmail.store import tournaments as rows
from bgmail.store.engine import Store

MOST_NAME = 80
MOST_OPEN, MOST_OPEN_STAFF = 5, 100
"""So many tournaments of one person are not over at a time."""
FARTHEST = timedelta(days=731)
"""A tournament starts at most two years from now."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A tournament as somebody wants it: `plan` and `conditions` as data. `places` 0 = as many as a format can hold.

    It starts by itself at `starts_at`, or with `starts_full` as soon as every place is taken; else on command.
    """

    name: str
    plan: Mapping[str, Any]
    conditions: Mapping[str, Any]
    places: int = 0
    starts_at: datetime | None = None
    starts_full: bool = False

    def judged(self, now: datetime) -> dict[str, Any]:
        """The columns that follow from it. Raises Refused for a name, plan, condition, number or date that won't do."""
        plan, conditions = judged_plan(self.plan), Conditions.from_data(self.conditions)
        conditions.terms.offered()
        name = " ".join(self.name.split())
        if not 0 < len(name) <= MOST_NAME or has_controls(name):
            raise Refused("tournament_name", most=MOST_NAME)
        most = plan.most_entries
        if not (self.places == 0 or 2 <= self.places <= most) or (self.starts_full and not self.places):
            raise Refused("places", most=most)
        check_start(self.starts_at, now)
        return {
            "name": name,
            "plan": orjson.dumps(plan.data()).decode(),
            "conditions": orjson.dumps(conditions.to_data()).decode(),
            "digest": digest_of(plan.data(), conditions),
            "places": self.places,
            "starts_at": self.starts_at,
            "starts_full": self.starts_full,
        }

    @classmethod
    def of(cls, one: Tournament) -> Draft:
        """A tournament as it is."""
        conditions = one.conditions.to_data()
        return cls(one.name, one.plan.data(), conditions, one.places, one.starts_at, one.starts_full)

    def data(self) -> dict[str, Any]:
        """Its fields as JSON has them."""
        return {
            "name": self.name,
            "plan": dict(self.plan),
            "conditions": dict(self.conditions),
            "places": self.places,
            "starts_at": self.starts_at.isoformat() if self.starts_at else None,
            "starts_full": self.starts_full,
        }

    @property
    def digest(self) -> str:
        """Tells two wishes with one key apart."""
        return hashlib.sha256(canonical(self.data()).encode()).hexdigest()


def check_organiser(who: accounts.Account) -> None:
    """Raises Refused("machine_organiser"), since a person has to answer for what is decided, or
    ("unverified_organiser")."""
    if who.is_bot:
        raise Refused("machine_organiser")
    if not who.verified:
        raise Refused("unverified_organiser")


def check_start(starts_at: datetime | None, now: datetime) -> None:
    """Raises Refused("starts_at") for an instant that is past, or farther away than anybody plans."""
    if starts_at is not None and not now < starts_at <= now + FARTHEST:
        raise Refused("starts_at")


def judged_plan(data: Mapping[str, Any]) -> Plan:
    """The plan of its data. Raises Refused("plan") for one that can't be played."""
    try:
        return Plan.from_data(data)
    except BadPlan as error:
        raise Refused("plan", field=error.field) from error


def create(
    store: Store, account_id: int, draft: Draft, now: datetime, chance: Chance, *, key: str | None = None
) -> Tournament:
    """Makes a draft that its creator organises; the same again under one `key` is the same tournament.

    Raises Refused (terms, plan, name, a machine, an address that isn't proven, too many at a time), Forbidden for
    somebody shut out, KeyReused.
    """
    check_key(key)
    who = accounts.require_active(store, account_id)
    check_organiser(who)
    secret = chance.secret()
    values = draft.judged(now) | {
        "id": new_id() if key is None else _id_for(account_id, key),
        "commitment": commitment(secret),
        "created_by": account_id,
        "created_at": now,
    }
    most = MOST_OPEN_STAFF if who.is_staff else MOST_OPEN
    try:
        _write(store, values, secret, draft, key, most, now)
    except IntegrityError:
        if key is None or not _made_before(store, values["id"], draft, key):
            raise
    return load(store, values["id"], account_id)


def _write(
    store: Store,
    values: dict[str, Any],
    secret: bytes,
    draft: Draft,
    key: str | None,
    most: int,
    now: datetime,
) -> None:
    with store.write() as connection:
        people.hold(connection, values["created_by"])
        if key is not None and _is_same(rows.by_id(connection, values["id"]), connection, draft, key):
            return
        if rows.created_by(connection, values["created_by"]) >= most:
            raise Refused("too_many_tournaments", most=most)
        rows.add(connection, values, secret)
        row = rows.hold(connection, values["id"])
        if row is not None:
            Desk(connection, row, now).note(
                values["created_by"], Wish("create", {"digest": draft.digest}, key=key)
            )


def _id_for(account_id: int, key: str) -> str:
    """The id of what somebody makes under a key: a second time it is taken."""
    drawn = hashlib.sha256(f"tournament|{account_id}|{key}".encode()).digest()
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in drawn[:LENGTH])


def _made_before(store: Store, tournament_id: str, draft: Draft, key: str) -> bool:
    with store.read() as connection:
        return _is_same(rows.by_id(connection, tournament_id), connection, draft, key)


def _is_same(row: Any, connection: Any, draft: Draft, key: str) -> bool:
    """Whether that tournament is what the same wish made. Raises KeyReused for another wish's."""
    if row is None:
        return False
    first = rows.by_key(connection, row.id, key)
    if first is None or orjson.loads(first.data).get("digest") != draft.digest:
        raise KeyReused("key_reused")
    return True
