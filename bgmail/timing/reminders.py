"""When a side on the clock is reminded: instants and codes, planned afresh after every pause."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bgmail.timing.clock import Clock, Side
from bgmail.timing.control import HOUR
from bgmail.timing.instants import MICROSECOND, SECOND
from bgmail.timing.pauses import NO_PAUSES, Pauses

Code = Literal["turn", "bank", "left"]
SHORTEST = 12 * HOUR
"""Under a control whose first turn is shorter than this a reminder would only be noise."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a player wants to be reminded of: per cent left of the turn's own time and of the bank (None =
    not at all), and seconds left before the deadline."""

    turn: int | None = 20
    bank: int | None = 20
    left: tuple[int, ...] = (6 * HOUR,)

    def __post_init__(self) -> None:
        for percent in (self.turn, self.bank):
            if percent is not None and not 0 < percent < 100:
                raise ValueError(f"a reminder needs 1 to 99 per cent: {percent}")
        if any(seconds <= 0 for seconds in self.left):
            raise ValueError(f"a reminder comes before the deadline: {self.left}")


@dataclass(frozen=True, slots=True)
class Reminder:
    """One reminder: what is left of what (`value` is per cent for "turn" and "bank", seconds for "left")."""

    at: datetime
    code: Code
    value: int

    @property
    def which(self) -> str:
        """The name that tells the reminders of one turn apart, such as "bank-20"."""
        return f"{self.code}-{self.value}"


DEFAULT_CHOICE = Choice()


def reminders(
    clock: Clock, pauses: Pauses = NO_PAUSES, choice: Choice = DEFAULT_CHOICE
) -> tuple[Reminder, ...]:
    """The reminders of the running segment, in order of time, each once.

    Left out: all of them where nobody can lose on time and under a control shorter than 12 hours, the live
    ones among them; and each that would be due when the segment starts or before. "turn" and "bank" count from the
    own time and the bank that the side had at the start of its turn.
    """
    control = clock.control
    if clock.on is None or clock.since is None or control.untimed:
        return ()
    if control.per_turn + control.bank < SHORTEST:
        return ()
    planned = {(code, value): spent for code, value, spent in _plan(clock, clock.on, choice) if spent > 0}
    found = [
        Reminder(pauses.advance(clock.since, spent * MICROSECOND), code, value)
        for (code, value), spent in planned.items()
    ]
    return tuple(sorted(found, key=lambda reminder: (reminder.at, reminder.code, reminder.value)))


def _plan(clock: Clock, side: Side, choice: Choice) -> Iterator[tuple[Code, int, int]]:
    """Each reminder with the microseconds of counting time from the segment's start to it."""
    control, bank = clock.control, clock.banks[side]
    allowance = (control.per_answer if clock.answering else control.per_turn) * SECOND + clock.gifts[side]
    used = 0 if clock.answering else clock.used
    if choice.turn is not None and allowance:
        yield "turn", choice.turn, allowance * (100 - choice.turn) // 100 - used
    if choice.bank is not None and bank:
        yield "bank", choice.bank, allowance + bank * (100 - choice.bank) // 100 - used
    for seconds in choice.left:
        yield "left", seconds, allowance + bank - used - seconds * SECOND
