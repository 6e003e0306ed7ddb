"""Leagues and standing knockouts: a season after the other begins without anybody's touch."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from bgmail.service import accounts, departures
from bgmail.service.errors import Forbidden, KeyReused, NotFound, Refused
from bgmail.service.tournaments import divisions as standing
from bgmail.service.tournaments import seasons, series, views
from bgmail.service.tournaments.entering import Entering, enter
from bgmail.service.tournaments.leaving import leave as withdraw
from bgmail.service.tournaments.series import Founding, Kind, Series
from bgmail.service.tournaments.views import EntryState, State
from bgmail.store import series as rows
from bgmail.store.engine import Store
from tests.service.at_once import Other
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


def test_whoever_withdraws_and_joins_anew_meanwhile_begins_at_the_bottom(club: Club) -> None:
    """They were told that they play from the next season on, and had been let go when it began."""
    found = league(club, *SIX)
    go_on(club)
    club.now += timedelta(hours=1)
    withdraw(club.store, series.held(club.store, found.id)[0].id, club.person("alice"), club.now, club.chance)
    assert not series.is_member(club.store, found.id, club.person("alice")), "it says that they have left"
    join(club, found, "alice")
    club.job()
    play(club, found, *SIX)
    go_on(club)
    assert divisions(club, found) == [["bob", "charlie", "erin"], ["frank", "grace", "alice"]]
    assert series.is_member(club.store, found.id, club.person("alice"))


def test_who_would_go_up_or_down_is_told_as_it_will_be(club: Club) -> None:
    def ways(found: Series) -> list[str]:
        now = load(club, found)
        tables = standing.tables(club.store, now)
        lines = [line.entrant.handle for table in tables for line in table.lines]
        told = [way for place in range(len(tables)) for way in standing.ways(now, tables, place)]
        return [f"{name} {way}" for name, way in zip(lines, told, strict=True) if way]

    found = league(club, *SIX[:5])
    go_on(club)
    assert ways(found) == [], "nobody has played yet"
    play(club, found, *SIX)
    assert ways(found) == [], "of two people nobody goes down, so of the three below nobody comes up"
    go_on(club)
    assert divisions(club, found) == [["alice", "bob"], ["charlie", "erin", "frank"]]
    join(club, found, "grace")
    play(club, found, *SIX)
    go_on(club)
    play(club, found, *SIX)
    assert ways(found) == ["charlie down", "erin up"]
    series.leave(club.store, found.id, club.person("erin"), club.now)
    assert ways(found) == ["charlie down", "frank up"], "the next one, where the first has left"
    go_on(club)
    assert divisions(club, found) == [["alice", "bob"], ["frank", "charlie", "grace"]]


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
    assert sorted(everybody) == sorted({*SIX} - {upper[0]}), "who withdrew has left, replaced or not"


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


def test_matches_without_a_clock_end_at_the_date_of_their_round(club: Club) -> None:
    dated = {"length": 1, "time": "untimed", "round_days": 7, "late": "forfeit", "rated": False}
    found = series.create(club.store, club.dana, Founding(Kind.LEAGUE, "Slow", dated), club.now)
    join(club, found, *SIX[:4])
    assert go_on(club) == ["season 1 of"]
    club.now += timedelta(days=8)
    club.job()
    assert go_on(club) == ["season 2 of"]


def test_whoever_has_gone_is_no_member(club: Club) -> None:
    found = league(club, *SIX[:4])
    mark = series.mark(club.store, found.id)
    departures.close(club.store, club.person("bob"), club.now, club.chance)
    departures.ban(club.store, club.person("erin"), club.now, club.chance)
    assert load(club, found).members == len(series.members(club.store, found.id)) == 2
    assert series.mark(club.store, found.id) != mark, "an open page learns of it"
    assert seasons.step(club.store, club.now, club.chance) == [], "so there are too few"
    join(club, found, "frank", "grace")
    assert go_on(club) == ["season 1 of"], "and nothing holds it up when there are enough again"


@pytest.mark.pg
def test_whoever_goes_while_a_season_begins_is_not_left_in_it(
    pg_schema_url: str, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The season had read its members, and the departure found no entry of it yet."""
    store, other = Store(pg_schema_url), Store(pg_schema_url)
    club = Club(store, now)
    found = league(club, *SIX[:4])
    bob, read = club.person("bob"), rows.divisions
    going = Other(lambda: departures.close(other, bob, now, club.chance))

    def read_meanwhile(*words: Any) -> Any:
        assert going.begin(other)
        return read(*words)

    monkeypatch.setattr(rows, "divisions", read_meanwhile)
    seasons.step(store, now, club.chance)
    going.end()
    (held,) = series.held(store, found.id)
    assert [one.handle for one in views.entrants(store, held.id) if one.state is EntryState.IN] == [
        "alice",
        "charlie",
        "erin",
    ]
    store.close()
    other.close()


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
        (Founding(Kind.LEAGUE, "L", ONE_POINT, least=1025), "series_least"),
        (Founding(Kind.LEAGUE, "L", {"length": 0}), "condition"),
        (Founding(Kind.LEAGUE, "L", ONE_POINT | {"rules": {"name": "h0use"}}), "rule_set"),
        (Founding(Kind.LEAGUE, "L", ONE_POINT | {"time": "untimed"}), "series_clock"),
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


def test_the_same_wish_under_a_key_is_one_league_however_many_send_it_at_once(either_club: Club) -> None:
    club, wish = either_club, Founding(Kind.LEAGUE, "Club", ONE_POINT)
    together, made = threading.Barrier(3), []

    def send() -> None:
        store = Store(club.store.url)
        together.wait()
        try:
            made.append(series.create(store, club.dana, wish, club.now, key="once").id)
        finally:
            store.close()

    senders = [threading.Thread(target=send) for _ in range(3)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    assert made == [made[0]] * 3
    with pytest.raises(KeyReused):
        series.create(club.store, club.dana, replace(wish, least=5), club.now, key="once")
