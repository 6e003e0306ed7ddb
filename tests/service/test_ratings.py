"""Ratings from finished matches: each changes both, once, in the order in which matches ended."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from sqlalchemy import delete, select, update

from bgmail.rating import Rating, after_match, slope
from bgmail.rules.side import Side
from bgmail.service import accounts, deadlines, departures, turns
from bgmail.service.ratings import chain, reading
from bgmail.service.ratings.chain import recompute
from bgmail.service.ratings.check import findings, state_of
from bgmail.service.turns import Request
from bgmail.store import ratings
from bgmail.store.engine import Store
from bgmail.store.matches import match
from bgmail.store.ratings import change, rating
from tests.service.rated import CHANCE, NAMES, Played, annul, beats, club, known, meet, rank, rate_all, slowly

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def lite(sqlite_schema_url: str) -> Iterator[Store]:
    """A store on SQLite alone, for rules that no database has a say in."""
    opened = Store(sqlite_schema_url)
    yield opened
    opened.close()


def reason(store: Store, match_id: str) -> str | None:
    with store.read() as connection:
        return connection.scalar(select(change.c.reason).where(change.c.match_id == match_id))


def reasons(store: Store, match_ids: list[str]) -> list[str | None]:
    return [reason(store, match_id) for match_id in match_ids]


def counts(store: Store, account_id: int) -> tuple[int, int, int]:
    with store.read() as connection:
        (row,) = (row for row in ratings.standings(connection) if row.account_id == account_id)
    return row.won, row.lost, row.level


def test_a_match_changes_both_from_what_they_were_before(lite: Store, now: datetime) -> None:
    people = club(lite, now, 2)
    match_id = beats(lite, people, "alice", "bob", now, length=5)
    assert known(lite, people) == {}
    assert rate_all(lite, now) == [f"rated {match_id}"]
    alice, bob = after_match(Rating(), Rating(), 1, slope(5), (0, 0))
    assert known(lite, people) == {"alice": alice, "bob": bob}
    assert (counts(lite, people["alice"]), counts(lite, people["bob"])) == ((1, 0, 0), (0, 1, 0))
    assert rate_all(lite, now) == []


def test_matches_that_become_known_in_any_order_add_up_to_the_same(store: Store, now: datetime) -> None:
    """Ends are noted a moment after each other, by several processes: none is rated before its place in the order."""
    people, dice = club(store, now), random.Random(171)
    played: list[Played] = []
    for number in range(24):
        winner, loser = dice.sample(NAMES, 2)
        length, at = dice.choice([1, 3, 7, 11]), now + number * 9 * HOUR
        beats(store, people, winner, loser, at, length)
        played.append((winner, loser, 1.0, length, at))
    with store.write() as connection:
        noted = [dict(row._mapping) for row in connection.execute(select(change))]
        connection.execute(delete(change))
    keys = ("match_id", "pace", "finished_at", "white_id", "black_id")
    ended = [{key: row[key] for key in keys} for row in noted]
    dice.shuffle(ended)
    for few in (ended[place : place + 2] for place in range(0, 24, 2)):
        with store.write() as connection:
            ratings.owe(connection, few)
        rate_all(store, now)
    same(known(store, people), slowly(played))
    assert recompute(store, now) == (24, 0)
    same(known(store, people), slowly(played))


def same(found: dict[str, Rating], expected: dict[str, Rating]) -> None:
    assert found.keys() == expected.keys()
    for name, one in expected.items():
        numbers = (found[name].value, found[name].deviation, found[name].volatility)
        assert numbers == pytest.approx((one.value, one.deviation, one.volatility), abs=1e-9)


def test_an_annulled_match_is_as_if_it_had_never_been(store: Store, now: datetime) -> None:
    people = club(store, now, 4)
    pairs = [("alice", "bob"), ("alice", "charlie"), ("charlie", "dana"), ("bob", "alice"), ("dana", "alice")]
    ids = [beats(store, people, *pair, now + place * DAY) for place, pair in enumerate(pairs)]
    played = [(*pair, 1.0, 7, now + place * DAY) for place, pair in enumerate(pairs)]
    rate_all(store, now)
    same(known(store, people), slowly(played))
    later = now + 9 * DAY
    annul(store, ids[1], later)
    assert rate_all(store, later)[0] == f"rated anew {ids[1]}"
    without = slowly([played[0], *played[2:]])
    same(known(store, people), without)
    assert recompute(store, later) == recompute(store, later) == (5, 0)
    same(known(store, people), without)
    assert reasons(store, ids) == ["", "annulled", "", "", ""]
    with store.read() as connection:
        marked = connection.execute(select(change.c.match_id).where(change.c.revised_at == later)).scalars()
        assert set(marked) == set(ids[1:]), "the first match rests on nothing that changed"
    assert counts(store, people["alice"]) == (1, 2, 0)


def test_a_job_that_dies_between_the_two_leaves_both_as_they_were(
    store: Store, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = club(store, now, 3)
    beats(store, people, "alice", "bob", now)
    beats(store, people, "charlie", "alice", now + HOUR)
    stand, written = ratings.stand, []

    def dies(connection: object, values: dict[str, object]) -> None:
        if written:
            raise OSError("the machine stops")
        written.append(values)
        stand(connection, values)  # type: ignore[arg-type]

    monkeypatch.setattr(ratings, "stand", dies)
    with pytest.raises(OSError, match="the machine stops"):
        chain.rate_some(store, now)
    monkeypatch.undo()
    assert known(store, people) == {}
    said: list[str] = []
    start = threading.Barrier(2)

    def work() -> None:
        start.wait()
        said.extend(rate_all(store, now))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rate_all(store, now)
    same(known(store, people), slowly([("alice", "bob", 1, 7, now), ("charlie", "alice", 1, 7, now + HOUR)]))
    assert counts(store, people["alice"]) == (1, 1, 0)
    assert len(said) == 2
    with store.read() as connection:
        assert ratings.forgotten(connection, 10) == []


def test_what_was_never_noted_is_found_and_rated(lite: Store, now: datetime) -> None:
    people = club(lite, now, 2)
    match_id = beats(lite, people, "alice", "bob", now)
    with lite.write() as connection:
        connection.execute(delete(change))
        assert [row.id for row in ratings.forgotten(connection, 10)] == [match_id]
    assert recompute(lite, now) == (1, 0)
    assert known(lite, people).keys() == {"alice", "bob"}


def test_only_what_was_played_for_the_rating_among_people_counts(lite: Store, now: datetime) -> None:
    people = club(lite, now, 3)
    machine = accounts.create(lite, "engine", None, None, now, is_bot=True).id
    for place in range(3):
        beats(lite, people, "alice", "bob", now + place * HOUR)
    for place in range(2):
        beats(lite, people, "alice", "bob", now + place * HOUR, rated=False)
    beats(lite, people, "alice", "bob", now, time="untimed")
    charlie = beats(lite, people, "alice", "charlie", now + 4 * HOUR)
    against = beats(lite, {**people, "engine": machine}, "alice", "engine", now + 5 * HOUR)
    absent = meet(lite, people["alice"], "bob", now)
    rate_all(lite, now + 5 * HOUR)
    departures.close(lite, people["charlie"], now + 6 * HOUR, CHANCE)
    deadlines.sweep_some(lite, now + 90 * DAY, CHANCE)
    rate_all(lite, now + 90 * DAY)
    assert reasons(lite, [charlie, against, absent.id]) == ["", "machine", "no_play"]
    assert counts(lite, people["alice"]) == (4, 0, 0)
    assert counts(lite, people["bob"]) == (0, 3, 0)


def test_who_never_played_loses_no_rating_and_nobody_gains_by_it(lite: Store, now: datetime) -> None:
    people = club(lite, now, 3)
    late = meet(lite, people["alice"], "bob", now)
    deadlines.sweep_some(lite, now + 40 * DAY, CHANCE)
    gone = meet(lite, people["alice"], "charlie", now + 41 * DAY)
    departures.ban(lite, people["charlie"], now + 42 * DAY, CHANCE)
    assert turns.load(lite, late.id).match.result
    rate_all(lite, now + 43 * DAY)
    assert reasons(lite, [late.id, gone.id]) == ["no_play", "no_play"]
    assert known(lite, people) == {}


def test_who_resigns_by_their_own_hand_before_a_play_loses_like_anybody(lite: Store, now: datetime) -> None:
    people = club(lite, now, 2)
    match_id = beats(lite, people, "alice", "bob", now)
    rate_all(lite, now)
    assert reason(lite, match_id) == ""


def play_once(store: Store, view_id: str, at: datetime) -> Side:
    """The side on turn plays what is legal; that side."""
    view = turns.load(store, view_id)
    side = view.match.on_turn
    assert side is not None
    if view.match.dice is None:
        view = turns.act(store, view_id, side, Request("roll", view.version), at, CHANCE).view
    if view.match.on_turn is side:
        play = str(turns.legal(view.match)[0])
        turns.act(store, view_id, side, Request("play", view.version, play), at, CHANCE)
    return side


def lose_on_time(store: Store, people: dict[str, int], count: int, at: datetime) -> list[str]:
    """Matches of Alice's in which she has played and stays away; their ids, as they end a minute after each other."""
    ids = []
    for place in range(count):
        view = meet(store, people["alice"], "bob", at + place * timedelta(minutes=1), time="three-days")
        while play_once(store, view.id, at + place * timedelta(minutes=1)) is not Side.WHITE:
            pass
        play_once(store, view.id, at + place * timedelta(minutes=1))
        ids.append(view.id)
    assert all(turns.load(store, one).match.on_turn is Side.WHITE for one in ids)
    return ids


