"""Letters about tournaments as such; those about their matches are letters about matches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from bgmail.notify.letters.desk import Desk
from bgmail.notify.occasion import Occasion
from bgmail.phrases import tournaments as words
from bgmail.phrases.formats import round_name, round_title
from bgmail.phrases.people import called
from bgmail.rules.score import Ending
from bgmail.service.notices import Kind
from bgmail.service.tournaments import views
from bgmail.service.tournaments.lists import pairing_of, stage_size
from bgmail.store import people
from bgmail.store import tournaments as rows


def paired(desk: Desk) -> dict[str, Any]:
    """A match has begun, and the opponent is on turn."""
    return {"situation": desk.situation()}


def letter(desk: Desk) -> dict[str, Any]:
    """What happened in a tournament, in a title and a few lines."""
    told = says(desk.connection, desk.occasion)
    return {"title": told.title, "lines": told.lines, "url": desk.links.tournament(told.tournament)}


def says(connection: Connection, occasion: Occasion) -> words.Said:
    """What a notice about a tournament says. Raises LookupError where there is no such tournament."""
    data = occasion.notice.data
    row = rows.by_id(connection, data["tournament"])
    if row is None:
        raise LookupError(f"notice {occasion.notice.id} is about no tournament")
    title, lines = _SAY[occasion.kind](connection, occasion, row)
    return words.Said(row.id, _name(row), title, tuple(line for line in lines if line))


def means(connection: Connection, occasion: Occasion) -> str:
    """What the end of a match means in its tournament, for its reader; "" for a match of none."""
    found = pairing_of(connection, occasion.match.id) if occasion.match.tournament else None
    result = occasion.match.match.result
    if found is None or result is None:
        return ""
    stage, colon, _ = found.key.rpartition(":")
    its = found.plan.stages[int(stage) - 1 if colon else 0]
    counts = result.ending is not Ending.ANNULLED
    out = counts and its.format == "knockout" and not its.option("third_place")
    return words.means(
        words.full_name(found.name, found.season, found.division),
        its.format,
        won=result.winner is occasion.side,
        out=out,
    )


def _entered(_connection: Connection, _occasion: Occasion, row: Any) -> words.TitleAndLines:
    return words.entered(_name(row), runs=row.state == "running")


def _bye(connection: Connection, occasion: Occasion, row: Any) -> words.TitleAndLines:
    return words.bye(_name(row), _round_title(connection, row, occasion.notice.data))


def _round(connection: Connection, occasion: Occasion, row: Any) -> words.TitleAndLines:
    data = occasion.notice.data
    return words.drawn(_name(row), _round_title(connection, row, data), _handle(connection, data["opponent"]))


def _over(connection: Connection, occasion: Occasion, row: Any) -> words.TitleAndLines:
    people_ = {one.number: views.entrant_of(one) for one in rows.entries(connection, row.id)}
    lines = views.standings_of(row.standings, people_).lines
    mine = next((line for line in lines if line.entrant.account_id == occasion.notice.account_id), None)
    first = [called(line.entrant.handle) for line in lines if line.rank == 1 and line.listed]
    place = mine.rank if mine and mine.listed else None
    winner = first[0] if len(first) == 1 else ""
    return words.over(_name(row), place, len(lines), winner, mine=bool(winner) and place == 1)


def _says(connection: Connection, occasion: Occasion, row: Any) -> words.TitleAndLines:
    data = occasion.notice.data
    return words.announced(_name(row), _handle(connection, data["author"]), data["text"])


def _cancelled(connection: Connection, occasion: Occasion, row: Any) -> words.TitleAndLines:
    data = occasion.notice.data
    return words.cancelled(_name(row), _handle(connection, data["author"]), data["reason"])


def _late(connection: Connection, occasion: Occasion, row: Any) -> words.TitleAndLines:
    data = occasion.notice.data
    if "round" not in data:
        return words.not_started(_name(row))
    return words.late(_name(row), _round_title(connection, row, data), data["number"])


def _round_title(connection: Connection, row: Any, data: Mapping[str, Any]) -> str:
    """What the round of these pairings is called: its number where they have several names, or none is known."""
    plan, number = views.tournament_of(row).plan, data["round"]
    keys = data.get("pairings", [data["pairing"]] if "pairing" in data else [])
    names = {round_title(plan, key, number, stage_size(connection, row.id, key, row.entered)) for key in keys}
    return names.pop() if len(names) == 1 else round_name(number)


def _name(row: Any) -> str:
    return words.full_name(row.name, row.season, row.division)


def _handle(connection: Connection, account_id: int) -> str:
    row = people.by_id(connection, account_id)
    return called(row.handle) if row else ""


_SAY = {
    Kind.TOURNAMENT_ENTERED: _entered,
    Kind.TOURNAMENT_BYE: _bye,
    Kind.TOURNAMENT_ROUND: _round,
    Kind.TOURNAMENT_OVER: _over,
    Kind.TOURNAMENT_SAYS: _says,
    Kind.TOURNAMENT_CANCELLED: _cancelled,
    Kind.TOURNAMENT_LATE: _late,
}
