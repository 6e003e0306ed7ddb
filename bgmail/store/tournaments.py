"""The statements on tournaments, their entries, pairings, organisers and logs.

Whoever writes to a tournament holds its row first. Locks are taken in one order: match, accounts, tournament, the
rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, and_, bindparam, delete, exists, func, insert, select, update

from bgmail.store.matches import could_be, match, table
from bgmail.store.prepared import Prepared
from bgmail.store.tables import (
    AccountRow,
    EntryRow,
    OrganiserRow,
    PairingRow,
    TournamentLogRow,
    TournamentRow,
    TournamentSecretRow,
)

tournament, entry, pairing = table(TournamentRow), table(EntryRow), table(PairingRow)
organiser, log, secret = table(OrganiserRow), table(TournamentLogRow), table(TournamentSecretRow)
account = table(AccountRow)
PLAYING = ("in", "withdrawn", "excluded", "disqualified")
"""The states of entries that have a place in the field."""


def _number(*states: str) -> Any:
    of_it = (entry.c.tournament_id == tournament.c.id, entry.c.state.in_(states))
    return select(func.count()).where(*of_it).scalar_subquery()


TOURNAMENTS = select(
    *tournament.c,
    account.c.handle.label("creator"),
    _number(*PLAYING).label("entered"),
    _number("waiting").label("waiting"),
).select_from(tournament.join(account, account.c.id == tournament.c.created_by))
_WITH_PEOPLE = select(
    *entry.c,
    *(account.c[name] for name in ("handle", "is_bot", "most_matches", "calendar", "rests", "email")),
    account.c.banned_at,
    account.c.closed_at,
).join(account, account.c.id == entry.c.account_id)
_ENTRIES = _WITH_PEOPLE.where(entry.c.tournament_id == bindparam("id")).order_by(entry.c.number)
_PAIRINGS = (
    select(
        *pairing.c,
        *(match.c[name].label(f"match_{name}") for name in ("phase", "on_turn", "winner", "ending")),
        *(match.c[name].label(f"match_{name}") for name in ("started_at", "finished_at", "deadline_at")),
    )
    .select_from(pairing.outerjoin(match, match.c.id == pairing.c.match_id))
    .where(pairing.c.tournament_id == bindparam("id"))
    .order_by(pairing.c.place)
)
_RESULTS = (
    select(*(pairing.c[name] for name in ("key", "round", "first", "second", "winner", "how", "fixed")))
    .where(pairing.c.tournament_id == bindparam("id"))
    .order_by(pairing.c.place)
)
_DUE = (
    select(tournament.c.id)
    .where(tournament.c.due_at.is_not(None), tournament.c.due_at <= bindparam("now"))
    .order_by(tournament.c.due_at, tournament.c.id)
    .limit(1)
)
_WAKE = Prepared(
    update(tournament)
    .where(tournament.c.id == bindparam("the_id"))
    .values(due_at=bindparam("at"), stirred=tournament.c.stirred + 1)
)


def add(connection: Connection, values: Mapping[str, Any], its_secret: bytes) -> None:
    """Adds a tournament with its secret and its first organiser."""
    connection.execute(insert(tournament), dict(values))
    connection.execute(insert(secret), {"tournament_id": values["id"], "secret": its_secret})
    add_organiser(connection, values["id"], values["created_by"], values["created_at"])


def by_id(connection: Connection, tournament_id: str) -> Any | None:
    """A tournament with its creator's handle and the numbers of its entries."""
    if not could_be(tournament_id):
        return None
    return connection.execute(TOURNAMENTS.where(tournament.c.id == tournament_id)).one_or_none()


def hold(connection: Connection, tournament_id: str) -> Any | None:
    """The same, held until the end of the transaction: who changes it waits for the other who does."""
    if not could_be(tournament_id):
        return None
    connection.execute(
        select(tournament.c.id).where(tournament.c.id == tournament_id).with_for_update(key_share=True)
    )
    return by_id(connection, tournament_id)


def change(connection: Connection, tournament_id: str, **values: Any) -> None:
    """Sets columns of one that is held."""
    connection.execute(update(tournament).where(tournament.c.id == tournament_id).values(**values))


def wake(connection: Connection, tournament_ids: Iterable[str], now: datetime) -> None:
    """The job is to look at them at once: something happened in them."""
    for tournament_id in sorted(tournament_ids):
        _WAKE.change(connection, {"the_id": tournament_id, "at": now})


def due(connection: Connection, now: datetime) -> str | None:
    """The tournament that has waited longest for the job."""
    found: str | None = connection.scalar(_DUE, {"now": now})
    return found


def put_off(connection: Connection, tournament_id: str, stirred: int, until: datetime | None) -> bool:
    """When the job looks again, unless something happened since the tournament was read."""
    same = (tournament.c.id == tournament_id, tournament.c.stirred == stirred)
    return connection.execute(update(tournament).where(*same).values(due_at=until)).rowcount == 1


def secret_of(connection: Connection, tournament_id: str) -> bytes | None:
    """The secret; None once it is published."""
    found: bytes | None = connection.scalar(
        select(secret.c.secret).where(secret.c.tournament_id == tournament_id)
    )
    return found


