"""Whether the ratings are what the finished matches add up to: all of them are told again, and compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from bgmail.service.ratings.chain import Standing, effect, ended_of, standing_of
from bgmail.service.ratings.verdicts import Reason, reason
from bgmail.store import ratings
from bgmail.store.books import snapshot
from bgmail.store.engine import Store

EXACT = 1e-9
_VALUES = ("value", "deviation", "volatility")
Finding = tuple[str | None, str]
"""A match, or None where it is about somebody's rating; and what is wrong."""
Standings = dict[tuple[int, str], Standing]


@dataclass(frozen=True, slots=True)
class State:
    """How the job gets on: how many matches wait, since when the first of them is over, which can't be rated, and
    whether some were never noted."""

    waiting: int
    since: datetime | None
    failed: tuple[str, ...]
    forgotten: bool


def state_of(store: Store) -> State:
    """What an operator should know."""
    with store.read() as connection:
        waiting, since = ratings.waiting(connection)
        failed = ratings.failed(connection, Reason.FAILED.value)
        return State(waiting, since, tuple(failed), bool(ratings.forgotten(connection, 1)))


def findings(store: Store) -> Iterator[Finding]:
    """All that is wrong. What is still to be rated is nothing wrong, and nothing after it can be judged yet."""
    with snapshot(store) as connection:
        for row in ratings.forgotten(connection, 100):
            yield row.id, "it is over and was played for the rating, and has no row for its effect"
        told: Standings = {}
        for row in ratings.chronicle(connection):
            if row["due"]:
                return
            yield from _change(connection, row, told)
        yield from _standings(connection, told)


def _change(connection: Connection, row: Mapping[str, Any], told: Standings) -> Iterator[Finding]:
    try:
        ended = ended_of(row)
    except (ValueError, KeyError, TypeError):
        yield row["match_id"], "it can't be rated: its state can't be read"
        return
    keys = [(person, row["pace"]) for person in ended.people]
    why = reason(connection, ended)
    before = [told.get(key, Standing()) for key in keys]
    expected = effect(ended, why, (before[0], before[1]))
    for name, value in expected.items():
        if not _same(row[name], value):
            yield row["match_id"], f"its rating's {name} is {row[name]!r}, and by the matches {value!r}"
    if why is Reason.COUNTS:
        for key, seat in zip(keys, ratings.SEATS, strict=True):
            told[key] = _left(expected, seat, row)


def _left(expected: Mapping[str, Any], seat: str, row: Mapping[str, Any]) -> Standing:
    names = (*_VALUES, "won", "lost", "level")
    kept = {name: expected[f"{seat}_{name}"] for name in names}
    return standing_of(_Row(**kept, finished_at=row["finished_at"]))


class _Row:
    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)


def _standings(connection: Connection, told: Standings) -> Iterator[Finding]:
    kept = {(row.account_id, row.pace): row for row in ratings.standings(connection)}
    for key in sorted({*kept, *told}):
        of = f"rating of account {key[0]}, {key[1]}"
        if key not in kept:
            yield None, f"{of}: is missing"
        elif key not in told:
            yield None, f"{of}: rests on no match"
        else:
            yield from ((None, f"{of}: {text}") for text in _differs(kept[key], told[key]))


def _differs(row: Any, standing: Standing) -> Iterator[str]:
    for name, value in {
        **{name: getattr(standing.rating, name) for name in _VALUES},
        **{name: getattr(standing, name) for name in ("won", "lost", "level", "listed_until")},
        "rated_at": standing.at,
    }.items():
        if not _same(getattr(row, name), value):
            yield f"{name} is {getattr(row, name)!r}, and by the matches {value!r}"


def _same(kept: Any, told: Any) -> bool:
    if isinstance(kept, float) and isinstance(told, float):
        return abs(kept - told) <= EXACT
    return bool(kept == told)
