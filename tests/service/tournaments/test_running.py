"""From the start to the end: matches without invitations, their dice, results, standings."""

from __future__ import annotations

import hashlib

import pytest

from bgmail import dice
from bgmail.ledger.entry import parse_entry
from bgmail.pairing.field import How
from bgmail.rules.match import Phase
from bgmail.service import admission, turns
from bgmail.service.audits import Tally, audit
from bgmail.service.tournaments import advancing, beginning, chance, views
from bgmail.service.tournaments.beginning import Table, begin_some
from bgmail.service.tournaments.leaving import leave
from bgmail.service.tournaments.views import State
from bgmail.store import matches
from bgmail.store import tournaments as rows
from tests.service.tournaments.club import Club


def finish(club: Club, tournament: views.Tournament) -> None:
    """Whoever has the smaller number wins everything."""
    while running := [one for one in club.pairings(tournament).values() if one.match_id and one.how is None]:
        for pairing in running:
            assert pairing.second is not None
            club.wins(pairing, min(pairing.first, pairing.second, key=lambda one: one.number).handle)
        club.job()


def test_a_round_robin_runs_by_itself_to_its_end(either_club: Club) -> None:
    club = either_club
    tournament = club.begin(4)
    assert tournament.state is State.RUNNING
    assert [bool(one.match_id) for one in club.pairings(tournament).values()] == [True] * 6
    finish(club, tournament)
    assert club.load(tournament).state is State.OVER
    lines = views.standings(club.store, tournament.id).lines
    assert [(line.rank, line.entrant.handle, line.wins, line.losses) for line in lines] == [
        (1, "player1", 3, 0),
        (2, "player2", 2, 1),
        (3, "player3", 1, 2),
        (4, "player4", 0, 3),
    ]
    assert {one.how for one in club.pairings(tournament).values()} == {How.PLAYED}
    assert [finding.text for finding in audit(club.store, Tally())] == []


def test_everything_about_a_match_was_fixed_before_anybody_entered(club: Club) -> None:
    tournament = club.begin(3)
    with club.store.read() as connection:
        nonces = {row.account_id: row.nonce for row in rows.entries(connection, tournament.id)}
    finish(club, tournament)
    over = club.load(tournament)
    secret = bytes.fromhex(over.published or "")
    assert hashlib.sha256(secret).hexdigest() == tournament.commitment
    assert chance.lot(secret, nonces.values()) == over.lot
    for pairing in club.pairings(tournament).values():
        assert pairing.second is not None
        numbers = (pairing.first.number, pairing.second.number)
        assert pairing.match_id == chance.match_id(secret, tournament.id, pairing.key, *numbers, attempt=0)
        with club.store.read() as connection:
            log = [parse_entry(text) for text, _ in matches.texts(connection, pairing.match_id)]
        invite, commit, accept = log[:3]
        assert (invite.kind, commit.kind, accept.kind) == ("invite", "commit", "accept")
        assert invite.data["tournament"] == tournament.id
        assert invite.data["pairing"] == pairing.key
        assert [invite.nonce, accept.nonce] == [
            nonces[pairing.first.account_id],
            nonces[pairing.second.account_id],
        ]
        assert invite.data["server_nonce"]
        assert commit.data["commitment"] == dice.commitment(chance.game_secret(secret, pairing.match_id))
        verdict = dice.verify(log)
        assert verdict.good
        assert verdict.unguarded == []


def test_who_takes_no_more_matches_keeps_nobody_else_waiting(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beginning, "MOST", 1)  # as in a field with many who take no more
    tournament = club.create(conditions={"length": 1, "at_once": 1})
    other = club.open(conditions={"length": 1}, name="Before")
    club.enter(other, "player1", "player9")
    club.say(other, "start")
    club.job()
    admission.set_most(club.store, club.person("player1"), "1")
    club.say(tournament, "open")
    club.enter(tournament, *(f"player{number}" for number in range(1, 7)))
    club.say(tournament, "start")
    club.job()
    playing = [one for one in club.pairings(tournament).values() if one.match_id]
    handles = {side.handle for one in playing for side in (one.first, one.second) if side}
    assert handles == {"player2", "player3", "player4", "player5"}


def test_nobody_plays_more_matches_at_once_than_the_conditions_say(club: Club) -> None:
    tournament = club.begin(5, conditions={"length": 1, "at_once": 1})
    running = [one for one in club.pairings(tournament).values() if one.match_id]
    assert len(running) == 2
    finish(club, tournament)
    assert club.load(tournament).state is State.OVER


def test_who_takes_no_more_matches_is_asked_again_later(club: Club) -> None:
    admission.set_most(club.store, club.person("player1"), "1")
    tournament = club.begin(4)
    begun = [one for one in club.pairings(tournament).values() if one.match_id]
    assert len(begun) == 4
    club.wins(next(one for one in begun if one.has(1)), "player1")
    assert club.job()[:2] == ["advanced", "began 1 of"]


def test_a_look_that_nothing_came_of_changes_nothing(club: Club) -> None:
    tournament = club.begin(3)
    before = club.load(tournament), club.pairings(tournament)
    with club.store.write() as connection:
        rows.wake(connection, [tournament.id], club.now)
    assert club.job() == ["looked at"]
    assert (club.load(tournament), club.pairings(tournament)) == before


def test_a_match_says_to_its_tournament_that_it_is_over_and_others_say_nothing(club: Club) -> None:
    tournament = club.begin(2)
    (pairing,) = club.pairings(tournament).values()
    assert pairing.match_id
    club.wins(pairing, "player1")
    assert turns.load(club.store, pairing.match_id).match.phase is Phase.OVER
    with club.store.read() as connection:
        assert rows.due(connection, club.now) == tournament.id


def drawn(club: Club) -> tuple[views.Tournament, Table]:
    """Three who are paired and have not begun, and what a job has read of them."""
    conditions = {"length": 1, "substitutes": True}
    tournament = club.open(conditions=conditions, places=3)
    club.enter(tournament, "ada", "bea", "cleo", "dora")
    club.say(tournament, "start")
    assert advancing.step(club.store, club.now, club.chance)
    seen = advancing.read(club.store, tournament.id)
    assert seen is not None
    assert len(seen.pairings) == 3
    return tournament, seen.table()


def test_no_match_begins_for_somebody_who_was_replaced_meanwhile(club: Club) -> None:
    tournament, table = drawn(club)
    leave(club.store, tournament.id, club.person("ada"), club.now, club.chance)
    begin_some(club.store, table, club.now, club.chance)
    club.job()
    for pairing in club.pairings(tournament).values():
        match = turns.load(club.store, pairing.match_id or "")
        assert match.white is not None
        assert match.black is not None
        assert pairing.second is not None
        assert (match.white.handle, match.black.handle) == (pairing.first.handle, pairing.second.handle)


def test_no_match_begins_in_a_tournament_that_was_cancelled_meanwhile(club: Club) -> None:
    tournament, table = drawn(club)
    club.say(tournament, "cancel", reason="Rain")
    club.job()
    assert begin_some(club.store, table, club.now, club.chance).number == 0
    assert all(pairing.match_id is None for pairing in club.pairings(tournament).values())
