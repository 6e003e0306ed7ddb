"""Several processes look at one tournament, and large ones cost few statements."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import event, insert, select

from bgmail.dice import FairChance, verify
from bgmail.service import exports, imports, turns
from bgmail.service.audits import Tally, audit
from bgmail.service.errors import Refused
from bgmail.service.tournaments import advancing, views
from bgmail.service.tournaments.commands import command
from bgmail.service.tournaments.desk import Wish
from bgmail.service.tournaments.entering import Entering, enter
from bgmail.service.tournaments.leaving import leave
from bgmail.service.tournaments.views import EntryState, State
from bgmail.store import tournaments as rows
from bgmail.store.engine import Store
from bgmail.store.notices import notice
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


def at_once(club: Club, acts: list[Callable[[Store], object]]) -> list[str]:
    """Lets all act in the same moment; what each was told, in order of the alphabet."""
    together, said = threading.Barrier(len(acts)), []

    def run(act: Callable[[Store], object]) -> None:
        store = Store(club.store.url)
        together.wait()
        try:
            act(store)
        except Refused as refused:
            said.append(refused.code)
        else:
            said.append("done")
        finally:
            store.close()

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(said)


def test_of_two_who_take_the_last_place_at_once_one_gets_it_and_the_other_waits(either_club: Club) -> None:
    """Elsewhere a double click entered the same player twice."""
    club = either_club
    tournament = club.enter(club.open(places=2), "alice")
    wish = Entering(tournament.digest, fair_play=True)
    both = [club.person(name) for name in ("bob", "charlie")]

    def enters(who: int) -> Callable[[Store], object]:
        return lambda store: enter(store, tournament.id, who, wish, club.now, FairChance())

    assert at_once(club, [enters(who) for who in both * 2]) == ["done"] * 4
    entrants = views.entrants(club.store, tournament.id)
    assert [one.state for one in entrants] == [EntryState.IN, EntryState.IN, EntryState.WAITING]
    assert {one.handle for one in entrants} == {"alice", "bob", "charlie"}


def test_of_two_organisers_who_draw_a_round_at_once_one_does_and_everybody_is_told_once(club: Club) -> None:
    tournament = club.begin(
        4, {"stages": [{"format": "swiss", "rounds": 2}]}, {"length": 1, "rounds": "hand"}
    )
    club.person("eve")
    club.say(tournament, "add_organiser", handle="eve")

    def draws(who: int) -> Callable[[Store], object]:
        return lambda store: command(
            store, tournament.id, who, Wish("pair", {}, "", None), club.now, FairChance()
        )

    both = (club.dana, club.person("eve"))
    assert at_once(club, [draws(who) for who in both * 2]) == ["done"] + ["round_drawn"] * 3
    assert len(club.pairings(tournament)) == 2
    with club.store.read() as connection:
        told = connection.scalars(
            select(notice.c.account_id).where(notice.c.kind == "tournament_round")
        ).all()
    assert len(told) == len(set(told)) == 4


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
