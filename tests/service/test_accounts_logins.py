"""Sessions and tokens: kept as digests, ended one by one or all at once; limits across processes."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from threading import Thread

import pytest
from sqlalchemy import select

from bgmail.service import accounts, allowances, entrance, logins
from bgmail.service.accounts import Account
from bgmail.service.allowances import Limit, TooOften
from bgmail.service.errors import NotFound, Refused
from bgmail.store.engine import Store
from bgmail.store.matches import table
from bgmail.store.tables import AllowanceRow, LoginRow, SpentRow

DAY = timedelta(days=1)


@pytest.fixture
def alice(store: Store, now: datetime) -> Account:
    return accounts.create(store, "Alice", "alice@example.org", None, now)


def rows_of(store: Store, row: type) -> list[object]:
    with store.read() as connection:
        return list(connection.execute(select(table(row))).all())


def test_only_the_digest_of_a_secret_is_kept(store: Store, now: datetime, alice: Account) -> None:
    token = logins.create_token(store, alice.id, "my script", now)
    assert token.startswith("bgm_")
    assert len(token) == 47
    (row,) = rows_of(store, LoginRow)
    assert token not in str(row)
    assert hashlib.sha256(token.encode()).hexdigest() in str(row)


def test_a_token_is_no_session_and_a_session_no_token(store: Store, now: datetime, alice: Account) -> None:
    token = logins.create_token(store, alice.id, "my script", now)
    logins.open_session(store, alice.id, "Firefox", "secret", now)
    assert logins.by_token(store, token, now) == alice
    assert logins.by_session(store, token, now) is None
    assert logins.by_token(store, "secret", now) is None
    for nonsense in ("", "bgm_", "ä" * 300, "\ud800", "\x00"):
        assert logins.by_token(store, nonsense, now) is None


def test_a_session_ends_after_sixty_idle_days(store: Store, now: datetime, alice: Account) -> None:
    logins.open_session(store, alice.id, "Firefox", "secret", now)
    assert logins.by_session(store, "secret", now + 59 * DAY) is not None
    assert logins.by_session(store, "secret", now + 118 * DAY) is not None
    assert logins.by_session(store, "secret", now + 178 * DAY) is None
    assert logins.sessions(store, alice.id, now + 178 * DAY) == []


def test_a_session_ends_after_a_year_however_busy(store: Store, now: datetime, alice: Account) -> None:
    logins.open_session(store, alice.id, "Firefox", "secret", now)
    for day in range(30, 365, 30):
        assert logins.by_session(store, "secret", now + day * DAY) is not None
    assert logins.by_session(store, "secret", now + 365 * DAY) is None


def test_a_token_lasts_until_it_is_revoked(store: Store, now: datetime, alice: Account) -> None:
    token = logins.create_token(store, alice.id, "my script", now)
    assert logins.by_token(store, token, now + 3000 * DAY) == alice
    (listed,) = logins.tokens(store, alice.id)
    assert (listed.name, listed.created_at, listed.expires_at) == ("my script", now, None)
    logins.revoke_token(store, alice.id, listed.id)
    assert logins.by_token(store, token, now) is None


def test_a_use_is_noted_every_ten_minutes(store: Store, now: datetime, alice: Account) -> None:
    logins.open_session(store, alice.id, "Firefox", "secret", now)
    logins.by_session(store, "secret", now + timedelta(minutes=9))
    assert logins.sessions(store, alice.id, now)[0].used_at == now
    logins.by_session(store, "secret", now + timedelta(minutes=10))
    assert logins.sessions(store, alice.id, now)[0].used_at == now + timedelta(minutes=10)


def test_nobody_ends_the_session_of_another(store: Store, now: datetime, alice: Account) -> None:
    charlie = accounts.create(store, "Charlie", None, None, now)
    logins.open_session(store, alice.id, "Firefox", "secret", now)
    token = logins.create_token(store, alice.id, "my script", now)
    session, key = logins.sessions(store, alice.id, now)[0], logins.tokens(store, alice.id)[0]
    with pytest.raises(NotFound):
        logins.end_session(store, charlie.id, session.id)
    with pytest.raises(NotFound):
        logins.revoke_token(store, charlie.id, key.id)
    with pytest.raises(NotFound):
        logins.end_session(store, alice.id, key.id)
    assert logins.by_session(store, "secret", now) is not None
    assert logins.by_token(store, token, now) is not None
    logins.end_session(store, alice.id, session.id)
    assert logins.by_session(store, "secret", now) is None


def test_signing_out_ends_this_browser_alone(store: Store, now: datetime, alice: Account) -> None:
    for secret in ("one", "two"):
        logins.open_session(store, alice.id, "Firefox", secret, now)
    logins.sign_out(store, "one")
    assert logins.by_session(store, "one", now) is None
    assert logins.by_session(store, "two", now) is not None


def test_signing_out_everywhere_ends_sessions_tokens_and_mailed_links(
    store: Store, now: datetime, alice: Account
) -> None:
    for secret in ("one", "two"):
        logins.open_session(store, alice.id, "Firefox", secret, now)
    token = logins.create_token(store, alice.id, "my script", now)
    claim = entrance.EntryClaim(alice.id, alice.epoch)
    logins.sign_out_everywhere(store, alice.id)
    assert [logins.by_session(store, secret, now) for secret in ("one", "two")] == [None, None]
    assert logins.by_token(store, token, now) is None
    with pytest.raises(Refused) as refused:
        entrance.enter_by_link(store, claim, "token", now)
    assert refused.value.code == "link_dead"


def test_a_token_needs_a_name_and_fifty_are_enough(store: Store, now: datetime, alice: Account) -> None:
    with pytest.raises(Refused) as refused:
        logins.create_token(store, alice.id, " \r\n ", now)
    assert refused.value.code == "token_name"
    for _ in range(50):
        logins.create_token(store, alice.id, "my\r\nscript " + "x" * 100, now)
    assert {len(token.name) for token in logins.tokens(store, alice.id)} == {80}
    with pytest.raises(Refused) as refused:
        logins.create_token(store, alice.id, "one more", now)
    assert refused.value.code == "too_many_tokens"


def test_a_limit_counts_from_the_first_try_and_begins_anew(store: Store, now: datetime) -> None:
    three = [(Limit("test", 3, timedelta(minutes=10)), "somebody")]
    for minute in (0, 1, 2):
        allowances.take(store, three, now + timedelta(minutes=minute))
    with pytest.raises(TooOften) as often:
        allowances.take(store, three, now + timedelta(minutes=9))
    assert often.value.until == now + timedelta(minutes=10)
    allowances.take(store, three, now + timedelta(minutes=10))
    allowances.take(store, [(three[0][0], "somebody else")], now + timedelta(minutes=9))


def test_a_limit_holds_however_many_ask_at_once(store: Store, now: datetime) -> None:
    ten, refused = [(Limit("test", 10, DAY), "somebody")], []

    def ask() -> None:
        for _ in range(5):
            try:
                allowances.take(store, ten, now)
            except TooOften as error:
                refused.append(error)

    threads = [Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 10


def test_who_tried_cannot_be_read_from_the_table(store: Store, now: datetime) -> None:
    allowances.take(store, [(allowances.LETTER_ADDRESS, "alice@example.org")], now)
    assert "alice" not in str(rows_of(store, AllowanceRow))


@pytest.mark.parametrize(
    ("one", "other"),
    [("2001:db8::1", "2001:db8::ffff:2"), ("::ffff:192.0.2.7", "192.0.2.7"), ("192.0.2.7", "192.0.2.7")],
)
def test_one_network_is_one_client(one: str, other: str) -> None:
    assert allowances.network(one) == allowances.network(other)


def test_other_networks_are_other_clients() -> None:
    clients = ("2001:db8::1", "2001:db8:0:1::1", "192.0.2.7", "192.0.2.8", None, "a socket")
    assert len({allowances.network(client) for client in clients}) == 6


def test_what_is_past_is_forgotten_and_nothing_else(store: Store, now: datetime, alice: Account) -> None:
    logins.open_session(store, alice.id, "Firefox", "secret", now)
    token = logins.create_token(store, alice.id, "my script", now)
    allowances.take(store, [(allowances.LETTER_ADDRESS, "alice@example.org")], now)
    entrance.enter_by_link(store, entrance.EntryClaim(alice.id, alice.epoch), "token", now)
    assert logins.forget_past(store, now) == 0
    assert logins.forget_past(store, now + timedelta(hours=1)) == 1
    assert logins.forget_past(store, now + DAY) == 1
    assert logins.forget_past(store, now + 365 * DAY) == 1
    assert rows_of(store, SpentRow) == rows_of(store, AllowanceRow) == []
    assert logins.by_token(store, token, now + 365 * DAY) is not None


def test_nothing_lets_in_who_is_shut_out_and_no_row_is_kept(
    store: Store, now: datetime, alice: Account
) -> None:
    accounts.ban(store, alice.id, now)
    with pytest.raises(Refused, match="shut_out"):
        logins.open_session(store, alice.id, "Firefox", "secret", now)
    with pytest.raises(Refused, match="shut_out"):
        logins.create_token(store, alice.id, "my script", now)
    with pytest.raises(Refused, match="shut_out"):
        logins.open_session(store, 999, "Firefox", "secret", now)
    assert rows_of(store, LoginRow) == []
