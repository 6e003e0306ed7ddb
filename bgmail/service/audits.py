"""Every match is replayed from its log, and what is kept beside the log is compared with what it adds up to.

Reads one match at a time, so that memory follows the longest match and not their number. Changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bgmail import dice, timing
from bgmail.ledger.entry import BrokenChain, Entry, check_chain, parse_entry
from bgmail.ledger.replay import ReplayError
from bgmail.rules.match import Phase
from bgmail.rules.snapshot import to_data
from bgmail.service.retellings import Retelling, retell
from bgmail.store.books import Book, ids, open_book
from bgmail.store.engine import Store
from bgmail.timing import clock as clocks


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it should be in a match."""

    match_id: str
    text: str


@dataclass(slots=True)
class Tally:
    """How much an audit has read so far."""

    matches: int = 0
    entries: int = 0
    rolls: int = 0


def audit(store: Store, tally: Tally) -> Iterator[Finding]:
    """All findings, match by match; `tally` counts along."""
    for match_id in ids(store):
        book = open_book(store, match_id)
        if book is None:
            continue
        tally.matches += 1
        tally.entries += len(book.actions)
        for text in check(book, tally):
            yield Finding(match_id, text)


def check(book: Book, tally: Tally | None = None) -> Iterator[str]:
    """What is wrong with one match."""
    if not book.actions:
        yield "the log is empty"
        return
    try:
        entries = [parse_entry(row.text) for row in book.actions]
        check_chain(entries)
        told = retell(entries)
        shaken = list(_dice(book, entries, tally))
    except (BrokenChain, ReplayError) as error:
        yield str(error)
        return
    except (ValueError, KeyError, TypeError) as error:
        yield f"the log can't be read: {error}"
        return
    yield from _rows(book, entries)
    yield from shaken
    yield from _row(book, told, entries[-1])


def _rows(book: Book, entries: list[Entry]) -> Iterator[str]:
    """The columns beside each canonical text say the same as the text."""
    for row, entry in zip(book.actions, entries, strict=True):
        beside = (
            row.match_id,
            row.seq,
            row.version,
            row.at,
            row.seat,
            row.via,
            row.kind,
            row.nonce,
            row.hash,
        )
        told = (
            *(entry.match, entry.seq, entry.version, entry.at, entry.seat, entry.via, entry.kind),
            *(entry.nonce, entry.hash),
        )
        if beside != told or json.loads(row.data) != entry.data:
            yield f"entry {entry.seq}: its row and its text differ"


def _dice(book: Book, entries: list[Entry], tally: Tally | None) -> Iterator[str]:
    verdict = dice.verify(entries)
    if tally:
        tally.rolls += verdict.rolls
    yield from verdict.faults
    if book.names:
        return  # whoever exported an unfinished match keeps its secrets
    promised = _promised(entries)
    for game in sorted({*promised, *book.secrets}):
        if game not in book.secrets:
            yield f"the secret of game {game} is missing"
        elif game not in promised:
            yield f"the secret of game {game} is kept without need"
        elif dice.commitment(book.secrets[game]) != promised[game]:
            yield f"the secret of game {game} is not the one committed to"


def _promised(entries: list[Entry]) -> dict[int, str]:
    """The commitments whose secrets are not published yet, by game."""
    open_games: dict[int, str] = {}
    for entry in entries:
        if entry.kind == "commit":
            open_games[entry.data["game"]] = entry.data["commitment"]
        elif entry.kind == "reveal":
            open_games.pop(entry.data["game"], None)
    return open_games


def _row(book: Book, told: Retelling, last: Entry) -> Iterator[str]:
    """The cached row says the same as the log. An imported match is rated nowhere, and no time runs in it."""
    row, match, imported = book.row, told.match, book.names is not None
    expected = {
        "version": last.version,
        "head": last.seq,
        "head_hash": last.hash,
        "rolls": told.rolls,
        "phase": match.phase.value,
        "on_turn": None if match.on_turn is None else int(match.on_turn),
        "length": match.length,
        "rules": match.rules.name,
        "rated": told.rated and not imported,
        "imported": imported,
    }
    for name, value in expected.items():
        if row[name] != value:
            yield f"{name} is {row[name]!r}, and by the log {value!r}"
    yield from _differences("state", json.loads(row["state"]), to_data(match))
    yield from _differences("clock", json.loads(row["clock"]), clocks.to_json(told.clock))
    end = None if imported else timing.deadline(told.clock)
    if match.phase is not Phase.INVITED and row["deadline_at"] != end:
        yield f"the deadline is {row['deadline_at']}, and by the log {end}"


def _differences(name: str, kept: Mapping[str, Any], told: Mapping[str, Any]) -> Iterator[str]:
    for key in sorted({*kept, *told}):
        if kept.get(key) != told.get(key):
            yield f"{name}.{key} is {kept.get(key)!r}, and by the log {told.get(key)!r}"
