"""Accounts: sign-up that tells strangers nothing, people invited by mail, bans, choices."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from bgmail.service import accounts, entrance, logins, proofs
from bgmail.service.accounts import Account, Application
from bgmail.service.allowances import TooOften
from bgmail.service.errors import NotFound, Refused
from bgmail.service.notices import Kind
from bgmail.store.engine import Store
from bgmail.store.matches import table
from bgmail.store.tables import NoticeRow

PASSWORD = "correct horse"


def letters(store: Store) -> list[tuple[str, str, dict[str, Any]]]:
    """(kind, address, data) of all that is owed, in order."""
    with store.read() as connection:
        rows = connection.execute(select(table(NoticeRow)).order_by(table(NoticeRow).c.id)).all()
    return [(row.kind, row.address, json.loads(row.data)) for row in rows]


def sign_up(store: Store, now: datetime, handle: str = "Alice", email: str = "alice@example.org") -> Account:
    return accounts.sign_up(store, Application(handle, email, PASSWORD, "Europe/Berlin"), "192.0.2.7", now)


def test_signing_up_makes_an_account_that_waits_for_its_proof(store: Store, now: datetime) -> None:
    alice = sign_up(store, now)
    assert (alice.handle, alice.email, alice.new_email) == ("Alice", None, "alice@example.org")
    assert alice.has_password
    assert not alice.verified
    assert alice.time_zone == "Europe/Berlin"
    assert letters(store) == [("verify", "alice@example.org", {"claim": [alice.id, "alice@example.org"]})]


def test_a_time_zone_that_nobody_knows_becomes_utc_at_sign_up(store: Store, now: datetime) -> None:
    wish = Application("Alice", "alice@example.org", PASSWORD, "Mars/Olympus_Mons")
    assert accounts.sign_up(store, wish, "192.0.2.7", now).time_zone == "UTC"


@pytest.mark.parametrize("handle", ["alice", "A1ICE", "Alíce"])
def test_a_handle_that_looks_like_another_is_taken(store: Store, now: datetime, handle: str) -> None:
    sign_up(store, now)
    with pytest.raises(Refused) as refused:
        sign_up(store, now, handle, "other@example.org")
    assert refused.value.code == "handle_taken"
    assert len(letters(store)) == 1


def test_a_used_address_gets_a_letter_and_the_stranger_the_same_answer(store: Store, now: datetime) -> None:
    alice = accounts.create(store, "Alice", "alice@example.org", PASSWORD, now)
    stranger = sign_up(store, now, "Charlie", "ALICE@example.org")
    fresh = sign_up(store, now, "Bob", "bob@example.org")
    assert (stranger.email, stranger.verified) == (fresh.email, fresh.verified) == (None, False)
    assert letters(store)[0] == ("already_member", "ALICE@example.org", {"tried": "Charlie"})
    with pytest.raises(Refused) as refused:
        proofs.prove(store, proofs.AddressClaim(stranger.id, "ALICE@example.org"), now)
    assert refused.value.code == "address_taken"
    assert accounts.by_email(store, "alice@example.org").id == alice.id


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        (Application("a", "alice@example.org", PASSWORD), "handle_length"),
        (Application("Admin", "alice@example.org", PASSWORD), "handle_reserved"),
        (Application("Alice", "söder@bücher.example", PASSWORD), "email_not_ascii"),
        (Application("Alice", "alice@example.org", "short"), "password_short"),
    ],
)
def test_a_refused_sign_up_changes_nothing(store: Store, now: datetime, wish: Application, code: str) -> None:
    with pytest.raises(Refused) as refused:
        accounts.sign_up(store, wish, "192.0.2.7", now)
    assert refused.value.code == code
    assert letters(store) == []
    with pytest.raises(NotFound):
        accounts.by_handle(store, "Alice")


def test_people_are_found_by_handle_in_any_case_and_by_proven_address(store: Store, now: datetime) -> None:
    alice = accounts.create(store, "Alice", "Alice@Example.org", PASSWORD, now)
    assert accounts.by_handle(store, "ALICE") == accounts.by_email(store, "alice@example.ORG") == alice
    assert accounts.by_id(store, alice.id) == alice
    for missing in ("a1ice", "Bob"):
        with pytest.raises(NotFound):
            accounts.by_handle(store, missing)


def test_an_operator_may_give_out_a_reserved_name_and_makes_machines(store: Store, now: datetime) -> None:
    house = accounts.create(store, "bgmail", None, None, now, is_bot=True)
    assert house.is_bot
    assert not house.has_password
    with pytest.raises(Refused) as refused:
        accounts.create(store, "BGMAIL", None, None, now)
    assert refused.value.code == "handle_taken"


def test_an_operator_may_give_out_a_short_password_but_not_none(store: Store, now: datetime) -> None:
    accounts.create(store, "Alice", None, "pw", now)
    assert entrance.sign_in(store, "Alice", "pw", "192.0.2.7", now).handle == "Alice"
    for password, code in (
        ("", "password_short"),
        ("x" * 201, "password_long"),
        ("\ud800", "password_encoding"),
    ):
        with pytest.raises(Refused) as refused:
            accounts.create(store, "Bob", None, password, now)
        assert refused.value.code == code


def test_an_address_belongs_to_one_account(store: Store, now: datetime) -> None:
    accounts.create(store, "Alice", "alice@example.org", None, now)
    with pytest.raises(Refused) as refused:
        accounts.create(store, "Bob", "ALICE@example.org", None, now)
    assert refused.value.code == "address_taken"


def test_an_invited_friend_needs_a_handle_only(store: Store, now: datetime) -> None:
    bob = accounts.join(store, "Bob", "bob@example.org", now)
    assert bob.verified
    assert not bob.has_password
    with pytest.raises(Refused) as refused:
        accounts.join(store, "Bobby", "bob@example.org", now)
    assert refused.value.code == "address_taken"
    with pytest.raises(Refused) as refused:
        entrance.sign_in(store, "Bob", "", "192.0.2.7", now)
    assert refused.value.code == "sign_in_failed"


def test_a_banned_person_is_shut_out_of_sessions_tokens_and_links_at_once(
    store: Store, now: datetime
) -> None:
    alice = accounts.create(store, "Alice", "alice@example.org", PASSWORD, now)
    for secret in ("first browser", "second browser"):
        logins.open_session(store, alice.id, "Firefox", secret, now)
    token = logins.create_token(store, alice.id, "script", now)
    entrance.ask_for_link(store, Kind.SIGN_IN, "alice@example.org", "192.0.2.7", now)
    claim = entrance.EntryClaim.read(letters(store)[0][2]["claim"])
    accounts.ban(store, alice.id, now)
    assert logins.by_session(store, "first browser", now) is None
    assert logins.by_session(store, "second browser", now) is None
    assert logins.by_token(store, token, now) is None
    for way in (
        lambda: entrance.enter_by_link(store, claim, "a link", now),
        lambda: entrance.sign_in(store, "Alice", PASSWORD, "192.0.2.7", now),
        lambda: proofs.look(store, proofs.AddressClaim(alice.id, "alice@example.org")),
    ):
        with pytest.raises(Refused) as refused:
            way()
        assert refused.value.code == "shut_out"
    entrance.ask_for_link(store, Kind.RESET, "alice@example.org", "192.0.2.7", now)
    assert len(letters(store)) == 1


def test_lifting_a_ban_lets_in_again_but_brings_nothing_back(store: Store, now: datetime) -> None:
    alice = accounts.create(store, "Alice", "alice@example.org", PASSWORD, now)
    logins.open_session(store, alice.id, "Firefox", "browser", now)
    accounts.ban(store, alice.id, now)
    accounts.unban(store, alice.id)
    assert logins.by_session(store, "browser", now) is None
    assert entrance.sign_in(store, "Alice", PASSWORD, "192.0.2.7", now).id == alice.id


def test_the_time_zone_is_one_that_exists(store: Store, now: datetime) -> None:
    alice = accounts.create(store, "Alice", None, None, now)
    accounts.set_time_zone(store, alice.id, "America/Argentina/Buenos_Aires")
    assert accounts.by_id(store, alice.id).time_zone == "America/Argentina/Buenos_Aires"
    for zone in ("Europe/Atlantis", "", "../../etc/passwd"):
        with pytest.raises(Refused) as refused:
            accounts.set_time_zone(store, alice.id, zone)
        assert refused.value.code == "time_zone"


def test_only_who_has_a_proven_address_invites_by_mail_and_not_without_end(
    store: Store, now: datetime
) -> None:
    bob = sign_up(store, now, "Bob", "bob@example.org")
    with pytest.raises(Refused) as refused:
        accounts.allow_letter_to(store, bob, "friend@example.org", now)
    assert refused.value.code == "unverified"
    alice = accounts.create(store, "Alice", "alice@example.org", None, now)
    for _ in range(5):
        accounts.allow_letter_to(store, alice, "friend@example.org", now)
    with pytest.raises(TooOften):
        accounts.allow_letter_to(store, alice, "FRIEND@example.org", now)
    for number in range(44):
        accounts.allow_letter_to(store, alice, f"friend-{number}@example.org", now)
    with pytest.raises(TooOften):
        accounts.allow_letter_to(store, alice, "one-more@example.org", now)
    accounts.allow_letter_to(store, alice, "one-more@example.org", now + timedelta(days=1))
