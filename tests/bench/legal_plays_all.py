"""`legal_plays_all`: as `legal_plays`, over every kind of position, most of them made to be hard."""

from __future__ import annotations

from tests.bench.legal_plays import ROUNDS, compare, rows_of_file
from tests.bench.measurement import Measurement


def measure() -> Measurement:
    """All rows of the data, dances, blocked rolls and bear-offs among them."""
    rows = rows_of_file()
    ours, theirs, found = compare(rows)
    what = (
        f"distinct positions a second, median of {ROUNDS} rounds over {len(rows)} positions of all kinds "
        f"({found} results); reference: bgsage 2 (C++) from Python"
    )
    return Measurement(ours, theirs, what)
