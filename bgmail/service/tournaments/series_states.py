"""A series as plain data: what the JSON API answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bgmail.service.states import rfc3339
from bgmail.service.tournaments import states
from bgmail.service.tournaments.divisions import Table, ways
from bgmail.service.tournaments.series import Held, Member, Series


def series(one: Series) -> dict[str, Any]:
    """All that everybody may know. `conditions` is what `digest` is made of, together with `plan`."""
    return {
        "id": one.id,
        "kind": one.kind.value,
        "name": one.name,
        "plan": one.plan.data(),
        "conditions": one.conditions.to_data(),
        "digest": one.digest,
        "size": one.size,
        "moves": one.moves,
        "least": one.least,
        "season": one.season,
        "members": one.members,
        "creator": one.creator,
        "created_at": rfc3339(one.created_at),
        "ended_at": rfc3339(one.ended_at),
    }


def member(one: Member) -> dict[str, Any]:
    """One member; `played` 0 = no season yet."""
    return {"handle": one.handle, "joined_at": rfc3339(one.joined_at), "played": one.played}


def held(one: Held) -> dict[str, Any]:
    """One tournament of a series; `division` 0 in a series of knockouts."""
    return {
        "tournament": one.id,
        "name": one.name,
        "state": one.state.value,
        "season": one.season,
        "division": one.division,
        "started_at": rfc3339(one.started_at),
    }


def divisions(one: Series, tables: Sequence[Table]) -> list[dict[str, Any]]:
    """The standings of each division; `moves` says who would go "up" or "down" if this were the end."""
    return [
        {
            **held(table.held),
            "standings": [
                {**states.line(line), "moves": way or None}
                for line, way in zip(table.lines, ways(one, tables, place), strict=True)
            ],
        }
        for place, table in enumerate(tables)
    ]
