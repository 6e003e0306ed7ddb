"""How a match comes about: who may be invited, who may accept, and how an offer ends."""

from __future__ import annotations

import threading
from datetime import datetime, timedelta

import pytest
from sqlalchemy import select

from bgmail.dice import FairChance
from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service import accounts, invitations, matches, rematches
from bgmail.service.errors import Forbidden, KeyReused, NotFound, Refused, Stale
from bgmail.service.terms import Email, Handle, Open, Terms
from bgmail.service.turns import load
from bgmail.store.engine import Store
from bgmail.store.matches import table
from bgmail.store.tables import NoticeRow
from tests.service.matchmaking import act, begin, settle

CHANCE = FairChance()


def owed(store: Store) -> list[tuple[str, int | None, str]]:
    rows = table(NoticeRow)
    with store.read() as connection:
        found = connection.execute(select(rows.c.kind, rows.c.account_id, rows.c.address).order_by(rows.c.id))
        return [(row.kind, row.account_id, row.address) for row in found]


def test_an_invited_person_sees_it_gets_a_letter_and_is_black(store: Store, now: datetime) -> None:
    alice, bob, _ = settle(store, now)
    view = invitations.invite(store, alice, Terms(7), Handle("BOB"), "Hello", now, CHANCE)
    assert [one.message for one in invitations.received(store, bob)] == ["Hello"]
    assert [one.view.id for one in invitations.sent(store, alice)] == [view.id]
    assert owed(store) == [("invitation", bob, "")]
    begun = invitations.accept(store, view.id, bob, now, CHANCE)
    assert (begun.side_of(alice), begun.side_of(bob)) == (Side.WHITE, Side.BLACK)
    assert begun.match.phase is Phase.PLAY
    assert invitations.received(store, bob) == invitations.sent(store, alice) == []
    assert load(store, view.id) == begun


def test_an_address_is_mailed_and_never_shown_to_a_stranger(store: Store, now: datetime) -> None:
    alice, _, charlie = settle(store, now)
    view = invitations.invite(store, alice, Terms(7), Email("friend@away.example"), "", now, CHANCE)
    assert owed(store) == [("invitation", None, "friend@away.example")]
    with pytest.raises(NotFound):
        matches.visible(store, view.id, charlie)
    with pytest.raises(Forbidden):
        invitations.accept(store, view.id, charlie, now, CHANCE)
    assert (
        invitations.accept(store, view.id, charlie, now, CHANCE, by_address=True).side_of(charlie)
        is Side.BLACK
    )


def test_an_open_challenge_is_for_anyone_but_its_maker(store: Store, now: datetime) -> None:
    alice, bob, charlie = settle(store, now)
    view = invitations.invite(store, alice, Terms(5), Open(), "", now, CHANCE)
    assert [one.view.id for one in invitations.lobby(store)] == [view.id]
    assert matches.visible(store, view.id, None).id == view.id
    with pytest.raises(Refused) as refused:
        invitations.accept(store, view.id, alice, now, CHANCE)
    assert refused.value.code == "own_invitation"
    invitations.accept(store, view.id, bob, now, CHANCE)
    assert invitations.lobby(store) == []
    with pytest.raises(Refused):
        invitations.accept(store, view.id, charlie, now, CHANCE)


