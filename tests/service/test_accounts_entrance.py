"""The ways in, and the limits that hold for known and unknown people alike."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from unittest.mock import patch

import pytest
from argon2 import PasswordHasher

from bgmail.service import accounts, allowances, entrance, logins, passwords, proofs
from bgmail.service.accounts import Account, Application
from bgmail.service.allowances import TooOften
from bgmail.service.entrance import EntryClaim
from bgmail.service.errors import Forbidden, Refused
from bgmail.service.notices import Kind
from bgmail.service.proofs import AddressClaim
from bgmail.store import people
from bgmail.store.engine import Store
from tests.service.test_accounts import PASSWORD, letters

CLIENT = "192.0.2.7"


@pytest.fixture
def alice(store: Store, now: datetime) -> Account:
    return accounts.create(store, "Alice", "alice@example.org", PASSWORD, now)


def code_of(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        act()
    return refused.value.code


def sign_in(store: Store, now: datetime, name: str = "Alice", password: str = PASSWORD) -> Account:
    return entrance.sign_in(store, name, password, CLIENT, now)


@pytest.mark.parametrize("name", ["Alice", "alice", " ALICE ", "alice@example.org", "Alice@EXAMPLE.org"])
def test_one_signs_in_by_handle_or_address(store: Store, now: datetime, alice: Account, name: str) -> None:
    assert sign_in(store, now, name) == alice


@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("Alice", "wrong password"),
        ("Alice", PASSWORD + " "),
        ("a1ice", PASSWORD),
        ("Nobody-here", PASSWORD),
        ("bob@example.org", PASSWORD),
        ("söder@bücher.example", PASSWORD),
        ("", ""),
        ("\ud800", "\ud800"),
    ],
)
def test_every_failure_is_the_same(
    store: Store, now: datetime, alice: Account, name: str, password: str
) -> None:
    assert code_of(lambda: sign_in(store, now, name, password)) == "sign_in_failed"


@pytest.mark.parametrize("name", ["Alice", "nobody-here"])
def test_known_and_unknown_names_cost_one_hash_each(
    store: Store, now: datetime, real_hashes: None, alice: Account, name: str
) -> None:
    passwords.matches(None, "the first costs one more")
    with patch.object(PasswordHasher, "verify", autospec=True, side_effect=PasswordHasher.verify) as verify:
        assert code_of(lambda: sign_in(store, now, name, "wrong password")) == "sign_in_failed"
    assert verify.call_count == 1
    assert verify.call_args.args[1].startswith("$argon2id$v=19$m=19456,t=2,p=1$")


def test_a_hash_made_with_old_parameters_is_made_anew_at_sign_in(
    store: Store, now: datetime, real_hashes: None, alice: Account
) -> None:
    with store.write() as connection:
        old = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1).hash(PASSWORD)
        people.change(connection, alice.id, password_hash=old)
    sign_in(store, now)
    with store.read() as connection:
        row = people.by_id(connection, alice.id)
    assert row is not None
    assert row.password_hash.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    sign_in(store, now)


@pytest.mark.parametrize("name", ["Alice", "Nobody-here", "nobody@example.org"])
def test_after_sixty_failures_an_hour_a_name_has_to_wait_known_or_not(
    store: Store, now: datetime, alice: Account, name: str
) -> None:
    claims = entrance.sign_in_claims(name, CLIENT)
    for _ in range(60):
        allowances.take(store, claims, now)
    with pytest.raises(TooOften) as often:
        sign_in(store, now + timedelta(minutes=59), name)
    assert often.value.until == now + timedelta(hours=1)
    assert often.value.seconds == 60
    allowances.take(store, claims, now + timedelta(hours=1))


def test_one_client_that_tries_many_names_has_to_wait(store: Store, now: datetime, alice: Account) -> None:
    for _ in range(300):
        allowances.take(store, [(allowances.SIGN_IN_CLIENT, CLIENT)], now)
    with pytest.raises(TooOften):
        sign_in(store, now)
    assert entrance.sign_in(store, "Alice", PASSWORD, "198.51.100.9", now) == alice


def test_signing_in_rightly_uses_nothing_up(store: Store, now: datetime, alice: Account) -> None:
    with patch.object(passwords, "matches", return_value=True):
        for _ in range(120):
            sign_in(store, now)
    assert sign_in(store, now) == alice


@pytest.mark.parametrize("kind", [Kind.SIGN_IN, Kind.RESET])
@pytest.mark.parametrize("address", ["alice@example.org", "nobody@example.org"])
def test_letters_are_limited_by_address_and_client_for_known_and_unknown_alike(
    store: Store, now: datetime, alice: Account, address: str, kind: Kind
) -> None:
    for turn in range(5):
        entrance.ask_for_link(store, kind, address, CLIENT, now + timedelta(seconds=turn))
    with pytest.raises(TooOften) as often:
        entrance.ask_for_link(store, kind, address.upper(), "198.51.100.9", now + timedelta(minutes=1))
    assert often.value.until == now + timedelta(hours=1)
    assert len(letters(store)) == (5 if address.startswith("alice") else 0)


def test_a_sign_in_link_works_once(store: Store, now: datetime, alice: Account) -> None:
    entrance.ask_for_link(store, Kind.SIGN_IN, "alice@example.org", CLIENT, now)
    kind, address, data = letters(store)[0]
    assert (kind, address) == ("sign_in", "alice@example.org")
    claim = EntryClaim.read(data["claim"])
    for _ in range(10):
        assert entrance.look(store, claim, "token") == alice
    assert entrance.enter_by_link(store, claim, "token", now) == alice
    assert code_of(lambda: entrance.look(store, claim, "token")) == "link_used"
    assert code_of(lambda: entrance.enter_by_link(store, claim, "token", now)) == "link_used"


@pytest.mark.parametrize("payload", [None, [], [1], ["1", 0], [1, 0, 0], {"1": 0}, [True, False], [1.0, 0]])
def test_a_payload_of_another_shape_is_a_dead_link(payload: object) -> None:
    assert code_of(lambda: EntryClaim.read(payload)) == "link_dead"
    assert code_of(lambda: AddressClaim.read(payload)) == "link_dead"


def test_a_reset_sets_the_password_by_the_same_recipe_and_ends_everything(
    store: Store, now: datetime, alice: Account
) -> None:
    logins.open_session(store, alice.id, "Firefox", "browser", now)
    token = logins.create_token(store, alice.id, "script", now)
    claim, new = EntryClaim(alice.id, alice.epoch), " ß€♟ thirty signs, one blank .."
    assert len(new) == 31
    assert code_of(lambda: entrance.reset(store, claim, "token", "short", now)) == "password_short"
    entrance.reset(store, claim, "token", new, now)
    assert sign_in(store, now, password=new).id == alice.id
    assert code_of(lambda: sign_in(store, now)) == "sign_in_failed"
    assert code_of(lambda: sign_in(store, now, password=new.strip())) == "sign_in_failed"
    assert code_of(lambda: entrance.reset(store, claim, "token", "another one", now)) == "link_used"
    assert code_of(lambda: entrance.enter_by_link(store, claim, "an older link", now)) == "link_dead"
    assert logins.by_session(store, "browser", now) is None
    assert logins.by_token(store, token, now) is None


def test_changing_the_password_asks_for_the_old_one_and_keeps_this_session(
    store: Store, now: datetime, alice: Account
) -> None:
    for secret in ("this browser", "that browser"):
        logins.open_session(store, alice.id, "Firefox", secret, now)
    token = logins.create_token(store, alice.id, "script", now)
    here = logins.by_session(store, "this browser", now)
    assert here is not None

    def change(old: str, new: str) -> None:
        entrance.change_password(store, alice, old, new, now, session_id=here.login_id)

    assert code_of(lambda: change("wrong one", "a new password")) == "password_wrong"
    assert code_of(lambda: change(PASSWORD, "alice@example.org")) == "password_obvious"
    change(PASSWORD, "a new password")
    assert sign_in(store, now, password="a new password").id == alice.id
    assert logins.by_session(store, "this browser", now) is not None
    assert logins.by_session(store, "that browser", now) is None
    assert logins.by_token(store, token, now) is not None


def test_who_has_no_password_sets_the_first_without_an_old_one(store: Store, now: datetime) -> None:
    bob = accounts.join(store, "Bob", "bob@example.org", now)
    entrance.change_password(store, bob, "", "a first password", now, session_id=0)
    assert sign_in(store, now, "Bob", "a first password").id == bob.id


def test_the_old_password_cannot_be_guessed_from_inside_for_ever(
    store: Store, now: datetime, alice: Account
) -> None:
    for _ in range(20):
        allowances.take(store, [(allowances.PASSWORD_ACCOUNT, str(alice.id))], now)
    with pytest.raises(TooOften):
        entrance.confirm_password(store, alice, PASSWORD, now)


def test_an_address_is_proven_by_its_link_and_a_second_time_changes_nothing(
    store: Store, now: datetime
) -> None:
    alice = accounts.sign_up(store, Application("Alice", "Alice@example.org", PASSWORD), CLIENT, now)
    claim = AddressClaim.read(letters(store)[0][2]["claim"])
    assert proofs.look(store, claim) == (alice, False)
    proven = proofs.prove(store, claim, now)
    assert (proven.email, proven.new_email, proven.verified) == ("Alice@example.org", None, True)
    assert proofs.look(store, claim) == (proven, True)
    assert proofs.prove(store, claim, now) == proven
    assert sign_in(store, now, "alice@example.org") == proven


def test_who_lost_the_first_letter_gets_it_again_by_asking_for_any_link(store: Store, now: datetime) -> None:
    alice = accounts.sign_up(store, Application("Alice", "alice@example.org", PASSWORD), CLIENT, now)
    entrance.ask_for_link(store, Kind.RESET, "alice@example.org", CLIENT, now + timedelta(seconds=1))
    proofs.ask_again(store, alice, CLIENT, now + timedelta(seconds=2))
    assert [kind for kind, _, _ in letters(store)] == ["verify", "verify", "verify"]
    with pytest.raises(Refused):
        proofs.ask_again(store, accounts.create(store, "Bob", None, None, now), CLIENT, now)


def test_a_new_address_counts_once_it_is_proven_and_the_old_one_is_told(
    store: Store, now: datetime, alice: Account
) -> None:
    assert code_of(lambda: proofs.propose(store, alice, "a@new.example", "wrong", now, client=CLIENT)) == (
        "password_wrong"
    )
    assert (
        proofs.propose(store, alice, "Alice@Bücher.example", PASSWORD, now, client=CLIENT)
        == "Alice@xn--bcher-kva.example"
    )
    assert accounts.by_id(store, alice.id).email == "alice@example.org"
    claim = AddressClaim.read(letters(store)[0][2]["claim"])
    old_link = EntryClaim(alice.id, alice.epoch)
    for somebody in (None, alice.id + 1):
        with pytest.raises(Forbidden):
            proofs.prove(store, claim, now, signed_in=somebody)
    moved = proofs.prove(store, claim, now, signed_in=alice.id)
    assert moved.email == "Alice@xn--bcher-kva.example"
    assert letters(store)[1] == (
        "address_changed",
        "alice@example.org",
        {"old": "alice@example.org", "new": "Alice@xn--bcher-kva.example"},
    )
    assert code_of(lambda: entrance.enter_by_link(store, old_link, "token", now)) == "link_dead"


def test_a_withdrawn_address_has_a_dead_link(store: Store, now: datetime, alice: Account) -> None:
    proofs.propose(store, alice, "alice@new.example", PASSWORD, now, client=CLIENT)
    claim = AddressClaim(alice.id, "alice@new.example")
    proofs.withdraw(store, accounts.by_id(store, alice.id))
    assert code_of(lambda: proofs.prove(store, claim, now, signed_in=alice.id)) == "link_dead"
    assert accounts.by_id(store, alice.id).email == "alice@example.org"


def test_the_only_address_cannot_be_withdrawn(store: Store, now: datetime) -> None:
    bob = accounts.sign_up(store, Application("Bob", "bob@example.org", PASSWORD), CLIENT, now)
    assert code_of(lambda: proofs.withdraw(store, bob)) == "only_address"


def test_somebody_elses_address_is_not_given_away(store: Store, now: datetime, alice: Account) -> None:
    bob = accounts.create(store, "Bob", "bob@example.org", PASSWORD, now)
    proofs.propose(store, bob, "alice@example.org", PASSWORD, now, client=CLIENT)
    assert letters(store)[0] == ("already_member", "alice@example.org", {"tried": "Bob"})
    claim = AddressClaim(bob.id, "alice@example.org")
    assert code_of(lambda: proofs.prove(store, claim, now, signed_in=bob.id)) == "address_taken"
    assert code_of(
        lambda: proofs.propose(store, alice, "ALICE@example.org", PASSWORD, now, client=CLIENT)
    ) == ("same_address")
