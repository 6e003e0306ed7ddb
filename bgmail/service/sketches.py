"""A play laid out on the board and not submitted: it waits there, and letters offer it. Nobody else learns of it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from bgmail.rules.match import Phase, legal
from bgmail.rules.play import Play
from bgmail.rules.side import Side
from bgmail.service.errors import Refused, Stale
from bgmail.service.views import MatchView
from bgmail.store import sketches
from bgmail.store.engine import Store


def keep(store: Store, view: MatchView, account_id: int, version: int, play: str, now: datetime) -> None:
    """Keeps a legal play for the one whose turn it is; "" takes back what was laid out.

    Raises Stale where the match is at another version, Refused for what is no legal play of this turn.
    """
    if not play:
        with store.write() as connection:
            sketches.drop(connection, view.id, account_id)
        return
    if version != view.version:
        raise Stale(view)
    if not _can_play(view, view.side_of(account_id)) or _named(view, play) is None:
        raise Refused("no_sketch")
    with store.write() as connection:
        sketches.keep(connection, view.id, account_id, version, play, now)


def find(store: Store, view: MatchView, account_id: int | None) -> str:
    """What somebody laid out for the turn they have now; "" for nothing."""
    if account_id is None or not _can_play(view, view.side_of(account_id)):
        return ""
    with store.read() as connection:
        return find_now(connection, view, account_id)


def find_now(connection: Connection, view: MatchView, account_id: int) -> str:
    """The same, as an open connection sees it."""
    if not _can_play(view, view.side_of(account_id)):
        return ""
    play = sketches.find(connection, view.id, account_id, view.version)
    return play if play and _named(view, play) else ""


def _can_play(view: MatchView, side: Side | None) -> bool:
    return view.match.phase is Phase.PLAY and side is not None and view.match.on_turn is side


def _named(view: MatchView, play: str) -> Play | None:
    return next((one for one in legal(view.match) if str(one) == play), None)
