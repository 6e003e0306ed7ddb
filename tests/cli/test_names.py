"""What `doctor` finds out about names, with name servers of the test's own, and about what waits."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from bgmail.cli.names import examined
from bgmail.notify.planning import plan_all
from bgmail.settings import Settings
from tests.cli.conftest import NOW, Terminal
from tests.service.matchmaking import begin

SETTINGS = Settings(
    instance=Path("instance"),
    database_url="sqlite://",
    base_url="https://club.example",
    inbound_domain="answers.club.example",
    mail_default_sender="bgmail <letters@mail.example>",
)


def test_names_that_lead_somewhere_are_well() -> None:
    known = {
        ("club.example", "AAAA"): ["2001:db8::7"],
        ("answers.club.example", "MX"): ["10 mx.club.example."],
        ("mail.example", "A"): ["192.0.2.7"],
    }
    found = list(examined(SETTINGS, lambda name, kind: known.get((name, kind), [])))
    assert found == [
        ("ok", "club.example: AAAA 2001:db8::7"),
        ("ok", "answers.club.example: MX 10 mx.club.example."),
        ("ok", "mail.example: A 192.0.2.7"),
    ]


def test_names_that_lead_nowhere_are_told_with_what_they_are_for() -> None:
    found = list(examined(SETTINGS, lambda *_: []))
    assert [level for level, _ in found] == ["bad", "bad", "warn"]
    assert found[1][1] == "answers.club.example has no MX record, but answers and reports are sent to it"


def test_name_servers_that_do_not_answer_are_no_fault_of_the_names() -> None:
    def silent(_name: str, _kind: str) -> list[str]:
        raise OSError("name servers don't answer: timeout")

    assert {level for level, _ in examined(SETTINGS, silent)} == {"warn"}


def test_this_very_machine_needs_no_name_server() -> None:
    here = Settings(
        instance=Path("instance"), database_url="sqlite://", mail_default_sender="b <b@localhost>"
    )
    assert list(examined(here, lambda *_: [])) == []


def test_doctor_tells_what_waits_in_each_channel_and_for_how_long(terminal: Terminal) -> None:
    begin(terminal.world.store, NOW - timedelta(hours=1), (3, 1))
    plan_all(terminal.world, NOW - timedelta(hours=1))
    said = terminal.type("doctor").stdout
    assert "bad  backlog   mail: 2 waiting, the oldest for 1 h" in said
