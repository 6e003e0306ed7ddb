"""Everything that is kept about one person, as files: made one after the other, so that memory stays small.

Nothing in it is somebody else's secret: no address of others, no note of theirs, no secret of a login or of dice.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from bgmail.service import accounts, exports, feeds, logins, notes, push, ties, webhooks
from bgmail.service.allowances import DAY, Limit, take
from bgmail.service.push import Subscriber
from bgmail.service.ratings import reading
from bgmail.store import belongings, bounces, choices, inbound, orders, people
from bgmail.store.engine import Store

EXPORTS = Limit("export/account", 10, DAY)


@dataclass(frozen=True, slots=True)
class File:
    """One file: its path, and its text in pieces."""

    path: str
    text: Iterable[str]


def allow(store: Store, account_id: int, now: datetime) -> None:
    """Counts one export. Raises TooOften."""
    take(store, [(EXPORTS, str(account_id))], now)


def files(store: Store, account_id: int, now: datetime) -> Iterator[File]:
    """All files of a person. Raises NotFound for no such account."""
    account = accounts.by_id(store, account_id)
    yield File("account.json", [_text(_account(store, account_id))])
    yield File("logins.json", [_text(_logins(store, account_id, now))])
    yield File("people.json", [_text([_plain(asdict(one)) for one in ties.mine(store, account.id)])])
    yield File("notes.json", [_text([_plain(asdict(one)) for one in notes.mine(store, account.id)])])
    yield File("orders.json", [_text(_orders(store, account_id))])
    yield File("vacations.json", [_text([_row(row) for row in belongings.vacations(store, account_id)])])
    yield File("webhooks.json", [_text(_webhooks(store, account_id))])
    yield File("ratings.json", [_text([_rating(one) for one in reading.of(store, account_id, now)])])
    yield File("rating-changes.jsonl", _lines(_effect(one) for one in reading.everything(store, account_id)))
    yield File("tournaments.json", [_text(_tournaments(store, account_id))])
    yield File("leagues.json", [_text([_row(row) for row in belongings.leagues(store, account_id)])])
    yield File("invitations.jsonl", _lines(_row(row) for row in belongings.invitations(store, account.id)))
    yield File("letters.jsonl", _lines(_row(row) for row in belongings.letters(store, account.id)))
    yield File("letters-sent.jsonl", _lines(_row(row) for row in belongings.attempts(store, account.id)))
    yield File("visits.jsonl", _lines(_row(row) for row in belongings.visits(store, account.id)))
    for match_id in belongings.match_ids(store, account.id):
        yield from _match(store, match_id)


def _match(store: Store, match_id: str) -> Iterator[File]:
    yield File(f"matches/{match_id}.json", [_text(exports.export_json(store, match_id))])
    yield File(f"matches/{match_id}.mat", [exports.export_mat(store, match_id)])
    said = [_row(line) for line in belongings.chat(store, match_id)]
    if said:
        yield File(f"matches/{match_id}-chat.json", [_text(said)])


def _account(store: Store, account_id: int) -> dict[str, Any]:
    with store.read() as connection:
        row = people.by_id(connection, account_id)
        chosen = choices.modes(connection, account_id)
        senders = inbound.senders(connection, account_id)
        hours = choices.hours(connection, account_id)
        troubles = bounces.stopped(connection, row.email_key) if row and row.email_key else []
    kept = (
        "handle",
        "email",
        "email_verified_at",
        "new_email",
        "time_zone",
        "locale",
        "created_at",
        "seen_at",
    )
    told = {
        name: getattr(row, name)
        for name in (*kept, "is_bot", "is_staff", "most_matches", "auto_vacation", "calendar_at")
    }
    told["calendar"] = json.loads(row.calendar) if row and row.calendar else None
    told["notices"] = [
        {"kind": kind, "channel": channel, "mode": mode} for (kind, channel), mode in sorted(chosen.items())
    ]
    told["letters_stopped"] = [_row(one) for one in troubles]
    told["answers_from"] = senders
    told["hours"] = vars(hours) if hours else None
    return _plain(told | {"board": belongings.board(store, account_id)})


def _logins(store: Store, account_id: int, now: datetime) -> dict[str, Any]:
    sessions, tokens = logins.sessions(store, account_id, now), logins.tokens(store, account_id)
    feed = feeds.of(store, account_id)
    return {
        "sessions": [_plain(asdict(one)) for one in sessions],
        "tokens": [_plain(asdict(one)) for one in tokens],
        "browsers": [_browser(one) for one in push.browsers(store, account_id, now)],
        "feed": _plain({"made_at": feed.made_at, "read_at": feed.read_at}) if feed else None,
    }


def _orders(store: Store, account_id: int) -> dict[str, Any]:
    with store.read() as connection:
        standing = orders.mine(connection, account_id)
        prepared = orders.replies_of(connection, account_id)
    return {
        "standing": [_row(row) for row in standing],
        "prepared": [_row(row) | {"steps": json.loads(row.steps)} for row in prepared],
    }


def _webhooks(store: Store, account_id: int) -> list[dict[str, Any]]:
    kept = ("name", "url", "flavour", "events", "match_id", "state", "created_at", "taken_at")
    found = webhooks.mine(store, account_id)
    return [_plain({name: getattr(one, name) for name in kept}) for one in found]


def _tournaments(store: Store, account_id: int) -> dict[str, Any]:
    """Their entries, what they organise, and what they said and decided there."""
    said = [_row(row) | {"data": json.loads(row.data)} for row in belongings.commands(store, account_id)]
    return {
        "entries": [_row(row) for row in belongings.entries(store, account_id)],
        "organises": [_row(row) for row in belongings.organised(store, account_id)],
        "said": said,
    }


def _rating(one: reading.Shown) -> dict[str, Any]:
    told = asdict(one)
    return _plain({**told.pop("today"), **told})


def _effect(one: reading.Effect) -> dict[str, Any]:
    return _plain(asdict(one) | {"opponent": one.opponent.handle})


def _browser(one: Subscriber) -> dict[str, Any]:
    return _plain({"name": one.name, "created_at": one.created_at, "sent_at": one.sent_at})


def _row(row: Any) -> dict[str, Any]:
    return _plain(row._asdict())


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    """Instants as RFC 3339 texts; the rest is plain already."""
    return {
        name: value.isoformat() if isinstance(value, datetime) else value for name, value in values.items()
    }


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _lines(values: Iterable[dict[str, Any]]) -> Iterator[str]:
    return (json.dumps(value, ensure_ascii=False) + "\n" for value in values)