def drop_secret(connection: Connection, tournament_id: str) -> None:
    """It is published: the row of the tournament has it."""
    connection.execute(delete(secret).where(secret.c.tournament_id == tournament_id))


def organisers(connection: Connection, tournament_id: str) -> Sequence[Any]:
    """Who may command it, in the order in which they came to it; who has closed their account isn't among them."""
    query = (
        select(account.c.id, account.c.handle, account.c.is_bot, account.c.closed_at, account.c.banned_at)
        .join(organiser, organiser.c.account_id == account.c.id)
        .where(organiser.c.tournament_id == tournament_id, account.c.closed_at.is_(None))
    )
    return connection.execute(query.order_by(organiser.c.added_at, account.c.id)).all()


def organisers_of(connection: Connection, tournament_ids: Sequence[str]) -> Sequence[Any]:
    """Who may command which of these."""
    query = (
        select(organiser.c.tournament_id, account.c.id, account.c.handle)
        .join(organiser, organiser.c.account_id == account.c.id)
        .where(organiser.c.tournament_id.in_(tournament_ids), account.c.closed_at.is_(None))
    )
    return connection.execute(query.order_by(organiser.c.added_at, account.c.id)).all()


def entries_of(connection: Connection, tournament_ids: Sequence[str], account_id: int) -> Sequence[Any]:
    """The entries of somebody in these."""
    theirs = (entry.c.account_id == account_id, entry.c.tournament_id.in_(tournament_ids))
    return connection.execute(select(entry).where(*theirs)).all()


def add_organiser(connection: Connection, tournament_id: str, account_id: int, now: datetime) -> None:
    """Lets somebody command it."""
    values = {"tournament_id": tournament_id, "account_id": account_id, "added_at": now}
    connection.execute(insert(organiser), values)


def drop_organiser(connection: Connection, tournament_id: str, account_id: int) -> None:
    """They command it no more."""
    these = (organiser.c.tournament_id == tournament_id, organiser.c.account_id == account_id)
    connection.execute(delete(organiser).where(*these))


def is_organiser(connection: Connection, tournament_id: str, account_id: int) -> bool:
    """Whether somebody may command it."""
    these = (organiser.c.tournament_id == tournament_id, organiser.c.account_id == account_id)
    return connection.scalar(select(organiser.c.account_id).where(*these)) is not None


def created_by(connection: Connection, account_id: int) -> int:
    """How many tournaments of somebody's are not over; those that a series makes by itself don't count."""
    open_ones = (tournament.c.state.in_(("draft", "open", "running")), tournament.c.series_id.is_(None))
    query = select(func.count()).where(tournament.c.created_by == account_id, *open_ones)
    return connection.scalar(query) or 0


def entries(connection: Connection, tournament_id: str) -> Sequence[Any]:
    """All entries with their people, by number."""
    return connection.execute(_ENTRIES, {"id": tournament_id}).all()


def entries_in(connection: Connection, tournament_ids: Sequence[str]) -> dict[str, list[Any]]:
    """The same of several tournaments, by the tournament, in one statement."""
    found: dict[str, list[Any]] = {tournament_id: [] for tournament_id in tournament_ids}
    query = _WITH_PEOPLE.where(entry.c.tournament_id.in_(list(found))).order_by(entry.c.number)
    for row in connection.execute(query):
        found[row.tournament_id].append(row)
    return found


def add_entry(connection: Connection, values: Mapping[str, Any]) -> None:
    """Adds an entry. Raises IntegrityError for a second one of the same person."""
    connection.execute(insert(entry), dict(values))


def change_entry(connection: Connection, tournament_id: str, number: int, **values: Any) -> None:
    """Sets columns of one entry."""
    one = (entry.c.tournament_id == tournament_id, entry.c.number == number)
    connection.execute(update(entry).where(*one).values(**values))


def drop_entry(connection: Connection, tournament_id: str, number: int) -> None:
    """Takes the row of an entry away."""
    one = (entry.c.tournament_id == tournament_id, entry.c.number == number)
    connection.execute(delete(entry).where(*one))


def set_seeds(connection: Connection, tournament_id: str, seeds: Mapping[int, int | None]) -> None:
    """The seeds by the numbers of the entries."""
    if seeds:
        one = (entry.c.tournament_id == tournament_id, entry.c.number == bindparam("the_number"))
        rows = [{"the_number": number, "new_seed": seed} for number, seed in seeds.items()]
        connection.execute(update(entry).where(*one).values(seed=bindparam("new_seed")), rows)


def pairings(connection: Connection, tournament_id: str) -> Sequence[Any]:
    """All pairings, in the order in which they were made, with what their matches have come to."""
    return connection.execute(_PAIRINGS, {"id": tournament_id}).all()


def results(connection: Connection, tournament_id: str) -> Sequence[Any]:
    """All pairings with what formats ask for, and nothing of their matches."""
    return connection.execute(_RESULTS, {"id": tournament_id}).all()


