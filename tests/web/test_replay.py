"""The replay: news step by step, an address for every position, numbers for the script, boards to print."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from bgmail.ledger.film import Frame, film
from bgmail.rules.position import Position
from bgmail.rules.side import Side
from bgmail.service import films, invitations, matches
from bgmail.service.films import Told
from bgmail.service.imports import import_file
from bgmail.service.terms import Handle, Terms
from bgmail.store.matches import secret
from bgmail.web import newsreel
from bgmail.web.newsreel import left_off
from tests.web.conftest import Visitor
from tests.web.table import Table
from tests.web.test_queue import statements

Deal = Callable[..., Table]


@pytest.fixture
def deal(app: Flask) -> Deal:
    return lambda *dice, **terms: Table(app, *dice, **terms)


@pytest.fixture
def table(deal: Deal) -> Table:
    """Two games: 31: 8/5 6/5, Bob doubles, Alice passes; 42: 8/4 6/4, 65: 24/13, Alice is to roll."""
    made = deal((3, 1), (2, 4), (6, 5))
    made.act(Side.WHITE, "play", play="8/5 6/5")
    made.act(Side.BLACK, "double")
    made.act(Side.WHITE, "pass")
    made.act(Side.BLACK, "play", play="8/4 6/4")
    return made


def seqs(table: Table, kind: str) -> list[int]:
    return [entry.seq for entry in matches.log(table.world.store, table.view.id) if entry.kind == kind]


def reel(visitor: Visitor) -> dict[str, Any]:
    """What the page of a match gives to the script of the replay."""
    found = re.search(r"<script[^>]* data-film[^>]*>(.*?)</script>", visitor.page, re.DOTALL)
    assert found
    return dict(json.loads(found[1]))


def film_of(visitor: Visitor, table: Table) -> dict[str, Any]:
    return dict(visitor.get(f"{table.path}/film").get_json())


# ---- since the last visit


def test_news_can_be_gone_through_and_each_leads_to_its_position(table: Table) -> None:
    table.alice.open(table.path)
    rows = reel(table.alice)["rows"]
    told = [row[2] for row in rows]
    assert told == ["bob won game 1, 1 point", "bob 4-2: 8/4 6/4"]
    for row in rows:
        assert f'href="{table.path}/log/{row[0]}"' in table.alice.page
    assert f'href="{table.path}/print?after={seqs(table, "pass")[0]}"' in table.alice.page


def test_only_what_was_not_seen_yet_plays_by_itself(table: Table) -> None:
    table.alice.open(table.path)
    assert "data-film data-fresh" in table.alice.page
    table.alice.open(table.path)
    assert "data-film>" in table.alice.page, "the news stand there for another look"
    table.stranger.open(table.path)
    assert "data-fresh" not in table.stranger.page


def test_where_the_board_brings_its_measures_they_are_not_sent_twice(table: Table) -> None:
    table.alice.open(table.path)
    assert "geometry" in reel(table.alice)
    table.act(Side.WHITE, "roll")
    table.alice.open(table.path)
    assert "geometry" not in reel(table.alice)


def test_news_that_reach_back_farther_than_we_read_begin_where_the_position_is_known(
    deal: Deal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who danced for forty turns saw the replay begin with 16 checkers a side, and a play without its dice."""
    table = deal((3, 1), (6, 5), (4, 2), (6, 2))
    for side, play in ((Side.WHITE, "8/5 6/5"), (Side.BLACK, "24/13"), (Side.WHITE, "8/4 6/4")):
        table.act(side, "play", play=play)
        table.act(side.other, "roll")
    table.act(Side.BLACK, "play", play="24/18 13/11")
    monkeypatch.setattr(newsreel, "RECENT", 5)
    monkeypatch.setattr(newsreel, "MARGIN", 0)
    table.stranger.open(table.path)
    found = reel(table.stranger)
    assert [row[2] for row in found["rows"]] == ["alice 4-2: 8/4 6/4", "bob 6-2: 24/18 13/11"]
    assert found["start"]
    assert "What was before" in table.stranger.page


def test_a_roll_that_waits_has_no_line_though_a_clock_stopped_after_it(deal: Deal) -> None:
    table = deal((3, 1), (6, 5))
    table.act(Side.WHITE, "play", play="8/5 6/5")
    table.act(Side.BLACK, "roll")
    before = table.entries()
    table.bob.open("/settings/vacation")
    table.bob.post("/settings/vacation", {})
    assert table.entries() > before
    table.bob.open(table.path)
    assert [row[2] for row in reel(table.bob)["rows"]] == ["alice 3-1: 8/5 6/5"]


def test_a_roll_alone_is_nothing_to_replay(deal: Deal) -> None:
    table = deal((3, 1))
    table.alice.open(table.path)
    assert "data-film" not in table.alice.page
    assert "start the game" in table.alice.text


def entry(seq: int, seat: str | None, kind: str, via: str = "page") -> Told:
    return Told(seq, seq, seat, via, kind, {})


