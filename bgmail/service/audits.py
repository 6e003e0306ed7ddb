"""Every match is replayed from its log, and what is kept beside the log is compared with what it adds up to.

Reads one match at a time, so that memory follows the longest match and not their number. Changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bgmail import dice, timing
from bgmail.ledger.entry import BrokenChain, Entry, check_chain, parse_entry
from bgmail.ledger.replay import ReplayError
from bgmail.rules.match import Phase
from bgmail.rules.snapshot import to_data
from bgmail.service.invitations import LIFETIME
from bgmail.service.ratings import check as ratings
from bgmail.service.retellings import Retelling, retell
from bgmail.service.views import cached, clock_data
from bgmail.store.books import Book, ids, open_book, strays
from bgmail.store.engine import Store
from bgmail.timing.outages import parsed


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it should be in a match; or, without a match, with somebody's rating."""

    match_id: str | None
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
        try:
            book = open_book(store, match_id)
        except (ValueError, TypeError) as error:
            yield Finding(match_id, f"its rows can't be read: {error}")
            continue
        if book is None:
            continue
        tally.matches += 1
        tally.entries += len(book.actions)
        for text in check(book, tally):
            yield Finding(match_id, text)
    for match_id in strays(store):
        yield Finding(match_id, "there are entries or secrets of it, but not the match")
    for rated, text in ratings.findings(store):
        yield Finding(rated, text)


def check(book: Book, tally: Tally | None = None) -> Iterator[str]:
    """What is wrong with one match."""
    if not book.actions:
        yield "the log is empty"
        return
    try:
        entries = [parse_entry(row.text) for row in book.actions]
        check_chain(entries)
        told = retell(entries, parsed(book.row["outages"]))
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
    yield from _instants(book, told, entries)


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
        if beside != told or _object(row.data) != entry.data:
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
    beside = cached(match, told.clock, told.rests)
    expected = {
        **{name: beside[name] for name in ("phase", "on_turn", "winner", "ending")},
        "version": last.version,
        "head": last.seq,
        "head_hash": last.hash,
        "rolls": told.rolls,
        "length": match.length,
        "rules": match.rules.name,
        "rated": told.rated and not imported,
        "imported": imported,
        "tournament_id": None if imported else told.tournament,
    }
    for name, value in expected.items():
        if row[name] != value:
            yield f"{name} is {row[name]!r}, and by the log {value!r}"
    for name in ("white_id", "black_id"):
        if row[name] is None and match.game and not imported:
            yield f"{name} is None, and by the log the match was played"
    yield from _differences("state", row["state"], to_data(match))
    yield from _differences("clock", row["clock"], clock_data(told.clock, told.rests))


def _instants(book: Book, told: Retelling, entries: list[Entry]) -> Iterator[str]:
    """When the match began and ended, and when it is due: a row that nobody looks at would never end."""
    row, phase = book.row, told.match.phase
    at = {entry.kind: timing.from_microseconds(entry.at) for entry in entries}
    deadlines: set[datetime | None] = (
        {None} if book.names else _deadlines(told, timing.from_microseconds(entries[-1].at))
    )
    if phase is Phase.INVITED and not book.names:
        deadlines = {at["invite"] + LIFETIME}
    deadline = row["deadline_at"] if row["deadline_at"] in deadlines else max(deadlines, key=str)
    expected = {
        "created_at": at["invite"],
        "started_at": at.get("accept"),
        "finished_at": at.get("match_over"),
        "deadline_at": deadline,
    }
    for name, value in expected.items():
        if row[name] != value:
            yield f"{name} is {row[name]}, and by the log {value}"
    if deadline and row["due_at"] is None:
        yield "due_at is missing: nobody would call time"


def _deadlines(told: Retelling, last: datetime) -> set[datetime | None]:
    """What may be stored: the deadline as it was known with the last entry, or with an outage noted since."""
    known = [last, *(outage.noted for outage in told.outages if outage.noted > last)]
    return {timing.deadline(told.clock, told.running_pauses(at)) for at in known}


def _differences(name: str, text: str, told: Mapping[str, Any]) -> Iterator[str]:
    kept = _object(text)
    if kept is None:
        yield f"{name} can't be read"
        return
    for key in sorted({*kept, *told}):
        if kept.get(key) != told.get(key):
            yield f"{name}.{key} is {kept.get(key)!r}, and by the log {told.get(key)!r}"


def _object(text: str) -> Mapping[str, Any] | None:
    """The object of a column with JSON; None where somebody left something else."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
