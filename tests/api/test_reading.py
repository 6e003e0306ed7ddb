"""Lists, logs and exports: what everybody may see, and who sees what."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from bgmail.api.models import Export, Log, MatchList
from bgmail.formats.matreader import read_mat
from bgmail.rules.dice import Dice
from tests.api.conftest import Clock, Program, Table, check_refused

VERIFY = Path(__file__).parents[1] / "dice_check" / "verify.py"


def ids(program: Program, query: str) -> list[str]:
    answer = program.get(f"/matches?{query}")
    MatchList.model_validate(answer.get_json())
    return [state["id"] for state in answer.get_json()["matches"]]


def test_my_turn_running_and_finished_are_three_lists(table: Table, clock: Clock) -> None:
    table.begin((3, 1))
    first = table.id
    clock.move(hours=1)
    table.begin((1, 3))
    second = table.id
    assert ids(table.alice, "state=my_turn") == [first]
    assert ids(table.alice, "state=running") == [first, second] == ids(table.alice, "")
    table.alice.act(first, "resign_match")
    assert ids(table.alice, "state=finished") == [first] == ids(table.bob, "state=finished")
    assert ids(table.alice, "state=running") == [second]


def test_a_cursor_leads_through_all_matches_once(table: Table, clock: Clock) -> None:
    made = []
    for _ in range(5):
        table.begin((3, 1))
        made.append(table.id)
        clock.move(minutes=1)
    found: list[str] = []
    query = "state=my_turn&limit=2"
    while query:
        page = table.alice.get(f"/matches?{query}").get_json()
        found += [state["id"] for state in page["matches"]]
        query = f"state=my_turn&limit=2&cursor={page['cursor']}" if page["cursor"] else ""
    assert found == made


def test_a_running_match_is_public_to_look_at(table: Table, charlie: Program) -> None:
    table.begin((3, 1))
    state = charlie.state(table.id)
    assert (state["you"], state["options"], state["dice"]) == (None, [], [3, 1])
    assert charlie.get(f"/matches/{table.id}/export?format=mat").status_code == 200


def test_the_log_is_told_whole_or_from_an_entry_on(table: Table) -> None:
    table.begin((3, 1))
    table.alice.act(table.id, "play", play="8/5 6/5")
    log = table.alice.get(f"/matches/{table.id}/log").get_json()
    Log.model_validate(log)
    kinds = [entry["kind"] for entry in log["entries"]]
    assert kinds == ["invite", "commit", "accept", "commit", "opening_roll", "play"]
    assert [entry["seq"] for entry in log["entries"]] == [1, 2, 3, 4, 5, 6]
    rest = table.alice.get(f"/matches/{table.id}/log?after=5").get_json()["entries"]
    assert rest == log["entries"][5:]


def test_a_chat_or_a_message_is_in_no_export(table: Table, app: Flask) -> None:
    state = table.begin((3, 1))
    told = json.dumps(table.alice.get(f"/matches/{table.id}/export").get_json())
    assert state["id"] in told
    assert "message" not in told


def test_an_export_of_a_finished_match_verifies_by_a_program_of_its_own(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = table.chance.draw
    steered: list[Dice] = []

    def steer_the_first(*what: Any) -> Dice:
        promised = honest(*what)
        if steered:
            return promised
        steered.append(Dice(promised.d1 % 6 + 1, promised.d2 % 6 + 1))
        return steered[0]

    monkeypatch.setattr(table.chance, "draw", steer_the_first)
    table.begin(length=1)
    play_to_the_end(table)
    export = table.alice.get(f"/matches/{table.id}/export").get_json()
    Export.model_validate(export)
    assert export["format"] == "bgmail-match-1"
    verdict = verify(export, tmp_path)
    assert verdict.returncode == 1
    assert f"roll 1 of game 1 is [{steered[0].d1}, {steered[0].d2}]" in verdict.stderr


def test_honest_dice_verify_and_a_changed_die_does_not(table: Table, tmp_path: Path) -> None:
    table.begin(length=3)
    play_to_the_end(table)
    export = table.bob.get(f"/matches/{table.id}/export").get_json()
    verdict = verify(export, tmp_path)
    assert (verdict.returncode, verdict.stderr) == (0, "")
    assert "0 rolls wait for a secret; 0 games began unguarded" in verdict.stdout
    export["entries"][4]["text"] = export["entries"][4]["text"].replace('"dice":[', '"dice":[9')
    assert verify(export, tmp_path).returncode == 1


def test_a_running_match_is_exported_as_far_as_it_got(table: Table) -> None:
    table.begin((3, 1), (6, 4))
    table.alice.act(table.id, "play", play="8/5 6/5")
    table.bob.act(table.id, "roll")
    answer = table.alice.get(f"/matches/{table.id}/export?format=mat")
    assert answer.content_type.startswith("text/plain")
    assert f'filename="{table.id}.mat"' in answer.headers["Content-Disposition"]
    recorded = read_mat(answer.get_data())
    assert (recorded.white, recorded.black, recorded.complete) == ("alice", "bob", False)
    assert [event.play for event in recorded.games[0].events] == ["8/5 6/5", None]


def test_an_unknown_format_is_refused(table: Table) -> None:
    table.begin((3, 1))
    check_refused(table.alice.get(f"/matches/{table.id}/export?format=pdf"), 422, "malformed")


@pytest.mark.parametrize("path", ["", "/log", "/export"])
def test_what_is_not_there_is_not_found(alice: Program, path: str) -> None:
    check_refused(alice.get(f"/matches/nothing{path}"), 404, "no_match")


def play_to_the_end(table: Table) -> None:
    """Both play the first legal play, and take every double, which nobody offers."""
    state = table.alice.state(table.id)
    while state["phase"] != "over":
        wish = {"action": "roll"} if state["phase"] == "roll_or_double" else {"action": "play"}
        if state["legal"]:
            wish["play"] = state["legal"][-1]["play"]
        state = checked_action(table, state, wish)


def checked_action(table: Table, state: dict[str, object], wish: dict[str, str]) -> dict[str, object]:
    answer = table.post(table.on_turn(state), version=state["version"], **wish)
    assert answer.status_code == 200, answer.get_json()
    result: dict[str, object] = answer.get_json()
    return result


def verify(export: object, folder: Path) -> subprocess.CompletedProcess[str]:
    file = folder / "match.json"
    file.write_text(json.dumps(export))
    return subprocess.run([sys.executable, VERIFY, file], capture_output=True, text=True, check=False)
