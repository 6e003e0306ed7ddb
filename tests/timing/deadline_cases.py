"""The table of deadlines: when time is over, for turns of all kinds, worked out by hand.

Weekends of different zones, both changes of the clock in the north and in the south, leap days, nights, vacations and
outages over each other, banks at their cap and empty. `tests/timing/test_deadline_table.py` holds the clock against it,
and counts the minutes as a second way; `tests/notify/test_deadline_table.py` holds page, JSON, letter and row.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from bgmail.timing import Calendar, TimeControl

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
HOUR = timedelta(hours=1)

Words = tuple[tuple[str, str], ...]
Span = tuple[datetime, datetime]


@dataclass(frozen=True)
class Case:
    """A turn that begins at `start` with `own` hours and `bank` hours behind them, and the instant at which it is lost.

    With `took` it is the second turn: the first began at `start` and took so many hours of the wall clock, and the
    opponent an hour. Instants are UTC; vacations belong to the player, outages to the server.
    """

    story: str
    start: str
    own: float
    bank: float
    ends: str
    zone: str = "UTC"
    weekend: str = ""
    night: str = ""
    vacation: Words = ()
    outages: Words = ()
    took: float | None = None
    increment: int = 0
    cap: int | None = None

    @property
    def control(self) -> TimeControl:
        own, bank = round(self.own * 3600), round(self.bank * 3600)
        cap = None if self.cap is None else self.cap * 3600
        return TimeControl(own, own, bank, self.increment * 3600, cap)

    @property
    def calendar(self) -> Calendar:
        night = tuple(int(time[:2]) * 60 + int(time[3:]) for time in self.night.split("-") if time)
        weekend = frozenset(DAYS.index(day) for day in self.weekend.split())
        return Calendar(self.zone, weekend, (night[0], night[1]) if night else None)

    @property
    def spans(self) -> tuple[list[Span], list[Span]]:
        """Vacations and outages."""
        away, down = (
            [(at(start), at(end)) for start, end in words] for words in (self.vacation, self.outages)
        )
        return away, down

    @property
    def turns(self) -> list[datetime]:
        """When the player's turns begin, the one that the case is about the last."""
        first = at(self.start)
        return [first] if self.took is None else [first, first + (self.took + 1) * HOUR]


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


