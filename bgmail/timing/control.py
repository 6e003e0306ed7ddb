"""Time controls: one formula of five durations, the named presets, and how a choice becomes a control."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

MINUTE = 60
HOUR = 60 * MINUTE
DAY = 24 * HOUR

MAX_ALLOWANCE = 60 * DAY
"""The longest own time for a turn or an answer, and the largest increment."""
MAX_BANK = 366 * DAY
LIVE_LIMIT = 2 * HOUR
"""People stay at the board for a control whose first turn (allowance and bank) lasts no longer than this."""

DURATIONS = ("per_turn", "per_answer", "bank", "increment", "cap")
_FIELDS = dict.fromkeys((*DURATIONS, "untimed", "name"))

Pace = Literal["live", "correspondence"]


class BadTimeControl(ValueError):
    """A time control that cannot be played; the message says which value and why.

    `code` and `field` are for other rooms that have their own words for it.
    """

    def __init__(self, code: str, field: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.field = field


def _check_keys(spec: Mapping[str, object], known: tuple[str, ...]) -> None:
    for key in spec:
        if key not in known:
            raise BadTimeControl("unknown", str(key), f"A time control has no {key!r}.")


def _check_duration(field: str, value: object, limit: int) -> None:
    if type(value) is not int:
        raise BadTimeControl("type", field, f"{field} must be a whole number of seconds.")
    if value < 0:
        raise BadTimeControl("negative", field, f"{field} cannot be negative.")
    if value > limit:
        raise BadTimeControl("too_long", field, f"{field} can be at most {limit} seconds.")


def _check_flags(control: TimeControl) -> None:
    if type(control.untimed) is not bool:
        raise BadTimeControl("type", "untimed", "untimed must be true or false.")
    if type(control.name) is not str:
        raise BadTimeControl("type", "name", "name must be text.")


def _check_untimed(control: TimeControl) -> None:
    if any(getattr(control, field) for field in DURATIONS):
        raise BadTimeControl("untimed", "untimed", "An untimed match has no durations.")


def _check_playable(control: TimeControl) -> None:
    for field in ("per_turn", "per_answer"):
        if not getattr(control, field) + control.bank:
            raise BadTimeControl("no_time", field, f"With no {field} and no bank there is no time to play.")
    if control.cap is not None and control.cap < control.increment:
        raise BadTimeControl("cap", "cap", "cap cannot be less than one increment.")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How long a side may think, in whole seconds.

    A turn lasts `per_turn` and then uses the side's `bank`; an answer to a double or a resignation lasts
    `per_answer` and then uses the bank. `increment` is added to the bank once an own turn, with the play;
    `cap` is the most that an increment may fill the bank to (None = no limit). `untimed` matches have no
    clock and all durations zero. `name` is the preset's, "" for durations of one's own.
    """

    per_turn: int
    per_answer: int
    bank: int
    increment: int
    cap: int | None
    untimed: bool = False
    name: str = ""

    def __post_init__(self) -> None:
        for field in ("per_turn", "per_answer", "increment"):
            _check_duration(field, getattr(self, field), MAX_ALLOWANCE)
        _check_duration("bank", self.bank, MAX_BANK)
        if self.cap is not None:
            _check_duration("cap", self.cap, MAX_BANK)
        _check_flags(self)
        if self.untimed:
            _check_untimed(self)
        else:
            _check_playable(self)

    @property
    def pace(self) -> Pace:
        """Whether people stay at the board for it ("live") or come back to it ("correspondence")."""
        return "correspondence" if self.untimed or self.per_turn + self.bank > LIVE_LIMIT else "live"


@dataclass(frozen=True, slots=True)
class Preset:
    """A named control; `bank_per_point` seconds are added to the bank for each point of the match."""

    base: TimeControl
    bank_per_point: int = 0

    def control(self, points: int) -> TimeControl:
        """The control of a match of so many points (of games, in a points session)."""
        return replace(self.base, bank=self.base.bank + self.bank_per_point * points)


def _preset(name: str, per_turn: int, bank: int, increment: int = 0, cap: int | None = None) -> Preset:
    """A preset that grants an answer the same own time as a turn: in correspondence an answer costs a visit
    as a play does, and the live allowances are as short as an answer needs."""
    return Preset(TimeControl(per_turn, per_turn, bank, increment, cap, name=name))


