"""A Swiss of very many, written straight into its rows: nobody plays so many matches for a test."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import orjson
from sqlmodel import Session

from bgmail.pairing.field import Entry, Field, How, Pairing, Result
from bgmail.pairing.plan import Plan
from bgmail.service.tournaments.field import standings_data
from bgmail.service.tournaments.views import Tournament
from bgmail.store import tournaments as rows
from bgmail.store.tables import AccountRow
from bgmail.store.tables.tournaments import EntryRow, PairingRow
from tests.service.tournaments.club import Club


def large(club: Club, people: int, rounds: int) -> Tournament:
    """After so many of its rounds, by lot; matches are not begun, so results stand in the pairings alone."""
    plan = {
        "stages": [{"format": "swiss", "rounds": rounds + 1}],
        "tie_breaks": ["head_to_head", "buchholz", "sonneborn_berger"],
    }
    tournament = club.open(plan, name="Large")
    format_, field = (
        Plan.from_data(plan).format(),
        Field(tuple(Entry(number, number, 2000 - number) for number in range(1, people + 1)), (), "lot"),
    )
    random = Random(people)
    for _ in range(rounds):
        made = tuple(_over(one, random) for one in format_.next(field))
        field = replace(field, pairings=field.pairings + made)
    kept = orjson.dumps(standings_data(format_.standings(field), tournament.head)).decode()
    with Session(club.store.engine) as session:
        names = [f"of{people}_{one.id}" for one in field.entries]
        accounts = [AccountRow(handle=name, handle_key=name, created_at=club.now) for name in names]
        session.add_all(accounts)
        session.flush()
        club.people |= {one.handle: one.id for one in accounts if one.id}
        entered = zip(field.entries, accounts, strict=True)
        session.add_all(_entry(club, tournament, one, account) for one, account in entered)
        session.flush()
        session.add_all(_pairing(club, tournament, one, place) for place, one in enumerate(field.pairings))
        session.commit()
    with club.store.write() as connection:
        rows.change(
            connection,
            tournament.id,
            state="running",
            lot="lot",
            started_at=club.now,
            due_at=None,
            standings=kept,
        )
    return club.load(tournament)


def _over(one: Pairing, random: Random) -> Pairing:
    if one.second is None:
        return one
    winner = random.choice((one.first, one.second))
    return replace(one, result=Result(winner, How.FORFEIT if random.random() < 0.05 else How.PLAYED))


def _entry(club: Club, tournament: Tournament, one: Entry, account: AccountRow) -> EntryRow:
    return EntryRow(
        tournament_id=tournament.id,
        number=one.id,
        account_id=account.id,
        state="in",
        seed=one.seed,
        rating=one.rating,
        nonce="0" * 32,
        digest=tournament.digest,
        entered_at=club.now,
    )


def _pairing(club: Club, tournament: Tournament, one: Pairing, place: int) -> PairingRow:
    result = one.result or Result(None)
    return PairingRow(
        tournament_id=tournament.id,
        key=one.key,
        place=place,
        round=one.round,
        first=one.first,
        second=one.second,
        winner=result.winner,
        how=result.how.value,
        made_at=club.now,
        ended_at=club.now,
    )
