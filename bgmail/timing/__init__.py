"""Time controls, the clock of a match, spans that do not count and reminders. Knows nothing of backgammon and
never asks what time it is."""

from bgmail.timing.calendar import NO_CALENDAR, BadCalendar, Calendar
from bgmail.timing.clock import (
    BLACK,
    WHITE,
    Clock,
    Side,
    TimeLeft,
    WrongClockState,
    bank_starts,
    clocks_json,
    deadline,
    left,
    paused,
)
from bgmail.timing.control import DEFAULT, PRESETS, BadTimeControl, Preset, TimeControl, describe, resolve
from bgmail.timing.daily import Quiet, next_at
from bgmail.timing.instants import SECOND, from_microseconds, to_microseconds, utc
from bgmail.timing.pauses import NO_PAUSES, Pause, Pauses
from bgmail.timing.reminders import DEFAULT_CHOICE, Choice, Reminder, reminders
from bgmail.timing.rests import NO_RESTS, NOTHING_ALLOWED, USUAL, Allowed, Rest, Rests, Untimed

__all__ = [
    "BLACK",
    "DEFAULT",
    "DEFAULT_CHOICE",
    "NOTHING_ALLOWED",
    "NO_CALENDAR",
    "NO_PAUSES",
    "NO_RESTS",
    "PRESETS",
    "SECOND",
    "USUAL",
    "WHITE",
    "Allowed",
    "BadCalendar",
    "BadTimeControl",
    "Calendar",
    "Choice",
    "Clock",
    "Pause",
    "Pauses",
    "Preset",
    "Quiet",
    "Reminder",
    "Rest",
    "Rests",
    "Side",
    "TimeControl",
    "TimeLeft",
    "Untimed",
    "WrongClockState",
    "bank_starts",
    "clocks_json",
    "deadline",
    "describe",
    "from_microseconds",
    "left",
    "next_at",
    "paused",
    "reminders",
    "resolve",
    "to_microseconds",
    "utc",
]