def test_of_many_who_take_the_last_seat_at_once_one_gets_it(store: Store, now: datetime) -> None:
    alice, bob, charlie = settle(store, now)
    view = invitations.invite(store, alice, Terms(5), Open(), "", now, CHANCE)
    together = threading.Barrier(6)
    results: list[str] = []

    def take(account_id: int) -> None:
        together.wait()
        try:
            invitations.accept(store, view.id, account_id, now, CHANCE)
        except (Stale, Refused):
            results.append("no")
        else:
            results.append("yes")

    threads = [threading.Thread(target=take, args=(who,)) for who in (bob, charlie) * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == ["no"] * 5 + ["yes"]
    accepted = [entry for entry in matches.log(store, view.id) if entry.kind == "accept"]
    assert len(accepted) == 1


def test_who_is_not_invited_may_neither_accept_nor_decline_nor_cancel(store: Store, now: datetime) -> None:
    alice, bob, charlie = settle(store, now)
    view = invitations.invite(store, alice, Terms(7), Handle("bob"), "", now, CHANCE)
    for answer in (invitations.accept, invitations.decline, invitations.cancel):
        with pytest.raises(Forbidden):
            answer(store, view.id, charlie, now, CHANCE)
    with pytest.raises(Forbidden):
        invitations.cancel(store, view.id, bob, now, CHANCE)
    with pytest.raises(Refused):
        invitations.decline(store, view.id, alice, now, CHANCE)
    with pytest.raises(NotFound):
        matches.visible(store, view.id, charlie)


@pytest.mark.parametrize(("way", "kind"), [("decline", "declined"), ("cancel", "cancelled")])
def test_an_ended_offer_tells_the_other_one_and_cannot_be_accepted(
    store: Store, now: datetime, way: str, kind: str
) -> None:
    alice, bob, _ = settle(store, now)
    view = invitations.invite(store, alice, Terms(7), Handle("bob"), "", now, CHANCE)
    actor, other = (bob, alice) if way == "decline" else (alice, bob)
    ended = getattr(invitations, way)(store, view.id, actor, now, CHANCE)
    assert ended.match.result.ending == kind
    assert owed(store)[-1] == (kind, other, "")
    with pytest.raises(Refused):
        invitations.accept(store, view.id, bob, now, CHANCE)
    revealed = [entry.data["game"] for entry in matches.log(store, view.id) if entry.kind == "reveal"]
    assert revealed == [1], "an unused secret is published too"


def test_a_counter_offer_declines_and_invites_back_on_other_terms(store: Store, now: datetime) -> None:
    alice, bob, _ = settle(store, now)
    view = invitations.invite(store, alice, Terms(7), Handle("bob"), "", now, CHANCE)
    back = invitations.counter(store, view.id, bob, Terms(3, time="three-days"), "Shorter?", now, CHANCE)
    assert load(store, view.id).match.phase is Phase.OVER
    offer = invitations.find(store, back.id)
    assert (offer.inviter_id, offer.invitee_id, offer.answers, offer.message) == (
        bob,
        alice,
        view.id,
        "Shorter?",
    )
    assert invitations.accept(store, back.id, alice, now, CHANCE).match.length == 3


def test_bad_counter_terms_leave_the_offer_standing(store: Store, now: datetime) -> None:
    alice, bob, _ = settle(store, now)
    view = invitations.invite(store, alice, Terms(7), Handle("bob"), "", now, CHANCE)
    with pytest.raises(Refused):
        invitations.counter(store, view.id, bob, Terms(99), "", now, CHANCE)
    assert load(store, view.id).match.phase is Phase.INVITED


def test_a_rematch_is_on_the_same_terms_and_only_after_the_end(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1), length=5, time="long-bank", rated=False)
    assert view.white is not None
    assert view.black is not None
    with pytest.raises(Refused):
        rematches.rematch(store, view.id, view.black.id, now, chance)
    over = act(store, view, Side.WHITE, "resign_match", now, chance).view
    again = rematches.rematch(store, over.id, view.black.id, now, chance)
    assert (again.white, again.black) == (view.black, view.white)
    assert (again.match.length, again.rated, again.clock.control) == (5, False, view.clock.control)
    with pytest.raises(Forbidden):
        rematches.rematch(store, over.id, 99, now, chance)


def test_a_rematch_asked_for_twice_by_either_side_is_one_offer_until_it_is_answered(
    store: Store, now: datetime
) -> None:
    view, chance = begin(store, now, (3, 1))
    assert view.white is not None
    assert view.black is not None
    alice, bob = view.white.id, view.black.id
    act(store, view, Side.WHITE, "resign_match", now, chance)
    first = rematches.rematch(store, view.id, alice, now, chance)
    assert rematches.rematch(store, view.id, alice, now, chance).id == first.id
    assert rematches.rematch(store, view.id, bob, now, chance).id == first.id
    invitations.decline(store, first.id, bob, now, chance)
    assert rematches.rematch(store, view.id, alice, now, chance).id != first.id


