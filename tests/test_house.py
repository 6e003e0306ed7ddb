"""The house: a machine that anybody can play at once, by the same rules, dice and door as a person."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select, text

from bgmail import house
from bgmail.dice import FairChance, verify
from bgmail.engine.plain import PlainPlayer
from bgmail.rules import Play
from bgmail.rules.match import Match, Phase, legal
from bgmail.rules.options import options
from bgmail.rules.side import Side
from bgmail.service import accounts, admission, invitations, machines, matches, offers, turns
from bgmail.service.audits import Tally, audit
from bgmail.service.errors import Refused
from bgmail.service.names import refuse_reserved
from bgmail.service.notices import HERE
from bgmail.service.terms import Handle, Terms
from bgmail.service.turns import Request
from bgmail.service.views import MatchView
from bgmail.store import machines as statements
from bgmail.store.engine import Store
from bgmail.store.matches import table
from bgmail.store.tables import NoticeRow
from tests.service.matchmaking import ScriptedChance, position, settle, stage

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
FAIR = FairChance()
FAST = PlainPlayer(looks_ahead=False)
NONCE = "0123456789abcdef" * 2


@pytest.fixture
def store(schema_url: str) -> Iterator[Store]:
    opened = Store(schema_url)
    yield opened
    opened.close()


@pytest.fixture
def alice(store: Store) -> int:
    return settle(store, NOW)[0]


def begin(store: Store, person: int, *dice: tuple[int, int], length: int = 3, **more: object) -> MatchView:
    """A match of the house (White) against a person; the first of `dice` is the opening roll."""
    chance = ScriptedChance(dice)
    return house.challenge(store, person, Terms(length), NOW, chance, **more)  # type: ignore[arg-type]


def steps(store: Store, player: object = FAST) -> list[str]:
    """What the house does until it waits."""
    done = []
    while (what := house.step(store, NOW, FAIR, player)) is not None:  # type: ignore[arg-type]
        done.append(what)
    return done


def test_a_match_against_the_house_is_its_invitation_accepted_with_the_persons_nonce(
    store: Store, alice: int
) -> None:
    view = begin(store, alice, (3, 1), nonce=NONCE)
    log = matches.log(store, view.id)
    assert [(entry.kind, entry.seat, entry.via) for entry in log[:3]] == [
        ("invite", "white", "house"),
        ("commit", None, "server"),
        ("accept", "black", "page"),
    ]
    assert log[2].nonce == NONCE
    assert view.white
    assert view.white.handle == "House"
    assert view.white.is_bot
    assert view.side_of(alice) is Side.BLACK
    assert not view.rated


def test_the_house_moves_when_it_is_on_turn_and_rests_when_it_isnt(store: Store, alice: int) -> None:
    view = begin(store, alice, (3, 1))
    assert steps(store) == [f"play {view.id}"]
    assert turns.load(store, view.id).match.on_turn is Side.BLACK
    assert house.step(store, NOW, FAIR, FAST) is None


def test_a_whole_match_is_played_to_its_end_and_its_dice_are_proven(store: Store, alice: int) -> None:
    view = begin(store, alice, nonce=NONCE)
    for _ in range(2000):
        steps(store)
        view = turns.load(store, view.id)
        if view.match.phase is Phase.OVER:
            break
        turns.act(store, view.id, Side.BLACK, answer(view), NOW, FAIR)
    assert view.match.phase is Phase.OVER
    log = matches.log(store, view.id)
    assert verify(log).faults == []
    assert list(audit(store, Tally())) == []
    assert {entry.via for entry in log if entry.seat == "white"} <= {"house", "auto"}


def answer(view: MatchView) -> Request:
    """What an obliging opponent does."""
    may = options(view.match, Side.BLACK)
    play = str(legal(view.match)[0]) if may[0] == "play" and legal(view.match) else None
    return Request(may[0], view.version, play=play)


def test_the_nonces_of_the_house_follow_from_those_before_them(store: Store, alice: int) -> None:
    """So its operator can't choose them until the dice please."""
    view = begin(store, alice, (1, 3), (6, 1), (5, 2), nonce=NONCE)
    turns.act(store, view.id, Side.BLACK, Request("play", view.version, play="8/5 6/5"), NOW, FAIR)
    steps(store)
    so_far = ""
    for entry in matches.log(store, view.id):
        if entry.seat == "white" and entry.via == "house" and entry.kind != "invite":
            told = f"machine|{view.id}|{so_far}"
            assert entry.nonce == hashlib.sha256(told.encode()).hexdigest()[:32]
            assert "server_nonce" not in entry.data
        so_far += entry.nonce or ""


