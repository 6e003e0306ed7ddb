"""A match from a file becomes a match here: judged strictly, logged entry by entry, and nobody's account.

The names in a file prove nothing, so an imported match has empty seats and keeps the names beside it. It
counts for no rating and its dice came from elsewhere. Our own export comes back as it was, with its id and
its log.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath
from typing import Any

from sqlalchemy.exc import IntegrityError

from bgmail import dice, timing
from bgmail.formats.judge import Judged, judge_as_played
from bgmail.formats.matreader import read_mat
from bgmail.formats.record import MAX_NAME, read_export
from bgmail.formats.recorded import RecordedMatch
from bgmail.formats.refusal import ImportRefused
from bgmail.ledger.entry import GENESIS, Entry
from bgmail.ledger.replay import OF_THE_CLOCK, ReplayError, game_over_data, match_over_data, played_id
from bgmail.rules.action import Action, Kind
from bgmail.rules.match import Match, Phase, apply, new_match
from bgmail.rules.ruledata import told
from bgmail.rules.side import Side
from bgmail.service.ids import new_id
from bgmail.service.retellings import Retelling, retell
from bgmail.service.states import result
from bgmail.service.views import cached
from bgmail.store import books, matches
from bgmail.store.engine import Store
from bgmail.timing import control as controls

MOST_BYTES = 20 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Imported:
    """A match taken in, and whether it was here before, entry for entry."""

    match_id: str
    known: bool = False


def import_file(store: Store, name: str, data: bytes, now: datetime) -> Imported:
    """Takes in the match of one file (.mat, .txt, .json). Raises ImportRefused; nothing is stored then."""
    if len(data) > MOST_BYTES:
        raise ImportRefused("too_large", "the file is too large for a match")
    if PurePath(name).suffix.lower() == ".json" or data.lstrip()[:1] == b"{":
        return import_export(store, data)
    recorded = read_mat(data)
    return _keep_recorded(store, recorded, judge_as_played(recorded), now)


def import_export(store: Store, data: bytes) -> Imported:
    """Takes in a `bgmail-match-1` with its own id. Raises ImportRefused where its log doesn't hold."""
    export = read_export(data)
    entries = list(export.entries)
    told = _told(entries)
    if _text(export.result) != _text(result(told.match)):
        raise ImportRefused("contradiction", "result is not what the log says")
    kept = books.open_book(store, export.id)
    if kept is not None:
        if [row.text for row in kept.actions] == [entry.text for entry in entries]:
            return Imported(export.id, known=True)
        raise ImportRefused("exists", f"there is another match with the id {export.id} here")
    return _keep(store, entries, told, (export.white or "", export.black or ""))


def read_entries(data: bytes) -> list[Entry]:
    """The chained log in a `bgmail-match-1`, not judged any further. Raises ImportRefused."""
    return list(read_export(data).entries)


def _text(value: Any) -> str:
    """A value as text, so that 1 and true differ."""
    return json.dumps(value, sort_keys=True)


def _told(entries: list[Entry]) -> Retelling:
    try:
        told = retell(entries)
        verdict = dice.verify(entries)
    except ReplayError as error:
        game, move = _place(entries, error.seq)
        raise ImportRefused("illegal", error.reason, game=game, move=move) from error
    except (ValueError, LookupError, OverflowError, TypeError, AttributeError) as error:
        raise ImportRefused("malformed", f"the log can't be read: {error}") from error
    if verdict.faults:
        raise ImportRefused("dice", verdict.faults[0])
    if told.match.phase is Phase.OVER and verdict.unpublished:
        raise ImportRefused("dice", f"the secret of game {verdict.unpublished[0]} is missing")
    return told


def _place(entries: list[Entry], seq: int) -> tuple[int | None, int | None]:
    """The game and the roll of an entry, as the log counts them."""
    rolls = [entry for entry in entries[:seq] if entry.kind in ("roll", "opening_roll")]
    said = rolls[-1].data if rolls else {}
    game, move = (said.get(name) for name in ("game", "roll"))
    return (game, move) if type(game) is type(move) is int else (None, None)


