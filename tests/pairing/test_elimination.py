"""Knockout, double elimination and knockout with re-entry, played to the end by chance that seeds repeat."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from bgmail.pairing.bracket import rounds
from bgmail.pairing.elimination import DoubleElimination, Knockout, ReEntry
from bgmail.pairing.field import Field, Format, How, Result, Status
from tests.pairing.brackets import ALL, Mishaps, closed, field_of, left, paired, played_out, still_open, won

FORMATS: tuple[Format, ...] = (
    Knockout(),
    Knockout(third_place=True),
    DoubleElimination(),
    DoubleElimination(extra_match=False),
    ReEntry(),
    ReEntry(reentries=3),
)
FORFEITS = Mishaps(forfeit=0.3, both_absent=0.2)


def losses(field: Field) -> Counter[int]:
    """How often each has lost: to somebody, or to their own absence."""
    lost: Counter[int] = Counter()
    for pairing in field.pairings:
        if pairing.result is not None and pairing.second is not None:
            lost.update({pairing.first, pairing.second} - {pairing.result.winner})
    return lost


def met(field: Field) -> Counter[frozenset[int]]:
    return Counter(frozenset((p.first, p.second)) for p in field.pairings if p.second is not None)


def ranks(format_: Format, field: Field) -> list[tuple[int, int]]:
    return [(line.rank, line.entry) for line in format_.standings(field)]


@pytest.mark.parametrize("format_", FORMATS, ids=str)
def test_every_field_of_2_to_33_ends_whatever_happens(format_: Format) -> None:
    for size in range(2, 34):
        for seed in range(2):
            chance = random.Random(f"{size} {seed}")
            field = played_out(format_, field_of(size), chance, ALL)
            shown = format_.standings(field)
            assert [line.rank for line in shown] == sorted(line.rank for line in shown)
            for line in shown:
                is_out = field.entry(line.entry).status is Status.DISQUALIFIED
                assert line.listed is not is_out


@pytest.mark.parametrize("format_", FORMATS[:2], ids=str)
def test_a_knockout_has_one_winner_and_everybody_else_lost_once(format_: Format) -> None:
    for size in range(2, 34):
        field = played_out(format_, field_of(size), random.Random(size))
        lost = losses(replace(field, pairings=tuple(p for p in field.pairings if p.key != "t1")))
        assert set(lost.values()) == {1}
        assert len(lost) == size - 1
        champion = format_.standings(field)[0]
        assert champion.entry not in lost
        assert champion.rank == 1
        assert set(met(field).values()) == {1}, "nobody meets twice"
        byes = [p.first for p in field.pairings if p.second is None]
        assert byes == [100 + seed for seed in byes_of(size)], "one bye each, for the best seeds"


def byes_of(size: int) -> list[int]:
    vacant = 2 ** rounds(size) - size
    first = {f.number: f.sources[0].seed for f in Knockout().bracket(size).fixtures if f.is_bye}
    seeds = [seed for _, seed in sorted(first.items())]
    assert sorted(seeds) == list(range(1, vacant + 1))
    return seeds


@pytest.mark.parametrize("extra_match", [True, False])
def test_in_double_elimination_everybody_but_the_champion_loses_twice(extra_match: bool) -> None:
    """3, 5, 6, 7, 9, 12 and 13 players have byes, which leave gaps among the losers: nobody waits for a gap."""
    format_ = DoubleElimination(extra_match=extra_match)
    for size in (3, 5, 6, 7, 9, 12, 13, *range(2, 34)):
        for seed in range(2):
            field = played_out(format_, field_of(size), random.Random(f"{size} {seed}"))
            lost = losses(field)
            champion = format_.standings(field)[0].entry
            played = sum(p.second is not None for p in field.pairings)
            second = any(p.key == "f2" for p in field.pairings)
            assert played == 2 * size - 2 + second
            if extra_match:
                assert all(lost[entry.id] == 2 for entry in field.entries if entry.id != champion)
                assert lost[champion] == second
            else:
                assert not second
                assert sorted(lost[entry.id] for entry in field.entries)[:2] in ([0, 2], [1, 1])
            assert max(met(field).values()) <= 3


@pytest.mark.parametrize("format_", [Knockout(), DoubleElimination(), ReEntry()], ids=str)
def test_standings_are_those_that_a_plain_count_of_defeats_gives(format_: Format) -> None:
    """Everybody's last defeat, found by reading the pairings one by one; those of one round share their place."""
    for size in (2, 7, 16, 33, 64):
        field = played_out(format_, field_of(size), random.Random(size), FORFEITS)
        reached = dict.fromkeys((entry.id for entry in field.entries), 0)
        for pairing in sorted(field.pairings, key=lambda one: one.round):
            for side in (pairing.first, pairing.second):
                if side is not None and pairing.result and pairing.result.winner != side:
                    reached[side] = pairing.round
        final = max(field.pairings, key=lambda one: one.round).result
        if final and final.winner:
            reached[final.winner] = 10**6
        for line in format_.standings(field):
            assert line.rank == 1 + sum(far > reached[line.entry] for far in reached.values())


