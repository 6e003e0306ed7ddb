from __future__ import annotations

from random import Random

from bgmail.pairing.crosstable import CrossTable, cross_tables
from bgmail.pairing.elimination import Knockout
from bgmail.pairing.field import Field
from bgmail.pairing.roundrobin import RoundRobin
from bgmail.pairing.stages import Stages
from bgmail.pairing.swiss import Swiss
from tests.pairing.events import Event, entries, field_of, won


def opponents(table: CrossTable) -> list[list[set[int | None]]]:
    return [[{one.other(row.line.entry) for one in cell} for cell in row.cells] for row in table.rows]


def test_in_a_grid_every_cell_has_the_meetings_of_its_line_and_its_column() -> None:
    format_ = RoundRobin(meetings=2)
    field = Event(format_, field_of(5), Random(1)).play()
    (table,) = cross_tables(format_, field)
    order = [line.entry for line in format_.standings(field)]
    assert [row.line.entry for row in table.rows] == order
    assert opponents(table) == [[{other} if other != own else set() for other in order] for own in order]
    assert {len(cell) for row in table.rows for cell in row.cells} == {0, 2}
    assert table.rounds == ()


def test_each_group_has_its_table_and_the_bracket_after_it_has_none() -> None:
    format_ = Stages((RoundRobin(group_count=3), Knockout()), (2,))
    field = Event(format_, field_of(12), Random(2)).play()
    tables = cross_tables(format_, field)
    assert [(table.stage, table.group, len(table.rows)) for table in tables] == [
        (0, 1, 4),
        (0, 2, 4),
        (0, 3, 4),
    ]
    assert all(
        one.key[0] == "r" for table in tables for row in table.rows for cell in row.cells for one in cell
    )


def test_a_swiss_is_told_round_by_round_and_a_second_stage_keeps_its_keys_and_rounds() -> None:
    first, second = Swiss(2), Swiss(2)
    field = Event(Stages((first, second), (4,)), field_of(7), Random(3)).play()
    one, other = cross_tables(Stages((first, second), (4,)), field)
    assert (one.rounds, other.rounds) == ((1, 2), (3, 4))
    assert (len(one.rows), len(other.rows)) == (7, 4)
    keys = {one.key for row in other.rows for cell in row.cells for one in cell}
    assert keys == {one.key for one in field.pairings if one.round > 2}
    assert all(len(cell) == 1 for row in one.rows for cell in row.cells)


def test_who_was_not_paired_in_a_round_has_an_empty_cell() -> None:
    a, b, c, d = (entry.id for entry in entries(4))
    field = Field(entries(4), won((a, b), (c, d)) + won((a, c), round_=2))
    (table,) = cross_tables(Swiss(2), field)
    cells = {row.line.entry: [len(cell) for cell in row.cells] for row in table.rows}
    assert cells == {a: [1, 1], b: [1, 0], c: [1, 1], d: [1, 0]}


def test_a_knockout_has_none_and_nothing_has_one_before_it_begins() -> None:
    knockout = Event(Knockout(), field_of(4), Random(1)).play()
    assert cross_tables(Knockout(), knockout) == ()
    for format_ in (Swiss(3), RoundRobin()):
        assert cross_tables(format_, field_of(4)) == ()
