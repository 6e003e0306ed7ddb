"""Finding people by their handle, and matches to look at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import and_, or_, select

from bgmail.rules.match import Phase
from bgmail.service import names
from bgmail.service.errors import Refused
from bgmail.service.views import MatchView, Person, view_of
from bgmail.store import matches, people
from bgmail.store.engine import Store

MOST_FOUND = 20
LISTS = ("running", "finished")
LENGTHS = range(26)
_ENDS = {"r": "m", "v": "w"}
"""Half of a pair that looks like one letter: whoever has typed "ar" may mean "arnold", which is kept as "amold"."""
_RUNNING = [phase.value for phase in Phase if phase not in (Phase.INVITED, Phase.OVER)]
_VISIBLE = and_(matches.match.c.started_at.is_not(None), matches.match.c.public, ~matches.match.c.imported)


def search(store: Store, typed: str) -> list[Person]:
    """People whose handle begins like what was typed, look-alikes included, those spelled like it first.

    At most one more than `MOST_FOUND`, which says that there are others. Accounts that have ended aren't found.
    Raises Refused for an address: people aren't found by it.
    """
    typed = typed.strip()
    if "@" in typed:
        raise Refused("search_address")
    key = names.handle_key(typed)
    if not typed or "?" in key:
        return []
    starts = {key, *(key[:-1] + whole for half, whole in _ENDS.items() if key.endswith(half))}
    account = people.account
    with store.read() as connection:
        query = (
            select(account.c.id, account.c.handle, account.c.is_bot)
            .where(or_(*(_begins(start, sqlite=store.is_sqlite) for start in sorted(starts))))
            .where(account.c.closed_at.is_(None), account.c.banned_at.is_(None))
            .order_by(account.c.handle_key)
            .limit(2 * MOST_FOUND + 1)
        )
        found = [Person(row.id, row.handle, row.is_bot) for row in connection.execute(query)]
    spelled = typed.casefold()
    found = [one for one in found if _is_meant(one, key, spelled)]
    return sorted(found, key=lambda one: not one.handle.casefold().startswith(spelled))[: MOST_FOUND + 1]


def watch(
    store: Store,
    which: str,
    *,
    player_id: int | None = None,
    length: int | None = None,
    after: tuple[datetime, str] | None = None,
    limit: int = 25,
) -> list[MatchView]:
    """Public matches, "running" or "finished", the newest moves first; `after` is the last one of the page before.

    A match is public once it was accepted. Raises Refused for another list.
    """
    match = matches.match
    if which not in LISTS:
        raise Refused("unknown_list", which=which)
    ended = match.c.finished_at.is_not(None) if which == "finished" else match.c.finished_at.is_(None)
    conditions: list[Any] = [_VISIBLE, ended]
    if player_id is not None:
        conditions.append(matches.seated(player_id))
    if length is not None:
        conditions.append(match.c.length == length)
    if after is not None:
        older = and_(match.c.moved_at == after[0], match.c.id < after[1])
        conditions += [match.c.moved_at <= after[0], or_(match.c.moved_at < after[0], older)]
    return _views(store, conditions, limit)


def running_of(store: Store, account_ids: Iterable[int], limit: int = 25) -> list[MatchView]:
    """The running public matches of these people, the newest moves first."""
    ids, match = list(account_ids), matches.match
    if not ids:
        return []
    seated = or_(match.c.white_id.in_(ids), match.c.black_id.in_(ids))
    return _views(store, [_VISIBLE, seated, match.c.phase.in_(_RUNNING)], limit)


def _views(store: Store, conditions: Sequence[Any], limit: int) -> list[MatchView]:
    newest = (matches.match.c.moved_at.desc(), matches.match.c.id.desc())
    query = matches.VIEWS.where(*conditions).order_by(*newest).limit(limit)
    with store.read() as connection:
        return [view_of(row) for row in connection.execute(query).mappings()]


def _begins(start: str, *, sqlite: bool) -> Any:
    """The condition by which an index finds handles that look like this at their beginning."""
    key = people.account.c.handle_key
    if sqlite:
        return and_(key >= start, key < start + "\U0010ffff")
    return key.startswith(start, autoescape=True)


def _is_meant(person: Person, key: str, spelled: str) -> bool:
    return person.handle.casefold().startswith(spelled) or names.handle_key(person.handle).startswith(key)