def test_the_unbeaten_side_of_the_final_must_lose_twice() -> None:
    format_ = DoubleElimination()
    field = paired(field_of(4), format_)
    for key, winner in (("w1.1", 101), ("w1.2", 102), ("w2.1", 101), ("l1.1", 103), ("l2.1", 102)):
        field = paired(won(field, key, winner), format_)
    final = field.pairings[-1]
    assert (final.key, final.first, final.second) == ("f1", 101, 102)

    over = won(field, "f1", 101)
    assert format_.next(over) == ()
    assert format_.finished(over)
    assert ranks(format_, over)[:3] == [(1, 101), (2, 102), (3, 103)]

    both_lost_once = won(field, "f1", 102)
    assert not format_.finished(both_lost_once)
    (second,) = format_.next(both_lost_once)
    assert (second.key, second.round, {second.first, second.second}) == ("f2", final.round + 1, {101, 102})
    assert ranks(format_, both_lost_once)[:3] == [(1, 101), (1, 102), (3, 103)]
    over = won(paired(both_lost_once, format_), "f2", 102)
    assert ranks(format_, over)[:2] == [(1, 102), (2, 101)]

    single = DoubleElimination(extra_match=False)
    assert single.finished(both_lost_once)
    assert ranks(single, both_lost_once)[:2] == [(1, 102), (2, 101)]


def test_no_second_final_against_somebody_who_has_left() -> None:
    format_ = DoubleElimination()
    field = paired(field_of(2), format_)
    field = paired(won(field, "w1.1", 101), format_)
    field = left(field, 101)
    assert format_.finished(field)
    assert format_.next(field) == ()
    assert ranks(format_, field) == [(1, 102), (2, 101)]


def test_losing_semi_finalists_share_the_third_place_or_play_for_it() -> None:
    field = played_out(Knockout(), field_of(8), random.Random(0), best_wins=True)
    assert [rank for rank, _ in ranks(Knockout(), field)] == [1, 2, 3, 3, 5, 5, 5, 5]
    assert [entry for _, entry in ranks(Knockout(), field)] == [101, 102, 103, 104, 105, 106, 107, 108]

    format_ = Knockout(third_place=True)
    field = played_out(format_, field_of(8), random.Random(0), best_wins=True)
    shown = format_.standings(field)
    assert [line.rank for line in shown] == [1, 2, 3, 4, 5, 5, 5, 5]
    assert [line.decided_by for line in shown[:5]] == [
        "",
        "round_out",
        "round_out",
        "third_place",
        "round_out",
    ]
    assert dict(shown[2].values)["third_place"] == 1


