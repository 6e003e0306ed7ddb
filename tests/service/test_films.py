"""What a match tells to those who look back: everything but secrets, by one query, from any entry on."""

from __future__ import annotations

from datetime import datetime

import pytest

from bgmail.ledger.film import film
from bgmail.rules.side import Side
from bgmail.service import accounts, films, matches
from bgmail.service.errors import NotFound
from bgmail.service.exports import player_names
from bgmail.service.imports import import_file
from bgmail.store.engine import Store
from tests.service.matchmaking import act, begin
from tests.service.test_imports import MAT


def test_all_is_told_in_order_but_for_secrets_and_what_seals_them(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1), (4, 2))
    act(store, view, Side.WHITE, "play", now, chance, play="8/5 6/5")
    told = films.told(store, view.id)
    log = [entry for entry in matches.log(store, view.id) if entry.kind not in ("commit", "reveal")]
    assert [(one.seq, one.at, one.seat, one.via, one.kind, one.data) for one in told] == [
        (one.seq, one.at, one.seat, one.via, one.kind, one.data) for one in log
    ]
    assert film(told)[-1].play == "8/5 6/5"


def test_of_what_came_before_only_that_is_told_which_score_and_cube_follow_from(
    store: Store, now: datetime
) -> None:
    view, chance = begin(store, now, (3, 1), (4, 2), (6, 5))
    view = act(store, view, Side.WHITE, "play", now, chance, play="8/5 6/5").view
    view = act(store, view, Side.BLACK, "double", now, chance).view
    view = act(store, view, Side.WHITE, "take", now, chance).view
    told = films.told(store, view.id, view.head - 1)
    assert [entry.kind for entry in told[:-1]] == ["invite", "opening_roll", "double", "take"]
    assert film(told, view.head - 1)[-1].cube.value == 2


def test_where_somebody_left_off_is_where_they_last_saw_the_page(store: Store, now: datetime) -> None:
    view, _ = begin(store, now)
    alice, bob = (accounts.by_handle(store, name).id for name in ("alice", "bob"))
    assert films.seen(store, view.id, alice) is None
    matches.mark_visit(store, view, alice, now)
    assert films.seen(store, view.id, alice) == view.head
    assert films.seen(store, view.id, bob) is None


def test_an_imported_match_is_told_and_named_too(store: Store, now: datetime) -> None:
    found = import_file(store, "match.mat", MAT.encode(), now)
    frames = film(films.told(store, found.match_id))
    assert player_names(store, found.match_id) == ("Ann", "Ben")
    assert frames[-1].game == 3
    assert frames[-1].score == (2, 1)


def test_of_a_match_that_isnt_there_nothing_is_told(store: Store) -> None:
    assert films.told(store, "nowhere") == []
    for match_id in ("nowhere", "\0"):
        with pytest.raises(NotFound):
            player_names(store, match_id)