LOG = [
    entry(5, "white", "play"),
    entry(6, "black", "roll"),
    entry(7, "black", "play"),
    entry(8, "white", "double", "mail"),
    entry(9, "black", "take"),
    entry(10, "white", "roll", "auto"),
    entry(11, "white", "play", "auto"),
    entry(12, "black", "roll"),
]


@pytest.mark.parametrize(
    ("seen", "after", "why"),
    [
        (12, 8, "what came after one's own latest decision explains the board, however often one looks"),
        (9, 8, "that decision was made since"),
        (None, 8, "who never opens the page is told by letters what happened before the own decision"),
        (6, 6, "one decided by mail: all since the last look at the page is news"),
        (2, 5, "one has seen the page since: the play at 5 was made on it"),
    ],
)
def test_news_begin_where_one_left_off(seen: int | None, after: int, why: str) -> None:
    assert left_off(LOG, Side.WHITE, seen) == after, why


def test_a_spectator_sees_the_last_four_rolls() -> None:
    rolls = [entry(seq, "white", "roll") for seq in range(10, 20)]
    assert left_off(rolls, None, None) == 15
    assert left_off(rolls, Side.BLACK, 3) == 15, "and so does who never acted"


# ---- every position


def test_every_step_has_a_page_of_its_own_that_a_stranger_may_keep(table: Table) -> None:
    for row in film_of(table.stranger, table)["rows"]:
        answer = table.stranger.get(f"{table.path}/log/{row[0]}")
        assert answer.status_code == 200
        assert row[2] in table.stranger.text


def test_a_play_is_shown_with_its_dice_and_arrows_in_the_position_after_it(table: Table) -> None:
    table.bob.open(f"{table.path}/log/{seqs(table, 'play')[0]}")
    board = table.bob.page.split('class="board"')[1].split("</svg>")[0]
    assert "20 point, 2 of alice" in table.bob.page
    assert board.count("bd-arrow") == 2
    assert board.count('"bd-die"') == 2
    assert "Pips: alice 163, bob 167" in table.bob.text


def test_a_double_lies_before_the_side_that_answers_and_the_end_of_a_game_keeps_its_last_position(
    table: Table,
) -> None:
    table.stranger.open(f"{table.path}/log/{seqs(table, 'double')[0]}")
    assert "bd-offer" in table.stranger.page
    table.stranger.open(f"{table.path}/log/{seqs(table, 'game_over')[0]}")
    assert "5 point, 2 of yours" in table.stranger.page, "game 2 has not begun on this board"
    assert "alice 0, bob 1" in table.stranger.text


def test_a_roll_that_waited_for_its_play_is_a_position_too(table: Table) -> None:
    table.act(Side.WHITE, "roll")
    table.act(Side.WHITE, "play", play="24/13")
    table.bob.open(f"{table.path}/log/{seqs(table, 'roll')[-1]}")
    assert "alice 6-5: rolled" in table.bob.text
    assert "bd-arrow" not in table.bob.page


def test_the_opening_roll_of_a_game_is_on_the_sheet_of_that_game(table: Table) -> None:
    table.bob.open(f"{table.path}/log/{seqs(table, 'opening_roll')[1]}")
    assert "you 4-2: start the game" in table.bob.text
    assert "Pip counts in game 2" in table.bob.page


def test_the_buttons_lead_on_back_and_from_game_to_game(table: Table) -> None:
    table.bob.open(f"{table.path}/replay")
    steps = [row[0] for row in film_of(table.bob, table)["rows"]]
    links = re.findall(r'data-to="(\w+)"[^>]* href="[^"]*/log/(\d+)"', table.bob.page)
    assert links == [
        ("on", str(steps[1])),
        ("game_on", str(seqs(table, "play")[1])),
        ("last", str(steps[-1])),
    ]
    table.bob.open(f"{table.path}/log/{steps[-1]}")
    assert re.findall(r'data-to="(\w+)"[^>]* href="[^"]*/log/(\d+)"', table.bob.page) == [
        ("game_back", str(steps[0])),
        ("back", str(steps[-2])),
    ]


def test_the_sheet_and_the_graph_are_those_of_the_game(table: Table) -> None:
    table.bob.open(f"{table.path}/log/{seqs(table, 'play')[1]}")
    assert "Pip counts in game 2" in table.bob.page
    assert "alice from 167 to 167 pips, you from 161 to 161" in table.bob.page
    assert "aria-current=step" in table.bob.page
    assert "8/5 6/5" not in table.bob.text


@pytest.mark.parametrize("path", ["/log/0", "/log/9999", "/log/one", "/log/" + "4" * 30])
def test_an_entry_that_isnt_there_is_nowhere(table: Table, path: str) -> None:
    assert table.bob.get(table.path + path).status_code == 404


