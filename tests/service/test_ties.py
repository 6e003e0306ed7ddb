"""People among each other: followed, muted, blocked, and as many matches at a time as somebody wants."""

from __future__ import annotations

import threading
from datetime import datetime

import pytest
from sqlalchemy import select

from bgmail.dice import FairChance
from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service import accounts, admission, invitations, matches, ties
from bgmail.service.errors import Forbidden, NotFound, Refused, ServiceError
from bgmail.service.terms import Email, Handle, Open, Terms
from bgmail.service.ties import Kind
from bgmail.service.turns import Request, act, load
from bgmail.store.engine import Store
from bgmail.store.matches import table
from bgmail.store.tables import NoticeRow
from tests.service.matchmaking import settle

CHANCE = FairChance()


def offer(store: Store, inviter: int, to: str | None, now: datetime) -> str:
    """An invitation to a handle, or (None) to anyone; its match."""
    addressee = Handle(to) if to else Open()
    return invitations.invite(store, inviter, Terms(3), addressee, "", now, CHANCE).id


def block(store: Store, account_id: int, handle: str, now: datetime) -> None:
    ties.make(store, account_id, handle, Kind.BLOCK, now, CHANCE)


def test_ties_belong_to_the_one_who_made_them(store: Store, now: datetime) -> None:
    alice, bob, _ = settle(store, now)
    for kind in (Kind.FOLLOW, Kind.MUTE, Kind.MUTE):
        ties.make(store, alice, "bob", kind, now, CHANCE)
    ties.make(store, alice, "charlie", Kind.FOLLOW, now, CHANCE)
    mine = ties.mine(store, alice)
    assert [(one.person.handle, one.kind) for one in mine] == [
        ("bob", "follow"), ("bob", "mute"), ("charlie", "follow"),
    ]  # fmt: skip
    assert ties.mine(store, bob) == []
    ties.undo(store, alice, "bob", Kind.MUTE)
    assert [one.kind for one in ties.mine(store, alice)] == ["follow", "follow"]
    with pytest.raises(Refused, match="tie_to_oneself"):
        ties.make(store, alice, "ALICE", Kind.FOLLOW, now, CHANCE)
    with pytest.raises(NotFound):
        ties.make(store, alice, "a1ice", Kind.FOLLOW, now, CHANCE)


def test_a_machine_is_followed_and_neither_muted_nor_blocked(store: Store, now: datetime) -> None:
    alice, _, _ = settle(store, now)
    accounts.create(store, "engine", None, None, now, is_bot=True)
    ties.make(store, alice, "engine", Kind.FOLLOW, now, CHANCE)
    with pytest.raises(Refused, match="tie_to_machine"):
        block(store, alice, "engine", now)


def test_a_blocked_person_invites_nobody_who_blocked_them_and_is_not_told_why(
    store: Store, now: datetime
) -> None:
    alice, bob, charlie = settle(store, now)
    block(store, alice, "bob", now)
    with pytest.raises(Refused) as refused:
        offer(store, bob, "alice", now)
    admission.set_most(store, alice, "1")
    offer(store, alice, "charlie", now)
    with pytest.raises(Refused) as full:
        offer(store, charlie, "alice", now)
    assert (refused.value.code, refused.value.values) == (full.value.code, full.value.values)
    admission.set_most(store, alice, "")
    with pytest.raises(Refused, match="you_block"):
        offer(store, alice, "bob", now)
    assert invitations.received(store, alice) == []
    assert invitations.sent(store, bob) == []


@pytest.mark.parametrize("kind", [Kind.MUTE, Kind.BLOCK])
def test_what_a_muted_or_blocked_person_says_is_folded_for_the_one_who_muted(
    store: Store, now: datetime, kind: Kind
) -> None:
    alice, bob, _ = settle(store, now)
    view = invitations.accept(store, offer(store, alice, "bob", now), bob, now, CHANCE)
    matches.say(store, view, bob, "too slow!", now)
    matches.say(store, view, alice, "patience", now)
    ties.make(store, alice, "bob", kind, now, CHANCE)
    assert [line.folded for line in matches.chat(store, view, alice)] == [True, False]
    assert [line.folded for line in matches.chat(store, view, bob)] == [False, False]


