"""Browsers that are told by push: they belong to a session, and end with it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from bgmail.dice import FairChance
from bgmail.service import accounts, departures, entrance, logins, push
from bgmail.service.errors import NotFound, Refused
from bgmail.store.engine import Store
from tests.notify.push.browser import FakeBrowser
from tests.service.matchmaking import settle

DAY = timedelta(days=1)
SignIn = Callable[[int], int]


@pytest.fixture
def alice(store: Store, now: datetime) -> int:
    return settle(store, now)[0]


@pytest.fixture
def sign_in(store: Store, now: datetime) -> SignIn:
    """Opens a session of somebody; its id."""

    def enter(account_id: int) -> int:
        secret = logins.new_secret()
        logins.open_session(store, account_id, "Firefox, Linux", secret, now)
        entered = logins.by_session(store, secret, now)
        assert entered
        return entered.login_id

    return enter


def subscribe(store: Store, account_id: int, login_id: int, browser: FakeBrowser, now: datetime) -> int:
    """Tells a browser from now on; its id."""
    push.subscribe(store, account_id, login_id, browser.wish, "Firefox, Linux", now)
    return next(one.id for one in push.browsers(store, account_id, now) if one.login_id == login_id)


def endpoints(store: Store, account_id: int, now: datetime) -> list[str]:
    return [one.endpoint for one in push.browsers(store, account_id, now)]


def test_a_browser_is_told_from_the_moment_it_says_so(
    store: Store, alice: int, sign_in: SignIn, now: datetime
) -> None:
    browser, login = FakeBrowser(), sign_in(alice)
    assert endpoints(store, alice, now) == []
    subscribe(store, alice, login, browser, now)
    found = push.browsers(store, alice, now)[0]
    assert (found.login_id, found.endpoint, found.name) == (login, browser.endpoint, "Firefox, Linux")
    assert (found.created_at, found.sent_at, found.failing_since) == (now, None, None)


def test_a_session_has_one_browser_and_a_browser_one_person(
    store: Store, alice: int, sign_in: SignIn, now: datetime
) -> None:
    bob = accounts.by_handle(store, "bob").id
    first, second = FakeBrowser(path="one"), FakeBrowser(path="two")
    login = sign_in(alice)
    subscribe(store, alice, login, first, now)
    subscribe(store, alice, login, second, now)
    assert endpoints(store, alice, now) == [second.endpoint]
    subscribe(store, bob, sign_in(bob), second, now)
    assert endpoints(store, alice, now) == []
    assert endpoints(store, bob, now) == [second.endpoint]


def test_it_ends_with_its_session_however_that_ends(
    store: Store, alice: int, sign_in: SignIn, now: datetime
) -> None:
    account = accounts.by_id(store, alice)
    kept = sign_in(alice)

    def one_by_one() -> None:
        for one in push.browsers(store, alice, now):
            logins.end_session(store, alice, one.login_id)

    def by_a_new_password() -> None:
        entrance.change_password(store, account, "", "correct horse", now, session_id=kept)

    def shut_out() -> None:
        accounts.ban(store, alice, now)
        accounts.unban(store, alice)

    for end in (
        one_by_one,
        by_a_new_password,
        lambda: logins.sign_out_everywhere(store, alice),
        shut_out,
        lambda: departures.close(store, alice, now, FairChance()),
    ):
        subscribe(store, alice, sign_in(alice), FakeBrowser(), now)
        end()
        assert endpoints(store, alice, now) == []


def test_a_session_that_nobody_used_for_long_is_told_nothing(
    store: Store, alice: int, sign_in: SignIn, now: datetime
) -> None:
    subscribe(store, alice, sign_in(alice), FakeBrowser(), now)
    assert len(endpoints(store, alice, now + 59 * DAY)) == 1
    assert endpoints(store, alice, now + 60 * DAY) == []


def test_ten_browsers_are_enough(store: Store, alice: int, sign_in: SignIn, now: datetime) -> None:
    sessions = [sign_in(alice) for _ in range(11)]
    for number, login in enumerate(sessions[:10]):
        subscribe(store, alice, login, FakeBrowser(path=str(number)), now)
    with pytest.raises(Refused, match="too_many_browsers"):
        push.subscribe(store, alice, sessions[10], FakeBrowser(path="more").wish, "", now)
    subscribe(store, alice, sessions[9], FakeBrowser(path="instead"), now)
    assert len(endpoints(store, alice, now)) == 10


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "http://push.example.org/to/one",
        "https://127.0.0.1/",
        "https://[::ffff:10.0.0.1]/",
        "https://169.254.169.254/latest",
        "https://localhost/",
        "https://push.example.org:22/",
        "https://push.example.org/" + "x" * 1024,
        "data:,x",
    ],
)
def test_a_push_service_inside_a_network_is_refused(
    store: Store, alice: int, sign_in: SignIn, now: datetime, endpoint: str
) -> None:
    wish = replace(FakeBrowser().wish, endpoint=endpoint)
    with pytest.raises(Refused, match="push_endpoint"):
        push.subscribe(store, alice, sign_in(alice), wish, "", now)
    assert endpoints(store, alice, now) == []


def test_keys_that_no_browser_made_are_refused(
    store: Store, alice: int, sign_in: SignIn, now: datetime
) -> None:
    for wrong in ({"p256dh": "x"}, {"auth": ""}, {"p256dh": "ä\x00"}):
        with pytest.raises(Refused, match="push_keys"):
            push.subscribe(store, alice, sign_in(alice), replace(FakeBrowser().wish, **wrong), "", now)


def test_a_moved_browser_shows_where_it_was(store: Store, alice: int, sign_in: SignIn, now: datetime) -> None:
    login, old, new = sign_in(alice), FakeBrowser(path="old"), FakeBrowser(path="new")
    browser_id = subscribe(store, alice, login, old, now)
    for whose, before in ((sign_in(alice), old.endpoint), (login, "https://push.example.org/guess")):
        with pytest.raises(NotFound, match="no_browser"):
            push.move(store, whose, before, new.wish)
    push.move(store, login, old.endpoint, new.wish)
    found = push.browsers(store, alice, now)[0]
    assert (found.id, found.endpoint, found.keys.secret) == (browser_id, new.endpoint, new.auth)


def test_a_session_that_has_ended_gets_no_browser(
    store: Store, alice: int, sign_in: SignIn, now: datetime
) -> None:
    login = sign_in(alice)
    logins.end_session(store, alice, login)
    with pytest.raises(Refused, match="no_login"):
        push.subscribe(store, alice, login, FakeBrowser().wish, "", now)


def test_a_session_that_says_so_many_times_at_once_has_one_browser(
    store: Store, alice: int, sign_in: SignIn, now: datetime
) -> None:
    login = sign_in(alice)

    def say(number: int) -> None:
        push.subscribe(store, alice, login, FakeBrowser(path=str(number)).wish, "", now)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(say, range(8)))
    assert len(endpoints(store, alice, now)) == 1


def test_nobody_removes_or_sees_somebody_elses(
    store: Store, alice: int, sign_in: SignIn, now: datetime
) -> None:
    bob = accounts.by_handle(store, "bob").id
    browser_id = subscribe(store, alice, sign_in(alice), FakeBrowser(), now)
    for act in (push.remove, push.find):
        with pytest.raises(NotFound, match="no_browser"):
            act(store, bob, browser_id)
    push.remove(store, alice, browser_id)
    assert endpoints(store, alice, now) == []


def test_one_that_fails_rests_longer_and_longer_and_is_forgotten_in_the_end(
    store: Store, alice: int, sign_in: SignIn, now: datetime
) -> None:
    browser_id = subscribe(store, alice, sign_in(alice), FakeBrowser(), now)
    rests = []
    for after in (timedelta(), timedelta(minutes=10), timedelta(hours=9)):
        found = push.find(store, alice, browser_id)
        assert push.failed(store, found, "503 in 0.1 s", now + after, rests=True)
        found = push.find(store, alice, browser_id)
        assert (found.failing_since, found.said) == (now, "503 in 0.1 s")
        assert found.rests_until
        rests.append(found.rests_until - now - after)
    assert rests == [timedelta(minutes=1), timedelta(minutes=10), timedelta(hours=1)]
    push.took(store, browser_id, now + DAY)
    found = push.find(store, alice, browser_id)
    assert (found.sent_at, found.failing_since, found.rests_until) == (now + DAY, None, None)
    assert push.failed(store, found, "503", now + 2 * DAY, rests=False)
    found = push.find(store, alice, browser_id)
    assert found.rests_until is None
    assert not push.failed(store, found, "503", now + 8 * DAY, rests=False)
    assert endpoints(store, alice, now) == []


def test_all_who_ask_at_once_get_the_same_key(store: Store, alice: int, now: datetime) -> None:
    with ThreadPoolExecutor(6) as pool:
        found = set(pool.map(lambda _: push.own_key(store, now), range(6)))
    assert found == {push.own_key(store, now)}
    assert len(found.pop()) == 32
