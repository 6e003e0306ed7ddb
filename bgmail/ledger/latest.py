"""The latest play that a log tells of."""

from __future__ import annotations

from collections.abc import Sequence

from bgmail.ledger.entry import Entry
from bgmail.rules.match import Match, Phase
from bgmail.rules.side import Side

_BEGINS_A_GAME = frozenset({"game_over", "opening_roll", "accept", "invite"})


def last_play(entries: Sequence[Entry], match: Match) -> tuple[Side, str] | None:
    """Who made the latest play of the game on the board, and how it is written; a dance is none.

    `entries` are the newest of the log.
    """
    for entry in reversed(entries):
        if entry.kind in _BEGINS_A_GAME and match.phase is not Phase.OVER:
            return None
        if entry.kind == "play" and entry.data["play"] and entry.seat:
            return Side.named(entry.seat), entry.data["play"]
    return None
