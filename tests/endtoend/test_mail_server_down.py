"""A mail server that is down, or half asleep, loses nothing and gets nothing twice."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.endtoend.installation import Installation

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.smtp]


def invite(installation: Installation) -> None:
    installation.say("user", "add", "alice", "alice@play.example")
    installation.say("user", "add", "bob", "bob@play.example")
    installation.say("match", "create", "alice", "bob", "--length", "5")


def later(**span: float) -> str:
    return (datetime.now(UTC) + timedelta(**span)).isoformat()


def test_a_letter_waits_for_the_mail_server_and_is_then_delivered_once(installation: Installation) -> None:
    invite(installation)
    installation.mail_server_goes()
    for minutes in (0, 2, 30):
        assert installation.tick(later(minutes=minutes))[0].startswith("deliver: put off invitation")
    assert installation.mails() == []
    installation.mail_server_comes_back()
    assert installation.tick(later(hours=2))[0].startswith("deliver: sent invitation")
    assert installation.subjects("bob@play.example") == ["Invitation"]
    assert installation.tick(later(hours=3)) == []
    assert len(installation.mails()) == 1


def test_without_a_mail_server_letters_stay_queued_and_the_doctor_says_so(installation: Installation) -> None:
    invite(installation)
    assert installation.run("tick", MAIL_SERVER="").stdout == "nothing was due\n"
    assert "MAIL_SERVER" in installation.run("doctor", MAIL_SERVER="").stdout
    assert installation.tick()[0].startswith("deliver: sent invitation")
    assert len(installation.mails()) == 1
