"""Webhooks of a person: what may be wished, whose they are, and that nobody else gets near them."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import pytest

from bgmail.dice import FairChance
from bgmail.service import accounts, departures, webhooks
from bgmail.service.errors import NotFound, Refused
from bgmail.service.notices import Kind
from bgmail.service.webhooks import MOST, NAMES, Flavour, State, Wish, new_secret
from bgmail.store.engine import Store
from tests.service.matchmaking import begin, settle

WISH = Wish("https://hooks.example.org/in", "standard", NAMES)
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def add(store: Store, account_id: int, now: datetime, wish: Wish = WISH) -> webhooks.Webhook:
    return webhooks.add(store, account_id, wish, SECRET, now)


def test_a_webhook_is_kept_as_it_was_wished(store: Store, now: datetime) -> None:
    alice, _, _ = settle(store, now)
    wish = Wish(
        " https://Hooks.Example.org:8443/in?a=b ", "slack", ["match.turn", "match.double"], name="  My  club "
    )
    added = add(store, alice, now, wish)
    assert webhooks.mine(store, alice) == [added]
    assert (added.url, added.host) == ("https://Hooks.Example.org:8443/in?a=b", "hooks.example.org")
    assert (added.flavour, added.events) == (Flavour.SLACK, ("match.turn", "match.double"))
    assert (added.name, added.state, added.match_id) == ("My club", State.ON, None)
    assert added.shown == "https://hooks.example.org/…"
    assert added.secrets(now) == [SECRET]


def wished(**other: object) -> Wish:
    values = {"url": WISH.url, "flavour": WISH.flavour, "events": WISH.events} | other
    return Wish(**values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        (wished(url="http://hooks.example.org/"), "address_https"),
        (wished(url="https://10.0.0.5/"), "address_inside"),
        (wished(events=[]), "webhook_events"),
        (wished(events=["match.turn", "match.secret"]), "webhook_events"),
        (wished(flavour="telegram"), "webhook_flavour"),
        (wished(name="n" * 41), "webhook_name"),
        (wished(name="a\x1bb"), "webhook_name"),
    ],
)
def test_a_wish_that_makes_no_sense_is_refused_and_nothing_is_kept(
    store: Store, now: datetime, wish: Wish, code: str
) -> None:
    alice, _, _ = settle(store, now)
    kept = add(store, alice, now)
    with pytest.raises(Refused) as refused:
        add(store, alice, now, wish)
    assert refused.value.code == code
    with pytest.raises(Refused):
        webhooks.change(store, alice, kept.id, wish)
    assert webhooks.mine(store, alice) == [kept]


def test_a_webhook_may_be_kept_to_a_match_of_ones_own(store: Store, now: datetime) -> None:
    view, _ = begin(store, now, (5, 2))
    alice, charlie = view.white, accounts.by_handle(store, "charlie").id
    assert alice
    assert add(store, alice.id, now, wished(match_id=view.id)).match_id == view.id
    for whose, match_id in ((charlie, view.id), (alice.id, "nosuchmatch1")):
        with pytest.raises(NotFound):
            add(store, whose, now, wished(match_id=match_id))


def test_there_are_at_most_ten(store: Store, now: datetime) -> None:
    alice, bob, _ = settle(store, now)
    for _ in range(MOST):
        add(store, alice, now)
    with pytest.raises(Refused) as refused:
        add(store, alice, now)
    assert refused.value.code == "too_many_webhooks"
    add(store, bob, now)


ACTS: Sequence[Callable[[Store, int, int, datetime], object]] = (
    lambda store, who, which, _: webhooks.one(store, who, which),
    lambda store, who, which, _: webhooks.change(store, who, which, WISH),
    lambda store, who, which, now: webhooks.renew_secret(store, who, which, new_secret(), now),
    lambda store, who, which, _: webhooks.pause(store, who, which),
    lambda store, who, which, _: webhooks.resume(store, who, which),
    lambda store, who, which, _: webhooks.delete(store, who, which),
    lambda store, who, which, _: webhooks.calls(store, who, which),
    webhooks.test,
    lambda store, who, which, now: webhooks.send_again(store, who, which, 1, now),
)


@pytest.mark.parametrize("number", range(len(ACTS)))
def test_nobody_gets_near_the_webhook_of_another(store: Store, now: datetime, number: int) -> None:
    alice, _, charlie = settle(store, now)
    added = add(store, alice, now)
    for whose, which in ((charlie, added.id), (alice, added.id + 1)):
        with pytest.raises(NotFound):
            ACTS[number](store, whose, which, now)
    assert webhooks.mine(store, alice) == [added]


def test_a_new_secret_is_256_bits_and_the_one_before_signs_for_24_hours(store: Store, now: datetime) -> None:
    alice, _, _ = settle(store, now)
    added, fresh = add(store, alice, now), new_secret()
    webhooks.renew_secret(store, alice, added.id, fresh, now)
    renewed = webhooks.one(store, alice, added.id)
    assert renewed.secrets(now + timedelta(hours=23, minutes=59)) == [fresh, SECRET]
    assert renewed.secrets(now + timedelta(hours=24)) == [fresh]
    assert fresh.startswith("whsec_")
    assert len(base64.b64decode(fresh.removeprefix("whsec_"))) == 32
    assert new_secret() != fresh


def test_what_is_off_or_not_chosen_is_not_wanted(store: Store, now: datetime) -> None:
    alice, _, _ = settle(store, now)
    added = add(store, alice, now, wished(events=["match.finished"]))
    assert added.wants(Kind.TIMEOUT, "any")
    assert added.wants(Kind.MATCH_OVER, "any")
    assert not added.wants(Kind.YOUR_TURN, "any")
    assert not added.wants(Kind.VERIFY, "any")
    webhooks.pause(store, alice, added.id)
    assert not webhooks.one(store, alice, added.id).wants(Kind.TIMEOUT, "any")
    webhooks.resume(store, alice, added.id)
    assert webhooks.one(store, alice, added.id).wants(Kind.TIMEOUT, "any")


def test_only_the_latest_hundred_calls_are_kept(store: Store, now: datetime) -> None:
    alice, _, _ = settle(store, now)
    added = add(store, alice, now)
    for number in range(105):
        call = webhooks.Call(0, number, f"msg_{number}", "webhook.test", now, 0.1, "taken", 200, "{}", "")
        with store.write() as connection:
            webhooks.note(connection, added.id, call, given_up=False)
    found: list[webhooks.Call] = []
    while page := webhooks.calls(store, alice, added.id, found[-1].id if found else None):
        assert len(page) == webhooks.CALLS_SHOWN
        found += page
    assert [call.message_id for call in found] == [f"msg_{number}" for number in range(104, 4, -1)]


def test_a_closed_account_leaves_no_webhook_behind(store: Store, now: datetime) -> None:
    alice, _, _ = settle(store, now)
    added = add(store, alice, now)
    call = webhooks.Call(0, 1, "msg_1", "webhook.test", now, 0.1, "taken", 200, "{}", "")
    with store.write() as connection:
        webhooks.note(connection, added.id, call, given_up=False)
    departures.close(store, alice, now, FairChance())
    assert webhooks.mine(store, alice) == []
    with pytest.raises(NotFound):
        webhooks.calls(store, alice, added.id)
