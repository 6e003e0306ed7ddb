from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from random import Random

import pytest

from bgmail.pairing.field import Field, How, Pairing, Result, Status
from bgmail.pairing.roundrobin import RoundRobin, circle, deal
from tests.pairing.events import (
    LEAVING,
    Event,
    entries,
    field_of,
    shuffled,
    with_pairings,
    with_result,
    with_status,
)

SIZES = range(2, 34)


@pytest.mark.parametrize("size", SIZES)
def test_the_circle_brings_every_two_together_once_and_nobody_twice_in_a_round(size: int) -> None:
    games = list(circle(range(size)))
    assert sorted(tuple(sorted(pair)) for _, pair in games) == list(combinations(range(size), 2))
    for number in {number for number, _ in games}:
        round_ = [player for at, pair in games if at == number for player in pair]
        assert len(round_) == len(set(round_)) == size // 2 * 2
    assert [number for number, _ in games] == sorted(number for number, _ in games)


@pytest.mark.parametrize("size", SIZES)
def test_white_and_black_alternate_for_everybody_but_once(size: int) -> None:
    for player in range(size):
        white = [pair[0] == player for _, pair in circle(range(size)) if player in pair]
        assert abs(2 * sum(white) - len(white)) <= 1
        assert sum(one == other for one, other in pairwise(white)) <= 1


@pytest.mark.parametrize("meetings", [1, 2, 3, 4])
def test_every_meeting_is_played_with_white_and_black_in_turn(meetings: int) -> None:
    made = RoundRobin(meetings).next(field_of(5))
    assert Counter(frozenset((one.first, one.second)) for one in made) == {
        frozenset((one.id, other.id)): meetings for one, other in combinations(entries(5), 2)
    }
    whites = Counter((one.first, one.second) for one in made)
    assert all(abs(count - whites[other, first]) <= 1 for (first, other), count in whites.items())
    assert len({one.key for one in made}) == len(made)
    assert max(one.round for one in made) == 5 * meetings


def test_groups_are_dealt_there_and_back_by_seed() -> None:
    field = field_of(7)
    groups = RoundRobin(group_count=3).groups(field)
    seeds = [[field.entry(id_).seed for id_ in group] for group in groups]
    assert seeds == [[1, 6, 7], [2, 5], [3, 4]]
    assert all(
        any({one.first, one.second} <= set(group) for group in groups)
        for one in RoundRobin(group_count=3).next(field)
    )


def test_an_entry_that_names_its_group_stays_there() -> None:
    first, *others = entries(4)
    assert deal([first, *others], 2)[first.id] == 1
    named = [type(first)(first.id, first.seed, group=2), *others]
    assert deal(named, 2) == {named[0].id: 2, others[0].id: 2, others[1].id: 2, others[2].id: 1}


def test_in_groups_the_standings_begin_with_all_who_are_first_of_theirs() -> None:
    format_ = RoundRobin(group_count=3)
    event = Event(format_, field_of(14), Random(3))
    field = event.play()
    lines = format_.standings(field)
    groups = format_.groups(field)
    assert [line.rank for line in lines[:3]] == [1, 1, 1]
    assert [line.rank for line in lines] == sorted(line.rank for line in lines)
    for group in groups:
        assert [line.rank for line in lines if line.entry in group] == list(range(1, len(group) + 1))
    shares = [line.wins / (line.wins + line.losses) for line in lines[:3]]
    assert shares == sorted(shares, reverse=True)


