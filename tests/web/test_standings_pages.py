"""Standings whose values can be checked by hand, cross tables, and what can be taken away as files."""

from __future__ import annotations

import csv
import re
from io import StringIO
from typing import Any

import orjson
from flask import Flask

from bgmail.service.tournaments import views
from bgmail.service.tournaments.views import Tournament
from bgmail.world import World
from tests.service.tournaments.club import Club
from tests.service.tournaments.large import large
from tests.web.conftest import Visitor
from tests.web.test_queue import statements
from tests.web.test_tournament_pages import browser_of, path

SWISS = {"stages": [{"format": "swiss", "rounds": 3}], "tie_breaks": ["buchholz", "median_buchholz"]}
CHAMPIONSHIP = {"stages": [{"format": "round_robin"}], "tie_breaks": ["head_to_head", "sonneborn_berger"]}
GROUPS = {
    "stages": [{"format": "round_robin", "groups": 2, "advance": 2}, {"format": "knockout"}],
    "tie_breaks": ["head_to_head"],
}


def played(club: Club, number: int, plan: Any, rounds: int = 99) -> Tournament:
    """So many enter; of two the one with the smaller number wins, for so many rounds at most."""
    tournament = club.begin(number, plan)
    for _ in range(rounds):
        for one in club.pairings(tournament).values():
            if one.how is None and one.match_id and one.second:
                club.wins(one, min(one.first, one.second, key=lambda side: side.number).handle)
        club.job()
    return club.load(tournament)


def lines(text: str) -> list[str]:
    """The rows of tables as plain text."""
    found = re.findall(r"<tr.*?</tr>", text, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in found]


def test_every_value_of_the_standings_shows_what_it_is_made_of(app: Flask, club: Club) -> None:
    tournament = played(club, 5, SWISS)
    reader = browser_of(app, club, "player2")
    reader.get(path(tournament, "/standings"))
    head, *rows_ = lines(reader.page)
    assert head == "Place Player Won Lost Buchholz Median Buchholz"
    assert [row.split()[0] for row in rows_] == ["1", "2", "3", "4", "5"]
    assert reader.page.count('class="mine"') == 1
    shown = {row.split()[1]: row for row in rows_}
    kept = {line.entrant.handle: line for line in views.standings(club.store, tournament.id).lines}
    for name, row in shown.items():
        buchholz = dict(kept[name].values)["buchholz"]
        said = re.search(r"Buchholz ((?:\S+ [\d.]+ \+ )*\S+ [\d.]+) = ([\d.]+)", row)
        assert said
        assert sum(float(part.split()[-1]) for part in said[1].split(" + ")) == float(said[2]) == buchholz
    assert "left out" in shown["player1"]
    assert "Fewer wins than the line above." in reader.text
    assert re.search(
        r"Below the line above by: (Median )?Buchholz\.|Below the line above by: Lot\.", reader.text
    )
    assert "at most half of the rounds so far" in reader.text
    assert "Head-to-head" not in reader.text


def test_groups_have_standings_and_cross_tables_of_their_own(app: Flask, club: Club) -> None:
    tournament = played(club, 6, GROUPS, rounds=0)
    reader = Visitor(app)
    reader.get(path(tournament, "/standings"))
    assert re.findall(r"<h3>(.*?)</h3>", reader.page) == ["Group 1", "Group 2"]
    assert "the tournament is still running" in reader.text
    assert "shares the first place" not in reader.text
    reader.get(path(tournament, "/cross-table"))
    assert re.findall(r"<h3>(.*?)</h3>", reader.page) == ["Group 1", "Group 2"]
    assert reader.page.count("cell-self") == 6


def test_who_is_still_in_a_bracket_shares_its_first_place_and_the_page_says_so(
    app: Flask, club: Club
) -> None:
    """Eight people of a double elimination stood at place 1, one of them without a win, and nothing said why."""
    plan = {"stages": [{"format": "double_elimination"}], "tie_breaks": []}
    tournament, reader = played(club, 4, plan, rounds=1), Visitor(app)
    reader.get(path(tournament, "/standings"))
    assert [row.split()[0] for row in lines(reader.page)[1:]] == ["1"] * 4
    assert "Whoever is still in shares the first place." in reader.text
    reader.get(path(played(club, 2, plan), "/standings"))
    assert "shares the first place" not in reader.text


