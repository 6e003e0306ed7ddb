"""The latest play that a log tells of, and what a side did last."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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


@dataclass(frozen=True, slots=True)
class Act:
    """What somebody did, as a list tells it: whose it is (an opening roll is its winner's), and by which dice.

    `dice` are None where none belong to it, and where the roll lies further back than was looked.
    """

    side: Side | None
    kind: str
    data: Mapping[str, Any]
    dice: tuple[int, int] | None = None


def last_act(acts: Iterable[Act], side: Side) -> Act | None:
    """The latest act of a side among those of a log, in order; an opening roll after it counts for both."""
    latest = None
    for act in acts:
        if act.side is side or act.kind == "opening_roll":
            latest = act
    return latest
