"""A tournament as plain data: what the JSON API answers, what exports and webhooks hold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bgmail.pairing.field import How
from bgmail.service.states import rfc3339
from bgmail.service.tournaments.views import (
    Around,
    Entrant,
    Line,
    Organiser,
    Pairing,
    Standings,
    Told,
    Tournament,
)


def tournament(one: Tournament, organisers: Iterable[Organiser]) -> dict[str, Any]:
    """All that everybody may know. `conditions` is what `digest` is made of, together with `plan`."""
    league = {"series": one.series_id, "season": one.season, "division": one.division}
    return {
        "id": one.id,
        "name": one.name,
        "state": one.state.value,
        "version": one.head,
        "plan": one.plan.data(),
        "conditions": one.conditions.to_data(),
        "digest": one.digest,
        "unsupported": list(one.conditions.unsupported()),
        "places": one.places,
        "entered": one.entered,
        "waiting": one.waiting,
        "starts_at": rfc3339(one.starts_at),
        "starts_full": one.starts_full,
        "commitment": one.commitment,
        "secret": one.published,
        "lot": one.lot or None,
        "creator": one.creator,
        "organisers": [each.handle for each in organisers],
        "created_at": rfc3339(one.created_at),
        "opened_at": rfc3339(one.opened_at),
        "started_at": rfc3339(one.started_at),
        "finished_at": rfc3339(one.finished_at),
        "league": league if one.series_id is not None else None,
    }


def you(around: Around, account_id: int) -> dict[str, Any] | None:
    """What the reader has to do with it; None: nothing."""
    organises = any(each.account_id == account_id for each in around.organisers)
    if around.mine is None and not organises:
        return None
    number, state = around.mine or (None, None)
    return {"entry": number, "state": state.value if state else None, "organises": organises}


def entry(one: Entrant) -> dict[str, Any]:
    """One entry. The rating is that at entry."""
    return {
        "entry": one.number,
        "handle": one.handle,
        "bot": one.is_bot,
        "state": one.state.value,
        "seed": one.seed,
        "rating": round(one.rating),
        "entered_at": rfc3339(one.entered_at),
    }


def pairing(one: Pairing) -> dict[str, Any]:
    """One pairing; `mark` is the result as tables have it, null while it runs."""
    return {
        "pairing": one.key,
        "round": one.round,
        "white": _short(one.first),
        "black": None if one.second is None else _short(one.second),
        "match": one.match_id,
        "winner": one.winner,
        "how": None if one.how is None else one.how.value,
        "mark": mark(one),
        "decided": one.decided,
        "on_turn": one.on_turn,
        "begun_at": rfc3339(one.begun_at),
        "ended_at": rfc3339(one.ended_at),
        "until": rfc3339(one.until),
        "deadline": rfc3339(one.deadline_at),
    }


def mark(one: Pairing) -> str | None:
    """The result in the fewest signs, White's first: the data of tables, the same in every language."""
    if one.how is None or one.how in (How.BYE, How.ANNULLED):
        return None if one.how is None else one.how.value
    won, lost = ("1", "0") if one.how is How.PLAYED else ("+", "-")
    white, black = (won if one.winner == number else lost for number in _numbers(one))
    return f"{white}-{black}" if one.how is How.PLAYED else f"{white}/{black}"


def standings(kept: Standings) -> dict[str, Any]:
    """Who stands where, the best first; `version` is that of the tournament when this was computed."""
    return {"version": kept.head, "standings": [line(each) for each in kept.lines]}


def line(one: Line) -> dict[str, Any]:
    """One line; `values` are the criteria in the order in which they were compared."""
    return {
        "rank": one.rank,
        **_short(one.entrant),
        "state": one.entrant.state.value,
        "wins": one.wins,
        "losses": one.losses,
        "played": one.played,
        "values": [{"name": name, "value": value} for name, value in one.values],
        "decided_by": one.decided_by or None,
        "out_in": one.out_in,
        "listed": one.listed,
    }


def told(one: Told) -> dict[str, Any]:
    """One entry of the log; `author` null = the server."""
    return {
        "seq": one.seq,
        "at": rfc3339(one.at),
        "author": one.author,
        "command": one.command,
        "reason": one.reason,
        "data": dict(one.data),
    }


def _short(one: Entrant) -> dict[str, Any]:
    return {"entry": one.number, "handle": one.handle}


def _numbers(one: Pairing) -> tuple[int, int | None]:
    return one.first.number, None if one.second is None else one.second.number
