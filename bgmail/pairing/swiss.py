"""Swiss systems: round after round, opponents with the same score or the nearest, and nobody twice."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from bgmail.pairing.field import Field, Pairing, Standing
from bgmail.pairing.ranking import Explained
from bgmail.pairing.record import entries_by_id, record_of
from bgmail.pairing.rounds import explained_of, is_over, last_rounds, next_round, results_of, standings_of
from bgmail.pairing.tiebreaks import LOT, ROUND_OUT, WINS


@dataclass(frozen=True, slots=True)
class Swiss:
    """A set number of rounds, drawn as `draw.py` tells. A bye counts as a win without play.

    A round is drawn when the one before is over; in round 1 the order is that of the seeds, later that of the
    standings after the round before. Who is in and has no pairing in the round that runs (since the caller has
    dropped one that had not begun: `to_redraw`) is paired there, among others of that kind; entries that come only
    after round 1 wait for the next round unless there is somebody for them to play. What an organiser fixed stays,
    and a bye made by hand leaves no other where the rest are an even number.

    It ends after the last round, or as soon as fewer than two are in and nothing runs; the standings are then those
    after the last round that was drawn. If all that are left have met each other, they meet again.

    Who withdraws or is excluded is not paired any more, loses without play what is open, and stays in the standings
    with its results. Of the disqualified nothing counts: whoever was paired with one has a win without play for it,
    as by a bye, whatever the result had been.
    """

    rounds: int
    tie_breaks: tuple[str, ...] = ()

    def next(self, field: Field) -> tuple[Pairing, ...]:
        """The pairings of the round to be drawn, the best placed first, the bye last; () while one runs."""
        return next_round(self, field, self.rounds)

    def standings(self, field: Field) -> tuple[Standing, ...]:
        """By wins, then the tie-breaks; the disqualified at the end, not listed."""
        return standings_of(field, self._criteria, last_rounds(field))

    def finished(self, field: Field) -> bool:
        """Whether the last round is over, or nobody is left to be paired."""
        return is_over(self, field, self.rounds)

    def explained(
        self, field: Field, lines: Sequence[Standing] | None = None, only: Collection[int] | None = None
    ) -> dict[int, tuple[Explained, ...]]:
        """The criteria of every listed entry (of `only` these) with what each is made of; `lines` are its standings,
        where they are known already."""
        out = last_rounds(field)
        return explained_of(field, self._criteria, out, lines, only)

    def active(self, field: Field) -> tuple[int, ...]:
        """Who is paired in the next round, in the order of the standings."""
        plays = {entry.id for entry in field.entries if entry.plays}
        return tuple(line.entry for line in self.standings(field) if line.entry in plays)

    @property
    def _criteria(self) -> tuple[str, ...]:
        return (WINS, *self.tie_breaks, LOT)


@dataclass(frozen=True, slots=True)
class SwissElimination:
    """A Swiss system in which an entry is out after `losses` losses; it goes on until one is left.

    As `Swiss` in everything else, but without a number of rounds. The fewer are left, the sooner all have met:
    then they meet again, those first who have met least often; so do the last two. A loss without play counts as
    any other, and a bye goes round before somebody has a second one. If the last all lose without play in one round,
    nobody is left, and the order among them is by wins.

    The survivor is first; the others follow by the round in which they went out, the later the better, then by wins
    and the tie-breaks. Who leaves is out in its last round. A loss against somebody who is disqualified later
    doesn't count: who went out by it comes back into the next round that is drawn (into the one that runs, if it went
    out just before that), unless all is over by then.
    """

    losses: int
    tie_breaks: tuple[str, ...] = ()

    def next(self, field: Field) -> tuple[Pairing, ...]:
        """The pairings of the round to be drawn, the best placed first, the bye last; () while one runs."""
        return next_round(self, field, None)

    def standings(self, field: Field) -> tuple[Standing, ...]:
        """By round of elimination, wins, tie-breaks; the disqualified at the end, not listed."""
        return standings_of(field, self._criteria, self.out(field))

    def finished(self, field: Field) -> bool:
        """Whether at most one is left and nothing runs."""
        return is_over(self, field, None)

    def explained(
        self, field: Field, lines: Sequence[Standing] | None = None, only: Collection[int] | None = None
    ) -> dict[int, tuple[Explained, ...]]:
        """The criteria of every listed entry (of `only` these) with what each is made of; `lines` are its standings,
        where they are known already."""
        out = self.out(field)
        return explained_of(field, self._criteria, out, lines, only)

    def active(self, field: Field) -> tuple[int, ...]:
        """Who is not out, in the order of the standings."""
        return tuple(line.entry for line in self.standings(field) if line.listed and line.out_in is None)

    @property
    def _criteria(self) -> tuple[str, ...]:
        return (ROUND_OUT, WINS, *(name for name in self.tie_breaks if name != ROUND_OUT), LOT)

    def out(self, field: Field) -> dict[int, int]:
        """The round in which each went out who isn't in any more."""
        out = last_rounds(field)
        for entry, mets in record_of(entries_by_id(field), results_of(field)).items():
            lost = [met.round for met in mets if not met.won]
            if len(lost) >= self.losses:
                out[entry] = lost[self.losses - 1]
        return out
