"""Time controls, the clock of a match, spans that do not count and reminders. Knows nothing of backgammon and
never asks what time it is."""

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
)
from bgmail.timing.control import DEFAULT, PRESETS, BadTimeControl, Preset, TimeControl, describe, resolve
from bgmail.timing.daily import Quiet, next_at
from bgmail.timing.instants import from_microseconds, to_microseconds, utc
from bgmail.timing.pauses import NO_PAUSES, Pauses
from bgmail.timing.reminders import DEFAULT_CHOICE, Choice, Reminder, reminders

__all__ = [
    "BLACK",
    "DEFAULT",
    "DEFAULT_CHOICE",
    "NO_PAUSES",
    "PRESETS",
    "WHITE",
    "BadTimeControl",
    "Choice",
    "Clock",
    "Pauses",
    "Preset",
    "Quiet",
    "Reminder",
    "Side",
    "TimeControl",
    "TimeLeft",
    "WrongClockState",
    "bank_starts",
    "clocks_json",
    "deadline",
    "describe",
    "from_microseconds",
    "left",
    "next_at",
    "reminders",
    "resolve",
    "to_microseconds",
    "utc",
]
