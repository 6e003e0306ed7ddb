"""Plays that somebody has laid out on the board and not submitted."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, select

from bgmail.store.matches import table
from bgmail.store.prepared import Prepared
from bgmail.store.tables import SketchRow
from bgmail.store.upserts import put

_sketch = table(SketchRow)
_FIND = Prepared(
    select(_sketch.c.play).where(
        _sketch.c.match_id == bindparam("match_id"),
        _sketch.c.account_id == bindparam("account_id"),
        _sketch.c.version == bindparam("version"),
    )
)


def keep(
    connection: Connection, match_id: str, account_id: int, version: int, play: str, at: datetime
) -> None:
    """Keeps a play in place of what was laid out before."""
    values = {"match_id": match_id, "account_id": account_id, "version": version, "play": play, "at": at}
    put(connection, _sketch, values)


def drop(connection: Connection, match_id: str, account_id: int) -> None:
    """Forgets what was laid out in a match."""
    mine = (_sketch.c.match_id == match_id, _sketch.c.account_id == account_id)
    connection.execute(delete(_sketch).where(*mine))


def find(connection: Connection, match_id: str, account_id: int, version: int) -> str | None:
    """The play that somebody laid out at this version of a match."""
    found: str | None = _FIND.scalar(connection, match_id=match_id, account_id=account_id, version=version)
    return found
