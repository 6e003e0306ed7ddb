"""What the commands of the contract print, and how they end."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
from flask import Flask
from sqlalchemy import update

from bgmail.cli.beside import record_ports
from bgmail.cli.commands import COMMANDS
from bgmail.devmail import Sink
from bgmail.rules.match import legal
from bgmail.service import accounts, bounces, invitations, logins, notices, turns
from bgmail.service.outages import alive, latest
from bgmail.service.pulses import last_beat
from bgmail.service.turns import Request
from bgmail.store import errands
from bgmail.store.engine import Store
from bgmail.store.ratings import rating
from tests.cli.conftest import NOW, Terminal
from tests.fixtures.servers import free_port
from tests.service.rated import beats, club

MAT = """ 1 point match

 Game 1
 Ann : 0                           Ben : 0
  1) 31: 8/5 6/5                    64: 24/14
"""


def words(command: click.Command, before: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """A command and all that it contains."""
    here = (*before, command.name or "")
    inner = command.commands.values() if isinstance(command, click.Group) else ()
    return [here, *(found for each in inner for found in words(each, here))]


@pytest.mark.parametrize("command", [found for each in COMMANDS for found in words(each)], ids=" ".join)
def test_every_command_has_help(terminal: Terminal, command: tuple[str, ...]) -> None:
    assert "Usage:" in terminal.says(*command, "--help")


def test_the_commands_of_the_contract_are_there(app: Flask) -> None:
    assert {command.name for command in COMMANDS} >= {
        *("dev", "scheduler", "user", "token", "match", "import", "tick", "verify-dice", "audit", "backup"),
        *("restore", "db", "doctor", "rating"),
    }


def test_a_user_is_added_with_an_address_that_counts_as_verified(terminal: Terminal) -> None:
    terminal.says("user", "add", "Alice", "alice@play.example", "--password", "correct horse")
    account = accounts.by_handle(terminal.world.store, "alice")
    assert (account.email, account.verified, account.has_password) == ("alice@play.example", True, True)
    terminal.says("user", "add", "robot", "robot@play.example", "--bot")
    assert accounts.by_handle(terminal.world.store, "robot").is_bot


@pytest.mark.parametrize(
    ("handle", "email", "word"),
    [
        ("ALICE", "other@play.example", "taken"),
        ("x", "x@play.example", "2"),
        ("bob", "nonsense", "address"),
        ("bob", "alice@play.example", "address"),
        ("<b>", "b@play.example", "<"),
    ],
)
def test_a_user_that_cannot_be_is_refused_on_stderr(
    terminal: Terminal, handle: str, email: str, word: str
) -> None:
    terminal.says("user", "add", "alice", "alice@play.example")
    assert word in terminal.complains("user", "add", handle, email)


def test_a_token_is_printed_and_nothing_else(terminal: Terminal) -> None:
    terminal.says("user", "add", "alice", "alice@play.example")
    token = terminal.says("token", "create", "alice", "--name", "script")
    assert len(token.split()) == 1
    account = logins.by_token(terminal.world.store, token, NOW)
    assert account
    assert account.handle == "alice"
    assert logins.tokens(terminal.world.store, account.id)[0].name == "script"
    assert "nobody" in terminal.complains("token", "create", "nobody")


@pytest.fixture
def match_id(terminal: Terminal) -> str:
    for name in ("alice", "bob"):
        terminal.says("user", "add", name, f"{name}@play.example")
    return terminal.says("match", "create", "alice", "bob", "--length", "7")


def accept(terminal: Terminal, match_id: str) -> None:
    here = terminal.world
    bob = accounts.by_handle(here.store, "bob")
    invitations.accept(here.store, match_id, bob.id, NOW, here.chance)


def test_a_match_is_created_shown_and_exported(terminal: Terminal, match_id: str) -> None:
    assert "An invitation from alice" in terminal.says("match", "show", match_id)
    accept(terminal, match_id)
    shown = terminal.says("match", "show", match_id)
    assert "7-point match" in shown
    assert "alice (X)" in shown
    assert max(map(len, shown.splitlines())) <= 80
    state = json.loads(terminal.says("match", "show", match_id, "--json"))
    assert (state["id"], state["you"], state["phase"]) == (match_id, None, "play")
    assert json.loads(terminal.says("match", "export", match_id))["format"] == "bgmail-match-1"
    assert "7 point match" in terminal.says("match", "export", match_id, "--format", "mat")


def test_a_match_on_other_terms_is_created(terminal: Terminal, match_id: str) -> None:
    session = ("--length", "0", "--games", "3", "--time", "untimed", "--rules", "club")
    other = terminal.says("match", "create", "bob", "alice", *session)
    state = json.loads(terminal.says("match", "show", other, "--json"))
    assert (state["length"], state["games"], state["rated"], state["white"]) == (
        0,
        3,
        False,
        {"handle": "bob"},
    )


@pytest.mark.parametrize(
    "command",
    [
        ("match", "show", "nowhere"),
        ("match", "export", "nowhere"),
        ("verify-dice", "nowhere"),
        ("match", "create", "alice", "nobody", "--length", "7"),
        ("match", "create", "alice", "alice", "--length", "7"),
        ("match", "create", "alice", "bob", "--length", "26"),
        ("match", "create", "alice", "bob", "--length", "7", "--time", "forever"),
        ("match", "create", "alice", "bob", "--length", "7", "--rules", "chess"),
        ("match", "create", "alice", "bob"),
        ("tick", "--at", "2026-03-03T00:00:00Z"),
        ("backup", "/nowhere/at/all.db"),
        ("restore", "/nowhere/at/all.db"),
        ("dance",),
    ],
    ids=" ".join,
)
def test_what_cannot_be_done_is_said_on_stderr(
    terminal: Terminal, match_id: str, command: tuple[str, ...]
) -> None:
    assert terminal.complains(*command).strip()
    assert terminal.type(*command).stdout == ""


def test_files_are_imported_one_by_one_and_each_gets_a_line(terminal: Terminal, tmp_path: Path) -> None:
    good, bad, missing = tmp_path / "good.mat", tmp_path / "bad.mat", tmp_path / "missing.mat"
    good.write_text(MAT)
    bad.write_text(MAT.replace("64: 24/14", "64: 24/13"))
    result = terminal.type("import", str(bad), str(good), str(missing))
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0].startswith(f"refused\t{bad}\tgame 1, move 1: ")
    assert lines[1] == f"accepted\t{good}"
    assert lines[2].startswith(f"refused\t{missing}\t")
    assert len(lines) == 3
    assert terminal.says("import", str(good)) == f"accepted\t{good}"


def test_a_path_with_a_tab_or_a_line_end_still_gets_one_line(terminal: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "a\tb\nc.mat"
    file.write_text(MAT)
    assert terminal.says("import", str(file)) == f"accepted\t{tmp_path}/a\\tb\\nc.mat"


def test_an_export_is_imported_again(terminal: Terminal, match_id: str, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(terminal.says("match", "export", match_id))
    assert terminal.says("import", str(file)) == f"accepted\t{file}"


def finish(terminal: Terminal, match_id: str) -> None:
    here = terminal.world
    accept(terminal, match_id)
    while (view := turns.load(here.store, match_id)).match.on_turn is not None:
        wish = Request("roll", view.version)
        if view.match.phase.value == "play":
            wish = Request("play", view.version, play=str(legal(view.match)[0]))
        if view.match.game > 1:
            wish = Request("resign_match", view.version)
        turns.act(here.store, match_id, view.match.on_turn, wish, NOW, here.chance)


def test_dice_are_verified_by_id_and_from_a_file(terminal: Terminal, match_id: str, tmp_path: Path) -> None:
    finish(terminal, match_id)
    assert "The dice are as committed to" in terminal.says("verify-dice", match_id)
    file = tmp_path / "match.json"
    file.write_text(terminal.says("match", "export", match_id))
    assert "The dice are as committed to" in terminal.says("verify-dice", str(file))


def test_a_running_game_is_said_to_be_checked_later(terminal: Terminal, match_id: str) -> None:
    accept(terminal, match_id)
    assert "Game 1 is not over" in terminal.says("verify-dice", match_id)


def test_dice_from_elsewhere_cannot_be_verified(terminal: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "x.mat"
    file.write_text(MAT)
    terminal.says("import", str(file))
    with terminal.world.store.read() as connection:
        [imported] = connection.exec_driver_sql("SELECT id FROM match").scalars()
    assert "Ann" in terminal.says("match", "show", imported)
    assert "elsewhere" in terminal.complains("verify-dice", imported)
    assert "JSON" in terminal.complains("verify-dice", str(file))


def test_tick_says_what_it_did_and_travels_in_time_only_when_allowed(
    terminal: Terminal, match_id: str
) -> None:
    terminal.set(mail_server=None)
    accept(terminal, match_id)
    assert "BGMAIL_ALLOW_TIME_TRAVEL" in terminal.complains("tick", "--at", "2026-04-01T00:00:00Z")
    terminal.set(time_travel=True)
    assert "zone" in terminal.complains("tick", "--at", "2026-04-01T00:00:00")
    assert "tomorrow" in terminal.complains("tick", "--at", "tomorrow")
    for beyond in ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "2200-01-01T00:00:00Z"):
        assert "between 1970 and 2200" in terminal.complains("tick", "--at", beyond)
    alive(terminal.world.store, NOW - timedelta(hours=1))
    said = terminal.says("tick", "--at", "2026-04-01T00:00:00+02:00")
    assert latest(terminal.world.store, 1) == []  # the time until then counts as served
    assert f"timeout {match_id}" in said
    state = json.loads(terminal.says("match", "show", match_id, "--json"))
    assert state["result"]["ending"] == "timeout"
    terminal.says("tick")
    assert [outage.why for outage in latest(terminal.world.store, 9)] == ["down"]
    assert last_beat(terminal.world.store) == NOW - timedelta(hours=1)
    assert "the service was down 2026-03-02 11:00 to 2026-03-02 12:00 UTC" in terminal.type("doctor").stdout


def test_letters_of_a_tick_go_to_the_mailbox_of_the_development_server_beside_it(
    terminal: Terminal, match_id: str, tmp_path: Path
) -> None:
    sink = Sink.start(tmp_path / "mail")
    settings = terminal.world.settings
    record_ports(settings.for_development(5071, "127.0.0.1", sink.port), sink.port)
    try:
        assert "deliver: sent invitation" in terminal.says("tick")
        [number] = sink.mailbox.numbers()
        letter = sink.mailbox.read(number)
        assert letter
        assert f"http://127.0.0.1:5071/match/{match_id}" in letter.text()
    finally:
        sink.stop()


def test_what_a_development_server_of_the_past_wrote_down_does_no_harm(
    terminal: Terminal, match_id: str
) -> None:
    file = record_ports(terminal.world.settings, free_port())
    assert terminal.says("tick") == "nothing was due"
    file.write_text("{")
    assert terminal.says("tick") == "nothing was due"


def test_an_audit_without_findings_ends_well_and_with_one_does_not(terminal: Terminal, match_id: str) -> None:
    finish(terminal, match_id)
    assert "0 findings" in terminal.says("audit")
    with terminal.world.store.write() as connection:
        connection.exec_driver_sql("UPDATE match SET version = 1")
    result = terminal.type("audit")
    assert result.exit_code == 1
    assert f"match {match_id}: version is 1" in result.stdout


def test_the_schema_of_a_newer_version_is_refused_with_the_right_advice(terminal: Terminal) -> None:
    with terminal.world.store.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    for command in (("audit",), ("db", "upgrade"), ("tick",)):
        said = terminal.complains(*command)
        assert "newer version" in said
        assert "db upgrade" not in said


def test_a_backup_is_made_before_the_upgrade_too(terminal: Terminal, tmp_path: Path) -> None:
    """The advice for an older schema begins with it."""
    with terminal.world.store.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0001'")
    assert "make a backup" in terminal.complains("audit")
    assert "checked" in terminal.says("backup", str(tmp_path / "copy.db"))


def test_a_database_with_tables_of_somebody_else_is_left_alone(terminal: Terminal) -> None:
    with terminal.world.store.write() as connection:
        connection.exec_driver_sql("DELETE FROM alembic_version")
    for command in (("audit",), ("db", "upgrade")):
        assert "no schema of bgmail" in terminal.complains(*command)


def test_a_file_that_is_no_database_is_told_in_a_sentence(terminal: Terminal, tmp_path: Path) -> None:
    broken = tmp_path / "broken.db"
    broken.write_text("this is no database " * 100)
    before = terminal.world
    terminal.app.extensions["bgmail"] = replace(before, store=Store(f"sqlite:///{broken}"))
    for command in (("audit",), ("db", "upgrade"), ("tick",), ("match", "show", "m")):
        assert "The database can't be used: file is not a database" in terminal.complains(*command)
    terminal.world.store.close()
    terminal.app.extensions["bgmail"] = before


def test_letters_are_tried_again_to_one_address_or_to_all(terminal: Terminal) -> None:
    for address in ("alice@example.org", "bob@example.org", "dana@example.org"):
        bounces.refuse(terminal.world.store, address, "550 no such person", NOW)
    assert terminal.says("letters", "try-again", "Bob@example.org") == "Bob@example.org is written to again"
    assert "No letters have come back" in terminal.complains("letters", "try-again", "bob@example.org")
    assert terminal.says("letters", "try-again", "--all") == "written to again: 2 addresses"
    for wrong in ((), ("bob@example.org", "--all")):
        assert "one address, or --all" in terminal.complains("letters", "try-again", *wrong)


def test_doctor_waits_for_no_fact_that_nobody_is_told(terminal: Terminal) -> None:
    with terminal.world.store.write() as connection:
        notices.owe(
            connection, [notices.fact(notices.Kind.EXPIRED, NOW - timedelta(days=1), address="a@b.example")]
        )
    assert "letters   1 due, the oldest for 1 d" in terminal.type("doctor").stdout
    with terminal.world.store.write() as connection:
        errands.plan(connection, 1, [])
    assert "letters   0 due" in terminal.type("doctor").stdout


def test_a_tournament_is_made_and_looked_at(terminal: Terminal) -> None:
    terminal.says("user", "add", "dana", "dana@play.example", "--password", "correct horse")
    made = terminal.says("tournament", "create", "dana", "Autumn", "--length", "3", "--format", "knockout")
    assert terminal.says("tournament", "show", made) == "Autumn (draft), 0 entries, 0 waiting"
    assert json.loads(terminal.says("tournament", "show", made, "--json"))["conditions"]["length"] == 3
    assert json.loads(terminal.says("tournament", "export", made))["format"] == "bgmail-tournament-1"
    assert terminal.says("tournament", "export", made, "--format", "csv").startswith("rank,player,wins")
    wrong = terminal.type("tournament", "create", "dana", "Autumn", "--length", "3", "--plan", "x")
    assert "that is not JSON" in wrong.stderr


def test_ratings_are_made_anew_to_the_same_numbers_and_wrong_ones_are_found(terminal: Terminal) -> None:
    store, people = terminal.world.store, club(terminal.world.store, NOW, 2)
    beats(store, people, "alice", "bob", NOW - timedelta(hours=1))
    assert "ratings   1 match to be rated, the oldest for 1 h" in terminal.type("doctor").stdout
    assert terminal.says("rating", "recompute") == "1 match, 0 with another effect than before"
    assert terminal.says("rating", "recompute") == "1 match, 0 with another effect than before"
    assert "ratings   0 matches to be rated" in terminal.type("doctor").stdout
    assert "0 findings" in terminal.says("audit")
    with store.write() as connection:
        connection.execute(update(rating).values(value=3000))
    assert "rating of account 2, correspondence: value is 3000.0" in terminal.type("audit").stdout
    terminal.says("rating", "recompute")
    assert "0 findings" in terminal.says("audit")


@pytest.mark.parametrize(("free", "level"), [(11, "ok"), (9, "bad"), (0, "bad")])
def test_doctor_complains_of_a_disk_that_is_nine_tenths_full(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, free: int, level: str
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(total=100 << 20, free=free << 20))
    result = terminal.type("doctor")
    assert f"{level:<5}disk      {free} MB free ({free}%) at " in result.stdout
    assert result.exit_code == 1 or level == "ok"
