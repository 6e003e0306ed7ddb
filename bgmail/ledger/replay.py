"""The match that a log adds up to: every entry is judged again, nothing is believed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bgmail.ledger.entry import Entry
from bgmail.rules.action import Action, Kind
from bgmail.rules.dice import Dice
from bgmail.rules.match import Match, apply, legal, new_match
from bgmail.rules.notation import find_play
from bgmail.rules.play import Play
from bgmail.rules.position import Position
from bgmail.rules.ruledata import meant
from bgmail.rules.score import Ending
from bgmail.rules.side import Side

SILENT = {"commit", "reveal", "pause"}
OF_THE_CLOCK = frozenset({Kind.LATE, Kind.TIMEOUT, Kind.INACTIVITY})
"""What the server says of a side: the entry has no seat, and names the side in its data."""


def is_silent(entry: Entry) -> bool:
    """Whether an entry leaves match and version as they are. A correction without an ending is only a remark."""
    return entry.kind in SILENT or (entry.kind == Kind.CORRECTION and "ending" not in entry.data)


class ReplayError(ValueError):
    """The log says something that the rules don't: `seq` names the entry."""

    def __init__(self, seq: int, reason: str) -> None:
        self.seq = seq
        self.reason = reason
        super().__init__(f"entry {seq}: {reason}")


def terms_of(data: Mapping[str, Any]) -> Match:
    """The invited match of an `invite` entry's data. Raises ValueError or KeyError for impossible terms."""
    return new_match(meant(data["rules"]), data["length"], data["games"], data.get("wager", 1))


def action_of(match: Match, entry: Entry) -> Action:
    """The action that an entry records, judged in `match`. Raises PlayError, ValueError or KeyError."""
    kind, data = Kind(entry.kind), entry.data
    side = Side.named(entry.seat) if entry.seat else None
    if kind in OF_THE_CLOCK:
        return Action(kind, Side.named(data["side"]))
    if kind is Kind.CORRECTION:
        winner = Side.named(data["winner"]) if data["winner"] else None
        return Action(kind, None, winner=winner, ending=Ending(data["ending"]))
    if kind in (Kind.ROLL, Kind.OPENING_ROLL):
        return Action(kind, side, dice=Dice(*data["dice"]))
    if kind is Kind.RESIGN:
        return Action(kind, side, value=data["value"])
    if kind is Kind.PLAY and data["play"]:
        return Action(kind, side, play=_play_of(match, data["play"], data["position_id"]))
    return Action(kind, side)


def _play_of(match: Match, text: str, position_id: str) -> Play | None:
    """The play of that notation. Our own logs name the position too: that finds it sooner than reading does."""
    if match.dice is None:
        return None
    after = Position.from_id(position_id).mirrored()
    named = next((play for play in legal(match) if play.position == after), None)
    if named is not None and str(named) == text:
        return named
    return find_play(match.position, match.dice, text, match.rules)


def fold(match: Match | None, entry: Entry) -> Match:
    """The match after one more entry. Raises ReplayError where it contradicts the rules or the match."""
    try:
        return _fold(match, entry)
    except (ValueError, KeyError, TypeError) as error:
        raise ReplayError(entry.seq, str(error)) from error


def _fold(match: Match | None, entry: Entry) -> Match:
    if match is None:
        if entry.kind != "invite":
            raise ValueError("a log begins with an invitation")
        return terms_of(entry.data)
    if is_silent(entry):
        return match
    if entry.kind == "game_over":
        return _agree(match, entry.data == game_over_data(match))
    if entry.kind == "match_over":
        return _agree(match, entry.data == match_over_data(match))
    action = action_of(match, entry)
    if action.kind is Kind.PLAY and entry.data["position_id"] != played_id(match, action):
        raise ValueError("the play does not lead to the position named")
    return apply(match, action)


def _agree(match: Match, same: bool) -> Match:
    if not same:
        raise ValueError("the result is not what the plays add up to")
    return match


def played_id(match: Match, action: Action) -> str:
    """The position after a play as the opponent sees it; a dance leaves it as it was."""
    after = action.play.position if action.play else match.position
    return after.opponent_id


def game_over_data(match: Match) -> dict[str, Any]:
    """What a `game_over` entry says of the game that ended last."""
    last = match.last_game
    if last is None:
        raise ValueError("no game has ended")
    return {"game": last.game, "winner": last.winner.word, "points": last.points, "ending": last.ending.value}


def match_over_data(match: Match) -> dict[str, Any]:
    """What the `match_over` entry says."""
    if match.result is None:
        raise ValueError("the match is not over")
    winner = match.result.winner
    return {"winner": winner.word if winner is not None else None, "ending": match.result.ending.value}


def replay(entries: Iterable[Entry]) -> Match:
    """The match after all entries. Raises ReplayError; ValueError when there is no entry."""
    match: Match | None = None
    for entry in entries:
        match = fold(match, entry)
    if match is None:
        raise ValueError("the log is empty")
    return match
