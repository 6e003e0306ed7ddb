"""What can be done in a match: one value an action, as people, automation, clock and log speak of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bgmail.rules.dice import Dice
from bgmail.rules.play import Play
from bgmail.rules.score import Ending
from bgmail.rules.side import Side


class Kind(StrEnum):
    """The actions that change a match; the values are the words of the log and of the API."""

    ACCEPT = "accept"
    DECLINE = "decline"
    CANCEL = "cancel"
    EXPIRE = "expire"
    OPENING_ROLL = "opening_roll"
    ROLL = "roll"
    PLAY = "play"
    DOUBLE = "double"
    TAKE = "take"
    PASS = "pass"
    RESIGN = "resign"
    ACCEPT_RESIGNATION = "accept_resignation"
    DECLINE_RESIGNATION = "decline_resignation"
    RESIGN_MATCH = "resign_match"
    LATE = "late"
    CLAIM_TIMEOUT = "claim_timeout"
    TIMEOUT = "timeout"
    INACTIVITY = "inactivity"
    CORRECTION = "correction"


@dataclass(frozen=True, slots=True)
class Action:
    """One action of `side`.

    `dice` belongs to the two rolls (an opening roll is White's die, then Black's, and `side` is None), `play`
    to a play (None = a dance), `value` to a resignation: 1 single, 2 gammon, 3 backgammon. The `side` of LATE, a
    timeout and an inactivity is the side whose time is over or who stayed away; that of a claim is its opponent.
    `winner` and `ending` belong to a correction, which is nobody's at the board.
    """

    kind: Kind
    side: Side | None
    dice: Dice | None = None
    play: Play | None = None
    value: int | None = None
    winner: Side | None = None
    ending: Ending | None = None


class ActionRefused(ValueError):
    """An action that the match does not allow now.

    `code` says why in a word that `bgmail.phrases` turns into a sentence with `values`.
    """

    def __init__(self, code: str, **values: object) -> None:
        self.code = code
        self.values = values
        details = ", ".join(f"{key}={value}" for key, value in values.items())
        super().__init__(f"{code.replace('_', ' ')}{f' ({details})' if details else ''}")
