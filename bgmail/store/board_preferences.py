"""The statements on how people want their boards."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from bgmail.store.matches import table
from bgmail.store.tables import BoardPreferenceRow
from bgmail.store.upserts import put

board_preference = table(BoardPreferenceRow)


def keep(connection: Connection, account_id: int, values: dict[str, Any]) -> None:
    """Writes the whole choice of a person over the one before."""
    put(connection, board_preference, {"account_id": account_id} | values)