def test_an_open_challenge_is_not_there_for_whom_its_owner_blocked(store: Store, now: datetime) -> None:
    alice, bob, charlie = settle(store, now)
    block(store, alice, "bob", now)
    challenge = offer(store, alice, None, now)
    assert [one.view.id for one in invitations.lobby(store, charlie)] == [challenge]
    assert [one.view.id for one in invitations.lobby(store)] == [challenge]
    assert invitations.lobby(store, bob) == []
    with pytest.raises(NotFound):
        matches.visible(store, challenge, bob)
    with pytest.raises(NotFound):
        invitations.accept(store, challenge, bob, now, CHANCE)
    theirs = offer(store, bob, None, now)
    assert invitations.lobby(store, alice)[0].view.id == challenge
    with pytest.raises(Refused, match="you_block"):
        invitations.accept(store, theirs, alice, now, CHANCE)
    assert load(store, challenge).match.phase is Phase.INVITED
    assert invitations.accept(store, challenge, charlie, now, CHANCE).started_at


def test_blocking_ends_what_waits_between_the_two_and_no_running_match(store: Store, now: datetime) -> None:
    alice, bob, _ = settle(store, now)
    running = offer(store, alice, "bob", now)
    invitations.accept(store, running, bob, now, CHANCE)
    asked, asking = offer(store, bob, "alice", now), offer(store, alice, "bob", now)
    elsewhere = offer(store, alice, "charlie", now)
    ties.make(store, alice, "bob", Kind.FOLLOW, now, CHANCE)
    block(store, alice, "bob", now)
    assert [one.kind for one in ties.mine(store, alice)] == [Kind.BLOCK]
    assert load(store, asked).match.phase is Phase.OVER
    assert load(store, asking).match.phase is Phase.OVER
    assert load(store, elsewhere).match.phase is Phase.INVITED
    view = load(store, running)
    assert view.match.result is None
    side = view.match.on_turn
    assert side is not None
    assert act(store, running, side, Request("resign_match", view.version), now, CHANCE).view.match.result


def test_no_letter_goes_to_an_address_whose_owner_blocked_the_inviter_and_nobody_is_told(
    store: Store, now: datetime
) -> None:
    alice, bob, _ = settle(store, now)
    block(store, alice, "bob", now)
    rows = table(NoticeRow)
    for address in ("alice@play.example", "other@play.example"):
        view = invitations.invite(store, bob, Terms(3), Email(address), "", now, CHANCE)
        assert view.match.phase is Phase.INVITED
    with store.read() as connection:
        assert connection.scalars(select(rows.c.address)).all() == ["other@play.example"]


def test_who_wants_so_many_matches_at_a_time_begins_no_more(store: Store, now: datetime) -> None:
    alice, bob, charlie = settle(store, now)
    admission.set_most(store, alice, " 2 ")
    invitations.accept(store, offer(store, bob, "alice", now), alice, now, CHANCE)
    asked = offer(store, bob, "alice", now)
    offered = offer(store, alice, None, now)
    for refused in (
        lambda: offer(store, alice, "charlie", now),
        lambda: offer(store, alice, None, now),
        lambda: invitations.accept(store, asked, alice, now, CHANCE),
    ):
        with pytest.raises(Refused, match="own_limit"):
            refused()
    with pytest.raises(Refused, match="no_more_matches"):
        offer(store, charlie, "alice", now)
    assert load(store, asked).match.phase is Phase.INVITED
    invitations.accept(store, offered, charlie, now, CHANCE)  # it was counted when it was offered
    admission.set_most(store, alice, "")
    assert admission.most_of(store, alice) is None
    assert invitations.accept(store, asked, alice, now, CHANCE).started_at


