"""Looking back: the score sheet, one position, files, and the page about the dice."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from flask import Flask

from bgmail.board.staged import hops_of
from bgmail.ledger.entry import parse_entry
from bgmail.rules.side import Side
from bgmail.store.matches import secret
from tests.web.table import Table

Deal = Callable[..., Table]


@pytest.fixture
def deal(app: Flask) -> Deal:
    return lambda *dice, **terms: Table(app, *dice, **terms)


@pytest.fixture
def played(deal: Deal) -> Table:
    """31: 8/5 6/5, Bob doubles, Alice passes; the next game is open."""
    table = deal((3, 1), (4, 2))
    table.act(Side.WHITE, "play", play="8/5 6/5")
    table.act(Side.BLACK, "double")
    table.act(Side.WHITE, "pass")
    return table


def test_the_sheet_has_a_column_a_player_and_a_section_a_game(played: Table) -> None:
    played.stranger.open(f"{played.path}/log")
    words = played.stranger.text
    assert words.index("Before the first game") < words.index("Game 1") < words.index("Game 2")
    assert "3-1 8/5 6/5 doubled to 2 passed" in words
    assert "you" not in words.split("Game 1")[1].split()


def test_each_play_has_its_position_and_the_way_on(played: Table) -> None:
    play = next(entry for entry in entries(played) if entry["kind"] == "play")
    played.bob.open(f"{played.path}/log/{play['seq']}")
    assert "alice 3-1: 8/5 6/5" in played.bob.text
    assert "20 point, 2 of alice" in played.bob.page
    assert "Position ID" in played.bob.text
    assert 'rel="prev"' in played.bob.page
    assert 'rel="next"' in played.bob.page


def entries(table: Table) -> list[dict[str, object]]:
    file = json.loads(table.stranger.get(f"{table.path}/export.json").data)
    return [json.loads(entry["text"]) for entry in file["entries"]]


@pytest.mark.parametrize("seq", ["0", "9999", "-1", "one", "4" * 30])
def test_an_entry_that_isnt_there_is_nowhere(played: Table, seq: str) -> None:
    assert played.bob.get(f"{played.path}/log/{seq}").status_code == 404


def test_files_are_offered_by_name(played: Table) -> None:
    mat = played.stranger.get(f"{played.path}/export.mat")
    assert "7 point match" in mat.text
    assert f"bgmail-{played.view.id}.mat" in mat.headers["Content-Disposition"]
    file = json.loads(played.stranger.get(f"{played.path}/export.json").data)
    assert file["format"] == "bgmail-match-1"
    assert [parse_entry(entry["text"]).hash for entry in file["entries"]] == [
        e["hash"] for e in file["entries"]
    ]
    assert played.stranger.get(f"{played.path}/export.exe").status_code == 404


def test_the_dice_page_shows_secrets_of_finished_games_alone(played: Table) -> None:
    with played.world.store.read() as connection:
        kept = {row.game: row.secret.hex() for row in connection.execute(secret.select())}
    assert 2 in kept
    pages = [played.alice.get(f"{played.path}{path}").text for path in ("", "/dice", "/log", "/export.json")]
    assert not any(one in page for one in kept.values() for page in pages)
    log = entries(played)
    shown = next(entry["data"]["secret"] for entry in log if entry["kind"] == "reveal")  # type: ignore[index]
    assert shown in pages[1]
    played.alice.open(f"{played.path}/dice")
    assert "is published when the game ends" in played.alice.text
    assert "What this does not prove" in played.alice.text


@pytest.mark.parametrize(
    ("notation", "hops"),
    [
        ("13/7*/5", [(13, 7), (7, 5)]),
        ("bar/22 6/off", [(25, 22), (6, 0)]),
        ("6/4*(2) 8/6", [(6, 4), (6, 4), (8, 6)]),
        ("", []),
    ],
)
def test_hops_of_a_notation(notation: str, hops: list[tuple[int, int]]) -> None:
    assert hops_of(notation) == hops
