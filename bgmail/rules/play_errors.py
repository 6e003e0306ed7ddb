"""Why a written play is refused: it can't be read, it isn't legal, or it could mean two things."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from bgmail.rules.dice import Dice
from bgmail.rules.position import BAR, Position

if TYPE_CHECKING:
    from bgmail.rules.play import Play


class Malformed(Enum):
    """What is wrong with notation that can't be read."""

    EMPTY = "empty"
    TOO_LONG = "too_long"
    UNREADABLE = "unreadable"
    NO_SUCH_POINT = "no_such_point"
    TOO_MANY = "too_many"


class Illegal(Enum):
    """Why a play that can be read may not be made. The first five concern one checker and one die."""

    NO_CHECKER = "no_checker"
    BAR_FIRST = "bar_first"
    BLOCKED = "blocked"
    STRAGGLER = "straggler"
    HIGHER_CHECKER = "higher_checker"
    BACKWARDS = "backwards"
    NOT_THESE_DICE = "not_these_dice"
    NO_HIT = "no_hit"
    NO_LEGAL_PLAY = "no_legal_play"
    USE_BOTH_DICE = "use_both_dice"
    USE_MORE_DICE = "use_more_dice"
    USE_LARGER_DIE = "use_larger_die"
    WASTES_PIPS = "wastes_pips"


_MALFORMED = {
    Malformed.EMPTY: "nothing is written",
    Malformed.TOO_LONG: "that is too long for a play",
    Malformed.UNREADABLE: "can't read {part!r}; write a play like 13/7 8/7",
    Malformed.NO_SUCH_POINT: "there is no such point in {part!r}",
    Malformed.TOO_MANY: "a roll moves at most four checkers",
}

_ILLEGAL = {
    Illegal.NO_CHECKER: "there is no checker of yours on {place}",
    Illegal.BAR_FIRST: "the checker on the bar must enter first",
    Illegal.BLOCKED: "{point} is blocked",
    Illegal.STRAGGLER: "no checker may be borne off while one is on {place}",
    Illegal.HIGHER_CHECKER: "the {die} can't take off a lower checker while one is on {point}",
    Illegal.BACKWARDS: "checkers move from higher to lower points",
    Illegal.NOT_THESE_DICE: "no die of the roll fits",
    Illegal.NO_HIT: "nothing is hit on {point}",
    Illegal.NO_LEGAL_PLAY: "no checker can be moved",
    Illegal.USE_BOTH_DICE: "you can use both dice, so you must",
    Illegal.USE_MORE_DICE: "you can move {count} times, so you must",
    Illegal.USE_LARGER_DIE: "only one die can be used, and it must be the {die}",
    Illegal.WASTES_PIPS: "another play with all dice wastes fewer pips",
}


class PlayError(ValueError):
    """A written play that was not made. `code` is stable, `text` is what was written."""

    code: str

    def __init__(self, message: str, code: str, text: str) -> None:
        super().__init__(message)
        self.code = code
        self.text = text


class MalformedPlay(PlayError):
    """Notation that can't be read; `part` is the piece that could not."""

    def __init__(self, reason: Malformed, text: str, part: str) -> None:
        why = _MALFORMED[reason].format(part=part)
        super().__init__(f"malformed play {text!r}: {why}", reason.value, text)
        self.reason = reason
        self.part = part


class IllegalPlay(PlayError):
    """A play that may not be made, with its evidence: position, dice, and where they matter the part of the
    text, the point in the way, the die, or how many moves (`count`) the roll allows.
    """

    def __init__(
        self,
        reason: Illegal,
        text: str,
        position: Position,
        dice: Dice,
        *,
        part: str | None = None,
        point: int | None = None,
        die: int | None = None,
        count: int | None = None,
    ) -> None:
        place = "the bar" if point == BAR else point
        why = _ILLEGAL[reason].format(place=place, point=point, die=die, count=count)
        super().__init__(f"illegal play {text!r} with {dice} in {position.id}: {why}", reason.value, text)
        self.reason = reason
        self.position = position
        self.dice = dice
        self.part = part
        self.point = point
        self.die = die
        self.count = count


class AmbiguousPlay(PlayError):
    """A spelling with more than one result; `candidates` are the plays it could mean."""

    def __init__(self, text: str, candidates: tuple[Play, ...]) -> None:
        spelled = " or ".join(str(play) for play in candidates)
        super().__init__(f"ambiguous play {text!r}: {spelled}?", "ambiguous", text)
        self.candidates = candidates
