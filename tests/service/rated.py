"""Rated matches that end at once, results that are corrected, and a slow way to the same ratings."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from bgmail.dice import FairChance
from bgmail.rating import Rating, after_match, slope
from bgmail.rules.score import Ending
from bgmail.rules.side import Side
from bgmail.service import accounts, corrections, invitations, turns
from bgmail.service.corrections import Verdict
from bgmail.service.errors import NotFound
from bgmail.service.ratings.chain import rate_some
from bgmail.service.terms import Handle, Terms
from bgmail.service.turns import Request
from bgmail.service.views import MatchView
from bgmail.store import ratings
from bgmail.store.engine import Store

CHANCE = FairChance()
NAMES = ("alice", "bob", "charlie", "dana", "emil", "frida")
Played = tuple[str, str, float, int, datetime]
"""A match that counts: two names, the first one's score, the length it weighs by, and when it ended."""


def club(store: Store, now: datetime, count: int = 6) -> dict[str, int]:
    """People by name, with their account ids."""
    return {
        name: accounts.create(store, name, f"{name}@play.example", None, now).id for name in NAMES[:count]
    }


def meet(store: Store, white: int, black: str, at: datetime, length: int = 7, **terms: object) -> MatchView:
    """A match that has just begun; Black is named by handle."""
    wish = Terms(length, **terms)  # type: ignore[arg-type]
    view = invitations.invite(store, white, wish, Handle(black), "", at, CHANCE)
    black_id = accounts.by_handle(store, black).id
    return invitations.accept(store, view.id, black_id, at, CHANCE)


def beats(
    store: Store,
    people: dict[str, int],
    winner: str,
    loser: str,
    at: datetime,
    length: int = 7,
    **terms: object,
) -> str:
    """A match that the loser resigns by their own hand a minute after it began; its id. The winner sits on White."""
    view = meet(store, people[winner], loser, at - timedelta(minutes=1), length, **terms)
    turns.act(store, view.id, Side.BLACK, Request("resign_match", view.version), at, CHANCE)
    return view.id


def rate_all(store: Store, now: datetime) -> list[str]:
    """What the job does until nothing is due."""
    said: list[str] = []
    while done := rate_some(store, now):
        said += done
    return said


def annul(store: Store, match_id: str, now: datetime) -> None:
    """The result is taken back by somebody's decision."""
    verdict = Verdict(None, Ending.ANNULLED, "dana", "played by two people in turns")
    corrections.correct(store, match_id, verdict, now, CHANCE)


def known(store: Store, people: dict[str, int], pace: str = "correspondence") -> dict[str, Rating]:
    """Ratings by name, as stored."""
    names = {number: name for name, number in people.items()}
    with store.read() as connection:
        return {
            names[row.account_id]: Rating(row.value, row.deviation, row.volatility)
            for row in ratings.standings(connection)
            if row.pace == pace
        }


def slowly(played: Sequence[Played]) -> dict[str, Rating]:
    """The ratings that matches add up to, told from the first to the last."""
    found: dict[str, tuple[Rating, datetime | None]] = {}
    for one, other, score, length, at in sorted(played, key=lambda each: each[4]):
        before = [found.get(name, (Rating(), None)) for name in (one, other)]
        idle = [(at - since) / timedelta(days=30) if since else 0.0 for _, since in before]
        after = after_match(before[0][0], before[1][0], score, slope(length), (idle[0], idle[1]))
        found |= {one: (after[0], at), other: (after[1], at)}
    return {name: rating for name, (rating, _) in found.items()}


def rank(
    store: Store,
    handle: str,
    value: float,
    now: datetime,
    *,
    deviation: float = 60,
    pace: str = "correspondence",
) -> int:
    """Gives somebody a rating, as if they had earned it today; their account, which is made where there is none."""
    try:
        account = accounts.by_handle(store, handle).id
    except NotFound:
        account = accounts.create(store, handle, f"{handle}@play.example", None, now).id
    row = {
        "account_id": account,
        "pace": pace,
        "value": value,
        "deviation": deviation,
        "volatility": 0.06,
        "won": 12,
        "lost": 4,
        "level": 0,
        "rated_at": now,
        "listed_until": now + timedelta(days=365) if deviation <= 110 else None,
    }
    with store.write() as connection:
        ratings.stand(connection, row)
    return account