UNTIMED = TimeControl(0, 0, 0, 0, None, untimed=True, name="untimed")

# "3 d + 1 d up to 7 d" and "8 min + 10 s" have no time of their own a turn: all is bank, refilled by plays.
PRESETS: Mapping[str, Preset] = {
    "move-a-day": _preset("move-a-day", DAY, 3 * DAY),
    "three-days": _preset("three-days", 3 * DAY, 0),
    "long-bank": _preset("long-bank", DAY, 200 * HOUR, 4 * HOUR, 200 * HOUR),
    "increment": _preset("increment", 0, 3 * DAY, DAY, 7 * DAY),
    "untimed": Preset(UNTIMED),
    "live-8-10": _preset("live-8-10", 0, 8 * MINUTE, 10),
    # Its bank grows with the match; base stands for a match of no points and is never played.
    "live-delay": Preset(TimeControl(12, 12, 0, 0, None, name="live-delay"), bank_per_point=2 * MINUTE),
    "live-11-90": _preset("live-11-90", 11, 90),
}
DEFAULT = "move-a-day"


def resolve(spec: str | Mapping[str, object], length: int, games: int = 0) -> TimeControl:
    """Turn a choice into the control of one match.

    `spec` is a preset's name or an object of the five durations: `per_turn`, `bank` and `increment` are 0
    when left out, `per_answer` the same as `per_turn`, `cap` none. `length` is the match length; a points
    session (length 0) counts its `games` instead. Raises BadTimeControl.
    """
    if isinstance(spec, str):
        return _named(spec, length or games)
    if not isinstance(spec, Mapping):
        raise BadTimeControl("type", "time", "A time control is a name or an object of durations.")
    _check_keys(spec, DURATIONS)
    per_turn = spec.get("per_turn", 0)
    left_out = {"per_turn": 0, "per_answer": per_turn, "bank": 0, "increment": 0, "cap": None}
    return _from_fields({**left_out, **spec})


def to_json(control: TimeControl) -> dict[str, object]:
    """The control as it is kept with its match: five durations, `untimed` and `name`."""
    durations: dict[str, object] = {field: getattr(control, field) for field in DURATIONS}
    return {**durations, "untimed": control.untimed, "name": control.name}


def from_json(value: Mapping[str, object]) -> TimeControl:
    """The control that `to_json` wrote; anything else raises BadTimeControl."""
    if value.keys() != _FIELDS.keys():
        _check_keys(value, tuple(_FIELDS))
        missing = next(key for key in _FIELDS if key not in value)
        raise BadTimeControl("missing", missing, f"A time control needs {missing}.")
    return _kept(*[value[key] for key in _FIELDS])


@lru_cache(maxsize=256, typed=True)
def _kept(*values: object) -> TimeControl:
    """Rows of many matches hold the same few controls."""
    return _from_fields(dict(zip(_FIELDS, values, strict=True)))


def describe(control: TimeControl) -> tuple[tuple[str, int], ...]:
    """What there is to say about a control, as (field, seconds) in the order in which time is used.

    Durations of zero are left out, so is an answer's allowance equal to a turn's; () means untimed.
    """
    parts = [("per_turn", control.per_turn), ("bank", control.bank), ("increment", control.increment)]
    if control.per_answer != control.per_turn:
        parts.insert(1, ("per_answer", control.per_answer))
    if control.cap is not None:
        parts.append(("cap", control.cap))
    return tuple((field, seconds) for field, seconds in parts if seconds or field in ("per_answer", "cap"))


def _named(name: str, points: int) -> TimeControl:
    preset = PRESETS.get(name)
    if preset is None:
        raise BadTimeControl("unknown", "time", f"There is no time control called {name!r}.")
    if preset.bank_per_point and points < 1:
        raise BadTimeControl("points", "time", f"{name} needs a match length or a number of games.")
    return preset.control(points)


def _from_fields(fields: Mapping[str, object]) -> TimeControl:
    # The constructor judges every value, whatever its type.
    return TimeControl(**fields)  # type: ignore[arg-type]
