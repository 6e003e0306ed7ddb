"""The facts that people are owed: written in the transaction that made them true, brought to them later."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.dialects.postgresql import insert as insert_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_sqlite

from bgmail.ledger.entry import Entry
from bgmail.rules.match import Match, Phase
from bgmail.rules.score import Ending
from bgmail.rules.side import Side
from bgmail.service.draft import Draft
from bgmail.service.views import MatchView
from bgmail.store import webhooks
from bgmail.store.matches import table
from bgmail.store.prepared import Prepared
from bgmail.store.tables import NoticeRow
from bgmail.timing import to_microseconds

HERE = timedelta(minutes=10)
"""Somebody who acted a moment ago most likely sees what happened: their letter waits this long, never longer."""

_table = table(NoticeRow)
_COLUMNS = [column.name for column in _table.c if column.name not in ("id", "aside_until")]
_ADD = {
    "sqlite": Prepared(insert_sqlite(_table).on_conflict_do_nothing(), _COLUMNS),
    "postgresql": Prepared(insert_postgresql(_table).on_conflict_do_nothing(), _COLUMNS),
}


class Kind(StrEnum):
    """What a notice tells. The letter of a kind lives in `templates/mail/<kind>/`."""

    VERIFY = "verify"
    SIGN_IN = "sign_in"
    RESET = "reset"
    ALREADY_MEMBER = "already_member"
    ADDRESS_CHANGED = "address_changed"
    INVITATION = "invitation"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    YOUR_TURN = "your_turn"
    DOUBLE = "double"
    RESIGNATION = "resignation"
    GAME_OVER = "game_over"
    MATCH_OVER = "match_over"
    TIMEOUT = "timeout"
    CLAIM = "claim"
    REMINDER = "reminder"
    CONFIRM = "confirm"
    HELP = "help"
    ANSWER = "answer"
    DIGEST = "digest"
    TEST = "test"
    WEBHOOK_OFF = "webhook_off"
    OPPONENT_AWAY = "opponent_away"
    VACATION_BEGUN = "vacation_begun"
    VACATION_ENDED = "vacation_ended"
    DAY_GIVEN = "day_given"
    UNTIMED = "untimed"
    TOURNAMENT_PAIRED = "tournament_paired"
    TOURNAMENT_BYE = "tournament_bye"
    TOURNAMENT_ENTERED = "tournament_entered"
    TOURNAMENT_ROUND = "tournament_round"
    TOURNAMENT_OVER = "tournament_over"
    TOURNAMENT_SAYS = "tournament_says"
    TOURNAMENT_CANCELLED = "tournament_cancelled"
    TOURNAMENT_LATE = "tournament_late"


def fact(
    kind: Kind,
    now: datetime,
    *,
    account_id: int | None = None,
    address: str = "",
    match_id: str = "",
    version: int = 0,
    which: str = "",
    data: Mapping[str, Any] | None = None,
    due_at: datetime | None = None,
) -> dict[str, Any]:
    """A notice as a row. `which` tells two facts of one kind and version apart; `data` is what the letter needs
    beyond the match itself; `due_at` is when a letter may go out (None = now)."""
    return {
        "account_id": account_id,
        "address": address,
        "kind": kind.value,
        "match_id": match_id,
        "version": version,
        "which": which,
        "data": json.dumps(dict(data), separators=(",", ":"), sort_keys=True) if data else "{}",
        "state": "ready",
        "created_at": now,
        "due_at": due_at or now,
    }


def owe(connection: Connection, facts: Iterable[dict[str, Any]], machines: Iterable[int] = ()) -> None:
    """Writes facts in the caller's transaction; one that is owed already stays as it is.

    `machines` are accounts among the readers that read no letters: each is owed something only if it has a webhook.
    """
    rows, deaf = list(facts), set(machines)
    if deaf and rows:
        deaf = {one for one in deaf if not webhooks.has_one(connection, one)}
        rows = [row for row in rows if row["account_id"] not in deaf]
    if not rows:
        return
    _ADD[connection.dialect.name].change_each(connection, rows)


def facts_of(draft: Draft, view: MatchView, actor: Side | None) -> list[dict[str, Any]]:
    """What a finished draft owes to the two people: at most one letter each.

    `actor` is the side whose person acted just now (None for the clock); its letter waits a little, since the
    page it acted on shows the same. `machines_of` tells whose webhooks alone are told.
    """
    pauses = [entry for entry in draft.entries if entry.kind == "pause"]
    found = [owed for entry in pauses for owed in _of_pause(view, entry, draft.now)]
    for side in Side if not draft.is_silent else ():
        person = view.person(side)
        kind = _kind_of(draft, side, actor)
        if kind is None or person is None:
            continue
        found.append(
            fact(
                kind,
                draft.now,
                account_id=person.id,
                match_id=view.id,
                version=draft.version,
                which=_which(draft, kind),
                due_at=draft.now + HERE if side is actor or _is_here(draft, side) else None,
            )
        )
    return found


def machines_of(view: MatchView) -> list[int]:
    """The accounts of a match that read no letters: see `owe`."""
    return [person.id for person in (view.white, view.black) if person and person.is_bot]


def _of_pause(view: MatchView, entry: Entry, now: datetime) -> list[dict[str, Any]]:
    """What a `pause` entry owes to the other side: that somebody is on vacation (told once, however many matches it
    holds), gives them a day, or wants no clock any more."""
    data = entry.data
    say = {"vacation": _away, "gift": _day_given, "untimed": _no_clock}.get(data.get("why", ""))
    if data.get("extension"):
        return []  # whoever runs the tournament says so themselves
    side = Side.named(data["side"]) if say else Side.WHITE
    to, owner = view.person(side if data.get("why") == "gift" else side.other), view.person(side)
    if say is None or to is None or owner is None:
        return []
    told = say(view, entry, owner.id, now)
    return [fact(now=now, account_id=to.id, **told)] if told else []


def _away(_view: MatchView, entry: Entry, owner_id: int, now: datetime) -> dict[str, Any] | None:
    start, end = entry.data["from"], entry.data["until"]
    if end <= to_microseconds(now) or end <= start:
        return None
    data = {"account": owner_id, "from": start}
    return {"kind": Kind.OPPONENT_AWAY, "which": f"{owner_id}-{start}", "data": data}


def _day_given(view: MatchView, entry: Entry, _owner_id: int, _now: datetime) -> dict[str, Any]:
    which = f"day-{entry.seq}"
    return {"kind": Kind.DAY_GIVEN, "match_id": view.id, "version": view.version, "which": which}


def _no_clock(view: MatchView, entry: Entry, _owner_id: int, _now: datetime) -> dict[str, Any] | None:
    agreed, offered = entry.data["agreed"], view.rests.untimed.offer is not None
    if not agreed and not offered:
        return None  # declined, or taken back: the page says so
    which = f"{'agreed' if agreed else 'offer'}-{entry.seq}"
    return {"kind": Kind.UNTIMED, "match_id": view.id, "version": view.version, "which": which}


def _is_here(draft: Draft, side: Side) -> bool:
    """A machine answers within seconds, while the person who has just moved still looks at the page."""
    other = draft.view.person(side.other)
    return other is not None and other.is_bot and draft.now - draft.view.moved_at < HERE


def _kind_for(before: Match, after: Match, side: Side, actor: Side | None) -> Kind | None:
    if after.phase is Phase.OVER:
        return _end_kind(after, side)
    if after.late and not before.late:
        return Kind.CLAIM
    if after.on_turn is side:
        return _turn_kind(before, after, side, actor)
    if after.last_game is not before.last_game:
        return Kind.GAME_OVER
    if after.offer and after.offer.side is not side and after.offer != before.offer:
        return Kind.RESIGNATION
    return Kind.ACCEPTED if before.phase is Phase.INVITED and side is Side.WHITE else None


def _kind_of(draft: Draft, side: Side, actor: Side | None) -> Kind | None:
    """What a side is told of; a match that a tournament begins was accepted by nobody."""
    before = draft.view.match
    kind = _kind_for(before, draft.match, side, actor)
    begins = before.phase is Phase.INVITED and draft.match.phase is not Phase.OVER
    if draft.view.tournament and begins and kind in (None, Kind.ACCEPTED):
        return Kind.TOURNAMENT_PAIRED
    return kind


def _end_kind(after: Match, side: Side) -> Kind | None:
    ending = after.result.ending if after.result else None
    if ending is Ending.TIMEOUT:
        return Kind.TIMEOUT
    if ending in (Ending.DECLINED, Ending.EXPIRED):
        return Kind(ending.value) if side is Side.WHITE else None
    if ending is Ending.CANCELLED:
        return Kind.CANCELLED if side is Side.BLACK else None
    return Kind.MATCH_OVER


def _turn_kind(before: Match, after: Match, side: Side, actor: Side | None) -> Kind | None:
    if after.phase is Phase.TAKE_OR_PASS:
        return Kind.DOUBLE
    if after.phase is Phase.ANSWER_RESIGNATION:
        return Kind.RESIGNATION
    if after.offer and after.offer.side is not side and after.offer != before.offer:
        return Kind.RESIGNATION
    own_turn_goes_on = actor is side and before.on_turn is side and before.game == after.game
    return None if own_turn_goes_on and _same_turn(before, after) else Kind.YOUR_TURN


def _same_turn(before: Match, after: Match) -> bool:
    """The person rolled, or waits with an offer of its own, and is looking at its own go."""
    return before.turn is after.turn and before.position == after.position


def _which(draft: Draft, kind: Kind) -> str:
    """An offer made off turn leaves the version as it is: its entry tells it apart."""
    return f"offer-{draft.head}" if kind is Kind.RESIGNATION else ""