@pytest.mark.parametrize("path", ["/replay", "/film", "/log/1", "/print", "/log"])
def test_an_invitation_between_two_is_nobody_elses_to_look_at(app: Flask, path: str) -> None:
    table = Table(app, (3, 1))
    here, alice = table.world, table.view.white
    assert alice
    terms, to = Terms(5), Handle("charlie")
    offered = invitations.invite(here.store, alice.id, terms, to, "", here.now(), here.chance)
    invited = f"/match/{offered.id}"
    assert table.bob.get(invited + path).status_code == 404
    assert table.stranger.get(invited + path).status_code == 404
    assert table.alice.get(invited + path).status_code in (200, 404)


# ---- numbers for the script


def test_the_script_is_told_positions_dice_and_cube_of_every_step(table: Table) -> None:
    told = film_of(table.stranger, table)
    start = Position.start()
    plays = [frame for frame in frames(table) if frame.play]
    assert [row[1:] for row in told["rows"]] == [
        [1, "alice 3-1: 8/5 6/5", "8/5 6/5", plays[0].position_id, 0, "31", "1--", 0, 0],
        [1, "bob doubled to 2", "", "", -1, "", "2-w", 0, 0],
        [1, "alice passed", "", "", -1, "", "1--", 0, 0],
        [1, "bob won game 1, 1 point", "", "", -1, "", "1--", 0, 1],
        [2, "bob 4-2: 8/4 6/4", "8/4 6/4", plays[1].position_id, 1, "24", "1--", 0, 1],
    ]
    assert Position.from_id(plays[0].position_id) != start
    assert (told["viewer"], told["white"], told["who"]) == (0, True, {"white": "alice", "black": "bob"})
    assert film_of(table.bob, table)["viewer"] == 1


def frames(table: Table) -> list[Frame]:
    return film(films.told(table.world.store, table.view.id))


def test_no_secret_and_no_die_to_come_is_told(table: Table) -> None:
    with table.world.store.read() as connection:
        kept = [row.secret.hex() for row in connection.execute(secret.select())]
    assert kept
    shown = [
        entry.data["secret"]
        for entry in matches.log(table.world.store, table.view.id)
        if "secret" in entry.data
    ]
    for path in ("/film", "/replay", "/print?game=2", "/log", ""):
        page = table.alice.open(table.path + path).get_data(as_text=True)
        assert not any(one in page for one in [*kept, *shown]), path


# ---- boards to print


def test_a_game_is_printed_with_a_board_for_each_step(table: Table) -> None:
    table.bob.open(f"{table.path}/print?game=1")
    assert table.bob.page.count("<figure>") == 4
    assert "you doubled to 2" in table.bob.text
    ids = re.findall(r'\bid="([^"]+)"', table.bob.page)
    assert len(ids) == len(set(ids)), "each board has its own"


@pytest.mark.parametrize(("query", "count"), [("", 5), ("?game=99", 0), ("?after=x", 5), ("?game=-1", 0)])
def test_a_wish_that_makes_no_sense_prints_nothing_wrong(table: Table, query: str, count: int) -> None:
    answer = table.bob.open(f"{table.path}/print{query}")
    assert answer.status_code == 200
    assert table.bob.page.count("<figure>") == count


# ---- long matches


GAME = """\
 Game {number}
 Ann : 0                           Ben : {before}
  1) 31: 8/5 6/5                    Doubles => 2
  2)  Drops
                                    Wins 1 point
"""


@pytest.fixture
def long_match(app: Flask) -> str:
    """A points session of 400 games from a file: an import with thousands of entries."""
    here = app.extensions["bgmail"]
    games = "\n".join(GAME.format(number=number, before=number - 1) for number in range(1, 401))
    found = import_file(here.store, "long.mat", f" 0 point match\n\n{games}".encode(), here.now())
    assert len(films.told(here.store, found.match_id)) > 2000
    return found.match_id


@pytest.mark.parametrize("path", ["/log/{middle}", "/replay", "/film", "/print?game=2", "/log"])
def test_however_long_a_match_is_the_queries_are_as_few(table: Table, long_match: str, path: str) -> None:
    counts = []
    for match_id in (table.view.id, long_match):
        middle = films.told(table.world.store, match_id)[-3].seq
        with statements(table.world) as seen:
            answer = table.alice.get(f"/match/{match_id}{path.format(middle=middle)}")
        assert answer.status_code == 200
        counts.append(len(seen))
    assert counts[0] <= 6
    assert counts[1] <= counts[0] + 2, "the names of an imported match are looked up as well"


def test_of_a_long_match_only_one_game_is_on_a_page_and_the_rest_is_short_numbers(
    table: Table, long_match: str
) -> None:
    page = table.stranger.get(f"/match/{long_match}/log/1500")
    assert len(page.data) < 40_000
    told = table.stranger.get(f"/match/{long_match}/film")
    rows = told.get_json()["rows"]
    assert len(rows) > 1500
    assert len(told.data) / len(rows) < 100


def test_the_page_of_a_match_asks_no_more_for_the_news_than_two_queries(table: Table) -> None:
    with statements(table.world) as seen:
        table.alice.get(table.path)
    news = [one for one in seen if "visit" in one.lower() or "action" in one.lower()]
    assert len(news) <= 4, news
