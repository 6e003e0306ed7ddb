"""Matches of a tournament begin without an invitation: as soon as both who meet are free.

Everything that decides the first game's dice was fixed before anybody entered, or comes from the two: the log begins
with their nonces, and the first secret follows from the tournament's and the pairing.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Row

from bgmail.dice import Chance
from bgmail.service import respites
from bgmail.service.draft import Draft, Nonce
from bgmail.service.new_matches import add_row, first_draft, terms_data
from bgmail.service.notices import facts_of, machines_of, owe
from bgmail.service.tournaments import chance as drawing
from bgmail.service.tournaments.conditions import Conditions, Rounds
from bgmail.service.tournaments.views import EntryState, State, Tournament
from bgmail.service.turns import moved
from bgmail.service.views import MatchView, Person
from bgmail.store import matches, ties, vacations
from bgmail.store import tournaments as rows
from bgmail.store.engine import Store

MOST = 25
"""So many matches begin in one transaction: players wait for it."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Table:
    """A tournament that runs, as its rows were read: its entries by number, its pairings, its secret."""

    tournament: Tournament
    entries: Mapping[int, Row[Any]]
    pairings: Sequence[Row[Any]]
    secret: bytes
    rounds_begun: int


@dataclass(frozen=True, slots=True)
class Begun:
    """How many matches began, and whether others wait for a player who takes no more of any kind just now."""

    number: int
    blocked: bool


def begin_some(store: Store, table: Table, now: datetime, chance: Chance) -> Begun:
    """Begins the pairings whose two people have room, in their order, a batch in one transaction.

    Those that wait for somebody who takes no more matches keep neither the others waiting nor a place of their own.
    """
    passed: set[str] = set()
    while ready := list(islice(_ready(table, passed), MOST)):
        begun = _together(store, table, ready, now, chance)
        if begun.number:
            return begun
        passed.update(row.key for row in ready)
    return Begun(0, blocked=bool(passed))


def _together(store: Store, table: Table, ready: Sequence[Row[Any]], now: datetime, chance: Chance) -> Begun:
    try:
        return _begin(store, table, ready, now, chance)
    except Exception:
        log.exception("%s matches of tournament %s could not begin together", len(ready), table.tournament.id)
    return _one_by_one(store, table, ready, now, chance)


def _one_by_one(
    store: Store, table: Table, ready: Sequence[Row[Any]], now: datetime, chance: Chance
) -> Begun:
    """One that can't begin doesn't hold up the others."""
    number, blocked = 0, False
    for row in ready:
        try:
            begun = _begin(store, table, [row], now, chance)
            number, blocked = number + begun.number, blocked or begun.blocked
        except Exception:
            log.exception("pairing %s of tournament %s could not begin", row.key, table.tournament.id)
            blocked = True
    return Begun(number, blocked)


def _ready(table: Table, passed: Container[str]) -> Iterator[Row[Any]]:
    """The pairings that may begin, as far as the tournament's own limit lets them, but those that were `passed`."""
    most = table.tournament.conditions.at_once
    playing: Counter[int] = Counter()
    for row in table.pairings:
        if row.match_id is not None and row.how is None:
            playing.update((row.first, row.second))
    for row in table.pairings:
        if row.key in passed or not _waits(table, row):
            continue
        if most and max(playing[row.first], playing[row.second]) >= most:
            continue
        playing.update((row.first, row.second))
        yield row


def _waits(table: Table, row: Row[Any]) -> bool:
    """Whether a pairing has not begun and may."""
    if row.match_id is not None or row.how is not None or row.second is None:
        return False
    if table.tournament.conditions.rounds is Rounds.HAND and row.round > table.rounds_begun:
        return False
    return all(table.entries[number].state == EntryState.IN for number in (row.first, row.second))


