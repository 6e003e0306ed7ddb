"""Looking at matches: one match and its log, a person's lists, and the chat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, and_, bindparam, func, insert, or_, select

from bgmail import timing
from bgmail.ledger.entry import Entry, parse_entry
from bgmail.rules.match import Phase
from bgmail.service.errors import Forbidden, NotFound, Refused, by_the_way
from bgmail.service.terms import has_controls
from bgmail.service.turns import load
from bgmail.service.views import MatchView, Person, clock_of, view_of
from bgmail.store import matches, ties
from bgmail.store.engine import Store
from bgmail.store.matches import table
from bgmail.store.tables import AccountRow, ChatRow, InvitationRow, VisitRow
from bgmail.store.upserts import put
from bgmail.timing.outages import Outage, parsed, spans

__all__ = ["ChatLine", "Waiting", "chat", "load", "log", "mark_visit", "mine", "say", "visible", "waiting"]

MOST_CHAT = 1000
_chat, _visit, _account, _invitation = (
    table(ChatRow),
    table(VisitRow),
    table(AccountRow),
    table(InvitationRow),
)
_PULSE = select(matches.match.c.head, matches.match.c.due_at).where(matches.match.c.id == bindparam("id"))
_OFFER = select(_invitation.c.open, _invitation.c.inviter_id).where(_invitation.c.match_id == bindparam("id"))


@dataclass(frozen=True, slots=True)
class ChatLine:
    """One line of a match's chat; `folded`: the reader has muted or blocked who says it."""

    author: Person
    at: datetime
    body: str
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Waiting:
    """A match that waits for somebody, as far as it is needed to say which comes next."""

    id: str
    opponent: str
    clock: timing.Clock
    moved_at: datetime
    deadline_at: datetime | None
    rests: timing.Rests
    outages: tuple[Outage, ...] = ()

    @property
    def running_pauses(self) -> timing.Pauses:
        """What doesn't count for the side whose clock runs."""
        return self.rests.running(self.clock.on, spans(self.outages))


def visible(store: Store, match_id: str, account_id: int | None) -> MatchView:
    """The match, if this person (None = a stranger) may know of it.

    A match that was accepted is public to look at. An invitation is known to its two people, an open one to
    everybody whom the inviter hasn't blocked. Raises NotFound for all else, as for a match that doesn't exist.
    """
    view = load(store, match_id)
    if view.started_at or view.imported or view.side_of(account_id) is not None:
        return view
    with store.read() as connection:
        row = connection.execute(_OFFER, {"id": match_id}).one_or_none()
        blocking = ties.blocks(connection, row.inviter_id, account_id) if row and account_id else frozenset()
    if row is None or not row.open or row.inviter_id in blocking:
        raise NotFound("no_match")
    return view


def log(store: Store, match_id: str, after: int = 0) -> list[Entry]:
    """The entries of a match's log, from the one after `after` on."""
    with store.read() as connection:
        return [parse_entry(text) for text, _ in matches.texts(connection, match_id, after)]


def mark_visit(store: Store, view: MatchView, account_id: int, now: datetime) -> None:
    """This person has seen the match up to its present head."""
    values = {"match_id": view.id, "account_id": account_id, "seq": view.head, "at": now}
    with by_the_way("a visit"), store.write() as connection:
        put(connection, _visit, values)


def mine(
    store: Store, account_id: int, which: str, limit: int = 100, after: tuple[datetime, str] | None = None
) -> list[MatchView]:
    """A person's matches: "my_turn" (the nearest deadline first), "running" (those too), "finished" (latest first).

    `after` is the (instant, id) of the last one of the page before, by `cursor`. Raises Refused for another word.
    """
    with store.read() as connection:
        return mine_now(connection, account_id, which, limit, after)


def mine_now(
    connection: Connection,
    account_id: int,
    which: str,
    limit: int,
    after: tuple[datetime, str] | None = None,
) -> list[MatchView]:
    """The same as `mine`, as an open connection sees them."""
    match = matches.match
    conditions = [matches.seated(account_id), match.c.started_at.is_not(None)]
    if which == "finished":
        key: Any = match.c.moved_at
        conditions.append(match.c.phase == Phase.OVER.value)
        order, later = [key.desc(), match.c.id.desc()], _before
    elif which in ("my_turn", "running"):
        key = func.coalesce(match.c.deadline_at, match.c.moved_at)
        conditions.append(match.c.phase != Phase.OVER.value)
        if which == "my_turn":
            conditions.append(_on_turn(account_id))
        order, later = [key, match.c.id], _after
    else:
        raise Refused("unknown_list", which=which)
    if after:
        conditions.append(later(key, match.c.id, after))
    rows = connection.execute(matches.VIEWS.where(*conditions).order_by(*order).limit(limit)).mappings()
    return [view_of(row) for row in rows]


