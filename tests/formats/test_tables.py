from __future__ import annotations

import csv
from io import StringIO

import pytest

from bgmail.formats.tables import csv_of


def test_a_table_comes_back_as_it_was() -> None:
    text = csv_of(
        ("place", "player", "value"), [(1, "alice", 2.5), (2, 'bob "the dice", jr', None), (3, "", 4.0)]
    )
    assert text.endswith("\r\n")
    assert list(csv.reader(StringIO(text, newline=""))) == [
        ["place", "player", "value"],
        ["1", "alice", "2.5"],
        ["2", 'bob "the dice", jr', ""],
        ["3", "", "4"],
    ]


@pytest.mark.parametrize("evil", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"])
def test_no_cell_is_taken_for_a_formula(evil: str) -> None:
    (header,), (cell,) = csv.reader(StringIO(csv_of((evil,), [(evil,)]), newline=""))
    assert header == cell == f"'{evil}"


def test_numbers_stay_numbers() -> None:
    assert csv_of(("a", "b", "c"), [(-3, -0.5, 1500.25)]).splitlines()[1] == "-3,-0.5,1500.25"
    assert csv_of(("a",), [(0.123456789,)]).splitlines()[1] == "0.123457"
