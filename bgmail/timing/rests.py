"""What keeps the clocks of one match standing: which kinds of pause it allows, and what the log says of each side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import cast

from bgmail.timing import calendar as calendars
from bgmail.timing.calendar import NO_CALENDAR, Calendar
from bgmail.timing.control import TimeControl
from bgmail.timing.instants import from_microseconds, to_microseconds
from bgmail.timing.pauses import NO_PAUSES, Pauses, Span

KINDS = ("weekends", "nights", "vacation")


@dataclass(frozen=True, slots=True)
class Allowed:
    """The kinds of pause that a match allows. Outages of the server count in every match and need no leave."""

    weekends: bool = False
    nights: bool = False
    vacation: bool = False

    def at(self, control: TimeControl) -> Allowed:
        """The same where it makes sense: people stay at the board for a live pace, and without a clock nothing
        has to stand still."""
        return NOTHING_ALLOWED if control.untimed or control.pace == "live" else self


USUAL = Allowed(weekends=True, vacation=True)
"""What a match allows unless its inviter says otherwise."""
NOTHING_ALLOWED = Allowed()


@dataclass(frozen=True, slots=True)
class Rest:
    """What the log last said of one side: its calendar for the turn, and its spans of vacation that still matter."""

    calendar: Calendar = NO_CALENDAR
    vacation: tuple[Span, ...] = ()


AWAKE = Rest()
"""Who doesn't rest."""


@dataclass(frozen=True, slots=True)
class Untimed:
    """Whether somebody offers to play on without a clock: `offer` is the side that does. `declined` tells of each side
    whether an offer of its own was declined."""

    offer: int | None = None
    declined: tuple[bool, bool] = (False, False)

    def word(self, side: int) -> Untimed:
        """After a side's word that agrees to nothing: an offer; where there is one, its refusal, or its maker takes
        it back."""
        if self.offer is None:
            return replace(self, offer=side)
        if self.offer == side:
            return replace(self, offer=None)
        white, black = self.declined
        return Untimed(None, (white, True) if self.offer else (True, black))


@dataclass(frozen=True, slots=True)
class Rests:
    """The pauses of a match. `sides` are White's and Black's."""

    allowed: Allowed = NOTHING_ALLOWED
    sides: tuple[Rest, Rest] = field(default=(AWAKE, AWAKE))
    untimed: Untimed = Untimed()

    def pauses(self, side: int, outages: Iterable[Span] = ()) -> Pauses:
        """What doesn't count for a side (0 = White, 1 = Black), outages of the server included."""
        rest, down = self.sides[side], tuple(outages)
        if rest is AWAKE and not down:  # nearly always; every play asks several times
            return NO_PAUSES
        return Pauses.of(rest.vacation, down, rest.calendar)

    def running(self, on: int | None, outages: Iterable[Span] = ()) -> Pauses:
        """The same for the side whose clock runs; nothing where none does."""
        return NO_PAUSES if on is None else self.pauses(on, outages)

    def calendar_of(self, wish: Calendar) -> Calendar:
        """What this match takes over of a calendar that somebody has."""
        return wish.only(weekends=self.allowed.weekends, nights=self.allowed.nights)

    def with_calendar(self, side: int, calendar: Calendar) -> Rests:
        """Another calendar for a side, from here on."""
        kept = calendar if calendar.rests else NO_CALENDAR
        return self._with(side, replace(self.sides[side], calendar=kept))

    def with_vacation(self, side: int, start: datetime, end: datetime) -> Rests:
        """A vacation of a side, which replaces one with the same beginning: ended early, or made longer."""
        rest = self.sides[side]
        others = [span for span in rest.vacation if span[0] != start]
        kept = sorted([*others, (start, end)] if start < end else others)
        return self._with(side, replace(rest, vacation=tuple(kept)))

    def from_turn(self, at: datetime) -> Rests:
        """The same for a turn that begins: what is over by then will be asked for no more."""
        if not any(rest.vacation for rest in self.sides):
            return self
        white, black = (
            replace(rest, vacation=tuple(span for span in rest.vacation if span[1] > at))
            for rest in self.sides
        )
        return replace(self, sides=(white, black))

    def _with(self, side: int, rest: Rest) -> Rests:
        white, black = self.sides
        return replace(self, sides=(white, rest) if side else (rest, black))


NO_RESTS = Rests()


def allowed_to_json(allowed: Allowed) -> dict[str, bool]:
    """As the invitation's entry and the API have it."""
    return {"weekends": allowed.weekends, "nights": allowed.nights, "vacation": allowed.vacation}


def allowed_from_json(value: Mapping[str, object] | None) -> Allowed:
    """What `allowed_to_json` wrote; None (a log older than pauses) allows nothing. Raises TypeError, KeyError."""
    if value is None:
        return NOTHING_ALLOWED
    for kind in KINDS:
        if type(value[kind]) is not bool:
            raise TypeError(f"{kind} is true or false")
    return Allowed(*(bool(value[kind]) for kind in KINDS))


def to_json(rests: Rests) -> dict[str, object]:
    """The rests as a row keeps them beside its clock; {} where there are none."""
    if rests == NO_RESTS:
        return {}
    white, black = (_rest_to_json(rest) for rest in rests.sides)
    kept = {"allowed": allowed_to_json(rests.allowed), "white": white, "black": black}
    untimed = rests.untimed
    return kept if untimed == Untimed() else {**kept, "untimed": [untimed.offer, *untimed.declined]}


def from_json(value: Mapping[str, object] | None) -> Rests:
    """The rests that `to_json` wrote. A missing key raises KeyError: rows are our own."""
    if not value:
        return NO_RESTS
    white, black = (cast("Mapping[str, object]", value[side]) for side in ("white", "black"))
    allowed = allowed_from_json(cast("Mapping[str, object]", value["allowed"]))
    offer, *declined = cast("list[int | None]", value.get("untimed", [None, False, False]))
    untimed = Untimed(offer, (bool(declined[0]), bool(declined[1])))
    return Rests(allowed, (_rest_from_json(white), _rest_from_json(black)), untimed)


def _rest_to_json(rest: Rest) -> dict[str, object]:
    kept: dict[str, object] = {}
    if rest.calendar.rests:
        kept["calendar"] = calendars.to_json(rest.calendar)
    if rest.vacation:
        kept["vacation"] = [[to_microseconds(start), to_microseconds(end)] for start, end in rest.vacation]
    return kept


def _rest_from_json(value: Mapping[str, object]) -> Rest:
    if not value:
        return AWAKE
    calendar = cast("Mapping[str, object] | None", value.get("calendar"))
    spans = cast("list[list[int]]", value.get("vacation", []))
    return Rest(
        NO_CALENDAR if calendar is None else calendars.from_json(calendar),
        tuple((from_microseconds(start), from_microseconds(end)) for start, end in spans),
    )
