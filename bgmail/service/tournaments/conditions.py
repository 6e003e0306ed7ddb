"""What a tournament is played on: what everybody confirms who enters."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any

from bgmail import timing
from bgmail.ledger.entry import canonical
from bgmail.rules.match import Match
from bgmail.rules.ruledata import told
from bgmail.service.errors import Refused
from bgmail.service.terms import Terms, has_controls
from bgmail.timing.rests import KINDS, allowed_to_json

MOST_TEXT = 5000
MOST_AT_ONCE, MOST_ROUND_DAYS = 100, 365


class Late(StrEnum):
    """What becomes of a match that runs at the date of its round: it goes on, and the organisers are told, or the side
    on turn forfeits it."""

    WAIT = "wait"
    FORFEIT = "forfeit"


class Rounds(StrEnum):
    """Who draws a round: the job as soon as it can, or an organiser, who also says when it begins."""

    AUTO = "auto"
    HAND = "hand"


class Seeding(StrEnum):
    """How entries are seeded that nobody seeded by hand."""

    RATING = "rating"
    ORDER = "order"
    LOT = "lot"


@dataclass(frozen=True, slots=True)
class Conditions:
    """The terms of every match, and how a tournament is run.

    `at_once` is how many of its matches a person plays at the same time (0 = any number), `round_days` how long a
    round may take (0 = there are no dates), `substitutes`: somebody from the waiting list takes the place of who leaves
    before having played. `text` is the organiser's own.
    """

    length: int
    rules: str | Mapping[str, Any] = "club"
    time: str | Mapping[str, Any] = "move-a-day"
    rated: bool = True
    wager: int = 1
    pauses: timing.Allowed = timing.USUAL
    at_once: int = 0
    round_days: int = 0
    late: Late = Late.WAIT
    machines: bool = False
    substitutes: bool = False
    seeding: Seeding = Seeding.RATING
    rounds: Rounds = Rounds.AUTO
    text: str = ""

    @property
    def terms(self) -> Terms:
        """The terms of each match."""
        return Terms(self.length, 0, self.rules, self.time, self.rated, self.wager, self.pauses)

    def judged(self) -> tuple[Match, timing.TimeControl]:
        """The match that everybody plays, and its clock. Raises Refused for terms that nobody can play on."""
        return self.terms.judged()

    def to_data(self) -> dict[str, Any]:
        """As it is kept, shown and confirmed."""
        match, _ = self.judged()
        return {
            "length": match.length,
            "rules": told(match.rules),
            "time": self.time if isinstance(self.time, str) else dict(self.time),
            "rated": self.rated,
            "wager": self.wager,
            "pauses": allowed_to_json(self.pauses),
            "at_once": self.at_once,
            "round_days": self.round_days,
            "late": self.late.value,
            "machines": self.machines,
            "substitutes": self.substitutes,
            "seeding": self.seeding.value,
            "rounds": self.rounds.value,
            "text": self.text,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Conditions:
        """The conditions of `to_data`; what is left out is as usual. Raises Refused("condition", field=...)."""
        unknown = sorted(set(data) - set(_READERS))
        if unknown:
            raise Refused("condition", field=unknown[0])
        if not data.get("length"):  # a points session may end without a winner
            raise Refused("condition", field="length")
        found = cls(**{name: _READERS[name](name, value) for name, value in data.items()})
        found.judged()
        return found

    @property
    def ends(self) -> bool:
        """Whether every match ends by itself at some time: by its clock, or by the date of its round."""
        _, control = self.judged()
        return not control.untimed or bool(self.round_days and self.late is Late.FORFEIT)

    def unsupported(self) -> tuple[str, ...]:
        """The ways of playing that these conditions leave no time for: who has only those should know before."""
        _, control = self.judged()
        return ("mail",) if control.pace == "live" else ()


def digest_of(plan: Mapping[str, Any], conditions: Conditions) -> str:
    """What an entry confirms: the SHA-256, in hex, of the canonical JSON of both."""
    text = canonical({"plan": plan, "conditions": conditions.to_data()})
    return hashlib.sha256(text.encode()).hexdigest()


def _number(most: int, name: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise Refused("condition", field=name)
    return value


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise Refused("condition", field=name)
    return value


def _name_or_values(name: str, value: object) -> str | Mapping[str, Any]:
    if not isinstance(value, str | Mapping):
        raise Refused("condition", field=name)
    return value


def _pauses(name: str, value: object) -> timing.Allowed:
    if not isinstance(value, Mapping) or set(value) - set(KINDS):
        raise Refused("condition", field=name)
    return timing.Allowed(**{kind: _flag(name, wanted) for kind, wanted in value.items()})


def _word(kind: type[Late | Rounds | Seeding], name: str, value: object) -> Late | Rounds | Seeding:
    try:
        return kind(str(value))
    except ValueError as error:
        raise Refused("condition", field=name) from error


def _text(name: str, value: object) -> str:
    if not isinstance(value, str) or len(value) > MOST_TEXT or has_controls(value):
        raise Refused("condition", field=name)
    return value.strip()


_READERS: Mapping[str, Callable[[str, object], Any]] = {
    "length": partial(_number, 99),
    "rules": _name_or_values,
    "time": _name_or_values,
    "rated": _flag,
    "wager": partial(_number, 100),
    "pauses": _pauses,
    "at_once": partial(_number, MOST_AT_ONCE),
    "round_days": partial(_number, MOST_ROUND_DAYS),
    "late": partial(_word, Late),
    "machines": _flag,
    "substitutes": _flag,
    "seeding": partial(_word, Seeding),
    "rounds": partial(_word, Rounds),
    "text": _text,
}
