from __future__ import annotations

import csv
import json
from io import StringIO
from typing import Any

import pytest

from bgmail.service.tournaments import views
from bgmail.service.tournaments.counting import Counted, counted, crossed
from bgmail.service.tournaments.exports import exported, table_of
from tests.service.tournaments.club import Club

SWISS = {"stages": [{"format": "swiss", "rounds": 2}], "tie_breaks": ["buchholz", "sonneborn_berger"]}
GROUPS = {
    "stages": [{"format": "round_robin", "groups": 2, "advance": 1}, {"format": "knockout"}],
    "tie_breaks": ["head_to_head"],
}


def played(club: Club, number: int, plan: Any) -> views.Tournament:
    """So many play it to the end; of two the one with the smaller number wins."""
    tournament = club.begin(number, plan)
    while open_ := [one for one in club.pairings(tournament).values() if one.how is None and one.match_id]:
        for one in open_:
            assert one.second is not None
            club.wins(one, min(one.first, one.second, key=lambda side: side.number).handle)
        club.job()
    return club.load(tournament)


def reasons_of(club: Club, tournament: views.Tournament) -> Counted:
    lines = views.standings(club.store, tournament.id).lines
    return counted(club.store, tournament, lines, lines)


def test_the_parts_of_every_value_add_up_to_what_the_standings_say(club: Club) -> None:
    tournament = played(club, 5, SWISS)
    kept, found = views.standings(club.store, tournament.id), reasons_of(club, tournament)
    assert len(kept.lines) == 5
    for line in kept.lines:
        reasons = found.reasons[line.entrant.number]
        assert tuple((one.criterion, one.value) for one in reasons) == line.values
        assert all(sum(part.points for part in one.parts if part.counts) == one.value for one in reasons)
    assert found.groups == ()


def test_groups_are_told_until_the_next_stage_has_begun(club: Club) -> None:
    tournament = club.begin(6, GROUPS)
    assert sorted(map(len, reasons_of(club, tournament).groups)) == [3, 3]
    tournament = played(club, 6, GROUPS | {"tie_breaks": []})
    assert reasons_of(club, tournament).groups == ()
    tables = crossed(
        tournament, views.entrants(club.store, tournament.id), views.pairings(club.store, tournament.id)
    )
    assert [(table.stage, table.group, len(table.rows)) for table in tables] == [(0, 1, 3), (0, 2, 3)]


def test_an_export_says_all_that_the_standings_were_computed_from(club: Club) -> None:
    tournament = played(club, 5, SWISS)
    data = json.loads(json.dumps(exported(club.store, tournament)))
    assert data["format"] == "bgmail-tournament-1"
    assert data["plan"] == tournament.plan.data()
    assert data["digest"] == tournament.digest
    assert data["secret"] == tournament.published
    assert [one["player"] for one in data["players"]] == [f"player{number}" for number in range(1, 6)]
    assert len(data["pairings"]) == 6
    assert {one["how"] for one in data["pairings"]} == {"played", "bye"}
    assert [one["rank"] for one in data["standings"]] == [1, 2, 3, 4, 5]
    wins = {one["number"]: one["wins"] for one in data["standings"]}
    assert wins == {
        number: sum(one["winner"] == number for one in data["pairings"]) for number in range(1, 6)
    }


def test_tables_have_names_and_a_column_for_each_criterion(club: Club) -> None:
    tournament = played(club, 5, SWISS)
    header, *rows = csv.reader(StringIO(table_of(club.store, tournament, "standings"), newline=""))
    assert header[:5] == ["rank", "player", "wins", "losses", "played"]
    assert header[5:] == ["buchholz", "sonneborn_berger", "lot", "decided_by", "out_in"]
    assert [row[0] for row in rows] == ["1", "2", "3", "4", "5"]
    header, *rows = csv.reader(StringIO(table_of(club.store, tournament, "pairings"), newline=""))
    assert len(rows) == 6
    assert all(row[4] in row[2:4] for row in rows)
    assert [row[3] for row in rows if row[5] == "bye"] == ["", ""]
    header, *rows = csv.reader(StringIO(table_of(club.store, tournament, "players"), newline=""))
    assert [row[1] for row in rows] == [f"player{number}" for number in range(1, 6)]
    with pytest.raises(KeyError):
        table_of(club.store, tournament, "accounts")
