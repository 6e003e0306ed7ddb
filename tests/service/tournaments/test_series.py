"""Leagues and standing knockouts: a season after the other begins without anybody's touch."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bgmail.service import accounts, departures
from bgmail.service.errors import Forbidden, NotFound, Refused
from bgmail.service.tournaments import seasons, series, views
from bgmail.service.tournaments.entering import Entering, enter
from bgmail.service.tournaments.leaving import leave as withdraw
from bgmail.service.tournaments.series import Founding, Kind, Series
from bgmail.service.tournaments.views import State
from bgmail.store import series as rows
from tests.service.tournaments.club import ONE_POINT, Club

SIX = ("alice", "bob", "charlie", "erin", "frank", "grace")


def league(club: Club, *names: str, **more: object) -> Series:
    """A league of divisions of three, one up and one down."""
    wish = {"size": 3, "moves": 1, "least": 4, **more}
    found = series.create(club.store, club.dana, Founding(Kind.LEAGUE, "Club", ONE_POINT, **wish), club.now)  # type: ignore[arg-type]
    join(club, found, *names)
    return found


def join(club: Club, found: Series, *names: str) -> None:
    for name in names:
        series.join(club.store, found.id, club.person(name), found.digest, club.now, fair_play=True)


def go_on(club: Club) -> list[str]:
    said: list[str] = []
    while one := seasons.step(club.store, club.now, club.chance):
        said += [text.rsplit(" ", 1)[0] for text in one]
        club.job()
    return said


def divisions(club: Club, found: Series) -> list[list[str]]:
    """Who plays in each division of the season that runs, by seed."""
    held = [one for one in series.held(club.store, found.id) if one.season == load(club, found).season]
    by_seed = [
        sorted(views.entrants(club.store, one.id), key=lambda entrant: entrant.seed or 0) for one in held
    ]
    return [[entrant.handle for entrant in entrants] for entrants in by_seed]


def load(club: Club, found: Series) -> Series:
    return series.load(club.store, found.id)


def play(club: Club, found: Series, *order: str) -> None:
    """Plays the season to its end: in each match whoever stands earlier in `order` wins."""
    season = load(club, found).season
    for held in series.held(club.store, found.id):
        if held.season != season:
            continue
        for pairing in views.pairings(club.store, held.id):
            if pairing.how is None and pairing.second:
                winner = min(pairing.first.handle, pairing.second.handle, key=order.index)
                club.wins(pairing, winner)
        club.job()
        assert views.find(club.store, held.id).state is State.OVER


def test_a_league_goes_on_season_after_season(either_club: Club) -> None:
    club = either_club
    found = league(club, *SIX[:3])
    assert go_on(club) == [], "a season needs four"
    join(club, found, *SIX[3:])
    assert go_on(club) == ["season 1 of"]
    assert divisions(club, found) == [["alice", "bob", "charlie"], ["erin", "frank", "grace"]]
    assert go_on(club) == []
    play(club, found, "grace", "charlie", "bob", "alice", "erin", "frank")
    assert go_on(club) == ["season 2 of"]
    assert divisions(club, found) == [["charlie", "bob", "grace"], ["alice", "erin", "frank"]]
    names = [one.name for one in series.held(club.store, found.id)]
    assert names == ["Club 2/1", "Club 2/2", "Club 1/1", "Club 1/2"]
    entered = views.entrants(club.store, series.held(club.store, found.id)[0].id)
    assert [one.number for one in entered] == [1, 2, 3]


def test_who_leaves_and_who_comes(club: Club) -> None:
    found = league(club, *SIX)
    go_on(club)
    series.leave(club.store, found.id, club.person("charlie"), club.now)
    join(club, found, "heidi", "ivan")
    top = series.held(club.store, found.id)[0]
    withdraw(club.store, top.id, club.person("bob"), club.now, club.chance)
    departures.ban(club.store, club.person("frank"), club.now, club.chance)
    club.job()
    play(club, found, *SIX)
    assert go_on(club) == ["season 2 of"]
    assert divisions(club, found) == [["alice", "erin"], ["grace", "heidi", "ivan"]]
    assert not series.is_member(club.store, found.id, club.person("bob")), "who withdrew has left the league"
    join(club, found, "bob")
    play(club, found, "alice", "erin", "grace", "heidi", "ivan")
    go_on(club)
    assert divisions(club, found)[-1][-1] == "bob", "and begins at the bottom again"


def test_a_substitute_from_below_keeps_the_higher_place(club: Club) -> None:
    substitutes = {"length": 1, "substitutes": True}
    wish = Founding(Kind.LEAGUE, "Club", substitutes, size=3, moves=1)
    found = series.create(club.store, club.dana, wish, club.now)
    join(club, found, *SIX)
    go_on(club)
    (upper, lower), (above, below) = divisions(club, found), series.held(club.store, found.id)
    assert (above.division, below.division) == (1, 2)
    digest = Entering(found.digest, fair_play=True)
    enter(club.store, above.id, club.person(lower[2]), digest, club.now, club.chance)
    withdraw(club.store, above.id, club.person(upper[0]), club.now, club.chance)
    club.job()
    play(club, found, *SIX)
    assert go_on(club) == ["season 2 of"]
    everybody = [name for division in divisions(club, found) for name in division]
    assert sorted(everybody) == sorted(SIX)


def test_the_first_season_divides_by_rating(club: Club) -> None:
    people = {name: club.person(name) for name in SIX}
    from tests.service.rated import rank

    rank(club.store, "grace", 1800, club.now)
    rank(club.store, "erin", 1700, club.now)
    found = league(club, *people)
    go_on(club)
    assert divisions(club, found)[0] == ["grace", "erin", "alice"]


def test_a_league_that_is_ended_or_has_too_few_begins_no_season(club: Club) -> None:
    found = league(club, *SIX[:4])
    go_on(club)
    play(club, found, *SIX)
    series.leave(club.store, found.id, club.person("bob"), club.now)
    assert go_on(club) == []
    join(club, found, "bob")
    with pytest.raises(Forbidden):
        series.end(club.store, found.id, club.person("bob"), club.now)
    assert series.end(club.store, found.id, club.dana, club.now).ended_at == club.now
    assert go_on(club) == []
    with pytest.raises(Refused, match="series_over"):
        join(club, found, "heidi")


def test_a_season_that_fails_begins_nothing_and_is_put_off(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = league(club, *SIX)
    monkeypatch.setattr(rows, "played", lambda *_: 1 / 0)
    assert [one.split()[0] for one in seasons.step(club.store, club.now, club.chance)] == ["failed"]
    monkeypatch.undo()
    assert series.held(club.store, found.id) == ()
    assert go_on(club) == []
    club.now += timedelta(hours=2)
    assert go_on(club) == ["season 1 of"]


def test_there_is_always_a_knockout_to_enter(either_club: Club) -> None:
    club = either_club
    wish = Founding(Kind.STANDING, "Daily", ONE_POINT, size=2)
    found = series.create(club.store, club.dana, wish, club.now)
    assert go_on(club) == ["season 1 of"]
    for season in (1, 2, 3):
        first = series.held(club.store, found.id)[0]
        tournament = views.find(club.store, first.id)
        assert (first.name, tournament.state, tournament.places) == (f"Daily {season}", State.OPEN, 2)
        assert go_on(club) == []
        club.enter(tournament, "alice", "bob")
        club.job()
        assert views.find(club.store, first.id).state is State.RUNNING
        assert go_on(club) == [f"season {season + 1} of"]
    with pytest.raises(Refused, match="no_league"):
        join(club, found, "alice")


def test_what_cannot_be_a_series_is_refused(club: Club) -> None:
    for wish, code in (
        (Founding(Kind.LEAGUE, " ", ONE_POINT), "tournament_name"),
        (Founding(Kind.LEAGUE, "L", ONE_POINT, size=1), "series_size"),
        (Founding(Kind.LEAGUE, "L", ONE_POINT, size=4, moves=2), "series_moves"),
        (Founding(Kind.LEAGUE, "L", {"length": 0}), "condition"),
        (Founding(Kind.LEAGUE, "L", ONE_POINT, starts_at=club.now), "starts_at"),
        (Founding(Kind.LEAGUE, "L", ONE_POINT, starts_at=club.now + timedelta(days=999)), "starts_at"),
        (Founding(Kind.LEAGUE, "L", ONE_POINT, plan={"stages": []}), "plan"),
    ):
        with pytest.raises(Refused) as refused:
            series.create(club.store, club.dana, wish, club.now)
        assert refused.value.code == code
    found = league(club)
    for digest, fair, code in (("0" * 64, True, "conditions_changed"), (found.digest, False, "fair_play")):
        with pytest.raises(Refused, match=code):
            series.join(club.store, found.id, club.person("alice"), digest, club.now, fair_play=fair)
    league(club)
    with pytest.raises(Refused, match="too_many_series"):
        league(club)
    machine = accounts.create(club.store, "robot", None, None, club.now, is_bot=True).id
    with pytest.raises(Refused, match="no_machines"):
        series.join(club.store, found.id, machine, found.digest, club.now, fair_play=True)
    with pytest.raises(NotFound):
        series.load(club.store, 99)