def cursor(view: MatchView, which: str) -> tuple[datetime, str]:
    """Where a list goes on after this match."""
    return (view.moved_at if which == "finished" else view.deadline_at or view.moved_at), view.id


def count_my_turn(store: Store, account_id: int) -> int:
    """How many matches wait for a person."""
    condition = and_(matches.seated(account_id), _on_turn(account_id))
    with store.read() as connection:
        return connection.scalar(select(func.count()).select_from(matches.match).where(condition)) or 0


def waiting(store: Store, account_id: int) -> list[Waiting]:
    """All the matches that wait for a person, in no order."""
    query = matches.WAITING.where(matches.seated(account_id), _on_turn(account_id))
    with store.read() as connection:
        rows = connection.execute(query).all()
    return [_waiting(row, account_id) for row in rows]


def _waiting(row: Any, account_id: int) -> Waiting:
    opponent = row.black_handle if row.white_id == account_id else row.white_handle
    clock, rests = clock_of(row.clock)
    return Waiting(row.id, opponent, clock, row.moved_at, row.deadline_at, rests, parsed(row.outages))


def _on_turn(account_id: int) -> Any:
    match = matches.match
    return or_(
        and_(match.c.white_id == account_id, match.c.on_turn == 0),
        and_(match.c.black_id == account_id, match.c.on_turn == 1),
    )


def _after(key: Any, tie: Any, mark: tuple[datetime, str]) -> Any:
    return or_(key > mark[0], and_(key == mark[0], tie > mark[1]))


def _before(key: Any, tie: Any, mark: tuple[datetime, str]) -> Any:
    return or_(key < mark[0], and_(key == mark[0], tie < mark[1]))


def chat(store: Store, view: MatchView, account_id: int) -> Sequence[ChatLine]:
    """The chat of one's own match, oldest first. Raises Forbidden."""
    _needs_seat(view, account_id)
    query = (
        select(_chat.c.at, _chat.c.body, _account.c.id, _account.c.handle, _account.c.is_bot)
        .add_columns(ties.quiet(account_id, _chat.c.author_id).label("folded"))
        .join(_account, _account.c.id == _chat.c.author_id)
        .where(_chat.c.match_id == view.id)
        .order_by(_chat.c.id)
    )
    with store.read() as connection:
        rows = connection.execute(query).all()
    return [
        ChatLine(Person(row.id, row.handle, row.is_bot), row.at, row.body, bool(row.folded)) for row in rows
    ]


def pulse(store: Store, match_id: str, *, with_chat: bool) -> tuple[int, int, datetime | None]:
    """The head of a match, and how many lines its chat has (0 unless asked): one of them grows with all that is new.
    And when its time may be over, or something else is due by then."""
    lines = select(func.count()).select_from(_chat).where(_chat.c.match_id == match_id)
    with store.read() as connection:
        row = connection.execute(_PULSE, {"id": match_id}).one_or_none()
        said = (connection.scalar(lines) or 0) if with_chat else 0
    return (row.head, said, row.due_at) if row else (0, said, None)


def say(store: Store, view: MatchView, account_id: int, body: str, now: datetime) -> None:
    """Adds a line to the chat, in the name of who says it. Raises Forbidden, Refused."""
    _needs_seat(view, account_id)
    body = body.replace("\r\n", "\n").strip()
    if not body:
        raise Refused("chat_empty")
    if not fits_chat(body):
        raise Refused("chat", most=MOST_CHAT)
    with store.write() as connection:
        add_line(connection, view, account_id, body, now)


def fits_chat(body: str) -> bool:
    """Whether this can be a line of chat."""
    return 0 < len(body) <= MOST_CHAT and not has_controls(body)


def add_line(connection: Connection, view: MatchView, account_id: int, body: str, now: datetime) -> None:
    """Adds what fits to the chat, in a transaction of the caller's."""
    row = {"match_id": view.id, "author_id": account_id, "at": now, "body": body}
    connection.execute(insert(_chat), row)


def _needs_seat(view: MatchView, account_id: int) -> None:
    if view.side_of(account_id) is None:
        raise Forbidden("not_your_match")
