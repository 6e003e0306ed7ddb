"""Brackets before anybody has played: every winner and every loser goes to one place, every place is filled once."""

from __future__ import annotations

from collections import Counter

import pytest

from bgmail.pairing.bracket import (
    Bracket,
    Kind,
    Part,
    Source,
    double_elimination,
    knockout,
    loser,
    rounds,
    seats,
    winner,
)
from bgmail.pairing.losers import drops

SIZES = range(2, 65)


def every_bracket() -> list[Bracket]:
    return [
        bracket
        for size in SIZES
        for bracket in (
            knockout(size),
            knockout(size, third_place=True),
            double_elimination(size, extra_match=False),
            double_elimination(size),
        )
    ]


BRACKETS = every_bracket()


def meetings(bracket: Bracket) -> int:
    return sum(not fixture.is_bye for fixture in bracket.fixtures)


def test_every_winner_and_every_loser_has_one_place_and_every_place_one_source() -> None:
    for bracket in BRACKETS:
        sources = Counter(source for fixture in bracket.fixtures for source in fixture.sources)
        del sources[Source(Kind.BYE)]
        assert set(sources.values()) == {1}, "one match never feeds two places"
        seeds = {source.seed for source in sources if source.kind is Kind.SEED}
        assert seeds == set(range(1, bracket.size + 1))
        last = bracket.finals[-1].key
        for fixture in bracket.fixtures:
            goes_on = winner(fixture.key) in bracket.destinations
            assert goes_on == (fixture.key != last and fixture.part is not Part.THIRD)
        fed = [s for s in sources if s.kind in (Kind.WINNER, Kind.LOSER)]
        assert len(fed) + bracket.size == 2 * len(bracket.fixtures) - sum(f.is_bye for f in bracket.fixtures)


def test_nobody_comes_from_a_fixture_that_is_not_played_before() -> None:
    for bracket in BRACKETS:
        known: dict[str, int] = {}
        for fixture in bracket.fixtures:
            for source in fixture.sources:
                if source.key:
                    assert known[source.key] < fixture.round
            known[fixture.key] = fixture.round
        assert len(known) == len(bracket.fixtures), "a key names one fixture"


def test_a_loser_of_a_bye_goes_nowhere_and_all_others_have_their_second_chance() -> None:
    for size in SIZES:
        bracket = double_elimination(size)
        for fixture in bracket.fixtures:
            falls = bracket.destinations.get(loser(fixture.key))
            if fixture.part is Part.WINNERS and not fixture.is_bye:
                assert falls is not None
            elif fixture.key == "f1":
                assert falls == ("f2", 1)
            else:
                assert falls is None


@pytest.mark.parametrize("size", [1, *SIZES])
def test_brackets_have_as_many_meetings_as_it_takes_to_put_everybody_out(size: int) -> None:
    assert meetings(knockout(size)) == size - 1
    assert meetings(knockout(size, third_place=True)) == size - 1 + (size >= 4)
    assert meetings(double_elimination(size, extra_match=False)) == 2 * size - 2
    assert meetings(double_elimination(size)) == 2 * size - 2 + (size > 1)


def test_byes_fill_the_first_round_to_a_power_of_two_and_go_to_the_best_seeds() -> None:
    for size in SIZES:
        byes = [fixture for fixture in knockout(size).fixtures if fixture.is_bye]
        assert {fixture.sources[0].seed for fixture in byes} == set(range(1, 2 ** rounds(size) - size + 1))
        assert all(fixture.round == 1 for fixture in byes)


def test_the_better_the_seeds_the_later_they_meet() -> None:
    for size in (2, 4, 8, 16, 32, 64):
        order = seats(size)
        assert sorted(order) == list(range(1, size + 1))
        for parts in (2**n for n in range(1, rounds(size) + 1)):
            width = size // parts
            best = [min(order[start : start + width]) for start in range(0, size, width)]
            assert sorted(best) == list(range(1, parts + 1)), "each half, quarter, ... has one of the best"


def test_the_first_two_seeds_meet_only_in_the_final() -> None:
    for bracket in BRACKETS:
        final = bracket.finals[0]
        sides = [_seeds_above(bracket, source) for source in final.sources]
        assert sides[0] >= {1} or sides[1] >= {1}
        plain = bracket.by_key[f"w{rounds(bracket.size)}.1"]
        one, other = (_seeds_above(bracket, source) for source in plain.sources)
        assert (1 in one) != (1 in other)
        assert (2 in one) != (2 in other)
        assert (1 in one) != (2 in one)


def _seeds_above(bracket: Bracket, source: Source) -> set[int]:
    """Whoever may come from there by winning."""
    if source.kind is Kind.SEED:
        return {source.seed}
    if not source.key:
        return set()
    return {s for side in bracket.by_key[source.key].sources for s in _seeds_above(bracket, side)}


def test_among_losers_nobody_meets_again_whom_they_have_just_met() -> None:
    """Who has lost to somebody in one of the first two rounds meets them again, if at all, when at most a quarter of
    the losers' bracket is left."""
    for last in range(4, 7):
        bracket = double_elimination(2**last)
        for fixture in bracket.fixtures:
            if fixture.part is Part.LOSERS and fixture.column <= 2 * last - 6:
                one, other = (_behind(bracket, source) for source in fixture.sources)
                assert not one & other, f"{2**last}: {fixture.key} may be a second meeting"


def _behind(bracket: Bracket, source: Source) -> set[str]:
    """The fixtures of the winners' bracket that people who may come from there can have met each other in."""
    fixture = bracket.by_key[source.key]
    if source == loser(fixture.key) or fixture.part is Part.WINNERS:
        return _all_above(bracket, fixture.key)
    return {key for side in fixture.sources for key in _behind(bracket, side)}


def _all_above(bracket: Bracket, key: str) -> set[str]:
    found = {key}
    for source in bracket.by_key[key].sources:
        if source.key:
            found |= _all_above(bracket, source.key)
    return found


def test_losers_drop_far_from_those_they_have_beaten() -> None:
    assert drops(2) == (0,)
    assert drops(3) == (1, 0)
    assert drops(5) == (7, 1, 1, 0)
    for last in range(2, 11):
        for level, shift in enumerate(drops(last), 2):
            assert 0 <= shift < 2 ** (last - level), "a shift stays within its round"


def test_held_places_stay_vacant_opposite_the_lowest_seeds_that_would_have_had_a_bye() -> None:
    first = [f for f in knockout(10, held=2).fixtures if f.round == 1]
    other = {f.sources[0].seed: f.sources[1] for f in first}
    assert [seed for seed, source in sorted(other.items()) if source.kind is Kind.BYE] == [1, 2, 3, 4]
    assert [seed for seed, source in sorted(other.items()) if source.kind is Kind.VACANT] == [5, 6]
    assert knockout(10).destinations[winner("w1.1")] == ("w2.1", 0)