@pytest.mark.parametrize("typed", ["0", "-1", "10000", "many", "1.5", "²"])
def test_a_limit_is_a_whole_number(store: Store, now: datetime, typed: str) -> None:
    alice, _, _ = settle(store, now)
    with pytest.raises(Refused, match="most_matches"):
        admission.set_most(store, alice, typed)


def test_a_counter_offer_that_can_not_be_made_declines_nothing(store: Store, now: datetime) -> None:
    alice, bob, _ = settle(store, now)
    asked = offer(store, bob, "alice", now)
    offer(store, bob, None, now)
    admission.set_most(store, bob, "1")
    with pytest.raises(Refused, match="no_more_matches"):
        invitations.counter(store, asked, alice, Terms(5), "", now, CHANCE)
    assert load(store, asked).match.phase is Phase.INVITED


def test_a_counter_offer_takes_the_place_of_the_offer_it_answers(store: Store, now: datetime) -> None:
    """Whoever wants one match at a time and offers it can be answered with other terms."""
    alice, bob, _ = settle(store, now)
    asked = offer(store, bob, "alice", now)
    admission.set_most(store, bob, "1")
    back = invitations.counter(store, asked, alice, Terms(5), "", now, CHANCE)
    assert invitations.accept(store, back.id, bob, now, CHANCE).started_at


def test_a_block_ends_every_offer_between_the_two_and_no_other(
    store: Store, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many offers somebody has sent or received: they are listed so many at a time."""
    alice, bob, charlie = settle(store, now)
    pestering = [offer(store, bob, "alice", now) for _ in range(4)] + [offer(store, alice, "bob", now)]
    others = [
        offer(store, charlie, "alice", now),
        offer(store, bob, "charlie", now),
        offer(store, bob, None, now),
    ]
    some = invitations.between
    monkeypatch.setattr(invitations, "between", lambda *asked: some(*asked)[:2])
    ties.make(store, alice, "bob", Kind.BLOCK, now, CHANCE)
    assert [load(store, one).match.phase for one in pestering] == [Phase.OVER] * 5
    assert [load(store, one).match.phase for one in others] == [Phase.INVITED] * 3


def test_nobody_begins_a_match_with_an_account_that_has_ended(store: Store, now: datetime) -> None:
    alice, bob, _ = settle(store, now)
    challenge = offer(store, alice, None, now)
    accounts.ban(store, alice, now)
    with pytest.raises(Refused, match="invitation_over"):
        invitations.accept(store, challenge, bob, now, CHANCE)
    with pytest.raises(Forbidden, match="shut_out"):
        offer(store, alice, "bob", now)
    with pytest.raises(NotFound):
        offer(store, bob, "alice", now)


def test_two_doors_at_once_let_in_no_more_than_the_limit(store: Store, now: datetime) -> None:
    alice, bob, charlie = settle(store, now)
    admission.set_most(store, alice, "1")
    admission.set_most(store, bob, "9")
    asked = [offer(store, one, None, now) for one in (bob, charlie, bob, charlie)]
    outcome: list[str] = []

    def take(match_id: str) -> None:
        try:
            invitations.accept(store, match_id, alice, now, CHANCE)
            outcome.append("in")
        except ServiceError as error:
            outcome.append(error.code)

    threads = [threading.Thread(target=take, args=(match_id,)) for match_id in asked]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcome) == ["in", "own_limit", "own_limit", "own_limit"]
    begun = [load(store, match_id) for match_id in asked]
    assert sum(view.side_of(alice) is Side.BLACK for view in begun) == 1


def test_a_full_list_takes_nobody_more_and_a_second_time_changes_nothing(
    store: Store, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, _, _ = settle(store, now)
    monkeypatch.setattr(ties, "MOST", 1)
    for _ in range(2):
        ties.make(store, alice, "bob", Kind.FOLLOW, now, CHANCE)
    with pytest.raises(Refused, match="too_many_ties"):
        ties.make(store, alice, "charlie", Kind.FOLLOW, now, CHANCE)
    assert [one.person.handle for one in ties.mine(store, alice)] == ["bob"]
