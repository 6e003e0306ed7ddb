"""A match whose player does nothing: accepted through the API, reminded, and lost on time, by `tick` alone."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from tests.endtoend.installation import Installation, post
from tests.fixtures.servers import GRANIAN, StartServer

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.smtp]

ADDRESS = {"white": "alice@play.example", "black": "bob@play.example"}


def begun(installation: Installation, start_server: StartServer) -> dict[str, object]:
    """Alice invites Bob by the command line, and he accepts by a program; the state."""
    installation.say("user", "add", "alice", ADDRESS["white"])
    installation.say("user", "add", "bob", ADDRESS["black"])
    match_id = installation.say("match", "create", "alice", "bob", "--length", "7")
    token = installation.say("token", "create", "bob")
    server = start_server(command=GRANIAN)  # the same folder, without a scheduler
    assert server.folder == installation.folder
    state = post(f"{server.url}/api/v1/matches/{match_id}/accept", token)
    server.end()
    return state


def test_who_does_nothing_is_reminded_three_times_and_loses_on_time(
    installation: Installation, start_server: StartServer
) -> None:
    state = begun(installation, start_server)
    match_id, idle = str(state["id"]), str(state["on_turn"])
    winner = "black" if idle == "white" else "white"
    end = datetime.fromisoformat(str(state["deadline"]))
    start = end - timedelta(days=4)
    installation.tick((start + timedelta(minutes=11)).isoformat())
    told = len(installation.mails())
    assert installation.subjects(ADDRESS[idle])[-1].startswith("Your turn")
    for hours, subject in (
        (19.2, "4 h 47 min until your bank is used"),
        (24 + 57.6, "14 h 23 min left"),
        (90, "5 h 59 min left"),
    ):
        at = (start + timedelta(hours=hours, seconds=1)).isoformat()
        assert len(installation.tick(at)) == 2  # the sweep finds it, and the letter goes
        assert installation.subjects(ADDRESS[idle])[-1] == subject
    assert installation.tick((end - timedelta(seconds=1)).isoformat()) == []
    assert len(installation.mails()) == told + 3, "only who is on turn is reminded"
    assert len(installation.tick(end.isoformat())) == 4  # the sweep, a letter to each, and the rating
    letters = {side: installation.mails(address)[-1] for side, address in ADDRESS.items()}
    assert all(letter.subject.startswith("Lost on time, ") for letter in letters.values())
    names = {"white": "alice", "black": "bob"}
    assert f"Your time ran out. {names[winner]} won the match, 0–0." in letters[idle].text()
    assert f"{names[idle]} ran out of time. You won the match, 0–0." in letters[winner].text()
    result = installation.state(match_id)["result"]
    assert (result["winner"], result["ending"]) == (winner, "timeout")
    assert result["score"] == {"white": 0, "black": 0}
    assert result["awarded"] == {"white": 0, "black": 0, winner: 7}
    assert installation.tick(end.isoformat()) == [], "a second pass finds nothing to do"
    assert len(installation.mails()) == told + 5


def test_time_travels_only_where_it_is_allowed(installation: Installation) -> None:
    refused = installation.run("tick", "--at", "2030-01-01T00:00:00Z")
    assert refused.returncode == 1
    assert refused.stderr == (
        "Error: --at needs BGMAIL_ALLOW_TIME_TRAVEL=1: it makes deadlines pass for everybody.\n"
    )
    assert refused.stdout == ""
    unread = installation.run("tick", "--at", "2030-01-01T00:00:00", BGMAIL_ALLOW_TIME_TRAVEL="1")
    assert unread.returncode == 2
    assert "--at must say its zone: end it with Z for UTC" in unread.stderr