def test_the_house_answers_a_double_and_an_offer_to_resign(store: Store, alice: int) -> None:
    view = begin(store, alice, (1, 3))
    ahead = position({6: 5, 5: 5, 4: 5}, {12: 5, 13: 5, 17: 5})
    view = stage(store, view, Side.BLACK, ahead)
    turns.act(store, view.id, Side.BLACK, Request("double", view.version), NOW, FAIR)
    assert steps(store)[0] == f"pass {view.id}"
    view = stage(store, turns.load(store, view.id), Side.BLACK, ahead.mirrored())
    turns.act(store, view.id, Side.BLACK, Request("resign", view.version, value=1), NOW, FAIR)
    assert steps(store)[0] == f"accept_resignation {view.id}"


class Broken(PlainPlayer):
    """Fails in one match."""

    def __init__(self, score: int) -> None:
        super().__init__(looks_ahead=False)
        self.length = score

    def play(self, match: Match) -> Play:
        if match.length == self.length:
            raise RuntimeError("a fault in the machine")
        return super().play(match)


def test_a_match_that_fails_rests_alone_and_is_tried_again(
    store: Store, alice: int, caplog: pytest.LogCaptureFixture
) -> None:
    begun = [begin(store, alice, (3, 1), length=length) for length in (3, 5)]
    bad, good = sorted(begun, key=lambda view: view.id)  # both wait since one instant
    assert steps(store, Broken(bad.match.length)) == [f"failed {bad.id}", f"play {good.id}"]
    assert "put off" in caplog.text
    assert house.step(store, NOW + timedelta(minutes=4), FAIR, FAST) is None
    assert house.step(store, NOW + timedelta(minutes=6), FAIR, FAST) == f"play {bad.id}"


def test_two_schedulers_do_no_harm_to_each_other(store: Store, alice: int) -> None:
    """The slower one finds the match with the person, and leaves it at that."""

    class Slow(PlainPlayer):
        def play(self, match: Match) -> Play:
            house.step(store, NOW, FAIR, FAST)
            return super().play(match)

    view = begin(store, alice, (3, 1), (6, 1), (5, 2))
    assert house.step(store, NOW, FAIR, Slow()) == f"moved {view.id}"
    view = turns.load(store, view.id)
    assert [entry.kind for entry in matches.log(store, view.id) if entry.seat == "white"].count("play") == 1
    while view.match.on_turn is Side.BLACK:
        view = turns.act(store, view.id, Side.BLACK, answer(view), NOW, FAIR).view
    assert steps(store)


def test_a_player_whose_answer_is_illegal_changes_nothing(
    store: Store, alice: int, caplog: pytest.LogCaptureFixture
) -> None:
    class Cheat(PlainPlayer):
        def play(self, match: Match) -> Play:
            other = replace(match, position=position({3: 1, 1: 1}, {24: 2}))
            return super().play(other)

    view = begin(store, alice, (3, 1))
    assert steps(store, Cheat()) == [f"failed {view.id}"]
    assert turns.load(store, view.id).head == view.head
    assert "put off" in caplog.text


def test_whoever_invites_the_house_is_invited_back(store: Store, alice: int) -> None:
    house.account(store, NOW)
    asked = invitations.invite(store, alice, Terms(5, time="three-days"), Handle("house"), "", NOW, FAIR)
    assert steps(store) == [f"invite back {asked.id}"]
    assert turns.load(store, asked.id).match.phase is Phase.OVER
    (offer,) = invitations.received(store, alice)
    assert offer.answers == asked.id
    assert offer.view.match.length == 5
    assert offer.view.clock.control.name == "three-days"
    assert not offer.view.rated
    assert invitations.accept(store, offer.view.id, alice, NOW, FAIR).match.game == 1


def test_a_second_press_of_the_button_finds_the_same_match(store: Store, alice: int) -> None:
    first = begin(store, alice, key="one press")
    assert begin(store, alice, key="one press").id == first.id
    assert begin(store, alice, key="another").id != first.id


def test_terms_that_nobody_can_play_on_are_refused_and_nothing_is_begun(store: Store, alice: int) -> None:
    for terms in (Terms(26), Terms(3, rules="unknown"), Terms(3, time="never")):
        with pytest.raises(Refused):
            house.challenge(store, alice, terms, NOW, FAIR)
    with pytest.raises(Refused):
        begin(store, alice, nonce="short")
    assert matches.mine(store, alice, "running", 10) == []
    assert invitations.received(store, alice) == []