def test_conditions_may_ask_for_tie_breaks_within_a_round() -> None:
    format_ = Knockout(tie_breaks=("rating",))
    field = field_of(8)
    entries = tuple(replace(entry, rating=1500.0 + entry.seed) for entry in field.entries)
    field = played_out(format_, replace(field, entries=entries), random.Random(0), best_wins=True)
    shown = format_.standings(field)
    assert [(line.rank, line.entry) for line in shown][2:5] == [(3, 104), (4, 103), (5, 108)]
    assert [line.decided_by for line in shown][2:5] == ["round_out", "rating", "round_out"]


def test_a_walkover_goes_to_whoever_waits_and_past_a_gap() -> None:
    """Both finalists of one half leave: nobody comes out of it, and the other half's winner passes."""
    format_ = Knockout()
    field = paired(field_of(4), format_)
    field = left(left(field, 101), 104)
    field = paired(won(field, "w1.2", 102), format_)
    assert field.pairings[-1].result == Result(102, How.BYE)
    assert format_.finished(field)
    assert ranks(format_, field) == [(1, 102), (2, 101), (2, 103), (2, 104)]
    assert {line.entry: line.out_in for line in format_.standings(field)} == {
        102: None,
        101: 1,
        103: 1,
        104: 1,
    }


def test_who_leaves_while_waiting_loses_to_whoever_comes() -> None:
    format_ = Knockout()
    field = paired(won(paired(field_of(4), format_), "w1.1", 101), format_)
    field = left(field, 101)
    assert still_open(paired(field, format_))[0].key == "w1.2"
    field = won(field, "w1.2", 103)
    (final,) = format_.next(field)
    assert final.result == Result(103, How.FORFEIT)
    field = paired(field, format_)
    assert ranks(format_, field) == [(1, 103), (2, 101), (3, 102), (3, 104)]


@pytest.mark.parametrize("format_", FORMATS, ids=str)
def test_everybody_left_is_the_end(format_: Format) -> None:
    field = paired(field_of(6), format_)
    for entry in field.entries:
        field = left(field, entry.id)
    assert format_.finished(field)
    assert format_.next(field) == ()
    assert len(format_.standings(field)) == 6
    assert format_.finished(field_of(0))
    assert format_.standings(field_of(0)) == ()


@pytest.mark.parametrize("format_", FORMATS, ids=str)
def test_the_only_entry_wins(format_: Format) -> None:
    assert format_.next(field_of(1)) == ()
    assert format_.finished(field_of(1))
    assert ranks(format_, field_of(1)) == [(1, 101)]


def test_the_disqualified_are_not_listed_and_nobody_comes_back() -> None:
    format_ = Knockout()
    field = played_out(format_, field_of(4), random.Random(0), best_wins=True)
    field = left(field, 101, Status.DISQUALIFIED)
    assert format_.finished(field)
    shown = format_.standings(field)
    assert [(line.rank, line.entry, line.listed) for line in shown] == [
        (1, 102, True),
        (2, 103, True),
        (2, 104, True),
        (4, 101, False),
    ]
    assert {line.entry: line.losses for line in shown[:3]} == {102: 0, 103: 1, 104: 0}


def test_a_recorded_pairing_binds_until_it_is_annulled() -> None:
    """A first-round result is corrected when the next match has been made: that match stands as it is. Annulled, it
    is made anew, with whoever belongs there now."""
    format_ = Knockout()
    field = paired(field_of(4), format_)
    field = won(won(field, "w1.1", 101), "w1.2", 102)
    field = paired(field, format_)
    corrected = won(field, "w1.1", 104)
    assert format_.next(corrected) == ()
    annulled = closed(corrected, "w2.1", Result(None, How.ANNULLED))
    (final,) = format_.next(annulled)
    assert (final.key, final.first, final.second, final.result) == ("w2.1-2", 104, 102, None)
    over = won(paired(annulled, format_), "w2.1-2", 104)
    assert ranks(format_, over)[:2] == [(1, 104), (2, 102)]
    third = closed(paired(annulled, format_), "w2.1-2", Result(None, How.ANNULLED))
    assert [p.key for p in format_.next(third)] == ["w2.1-3"]


