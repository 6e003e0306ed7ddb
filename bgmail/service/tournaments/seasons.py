"""The job that keeps series going: a season after the other without anybody's touch.

A season begins in one transaction with all its divisions, so whoever dies in it has begun nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row

from bgmail.dice import Chance, commitment
from bgmail.pairing.leagues import divide
from bgmail.service.ids import new_id
from bgmail.service.ratings.reading import strength
from bgmail.service.tournaments import starting
from bgmail.service.tournaments.desk import Desk, Wish
from bgmail.service.tournaments.divisions import final_order, finishes_of, people_of
from bgmail.service.tournaments.series import Kind, Series, series_of
from bgmail.service.tournaments.views import EntryState, State
from bgmail.store import series as rows
from bgmail.store import ties
from bgmail.store import tournaments as tournament_rows
from bgmail.store.engine import Store

REST = timedelta(hours=1)
"""How long a series rests that failed, or that has too few members after all."""

log = logging.getLogger(__name__)


def step(store: Store, now: datetime, chance: Chance) -> list[str]:
    """Begins the next season of one series that may have one; says so. [] = none may."""
    with store.read() as connection:
        series_id = rows.ready(connection, now)
    if series_id is None:
        return []
    try:
        with store.write() as connection:
            said = _begin(connection, series_id, now, chance)
    except Exception:
        log.exception("series %s failed and is put off", series_id)
        with store.write() as connection:
            rows.change(connection, series_id, rests_until=now + REST)
        return [f"failed {series_id}"]
    return [f"{said} {series_id}"]


def _begin(connection: Connection, series_id: int, now: datetime, chance: Chance) -> str:
    row = rows.hold(connection, series_id)
    if row is None or rows.ready(connection, now, series_id) is None:
        return "moved"
    found = series_of(row)
    season = found.season + 1
    if found.kind is Kind.STANDING:
        _open(connection, found, row, season, now, chance)
    else:
        divisions = _divisions(connection, found, now)
        everybody = [person for division in divisions for person in division]
        if len(everybody) < found.least:
            rows.change(connection, series_id, rests_until=now + REST)
            return "too few members of"
        for number, division in enumerate(divisions, 1):
            _start(connection, found, row, (season, number), division, now, chance)
        rows.played(connection, series_id, everybody, season)
    rows.change(connection, series_id, season=season)
    return f"season {season} of"


def _divisions(connection: Connection, found: Series, now: datetime) -> tuple[tuple[int, ...], ...]:
    """The accounts in each division of the next season. Who was out of the last one at its end has left the league, but
    for those who have joined it anew meanwhile: they begin at the bottom."""
    ties.locked(connection, [row.account_id for row in rows.members(connection, found.id)])
    here = {row.account_id: row for row in rows.members(connection, found.id)}  # those that are still there
    divisions = rows.divisions(connection, found.id, found.season)
    people = people_of(connection, divisions)
    before = finishes_of([final_order(row.standings, people[row.id]) for row in divisions], here)
    out = {one.person for finish in before for one in finish if not one.stays} & here.keys()
    back = {person for person in out if here[person].joined_at > divisions[0].started_at}
    rows.leave(connection, found.id, out - back, now)
    stay = {one.person for finish in before for one in finish if one.stays}
    newcomers = [account_id for account_id in here if account_id not in out - back | stay]
    if not before:  # the first season divides by rating
        pace = found.conditions.judged()[1].pace
        newcomers.sort(key=lambda account_id: -strength(connection, account_id, pace))
    return divide(before, newcomers, found.size, found.moves)


def _open(
    connection: Connection, found: Series, row: Row[Any], season: int, now: datetime, chance: Chance
) -> None:
    """Opens the next knockout: it starts by itself when it is full."""
    more = {"places": found.size, "starts_full": True}
    _add(connection, found, row, (season, 0), f"{found.name} {season}", more, now, chance)


def _start(
    connection: Connection,
    found: Series,
    row: Row[Any],
    place: tuple[int, int],
    division: Sequence[int],
    now: datetime,
    chance: Chance,
) -> None:
    """Makes a division with its entries, seeded as they stand on the ladder, and starts it. Nobody is asked for their
    part of the dice: the server makes it, and marks it so."""
    season, number = place
    desk = _add(
        connection,
        found,
        row,
        place,
        f"{found.name} {season}/{number}",
        {"places": len(division)},
        now,
        chance,
    )
    pace = found.conditions.judged()[1].pace
    for seed, account_id in enumerate(division, 1):
        nonce = chance.nonce()
        values = {
            "tournament_id": desk.id,
            "number": seed,
            "account_id": account_id,
            "section": 0,
            "state": EntryState.IN.value,
            "seed": seed,
            "rating": strength(connection, account_id, pace),
            "nonce": nonce,
            "server_nonce": True,
            "digest": found.digest,
            "entered_at": now,
        }
        tournament_rows.add_entry(connection, values)
        desk.note(account_id, Wish("enter", {"entry": seed, "digest": found.digest, "nonce": nonce}))
    starting.start(desk, None, Wish("start", {"by": "season"}))


def _add(
    connection: Connection,
    found: Series,
    row: Row[Any],
    place: tuple[int, int],
    name: str,
    more: dict[str, Any],
    now: datetime,
    chance: Chance,
) -> Desk:
    """A tournament of the series, open to entries."""
    secret, tournament_id = chance.secret(), new_id()
    values = {
        "id": tournament_id,
        "name": name,
        "state": State.OPEN.value,
        **{column: getattr(row, column) for column in ("plan", "conditions", "digest")},
        "commitment": commitment(secret),
        "series_id": found.id,
        "season": place[0],
        "division": place[1],
        "created_by": found.creator_id,
        "created_at": now,
        "opened_at": now,
        **more,
    }
    tournament_rows.add(connection, values, secret)
    held: Any = tournament_rows.hold(connection, tournament_id)
    desk = Desk(connection, held, now)
    desk.note(found.creator_id, Wish("create", {"series": found.id, "season": place[0]}))
    return desk
