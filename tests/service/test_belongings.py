"""Everything that is kept about somebody, and nothing that only others may know."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import pytest

from bgmail.dice import FairChance
from bgmail.service import accounts, belongings, invitations, logins, matches, notes, notices, ties, vacations
from bgmail.service.allowances import TooOften
from bgmail.service.terms import Email, Handle, Open, Terms
from bgmail.service.tournaments import series
from bgmail.service.tournaments.series import Founding, Kind
from bgmail.service.vacations import Wish
from bgmail.store.engine import Store
from bgmail.store.matches import table
from bgmail.store.tables import SecretRow
from tests.service.matchmaking import settle
from tests.service.rated import beats, club, rate_all
from tests.service.tournaments.club import Club

CHANCE = FairChance()


def taken(store: Store, account_id: int, now: datetime) -> dict[str, str]:
    return {file.path: "".join(file.text) for file in belongings.files(store, account_id, now)}


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_everything_of_ones_own_is_there(store: Store, now: datetime) -> None:
    alice, bob, _ = settle(store, now)
    token = logins.create_token(store, alice, "my program", now)
    view = invitations.invite(store, bob, Terms(5), Handle("alice"), "dare?", now, CHANCE)
    view = invitations.accept(store, view.id, alice, now, CHANCE)
    matches.say(store, view, bob, "good luck ♟", now)
    matches.mark_visit(store, view, alice, now)
    notes.on_match(store, alice, view.id, "hit loose", now)
    ties.make(store, alice, "charlie", ties.Kind.BLOCK, now, CHANCE)
    vacations.take(store, accounts.by_id(store, alice), Wish(until=now + timedelta(days=1)), now)
    files = taken(store, alice, now)
    assert set(files) == {
        *(
            "account.json",
            "logins.json",
            "people.json",
            "notes.json",
            "orders.json",
            "invitations.jsonl",
            "letters.jsonl",
        ),
        *("webhooks.json", "vacations.json", "ratings.json", "rating-changes.jsonl", "tournaments.json"),
        "leagues.json",
        *("letters-sent.jsonl", "visits.jsonl"),
        *(f"matches/{view.id}{end}" for end in (".json", ".mat", "-chat.json")),
    }
    account = json.loads(files["account.json"])
    assert (account["handle"], account["email"]) == ("alice", "alice@play.example")
    assert account["created_at"] == "2026-03-02T12:00:00+00:00"
    assert json.loads(files["logins.json"])["tokens"][0]["name"] == "my program"
    assert json.loads(files["people.json"])[0]["person"]["handle"] == "charlie"
    assert json.loads(files["notes.json"])[0]["body"] == "hit loose"
    assert json.loads(files["vacations.json"])[0]["until_at"] == "2026-03-03T12:00:00+00:00"
    assert lines(files["invitations.jsonl"])[0]["message"] == "dare?"
    assert {line["kind"] for line in lines(files["letters.jsonl"])} >= {"invitation"}
    assert lines(files["visits.jsonl"])[0]["id"] == view.id
    assert json.loads(files[f"matches/{view.id}.json"])["format"] == "bgmail-match-1"
    assert files[f"matches/{view.id}.mat"].startswith(" 5 point match")
    assert [line["body"] for line in json.loads(files[f"matches/{view.id}-chat.json"])] == ["good luck ♟"]
    assert token not in "".join(files.values())


def test_nothing_that_only_others_may_know_is_in_it(store: Store, now: datetime) -> None:
    alice, bob, charlie = settle(store, now)
    view = invitations.invite(store, bob, Terms(5), Handle("alice"), "", now, CHANCE)
    view = invitations.accept(store, view.id, alice, now, CHANCE)
    invitations.invite(store, alice, Terms(3), Email("friend@play.example"), "come", now, CHANCE)
    invitations.invite(store, bob, Terms(3), Open(), "for anyone", now, CHANCE)
    other = invitations.invite(store, bob, Terms(3), Handle("charlie"), "psst", now, CHANCE)
    matches.say(store, invitations.accept(store, other.id, charlie, now, CHANCE), bob, "between us", now)
    notes.on_person(store, bob, "alice", "too bold", now)
    ties.make(store, bob, "alice", ties.Kind.MUTE, now, CHANCE)
    whole = "\n".join(taken(store, alice, now).values())
    for secret in (
        *("bob@play.example", "friend@play.example", "for anyone", "psst", "between us", "too bold", "mute"),
    ):
        assert secret not in whole
    assert "by_mail" in whole
    with store.read() as connection:
        for secret in connection.scalars(
            table(SecretRow).select().with_only_columns(table(SecretRow).c.secret)
        ):
            assert secret.hex() not in whole
    for column in ("digest", "password"):
        assert column not in whole


def test_many_matches_come_one_by_one(store: Store, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    alice, bob, _ = settle(store, now)
    monkeypatch.setattr("bgmail.store.belongings.PAGE", 2)
    for _ in range(5):
        view = invitations.invite(store, alice, Terms(1), Handle("bob"), "", now, CHANCE)
        invitations.accept(store, view.id, bob, now, CHANCE)
    minutes = (3, 0, 4, 0, 1, 3)
    facts = [
        notices.fact(notices.Kind.TEST, now + timedelta(minutes=after), account_id=alice, which=str(place))
        for place, after in enumerate(minutes)
    ]
    with store.write() as connection:
        notices.owe(connection, facts)
    paths = [file.path for file in belongings.files(store, alice, now)]
    assert sum(path.endswith(".mat") for path in paths) == 5
    assert len(set(paths)) == len(paths)
    files = taken(store, alice, now)
    assert len(lines(files["invitations.jsonl"])) == 5
    letters = [
        (one["created_at"], one["id"]) for one in lines(files["letters.jsonl"]) if one["kind"] == "test"
    ]
    assert (len(letters), letters) == (6, sorted(letters)), "by their dates, each of them once"


def test_an_export_can_be_had_ten_times_a_day(store: Store, now: datetime) -> None:
    alice = accounts.create(store, "alice", None, None, now).id
    for _ in range(10):
        belongings.allow(store, alice, now)
    with pytest.raises(TooOften):
        belongings.allow(store, alice, now)


def test_ratings_what_each_match_did_to_them_and_leagues_are_there(store: Store, now: datetime) -> None:
    people = club(store, now, 2)
    match_id = beats(store, people, "bob", "alice", now)
    rate_all(store, now)
    wish = Founding(Kind.LEAGUE, "Club league", {"length": 1})
    league = series.create(store, people["bob"], wish, now)
    series.join(store, league.id, people["alice"], league.digest, now, fair_play=True)
    files = taken(store, people["alice"], now)
    assert [each["name"] for each in json.loads(files["leagues.json"])] == ["Club league"]
    [rating] = json.loads(files["ratings.json"])
    [change] = lines(files["rating-changes.jsonl"])
    assert (rating["pace"], rating["won"], rating["lost"]) == ("correspondence", 0, 1)
    assert (change["match_id"], change["opponent"], change["score"], change["before"]) == (
        match_id,
        "bob",
        0,
        1500,
    )
    assert change["after"] == rating["value"] < 1500


def test_tournaments_are_there_with_what_was_said_in_them(store: Store, now: datetime) -> None:
    club = Club(store, now)
    tournament = club.begin(2)
    club.say(tournament, "announce", text="Hello")
    theirs = json.loads(taken(store, club.person("player1"), now)["tournaments.json"])
    own = json.loads(taken(store, club.dana, now)["tournaments.json"])
    assert [(one["name"], one["number"], one["state"]) for one in theirs["entries"]] == [("Autumn", 1, "in")]
    assert [one["id"] for one in own["organises"]] == [tournament.id]
    assert own["said"][-1]["data"] == {"text": "Hello"}
