"""Several processes look at one tournament, and large ones cost few statements."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from sqlalchemy import event, insert, select

from bgmail.dice import FairChance, verify
from bgmail.service import exports, imports, turns
from bgmail.service.audits import Tally, audit
from bgmail.service.tournaments import advancing, views
from bgmail.service.tournaments.leaving import leave
from bgmail.service.tournaments.views import State
from bgmail.store import tournaments as rows
from bgmail.store.engine import Store
from tests.service.tournaments.club import Club

VERIFY = Path(__file__).parents[2] / "dice_check" / "verify.py"


def test_several_look_at_once_and_each_thing_happens_once(either_club: Club) -> None:
    club = either_club
    tournament = club.open({"stages": [{"format": "round_robin"}]})
    club.enter(tournament, *[f"player{number}" for number in range(1, 8)])
    club.say(tournament, "start")
    over, failed = threading.Event(), []

    def look() -> None:
        store, chance = Store(club.store.url), FairChance()
        try:
            while not over.is_set():
                said = advancing.step(store, club.now, chance)
                assert not any(one.startswith("failed") for one in said), said
                over.wait(0 if said else 0.01)
        except BaseException as error:  # noqa: BLE001 - told by the test
            failed.append(error)
        finally:
            store.close()

    watchers = [threading.Thread(target=look) for _ in range(3)]
    for watcher in watchers:
        watcher.start()
    try:
        played = 0
        while club.load(tournament).state is not State.OVER and not failed:
            for pairing in club.pairings(tournament).values():
                running = pairing.match_id and pairing.how is None
                if running and turns.load(club.store, pairing.match_id or "").match.result is None:
                    club.wins(pairing, pairing.first.handle)
                    played += 1
                    if played == 5:
                        leave(club.store, tournament.id, club.person("player7"), club.now, club.chance)
            over.wait(0.01)
    finally:
        over.set()
        for watcher in watchers:
            watcher.join()
    assert failed == []
    pairings = club.pairings(tournament).values()
    assert len({one.match_id for one in pairings if one.match_id}) == len(
        [one for one in pairings if one.match_id]
    )
    paired = [key for line in views.log(club.store, tournament.id) for key in line.data.get("paired", ())]
    assert sorted(paired) == sorted(one.key for one in pairings)
    assert [finding.text for finding in audit(club.store, Tally())] == []


@pytest.mark.slow
def test_a_large_field_costs_no_more_statements_than_a_small_one(club: Club) -> None:
    """Apart from the matches that begin, each with a row, its log and its secret."""

    def cost(number: int) -> int:
        tournament = club.open({"stages": [{"format": "swiss", "rounds": 2}]}, name=f"of {number}")
        with club.store.write() as connection:
            known = [f"c{number}-{place}" for place in range(number)]
            people = [
                {
                    "handle": name,
                    "handle_key": name,
                    "created_at": club.now,
                    "time_zone": "UTC",
                    "locale": "en",
                }
                for name in known
            ]
            connection.execute(insert(rows.account), people)
            found = connection.execute(
                select(rows.account.c.id).where(rows.account.c.handle.in_(known))
            ).scalars()
            entries = [
                {
                    "tournament_id": tournament.id,
                    "number": place,
                    "account_id": account_id,
                    "state": "in",
                    "nonce": "0f" * 16,
                    "digest": tournament.digest,
                    "entered_at": club.now,
                }
                for place, account_id in enumerate(found, 1)
            ]
            connection.execute(insert(rows.entry), entries)
        club.say(tournament, "start")
        seen: list[str] = []
        event.listen(club.store.engine, "before_cursor_execute", lambda *words: seen.append(words[2]))
        while said := advancing.step(club.store, club.now, club.chance):
            if said[0].startswith("advanced"):
                break
        assert len(club.pairings(tournament)) == number // 2
        with club.store.write() as connection:
            rows.change(connection, tournament.id, due_at=None)
        return len(seen)

    assert cost(200) == cost(20)


def test_a_corrected_match_is_taken_over_and_verified_elsewhere(club: Club, tmp_path: Path) -> None:
    tournament = club.begin(2)
    (pairing,) = club.pairings(tournament).values()
    club.wins(pairing, "player1")
    club.job()
    club.say(tournament, "correct", pairing=pairing.key, winner=2, reason="The wrong button")
    club.job()
    told = exports.export_json(club.store, pairing.match_id or "")
    file = tmp_path / "match.json"
    file.write_text(json.dumps(told))
    stranger = subprocess.run([sys.executable, VERIFY, file], capture_output=True, text=True, check=False)
    assert stranger.returncode == 0, stranger.stdout + stranger.stderr
    assert verify(imports.read_entries(file.read_bytes())).good
    assert imports.import_export(club.store, file.read_bytes()).known
    forged = file.read_text().replace("The wrong button", "No reason at all")
    file.write_text(forged)
    assert subprocess.run([sys.executable, VERIFY, file], capture_output=True, check=False).returncode == 1
