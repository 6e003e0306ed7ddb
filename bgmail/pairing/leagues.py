"""Leagues: who plays in which division in the next season.

The season that is over becomes one ladder, and the ladder is cut into divisions again. Promoted and relegated people
change places first; whatever is free then, since somebody left or there are more or fewer divisions than before, is
filled from below or given up to below in the order of the ladder. So nobody is passed over, and nobody falls further
than a place that isn't there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Division = tuple[int, ...]
"""People by their ids, the best first."""


@dataclass(frozen=True, slots=True)
class Finish:
    """One line of a division's final standings: a person, and whether they play the next season too."""

    person: int
    stays: bool = True


def sizes(total: int, size: int) -> tuple[int, ...]:
    """How large the divisions are if they should have about `size` people: as equal as can be, the larger ones below,
    and never one person alone unless there is nobody else.

    Raises ValueError for a size below 2.
    """
    if size < 2:
        raise ValueError(f"divisions of {size}")
    count = max(1, min((2 * total + size) // (2 * size), total // 2))
    least, more = divmod(total, count)
    return tuple(least + (place >= count - more) for place in range(count))


def ladder(divisions: Sequence[Sequence[Finish]], moves: int) -> list[int]:
    """Everybody who stays, the best first, once `moves` people of each division have changed places with as many of
    the one below. `divisions` are final standings, the highest division first, each with the best first.

    The last `moves` of a division go down, and the first `moves` of those who stay in the one below come up. Whoever
    leaves from a place that goes down has gone: nobody goes down instead. In a division too small for both, more than
    half of it never moves either way. Who went down stands before those of the lower division, so is the first to be
    spared where a place above is free; who came up stands last in the higher one.
    """
    found: list[int] = []
    for place in range(len(divisions)):
        down = _down(divisions, place - 1, moves)
        up, gone = _up(divisions, place, moves), _down(divisions, place, moves)
        kept = [each.person for each in divisions[place] if each.stays and each.person not in {*up, *gone}]
        found += [*down, *kept, *_up(divisions, place + 1, moves)]
    return found


def moving(
    divisions: Sequence[Sequence[Finish]], place: int, moves: int
) -> tuple[frozenset[int], frozenset[int]]:
    """Who would leave one of the divisions upwards, and who downwards, as `ladder` has it."""
    return frozenset(_up(divisions, place, moves)), frozenset(_down(divisions, place, moves))


def divide(
    divisions: Sequence[Sequence[Finish]], newcomers: Sequence[int], size: int, moves: int
) -> tuple[Division, ...]:
    """The divisions of the next season, the highest first; newcomers stand at the bottom, in the order given.

    Everybody is in exactly one. Without anybody there is no division. Raises ValueError for a size below 2, negative
    moves, or somebody who is named twice.
    """
    if moves < 0:
        raise ValueError(f"{moves} moves")
    everybody = [*ladder(divisions, moves), *newcomers]
    if len(set(everybody)) != len(everybody):
        raise ValueError("somebody is named twice")
    if not everybody:
        return ()
    cut: list[Division] = []
    for number in sizes(len(everybody), size):
        begin = sum(len(before) for before in cut)
        cut.append(tuple(everybody[begin : begin + number]))
    return tuple(cut)


def _room(division: Sequence[Finish], moves: int) -> int:
    """How many of a division may move one way: less than half of it."""
    return min(moves, (len(division) - 1) // 2)


def _down(divisions: Sequence[Sequence[Finish]], place: int, moves: int) -> list[int]:
    """Who leaves a division downwards, the best first; nobody where there is none below."""
    if not 0 <= place < len(divisions) - 1:
        return []
    number = min(_room(divisions[place], moves), _room(divisions[place + 1], moves))
    last = divisions[place][len(divisions[place]) - number :] if number else ()
    return [each.person for each in last if each.stays]


def _up(divisions: Sequence[Sequence[Finish]], place: int, moves: int) -> list[int]:
    """Who leaves a division upwards, the best first; nobody from the highest."""
    if not 0 < place < len(divisions):
        return []
    number = min(_room(divisions[place - 1], moves), _room(divisions[place], moves))
    down = set(_down(divisions, place, moves))
    return [each.person for each in divisions[place] if each.stays and each.person not in down][:number]
