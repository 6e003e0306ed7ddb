"""Who is told what of a tournament: the facts that are owed beside those about its matches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from bgmail.pairing.field import How, Pairing
from bgmail.service.notices import Kind, fact, owe
from bgmail.service.tournaments.views import EntryState
from bgmail.store import tournaments as rows

HERE = (EntryState.IN, EntryState.WAITING)


def tell(
    connection: Connection,
    kind: Kind,
    tournament_id: str,
    people: Sequence[Row[Any]],
    now: datetime,
    which: str = "",
    **data: Any,
) -> None:
    """Owes a fact to each of these people; machines without a webhook need none. Told once for each `which`."""
    mark = f"{tournament_id}-{which}" if which else tournament_id
    owe(
        connection,
        [
            fact(
                kind,
                now,
                account_id=_account(row),
                which=mark,
                data={"tournament": tournament_id, **data},
            )
            for row in people
        ],
        [_account(row) for row in people if row.is_bot],
    )


def _account(row: Row[Any]) -> int:
    """Whose row it is: that of an entry, or of an account."""
    return int(getattr(row, "account_id", None) or row.id)


def everybody(entries: Iterable[Row[Any]]) -> list[Row[Any]]:
    """Those who play, or wait for a place."""
    return [row for row in entries if row.state in HERE]


def byes(
    connection: Connection,
    tournament_id: str,
    entries: Mapping[int, Row[Any]],
    fresh: Sequence[Pairing],
    now: datetime,
) -> None:
    """Tells of byes, each to its own."""
    for pairing in fresh:
        if pairing.result is not None and pairing.result.how is How.BYE:
            who, told = [entries[pairing.first]], {"round": pairing.round, "pairing": pairing.key}
            tell(connection, Kind.TOURNAMENT_BYE, tournament_id, who, now, pairing.key, **told)


def drawn(
    connection: Connection,
    tournament_id: str,
    entries: Mapping[int, Row[Any]],
    fresh: Sequence[Pairing],
    now: datetime,
    head: int,
) -> None:
    """Tells the two of each pairing of a round that is drawn and has not begun whom they meet."""
    byes(connection, tournament_id, entries, fresh, now)
    for pairing in fresh:
        if pairing.second is None or pairing.result is not None:
            continue
        for mine, other in ((pairing.first, pairing.second), (pairing.second, pairing.first)):
            told = {"round": pairing.round, "pairing": pairing.key, "opponent": entries[other].account_id}
            which = f"{pairing.key}-{head}"
            tell(connection, Kind.TOURNAMENT_ROUND, tournament_id, [entries[mine]], now, which, **told)


def organisers(connection: Connection, tournament_id: str, now: datetime, which: str, **data: Any) -> None:
    """Tells those who command it that something waits for them."""
    them = rows.organisers(connection, tournament_id)
    tell(connection, Kind.TOURNAMENT_LATE, tournament_id, them, now, which, **data)
