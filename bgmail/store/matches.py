"""The statements on matches, their logs and secrets, in SQLAlchemy Core: built once, compiled once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, cast

import orjson
from sqlalchemy import Connection, Table, bindparam, delete, func, insert, or_, select, update

from bgmail.ledger.entry import Entry
from bgmail.store.prepared import Joined, Prepared
from bgmail.store.tables import AccountRow, ActionRow, MatchRow, OutageRow, SecretRow
from bgmail.store.together import together


def table(row: type) -> Table:
    """The Core table of a row class."""
    return cast(Table, row.__table__)  # type: ignore[attr-defined]


match, action, secret = table(MatchRow), table(ActionRow), table(SecretRow)
white, black = table(AccountRow).alias("white"), table(AccountRow).alias("black")
PEOPLE = [
    column.label(f"{seat}_{name}")
    for seat, account in (("white", white), ("black", black))
    for name, column in (
        ("handle", account.c.handle),
        ("bot", account.c.is_bot),
        ("calendar", account.c.calendar),
        ("orders", account.c.orders),
        ("rests", account.c.rests),
    )
]
_seats = match.outerjoin(white, match.c.white_id == white.c.id).outerjoin(
    black, match.c.black_id == black.c.id
)
_outage = table(OutageRow)
OUTAGES = select(together(_outage.c.told)).scalar_subquery().label("outages")
"""All times in which the service was away, as `bgmail.timing.outages` reads them; None = it never was."""
VIEWS = select(*match.c, *PEOPLE, OUTAGES).select_from(_seats)
WAITING = select(
    *(match.c[name] for name in ("id", "white_id", "clock", "moved_at", "deadline_at")),
    white.c.handle.label("white_handle"),
    black.c.handle.label("black_handle"),
    OUTAGES,
).select_from(_seats)
_VIEW = Prepared(VIEWS.where(match.c.id == bindparam("id")))
_WITH_SECRETS = select(
    *match.c, *PEOPLE, OUTAGES, secret.c.game.label("secret_game"), secret.c.secret
).select_from(_seats.outerjoin(secret, secret.c.match_id == match.c.id))
_VIEW_WITH_SECRETS = Prepared(_WITH_SECRETS.where(match.c.id == bindparam("id")))
_NONCES = Prepared(
    select(action.c.seq, action.c.nonce)
    .where(
        action.c.match_id == bindparam("id"),
        action.c.seq > bindparam("after"),
        action.c.nonce.is_not(None),
    )
    .order_by(action.c.seq)
)
MOST_REMEMBERED = 1000
"""Matches whose nonces a connection remembers: a long log is read once, not at every play."""
_NEWS = Prepared(
    select(action.c.text, action.c.hash)
    .where(action.c.match_id == bindparam("id"), action.c.seq > bindparam("after"))
    .order_by(action.c.seq)
)
_BY_KEY = select(action.c.version, action.c.seq, action.c.body_digest).where(
    action.c.match_id == bindparam("id"),
    action.c.key == bindparam("key"),
    action.c.seat == bindparam("seat"),
)
_COMMITS = (
    select(action.c.seq, action.c.data)
    .where(action.c.match_id == bindparam("id"), action.c.kind == "commit")
    .order_by(action.c.seq.desc())
)
_NEXT_NONCE = (
    select(action.c.seq)
    .where(
        action.c.match_id == bindparam("id"), action.c.seq > bindparam("after"), action.c.nonce.is_not(None)
    )
    .limit(1)
)
_HASH = Prepared(
    select(action.c.hash).where(action.c.match_id == bindparam("id"), action.c.seq == bindparam("seq"))
)
MOVING = (
    "version",
    "head",
    "head_hash",
    "rolls",
    "phase",
    "on_turn",
    "state",
    "clock",
    "moved_at",
    "started_at",
    "finished_at",
    "deadline_at",
    "due_at",
    "winner",
    "ending",
)
"""The columns that a step changes."""
_ADVANCE = Prepared(
    update(match)
    .where(
        match.c.id == bindparam("the_id"),
        match.c.head == bindparam("expected"),
        match.c.orders == bindparam("ordered"),
    )
    .where(select(func.count()).select_from(_outage).scalar_subquery() == bindparam("known_outages"))
    .values({name: bindparam(f"new_{name}") for name in MOVING})
)
_LOG = Prepared(insert(action), (column.name for column in action.c))
_KEEP = Prepared(insert(secret), (column.name for column in secret.c))
_DROP = Prepared(
    delete(secret).where(secret.c.match_id == bindparam("the_id"), secret.c.game == bindparam("the_game"))
)
_NEXT = (
    select(match.c.id)
    .where(match.c.due_at.is_not(None), match.c.due_at <= bindparam("now"))
    .order_by(match.c.due_at)
    .limit(bindparam("most"))
)
_DUE = Prepared(_WITH_SECRETS.where(match.c.id.in_(_NEXT.scalar_subquery())))
_PUT_OFF = Prepared(
    update(match)
    .where(match.c.id == bindparam("the_id"), match.c.due_at == bindparam("was"))
    .values(due_at=bindparam("until"))
)


def could_be(match_id: str) -> bool:
    """Whether there can be such an id: what no database takes (NUL, half a sign) is looked up nowhere."""
    return match_id.isascii() and match_id.isprintable()


def view(connection: Connection, match_id: str) -> dict[str, Any] | None:
    """The match with the handles of its two people."""
    if not could_be(match_id):
        return None
    return next(iter(_VIEW.rows(connection, id=match_id)), None)


Found = tuple[dict[str, Any], dict[int, bytes]]
"""A match's row with the handles of its two people, and its unpublished secrets by game."""