def people_of(connection: Connection, tournament_id: str, row: Any) -> frozenset[int]:
    """The accounts of the one or two of a pairing."""
    numbers = [number for number in (row.first, row.second) if number is not None]
    these = (entry.c.tournament_id == tournament_id, entry.c.number.in_(numbers))
    return frozenset(connection.scalars(select(entry.c.account_id).where(*these)))


def add_pairings(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Adds pairings. Raises IntegrityError for a key that is taken."""
    if rows:
        connection.execute(insert(pairing), [dict(row) for row in rows])


def change_pairing(connection: Connection, tournament_id: str, key: str, **values: Any) -> None:
    """Sets columns of one pairing."""
    one = (pairing.c.tournament_id == tournament_id, pairing.c.key == key)
    connection.execute(update(pairing).where(*one).values(**values))


def change_pairings(connection: Connection, tournament_id: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Sets the same columns in several pairings, each row with its `key`."""
    if not rows:
        return
    names = [name for name in rows[0] if name != "key"]
    one = (pairing.c.tournament_id == tournament_id, pairing.c.key == bindparam("the_key"))
    statement = update(pairing).where(*one).values({name: bindparam(f"new_{name}") for name in names})
    connection.execute(
        statement, [{"the_key": row["key"], **{f"new_{name}": row[name] for name in names}} for row in rows]
    )


def unused_matches(connection: Connection, tournament_id: str, *, everything: bool) -> Sequence[str]:
    """The running matches of a tournament that no pairing of it names, or all of them."""
    runs = (match.c.tournament_id == tournament_id, match.c.finished_at.is_(None))
    query = select(match.c.id).where(*runs).order_by(match.c.id)
    if not everything:
        query = query.where(~exists().where(pairing.c.match_id == match.c.id))
    return list(connection.scalars(query))


def still_free(connection: Connection, tournament_id: str, keys: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Those of the pairings that have neither a match nor a result, and whose two entries are still in: with the
    accounts that have these now."""
    first, second = entry.alias("one"), entry.alias("other")
    query = (
        select(pairing.c.key, first.c.account_id, second.c.account_id)
        .join(first, and_(first.c.tournament_id == tournament_id, first.c.number == pairing.c.first))
        .join(second, and_(second.c.tournament_id == tournament_id, second.c.number == pairing.c.second))
        .where(
            pairing.c.tournament_id == tournament_id,
            pairing.c.key.in_(list(keys)),
            pairing.c.match_id.is_(None),
            pairing.c.how.is_(None),
            first.c.state == "in",
            second.c.state == "in",
        )
    )
    return {key: (one, other) for key, one, other in connection.execute(query)}


def drop_pairings(connection: Connection, tournament_id: str, keys: Iterable[str]) -> None:
    """Takes pairings away that have not begun."""
    these = (pairing.c.tournament_id == tournament_id, pairing.c.key.in_(list(keys)))
    connection.execute(delete(pairing).where(*these))


def note(connection: Connection, row: Mapping[str, Any]) -> None:
    """Adds an entry to the log."""
    connection.execute(insert(log), dict(row))


def log_of(connection: Connection, tournament_id: str, after: int = 0, most: int = 1000) -> Sequence[Any]:
    """The log from the entry after `after` on, with the handles of the authors."""
    query = (
        select(*log.c, account.c.handle.label("author"))
        .select_from(log.outerjoin(account, account.c.id == log.c.author_id))
        .where(log.c.tournament_id == tournament_id, log.c.seq > after)
        .order_by(log.c.seq)
        .limit(most)
    )
    return connection.execute(query).all()


def log_with(connection: Connection, tournament_id: str, commands: Iterable[str]) -> Sequence[Any]:
    """The entries of the log with these commands, the oldest first."""
    query = (
        select(*log.c, account.c.handle.label("author"))
        .select_from(log.outerjoin(account, account.c.id == log.c.author_id))
        .where(log.c.tournament_id == tournament_id, log.c.command.in_(list(commands)))
    )
    return connection.execute(query.order_by(log.c.seq)).all()


def by_key(connection: Connection, tournament_id: str, key: str) -> Any | None:
    """What was done under an idempotency key."""
    these = (log.c.tournament_id == tournament_id, log.c.key == key)
    return connection.execute(select(log).where(*these)).one_or_none()


def listed(connection: Connection, query: Select[Any]) -> Sequence[Any]:
    """Tournaments of a query that begins with `TOURNAMENTS`."""
    return connection.execute(query).all()


def of_person(connection: Connection, account_id: int, states: Iterable[str]) -> Sequence[Any]:
    """The entries of somebody in tournaments of these states: (tournament_id, number, state, tournament_state)."""
    query = (
        select(
            entry.c.tournament_id, entry.c.number, entry.c.state, tournament.c.state.label("tournament_state")
        )
        .join(tournament, tournament.c.id == entry.c.tournament_id)
        .where(entry.c.account_id == account_id, tournament.c.state.in_(list(states)))
    )
    return connection.execute(query.order_by(entry.c.tournament_id)).all()


def next_number(connection: Connection, tournament_id: str) -> int:
    """The number of the next entry."""
    query = select(func.max(entry.c.number)).where(entry.c.tournament_id == tournament_id)
    return (connection.scalar(query) or 0) + 1
