"""Notes of one's own: kept as written, one a match and one a person, and read by nobody else."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from bgmail.service import accounts, notes
from bgmail.service.errors import NotFound, Refused
from bgmail.service.notes import Note, Notes
from bgmail.service.views import MatchView
from bgmail.store.engine import Store
from tests.service.matchmaking import begin


@pytest.fixture
def view(store: Store, now: datetime) -> MatchView:
    return begin(store, now)[0]


def ids(store: Store) -> tuple[int, int, int]:
    alice, bob, charlie = (accounts.by_handle(store, name).id for name in ("alice", "bob", "charlie"))
    return alice, bob, charlie


def test_a_note_is_read_by_its_writer_alone(store: Store, view: MatchView, now: datetime) -> None:
    alice, bob, charlie = ids(store)
    notes.on_match(store, alice, view.id, "He runs early.", now)
    notes.on_person(store, alice, "bob", "Never passes.", now)
    assert notes.read(store, alice, view.id, bob) == Notes("He runs early.", "Never passes.")
    for reader, about in ((bob, alice), (bob, bob), (charlie, bob)):
        assert notes.read(store, reader, view.id, about) == Notes()
        assert notes.mine(store, reader) == []


def test_everybody_has_one_note_of_their_own_on_the_same_match(
    store: Store, view: MatchView, now: datetime
) -> None:
    for account_id in ids(store):
        notes.on_match(store, account_id, view.id, f"by {account_id}", now)
    assert [notes.read(store, one, view.id).match for one in ids(store)] == [
        f"by {one}" for one in ids(store)
    ]


def test_a_note_is_replaced_by_the_next_and_taken_away_by_an_empty_one(
    store: Store, view: MatchView, now: datetime
) -> None:
    alice = ids(store)[0]
    for body in ("one", "two"):
        notes.on_match(store, alice, view.id, body, now)
    assert notes.read(store, alice, view.id).match == "two"
    notes.on_match(store, alice, view.id, " \n", now)
    assert notes.mine(store, alice) == []


def test_all_of_ones_notes_in_order_for_the_export(store: Store, view: MatchView, now: datetime) -> None:
    alice = ids(store)[0]
    later = now + timedelta(hours=1)
    notes.on_person(store, alice, "charlie", "Met in the lobby.", later)
    notes.on_person(store, alice, "bob", "Never passes.", now)
    notes.on_match(store, alice, view.id, "He runs early.", later)
    assert notes.mine(store, alice) == [
        Note(view.id, None, "He runs early.", later),
        Note(None, "bob", "Never passes.", now),
        Note(None, "charlie", "Met in the lobby.", later),
    ]


@pytest.mark.parametrize("body", ["x" * 2001, "bell \x07", "nul \0", "half a sign \ud800"])
def test_too_long_or_with_control_characters_nothing_is_changed(
    store: Store, view: MatchView, now: datetime, body: str
) -> None:
    alice = ids(store)[0]
    notes.on_match(store, alice, view.id, "before", now)
    for keep, about in ((notes.on_match, view.id), (notes.on_person, "bob")):
        with pytest.raises(Refused) as refused:
            keep(store, alice, about, body, now)
        assert refused.value.code == "note"
    assert [note.body for note in notes.mine(store, alice)] == ["before"]


def test_a_new_line_counts_once_however_a_form_sends_it(store: Store, view: MatchView, now: datetime) -> None:
    alice = ids(store)[0]
    notes.on_match(store, alice, view.id, "a\r\n" * 999 + "ab", now)
    assert notes.read(store, alice, view.id).match == "a\n" * 999 + "ab"


def test_no_note_on_oneself_on_nobody_or_on_a_match_one_may_not_know(store: Store, now: datetime) -> None:
    view = begin(store, now)[0]
    alice = ids(store)[0]
    with pytest.raises(Refused):
        notes.on_person(store, alice, "ALICE", "me", now)
    for keep, about in ((notes.on_person, "nobody"), (notes.on_match, "nowhere"), (notes.on_match, "\0")):
        with pytest.raises(NotFound):
            keep(store, alice, about, "x", now)
    assert notes.mine(store, alice) == []
    assert view.id
