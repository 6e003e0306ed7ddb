"""A result in a bracket that turns out wrong after the next match was made of it."""

from __future__ import annotations

from bgmail.pairing.field import How
from bgmail.rules.score import Ending
from bgmail.service.tournaments import decisions, views
from tests.service.tournaments.club import Club
from tests.service.tournaments.test_commands import KNOCKOUT, ending, refused, sound


def test_a_correction_is_refused_once_the_next_match_has_begun(club: Club) -> None:
    tournament = club.begin(4, plan=KNOCKOUT)
    first, second = club.pairings(tournament).values()
    club.wins(first, first.first.handle)
    club.job()
    other = first.second
    assert other is not None
    club.say(tournament, "correct", pairing=first.key, winner=other.number, reason="A mistake")
    club.job()
    club.wins(second, second.first.handle)
    club.job()
    final = list(club.pairings(tournament).values())[-1]
    assert final.has(other.number)
    assert final.match_id
    assert (
        refused(club, tournament, "correct", pairing=first.key, winner=first.first.number, reason="x")
        == "followed"
    )


def test_a_correction_annuls_what_followed_if_it_is_told_to(club: Club) -> None:
    """Only annulled, a semi-final would begin anew between the same two, and the result before it could never be put
    right: both are one command."""
    tournament = club.begin(8, plan=KNOCKOUT)
    for one in club.pairings(tournament).values():
        club.wins(one, one.first.handle)
    club.job()
    for key in ("w2.1", "w2.2"):
        club.wins(club.pairings(tournament)[key], club.pairings(tournament)[key].first.handle)
    club.job()
    before = club.pairings(tournament)
    wrong, right = before["w1.2"].first, before["w1.2"].second
    assert right is not None
    data = {"pairing": "w1.2", "winner": right.number, "reason": "The wrong button"}
    assert refused(club, tournament, "correct", **data) == "followed"
    club.say(tournament, "correct", **data, annul_later=True)
    club.job()
    after = club.pairings(tournament)
    assert [after[key].how for key in ("w2.1", "w3.1")] == [How.ANNULLED] * 2
    again = after["w2.1-2"]
    assert again.has(right.number)
    assert not again.has(wrong.number)
    assert again.match_id
    assert after["w2.2"] == before["w2.2"]
    assert [ending(club, before[key].match_id) for key in ("w2.1", "w3.1")] == [Ending.ANNULLED] * 2
    club.wins(again, right.handle)
    club.job()
    final = club.pairings(tournament)["w3.1-2"]
    assert final.has(right.number)
    club.wins(final, right.handle)
    club.job()
    assert views.standings(club.store, tournament.id).lines[0].entrant.handle == right.handle
    assert sound(club)
    assert refused(club, tournament, "correct", **{**data, "winner": wrong.number}) == "followed_on"


def test_what_was_annulled_and_made_anew_gets_no_other_result(club: Club) -> None:
    """The first final was annulled, and two others have met in the second: with a result the first would be one of two
    finals. Only the newest of a fixture can be corrected."""
    tournament = club.begin(4, plan=KNOCKOUT)
    semis = [club.pairings(tournament)[key] for key in ("w1.1", "w1.2")]
    for one in semis:
        club.wins(one, one.first.handle)
    club.job()
    for one in semis:
        assert one.second is not None
        data = {"pairing": one.key, "winner": one.second.number, "reason": "x"}
        club.say(tournament, "correct", **data, annul_later=True)
        club.job()
    keys = ("w2.1", "w2.1-2", "w2.1-3")
    finals = [club.pairings(tournament)[key] for key in keys]
    assert [one.how for one in finals] == [How.ANNULLED, How.ANNULLED, None]
    for one in finals[:2]:
        wish = {"pairing": one.key, "winner": one.first.number, "reason": "x"}
        assert refused(club, tournament, "correct", **wish, annul_later=True) == "made_anew"
        assert refused(club, tournament, "decide", **wish) == "has_result"
    assert club.pairings(tournament)["w2.1-3"] == finals[2]
    assert decisions.remade(tournament.plan, [*keys, "w1.1"]) == {"w2.1", "w2.1-2"}
    assert decisions.remade(club.create().plan, ["r1.1", "r1.1-2", "r1.1-3"]) == set(), "no fixtures there"
    club.say(tournament, "decide", pairing="w2.1-3", how="annulled", reason="x")
    club.say(
        tournament, "correct", pairing="w2.1-3", winner=finals[2].first.number, reason="not made anew yet"
    )
    assert club.pairings(tournament)["w2.1-3"].winner == finals[2].first.number


def test_what_was_annulled_waits_for_whoever_comes_out_of_those_before_it(club: Club) -> None:
    """The lost final of the losers' side was annulled with the match that it followed from, and got a result by hand:
    in the final somebody met himself."""
    tournament = club.begin(4, plan={"stages": [{"format": "double_elimination"}]})
    for keys in (("w1.1", "w1.2"), ("w2.1", "l1.1"), ("l2.1",)):
        for key in keys:
            club.wins(club.pairings(tournament)[key], club.pairings(tournament)[key].first.handle)
        club.job()
    first = club.pairings(tournament)["w1.2"]
    club.say(tournament, "correct", pairing="w1.2", how="annulled", reason="x", annul_later=True)
    club.job()
    before = club.pairings(tournament)
    assert {key for key, one in before.items() if one.how is How.ANNULLED} == {
        "w1.2",
        "w2.1",
        "l1.1",
        "l2.1",
        "f1",
    }
    for key in ("w2.1", "l1.1", "l2.1", "f1"):
        wish = {"pairing": key, "winner": before[key].first.number, "reason": "x"}
        assert refused(club, tournament, "correct", **wish, annul_later=True) == "not_anew_yet"
    assert club.pairings(tournament) == before
    club.wins(before["w1.2-2"], first.first.handle)
    club.job()
    assert {"w2.1-2", "l1.1-2"} <= {key for key, one in club.pairings(tournament).items() if one.match_id}
