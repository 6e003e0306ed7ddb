"""The statements behind lists of tournaments, and behind an open page that asks whether anything is new."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, func, or_, select

from bgmail.store.matches import could_be
from bgmail.store.tournaments import PLAYING, account, entry, log, organiser, pairing, tournament


def counted(connection: Connection, states: Sequence[str]) -> dict[str, int]:
    """How many tournaments there are of each of these states."""
    query = (
        select(tournament.c.state, func.count())
        .where(tournament.c.state.in_(list(states)))
        .group_by(tournament.c.state)
    )
    return {row[0]: row[1] for row in connection.execute(query)}


def counted_of(connection: Connection, account_id: int) -> int:
    """How many tournaments somebody plays or organises, whatever their state."""
    played = select(entry.c.tournament_id).where(entry.c.account_id == account_id, entry.c.state != "left")
    run = select(organiser.c.tournament_id).where(organiser.c.account_id == account_id)
    query = select(func.count()).where(or_(tournament.c.id.in_(played), tournament.c.id.in_(run)))
    return connection.scalar(query) or 0


def mark(connection: Connection, tournament_id: str) -> Any | None:
    """What changes with everything that happens in a tournament: its `head` and how often it was `stirred`."""
    if not could_be(tournament_id):
        return None
    query = select(tournament.c.head, tournament.c.stirred).where(tournament.c.id == tournament_id)
    return connection.execute(query).one_or_none()


def of_match(connection: Connection, match_id: str) -> Any | None:
    """The pairing that a match decides, with its tournament's plan and how many entries that has."""
    entered = (
        select(func.count())
        .where(entry.c.tournament_id == tournament.c.id, entry.c.state.in_(PLAYING))
        .scalar_subquery()
    )
    query = (
        select(
            tournament.c.id,
            tournament.c.name,
            tournament.c.season,
            tournament.c.division,
            tournament.c.plan,
            pairing.c.key,
            pairing.c.round,
            entered.label("entered"),
        )
        .join(tournament, tournament.c.id == pairing.c.tournament_id)
        .where(pairing.c.match_id == match_id)
    )
    return connection.execute(query).one_or_none()


def first_round(connection: Connection, tournament_id: str, prefix: str) -> int:
    """How many pairings the first round of a later stage has; `prefix` is what its keys begin with."""
    query = select(func.count()).where(
        pairing.c.tournament_id == tournament_id, pairing.c.key.startswith(f"{prefix}w1.", autoescape=True)
    )
    return connection.scalar(query) or 0


def announced(connection: Connection, tournament_id: str, most: int) -> Sequence[Any]:
    """What organisers have told everybody, the latest first: (seq, at, author, data)."""
    query = (
        select(log.c.seq, log.c.at, log.c.data, account.c.handle.label("author"))
        .select_from(log.outerjoin(account, account.c.id == log.c.author_id))
        .where(log.c.tournament_id == tournament_id, log.c.command == "announce")
        .order_by(log.c.seq.desc())
        .limit(most)
    )
    return connection.execute(query).all()