def _begin(store: Store, table: Table, ready: Sequence[Row[Any]], now: datetime, chance: Chance) -> Begun:
    drafts = [(row, _draft(store, table, row, now, chance)) for row in ready]
    ids = sorted({table.entries[number].account_id for row in ready for number in (row.first, row.second)})
    with store.write() as connection:
        people = ties.locked(connection, ids)
        vacations.joined(connection, ids, now)
        held = rows.hold(connection, table.tournament.id)
        if held is None or held.state != State.RUNNING:
            return Begun(0, blocked=False)
        free = rows.still_free(connection, table.tournament.id, [row.key for row in ready])
        room = _Room(connection, people)
        chosen = [
            (row, draft)
            for row, draft in drafts
            if free.get(row.key) == _seated(draft.view) and room.takes(draft.view)
        ]
        _write(connection, table, chosen)
    return Begun(len(chosen), blocked=room.blocked)


def _seated(view: MatchView) -> tuple[int, ...]:
    return tuple(person.id for person in (view.white, view.black) if person)


def _write(connection: Connection, table: Table, chosen: Sequence[tuple[Row[Any], Draft]]) -> None:
    views = [moved(draft) for _, draft in chosen]
    for view in views:
        add_row(connection, view)
    drafts = [draft for _, draft in chosen]
    matches.log(connection, [entry for draft in drafts for entry in draft.entries])
    matches.keep_secrets(connection, [kept for draft in drafts for kept in draft.kept])
    begun = [
        {
            "key": row.key,
            "match_id": draft.view.id,
            "begun_at": draft.now,
            "until": _until(table, row, draft.now),
        }
        for row, draft in chosen
    ]
    rows.change_pairings(connection, table.tournament.id, begun)
    owe(
        connection,
        [owed for draft, view in zip(drafts, views, strict=True) for owed in facts_of(draft, view, None)],
        [one for view in views for one in machines_of(view)],
    )


def _until(table: Table, row: Row[Any], now: datetime) -> datetime | None:
    """The date of the round; who began late has as many days."""
    days = table.tournament.conditions.round_days
    return max(row.until or now, now + timedelta(days=days)) if days else None


class _Room:
    """How many matches people still take, by their own limits, while some begin."""

    def __init__(self, connection: Connection, people: Mapping[int, Any]) -> None:
        self._connection, self._people = connection, people
        self._left: dict[int, int] = {}
        self.blocked = False

    def takes(self, view: MatchView) -> bool:
        """Whether both take one more: then it counts."""
        ids = [person.id for person in (view.white, view.black) if person]
        if any(self._of(id_) < 1 for id_ in ids):
            self.blocked = True
            return False
        for id_ in ids:
            self._left[id_] -= 1
        return True

    def _of(self, account_id: int) -> int:
        if account_id not in self._left:
            most = self._people[account_id].most_matches
            busy = ties.busy(self._connection, account_id) if most is not None else 0
            self._left[account_id] = len(self._people) if most is None else most - busy
        return self._left[account_id]


def _draft(store: Store, table: Table, row: Row[Any], now: datetime, chance: Chance) -> Draft:
    """The match of a pairing, up to the first roll. The first of the two is White."""
    tournament, white, black = table.tournament, table.entries[row.first], table.entries[row.second]
    conditions: Conditions = tournament.conditions
    match, control = conditions.judged()
    allowed, rated = conditions.pauses.at(control), conditions.rated and not control.untimed
    match_id = drawing.match_id(table.secret, tournament.id, row.key, row.first, row.second, row.attempt)
    draft = first_draft(
        match_id,
        match,
        control,
        allowed,
        (_person(white), _person(black)),
        now,
        chance,
        rated=rated,
        tournament=tournament.id,
    )
    data = terms_data(match, control, allowed, rated=rated) | {
        "tournament": tournament.id,
        "pairing": row.key,
    }
    secret = drawing.game_secret(table.secret, match_id)
    draft.pair(data, secret, Nonce(white.nonce, white.server_nonce), Nonce(black.nonce, black.server_nonce))
    respites.join(store, draft)
    return draft


def _person(row: Row[Any]) -> Person:
    return Person(row.account_id, row.handle, bool(row.is_bot), row.calendar, bool(row.rests))
