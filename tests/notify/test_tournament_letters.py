"""Letters and events of tournaments: who is told what, once, and only while it is so."""

from __future__ import annotations

from typing import Any

import pytest

from bgmail.dice import FairChance
from bgmail.rules.side import Side
from bgmail.service import accounts, turns
from bgmail.service.tournaments import advancing, views
from bgmail.service.tournaments.commands import command
from bgmail.service.tournaments.creating import Draft, create
from bgmail.service.tournaments.desk import Wish
from bgmail.service.tournaments.entering import Entering, enter
from bgmail.service.tournaments.leaving import leave
from bgmail.service.tournaments.views import Tournament
from bgmail.service.turns import Request
from tests.notify.conftest import Post
from tests.notify.hooks.conftest import Hooks, hooks, told
from tests.notify.hooks.receivers import OK, answers, receiver
from tests.notify.records import ALICE, BOB

__all__ = ["hooks"]
KNOCKOUT = {"stages": [{"format": "knockout"}]}
NAMES = ("dana", "alice", "bob", "erin")
DANA, ERIN = ["dana@play.example"], ["erin@play.example"]


class Event:
    """Dana organises; Alice, Bob and Erin play."""

    def __init__(self, post: Post) -> None:
        self.post, self.chance = post, FairChance()
        made = {
            name: accounts.create(post.store, name, f"{name}@play.example", None, post.clock.now)
            for name in NAMES
        }
        self.ids = {name: account.id for name, account in made.items()}

    def open(self, plan: dict[str, Any] = KNOCKOUT, places: int = 0, **conditions: Any) -> Tournament:
        draft = Draft("Autumn", plan, {"length": 1, **conditions}, places)
        made = create(self.post.store, self.ids["dana"], draft, self.post.clock.now, self.chance)
        self.say(made, "open")
        return made

    def say(self, one: Tournament, name: str, reason: str = "", **data: Any) -> None:
        now = self.post.clock.now
        command(self.post.store, one.id, self.ids["dana"], Wish(name, data, reason), now, self.chance)

    def enter(self, one: Tournament, *names: str) -> None:
        wish = Entering(one.digest, fair_play=True)
        for name in names:
            enter(self.post.store, one.id, self.ids[name], wish, self.post.clock.now, self.chance)

    def go_on(self) -> None:
        while advancing.step(self.post.store, self.post.clock.now, self.chance):
            pass
        self.post.deliver()

    def subjects(self, to: list[str]) -> list[str]:
        return [
            mail.subject for mail in self.post.mails() if mail.recipients == to or to[0] in mail.recipients
        ]


@pytest.fixture
def event(post: Post) -> Event:
    return Event(post)


def test_both_are_told_that_their_match_begins_and_what_its_end_means(event: Event, post: Post) -> None:
    one = event.open()
    event.enter(one, "alice", "bob", "erin")
    event.say(one, "seed", how="order")
    event.say(one, "start")
    event.go_on()
    (pairing,) = [each for each in views.pairings(post.store, one.id) if each.match_id]
    view = turns.load(post.store, pairing.match_id or "")
    on_turn, waits = (
        (view.white, view.black) if view.match.on_turn is Side.WHITE else (view.black, view.white)
    )
    assert on_turn is not None
    assert waits is not None
    first = post.mails(f"{on_turn.handle}@play.example")[-1]
    second = post.mails(f"{waits.handle}@play.example")[-1]
    assert "Autumn: Semi-finals" in first.text()
    assert second.subject.startswith(f"A tournament match begins, match with {on_turn.handle} ")
    assert "Autumn: Semi-finals" in second.text()
    assert "entered the tournament" in second.text()
    assert "invitation" not in second.text()
    (bye,) = post.mails(ALICE)
    assert bye.subject == "Autumn: a bye in round 1"
    assert "you win it without playing" in bye.text()
    loser = Side.WHITE if view.white == on_turn else Side.BLACK
    turns.act(post.store, view.id, loser, Request("resign_match", view.version), post.clock.now, event.chance)
    post.clock.pass_(minutes=11)
    event.go_on()
    over = [
        mail for mail in post.mails(f"{on_turn.handle}@play.example") if "The match is over" in mail.subject
    ]
    assert "That was your last match in Autumn." in over[0].text()
    won = [mail for mail in post.mails(f"{waits.handle}@play.example") if "The match is over" in mail.subject]
    assert "You are through in Autumn." in won[0].text()


def test_a_word_to_all_a_place_that_came_free_and_the_end(event: Event, post: Post) -> None:
    one = event.open(places=2)
    event.enter(one, "alice", "bob", "erin")
    event.say(one, "announce", text="Bring cake.\nAnd tea.")
    event.go_on()
    assert {mail.subject for mail in post.mails()} == {"Autumn: a word from dana"}
    assert len(post.mails()) == 3
    assert "Bring cake." in post.last(BOB).text()
    leave(post.store, one.id, event.ids["alice"], post.clock.now, event.chance)
    event.go_on()
    assert post.mails()[-1].subject == "You have a place in Autumn"
    event.say(one, "start")
    event.go_on()
    leave(post.store, one.id, event.ids["bob"], post.clock.now, event.chance)
    event.go_on()
    assert "Autumn is over: place 1 of 2" in [mail.subject for mail in post.mails("erin@play.example")]
    assert f"https://club.example/tournaments/{one.id}" in post.mails()[-1].text()


def test_what_was_called_off_is_told_once_and_nothing_else_of_it(event: Event, post: Post) -> None:
    one = event.open()
    event.enter(one, "alice", "bob")
    event.say(one, "announce", text="Soon")
    event.say(one, "cancel", reason="The hall burnt down")
    event.go_on()
    assert [mail.subject for mail in post.mails()] == ["Autumn is cancelled"] * 2
    assert "dana says: The hall burnt down" in post.last(ALICE).text()


def test_a_round_by_hand_is_told_before_it_begins_and_its_lateness_to_the_organiser(
    event: Event, post: Post
) -> None:
    one = event.open({"stages": [{"format": "swiss", "rounds": 2}]}, rounds="hand", round_days=2)
    event.enter(one, "alice", "bob")
    event.say(one, "start")
    event.go_on()
    event.say(one, "pair")
    event.go_on()
    assert post.last(ALICE).subject == "Autumn: you meet bob in round 1"
    event.say(one, "begin")
    event.go_on()
    post.clock.pass_(days=2)
    for _ in range(2):
        event.go_on()
    late = [mail for mail in post.mails("dana@play.example") if "takes longer" in mail.subject]
    assert len(late) == 1
    assert "1 match still runs" in late[0].text()


def test_webhooks_are_told_of_tournaments(event: Event, post: Post, hooks: Hooks) -> None:
    one = event.open(places=2)
    event.enter(one, "alice", "bob", "erin")
    with receiver(answers(OK)) as hers:
        hooks.add(event.ids["erin"], hers, "hers", events=("tournament.entered", "tournament.paired"))
        leave(post.store, one.id, event.ids["alice"], post.clock.now, event.chance)
        event.say(one, "start")
        event.go_on()
        hooks.work()
        said = [told(call) for call in hers.calls]
    entered = next(each for each in said if each["type"] == "tournament.entered")
    assert entered["data"]["tournament"] == one.id
    assert entered["data"]["headline"] == "You have a place in Autumn"
    paired = [each for each in said if each["type"] == "tournament.paired"]
    assert all(each["data"]["tournament"] == one.id for each in paired)
