"""Letters and events of tournaments: who is told what, once, and only while it is so."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest
from sqlalchemy import update

from bgmail.dice import FairChance
from bgmail.pairing.plan import Plan
from bgmail.phrases.formats import round_title
from bgmail.rules.side import Side
from bgmail.service import accounts, entrance, turns
from bgmail.service.deadlines import sweep_some
from bgmail.service.notices import Kind
from bgmail.service.tournaments import advancing, views
from bgmail.service.tournaments.commands import command
from bgmail.service.tournaments.creating import Draft, create
from bgmail.service.tournaments.desk import Wish
from bgmail.service.tournaments.entering import Entering, enter
from bgmail.service.tournaments.leaving import leave
from bgmail.service.tournaments.views import Tournament
from bgmail.service.turns import Request
from bgmail.store.matches import table
from bgmail.store.tables import TournamentRow
from tests.notify.conftest import BASE, Post
from tests.notify.hooks.conftest import Hooks, hooks, told
from tests.notify.hooks.receivers import OK, answers, receiver
from tests.notify.records import ALICE, BOB
from tests.notify.test_letters_hostile import Elements

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
    assert bye.subject == "Autumn, Semi-finals: a bye"
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


def test_a_round_has_its_name_where_a_bracket_gives_it_one() -> None:
    groups = {"format": "round_robin", "groups": 2, "advance": 2}
    plan = Plan.from_data({"stages": [groups, {"format": "knockout"}]})
    knockout = Plan.from_data({"stages": [{"format": "double_elimination"}]})
    assert round_title(plan, "r1.1-2", 1, 8) == "Round 1"
    assert round_title(plan, "2:w1.2", 4, 4) == "Semi-finals"
    assert round_title(plan, "2:w1.2", 4, 0) == "Round 4", "nobody knows how large its bracket is"
    assert round_title(knockout, "l1.1", 2, 8) == "Losers’ round 1"


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
    assert "You have won it: congratulations!" in post.last("erin@play.example").text()
    assert "erin has won it." in post.last(BOB).text()
    assert f"https://club.example/tournaments/{one.id}" in post.mails()[-1].text()


def test_who_stops_the_words_of_organisers_gets_all_other_letters(event: Event, post: Post) -> None:
    """Elsewhere leaving one list stopped the letters to reset a password as well."""
    one = event.open()
    event.enter(one, "alice", "bob")
    event.say(one, "announce", text="Bring cake.")
    event.go_on()
    client = post.app.test_client(use_cookies=False)
    for who in (ALICE, BOB):
        stop = urlsplit(post.last(who).message["List-Unsubscribe"].strip("<>")).path
        assert client.post(stop, data={"List-Unsubscribe": "One-Click"}, base_url=BASE).status_code == 200
    event.say(one, "announce", text="And tea.")
    event.say(one, "start")
    event.go_on()
    entrance.ask_for_link(post.store, Kind.RESET, ALICE, "client", post.clock.now)
    post.clock.pass_(hours=92)
    while sweep_some(post.store, post.clock.now, event.chance):
        pass
    post.deliver()
    told = [subject.partition(",")[0] for to in (ALICE, BOB) for subject in event.subjects([to])]
    words = [subject for subject in told if "a word from" in subject]
    assert words == ["Autumn: a word from dana"] * 2, "the second one came to nobody"
    assert {"A tournament match begins", "Choose a new password", "4 h left"} <= set(told)


def test_what_organisers_write_runs_nowhere_and_adds_no_header(event: Event, post: Post) -> None:
    """A name with a line break can't be given any more; an old row may have one."""
    script = '"><svg onload=alert(1)><img src=x onerror=alert(1)> {{7*7}} %(x)s'
    one = event.open()
    event.enter(one, "alice", "bob", "erin")
    row = table(TournamentRow)
    with post.store.write() as connection:
        connection.execute(update(row).values(name=f"{script}\r\nBcc: victim@example.org"))
    event.say(one, "announce", text=f"Come!\n{script}")
    event.say(one, "start")
    event.go_on()
    event.say(one, "cancel", reason=script)
    event.go_on()
    assert f"{script} Bcc: victim@example.org is cancelled" in event.subjects([ALICE])
    for mail in post.mails():
        assert "Bcc" not in mail.message
        assert len(mail.message["To"].addresses) == 1
        elements = Elements(mail.html())
        assert {"svg", "script"}.isdisjoint(elements.tags)
        assert not [name for name, _ in elements.attributes if name.startswith("on")]
    assert post.mails(ALICE)[0].text().count(script) == 2, "in the name and in what was said"


def test_a_match_that_is_annulled_is_nobodys_last(event: Event, post: Post) -> None:
    one = event.open()
    event.enter(one, "alice", "bob")
    event.say(one, "start")
    event.go_on()
    event.say(one, "decide", "A wrong board", pairing="w1.1", how="annulled")
    post.clock.pass_(minutes=11)
    event.go_on()
    for address in (ALICE, BOB):
        (over,) = [mail for mail in post.mails(address) if "The match is over" in mail.subject]
        assert "The match was annulled and counts for nobody. What it means in Autumn" in over.text()


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
    assert post.last(ALICE).subject == "Autumn, Round 1: you meet bob"
    event.say(one, "begin")
    event.go_on()
    post.clock.pass_(days=2)
    for _ in range(2):
        event.go_on()
    late = [mail for mail in post.mails("dana@play.example") if "still run" in mail.subject]
    assert [mail.subject for mail in late] == ["Autumn, Round 1: matches still run"]
    assert "1 match still runs" in late[0].text()


def test_who_leaves_before_the_round_begins_gets_no_letter_of_it_and_only_those_concerned_are_told_anew(
    event: Event, post: Post
) -> None:
    """The next round still showed the old pairing, and its start was told to who had gone."""
    for name in ("finn", "gina"):
        event.ids[name] = accounts.create(post.store, name, f"{name}@play.example", None, post.clock.now).id
    one = event.open({"stages": [{"format": "swiss", "rounds": 2}]}, rounds="hand")
    event.enter(one, "alice", "bob", "erin", "finn", "gina")
    event.say(one, "start")
    event.say(one, "pair")
    event.go_on()
    drawn = views.pairings(post.store, one.id)
    rests = next(each.first.handle for each in drawn if each.second is None)
    gone, untouched = (each for each in drawn if each.second is not None)
    assert gone.second
    assert untouched.second
    before = len(post.mails())
    event.say(one, "withdraw", entry=gone.first.number)
    event.go_on()
    told = sorted(mail.recipients for mail in post.mails()[before:])
    assert told == sorted(f"{name}@play.example" for name in (gone.second.handle, rests))
    event.say(one, "begin")
    event.go_on()
    begun = {mail.recipients for mail in post.mails()[before + 2 :]}
    playing = (gone.second.handle, rests, untouched.first.handle, untouched.second.handle)
    assert begun == {f"{name}@play.example" for name in playing}


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
