"""Faults that other sites had with tournaments, each as it was reported, with the right answer."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bgmail.pairing.field import How
from bgmail.rules.match import Phase
from bgmail.service import turns
from bgmail.service.errors import Refused
from bgmail.service.tournaments import views
from bgmail.service.tournaments.leaving import leave
from bgmail.service.tournaments.views import EntryState, Pairing, State, Tournament
from tests.service.test_deadlines import owed
from tests.service.tournaments.club import Club

SWISS = {"stages": [{"format": "swiss", "rounds": 5}], "tie_breaks": ["buchholz"]}


def round_of(club: Club, tournament: Tournament, number: int) -> list[Pairing]:
    return [one for one in club.pairings(tournament).values() if one.round == number]


def play_round(club: Club, tournament: Tournament, number: int) -> None:
    """Of two the one with the smaller number wins."""
    for one in round_of(club, tournament, number):
        if one.second is not None:
            club.wins(one, min(one.first, one.second, key=lambda side: side.number).handle)
    club.job()


@pytest.mark.parametrize("stay", [0, 1])
def test_when_everybody_has_left_a_swiss_ends_with_the_standings_of_its_last_round(
    club: Club, stay: int
) -> None:
    """An empty field was taken for all: everybody was paired anew every round."""
    tournament = club.begin(6, SWISS)
    for number in (1, 2):
        play_round(club, tournament, number)
    before = {line.entrant.number: line.wins for line in views.standings(club.store, tournament.id).lines}
    for number in range(1 + stay, 7):
        leave(club.store, tournament.id, club.person(f"player{number}"), club.now, club.chance)
    club.job()
    assert club.job() == []
    assert club.load(tournament).state is State.OVER
    assert max(one.round for one in club.pairings(tournament).values()) == 3, "the one that was under way"
    played = [one for one in club.pairings(tournament).values() if one.how is How.PLAYED]
    wins = {number: sum(one.winner == number for one in played) for number in range(1, 7)}
    assert wins == before
    told = owed(club.store, "tournament_over")
    assert len(told) == len(set(told)) == 6


def test_a_round_closes_when_one_is_excluded_and_two_who_play_each_other_are_disqualified(club: Club) -> None:
    """Their matches had no result any more, and the round waited for them for ever."""
    tournament = club.begin(6, SWISS)
    play_round(club, tournament, 1)
    one, other, last = round_of(club, tournament, 2)
    assert one.second
    assert other.second
    club.say(tournament, "exclude", entry=one.first.number, reason="Two accounts")
    club.job()
    now = club.pairings(tournament)[one.key]
    assert (now.winner, now.how) == (one.second.number, How.FORFEIT)
    for entrant in (other.first, other.second):
        club.say(tournament, "disqualify", entry=entrant.number, reason="Fixed a match")
    club.job()
    now = club.pairings(tournament)[other.key]
    assert (now.winner, now.how) == (None, How.FORFEIT)
    for key in (one.key, other.key):
        match = turns.load(club.store, club.pairings(tournament)[key].match_id or "").match
        assert (match.phase, match.on_turn) == (Phase.OVER, None)
    assert round_of(club, tournament, 3) == []
    club.wins(last, last.first.handle)
    club.job()
    third = round_of(club, tournament, 3)
    assert sorted(one.how is How.BYE for one in third) == [False, True]
    assert sum(2 - (one.second is None) for one in third) == 3


def test_a_bye_that_the_director_gave_is_still_the_only_one_when_the_round_is_drawn_again(
    club: Club,
) -> None:
    """Drawn again with byes kept, three had one."""
    tournament = club.begin(7, SWISS, {"length": 1, "rounds": "hand"})
    for number in (1, 2):
        club.say(tournament, "pair")
        if number == 1:
            club.say(tournament, "begin")
            club.job()
            play_round(club, tournament, 1)
    (automatic,) = [one for one in round_of(club, tournament, 2) if one.second is None]
    had_one = [one.first.number for one in round_of(club, tournament, 1) if one.second is None]
    chosen = next(number for number in range(1, 8) if number not in (automatic.first.number, *had_one))
    club.say(tournament, "bye", entry=chosen)
    club.say(tournament, "pair", again=True)
    club.job()
    drawn = round_of(club, tournament, 2)
    assert [one.first.number for one in drawn if one.second is None] == [chosen]
    assert len(drawn) == 4


def test_a_round_has_one_bye_at_most_whoever_gives_it_and_however_often(club: Club) -> None:
    """Given to one and then to another, there were three: both, and an automatic one for who was left over."""
    tournament = club.begin(7, SWISS, {"length": 1, "rounds": "hand"})
    club.say(tournament, "pair")
    for number in (3, 5, 3):
        club.say(tournament, "bye", entry=number)
        club.job()
        drawn = round_of(club, tournament, 1)
        assert [one.first.number for one in drawn if one.second is None] == [number]
        assert sorted(side.number for one in drawn for side in (one.first, one.second) if side) == [
            *range(1, 8)
        ]
    club.say(tournament, "withdraw", entry=7)
    club.job()
    before = round_of(club, tournament, 1)
    assert len(before) == 3
    assert all(one.second for one in before), "an even number plays now"
    with pytest.raises(Refused) as refused:
        club.say(tournament, "bye", entry=5)
    assert refused.value.code == "bye_even"
    assert round_of(club, tournament, 1) == before


def test_a_bye_given_before_its_round_is_drawn_is_the_only_one_of_it(club: Club) -> None:
    even, odd = (club.begin(size, SWISS, {"length": 1, "rounds": "hand"}) for size in (6, 5))
    with pytest.raises(Refused) as refused:
        club.say(even, "bye", entry=2)
    assert refused.value.code == "bye_even"
    for number in (2, 4):
        club.say(odd, "bye", entry=number)
    club.job()
    assert len(round_of(club, odd, 1)) == 3
    assert [one.first.number for one in round_of(club, odd, 1) if one.second is None] == [4]


@pytest.mark.parametrize(("size", "given"), [(6, "winner"), (6, "loser"), (7, "winner"), (8, "winner")])
def test_a_bye_given_while_a_round_still_runs_stands_only_where_one_is_needed(
    club: Club, size: int, given: str
) -> None:
    """Who plays on is certain once the round before is over: beside the one given there came an automatic one, or it
    stood there for somebody who was out."""
    plan = {"stages": [{"format": "swiss_elimination", "losses": 1}]}
    tournament = club.begin(size, plan, {"length": 1, "rounds": "hand"})
    for command in ("pair", "begin"):
        club.say(tournament, command)
    club.job()
    last = [one for one in round_of(club, tournament, 1) if one.second][-1]
    assert last.second is not None
    best = {"winner": min, "loser": max}[given]
    chosen = best(last.first, last.second, key=lambda side: side.number)
    club.say(tournament, "bye", entry=chosen.number)
    play_round(club, tournament, 1)
    second = round_of(club, tournament, 2)
    byes = [one.first.number for one in second if one.second is None]
    left = -(-size // 2)
    assert len(byes) == left % 2
    assert byes in ([], [chosen.number]) if given == "winner" else chosen.number not in byes
    there = [side.number for one in second for side in (one.first, one.second) if side]
    assert len(there) == len(set(there))
    if not second:
        club.say(tournament, "pair")
        second = round_of(club, tournament, 2)
    assert sum(2 - (one.second is None) for one in second) == left


def test_who_resigns_before_a_move_is_paired_again_and_so_is_the_opponent(club: Club) -> None:
    """Players whose opponent resigned at once were treated as absent."""
    tournament = club.begin(4, SWISS)
    first = round_of(club, tournament, 1)
    play_round(club, tournament, 1)
    assert {one.how for one in round_of(club, tournament, 1)} == {How.PLAYED}
    assert len(first) == 2
    paired = {
        side.number for one in round_of(club, tournament, 2) for side in (one.first, one.second) if side
    }
    assert paired == {1, 2, 3, 4}
    assert {one.state for one in views.entrants(club.store, tournament.id)} == {EntryState.IN}


def test_seven_days_more_are_168_hours_where_the_clocks_change_and_once_a_press(club: Club) -> None:
    """A deadline that stood at 18:00 moved with the summer time. Here a day has 24 hours: 18:00 becomes 17:00."""
    helsinki = ZoneInfo("Europe/Helsinki")
    club.now = datetime(2023, 10, 24, 15, tzinfo=UTC)
    tournament = club.begin(2, conditions={"length": 1, "time": {"per_turn": 86_400}, "round_days": 1})
    (before,) = club.pairings(tournament).values()
    match_id = before.match_id or ""
    shown = turns.load(club.store, match_id).deadline_at
    assert shown
    assert shown.astimezone(helsinki).isoformat() == "2023-10-25T18:00:00+03:00"
    for _ in range(2):
        club.say(tournament, "extend", days=7, key="storm")
        club.job()
    (after,) = club.pairings(tournament).values()
    assert before.until
    assert after.until == before.until + timedelta(hours=168)
    later = turns.load(club.store, match_id).deadline_at
    assert later == datetime(2023, 11, 1, 15, tzinfo=UTC)
    assert later.astimezone(helsinki).isoformat() == "2023-11-01T17:00:00+02:00"