def end_on_time(store: Store, ids: list[str], now: datetime) -> None:
    for place, match_id in enumerate(ids):
        at = now + place * timedelta(minutes=1)
        deadlines.sweep_match(store, match_id, at, CHANCE)


def test_of_one_absence_only_the_first_loss_on_time_counts(store: Store, now: datetime) -> None:
    people = club(store, now, 3)
    ids = lose_on_time(store, people, 4, now)
    end_on_time(store, ids, now + 4 * DAY)
    rate_all(store, now)
    assert reasons(store, ids) == ["", "absent", "absent", "absent"]
    assert counts(store, people["alice"]) == (0, 1, 0)
    annul(store, ids[0], now + 5 * DAY)
    rate_all(store, now)
    assert reasons(store, ids) == ["annulled", "", "absent", "absent"], "another is the first now"
    again = lose_on_time(store, people, 2, now + 5 * DAY)
    end_on_time(store, again, now + 9 * DAY)
    rate_all(store, now)
    assert reasons(store, again) == ["", "absent"], "she had been here meanwhile"
    assert counts(store, people["alice"]) == (0, 2, 0)
    assert recompute(store, now) == (6, 0)


def test_a_match_that_cannot_be_read_is_left_out_and_holds_up_nobody(lite: Store, now: datetime) -> None:
    people = club(lite, now, 3)
    bad = beats(lite, people, "alice", "bob", now)
    good = beats(lite, people, "alice", "charlie", now + HOUR)
    with lite.write() as connection:
        connection.execute(update(match).where(match.c.id == bad).values(state="{}"))
    assert rate_all(lite, now) == [f"failed {bad}", f"rated {good}"]
    assert reasons(lite, [bad, good]) == ["failed", ""]


