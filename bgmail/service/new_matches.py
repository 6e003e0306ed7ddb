"""How a match begins to be: its first entries, and its row. By invitation, or by a tournament's pairing."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from bgmail import timing
from bgmail.dice import Chance
from bgmail.ledger.entry import GENESIS
from bgmail.rules.match import Match
from bgmail.rules.ruledata import told
from bgmail.service.draft import Draft
from bgmail.service.terms import control_json
from bgmail.service.turns import row_values
from bgmail.service.views import MatchView, Person
from bgmail.store import matches
from bgmail.timing.rests import allowed_to_json

Seats = tuple[Person | None, Person | None]
"""White and Black, as far as it is known who they are."""


def first_draft(
    match_id: str,
    match: Match,
    control: timing.TimeControl,
    allowed: timing.Allowed,
    seats: Seats,
    now: datetime,
    chance: Chance,
    *,
    rated: bool,
    tournament: str | None = None,
) -> Draft:
    """A match before the first entry of its log."""
    white, black = seats
    view = MatchView(
        id=match_id,
        match=match,
        clock=timing.Clock.start(control),
        version=0,
        head=0,
        head_hash=GENESIS,
        rolls=0,
        white=white,
        black=black,
        rated=rated,
        imported=False,
        created_at=now,
        started_at=None,
        moved_at=now,
        finished_at=None,
        deadline_at=None,
        due_at=None,
        rests=timing.Rests(allowed),
        tournament=tournament,
    )
    return Draft(view, str, {}, chance, now)  # no nonces yet


def terms_data(
    match: Match, control: timing.TimeControl, allowed: timing.Allowed, *, rated: bool
) -> dict[str, Any]:
    """What the first entry of the log says about the terms."""
    return {
        "rules": told(match.rules),
        "length": match.length,
        "games": match.games,
        **({"wager": match.wager} if match.wager > 1 else {}),
        "time": control_json(control),
        "pauses": allowed_to_json(allowed),
        "rated": rated,
    }


def add_match(connection: Connection, view: MatchView, draft: Draft) -> None:
    """Writes the row of a match just made, its log so far and the secrets of its dice."""
    add_row(connection, view)
    matches.log(connection, draft.entries)
    matches.keep_secrets(connection, draft.kept)


def add_row(connection: Connection, view: MatchView) -> None:
    """Writes the row alone."""
    values = row_values(view) | {
        "id": view.id,
        "white_id": view.white.id if view.white else None,
        "black_id": view.black.id if view.black else None,
        "length": view.match.length,
        "rules": view.rules_name,
        "rated": view.rated,
        "imported": view.imported,
        "public": True,
        "created_at": view.created_at,
        "tournament_id": view.tournament,
    }
    matches.add(connection, values)
