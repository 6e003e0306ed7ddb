"""How people want to be told: a mode a kind and channel, quiet hours, and the time of the digest."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select

from bgmail.store.matches import table
from bgmail.store.prepared import Prepared
from bgmail.store.tables import ChoiceRow, HoursRow
from bgmail.store.upserts import put

choice, _hours = table(ChoiceRow), table(HoursRow)
_MODES = Prepared(
    select(choice.c.kind, choice.c.channel, choice.c.mode).where(
        choice.c.account_id == bindparam("account_id")
    )
)
_HOURS = Prepared(select(_hours).where(_hours.c.account_id == bindparam("account_id")))


def modes(connection: Connection, account_id: int) -> dict[tuple[str, str], str]:
    """What a person chose, by (kind, channel); what isn't there was never chosen."""
    rows = _MODES.rows(connection, account_id=account_id)
    return {(row["kind"], row["channel"]): row["mode"] for row in rows}


def choose(connection: Connection, account_id: int, kind: str, channel: str, mode: str | None) -> None:
    """Keeps a choice; None forgets it."""
    whose = (choice.c.account_id == account_id, choice.c.kind == kind, choice.c.channel == channel)
    connection.execute(delete(choice).where(*whose))
    if mode is not None:
        values = {"account_id": account_id, "kind": kind, "channel": channel, "mode": mode}
        connection.execute(insert(choice), values)


def hours(connection: Connection, account_id: int) -> Any | None:
    """A person's quiet hours and time of the digest; None for who never said."""
    return _HOURS.record(connection, account_id=account_id)


def keep_hours(
    connection: Connection, account_id: int, quiet_from: int | None, quiet_to: int | None, digest_at: int
) -> None:
    """Keeps them, in minutes of the day."""
    values = {
        "account_id": account_id,
        "quiet_from": quiet_from,
        "quiet_to": quiet_to,
        "digest_at": digest_at,
    }
    put(connection, _hours, values)
