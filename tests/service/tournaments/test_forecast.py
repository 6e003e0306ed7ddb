"""When tournaments are expected to be over, from how soon their players reply."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from bgmail.service.tournaments import forecast
from bgmail.service.tournaments.advancing import Seen, read
from bgmail.service.tournaments.views import Tournament
from bgmail.store.engine import Store
from tests.service.tournaments.club import Club

KNOCKOUT = {"stages": [{"format": "knockout"}]}
A_DAY = {
    "length": 3,
    "time": {"per_turn": 86400, "per_answer": 86400, "bank": 0, "increment": 0, "cap": None},
}


def days(club: Club, tournament: Tournament) -> float:
    """Until the end, as the job has left it."""
    found = forecast.finish_at(club.store, club.load(tournament))
    assert found is not None
    return (found - club.now) / timedelta(days=1)


def test_a_forecast_is_made_a_few_times_a_day_while_a_tournament_runs(club: Club) -> None:
    tournament = club.begin(4, KNOCKOUT, A_DAY)
    assert forecast.finish_at(club.store, tournament) is None
    assert forecast.step(club.store, club.now) == [f"forecast {tournament.id}"]
    assert forecast.step(club.store, club.now) == []
    first = days(club, tournament)
    a_match = (
        forecast.TURNS_A_GAME * (1 + 2 * forecast.GAMES_A_POINT) * 2 / 3
    )  # turns of a third of a day, two sides
    assert round(first, 3) == round(2 * a_match, 3), "nobody is known: a third of the turn, for two rounds"

    club.now += timedelta(hours=12)
    assert forecast.step(club.store, club.now) == [f"forecast {tournament.id}"]
    assert round(days(club, tournament), 3) == round(2 * a_match - 0.5, 3), "what has been played counts"

    for pairing in club.pairings(tournament).values():
        club.wins(pairing, pairing.first.handle)
    club.job()
    club.now += forecast.EVERY
    forecast.step(club.store, club.now)
    [final] = [one for key, one in club.pairings(tournament).items() if key == "w2.1"]
    club.wins(final, final.first.handle)
    club.job()
    club.now += timedelta(days=1)
    assert forecast.step(club.store, club.now) == []
    assert forecast.finish_at(club.store, club.load(tournament)) is None


def test_a_forecast_that_fails_is_put_off_and_the_others_are_made(
    club: Club, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken = club.begin(4, KNOCKOUT, A_DAY, name="Broken")
    club.now += timedelta(minutes=1)
    sound = club.begin(2, KNOCKOUT, A_DAY, name="Sound")
    usual = forecast.expected

    def fails(store: Store, seen: Seen, now: datetime) -> timedelta:
        if seen.tournament.id == broken.id:
            raise ArithmeticError("nobody expects that")
        return usual(store, seen, now)

    monkeypatch.setattr(forecast, "expected", fails)
    said = [forecast.step(club.store, club.now) for _ in range(3)]
    assert said == [[f"failed {broken.id}"], [f"forecast {sound.id}"], []]
    assert [record.levelname for record in caplog.records] == ["ERROR"], "it is logged once"
    assert forecast.finish_at(club.store, club.load(broken)) is None
    assert days(club, sound) > 0

    club.now += forecast.EVERY
    monkeypatch.setattr(forecast, "expected", usual)
    forecast.step(club.store, club.now)
    assert days(club, broken) > 0, "the next time it is made"


def test_two_jobs_may_write_the_same_forecast(club: Club) -> None:
    tournament = club.begin(2, KNOCKOUT, A_DAY)
    seen = read(club.store, tournament.id)
    assert seen is not None
    assert forecast.expected(club.store, seen, club.now) > timedelta(0)
    for _ in range(2):
        with club.store.write() as connection:
            forecast.forecasts.keep(connection, tournament.id, club.now, club.now)
    assert days(club, tournament) == 0


def test_no_forecast_is_farther_away_than_calendars_go(club: Club) -> None:
    robin = {"format": "round_robin", "meetings": 4}
    plan = {"stages": [*[{**robin, "advance": 20}] * 3, robin]}
    conditions = {"length": 25, "time": {"per_turn": 60 * 86_400}, "at_once": 1}
    tournament = club.begin(20, plan, conditions)
    assert forecast.step(club.store, club.now) == [f"forecast {tournament.id}"]
    assert days(club, tournament) == forecast.LONGEST.days
