"""The job: it looks at one tournament that is due, and does the next thing that has to be done in it.

A look is idempotent: what it finds is computed from the rows alone, outside any lock, and written only if nothing
happened meanwhile. So it may be killed anywhere, and several may look at once.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import orjson
from sqlalchemy import Connection, Row

from bgmail.dice import Chance
from bgmail.pairing.field import Field, Format, How, Pairing, Result, Standing
from bgmail.pairing.redrawing import idle_byes, passed_over
from bgmail.rules.match import Phase
from bgmail.service.errors import Refused
from bgmail.service.tournaments import closing, ending, starting, telling
from bgmail.service.tournaments.beginning import Table, begin_some
from bgmail.service.tournaments.conditions import Late, Rounds
from bgmail.service.tournaments.desk import Desk, Wish, at_desk
from bgmail.service.tournaments.field import field_of, pairing_of, standings_data
from bgmail.service.tournaments.results import evidence, result_of
from bgmail.service.tournaments.views import EntryState, State, Tournament, tournament_of
from bgmail.store import tournaments as rows
from bgmail.store.engine import Store

PUT_OFF = timedelta(minutes=5)
"""How long a tournament rests that failed."""
ASK_AGAIN = timedelta(minutes=10)
"""How long a pairing waits whose people take no more matches of any kind, until they are asked again."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Seen:
    """A tournament as it was read: `stirred` and the head tell whether anything happened since."""

    tournament: Tournament
    row: Row[Any]
    entries: Sequence[Row[Any]]
    pairings: Sequence[Row[Any]]
    secret: bytes
    results: Mapping[str, Result]

    def field(self) -> Field:
        """What the format is asked with, the results of matches that have just ended among it."""
        known = [pairing_of(row, self.results.get(row.key)) for row in self.pairings]
        return field_of(self.entries, known, self.tournament.lot)

    def started(self) -> set[str]:
        """The keys of the rounds that have begun."""
        return {row.key for row in self.pairings if row.round <= self.row.rounds_begun}

    def table(self) -> Table:
        """The same, to begin matches."""
        by_number = {row.number: row for row in self.entries}
        return Table(self.tournament, by_number, self.pairings, self.secret, self.row.rounds_begun)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a field leads to: the pairings that are new in it, who stands where, and whether all is over. `dropped` are
    the keys of byes by hand that came to nothing: they were given before it was certain who plays."""

    fresh: tuple[Pairing, ...]
    standings: tuple[Standing, ...]
    finished: bool
    dropped: tuple[str, ...] = ()


def step(store: Store, now: datetime, chance: Chance) -> list[str]:
    """Looks at the tournament that is longest due. Says what was done; [] = none is due.

    One that fails is put off alone.
    """
    with store.read() as connection:
        tournament_id = rows.due(connection, now)
    if tournament_id is None:
        return []
    try:
        return [f"{_look(store, tournament_id, now, chance)} {tournament_id}"]
    except Exception:
        log.exception("tournament %s failed and is put off", tournament_id)
        with store.write() as connection:
            rows.change(connection, tournament_id, due_at=now + PUT_OFF)
        return [f"failed {tournament_id}"]


def _look(store: Store, tournament_id: str, now: datetime, chance: Chance) -> str:
    seen = read(store, tournament_id)
    if seen is None:
        return "gone"
    if ended := _settle(store, seen, now, chance):
        return f"ended {ended} of"
    return _STATES[seen.tournament.state](store, seen, now, chance)


def settle(store: Store, tournament_id: str, now: datetime, chance: Chance) -> None:
    """Ends at once the matches that can't go on after what has just been decided."""
    seen = read(store, tournament_id)
    if seen is not None:
        _settle(store, seen, now, chance)


def _settle(store: Store, seen: Seen, now: datetime, chance: Chance) -> int:
    if seen.tournament.state in (State.DRAFT, State.OPEN):
        return 0
    return ending.carry_out(store, _owed(store, seen, now), now, chance)


def _run(store: Store, seen: Seen, now: datetime, chance: Chance) -> str:
    if seen.results or _is_stale(seen):
        return _write(store, seen, compute(seen), now)
    begun = begin_some(store, seen.table(), now, chance)
    if begun.number:
        return f"began {begun.number} of"
    _tell_of_the_late(store, seen, now)
    dates = [row.until for row in seen.pairings if row.how is None and row.until and row.until > now]
    return _rest(store, seen, min([*dates, now + ASK_AGAIN] if begun.blocked else dates, default=None))


