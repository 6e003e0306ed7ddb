"""Entries: conditions confirmed, the waiting list, seeds, who may not, and the start."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bgmail.pairing import plan
from bgmail.service import accounts
from bgmail.service.errors import Forbidden, KeyReused, NotFound, Refused, ServiceError
from bgmail.service.tournaments import series, starting, views
from bgmail.service.tournaments.creating import Draft, create
from bgmail.service.tournaments.entering import Entering, enter
from bgmail.service.tournaments.leaving import leave
from bgmail.service.tournaments.series import Founding, Kind
from bgmail.service.tournaments.views import EntryState, State, Tournament
from tests.service.rated import beats, rate_all
from tests.service.tournaments.club import ONE_POINT, ROUND_ROBIN, Club


def handles(club: Club, tournament: Tournament, state: EntryState = EntryState.IN) -> list[str]:
    return [one.handle for one in views.entrants(club.store, tournament.id) if one.state is state]


def test_who_comes_after_the_last_place_waits_and_moves_up(club: Club) -> None:
    tournament = club.open(places=2)
    club.enter(tournament, "alice", "bob", "charlie", "erin")
    assert handles(club, tournament) == ["alice", "bob"]
    leave(club.store, tournament.id, club.person("alice"), club.now, club.chance)
    leave(club.store, tournament.id, club.person("alice"), club.now, club.chance)
    assert handles(club, tournament) == ["bob", "charlie"]
    assert handles(club, tournament, EntryState.WAITING) == ["erin"]
    told = [one.command for one in views.log(club.store, tournament.id)]
    assert told == ["create", "open", "enter", "enter", "enter", "enter", "withdraw", "moved_up"]


def test_without_a_number_of_places_as_many_enter_as_a_format_holds(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = club.open()
    assert not replace(tournament, entered=199).is_full, "a round robin in one group"
    assert replace(tournament, entered=200).is_full

    monkeypatch.setattr(plan, "MOST_ENTRIES", 2)
    monkeypatch.setattr(starting, "MOST_ENTRIES", 2)
    club.enter(tournament, "alice", "bob", "charlie", "erin")
    assert handles(club, tournament, EntryState.WAITING) == ["charlie", "erin"]
    leave(club.store, tournament.id, club.person("alice"), club.now, club.chance)
    assert handles(club, tournament) == ["bob", "charlie"]
    assert club.say(tournament, "start").state is State.RUNNING


def test_whoever_left_may_come_back_at_the_end_of_the_queue(club: Club) -> None:
    tournament = club.open(places=2)
    club.enter(tournament, "alice", "bob", "charlie")
    leave(club.store, tournament.id, club.person("alice"), club.now, club.chance)
    club.enter(tournament, "alice")
    assert handles(club, tournament, EntryState.WAITING) == ["alice"]


def test_an_entry_confirms_these_conditions_and_fair_play(either_club: Club) -> None:
    club = either_club
    tournament = club.open()
    alice = club.person("alice")
    house = accounts.create(club.store, "robot", None, None, club.now, is_bot=True).id
    for who, wish, code in (
        (alice, Entering("0" * 64, fair_play=True), "conditions_changed"),
        (alice, Entering(tournament.digest, fair_play=False), "fair_play"),
        (alice, Entering(tournament.digest, fair_play=True, nonce="X"), "bad_nonce"),
        (house, Entering(tournament.digest, fair_play=True), "no_machines"),
    ):
        with pytest.raises(Refused) as refused:
            enter(club.store, tournament.id, who, wish, club.now, club.chance)
        assert refused.value.code == code
    club.enter(tournament, "alice", "alice")
    assert handles(club, tournament) == ["alice"]


def test_machines_organise_nothing(club: Club) -> None:
    """They may play where the conditions say so; what is decided needs a person to answer for it."""
    robot = club.person("robot", is_bot=True)
    founding = Founding(Kind.LEAGUE, "League", ONE_POINT)
    for organise in (
        lambda: create(club.store, robot, Draft("Autumn", ROUND_ROBIN, ONE_POINT), club.now, club.chance),
        lambda: series.create(club.store, robot, founding, club.now),
    ):
        with pytest.raises(Refused) as refused:
            organise()
        assert refused.value.code == "machine_organiser"
    with pytest.raises(Refused) as refused:
        club.say(club.create(), "add_organiser", handle="robot")
    assert refused.value.code == "no_such_organiser"


def test_a_draft_is_seen_by_those_alone_who_may_command_it(club: Club) -> None:
    tournament = club.create()
    alice, stella = club.person("alice"), club.person("stella")
    accounts.set_staff(club.store, stella, is_staff=True)
    assert views.load(club.store, tournament.id, stella).state is State.DRAFT
    with pytest.raises(NotFound):
        views.load(club.store, tournament.id)
    with pytest.raises(NotFound):
        views.load(club.store, tournament.id, alice)
    with pytest.raises(NotFound):
        club.say(tournament, "open", who=alice)
    with pytest.raises(Forbidden):
        club.say(club.say(tournament, "open"), "start", who=alice)


def test_it_starts_when_full_or_at_its_date(club: Club) -> None:
    full = club.open(places=2, starts_full=True)
    dated = club.open(starts_at=club.now + timedelta(days=1))
    early = club.open(starts_at=club.now + timedelta(days=1))
    for tournament in (full, dated):
        club.enter(tournament, "alice", "bob")
    club.job()
    assert [club.load(one).state for one in (full, dated)] == [State.RUNNING, State.OPEN]
    club.now += timedelta(days=1)
    club.job()
    assert [club.load(one).state for one in (full, dated, early)] == [
        State.RUNNING,
        State.RUNNING,
        State.OPEN,
    ]
    assert views.log(club.store, early.id)[-1].command == "not_started"


@pytest.mark.parametrize(
    ("seeding", "expected"),
    [({"how": "order"}, [1, 2, 3]), ({"how": "hand", "order": [3, 1, 2]}, [3, 1, 2])],
)
def test_seeds_are_given_by_order_or_by_hand(
    club: Club, seeding: dict[str, Any], expected: list[int]
) -> None:
    tournament = club.open()
    club.enter(tournament, "alice", "bob", "charlie")
    club.say(tournament, "seed", **seeding)
    club.enter(tournament, "erin")
    club.say(tournament, "start")
    entrants = views.entrants(club.store, tournament.id)
    assert [one.number for one in sorted(entrants, key=lambda one: one.seed or 0)] == [*expected, 4]


def test_a_lot_is_drawn_the_same_again(club: Club) -> None:
    tournament = club.open()
    club.enter(tournament, *[f"player{place}" for place in range(1, 9)])
    club.say(tournament, "seed", how="lot")
    first = [one.seed for one in views.entrants(club.store, tournament.id)]
    club.say(tournament, "seed", how="lot")
    assert [one.seed for one in views.entrants(club.store, tournament.id)] == first
    assert sorted(seed or 0 for seed in first) == list(range(1, 9))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"name": " "}, "tournament_name"),
        ({"name": "x" * 81}, "tournament_name"),
        ({"plan": {"stages": []}}, "plan"),
        ({"plan": {"stages": [{"format": "lottery"}]}}, "plan"),
        ({"conditions": {"length": 0}}, "condition"),
        ({"conditions": {}}, "condition"),
        ({"conditions": {"length": 1, "at_once": 1.5}}, "condition"),
        ({"conditions": {"length": 1, "late": "never"}}, "condition"),
        ({"conditions": {"length": 1, "prize": 5}}, "condition"),
        ({"conditions": {"length": 1, "text": "\x07"}}, "condition"),
        ({"conditions": {"length": 26}}, "length"),
        ({"conditions": {"length": 1, "time": "hourglass"}}, "time"),
        ({"places": 1}, "places"),
        ({"places": 201}, "places"),
        ({"places": 0, "starts_full": True}, "places"),
    ],
)
def test_a_tournament_that_nobody_can_play_is_refused(club: Club, change: dict[str, Any], code: str) -> None:
    draft = replace(Draft("Autumn", ROUND_ROBIN, ONE_POINT), **change)
    with pytest.raises(Refused) as refused:
        create(club.store, club.dana, draft, club.now, club.chance)
    assert refused.value.code == code


def test_the_same_wish_under_one_key_is_one_tournament(either_club: Club) -> None:
    club = either_club
    draft = Draft("Autumn", ROUND_ROBIN, ONE_POINT)

    def made(wish: Draft) -> Tournament:
        return create(club.store, club.dana, wish, club.now, club.chance, key="autumn")

    assert made(draft) == made(draft)
    with pytest.raises(KeyReused):
        made(replace(draft, name="Winter"))


def test_nobody_organises_more_than_five_at_a_time(club: Club) -> None:
    for _ in range(5):
        club.create()
    with pytest.raises(Refused, match="too_many_tournaments"):
        club.create()


def test_a_command_is_carried_out_once_under_its_key(club: Club) -> None:
    tournament = club.open()
    club.enter(tournament, "alice", "bob")
    club.say(tournament, "seed", how="order", key="one")
    head = club.load(tournament).head
    club.say(tournament, "seed", how="order", key="one")
    assert club.load(tournament).head == head
    with pytest.raises(KeyReused):
        club.say(tournament, "seed", how="lot", key="one")
    with pytest.raises(ServiceError, match="unknown_command"):
        club.say(tournament, "dance")


def test_who_enters_is_seeded_by_the_rating_at_that_pace(club: Club) -> None:
    people = {name: club.person(name) for name in ("alice", "bob", "charlie")}
    beats(club.store, people, "bob", "alice", club.now)
    rate_all(club.store, club.now)
    tournament = club.open()
    club.enter(tournament, *people)
    ratings = {one.handle: one.rating for one in views.entrants(club.store, tournament.id)}
    assert ratings["bob"] > ratings["charlie"] == 1500 > ratings["alice"]
