"""A match as a file: .mat for programs, JSON with the proof of its dice for everybody.

Both are made from the log, so neither can show more than the log has: no secret before its game is over, no
die before it is rolled, no chat and no invitation's message.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from bgmail.formats.mat import write_mat
from bgmail.formats.record import FORMAT
from bgmail.formats.recorded import RecordedMatch
from bgmail.formats.recording import Scribe
from bgmail.ledger.entry import Entry, parse_entry
from bgmail.ledger.replay import action_of, fold
from bgmail.rules.match import Match
from bgmail.rules.state import without_wager
from bgmail.service.errors import NotFound
from bgmail.service.states import result
from bgmail.service.views import view_of
from bgmail.store import matches
from bgmail.store.books import Book, names_of, open_book
from bgmail.store.engine import Store

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
    return _called(book.names, book.row)


def _called(named: tuple[str, str] | None, row: Mapping[str, Any]) -> tuple[str | None, str | None]:
    if named:
        return named[0] or None, named[1] or None
    return row["white_handle"], row["black_handle"]


def player_names(store: Store, match_id: str) -> tuple[str | None, str | None]:
    """How the two players of a match are called, also where they have no account here. Raises NotFound."""
    with store.read() as connection:
        row = matches.view(connection, match_id)
        if row is None:
            raise NotFound("no_match")
        return _called(names_of(connection, match_id), row)


def recorded(entries: list[Entry], white: str, black: str) -> RecordedMatch:
    """What the log tells as a file tells it: rolls with their plays, cube actions and results."""
    scribe = Scribe()
    match: Match | None = None
    for entry in entries:
        before, match = match, fold(match, entry)
        if before is not None and before is not match:
            scribe.note(before, action_of(before, entry), match)
    return scribe.recorded(without_wager(match).length if match else 0, white, black)


def _open(store: Store, match_id: str) -> Book:
    book = open_book(store, match_id)
    if book is None:
        raise NotFound("no_match")
    return book