def _tell_of_the_late(store: Store, seen: Seen, now: datetime) -> None:
    """Tells the organisers once that matches of a round still run after its date."""
    running = [row for row in seen.pairings if row.how is None and row.match_id and row.until]
    late = Counter(row.round for row in running if row.until <= now)
    if not late or seen.tournament.conditions.late is Late.FORFEIT:
        return
    with store.write() as connection:
        for round_, number in late.items():
            keys = [row.key for row in running if row.until <= now and row.round == round_]
            one_a_part = {key.partition(".")[0]: key for key in keys}
            told = {"round": round_, "number": number, "pairings": list(one_a_part.values())}
            telling.organisers(connection, seen.tournament.id, now, f"late-{round_}", **told)


def _owed(store: Store, seen: Seen, now: datetime) -> list[ending.Owed]:
    """The matches that can't go on."""
    tournament = seen.tournament
    with store.read() as connection:
        if tournament.state is State.CANCELLED:
            return ending.unused(connection, tournament.id, "cancelled")
        by_number = {row.number: row for row in seen.entries}
        found = ending.owed(connection, tournament.conditions, by_number, seen.pairings, now)
        return [*found, *ending.unused(connection, tournament.id, "replaced")]


def read(store: Store, tournament_id: str) -> Seen | None:
    """Everything of a tournament, and what became of its matches; None = there is none. A handful of statements,
    however large it is."""
    with store.read() as connection:
        row = rows.by_id(connection, tournament_id)
        if row is None:
            return None
        pairings = rows.pairings(connection, tournament_id)
        secret = rows.secret_of(connection, tournament_id) or b""
        entries = rows.entries(connection, tournament_id)
        results = _results(connection, entries, pairings)
        return Seen(tournament_of(row), row, entries, pairings, secret, results)


def _results(
    connection: Connection, entries: Sequence[Row[Any]], pairings: Sequence[Row[Any]]
) -> dict[str, Result]:
    """The results of matches that have ended since the last look, and of those that can't begin any more."""
    ended = [row for row in pairings if row.how is None and row.match_phase == Phase.OVER]
    told = evidence(connection, ended)
    found = {row.key: result_of(row, told) for row in ended}
    still = {row.number for row in entries if row.state == EntryState.IN}
    for row in pairings:
        if row.how is None and row.match_id is None:
            stay = [number for number in (row.first, row.second) if number in still]
            if len(stay) < 2:
                found[row.key] = Result(stay[0] if stay else None, How.FORFEIT)
    return found


def compute(seen: Seen) -> Outcome:
    """Asks the format; once all is over, only who stands where. Where an organiser draws each round, nothing is made
    here but the rest of a round that is drawn."""
    format_ = seen.tournament.plan.format()
    field = seen.field()
    if seen.tournament.state is not State.RUNNING:
        return Outcome((), tuple(format_.standings(field)), finished=False)
    by_hand = seen.tournament.conditions.rounds is Rounds.HAND
    idle = idle_byes(format_, field, seen.started()) if by_hand else ()
    last = max((pairing.round for pairing in field.pairings), default=0)
    field = replace(field, pairings=tuple(one for one in field.pairings if one.key not in idle))
    after, fresh = drawn(format_, field)
    if by_hand:
        fresh = tuple(pairing for pairing in fresh if pairing.round <= last)
        after = replace(field, pairings=field.pairings + fresh)
    field = after
    return Outcome(fresh, tuple(format_.standings(field)), format_.finished(field), idle)


def drawn(format_: Format, field: Field) -> tuple[Field, tuple[Pairing, ...]]:
    """The field with everything that is certain now: a bye may make the next pairing certain at once."""
    fresh: tuple[Pairing, ...] = ()
    while new := format_.next(field):
        fresh += new
        field = replace(field, pairings=field.pairings + new)
    return field, fresh


def _is_stale(seen: Seen) -> bool:
    """Whether something was decided since the format was asked."""
    kept = seen.row.standings
    return kept is None or orjson.loads(kept)["head"] != seen.row.head


def _start_if_due(store: Store, seen: Seen, now: datetime, _chance: Chance) -> str:
    tournament = seen.tournament
    on_date = tournament.starts_at is not None and tournament.starts_at <= now
    if not (on_date or (tournament.starts_full and tournament.is_full)):
        return _rest(store, seen, tournament.starts_at)
    with at_desk(store, tournament.id, now) as desk:
        if desk.tournament.state is not State.OPEN:
            return "moved"
        try:
            starting.start(desk, None, Wish("start", {"by": "date" if on_date else "full"}))
        except Refused as error:
            desk.change(starts_at=None, due_at=None)
            told = desk.note(None, Wish("not_started", {"why": error.code}))
            telling.organisers(desk.connection, desk.id, now, f"start-{told}")
            return "not started"
    return "started"