def test_the_house_is_one_account_that_nobody_can_sign_in_as(store: Store) -> None:
    assert machines.find(store, house.NAMES) is None
    one, other = house.account(store, NOW), house.account(store, NOW)
    assert one == other
    assert one.is_bot
    assert not one.has_password
    assert one.email is None
    assert one.new_email is None
    with pytest.raises(Refused):
        refuse_reserved("House")


def test_somebody_who_went_by_its_name_before_keeps_it(store: Store, alice: int) -> None:
    person = accounts.create(store, "house", "house@play.example", None, NOW)
    assert house.account(store, NOW).handle == "House-player"
    assert not house.is_house(store, person.handle)
    assert house.is_house(store, "house-player")
    assert begin(store, alice).white == turns.load(store, begin(store, alice).id).white


def test_its_name_means_the_house_before_it_has_played(store: Store) -> None:
    assert house.is_house(store, "HOUSE")
    assert not house.is_house(store, "horse")


def test_the_house_gets_no_letters_and_the_person_does(store: Store, alice: int) -> None:
    view = begin(store, alice, (3, 1))
    steps(store)
    notice = table(NoticeRow)
    with store.read() as connection:
        owed = connection.execute(notice.select().where(notice.c.match_id == view.id)).all()
    assert {row.account_id for row in owed} == {alice}
    assert "your_turn" in {row.kind for row in owed}


def test_while_a_person_plays_the_house_the_letters_wait(store: Store, alice: int) -> None:
    """A letter a move would be forty in ten minutes; who goes on playing gets none."""
    begin(store, alice, (3, 1), length=5)
    begin(store, alice, (3, 1))
    late, soon = timedelta(hours=1), timedelta(seconds=2)
    for after in (late, soon):  # in whichever of the two matches it takes up
        house.step(store, NOW + after, FAIR, FAST)
    notice = table(NoticeRow)
    with store.read() as connection:
        rows = connection.execute(notice.select().where(notice.c.kind == "your_turn")).all()
    due = {row.created_at - NOW: row.due_at - row.created_at for row in rows}
    assert due == {late: timedelta(), soon: HERE}


def test_looking_for_the_houses_turn_is_a_range_of_an_index(store: Store, alice: int) -> None:
    """However many matches wait for people: only those that wait for the machine are read."""
    begin(store, alice, (3, 1))
    query = statements._ON_TURN.params(account_id=house.account(store, NOW).id, now=NOW)
    with store.read() as connection:
        told = query.compile(dialect=connection.dialect, compile_kwargs={"literal_binds": True})
        if connection.dialect.name == "postgresql":
            connection.execute(text("SET LOCAL enable_seqscan = off"))
            plan = connection.execute(text(f"EXPLAIN {told}"))
        else:
            plan = connection.execute(text(f"EXPLAIN QUERY PLAN {told}"))
        assert "ix_match_machine" in "\n".join(map(str, plan))


def test_a_limit_of_matches_holds_for_the_house_too_and_a_second_press_finds_the_first_match(
    store: Store, alice: int
) -> None:
    admission.set_most(store, alice, "1")
    first = begin(store, alice, (3, 1), key="press")
    assert begin(store, alice, (3, 1), key="press").id == first.id
    with pytest.raises(Refused, match="own_limit"):
        begin(store, alice, (3, 1), key="another")
    assert [view.id for view in matches.mine(store, alice, "running")] == [first.id]


def test_a_challenge_that_loses_the_last_place_to_another_match_leaves_nothing_behind(
    store: Store, alice: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The house's invitation stood for two weeks, and was the answer to every later press of the button."""

    def full(*_args: object, **_more: object) -> None:
        raise Refused("own_limit", most=1)

    with monkeypatch.context() as race:
        race.setattr(admission, "may_accept", full)
        with pytest.raises(Refused, match="own_limit"):
            begin(store, alice, key="press")
    assert offers.received(store, alice) == []
    with store.read() as connection:
        owed = connection.execute(select(table(NoticeRow).c.kind, table(NoticeRow).c.state)).all()
    assert [kind for kind, state in owed if state == "ready" and kind != "invitation"] == []
    again = begin(store, alice, key="press")
    assert again.match.phase is Phase.PLAY
    assert begin(store, alice, key="press").id == again.id
