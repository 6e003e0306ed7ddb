"""How other programs write a match in one line: GNU Backgammon's Match ID and eXtreme Gammon's XGID.

The layouts are those of the GNU Backgammon manual; both programs put the larger die first. Scores and owners
go by side, never by who is looking.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass

from bgmail.rules.dice import Dice
from bgmail.rules.position import EMPTY, LANES, Position

CENTRED = 3
LOWER = 1
PLAYING, OVER = 1, 2
WITHOUT_JACOBY = 1
MATCH_ID_BYTES = 9
XGID = re.compile(
    r"(?:XGID=)?(?P<places>[-A-Oa-o]{26}):(?P<cube>\d{1,2}):(?P<owner>-1|0|1):(?P<turn>-1|1)"
    r":(?P<dice>00|D|[1-6]{2}):(?P<score>\d{1,4}):(?P<other>\d{1,4}):(?P<rule>\d):(?P<length>\d{1,4})"
    r":(?P<limit>\d{1,2})",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Situation:
    """What both ids say beside the position.

    Players are 0 and 1. `on_roll` is whose go it is, `to_act` who has to decide (the other one after a double
    or a resignation). `owner` None = centred. `resigned` 0 = no, 1 single, 2 gammon, 3 backgammon. `length` 0
    = a points session. `playing` False = the match is over.
    """

    on_roll: int
    to_act: int
    cube: int = 1
    owner: int | None = None
    dice: Dice | None = None
    doubled: bool = False
    resigned: int = 0
    crawford: bool = False
    length: int = 0
    score: tuple[int, int] = (0, 0)
    cube_limit: int = 64
    playing: bool = True


class BadId(ValueError):
    """An id that can't be read."""


def gnubg_match_id(said: Situation) -> str:
    """The 12 characters of GNU Backgammon's Match ID, player 0 first."""
    fields = (
        (said.cube.bit_length() - 1, 4),
        (CENTRED if said.owner is None else said.owner, 2),
        (said.on_roll, 1),
        (int(said.crawford), 1),
        (PLAYING if said.playing else OVER, 3),
        (said.to_act, 1),
        (int(said.doubled), 1),
        (said.resigned, 2),
        (said.dice.high if said.dice else 0, 3),
        (said.dice.low if said.dice else 0, 3),
        (said.length, 15),
        (said.score[0], 15),
        (said.score[1], 15),
        (WITHOUT_JACOBY, 1),
    )
    bits = shift = 0
    for value, width in fields:
        bits |= (value & ((1 << width) - 1)) << shift
        shift += width
    return base64.b64encode(bits.to_bytes(MATCH_ID_BYTES, "little")).decode().rstrip("=")


def parse_gnubg_match_id(text: str) -> Situation:
    """The situation of a Match ID. Raises `BadId` for anything else."""
    try:
        raw = base64.b64decode(text, validate=True)
    except ValueError:
        raw = b""
    if len(raw) != MATCH_ID_BYTES:
        raise BadId(f"a Match ID has 12 characters of base64, unlike {text!r}")
    bits = int.from_bytes(raw, "little")

    def take(width: int) -> int:
        nonlocal bits
        value, bits = bits & ((1 << width) - 1), bits >> width
        return value

    cube, owner, on_roll, crawford, state, to_act = take(4), take(2), take(1), take(1), take(3), take(1)
    doubled, resigned, d1, d2, length = take(1), take(2), take(3), take(3), take(15)
    return Situation(
        on_roll=on_roll,
        to_act=to_act,
        cube=1 << cube,
        owner=None if owner == CENTRED else owner,
        dice=Dice(d1, d2) if d1 or d2 else None,
        doubled=bool(doubled),
        resigned=resigned,
        crawford=bool(crawford),
        length=length,
        score=(take(15), take(15)),
        playing=state == PLAYING,
    )


def xgid(position: Position, said: Situation) -> str:
    """The XGID with the player on roll as the lower one (capitals); `position` is seen from that player."""
    bottom = said.on_roll
    owner = 0 if said.owner is None else 1 if said.owner == bottom else -1
    dice = "D" if said.doubled else f"{said.dice.high}{said.dice.low}" if said.dice else "00"
    places = position.to_bytes(LANES, "little").translate(_SIGNS).decode("ascii")
    score, other = said.score[bottom], said.score[1 - bottom]
    cube, limit = said.cube.bit_length() - 1, said.cube_limit.bit_length() - 1
    rule = int(said.crawford)
    return f"XGID={places}:{cube}:{owner}:1:{dice}:{score}:{other}:{rule}:{said.length}:{limit}"


def parse_xgid(text: str) -> tuple[Position, Situation]:
    """The position, seen by the player on roll, and the situation of an XGID, whose lower player is player 1.

    Raises `BadId` for anything else, `BadPosition` for checkers that can't stand so. In a money session the
    rule field (Jacoby, beavers) is read over: they are not played here.
    """
    match = XGID.fullmatch(text.strip())
    if match is None:
        raise BadId(f"{text!r} is no XGID")
    turn, owner, dice = int(match["turn"]), int(match["owner"]), match["dice"]
    position = Position.from_board([_count(sign) for sign in match["places"]])
    on_roll = LOWER if turn > 0 else 1 - LOWER
    doubled = dice == "D"
    length = int(match["length"])
    return position if turn > 0 else position.mirrored(), Situation(
        on_roll=on_roll,
        to_act=1 - on_roll if doubled else on_roll,
        cube=1 << int(match["cube"]),
        owner={1: LOWER, -1: 1 - LOWER}.get(owner),
        dice=Dice(int(dice[0]), int(dice[1])) if dice not in {"D", "00"} else None,
        doubled=doubled,
        crawford=length > 0 and match["rule"] == "1",
        length=length,
        score=(int(match["other"]), int(match["score"])),
        cube_limit=1 << int(match["limit"]),
    )


def _count(sign: str) -> int:
    """The checkers that one sign of an XGID stands for, the upper player's below zero."""
    if sign == "-":
        return 0
    return ord(sign) - ord("A") + 1 if sign.isupper() else ord("a") - ord(sign) - 1


def _sign(count: int) -> str:
    """The sign of so many checkers, the upper player's below zero."""
    return chr(ord("A" if count > 0 else "a") + abs(count) - 1) if count else "-"


_SIGNS = bytes(ord(_sign(lane - EMPTY)) for lane in range(256))
"""What an XGID says of each byte of a position."""