def test_two_presses_for_a_rematch_at_once_make_one_offer(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1))
    assert view.white is not None
    alice = view.white.id
    act(store, view, Side.WHITE, "resign_match", now, chance)
    start, made = threading.Barrier(4), set()

    def press() -> None:
        start.wait()
        made.add(rematches.rematch(store, view.id, alice, now, chance).id)

    threads = [threading.Thread(target=press) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        (Terms(26), "length"),
        (Terms(0), "games"),
        (Terms(7, games=3), "games"),
        (Terms(0, games=100), "games"),
        (Terms(-1), "length"),
        (Terms(4, rules="federation"), "length"),
        (Terms(7, rules="nothing"), "rules"),
        (Terms(7, rules={"name": "\u0441lub"}), "rule_set"),
        (Terms(7, rules={"name": "Five_Point"}), "rule_set"),
        (Terms(7, rules={"name": "five \u2010 point"}), "rule_set"),
        (Terms(7, rules={"name": "h0use"}), "rule_set"),
        (Terms(7, time="soon"), "time"),
        (Terms(7, time={"per_turn": -1}), "time"),
    ],
)
def test_terms_nobody_can_play_on_are_refused(store: Store, now: datetime, terms: Terms, code: str) -> None:
    alice, _, _ = settle(store, now)
    with pytest.raises(Refused) as refused:
        invitations.invite(store, alice, terms, Handle("bob"), "", now, CHANCE)
    assert refused.value.code == code
    assert invitations.sent(store, alice) == []


def test_nobody_invites_himself_a_ghost_or_with_a_book(store: Store, now: datetime) -> None:
    alice, _, _ = settle(store, now)
    for to, message, expected in [
        (Handle("Alice"), "", Refused),
        (Handle("nobody-here"), "", NotFound),
        (Handle("bob"), "x" * 501, Refused),
        (Handle("bob"), "bell\a", Refused),
    ]:
        with pytest.raises(expected):
            invitations.invite(store, alice, Terms(7), to, message, now, CHANCE)


@pytest.mark.parametrize("sign", ["\0", "\x1b", "\x7f", "\x85", "\udcff"])
def test_a_message_or_chat_with_control_characters_is_refused(store: Store, now: datetime, sign: str) -> None:
    view, chance = begin(store, now, (3, 1))
    assert view.white
    with pytest.raises(Refused):
        matches.say(store, view, view.white.id, f"a{sign}b", now)
    with pytest.raises(Refused):
        invitations.invite(store, view.white.id, Terms(7), Open(), f"a{sign}b", now, chance)


def test_nobody_invites_their_own_address(store: Store, now: datetime) -> None:
    alice, _, _ = settle(store, now)
    with pytest.raises(Refused) as refused:
        invitations.invite(store, alice, Terms(7), Email("Alice@play.example"), "", now, CHANCE)
    assert refused.value.code == "yourself"


def test_an_offer_with_a_key_is_made_once(store: Store, now: datetime) -> None:
    alice, _, _ = settle(store, now)
    first = invitations.invite(store, alice, Terms(7), Handle("bob"), "", now, CHANCE, key="k")
    again = invitations.invite(store, alice, Terms(7), Handle("bob"), "", now, CHANCE, key="k")
    assert again == first
    with pytest.raises(KeyReused):
        invitations.invite(store, alice, Terms(9), Handle("bob"), "", now, CHANCE, key="k")
    assert len(invitations.sent(store, alice)) == 1


def test_a_repeated_offer_is_answered_before_anything_else_is_judged(store: Store, now: datetime) -> None:
    """A client that got no answer asks again, as often as it takes: that is no new letter, and no new offer."""
    alice, bob, _ = settle(store, now)
    by_mail = Email("dana@play.example")
    first = invitations.invite(store, alice, Terms(7), by_mail, "", now, CHANCE, key="k")
    for _ in range(20):
        assert invitations.invite(store, alice, Terms(7), by_mail, "", now, CHANCE, key="k").id == first.id
    with pytest.raises(KeyReused):
        invitations.invite(store, alice, Terms(26), by_mail, "", now, CHANCE, key="k")
    to_bob = invitations.invite(store, alice, Terms(7), Handle("bob"), "", now, CHANCE, key="b")
    accounts.ban(store, bob, now)
    assert invitations.invite(store, alice, Terms(7), Handle("bob"), "", now, CHANCE, key="b").id == to_bob.id


def test_accepting_at_another_version_is_stale(store: Store, now: datetime) -> None:
    alice, bob, _ = settle(store, now)
    view = invitations.invite(store, alice, Terms(7), Handle("bob"), "", now, CHANCE)
    assert view.version == 1
    with pytest.raises(Stale):
        invitations.accept(store, view.id, bob, now + timedelta(hours=1), CHANCE, version=2)
    assert invitations.accept(store, view.id, bob, now, CHANCE, version=1).match.game == 1
