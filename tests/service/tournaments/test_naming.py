"""Names in the log of a tournament: of those who have closed their account nothing is left there."""

from __future__ import annotations

from typing import Any

from sqlalchemy import insert

from bgmail.phrases.people import CLOSED
from bgmail.service import departures
from bgmail.service.tournaments import views
from bgmail.store import tournaments as rows
from tests.service.tournaments.club import Club


def test_a_closed_account_has_no_name_in_the_log_any_more(either_club: Club) -> None:
    club = either_club
    tournament = club.begin(3, conditions={"length": 1, "substitutes": True}, places=3)
    club.enter(tournament, "Erin")
    for name in ("Bob", "Stella"):
        club.person(name)
        club.say(tournament, "add_organiser", handle=name.lower())
    club.say(tournament, "remove_organiser", handle="bob")
    club.say(tournament, "withdraw", entry=1)

    def told() -> list[dict[str, Any]]:
        """What the log tells of people, by the API and on pages."""
        names = ("handle", "substitute", "instead_of")
        log = views.log(club.store, tournament.id)
        found = [{name: one.data[name] for name in names if name in one.data} for one in log]
        return [one for one in found if one]

    was = {"substitute": "Erin", "instead_of": "player1"}
    assert told() == [{"handle": "Bob"}, {"handle": "Stella"}, {"handle": "Bob"}, was]
    for name in ("Bob", "Erin"):
        departures.close(club.store, club.person(name), club.now, club.chance)
    now = {"substitute": CLOSED, "instead_of": "player1"}
    assert told()[:4] == [{"handle": CLOSED}, {"handle": "Stella"}, {"handle": CLOSED}, now]
    with club.store.read() as connection:
        kept = "".join(row.data for row in rows.log_of(connection, tournament.id))
    assert "Bob" not in kept
    assert "Erin" not in kept


def test_handles_in_older_logs_are_looked_up(club: Club) -> None:
    tournament = club.create()
    bob = club.person("Bob")
    old = {"tournament_id": tournament.id, "at": club.now, "reason": "", "command": "add_organiser"}
    with club.store.write() as connection:
        for seq, handle in enumerate(("b0b", "nobody"), 10):
            connection.execute(insert(rows.log), {**old, "seq": seq, "data": f'{{"handle":"{handle}"}}'})
    handles = [one.data.get("handle") for one in views.log(club.store, tournament.id)]
    assert handles == [None, "Bob", "nobody"]
    departures.close(club.store, bob, club.now, club.chance)
    assert [one.data.get("handle") for one in views.log(club.store, tournament.id)][1] == CLOSED
