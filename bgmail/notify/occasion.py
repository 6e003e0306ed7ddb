"""What a letter is written on: the fact that is owed, its reader, and the match as it stands now."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sqlalchemy import Connection, Row

from bgmail.phrases import Names
from bgmail.phrases.languages import ENGLISH
from bgmail.phrases.people import called
from bgmail.rules.side import Side
from bgmail.service import bounces, choices
from bgmail.service.accounts import Account, account_of
from bgmail.service.choices import Choices
from bgmail.service.notices import Kind
from bgmail.service.views import MatchView, view_of
from bgmail.store import matches, notices, people


@dataclass(frozen=True, slots=True)
class Notice:
    """A fact that is owed, as it was written."""

    id: int
    account_id: int | None
    address: str
    kind: Kind
    match_id: str
    version: int
    which: str
    data: Mapping[str, Any]
    created_at: datetime
    due_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Occasion:
    """A notice with all that decides whether, to whom and how its letter is written.

    `reader` is None for an address without an account. `view` is None where no match is concerned; `side` is
    the reader's seat in it. `choices` are how the reader wants to be told, `seen_at` when they were last here.
    `locale` is the reader's language; to an address without an account, that of the one who invites. `returned`:
    letters to their mailbox are known to come back.
    """

    notice: Notice
    reader: Account | None
    choices: Choices
    seen_at: datetime | None
    view: MatchView | None
    side: Side | None
    locale: str
    returned: bool = False

    @property
    def kind(self) -> Kind:
        return self.notice.kind

    @property
    def zone(self) -> ZoneInfo:
        """The reader's time zone; UTC where it isn't known."""
        try:
            return ZoneInfo(self.reader.time_zone if self.reader else "UTC")
        except (ZoneInfoNotFoundError, ValueError):
            return ZoneInfo("UTC")

    @property
    def handle(self) -> str:
        """How the reader is greeted; "" for somebody who has no handle yet."""
        return self.reader.handle if self.reader else ""

    def names(self) -> Names:
        """Both sides of the match, with the reader as "you"."""
        view = self.match
        white, black = (called(person.handle) if person else "" for person in (view.white, view.black))
        return Names(white, black, self.side)

    @property
    def match(self) -> MatchView:
        """The match, where there must be one."""
        if self.view is None:
            raise LookupError(f"notice {self.notice.id} ({self.kind}) names no match")
        return self.view

    @property
    def seat(self) -> Side:
        """The reader's seat, where there must be one."""
        if self.side is None:
            raise LookupError(
                f"the reader of notice {self.notice.id} doesn't sit in match {self.notice.match_id}"
            )
        return self.side


def notice_of(row: Row[Any]) -> Notice:
    """The notice of a row of `bgmail.store.notices`."""
    return Notice(
        id=row.id,
        account_id=row.account_id,
        address=row.address,
        kind=Kind(row.kind),
        match_id=row.match_id,
        version=row.version,
        which=row.which,
        data=json.loads(row.data),
        created_at=row.created_at,
        due_at=row.due_at,
    )


def read(connection: Connection, notice: Notice) -> Occasion:
    """The occasion of a notice as things stand now."""
    reader, chosen, seen_at = _reader(connection, notice.account_id)
    row = matches.view(connection, notice.match_id) if notice.match_id else None
    view = view_of(row) if row else None
    return Occasion(
        notice,
        reader,
        chosen,
        seen_at,
        view,
        _seat(view, notice),
        _locale(connection, reader, view),
        _is_returned(connection, reader, notice),
    )


def _is_returned(connection: Connection, reader: Account | None, notice: Notice) -> bool:
    address = (reader.email if reader else notice.address) or ""
    return bool(address) and notice.kind not in bounces.ASKED_FOR and bounces.is_stopped(connection, address)


def _reader(
    connection: Connection, account_id: int | None
) -> tuple[Account | None, Choices, datetime | None]:
    row = people.by_id(connection, account_id) if account_id is not None else None
    if row is None or account_id is None:
        return None, Choices(), None
    return account_of(row), choices.read(connection, account_id), row.seen_at


def _locale(connection: Connection, reader: Account | None, view: MatchView | None) -> str:
    if reader is not None:
        return reader.locale
    host = people.by_id(connection, view.white.id) if view and view.white else None
    return str(host.locale) if host else ENGLISH


def _seat(view: MatchView | None, notice: Notice) -> Side | None:
    """The reader's seat; whoever is invited is going to sit at Black's."""
    if view is None:
        return None
    if notice.kind is Kind.INVITATION:
        return Side.BLACK
    return view.side_of(notice.account_id) if notice.account_id is not None else None


def siblings(connection: Connection, notice: Notice, channel: str) -> list[Notice]:
    """All notices of the same match that the same reader is still to be told by one channel, oldest first."""
    rows = notices.open_ones(connection, notice.match_id, notice.account_id, notice.address, channel)
    return [notice_of(row) for row in rows]
