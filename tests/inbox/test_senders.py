"""Other addresses to answer from: named by the owner of the account, and each mail still vouched for."""

from __future__ import annotations

import pytest

from bgmail.dice import FairChance
from bgmail.rules.side import Side
from bgmail.service import accounts, belongings, departures, inbound
from bgmail.service.errors import Refused
from tests.inbox.replies import Desk
from tests.service.matchmaking import begin

pytestmark = pytest.mark.smtp
ALIAS = "a.alias@y.example"


def name_it(desk: Desk, address: str = ALIAS) -> int:
    alice = accounts.by_handle(desk.store, "alice")
    inbound.add_sender(desk.store, alice, address, desk.clock.now)
    return alice.id


def test_an_answer_from_a_named_address_acts_at_once(desk: Desk) -> None:
    view, _ = begin(desk.store, desk.clock.now, (3, 1))
    letter = desk.letter("alice")
    assert desk.reply(letter, "8/5 6/5", sender=ALIAS) == ["asked"]
    name_it(desk, ALIAS.upper())
    assert desk.reply(letter, "8/5 6/5", sender=ALIAS, verdict="fail") == ["asked"]
    assert desk.reply(letter, "8/5 6/5", sender=ALIAS) == ["acted"]
    assert desk.view(view).match.on_turn is Side.BLACK


def test_a_removed_address_is_asked_about_again(desk: Desk) -> None:
    begin(desk.store, desk.clock.now, (3, 1))
    alice = name_it(desk)
    inbound.drop_sender(desk.store, alice, ALIAS)
    assert desk.reply(desk.letter("alice"), "8/5 6/5", sender=ALIAS) == ["asked"]


def test_the_address_of_one_is_none_of_the_other(desk: Desk) -> None:
    begin(desk.store, desk.clock.now, (3, 1))
    bob = accounts.by_handle(desk.store, "bob")
    inbound.add_sender(desk.store, bob, ALIAS, desk.clock.now)
    assert desk.reply(desk.letter("alice"), "8/5 6/5", sender=ALIAS) == ["asked"]


def test_what_is_no_address_or_one_too_many_is_refused(desk: Desk) -> None:
    begin(desk.store, desk.clock.now, (3, 1))
    for wrong in ("", "nobody", "x@y.example\r\nBcc: z@y.example", "Alice@Play.example"):
        with pytest.raises(Refused):
            name_it(desk, wrong)
    for number in range(inbound.MOST_SENDERS):
        name_it(desk, f"alice{number}@y.example")
    with pytest.raises(Refused) as refused:
        name_it(desk)
    assert refused.value.code == "too_many_senders"


def test_they_are_taken_along_and_erased_with_the_account(desk: Desk) -> None:
    begin(desk.store, desk.clock.now, (3, 1))
    alice = name_it(desk)
    account = next(belongings.files(desk.store, alice, desk.clock.now))
    assert ALIAS in "".join(account.text)
    departures.close(desk.store, alice, desk.clock.now, FairChance())
    assert inbound.senders(desk.store, alice) == []
