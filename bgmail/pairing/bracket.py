"""A bracket as it is drawn before anybody has played: which meeting takes its two people from where.

Everything here follows from the number of entries and the options alone; `progress` fills it with people.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache

from bgmail.pairing.losers import drops


class Part(StrEnum):
    """The tree that a fixture belongs to."""

    WINNERS = "winners"
    LOSERS = "losers"
    THIRD = "third"
    FINAL = "final"


class Kind(StrEnum):
    """Where a side of a fixture comes from."""

    SEED = "seed"
    WINNER = "winner"
    LOSER = "loser"
    BYE = "bye"  # nobody, from the start
    VACANT = "vacant"  # nobody yet: somebody who lost in the first round may re-enter here


@dataclass(frozen=True, slots=True)
class Source:
    """One side of a fixture: a seed (1 is the best), or the winner or loser of another fixture, by its key."""

    kind: Kind
    seed: int = 0
    key: str = ""


@dataclass(frozen=True, slots=True)
class Fixture:
    """A meeting that the bracket foresees.

    `column` counts from 1 within its part, `number` from 1 (top) within its column. `round` counts over all parts:
    no fixture has a source in its own round or a later one, apart from the match for third place, which shares the
    final's. `if_needed`: played only when the unbeaten side has lost the fixture before.
    """

    key: str
    part: Part
    round: int
    column: int
    number: int
    sources: tuple[Source, Source]
    if_needed: bool = False

    @property
    def is_bye(self) -> bool:
        """Whether one side passes without an opponent from the start."""
        return self.sources[1].kind is Kind.BYE


@dataclass(frozen=True)
class Bracket:
    """All fixtures, each after those that it takes its people from. `size` is the number of entries."""

    size: int
    fixtures: tuple[Fixture, ...]

    @cached_property
    def by_key(self) -> dict[str, Fixture]:
        """The fixtures by their keys."""
        return {fixture.key: fixture for fixture in self.fixtures}

    @cached_property
    def destinations(self) -> dict[Source, tuple[str, int]]:
        """Where the winner and the loser of a fixture go: the key of the next one and the side there, 0 or 1.

        Who isn't in it goes nowhere: a loser is out, a winner has won the bracket.
        """
        return {
            source: (fixture.key, side)
            for fixture in self.fixtures
            for side, source in enumerate(fixture.sources)
            if source.kind in (Kind.WINNER, Kind.LOSER)
        }

    @cached_property
    def columns(self) -> dict[tuple[Part, int], int]:
        """How many fixtures each column of each part has."""
        return dict(Counter((fixture.part, fixture.column) for fixture in self.fixtures))

    def last(self, part: Part) -> int:
        """The last column of a part; 0 where there is none."""
        return max((column for its, column in self.columns if its is part), default=0)

    @cached_property
    def finals(self) -> tuple[Fixture, ...]:
        """Those that may decide the bracket: one, or two with an extra match; none for a single entry."""
        decisive = [f for f in self.fixtures if f.part is Part.FINAL]
        return tuple(decisive) or tuple(f for f in self.fixtures if f.part is Part.WINNERS)[-1:]


def winner(key: str) -> Source:
    """The winner of that fixture, as a source."""
    return Source(Kind.WINNER, key=key)


def loser(key: str) -> Source:
    """The loser of that fixture, as a source."""
    return Source(Kind.LOSER, key=key)


def rounds(size: int) -> int:
    """How many rounds a plain bracket of `size` entries has: the exponent of the next power of two."""
    return max(size - 1, 0).bit_length()


def seats(size: int) -> tuple[int, ...]:
    """Seeds from top to bottom of a bracket of `size` (a power of two): as long as the better seed wins, the best
    two meet in the final, the best four in the last four, and so on."""
    order: tuple[int, ...] = (1,)
    while len(order) < size:
        after = 2 * len(order) + 1
        order = tuple(
            seed
            for place, better in enumerate(order)
            for seed in ((better, after - better) if place % 2 == 0 else (after - better, better))
        )
    return order


@lru_cache(maxsize=32)
def knockout(size: int, *, third_place: bool = False, held: int = 0) -> Bracket:
    """Single elimination. Byes fill the first round up to a power of two and go to the best seeds.

    `held` places of the first round stay vacant instead of being byes, opposite the lowest seeds that would have
    had one. A match for third place needs four entries.
    """
    fixtures = _winners(size, held)
    last = rounds(size)
    if third_place and size >= 4:
        semi_finals = (loser(f"w{last - 1}.1"), loser(f"w{last - 1}.2"))
        fixtures.append(Fixture("t1", Part.THIRD, last, 1, 1, semi_finals))
    return Bracket(size, tuple(fixtures))


@lru_cache(maxsize=32)
def double_elimination(size: int, *, extra_match: bool = True) -> Bracket:
    """Winners' and losers' bracket, and a final between the winners of the two.

    With `extra_match` a second final follows if the unbeaten side loses the first. Byes of the first round leave
    gaps among the losers; who would meet a gap is led on to the next real meeting, so that nobody waits for nobody:
    2n - 2 fixtures have two sides (and the second final).
    """
    fixtures = _winners(size, 0)
    if size < 2:
        return Bracket(size, tuple(fixtures))
    last = rounds(size)
    if last == 1:
        challenger = loser("w1.1")
    else:
        below, challenger = _losers(last, {f.key for f in fixtures if f.is_bye})
        fixtures += below
    fixtures.append(Fixture("f1", Part.FINAL, 2 * last, 1, 1, (winner(f"w{last}.1"), challenger)))
    if extra_match:
        again = (winner("f1"), loser("f1"))
        fixtures.append(Fixture("f2", Part.FINAL, 2 * last + 1, 2, 1, again, if_needed=True))
    return Bracket(size, tuple(fixtures))


def _winners(size: int, held: int) -> list[Fixture]:
    order = seats(2 ** rounds(size))
    vacant = range(len(order) - size - held + 1, len(order) - size + 1)
    fixtures = []
    for number, pair in enumerate(zip(order[::2], order[1::2], strict=False), 1):
        better, worse = min(pair), max(pair)
        other = Source(Kind.SEED, worse)
        if worse > size:
            other = Source(Kind.VACANT if better in vacant else Kind.BYE)
        sides = (Source(Kind.SEED, better), other)
        fixtures.append(Fixture(f"w1.{number}", Part.WINNERS, 1, 1, number, sides))
    for column in range(2, rounds(size) + 1):
        for number in range(1, 2 ** (rounds(size) - column) + 1):
            before = f"w{column - 1}."
            sides = (winner(f"{before}{2 * number - 1}"), winner(f"{before}{2 * number}"))
            fixtures.append(Fixture(f"w{column}.{number}", Part.WINNERS, column, column, number, sides))
    return fixtures


def _losers(last: int, byes: set[str]) -> tuple[list[Fixture], Source]:
    """The losers' bracket below `last` rounds of winners, and who comes out of it. `byes` have no loser."""
    fixtures: list[Fixture] = []
    led: dict[Source, Source | None] = {loser(key): None for key in byes}

    def meet(column: int, number: int, one: Source, other: Source) -> Source:
        key = f"l{column}.{number}"
        sides = [side for side in (led.get(one, one), led.get(other, other)) if side is not None]
        if len(sides) == 2:
            fixtures.append(Fixture(key, Part.LOSERS, column + 1, column, number, (sides[0], sides[1])))
        else:
            led[winner(key)] = sides[0] if sides else None
        return winner(key)

    through = [
        meet(1, n, loser(f"w1.{2 * n - 1}"), loser(f"w1.{2 * n}")) for n in range(1, 2 ** (last - 2) + 1)
    ]
    for level, shift in enumerate(drops(last), 2):
        if level > 2:
            pairs = zip(through[::2], through[1::2], strict=True)
            through = [meet(2 * level - 3, n, one, other) for n, (one, other) in enumerate(pairs, 1)]
        through = [
            meet(2 * level - 2, n + 1, loser(f"w{level}.{(n ^ shift) + 1}"), came)
            for n, came in enumerate(through)
        ]
    out = led.get(through[0], through[0])
    assert out is not None, "two entries have a loser"  # noqa: S101
    return fixtures, out