def view_with_secrets(connection: Connection, match_id: str) -> Found | None:
    """The same with the secrets that aren't published yet, by game."""
    if not could_be(match_id):
        return None
    found = _VIEW_WITH_SECRETS.joined(connection, "id", 2, id=match_id)
    return _found(found[0]) if found else None


def _found(joined: Joined) -> Found:
    row, secrets = joined
    return row, {game: secret for game, secret in secrets if game is not None}


def nonces(connection: Connection, match_id: str) -> str:
    """All nonces of the log, in order, one after the other. The log only grows: what was read is remembered."""
    known: dict[str, tuple[int, str]] = connection.info.setdefault("bgmail nonces", {})
    after, text = known.pop(match_id, (0, ""))
    rows = _NONCES.rows(connection, id=match_id, after=after)
    if rows:
        after, text = rows[-1]["seq"], text + "".join(row["nonce"] for row in rows)
    known[match_id] = after, text
    if len(known) > MOST_REMEMBERED:
        del known[next(iter(known))]
    return text


def is_guarded(connection: Connection, match_id: str, game: int) -> bool:
    """Whether a person acted since a game's dice were committed to, the last time if they were more than once."""
    commits = connection.execute(_COMMITS, {"id": match_id})
    seq = next((row.seq for row in commits if orjson.loads(row.data)["game"] == game), None)
    if seq is None:
        return False
    return connection.scalar(_NEXT_NONCE, {"id": match_id, "after": seq}) is not None


def texts(connection: Connection, match_id: str, after: int = 0) -> Sequence[tuple[str, str]]:
    """The log as (text, hash), from the entry after `after` on."""
    return [(row["text"], row["hash"]) for row in _NEWS.rows(connection, id=match_id, after=after)]


def by_key(connection: Connection, match_id: str, seat: str, key: str) -> tuple[int, int, str | None] | None:
    """(version, seq, body digest) of the action that was sent with an idempotency key."""
    row = connection.execute(_BY_KEY, {"id": match_id, "seat": seat, "key": key}).one_or_none()
    return None if row is None else (row.version, row.seq, row.body_digest)


def hash_at(connection: Connection, match_id: str, seq: int) -> str | None:
    """The hash of one entry of the log."""
    found: str | None = _HASH.scalar(connection, id=match_id, seq=seq)
    return found


def due(connection: Connection, now: datetime, most: int) -> list[Found]:
    """The matches that the sweep has to look at, those longest overdue, with their secrets; sorted by their ids, so
    that two sweeps lock them in one order."""
    found = _DUE.joined(connection, "id", 2, now=now, most=most)
    return sorted(map(_found, found), key=lambda each: str(each[0]["id"]))


def add(connection: Connection, values: dict[str, Any]) -> None:
    """Adds a match's row."""
    connection.execute(insert(match), values)


def advance(
    connection: Connection,
    match_id: str,
    expected_head: int,
    values: dict[str, Any],
    ordered: int,
    outages: int,
) -> bool:
    """Moves the cached row on if its head is still the expected one; False when somebody was faster.

    `ordered` is the mark of the orders that were obeyed: somebody may have given others meanwhile. `outages` is how
    many there had been: if another has been noted, the clock has to be read again.
    """
    moved = {f"new_{name}": values[name] for name in MOVING}
    told = {"the_id": match_id, "expected": expected_head, "ordered": ordered, "known_outages": outages}
    return _ADVANCE.change(connection, told | moved) == 1


def put_off(connection: Connection, match_id: str, was: datetime, until: datetime | None) -> bool:
    """Moves the instant of the sweep's next look, if nobody else did."""
    return _PUT_OFF.change(connection, {"the_id": match_id, "was": was, "until": until}) == 1


def log(
    connection: Connection, entries: Iterable[Entry], key: str | None = None, digest: str | None = None
) -> None:
    """Adds entries to the log; `key` and `digest` belong to the first of them, the person's own action."""
    rows = [_row(entry) for entry in entries]
    if key:
        rows[0]["key"], rows[0]["body_digest"] = key, digest
    _LOG.change_each(connection, rows)


def _row(entry: Entry) -> dict[str, Any]:
    return {
        "match_id": entry.match,
        "seq": entry.seq,
        "version": entry.version,
        "at": entry.at,
        "seat": entry.seat,
        "via": entry.via,
        "kind": entry.kind,
        "data": orjson.dumps(entry.data, option=orjson.OPT_SORT_KEYS).decode(),
        "nonce": entry.nonce,
        "text": entry.text,
        "hash": entry.hash,
        "key": None,
        "body_digest": None,
    }


def keep_secrets(connection: Connection, secrets: Iterable[tuple[str, int, bytes]]) -> None:
    """Adds the secrets of games to come, each as (match, game, secret)."""
    _KEEP.change_each(
        connection, [{"match_id": match, "game": game, "secret": value} for match, game, value in secrets]
    )


def drop_secrets(connection: Connection, games: Iterable[tuple[str, int]]) -> None:
    """Published secrets leave the table, each named by (match, game): the log has them."""
    _DROP.change_each(connection, [{"the_id": match, "the_game": game} for match, game in games])


def seated(account_id: int) -> Any:
    """The condition that a person sits in the match."""
    return or_(match.c.white_id == account_id, match.c.black_id == account_id)