@pytest.mark.parametrize("size", SIZES)
def test_every_field_is_played_to_its_end(size: int) -> None:
    random = Random(size)
    format_ = RoundRobin(random.choice([1, 1, 2]), random.randint(1, max(1, size // 3)), ("head_to_head",))
    event = Event(format_, field_of(size), random, forfeits=0.1, leaving=random.choice([0, 0.02]))
    field = event.play()
    lines = format_.standings(field)
    assert sorted(line.entry for line in lines) == sorted(one.id for one in field.entries)
    assert sum(line.wins for line in lines) <= len(field.pairings)
    met = Counter(frozenset((one.first, one.second)) for one in field.pairings)
    assert max(met.values(), default=0) <= format_.meetings
    other = shuffled(field, random)
    assert format_.standings(other) == lines
    assert format_.next(shuffled(field_of(size), random)) == format_.next(field_of(size))


def field_of_six(left: Status, played: int = 2) -> Field:
    """P6 beat P1, lost to P2 (and won against P3, P4, P5 as far as `played` goes), then left."""
    field = field_of(6)
    field = with_pairings(field, RoundRobin().next(field))
    ids = [one.id for one in field.entries]
    winners = [ids[5], ids[1], ids[5], ids[5], ids[5]][:played]
    for opponent, winner in zip(ids, winners, strict=False):
        key = next(one.key for one in field.pairings if one.has(ids[5]) and one.has(opponent))
        field = with_result(field, key, Result(winner))
    return with_status(field, ids[5], left)


@pytest.mark.parametrize("left", [Status.WITHDRAWN, Status.EXCLUDED])
def test_who_leaves_with_fewer_than_half_is_not_listed_and_nothing_of_it_counts(left: Status) -> None:
    field = field_of_six(left)
    lines = RoundRobin(tie_breaks=("sonneborn_berger", "buchholz")).standings(field)
    assert [line.entry for line in lines if not line.listed] == [field.entries[5].id] == [lines[-1].entry]
    assert all(line.wins == line.losses == line.played == 0 for line in lines)
    assert all(value == 0 for line in lines for name, value in line.values if name != "lot")
    assert not RoundRobin().finished(field)


def test_who_leaves_with_half_or_more_stays_and_what_is_unplayed_is_lost() -> None:
    field = field_of_six(Status.WITHDRAWN, played=3)
    lines = {line.entry: line for line in RoundRobin().standings(field)}
    ids = [one.id for one in field.entries]
    assert lines[ids[5]].listed
    assert (lines[ids[5]].wins, lines[ids[5]].losses, lines[ids[5]].played) == (2, 3, 3)
    assert (lines[ids[3]].wins, lines[ids[3]].played) == (1, 0)
    assert (lines[ids[0]].wins, lines[ids[0]].losses, lines[ids[0]].played) == (0, 1, 1)


def test_of_the_disqualified_nothing_counts_however_much_was_played() -> None:
    field = field_of_six(Status.DISQUALIFIED, played=5)
    lines = RoundRobin().standings(field)
    assert not lines[-1].listed
    assert all(line.wins == line.losses == 0 for line in lines)


def test_dropped_pairings_of_somebody_who_left_come_back_as_walkovers_only_where_they_count() -> None:
    for played, walkovers in ((2, 0), (3, 2)):
        field = field_of_six(Status.WITHDRAWN, played)
        begun = tuple(one for one in field.pairings if one.result is not None)
        again = RoundRobin().next(Field(field.entries, begun, field.lot))
        leaver = field.entries[5].id
        theirs = [one for one in again if one.has(leaver)]
        assert [one.result for one in theirs] == [Result(one.other(leaver), How.FORFEIT) for one in theirs]
        assert len(theirs) == walkovers
        assert len(again) - walkovers == 10


@pytest.mark.parametrize("left", LEAVING)
def test_when_everybody_has_left_it_is_over(left: Status) -> None:
    field = field_of(6)
    field = with_pairings(field, RoundRobin().next(field))
    field = with_result(field, field.pairings[0].key, Result(field.pairings[0].first))
    for one in field.entries:
        field = with_status(field, one.id, left)
    assert RoundRobin().next(field) == ()
    assert RoundRobin().finished(field)
    assert len(RoundRobin().standings(field)) == 6


def test_somebody_who_comes_later_meets_everybody_and_nobody_else_anew() -> None:
    field = with_pairings(field_of(5), RoundRobin().next(field_of(5)))
    late = entries(6)[5]
    made = RoundRobin().next(Field((*field.entries, late), field.pairings, field.lot))
    assert {one.other(late.id) for one in made} == {one.id for one in field.entries}
    assert len(made) == 5


def test_fields_of_none_and_one_are_over_at_once() -> None:
    for count in (0, 1):
        assert RoundRobin().next(field_of(count)) == ()
        assert RoundRobin().finished(field_of(count))
        assert len(RoundRobin().standings(field_of(count))) == count


def test_a_match_that_was_annulled_counts_for_nobody_and_is_not_played_again() -> None:
    field = with_pairings(field_of(2), RoundRobin().next(field_of(2)))
    field = with_result(field, field.pairings[0].key, Result(None, How.ANNULLED))
    assert RoundRobin().finished(field)
    assert RoundRobin().next(field) == ()
    assert [line.played for line in RoundRobin().standings(field)] == [0, 0]


def test_a_pairing_made_by_hand_takes_the_place_of_the_meeting() -> None:
    ids = [one.id for one in entries(3)]
    made = Pairing("hand", 1, ids[2], ids[0], fixed=True)
    again = RoundRobin().next(Field(entries(3), (made,)))
    assert {frozenset((one.first, one.second)) for one in again} == {
        frozenset((ids[0], ids[1])),
        frozenset((ids[1], ids[2])),
    }
