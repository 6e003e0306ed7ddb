"""A match as a file: .mat for programs, JSON with the proof of its dice for everybody.

Both are made from the log, so neither can show more than the log has: no secret before its game is over, no
die before it is rolled, no chat and no invitation's message.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from bgmail.formats.mat import write_mat
from bgmail.formats.recorded import Event, EventKind, GameEnd, RecordedGame, RecordedMatch
from bgmail.ledger.entry import Entry, parse_entry
from bgmail.ledger.replay import fold
from bgmail.rules.action import Kind
from bgmail.rules.match import Match
from bgmail.rules.side import Pair, Side
from bgmail.service.errors import NotFound
from bgmail.service.states import result
from bgmail.service.views import view_of
from bgmail.store.books import Book, open_book
from bgmail.store.engine import Store

FORMAT = "bgmail-match-1"
NOBODY = "Nobody"


def export_json(store: Store, match_id: str) -> dict[str, Any]:
    """The match in the contract's `bgmail-match-1`. Raises NotFound."""
    book = _open(store, match_id)
    terms = json.loads(book.actions[0].data)
    white, black = players(book)
    return {
        "format": FORMAT,
        "id": match_id,
        "white": white,
        "black": black,
        "length": terms["length"],
        "rules": terms["rules"],
        "time": terms["time"],
        "result": result(view_of(book.row).match),
        "entries": [{"text": row.text, "hash": row.hash} for row in book.actions],
    }


def export_mat(store: Store, match_id: str) -> str:
    """The match as a .mat file, complete or as far as it got. Raises NotFound."""
    book = _open(store, match_id)
    white, black = players(book)
    return write_mat(
        recorded([parse_entry(row.text) for row in book.actions], white or NOBODY, black or NOBODY)
    )


def players(book: Book) -> tuple[str | None, str | None]:
    """The names of White and Black; None for a seat that nobody has taken."""
    if book.names:
        return book.names[0] or None, book.names[1] or None
    return book.row["white_handle"], book.row["black_handle"]


def recorded(entries: list[Entry], white: str, black: str) -> RecordedMatch:
    """What the log tells as a file tells it: rolls with their plays, cube actions and results."""
    scribe = _Scribe()
    match: Match | None = None
    for entry in entries:
        before, match = match, fold(match, entry)
        if before is not None and before.game:
            scribe.note(before, match, entry)
    length = match.length if match else 0
    return RecordedMatch(length, white, black, tuple(scribe.finished()))


@dataclass(slots=True)
class _Game:
    number: int
    score: Pair
    events: list[Event] = field(default_factory=list)
    end: GameEnd | None = None


class _Scribe:
    """Writes down the games of a log, one entry after the other."""

    def __init__(self) -> None:
        self.games: list[_Game] = []
        self.line = 0
        self.line_is_full = True

    def note(self, before: Match, after: Match, entry: Entry) -> None:
        if entry.kind in (Kind.ROLL, Kind.OPENING_ROLL) and after.dice:
            self._begin(before)
            self._add(Event(EventKind.PLAY, after.turn, self._next_line(after.turn), after.dice))
        elif entry.kind == Kind.PLAY:
            self._complete(entry.data["play"])
        elif entry.kind in _CUBE and entry.seat:
            side = Side.named(entry.seat)
            value = entry.data.get("value")
            self._add(Event(_CUBE[Kind(entry.kind)], side, self._next_line(side), value=value))
        elif entry.kind == "game_over":
            self.games[-1].end = GameEnd(Side.named(entry.data["winner"]), entry.data["points"], None)

    def finished(self) -> Iterator[RecordedGame]:
        for game in self.games:
            yield RecordedGame(game.number, game.score, tuple(game.events), game.end)

    def _begin(self, match: Match) -> None:
        if not self.games or self.games[-1].number != match.game:
            self.games.append(_Game(match.game, match.score))
            self.line, self.line_is_full = 0, True

    def _add(self, event: Event) -> None:
        self.games[-1].events.append(event)

    def _complete(self, play: str) -> None:
        """The play belongs to the roll before it."""
        events = self.games[-1].events
        roll = events[-1]
        events[-1] = Event(EventKind.PLAY, roll.side, roll.move, roll.dice, play)

    def _next_line(self, side: Side) -> int:
        """White opens a line, Black fills it."""
        if side is Side.WHITE or self.line_is_full:
            self.line += 1
        self.line_is_full = side is Side.BLACK
        return self.line


_CUBE = {Kind.DOUBLE: EventKind.DOUBLE, Kind.TAKE: EventKind.TAKE, Kind.PASS: EventKind.PASS}


def _open(store: Store, match_id: str) -> Book:
    book = open_book(store, match_id)
    if book is None:
        raise NotFound("no_match")
    return book
