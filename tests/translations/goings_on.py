"""What goes on in the club, everything at once: matches in every phase, offers, mails, webhooks, tournaments."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from bgmail.inbox.reading import Doubt
from bgmail.notify.digests import gather_one
from bgmail.notify.planning import plan_all
from bgmail.rules.ruledata import to_data
from bgmail.rules.ruleset import CLUB
from bgmail.rules.side import Side
from bgmail.service import (
    accounts,
    choices,
    entrance,
    feeds,
    imports,
    invitations,
    logins,
    machines,
    matches,
    proofs,
    push,
    standstills,
    told,
    vacations,
    webhooks,
)
from bgmail.service.accounts import Application
from bgmail.service.notices import Kind, fact, owe
from bgmail.service.terms import Email, Handle, Open, Terms
from bgmail.service.tournaments import advancing
from bgmail.service.tournaments.commands import command
from bgmail.service.tournaments.creating import Draft, create
from bgmail.service.tournaments.desk import Wish as Saying
from bgmail.service.tournaments.entering import Entering, enter
from bgmail.service.tournaments.leaving import leave
from bgmail.service.tournaments.views import Tournament
from bgmail.service.vacations import Wish as Holiday
from bgmail.service.views import MatchView
from bgmail.service.webhooks import FAILING_FOR, NAMES, Call, Wish
from tests.notify.push.browser import FakeBrowser
from tests.service.matchmaking import ScriptedChance
from tests.translations.club import Club, sweep

RECORDED = Path(__file__).resolve().parents[1] / "data" / "matches" / "club-1.txt"
WHITE, BLACK = Side.WHITE, Side.BLACK


def fill(club: Club) -> None:
    """Everything that can go on at once."""
    people(club)
    over(club)
    hooks(club)
    running(club)
    by_mail(club)
    offers(club)
    reminders(club)
    mercy(club)
    tournaments(club)
    away(club)
    digest(club)


def people(club: Club) -> None:
    """Letters about accounts."""
    store, now = club.store, club.clock.now
    alice = accounts.by_id(store, club.alice)
    entrance.ask_for_link(store, Kind.SIGN_IN, "alice@play.example", "client", now)
    entrance.ask_for_link(store, Kind.RESET, "alice@play.example", "client", now)
    for name, address in (("dana", "dana@play.example"), ("eve", "alice@play.example")):
        wish = Application(name, address, "a long password", locale=club.language)
        accounts.sign_up(store, wish, "client", now)
    proofs.propose(store, alice, "alice@new.example", "", now, client="client")
    proofs.prove(store, proofs.AddressClaim(club.alice, "alice@new.example"), now, signed_in=club.alice)
    club.write()


def hooks(club: Club) -> None:
    """Webhooks that fare well and badly, with calls of every outcome; two were switched off."""
    store, now = club.store, club.clock.now
    wish = Wish("https://hooks.example.org/in", "standard", NAMES, name="test")
    fine, gone, lost = (webhooks.add(store, club.alice, wish, webhooks.new_secret(), now) for _ in range(3))
    webhooks.pause(store, club.alice, webhooks.add(store, club.alice, wish, "whsec_aaaa", now).id)
    calls = [(outcome, None) for outcome in ("timeout", "name", "connection", "garbled", "inside")]
    calls += [("redirect", 302), ("status", 500), ("taken", 200)]
    with store.write() as connection:
        for outcome, status in calls:
            webhooks.note(connection, fine.id, _call(now, outcome, status), given_up=False)
        webhooks.note(connection, gone.id, _call(now, "status", 410), given_up=True)
        webhooks.note(connection, lost.id, _call(now - FAILING_FOR, "timeout", None), given_up=True)
        webhooks.note(connection, lost.id, _call(now, "timeout", None), given_up=True)
    webhooks.renew_secret(store, club.alice, fine.id, webhooks.new_secret(), now)
    feeds.renew(store, club.alice, now)
    browsers(club)
    club.write()


def browsers(club: Club) -> None:
    """Alice is told in three browsers: one that has been, one that hasn't yet, and one that can't be reached."""
    store, now = club.store, club.clock.now
    for number in range(3):
        secret = logins.new_secret()
        logins.open_session(store, club.alice, "", secret, now)
        entered = logins.by_session(store, secret, now)
        assert entered
        push.subscribe(store, club.alice, entered.login_id, FakeBrowser(path=str(number)).wish, "", now)
    reached, _, lost = push.browsers(store, club.alice, now)
    push.took(store, reached.id, now)
    push.failed(store, lost, "503", now, rests=True)


def _call(now: datetime, outcome: str, status: int | None) -> Call:
    return Call(0, 1, "msg_1", "webhook.test", now, 0.5, outcome, status, "{}", "")


def over(club: Club) -> None:
    """Matches and games that have ended, in every way."""
    club.begin((2, 5)).act(WHITE, "resign_match")
    now, nobody = club.clock.now, ScriptedChance([])
    invitations.invite(club.store, club.alice, Terms(5), Handle("bob"), "", now, nobody)
    club.begin((5, 2), (6, 4), length=2).act(WHITE, "play", play="13/8 13/11").act(BLACK, "double").act(
        WHITE, "pass"
    )
    last = club.begin((5, 2), length=1)
    last.act(WHITE, "resign", value=2).act(BLACK, "accept_resignation")
    club.begin((5, 2), (6, 4), (3, 1), length=0, games=2, time="untimed").act(WHITE, "resign", value=1).act(
        BLACK, "accept_resignation"
    )
    late = club.begin((5, 2), time="increment")
    club.clock.now += timedelta(days=40)
    sweep(club, late.chance)
    imports.import_file(club.store, RECORDED.name, RECORDED.read_bytes(), club.clock.now)


def running(club: Club) -> None:
    """Matches in every phase of a turn, for either side."""
    club.begin((5, 2), length=9, rules="federation")
    rolled = club.begin((5, 2), (6, 4)).act(WHITE, "play", play="13/8 13/11")
    matches.say(club.store, rolled.view, club.alice, "Alice?", club.clock.now)
    club.begin((5, 2)).act(WHITE, "play", play="13/8 13/11").act(BLACK, "double")
    taken = club.begin((5, 2), (6, 1), (3, 1)).act(WHITE, "play", play="13/8 13/11").act(BLACK, "double")
    taken.act(WHITE, "take").act(BLACK, "play", play="13/7 8/7").act(WHITE, "roll")
    club.begin((5, 2)).act(BLACK, "resign", value=2)
    club.begin((5, 2)).act(WHITE, "resign", value=1).act(BLACK, "decline_resignation")
    club.begin((5, 2), time="long-bank").act(WHITE, "resign", value=1)
    won = club.begin((5, 2), (6, 4), length=2)
    won.act(WHITE, "resign", value=1).act(BLACK, "accept_resignation")
    stuck = {25: 1, 13: 5, 8: 4, 6: 5}, {22: 2, 19: 5, 17: 3, 12: 5}
    club.begin((5, 2)).stage(WHITE, *stuck, (6, 2))
    club.begin((5, 2)).stage(WHITE, {6: 3, 5: 4, 4: 3, 2: 2}, {1: 2, 3: 9}, (6, 5))
    machine = machines.make(club.store, ("house",), club.clock.now)
    chance = ScriptedChance([(5, 2)])
    offered = invitations.invite(
        club.store, machine.id, Terms(3), Handle("alice"), "", club.clock.now, chance
    )
    invitations.accept(club.store, offered.id, club.alice, club.clock.now, chance)
    club.write()


def offers(club: Club) -> None:
    """Invitations, open and answered."""
    store, now, chance = club.store, club.clock.now, ScriptedChance([])
    ask = lambda who, to, terms: invitations.invite(store, who, terms, to, "Bob?", now, chance)  # noqa: E731
    for time in ("three-days", "live-delay", "live-8-10", "live-11-90"):
        ask(club.alice, Handle("bob"), Terms(5, time=time))
    ask(club.bob, Handle("alice"), Terms(5))
    ask(club.alice, Email("friend@play.example"), Terms(5))
    ask(club.charlie, Open(), Terms(0, games=3))
    ask(club.alice, Open(), Terms(3))
    club.write()
    invitations.decline(store, ask(club.alice, Handle("bob"), Terms(5)).id, club.bob, now, chance)
    invitations.counter(
        store, ask(club.bob, Handle("alice"), Terms(9)).id, club.alice, Terms(3), "", now, chance
    )
    club.write()
    invitations.cancel(store, ask(club.bob, Handle("alice"), Terms(3)).id, club.bob, now, chance)
    club.write()
    ask(club.alice, Handle("charlie"), Terms(5))


def by_mail(club: Club) -> None:
    """Alice has answered by mail: unclearly in every way, from elsewhere, too late, and well."""
    view, play = club.begin((3, 1)).view, ["play", "8/5 6/5", None]
    said: dict[str, Any] = {"said": "8/5 6/5", "values": {}, "wishes": [play]}
    for why in (*Doubt, "other_dice", "sure", "not_now"):
        answer(club, Kind.HELP, view, said | {"why": str(why)})
    answer(club, Kind.HELP, view, said | {"why": "play", "said": "8/4", "values": {"play": "8/4"}})
    no_cube = {"code": "cube_not_yours"}
    answer(
        club, Kind.HELP, view, said | {"why": "refused", "values": no_cube, "wishes": [["resign", None, 1]]}
    )
    for stranger in (True, False):
        answer(club, Kind.CONFIRM, view, said | {"sender": "alice@work.example", "stranger": stranger})
    for what in ("done", "late"):
        answer(club, Kind.ANSWER, view, {"what": what, "said": "8/5", "left": ["6/5"], "chat_lost": True})
    answer(club, Kind.ANSWER, view, {"what": "late", "said": "", "left": [], "chat_lost": False})
    offered = invitations.invite(
        club.store, club.bob, Terms(3), Handle("alice"), "", club.clock.now, ScriptedChance([])
    )
    club.write()
    answer(club, Kind.HELP, offered, said | {"why": "empty", "wishes": []})


def answer(club: Club, kind: Kind, view: MatchView, data: dict[str, Any]) -> None:
    """Owes Alice a letter about a mail of hers."""
    owed = fact(
        kind, club.clock.now, account_id=club.alice, match_id=view.id, version=view.version, data=data
    )
    with club.store.write() as connection:
        owe(connection, [owed | {"which": str(len(club.letters))}])
    club.write()


def reminders(club: Club) -> None:
    """Time runs low in some matches, is over in two where that has to be claimed, and one offer has expired."""
    hours = {"per_turn": 3600, "bank": 3600}
    for rules in ("claim", to_data(replace(CLUB, name="test", claimed=True))):
        club.begin((5, 2), length=5, rules=rules, time=hours, wager=1)
    club.clock.now += timedelta(hours=20)
    sweep(club, ScriptedChance([]))


def mercy(club: Club) -> None:
    """A day given, a clock taken away, and an offer to do without one."""
    club.begin((5, 2), rated=False).act(BLACK, "give_day").act(BLACK, "offer_untimed").act(
        WHITE, "accept_untimed"
    )
    club.begin((5, 2), rated=False).act(BLACK, "offer_untimed")
    club.begin((5, 2), rated=False).act(WHITE, "offer_untimed").act(BLACK, "decline_untimed")


def away(club: Club) -> None:
    """Bob is on vacation, which began by itself as far as his letters know; Alice has planned one and had others."""
    store, now = club.store, club.clock.now
    day, nobody = timedelta(days=1), ScriptedChance([])
    alice, bob = (accounts.by_id(store, one) for one in (club.alice, club.bob))
    vacations.take(store, alice, Holiday(now + 10 * day, now + 12 * day), now)
    past = vacations.take(store, alice, Holiday(now - 2 * day, now - day), now - 3 * day)
    back = vacations.take(store, alice, Holiday(now + 5 * day), now)
    running = vacations.take(store, bob, Holiday(with_play=True), now)
    standstills.spread_all(store, bob.id, now, nobody)
    standstills.spread_all(store, alice.id, now, nobody)
    vacations.end(store, alice.id, back.id, now)
    standstills.spread_all(store, alice.id, now, nobody)
    match_id = matches.mine(store, bob.id, "running")[0].id
    begun = {"vacation": running.id, "match": match_id}
    with store.write() as connection:
        owe(connection, [fact(Kind.VACATION_BEGUN, now, account_id=bob.id, data=begun)])
        owe(connection, [fact(Kind.VACATION_ENDED, now, account_id=alice.id, data={"vacation": past.id})])
    club.write()


def tournaments(club: Club) -> None:
    """One that Alice organises and all three play, with everything that can be said of it."""
    store, nobody = club.store, ScriptedChance([])
    now = club.clock.now
    swiss = {"stages": [{"format": "swiss", "rounds": 3}]}
    terms = {"length": 1, "rounds": "hand", "round_days": 1}
    for name, more in (("Autumn", {"places": 2}), ("Winter", {"starts_at": now + timedelta(hours=1)})):
        made = create(store, club.alice, Draft(name, swiss, terms, **more), now, nobody)  # type: ignore[arg-type]

        def say(what: str, one: Tournament = made, **data: Any) -> None:
            command(store, one.id, club.alice, Saying(what, data, "bob"), club.clock.now, nobody)
            while advancing.step(store, club.clock.now, nobody):
                club.write()
            club.write()

        say("open")
        if name == "Winter":
            enter(store, made.id, club.bob, Entering(made.digest, fair_play=True), now, nobody)
            continue
        for person in (club.alice, club.bob, club.charlie):
            enter(store, made.id, person, Entering(made.digest, fair_play=True), now, nobody)
        say("announce", text="alice")
        say("exclude", entry=2)
        say("start")
        say("pair")
        say("begin")
        club.clock.now += timedelta(days=2)
        say("announce", text="bob")
        say("withdraw", entry=3)
    tournaments_end(club, made.id)


def tournaments_end(club: Club, tournament_id: str) -> None:
    """One called off, and one with a bye in it."""
    store, nobody, now = club.store, ScriptedChance([]), club.clock.now
    command(store, tournament_id, club.alice, Saying("cancel", {}, "bob"), now, nobody)
    plan = {"stages": [{"format": "knockout"}]}
    made = create(store, club.bob, Draft("Spring", plan, {"length": 1}), now, nobody)
    command(store, made.id, club.bob, Saying("open", {}), now, nobody)
    for person in (club.alice, club.bob, club.charlie):
        enter(store, made.id, person, Entering(made.digest, fair_play=True), now, nobody)
    command(store, made.id, club.bob, Saying("start", {}), now, nobody)
    while advancing.step(store, now, nobody):
        club.write()
    for person in (club.bob, club.charlie):
        leave(store, made.id, person, now, nobody)
        while advancing.step(store, now, nobody):
            club.write()
    club.write()


def digest(club: Club) -> None:
    """Alice reads of her turns once a day, and has sent herself a test."""
    turns_by_digest = {(Kind.YOUR_TURN, choices.MAIL): choices.Mode.DIGEST}
    choices.choose(club.store, club.alice, turns_by_digest)
    told.test(club.store, club.alice, choices.MAIL, 0, club.clock.now)
    with club.app.app_context():
        plan_all(club.world, club.clock.now)
        while gather_one(club.store, club.clock.now + timedelta(days=1)):
            club.write()