def _plain(name: str) -> str:
    """A name from a file as one short line."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in name).split())[:MAX_NAME]


def _keep_recorded(store: Store, recorded: RecordedMatch, judged: Judged, now: datetime) -> Imported:
    games = 0 if recorded.length else len(recorded.games)
    entries = _Chronicle(new_match(judged.match.rules, recorded.length, games), now).written(judged)
    return _keep(store, entries, retell(entries), (_plain(recorded.white), _plain(recorded.black)))


class _Chronicle:
    """Writes the log of a recorded match: the same entries as for one played here, without times and
    secrets.
    """

    def __init__(self, match: Match, now: datetime) -> None:
        self.id = new_id()
        self.match = match
        self.at = timing.to_microseconds(now)
        self.entries: list[Entry] = []
        self.rolls = 0
        self.prev = GENESIS
        self.version = 0
        terms = {"rules": told(match.rules), "length": match.length, "games": match.games}
        self._add("invite", {**terms, "time": controls.to_json(controls.UNTIMED), "rated": False}, Side.WHITE)

    def written(self, judged: Judged) -> list[Entry]:
        self._act(Action(Kind.ACCEPT, Side.BLACK))
        for game in judged.games:
            for action in game:
                self._act(action)
        return self.entries

    def _act(self, action: Action) -> None:
        before, self.match = self.match, apply(self.match, action)
        side = None if action.kind in OF_THE_CLOCK else action.side
        self._add(action.kind.value, self._data(before, action), side)
        if self.match.last_game is not before.last_game:
            self._add("game_over", game_over_data(self.match), None, silent=True)
            self.rolls = 0
        if self.match.phase is Phase.OVER:
            self._add("match_over", match_over_data(self.match), None, silent=True)

    def _data(self, before: Match, action: Action) -> dict[str, Any]:
        if action.dice:
            self.rolls += 1
            return {"game": before.game, "roll": self.rolls, "dice": [action.dice.d1, action.dice.d2]}
        if action.kind is Kind.PLAY:
            return {"play": str(action.play) if action.play else "", "position_id": played_id(before, action)}
        if action.kind in OF_THE_CLOCK and action.side is not None:
            return {"side": action.side.word}
        if action.kind is Kind.DOUBLE:
            return {"value": before.cube.value * 2}
        return {"value": action.value} if action.kind is Kind.RESIGN else {}

    def _add(self, kind: str, data: Mapping[str, Any], side: Side | None, *, silent: bool = False) -> None:
        seq = len(self.entries) + 1
        self.version = self.version if silent else seq
        seat = None if side is None else side.word
        entry = Entry(self.id, seq, self.version, self.at, seat, "import", kind, data, None, self.prev)
        self.prev = entry.hash
        self.entries.append(entry)


def _keep(store: Store, entries: list[Entry], told: Retelling, names: tuple[str, str]) -> Imported:
    match_id = entries[0].match
    try:
        with store.write() as connection:
            matches.add(connection, _row(entries, told))
            matches.log(connection, entries)
            books.add_names(connection, match_id, *names)
    except IntegrityError as error:
        raise ImportRefused("exists", f"there is another match with the id {match_id} here") from error
    return Imported(match_id)


def _row(entries: list[Entry], told: Retelling) -> dict[str, Any]:
    """The cached row. Nothing falls due in an imported match: nobody here plays it."""
    first, last = (timing.from_microseconds(entry.at) for entry in (entries[0], entries[-1]))
    started = next((timing.from_microseconds(entry.at) for entry in entries if entry.kind == "accept"), None)
    return {
        "id": entries[0].match,
        "white_id": None,
        "black_id": None,
        "length": told.match.length,
        "rules": told.match.rules.name,
        "rated": False,
        "imported": True,
        "public": True,
        "rolls": told.rolls,
        "version": entries[-1].version,
        "head": entries[-1].seq,
        "head_hash": entries[-1].hash,
        "created_at": first,
        "started_at": started,
        "moved_at": last,
        "finished_at": last if told.match.phase is Phase.OVER else None,
        "deadline_at": None,
        "due_at": None,
        **cached(told.match, told.clock, told.rests),
    }
