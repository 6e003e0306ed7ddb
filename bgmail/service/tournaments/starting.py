"""Who has which seed, and the start: from then on the field is closed and the format is asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Row

from bgmail.pairing.plan import MOST_ENTRIES
from bgmail.service.errors import Refused
from bgmail.service.tournaments import chance
from bgmail.service.tournaments.conditions import Seeding
from bgmail.service.tournaments.desk import Desk, Wish
from bgmail.service.tournaments.views import EntryState, State
from bgmail.store import tournaments as rows

FEWEST = 2


def start(desk: Desk, author_id: int | None, wish: Wish) -> None:
    """Closes the field, seeds whoever has no seed yet, draws the lot and wakes the job, which makes the pairings.

    `author_id` None = it starts by itself. Raises Refused("tournament_state"), ("too_few_entries").
    """
    desk.require(State.OPEN)
    found = [row for row in desk.entries() if row.state == EntryState.IN]
    if not FEWEST <= len(found) <= MOST_ENTRIES:
        raise Refused("too_few_entries", least=FEWEST, most=MOST_ENTRIES)
    seeds = completed(desk, found)
    rows.set_seeds(desk.connection, desk.id, seeds)
    lot = chance.lot(desk.secret(), (row.nonce for row in found))
    desk.change(state=State.RUNNING.value, started_at=desk.now, lot=lot)
    desk.note(author_id, wish, {"seeds": seeds})
    desk.wake()


def seed(desk: Desk, wish: Wish) -> dict[int, int]:
    """The seeds by `how`: "rating", "order", "lot", or "hand" with the numbers of the entries in `order`, best first.

    Raises Refused("seeding") for another word, or an order that doesn't name each entry once.
    """
    found = [row for row in desk.entries() if row.state == EntryState.IN]
    how = wish.data.get("how")
    if how == "hand":
        order = wish.data.get("order")
        if not isinstance(order, list) or sorted(map(str, order)) != sorted(str(row.number) for row in found):
            raise Refused("seeding")
        return _numbered(int(number) for number in order)
    if how not in list(Seeding):
        raise Refused("seeding")
    return _numbered(row.number for row in _by(Seeding(how), desk, found))


def completed(desk: Desk, found: Sequence[Row[Any]]) -> dict[int, int]:
    """A seed for everybody: first those that have one, in their order, then the others as the conditions say."""
    seeded = sorted((row for row in found if row.seed is not None), key=lambda row: row.seed)
    others = [row for row in found if row.seed is None]
    rest = _by(desk.tournament.conditions.seeding, desk, others)
    return _numbered(row.number for row in (*seeded, *rest))


def _by(how: Seeding, desk: Desk, found: Sequence[Row[Any]]) -> list[Row[Any]]:
    """Entries in the order of their seeds. Equal ratings are parted by the order of entry."""
    if how is Seeding.RATING:
        return sorted(found, key=lambda row: (-row.rating, row.entered_at, row.number))
    if how is Seeding.ORDER:
        return sorted(found, key=lambda row: (row.entered_at, row.number))
    lot = chance.seeding_lot(desk.secret(), (row.nonce for row in found))
    return sorted(found, key=lambda row: chance.drawn(lot, row.number))


def _numbered(numbers: Iterable[int]) -> dict[int, int]:
    return {number: place for place, number in enumerate(numbers, 1)}
