"""How people want boards: kept whole in a row of its own, known from the session, unknown values refused."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from bgmail.service import accounts, board_preferences, logins
from bgmail.service.accounts import Account
from bgmail.service.board_preferences import CORNERS, DEFAULT, BoardPreference
from bgmail.service.errors import Refused
from bgmail.store.engine import Store

OTHER = BoardPreference(
    theme="print",
    checkers="dark",
    home_left=True,
    home_top=True,
    upright="never",
    numbers=False,
    pips=False,
    motion=False,
    click="choose",
    ask_double=False,
    ask_take=False,
    ask_pass=False,
)


@pytest.fixture
def alice(store: Store, now: datetime) -> Account:
    account = accounts.create(store, "Alice", "alice@example.org", None, now)
    logins.open_session(store, account.id, "Firefox", "secret", now)
    return account


def known(store: Store, now: datetime) -> BoardPreference | None:
    entered = logins.by_session(store, "secret", now)
    assert entered
    return entered.board


def test_who_never_chose_has_no_row_and_the_last_choice_counts(
    store: Store, now: datetime, alice: Account
) -> None:
    assert known(store, now) is None
    board_preferences.keep(store, alice.id, OTHER)
    assert known(store, now) == OTHER
    board_preferences.keep(store, alice.id, replace(OTHER, theme="dark", numbers=True))
    assert known(store, now) == replace(OTHER, theme="dark", numbers=True)


def test_a_choice_is_its_owners_alone(store: Store, now: datetime, alice: Account) -> None:
    bob = accounts.create(store, "Bob", "bob@example.org", None, now)
    board_preferences.keep(store, bob.id, OTHER)
    assert known(store, now) is None


@pytest.mark.parametrize("field", ["theme", "checkers", "upright", "click"])
def test_a_value_that_is_none_of_the_choices_is_refused_by_name(field: str) -> None:
    with pytest.raises(Refused) as refused:
        replace(DEFAULT, **{field: "neon"})
    assert (refused.value.code, refused.value.values) == ("no_such_choice", {"choice": "neon"})


@pytest.mark.parametrize("corner", CORNERS)
def test_a_corner_has_a_neighbour_on_the_other_side(corner: str) -> None:
    left, top = CORNERS[corner]
    chosen = replace(DEFAULT, home_left=left, home_top=top)
    assert chosen.home == corner
    assert {corner.split("-")[1], chosen.across.split("-")[1]} == {"left", "right"}
    assert chosen.across.split("-")[0] == corner.split("-", maxsplit=1)[0]


def test_only_what_can_be_chosen_goes_without_a_question() -> None:
    assert all(DEFAULT.asks(action) for action in ("double", "take", "pass", "resign", "accept_resignation"))
    assert [
        action for action in ("double", "take", "pass", "resign", "resign_match") if OTHER.asks(action)
    ] == [
        "resign",
        "resign_match",
    ]
