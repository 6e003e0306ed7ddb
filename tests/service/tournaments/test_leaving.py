"""Withdrawals, substitutes, accounts that go, and forfeits without play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest

from bgmail.pairing.field import How
from bgmail.rules.match import Phase
from bgmail.rules.score import Ending
from bgmail.rules.side import Side
from bgmail.service import accounts, departures, exports, turns
from bgmail.service.audits import Tally, audit
from bgmail.service.deadlines import sweep_some
from bgmail.service.errors import Refused
from bgmail.service.tournaments import leaving, views
from bgmail.service.tournaments.leaving import leave
from bgmail.service.tournaments.views import EntryState, Pairing, State, Tournament
from bgmail.service.turns import Request
from bgmail.store import people
from tests.service.tournaments.club import Club

KNOCKOUT = {"stages": [{"format": "knockout"}]}


def meeting(club: Club, tournament: Tournament, *numbers: int) -> Pairing:
    (found,) = [
        one for one in club.pairings(tournament).values() if all(one.has(number) for number in numbers)
    ]
    return found


def sound(club: Club) -> bool:
    return [finding.text for finding in audit(club.store, Tally())] == []


def test_who_withdraws_forfeits_at_once_what_is_left(either_club: Club) -> None:
    """No match of theirs is left open, and nobody is asked to move in one."""
    club = either_club
    tournament = club.begin(3)
    club.wins(meeting(club, tournament, 1, 2), "player1")
    leave(club.store, tournament.id, club.person("player1"), club.now, club.chance)
    club.job()
    left = meeting(club, tournament, 1, 3)
    assert (left.winner, left.how) == (3, How.FORFEIT)
    match = turns.load(club.store, left.match_id or "").match
    assert match.result is not None
    assert match.result.ending is Ending.FORFEIT
    assert meeting(club, tournament, 1, 2).how is How.PLAYED
    assert meeting(club, tournament, 2, 3).how is None
    assert sound(club)


@pytest.mark.parametrize("go", [departures.close, departures.ban])
def test_who_goes_while_an_organiser_gives_them_a_place_is_gone_from_it(
    club: Club, monkeypatch: pytest.MonkeyPatch, go: Callable[..., int]
) -> None:
    """They were looked for under the number with which they had waited, and played on with their account closed."""
    tournament = club.begin(3, places=3, conditions={"length": 1, "substitutes": True})
    club.enter(tournament, "erin")
    of_person = leaving.rows.of_person

    def found_and_replaced(*asked: Any) -> Sequence[Any]:
        found = of_person(*asked)
        monkeypatch.setattr(leaving.rows, "of_person", of_person)
        club.say(tournament, "replace", entry=1, by=4)
        return found

    monkeypatch.setattr(leaving.rows, "of_person", found_and_replaced)
    go(club.store, club.person("erin"), club.now, club.chance)
    club.job()
    states = {one.number: one.state for one in views.entrants(club.store, tournament.id)}
    assert (states[1], states[4]) == (EntryState.WITHDRAWN, EntryState.LEFT)
    left = [one for one in club.pairings(tournament).values() if one.has(1)]
    assert {one.how for one in left} == {How.FORFEIT}
    assert sound(club)


def test_who_has_nothing_left_has_nothing_to_withdraw_from(club: Club) -> None:
    """Also in a league: whoever has played all of a season stays in it."""
    knockout, robin = club.begin(4, plan=KNOCKOUT), club.begin(3, name="Round")
    first = meeting(club, knockout, 1, 4)
    club.wins(first, "player1")
    for numbers in ((1, 2), (1, 3)):
        club.wins(meeting(club, robin, *numbers), "player1")
    club.job()
    for tournament, name in ((knockout, "player4"), (robin, "player1")):
        with pytest.raises(Refused) as refused:
            leave(club.store, tournament.id, club.person(name), club.now, club.chance)
        assert refused.value.code == "nothing_left"
        entrants = views.entrants(club.store, tournament.id)
        assert {one.state for one in entrants} == {EntryState.IN}
    leave(club.store, knockout.id, club.person("player1"), club.now, club.chance)
    club.say(robin, "withdraw", entry=1)
    assert views.entrants(club.store, robin.id)[0].state is EntryState.WITHDRAWN, "an organiser may say so"


def test_two_who_leave_forfeit_both_and_the_round_closes(club: Club) -> None:
    """C-D becomes a double forfeit, and nothing waits for it."""
    tournament = club.begin(4, plan=KNOCKOUT)
    one, other = (pairing for pairing in club.pairings(tournament).values() if pairing.round == 1)
    for entrant in (one.first, one.second):
        assert entrant is not None
        leave(club.store, tournament.id, entrant.account_id, club.now, club.chance)
    club.wins(other, other.first.handle)
    club.job()
    assert (club.pairings(tournament)[one.key].winner, club.pairings(tournament)[one.key].how) == (
        None,
        How.FORFEIT,
    )
    assert club.load(tournament).state is State.OVER
    assert views.standings(club.store, tournament.id).lines[0].entrant == other.first
    assert sound(club)


def test_everybody_left_and_it_is_over_with_nobody_paired_again(club: Club) -> None:
    tournament = club.begin(6)
    for number in range(1, 7):
        leave(club.store, tournament.id, club.person(f"player{number}"), club.now, club.chance)
    club.job()
    assert club.load(tournament).state is State.OVER
    assert {one.how for one in club.pairings(tournament).values()} == {How.FORFEIT}


@pytest.mark.parametrize("go", [departures.close, departures.ban])
def test_a_closed_account_and_a_banned_one_leave_and_their_matches_are_forfeits(
    club: Club, go: Callable[..., int]
) -> None:
    tournament, waiting = club.begin(3), club.open()
    club.enter(waiting, "player1", "player2")
    go(club.store, club.person("player1"), club.now, club.chance)
    club.job()
    gone = [one for one in club.pairings(tournament).values() if one.has(1)]
    assert {one.how for one in gone} == {How.FORFEIT}
    assert views.entrants(club.store, tournament.id)[0].state is EntryState.WITHDRAWN
    assert views.entrants(club.store, waiting.id)[0].state is EntryState.LEFT
    assert sound(club)


def test_a_substitute_takes_the_place_of_who_had_not_played(club: Club) -> None:
    tournament = club.begin(3, conditions={"length": 1, "substitutes": True}, places=3)
    club.enter(tournament, "erin")
    before = meeting(club, tournament, 1, 2)
    leave(club.store, tournament.id, club.person("player1"), club.now, club.chance)
    club.job()
    after = meeting(club, tournament, 1, 2)
    assert after.how is None
    assert after.match_id not in (None, before.match_id)
    assert {one.handle for one in (after.first, after.second) if one} == {"erin", "player2"}
    old = turns.load(club.store, before.match_id or "").match
    assert old.result is not None
    assert old.result.ending is Ending.ANNULLED
    entrants = {one.handle: (one.number, one.state) for one in views.entrants(club.store, tournament.id)}
    assert entrants["erin"] == (1, EntryState.IN)
    assert entrants["player1"] == (4, EntryState.LEFT)
    assert sound(club)


def test_nobody_is_replaced_who_has_played(club: Club) -> None:
    tournament = club.begin(3, conditions={"length": 1, "substitutes": True}, places=3)
    club.enter(tournament, "erin")
    club.wins(meeting(club, tournament, 1, 2), "player2")
    leave(club.store, tournament.id, club.person("player1"), club.now, club.chance)
    club.job()
    assert meeting(club, tournament, 1, 3).how is How.FORFEIT
    assert views.entrants(club.store, tournament.id)[3].state is EntryState.WAITING


def lapse(club: Club) -> None:
    club.now += timedelta(days=30)
    while sweep_some(club.store, club.now, club.chance):
        pass
    club.job()


def test_two_absentees_both_forfeit(either_club: Club) -> None:
    """Neither ever moved nor came, and never is a winner made up."""
    club = either_club
    tournament = club.begin(2, plan=KNOCKOUT)
    lapse(club)
    (only,) = club.pairings(tournament).values()
    assert (only.winner, only.how) == (None, How.FORFEIT)
    assert club.load(tournament).state is State.OVER


def test_who_waited_here_wins_against_an_absentee_without_play(either_club: Club) -> None:
    """The other showed presence."""
    club = either_club
    tournament = club.begin(2, plan=KNOCKOUT)
    (only,) = club.pairings(tournament).values()
    view = turns.load(club.store, only.match_id or "")
    assert view.match.on_turn is not None
    waits = view.person(view.match.on_turn.other)
    assert waits is not None
    with club.store.write() as connection:
        people.seen(connection, waits.id, club.now + timedelta(hours=1))
    lapse(club)
    (only,) = club.pairings(tournament).values()
    assert only.how is How.FORFEIT
    assert only.winner == (only.first if only.first.account_id == waits.id else only.second).number  # type: ignore[union-attr]


def test_a_resignation_before_the_first_move_is_a_win_that_was_played(club: Club) -> None:
    tournament = club.begin(3)
    only = meeting(club, tournament, 1, 2)
    club.wins(only, "player1")
    club.job()
    assert (meeting(club, tournament, 1, 2).winner, meeting(club, tournament, 1, 2).how) == (1, How.PLAYED)
    assert {one.state for one in views.entrants(club.store, tournament.id)} == {EntryState.IN}


def test_a_match_lost_on_time_after_both_played_was_played(club: Club) -> None:
    tournament = club.begin(2, plan=KNOCKOUT)
    (only,) = club.pairings(tournament).values()
    for _ in range(2):
        view = turns.load(club.store, only.match_id or "")
        side = view.match.on_turn
        assert side is not None
        if view.match.phase is Phase.ROLL_OR_DOUBLE:
            turns.act(club.store, view.id, side, Request("roll", view.version), club.now, club.chance)
            view = turns.load(club.store, view.id)
        if view.match.phase is Phase.PLAY and view.match.on_turn is side:
            play = str(turns.legal(view.match)[0])
            wish = Request("play", view.version, play=play)
            turns.act(club.store, view.id, side, wish, club.now, club.chance)
    lapse(club)
    (only,) = club.pairings(tournament).values()
    assert only.how is How.PLAYED


def test_at_the_date_of_the_round_the_side_on_turn_forfeits(club: Club) -> None:
    conditions = {"length": 1, "round_days": 5, "late": "forfeit", "time": {"per_turn": 30 * 86400}}
    tournament = club.begin(2, plan=KNOCKOUT, conditions=conditions)
    (only,) = club.pairings(tournament).values()
    on_turn = turns.load(club.store, only.match_id or "").match.on_turn
    club.now += timedelta(days=4)
    assert club.job() == []
    club.now += timedelta(days=1)
    club.job()
    (only,) = club.pairings(tournament).values()
    winner = only.first if on_turn is Side.BLACK else only.second
    assert winner is not None
    assert (only.winner, only.how) == (winner.number, How.FORFEIT)
    assert sound(club)


def test_a_tournament_match_keeps_its_clock(club: Club) -> None:
    tournament = club.begin(2, conditions={"length": 1, "rated": False})
    (only,) = club.pairings(tournament).values()
    view = turns.load(club.store, only.match_id or "")
    with pytest.raises(Refused, match="untimed_tournament"):
        turns.act(
            club.store, view.id, Side.WHITE, Request("offer_untimed", view.version), club.now, club.chance
        )


def test_a_forfeited_match_can_be_exported_and_verified(club: Club) -> None:
    tournament = club.begin(2)
    (only,) = club.pairings(tournament).values()
    leave(club.store, tournament.id, club.person("player2"), club.now, club.chance)
    club.job()
    told = exports.export_json(club.store, only.match_id or "")
    assert told["result"]["ending"] == "forfeit"
    assert "player1" in exports.export_mat(club.store, only.match_id or "")
    assert accounts.by_handle(club.store, "player2").active
