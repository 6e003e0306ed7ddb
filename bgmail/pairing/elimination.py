"""Formats in which who has lost often enough is out: knockout, double elimination, knockout with re-entry.

Withdrawn and excluded: eliminated at the meeting that they would have come to, which their opponent wins without
play; if that opponent has left too, nobody comes out of it, and whoever would have met the winner passes. Results
before stand. Both absent without having left (a double forfeit): both are out, in double elimination too.

Disqualified: as excluded, and not listed; everybody behind moves up. Those whom they have beaten do not come back,
because a bracket is not rewound, but the defeat no longer counts against them: in the numbers of the standings each
meeting with somebody disqualified is a win without play. (A director may annul a result of which nothing has come
yet: the meeting is then made anew.)
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from bgmail.pairing.bracket import Bracket, double_elimination, knockout
from bgmail.pairing.field import Field, Pairing, Standing
from bgmail.pairing.placing import placed, places, reasons
from bgmail.pairing.progress import Progress
from bgmail.pairing.ranking import Explained
from bgmail.pairing.reentry import coming_back


@dataclass(frozen=True, slots=True)
class Elimination:
    """What the three have in common. `tie_breaks` part those who were eliminated in the same round; without any,
    they share their place."""

    tie_breaks: tuple[str, ...] = ()

    def bracket(self, size: int) -> Bracket:
        """The bracket of that many entries, before anybody has played."""
        raise NotImplementedError

    def progress(self, field: Field) -> Progress:
        """The bracket with its people."""
        inside = places(field)
        return Progress(field, self.bracket(len(inside)), inside)

    def next(self, field: Field) -> tuple[Pairing, ...]:
        """Every pairing whose two sides are certain and that is not in the field; the byes of the first round at
        once, walkovers as soon as somebody waits. Nothing once everybody has left."""
        return self.progress(field).due if any(entry.plays for entry in field.entries) else ()

    def standings(self, field: Field) -> tuple[Standing, ...]:
        """By round of elimination: who is still in comes first, and all those share the first place until the end."""
        return placed(self.progress(field), field, self.tie_breaks)

    def explained(
        self, field: Field, lines: Sequence[Standing] | None = None, only: Collection[int] | None = None
    ) -> dict[int, tuple[Explained, ...]]:
        """The criteria of every listed entry (of `only` these) with what each is made of; `lines` are its standings,
        where they are known already."""
        progress = self.progress(field)
        return reasons(progress, field, self.standings(field) if lines is None else lines, only)

    def finished(self, field: Field) -> bool:
        """Whether the bracket is decided, or everybody has left."""
        return not any(entry.plays for entry in field.entries) or self.progress(field).over


@dataclass(frozen=True, slots=True)
class Knockout(Elimination):
    """Who loses is out. `third_place`: those who lost in the semi-finals meet for the third place."""

    third_place: bool = False

    def bracket(self, size: int) -> Bracket:
        """Byes to a power of two for the best seeds."""
        return knockout(size, third_place=self.third_place)


@dataclass(frozen=True, slots=True)
class DoubleElimination(Elimination):
    """Who loses twice is out. `extra_match`: the unbeaten side of the final must be beaten twice as well."""

    extra_match: bool = True

    def bracket(self, size: int) -> Bracket:
        """Winners' bracket, losers' bracket and final."""
        return double_elimination(size, extra_match=self.extra_match)


@dataclass(frozen=True, slots=True)
class ReEntry(Elimination):
    """Knockout with re-entry into vacant first-round places.

    The places that would be byes wait for those who lose a first-round match, the best seeds' last: as many as
    `reentries` rounds of first-round losers can fill; the rest are byes at once. Whoever has lost a *played*
    first-round match comes back by itself, as long as there is a place, and at most `reentries` times; who doesn't
    want to, leaves. It is the same entry in a second pairing of the first round. Each is placed where it would meet
    the one it lost to as late as possible. When nobody can come any more, the places left become byes.
    """

    reentries: int = 1

    def bracket(self, size: int) -> Bracket:
        """As a knockout, with some byes held open."""
        byes = knockout(size)
        full = sum(not fixture.is_bye for fixture in byes.fixtures if fixture.round == 1)
        vacant = sum(fixture.is_bye for fixture in byes.fixtures)
        return knockout(size, held=min(vacant, full * self.reentries))

    def progress(self, field: Field) -> Progress:
        """The bracket with its people, and those who re-enter now where there is room."""
        inside = places(field)
        bracket = self.bracket(len(inside))
        return Progress(field, bracket, inside, coming_back(field, bracket, inside, self.reentries))