CASES = (
    # no pause
    Case("a day and three days of bank", "2026-03-02T12:00", 24, 72, "2026-03-06T12:00"),
    Case("over a leap day", "2028-02-27T12:00", 24, 72, "2028-03-02T12:00"),
    Case("over the end of a year", "2026-12-30T18:00", 72, 0, "2027-01-02T18:00"),
    Case(
        "the clock change of its player changes no elapsed time",
        "2026-03-28T12:00",
        24,
        72,
        "2026-04-01T12:00",
        zone="Europe/Berlin",
    ),
    Case("nor does the other one", "2026-10-24T12:00", 24, 72, "2026-10-28T12:00", zone="Europe/Berlin"),
    Case("nor those of the south", "2026-04-04T12:00", 24, 24, "2026-04-06T12:00", zone="Pacific/Auckland"),
    # weekends
    Case(
        "five days from Thursday noon",
        "2026-05-28T12:00",
        120,
        0,
        "2026-06-04T12:00",
        weekend="Sat Sun",
    ),
    Case(
        "that begins on Saturday: the whole time is left on Monday",
        "2026-05-30T10:00",
        24,
        72,
        "2026-06-05T00:00",
        weekend="Sat Sun",
    ),
    Case(
        "that ends as Saturday begins: it is over then",
        "2026-05-29T00:00",
        24,
        0,
        "2026-05-30T00:00",
        weekend="Sat Sun",
    ),
    Case(
        "a minute longer is over on Monday", "2026-05-29T00:01", 24, 0, "2026-06-01T00:01", weekend="Sat Sun"
    ),
    Case(
        "that begins as the weekend ends", "2026-06-01T00:00", 24, 72, "2026-06-05T00:00", weekend="Sat Sun"
    ),
    Case("over two weekends", "2026-05-29T12:00", 24, 144, "2026-06-09T12:00", weekend="Sat Sun"),
    Case(
        "Friday and Saturday in Cairo, in its summer",
        "2026-06-11T12:00",
        24,
        72,
        "2026-06-17T12:00",
        zone="Africa/Cairo",
        weekend="Fri Sat",
    ),
    Case("Sunday alone", "2026-06-12T12:00", 24, 72, "2026-06-17T12:00", zone="Europe/Berlin", weekend="Sun"),
    Case(
        "two days apart: Tuesday and Thursday",
        "2026-06-08T12:00",
        24,
        72,
        "2026-06-14T12:00",
        zone="Europe/Berlin",
        weekend="Tue Thu",
    ),
    Case(
        "Sunday and Monday, over the end of the week",
        "2026-06-12T12:00",
        24,
        72,
        "2026-06-18T12:00",
        zone="Europe/Berlin",
        weekend="Sun Mon",
    ),
    Case(
        "in Berlin, where Saturday begins on Friday",
        "2026-06-11T12:00",
        24,
        72,
        "2026-06-17T12:00",
        zone="Europe/Berlin",
        weekend="Sat Sun",
    ),
    Case(
        "in New York",
        "2026-06-11T12:00",
        24,
        72,
        "2026-06-17T12:00",
        zone="America/New_York",
        weekend="Sat Sun",
    ),
    Case(
        "in Honolulu, which knows no summer time",
        "2026-06-11T12:00",
        24,
        72,
        "2026-06-17T12:00",
        zone="Pacific/Honolulu",
        weekend="Sat Sun",
    ),
    Case(
        "in Kathmandu, a quarter of an hour off",
        "2026-06-11T12:00",
        24,
        72,
        "2026-06-17T12:00",
        zone="Asia/Kathmandu",
        weekend="Sat Sun",
    ),
    Case(
        "on Kiritimati, the first of all",
        "2026-06-11T12:00",
        24,
        72,
        "2026-06-17T12:00",
        zone="Pacific/Kiritimati",
        weekend="Sat Sun",
    ),
    Case(
        "in Pago Pago, the last",
        "2026-06-11T12:00",
        24,
        72,
        "2026-06-17T12:00",
        zone="Pacific/Pago_Pago",
        weekend="Sat Sun",
    ),
    Case(
        "in Sydney",
        "2026-06-11T12:00",
        24,
        72,
        "2026-06-17T12:00",
        zone="Australia/Sydney",
        weekend="Sat Sun",
    ),
    Case(
        "in Sao Paulo",
        "2026-06-11T12:00",
        24,
        72,
        "2026-06-17T12:00",
        zone="America/Sao_Paulo",
        weekend="Sat Sun",
    ),
    # weekends in which the clock changes
    Case(
        "Berlin, an hour less of weekend",
        "2026-03-27T12:00",
        24,
        72,
        "2026-04-02T11:00",
        zone="Europe/Berlin",
        weekend="Sat Sun",
    ),
    Case(
        "Berlin, an hour more",
        "2026-10-23T12:00",
        24,
        72,
        "2026-10-29T13:00",
        zone="Europe/Berlin",
        weekend="Sat Sun",
    ),
    Case(
        "New York, an hour less",
        "2026-03-06T12:00",
        24,
        72,
        "2026-03-12T11:00",
        zone="America/New_York",
        weekend="Sat Sun",
    ),
    Case(
        "New York, an hour more",
        "2026-10-30T12:00",
        24,
        72,
        "2026-11-05T13:00",
        zone="America/New_York",
        weekend="Sat Sun",
    ),
    Case(
        "Auckland, an hour more in April",
        "2026-04-03T06:00",
        24,
        72,
        "2026-04-09T07:00",
        zone="Pacific/Auckland",
        weekend="Sat Sun",
    ),
    Case(
        "Auckland, an hour less in September",
        "2026-09-25T06:00",
        24,
        72,
        "2026-10-01T05:00",
        zone="Pacific/Auckland",
        weekend="Sat Sun",
    ),
    Case(
        "Sydney, an hour more in April",
        "2026-04-03T06:00",
        24,
        72,
        "2026-04-09T07:00",
        zone="Australia/Sydney",
        weekend="Sat Sun",
    ),
    Case(
        "Sydney, an hour less in October",
        "2026-10-02T06:00",
        24,
        72,
        "2026-10-08T05:00",
        zone="Australia/Sydney",
        weekend="Sat Sun",
    ),
    Case(
        "Santiago, where the first Sunday of September begins at one",
        "2026-09-04T12:00",
        24,
        72,
        "2026-09-10T11:00",
        zone="America/Santiago",
        weekend="Sat Sun",
    ),
    Case(
        "Santiago, where a Saturday in April has 25 hours",
        "2026-04-03T12:00",
        24,
        72,
        "2026-04-09T13:00",
        zone="America/Santiago",
        weekend="Sat Sun",
    ),
    Case(
        "Lord Howe, half an hour less",
        "2026-10-02T06:00",
        24,
        72,
        "2026-10-08T05:30",
        zone="Australia/Lord_Howe",
        weekend="Sat Sun",
    ),
    Case(
        "Cairo, where a Friday in April begins at one",
        "2026-04-22T12:00",
        24,
        72,
        "2026-04-28T11:00",
        zone="Africa/Cairo",
        weekend="Fri Sat",
    ),
    Case(
        "Havana, where midnight comes twice",
        "2026-10-30T12:00",
        24,
        72,
        "2026-11-05T13:00",
        zone="America/Havana",
        weekend="Sat Sun",
    ),
    Case(
        "a weekend on the leap day",
        "2032-02-27T12:00",
        24,
        72,
        "2032-03-04T12:00",
        zone="Europe/Berlin",
        weekend="Sat Sun",
    ),
    Case(
        "a leap day that is a free Tuesday",
        "2028-02-28T12:00",
        24,
        72,
        "2028-03-04T12:00",
        zone="Europe/Berlin",
        weekend="Tue",
    ),
    Case(
        "a weekend over New Year",
        "2027-12-31T12:00",
        24,
        72,
        "2028-01-06T12:00",
        zone="Europe/Berlin",
        weekend="Sat Sun",
    ),
    # nights
    Case(
        "ten hours of every day",
        "2026-06-08T12:00",
        24,
        0,
        "2026-06-10T08:00",
        zone="Europe/Berlin",
        night="22:00-08:00",
    ),
    Case(
        "that begins at night",
        "2026-06-08T23:00",
        24,
        0,
        "2026-06-10T16:00",
        zone="Europe/Berlin",
        night="22:00-08:00",
    ),
    Case(
        "that ends as the night begins",
        "2026-06-08T06:00",
        14,
        0,
        "2026-06-08T20:00",
        zone="Europe/Berlin",
        night="22:00-08:00",
    ),
    Case(
        "a night within a day",
        "2026-06-08T12:00",
        24,
        24,
        "2026-06-11T01:00",
        zone="America/New_York",
        night="01:00-07:30",
    ),
    Case(
        "with the weekend in one",
        "2026-06-11T12:00",
        24,
        72,
        "2026-06-22T10:00",
        zone="Europe/Berlin",
        weekend="Sat Sun",
        night="22:00-08:00",
    ),
    Case(
        "the night an hour shorter",
        "2026-03-28T18:00",
        24,
        0,
        "2026-03-30T13:00",
        zone="Europe/Berlin",
        night="22:00-08:00",
    ),
    Case(
        "the night an hour longer",
        "2026-10-24T18:00",
        24,
        0,
        "2026-10-26T15:00",
        zone="Europe/Berlin",
        night="22:00-08:00",
    ),
    Case(
        "a night that ends in the hour which is skipped",
        "2026-03-28T18:00",
        24,
        0,
        "2026-03-30T06:30",
        zone="Europe/Berlin",
        night="20:00-02:30",
    ),
    Case(
        "a night that ends in the hour which comes twice",
        "2026-10-24T18:00",
        24,
        0,
        "2026-10-26T07:00",
        zone="Europe/Berlin",
        night="20:00-02:30",
    ),
    Case(
        "a night that begins in the hour which is skipped",
        "2026-03-28T18:00",
        24,
        0,
        "2026-03-29T23:00",
        zone="Europe/Berlin",
        night="02:30-08:00",
    ),
    Case(
        "nights in Auckland over the change of April, with the weekend",
        "2026-04-02T00:00",
        24,
        48,
        "2026-04-08T09:00",
        zone="Pacific/Auckland",
        weekend="Sat Sun",
        night="23:00-07:00",
    ),
    # vacation
    Case(
        "six days, with 20 hours left",
        "2026-07-01T05:00",
        24,
        0,
        "2026-07-08T05:00",
        vacation=(("2026-07-01T09:00", "2026-07-07T09:00"),),
    ),
    Case(
        "a vacation that began before the turn",
        "2026-07-01T12:00",
        24,
        72,
        "2026-07-08T09:00",
        vacation=(("2026-06-28T09:00", "2026-07-04T09:00"),),
    ),
    Case(
        "a vacation that is over before the turn",
        "2026-07-05T12:00",
        24,
        72,
        "2026-07-09T12:00",
        vacation=(("2026-06-28T09:00", "2026-07-04T09:00"),),
    ),
    Case(
        "a vacation that begins at the deadline",
        "2026-07-01T12:00",
        24,
        0,
        "2026-07-02T12:00",
        vacation=(("2026-07-02T12:00", "2026-07-09T12:00"),),
    ),
    Case(
        "a vacation from a Saturday to a Sunday",
        "2026-07-02T12:00",
        24,
        72,
        "2026-07-15T12:00",
        zone="Europe/Berlin",
        weekend="Sat Sun",
        vacation=(("2026-07-04T09:00", "2026-07-12T09:00"),),
    ),
    Case(
        "a vacation within a weekend",
        "2026-07-02T12:00",
        24,
        72,
        "2026-07-08T12:00",
        zone="Europe/Berlin",
        weekend="Sat Sun",
        vacation=(("2026-07-04T09:00", "2026-07-05T09:00"),),
    ),
    Case(
        "two vacations that overlap",
        "2026-07-01T12:00",
        24,
        72,
        "2026-07-10T03:00",
        vacation=(("2026-07-03T09:00", "2026-07-06T09:00"), ("2026-07-05T00:00", "2026-07-08T00:00")),
    ),
    Case(
        "over a change of the clock, with weekends",
        "2026-10-22T12:00",
        24,
        72,
        "2026-11-02T01:00",
        zone="Europe/London",
        weekend="Sat Sun",
        vacation=(("2026-10-24T12:00", "2026-10-28T12:00"),),
    ),
    Case(
        "over the leap day, with nights",
        "2028-02-27T12:00",
        24,
        0,
        "2028-03-02T00:00",
        zone="America/Chicago",
        night="22:00-08:00",
        vacation=(("2028-02-28T12:00", "2028-03-01T12:00"),),
    ),
    # outages
    Case(
        "three hours of the server",
        "2026-06-08T12:00",
        24,
        72,
        "2026-06-12T15:00",
        outages=(("2026-06-09T03:00", "2026-06-09T06:00"),),
    ),
    Case(
        "an outage while the bank runs",
        "2026-06-08T12:00",
        24,
        72,
        "2026-06-12T15:30",
        outages=(("2026-06-10T03:00", "2026-06-10T06:30"),),
    ),
    Case(
        "an outage over the deadline itself",
        "2026-06-08T12:00",
        24,
        0,
        "2026-06-09T15:00",
        outages=(("2026-06-09T11:00", "2026-06-09T14:00"),),
    ),
    Case(
        "an outage that begins before the turn",
        "2026-06-08T12:00",
        24,
        0,
        "2026-06-09T14:00",
        outages=(("2026-06-08T10:00", "2026-06-08T14:00"),),
    ),
    Case(
        "an outage in the night of a player",
        "2026-06-08T12:00",
        24,
        0,
        "2026-06-10T08:00",
        zone="Europe/Berlin",
        night="22:00-08:00",
        outages=(("2026-06-08T21:00", "2026-06-09T04:00"),),
    ),
    Case(
        "an outage half in the night",
        "2026-06-08T12:00",
        24,
        0,
        "2026-06-10T11:00",
        zone="Europe/Berlin",
        night="22:00-08:00",
        outages=(("2026-06-09T04:00", "2026-06-09T09:00"),),
    ),
    Case(
        "an outage within a weekend within a vacation",
        "2026-07-02T12:00",
        24,
        72,
        "2026-07-13T12:00",
        zone="Europe/Berlin",
        weekend="Sat Sun",
        vacation=(("2026-07-03T12:00", "2026-07-08T12:00"),),
        outages=(("2026-07-04T09:00", "2026-07-04T15:00"),),
    ),
    Case(
        "from a weekend over a vacation into a Monday",
        "2026-07-02T12:00",
        24,
        72,
        "2026-07-09T02:00",
        zone="Europe/Berlin",
        weekend="Sat Sun",
        vacation=(("2026-07-05T12:00", "2026-07-06T06:00"),),
        outages=(("2026-07-06T03:00", "2026-07-06T12:00"),),
    ),
    Case(
        "two outages, one over the change of the clock",
        "2026-10-23T12:00",
        24,
        72,
        "2026-10-28T18:00",
        zone="Europe/Berlin",
        weekend="Sun",
        outages=(("2026-10-24T20:00", "2026-10-25T02:00"), ("2026-10-26T02:00", "2026-10-26T05:00")),
    ),
    # banks
    Case("empty from the start: the own time is all", "2026-06-08T12:00", 72, 0, "2026-06-11T12:00"),
    Case("all but an hour used by the turn before", "2026-06-08T12:00", 24, 12, "2026-06-11T01:00", took=35),
    Case(
        "all but an hour used by a turn that the weekend made longer",
        "2026-06-11T12:00",
        24,
        12,
        "2026-06-16T01:00",
        zone="Europe/Berlin",
        weekend="Sat Sun",
        took=83,
    ),
    Case("used in part", "2026-06-08T12:00", 24, 72, "2026-06-13T13:00", took=30),
    Case(
        "the weekend between costs nothing",
        "2026-06-12T12:00",
        24,
        72,
        "2026-06-19T11:00",
        zone="Europe/Berlin",
        weekend="Sat Sun",
        took=70,
    ),
    Case(
        "refilled up to its cap",
        "2026-06-08T12:00",
        24,
        200,
        "2026-06-18T23:00",
        took=26,
        increment=4,
        cap=200,
    ),
    Case("at its cap already", "2026-06-08T12:00", 24, 200, "2026-06-17T22:00", took=1, increment=4, cap=200),
    Case(
        "all bank: three days and a day with each play",
        "2026-06-08T12:00",
        0,
        72,
        "2026-06-12T13:00",
        took=10,
        increment=24,
        cap=168,
    ),
    Case(
        "all bank, with the weekend",
        "2026-06-12T06:00",
        0,
        72,
        "2026-06-18T06:00",
        zone="Europe/Berlin",
        weekend="Sat Sun",
        took=60,
        increment=24,
        cap=168,
    ),
    Case(
        "used late, and one increment is left",
        "2026-06-08T12:00",
        24,
        10,
        "2026-06-11T03:00",
        took=33.5,
        increment=4,
        cap=200,
    ),
)
