"""What has to be done to a database that was put back from a backup, before anybody plays in it again.

Plays made after the backup are gone, but people saw their dice and know the secrets of games that ended
since: every secret that is still to be used is published as void, and a new one is committed to. Time
between the backup and now counts for nobody, and letters that may have gone out already are held.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import func, select, update

from bgmail import timing
from bgmail.dice import Chance, commitment
from bgmail.ledger.entry import Entry
from bgmail.rules.match import Phase
from bgmail.service import outages
from bgmail.service.turns import next_look, row_values
from bgmail.service.views import MatchView, view_of
from bgmail.store import errands, matches
from bgmail.store.books import ids
from bgmail.store.engine import Store
from bgmail.store.matches import match, table
from bgmail.store.notices import OPEN
from bgmail.store.tables import NoticeRow, PulseRow

REASON = "restored"
HELD = "held"
_notice, _pulse = table(NoticeRow), table(PulseRow)


@dataclass(frozen=True, slots=True)
class Renewal:
    """What was done: matches that go on with new secrets, and letters that wait for the operator."""

    matches: int
    letters_held: int
    newest: datetime | None


def renew(store: Store, now: datetime, chance: Chance, *, hold_letters: bool = True) -> Renewal:
    """Makes a restored database fit to be played in. Nobody else may be in it."""
    newest = newest_instant(store)
    if newest is not None:
        outages.restored(store, newest, now)
    renewed = sum(_renew_one(store, match_id, now, chance) for match_id in ids(store))
    return Renewal(renewed, _hold(store) if hold_letters else 0, newest)


def newest_instant(store: Store) -> datetime | None:
    """The latest instant that the database knows: it was alive then."""
    with store.read() as connection:
        moved: datetime | None = connection.scalar(select(func.max(match.c.moved_at)))
        beaten: datetime | None = connection.scalar(select(func.max(_pulse.c.at)))
    known = [instant for instant in (moved, beaten) if instant is not None]
    return max(known, default=None)


def send_held(store: Store, now: datetime) -> int:
    """Lets the held letters go out; those whose fact no longer holds are dropped when their turn comes."""
    with store.write() as connection:
        errands.release(connection, HELD, now)
        held = update(_notice).where(_notice.c.state == HELD)
        return connection.execute(held.values(state="ready", due_at=now)).rowcount


def count_held(store: Store) -> int:
    """How many letters are held."""
    with store.read() as connection:
        return connection.scalar(select(func.count()).where(_notice.c.state == HELD)) or 0


def _hold(store: Store) -> int:
    with store.write() as connection:
        errands.hold(connection, HELD)
        waiting = update(_notice).where(_notice.c.state.in_(OPEN))
        return connection.execute(waiting.values(state=HELD, due_at=None)).rowcount


def _renew_one(store: Store, match_id: str, now: datetime, chance: Chance) -> bool:
    with store.write() as connection:
        found = matches.view_with_secrets(connection, match_id)
        if found is None:
            return False
        view, old = view_of(found[0]), found[1]
        if view.imported or view.match.phase is Phase.OVER:
            return False
        new = {game: chance.secret() for game in old}
        entries = _entries(view, old, new, now)
        values = row_values(_after(view, entries[-1], now))
        matches.advance(connection, match_id, view.head, values, view.ordered, len(view.outages))
        matches.log(connection, entries)
        matches.drop_secrets(connection, [(match_id, game) for game in old])
        matches.keep_secrets(connection, [(match_id, game, secret) for game, secret in new.items()])
    return True


def _entries(
    view: MatchView, old: Mapping[int, bytes], new: Mapping[int, bytes], now: datetime
) -> list[Entry]:
    """The log tells what happened: the old secrets, now void, and the commitments to the new ones."""
    told: list[tuple[str, Mapping[str, Any]]] = [("correction", {"reason": REASON})]
    for game in sorted(old):
        told.append(("reveal", {"game": game, "secret": old[game].hex()}))
        told.append(("commit", {"game": game, "commitment": commitment(new[game])}))
    entries: list[Entry] = []
    prev = view.head_hash
    at = timing.to_microseconds(now)
    for seq, (kind, data) in enumerate(told, view.head + 1):
        entries.append(Entry(view.id, seq, view.version, at, None, "server", kind, data, None, prev))
        prev = entries[-1].hash
    return entries


def _after(view: MatchView, last: Entry, now: datetime) -> MatchView:
    moved = replace(view, head=last.seq, head_hash=last.hash)
    if view.match.phase is Phase.INVITED:
        return moved
    moved = replace(moved, deadline_at=timing.deadline(moved.clock, moved.running_pauses))
    return replace(moved, due_at=next_look(moved, now))
