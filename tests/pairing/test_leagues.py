"""Leagues: promotion and relegation, people who leave and come, divisions of uneven size."""

from __future__ import annotations

import random

import pytest

from bgmail.pairing.leagues import Finish, divide, ladder, sizes


def season(*divisions: str, gone: str = "") -> list[list[Finish]]:
    """Final standings by letters, the best first."""
    return [[Finish(ord(one), one not in gone) for one in each] for each in divisions]


def next_season(*divisions: str, gone: str = "", new: str = "", size: int = 6, moves: int = 2) -> list[str]:
    found = divide(season(*divisions, gone=gone), [ord(one) for one in new], size, moves)
    return ["".join(chr(person) for person in division) for division in found]


def test_the_first_and_the_last_change_places() -> None:
    assert next_season("ABCDEF", "ghijkl", "uvwxyz") == ["ABCDgh", "EFijuv", "klwxyz"]
    assert next_season("ABCDEF", "ghijkl", moves=1) == ["ABCDEg", "Fhijkl"]
    assert next_season("ABCDEF", "ghijkl", moves=0) == ["ABCDEF", "ghijkl"]


def test_the_place_of_somebody_who_left_spares_the_best_of_those_who_would_go_down() -> None:
    assert next_season("ABCDEF", "ghijkl", gone="B", new="n") == ["ACDghE", "Fijkln"]


def test_who_leaves_from_a_place_that_goes_down_has_gone() -> None:
    assert next_season("ABCDEF", "ghijkl", gone="F", new="n") == ["ABCDgh", "Eijkln"]


def test_where_a_winner_leaves_the_next_one_comes_up() -> None:
    assert next_season("ABCDEF", "ghijkl", gone="g", new="n") == ["ABCDhi", "EFjkln"]


def test_newcomers_stand_at_the_bottom_and_may_make_a_division_of_their_own() -> None:
    assert next_season("ABCDEF", new="uvwxyz") == ["ABCDEF", "uvwxyz"]
    assert next_season("ABCDEF", new="u") == ["ABCDEFu"]
    assert next_season(new="abc") == ["abc"]
    assert next_season() == []


def test_divisions_that_are_too_small_become_one_and_too_large_ones_two() -> None:
    assert next_season("ABCDEF", "ghijkl", gone="CDEFhijkl") == ["ABg"]
    assert next_season("ABCDEFGHIJKL", size=6) == ["ABCDEF", "GHIJKL"]
    assert sizes(25, 10) == (8, 8, 9)
    assert sizes(24, 10) == (12, 12)
    assert sizes(3, 10) == (3,)
    assert sizes(3, 2) == (3,), "nobody plays alone"


def test_a_small_division_does_not_move_as_a_whole() -> None:
    assert next_season("ABC", "ghi", size=3) == ["ABg", "Chi"]
    assert next_season("AB", "gh", size=2) == ["AB", "gh"]


def test_what_cannot_be_is_refused() -> None:
    for size, moves, new in ((1, 1, []), (6, -1, []), (6, 1, [ord("A")])):
        with pytest.raises(ValueError, match=r"divisions|moves|twice"):
            divide(season("ABC"), new, size, moves)


def test_any_season_leads_to_one_in_which_everybody_has_a_place_that_they_earned() -> None:
    dice = random.Random(24)
    for _ in range(600):
        size, moves, people = dice.randint(2, 12), dice.randint(0, 4), iter(range(10_000))
        before = [
            [Finish(next(people), dice.random() < 0.85) for _ in range(dice.randint(1, 14))]
            for _ in range(dice.randint(0, 5))
        ]
        new = [next(people) for _ in range(dice.randint(0, 9))]
        after = divide(before, new, size, moves)
        stay = [each.person for division in before for each in division if each.stays]
        assert sorted(person for division in after for person in division) == sorted([*stay, *new])
        if after:
            lengths = [len(division) for division in after]
            assert max(lengths) - min(lengths) <= 1
            assert lengths == sorted(lengths)
        flat = [person for division in after for person in division]
        assert flat[len(flat) - len(new) :] == new
        keeps_order_but_for_moves(before, ladder(before, moves), moves)


def keeps_order_but_for_moves(before: list[list[Finish]], after: list[int], moves: int) -> None:
    """Nobody is overtaken by somebody of a lower division but by those who came up, and then only by going down."""
    place = {person: number for number, person in enumerate(after)}
    for number, division in enumerate(before):
        stayed = [each.person for each in division if each.stays]
        for other in before[number + 1 :]:
            below = [each.person for each in other if each.stays]
            for person in stayed:
                overtaken = sum(place[one] < place[person] for one in below)
                assert overtaken <= moves
        ranks = [place[person] for person in stayed]
        assert ranks == sorted(ranks), "within a division the standings decide"