def test_a_cross_table_reads_the_same_from_both_sides_and_leads_to_matches(app: Flask, club: Club) -> None:
    tournament = played(club, 4, CHAMPIONSHIP)
    reader = Visitor(app)
    reader.get(path(tournament, "/cross-table"))
    for one in club.pairings(tournament).values():
        assert reader.page.count(f'/match/{one.match_id}"') == 2
    assert reader.page.count("won against player") == reader.page.count("lost against player") == 6
    _head, *rows_ = lines(reader.page)
    assert [row.rsplit(" ", 1)[1] for row in rows_] == ["3", "2", "1", "0"]


def test_a_swiss_is_told_round_by_round_with_its_byes_and_forfeits(app: Flask, club: Club) -> None:
    tournament = played(club, 5, SWISS, rounds=1)
    running = next(one for one in club.pairings(tournament).values() if one.how is None and one.second)
    club.say(tournament, "withdraw", entry=running.first.number)
    club.job()
    reader = Visitor(app)
    reader.get(path(tournament, "/cross-table"))
    assert f"won against {running.first.handle} without play" in reader.text
    assert running.second
    assert f"lost against {running.second.handle} without play" in reader.text
    assert ">bye<" in reader.page
    assert ": not over" in reader.text
    reader.get(path(tournament, "/standings"))
    assert "has withdrawn" in reader.text


def test_files_hold_the_whole_tournament(app: Flask, club: Club) -> None:
    tournament = played(club, 4, CHAMPIONSHIP)
    reader = Visitor(app)
    reader.get(path(tournament, "/standings"))
    for table, columns in (("standings", 9), ("pairings", 7), ("players", 6)):
        answer = reader.get(path(tournament, f"/export/{table}.csv"))
        assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
        assert f"-{table}.csv" in answer.headers["Content-Disposition"]
        table_rows = list(csv.reader(StringIO(answer.text, newline="")))
        assert {len(row) for row in table_rows} == {columns}
        assert len(table_rows) == 1 + (6 if table == "pairings" else 4)
    data = orjson.loads(reader.get(path(tournament, "/export.json")).data)
    assert data["id"] == tournament.id
    assert len(data["pairings"]) == 6
    assert reader.get(path(tournament, "/export/accounts.csv")).status_code == 404
    draft = club.create(CHAMPIONSHIP, name="Secret plans")
    for page in ("/standings", "/cross-table", "/export.json", "/export/players.csv"):
        assert reader.get(path(draft, page)).status_code == 404


def test_before_the_start_there_is_nothing_to_stand_in(app: Flask, club: Club) -> None:
    tournament = club.open(CHAMPIONSHIP)
    reader = Visitor(app)
    reader.get(path(tournament))
    assert "/standings" not in reader.text
    reader.get(path(tournament, "/standings"))
    assert "There are no standings yet." in reader.text
    reader.get(path(tournament, "/cross-table"))
    assert "There is no cross table" in reader.text
    assert reader.get(path(tournament, "/export/standings.csv")).status_code == 200


def test_long_standings_come_a_hundred_lines_at_a_time_with_as_many_statements_as_short_ones(
    app: Flask, club: Club, world: World
) -> None:
    few, many = large(club, 6, 2), large(club, 230, 2)
    reader = browser_of(app, club, "of230_230")
    asked: dict[str, set[int]] = {}
    for tournament in (few, many):
        for page in ("/standings", "/cross-table"):
            with statements(world) as seen:
                reader.get(path(tournament, page))
            asked.setdefault(page, set()).add(len(seen))
    assert {page: len(counts) for page, counts in asked.items()} == {"/standings": 1, "/cross-table": 1}
    assert max(max(counts) for counts in asked.values()) <= 12
    for first, shown, says in ((1, 100, "Lines 1 to 100 of 230"), (201, 30, "Lines 201 to 230 of 230")):
        for page in ("/standings", "/cross-table"):
            reader.get(path(many, f"{page}?first={first}"))
            assert len(lines(reader.page)) == 1 + shown
            assert f'aria-current="page">{says}' in reader.page
    for odd in ("0", "-1", "999999", "%D9%A3", "x", ""):
        assert reader.get(path(many, f"/standings?first={odd}")).status_code == 200
    place = next(
        line.rank for line in views.standings(club.store, many.id).lines if line.entrant.handle == "of230_230"
    )
    reader.get(path(many, f"/standings?first={1 if place > 100 else 101}"))
    assert f"Your place: {place}" in reader.text
    there = re.search(r'href="([^"]*first=[^"]*)">Your place', reader.page)
    assert there
    reader.get(there[1])
    assert 'class="mine"' in reader.page