def test_first_round_losers_fill_vacant_places_the_lowest_seeds_first() -> None:
    """Six entries in a bracket of eight: 101 and 102 wait; 4-5 and 3-6 are played."""
    format_ = ReEntry()
    field = paired(field_of(6), format_)
    assert {p.key: (p.first, p.second) for p in field.pairings} == {"w1.2": (104, 105), "w1.3": (103, 106)}
    assert format_.next(field) == ()
    field = paired(won(field, "w1.3", 103), format_)
    back = field.pairings[-1]
    assert (back.key, back.first, back.second) == ("w1.4", 102, 106)
    assert all(line.out_in is None for line in format_.standings(field)), "nobody is out yet"

    again_lost = paired(won(field, "w1.4", 102), format_)
    assert "w1.1" not in {p.key for p in again_lost.pairings}, "106 has re-entered once, which is all"
    assert {line.entry: line.out_in for line in format_.standings(again_lost)}[106] == 1

    field = paired(won(field, "w1.4", 106), format_)
    assert {p.key: p.second for p in field.pairings}["w1.1"] == 102
    assert max(met(played_out(format_, field, random.Random(1))).values()) <= 2


def test_places_that_nobody_can_fill_become_byes() -> None:
    format_ = ReEntry()
    field = paired(field_of(6), format_)
    field = left(field, 105)
    field = closed(field, "w1.2", Result(104, How.FORFEIT))
    field = paired(won(field, "w1.3", 103), format_)
    assert (field.pairings[-1].key, field.pairings[-1].second) == ("w1.4", 106)
    field = paired(won(field, "w1.4", 102), format_)
    assert {p.key: p.result for p in field.pairings}["w1.1"] == Result(101, How.BYE)


def test_no_more_places_are_held_than_losers_can_fill() -> None:
    """Nine entries: one match, seven vacant places. With one re-entry one place waits; six are byes at once."""
    byes = [p.second for p in ReEntry().next(field_of(9))].count(None)
    assert byes == 6
    byes = [p.second for p in ReEntry(reentries=3).next(field_of(9))].count(None)
    assert byes == 4


def test_re_entries_are_counted_and_only_played_defeats_give_one() -> None:
    for most in (1, 2, 3):
        format_ = ReEntry(reentries=most)
        for size in range(3, 34):
            field = played_out(format_, field_of(size), random.Random(f"{size} {most}"), FORFEITS)
            first: Counter[int] = Counter()
            for p in (p for p in field.pairings if p.round == 1 and p.second is not None):
                first.update((p.first, p.second))
            assert max(first.values()) <= 1 + most
            for p in field.pairings:
                if p.round == 1 and p.result is not None and p.result.how is How.FORFEIT:
                    gone = {p.first, p.second} - {p.result.winner}
                    assert all(_last(field, id_) == p.key for id_ in gone), "an absence gives no re-entry"


def _last(field: Field, id_: int) -> str:
    """The key of somebody's last pairing, in the order in which they were made."""
    return [p.key for p in field.pairings if p.has(id_)][-1]


@pytest.mark.parametrize("format_", FORMATS, ids=str)
def test_answers_do_not_depend_on_the_order_of_entries_and_pairings(format_: Format) -> None:
    for size in (5, 12, 21):
        chance = random.Random(size)
        field = paired(field_of(size), format_)
        for _ in range(size):
            open_ = still_open(field)
            if not open_:
                break
            one = chance.choice(open_)
            assert one.second is not None
            field = won(field, one.key, chance.choice((one.first, one.second)))
            mixed = Field(
                tuple(chance.sample(field.entries, len(field.entries))),
                tuple(chance.sample(field.pairings, len(field.pairings))),
                field.lot,
            )
            assert format_.next(mixed) == format_.next(field)
            assert format_.standings(mixed) == format_.standings(field)
            assert format_.finished(mixed) == format_.finished(field)
            field = paired(field, format_)
