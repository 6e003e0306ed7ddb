"""What organisers say: results by decision, rounds drawn by hand, places given to others, days more, the end."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bgmail import dice
from bgmail.ledger.entry import parse_entry
from bgmail.ledger.film import film
from bgmail.pairing.field import How
from bgmail.phrases.story import story
from bgmail.phrases.words import Names
from bgmail.rules.match import Phase
from bgmail.rules.score import Ending
from bgmail.service import accounts, departures, exports, turns
from bgmail.service.audits import Tally, audit
from bgmail.service.errors import Forbidden, Refused
from bgmail.service.tournaments import lists, views
from bgmail.service.tournaments.views import EntryState, Pairing, State, Tournament
from bgmail.store import matches
from bgmail.store import tournaments as rows
from tests.service.tournaments.club import Club

KNOCKOUT = {"stages": [{"format": "knockout"}]}
SWISS = {"stages": [{"format": "swiss", "rounds": 3}]}
BY_HAND = {"length": 1, "rounds": "hand"}


def meeting(club: Club, tournament: Tournament, *numbers: int) -> Pairing:
    (found,) = [
        one for one in club.pairings(tournament).values() if all(one.has(number) for number in numbers)
    ]
    return found


def refused(club: Club, tournament: Tournament, name: str, **data: Any) -> str:
    with pytest.raises(Refused) as error:
        club.say(tournament, name, **data)
    return error.value.code


def ending(club: Club, match_id: str | None) -> Ending | None:
    result = turns.load(club.store, match_id or "").match.result
    return result.ending if result else None


def sound(club: Club) -> bool:
    return [finding.text for finding in audit(club.store, Tally())] == []


def test_a_running_match_ends_by_decision(either_club: Club) -> None:
    club = either_club
    tournament = club.begin(3)
    one = meeting(club, tournament, 1, 2)
    assert refused(club, tournament, "decide", pairing=one.key, winner=2) == "reason_needed"
    assert refused(club, tournament, "decide", pairing="x", winner=2, reason="x") == "no_pairing"
    assert refused(club, tournament, "decide", pairing=one.key, winner=3, reason="x") == "bad_result"
    for _ in range(2):
        club.say(
            tournament,
            "decide",
            pairing=one.key,
            winner=2,
            how="forfeit",
            reason="He wrote that he can't play",
        )
    club.job()
    assert (meeting(club, tournament, 1, 2).winner, meeting(club, tournament, 1, 2).how) == (2, How.FORFEIT)
    match = turns.load(club.store, one.match_id or "").match
    assert match.phase is Phase.OVER
    assert ending(club, one.match_id) is Ending.FORFEIT
    with club.store.read() as connection:
        log = [parse_entry(text) for text, _ in matches.texts(connection, one.match_id or "")]
    (said,) = [entry for entry in log if entry.kind == "correction"]
    assert (said.data["author"], said.data["reason"]) == (club.dana, "He wrote that he can't play")
    assert dice.verify(log).good
    assert sound(club)


def test_a_result_is_corrected_and_what_was_played_stays(club: Club) -> None:
    tournament = club.begin(3)
    one = meeting(club, tournament, 1, 2)
    club.wins(one, "player1")
    club.job()
    ended = turns.load(club.store, one.match_id or "").finished_at
    assert refused(club, tournament, "decide", pairing=one.key, winner=2, reason="x") == "has_result"
    club.now += timedelta(hours=1)
    club.say(tournament, "correct", pairing=one.key, winner=2, reason="The wrong button")
    club.job()
    after = turns.load(club.store, one.match_id or "")
    assert after.finished_at == ended
    assert after.match.result is not None
    assert after.person(after.match.result.winner) is not None  # type: ignore[arg-type]
    assert after.person(after.match.result.winner).handle == "player2"  # type: ignore[arg-type, union-attr]
    assert ending(club, one.match_id) is Ending.RESIGNED
    standings = views.standings(club.store, tournament.id).lines
    assert {line.entrant.handle: line.wins for line in standings} == {
        "player1": 0,
        "player2": 1,
        "player3": 0,
    }
    assert sound(club)
    told = exports.export_json(club.store, one.match_id or "")
    assert told["result"]["winner"] == ("black" if one.first.number == 1 else "white")
    entries = [parse_entry(each["text"]) for each in told["entries"]]
    assert dice.verify(entries).good
    assert len(film(entries)) == len(entries)
    assert "The wrong button" in story(entries, Names("player1", "player2"))[-1].text
    club.say(tournament, "correct", pairing=one.key, how="annulled", reason="Neither was there")
    club.job()
    assert ending(club, one.match_id) is Ending.ANNULLED
    assert sound(club)


def test_rounds_by_hand_are_published_before_they_begin(club: Club) -> None:
    tournament = club.begin(6, plan=SWISS, conditions=BY_HAND)
    assert club.pairings(tournament) == {}
    club.say(tournament, "begin")
    club.say(tournament, "pair")
    assert refused(club, tournament, "pair") == "round_drawn"
    club.job()
    drawn = club.pairings(tournament)
    assert (len(drawn), {one.match_id for one in drawn.values()}) == (3, {None})
    club.say(tournament, "pair", again=True)
    club.say(tournament, "begin")
    club.say(tournament, "begin")
    club.job()
    begun = club.pairings(tournament)
    assert all(one.match_id for one in begun.values())
    assert refused(club, tournament, "pair") == "nothing_to_pair"
    for one in begun.values():
        club.wins(one, one.first.handle)
    club.job()
    assert len(club.pairings(tournament)) == 3
    club.say(tournament, "pair")
    assert len(club.pairings(tournament)) == 6


def test_a_round_is_drawn_once_under_one_key_and_only_for_organisers(club: Club) -> None:
    tournament = club.begin(4, SWISS, BY_HAND)
    club.say(tournament, "pair", key="first")
    before = club.pairings(tournament)
    club.say(tournament, "pair", key="first")
    assert club.pairings(tournament) == before
    with pytest.raises(Forbidden):
        club.say(tournament, "pair", who=club.person("charlie"))


def test_a_directors_bye_takes_the_place_of_the_automatic_one(club: Club) -> None:
    """Exactly one bye."""
    tournament = club.begin(7, plan=SWISS, conditions=BY_HAND)
    club.say(tournament, "pair")
    (automatic,) = [one for one in club.pairings(tournament).values() if one.how is How.BYE]
    number = 1 if automatic.first.number != 1 else 2
    club.say(tournament, "bye", entry=number)
    club.job()
    byes = [one for one in club.pairings(tournament).values() if one.how is How.BYE]
    assert [one.first.number for one in byes] == [number]
    assert len(club.pairings(tournament)) == 4
    assert refused(club, tournament, "bye", entry=number) == "has_bye"


def test_who_leaves_between_drawing_and_beginning_is_played_around(club: Club) -> None:
    """The opponent gets another, or the bye; nobody else is concerned, and no match of the leaver begins."""
    tournament = club.begin(7, plan=SWISS, conditions=BY_HAND)
    club.say(tournament, "pair")
    before = club.pairings(tournament)
    gone = next(one for one in before.values() if one.second is not None)
    club.say(tournament, "withdraw", entry=gone.first.number)
    club.job()
    after = club.pairings(tournament)
    assert not any(one.has(gone.first.number) for one in after.values())
    untouched = [one for one in before.values() if one.second is not None and one.key != gone.key]
    assert all(one in after.values() for one in untouched)
    (new,) = [one for one in after.values() if one not in untouched]
    assert gone.second is not None
    assert new.has(gone.second.number)


def test_a_place_is_given_to_somebody_who_waits(club: Club) -> None:
    tournament = club.begin(3, places=3, conditions={"length": 1, "substitutes": True})
    assert refused(club, tournament, "replace", entry=1) == "nobody_waits"
    club.enter(tournament, "erin", "frank")
    club.say(tournament, "replace", entry=1, by=5)
    club.job()
    entrants = {one.handle: (one.number, one.state) for one in views.entrants(club.store, tournament.id)}
    assert entrants["frank"] == (1, EntryState.IN)
    assert entrants["player1"] == (5, EntryState.LEFT)
    club.wins(meeting(club, tournament, 2, 3), "player2")
    assert refused(club, tournament, "replace", entry=2) == "has_played"
    assert sound(club)


def test_who_is_excluded_does_not_come_back(club: Club) -> None:
    opened = club.open()
    club.enter(opened, "alice", "bob")
    assert refused(club, opened, "exclude", entry=1) == "reason_needed"
    club.say(opened, "exclude", entry=1, reason="Not a member")
    with pytest.raises(Refused, match="excluded"):
        club.enter(opened, "alice")
    tournament = club.begin(3)
    club.say(tournament, "exclude", entry=1, reason="Rude")
    club.say(tournament, "disqualify", entry=2, reason="Fixed a match")
    club.job()
    assert [one.state for one in views.entrants(club.store, tournament.id)] == [
        EntryState.EXCLUDED,
        EntryState.DISQUALIFIED,
        EntryState.IN,
    ]
    assert club.load(tournament).state is State.OVER
    assert sound(club)


@pytest.mark.parametrize("waits", [True, False])
def test_who_is_excluded_and_replaced_does_not_come_back_either(club: Club, waits: bool) -> None:
    tournament = club.open(conditions={"length": 1, "substitutes": True}, places=3)
    club.enter(tournament, *["ada", "bea", "cleo", "dora"][: 4 if waits else 3])
    club.say(tournament, "start")
    club.say(tournament, "exclude", entry=1, reason="Two accounts")
    if not waits:
        club.enter(tournament, "dora")
        club.say(tournament, "replace", entry=1)
    states = {one.handle: one.state for one in views.entrants(club.store, tournament.id)}
    assert (states["ada"], states["dora"]) == (EntryState.BARRED, EntryState.IN)
    with pytest.raises(Refused, match="excluded"):
        club.enter(tournament, "ada")


def test_who_was_barred_before_the_start_makes_no_field_larger(club: Club) -> None:
    tournament = club.open(KNOCKOUT)
    club.enter(tournament, "ada", "bea", "cleo")
    club.say(tournament, "exclude", entry=3, reason="Two accounts")
    club.say(tournament, "start")
    club.job()
    played = lists.played_for(club.store, meeting(club, tournament, 1, 2).match_id or "")
    assert played is not None
    assert played.size == 2


def test_days_are_given_once_to_who_is_on_turn(club: Club) -> None:
    tournament = club.begin(3, conditions={"length": 1, "round_days": 10})
    ids = [one.match_id or "" for one in club.pairings(tournament).values()]
    before = [turns.load(club.store, one).deadline_at for one in ids]
    dates = [one.until for one in club.pairings(tournament).values()]
    assert refused(club, tournament, "extend", days=31) == "days"
    for _ in range(2):
        club.say(tournament, "extend", days=3, key="holiday")
    after = [turns.load(club.store, one).deadline_at for one in ids]
    assert all(new and old and new - old == timedelta(days=3) for new, old in zip(after, before, strict=True))
    moved = [one.until for one in club.pairings(tournament).values()]
    assert [date and date + timedelta(days=3) for date in dates] == moved
    assert sound(club)


def test_organisers_come_and_go_and_one_stays(club: Club) -> None:
    tournament = club.open()
    stella = club.person("stella")
    with pytest.raises(Forbidden):
        club.say(tournament, "announce", who=stella, text="Hello")
    club.say(tournament, "add_organiser", handle="stella")
    club.say(tournament, "announce", who=stella, text="Hello")
    club.say(tournament, "remove_organiser", who=stella, handle="dana")
    assert refused_by(club, tournament, stella, "remove_organiser", handle="stella") == "last_organiser"
    assert refused_by(club, tournament, stella, "add_organiser", handle="nobody") == "no_such_organiser"
    accounts.set_staff(club.store, club.dana, is_staff=True)
    club.say(tournament, "announce", text="Staff may")


def test_who_is_gone_does_not_count_as_an_organiser_who_stays(club: Club) -> None:
    tournament = club.open()
    stella = club.person("stella")
    club.say(tournament, "add_organiser", handle="stella")
    accounts.ban(club.store, stella, club.now)
    assert refused(club, tournament, "remove_organiser", handle="dana") == "last_organiser"
    club.say(tournament, "remove_organiser", handle="stella")
    assert [one.handle for one in views.organisers(club.store, tournament.id)] == ["dana"]


def test_who_has_closed_their_account_is_no_organiser_any_more(club: Club) -> None:
    tournament = club.open()
    stella = club.person("stella")
    club.say(tournament, "add_organiser", handle="stella")
    departures.close(club.store, stella, club.now, club.chance)
    assert [one.handle for one in views.organisers(club.store, tournament.id)] == ["dana"]
    assert refused(club, tournament, "remove_organiser", handle="dana") == "last_organiser"
    around = views.around(club.store, [tournament.id], club.dana)[tournament.id]
    assert [one.handle for one in around.organisers] == ["dana"]


def refused_by(club: Club, tournament: Tournament, by: int, name: str, **data: Any) -> str:
    with pytest.raises(Refused) as error:
        club.say(tournament, name, who=by, **data)
    return error.value.code


def test_a_cancelled_tournament_annuls_what_runs(club: Club) -> None:
    tournament = club.begin(3)
    club.wins(meeting(club, tournament, 1, 2), "player1")
    club.job()
    club.say(tournament, "cancel", reason="The hall burnt down")
    club.job()
    over = club.load(tournament)
    assert (over.state, bool(over.published)) == (State.CANCELLED, True)
    assert sorted(str(ending(club, one.match_id)) for one in club.pairings(tournament).values()) == [
        "annulled",
        "annulled",
        "resigned",
    ]
    assert refused(club, tournament, "start") == "tournament_state"
    assert sound(club)


def test_it_is_closed_early_only_when_no_match_runs(club: Club) -> None:
    tournament = club.begin(3, conditions={"length": 1, "at_once": 1})
    assert refused(club, tournament, "close", reason="Summer") == "matches_run"
    (running,) = [one for one in club.pairings(tournament).values() if one.match_id]
    club.say(tournament, "decide", pairing=running.key, winner=running.first.number, reason="Summer")
    club.say(tournament, "close", reason="Summer")
    club.job()
    assert club.load(tournament).state is State.OVER
    assert views.standings(club.store, tournament.id).lines[0].entrant == running.first
    assert len(club.pairings(tournament)) == 1


def test_the_log_says_who_was_passed_over_for_a_bye(club: Club) -> None:
    tournament = club.begin(6, {"stages": [{"format": "swiss", "rounds": 4}]}, BY_HAND)
    played = ((1, 2), (6, 5), (3, 4)), ((1, 3), (2, 5), (4, 6)), ((1, 4), (3, 5), (2, 6))
    made = [
        {
            "tournament_id": tournament.id,
            "key": f"r{number}.{board}",
            "place": 3 * number + board,
            "round": number,
        }
        | {"first": winner, "second": loser, "winner": winner, "how": "played", "made_at": club.now}
        for number, round_ in enumerate(played, 1)
        for board, (winner, loser) in enumerate(round_, 1)
    ]
    with club.store.write() as connection:
        rows.drop_pairings(connection, tournament.id, list(club.pairings(tournament)))
        rows.add_pairings(connection, made)
        rows.change(connection, tournament.id, rounds_begun=3, standings=None)
    club.say(tournament, "withdraw", entry=6)
    club.job()
    club.say(tournament, "pair")
    told = [one for one in views.log(club.store, tournament.id) if one.command == "pair"][-1]
    [bye] = [key for key, one in club.pairings(tournament).items() if one.second is None]
    assert club.pairings(tournament)[bye].first.number != 5, (
        "the last one, but the first has met all the others"
    )
    assert 5 in told.data["passed_over"][bye]