def test_paces_have_ratings_of_their_own_and_sessions_may_end_level(lite: Store, now: datetime) -> None:
    people = club(lite, now, 2)
    beats(lite, people, "alice", "bob", now, time="live-8-10")
    beats(lite, people, "bob", "alice", now + HOUR, length=0, games=3)
    rate_all(lite, now)
    live, slow = known(lite, people, "live"), known(lite, people)
    assert live["alice"].value > 1500 > live["bob"].value
    assert slow["alice"].value < 1500 < slow["bob"].value
    assert slow["bob"] == after_match(Rating(), Rating(), 1, slope(3), (0, 0))[0]


def test_a_rating_leaves_the_list_a_year_after_the_last_match_or_sooner(now: datetime) -> None:
    sure = chain.Standing(Rating(1600, 60), won=9, at=now)
    assert sure.listed_until == now + timedelta(days=365)
    unsure = chain.Standing(Rating(1600, 105), won=9, at=now)
    assert unsure.listed_until is not None
    edge = unsure.listed_until - timedelta(seconds=1)
    assert not unsure.today(edge).is_provisional
    assert unsure.today(edge + timedelta(seconds=2)).is_provisional
    assert chain.Standing(Rating(1600, 111), won=2, at=now).listed_until is None


def test_who_is_away_for_a_year_is_less_sure_whoever_asked_meanwhile(lite: Store, now: datetime) -> None:
    """The deviation never grew elsewhere, or grew by how often a job ran. 360 days are twelve periods."""
    anna = rank(lite, "anna", 1600, now, deviation=50)
    for month in range(1, 13):
        (found,) = reading.of(lite, anna, now + 30 * month * DAY)
        rate_all(lite, now + 30 * month * DAY)
    assert (found.today.value, round(found.today.deviation, 2)) == (1600, 61.67)
    (once,) = reading.of(lite, anna, now + 360 * DAY)
    assert once.today == found.today


def wrong(store: Store) -> list[str]:
    return [text for _, text in findings(store)]


def test_the_audit_tells_ratings_again_and_names_what_differs(lite: Store, now: datetime) -> None:
    people = club(lite, now, 3)
    ids = [
        beats(lite, people, "alice", "bob", now),
        beats(lite, people, "bob", "charlie", now + HOUR),
    ]
    assert wrong(lite) == [], "what waits for the job is nothing wrong"
    rate_all(lite, now)
    assert wrong(lite) == []
    with lite.write() as connection:
        connection.execute(update(change).where(change.c.match_id == ids[0]).values(black_won=7))
        connection.execute(update(rating).where(rating.c.account_id == people["alice"]).values(value=2000))
    said = wrong(lite)
    assert said[0] == "its rating's black_won is 7, and by the matches 0"
    assert any("account 1, correspondence: value is 2000" in text for text in said)
    assert recompute(lite, now) == (2, 1)
    assert wrong(lite) == []
    with lite.write() as connection:
        connection.execute(delete(change).where(change.c.match_id == ids[1]))
    assert wrong(lite)[0] == "it is over and was played for the rating, and has no row for its effect"
    assert state_of(lite).forgotten
