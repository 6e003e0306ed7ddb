"""Whether anything is still to come for somebody in a tournament."""

from __future__ import annotations

from random import Random

import pytest

from bgmail.pairing.ahead import has_more
from bgmail.pairing.field import Format, How, Result, Status
from bgmail.pairing.plan import Plan
from tests.pairing.brackets import closed, field_of, left, paired, won
from tests.pairing.events import Event


def plan(*stages: dict[str, object]) -> Format:
    return Plan.from_data({"stages": list(stages)}).format()


FORMATS = (
    plan({"format": "knockout", "third_place": True}),
    plan({"format": "double_elimination"}),
    plan({"format": "reentry", "reentries": 2}),
    plan({"format": "round_robin", "meetings": 2}),
    plan({"format": "swiss", "rounds": 4}),
    plan({"format": "swiss_elimination", "losses": 2}),
    plan({"format": "round_robin", "groups": 2, "advance": 2}, {"format": "knockout"}),
    plan({"format": "swiss", "rounds": 2, "advance": 4}, {"format": "round_robin"}),
)


@pytest.mark.parametrize("format_", FORMATS)
def test_who_has_nothing_more_is_never_paired_again(format_: Format) -> None:
    for seed in range(8):
        done: set[int] = set()
        known = 0

        def each(event: Event, done: set[int] = done) -> None:
            nonlocal known
            fresh, known = event.field.pairings[known:], len(event.field.pairings)
            assert done.isdisjoint(id_ for one in fresh for id_ in (one.first, one.second))
            now = {one.id for one in event.field.entries if not has_more(format_, event.field, one.id)}
            assert done <= now
            done |= now

        size = 3 + seed % 8
        field = Event(format_, field_of(size), Random(seed), forfeits=0.1).play(each)
        assert not any(has_more(format_, field, one.id) for one in field.entries)


def test_who_loses_in_a_knockout_has_nothing_more_unless_a_place_is_played_for() -> None:
    format_ = plan({"format": "knockout"})
    field = paired(field_of(4), format_)
    assert all(has_more(format_, field, one.id) for one in field.entries)
    field = paired(won(field, "w1.1", 101), format_)
    assert [has_more(format_, field, id_) for id_ in (101, 102, 103, 104)] == [True, True, True, False]
    assert has_more(FORMATS[0], field, 104), "the match for the third place is to come"
    annulled = closed(field, "w1.1", Result(None, How.ANNULLED))
    assert has_more(format_, annulled, 104), "it is played anew"
    assert not has_more(format_, left(field, 102), 102)


def test_a_bye_of_the_last_round_may_still_become_a_match() -> None:
    format_ = plan({"format": "swiss", "rounds": 1})
    field = paired(field_of(3), format_)
    (bye,) = [one for one in field.pairings if one.second is None]
    (match,) = [one for one in field.pairings if one.second is not None]
    assert has_more(format_, field, bye.first)
    field = won(field, match.key, match.first)
    assert not any(has_more(format_, field, one.id) for one in field.entries)


def test_everybody_may_go_on_until_the_last_stage_has_begun() -> None:
    format_ = plan({"format": "round_robin", "groups": 2, "advance": 1}, {"format": "knockout"})
    field = paired(field_of(6), format_)
    for one in field.pairings[:-1]:
        field = won(field, one.key, min(one.first, one.second or 0))
    assert all(has_more(format_, field, one.id) for one in field.entries)
    last = field.pairings[-1]
    field = paired(won(field, last.key, last.first), format_)
    assert sum(has_more(format_, field, one.id) for one in field.entries) == 2
    assert not has_more(format_, left(field, 101, Status.EXCLUDED), 101)