def _write(store: Store, seen: Seen, outcome: Outcome, now: datetime) -> str:
    with at_desk(store, seen.tournament.id, now) as desk:
        if (desk.row.head, desk.row.stirred) != (seen.row.head, seen.row.stirred):
            return "moved"
        ended = [
            {"key": key, "winner": result.winner, "how": result.how.value, "ended_at": now}
            for key, result in seen.results.items()
        ]
        rows.change_pairings(desk.connection, desk.id, ended)
        rows.drop_pairings(desk.connection, desk.id, outcome.dropped)
        rows.add_pairings(desk.connection, new_rows(desk, outcome.fresh, next_place(seen)))
        _tell(desk, seen, outcome)
        if seen.results or outcome.fresh or outcome.dropped:
            desk.note(None, Wish("advance", _said(seen, outcome)))
        standings = orjson.dumps(standings_data(outcome.standings, desk.head)).decode()
        desk.change(standings=standings, due_at=now)
        if outcome.finished and seen.tournament.state is State.RUNNING:
            closing.finish(desk)
    return "finished" if outcome.finished else "advanced"


def _tell(desk: Desk, seen: Seen, outcome: Outcome) -> None:
    """Byes; and of the rest of a round that waits to be begun by hand, who meets whom."""
    by_number = {row.number: row for row in seen.entries}
    if seen.tournament.conditions.rounds is Rounds.HAND:
        telling.drawn(desk.connection, desk.id, by_number, outcome.fresh, desk.now, desk.head)
    else:
        telling.byes(desk.connection, desk.id, by_number, outcome.fresh, desk.now)


def _said(seen: Seen, outcome: Outcome) -> dict[str, Any]:
    """What the log says of a look: results by key, and the keys of the new pairings."""
    results = {key: [result.winner, result.how.value] for key, result in seen.results.items()}
    fresh = outcome.fresh
    return (
        {"results": results, "paired": [pairing.key for pairing in fresh]}
        | ({"dropped": list(outcome.dropped)} if outcome.dropped else {})
        | passed(seen, outcome.dropped, fresh)
    )


def passed(seen: Seen, dropped: Collection[str], fresh: Sequence[Pairing]) -> dict[str, Any]:
    """For the log: who would have had a new bye, but would have made somebody meet an opponent twice."""
    format_, field = seen.tournament.plan.format(), seen.field()
    kept = tuple(pairing for pairing in field.pairings if pairing.key not in dropped)
    field = replace(field, pairings=(*kept, *fresh))
    byes = [pairing.key for pairing in fresh if pairing.second is None]
    found = {key: over for key in byes if (over := passed_over(format_, field, key))}
    return {"passed_over": found} if found else {}


def next_place(seen: Seen) -> int:
    """Where the next pairing stands behind the others."""
    return max((row.place for row in seen.pairings), default=-1) + 1


def new_rows(desk: Desk, fresh: Sequence[Pairing], place: int) -> list[dict[str, Any]]:
    """The rows of new pairings, in their order behind `place` others; each round has its date."""
    days = desk.tournament.conditions.round_days
    return [
        {
            "tournament_id": desk.id,
            "key": pairing.key,
            "place": place + number,
            "round": pairing.round,
            "first": pairing.first,
            "second": pairing.second,
            "fixed": pairing.fixed,
            "attempt": 0,
            "winner": pairing.result.winner if pairing.result else None,
            "how": pairing.result.how.value if pairing.result else None,
            "decided": False,
            "made_at": desk.now,
            "ended_at": desk.now if pairing.result else None,
            "until": desk.now + timedelta(days=days) if days and not pairing.result else None,
        }
        for number, pairing in enumerate(fresh)
    ]


def _rest(store: Store, seen: Seen, until: datetime | None) -> str:
    """Nothing is to be done until then, unless something happens."""
    with store.write() as connection:
        rows.put_off(connection, seen.tournament.id, seen.row.stirred, until)
    return "looked at"


def _end(store: Store, seen: Seen, now: datetime, _chance: Chance) -> str:
    """What is over may still be corrected; the secret of what was cancelled is shown when its last match has ended."""
    if _is_stale(seen) and seen.tournament.started_at is not None:
        return _write(store, seen, compute(seen), now)
    if seen.tournament.published is None:
        with at_desk(store, seen.tournament.id, now) as desk:
            if desk.tournament.published is None:
                closing.publish(desk)
    return _rest(store, seen, None)


def _sleep(store: Store, seen: Seen, _now: datetime, _chance: Chance) -> str:
    return _rest(store, seen, None)


_STATES = {
    State.DRAFT: _sleep,
    State.OPEN: _start_if_due,
    State.RUNNING: _run,
    State.OVER: _end,
    State.CANCELLED: _end,
}
